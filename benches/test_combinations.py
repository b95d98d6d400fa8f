"""Benchmarks of listing combinations and plays from Python, over 200 random hands of 14 cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu.cards import DECK

if TYPE_CHECKING:
    from benches.conftest import Measure

HANDS = 200
SINGLE, PAIR, TRIPLE, STAIR, FULLHOUSE, STREET, BOMB = list(tichu.CombinationType)[1:]
TRICKS = {
    "single": tichu.Combination(SINGLE, 1, 7),
    "pair": tichu.Combination(PAIR, 2, 5),
    "triple": tichu.Combination(TRIPLE, 3, 4),
    "stair": tichu.Combination(STAIR, 4, 6),
    "full house": tichu.Combination(FULLHOUSE, 5, 4),
    "street": tichu.Combination(STREET, 5, 7),
    "bomb": tichu.Combination(BOMB, 4, 7),
}


def deal() -> list[tichu.Cards]:
    random, deck, hands = Random(2), list(DECK), []
    for _ in range(HANDS):
        random.shuffle(deck)
        hands.append(tichu.Cards(deck[:14]))
    return hands


CARDS = deal()
COUNTED = [sum(tichu.census(cards).values()) for cards in CARDS]


def count_fitting(cards: tichu.Cards, trick: tichu.Combination) -> int:
    """Count the legal plays and passing the slow way: by trying every combination."""
    hand, count = tichu.Hand(cards), 1
    for laid, _ in tichu.combinations(cards):
        try:
            hand.after(laid, trick)
        except ValueError:
            continue
        count += 1
    return count


def test_combinations(measure: Measure, benchmark: Any) -> None:
    benchmark.extra_info["target"] = 120
    found = measure(HANDS, lambda: [tichu.combinations(cards) for cards in CARDS])
    assert [len(plays) for plays in found] == COUNTED


def test_combinations_looked_at(measure: Measure) -> None:
    found = measure(HANDS, lambda: [list(tichu.combinations(cards)) for cards in CARDS])
    assert [len(plays) for plays in found] == COUNTED


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS)
def test_plays(measure: Measure, benchmark: Any, trick: tichu.Combination) -> None:
    benchmark.extra_info["target"] = 25
    found = measure(HANDS, lambda: [tichu.plays(cards, trick) for cards in CARDS])
    assert [len(plays) for plays in found] == [count_fitting(cards, trick) for cards in CARDS]


def test_plays_under_a_wish(measure: Measure) -> None:
    trick, nines = TRICKS["single"], tichu.Cards("S9 B9 G9 R9")
    found = measure(HANDS, lambda: [tichu.plays(cards, trick, 9) for cards in CARDS])
    assert [(tichu.Cards(), (0, 0, 0)) in plays for plays in found] == [not cards & nines for cards in CARDS]


def test_classify(measure: Measure) -> None:
    plays = [play for cards in CARDS for play in tichu.combinations(cards)]
    laid = [cards for cards, _ in plays]
    found = measure(len(laid), lambda: [tichu.classify(cards) for cards in laid])
    assert found == [combination for _, combination in plays]


@pytest.mark.parametrize("trick", [None, *TRICKS.values()], ids=["lead", *TRICKS])
def test_plays_of_a_hand(measure: Measure, trick: tichu.Combination | None) -> None:
    hands = [tichu.Hand(cards) for cards in CARDS]
    found = measure(HANDS, lambda: [hand.plays(trick, 0) for hand in hands])
    assert found == [tichu.plays(cards, trick) for cards in CARDS]


def test_has_bomb(measure: Measure) -> None:
    hands = [tichu.Hand(cards) for cards in CARDS]
    found = measure(HANDS, lambda: [hand.has_bomb for hand in hands])
    assert found == [tichu.combinations(cards)[0][1].type is BOMB for cards in CARDS]


def test_lay_cards(measure: Measure) -> None:
    trick = TRICKS["single"]
    chosen = [(tichu.Hand(cards), tichu.plays(cards, trick)[0][0]) for cards in CARDS]
    found = measure(HANDS, lambda: [hand.after(cards, trick, 0) for hand, cards in chosen])
    assert [hand.cards for hand in found] == [hand.cards - cards for hand, cards in chosen]


def test_one_item(measure: Measure) -> None:
    plays = [tichu.combinations(cards) for cards in CARDS]
    assert measure(HANDS, lambda: [each[-1] for each in plays]) == [list(each)[-1] for each in plays]


def test_take_cards_away(measure: Measure) -> None:
    """The set of cards as an object, as Python uses it."""
    away = tichu.Cards("S7 B7")
    found = measure(HANDS, lambda: [cards - away for cards in CARDS])
    assert [cards & away for cards in found] == [tichu.Cards()] * HANDS


def test_take_cards_away_from_a_number(measure: Measure) -> None:
    """The alternative: a plain number."""
    away, masks = tichu.Cards("S7 B7").mask, [cards.mask for cards in CARDS]
    found = measure(HANDS, lambda: [mask & ~away for mask in masks])
    assert found == [(cards - tichu.Cards("S7 B7")).mask for cards in CARDS]


def test_make_cards_of_a_number(measure: Measure) -> None:
    masks = [cards.mask for cards in CARDS]
    assert measure(HANDS, lambda: [tichu.Cards.from_mask(mask) for mask in masks]) == CARDS
