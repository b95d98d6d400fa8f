"""What the player can do and see: his moves, why one is refused, and his view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tisch.game import IllegalMove
from tisch.games.raumstation.setup import Options
from tisch.games.raumstation.station import Room

#: What can be done with a room.
VERBS = ("scan", "joker", "mark", "unmark")

#: Why a move is refused, by reason.
REASONS = {
    "seat": "There is only seat 0.",
    "over": "The game is over.",
    "verb": "With a room one can only scan, joker, mark and unmark.",
    "missing": "There is no room in row {row} and column {column}.",
    "revealed": "The room in row {row} and column {column} is open already.",
    "protected": "The room in row {row} and column {column} is marked and therefore not scanned.",
    "already marked": "The room in row {row} and column {column} is marked already.",
    "not marked": "The room in row {row} and column {column} is not marked.",
    "spent": "There are no jokers left.",
    "told": "What is in the room in row {row} and column {column} is known already.",
}


class Move(NamedTuple):
    """What to do with which room.

    :ivar verb: One of :data:`VERBS`.
    :ivar row: The room's row, from 0 at the top.
    :ivar column: The room's column, from 0 on the left.
    """

    verb: str
    row: int
    column: int

    def __str__(self) -> str:
        """Write the move as its text."""
        return f"{self.verb} {self.row} {self.column}"


class Refused(IllegalMove):
    """A move that may not be made now.

    :ivar move: The move.
    :ivar reason: Why, a key of :data:`REASONS`.
    """

    def __init__(self, move: Move, reason: str) -> None:
        super().__init__(REASONS[reason].format(row=move.row, column=move.column))
        self.move = move
        self.reason = reason


@dataclass(frozen=True, slots=True)
class View:
    """What the player knows; spectators know the same.

    :ivar options: What was set before the game.
    :ivar rooms: All rooms with their corridors, row by row; what is in them as far as it is known. When the game is
        over, everything is.
    :ivar jokers: How many jokers are left.
    :ivar won: Has the game been won? ``None`` while it goes on.
    """

    options: Options
    rooms: tuple[Room, ...]
    jokers: int
    won: bool | None
