"""Checks docs/design.md against the tree."""

from __future__ import annotations

import re
from pathlib import Path

from places import ROOT, files_of_the_tree
from tests.repository.test_arrows import ARROWS

DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
#: The top folders, and the suffixes of the files that make a folder a room.
PLACES = ("bin", "benches", "studies", "docs", "python/tisch", "rust/core/src", "rust/binding/src", "tests", "web")
CODE = {".css", ".html", ".js", ".py", ".pyi", ".rs", ".toml"}


def folders() -> set[str]:
    """Return every folder with code."""
    places = tuple(f"{place}/" for place in PLACES)
    return {
        Path(name).parent.as_posix()
        for name in files_of_the_tree()
        if name.startswith(places) and Path(name).suffix in CODE
    }


def test_the_design_names_every_room_and_no_other() -> None:
    named = re.findall(r"^\| `([\w/]+)/` \| \S", DESIGN, re.MULTILINE)
    assert len(named) == len(set(named))
    assert set(named) == folders()


def test_the_design_names_only_files_that_there_are() -> None:
    files = [f"/{name}" for name in files_of_the_tree()]
    named = set(re.findall(r"`([\w./-]+\.(?:py|rs|js|md|yaml))`", DESIGN))
    assert len(named) > 20
    assert sorted(name for name in named if not any(file.endswith(f"/{name}") for file in files)) == []


def test_the_arrows_of_the_design_are_those_that_are_held() -> None:
    drawn = DESIGN[DESIGN.index("## The arrows") : DESIGN.index("## Six walks")]
    rooms = {room for room in ARROWS if room not in {"importing", "arguments", "testing"}}
    assert sorted(room for room in rooms if not re.search(rf"\b{room}\b", drawn)) == []
