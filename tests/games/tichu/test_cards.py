"""Tichu's sets of cards: an algebra like that of Python's sets, and a text that reads back."""

import copy
import operator
import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tisch.games import tichu
from tisch.games.tichu.cards import DECK

places = st.frozensets(st.integers(0, 55))


def cards_of(chosen: frozenset[int]) -> tichu.Cards:
    return tichu.Cards.from_mask(sum(1 << place for place in chosen))


@given(places, places)
def test_cards_are_a_set(ours: frozenset[int], theirs: frozenset[int]) -> None:
    one, other = cards_of(ours), cards_of(theirs)
    assert one & other == cards_of(ours & theirs)
    assert one | other == cards_of(ours | theirs)
    assert one - other == cards_of(ours - theirs)
    assert one ^ other == cards_of(ours ^ theirs)
    assert (one == other, one != other) == (ours == theirs, ours != theirs)
    assert (one <= other, one < other, one >= other, one > other) == (
        ours <= theirs,
        ours < theirs,
        ours >= theirs,
        ours > theirs,
    )
    assert (other in one) == (theirs <= ours)
    assert (len(one), bool(one)) == (len(ours), bool(ours))
    assert one.points + other.points == (one | other).points + (one & other).points
    if ours == theirs:
        assert hash(one) == hash(other)


@given(places)
def test_every_form_reads_back(chosen: frozenset[int]) -> None:
    cards = cards_of(chosen)
    singles = list(cards)
    assert tichu.Cards(str(cards)) == cards
    assert tichu.Cards(singles) == tichu.Cards(map(str, singles)) == tichu.Cards(cards.numbers) == cards
    assert eval(repr(cards), {"Cards": tichu.Cards}) == cards
    assert pickle.loads(pickle.dumps(cards)) == copy.deepcopy(cards) == tichu.Cards(cards) == cards
    assert tichu.Cards.from_mask(cards.mask) == cards
    assert str(cards) == " ".join(map(str, singles))
    assert [single.mask for single in singles] == sorted((1 << place for place in chosen), reverse=True)


def test_the_deck_is_written_from_phoenix_to_dog() -> None:
    suited = [f"{suit}{value}" for value in "AKDBZ98765432" for suit in "RGBS"]
    assert str(DECK) == " ".join(["Ph", "Dr", *suited, "Ma", "Hu"])
    specials = [(16, 0), (15, 0)], [(1, 0), (0, 0)]
    suited_numbers = [(value, suit) for value in range(14, 1, -1) for suit in range(4, 0, -1)]
    assert list(DECK.numbers) == [*specials[0], *suited_numbers, *specials[1]]


def test_the_deck_counts_a_hundred_points() -> None:
    counted = {str(card): card.points for card in DECK if card.points}
    fives = {f"{suit}5": 5 for suit in "SBGR"}
    tens = {f"{suit}{value}": 10 for suit in "SBGR" for value in "ZK"}
    assert counted == {**fives, **tens, "Dr": 25, "Ph": -25}
    assert DECK.points == 100


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("S7 X9", "There is no card 'X9'."),
        ("s7", "There is no card 's7'."),
        ("S10", "There is no card 'S10'."),
        ("S7 B7 S7", "The card 'S7' is named twice."),
        (["S7", "B7 S7"], "The card 'S7' is named twice."),
        ([(7, 5)], "There is no card of value 7 and suit 5."),
        ([(7, 0)], "There is no card of value 7 and suit 0."),
        ([(1, 1)], "There is no card of value 1 and suit 1."),
        ([(17, 0)], "There is no card of value 17 and suit 0."),
        ([(-1, 0)], "There is no card of value -1 and suit 0."),
        ([(300, 1)], "There is no card of value 300 and suit 1."),
        ([(10**30, 1)], f"There is no card of value {10**30} and suit 1."),
    ],
)
def test_bad_cards_are_named(cards: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        tichu.Cards(cards)


@pytest.mark.parametrize("value", range(17))
def test_the_cards_of_a_value_are_those_that_say_so(value: int) -> None:
    assert tichu.Cards.of_value(value) == tichu.Cards([card for card in DECK.numbers if card[0] == value])


@pytest.mark.parametrize("value", [-1, 17, 256, 10**30])
def test_a_value_without_cards_is_refused(value: int) -> None:
    with pytest.raises(ValueError, match=f"^There are no cards of value {value}\\.$"):
        tichu.Cards.of_value(value)


@pytest.mark.parametrize("mask", [1 << 56, -1, 1 << 64])
def test_bad_masks_are_refused(mask: int) -> None:
    with pytest.raises(ValueError, match=r"^The mask \S+ has bits beyond the 56 cards of the deck\.$"):
        tichu.Cards.from_mask(mask)


@pytest.mark.parametrize("cards", [7, 3.5, None, [7], [None], [("S7", 1)], b"S7"])
def test_what_is_no_cards_is_a_type_error(cards: Any) -> None:
    with pytest.raises(TypeError):
        tichu.Cards(cards)


@pytest.mark.parametrize("card", [7, None, ("S7", 1), (7, 1, 1), (7.0, 1)])
def test_what_is_no_card_is_named(card: Any) -> None:
    sentence = re.escape(f"A card is a label or a pair of value and suit, not {card!r}.")
    with pytest.raises(TypeError, match=f"^{sentence}$"):
        tichu.Cards([card])


def test_cards_mix_only_with_cards() -> None:
    cards: Any = tichu.Cards("S7")
    assert cards != "S7"
    assert cards != cards.mask
    for mix, other in ((operator.or_, "B7"), (operator.and_, 1), (operator.sub, [cards]), (operator.le, {cards})):
        with pytest.raises(TypeError):
            mix(cards, other)


def test_cards_never_change() -> None:
    cards: Any = tichu.Cards("S7")
    with pytest.raises(AttributeError):
        cards.mask = 0
    other = cards
    other |= tichu.Cards("B7")
    assert str(cards) == "S7" and str(other) == "B7 S7"
