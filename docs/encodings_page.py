"""Writes docs/encodings.md from the encodings of the games: ``python docs/encodings_page.py``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tisch.encoding import Flags
from tisch.game import Game
from tisch.games import REGISTRY

PAGE = Path(__file__).resolve().parent.parent / "docs" / "encodings.md"
HEAD = """\
# The games as arrays

What each element of an observation means, and which move each id makes. `docs/encodings_page.py` writes this page from
the encodings of the games, and a test compares both; [research.md](research.md) shows how to use them.

An observation is one row of `int8`: the parts one after the other. `game.encoding.read(observation)` returns each part
by name in its shape. Where a part has values by seat, the first is the seat itself, then come the next seats in the
order of play. Id 0 keeps silent in every game. The version changes whenever a shape or a meaning changes.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([HEAD, *(line for game in REGISTRY.values() for line in section(game))])


def section(game: Game[Any]) -> Iterator[str]:
    """Return the section of a game."""
    encoding = game.encoding
    yield f"## {game.title}\n"
    yield f"Version {encoding.version}, {encoding.shape[0]} elements, {encoding.count} ids. {type(encoding).__doc__}\n"
    yield "| elements | part | shape | values | meaning |\n|---|---|---|---|---|"
    for part in encoding.parts:
        place = encoding.places[part.name]
        values = "0, 1" if isinstance(part, Flags) else f"{part.low} … {part.high}".replace("-", "−")
        shape = " × ".join(map(str, part.shape))
        yield f"| {spread(place.start, place.stop)} | `{part.name}` | {shape} | {values} | {part.meaning} |"
    yield "\n| ids | group | meaning |\n|---|---|---|"
    for group in encoding.actions:
        ids = encoding.ids[group.name]
        yield f"| {spread(ids.start, ids.stop)} | `{group.name}` | {group.meaning} |"
    yield ""


def spread(start: int, stop: int) -> str:
    """Return the numbers from one to before another, in words."""
    return str(start) if stop == start + 1 else f"{start}–{stop - 1}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
