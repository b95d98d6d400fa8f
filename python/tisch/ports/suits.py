"""The letter of each suit in card labels, for every game with the four ordinary suits.

``K`` is Karo, ``H`` Herz, ``X`` Kreuz (its sign looks like an x) and ``P`` Pik. Rules, terminal, wires and browser use
this definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: The suit of each letter.
SUITS: Final[Mapping[str, str]] = {"K": "diamonds", "H": "hearts", "X": "clubs", "P": "spades"}


def letters(*suits: str) -> str:
    """Return the letters of suits.

    :param suits: The suits.
    :result: One letter for each, in the same order.
    """
    letter_of = {suit: letter for letter, suit in SUITS.items()}
    return "".join(letter_of[suit] for suit in suits)
