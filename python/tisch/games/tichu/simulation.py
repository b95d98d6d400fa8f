"""From the engine's state to the core's round, which plays the same rules hundreds of times as fast.

The engine is the law; :class:`Round` is its twin for simulations, without names, events, options and series: one round
from any moment to its score. Tests play both in step.
"""

from __future__ import annotations

from tisch._core.tichu import Round
from tisch.games.tichu.moves import GRAND
from tisch.games.tichu.rules import TichuState

__all__ = ["Round", "simulate"]


def simulate(state: TichuState) -> Round:
    """Make the core's round from the round that a state plays.

    :param state: The state; it is not changed.
    :result: An independent round at the same moment, with what was noted of the others' hands.
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
    )
