"""Turns the rounds of the database back into positions and moves of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tisch.games.tichu.cards import Cards
from tisch.games.tichu.game import GAME
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU, Move, dragon, wish
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.seats import SEATS

#: The verbs, by their numbers in a history.
_PASS, _PLAY, _TAKE, _WISH, _TICHU, _DRAGON = range(6)
_PLAIN: Final = {_PASS: PASS, _TAKE: TAKE, _TICHU: TICHU}


def moves(history: bytes) -> Iterator[tuple[int, Move]]:
    """Decode the moves of a round.

    :param history: The column ``history`` of a round.
    :result: Each seat with its move, from the first lead on. A wish that the log leaves out is missing.
    :raises ValueError: It is damaged.
    """
    try:
        yield from _moves(iter(history))
    except (RuntimeError, KeyError) as error:
        raise ValueError("The history of the round is damaged.") from error


def _moves(codes: Iterator[int]) -> Iterator[tuple[int, Move]]:
    """Decode moves; a number that is missing becomes a ``RuntimeError``."""
    for code in codes:
        seat, verb = code & 3, code >> 2
        if verb == _PLAY:
            cards = [next(codes) for _ in range(next(codes))]
            yield seat, Move(f"play {Cards.from_mask(sum(1 << card for card in cards))}")
        elif verb == _WISH:
            yield seat, wish(next(codes))
        elif verb == _DRAGON:
            yield seat, dragon(next(codes))
        else:
            yield seat, _PLAIN[verb]


def state(deal: bytes, gifts: bytes, calls: bytes) -> TichuState:
    """Set up a round before its first lead.

    :param deal: The column ``deal`` of a round.
    :param gifts: The column ``gifts``.
    :param calls: The column ``calls``; small Tichu is a move of the history instead.
    :result: The state, which is over with this round.
    """
    hands = [Cards.from_mask(sum(1 << card for card, owner in enumerate(deal) if owner % 4 == seat)) for seat in SEATS]
    given = [[Cards.from_mask(1 << card) for card in gifts[3 * seat : 3 * seat + 3]] for seat in SEATS]
    return GAME.from_deal(hands, given, [call if call == 2 else 0 for call in calls])


def opening(deal: bytes, gifts: bytes, calls: bytes) -> tuple[TichuState, list[tuple[int, Move]]]:
    """Set up a round before the calls of Grand Tichu.

    :param deal: The column ``deal`` of a round.
    :param gifts: The column ``gifts``.
    :param calls: The column ``calls``.
    :result: The state, which is over with this round, and the moves that lead to its first trick.
    """
    first, rest = (
        [sum(1 << card for card, owner in enumerate(deal) if owner == seat + early) for seat in SEATS]
        for early in (4, 0)
    )
    state = GAME.from_deal([Cards.from_mask(hand) for hand in first], rest=[Cards.from_mask(hand) for hand in rest])
    decided = [(seat, GRAND if calls[seat] == 2 else PASS) for seat in SEATS]
    given = [(place // 3, Move(f"give {Cards.from_mask(1 << card)}")) for place, card in enumerate(gifts)]
    return state, decided + given
