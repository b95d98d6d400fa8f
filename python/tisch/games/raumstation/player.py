"""The player's moves, the reasons for refusing them, and the player's view."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from msgspec import Struct

from tisch.game import IllegalMove
from tisch.games.raumstation.setup import Options
from tisch.games.raumstation.station import Room
from tisch.ports.told import about

#: The verbs of moves.
VERBS = ("scan", "joker", "mark", "unmark")

#: The reasons for refusing a move.
REASONS = {
    "seat": "There is only seat 0.",
    "over": "The game is over.",
    "verb": "With a room one can only scan, joker, mark and unmark.",
    "missing": "There is no room in row {row} and column {column}.",
    "revealed": "The room in row {row} and column {column} is open already.",
    "mark revealed": "The room in row {row} and column {column} is open already and cannot be marked.",
    "joker missing": "A joker finds no room in row {row} and column {column}.",
    "joker revealed": "The room in row {row} and column {column} is open already; a joker tells nothing new of it.",
    "protected": "The room in row {row} and column {column} is marked and therefore not scanned.",
    "already marked": "The room in row {row} and column {column} is marked already.",
    "not marked": "The room in row {row} and column {column} is not marked.",
    "spent": "There are no jokers left.",
    "told": "What is in the room in row {row} and column {column} is known already.",
}


class Move(NamedTuple):
    """A move: a verb and a room.

    :ivar verb: One of :data:`VERBS`.
    :ivar row: The room's row, from 0 at the top.
    :ivar column: The room's column, from 0 on the left.
    """

    verb: str
    row: int
    column: int

    def __str__(self) -> str:
        """Return the move's text."""
        return f"{self.verb} {self.row} {self.column}"


class Refused(IllegalMove):
    """A move that is not legal now.

    :ivar move: The move.
    :ivar reason: The reason, a key of :data:`REASONS`.
    """

    def __init__(self, move: Move, reason: str) -> None:
        sentence = REASONS.get(f"{move.verb.removeprefix('un')} {reason}", REASONS[reason])
        super().__init__(sentence.format(row=move.row, column=move.column))
        self.move = move
        self.reason = reason


class View(Struct, frozen=True):
    """The player's view; spectators have the same."""

    options: Annotated[Options, about("the options of the game")]
    rooms: Annotated[
        tuple[Room, ...],
        about(
            "all rooms with their corridors, row by row, with their content as far as known. After the end "
            "everything is known"
        ),
    ]
    jokers: Annotated[int, about("the number of jokers left")]
    won: Annotated[bool | None, about("whether the game was won; null while it goes on")]
