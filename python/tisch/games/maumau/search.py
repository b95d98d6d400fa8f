"""The agent for Mau-Mau that plays possible rounds to their end.

The core tries every move in many deals that the seat cannot tell from the true one; all seats then play by the rules of
thumb. A deal respects what others cannot hold, because they drew or passed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from tisch.game import State
from tisch.games.maumau.agents import ALL_AT_ONCE
from tisch.games.maumau.moves import FINISH, Move
from tisch.games.maumau.rules import MauMauState
from tisch.games.maumau.simulation import MOVES, NUMBERS, simulate
from tisch.language import Sentence
from tisch.ports.samples import MANY, SamplingAgent

#: The standard deviation of the lead of one player over another that a round brings, in points.
SPREAD: Final = 35.0
#: The weight of a point beside winning, between two players.
POINT: Final = 1e-4


class SearchAgent(SamplingAgent[Move]):
    """Plays the move that ends best in possible rounds.

    Of two players it wants to be ahead at the end of the game; of more, to lose as few points as possible.
    """

    def __init__(self, playouts: int = 2000, caution: float = 0.0) -> None:
        """Create the agent.

        :param playouts: The number of rounds tried for a decision.
        :param caution: The number of standard errors by which a move must be better than that of the rules of thumb.
        :raises ValueError: A number is out of range.
        """
        super().__init__(playouts, caution)

    def certain(self, state: State[Move], seat: int, legal: Sequence[Move]) -> tuple[Move, Sentence] | None:
        """Finish where that is possible."""
        return (FINISH, ALL_AT_ONCE) if FINISH in legal else None

    def usual(self, state: State[Move]) -> Move:
        """Return the move of the rules of thumb."""
        assert isinstance(state, MauMauState)
        return MOVES[simulate(state).rule()]

    def values(self, state: State[Move], seat: int) -> Mapping[Move, Sequence[float]]:
        """Return how good the end is after each move, by sample."""
        assert isinstance(state, MauMauState)
        compared = self._compare(state, seat, None, self.playouts)
        if state.seats > 2:
            return compared
        before = state.scores[1 - seat] - state.scores[seat]
        deviation = SPREAD * math.sqrt(state.options.rounds - state.round)
        return {move: [ahead(before + lead, deviation) for lead in leads] for move, leads in compared.items()}

    def payoffs(self, state: State[Move], seat: int, moves: Sequence[Move]) -> Mapping[Move, Sequence[float]]:
        """Return the lead over the mean of the others at the end of the round after some moves, by sample."""
        assert isinstance(state, MauMauState)
        before = sum(state.scores) - state.seats * state.scores[seat]
        compared = self._compare(state, seat, moves, max(self.playouts, MANY))
        return {move: [(before + lead) / (state.seats - 1) for lead in leads] for move, leads in compared.items()}

    def _compare(
        self, state: MauMauState, seat: int, moves: Sequence[Move] | None, playouts: int
    ) -> dict[Move, list[int]]:
        compared = simulate(state).compare(
            playouts,
            self.random.bits(),
            places=state.possible.places(seat, len(state.stock)),
            moves=None if moves is None else bytes(NUMBERS[move] for move in moves),
        )
        return {MOVES[move]: leads for move, leads in compared}


def ahead(lead: int, deviation: float) -> float:
    """Rate a lead over the other of two players.

    :param lead: The lead after this round, in points.
    :param deviation: The standard deviation of what the other rounds bring.
    :result: The chance to be ahead at the end as a number from −1 to 1, with a little for the points themselves.
    """
    chance = math.erf(lead / (deviation * math.sqrt(2))) if deviation else float((lead > 0) - (lead < 0))
    return chance + POINT * lead
