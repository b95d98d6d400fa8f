"""The slow, obvious twin of Sechsundsechzig's endgame: every legal move, to the very end, by the rules themselves."""

from __future__ import annotations

from tisch.games.sechsundsechzig import SechsundsechzigState


def worth(state: SechsundsechzigState, seat: int) -> int:
    """Return the game points that a seat gets with open hands and perfect play; negative if the other gets them."""
    if state.end is not None:
        return state.end.points if state.end.winner == seat else -state.end.points
    values = []
    for move in state.legal(state.turn):
        after = state.copy()
        after.play(state.turn, move)
        values.append(worth(after, seat))
    return max(values) if state.turn == seat else min(values)
