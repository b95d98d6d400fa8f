"""The exact worth of a position once no more cards are drawn, given both hands of the state."""

from __future__ import annotations

from tisch._core import sechsundsechzig as core
from tisch.games.sechsundsechzig.cards import COLOURS, ORDER
from tisch.games.sechsundsechzig.moves import Move
from tisch.games.sechsundsechzig.rules import SechsundsechzigState


def worth(state: SechsundsechzigState, seat: int) -> int:
    """Compute the game points that a seat gets from the running game with perfect play and open hands.

    :param state: A state with an empty or closed deck, or one whose running game has ended.
    :param seat: The seat.
    :result: The game points; negative if the other seat gets them.
    """
    if state.end is not None:
        return state.end.points if state.end.winner == seat else -state.end.points
    if state.announced:
        values = [worth(_after(state, move), state.turn) for move in state.legal(state.turn)]
        return max(values) if state.turn == seat else -max(values)
    leader = 1 - state.turn if state.middle else state.turn
    led = ORDER[state.middle[0]] if state.middle else None
    value = core.worth(_side(state, leader), _side(state, 1 - leader), COLOURS.index(state.trump), led)
    return value if leader == seat else -value


def _after(state: SechsundsechzigState, move: Move) -> SechsundsechzigState:
    after = state.copy()
    after.play(state.turn, move)
    return after


def _side(state: SechsundsechzigState, seat: int) -> tuple[int, int, bool, bool]:
    held = state.hands[seat] if state.turn == seat else state.hands[seat] + state.middle
    return sum(1 << ORDER[card] for card in held), state.points[seat], bool(state.tricks[seat]), state.closer == seat
