"""Sechsundsechzig: two players, 24 cards; a player who has 66 points must say so to win.

``cards`` and ``moves`` define the texts, ``rules`` the game itself, ``agents`` the rules of thumb, and ``search`` the
agent that plays possible deals to their end.
"""

from tisch.games.sechsundsechzig.agents import RuleAgent
from tisch.games.sechsundsechzig.cards import CARDS, POINTS, Card
from tisch.games.sechsundsechzig.game import GAME, Sechsundsechzig
from tisch.games.sechsundsechzig.moves import (
    ANNOUNCE,
    ANNOUNCE_TRUMP,
    CLOSE,
    LAY,
    RESTART,
    STOP,
    SWAP,
    Move,
)
from tisch.games.sechsundsechzig.rules import End, Options, SechsundsechzigState, View
from tisch.games.sechsundsechzig.search import SearchAgent

__all__ = [
    "ANNOUNCE",
    "ANNOUNCE_TRUMP",
    "CARDS",
    "CLOSE",
    "GAME",
    "LAY",
    "POINTS",
    "RESTART",
    "STOP",
    "SWAP",
    "Card",
    "End",
    "Move",
    "Options",
    "RuleAgent",
    "SearchAgent",
    "Sechsundsechzig",
    "SechsundsechzigState",
    "View",
]
