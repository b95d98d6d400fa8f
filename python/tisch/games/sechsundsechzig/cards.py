"""The 24 cards and what is written on them.

A card is its label: the colour's letter, then the rank, one of ``A 10 K D B 9``. So ``X10`` is the ten of Kreuz, ``KK``
the king of Karo.
"""

from __future__ import annotations

from typing import TypeAlias

from tisch.games.suits import letters

Card: TypeAlias = str

COLOURS = letters("clubs", "spades", "hearts", "diamonds")
RANKS = ("A", "10", "K", "D", "B", "9")

#: Every card, in the order in which hands are sorted: Kreuz, Pik, Herz, Karo, each from the ace down.
CARDS: tuple[Card, ...] = tuple(colour + rank for colour in COLOURS for rank in RANKS)
#: A card's place in :data:`CARDS`; within a colour the lower place takes the higher one.
ORDER = {card: place for place, card in enumerate(CARDS)}
#: What a card counts in a trick.
POINTS = dict(zip(CARDS, (11, 10, 4, 3, 2, 0) * len(COLOURS), strict=True))
#: King and queen of each colour, as a pair is announced.
PAIRS = {colour: (colour + "K", colour + "D") for colour in COLOURS}
#: The other card of a pair.
PARTNER = {card: other for king, queen in PAIRS.values() for card, other in ((king, queen), (queen, king))}


def takes(card: Card, led: Card, trump: str) -> bool:
    """Tell whether the second card of a trick wins it.

    :param card: The second card.
    :param led: The first card.
    :param trump: The colour that is trump.
    :result: Does it win?
    """
    if card[0] == led[0]:
        return ORDER[card] < ORDER[led]
    return card[0] == trump
