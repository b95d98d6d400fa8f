"""Benchmarks of the odds from Python: 14 hidden cards of the 42 that a player does not see after the deal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest

from tisch._core import Random
from tisch.games import tichu
from tisch.games.tichu import Cards, Combination, CombinationType, odds
from tisch.games.tichu.cards import DECK

if TYPE_CHECKING:
    from benches.conftest import Measure

POOLS = 20
SIZE = 14
DEALS = 200

#: All combinations of a type, by its name.
COMBINATIONS: dict[str, list[Combination]] = {}


def _possible() -> Iterator[Combination]:
    for kind, length, rank in product(CombinationType, range(15), range(17)):
        combination = Combination(kind, length, rank)
        try:
            odds.beats(Cards(), 0, combination)
        except ValueError:
            continue
        yield combination


for each in _possible():
    COMBINATIONS.setdefault(each.type.name.lower(), []).append(each)


def deals(number: int, hand: int, unseen: int) -> list[tuple[Cards, Cards]]:
    """Deal hands and the same number of unseen cards, each time from a new deck."""
    random, dealt = Random(11, hand, unseen), []
    for _ in range(number):
        cards = list(DECK)
        random.shuffle(cards)
        dealt.append((Cards(cards[:hand]), Cards(cards[hand : hand + unseen])))
    return dealt


def asked(ask: Callable[..., float], questions: list[tuple[Cards, Combination]]) -> list[float]:
    """Compute all odds."""
    return [ask(unseen, SIZE, combination) for unseen, combination in questions]


def holds(hand: Cards, combination: Combination, alike: bool) -> bool:
    """Return whether a hand can top a combination, optionally only with one of its own type and length."""
    if combination == (CombinationType.SINGLE, 1, 0):
        return True
    return any(
        what.type and (not alike or what[:2] == combination[:2] or combination.type == CombinationType.BOMB)
        for _, what in tichu.plays(hand, combination)
    )


def assert_likely(shares: list[float], questions: list[tuple[Cards, Combination]], alike: bool) -> None:
    """One hand drawn from each pool tops about as many combinations as the odds predict."""
    random = Random(12)
    hands: dict[Cards, Cards] = {}
    for unseen, _ in questions:
        cards = list(unseen)
        random.shuffle(cards)
        hands.setdefault(unseen, Cards(cards[:SIZE]))
    for combination in dict.fromkeys(combination for _, combination in questions):
        found = [
            (share, holds(hands[unseen], combination, alike))
            for share, (unseen, what) in zip(shares, questions, strict=True)
            if what == combination
        ]
        error = sqrt(sum(share * (1 - share) for share, _ in found))
        assert abs(sum(share - topped for share, topped in found)) <= 4.5 * error + 1, combination


@pytest.mark.parametrize("name", COMBINATIONS)
@pytest.mark.parametrize(("ask", "target"), [(odds.higher, 400), (odds.beats, 20_000)], ids=["higher", "beats"])
def test_odds(measure: Measure, benchmark: Any, ask: Callable[..., float], target: int, name: str) -> None:
    questions = [(unseen, what) for _, unseen in deals(POOLS, SIZE, 42) for what in COMBINATIONS[name]]
    benchmark.extra_info["target"] = target
    shares = measure(len(questions), asked, ask, questions)
    assert_likely(shares, questions, ask is odds.higher)


def test_slowest_beats(measure: Measure, benchmark: Any) -> None:
    def seconds(question: tuple[Cards, Combination]) -> float:
        start = time.perf_counter()
        asked(odds.beats, [question] * 3)
        return time.perf_counter() - start

    combinations = [what for each in COMBINATIONS.values() for what in each]
    slowest = max(((unseen, what) for _, unseen in deals(POOLS, SIZE, 42) for what in combinations), key=seconds)
    benchmark.extra_info["target"] = 100_000
    (share,) = measure(1, asked, odds.beats, [slowest])
    assert odds.higher(slowest[0], SIZE, slowest[1]) <= share <= 1


@pytest.mark.parametrize(("hand", "hidden"), [(14, 14), (10, 10), (7, 7), (4, 4)])
def test_table_for_three_hidden_hands(measure: Measure, hand: int, hidden: int) -> None:
    dealt = deals(DEALS, hand, 3 * hidden)
    sizes = [hidden, hidden - 1, hidden - 2]
    tables = measure(DEALS, lambda: [odds.table(hand, unseen, sizes) for hand, unseen in dealt])
    for (_, unseen), table in zip(dealt[:20], tables, strict=False):
        assert all(shares == tuple(odds.beats(unseen, size, what) for size in sizes) for what, shares in table.items())
