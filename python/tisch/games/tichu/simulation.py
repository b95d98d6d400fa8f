"""Converts the engine's state into the core's round, which plays the same rules hundreds of times as fast.

The engine defines the rules; :class:`Round` is its twin for simulations, without names, events, options and series: one
round from any moment to its score. Tests compare both move by move.
"""

from __future__ import annotations

from tisch._core.tichu import Round
from tisch.games.tichu.moves import GRAND
from tisch.games.tichu.rules import TichuState

__all__ = ["Round", "simulate"]


def simulate(state: TichuState) -> Round:
    """Create the core's round from the current round of a state.

    :param state: The state; it is not changed.
    :result: An independent round at the same moment, with the recorded evidence about the others' hands.
    """
    calls = state.announced
    if any(state.decided):
        calls = [2 if move == GRAND else call for move, call in zip(state.decided, calls, strict=True)]
    return Round(
        phase=state.phase,
        awaited=sum(1 << seat for seat in state.awaited),
        hands=state.hands,
        rest=state.rest if state.phase == "grand" else (0, 0, 0, 0),
        laid=state.laid,
        given=state.given,
        trick=state.trick_cards,
        top=state.top,
        owner=state.owner,
        turn=state.turn,
        calls=calls,
        callers=state.callers,
        wish=state.wish,
        points=state.points,
        winner=state.winner,
        loser=state.loser,
        wished=state.wished,
        void=state.void,
        missed=state.missed,
        tricks=[[(seat, move.code) for seat, move in trick] for trick in (*state.tricks, state.trick) if trick],
    )
