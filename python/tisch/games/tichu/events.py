"""The events of Tichu: what all seats are told, and what only one seat is told."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import UNSET, Struct, UnsetType

from tisch.games.tichu.moves import Move
from tisch.games.tichu.position import Position
from tisch.games.tichu.state import NOBODY, SEATS
from tisch.games.tichu.told import ToldCard, ToldTurn, numbers
from tisch.ports.told import OWN, As, Seat, SeatOrNobody, Who, about, event, named


class RoundStarted(Struct, frozen=True):
    """A round begins."""


class HandCardsDealt(Struct, frozen=True):
    """A player has got the first eight cards, or all fourteen."""

    player_index: Who
    count: Annotated[int, about("how many cards the player has now")]
    hand_cards: Annotated[Sequence[ToldCard] | UnsetType, about("the seat's own cards, the highest first"), OWN] = UNSET


class PlayerAnnounced(Struct, frozen=True):
    """A player calls Tichu."""

    player_index: Who
    grand: Annotated[bool, about("whether it is Grand Tichu")]


class PlayerSchupfed(Struct, frozen=True):
    """A player has given a card to each of the others."""

    player_index: Who
    given_schupf_cards: Annotated[
        Sequence[ToldCard] | UnsetType,
        about("the cards for the right opponent, the partner and the left opponent"),
        OWN,
    ] = UNSET


class StartPlaying(Struct, frozen=True):
    """The cards are exchanged, and the first trick begins."""

    start_player_index: Annotated[Seat, about("the holder of the Mah Jong, who leads")]
    received_schupf_cards: Annotated[
        Sequence[ToldCard] | UnsetType,
        about("the cards from the right opponent, the partner and the left opponent"),
        OWN,
    ] = UNSET


class PlayerTurnChanged(Struct, frozen=True):
    """It is another player's turn."""

    current_turn_index: Who


class PlayerPassed(Struct, frozen=True):
    """A player passes."""

    player_index: Who


class PlayerPlayed(Struct, frozen=True):
    """A player plays cards."""

    turn: Annotated[Sequence[Any], As(ToldTurn), about("`[seat, cards, combination]`")]
    trick_points: Annotated[int, about("the points that lie in the trick")]
    winner_index: Annotated[SeatOrNobody, Who, about("the player who finished first; −1 for none yet")]


class WishMade(Struct, frozen=True):
    """A player wishes for a value."""

    wish_value: Annotated[int, about("the value, 2 to 14")]


class WishFulfilled(Struct, frozen=True):
    """The wish is fulfilled."""


class TrickTaken(Struct, frozen=True):
    """A player takes a trick."""

    player_index: Annotated[Seat, about("the player who gets the cards; with the dragon the one they are given to")]
    points: Annotated[int, about("the points of all tricks that this player has taken in the round")]
    dragon_recipient: Annotated[SeatOrNobody, Who, about("as in the public state")]


class RoundOver(Struct, frozen=True):
    """A round is over."""

    points: Annotated[Sequence[int], about("by seat: the score of the round")]
    loser_index: Annotated[SeatOrNobody, Who, about("the player who was left with cards; −1 after a double victory")]
    is_double_victory: Annotated[bool, about("whether both players of a team finished first")]
    tricks: Annotated[Sequence[int], about("by seat: the points of the tricks, before they are given away")]
    left_points: Annotated[int, about("the points of the cards that the loser held, which the opponents get")]
    winner_index: Annotated[Seat, about("the player who finished first and gets the loser's tricks")]


EVENTS: Final = named(
    RoundStarted,
    HandCardsDealt,
    PlayerAnnounced,
    PlayerSchupfed,
    StartPlaying,
    PlayerTurnChanged,
    PlayerPassed,
    PlayerPlayed,
    WishMade,
    WishFulfilled,
    TrickTaken,
    RoundOver,
)


class Telling(Position, ABC):
    """A position that tells its listener what happens. The rules ask for it only if there is a listener."""

    __slots__ = ()

    def _tell(self, happened: Struct, private: Mapping[int, Mapping[str, Any]] | None = None) -> None:
        if self.listener:
            self.listener(event(happened, private))

    def _tell_hands(self) -> None:
        for seat, hand in enumerate(self.hands):
            own = {seat: {"hand_cards": hand.numbers}}
            self._tell(HandCardsDealt(seat, len(hand)), own)

    def _tell_call(self, seat: int) -> None:
        self._tell(PlayerAnnounced(seat, grand=self.announced[seat] == 2))

    def _tell_gifts(self, seat: int) -> None:
        own = {seat: {"given_schupf_cards": numbers(self.given[seat])}}
        self._tell(PlayerSchupfed(seat), own)

    def _tell_exchange(self) -> None:
        own = {seat: {"received_schupf_cards": numbers(self.received[seat])} for seat in SEATS}
        self._tell(StartPlaying(self.start), own)

    def _tell_turn(self) -> None:
        self._tell(PlayerTurnChanged(self.turn))

    def _tell_play(self, seat: int, move: Move) -> None:
        turn = [seat, move.cards.numbers, list(self.trick_combination)]
        self._tell(PlayerPlayed(turn, self.trick_cards.points, self.winner))

    def _tell_trick(self, seat: int) -> None:
        self._tell(TrickTaken(seat, self.points[seat], self.recipient))

    def _tell_round(self, tricks: Sequence[int], left: int) -> None:
        over = RoundOver(
            points=list(self.points),
            loser_index=self.loser,
            is_double_victory=self.loser == NOBODY,
            tricks=list(tricks),
            left_points=left,
            winner_index=self.winner,
        )
        self._tell(over)
