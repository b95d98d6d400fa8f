"""The speech of Sechsundsechzig on the live server: the plain one, with its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tisch.game import State
from tisch.games.sechsundsechzig.events import EVENTS
from tisch.games.sechsundsechzig.moves import CLOSE, RESTART, STOP, Move
from tisch.games.sechsundsechzig.rules import ENOUGH
from tisch.ports import speech


class Speech(speech.Speech):
    """The plain speech, which asks before a player stops without enough points, or closes."""

    events = EVENTS

    def primary(self, state: State[Any], seat: int) -> Move | None:
        legal = state.legal(seat)
        if STOP in legal and STOP not in self.doubtful(state, seat):
            return STOP
        return RESTART if RESTART in legal else super().primary(state, seat)

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Move]:
        enough = state.view(seat).points[seat] >= ENOUGH
        return [move for move in state.legal(seat) if move == CLOSE or (move == STOP and not enough)]
