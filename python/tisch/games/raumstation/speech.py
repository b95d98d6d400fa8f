"""The speech of Raumstation on the live server: the plain one, with a description of its events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tisch.ports import speech
from tisch.ports.described import EventFields, Field

PLACE: Final = {"row": Field("integer", "the room's row"), "column": Field("integer", "the room's column")}
JOKERS: Final = Field("integer", "the number of jokers that are left")


class Speech(speech.Speech):
    """The plain speech."""

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
