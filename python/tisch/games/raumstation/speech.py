"""The speech of Raumstation on the live server: the plain one, in which a scan may spread, and its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from tisch.game import State
from tisch.games.raumstation.events import EVENTS
from tisch.games.raumstation.player import Move
from tisch.games.raumstation.rules import RaumstationState
from tisch.games.raumstation.spreading import spread, zeros
from tisch.ports import speech
from tisch.ports.told import about, named, read


class Spreading(speech.Move, frozen=True):
    """Makes a move by its text."""

    called: ClassVar[str] = "move"
    move: Annotated[str, about("the move's text", "scan 4 2")]
    spread: Annotated[
        bool | None,
        about("whether a scan of a room with the number 0 also scans what is connected with it, and so on", True),
    ] = None


class Choices(speech.Choices, frozen=True):
    """What the player may do."""

    spreads: Annotated[
        tuple[str, ...],
        about("the scans of open rooms with the number 0 that open what is connected with them, with `spread`"),
    ]


class Speech(speech.Speech):
    """The plain speech, in which a scan may spread."""

    messages = named(Spreading)
    events = EVENTS
    may = Choices

    def speak(self, state: State[Any], seat: int, kind: str, data: Mapping[str, Any]) -> Sequence[Any]:
        said = read(Spreading, data)
        if not said.spread or not isinstance(state, RaumstationState):
            return [self.move(said.move)]
        if said.move in _spreads(state):
            return spread(state, self.game.parse(said.move))
        move: Move = self.move(said.move)
        return spread(state, move) if move.verb == "scan" and move in state.legal(seat) else [move]

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Any]:
        """Return the scans of marked rooms."""
        marked = {(move.row, move.column) for move in state.legal(seat) if move.verb == "unmark"}
        return [move for move in state.legal(seat) if move.verb == "scan" and (move.row, move.column) in marked]

    def choices(self, state: State[Any], seat: int) -> Choices:
        plain = super().choices(state, seat)
        spreads = _spreads(state) if isinstance(state, RaumstationState) else []
        return Choices(plain.legal, plain.doubtful, plain.primary, tuple(spreads))


def _spreads(state: RaumstationState) -> list[str]:
    return [str(Move("scan", room.y, room.x)) for room in zeros(state)]
