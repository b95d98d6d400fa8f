"""What a position is worth if nobody draws any more and both hands are known: exactly, by alpha-beta search.

Both sides know both hands here, so that an empty deck gives the true worth, while a closed one gives that of a
sampled world. Two things need no search: who leads and has 66 stops, as nothing gets better by waiting; and who
leads a card of a pair announces it first, as it costs nothing.
"""

from __future__ import annotations

from typing import TypeAlias

from tisch.games.sechsundsechzig.cards import CARDS, COLOURS, ORDER, PARTNER, RANKS, VALUES, Card
from tisch.games.sechsundsechzig.rules import (
    ENOUGH,
    FEW,
    FORFEIT,
    PAIR_POINTS,
    TRUMP_PAIR_POINTS,
    SechsundsechzigState,
)

_VALUE = tuple(VALUES[card] for card in CARDS)
_COLOUR = tuple(COLOURS.index(card[0]) for card in CARDS)
_COLOUR_CARDS = tuple(((1 << len(RANKS)) - 1) << (len(RANKS) * colour) for colour in range(len(COLOURS)))
_PARTNER = tuple(1 << ORDER[PARTNER[card]] if card in PARTNER else 0 for card in CARDS)

#: The leader's hand and the other's as sets of bits by :data:`ORDER`, their points, whether each has a trick, who closed
#: (1 the leader, −1 the other, 0 nobody), and the trump colour's number.
_Position: TypeAlias = tuple[int, int, int, int, bool, bool, int, int]


class Endgame:
    """The search; it remembers what it has found out, so that later questions about the same deal are answered faster."""

    def __init__(self) -> None:
        # The bounds between which a position's worth for its leader lies.
        self._known: dict[_Position, tuple[int, int]] = {}

    def worth(self, state: SechsundsechzigState, seat: int) -> int:
        """Find out the game points that a seat gets from the running game if both play perfectly.

        :param state: A state with an empty or closed deck, or one whose running game has ended.
        :param seat: For whom.
        :result: The game points; negative if the other gets them.
        """
        if state.end is not None:
            return state.end.points if state.end.winner == seat else -state.end.points
        leader = 1 - state.turn if state.middle else state.turn
        position = _position(state, leader)
        if state.middle:
            value = self._follow(position, ORDER[state.middle[0]], -FORFEIT, FORFEIT)
        elif state.announced and state.points[leader] < ENOUGH:
            cards = [ORDER[move.operand] for move in state.legal(leader) if move.verb == "lay"]
            value = max(self._follow(position, card, -FORFEIT, FORFEIT) for card in cards)
        else:
            value = self._lead(position, -FORFEIT, FORFEIT)
        return value if leader == seat else -value

    def _lead(self, position: _Position, alpha: int, beta: int) -> int:
        # The worth for the leader, exact within the window.
        mine, _, points, other_points, _, other_has_trick, _, _ = position
        if not mine:
            return _run_out(position)
        if points >= ENOUGH:
            return _prize(other_points, other_has_trick)
        low, high = self._known.get(position, (-FORFEIT, FORFEIT))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        best = -FORFEIT
        for card in _places(mine):
            best = max(best, self._announce_and_lead(position, card, max(alpha, best), beta))
            if best >= beta:
                break
        self._known[position] = (low if best <= alpha else best, high if best >= beta else best)
        return best

    def _announce_and_lead(self, position: _Position, card: int, alpha: int, beta: int) -> int:
        mine, other, points, other_points, has_trick, other_has_trick, closer, trump = position
        if mine & _PARTNER[card]:
            points += TRUMP_PAIR_POINTS if _COLOUR[card] == trump else PAIR_POINTS
            if points >= ENOUGH:
                return _prize(other_points, other_has_trick)
            position = (mine, other, points, other_points, has_trick, other_has_trick, closer, trump)
        return self._follow(position, card, alpha, beta)

    def _follow(self, position: _Position, led: int, alpha: int, beta: int) -> int:
        # The worth for the leader after he has led a card that is still counted to his hand.
        mine, other, points, other_points, has_trick, other_has_trick, closer, trump = position
        colour = _COLOUR[led]
        mine ^= 1 << led
        best = FORFEIT
        for card in _places(other & _COLOUR_CARDS[colour] or other):
            left = other ^ (1 << card)
            gain = _VALUE[led] + _VALUE[card]
            ceiling = min(beta, best)
            if card < led if _COLOUR[card] == colour else _COLOUR[card] == trump:
                after = (left, mine, other_points + gain, points, True, has_trick, -closer, trump)
                best = min(best, -self._lead(after, -ceiling, -alpha))
            else:
                after = (mine, left, points + gain, other_points, True, other_has_trick, closer, trump)
                best = min(best, self._lead(after, alpha, ceiling))
            if best <= alpha:
                break
        return best


def _position(state: SechsundsechzigState, leader: int) -> _Position:
    other = 1 - leader
    return (
        _bits(state.hands[leader] + state.middle),
        _bits(state.hands[other]),
        state.points[leader],
        state.points[other],
        bool(state.tricks[leader]),
        bool(state.tricks[other]),
        0 if state.closer is None else 1 if state.closer == leader else -1,
        COLOURS.index(state.trump),
    )


def _bits(cards: tuple[Card, ...]) -> int:
    return sum(1 << ORDER[card] for card in cards)


def _places(cards: int) -> list[int]:
    places = []
    while cards:
        lowest = cards & -cards
        places.append(lowest.bit_length() - 1)
        cards ^= lowest
    return places


def _prize(points: int, has_trick: bool) -> int:
    # What the loser's points and tricks make a won game worth.
    if not has_trick:
        return 3
    return 2 if points <= FEW else 1


def _run_out(position: _Position) -> int:
    # The leader has won the last trick.
    _, _, points, other_points, has_trick, other_has_trick, closer, _ = position
    if closer == 0:
        return 1
    if closer == 1:
        return _prize(other_points, other_has_trick) if points >= ENOUGH else -FORFEIT
    return -_prize(points, has_trick) if other_points >= ENOUGH else FORFEIT
