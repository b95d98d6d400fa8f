"""A slow, obvious twin of Tichu's heuristic: the same prices and values, written plainly in Python.

The unit is a thousandth of a lead. A low card costs about one lead, because the player needs a lead to shed it; a card
that wins a trick gains one and has a negative price. The price of a hand is that of its cheapest partition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from tisch._core import tichu as core
from tisch.games import tichu
from tisch.games.tichu import odds
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.agents.base import TichuAgent, own
from tisch.games.tichu.cards import ACES, DECK, DOG, DRAGON, MAH_JONG, PHOENIX, Cards, value_of
from tisch.games.tichu.combinations import ALL, Combination, CombinationType
from tisch.games.tichu.moves import PASS, Move
from tisch.games.tichu.partitions import fewest_after
from tisch.games.tichu.state import PrivateState, PublicState, View
from tisch.language import Sentence
from tisch.ports.reasons import frequency

#: The share of lower unseen cards, in thousandths, above which a rank counts as high.
HIGH_FROM: Final = 650
#: Worse than anything.
NEVER: Final = -(1 << 40)


@dataclass(frozen=True, slots=True)
class Tariff:
    """The components of the price of combinations of one type, in thousandths of a lead.

    :ivar base: The price of the lowest.
    :ivar shed: The discount if all unseen cards are lower: it can be shed while others lead.
    :ivar high: The additional discount in the highest part of the ranks.
    :ivar gain: The discount if nobody can beat it.
    """

    base: int
    shed: int
    high: int
    gain: int


#: The tariffs by type, from single cards to streets.
TARIFFS: Final = (
    Tariff(0, 0, 0, 0),
    Tariff(1080, 370, 790, 630),
    Tariff(1310, 600, 730, 570),
    Tariff(980, 520, 30, 510),
    Tariff(820, 530, 420, 420),
    Tariff(1000, 670, 280, 590),
    Tariff(1160, 360, 180, 600),
)
#: The constant prices: the dog, the Mah Jong, the phoenix alone, a bomb.
DOG_PRICE: Final = 1160
MAH_JONG_PRICE: Final = 720
PHOENIX_PRICE: Final = -910
BOMB_PRICE: Final = -980


class Appraisal:
    """A hand among unseen cards: the winning chances and the price of each of its combinations."""

    def __init__(self, hand: Cards, unseen: Cards, sizes: Sequence[int]) -> None:
        self._hand, self._unseen, self._sizes = hand, unseen, sizes
        self.holds = {held: self.hold(held) for _, held in tichu.combinations(hand)}
        self.prices = [self._price(each) if each in self.holds else 0 for each in ALL[:-1]]

    def hold(self, combination: Combination) -> float:
        """Return the probability that no opponent tops a combination with its own type."""
        holds = 1.0
        for size in self._sizes:
            holds *= 1 - odds.higher(self._unseen, size, combination)
        return holds

    def _price(self, combination: Combination) -> int:
        kind, _, rank = combination
        if kind == CombinationType.BOMB:
            return BOMB_PRICE
        if rank in {0, 1, 16}:
            return {0: DOG_PRICE, 1: MAH_JONG_PRICE, 16: PHOENIX_PRICE}[rank]
        tariff = TARIFFS[kind]
        below = sum(value < rank for value, _ in self._unseen.numbers)
        lower = below * 1000 // (len(self._unseen) or 1)
        price = tariff.base - (tariff.shed * lower + int(tariff.gain * 1000 * self.holds[combination])) // 1000
        return price - tariff.high * max(lower - HIGH_FROM, 0) // (1000 - HIGH_FROM)

    def price(self) -> int:
        """Return the price of the hand."""
        return core.cheapest_after(self._hand, [Cards()], self.prices)[0]

    def after(self, plays: Sequence[Move] | Sequence[Cards]) -> list[int]:
        """Return the price of the hand after each of several plays."""
        return core.cheapest_after(self._hand, plays, self.prices)


# --- calls ---
#: The contribution of each of the first eight cards to Grand Tichu, as logits of finishing first: dragon, phoenix, an
#: ace, a king, four of a kind, the dog.
GRAND_DRAGON: Final = 770
GRAND_PHOENIX: Final = 1020
GRAND_ACE: Final = 250
GRAND_KING: Final = 30
GRAND_FOUR: Final = 900
GRAND_DOG: Final = -1000
#: The required sum, by how readily a seat calls.
GRAND_FROM: Final = {"usual": 1470, "bold": 1150, "careful": 1850}
#: A hand below this price calls small Tichu, while each opponent still holds at least the number of cards below.
SMALL_BELOW: Final = {"usual": 1150, "bold": 1900, "careful": 600}
EARLY: Final = 7

# --- the schupf ---
#: The price that a card adds to a random hand, by its value.
BURDEN: Final = (1070, 230, 210, 160, 10, 30, -20, -70, -80, -110, -140, -130, -260, -230, -500, -1010, -1710)
#: The weight, in thousandths, of a burden on an opponent, on the partner, and on a partner who has called.
OPPONENT_SHARE: Final = 720
PARTNER_SHARE: Final = 560
CALLER_SHARE: Final = 1140
#: The number of cards from which the three are chosen.
CANDIDATES: Final = 8

# --- leading and following ---
#: The worth of the lead, and its worth for the partner.
LEAD_WORTH: Final = 600
PARTNER_LEAD_WORTH: Final = 1050
#: The additional worth of the lead if: an opponent has few cards, the agent has called, an opponent has called, the
#: partner is out and a double win is possible, an opponent is out; and of the partner's lead if the partner has called.
DANGER: Final = 340
OWN_CALL: Final = 450
OPPONENT_CALL: Final = 400
PARTNER_OUT: Final = 430
OPPONENT_OUT: Final = 630
PARTNER_CALL: Final = 1930
#: The worth of a point in a trick.
POINT: Final = 61
#: The loss if an opponent finishes on the led combination, and the gain if the partner does.
FINISH: Final = 1290
FEED: Final = 510
#: The worth of having the lead with one combination left.
LAST: Final = 960
#: The cost of overtaking the partner.
OVERTAKE: Final = 320
#: The worth of finishing, above everything else.
OUT: Final = 1_000_000
#: The margin by which a bomb out of turn must be better than waiting.
BOMB_MARGIN: Final = 430
#: A player with at most this number of cards is about to finish.
FEW: Final = 3
#: At this number of cards or fewer, the agent counts the remaining combinations.
ENDGAME: Final = 10


class Stakes(NamedTuple):
    """The worth of the current trick.

    :ivar lead: The worth of winning it.
    :ivar partner_lead: The worth if the partner wins it.
    :ivar points: The worth of its points.
    :ivar stays: The probability that no opponent beats its top.
    :ivar partners: Whether the partner is winning it.
    :ivar nearest: When leading, the smallest number of cards of an opponent, otherwise 0.
    :ivar partner_count: When leading, the partner's number of cards, otherwise 0.
    """

    lead: int
    partner_lead: int
    points: int
    stays: float
    partners: bool
    nearest: int
    partner_count: int

    def value(self, move: Move, appraisal: Appraisal, price: int, parts: int) -> int:
        """Compute the value of a move, after which the hand has this price and so many combinations are left."""
        if move == PASS:
            return int(self.stays * (self.partner_lead + self.points)) - price if self.partners else -price
        kind, length, rank = move.combination
        if not parts:
            return OUT
        if not rank:
            return self.partner_lead - price
        wins = 1.0 if kind == CombinationType.BOMB else self.stays if rank == 16 else appraisal.holds[move.combination]
        # If the move wins and one combination is left, that follows at once and costs nothing.
        value = int(wins * LAST - (1 - wins) * price) if parts == 1 else -price
        # The points of a trick won with the dragon go to an opponent.
        value += int(wins * (self.lead if rank == 15 else self.lead + self.points))
        if length == self.nearest <= FEW:
            value -= int((1 - wins) * FINISH)
        if length == self.partner_count < FEW:
            value += int((1 - wins) * FEED)
        return value - OVERTAKE if self.partners else value


class SlowHeuristicAgent(TichuAgent):
    """Makes the move with the best balance of winning chances and remaining hand.

    :param style: The style of play.
    :param calls: How readily it calls.
    """

    def __init__(self, style: str = "strength", calls: str = "usual") -> None:
        self._is_team = style == "team"
        self._grand_from, self._small_below = GRAND_FROM[calls], SMALL_BELOW[calls]

    # --- calls --------------------------------------------------------------------------------------------------------

    def announce(self, view: View, grand: bool) -> bool:
        public, private = view.public, own(view)
        if grand:
            promise = grand_promise(private.hand_cards)
            self.reason = _reason_for_grand(promise, self._grand_from)
            return promise > self._grand_from
        me, counts = private.player_index, public.count_hand_cards
        if public.current_turn_index != me or public.announcements[me ^ 2]:
            return False
        if counts[me ^ 1] < EARLY or counts[me ^ 3] < EARLY:
            return False
        self.reason = reasons.TICHU
        return self._appraise(public, private).price() < self._small_below

    # --- the schupf ---------------------------------------------------------------------------------------------------

    def schupf(self, view: View, legal: Sequence[Move]) -> Sequence[Cards]:
        public, private = view.public, own(view)
        me, calls = private.player_index, public.announcements
        appraisal = self._appraise(public, private)
        cards = [move.cards for move in legal]
        burdens = [BURDEN[value_of(card)] for card in cards]
        alone = appraisal.after(legal)
        ranking = sorted(range(len(cards)), key=lambda place: alone[place] - burdens[place])
        # The best card is always a candidate: the partner may need it.
        places = sorted({*ranking[:CANDIDATES], burdens.index(min(burdens))})
        triples = list(combinations(places, 3))
        prices = appraisal.after([cards[a] | cards[b] | cards[c] for a, b, c in triples])
        share = 0 if calls[me] else CALLER_SHARE if calls[me ^ 2] else PARTNER_SHARE
        values = []
        for (a, b, c), price in zip(triples, prices, strict=True):
            laid = OPPONENT_SHARE * (burdens[a] + burdens[b] + burdens[c]) - 1000 * price
            for partner in (a, b, c):
                value = laid - (OPPONENT_SHARE + share) * burdens[partner]
                to_opponents = {cards[place] for place in (a, b, c) if place != partner}
                values.append(NEVER if self._is_team and MAH_JONG in to_opponents else value)
        best, role = divmod(values.index(max(values)), 3)
        others = list(triples[best])
        partner = others.pop(role)
        one, other = [cards[place] for place in others]
        right, left = _sides(one, other, calls[(me + 1) % 4], calls[(me + 3) % 4])
        self.reason = reasons.BEST_GIFTS
        return [right, cards[partner], left]

    # --- leading and following ----------------------------------------------------------------------------------------

    def play(self, view: View, legal: Sequence[Move]) -> Move:
        public, private = view.public, own(view)
        if public.trick_owner_index == private.player_index:
            self.reason = reasons.TRICK_WON
            return legal[0]
        count = len(legal)
        legal = self.in_style(public, private, legal)
        if len(legal) == 1 < count:
            self.reason = reasons.PARTNERS if legal[0] == PASS else reasons.MAH_JONG_FIRST
            return legal[0]
        values = self._values(public, private, legal)
        best = values.index(max(values))
        self.reason = self._reason(public, private, legal[best], values)
        return legal[best]

    def in_style(self, public: PublicState, private: PrivateState, legal: Sequence[Move]) -> Sequence[Move]:
        """Return the moves that the style allows, or all if it allows none."""
        me = private.player_index
        if public.trick_owner_index < 0:
            opens = not public.played_cards and MAH_JONG in private.hand_cards
            return [move for move in legal if MAH_JONG in move.cards] if opens else legal
        if not self._is_team or public.trick_owner_index != me ^ 2:
            return legal
        calls, counts = public.announcements, public.count_hand_cards
        if any(counts[seat] in (1, 2) for seat in (me ^ 1, me ^ 3)) or (calls[me] and not calls[me ^ 2]):
            return legal
        kind, _, rank = public.trick_combination
        is_low = kind == CombinationType.SINGLE and rank < 10
        fine = [
            move
            for move in legal
            if move == PASS
            or move.cards == private.hand_cards
            or (is_low and move.combination.type != CombinationType.BOMB and not move.cards & (ACES | DRAGON | PHOENIX))
        ]
        return fine or legal

    def _reason(self, public: PublicState, private: PrivateState, move: Move, values: Sequence[int]) -> Sentence:
        """Describe the best move and its margin over the next one."""
        *_, other, best = sorted(values)
        if best == OUT:
            return reasons.LAST_CARDS
        told: dict[str, object] = {"grade": reasons.worse(best - other)}
        if move == PASS:
            partners = public.trick_owner_index == private.player_index ^ 2
            return Sentence(reasons.TEXTS, "best pass for partner" if partners else "best pass", told)
        if move.cards == DOG:
            return Sentence(reasons.TEXTS, "best dog", told)
        if move.cards == PHOENIX:
            # Alone, its rank depends on the card below it.
            holds = self._stays(public, private) if public.trick_owner_index >= 0 else 0.0
        else:
            holds = self._appraise(public, private).holds[move.combination]
        name, tenths = frequency(holds)
        return Sentence(reasons.TEXTS, f"holds {name}", {**told, "tenths": tenths})

    def _values(self, public: PublicState, private: PrivateState, moves: Sequence[Move]) -> list[int]:
        """Compute the value of each move."""
        stakes, appraisal = self._stakes(public, private), self._appraise(public, private)
        hand = private.hand_cards
        near = len(hand) <= ENDGAME
        left = fewest_after(hand, moves) if near else [ENDGAME * (move.cards != hand) for move in moves]
        weighed = zip(moves, appraisal.after(moves), left, strict=True)
        return [stakes.value(move, appraisal, price, parts) for move, price, parts in weighed]

    def _stakes(self, public: PublicState, private: PrivateState) -> Stakes:
        """Compute the stakes of the current trick."""
        me, counts = private.player_index, public.count_hand_cards
        leads = public.trick_owner_index < 0
        return Stakes(
            lead_worth(public, me),
            partner_lead_worth(public, me),
            POINT * public.trick_points,
            0.0 if leads else self._stays(public, private),
            public.trick_owner_index == me ^ 2,
            _nearest(counts, me) if leads else 0,
            counts[me ^ 2] if leads else 0,
        )

    def _stays(self, public: PublicState, private: PrivateState) -> float:
        """Return the probability that no opponent can beat the top of the trick with its own type."""
        return self._appraise(public, private).hold(public.trick_combination)

    # --- bombs --------------------------------------------------------------------------------------------------------

    def bomb(self, view: View, bombs: Sequence[Move]) -> Move | None:
        public, private = view.public, own(view)
        me = private.player_index
        if public.trick_owner_index in (-1, me, me ^ 2):
            return None
        values = self._values(public, private, bombs)
        gain = max(values) + self._appraise(public, private).price()
        if gain <= BOMB_MARGIN:
            return None
        self.reason = reasons.BOMB
        return bombs[values.index(max(values))]

    def _appraise(self, public: PublicState, private: PrivateState) -> Appraisal:
        """Appraise the hand against the opponents' possible cards."""
        counts, me = public.count_hand_cards, private.player_index
        return Appraisal(private.hand_cards, _hidden(public, private), (counts[me ^ 1], counts[me ^ 3]))


def grand_promise(hand: Cards) -> int:
    """Return the promise of eight cards for Grand Tichu."""
    fours = sum(Cards.of_value(value) in hand for value in range(2, 15))
    high = GRAND_DRAGON * (DRAGON in hand) + GRAND_PHOENIX * (PHOENIX in hand) + GRAND_ACE * len(hand & ACES)
    rest = GRAND_KING * len(hand & Cards.of_value(13)) + GRAND_FOUR * fours
    return high + rest + GRAND_DOG * (DOG in hand)


def _reason_for_grand(promise: int, needed: int) -> Sentence:
    """Describe how far eight cards are from the promise that Grand Tichu needs."""
    if promise > needed:
        return reasons.GRAND_STRONG
    aces = (needed - promise) // GRAND_ACE
    return reasons.GRAND_NEARLY[aces] if aces < len(reasons.GRAND_NEARLY) else reasons.GRAND_WEAK


def lead_worth(public: PublicState, me: int) -> int:
    """Return the worth of winning the trick."""
    calls, winner = public.announcements, public.winner_index
    worth = LEAD_WORTH
    if _nearest(public.count_hand_cards, me) <= FEW:
        worth += DANGER
    if calls[me]:
        worth += OWN_CALL
    if winner < 0:
        return worth + (OPPONENT_CALL if calls[me ^ 1] or calls[me ^ 3] else 0)
    return worth + (PARTNER_OUT if winner == me ^ 2 else OPPONENT_OUT)


def partner_lead_worth(public: PublicState, me: int) -> int:
    """Return the worth if the partner wins the trick."""
    partner, winner = me ^ 2, public.winner_index
    if not public.count_hand_cards[partner]:
        return 0
    if winner < 0:
        return PARTNER_LEAD_WORTH + (PARTNER_CALL if public.announcements[partner] else 0)
    return PARTNER_LEAD_WORTH + (0 if winner == partner else OPPONENT_OUT)


def _hidden(public: PublicState, private: PrivateState) -> Cards:
    """Return the cards that the opponents may hold: the unseen ones except those given to the partner."""
    given = private.given_schupf_cards
    partners = given[1] if len(given) == 3 else Cards()
    return DECK - public.played_cards - private.hand_cards - partners


def _nearest(counts: Sequence[int], me: int) -> int:
    """Return the smallest number of cards of an opponent; 14 if both are out."""
    return min(counts[me ^ 1] or 14, counts[me ^ 3] or 14)


def _sides(one: Cards, other: Cards, right_calls: int, left_calls: int) -> tuple[Cards, Cards]:
    """Give the heavier burden to an opponent who has called, else odd values to the right and even ones to the left."""
    if bool(right_calls) != bool(left_calls):
        heavier_first = BURDEN[value_of(one)] >= BURDEN[value_of(other)]
        return (one, other) if heavier_first == bool(right_calls) else (other, one)
    return (one, other) if value_of(one) % 2 >= value_of(other) % 2 else (other, one)
