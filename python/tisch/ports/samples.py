"""Agents that choose by what each move brought in samples of the state, and tell people why."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from tisch.game import Agent, M, Samples, Sight, State, Verdict
from tisch.language import Sentence
from tisch.ports.reasons import FORCED, SILENCE, TEXTS, compared

T = TypeVar("T")

#: The fewest playouts for a verdict on one of two moves, so that each has at least two and so a standard error.
MANY: Final = 4


class SamplingAgent(Agent[M]):
    """Chooses by the values of its moves in samples, which a game's core computes.

    It keeps the move of a simpler agent unless another is clearly better, because the best of many is partly luck. A
    subclass has the samples for its game.
    """

    sight = Sight.SAMPLES

    def __init__(self, playouts: int, caution: float) -> None:
        """Create the agent.

        :param playouts: The number of playouts for a decision.
        :param caution: The number of standard errors by which a move must be better than the usual one.
        :raises ValueError: A number is out of range.
        """
        if playouts < 1:
            raise ValueError(f"The search needs at least 1 playout for a decision, not {playouts}.")
        if not caution >= 0:
            raise ValueError(f"The caution must be at least 0, not {caution}.")
        self.playouts = playouts
        self._caution = caution

    def act(self, view: Samples[M], legal: Sequence[M], must: bool) -> M | None:
        if not must:
            self.reason = SILENCE
            return None
        if len(legal) == 1:
            self.reason = FORCED
            return legal[0]
        state = view(self.random)
        move, self.reason = self.certain(state, view.seat, legal) or choose(
            self.values(state, view.seat), self.usual(state), self._caution
        )
        return move

    def verdict(self, view: Samples[M], legal: Sequence[M], must: bool, move: M) -> Verdict:
        """Judge a move by new samples, as :meth:`tisch.game.Judge.verdict` describes it; only moves in turn lose."""
        if not must or len(legal) == 1:
            return Verdict(str(move), 0.0, 0.0, 0.0)
        own = self.act(view, legal, must)
        # The samples in which the own move was chosen would flatter it.
        payoffs = self.payoffs(view(self.random), view.seat, [each for each in legal if each in (own, move)])
        return verdict(own, move, payoffs[move if own is None else own], payoffs[move])

    def certain(self, state: State[M], seat: int, legal: Sequence[M]) -> tuple[M, Sentence] | None:
        """Return the move that needs no samples, and the reason, if there is one.

        :param state: A sample.
        :param seat: The seat.
        :param legal: Its legal moves.
        :result: The move and the reason.
        """
        return None

    @abstractmethod
    def usual(self, state: State[M]) -> M:
        """Return the move that a simpler agent makes.

        :param state: A sample.
        :result: The move.
        """

    @abstractmethod
    def values(self, state: State[M], seat: int) -> Mapping[M, Sequence[float]]:
        """Return how good the end is after each move, by sample.

        :param state: A sample; what the seat does not know is drawn anew.
        :param seat: The seat.
        :result: The values; moves that were dropped have fewer.
        """

    @abstractmethod
    def payoffs(self, state: State[M], seat: int, moves: Sequence[M]) -> Mapping[M, Sequence[float]]:
        """Return the seat's payoff after some moves if the game ends with the round, by sample.

        :param state: A sample; what the seat does not know is drawn anew.
        :param seat: The seat.
        :param moves: The moves.
        :result: The payoffs, in the same samples for all moves.
        """


def ranked(values: Mapping[T, Sequence[float]]) -> list[T]:
    """Sort choices by how often they were tried, since only good ones are tried often, and by their total.

    :param values: The value of each choice by sample.
    :result: The choices, the best first.
    """
    return sorted(values, key=lambda choice: (-len(values[choice]), -math.fsum(values[choice])))


def is_better(values: Sequence[float], others: Sequence[float], errors: float) -> bool:
    """Return whether a choice is clearly better than another in the samples of both.

    :param values: The values of the choice by sample.
    :param others: The values of the other.
    :param errors: The number of standard errors by which it must be better.
    :result: Whether it is.
    """
    gains = [value - other for value, other in zip(values, others, strict=False)]
    mean = math.fsum(gains) / len(gains)
    spread = math.sqrt(math.fsum((gain - mean) ** 2 for gain in gains)) / len(gains)
    return mean > errors * spread


def choose(values: Mapping[T, Sequence[float]], usual: T, errors: float) -> tuple[T, Sentence]:
    """Choose the best move, but keep the usual one unless another is clearly better.

    :param values: The value of each move by sample.
    :param usual: The move that a simpler agent makes.
    :param errors: The number of standard errors by which another must be better.
    :result: The move and the reason.
    """
    best, *others = ranked(values)
    if not others:
        return best, FORCED
    if best != usual and not is_better(values[best], values[usual], errors):
        return usual, Sentence(TEXTS, "search usual")
    return best, compared(values[best], values[others[0]])


def verdict(own: T | None, move: T, ours: Sequence[float], theirs: Sequence[float]) -> Verdict:
    """Compare two moves by their payoffs in the same samples.

    :param own: The move of the agent that judges; ``None`` is silence.
    :param move: The move that was made.
    :param ours: The payoffs of the agent's move by sample.
    :param theirs: The payoffs of the other move.
    :result: The verdict.
    """
    count = len(ours)
    lost = [our - their for our, their in zip(ours, theirs, strict=True)]
    mean = math.fsum(lost) / count
    if mean <= 0:
        # No better than the move that was made: then that one is called the best.
        return Verdict(str(move), math.fsum(theirs) / count, 0.0, 0.0)
    error = math.sqrt(math.fsum((each - mean) ** 2 for each in lost) / (count - 1) / count)
    return Verdict(None if own is None else str(own), math.fsum(ours) / count, mean, error)
