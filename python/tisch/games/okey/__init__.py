"""Okey: the rules in ``rules``, tiles and their layout, moves as texts, an agent.

How a player arranges his rack is his own affair and no part of the state: the state holds which tiles he has, and a
move says only which one he puts. To win is a move of its own, ``win 7:RED``: put this tile and lay out the other
fourteen in groups. It is legal exactly if they can be laid out so, which the core proves; so the legal moves stay a
short list, the same whatever the rack looks like, and a transcript stays readable.

A wire whose messages carry a layout asks :func:`arrangement_is_valid` about it: if it is valid, the move is ``win``,
otherwise ``put``, also where the player has overlooked how he could have won. :func:`arrange` gives a layout for a
rack. Two rows of 12 slots always suffice: 14 tiles in groups of three to five need at most 9 slots in the one and 9
in the other, or 11 and 4, gaps included, and longer runs fall into such groups.
"""

from tisch.games.okey.agents import RuleAgent
from tisch.games.okey.moves import Move, Verb
from tisch.games.okey.rules import GAME, OkeyState, Options, View
from tisch.games.okey.tiles import JOKER, Colour, Layout, Tile, arrange, arrangement_is_valid

__all__ = [
    "GAME",
    "JOKER",
    "Colour",
    "Layout",
    "Move",
    "OkeyState",
    "Options",
    "RuleAgent",
    "Tile",
    "Verb",
    "View",
    "arrange",
    "arrangement_is_valid",
]
