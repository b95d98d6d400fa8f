"""Tests of early stopping: error rates by simulation, decisions by hand."""

from __future__ import annotations

import math

import pytest

from arena_examples import TWO
from tisch._core import Random
from tisch.arena.entries import entry
from tisch.arena.play import UNIT, Plan, Played
from tisch.arena.schedule import schedule
from tisch.arena.standing import Standing
from tisch.arena.stopping import Sprt, WinRate, expected

PLAN = Plan(TWO, TWO.Options(), (entry("random"), entry("random")), schedule(2, 2), seed=0)


def deal(standing: Standing, *results: int) -> None:
    """Count a deal of two games in which the first entry gets these points."""
    first, second = results
    number = standing.games
    standing.add(
        [
            Played(number, (first * UNIT, -first * UNIT), 1, 2, {}),
            Played(number + 1, (-second * UNIT, second * UNIT), 1, 2, {}),
        ]
    )


def play_out(test: Sprt, difference: float, draws: float, luck: float, random: Random) -> bool:
    """Simulate a match of a true strength until the test decides, and return whether it accepts.

    Draws have a probability; by luck of the cards both games of a deal go to the same side of the table.
    """
    win = expected(difference) - draws / 2
    standing = Standing(PLAN)
    low, high = test.bounds
    while True:
        results = []
        for _ in range(2):
            drawn = random.unit()
            results.append(1 if drawn < win else 0 if drawn < win + draws else -1)
        if random.unit() < luck:
            # The cards decide: the same side of the table wins twice.
            results = [1, -1]
        deal(standing, *results)
        ratio = test.ratio(standing.fields[0])
        if not low < ratio < high:
            return ratio >= high


# With a true rate of 5 %, more than 10 of 80 or 22 of 250 matches go wrong in only one of 200 cases. Half the
# difference takes four times the deals.
@pytest.mark.parametrize(("elo", "matches", "most"), [(120, 80, 10), pytest.param(60, 250, 22, marks=pytest.mark.slow)])
@pytest.mark.parametrize("draws", [0.0, 0.3])
def test_the_sequential_test_errs_as_seldom_as_it_says(draws: float, elo: float, matches: int, most: int) -> None:
    test = Sprt(0, elo)
    random = Random(5, "sprt", int(draws * 10))
    wrongly_accepted = sum(play_out(test, 0, draws, 0, random) for _ in range(matches))
    wrongly_refused = sum(not play_out(test, elo, draws, 0, random) for _ in range(matches))
    assert wrongly_accepted <= most
    assert wrongly_refused <= most
    assert wrongly_accepted + wrongly_refused > 0, "A test that never errs is not the one that was asked for."


def test_paired_luck_makes_the_test_quicker_not_wrong() -> None:
    test = Sprt(0, 60)
    random = Random(6, "luck")
    assert sum(play_out(test, 0, 0, 0.5, random) for _ in range(100)) <= 12


def test_the_ratio_by_hand() -> None:
    # Four deals with scores 1, 1, ½ and 0: mean 0.625, squared deviations 0.6875, and 0.5 for the imaginary deals.
    standing = Standing(PLAN)
    for results in ((1, 1), (2, 5), (1, -1), (-1, -1)):
        deal(standing, *results)
    low, high = expected(0), expected(100)
    variance = (0.6875 + 0.5) / 6
    wanted = 4 * (high - low) * (2 * 0.625 - low - high) / (2 * variance)
    assert Sprt(0, 100).ratio(standing.fields[0]) == pytest.approx(wanted, rel=1e-12)
    assert low == 0.5
    assert high == pytest.approx(0.6400649998)


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 5, 0.1, 0.01).bounds == pytest.approx((math.log(0.01 / 0.9), math.log(0.99 / 0.1)))


def test_a_few_equal_deals_do_not_decide() -> None:
    standing = Standing(PLAN)
    decided = None
    while decided is None:
        deal(standing, 1, 1)
        decided = Sprt(0, 10).verdict(standing)
    assert decided.startswith("SPRT accepts: random is better by 10 Elo")
    assert 10 <= standing.deals <= 25


def test_an_agent_against_itself_is_refused() -> None:
    standing = Standing(PLAN)
    while not (verdict := Sprt(0, 10).verdict(standing)):
        deal(standing, 1, -1)
    assert verdict.startswith("SPRT rejects")


def test_a_win_rate_is_reached_when_the_rest_cannot_change_it() -> None:
    standing = Standing(PLAN)
    rule = WinRate(0.6, games=10)
    for _ in range(2):
        deal(standing, 1, 1)
        assert rule.verdict(standing) is None
    deal(standing, 1, 1)
    assert rule.verdict(standing) == "random has reached a win rate of 60.0% of 10 games."


def test_a_win_rate_is_out_of_reach_when_the_rest_does_not_suffice() -> None:
    standing = Standing(PLAN)
    rule = WinRate(0.6, games=10)
    deal(standing, -1, 0)
    deal(standing, 1, -1)
    assert rule.verdict(standing) is None
    deal(standing, -1, 1)
    # Two of six are won and four remain: six are still possible.
    assert rule.verdict(standing) is None
    deal(standing, 1, -1)
    assert rule.verdict(standing) == "A win rate of 60.0% of 10 games is out of random's reach."


@pytest.mark.parametrize("values", [(5, 5), (5, 0), (0, 5, 0), (0, 5, 0.05, 0.5)])
def test_a_senseless_test_is_refused(values: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"SPRT"):
        Sprt(*values)


@pytest.mark.parametrize("rate", [0, -1, 1.01])
def test_a_senseless_win_rate_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        WinRate(rate, 10)
