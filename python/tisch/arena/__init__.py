"""The arena: agents play each other over many deals, and what they show is told with its error.

``Match`` is the way in; ``tisch arena`` is the same from the command line.
"""

from tisch.arena.match import Match
from tisch.arena.result import Result
from tisch.arena.statistics import Estimate
from tisch.arena.stopping import Sprt
from tisch.arena.workers import BrokenMatch

__all__ = ["BrokenMatch", "Estimate", "Match", "Result", "Sprt"]
