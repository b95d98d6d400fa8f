"""Okey: the rules, tiles and their layout, moves as texts, and agents.

The arrangement of a rack is up to the player and not part of the state: the state holds a player's tiles, and a move
says only which tile the player puts. Winning is a move of its own, ``win 7:RED``: put this tile and lay out the other
fourteen in groups. It is legal exactly if such a layout exists, which the core determines. So the list of legal moves
stays short and independent of the arrangement, and transcripts stay readable.

A wire whose messages carry a layout checks it with :func:`arrangement_is_valid`: if it is valid, the move is ``win``,
otherwise ``put``, even if the player overlooked a winning layout. :func:`arrange` computes a layout for a rack. Two
rows of 12 slots always suffice: 14 tiles in groups of three to five need at most 9 slots in each row, or 11 and 4,
including gaps, and longer runs split into such groups.
"""

from tisch.games.okey.agents import RuleAgent
from tisch.games.okey.game import GAME
from tisch.games.okey.moves import Move, Verb
from tisch.games.okey.rules import OkeyState, Options, View
from tisch.games.okey.search import SearchAgent
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
    "SearchAgent",
    "Tile",
    "Verb",
    "View",
    "arrange",
    "arrangement_is_valid",
]
