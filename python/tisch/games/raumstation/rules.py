"""The rules of Raumstation: scan every safe room of a station, and no trap."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import asdict, replace

from tisch._core import simulation
from tisch._core.raumstation import Station
from tisch.game import Agent, Chance, Game, Listener, Measure, Outcome, Random, State
from tisch.games.raumstation import events
from tisch.games.raumstation.agents import SolverAgent
from tisch.games.raumstation.player import VERBS, Move, Refused, View
from tisch.games.raumstation.setup import Options, first_sight, generate, known, solver
from tisch.games.raumstation.station import Position, Room
from tisch.language import Vocabulary
from tisch.look import GameLook, Reading
from tisch.ports.told import event

#: The maximum number of redraws of traps that the generator would not have accepted as a station.
REDRAWS = 200

_MOVE = re.compile(rf"({'|'.join(VERBS)}) (0|[1-9][0-9]?) (0|[1-9][0-9]?)")


@cache
def moves_at(position: Position) -> Mapping[str, Move]:
    """Return the moves in a room by their verbs.

    :param position: The position of the room.
    :result: The moves.
    """
    column, row = position
    return {verb: Move(verb, row, column) for verb in VERBS}


class _Ground:
    """The constant part of a game, shared by all copies of its state.

    :ivar options: The options of the game.
    :ivar station: The solver; its numbers of rooms are the indices of all lists here.
    :ivar start: The knowledge at the start.
    :ivar number_of: The number of the room at each position.
    :ivar moves: Each room's moves by verb.
    """

    __slots__ = ("_seen", "moves", "number_of", "options", "start", "station")

    def __init__(self, options: Options, seen: Sequence[Room]) -> None:
        self.options = options
        self.station: Station = solver(seen, options)
        self.start = known(seen)
        self.number_of: dict[Position, int] = {room.position: number for number, room in enumerate(seen)}
        self.moves = [moves_at(room.position) for room in seen]
        self._seen = tuple(seen)

    def __reduce__(self) -> tuple[type[_Ground], tuple[Options, tuple[Room, ...]]]:
        # Recreate the compiled station, which cannot be pickled.
        return _Ground, (self.options, self._seen)


class RaumstationState(State[Move]):
    """A game at one moment.

    :ivar rooms: The true rooms.
    :ivar seen: The rooms as the player knows them.
    :ivar jokers: The number of jokers left.
    :ivar won: Whether the game was won; ``None`` while it goes on.
    """

    __slots__ = ("ground", "jokers", "rooms", "seen", "tally", "won")

    def __init__(self, ground: _Ground, rooms: Sequence[Room], seen: Sequence[Room]) -> None:
        self.seats = 1
        self.listener = None
        self.ground = ground
        self.rooms = list(rooms)
        self.seen = list(seen)
        self.jokers = ground.options.jokers
        self.won: bool | None = None
        self.tally = {"scans": 0, "guesses": 0, "jokers": 0, "marks": 0}

    @classmethod
    def begin(cls, options: Options, rooms: Sequence[Room]) -> RaumstationState:
        """Begin a game in a given station.

        :param options: The options of the game.
        :param rooms: The true rooms; open ones are marked as revealed.
        :result: The state before the first move.
        """
        seen = first_sight(rooms, options)
        return cls(_Ground(options, seen), rooms, seen)

    def awaiting(self) -> Sequence[int]:
        return (0,) if self.won is None else ()

    def speakers(self) -> Sequence[int]:
        return ()

    def legal(self, seat: int) -> Sequence[Move]:
        if seat != 0 or self.won is not None:
            return []
        safe: list[Move] = []
        jokers: list[Move] = []
        scans: list[Move] = []
        marks: list[Move] = []
        for room, moves in zip(self.seen, self.ground.moves, strict=True):
            if room.is_revealed:
                continue
            if not (room.is_marked and self.ground.options.protect):
                (safe if room.is_dangerous is False else scans).append(moves["scan"])
            if self.jokers and room.is_dangerous is None:
                jokers.append(moves["joker"])
            marks.append(moves["unmark" if room.is_marked else "mark"])
        return safe + jokers + scans + marks

    def play(self, seat: int, move: Move) -> None:
        number = self._room(seat, move)
        if move.verb == "scan":
            self._scan(number)
        elif move.verb == "joker":
            self._ask(number)
        else:
            self._mark(number, move.verb == "mark")

    def _room(self, seat: int, move: Move) -> int:
        """Return the number of the room of a legal move.

        :raises Refused: The move is not legal.
        """
        if seat != 0:
            raise Refused(move, "seat")
        if self.won is not None:
            raise Refused(move, "over")
        if move.verb not in VERBS:
            raise Refused(move, "verb")
        if move.verb == "joker" and not self.jokers:
            raise Refused(move, "spent")
        number = self.ground.number_of.get((move.column, move.row))
        if number is None:
            raise Refused(move, "missing")
        room = self.seen[number]
        if room.is_revealed:
            raise Refused(move, "revealed")
        if move.verb == "scan" and room.is_marked and self.ground.options.protect:
            raise Refused(move, "protected")
        if move.verb == "joker" and room.is_dangerous is not None:
            raise Refused(move, "told")
        if move.verb in ("mark", "unmark") and room.is_marked == (move.verb == "mark"):
            raise Refused(move, "already marked" if room.is_marked else "not marked")
        return number

    def _scan(self, number: int) -> None:
        probability = self.ground.station.probabilities(known(self.seen))[number]
        self.tally["scans"] += 1
        self.tally["guesses"] += probability > 0
        room = replace(self.rooms[number], is_marked=False, is_revealed=True)
        self.rooms[number] = self.seen[number] = room
        if room.is_dangerous:
            self.won = False
        elif all(room.is_revealed or room.is_dangerous for room in self.rooms):
            self.won = True
        if self.listener:
            if room.is_dangerous:
                self.listener(event(events.Trapped(room.y, room.x)))
            else:
                self.listener(event(events.Scanned(room.y, room.x, room.dangerous_nearby_rooms or 0)))
            if self.won is not None:
                self.listener(event(events.Over(self.won, list(map(asdict, self.rooms)))))

    def _ask(self, number: int) -> None:
        self.jokers -= 1
        self.tally["jokers"] += 1
        room = self.rooms[number]
        self.seen[number] = replace(self.seen[number], is_dangerous=room.is_dangerous)
        if self.listener:
            self.listener(event(events.Told(room.y, room.x, bool(room.is_dangerous), self.jokers)))

    def _mark(self, number: int, is_marked: bool) -> None:
        self.tally["marks"] += is_marked
        self.rooms[number] = replace(self.rooms[number], is_marked=is_marked)
        self.seen[number] = replace(self.seen[number], is_marked=is_marked)
        if self.listener:
            room = self.seen[number]
            self.listener(event((events.Marked if is_marked else events.Unmarked)(room.y, room.x)))

    def view(self, seat: int | None) -> View:
        rooms = self.seen if self.won is None else self.rooms
        return View(self.ground.options, tuple(rooms), self.jokers, self.won)

    def outcome(self) -> Outcome | None:
        if self.won is None:
            return None
        reason = "All safe rooms have been scanned." if self.won else "A trap has been scanned."
        tally = {name: (count,) for name, count in self.tally.items()}
        return Outcome((float(self.won),), (int(self.won),), reason, tally=tally)

    def copy(self) -> RaumstationState:
        other = RaumstationState(self.ground, self.rooms, self.seen)
        other.jokers = self.jokers
        other.won = self.won
        other.tally = dict(self.tally)
        return other

    def resample(self, seat: int, random: Random) -> RaumstationState:
        """Draw the hidden traps anew, each arrangement with its probability given all that is known.

        Known are the open numbers, the answers of jokers, the probabilities of traps and of open rooms, and, unless
        ``classic`` is set, that the station was solvable: other draws are rejected. If hardly any draw is solvable, the
        last one is taken after many rejections.
        """
        other = self.copy()
        if self.won is None:
            options, station = self.ground.options, self.ground.station
            now = known(self.seen)
            for _ in range(REDRAWS):
                traps = station.draw(now, random.bits())
                if options.classic or station.solvable(self.ground.start, traps, options.jokers):
                    break
            other.rooms = [self._with_traps(room, traps) for room in self.rooms]
        return other

    def _with_traps(self, room: Room, traps: Sequence[bool]) -> Room:
        number_of = self.ground.number_of
        nearby = sum(traps[number_of[place]] for place in room.nearby)
        return replace(room, is_dangerous=traps[number_of[room.position]], dangerous_nearby_rooms=nearby)

    def simulation(self) -> simulation.Game:
        return simulation.Game.at("raumstation", self)


class Raumstation(Game[Move]):
    """The game Raumstation."""

    name = "raumstation"
    title = "Raumstation"
    Options = Options
    chance = Chance.START
    agents: ClassVar[Mapping[str, Callable[[], Agent[Any]]]] = {"solver": SolverAgent}
    fallback = "solver"
    measure = Measure.WIN
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    face = "tisch.games.raumstation.face:Face"
    speech = "tisch.games.raumstation.speech:Speech"
    tour = "tisch.games.raumstation.tour:TOUR"
    encoder = "tisch.games.raumstation.encoding:RaumstationEncoding"
    #: Every station of these can be solved without a guess; the hard ones leave less to begin with, and one joker.
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "easy": {"width": 8, "height": 8, "rooms": 34, "danger": 0.18, "jokers": 3},
        "medium": {},
        "hard": {"width": 11, "height": 13, "rooms": 80, "danger": 0.25, "jokers": 1, "revealed": 0.35},
    }
    look = GameLook(fields={"jokers": Reading.AMOUNT, "won": Reading.AMOUNT})

    def sides(self, options: Any) -> tuple[tuple[int, ...], ...]:
        return ((0,),)

    def new(self, options: Any, seed: int, listener: Listener | None = None) -> RaumstationState:
        state = RaumstationState.begin(options, generate(options, seed))
        state.listener = listener
        if listener:
            listener(event(events.Started(list(map(asdict, state.seen)), options.jokers)))
        return state

    def parse(self, text: str) -> Move:
        found = _MOVE.fullmatch(text)
        if not found:
            raise ValueError(f"'{text}' is no move; there are {', '.join(VERBS)}, each with a room's row and column.")
        verb, row, column = found.groups()
        return Move(verb, int(row), int(column))


GAME = Raumstation()
