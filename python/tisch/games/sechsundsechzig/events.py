"""The events of Sechsundsechzig."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from tisch.ports.told import OWN, Seat, SeatOrNobody, Who, about, named

#: The deck.
Hidden: TypeAlias = Annotated[int, about("the number of cards face down in the deck")]


class Dealt(Struct, frozen=True):
    """A game of the series begins."""

    number: Annotated[int, about("its number, from 0")]
    leader: Annotated[Seat, about("the player who leads")]
    open: Annotated[str | None, about("the open card, which shows the trump colour")]
    hidden: Hidden
    hand: Annotated[Sequence[str] | UnsetType, about("the seat's own cards"), OWN] = UNSET


class Laid(Struct, frozen=True):
    """A player plays a card."""

    seat: Who
    card: Annotated[str, about("the card")]
    middle: Annotated[Sequence[str], about("the cards of the trick so far")]


class Trick(Struct, frozen=True):
    """A player wins a trick."""

    seat: Annotated[Seat, about("the winner's seat")]
    cards: Annotated[Sequence[str], about("the trick")]
    points: Annotated[int, about("the points of the trick")]


class Drawn(Struct, frozen=True):
    """Both players draw a card."""

    first: Annotated[Seat, about("the player who drew first")]
    hidden: Hidden
    open: Annotated[str | None, about("the open card, if it was drawn now; otherwise null")]
    card: Annotated[str | UnsetType, about("the card that the seat drew"), OWN] = UNSET


class Swapped(Struct, frozen=True):
    """A player swaps the nine of trumps for the open card."""

    seat: Who
    taken: Annotated[str, about("the card that the player takes")]
    open: Annotated[str | None, about("the card that is open now")]


class Announced(Struct, frozen=True):
    """A player announces a pair."""

    seat: Who
    trump: Annotated[bool, about("whether it is the pair of trumps")]
    points: Annotated[int, about("the points of the pair")]


class Closed(Struct, frozen=True):
    """A player closes the deck."""

    seat: Who


class Stopped(Struct, frozen=True):
    """A player stops the game and claims 66 points."""

    seat: Who
    points: Annotated[int, about("the points that the player has")]


class Ended(Struct, frozen=True):
    """A game of the series is over."""

    winner: Annotated[SeatOrNobody, Who, about("the winner's seat")]
    game_points: Annotated[int, about("the winner's game points")]
    symbols: Annotated[Sequence[str], about("by seat: how the game ended, as `end.won` of the view names it")]
    scores: Annotated[Sequence[int], about("by seat: the game points of the series")]
    points: Annotated[Sequence[int], about("by seat: the points of this game")]
    hands: Annotated[Sequence[Sequence[str]], about("by seat: the cards that were left")]


EVENTS: Final = named(
    Dealt,
    Laid,
    Trick,
    Drawn,
    Swapped,
    Announced,
    Closed,
    Stopped,
    Ended,
)
