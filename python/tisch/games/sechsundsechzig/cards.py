"""The 24 cards and their labels.

A card is its label: the colour's letter, then the rank, one of ``A 10 K D B 9``. So ``X10`` is the ten of Kreuz, ``KK``
the king of Karo.
"""

from __future__ import annotations

from typing import TypeAlias

from tisch.ports.suits import letters

Card: TypeAlias = str

COLOURS = letters("clubs", "spades", "hearts", "diamonds")
RANKS = ("A", "10", "K", "D", "B", "9")

#: Every card in the order of a sorted hand: Kreuz, Pik, Herz, Karo, each from the ace down.
CARDS: tuple[Card, ...] = tuple(colour + rank for colour in COLOURS for rank in RANKS)
#: The index of each card in :data:`CARDS`; within a colour the lower index beats the higher one.
ORDER = {card: place for place, card in enumerate(CARDS)}
#: The points of each card in a trick.
POINTS = dict(zip(CARDS, (11, 10, 4, 3, 2, 0) * len(COLOURS), strict=True))
#: The king and queen of each colour, which form a pair.
PAIRS = {colour: (colour + "K", colour + "D") for colour in COLOURS}
#: The other card of a pair.
PARTNER = {card: other for king, queen in PAIRS.values() for card, other in ((king, queen), (queen, king))}


def takes(card: Card, led: Card, trump: str) -> bool:
    """Return whether the second card of a trick wins it.

    :param card: The second card.
    :param led: The first card.
    :param trump: The trump colour.
    :result: Whether it wins.
    """
    if card[0] == led[0]:
        return ORDER[card] < ORDER[led]
    return card[0] == trump
