"""Which letter of a card's label stands for which suit, for every game with the four ordinary suits.

``K`` is Karo, ``H`` Herz, ``X`` Kreuz (its sign looks like an x) and ``P`` Pik. Rules, terminal, wires and browser all
take it from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Each letter's suit.
SUITS: Final[Mapping[str, str]] = {"K": "diamonds", "H": "hearts", "X": "clubs", "P": "spades"}


def letters(*suits: str) -> str:
    """Write suits as their letters.

    :param suits: The suits.
    :result: A letter for each, in this order.
    """
    letter_of = {suit: letter for letter, suit in SUITS.items()}
    return "".join(letter_of[suit] for suit in suits)
