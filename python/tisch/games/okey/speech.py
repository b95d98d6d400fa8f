"""The speech of Okey on the live server: the plain one, with a description of its events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tisch.ports import speech
from tisch.ports.described import EventFields, Field

SEAT: Final = Field("seat", "the player's seat")
MAIN: Final = Field("integer", "the number of tiles that are left in the main stack")


class Speech(speech.Speech):
    """The plain speech."""

    events: ClassVar[Mapping[str, EventFields]] = {
        "dealt": EventFields(
            "The tiles are dealt.",
            {"turn": Field("seat", "the player who begins, with fifteen tiles"), "main": MAIN},
            {"rack": Field("[text]", "the seat's own tiles")},
        ),
        "put": EventFields(
            "A player puts a tile on the exchange stack of the next player.",
            {
                "seat": SEAT,
                "tile": Field("text", "the tile"),
                "turn": Field("seat?", "the player whose turn it is now; null at the end"),
            },
        ),
        "drawn": EventFields(
            "A player draws from the main stack.",
            {"seat": SEAT, "main": MAIN},
            {"tile": Field("text", "the tile that the seat drew")},
        ),
        "taken": EventFields(
            "A player takes the top of their exchange stack.",
            {"seat": SEAT, "main": MAIN, "tile": Field("text", "the tile")},
        ),
        "empty": EventFields(
            "A player wants to draw from the main stack, which is empty: the game ends without a winner.",
            {"seat": SEAT},
        ),
        "won": EventFields(
            "A player wins.",
            {"seat": SEAT, "layout": Field("[text?]", "the winner's rack, slot by slot; null for an empty slot")},
        ),
        "cheated": EventFields(
            "A player exchanges their tiles for winning ones, where the option allows it.",
            {
                "seat": SEAT,
                "rack": Field("[text]", "the player's new tiles"),
                "stacks": Field("[[text]]", "by seat: the exchange stack that it draws from, the top last"),
            },
            {"own": Field("[text]", "for the other seats: their own tiles, which may have changed")},
        ),
    }
