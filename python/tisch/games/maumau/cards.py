"""Mau-Mau's cards: 32 of them, each a number, and sets of them as bits of a number."""

from __future__ import annotations

from typing import Final

from tisch.games.suits import letters

#: The colours ♦ ♥ ♣ ♠, by their letters.
COLOURS: Final = letters("diamonds", "hearts", "clubs", "spades")
#: The ranks from seven to ace, as labels; a rank's place is the value that the rules reckon with.
RANKS: Final = ("7", "8", "9", "10", "B", "D", "K", "A")
SEVEN, JACK, ACE = 0, 4, 7
#: What a card left in the hand counts, by value.
POINTS: Final = (7, 8, 9, 10, 20, 10, 10, 11)

#: Every card: colour, then rank; its number is its place.
LABELS: Final = tuple(colour + rank for colour in COLOURS for rank in RANKS)
NUMBERS: Final = {label: number for number, label in enumerate(LABELS)}
#: … in the order in which a hand is sorted: red and black colours take turns.
SORTED: Final = tuple(colour + rank for colour in letters("clubs", "hearts", "spades", "diamonds") for rank in RANKS)
DECK: Final = (1 << 32) - 1

JACKS: Final = sum(1 << 8 * colour + JACK for colour in range(4))
SEVENS: Final = sum(1 << 8 * colour + SEVEN for colour in range(4))
#: The cards of each colour and of each value.
OF_COLOUR: Final = tuple(0xFF << 8 * colour for colour in range(4))
OF_VALUE: Final = tuple(sum(1 << 8 * colour + value for colour in range(4)) for value in range(8))


def cards_of(hand: int) -> list[int]:
    """List the cards of a set.

    :param hand: The set.
    :result: Their numbers, rising.
    """
    cards = []
    while hand:
        lowest = hand & -hand
        cards.append(lowest.bit_length() - 1)
        hand ^= lowest
    return cards


def labels_of(hand: int) -> tuple[str, ...]:
    """List the labels of a set of cards.

    :param hand: The set.
    :result: The labels, by colour and value.
    """
    return tuple(LABELS[card] for card in cards_of(hand))


def points_of(hand: int) -> int:
    """Count what cards left in the hand are worth.

    :param hand: The set.
    :result: The points.
    """
    return sum(POINTS[card % 8] for card in cards_of(hand))
