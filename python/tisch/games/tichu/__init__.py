"""Tichu: cards, combinations and what may be laid."""

from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import Combination, CombinationType, Plays, classify, combinations, plays

__all__ = ["Cards", "Combination", "CombinationType", "Plays", "classify", "combinations", "plays"]
