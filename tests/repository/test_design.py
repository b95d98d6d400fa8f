"""Checks docs/design.md against the tree."""

from __future__ import annotations

import re
import subprocess

from places import ROOT
from tests.repository.test_arrows import ARROWS

DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
#: The top folders, and the suffixes of the files that make a folder a room.
PLACES = ("bin", "benches", "docs", "python/tisch", "rust/core/src", "rust/binding/src", "tests", "web")
CODE = {".css", ".html", ".js", ".py", ".pyi", ".rs", ".toml"}


def folders() -> set[str]:
    """Return every folder with code that git tracks or would track."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PLACES]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    files = [ROOT / name for name in names]
    return {path.parent.relative_to(ROOT).as_posix() for path in files if path.suffix in CODE and path.is_file()}


def test_the_design_names_every_room_and_no_other() -> None:
    named = re.findall(r"^\| `([\w/]+)/` \| \S", DESIGN, re.MULTILINE)
    assert len(named) == len(set(named))
    assert set(named) == folders()


def test_the_design_names_only_files_that_there_are() -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    files = [f"/{name}" for name in names if (ROOT / name).exists()]
    named = set(re.findall(r"`([\w./-]+\.(?:py|rs|js|md|yaml))`", DESIGN))
    assert len(named) > 20
    assert sorted(name for name in named if not any(file.endswith(f"/{name}") for file in files)) == []


def test_the_arrows_of_the_design_are_those_that_are_held() -> None:
    drawn = DESIGN[DESIGN.index("## The arrows") : DESIGN.index("## Five walks")]
    rooms = {room for room in ARROWS if room not in {"importing", "arguments", "testing"}}
    assert sorted(room for room in rooms if not re.search(rf"\b{room}\b", drawn)) == []
