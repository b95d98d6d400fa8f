"""Tichu's cards: the set of cards that the core offers, under the name by which the game knows it.

Inside, a set is a mask of 64 bits. Python carries it as an object, because only that prints as cards, compares as a set
and is not mistaken for a number; by ``benches/test_combinations.py`` taking cards away costs no more than with a bare
number of 56 bits. What costs is going from one to the other, so who needs numbers throughout keeps ``mask``.
"""

from tisch._core import Cards

__all__ = ["DECK", "Cards"]

#: All 56 cards.
DECK = Cards.from_mask((1 << 56) - 1)
