"""The events of Mau-Mau."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import UNSET, Struct, UnsetType

from tisch.ports.told import OWN, Seat, Who, about, named


class Round(Struct, frozen=True):
    """A round begins."""

    round: Annotated[int, about("its number, from 1")]
    rounds: Annotated[int, about("how many rounds there are")]


class Deal(Struct, frozen=True):
    """The cards are dealt."""

    counts: Annotated[Sequence[int], about("by seat: the number of cards")]
    card: Annotated[str, about("the first card of the pile")]
    cards: Annotated[Sequence[str] | UnsetType, about("the seat's own cards"), OWN] = UNSET


class Player(Struct, frozen=True):
    """It is a player's turn."""

    seat: Who
    penalty: Annotated[int, about("the cards to draw for sevens; 0 for none")]
    wish: Annotated[str, about("the colour that was wished for, or an empty text")]


class Play(Struct, frozen=True):
    """A player plays a card."""

    seat: Who
    card: Annotated[str, about("the card")]


class Wish(Struct, frozen=True):
    """A player wishes for a colour."""

    seat: Who
    colour: Annotated[str, about("the colour")]


class Draw(Struct, frozen=True):
    """A player draws."""

    seat: Who
    count: Annotated[int, about("the number of cards")]
    cards: Annotated[Sequence[str] | UnsetType, about("the cards that the seat drew"), OWN] = UNSET


class Skip(Struct, frozen=True):
    """A player misses a turn, because of an ace."""

    seat: Who


class Stack(Struct, frozen=True):
    """The pile is shuffled and becomes the stock."""

    card: Annotated[str, about("the card that stays as the top of the pile")]


class Result(Struct, frozen=True):
    """A round is over."""

    scores: Annotated[Sequence[int], about("by seat: the points so far")]
    hands: Annotated[Sequence[Sequence[str]], about("by seat: the cards that were left")]
    points: Annotated[Sequence[int], about("by seat: the points of these cards")]
    winner: Annotated[Seat, about("the player who has no card left")]
    round: Annotated[int, about("the number of the round, from 1")]


EVENTS: Final = named(
    Round,
    Deal,
    Player,
    Play,
    Wish,
    Draw,
    Skip,
    Stack,
    Result,
)
