"""Positions of Sechsundsechzig written as cards, and moves written as text."""

from __future__ import annotations

from tisch.games.sechsundsechzig import GAME, Options, SechsundsechzigState

FULL_DECK = "K9 P9 PB PD PK P10 PA X9 XB XD XK X10"


def table(
    first: str,
    second: str,
    deck: str = "",
    *,
    trump: str = "K",
    points: tuple[int, int] = (0, 0),
    tricks: tuple[str, str] = ("", ""),
    goal: int = 1,
) -> SechsundsechzigState:
    """Set up a game in which the first seat leads; the deck has the open card first, then the next cards to draw."""
    state = GAME.new(Options(goal=goal), 0)
    state.hands = [tuple(first.split()), tuple(second.split())]
    state.deck = tuple(deck.split())
    state.trump = state.deck[0][0] if deck else trump
    state.past = None
    state.points = list(points)
    state.tricks = [tuple(cards.split()) for cards in tricks]
    return state


def play(state: SechsundsechzigState, moves: str) -> SechsundsechzigState:
    """Make moves such as ``0 lay HA, 1 lay H9``."""
    for move in moves.split(", "):
        seat, _, text = move.partition(" ")
        state.play(int(seat), GAME.parse(text))
    return state
