"""Battleships as arrays, for programs that learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from battleships import FLEET, HIT, MISS, MOVES, SHIP, SIZE, SUNK, Move, Rows, View
from tisch.encoding import Actions, Encoding, Flags, one_hot

#: What is seen of a cell, in the order of the arrays.
SEEN: Final = (SHIP, HIT, SUNK, MISS)
_MOVES: Final = tuple(MOVES.values())
_IDS: Final = {move: 1 + number for number, move in enumerate(_MOVES)}
_PLACED: Final = sum(move.verb == "place" for move in _MOVES)


class BattleshipsEncoding(Encoding[Move]):
    """The arrays of Battleships."""

    version = 1
    flags = (
        Flags("own", (len(SEEN), SIZE, SIZE), "Ships, hits, sunk ships and misses in the own sea, by rows."),
        Flags("other", (len(SEEN), SIZE, SIZE), "The same for what is known of the other sea."),
        Flags("ship", (max(FLEET),), "The length of the ship that must be placed: 1, 2, 3."),
    )
    moves = (
        Actions("place", _PLACED, "Place a ship, by all places of the longest, then of the others."),
        Actions("fire", SIZE * SIZE, "Fire at a cell, by rows."),
    )

    def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        ship = one_hot(view.ship - 1) if view.ship else 0
        return (_planes(view.own), _planes(view.other), ship), ()

    def phase(self, view: View) -> str:
        return "place" if view.ship else "fire"

    def shows(self, view: View, other: int, move: Move) -> bool:
        return move.verb == "fire"

    def path(self, move: Move, seat: int) -> tuple[int, ...]:
        return (_IDS[move],)

    def decode(self, path: Sequence[int], seat: int) -> Move:
        if len(path) != 1 or self.group(path[0])[0] == "silence":
            raise self._no_move(path)
        return _MOVES[path[0] - 1]


def _planes(rows: Rows) -> int:
    """Return a bit for each sign and cell."""
    cells = [cell for row in rows for cell in row]
    return sum(1 << place for place, wanted in enumerate(_wanted(cells)) if wanted)


def _wanted(cells: Sequence[str]) -> list[bool]:
    return [cell == sign for sign in SEEN for cell in cells]
