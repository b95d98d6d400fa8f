"""The speech of Sechsundsechzig on the live server: the plain one, with a description of its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from tisch.game import State
from tisch.games.sechsundsechzig.moves import CLOSE, RESTART, STOP, Move
from tisch.games.sechsundsechzig.rules import ENOUGH
from tisch.ports import speech
from tisch.ports.described import EventFields, Field

SEAT: Final = Field("seat", "the player's seat")
HIDDEN: Final = Field("integer", "the number of cards face down in the deck")


class Speech(speech.Speech):
    """The plain speech, which asks before a player stops without enough points, or closes."""

    events: ClassVar[Mapping[str, EventFields]] = {
        "dealt": EventFields(
            "A game of the series begins.",
            {
                "number": Field("integer", "its number, from 0"),
                "leader": Field("seat", "the player who leads"),
                "open": Field("text?", "the open card, which shows the trump colour"),
                "hidden": HIDDEN,
            },
            {"hand": Field("[text]", "the seat's own cards")},
        ),
        "laid": EventFields(
            "A player lays a card.",
            {
                "seat": SEAT,
                "card": Field("text", "the card"),
                "middle": Field("[text]", "the cards of the trick so far"),
            },
        ),
        "trick": EventFields(
            "A player wins a trick.",
            {
                "seat": Field("seat", "the winner's seat"),
                "cards": Field("[text]", "the trick"),
                "points": Field("integer", "the points of the trick"),
            },
        ),
        "drawn": EventFields(
            "Both players draw a card.",
            {
                "first": Field("seat", "the player who drew first"),
                "hidden": HIDDEN,
                "open": Field("text?", "the open card, if it was drawn now; otherwise null"),
            },
            {"card": Field("text", "the card that the seat drew")},
        ),
        "swapped": EventFields(
            "A player swaps the nine of trumps for the open card.",
            {
                "seat": SEAT,
                "taken": Field("text", "the card that the player takes"),
                "open": Field("text?", "the card that is open now"),
            },
        ),
        "announced": EventFields(
            "A player announces a pair.",
            {
                "seat": SEAT,
                "trump": Field("boolean", "whether it is the pair of trumps"),
                "points": Field("integer", "the points of the pair"),
            },
        ),
        "closed": EventFields("A player closes the deck.", {"seat": SEAT}),
        "stopped": EventFields(
            "A player stops the game and claims 66 points.",
            {"seat": SEAT, "points": Field("integer", "the points that the player has")},
        ),
        "ended": EventFields(
            "A game of the series is over.",
            {
                "winner": Field("seat or -1", "the winner's seat"),
                "game_points": Field("integer", "the winner's game points"),
                "symbols": Field("[text]", "by seat: how the game ended, as `end.won` of the view names it"),
                "scores": Field("[integer]", "by seat: the game points of the series"),
                "points": Field("[integer]", "by seat: the points of this game"),
                "hands": Field("[[text]]", "by seat: the cards that were left"),
            },
        ),
    }

    def primary(self, state: State[Any], seat: int) -> Move | None:
        legal = state.legal(seat)
        if STOP in legal and STOP not in self.doubtful(state, seat):
            return STOP
        return RESTART if RESTART in legal else super().primary(state, seat)

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Move]:
        enough = state.view(seat).points[seat] >= ENOUGH
        return [move for move in state.legal(seat) if move == CLOSE or (move == STOP and not enough)]
