"""The speech of Okey on the live server: the plain one, with help to arrange a rack, and a description of its events.

Clients that let people arrange their racks need to know which tiles are a group, and contain no rules: ``choices``
lists every group that lies in the rack, as it lists every legal move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final

from tisch.game import State
from tisch.games.okey.arranging import Group, by_equals, by_runs, runs_within, sets_within
from tisch.games.okey.moves import Verb
from tisch.games.okey.tiles import JOKER, Tile, arrange
from tisch.ports import speech
from tisch.ports.described import EventFields, Field

SEAT: Final = Field("seat", "the player's seat")
MAIN: Final = Field("integer", "the number of tiles that are left in the main stack")
SLOTS: Final = "slot by slot; null for an empty slot"


class Speech(speech.Speech):
    """The plain speech, with help to arrange a rack."""

    results: ClassVar[Mapping[str, Field]] = {
        "layouts": Field("[[text?]]", f"by seat: the rack at the end with as many tiles in groups as possible, {SLOTS}")
    }
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
            {"seat": SEAT, "layout": Field("[text?]", f"the winner's rack, {SLOTS}")},
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

    def private(self, state: State[Any] | None, seat: int) -> dict[str, Any]:
        own = super().private(state, seat)
        return own if state is None else {**own, "arranged": speech.plain(arrange(state.view(seat).rack))}

    def private_fields(self) -> Mapping[str, Field]:
        about = f"the rack with as many tiles in groups as possible, {SLOTS}"
        return {**super().private_fields(), "arranged": Field("[text?]", about)}

    def choices(self, state: State[Any], seat: int) -> dict[str, Any]:
        return {**super().choices(state, seat), **_groups(tuple(sorted(state.view(seat).rack)))}

    def choice_fields(self) -> Mapping[str, Field]:
        return {
            **super().choice_fields(),
            "runs": Field("[text]", "every run that lies in the rack: its tiles from left to right"),
            "sets": Field(
                "[text]", "every set that lies in the rack: its tiles in one order, though any order is a set"
            ),
            "by_runs": Field("[text?]", f"the rack sorted by colour and number, runs first, {SLOTS}"),
            "by_equals": Field("[text?]", f"the rack sorted by number and colour, sets first, {SLOTS}"),
        }

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Any]:
        """Return the puts that give away a joker or a win."""
        legal = state.legal(seat)
        wins = {move.tile for move in legal if move.verb is Verb.WIN}
        return [move for move in legal if move.verb is Verb.PUT and (move.tile == JOKER or move.tile in wins)]

    def result(self, state: State[Any]) -> dict[str, Any]:
        return {"layouts": [speech.plain(arrange(state.view(seat).rack)) for seat in range(state.seats)]}


@lru_cache(maxsize=256)
def _groups(rack: tuple[Tile, ...]) -> Mapping[str, Any]:
    """Encode the groups of a sorted rack; a move changes one rack, and all are told."""
    return {
        "runs": _texts(runs_within(rack)),
        "sets": _texts(sets_within(rack)),
        "by_runs": speech.plain(by_runs(rack)),
        "by_equals": speech.plain(by_equals(rack)),
    }


def _texts(groups: Iterable[Group]) -> list[str]:
    return [" ".join(map(str, group)) for group in groups]
