"""What the hidden cards may be, as far as everybody can tell from how the round has been played.

Who draws shows that none of his cards fitted; who passes after drawing, that the new one did not either; and when the
pile becomes the stock, everybody has seen what is in it. Why somebody laid one card rather than another is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tisch.game import Random
from tisch.games.maumau.cards import DECK


class Possible:
    """The possible cards of each hand and of the stock.

    :ivar hands: For each seat a set of cards for each card it holds, the one held longest first.
    :ivar stock: The set of cards that a card of the stock may be.
    """

    __slots__ = ("hands", "stock")

    def __init__(self, counts: Iterable[int]) -> None:
        """Begin a round, of which nothing is known.

        :param counts: How many cards each seat has got.
        """
        self.hands = [[DECK] * count for count in counts]
        self.stock = DECK

    def copy(self) -> Possible:
        """Make an independent copy.

        :result: The copy.
        """
        other = Possible(())
        other.hands = [hand[:] for hand in self.hands]
        other.stock = self.stock
        return other

    def draw(self, seat: int) -> None:
        """A seat draws a card of the stock."""
        self.hands[seat].append(self.stock)

    def exclude(self, seat: int, cards: int) -> None:
        """A seat shows that it holds none of some cards."""
        self.hands[seat] = [possible & ~cards for possible in self.hands[seat]]

    def include(self, seat: int, cards: int) -> None:
        """A seat shows that the card drawn last is one of some cards."""
        self.hands[seat][-1] &= cards

    def lay(self, seat: int, card: int) -> None:
        """A seat lays a card.

        It may have been any that the card is possible for. Of those the one held longest is taken to be gone: all that
        is known of the others is known of it, too, so that whatever is true stays possible.
        """
        hand = self.hands[seat]
        for place, possible in enumerate(hand):
            if possible >> card & 1:
                del hand[place]
                return

    def reshuffle(self, cards: int) -> None:
        """Some cards become the stock."""
        for seat in range(len(self.hands)):
            self.exclude(seat, cards)
        self.stock = cards

    def places(self, seat: int, stock: int) -> list[int]:
        """List what the cards may be that a seat does not see.

        :param seat: The seat.
        :param stock: How many cards the stock has.
        :result: A set of cards for each card of the other hands, by seat, and then of the stock.
        """
        others = [possible for rival, hand in enumerate(self.hands) if rival != seat for possible in hand]
        return others + [self.stock] * stock


def spread(cards: Sequence[int], places: Sequence[int], random: Random) -> list[int]:
    """Spread cards at random over places, to each one that is possible there.

    Where a card is impossible it is exchanged for another. All ways are equally probable where all places that are not
    free are restricted alike, and roughly so otherwise.

    :param cards: The cards, in an order that tells nothing of where they really are.
    :param places: For each place the set of cards that are possible there; there is a way to fill all.
    :param random: Where chance comes from.
    :result: The card for each place.
    """
    dealt = list(cards)
    random.shuffle(dealt)
    pending = [place for place, possible in enumerate(places) if not possible >> dealt[place] & 1]
    while pending:
        place = pending.pop()
        possible, card = places[place], dealt[place]
        if possible >> card & 1:
            continue
        fitting = [other for other, held in enumerate(dealt) if possible >> held & 1]
        # Best is an exchange that suits both places; otherwise the other place is the next to look for a card.
        other = random.choice([other for other in fitting if places[other] >> card & 1] or fitting)
        dealt[place], dealt[other] = dealt[other], card
        pending.append(other)
    return dealt
