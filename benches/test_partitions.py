"""Benchmarks of splitting hands into combinations from Python; the means are over 200 random hands of 14 cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tisch.game import Random
from tisch.games import tichu

if TYPE_CHECKING:
    from benches.conftest import Measure

HANDS = 200


@pytest.fixture(scope="module")
def hands() -> list[tichu.Cards]:
    random = Random(2, "partitions")
    dealt = []
    for _ in range(HANDS):
        deck = list(range(56))
        random.shuffle(deck)
        dealt.append(tichu.Cards.from_mask(sum(1 << place for place in deck[:14])))
    return dealt


def test_fewest(measure: Measure, benchmark: Any, hands: list[tichu.Cards]) -> None:
    benchmark.extra_info["target"] = 1000
    fewest = measure(HANDS, lambda: [tichu.fewest(hand) for hand in hands])
    assert sum(map(len, fewest)) == 1386


def test_fewest_after_all_plays(measure: Measure, hands: list[tichu.Cards]) -> None:
    turns = [(hand, tichu.plays(hand)) for hand in hands]
    left = measure(HANDS, lambda: [tichu.fewest_after(hand, plays) for hand, plays in turns])
    assert (sum(map(len, left)), sum(map(min, left)), sum(map(max, left))) == (10668, 1186, 1789)


def test_partitions_up_to_2000(measure: Measure, benchmark: Any, hands: list[tichu.Cards]) -> None:
    benchmark.extra_info["target"] = 4000
    found = measure(HANDS, lambda: [tichu.partitions(hand, limit=2000) for hand in hands])
    assert (sum(map(len, found)), sum(each.complete for each in found)) == (41965, 197)


def test_looking_at_every_partition(measure: Measure, hands: list[tichu.Cards]) -> None:
    found = [tichu.partitions(hand) for hand in hands]
    lengths = measure(sum(map(len, found)), lambda: sum(len(partition) for each in found for partition in each))
    assert lengths == 369917


def test_2000_partitions_of_a_hand_that_has_more(measure: Measure) -> None:
    hand = tichu.Cards("Ph B5 G5 S5 S6 B6 G6 R6 S7 B7 S8 B8 S9 G9")
    found = measure(1, tichu.partitions, hand)
    assert (len(found), found.complete, len(found[0])) == (2000, False, 2)
