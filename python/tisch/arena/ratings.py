"""Ratings of many agents from the results of pairs: a joint Bradley–Terry fit with its covariance.

An agent with the strength s beats one with the strength t with the probability 1 / (1 + e^(t - s)); a draw is half a
win. The strengths are fitted to all results together, one of them fixed at 0. Their covariance is that of deals, which
are independent of each other, whereas the games of a deal are not: the sandwich estimator with a cluster for each deal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

#: Elo points of a unit of strength.
ELO: Final = 400 / math.log(10)
#: The most steps of the fit, and the size of a step at which it ends.
STEPS: Final = 100
ENOUGH: Final = 1e-12

#: A pair of agents by number, the lower first.
Pair: TypeAlias = tuple[int, int]
#: The results of a deal: for each pair the first one's score in half points, and the number of comparisons.
Deal: TypeAlias = Mapping[Pair, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Ratings:
    """The fitted strengths.

    :ivar strengths: The strength of each agent; that of the anchor is 0.
    :ivar covariance: Their covariance; the anchor's row and column are 0.
    """

    strengths: Sequence[float]
    covariance: Sequence[Sequence[float]]

    def elo(self, agent: int) -> float:
        """Return an agent's Elo rating relative to the anchor.

        :param agent: The agent.
        :result: The rating.
        """
        return self.strengths[agent] * ELO

    def error(self, agent: int, other: int) -> float:
        """Return the standard error of a difference of two ratings, in Elo.

        :param agent: One agent.
        :param other: The other.
        :result: The standard error.
        """
        c = self.covariance
        return math.sqrt(max(c[agent][agent] + c[other][other] - 2 * c[agent][other], 0.0)) * ELO

    def superiority(self, agent: int, other: int) -> float:
        """Return how likely one agent is stronger than another.

        :param agent: One agent.
        :param other: The other.
        :result: The probability, by the normal approximation.
        """
        difference, error = self.elo(agent) - self.elo(other), self.error(agent, other)
        if not error:
            return 0.5 if not difference else float(difference > 0)
        return math.erfc(-difference / error / math.sqrt(2)) / 2


def fit(count: int, deals: Sequence[Deal], anchor: int, prior: float = 0.0) -> Ratings:
    """Fit the strengths.

    :param count: The number of agents.
    :param deals: The results of each deal.
    :param anchor: The agent whose strength is 0.
    :param prior: (Optional) The number of further drawn comparisons of each pair that met: without any, an agent that
        never loses has no finite strength.
    :result: The ratings.
    :raises ValueError: No games connect some agents, or a strength is not finite; the message names the agents.
    """
    scores, games = _totals(deals, prior)
    free = [agent for agent in range(count) if agent != anchor]
    strengths = [0.0] * count
    for _ in range(STEPS):
        gradient, curvature = _slope(count, scores, games, strengths)
        try:
            step = solve([[curvature[a][b] for b in free] for a in free], [gradient[a] for a in free])
        except ZeroDivisionError:
            raise ValueError("the results do not connect all agents") from None
        # A long step from afar could overshoot.
        size = max(map(abs, step), default=0.0)
        for agent, change in zip(free, step, strict=True):
            strengths[agent] += change * min(1.0, 1.0 / size) if size else 0.0
        if size < ENOUGH:
            return Ratings(strengths, _covariance(count, free, deals, strengths, curvature))
    raise ValueError("the strengths are not finite")


def _totals(deals: Iterable[Deal], prior: float) -> tuple[dict[Pair, float], dict[Pair, float]]:
    halves: Counter[Pair] = Counter()
    numbers: Counter[Pair] = Counter()
    for deal in deals:
        for pair, (score, number) in deal.items():
            halves[pair] += score
            numbers[pair] += number
    pairs = sorted(numbers)
    scores = {pair: (halves[pair] + prior) / 2 for pair in pairs}
    return scores, {pair: numbers[pair] + prior for pair in pairs}


def chance(strength: float, other: float) -> float:
    """Return the probability that one agent beats another.

    :param strength: Its strength.
    :param other: The other's.
    :result: The probability.
    """
    return 1 / (1 + math.exp(other - strength))


def _slope(
    count: int, scores: Mapping[Pair, float], games: Mapping[Pair, float], strengths: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient of the logarithmic likelihood, and its negative second derivatives."""
    gradient = [0.0] * count
    curvature = [[0.0] * count for _ in range(count)]
    for (a, b), number in games.items():
        expected = chance(strengths[a], strengths[b])
        surprise, weight = scores[a, b] - number * expected, number * expected * (1 - expected)
        gradient[a] += surprise
        gradient[b] -= surprise
        curvature[a][a] += weight
        curvature[b][b] += weight
        curvature[a][b] -= weight
        curvature[b][a] -= weight
    return gradient, curvature


def _covariance(
    count: int,
    free: Sequence[int],
    deals: Iterable[Deal],
    strengths: Sequence[float],
    curvature: Sequence[Sequence[float]],
) -> list[list[float]]:
    """Return the sandwich: the inverse curvature on both sides of the spread of the deals' gradients."""
    spread = [[0.0] * count for _ in range(count)]
    number = 0
    for deal in deals:
        number += 1
        gradient: dict[int, float] = {}
        for (a, b), (score, games) in deal.items():
            surprise = score / 2 - games * chance(strengths[a], strengths[b])
            gradient[a] = gradient.get(a, 0.0) + surprise
            gradient[b] = gradient.get(b, 0.0) - surprise
        for a, x in gradient.items():
            for b, y in gradient.items():
                spread[a][b] += x * y
    # The factor of small samples, as for an ordinary variance.
    correction = number / (number - 1) if number > 1 else 1.0
    inner = [[curvature[a][b] for b in free] for a in free]
    half = [solve(inner, [spread[a][b] for a in free]) for b in free]
    both = [solve(inner, [half[b][a] for b in range(len(free))]) for a in range(len(free))]
    result = [[0.0] * count for _ in range(count)]
    for row, a in enumerate(free):
        for column, b in enumerate(free):
            result[a][b] = both[row][column] * correction
    return result


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a system of linear equations by elimination with pivots.

    :param matrix: The matrix, which is square.
    :param right: The right side.
    :result: The solution.
    :raises ZeroDivisionError: The matrix is singular.
    """
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    scale = max((abs(value) for row in matrix for value in row), default=1.0)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        if abs(rows[column][column]) <= scale * 1e-14:
            raise ZeroDivisionError
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            for place in range(column, size + 1):
                rows[row][place] -= factor * rows[column][place]
    solution = [0.0] * size
    for row in reversed(range(size)):
        known = math.fsum(rows[row][place] * solution[place] for place in range(row + 1, size))
        solution[row] = (rows[row][size] - known) / rows[row][row]
    return solution
