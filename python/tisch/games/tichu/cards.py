"""Tichu's cards: the core's set of cards under its name in the game.

The core stores a set as a mask of 64 bits. Python uses an object, because only an object prints as cards, compares as a
set and cannot be confused with a number. By ``benches/test_combinations.py``, removing cards costs no more than with a
plain number of 56 bits. Conversions have a cost, so code that works with numbers throughout uses ``mask``.
"""

from tisch._core.tichu import Cards

__all__ = ["DECK", "Cards"]

#: All 56 cards.
DECK = Cards.from_mask((1 << 56) - 1)
