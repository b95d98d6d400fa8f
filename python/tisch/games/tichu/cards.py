"""Tichu's cards: the core's set of cards under its name in the game, and the sets that the rules speak of.

The core stores a set as a mask of 64 bits. Python uses an object, because only an object prints as cards, compares as a
set and cannot be confused with a number. By ``benches/test_combinations.py``, it costs no more than a plain number; a
mask is only for what must be a number, such as the arrays of the encoding.
"""

from collections.abc import Iterable
from typing import Final

from tisch._core.tichu import Cards

__all__ = ["ACES", "DECK", "DOG", "DRAGON", "MAH_JONG", "PHOENIX", "Cards", "union", "value_of"]

DOG: Final = Cards("Hu")
MAH_JONG: Final = Cards("Ma")
DRAGON: Final = Cards("Dr")
PHOENIX: Final = Cards("Ph")
ACES: Final = Cards.of_value(14)
#: All 56 cards.
DECK: Final = Cards.from_mask((1 << 56) - 1)


def value_of(card: Cards) -> int:
    """Return the value of a card.

    :param card: The card.
    :result: 0 dog, 1 Mah Jong, 2 to 14, 15 dragon, 16 phoenix.
    """
    value, _ = card.numbers[0]
    return value


def union(parts: Iterable[Cards]) -> Cards:
    """Return the cards of several sets.

    :param parts: The sets.
    :result: All their cards.
    """
    together = Cards()
    for part in parts:
        together |= part
    return together
