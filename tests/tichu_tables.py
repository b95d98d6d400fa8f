"""Positions of Tichu for tests, and moves made in them, written as text."""

from __future__ import annotations

from tisch import _core
from tisch.games import tichu
from tisch.games.tichu import Cards, Options, TichuState
from tisch.games.tichu.masks import DECK

GAME = tichu.GAME


def table(*hands: str, lead: int = 0, **options: int) -> TichuState:
    """A round after the schupf with these hands; all other cards have been laid, and the seat leads."""
    state = GAME.new(Options(**{"rounds": 1, **options}), 0)
    state.hands = [Cards(hand).mask for hand in hands]
    state.played = DECK & ~sum(state.hands)
    laid = [card.mask for card in Cards.from_mask(state.played)]
    state.given = [(laid[0], laid[1], laid[2])] * 4
    state.received = [(laid[2], laid[1], laid[0])] * 4
    state.phase = "play"
    state.start = state.turn = lead
    state.awaited = (lead,)
    state.alive = sum(1 << seat for seat in range(4) if hands[seat])
    state.bombers = sum(1 << seat for seat in range(4) if _core.tichu_has_bomb(state.hands[seat]))
    state.callers = state.alive
    return state


def do(state: TichuState, moves: str) -> TichuState:
    """Make moves written as ``0 play S7, 1 pass``."""
    for each in moves.split(", "):
        seat, text = each.split(" ", 1)
        state.play(int(seat), GAME.parse(text))
    return state


def texts(state: TichuState, seat: int) -> list[str]:
    """The legal moves of a seat as text."""
    return [str(move) for move in state.legal(seat)]


def called(seed: int, *, grand: tuple[int, ...] = ()) -> TichuState:
    """A new round in which these seats have called Grand Tichu and the others have not."""
    state = GAME.new(Options(rounds=1), seed)
    for seat in range(4):
        do(state, f"{seat} {'grand' if seat in grand else 'pass'}")
    return state


def schupfed(seed: int, *, grand: tuple[int, ...] = ()) -> TichuState:
    """A round in which everybody has given away the first three cards that he may."""
    state = called(seed, grand=grand)
    for seat in range(4):
        for _ in range(3):
            state.play(seat, state.legal(seat)[0])
    return state
