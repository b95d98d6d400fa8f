"""When a match may stop before its last game.

A rule looks at the deals that have been counted, in their order, and is asked after each of them: which games are
already under way cannot change its answer.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from tisch.arena.standing import Contest, Standing


class Rule(ABC):
    """Decides whether a match is over early."""

    @abstractmethod
    def verdict(self, standing: Standing) -> str | None:
        """Decide.

        :param standing: How the match stands after a deal.
        :result: Why the match is over, in a sentence; ``None`` if it goes on.
        """


@dataclass(frozen=True, slots=True)
class WinRate(Rule):
    """Stops as soon as the rest of the games cannot change whether the first entry reaches a win rate.

    :ivar rate: The share of games to be won.
    :ivar games: The games of the whole match.
    """

    rate: float
    games: int

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ValueError(f"The win rate at which to stop must be above 0 and at most 1, not {self.rate:g}.")

    def verdict(self, standing: Standing) -> str | None:
        won = standing.first.wins
        name = standing.labels[0]
        if won >= self.rate * self.games:
            return f"{name} has reached a win rate of {self.rate:.1%} of {self.games} games."
        if won + self.games - standing.games < self.rate * self.games:
            return f"A win rate of {self.rate:.1%} of {self.games} games is out of {name}'s reach."
        return None


@dataclass(frozen=True, slots=True)
class Sprt(Rule):
    """The sequential probability ratio test: is the first entry better than the others by ``elo0`` or by ``elo1``?

    The log-likelihood ratio is that of the mean score of a deal, taken as normal with the variance the deals show
    (for pairs of games this is the pentanomial form). Two imagined deals, one won and one lost altogether, count in
    the variance, so that a first few equal deals do not decide.

    :ivar elo0: The difference that the entry does not exceed if the test is refused.
    :ivar elo1: The difference that it has if the test is accepted.
    :ivar alpha: How often a true ``elo0`` may be taken for ``elo1``.
    :ivar beta: How often a true ``elo1`` may be taken for ``elo0``.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"SPRT needs two Elo differences, the lower first, not {self.elo0:g} and {self.elo1:g}.")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("The error rates of SPRT must be above 0 and below 0.5.")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which the test is refused and accepted."""
        return _steady(math.log(self.beta / (1 - self.alpha))), _steady(math.log((1 - self.beta) / self.alpha))

    def ratio(self, contest: Contest) -> float:
        """Give the log-likelihood ratio.

        :param contest: The first entry against the others.
        :result: The ratio; the higher, the more is there to say for ``elo1``.
        """
        deals = contest.score.deals
        if not deals:
            return 0.0
        low, high = expected(self.elo0), expected(self.elo1)
        mean = contest.score.numerator / contest.score.denominator
        variance = (contest.score.deviation() + 0.5) / (deals + 2)
        return deals * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, standing: Standing) -> str | None:
        ratio = self.ratio(standing.first)
        low, high = self.bounds
        if ratio >= high:
            return f"SPRT accepts: {standing.labels[0]} is better by {self.elo1:g} Elo rather than {self.elo0:g}."
        if ratio <= low:
            return f"SPRT refuses: {standing.labels[0]} is better by {self.elo0:g} Elo rather than {self.elo1:g}."
        return None


def expected(elo: float) -> float:
    """Give the score that is expected at a difference of Elo ratings.

    :param elo: The difference.
    :result: The score, 0 to 1.
    """
    return _steady(1 / (1 + 10 ** (-elo / 400)))


def _steady(value: float) -> float:
    # Logarithms and powers differ between machines in the last bit; a decision must not.
    return round(value, 12)
