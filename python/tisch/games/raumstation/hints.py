"""Hints: the best move together with the clues that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tisch._core.raumstation import Station
from tisch.games.raumstation.player import Move, View
from tisch.games.raumstation.setup import known, solver
from tisch.games.raumstation.station import Room, middle
from tisch.language import Sentence, Vocabulary, require
from tisch.ports.reasons import often

#: The sentences, by language and name.
TEXTS: Final = Vocabulary(Path(__file__).parent / "texts").section("reasons")


class Hint(NamedTuple):
    """A hint: a move and its reason.

    :ivar room: The room of the move.
    :ivar text: A sentence that names the clues.
    :ivar move: The move.
    :ivar clues: The open rooms whose numbers together prove that the room is safe; none if that is known otherwise.
    """

    room: Room
    text: str
    move: Move
    clues: tuple[Room, ...]


def hint(view: View, language: str = "en") -> Hint:
    """Return the room whose safety is easiest to see, or else the best joker or guess.

    :param view: The player's view.
    :param language: (Optional) ``en`` or ``de``.
    :result: The hint.
    :raises ValueError: The game is over, or the language is unknown.
    """
    require(language)
    if view.won is not None:
        raise ValueError("The game is over, so there is nothing to hint at.")
    station = solver(view.rooms, view.options)
    knowledge = known(view.rooms)
    probabilities = station.probabilities(knowledge)
    best: tuple[Room, list[Room]] | None = None
    for room, probability in zip(view.rooms, probabilities, strict=True):
        if probability == 0 and not room.is_revealed:
            clues = _clues(view, room)
            if best is None or len(clues) < len(best[1]):
                best = room, clues
            if len(clues) < 2:
                break
    if best:
        room, clues = best
        return Hint(room, _certain(view, room, clues, language), _scan(view, room), tuple(clues))
    number, is_joker = station.decide(knowledge, view.jokers)
    room = view.rooms[number]
    move = Move("joker", room.y, room.x) if is_joker else _scan(view, room)
    return Hint(room, explain(view, move, language), move, ())


def explain(view: View, move: Move, language: str = "en") -> str:
    """Return the reason why a move is good.

    :param view: The player's view.
    :param move: The solver's move.
    :param language: (Optional) ``en`` or ``de``.
    :result: A sentence.
    :raises ValueError: The language is unknown.
    """
    require(language)
    room = next(room for room in view.rooms if room.position == (move.column, move.row))
    if move.verb in ("joker", "unmark"):
        return _say(language, move.verb, room=_place(room, language))
    number = view.rooms.index(room)
    probability = solver(view.rooms, view.options).probabilities(known(view.rooms))[number]
    if probability > 0:
        return _say(language, "guess", room=_place(room, language), often=often(probability))
    return _certain(view, room, _clues(view, room), language)


def _scan(view: View, room: Room) -> Move:
    return Move("unmark" if room.is_marked and view.options.protect else "scan", room.y, room.x)


def _say(language: str, name: str, **values: object) -> str:
    return Sentence(TEXTS, name, values).tell(language)


def _place(room: Room, language: str) -> str:
    return _say(language, "room", row=room.y, column=room.x)


def _clues(view: View, room: Room) -> list[Room]:
    """Return a minimal set of open rooms whose numbers prove that a room is safe."""
    if room.is_dangerous is False:
        return []
    number = view.rooms.index(room)
    clues = sorted((clue for clue in view.rooms if clue.is_revealed), key=lambda clue: -_distance(clue, room))
    for clue in clues:
        if clue.position in room.nearby and _probability(view, number, [clue]) == 0:
            return [clue]
    # The nearest rooms usually suffice; the farthest of these are dropped first.
    for reach in sorted({_distance(clue, room) for clue in clues}):
        near = [clue for clue in clues if _distance(clue, room) <= reach]
        if _probability(view, number, near) == 0:
            clues = near
            break
    for clue in clues:
        fewer = [other for other in clues if other is not clue]
        if _probability(view, number, fewer) == 0:
            clues = fewer
    return clues


def _distance(clue: Room, room: Room) -> int:
    return max(abs(clue.x - room.x), abs(clue.y - room.y))


def _probability(view: View, number: int, clues: Sequence[Room], goes_on: bool = True) -> float:
    """Compute the probability of a trap in a room, given only these numbers.

    An open room that is no clue loses its corridors. To ignore the fact that the game goes on, a trap and a safe room
    without corridors are added.
    """
    number_of = {room.position: number for number, room in enumerate(view.rooms)}
    spared = {room.position for room in view.rooms if room.is_revealed and room not in clues}
    nearby = [
        [] if room.position in spared else [number_of[place] for place in room.nearby if place not in spared]
        for room in view.rooms
    ]
    knowledge = [
        0 if room.position in spared else told for room, told in zip(view.rooms, known(view.rooms), strict=True)
    ]
    if not goes_on:
        nearby += [[], []]
        knowledge += [Station.TRAP, Station.SAFE]
    return Station(nearby, 1.0).probabilities(knowledge)[number]


def _certain(view: View, room: Room, clues: Sequence[Room], language: str) -> str:
    if room.is_dangerous is False:
        is_middle = room.position == middle(view.options.width, view.options.height)
        return _say(language, "middle" if is_middle else "told", room=_place(room, language))
    parts = [_say(language, "clue", number=clue.dangerous_nearby_rooms, room=_place(clue, language)) for clue in clues]
    listed = _say(language, "and").join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    if _probability(view, view.rooms.index(room), clues, goes_on=False) > 0:
        name = "left" if clues else "last"
    else:
        name = "several" if len(clues) > 1 else "one"
    return _say(language, name, room=_place(room, language), clues=listed)
