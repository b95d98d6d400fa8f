"""The slow, obvious twin of Sechsundsechzig's endgame: every legal move, to the very end, by the rules themselves."""

from __future__ import annotations

from tisch.game import Random
from tisch.games.sechsundsechzig import RuleAgent, SechsundsechzigState


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


def worth_against_rules(state: SechsundsechzigState, seat: int) -> int:
    """Return the game points that a seat gets with open hands and its best moves against the agent ``rule``."""
    if state.end is not None:
        return worth(state, seat)
    moves = state.legal(state.turn)
    if state.turn != seat:
        agent = RuleAgent()
        agent.start(Random(0))
        chosen = agent.act(state.view(state.turn), moves, True)
        assert chosen is not None
        moves = (chosen,)
    values = []
    for move in moves:
        after = state.copy()
        after.play(state.turn, move)
        values.append(worth_against_rules(after, seat))
    return max(values)
