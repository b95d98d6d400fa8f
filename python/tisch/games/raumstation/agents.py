"""The agent that plays the solver's best move."""

from __future__ import annotations

from collections.abc import Sequence

from tisch._core.raumstation import Station
from tisch.game import Agent, Random
from tisch.games.raumstation.hints import explain
from tisch.games.raumstation.player import Move, View
from tisch.games.raumstation.setup import known, solver
from tisch.language import require


class SolverAgent(Agent[Move]):
    """Scans a room that is certainly safe; otherwise spends the joker or guess that wins most of the possible stations.

    The generator accepts exactly the stations that this strategy finishes without a guess, so it loses only ``classic``
    games. It never marks.
    """

    def __init__(self) -> None:
        self._station: Station | None = None
        self._last: tuple[View, Move] | None = None

    def start(self, random: Random) -> None:
        super().start(random)
        self._station = None
        self._last = None

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move:
        if self._station is None:
            self._station = solver(view.rooms, view.options)
        number, is_joker = self._station.decide(known(view.rooms), view.jokers)
        room = view.rooms[number]
        verb = "joker" if is_joker else "scan"
        if not is_joker and room.is_marked and view.options.protect:
            verb = "unmark"
        move = Move(verb, room.y, room.x)
        self._last = view, move
        return move

    def explain(self, language: str = "en") -> str:
        require(language)
        return explain(*self._last, language) if self._last else ""
