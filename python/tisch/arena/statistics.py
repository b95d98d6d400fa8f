"""Estimates with 95 % intervals, from exact sums.

All sums are integers until the last step, so that the order in which games arrive cannot change a bit. The last step
uses only the four operations and the square root, which are the same on every machine; the logarithm of :func:`elo` is
not, so its results are rounded to a hundredth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

#: The 97.5 % point of the normal distribution, for the half width of a 95 % interval.
NORMAL = 1.959963984540054

#: The same point of Student's distribution with 1, 2, … degrees of freedom.
_STUDENT = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157)

#: For more degrees of freedom: the coefficients of the Cornish–Fisher expansion for their first, second … inverse
#: power. The first is (z³ + z) / 4; they are literals because powers of fractions differ between machines in the last
#: bit.
_CORNISH_FISHER = (2.372271230298562, 2.8224986157396104, 2.5558496795077215, 1.589534053393822)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval.

    :ivar value: The value.
    :ivar low: The lower end; ``None`` if it is unbounded or not known yet.
    :ivar high: The upper end; likewise.
    """

    value: float
    low: float | None
    high: float | None


def student(freedom: int) -> float:
    """Return the 97.5 % point of Student's distribution.

    :param freedom: The degrees of freedom, at least 1.
    :result: The point, correct to five digits.
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    more = 0.0
    for term in reversed(_CORNISH_FISHER):
        more = (more + term) / freedom
    return NORMAL + more


class Ratio:
    """The ratio of two totals over deals, such as points to rounds.

    Its error is that of the ratio estimator: the deviation of a deal is its numerator minus the ratio times its
    denominator. If all denominators are equal, this is the ordinary mean with Student's interval.

    :ivar deals: The number of deals.
    :ivar numerator: The total of the numerators.
    :ivar denominator: The total of the denominators.
    """

    __slots__ = ("_dd", "_nd", "_nn", "deals", "denominator", "numerator")

    def __init__(self) -> None:
        self.deals = self.numerator = self.denominator = self._nn = self._nd = self._dd = 0

    def add(self, numerator: int, denominator: int, times: int = 1) -> None:
        """Add a deal.

        :param numerator: Its numerator.
        :param denominator: Its denominator, above 0.
        :param times: (Optional) The number of deals that are like this one.
        """
        self.deals += times
        self.numerator += times * numerator
        self.denominator += times * denominator
        self._nn += times * numerator * numerator
        self._nd += times * numerator * denominator
        self._dd += times * denominator * denominator

    def merge(self, other: Ratio) -> None:
        """Add the deals of another ratio.

        :param other: The other ratio.
        """
        self.deals += other.deals
        self.numerator += other.numerator
        self.denominator += other.denominator
        self._nn += other._nn
        self._nd += other._nd
        self._dd += other._dd

    def rest(self, whole: int) -> Ratio:
        """Return the complement: the ratio of the other one of two.

        :param whole: The sum of both ratios.
        :result: The other ratio, over the same deals.
        """
        other = Ratio()
        other.deals, other.denominator = self.deals, self.denominator
        other.numerator = whole * self.denominator - self.numerator
        other._dd = self._dd
        other._nd = whole * self._dd - self._nd
        other._nn = whole * whole * self._dd - 2 * whole * self._nd + self._nn
        return other

    def deviation(self) -> float:
        """Return the sum of the deals' squared deviations, in units of the mean denominator.

        :result: The sum.
        """
        n, d = self.numerator, self.denominator
        exact: int = self._nn * d * d - 2 * n * d * self._nd + n * n * self._dd
        return exact * self.deals * self.deals / (d * d * d * d)

    def estimate(self, scale: int = 1) -> Estimate | None:
        """Estimate the ratio.

        :param scale: (Optional) The factor by which the numerators were multiplied.
        :result: The ratio with Student's interval; ``None`` without deals.
        """
        if not self.deals:
            return None
        value = self.numerator / (self.denominator * scale)
        if self.deals == 1:
            return Estimate(value, None, None)
        error = math.sqrt(self.deviation() / (self.deals * (self.deals - 1))) / scale
        half = student(self.deals - 1) * error
        return Estimate(value, value - half, value + half)


def wilson(successes: float, trials: int) -> Estimate | None:
    """Estimate a rate by Wilson's interval, which also holds for rates near 0 and 1.

    :param successes: The number of successes.
    :param trials: The number of trials.
    :result: The rate; ``None`` without trials.
    """
    if not trials:
        return None
    rate = successes / trials
    square = NORMAL * NORMAL
    middle = (successes + square / 2) / (trials + square)
    half = NORMAL * math.sqrt(trials * rate * (1 - rate) + square / 4) / (trials + square)
    return Estimate(rate, max(0.0, middle - half), min(1.0, middle + half))


def elo(score: Estimate, deals: int) -> Estimate:
    """Convert a mean score into a difference of Elo ratings.

    A score of 0 or 1 has no finite rating; the finite end then comes from Wilson's interval.

    :param score: The mean score of a deal, 0 to 1, with its interval.
    :param deals: The number of deals.
    :result: The difference, rounded to a hundredth; an unbounded end is ``None``.
    """
    if 0 < score.value < 1:
        return Estimate(_elo(score.value), _bounded(score.low), _bounded(score.high))
    rate = wilson(score.value * deals, deals)
    assert rate is not None
    if score.value <= 0:
        return Estimate(-math.inf, None, _bounded(rate.high))
    return Estimate(math.inf, _bounded(rate.low), None)


def _bounded(score: float | None) -> float | None:
    return _elo(score) if score is not None and 0 < score < 1 else None


def _elo(score: float) -> float:
    # Adding 0 turns a negative zero into a plain one.
    return round(-400 * math.log10(1 / score - 1), 2) + 0.0
