"""The arena: plays matches between agents over many deals and reports the results with confidence intervals.

``Match`` is the entry point; ``tisch arena`` does the same from the command line.
"""

from tisch.arena.match import Match
from tisch.arena.play import BrokenMatch
from tisch.arena.result import Result
from tisch.arena.statistics import Estimate
from tisch.arena.stopping import Sprt

__all__ = ["BrokenMatch", "Estimate", "Match", "Result", "Sprt"]
