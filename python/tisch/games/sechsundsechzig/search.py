"""The agent for Sechsundsechzig that plays possible deals to their end.

The core tries every move in many deals that the seat cannot tell from the true one, preferably in those in which the
other's past moves are those of the rules of thumb. These play on until few cards are left in the stock. From there on
the core computes the end exactly, with open hands: in half of the deals against perfect play, in the others against the
rules of thumb.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from tisch.game import State
from tisch.games.sechsundsechzig.agents import REACHED
from tisch.games.sechsundsechzig.moves import STOP, Move
from tisch.games.sechsundsechzig.rules import ENOUGH, FORFEIT, SechsundsechzigState
from tisch.games.sechsundsechzig.simulation import MOVES, NUMBERS, colours_of, mask_of, past_of, simulate
from tisch.language import Sentence
from tisch.ports.samples import MANY, SamplingAgent

#: The most redeals of a sample.
MOST_DRAWS: Final = 1_000_000
#: How often a game is won by 1, 2 and 3 game points.
SHARES: Final = (0.5, 0.3, 0.2)
#: The most game points that a player may need for the chance to be computed exactly.
EXACT: Final = 100
#: The variance of a series' lead for each game point that both players need together: that of a game, for each game
#: point that it brings.
VARIANCE: Final = sum(share * points**2 for points, share in enumerate(SHARES, 1)) / sum(
    share * points for points, share in enumerate(SHARES, 1)
)
#: The largest sum of needed game points that is told apart; a float can hold any up to it.
FAR: Final = 10**12


class SearchAgent(SamplingAgent[Move]):
    """Plays the move after which it wins the series most often in possible deals."""

    def __init__(self, playouts: int = 600, exact: int = 0, caution: float = 0.3, draws: int = 128) -> None:
        """Create the agent.

        :param playouts: The number of games tried for a decision.
        :param exact: The number of cards in the stock from which on a deal is solved exactly, 0 to 4.
        :param caution: The number of standard errors by which a move must be better than that of the rules of thumb.
        :param draws: The number of redeals of which a sample is the one in which the other's moves agree best with the
            rules of thumb, at least 1.
        :raises ValueError: A number is out of range.
        """
        super().__init__(playouts, caution)
        if not 0 <= exact <= 4:
            raise ValueError(f"Deals can be solved from 0 to 4 cards in the stock on, not from {exact}.")
        if not 1 <= draws <= MOST_DRAWS:
            raise ValueError(f"A sample is the best of 1 to {MOST_DRAWS:,} redeals, not of {draws}.")
        self._exact = exact
        self._draws = draws

    def certain(self, state: State[Move], seat: int, legal: Sequence[Move]) -> tuple[Move, Sentence] | None:
        """Stop with enough points: waiting can only help the other, unless the other has closed the stock."""
        assert isinstance(state, SechsundsechzigState)
        stops = STOP in legal and state.points[seat] >= ENOUGH and state.closer != 1 - seat
        return (STOP, REACHED) if stops else None

    def usual(self, state: State[Move]) -> Move:
        """Return the move of the rules of thumb."""
        assert isinstance(state, SechsundsechzigState)
        return MOVES[simulate(state).rule()]

    def values(self, state: State[Move], seat: int) -> Mapping[Move, Sequence[float]]:
        """Return the chance to win the series after each move, by sample."""
        assert isinstance(state, SechsundsechzigState)
        own, other = (state.options.goal - state.scores[each] for each in (seat, 1 - seat))
        results = self._compare(state, seat, None, self.playouts, (min(other, FORFEIT), min(own, FORFEIT)))
        # One method for all results: where the two meet, they differ by more than a hopeless game can win.
        chance = method(own, other)
        chances = {
            points: chance(own - max(points, 0), other - max(-points, 0)) for points in range(-FORFEIT, FORFEIT + 1)
        }
        return {move: [chances[points] for points in found] for move, found in results.items()}

    def payoffs(self, state: State[Move], seat: int, moves: Sequence[Move]) -> Mapping[Move, Sequence[float]]:
        """Return the lead in game points after the running game, by sample."""
        assert isinstance(state, SechsundsechzigState)
        before = state.scores[seat] - state.scores[1 - seat]
        compared = self._compare(state, seat, moves, max(self.playouts, MANY), (FORFEIT, FORFEIT))
        return {move: [before + points for points in found] for move, found in compared.items()}

    def _compare(
        self,
        state: SechsundsechzigState,
        seat: int,
        moves: Sequence[Move] | None,
        playouts: int,
        caps: tuple[int, int],
    ) -> dict[Move, list[int]]:
        rival = 1 - seat
        compared = simulate(state).compare(
            playouts,
            self.random.bits(),
            shown=mask_of(state.shown[rival]),
            lacks=colours_of(state.lacks[rival]),
            past=past_of(state),
            draws=self._draws,
            exact=self._exact,
            caps=caps,
            moves=None if moves is None else bytes(NUMBERS[move] for move in moves),
        )
        return {MOVES[move]: results for move, results in compared}


def chance(own: int, other: int) -> float:
    """Estimate the chance to win a series between equals.

    :param own: The game points that the seat still needs.
    :param other: Those that the other needs.
    :result: The probability.
    """
    return method(own, other)(own, other)


def method(own: int, other: int) -> Callable[[int, int], float]:
    """Return the function that estimates :func:`chance` for these and for fewer game points.

    :param own: The game points that the seat still needs.
    :param other: Those that the other needs.
    :result: The function.
    """
    return _exact_chance if max(own, other) <= EXACT else _normal_chance


def _exact_chance(own: int, other: int) -> float:
    return float(own <= 0) if own <= 0 or other <= 0 else _table()[own][other]


@cache
def _table() -> list[list[float]]:
    """Compute the chance for all that two players may need, up to :data:`EXACT`."""
    needs = range(EXACT + 1)
    table = [[float(own <= 0)] * (EXACT + 1) for own in needs]
    for own in needs[1:]:
        for other in needs[1:]:
            table[own][other] = sum(
                share * (table[max(own - points, 0)][other] + table[own][max(other - points, 0)]) / 2
                for points, share in enumerate(SHARES, 1)
            )
    return table


def _normal_chance(own: int, other: int) -> float:
    """Estimate the chance as if the lead that the coming games bring had a normal distribution.

    Where it begins, it is off by less than 0.001. It takes the same time for any goal.
    """
    if own <= 0 or other <= 0:
        return float(own <= 0)
    needed = min(own + other, FAR)
    lead = max(-needed, min(other - own, needed))
    return math.erfc(-lead / math.sqrt(2 * VARIANCE * needed)) / 2
