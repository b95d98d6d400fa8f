"""The 32 cards of Mau-Mau as numbers, and sets of cards as bit masks."""

from __future__ import annotations

from typing import Final

from tisch.ports.suits import letters

#: The letters of the colours ♦ ♥ ♣ ♠.
COLOURS: Final = letters("diamonds", "hearts", "clubs", "spades")
#: The labels of the ranks from seven to ace; the index of a rank is its value in the rules.
RANKS: Final = ("7", "8", "9", "10", "B", "D", "K", "A")
SEVEN, JACK, ACE = 0, 4, 7
#: The points of a card left in the hand, by value.
POINTS: Final = (7, 8, 9, 10, 20, 10, 10, 11)

#: The label of every card, by colour, then rank; the index is the card's number.
LABELS: Final = tuple(colour + rank for colour in COLOURS for rank in RANKS)
NUMBERS: Final = {label: number for number, label in enumerate(LABELS)}
#: The labels in the order of a sorted hand: red and black colours alternate.
SORTED: Final = tuple(colour + rank for colour in letters("clubs", "hearts", "spades", "diamonds") for rank in RANKS)
DECK: Final = (1 << 32) - 1

JACKS: Final = sum(1 << 8 * colour + JACK for colour in range(4))
SEVENS: Final = sum(1 << 8 * colour + SEVEN for colour in range(4))
#: The masks of each colour and of each value.
OF_COLOUR: Final = tuple(0xFF << 8 * colour for colour in range(4))
OF_VALUE: Final = tuple(sum(1 << 8 * colour + value for colour in range(4)) for value in range(8))


def cards_of(hand: int) -> list[int]:
    """Return the cards of a set.

    :param hand: The set.
    :result: Their numbers in ascending order.
    """
    cards = []
    while hand:
        lowest = hand & -hand
        cards.append(lowest.bit_length() - 1)
        hand ^= lowest
    return cards


def labels_of(hand: int) -> tuple[str, ...]:
    """Return the labels of a set of cards.

    :param hand: The set.
    :result: The labels by colour and value.
    """
    return tuple(LABELS[card] for card in cards_of(hand))


def points_of(hand: int) -> int:
    """Compute the points of cards left in the hand.

    :param hand: The set.
    :result: The points.
    """
    return sum(POINTS[card % 8] for card in cards_of(hand))
