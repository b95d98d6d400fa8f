"""Converts the engine's state into the core's round, which plays the same rules hundreds of times as fast.

The engine defines the rules; :class:`Round` is its twin for simulations, without names, events and further rounds: one
round from any moment to its end. Tests compare both move by move.
"""

from __future__ import annotations

from typing import Final

from tisch._core.maumau import Round
from tisch.games.maumau.moves import FINISH, WISHES, Move, play
from tisch.games.maumau.rules import NO_WISH, MauMauState

__all__ = ["MOVES", "NUMBERS", "Round", "simulate"]

#: The moves by their numbers in the core, which draws without saying how many cards.
MOVES: Final[tuple[Move, ...]] = (*map(play, range(32)), *WISHES, FINISH)
NUMBERS: Final = {move: number for number, move in enumerate(MOVES)}


def simulate(state: MauMauState) -> Round:
    """Create the core's round from the current round of a state.

    :param state: The state; it is not changed.
    :result: An independent round at the same moment.
    """
    options = state.options
    return Round(
        hands=state.hands,
        stock=bytes(state.stock),
        pile=bytes(state.pile),
        wish=None if state.wish == NO_WISH else state.wish,
        wishing=state.wishing,
        penalty=state.penalty,
        jacks=state.jacks,
        drew=state.drew,
        turn=state.turn or 0,
        over=state.turn is None,
        rules=(options.stacking, options.wish_on_wish, options.play_drawn),
    )
