"""The blocks of docs/adding-a-game.md, and the game that they make."""

from __future__ import annotations

import re
from pathlib import Path

from places import ROOT

PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def blocks(mark: str) -> dict[str, str]:
    """The blocks of the page with a mark, by what the mark says."""
    found = re.findall(rf"<!-- {mark}: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return dict(found)


def write(folder: Path) -> None:
    """Write the files of the page."""
    for name, text in blocks("file").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
