"""The price of a hand, the measure of the heuristic agent: exact odds and prices found by experiment.

The unit is a thousandth of a lead. A low card costs about one lead, because the player needs a lead to shed it; a card
that wins a trick gains one and has a negative price. The price of a hand is that of its cheapest partition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tisch._core import tichu as core
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import CombinationType
from tisch.games.tichu.moves import LEAD, Move

#: The type, length and rank of each combination, by code.
COMBINATIONS: Final = tuple((int(kind), length, rank) for kind, length, rank in map(core.combination_at, range(LEAD)))
#: The cards below each rank.
BELOW: Final = tuple((1 << max(4 * rank - 6, 0)) - 1 if rank >= 2 else 0 for rank in range(16))
#: The share of lower unseen cards, in thousandths, above which a rank counts as high.
HIGH_FROM: Final = 650


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
    """A hand among unseen cards: the winning chances and the price of each of its combinations.

    :ivar holds: By a combination's code, the probability that no opponent can beat it with its own type.
    :ivar prices: The price of each combination by its code; 0 for combinations that the hand does not hold.
    """

    __slots__ = ("_hand", "holds", "prices")

    def __init__(self, hand: int, unseen: int, sizes: Sequence[int]) -> None:
        """Appraise a hand.

        :param hand: The cards, as a mask.
        :param unseen: The cards that others may hold, as a mask.
        :param sizes: The opponents' numbers of cards.
        """
        self._hand = Cards.from_mask(hand)
        self.holds: dict[int, float] = core.odds_holds(self._hand, Cards.from_mask(unseen), sizes)
        self.prices = [0] * LEAD
        count = unseen.bit_count() or 1
        for code, holds in self.holds.items():
            kind, _, rank = COMBINATIONS[code]
            if kind == CombinationType.BOMB:
                price = BOMB_PRICE
            elif 1 < rank < 16:
                tariff = TARIFFS[kind]
                lower = (unseen & BELOW[rank]).bit_count() * 1000 // count
                price = tariff.base - (tariff.shed * lower + int(tariff.gain * 1000 * holds)) // 1000
                if lower > HIGH_FROM:
                    price -= tariff.high * (lower - HIGH_FROM) // (1000 - HIGH_FROM)
            else:
                price = {0: DOG_PRICE, 1: MAH_JONG_PRICE, 16: PHOENIX_PRICE}[rank]
            self.prices[code] = price

    def price(self) -> int:
        """Return the price of the hand.

        :result: The price of its cheapest partition.
        """
        return core.cheapest_after(self._hand, [Cards()], self.prices)[0]

    def after(self, plays: Sequence[Move] | Sequence[Cards]) -> list[int]:
        """Return the price of the hand after each of several plays.

        :param plays: Moves that lay cards, or the cards themselves.
        :result: The price of the remaining hand for each play.
        """
        return core.cheapest_after(self._hand, plays, self.prices)
