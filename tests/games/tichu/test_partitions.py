"""Tests of partitions: the core against its slow twin, and properties of every hand."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations as subsets

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import combinations as slow_combinations
from reference import partitions as slow
from tichu_hands import SMALL_DECKS, cards_at, places, small_hands
from tisch.game import Random
from tisch.games import tichu

#: The code of passing; all combinations have lower ones.
PASS = tichu.Move("pass").code

#: The special cards and two suits of five values.
NARROW_DECK = places(tichu.Cards("Hu Ma Dr Ph S2 S3 S4 S5 S6 B2 B3 B4 B5 B6"))

WORST = {
    "seven pairs in sequence": "S2 B2 S3 B3 S4 B4 S5 B5 S6 B6 S7 B7 S8 B8",
    "seven pairs apart": "S2 B2 S4 B4 S6 B6 S8 B8 SZ BZ SD BD SA BA",
    "seven pairs of which the phoenix completes one": "S2 B2 S3 B3 S4 B4 S5 Ph S6 B6 S7 B7 S8 B8",
    "a street of 14": "Ma S2 B3 G4 R5 S6 B7 G8 R9 SZ BB GD RK SA",
    "a street of 14 with the phoenix within": "Ma S2 B3 G4 R5 S6 Ph G8 R9 SZ BB GD RK SA",
    "a street of 13 and the phoenix, which finds no place": "S2 B3 G4 R5 S6 B7 G8 R9 SZ BB GD RK SA Ph",
    "a bomb of 13": "R2 R3 R4 R5 R6 R7 R8 R9 RZ RB RD RK RA Ph",
    "three bombs and the phoenix": "S2 B2 G2 R2 S5 B5 G5 R5 S8 B8 G8 R8 Ph SZ",
    "three bombs in sequence and the phoenix": "S6 B6 G6 R6 S7 B7 G7 R7 S8 B8 G8 R8 Ph Dr",
    "three bombs in sequence with pair": "S6 B6 G6 R6 S7 B7 G7 R7 S8 B8 G8 R8 S9 B9",
    "triples without pairs": "S2 B2 G2 S4 B4 G4 S6 B6 G6 S8 B8 G8 Ph Hu",
    "a bomb between triples": "S2 B2 G2 R2 S5 B5 G5 S8 B8 G8 SB BB GB Ph",
    "two streets": "S3 S4 S5 S6 S7 S8 B5 B6 B7 B8 B9 BZ BB Ph",
    "nothing fits": "Hu Ma S3 B5 G7 R9 SB BK Dr S2 B4 G6 R8 Ph",
}


def deal(random: Random, size: int, *, phoenix: bool, values: int = 13) -> frozenset[int]:
    """Deal a hand from a deck of some adjacent values and the special cards.

    :param random: The source of randomness.
    :param size: The number of cards.
    :param phoenix: Whether the phoenix is among them.
    :param values: The number of values in the deck.
    :result: The indices of the cards in the deck.
    """
    lowest = 2 + 4 * random.below(14 - values)
    deck = [0, 1, *range(lowest, lowest + 4 * values), 54]
    random.shuffle(deck)
    return frozenset([55, *deck[: size - 1]] if phoenix else deck[:size])


def as_sets(partition: tichu.Plays) -> slow.Partition:
    return tuple(sorted(places(cards) for cards, _ in partition))


@cache
def slow_play(cards: tichu.Cards) -> slow_combinations.Play:
    combination = slow_combinations.classify(places(cards))
    assert combination is not None
    return places(cards), combination


def assert_like_twin(hand: frozenset[int]) -> None:
    expected = slow.partitions(hand)
    found = tichu.partitions(cards_at(hand), limit=1_000_000)
    assert found.complete
    assert [as_sets(partition) for partition in found] == expected
    fewest = tichu.fewest(cards_at(hand))
    assert as_sets(fewest) in expected and len(fewest) == len(expected[0])


def assert_is_partition(partition: tichu.Plays, hand: tichu.Cards) -> None:
    assert tichu.Cards([cards for cards, _ in partition]) == hand
    plays = [slow_play(cards) for cards, _ in partition]
    assert [combination for _, combination in partition] == [combination for _, combination in plays]
    assert plays == sorted(plays, key=slow_combinations.order)


@pytest.mark.parametrize("deck", SMALL_DECKS.values(), ids=SMALL_DECKS)
@pytest.mark.parametrize("most", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_small_hand_of_20_cards(deck: tuple[int, ...], most: int) -> None:
    for hand in small_hands(deck, most):
        assert_like_twin(frozenset(hand))


def test_every_hand_of_6_of_14_cards() -> None:
    for hand in subsets(NARROW_DECK, 6):
        assert_like_twin(frozenset(hand))


@pytest.mark.parametrize("phoenix", [False, True])
@pytest.mark.parametrize(("size", "count"), [(6, 1000), (7, 500), (8, 200), (9, 100)])
def test_random_hands_in_full(size: int, count: int, phoenix: bool) -> None:
    random = Random(2, "partitions", size, int(phoenix))
    for _ in range(count):
        assert_like_twin(deal(random, size, phoenix=phoenix, values=3 + random.below(6)))


@pytest.mark.parametrize("phoenix", [False, True])
def test_random_hands_of_14_in_full(phoenix: bool) -> None:
    random = Random(5, "partitions", int(phoenix))
    for _ in range(10):
        assert_like_twin(deal(random, 14, phoenix=phoenix))


@pytest.mark.parametrize("phoenix", [False, True])
def test_the_fewest_of_hands_of_14(phoenix: bool) -> None:
    random = Random(3, "partitions", int(phoenix))
    for values in range(4, 14):
        for _ in range(3):
            hand = deal(random, 14, phoenix=phoenix, values=values)
            assert len(tichu.fewest(cards_at(hand))) == slow.fewest(hand), cards_at(hand)


@pytest.mark.slow
@pytest.mark.parametrize("phoenix", [False, True])
def test_the_fewest_of_a_thousand_hands_of_14(phoenix: bool) -> None:
    random = Random(6, "partitions", int(phoenix))
    for _ in range(1000):
        hand = deal(random, 14, phoenix=phoenix)
        assert len(tichu.fewest(cards_at(hand))) == slow.fewest(hand), cards_at(hand)


@pytest.mark.parametrize("hand", WORST.values(), ids=WORST)
def test_the_fewest_of_built_up_hands(hand: str) -> None:
    built = tichu.Cards(hand)
    assert len(built) == 14
    fewest = tichu.fewest(built)
    assert_is_partition(fewest, built)
    assert len(fewest) == slow.fewest(frozenset(places(built)))


@pytest.mark.parametrize("phoenix", [False, True])
def test_hands_of_14_have_different_partitions_the_shortest_first(phoenix: bool) -> None:
    random = Random(4, "partitions", int(phoenix))
    for _ in range(5):
        hand = cards_at(deal(random, 14, phoenix=phoenix, values=4 + random.below(10)))
        found = tichu.partitions(hand)
        assert len(found) == 2000 or found.complete
        for partition in found:
            assert_is_partition(partition, hand)
        assert len({as_sets(partition) for partition in found}) == len(found)
        lengths = [len(partition) for partition in found]
        assert lengths == sorted(lengths) and lengths[0] == len(tichu.fewest(hand))


def test_a_limit_cuts_off_the_last() -> None:
    hand = tichu.Cards("Ph S9 B9 G9 S8 B8 S7 B7 G7 R6 S6 S5 B4 Ma")
    every = tichu.partitions(hand, limit=1_000_000)
    assert every.complete and len(every) > 2000
    for limit in (1, 2, 77, len(every) - 1):
        cut = tichu.partitions(hand, limit=limit)
        assert not cut.complete and list(cut) == every[:limit]
    assert tichu.partitions(hand, limit=len(every)).complete
    assert list(tichu.partitions(hand)) == every[:2000]


@given(st.sets(st.integers(0, 55), max_size=14), st.data())
def test_what_is_left_after_plays_is_split_like_any_hand(hand: set[int], data: st.DataObject) -> None:
    held = cards_at(hand)
    plays = tichu.combinations(held)
    assert tichu.fewest_after(held, plays) == [len(tichu.fewest(held - cards)) for cards, _ in plays]
    gone = cards_at(place for place in sorted(hand) if data.draw(st.booleans()))
    left = [len(tichu.fewest(held - gone)), len(tichu.fewest(held)), 0]
    assert tichu.fewest_after(held, [gone, tichu.Cards(), held]) == left


@pytest.mark.parametrize("phoenix", [False, True])
@pytest.mark.parametrize("size", [1, 5, 8, 9])
def test_the_cheapest_way_costs_what_the_twin_finds(size: int, phoenix: bool) -> None:
    random = Random(size, "prices")
    prices = [random.below(3000) - 1000 for _ in range(PASS)]

    def price(cards: tuple[int, ...]) -> int:
        return prices[tichu.Move(f"play {cards_at(cards)}").code]

    for _ in range(60):
        held = cards_at(deal(random, size, phoenix=phoenix, values=5 + random.below(6)))
        plays = [tichu.Cards(), *(cards for cards, _ in tichu.combinations(held))]
        some = plays[:: 1 + len(plays) // 12]
        left = [slow.cheapest(frozenset(places(held - cards)), price) for cards in some]
        assert tichu.cheapest_after(held, some, prices) == left


def test_moves_are_as_good_as_cards() -> None:
    held = tichu.Cards("Ph S9 BK GK S4 S3")
    moves = [tichu.Move(text) for text in ("pass", "play BK GK", "play Ph S9")]
    assert tichu.fewest_after(held, moves) == tichu.fewest_after(held, [move.cards for move in moves]) == [4, 3, 3]
    assert tichu.cheapest_after(held, moves, [1] * PASS) == [4, 3, 3]
    with pytest.raises(ValueError, match="There are 226 combinations to be priced, not 3"):
        tichu.cheapest_after(held, moves, [1] * 3)


@given(st.sets(st.integers(0, 55), max_size=14))
def test_at_one_price_the_cheapest_are_the_fewest(hand: set[int]) -> None:
    held = cards_at(hand)
    plays = tichu.combinations(held)
    assert tichu.cheapest_after(held, plays, [1] * PASS) == tichu.fewest_after(held, plays)


def test_no_cards_have_one_partition_of_nothing() -> None:
    none = tichu.partitions(tichu.Cards())
    assert none.complete and [list(partition) for partition in none] == [[]]
    assert list(tichu.fewest(tichu.Cards())) == []


def test_partitions_are_a_sequence() -> None:
    found = tichu.partitions(tichu.Cards("S2 B2 S3 B3"))
    assert isinstance(found, Sequence)
    stair, pairs, *_, singles = found
    assert [str(cards) for cards, _ in stair] == ["B3 S3 B2 S2"]
    assert list(pairs) == [
        (tichu.Cards("S2 B2"), tichu.Combination(tichu.CombinationType.PAIR, 2, 2)),
        (tichu.Cards("S3 B3"), tichu.Combination(tichu.CombinationType.PAIR, 2, 3)),
    ]
    assert len(found) == 5 and found[-1] == found[4] == singles and found[1:3] == [found[1], found[2]]
    assert list(reversed(found)) == found[::-1]
    assert pairs in found and tichu.fewest(tichu.Cards("S2")) not in found and "S2" not in found
    assert found.index(singles) == 4 and found.index(pairs, -4, -1) == 1
    assert (found.count(pairs), found.count(None)) == (1, 0)
    assert repr(found) == "<5 partitions, complete>"
    assert repr(tichu.partitions(tichu.Cards("S2 B2"), limit=1)) == "<1 partitions, cut off>"
    for place in (5, -6):
        with pytest.raises(IndexError, match="There is no partition"):
            found[place]
    with pytest.raises(ValueError, match="does not hold this partition"):
        found.index(stair, 1)


def test_what_cannot_be_split_is_named() -> None:
    hand = tichu.Cards("S2 B2")
    assert tichu.partitions(hand, limit=10**30).complete
    for limit in (0, -5, -(10**30)):
        with pytest.raises(ValueError, match=f"The limit is at least 1 partition, not {limit}."):
            tichu.partitions(hand, limit=limit)
    for strange in (["RA"], 7, hand):
        with pytest.raises(TypeError):
            tichu.fewest_after(hand, strange)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="RA"):
        tichu.fewest_after(hand, [hand, tichu.Cards("RA")])
    too_many = cards_at(range(15))
    for split in (tichu.fewest, tichu.partitions, lambda many: tichu.fewest_after(many, [])):
        with pytest.raises(ValueError, match="at most 14 cards, not 15"):
            split(too_many)
