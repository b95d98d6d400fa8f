"""Tests of the arena's estimates: against slow exact computations, tables, and values computed by hand."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tisch._core import Random
from tisch.arena.statistics import NORMAL, Estimate, Ratio, elo, student, wilson

DEALS = st.lists(st.tuples(st.integers(-(10**6), 10**6), st.integers(1, 30)), min_size=2, max_size=40)


def ratio(deals: list[tuple[int, int]]) -> Ratio:
    """Return the sums over some deals."""
    sums = Ratio()
    for numerator, denominator in deals:
        sums.add(numerator, denominator)
    return sums


def quantile(freedom: int) -> float:
    """Compute the 97.5 % point of Student's distribution by summing the density in small steps."""
    constant = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    step, area, at = 1e-4, 0.0, 0.0
    while area < 0.475:
        area += constant * (1 + (at + step / 2) ** 2 / freedom) ** (-(freedom + 1) / 2) * step
        at += step
    return at


@pytest.mark.parametrize("freedom", [1, 2, 5, 9, 10, 11, 20, 30, 100])
def test_students_point_is_that_of_the_distribution(freedom: int) -> None:
    assert student(freedom) == pytest.approx(quantile(freedom), abs=3e-4)


def test_students_point_falls_to_that_of_the_normal_distribution() -> None:
    points = [student(freedom) for freedom in range(1, 200)]
    assert points == sorted(points, reverse=True)
    assert student(10**9) == pytest.approx(NORMAL, abs=1e-8)
    assert pytest.approx(statistics.NormalDist().inv_cdf(0.975), abs=1e-12) == NORMAL


@given(DEALS)
def test_the_ratio_is_the_slow_exact_one(deals: list[tuple[int, int]]) -> None:
    value = Fraction(sum(n for n, _ in deals), sum(d for _, d in deals))
    mean = Fraction(sum(d for _, d in deals), len(deals))
    squares = sum((n - value * d) ** 2 for n, d in deals) / mean**2
    error = math.sqrt(squares / (len(deals) * (len(deals) - 1)))
    found = ratio(deals).estimate()
    assert found is not None and found.low is not None and found.high is not None
    assert found.value == float(value)
    assert (found.high - found.low) / 2 == pytest.approx(student(len(deals) - 1) * error, abs=1e-9)


@given(DEALS)
def test_with_equal_denominators_it_is_the_common_mean(deals: list[tuple[int, int]]) -> None:
    numerators = [numerator for numerator, _ in deals]
    found = ratio([(numerator, 3) for numerator in numerators]).estimate(scale=7)
    error = statistics.stdev(numerators) / math.sqrt(len(numerators)) / 21
    assert found is not None and found.high is not None
    assert found.value == pytest.approx(statistics.mean(numerators) / 21)
    assert found.high - found.value == pytest.approx(student(len(numerators) - 1) * error, abs=1e-9)


@given(DEALS)
def test_the_order_of_deals_does_not_change_a_bit(deals: list[tuple[int, int]]) -> None:
    assert ratio(deals).estimate(720_720) == ratio(sorted(deals)).estimate(720_720)


@given(DEALS, st.integers(0, 3))
def test_the_rest_of_a_whole_is_what_the_other_one_has(deals: list[tuple[int, int]], whole: int) -> None:
    other = ratio([(whole * denominator - numerator, denominator) for numerator, denominator in deals])
    rest = ratio(deals).rest(whole)
    assert (rest.deals, rest.numerator, rest.denominator) == (other.deals, other.numerator, other.denominator)
    assert rest.estimate() == other.estimate()


def test_an_interval_holds_the_truth_in_95_of_100_matches() -> None:
    random = Random(1, "coverage")
    hits = 0
    for _ in range(2000):
        sums = Ratio()
        for _ in range(25):
            # Long games have more points, so that points and rounds are correlated; the truth is 2 a round.
            rounds = 1 + random.below(5)
            sums.add(sum(random.below(5) for _ in range(rounds)), rounds)
        found = sums.estimate()
        assert found is not None and found.low is not None and found.high is not None
        hits += found.low <= 2 <= found.high
    assert 0.93 <= hits / 2000 <= 0.97


def test_one_deal_has_no_interval_and_none_no_value() -> None:
    assert ratio([(6, 4)]).estimate() == Estimate(1.5, None, None)
    assert Ratio().estimate() is None


def test_wilson_by_hand() -> None:
    # For 8 of 10: (8 + z²/2 ± z √(1.6 + z²/4)) / (10 + z²) with z² = 3.8415.
    found = wilson(8, 10)
    assert found is not None
    assert found.value == 0.8
    assert found.low == pytest.approx(0.490162, abs=1e-6)
    assert found.high == pytest.approx(0.943318, abs=1e-6)


def test_wilson_at_the_ends() -> None:
    # For 0 of 10 the upper end is z² / (10 + z²).
    none, every = wilson(0, 10), wilson(10, 10)
    assert none is not None and every is not None
    assert (none.low, every.high) == (0.0, 1.0)
    assert none.high == pytest.approx(3.841459 / 13.841459, abs=1e-6)
    assert every.low == pytest.approx(10 / 13.841459, abs=1e-6)
    assert wilson(0, 0) is None


def test_elo_by_hand() -> None:
    # Ten to one is 400 by definition; 0.64 is 400 log10(64 / 36) = 99.95.
    found = elo(Estimate(10 / 11, 0.64, 0.999), 100)
    assert found == Estimate(400.0, 99.95, 1199.83)
    assert elo(Estimate(0.5, 0.5, 0.5), 100) == Estimate(0.0, 0.0, 0.0)
    assert elo(Estimate(0.36, None, None), 1) == Estimate(-99.95, None, None)


def test_elo_of_who_has_won_or_lost_everything_has_one_end() -> None:
    # All of ten deals are won: Wilson's lower end is 10 / 13.8415, whose odds are 10 to z².
    won = elo(Estimate(1.0, 1.0, 1.0), 10)
    assert won.value == math.inf and won.high is None
    assert won.low == pytest.approx(400 * math.log10(10 / 3.841459), abs=0.01)
    lost = elo(Estimate(0.0, 0.0, 0.0), 10)
    assert lost.value == -math.inf and lost.low is None
    assert won.low is not None and lost.high == -won.low


def test_an_end_beyond_everything_is_open() -> None:
    assert elo(Estimate(0.9, 0.7, 1.1), 3).high is None
    assert elo(Estimate(0.1, -0.1, 0.3), 3).low is None
