"""Who can play Sechsundsechzig: an agent with the rules of thumb of a club, and one that searches."""

from __future__ import annotations

from collections.abc import Sequence

from tisch.agents.search import SearchAgent
from tisch.game import Agent, Random, Samples, Sight, State
from tisch.games.sechsundsechzig.cards import CARDS, ORDER, PAIRS, PARTNER, VALUES, Card, takes
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, LAY, STOP, SWAP, Move
from tisch.games.sechsundsechzig.endgame import worth
from tisch.games.sechsundsechzig.rules import ENOUGH, PAIR_POINTS, TRUMP_PAIR_POINTS, SechsundsechzigState, View

#: A card of so many points is worth a trump.
RICH = 10
#: What a sure winner is expected to catch besides itself.
CATCH = 3


class RuleAgent(Agent[Move]):
    """Plays as one is taught in a club.

    Stop as soon as you have 66. Swap, and announce your pairs. Close when the winners in your hand will do. Lead
    low cards while there is a deck; afterwards draw trumps and cash what cannot be beaten. Bring your tens home, take
    rich cards with a trump, and throw away what counts little.
    """

    sight = Sight.VIEW

    def start(self, random: object) -> None:
        self._reason = ""

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        if not must:
            return None
        if len(legal) == 1:
            return self._because("there is nothing else to do", legal[0])
        if SWAP in legal:
            return self._because("the open card is better than the 9", SWAP)
        if view.middle:
            return self._follow(view, legal)
        return self._lead(view, legal)

    def explain(self) -> str:
        return self._reason

    def _because(self, reason: str, move: Move) -> Move:
        self._reason = f"{move}: {reason}."
        return move

    def _lead(self, view: View, legal: Sequence[Move]) -> Move:
        assert view.seat is not None
        if view.points[view.seat] >= ENOUGH:
            return self._because("I have 66", STOP)
        unseen = unseen_cards(view)
        if CLOSE in legal and expected_points(view, unseen) >= ENOUGH:
            return self._because("my winners are enough", CLOSE)
        for announcement in (ANNOUNCE_TRUMP, ANNOUNCE):
            if announcement in legal:
                return self._because("a pair counts at once", announcement)
        cards = [move.operand for move in legal if move.verb == "lay"]
        if view.forced:
            sure = [card for card in cards if is_sure(card, view, unseen)]
            if sure:
                # Trumps first: they take the other's trumps away, which could take the other winners.
                best = max(sure, key=lambda card: (card[0] == view.trump, VALUES[card]))
                return self._because("it cannot be beaten", LAY[best])
        return self._because("it is the least to lose", LAY[min(cards, key=lambda card: loss(card, view, unseen))])

    def _follow(self, view: View, legal: Sequence[Move]) -> Move:
        assert view.seat is not None
        led = view.middle[0]
        unseen = unseen_cards(view)
        cards = [move.operand for move in legal if move.verb == "lay"]
        takers = [card for card in cards if takes(card, led, view.trump)]
        if takers:
            best = max(
                takers, key=lambda card: (card[0] == led[0], VALUES[card] if card[0] != view.trump else -VALUES[card])
            )
            missing = ENOUGH - view.points[view.seat] - VALUES[led]
            enough = [card for card in takers if VALUES[card] >= missing]
            if enough:
                return self._because("the trick makes 66", LAY[enough[0]])
            if view.forced:
                return self._because("it takes the trick", LAY[best])
            if best[0] != view.trump or led[0] == view.trump:
                if VALUES[best] == 10 or VALUES[best] + VALUES[led] >= RICH + 4 or VALUES[led] >= 3:
                    return self._because("it brings the trick home", LAY[best])
            elif VALUES[led] >= RICH:
                return self._because("so rich a card is worth a trump", LAY[best])
            if has_pair(view):
                return self._because("with the lead I can announce my pair", LAY[takers[0]])
        losers = [card for card in cards if card not in takers] or cards
        return self._because("it is the least to lose", LAY[min(losers, key=lambda card: loss(card, view, unseen))])


def unseen_cards(view: View) -> set[Card]:
    """List the cards that the seat has not seen and that may be in the other's hand or face down."""
    return set(CARDS).difference(view.hand, *view.tricks, view.middle, () if view.open is None else (view.open,))


def has_pair(view: View) -> bool:
    return any(PARTNER.get(card) in view.hand for card in view.hand)


def is_sure(card: Card, view: View, unseen: set[Card]) -> bool:
    """Tell whether a card that is led when colour must be followed wins its trick."""
    place = ORDER[card]
    rivals = [other for other in unseen if other[0] == card[0]]
    if any(ORDER[other] < place for other in rivals):
        return False
    if card[0] == view.trump or not any(other[0] == view.trump for other in unseen):
        return True
    # Behind an empty deck, what is unseen is the other's hand: whoever has the colour must follow it.
    return bool(rivals) and view.closer is None


def loss(card: Card, view: View, unseen: set[Card]) -> float:
    """Weigh what is given away with a card."""
    weight = float(VALUES[card])
    if card[0] == view.trump:
        weight += 8
    if card in PARTNER and (PARTNER[card] in view.hand or PARTNER[card] in unseen):
        weight += 6 if PARTNER[card] in view.hand else 1.5
    return weight


def expected_points(view: View, unseen: set[Card]) -> float:
    """Estimate the points at the end, if the deck is closed now."""
    assert view.seat is not None
    points = float(view.points[view.seat])
    for colour, (king, queen) in PAIRS.items():
        if king in view.hand and queen in view.hand:
            points += TRUMP_PAIR_POINTS if colour == view.trump else PAIR_POINTS
    trumps = [card for card in view.hand if card[0] == view.trump]
    for card in view.hand:
        higher = sum(other[0] == card[0] and ORDER[other] < ORDER[card] for other in unseen)
        if not higher:
            if card[0] == view.trump or len(trumps) >= 2:
                points += VALUES[card] + CATCH
        elif card[0] == view.trump and len(trumps) >= 3:
            points += VALUES[card]
    return points


class CountingAgent(SearchAgent[Move]):
    """Searches sampled worlds; once nobody draws any more it counts them out instead of playing them."""

    def __init__(self, playouts: int = 128) -> None:
        super().__init__(RuleAgent, playouts)

    def act(self, view: Samples[Move], legal: Sequence[Move], must: bool) -> Move | None:
        if not must:
            return None
        return super().act(view, legal, must)

    def judge(self, state: State[Move], seat: int, seed: int) -> float:
        assert isinstance(state, SechsundsechzigState)
        players = self._seated(state.seats)
        while state.deck and state.end is None:
            turn = state.turn
            move = players[turn].act(state.view(turn), state.legal(turn), True)
            assert move is not None
            state.play(turn, move)
        return worth(state, seat)
