"""The redeal of everything that a seat does not know: the core of ``TichuState.resample``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tisch.game import Random
from tisch.games.tichu.cards import DECK, MAH_JONG, Cards, union
from tisch.games.tichu.combinations import Hand
from tisch.games.tichu.moves import GRAND, PASS
from tisch.games.tichu.position import Position
from tisch.games.tichu.state import CALLING, NOBODY, OVER, SCHUPF, SEATS, Seats

#: The rate at which people call Grand Tichu; an unseen decision is drawn with it.
GRAND_RATE: Final = 0.08


def bombers(hands: Sequence[Cards]) -> Seats:
    """Return the seats that hold a bomb.

    :param hands: The hand of each seat.
    :result: The seats.
    """
    return tuple(seat for seat in SEATS if Hand(hands[seat]).has_bomb)


def redeal(state: Position, seat: int, random: Random) -> None:
    """Redeal all cards that a seat does not see, consistent with its knowledge.

    The seat knows its own cards, all cards laid, the number of cards of each seat, the cards that it gave away and
    where they must still be, the holder of the Mah Jong, and the seats that could not fulfil the wish.

    :param state: The state; it is modified.
    :param seat: The seat.
    :param random: The source of the redeal.
    """
    others = [other for other in SEATS if other != seat]
    if state.phase == CALLING:
        _redeal_eight(state, seat, others, random)
    elif state.phase == SCHUPF:
        _redeal_schupf(state, seat, others, random)
    elif state.phase != OVER and (state.hands[seat] or state.owes_wish(seat)):
        _redeal_hands(state, seat, others, random)


def _redeal_eight(state: Position, seat: int, others: list[int], random: Random) -> None:
    cards = _shuffled(DECK - state.hands[seat], random)
    for other in others:
        state.hands[other] = _take(cards, 8)
        if state.decided[other] is not None:
            state.decided[other] = GRAND if random.unit() < GRAND_RATE else PASS
    state.rest = [_take(cards, 6) for _ in SEATS]


def _redeal_schupf(state: Position, seat: int, others: list[int], random: Random) -> None:
    cards = _shuffled(DECK - state.hands[seat] - union(state.given[seat]), random)
    for other in others:
        given = [_take(cards, 1) for _ in state.given[other]]
        state.given[other] = tuple(given)
        state.hands[other] = _take(cards, 14 - len(given))


def _redeal_hands(state: Position, seat: int, others: list[int], random: Random) -> None:
    hands = _deal_hidden(state, seat, others, random)
    # Rejection sampling: each deal that fits the wish as well stays equally likely.
    while not _could_miss(state, hands, others):
        hands = _deal_hidden(state, seat, others, random)
    state.hands = hands
    if state.loser == NOBODY:
        state.bombers = bombers(hands)
    _redraw_schupf(state, seat, others, random)


def _could_miss(state: Position, hands: list[Cards], others: list[int]) -> bool:
    """Return whether, with these hands, the others could not fulfil the wish when they did not."""
    for seat, combination, played in state.missed:
        if seat in others:
            then = hands[seat] | (state.laid[seat] - played)
            if then.moves_in_turn(combination, state.wished, False)[0] != PASS:
                return False
    return True


def _deal_hidden(state: Position, seat: int, others: list[int], random: Random) -> list[Cards]:
    """Deal the cards that a seat does not see, consistent with everything except the cards laid under the wish."""
    hands = state.hands.copy()
    room = {other: len(hands[other]) for other in others}
    unseen = union(hands[other] for other in others)
    dealt = dict.fromkeys(others, Cards())

    def put(cards: Cards, other: int) -> None:
        dealt[other] |= cards
        room[other] -= len(cards)

    for place, card in enumerate(state.given[seat], start=1):
        put(card & unseen, (seat + place) % 4)
    if state.start != seat:
        put((MAH_JONG & unseen) - dealt[state.start], state.start)
    unseen -= union(dealt.values())
    wished = unseen & Cards.of_value(state.wished) if state.void else Cards()
    may_hold = [other for other in others if other not in state.void]
    for card in _shuffled(wished, random):
        # All free places of the seats that may hold the value are equally likely.
        put(card, random.choice([other for other in may_hold for _ in range(room[other])]))
    cards = _shuffled(unseen - wished, random)
    for other in others:
        hands[other] = dealt[other] | _take(cards, room[other])
    return hands


def _redraw_schupf(state: Position, seat: int, others: list[int], random: Random) -> None:
    """Draw anew the cards that the others received from each other."""
    for receiver in others:
        known = state.given[seat][(receiver - seat) % 4 - 1]
        cards = _shuffled((state.hands[receiver] | state.laid[receiver]) - known, random)
        received = []
        for place in (1, 2, 3):
            giver = (receiver + place) % 4
            if giver != seat:
                card = _take(cards, 1)
                given = list(state.given[giver])
                given[3 - place] = card
                state.given[giver] = tuple(given)
            received.append(known if giver == seat else card)
        state.received[receiver] = tuple(received)


def _shuffled(cards: Cards, random: Random) -> list[Cards]:
    """Return cards one by one; each random number gives the same order as ever."""
    lowest_first = list(cards)[::-1]
    random.shuffle(lowest_first)
    return lowest_first


def _take(cards: list[Cards], count: int) -> Cards:
    """Remove cards from a list and return them as a set."""
    taken = union(cards[:count])
    del cards[:count]
    return taken
