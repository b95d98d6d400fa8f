"""The events of Tichu, as ``described.EVENTS`` lists them: what all seats are told, and what only one seat is told."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tisch.game import Event
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.moves import Move
from tisch.games.tichu.position import Position
from tisch.games.tichu.state import NOBODY, SEATS


class Telling(Position, ABC):
    """A position that tells its listener what happens. The rules ask for it only if there is a listener."""

    __slots__ = ()

    def _tell(self, name: str, *, private: Mapping[int, Mapping[str, Any]] | None = None, **public: Any) -> None:
        if self.listener:
            self.listener(Event(name, public, private or {}))

    def _tell_hands(self) -> None:
        for seat, hand in enumerate(self.hands):
            own = {seat: {"hand_cards": hand.numbers}}
            self._tell("hand_cards_dealt", player_index=seat, count=len(hand), private=own)

    def _tell_call(self, seat: int) -> None:
        self._tell("player_announced", player_index=seat, grand=self.announced[seat] == 2)

    def _tell_gifts(self, seat: int) -> None:
        own = {seat: {"given_schupf_cards": _numbers(self.given[seat])}}
        self._tell("player_schupfed", player_index=seat, private=own)

    def _tell_exchange(self) -> None:
        own = {seat: {"received_schupf_cards": _numbers(self.received[seat])} for seat in SEATS}
        self._tell("start_playing", start_player_index=self.start, private=own)

    def _tell_turn(self) -> None:
        self._tell("player_turn_changed", current_turn_index=self.turn)

    def _tell_play(self, seat: int, move: Move) -> None:
        turn = [seat, move.cards.numbers, list(self.trick_combination)]
        points = self.trick_cards.points
        self._tell("player_played", turn=turn, trick_points=points, winner_index=self.winner)

    def _tell_trick(self, seat: int) -> None:
        points = self.points[seat]
        self._tell("trick_taken", player_index=seat, points=points, dragon_recipient=self.recipient)

    def _tell_round(self, tricks: Sequence[int], left: int) -> None:
        self._tell(
            "round_over",
            points=list(self.points),
            loser_index=self.loser,
            is_double_victory=self.loser == NOBODY,
            tricks=list(tricks),
            left_points=left,
            winner_index=self.winner,
        )


def _numbers(cards: Iterable[Cards]) -> list[tuple[int, int]]:
    """Return single cards, each as its value and suit."""
    return [card.numbers[0] for card in cards]
