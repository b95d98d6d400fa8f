"""Converts the engine's state into the core's round, which plays the same rules hundreds of times as fast.

The engine defines the rules; :class:`Round` is its twin for simulations, without names, events, options and series: one
round from any moment to its score. Tests compare both move by move.
"""

from __future__ import annotations

from collections.abc import Iterable

from tisch._core.tichu import Round
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import CODES
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
        awaited=_bits(state.awaiting()),
        hands=_masks(state.hands),
        rest=_masks(state.rest) if state.phase == "grand" else (0, 0, 0, 0),
        laid=_masks(state.laid),
        given=[_masks(given) for given in state.given],
        trick=state.trick_cards.mask,
        top=CODES[state.trick_combination],
        owner=state.owner,
        turn=state.turn,
        calls=calls,
        callers=_bits(state.callers),
        wish=state.wish,
        points=state.points,
        winner=state.winner,
        loser=state.loser,
        wished=state.wished,
        void=_bits(state.void),
        missed=[(seat, CODES[combination], played.mask) for seat, combination, played in state.missed],
        tricks=[[(seat, move.code) for seat, move in trick] for trick in (*state.tricks, state.trick) if trick],
    )


def _masks(parts: Iterable[Cards]) -> list[int]:
    return [part.mask for part in parts]


def _bits(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)
