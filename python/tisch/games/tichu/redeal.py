"""Dealing anew what a seat does not know: the heart of ``TichuState.resample``."""

from __future__ import annotations

from typing import Final, Protocol

from tisch import _core
from tisch.game import Random
from tisch.games.tichu.masks import DECK, MAH_JONG, VALUES
from tisch.games.tichu.moves import GRAND as GRAND_MOVE
from tisch.games.tichu.moves import PASS, Move
from tisch.games.tichu.state import GRAND, OVER, SCHUPF

#: How often people call Grand Tichu: by this an unseen decision is drawn.
GRAND_RATE: Final = 0.08


class Hidden(Protocol):
    """What of a ``TichuState`` is dealt anew, and what tells how."""

    phase: str
    hands: list[int]
    laid: list[int]
    rest: tuple[int, ...]
    decided: list[Move | None]
    given: list[tuple[int, ...]]
    received: list[tuple[int, ...]]
    start: int
    loser: int
    bombers: int
    missed: tuple[tuple[int, int, int], ...]
    wished: int
    void: int


def redeal(state: Hidden, seat: int, random: Random) -> None:
    """Deal all cards anew that a seat does not see, consistent with all that it knows.

    It knows its own cards, all cards laid, how many cards each seat holds, what it gave away and where it must still
    be, who held the Mah Jong, and who had nothing with which he would have had to fulfil the wish.

    :param state: The state; it is changed in place.
    :param seat: The seat.
    :param random: Where the hidden things come from.
    """
    others = [other for other in range(4) if other != seat]
    if state.phase == GRAND:
        _redeal_eight(state, seat, others, random)
    elif state.phase == SCHUPF:
        _redeal_schupf(state, seat, others, random)
    elif state.phase != OVER and state.hands[seat]:
        _redeal_hands(state, seat, others, random)


def _redeal_eight(state: Hidden, seat: int, others: list[int], random: Random) -> None:
    cards = _shuffled(DECK & ~state.hands[seat], random)
    for other in others:
        state.hands[other] = _take(cards, 8)
        if state.decided[other] is not None:
            state.decided[other] = GRAND_MOVE if random.unit() < GRAND_RATE else PASS
    state.rest = tuple(_take(cards, 6) for _ in range(4))


def _redeal_schupf(state: Hidden, seat: int, others: list[int], random: Random) -> None:
    cards = _shuffled(DECK & ~state.hands[seat] & ~sum(state.given[seat]), random)
    for other in others:
        given = [_take(cards, 1) for _ in state.given[other]]
        state.given[other] = tuple(given)
        state.hands[other] = _take(cards, 14 - len(given))


def _redeal_hands(state: Hidden, seat: int, others: list[int], random: Random) -> None:
    hands = _deal_hidden(state, seat, others, random)
    # Of all that fits the rest, what fits the wish is equally likely if all else is dealt again.
    while not _could_miss(state, hands, others):
        hands = _deal_hidden(state, seat, others, random)
    state.hands = hands
    if state.loser < 0:
        state.bombers = sum(1 << other for other in range(4) if _core.tichu_has_bomb(hands[other]))
    _redraw_schupf(state, seat, others, random)


def _could_miss(state: Hidden, hands: list[int], others: list[int]) -> bool:
    """Tell whether the others could not fulfil the wish with these hands when they did not."""
    for seat, top, played in state.missed:
        if seat in others:
            then = hands[seat] | state.laid[seat] & ~played
            if _core.tichu_turn(then, top, state.wished, 0)[0] != PASS:
                return False
    return True


def _deal_hidden(state: Hidden, seat: int, others: list[int], random: Random) -> list[int]:
    """Deal the cards that a seat does not see, consistent with all but what was laid under the wish."""
    hands = state.hands.copy()
    room = {other: hands[other].bit_count() for other in others}
    unseen = sum(hands[other] for other in others)
    dealt = dict.fromkeys(others, 0)

    def put(cards: int, other: int) -> None:
        dealt[other] |= cards
        room[other] -= cards.bit_count()

    for place, card in enumerate(state.given[seat], start=1):
        put(card & unseen, (seat + place) % 4)
    if state.start != seat:
        put(MAH_JONG & unseen & ~dealt[state.start], state.start)
    unseen &= ~sum(dealt.values())
    wished = unseen & VALUES[state.wished] if state.void else 0
    may_hold = [other for other in others if not state.void >> other & 1]
    for card in _shuffled(wished, random):
        # Every free place of those who may hold the value is equally likely.
        put(card, random.choice([other for other in may_hold for _ in range(room[other])]))
    cards = _shuffled(unseen & ~wished, random)
    for other in others:
        hands[other] = dealt[other] | _take(cards, room[other])
    return hands


def _redraw_schupf(state: Hidden, seat: int, others: list[int], random: Random) -> None:
    """Draw anew which of their cards the others got from each other."""
    for receiver in others:
        known = state.given[seat][(receiver - seat) % 4 - 1]
        cards = _shuffled((state.hands[receiver] | state.laid[receiver]) & ~known, random)
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


def _shuffled(mask: int, random: Random) -> list[int]:
    cards = [1 << index for index in range(56) if mask >> index & 1]
    random.shuffle(cards)
    return cards


def _take(cards: list[int], count: int) -> int:
    """Take cards off a list."""
    taken = sum(cards[:count])
    del cards[:count]
    return taken
