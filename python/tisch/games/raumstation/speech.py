"""The speech of Raumstation on the live server: the plain one, in which a scan may spread, and its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from tisch.game import State
from tisch.games.raumstation.player import Move
from tisch.games.raumstation.rules import RaumstationState
from tisch.games.raumstation.spreading import spread, zeros
from tisch.ports import speech
from tisch.ports.described import EventFields, Field

PLACE: Final = {"row": Field("integer", "the room's row"), "column": Field("integer", "the room's column")}
JOKERS: Final = Field("integer", "the number of jokers that are left")


class Speech(speech.Speech):
    """The plain speech, in which a scan may spread."""

    messages: ClassVar[Mapping[str, EventFields]] = {
        "move": EventFields(
            "Makes a move by its text.",
            {
                "move": Field("text", "the move's text", "scan 4 2"),
                "spread": Field(
                    "boolean?",
                    "whether a scan of a room with the number 0 also scans what is connected with it, and so on",
                    True,
                ),
            },
        )
    }
    events: ClassVar[Mapping[str, EventFields]] = {
        "started": EventFields(
            "A game begins.",
            {"rooms": Field("[object]", "all rooms, each as in the view"), "jokers": JOKERS},
        ),
        "marked": EventFields("The player marks a room as dangerous.", PLACE),
        "unmarked": EventFields("The player takes a mark away.", PLACE),
        "scanned": EventFields(
            "The player scans a room without a trap.",
            {**PLACE, "number": Field("integer", "how many connected rooms hold a trap")},
        ),
        "trapped": EventFields("The player scans a room with a trap: the game is lost.", PLACE),
        "told": EventFields(
            "A joker tells whether a room is dangerous.",
            {**PLACE, "is_dangerous": Field("boolean", "whether it holds a trap"), "jokers": JOKERS},
        ),
        "over": EventFields(
            "The game is over.",
            {
                "won": Field("boolean", "whether it is won"),
                "rooms": Field("[object]", "all rooms as they are, each as in the view"),
            },
        ),
    }

    def speak(self, state: State[Any], seat: int, kind: str, data: Mapping[str, Any]) -> Sequence[Any]:
        if data.get("spread") is not True or not isinstance(state, RaumstationState):
            return super().speak(state, seat, kind, data)
        text = speech.text_of(data, "move")
        if text in _spreads(state):
            return spread(state, self.game.parse(text))
        move: Move = self.move(text)
        return spread(state, move) if move.verb == "scan" and move in state.legal(seat) else [move]

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Any]:
        """Return the scans of marked rooms."""
        marked = {(move.row, move.column) for move in state.legal(seat) if move.verb == "unmark"}
        return [move for move in state.legal(seat) if move.verb == "scan" and (move.row, move.column) in marked]

    def choices(self, state: State[Any], seat: int) -> dict[str, Any]:
        spreads = _spreads(state) if isinstance(state, RaumstationState) else []
        return {**super().choices(state, seat), "spreads": spreads}

    def choice_fields(self) -> Mapping[str, Field]:
        about = "the scans of open rooms with the number 0 that open what is connected with them, with `spread`"
        return {**super().choice_fields(), "spreads": Field("[text]", about)}


def _spreads(state: RaumstationState) -> list[str]:
    return [str(Move("scan", room.y, room.x)) for room in zeros(state)]
