"""Raumstation: a space station of connected rooms; scan every safe one, and no trap.

A scanned room shows the number of traps in the rooms connected with it. Jokers reveal the content of a room without
scanning it. Every station can be solved without a guess, unless ``classic`` is set.
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
