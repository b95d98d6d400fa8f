"""The speech of Mau-Mau on the live server: the plain one, with a description of its events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tisch.ports import speech
from tisch.ports.described import EventFields, Field

SEAT: Final = Field("seat", "the player's seat")


class Speech(speech.Speech):
    """The plain speech."""

    events: ClassVar[Mapping[str, EventFields]] = {
        "round": EventFields(
            "A round begins.",
            {"round": Field("integer", "its number, from 1"), "rounds": Field("integer", "how many rounds there are")},
        ),
        "deal": EventFields(
            "The cards are dealt.",
            {
                "counts": Field("[integer]", "by seat: the number of cards"),
                "card": Field("text", "the first card of the pile"),
            },
            {"cards": Field("[text]", "the seat's own cards")},
        ),
        "player": EventFields(
            "It is a player's turn.",
            {
                "seat": SEAT,
                "penalty": Field("integer", "the cards to draw for sevens; 0 for none"),
                "wish": Field("text", "the colour that was wished for, or an empty text"),
            },
        ),
        "play": EventFields("A player lays a card.", {"seat": SEAT, "card": Field("text", "the card")}),
        "wish": EventFields("A player wishes for a colour.", {"seat": SEAT, "colour": Field("text", "the colour")}),
        "draw": EventFields(
            "A player draws.",
            {"seat": SEAT, "count": Field("integer", "the number of cards")},
            {"cards": Field("[text]", "the cards that the seat drew")},
        ),
        "skip": EventFields("A player misses a turn, because of an ace.", {"seat": SEAT}),
        "stack": EventFields(
            "The pile is shuffled and becomes the stock.",
            {"card": Field("text", "the card that stays as the top of the pile")},
        ),
        "result": EventFields(
            "A round is over.",
            {
                "scores": Field("[integer]", "by seat: the points so far"),
                "hands": Field("[[text]]", "by seat: the cards that were left"),
                "points": Field("[integer]", "by seat: the points of these cards"),
                "winner": Field("seat", "the player who has no card left"),
                "round": Field("integer", "the number of the round, from 1"),
            },
        ),
    }
