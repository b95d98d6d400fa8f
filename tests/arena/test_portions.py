"""Tests of portions: every missing game is handed out once, in order, as whole deals where they can be."""

from __future__ import annotations

import pytest

from tisch.arena.portions import Missing, Portion, given
from tisch.game import Random


def handed_out(missing: Missing, random: Random, most: int) -> list[Portion]:
    """Take portions of drawn sizes until nothing is left."""
    found = []
    while portion := missing.deals(1 + random.below(most)):
        found.append(portion)
    return found


def games_of(portion: Portion, size: int) -> list[int]:
    """Return the numbers of the games of a portion."""
    if portion.each == 1:
        return list(portion.numbers)
    return [deal * size + index for deal in portion.numbers for index in range(size)]


@pytest.mark.parametrize("part", [(1, 1), (2, 3), (3, 3)])
@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("seed", range(5))
def test_every_missing_game_is_handed_out_once(part: tuple[int, int], size: int, seed: int) -> None:
    random = Random(seed, *part, size)
    deals = [index * part[1] + part[0] - 1 for index in range(40)]
    wanted = [deal * size + index for deal in deals for index in range(size)]
    known = {number for number in wanted[5 * size :] if random.below(8) == 0}
    expected = [number for number in wanted[5 * size :] if number not in known]
    portions = handed_out(Missing(5, 40, part, size, known), random, 30)
    assert [number for portion in portions for number in games_of(portion, size)] == expected
    one_by_one = Missing(5, 40, part, size, known)
    single: list[int] = []
    while portion := one_by_one.games(1 + random.below(30)):
        single += portion.numbers
    assert single == expected


def test_a_deal_of_which_something_is_known_is_handed_out_game_by_game() -> None:
    missing = Missing(0, 10, (1, 1), 4, {9, 12, 13, 14, 15})
    found = [missing.deals(1000) for _ in range(4)]
    assert found == [Portion(range(2), 4), Portion([8, 10, 11]), Portion(range(4, 10), 4), None]


def test_a_match_without_a_limit_goes_on() -> None:
    missing = Missing(0, None, (2, 2), 2, ())
    assert missing.deals(7) == Portion(range(1, 7, 2), 2)
    assert missing.deals(1) == Portion(range(7, 9, 2), 2)
    assert missing.games(3) == Portion([18, 19, 22])


def test_a_portion_is_divided() -> None:
    deals, games = Portion(range(3, 13, 2), 4), Portion([5, 7, 9])
    assert (deals.count, games.count) == (20, 3)
    assert deals.after(8) == Portion(range(7, 13, 2), 4)
    assert deals.before(8) == Portion(range(3, 7, 2), 4)
    assert deals.before(1) == Portion(range(3, 5, 2), 4)
    assert games.after(1) == Portion([7, 9])
    # Deals are played by the core, in which no agent ends its process.
    assert deals.again() == [deals]
    assert games.again() == [Portion([5]), Portion([7]), Portion([9])]


@pytest.mark.parametrize("portion", [Portion(range(3, 23, 2), 4), Portion(range(17))])
def test_what_is_given_is_handed_out(portion: Portion) -> None:
    source = given(portion)
    found: list[int] = []
    while taken := source(5):
        assert taken.count == max(portion.each, 5 // portion.each * portion.each) or not source(1)
        found += taken.numbers
    assert found == list(portion.numbers)
