"""Tests of legal plays, equal to the twin; of the hand of an engine; of the lazy sequences of both."""

import pickle
import re
from collections.abc import Sequence
from typing import Any

import pytest

from reference import combinations as reference
from tichu_hands import SMALL_DECKS, WORST, all_in, cards_at, expected, listed, places, random_hands, small_hands
from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu import Cards, Combination, Hand
from tisch.games.tichu.cards import DECK

PASS, SINGLE, PAIR, TRIPLE, STAIR, FULLHOUSE, STREET, BOMB = tichu.CombinationType
LEAD = (0, 0, 0)
TRICKS: list[tuple[int, int, int]] = [LEAD, *tichu.census(DECK)]
A_HAND = Cards("Ph Hu S2 S3 S4 S5 S6 B6 G6 R6 B7 G8")


def assert_plays_equal(cards: Cards, everything: list[reference.Play], trick: Any, wish: int) -> None:
    """Compare all results about legal plays with the twin."""
    about = f"{cards} on {trick} with wish {wish}"
    legal = reference.plays(everything, trick, wish)
    assert listed(tichu.plays(cards, trick, wish)) == expected(legal), about
    hand = Hand(cards)
    assert hand.plays(trick, wish) == tichu.plays(cards, trick, wish), about
    assert listed(hand.plays(trick, wish).safest_first()) == expected(reference.safest_first(legal)), about
    assert listed(hand.bombs(trick)) == expected(play for play in legal if play[1][0] == BOMB), about
    assert hand.has_bomb == any(what[0] == BOMB for _, what in everything), about


def test_there_are_226_combinations_to_lie_on_the_table() -> None:
    assert len(TRICKS) == 227
    possible = [
        (kind, length, rank)
        for kind in range(8)
        for length in range(15)
        for rank in range(17)
        if reference_knows(kind, length, rank)
    ]
    assert sorted(TRICKS) == sorted([LEAD, *possible])


def reference_knows(kind: int, length: int, rank: int) -> bool:
    """Return whether the twin has a form for a combination."""
    if kind == BOMB and length > 4:
        return (STREET, rank) == reference.FORMS.get(tuple(range(rank - length + 1, rank + 1))) and rank > length
    return any(form == (kind, rank) and len(values) == length for values, form in reference.FORMS.items())


def test_plays_on_every_combination_equal_the_twin() -> None:
    random = Random(9)
    for hand in [*random_hands(12, seed=15), *(places(Cards(text)) for text in WORST)]:
        for trick in TRICKS:
            assert_plays_equal(cards_at(hand), all_in(hand), trick, 0)
            assert_plays_equal(cards_at(hand), all_in(hand), trick, 2 + random.below(13))


def test_plays_of_many_hands_equal_the_twin() -> None:
    random = Random(10)
    for hand in random_hands(800, seed=14):
        trick = TRICKS[random.below(len(TRICKS))]
        assert_plays_equal(cards_at(hand), all_in(hand), trick, 0)
        assert_plays_equal(cards_at(hand), all_in(hand), trick, 2 + random.below(13))


@pytest.mark.parametrize("deck", SMALL_DECKS.values(), ids=SMALL_DECKS)
def test_plays_of_every_small_hand_equal_the_twin(deck: tuple[int, ...]) -> None:
    random = Random(11)
    tricks = [LEAD, *{what for _, what in reference.combinations(deck[:14])}, *{what for _, what in all_in(deck[4:])}]
    tricks = sorted(set(tricks))
    for hand in small_hands(deck):
        everything = reference.combinations(hand)
        trick = tricks[random.below(len(tricks))]
        assert_plays_equal(cards_at(hand), everything, trick, random.below(2) * (2 + random.below(13)))


@pytest.mark.parametrize(
    ("hand", "trick", "wish", "legal"),
    [
        ("Hu S2", None, 0, ["Hu", "S2"]),
        ("Hu S2", LEAD, 2, ["S2"]),
        ("Hu S2", LEAD, 3, ["Hu", "S2"]),
        ("S2 B2 G2 R2 Dr", (SINGLE, 1, 0), 0, [""]),
        ("Ph Dr SA", (SINGLE, 1, 14), 0, ["Dr", "Ph", ""]),
        ("Ph SA", (SINGLE, 1, 15), 0, [""]),
        ("Ma S2 Dr", (SINGLE, 1, 16), 0, ["S2", "Dr", ""]),
        ("S9 Ph", (SINGLE, 1, 10), 9, ["Ph", ""]),
        ("S9 Ph", (SINGLE, 1, 8), 9, ["S9"]),
        ("S9 SZ Ph", (PAIR, 2, 8), 9, ["Ph S9"]),
        ("S9 SZ Ph", (PAIR, 2, 9), 9, ["Ph SZ", ""]),
        ("S9 B9 G9 R9 SZ", (SINGLE, 1, 14), 10, ["R9 G9 B9 S9", ""]),
        ("S9 B9 G9 R9 SZ", (SINGLE, 1, 8), 10, ["R9 G9 B9 S9", "SZ"]),
        ("S9 B9 G9 R9 SZ", (SINGLE, 1, 14), 9, ["R9 G9 B9 S9"]),
        ("S9 B9 G9 R9 SZ", LEAD, 10, ["R9 G9 B9 S9", "SZ"]),
    ],
)
def test_what_may_be_laid(hand: str, trick: Any, wish: int, legal: list[str]) -> None:
    assert [str(cards) for cards, _ in tichu.plays(Cards(hand), trick, wish)] == legal


@pytest.mark.parametrize(
    ("trick", "wish", "sentence"),
    [
        ((2, 2, 1), 0, "No cards form the combination (2, 2, 1)."),
        ((8, 1, 1), 0, "No cards form the combination (8, 1, 1)."),
        ((6, 5, 4), 0, "No cards form the combination (6, 5, 4)."),
        ((1, 1, 300), 0, "No cards form the combination (1, 1, 300)."),
        ((1, -1, 2), 0, "No cards form the combination (1, -1, 2)."),
        ((1, 1), 0, "No cards form the combination (1, 1)."),
        ("S7", 0, "No cards form the combination 'S7'."),
        (None, 1, "A wish is a value from 2 to 14, or 0 for none, not 1."),
        (None, 15, "A wish is a value from 2 to 14, or 0 for none, not 15."),
        (None, -1, "A wish is a value from 2 to 14, or 0 for none, not -1."),
        (None, 10**30, f"A wish is a value from 2 to 14, or 0 for none, not {10**30}."),
    ],
)
def test_bad_tricks_and_wishes_are_named(trick: Any, wish: int, sentence: str) -> None:
    hand = Hand(Cards("S7"))
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        tichu.plays(Cards("S7"), trick, wish)
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        hand.plays(trick, wish)


@pytest.mark.parametrize("strange", ["S7", None, 7, [Cards("S7")]])
def test_what_are_no_cards_is_a_type_error(strange: Any) -> None:
    for ask in (tichu.classify, tichu.combinations, tichu.plays, tichu.census, tichu.fewest, tichu.partitions, Hand):
        with pytest.raises(TypeError, match="is not an instance of 'Cards'"):
            ask(strange)


@pytest.mark.parametrize("strange", ["8", 8.0, Cards("S8")])
def test_what_is_no_wish_is_a_type_error(strange: Any) -> None:
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        tichu.plays(Cards("S7"), None, strange)


def test_a_hand_has_at_most_14_cards() -> None:
    for ask in (lambda: Hand(DECK), lambda: tichu.plays(DECK)):
        with pytest.raises(ValueError, match=r"^A hand has at most 14 cards, not 56\.$"):
            ask()


def test_a_hand_lets_go_exactly_what_is_legal() -> None:
    random = Random(12)
    for held in random_hands(40, seed=16):
        hand = Hand(cards_at(held))
        everything = [Cards(), *(cards_at(cards) for cards, _ in all_in(held))]
        for _ in range(20):
            trick, wish = TRICKS[random.below(len(TRICKS))], random.below(2) * (2 + random.below(13))
            legal = {cards for cards, _ in hand.plays(trick, wish)}
            for cards in everything:
                if cards in legal:
                    assert hand.after(cards, trick, wish) == Hand(hand.cards - cards)
                else:
                    with pytest.raises(ValueError, match=r"^[A-Z].*\.$"):
                        hand.after(cards, trick, wish)


@pytest.mark.parametrize(
    ("cards", "trick", "wish", "sentence"),
    [
        ("S7 S8", None, 0, "S8 S7 form no combination."),
        ("S7 B7", None, 0, "The hand does not hold B7."),
        ("", None, 0, "Who leads cannot pass."),
        ("S7", (SINGLE, 1, 7), 0, "S7 cannot be laid on what lies there."),
        ("S7", (SINGLE, 1, 0), 0, "S7 cannot be laid on what lies there."),
        ("S7", (SINGLE, 1, 5), 8, "The wish for 8 can be fulfilled and must be."),
        ("", (SINGLE, 1, 5), 8, "The wish for 8 can be fulfilled and must be."),
    ],
)
def test_a_refusal_says_why(cards: str, trick: Any, wish: int, sentence: str) -> None:
    hand = Hand(Cards("S7 S8"))
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        hand.after(Cards(cards), trick, wish)
    assert hand == Hand(Cards("S7 S8"))


def test_a_hand_is_a_value() -> None:
    hand = Hand(A_HAND)
    assert (hand.cards, len(hand), repr(hand)) == (A_HAND, 12, f"Hand({A_HAND!r})")
    assert pickle.loads(pickle.dumps(hand)) == hand == Hand(A_HAND) and hash(hand) == hash(Hand(A_HAND))
    assert hand != Hand(Cards("S7"))


@pytest.mark.parametrize(
    "plays", [tichu.combinations(A_HAND), Hand(A_HAND).plays((SINGLE, 1, 3), 0), Hand(A_HAND).bombs()]
)
def test_results_are_sequences(plays: Any) -> None:
    items = list(plays)
    assert isinstance(plays, Sequence) and len(plays) == len(items) > 1
    assert [plays[place] for place in range(-len(items), len(items))] == items * 2
    assert list(reversed(plays)) == items[::-1]
    assert [plays.index(item) for item in items] == list(range(len(items)))
    assert all(item in plays and plays.count(item) == 1 for item in items)
    for slicing in (slice(None), slice(1, 3), slice(None, None, -1), slice(-2, None), slice(5, 2), slice(0, 99, 2)):
        assert list(plays[slicing]) == items[slicing] and type(plays[slicing]) is type(plays)
    assert plays == plays[:] and hash(plays) == hash(plays[:]) and plays != plays[1:] and plays != items
    assert repr(plays) == f"Plays({items!r})"
    for place in (len(items), -len(items) - 1, 2**62, -(2**62)):
        with pytest.raises(IndexError, match=r"^There is no play -?\d+ among \d+\.$"):
            plays[place]


def test_what_is_no_item_is_not_among_the_plays() -> None:
    plays: Any = tichu.combinations(A_HAND)
    single = Combination(SINGLE, 1, 2)
    assert (Cards("S2"), single) in plays and (Cards("S2"), (1, 1, 2)) in plays
    strange = [None, 7, "S2", Cards("S2"), single, (Cards("S2"), single, 1), (Cards("S2"), single._replace(rank=3))]
    for value in [*strange, (Cards("B2"), single), (Cards("S2"), None)]:
        assert value not in plays and plays.count(value) == 0
        with pytest.raises(ValueError, match=r"^This is not among the plays\.$"):
            plays.index(value)
    first = plays[0]
    assert plays.index(first, 0, 1) == plays.index(first, -len(plays)) == 0
    for start, stop in ((1, 99), (0, 0), (-1, -1)):
        with pytest.raises(ValueError, match="not among"):
            plays.index(first, start, stop)


def test_plays_run_through_twice_at_once() -> None:
    plays = tichu.combinations(Cards("S2 S3"))
    pairs = [(str(one), str(other)) for one, _ in plays for other, _ in plays]
    assert pairs == [("S2", "S2"), ("S2", "S3"), ("S3", "S2"), ("S3", "S3")]
    dictionary = dict(plays)
    assert dictionary[Cards("S2")] == (SINGLE, 1, 2)
