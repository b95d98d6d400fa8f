"""Converts the engine's state into the core's game, which plays the same rules hundreds of times as fast.

The engine defines the rules; :class:`Round` is its twin for simulations, without names, events, options and series: one
game from any moment to its end. Tests compare both move by move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tisch._core.sechsundsechzig import Round
from tisch.games.sechsundsechzig.cards import COLOURS, ORDER, Card
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, LAY, STOP, SWAP, Move
from tisch.games.sechsundsechzig.rules import SechsundsechzigState

__all__ = ["MOVES", "NUMBERS", "Round", "colours_of", "mask_of", "past_of", "simulate"]

#: The moves by their numbers in the core.
MOVES: Final[tuple[Move, ...]] = (*LAY.values(), SWAP, ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, STOP)
NUMBERS: Final = {move: number for number, move in enumerate(MOVES)}


def simulate(state: SechsundsechzigState) -> Round:
    """Create the core's game from the running game of a state.

    :param state: The state; it is not changed.
    :result: An independent game at the same moment.
    """
    deck, face_down = state.deck, state.deck or state.aside
    first, second = state.hands
    end = state.end
    return Round(
        hands=(mask_of(first), mask_of(second)),
        taken=(mask_of(state.tricks[0]), mask_of(state.tricks[1])),
        points=(state.points[0], state.points[1]),
        closer=state.closer,
        stock=bytes(ORDER[card] for card in (*deck[1:], *deck[:1])),
        upcard=ORDER[face_down[0]] if face_down else None,
        trump=COLOURS.index(state.trump),
        turn=state.turn,
        led=ORDER[state.middle[0]] if state.middle else None,
        announced=None if state.announced is None else state.announced == ANNOUNCE_TRUMP,
        result=None if end is None else end.points if end.winner == 0 else -end.points,
    )


def past_of(state: SechsundsechzigState) -> tuple[int, int, bytes] | None:
    """Return how the running game came to this moment, as the core takes it.

    :param state: The state.
    :result: The first leader, the first open card and the moves; ``None`` if the game was set up in its middle.
    """
    if state.past is None:
        return None
    return state.leader, ORDER[state.opened], bytes(NUMBERS[move] for move in state.past)


def mask_of(cards: Iterable[Card]) -> int:
    """Return a set of cards as the core's bit mask.

    :param cards: The cards.
    :result: The mask.
    """
    return sum(1 << ORDER[card] for card in cards)


def colours_of(colours: Iterable[str]) -> int:
    """Return a set of colours as the core's bit mask.

    :param colours: The colours.
    :result: The mask.
    """
    return sum(1 << COLOURS.index(colour) for colour in colours)
