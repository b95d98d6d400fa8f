"""Tests of ratings: the example of Glickman's paper, and who has played against whom."""

from __future__ import annotations

import pytest

from tisch.server.people.rating import Rating, Result, after, after_game


def test_the_example_of_the_paper() -> None:
    """Mark Glickman, "Example of the Glicko-2 system" (2022), with its rounded figures."""
    results = [Result(1400, 30, 1), Result(1550, 100, 0), Result(1700, 300, 0)]
    new = after(Rating(1500, 200, 0.06), results, tau=0.5)
    assert new.value == pytest.approx(1464.06, abs=0.01)
    assert new.deviation == pytest.approx(151.52, abs=0.01)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001) and new.volatility < 0.06


def test_who_does_not_play_only_gets_less_certain() -> None:
    # Step 6 of the paper: the square root of 200² + (173.7178 · 0.06)².
    assert after(Rating(1600, 200, 0.06), []) == pytest.approx((1600, 200.2714, 0.06), abs=0.0001)


def test_a_series_of_surprises_makes_somebody_volatile() -> None:
    expected, surprised = Rating(1500, 50, 0.06), Rating(1500, 50, 0.06)
    for _ in range(20):
        expected = after(expected, [Result(1500, 50, 1), Result(1500, 50, 0)])
        surprised = after(surprised, [Result(2200, 50, 1)])
    assert expected.volatility < 0.06 < surprised.volatility
    assert surprised.value > 1700 and expected.value == pytest.approx(1500)


def test_two_who_play_each_other_are_rated_as_the_paper_says() -> None:
    before = {"ben": Rating(1500, 200), "kim": Rating(1400, 30)}
    new = after_game(before, [["ben"], ["kim"]], [-3, 3])
    assert new["ben"] == after(before["ben"], [Result(1400, 30, 0)])
    assert new["kim"] == after(before["kim"], [Result(1500, 200, 1)])
    drawn = after_game({}, [["ben"], ["kim"]], [0, 0])
    assert drawn["ben"] == after(Rating(), [Result(1500, 350, 0.5)]) and drawn["ben"].value == pytest.approx(1500)


def test_each_other_side_is_an_opponent() -> None:
    new = after_game({}, [["ben"], ["kim"], [None]], [5, 1, -6])
    assert new.keys() == {"ben", "kim"}
    assert new["kim"] == after(Rating(), [Result(1500, 350, 0), Result(1500, 350, 1)])


def test_a_strong_partner_is_no_merit() -> None:
    ratings = {"strong": Rating(2100, 60), "weak": Rating(1500, 60), "a": Rating(1800, 60), "b": Rating(1800, 60)}
    fair = after_game(ratings, [["strong", "weak"], ["a", "b"]], [1, -1])
    # Both sides are equally strong: for each of them it was as if the opponent was as strong as they are.
    assert fair["weak"] == after(ratings["weak"], [Result(1500, 60, 1)])
    assert fair["strong"] == after(ratings["strong"], [Result(2100, 60, 1)])
    carried = after_game(ratings, [["strong", "weak"], ["weak2", "weak3"]], [1, -1])
    assert carried["weak"].value - 1500 < fair["weak"].value - 1500


def test_who_plays_on_both_sides_learns_nothing_from_that() -> None:
    """One person with three equal agents, as in most games."""
    new = after_game({}, [["ben", "agent"], ["agent", "agent"]], [10, -10])
    assert new.keys() == {"ben"} and new["ben"].value > 1500
    three = after_game({}, [["ben"], ["agent"], ["agent"]], [10, -5, -5])
    assert three["agent"] == after(Rating(), [Result(1500, 350, 0)] * 2)


def test_a_game_alone_is_not_rated() -> None:
    assert after_game({}, [["ben"]], [1]) == {}


@pytest.mark.parametrize("value", [-4000.0, 1500.0, 9000.0])
def test_a_rating_stays_a_number_whatever_happens(value: float) -> None:
    rating = Rating(value, 350)
    for score in (1, 0) * 50:
        rating = after(rating, [Result(1500, 30, score)])
        assert -10_000 < rating.value < 20_000 and 0 < rating.deviation <= 400 and 0 < rating.volatility < 1
