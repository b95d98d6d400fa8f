"""What is kept of tables: the changes that are committed, and what a server finds of them when it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from tisch.record import Record


class SaveTable(NamedTuple):
    """A table is opened, or has changed.

    :ivar table: The table's id.
    :ivar snapshot: All that it needs to come back, without its running game; the last one counts.
    """

    table: str
    snapshot: bytes


class DropTable(NamedTuple):
    """A table is closed for good; a running game that was not ended goes with it.

    :ivar table: The table's id; an unknown one is as good as dropped.
    """

    table: str


class BeginGame(NamedTuple):
    """A game begins at an open table that has none.

    :ivar id: The game's unique id.
    :ivar table: The table's id.
    :ivar record: The game, without moves; its seed is from 0 to 2⁶⁴ − 1.
    :ivar started: When it begins, in seconds since 1970.
    :ivar notes: Further entries for its transcript.
    """

    id: str
    table: str
    record: Record
    started: float
    notes: Mapping[str, str] = {}


class AddMove(NamedTuple):
    """A move was made in a running game.

    :ivar id: The game's id.
    :ivar number: The number of the move, from 1.
    :ivar seat: The seat.
    :ivar text: The move's text.
    """

    id: str
    number: int
    seat: int
    text: str


class TakeBack(NamedTuple):
    """Moves are not made after all: they were added ahead and nobody was told of them, or their player undid them.

    :ivar id: The game's id.
    :ivar number: The number of the first of them.
    """

    id: str
    number: int


class EndGame(NamedTuple):
    """A running game is over, or broken off; its transcript takes the place of its moves.

    :ivar id: The game's id.
    :ivar transcript: The game as text.
    :ivar ended: When it ended, in seconds since 1970.
    :ivar players: The name on each seat, an agent's with its mark.
    :ivar points: The points of each seat; ``None`` if it was broken off.
    :ivar reason: One line of English: why it is over.
    :ivar is_private: Whether it was played at a private table: then no list shows it.
    """

    id: str
    transcript: str
    ended: float
    players: Sequence[str]
    points: Sequence[int] | None
    reason: str
    is_private: bool = False


Change: TypeAlias = SaveTable | DropTable | BeginGame | AddMove | TakeBack | EndGame


class StoredGame(NamedTuple):
    """A game that was running when the server stopped; all but the moves as :class:`BeginGame` gave it."""

    id: str
    record: Record
    started: float
    notes: Mapping[str, str]


class StoredTable(NamedTuple):
    """A table that was open when the server stopped.

    :ivar id: The table's id.
    :ivar snapshot: Its last snapshot.
    :ivar game: Its running game, if there was one.
    """

    id: str
    snapshot: bytes
    game: StoredGame | None
