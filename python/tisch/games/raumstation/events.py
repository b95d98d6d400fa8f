"""The events of Raumstation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Struct

from tisch.games.raumstation.station import Room
from tisch.ports.told import As, about, named, shape_of

#: Rooms as JSON has them.
Rooms: TypeAlias = Annotated[Sequence[Mapping[str, Any]], As(tuple[shape_of(Room), ...])]  # type: ignore[misc]
#: The jokers.
Jokers: TypeAlias = Annotated[int, about("the number of jokers that are left")]


class Place(Struct, frozen=True):
    """Something happens in a room."""

    row: Annotated[int, about("the room's row")]
    column: Annotated[int, about("the room's column")]


class Started(Struct, frozen=True):
    """A game begins."""

    rooms: Annotated[Rooms, about("all rooms, each as in the view")]
    jokers: Jokers


class Marked(Place, frozen=True):
    """The player marks a room as dangerous."""


class Unmarked(Place, frozen=True):
    """The player takes a mark away."""


class Scanned(Place, frozen=True):
    """The player scans a room without a trap."""

    number: Annotated[int, about("how many connected rooms hold a trap")]


class Trapped(Place, frozen=True):
    """The player scans a room with a trap: the game is lost."""


class Told(Place, frozen=True):
    """A joker tells whether a room is dangerous."""

    is_dangerous: Annotated[bool, about("whether it holds a trap")]
    jokers: Jokers


class Over(Struct, frozen=True):
    """The game is over."""

    won: Annotated[bool, about("whether it is won")]
    rooms: Annotated[Rooms, about("all rooms as they are, each as in the view")]


EVENTS: Final = named(
    Started,
    Marked,
    Unmarked,
    Scanned,
    Trapped,
    Told,
    Over,
)
