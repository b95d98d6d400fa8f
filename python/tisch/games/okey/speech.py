"""The speech of Okey on the live server: the plain one, with help to arrange a rack.

Clients that let people arrange their racks need to know which tiles are a group, and contain no rules: ``choices``
lists every group that lies in the rack, as it lists every legal move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Annotated, Any, Final

from msgspec import Struct

from tisch.game import State
from tisch.games.okey.arranging import Group, by_equals, by_runs, runs_within, sets_within
from tisch.games.okey.events import EVENTS
from tisch.games.okey.moves import Verb
from tisch.games.okey.tiles import JOKER, Slots, Tile, arrange, slots_of
from tisch.ports import speech
from tisch.ports.told import about, told

#: What is said of slots.
SLOTS: Final = "slot by slot; null for an empty slot"
GROUPED: Final = f"the rack {{}}with as many tiles in groups as possible, {SLOTS}"


class Arranged(Struct, frozen=True):
    """What a seat is shown besides its view."""

    arranged: Annotated[Slots, about(GROUPED.format(""))]


class Choices(speech.Choices, frozen=True):
    """What a seat may do, and the groups of its rack."""

    runs: Annotated[tuple[str, ...], about("every run that lies in the rack: its tiles from left to right")]
    sets: Annotated[
        tuple[str, ...],
        about("every set that lies in the rack: its tiles in one order, though any order is a set"),
    ]
    by_runs: Annotated[Slots, about(f"the rack sorted by colour and number, runs first, {SLOTS}")]
    by_equals: Annotated[Slots, about(f"the rack sorted by number and colour, sets first, {SLOTS}")]


class Result(Struct, frozen=True):
    """What is told of the end of a game besides points, payoff and reason."""

    layouts: Annotated[tuple[Slots, ...], about(f"by seat: {GROUPED.format('at the end ')}")]


class Speech(speech.Speech):
    """The plain speech, with help to arrange a rack."""

    events = EVENTS
    may = Choices
    results = Result

    def private_parts(self, state: State[Any] | None, seat: int) -> Sequence[Struct]:
        own = super().private_parts(state, seat)
        return own if state is None else (*own, _arranged(state, seat))

    def private_kinds(self) -> Sequence[type[Struct]]:
        return (*super().private_kinds(), Arranged)

    def choices(self, state: State[Any], seat: int) -> Choices:
        plain = super().choices(state, seat)
        return Choices(plain.legal, plain.doubtful, plain.primary, *_groups(tuple(sorted(state.view(seat).rack))))

    def doubtful(self, state: State[Any], seat: int) -> Sequence[Any]:
        """Return the puts that give away a joker or a win."""
        legal = state.legal(seat)
        wins = {move.tile for move in legal if move.verb is Verb.WIN}
        return [move for move in legal if move.verb is Verb.PUT and (move.tile == JOKER or move.tile in wins)]

    def result(self, state: State[Any]) -> dict[str, Any]:
        return told(Result(tuple(_arranged(state, seat).arranged for seat in range(state.seats))))


def _arranged(state: State[Any], seat: int) -> Arranged:
    return Arranged(slots_of(arrange(state.view(seat).rack)))


@lru_cache(maxsize=256)
def _groups(rack: tuple[Tile, ...]) -> tuple[tuple[str, ...], tuple[str, ...], Slots, Slots]:
    """Encode the groups of a sorted rack; a move changes one rack, and all are told."""
    return _texts(runs_within(rack)), _texts(sets_within(rack)), slots_of(by_runs(rack)), slots_of(by_equals(rack))


def _texts(groups: Iterable[Group]) -> tuple[str, ...]:
    return tuple(" ".join(map(str, group)) for group in groups)
