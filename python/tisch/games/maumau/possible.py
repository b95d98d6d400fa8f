"""The possible hidden cards, given everything that all seats have observed in the round.

A player who draws had no fitting card; a player who passes after drawing did not draw one; and when the pile becomes
the stock, everybody has seen its cards. The choice between fitting cards is not interpreted.
"""

from __future__ import annotations

from collections.abc import Iterable

from tisch.games.maumau.cards import DECK


class Possible:
    """The possible cards of each hand and of the stock.

    :ivar hands: For each seat, a set of possible cards for each card it holds, the oldest first.
    :ivar stock: The set of possible cards for each card of the stock.
    """

    __slots__ = ("hands", "stock")

    def __init__(self, counts: Iterable[int]) -> None:
        """Begin a round without any observations.

        :param counts: The number of cards of each seat.
        """
        self.hands = [[DECK] * count for count in counts]
        self.stock = DECK

    def copy(self) -> Possible:
        """Return an independent copy.

        :result: The copy.
        """
        other = Possible(())
        other.hands = [hand[:] for hand in self.hands]
        other.stock = self.stock
        return other

    def draw(self, seat: int) -> None:
        """Record that a seat draws a card from the stock."""
        self.hands[seat].append(self.stock)

    def exclude(self, seat: int, cards: int) -> None:
        """Record that a seat shows that it has none of some cards."""
        self.hands[seat] = [possible & ~cards for possible in self.hands[seat]]

    def include(self, seat: int, cards: int) -> None:
        """Record that a seat shows that its last drawn card is one of some cards."""
        self.hands[seat][-1] &= cards

    def lay(self, seat: int, card: int) -> None:
        """Record that a seat lays a card.

        It may have been any entry for which this card is possible. The oldest such entry is removed: everything known
        of the others is known of it as well, so the true cards stay possible.
        """
        hand = self.hands[seat]
        for place, possible in enumerate(hand):
            if possible >> card & 1:
                del hand[place]
                return

    def reshuffle(self, cards: int) -> None:
        """Record that some cards become the stock."""
        for seat in range(len(self.hands)):
            self.exclude(seat, cards)
        self.stock = cards

    def places(self, seat: int, stock: int) -> list[int]:
        """Return the possible cards in each place that a seat does not see.

        :param seat: The seat.
        :param stock: The number of cards in the stock.
        :result: A set of cards for each card of the other hands, by seat, and then for each card of the stock.
        """
        others = [possible for rival, hand in enumerate(self.hands) if rival != seat for possible in hand]
        return others + [self.stock] * stock
