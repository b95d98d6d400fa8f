"""Tichu: cards, combinations, legal plays, partitions of hands, odds, and the game."""

from tisch.games.tichu import odds
from tisch.games.tichu.cards import Cards
from tisch.games.tichu.combinations import (
    Combination,
    CombinationType,
    Hand,
    Plays,
    census,
    classify,
    combinations,
    plays,
)
from tisch.games.tichu.game import GAME
from tisch.games.tichu.moves import Move
from tisch.games.tichu.options import Options
from tisch.games.tichu.partitions import Partitions, cheapest_after, fewest, fewest_after, partitions
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.simulation import Round, simulate
from tisch.games.tichu.state import PrivateState, PublicState, View

__all__ = [
    "GAME",
    "Cards",
    "Combination",
    "CombinationType",
    "Hand",
    "Move",
    "Options",
    "Partitions",
    "Plays",
    "PrivateState",
    "PublicState",
    "Round",
    "TichuState",
    "View",
    "census",
    "cheapest_after",
    "classify",
    "combinations",
    "fewest",
    "fewest_after",
    "odds",
    "partitions",
    "plays",
    "simulate",
]
