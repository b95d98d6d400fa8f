"""The core's round of Tichu, which plays the rules of the engine hundreds of times as fast.

The engine defines the rules; :class:`Round` is its twin for simulations, without names, events, options and series: one
round from any moment to its score. Tests compare both move by move.
"""

from __future__ import annotations

from tisch._core.tichu import Round
from tisch.games.tichu.rules import TichuState

__all__ = ["Round", "simulate"]


def simulate(state: TichuState) -> Round:
    """Create the core's round from the current round of a state.

    :param state: The state; it is not changed.
    :result: An independent round at the same moment, with the recorded evidence about the others' hands.
    """
    return Round(state)
