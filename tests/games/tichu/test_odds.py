"""Tests of the odds that a hidden hand can top a combination: equal to plain counting, or else to sampling."""

import pickle
import re
from collections.abc import Callable
from itertools import pairwise, product
from math import prod, sqrt
from types import BuiltinFunctionType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import combinations as cards_reference
from reference import odds as reference
from tisch import _core
from tisch._core import Random
from tisch._core import tichu as core
from tisch.games import tichu
from tisch.games.tichu import Cards, Combination, odds
from tisch.games.tichu.cards import DECK

Ask = Callable[[Cards, int, tuple[int, int, int]], float]

PASS, SINGLE, PAIR, TRIPLE, STAIR, FULLHOUSE, STREET, BOMB = tichu.CombinationType
DOG = Combination(SINGLE, 1, 0)
PHOENIX = Combination(SINGLE, 1, 16)

#: Every combination except passing.
ALL = [
    *(Combination(SINGLE, 1, rank) for rank in range(17)),
    *(Combination(PAIR, 2, rank) for rank in range(2, 15)),
    *(Combination(TRIPLE, 3, rank) for rank in range(2, 15)),
    *(Combination(STAIR, 2 * steps, rank) for steps in range(2, 8) for rank in range(steps + 1, 15)),
    *(Combination(FULLHOUSE, 5, rank) for rank in range(2, 15)),
    *(Combination(STREET, length, rank) for length in range(5, 15) for rank in range(length, 15)),
    *(Combination(BOMB, 4, rank) for rank in range(2, 15)),
    *(Combination(BOMB, length, rank) for length in range(5, 14) for rank in range(length + 1, 15)),
]

QUESTIONS = [
    (odds.beats, cards_reference.beats),
    (odds.higher, reference.tops_alike),
    (odds.lower, reference.is_topped_alike),
]

#: Twenty cards each, close together in various ways.
POOLS = {
    "specials": "Hu Ma Dr Ph S2 B2 G2 R2 S3 B3 S4 B4 G4 S5 B5 S6 G6 RA SA BA",
    "streets": "Ma Ph S2 B3 G4 R5 S6 B7 G8 R9 SZ BB GD RK SA S3 S4 S5 B8 G9",
    "one suit": "Ma Ph S2 S3 S4 S5 S6 S7 S8 S9 SZ SB SD SK SA B4 G4 R4 B9 GZ",
    "two suits": "Dr S5 S6 S7 S8 S9 SZ SB SD SK B5 B6 B7 B8 B9 BZ BB BD BK BA",
    "bombs": "Ph SZ BZ GZ RZ SB BB GB RB SD BD GD RD SK BK GK RK SA BA GA",
    "stairs": "Ph Ma S2 B2 S3 B3 G4 R4 G5 R5 S6 R6 S7 B7 G7 S8 B8 S9 B9 GZ",
    "far apart": "Hu Dr S2 B2 G2 R2 S5 B5 G5 S8 B8 G8 R8 SB BB GB SA BA GA RA",
}


def places(cards: Cards) -> list[int]:
    return [card.mask.bit_length() - 1 for card in cards]


def random_cards(random: Random, number: int, of: Cards = DECK) -> Cards:
    cards = list(of)
    random.shuffle(cards)
    return Cards(cards[:number])


def assert_exact(pool: Cards) -> None:
    """Check that each of the odds is exactly the result of plain counting."""
    hands = reference.Hands(places(pool))
    for ask, question in QUESTIONS:
        for combination in ALL:
            expected = [float(share) for share in hands.odds(question, combination)]
            found = [ask(pool, k, combination) for k in range(len(expected))]
            assert found == expected, (ask.__name__, combination, str(pool))


@pytest.mark.parametrize("name", POOLS)
def test_pools_of_twenty_cards_are_counted_exactly(name: str) -> None:
    assert_exact(Cards(POOLS[name]))


@pytest.mark.parametrize("size", [1, 2, 5, 9, 12, 15])
def test_random_pools_are_counted_exactly(size: int) -> None:
    random = Random(2, size)
    for _ in range(4):
        assert_exact(random_cards(random, size))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
def test_many_pools_of_twenty_cards_are_counted_exactly(number: int) -> None:
    random = Random(3, number)
    lowest, specials = random.below(9), Cards("Hu Ma Dr Ph")
    near = [card for card in DECK - specials if lowest + 2 <= card.numbers[0][0] <= lowest + 5 + random.below(6)]
    pool = random_cards(random, 20 - random.below(5), Cards(near)) | random_cards(random, random.below(5), specials)
    assert_exact(random_cards(random, 20, pool))


@pytest.mark.parametrize(("unseen", "size"), [(56, 14), (42, 14), (42, 10), (30, 10), (24, 14)])
def test_large_pools_agree_with_sampling(unseen: int, size: int) -> None:
    random, samples = Random(4, unseen, size), 1500
    pool = random_cards(random, unseen)
    hands = [random_cards(random, size, pool) for _ in range(samples)]
    for combination in ALL[1:]:
        share = sum(len(tichu.plays(hand, combination)) > 1 for hand in hands) / samples
        exact = odds.beats(pool, size, combination)
        error = sqrt(max(exact * (1 - exact), 1 / samples) / samples)
        assert abs(share - exact) < 4.5 * error, combination


@given(st.sets(st.integers(0, 55), min_size=1).map(lambda cards: sum(1 << card for card in cards)), st.data())
def test_odds_are_shares_that_grow_with_what_counts(mask: int, data: st.DataObject) -> None:
    pool = Cards.from_mask(mask)
    k = data.draw(st.integers(0, min(14, len(pool))))
    for lower, higher in pairwise(ALL):
        shares = [ask(pool, k, higher) for ask, _ in QUESTIONS]
        assert all(0 <= share <= 1 for share in shares)
        assert shares[0] >= shares[1]
        if lower[:2] == higher[:2] and higher != PHOENIX:
            for (ask, _), share in zip(QUESTIONS, shares, strict=True):
                grows = 1 if ask is odds.lower else -1
                assert grows * ask(pool, k, lower) <= grows * share


@given(st.permutations(range(56)), st.integers(1, 41), st.sampled_from(ALL))
def test_a_hidden_card_never_hurts(order: list[int], unseen: int, combination: Combination) -> None:
    pool = Cards.from_mask(sum(1 << card for card in order[:unseen]))
    for ask, _ in QUESTIONS:
        by_size = [ask(pool, k, combination) for k in range(min(14, unseen) + 1)]
        assert by_size[0] == 0
        assert by_size == sorted(by_size)


def test_nothing_tops_the_highest() -> None:
    for combination in (Combination(STREET, 14, 14), Combination(PAIR, 2, 14), Combination(SINGLE, 1, 15)):
        assert odds.higher(DECK, 14, combination) == 0
        assert 0 < odds.beats(DECK, 14, combination) < 1
    assert odds.beats(DECK, 14, Combination(BOMB, 13, 14)) == 0


def test_the_dog_loses_the_lead_to_any_hand() -> None:
    assert [odds.higher(DECK, 1, DOG), odds.beats(DECK, 14, DOG), odds.lower(DECK, 14, DOG)] == [1, 1, 0]
    assert [odds.higher(DECK, 0, DOG), odds.beats(DECK, 0, DOG)] == [0, 0]


def test_a_led_phoenix_counts_one() -> None:
    assert odds.higher(Cards("Hu Ma"), 2, PHOENIX) == 0
    assert odds.higher(Cards("Hu Ma S2 Dr"), 1, PHOENIX) == 1 / 2
    assert odds.lower(Cards("Hu Ma S2 Dr"), 1, PHOENIX) == 1 / 2
    assert odds.lower(Cards("Ph Ma"), 1, Combination(SINGLE, 1, 2)) == 1


def test_a_table_holds_what_each_question_gives() -> None:
    random = Random(5)
    for number in (14, 11, 8, 3, 1, 0):
        hand = random_cards(random, number)
        unseen = random_cards(random, min(3 * number, 42), DECK - hand)
        sizes = [number, number // 2, 0]
        table = odds.table(hand, unseen, sizes)
        assert list(table) == list(dict.fromkeys(what for _, what in tichu.combinations(hand)))
        for combination, shares in table.items():
            assert shares == tuple(odds.beats(unseen, k, combination) for k in sizes)
    assert odds.table(Cards("S2"), DECK, []) == {(SINGLE, 1, 2): ()}


def test_what_holds_is_topped_by_no_hidden_hand() -> None:
    random = Random(5)
    # With streets of all lengths, which others can top with two of their own.
    streets = Cards("S2 B3 G4 R5 S6 B7 G8 R9 SZ BB GB")
    for sizes, held in product([(14, 14), (9, 3), (1, 0), ()], [Cards(), streets]):
        unseen = random_cards(random, 36, DECK - held)
        hand = held or random_cards(random, 12, DECK - unseen)
        expected = {
            tichu.Move(f"play {cards}").code: prod(1 - odds.higher(unseen, size, combination) for size in sizes)
            for cards, combination in tichu.combinations(hand)
        }
        assert odds.holds(hand, unseen, sizes) == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="3 cards cannot come from 0 unseen"):
        odds.holds(hand, Cards(), (3,))


@pytest.mark.parametrize("ask", [odds.higher, odds.beats, odds.lower])
@pytest.mark.parametrize(
    ("k", "combination", "sentence"),
    [
        (15, (1, 1, 2), "A hand has 0 to 14 cards, not 15."),
        (-1, (1, 1, 2), "A hand has 0 to 14 cards, not -1."),
        (10**30, (1, 1, 2), f"A hand has 0 to 14 cards, not {10**30}."),
        (4, (1, 1, 2), "A hand of 4 cards cannot come from 3 unseen cards."),
        (2, (0, 0, 0), "Passing is no combination that could be topped."),
        (2, (6, 4, 8), "No cards form the combination (6, 4, 8)."),
        (2, (1, 1, 300), "No cards form the combination (1, 1, 300)."),
        (2, (-1, 1, 3), "No cards form the combination (-1, 1, 3)."),
    ],
)
def test_the_impossible_is_named(ask: Ask, k: int, combination: tuple[int, int, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        ask(Cards("S2 S3 S4"), k, combination)


def test_a_table_names_the_impossible() -> None:
    for hand, sizes, sentence in (
        (DECK, [3], "A hand has at most 14 cards, not 56."),
        (Cards("S2"), [15], "A hand has 0 to 14 cards, not 15."),
        (Cards("S2"), [2, -3], "A hand has 0 to 14 cards, not -3."),
        (Cards("S2"), [14, 3], "A hand of 14 cards cannot come from 3 unseen cards."),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
            odds.table(hand, Cards("S3 S4 S5"), sizes)


def test_every_function_of_the_core_goes_to_other_processes() -> None:
    """Who counts odds with a pool of processes pickles the function."""
    for module in (_core, core, core.odds):
        functions = [value for value in vars(module).values() if isinstance(value, BuiltinFunctionType)]
        assert functions
        for function in functions:
            assert pickle.loads(pickle.dumps(function)) is function
            assert function.__module__ == module.__name__
    assert pickle.loads(pickle.dumps(odds.beats))(DECK, 14, (1, 1, 14)) == odds.beats(DECK, 14, (1, 1, 14))
