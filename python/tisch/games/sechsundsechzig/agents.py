"""The agent for Sechsundsechzig: it plays by a club's rules of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tisch.game import Agent
from tisch.games.sechsundsechzig.cards import CARDS, ORDER, PAIRS, PARTNER, POINTS, Card, takes
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, LAY, STOP, SWAP, Move
from tisch.games.sechsundsechzig.rules import ENOUGH, PAIR_POINTS, TRUMP_PAIR_POINTS, View
from tisch.language import Sentence, Vocabulary
from tisch.ports.reasons import FORCED

#: The reasons by language and name.
TEXTS: Final = Vocabulary(Path(__file__).parent / "texts").section("reasons")
BETTER: Final = Sentence(TEXTS, "swap")
REACHED: Final = Sentence(TEXTS, "enough")
WINNERS: Final = Sentence(TEXTS, "close")
PAIR: Final = Sentence(TEXTS, "pair")
SURE: Final = Sentence(TEXTS, "sure")
LAST_TRICK: Final = Sentence(TEXTS, "last")
GOOD_TRICK: Final = Sentence(TEXTS, "trick")
LEAD: Final = Sentence(TEXTS, "lead")
LEAST: Final = Sentence(TEXTS, "give")

#: A card of at least this many points is worth a trump.
RICH = 10
#: A card of at least this many points is worth a higher one of its colour.
FAIR = 2
#: The expected points of the other card in a trick won by a sure winner.
CATCH = 3
#: The cost in points of giving away a trump, half of a pair, and half of a possible pair.
TRUMP_LOSS, PAIR_LOSS, HOPE_LOSS = 8.0, 6.0, 1.5


class RuleAgent(Agent[Move]):
    """Plays as a club teaches beginners.

    Stop as soon as you have 66. Swap, and announce your pairs. Close when the winners in your hand suffice. Lead low
    cards while there is a deck; afterwards draw trumps and cash the cards that cannot be beaten. Win tricks with your
    tens, take rich cards with a trump, and discard cards of few points.
    """

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        if not must:
            self.reason = None
            return None
        if len(legal) == 1:
            self.reason = FORCED
            return legal[0]
        if SWAP in legal:
            self.reason = BETTER
            return SWAP
        cards = [move.operand for move in legal if move.verb == "lay"]
        if view.middle:
            return LAY[self._follow(view, cards)]
        return self._prepare(view, legal) or LAY[self._lead(view, cards)]

    def _prepare(self, view: View, legal: Sequence[Move]) -> Move | None:
        assert view.seat is not None
        if view.points[view.seat] >= ENOUGH:
            self.reason = REACHED
            return STOP
        if CLOSE in legal and expected_points(view) >= ENOUGH:
            self.reason = WINNERS
            return CLOSE
        for announcement in (ANNOUNCE_TRUMP, ANNOUNCE):
            if announcement in legal:
                self.reason = PAIR
                return announcement
        return None

    def _lead(self, view: View, cards: Sequence[Card]) -> Card:
        if view.forced:
            unseen = unseen_cards(view)
            sure = [card for card in cards if is_sure(card, view, unseen)]
            if sure:
                self.reason = SURE
                # Trumps first: they draw the other's trumps, which could take the next winners.
                return max(sure, key=lambda card: (card[0] == view.trump, POINTS[card]))
        return self._give(view, cards)

    def _follow(self, view: View, cards: Sequence[Card]) -> Card:
        assert view.seat is not None
        led = view.middle[0]
        takers = [card for card in cards if takes(card, led, view.trump)]
        if not takers:
            return self._give(view, cards)
        missing = ENOUGH - view.points[view.seat] - POINTS[led]
        for card in takers:
            if POINTS[card] >= missing:
                self.reason = LAST_TRICK
                return card
        # The cards are in ascending order of cost. In the colour led, take the richest; of trumps, the lowest suffices.
        card = takers[-1] if takers[-1][0] != view.trump else takers[0]
        at_home = card[0] != view.trump and (card[1:] == "10" or POINTS[led] >= FAIR)
        if view.forced or at_home or POINTS[led] >= RICH:
            self.reason = GOOD_TRICK
            return card
        if any(PARTNER.get(held) in view.hand for held in view.hand):
            self.reason = LEAD
            return takers[0]
        return self._give(view, [card for card in cards if card not in takers] or cards)

    def _give(self, view: View, cards: Sequence[Card]) -> Card:
        self.reason = LEAST
        unseen = unseen_cards(view)
        return min(cards, key=lambda card: loss(card, view, unseen))


def unseen_cards(view: View) -> set[Card]:
    """Return the cards that are in the other hand or face down, as far as the seat knows.

    :param view: The seat's view.
    :result: The cards.
    """
    return set(CARDS).difference(view.hand, *view.tricks, view.middle, () if view.open is None else (view.open,))


def is_sure(card: Card, view: View, unseen: set[Card]) -> bool:
    """Return whether a card that is led when colour must be followed wins its trick.

    :param card: The card.
    :param view: The seat's view.
    :param unseen: The unseen cards.
    :result: Whether it wins against any hand.
    """
    rivals = [other for other in unseen if other[0] == card[0]]
    if any(ORDER[other] < ORDER[card] for other in rivals):
        return False
    if card[0] == view.trump or not any(other[0] == view.trump for other in unseen):
        return True
    # With an empty deck, the unseen cards are the other hand, which must follow the colour if it can.
    return bool(rivals) and view.closer is None


def loss(card: Card, view: View, unseen: set[Card]) -> float:
    """Estimate the cost of giving a card away.

    :param card: The card.
    :param view: The seat's view.
    :param unseen: The unseen cards.
    :result: The cost in points.
    """
    weight = float(POINTS[card])
    if card[0] == view.trump:
        weight += TRUMP_LOSS
    partner = PARTNER.get(card)
    if partner in view.hand:
        weight += PAIR_LOSS
    elif partner in unseen:
        weight += HOPE_LOSS
    return weight


def expected_points(view: View) -> float:
    """Estimate the points at the end if the deck is closed now.

    :param view: The seat's view.
    :result: The points.
    """
    assert view.seat is not None
    unseen = unseen_cards(view)
    top = {colour: min((ORDER[card] for card in unseen if card[0] == colour), default=len(CARDS)) for colour in PAIRS}
    points = float(view.points[view.seat])
    for colour, (king, queen) in PAIRS.items():
        if king in view.hand and queen in view.hand:
            points += TRUMP_PAIR_POINTS if colour == view.trump else PAIR_POINTS
    trumps = sum(card[0] == view.trump for card in view.hand)
    for card in view.hand:
        if ORDER[card] < top[card[0]]:
            if card[0] == view.trump or trumps >= 2:
                points += POINTS[card] + CATCH
        elif card[0] == view.trump and trumps >= 3:
            points += POINTS[card]
    return points
