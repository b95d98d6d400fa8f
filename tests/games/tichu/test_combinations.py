"""Tests of combinations: equal to the slow, obvious twin, including the order."""

import csv
from itertools import combinations as subsets
from math import comb, prod
from typing import Any

import pytest

from places import TESTS
from reference import combinations as reference
from tichu_hands import SMALL_DECKS, WORST, all_in, cards_at, expected, listed, places, random_hands, small_hands
from tisch.games import tichu
from tisch.games.tichu import Cards, Combination
from tisch.games.tichu.cards import DECK

CENSUS = TESTS / "tables" / "tichu_census.csv"
PASS, SINGLE, PAIR, TRIPLE, STAIR, FULLHOUSE, STREET, BOMB = tichu.CombinationType


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", (PASS, 0, 0)),
        ("Hu", (SINGLE, 1, 0)),
        ("Ma", (SINGLE, 1, 1)),
        ("Dr", (SINGLE, 1, 15)),
        ("Ph", (SINGLE, 1, 16)),
        ("S7 Ph", (PAIR, 2, 7)),
        ("Ma Ph", None),
        ("Dr Ph", None),
        ("Hu Ph", None),
        ("S7 B7 Ph", (TRIPLE, 3, 7)),
        ("S7 B7 G7 Ph", None),
        ("S7 B7 G7 R7", (BOMB, 4, 7)),
        ("S7 B7 G7 R7 Ph", None),
        ("S7 B7 S8 Ph", (STAIR, 4, 8)),
        ("S7 B7 S9 B9", None),
        ("S7 B7 S8 B8 Ph", (FULLHOUSE, 5, 8)),
        ("S7 B7 G7 S8 Ph", (FULLHOUSE, 5, 7)),
        ("S7 B7 G7 S8 B8 G8", None),
        ("S7 B7 G7 R7 S8", None),
        ("S3 B4 S5 S6 Ph", (STREET, 5, 7)),
        ("S3 B4 S6 S7 Ph", (STREET, 5, 7)),
        ("S3 S4 S5 S6 Ph", (STREET, 5, 7)),
        ("Ph SB SD SK BA", (STREET, 5, 14)),
        ("Ma S2 S3 S4 Ph", (STREET, 5, 5)),
        ("Ma S2 S3 S4 S5", (STREET, 5, 5)),
        ("S2 S3 S4 S5 S6", (BOMB, 5, 6)),
        ("S2 S3 S4 S5 B6", (STREET, 5, 6)),
        ("S2 S3 S4 S5", None),
        ("S2 S3 S4 Ph", None),
        ("SK SA Ma S2 S3", None),
        ("S3 S4 S5 S6 Dr", None),
        ("Hu Ma S2 S3 S4 S5", None),
        ("S2 S3 S4 S5 S6 S7 S8 S9 SZ SB SD SK SA", (BOMB, 13, 14)),
        ("S2 S3 S4 S5 S6 S7 S8 S9 SZ SB SD SK SA Ph", None),
        ("Ma S2 S3 S4 S5 S6 S7 S8 S9 SZ SB SD SK SA", (STREET, 14, 14)),
        ("Ma S2 S3 S4 S5 S6 S7 S8 S9 SZ SB SD SK Ph", (STREET, 14, 14)),
        ("Ma S2 S3 S4 S5 S6 S7 S8 S9 SZ SB SD SK SA Ph", None),
    ],
)
def test_what_cards_form(text: str, what: tuple[int, int, int] | None) -> None:
    combination = tichu.classify(Cards(text))
    assert combination == what
    if combination is not None:
        assert isinstance(combination, Combination) and isinstance(combination.type, tichu.CombinationType)
        assert combination is tichu.classify(Cards(text)), "Combinations are made once and handed out."


def test_names_of_combinations_are_real() -> None:
    street = tichu.classify(Cards("S3 B4 S5 S6 S7"))
    assert street is not None
    assert (street.type, street.length, street.rank) == (STREET, 5, 7)
    assert street == Combination(STREET, 5, 7) and hash(street) == hash((6, 5, 7))
    assert street._replace(rank=8).type is STREET


@pytest.mark.parametrize("deck", SMALL_DECKS.values(), ids=SMALL_DECKS)
def test_every_small_hand_equals_the_twin(deck: tuple[int, ...]) -> None:
    for hand in small_hands(deck):
        cards = cards_at(hand)
        assert listed(tichu.combinations(cards)) == expected(reference.combinations(hand)), cards
        assert tichu.classify(cards) == reference.classify(hand), cards


def test_random_hands_equal_the_twin() -> None:
    for hand in random_hands(800, seed=14):
        assert listed(tichu.combinations(cards_at(hand))) == expected(all_in(hand)), cards_at(hand)


@pytest.mark.parametrize("text", WORST)
def test_the_worst_hands_equal_the_twin(text: str) -> None:
    hand = places(Cards(text))
    found = tichu.combinations(Cards(text))
    assert len(hand) == 14
    assert listed(found) == expected(all_in(hand))
    formed = {cards.mask for cards, _ in found}
    for length in (2, 3, 4, 5, 6, 7, 13, 14):
        for subset in subsets(hand, length):
            cards = cards_at(subset)
            assert (tichu.classify(cards) is not None) == (cards.mask in formed), cards


def test_combinations_come_bombs_first_then_the_longest() -> None:
    found = tichu.combinations(Cards("Hu S2 S3 S4 S5 S6 S7 B7 G7 R7"))
    lines = [f"{combination.type.name} {cards}" for cards, combination in found]
    assert lines == [
        *("BOMB S7 S6 S5 S4 S3 S2", "BOMB S6 S5 S4 S3 S2", "BOMB S7 S6 S5 S4 S3", "BOMB R7 G7 B7 S7"),
        *("STREET B7 S6 S5 S4 S3 S2", "STREET G7 S6 S5 S4 S3 S2", "STREET R7 S6 S5 S4 S3 S2"),
        *("STREET B7 S6 S5 S4 S3", "STREET G7 S6 S5 S4 S3", "STREET R7 S6 S5 S4 S3"),
        *("TRIPLE G7 B7 S7", "TRIPLE R7 B7 S7", "TRIPLE R7 G7 S7", "TRIPLE R7 G7 B7"),
        *("PAIR B7 S7", "PAIR G7 S7", "PAIR G7 B7", "PAIR R7 S7", "PAIR R7 B7", "PAIR R7 G7"),
        *("SINGLE Hu", "SINGLE S2", "SINGLE S3", "SINGLE S4", "SINGLE S5", "SINGLE S6"),
        *("SINGLE S7", "SINGLE B7", "SINGLE G7", "SINGLE R7"),
    ]


def test_a_hand_of_more_than_14_cards_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^A hand has at most 14 cards, not 56\.$"):
        tichu.combinations(DECK)


def forms_of_the_deck() -> dict[tuple[int, int, int], int]:
    """Count the combinations of the whole deck from the twin's list of forms alone."""
    counts: dict[tuple[int, int, int], int] = {}

    def add(kind: int, length: int, rank: int, count: int) -> None:
        counts[kind, length, rank] = counts.get((kind, length, rank), 0) + count

    for values, (kind, rank) in reference.FORMS.items():
        choices = prod(comb(4 if 2 <= value <= 14 else 1, values.count(value)) for value in set(values))
        bombs = 4 if kind == STREET and 1 not in values and 16 not in values else 0
        add(kind, len(values), rank, choices - bombs)
        if bombs:
            add(BOMB, len(values), rank, bombs)
    return counts


def test_the_census_of_the_deck_is_the_tables() -> None:
    with CENSUS.open(encoding="utf-8", newline="") as table:
        rows = [tuple(map(int, row)) for row in list(csv.reader(table))[1:]]
    tabled = {(kind, length, rank): count for kind, length, rank, count in rows}
    assert len(tabled) == len(rows) == 226
    assert tabled == forms_of_the_deck()
    assert tichu.census(DECK) == tabled


def test_the_census_of_a_hand_counts_its_combinations() -> None:
    for cards in [*map(cards_at, random_hands(100, seed=3)), *map(Cards, WORST)]:
        counted: dict[Any, int] = {}
        for _, combination in tichu.combinations(cards):
            counted[combination] = counted.get(combination, 0) + 1
        assert tichu.census(cards) == counted, cards
