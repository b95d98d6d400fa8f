"""The rules that end a match before its last game.

The match asks each rule after every counted deal, in the order of the deals, so games in progress cannot change the
decision.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from tisch.arena.standing import Contest, Standing


class Rule(ABC):
    """A rule that may end a match early."""

    @abstractmethod
    def verdict(self, standing: Standing) -> str | None:
        """Return whether the match is over.

        :param standing: The standing after a deal.
        :result: Why the match is over, in a sentence; ``None`` if it goes on.
        """


@dataclass(frozen=True, slots=True)
class WinRate(Rule):
    """Ends the match as soon as the remaining games cannot change whether the first entry reaches a win rate.

    :ivar rate: The required share of won games.
    :ivar games: The number of games of the whole match.
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

    The log-likelihood ratio is that of the mean score of a deal, assumed normal with the variance of the deals (for
    pairs of games this is the pentanomial form). Two imaginary deals, one won and one lost in full, count in the
    variance, so that a few equal deals at the beginning do not decide.

    :ivar elo0: The difference under the null hypothesis.
    :ivar elo1: The difference under the alternative.
    :ivar alpha: The rate at which a true ``elo0`` may be taken for ``elo1``.
    :ivar beta: The rate at which a true ``elo1`` may be taken for ``elo0``.
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
        """The log-likelihood ratios at which the test rejects and accepts ``elo1``."""
        return _steady(math.log(self.beta / (1 - self.alpha))), _steady(math.log((1 - self.beta) / self.alpha))

    def ratio(self, contest: Contest) -> float:
        """Return the log-likelihood ratio.

        :param contest: The first entry against the others.
        :result: The ratio; a higher one favours ``elo1``.
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
            return f"SPRT rejects: {standing.labels[0]} is better by {self.elo0:g} Elo rather than {self.elo1:g}."
        return None


def expected(elo: float) -> float:
    """Return the expected score for an Elo difference.

    :param elo: The difference.
    :result: The score, 0 to 1.
    """
    return _steady(1 / (1 + 10 ** (-elo / 400)))


def _steady(value: float) -> float:
    # Logarithms and powers differ between machines in the last bit; a decision must not.
    return round(value, 12)
