"""Tests of docs/dependencies.md: it names every package that is asked for, and no package that is not."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from places import ROOT

PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")


def toml(path: str) -> dict[str, Any]:
    """Read a file of the tree."""
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def python() -> Iterator[str]:
    """Yield what pyproject.toml asks for."""
    found = toml("pyproject.toml")
    groups = [found["project"]["dependencies"], *found["project"]["optional-dependencies"].values()]
    for group in (*groups, *found["dependency-groups"].values()):
        yield from (re.split(r"[><=; \[]", each)[0] for each in group if isinstance(each, str))


def crates() -> Iterator[str]:
    """Yield what the crates ask for, besides each other."""
    for crate in ("core", "binding"):
        found = toml(f"rust/{crate}/Cargo.toml")
        for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
            yield from (name for name in found.get(kind, {}) if name != "tisch-core")


def node() -> Iterator[str]:
    """Yield what the checks of the web client ask for."""
    yield from json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["devDependencies"]


def named(*titles: str) -> set[str]:
    """Return the packages in the first column of the tables of some sections."""
    sections = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])
    rows = [line for title in titles for line in sections[title].splitlines() if line.startswith("| ")]
    cells = [row.split("|")[1].strip() for row in rows]
    return {name for cell in cells for name in cell.split(", ")} - {"package", "crate"}


@pytest.mark.parametrize(
    ("sections", "asked"),
    [
        (["What everybody installs", "What an extra adds", "What developers install"], {*python()}),
        (["The cores"], {*crates()}),
        (["The web client"], {*node()}),
    ],
    ids=["python", "rust", "node"],
)
def test_the_page_names_what_is_asked_for_and_nothing_else(sections: list[str], asked: set[str]) -> None:
    assert named(*sections) == asked
    assert len(asked) > 4


def test_what_is_written_by_hand_is_there() -> None:
    section = PAGE[PAGE.index("## Written by hand") :]
    paths = re.findall(r"`((?:bin|python|rust)/[\w./]+)`", section)
    assert len(paths) > 8 and [path for path in paths if not (ROOT / path).exists()] == []
