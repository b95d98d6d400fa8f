"""Tests of Tichu's moves as values and as the lazy sequence of the rules."""

from __future__ import annotations

import pickle
import re
from collections.abc import Sequence

import pytest

from tisch.games.tichu import Cards, Move
from tisch.games.tichu.cards import DECK
from tisch.games.tichu.moves import PASS, TICHU, dragon, wish


@pytest.fixture
def moves() -> Sequence[Move]:
    """Return the moves of a seat in turn on a single nine."""
    return Cards("RA BZ S7 S2 B2 G2 R2").moves_in_turn(Move("play S9").combination, 0, True)


def told(moves: Sequence[Move]) -> list[str]:
    """Return moves as texts."""
    return [str(move) for move in moves]


def test_cards_know_the_moves_of_the_seat_that_holds_them() -> None:
    hand, pair = Cards("RA SA BZ S7 S2 B2 G2 R2"), (2, 2, 9)
    assert told(hand.moves_in_turn(pair, 0, False)) == ["pass", "play RA SA", "play R2 G2 B2 S2"]
    assert told(hand.moves_in_turn((1, 1, 9), 14, True)) == ["play SA", "play RA", "play R2 G2 B2 S2", "tichu"]
    assert told(hand.moves_out_of_turn(pair, True)) == ["play R2 G2 B2 S2", "tichu"]
    assert told(hand.moves_out_of_turn((7, 4, 2), False)) == told(Cards().moves_out_of_turn(pair, False)) == []
    assert told(Cards("Hu RA S2 Dr").moves_of_giving()) == ["give S2", "give RA", "give Hu", "give Dr"]


@pytest.mark.parametrize(
    ("cards", "trick", "wish", "sentence"),
    [
        (DECK, (1, 1, 9), 0, "A hand has at most 14 cards, not 56."),
        (Cards("S7"), (1, 2, 9), 0, "No cards form the combination (1, 2, 9)."),
        (Cards("S7"), (1, 300, 9), 0, "No cards form the combination (1, 300, 9)."),
        (Cards("S7"), (1, 1, 9), 15, "A wish is a value from 2 to 14, or 0 for none, not 15."),
    ],
)
def test_moves_of_what_cannot_be_are_refused(
    cards: Cards, trick: tuple[int, int, int], wish: int, sentence: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        cards.moves_in_turn(trick, wish, False)
    if not wish:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            cards.moves_out_of_turn(trick, False)


def test_a_move_tells_what_it_is() -> None:
    move = Move("play S7 B7")
    assert (move.verb, move.cards, move.combination, str(move)) == ("play", Cards("B7 S7"), (2, 2, 7), "play B7 S7")
    assert (wish(9).operand, dragon(3).operand, PASS.operand) == (9, 3, 0)
    assert (Move("give Ph").cards, PASS.cards, PASS.combination) == (Cards("Ph"), Cards(), (0, 0, 0))


def test_moves_are_values() -> None:
    assert Move("play S7 B7") == Move("play B7 S7") != Move("play S7")
    assert len({Move("pass"), PASS, TICHU}) == 2
    assert pickle.loads(pickle.dumps(wish(4))) == wish(4)
    assert repr(PASS) == "Move('pass')"


@pytest.mark.parametrize(
    "text", ["", "pass now", "wish 1", "wish 15", "wish 010", "dragon 4", "give S2 B2", "play Hu S2"]
)
def test_a_text_that_is_no_move_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"no move of Tichu|form no combination"):
        Move(text)


def test_the_offer_is_a_sequence(moves: Sequence[Move]) -> None:
    assert isinstance(moves, Sequence)
    assert [str(move) for move in moves] == ["pass", "play BZ", "play RA", "play R2 G2 B2 S2", "tichu"]
    assert (moves[0], moves[-1], len(moves)) == (PASS, TICHU, 5)
    assert list(moves[1:-1]) == list(moves)[1:-1]
    assert list(reversed(moves)) == list(moves)[::-1]
    assert moves.index(TICHU) == 4
    assert moves.count(PASS) == 1
    assert Move("play RA") in moves
    assert Move("play S7") not in moves
    assert "pass" not in moves
    with pytest.raises(IndexError, match="no move 5"):
        moves[5]
    with pytest.raises(ValueError, match="not in tuple"):
        moves.index(Move("play S7"))
