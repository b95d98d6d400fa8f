"""Tichu's cards: the set of cards that the core offers, under the name by which the game knows it."""

from tisch._core import Cards

__all__ = ["DECK", "Cards"]

#: All 56 cards.
DECK = Cards.from_mask((1 << 56) - 1)
