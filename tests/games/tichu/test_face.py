"""Tests of the public interface of Tichu, as docs/design.md fixes it for others to build on."""

from __future__ import annotations

import pytest

from tisch.games import tichu


def test_cards_are_a_set_that_reads_like_one() -> None:
    hand = tichu.Cards("Ph RA S7 B7 G7")
    assert (str(hand), len(hand), hand.points) == ("Ph RA G7 B7 S7", 5, -25)
    assert [str(card) for card in hand] == ["Ph", "RA", "G7", "B7", "S7"]
    assert tichu.Cards("S7 RA") in hand
    assert hand & tichu.Cards("RA RK") == tichu.Cards("RA")
    assert tichu.Cards("RA") | tichu.Cards("RK") == tichu.Cards("RK RA")
    assert hand - tichu.Cards("Ph RA") == tichu.Cards("S7 B7 G7")
    assert hash(hand) == hash(tichu.Cards("G7 B7 S7 RA Ph"))


def test_combinations_are_named_tuples_of_their_types() -> None:
    assert [(kind.name, int(kind)) for kind in tichu.CombinationType] == [
        ("PASS", 0),
        ("SINGLE", 1),
        ("PAIR", 2),
        ("TRIPLE", 3),
        ("STAIR", 4),
        ("FULLHOUSE", 5),
        ("STREET", 6),
        ("BOMB", 7),
    ]
    pair = tichu.Combination(type=tichu.CombinationType.PAIR, length=2, rank=7)
    assert tichu.classify(tichu.Cards("S7 Ph")) == pair == (2, 2, 7)
    assert tichu.classify(tichu.Cards("S7 B8")) is None
    assert tichu.classify(tichu.Cards("Ph")) == (tichu.CombinationType.SINGLE, 1, 16)


def test_questions_of_a_hand_take_their_arguments_by_name() -> None:
    hand = tichu.Cards("Ph S7 B7 RA")
    trick = tichu.Combination(tichu.CombinationType.PAIR, 2, 6)
    assert (tichu.Cards("S7 B7"), (2, 2, 7)) in tichu.combinations(hand)
    laid = tichu.plays(hand, trick=trick, wish=14)
    assert [(str(cards), tuple(combination)) for cards, combination in laid] == [("Ph RA", (2, 2, 14))]
    assert tichu.plays(tichu.Cards("S2"), trick=trick)[0] == (tichu.Cards(), (tichu.CombinationType.PASS, 0, 0))
    for partition in tichu.partitions(hand, limit=5):
        assert tichu.Cards([cards for cards, _ in partition]) == hand
    assert len(tichu.fewest(hand)) == 2
    assert tichu.Hand(hand).after(tichu.Cards("S7 B7"), trick).cards == tichu.Cards("Ph RA")


def test_odds_take_their_arguments_by_name() -> None:
    unseen = tichu.Cards("SA S2 S3 S4 S5 S6")
    five = tichu.Combination(tichu.CombinationType.SINGLE, 1, 5)
    assert tichu.odds.higher(unseen=unseen, k=1, combination=five) == pytest.approx(2 / 6)
    assert tichu.odds.lower(unseen=unseen, k=1, combination=five) == pytest.approx(3 / 6)
    assert tichu.odds.higher(unseen=unseen, k=5, combination=five) == 1
    ace = tichu.Combination(tichu.CombinationType.SINGLE, 1, 14)
    assert tichu.odds.higher(unseen=unseen, k=5, combination=ace) == 0
    assert tichu.odds.beats(unseen=unseen, k=5, combination=ace) == pytest.approx(1 / 6)
