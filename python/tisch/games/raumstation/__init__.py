"""Raumstation: a space station of connected rooms; scan every safe one, and no trap.

A scanned room tells in how many of the rooms it is connected with there is a trap. Jokers tell what is in a room
without scanning it. Stations are such that no guess is needed, unless ``classic`` is set.
"""

from tisch.games.raumstation.agents import SolverAgent
from tisch.games.raumstation.hints import Hint, hint
from tisch.games.raumstation.player import Move, Refused, View
from tisch.games.raumstation.rules import GAME, Raumstation, RaumstationState
from tisch.games.raumstation.setup import Options, known, solver
from tisch.games.raumstation.station import Room, direction_of

__all__ = [
    "GAME",
    "Hint",
    "Move",
    "Options",
    "Raumstation",
    "RaumstationState",
    "Refused",
    "Room",
    "SolverAgent",
    "View",
    "direction_of",
    "hint",
    "known",
    "solver",
]
