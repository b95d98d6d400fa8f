"""The events of Okey."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from tisch.ports.told import OWN, Seat, Who, about, named

#: The main stack.
Main: TypeAlias = Annotated[int, about("the number of tiles that are left in the main stack")]


class Dealt(Struct, frozen=True):
    """The tiles are dealt."""

    turn: Annotated[Seat, about("the player who begins, with fifteen tiles")]
    main: Main
    rack: Annotated[Sequence[str] | UnsetType, about("the seat's own tiles"), OWN] = UNSET


class Put(Struct, frozen=True):
    """A player puts a tile on the exchange stack of the next player."""

    seat: Who
    tile: Annotated[str, about("the tile")]
    turn: Annotated[Seat | None, about("the player whose turn it is now; null at the end")]


class Drawn(Struct, frozen=True):
    """A player draws from the main stack."""

    seat: Who
    main: Main
    tile: Annotated[str | UnsetType, about("the tile that the seat drew"), OWN] = UNSET


class Taken(Struct, frozen=True):
    """A player takes the top of their exchange stack."""

    seat: Who
    main: Main
    tile: Annotated[str, about("the tile")]


class Empty(Struct, frozen=True):
    """A player wants to draw from the main stack, which is empty: the game ends without a winner."""

    seat: Who


class Won(Struct, frozen=True):
    """A player wins."""

    seat: Who
    layout: Annotated[Sequence[str | None], about("the winner's rack, slot by slot; null for an empty slot")]


class Cheated(Struct, frozen=True):
    """A player exchanges their tiles for winning ones, where the option allows it."""

    seat: Who
    rack: Annotated[Sequence[str], about("the player's new tiles")]
    stacks: Annotated[Sequence[Sequence[str]], about("by seat: the exchange stack that it draws from, the top last")]
    own: Annotated[
        Sequence[str] | UnsetType, about("for the other seats: their own tiles, which may have changed"), OWN
    ] = UNSET


EVENTS: Final = named(
    Dealt,
    Put,
    Drawn,
    Taken,
    Empty,
    Won,
    Cheated,
)
