"""The slow, obvious twins of Sechsundsechzig's endgame, by the rules themselves.

Every legal move is tried to the very end, and every hand is listed that the other may hold.
"""

from __future__ import annotations

from itertools import combinations

from sechsundsechzig_positions import table
from tisch.game import Random
from tisch.games.sechsundsechzig import CARDS, RuleAgent, SechsundsechzigState
from tisch.games.sechsundsechzig.cards import takes

#: A hand in which the rules of thumb contradict the other's moves once more is so many times less likely.
UNLIKELY = 8.0


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


def possible(state: SechsundsechzigState) -> dict[frozenset[str], float]:
    """List the hands that the rival of the seat to move may hold, with their probabilities, by the rules themselves.

    The rival has held the cards of its hand from the deal on: nothing was drawn before the stock was closed.
    """
    seat, other = state.turn, 1 - state.turn
    seen = {*state.hands[seat], *state.tricks[0], *state.tricks[1], *state.middle, *state.deck, *state.aside[:1]}
    unseen = [card for card in CARDS if card not in seen]
    weights = {}
    for hand in combinations(unseen, len(state.hands[other])):
        if set(state.shown[other]) <= set(hand) and not {card[0] for card in hand} & set(state.lacks[other]):
            weights[frozenset(hand)] = UNLIKELY ** -contradictions(state, other, hand) if state.past else 1.0
    return {hand: weight / sum(weights.values()) for hand, weight in weights.items()}


def contradictions(state: SechsundsechzigState, other: int, hand: tuple[str, ...]) -> int:
    """Count the moves of a seat with this hand that the rules of thumb would not have made."""
    assert state.past is not None
    laid: dict[int, list[str]] = {0: [], 1: []}
    turn, led = state.leader, ""
    turns = []
    for move in state.past:
        turns.append(turn)
        if move.verb == "lay":
            laid[turn].append(move.operand)
            if led:
                turn = turn if takes(move.operand, led, state.trump) else 1 - turn
                led = ""
            else:
                turn, led = 1 - turn, move.operand
    hands = {other: (*hand, *laid[other]), 1 - other: (*state.hands[1 - other], *laid[1 - other])}
    rest = [card for card in CARDS if card not in hands[0] and card not in hands[1] and card != state.opened]
    again = table(" ".join(hands[0]), " ".join(hands[1]), " ".join([state.opened, *rest]))
    again.turn, count = state.leader, 0
    for turn, move in zip(turns, state.past, strict=True):
        agent = RuleAgent()
        agent.start(Random(0))
        if turn == other and agent.act(again.view(turn), again.legal(turn), True) != move:
            count += 1
        again.play(turn, move)
    return count
