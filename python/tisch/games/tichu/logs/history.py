"""Turns the rounds of the database back into positions and moves of the engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tisch.games.tichu.cards import Cards, union
from tisch.games.tichu.game import GAME
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU, Move, dragon, wish
from tisch.games.tichu.options import Options
from tisch.games.tichu.rules import WISHES, TichuState
from tisch.games.tichu.state import SEATS, WISHING

#: The verbs, by their numbers in a history.
_PASS, _PLAY, _TAKE, _WISH, _TICHU, _DRAGON = range(6)
_PLAIN: Final = {_PASS: PASS, _TAKE: TAKE, _TICHU: TICHU}


class LoggedState(TichuState):
    """A round by the rules of Brettspielwelt: whoever lays the Mah Jong may pass instead of making a wish."""

    __slots__ = ()

    def _other_moves(self, seat: int) -> Sequence[Move]:
        legal = super()._other_moves(seat)
        return (PASS, *legal) if legal is WISHES else legal

    def _pass(self, seat: int, move: Move) -> None:
        if self.phase == WISHING:
            self._go_on_without_wish(seat)
        else:
            super()._pass(seat, move)


def moves(history: bytes) -> Iterator[tuple[int, Move]]:
    """Decode the moves of a round.

    :param history: The column ``history`` of a round.
    :result: Each seat with its move, from the first lead on. A wish that the log leaves out is missing.
    :raises ValueError: It is damaged.
    """
    try:
        yield from _other_moves(iter(history))
    except (RuntimeError, KeyError) as error:
        raise ValueError("The history of the round is damaged.") from error


def _other_moves(codes: Iterator[int]) -> Iterator[tuple[int, Move]]:
    """Decode moves; a number that is missing becomes a ``RuntimeError``."""
    for code in codes:
        seat, verb = code & 3, code >> 2
        if verb == _PLAY:
            yield seat, Move(f"play {union(_card(next(codes)) for _ in range(next(codes)))}")
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
    hands = [union(_card(index) for index, owner in enumerate(deal) if owner % 4 == seat) for seat in SEATS]
    given = [[_card(index) for index in gifts[3 * seat : 3 * seat + 3]] for seat in SEATS]
    return GAME.from_deal(hands, given, [call if call == 2 else 0 for call in calls])


def opening(deal: bytes, gifts: bytes, calls: bytes, history: bytes) -> tuple[LoggedState, Iterator[tuple[int, Move]]]:
    """Set up a round before the calls of Grand Tichu.

    :param deal: The column ``deal`` of a round.
    :param gifts: The column ``gifts``.
    :param calls: The column ``calls``.
    :param history: The column ``history``.
    :result: The state, which is over with this round, and each seat with its move, from the first call to the last
        card. The caller makes each move before it asks for the next one.
    """
    # The owner of a card is its seat, plus 4 if it was among the first eight.
    held = [union(_card(index) for index, owner in enumerate(deal) if owner == place) for place in range(8)]
    state = LoggedState(Options(rounds=1), 0)
    state.hands, state.rest = held[4:], held[:4]
    return state, _decisions(state, gifts, calls, history)


def _decisions(state: TichuState, gifts: bytes, calls: bytes, history: bytes) -> Iterator[tuple[int, Move]]:
    for seat in SEATS:
        yield seat, GRAND if calls[seat] == 2 else PASS
    for place, index in enumerate(gifts):
        yield place // 3, Move(f"give {_card(index)}")
    for seat, move in moves(history):
        if state.phase == WISHING and move.verb not in ("wish", "tichu"):
            yield state.turn, PASS
        yield seat, move


def _card(index: int) -> Cards:
    """Return the card with a number in the order of the deck."""
    return Cards.from_mask(1 << index)
