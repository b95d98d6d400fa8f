"""A small server for the tests of wires: real tables, a host, programs, people, agents and fake time.

It is a shell round the table like the live server, without sockets, files and tasks: what a host asks for is done, and
answered, only in :meth:`House.run`. Agents answer at once, and nobody waits between two moves.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any, Final

from tisch.agents.random import RandomAgent
from tisch.chance import Chance
from tisch.driver import decide, look, turn
from tisch.game import Agent, Event, Game, Random, State
from tisch.ports.refusal import Refusal
from tisch.ports.wire import Host, Look, ProtocolError
from tisch.record import options_of
from tisch.table import commands
from tisch.table.agents import Question
from tisch.table.changes import Changes, News, Parted, Refused, Told, TurnedAway, TurnedOut, Warned, Welcome
from tisch.table.commands import Command
from tisch.table.kept import EndGame
from tisch.table.play import Playing
from tisch.table.shared import Shared
from tisch.table.shown import TableScreen
from tisch.table.table import Table, opened
from tisch.transcript import Transcript, read

#: Where everybody comes from who says nothing else.
ADDRESS: Final = "192.0.2.1"


class Seeds(Chance):
    """Chance that gives the first game a seed, and each further one the next."""

    def __init__(self, first: int) -> None:
        super().__init__("wires")
        self._numbers = count(first)

    def seed(self, *purpose: str) -> int:
        return next(self._numbers) if purpose[0] == "game" else super().seed(*purpose)


class Program:
    """A program with a connection to the host.

    :ivar address: Where it comes from.
    :ivar received: What the host has sent; tests may take it away.
    :ivar is_open: Is it still connected?
    """

    def __init__(self, house: House, number: int, address: str) -> None:
        self.house = house
        self.number = number
        self.address = address
        self.received = bytearray()
        self.is_open = True

    def send(self, data: bytes, *, piece: int | None = None) -> None:
        """Send bytes, in pieces of this length if one is given, and run the house."""
        size = piece or max(len(data), 1)
        for start in range(0, len(data), size):
            if not self.is_open:
                return
            self.house.arrive(self, data[start : start + size])
            self.house.run()

    def take(self) -> bytes:
        """Return the bytes received since the last call."""
        data = bytes(self.received)
        self.received.clear()
        return data

    def cut(self) -> None:
        """Drop the connection."""
        if self.is_open:
            self.is_open = False
            self.house.gone(self)
            self.house.run()


class Person:
    """A person who plays in the browser; nobody looks at what they are told."""


class Place:
    """A table of the house.

    :ivar table: The table.
    :ivar transcripts: The games that have ended here, and at earlier tables of this name.
    :ivar wake: When it wants to be woken.
    """

    def __init__(self, table: Table, before: Place | None) -> None:
        self.table = table
        self.transcripts: list[Transcript] = before.transcripts if before else []
        self.wake: float | None = None
        self.agents: dict[tuple[str, int], Agent[Any]] = {}

    @property
    def names(self) -> list[str]:
        """The name on each seat."""
        return self.table.seating.names

    @property
    def holders(self) -> list[int | str | None]:
        """On each seat a program's number, a person's name, or ``None`` for an agent."""
        holders: list[int | str | None] = [None] * len(self.table.seating.seats)
        for seat, player in self.table.seating.players():
            holders[seat] = player.peer.number if isinstance(player.peer, Program) else player.name
        return holders

    @property
    def state(self) -> State[Any] | None:
        """The state of the game."""
        return self.table.playing.state if self.table.playing else None

    @property
    def moves(self) -> list[tuple[int, Any]]:
        """Each seat and its move."""
        playing = self.table.playing
        return [(seat, self.table.game.parse(text)) for seat, text in playing.moves] if playing else []

    @property
    def is_running(self) -> bool:
        """Is a game going on?"""
        return self.table.is_running

    def look(self, seat: int) -> Look:
        """What a program on a seat is shown now."""
        look = TableScreen(self.table).seat(seat).look(())
        assert look
        return look


class House:
    """The tables of one game, its host, and the time.

    :ivar tables: The tables by name.
    :ivar now: The seconds that have passed.
    :ivar rests: Do agents make no moves now?
    """

    def __init__(
        self,
        game: Game[Any],
        host: type[Host],
        options: Any = None,
        *,
        agent: Callable[[], Agent[Any]] = RandomAgent,
        seed: int = 1,
    ) -> None:
        self.game = game
        self.host = host(self, options or host.Options())
        self.tables: dict[str, Place] = {}
        self.now = 0.0
        self.rests = False
        self._shared = Shared(Seeds(seed), lambda: 0.0, pause=0.0, level="medium")
        self._programs: dict[int, Program] = {}
        self._places: dict[int, Place] = {}
        self._todo: deque[Callable[[], None]] = deque()
        self._timers: list[tuple[float, int, list[Callable[[], None]]]] = []
        self._numbers = count(1)
        self._agent = agent

    # --- for the tests ------------------------------------------------------------------------------------------------

    def connect(self, address: str = ADDRESS) -> Program:
        """Connect a program."""
        program = Program(self, next(self._numbers), address)
        self._programs[program.number] = program
        self.host.opened(program.number, program.address)
        self.run()
        return program

    def join(self, table: str, name: str, options: Mapping[str, Any] | None = None) -> int:
        """Seat a person who plays in the browser, and return the seat."""
        place, person = self._place(table, options or {}), Person()
        self._do(place, commands.Join(person, ADDRESS, name))
        seat = place.table.seating.seat_of(person)
        assert seat is not None, "The table has no seat for this person."
        self.run()
        return seat

    def watch(self, place: Place) -> None:
        """Let a person watch, so that the agents play on when everybody else is gone."""
        self._do(place, commands.Watch(Person(), ADDRESS))

    def start_table(self, table: str) -> None:
        """Start the game as a person does."""
        place = self.tables[table]
        self._do(place, commands.Begin(self._peer(place, min(seat for seat, _ in place.table.seating.players()))))
        self.run()

    def move(self, table: str, seat: int, move: str) -> None:
        """Make a move as a person, or as the clock for a program."""
        place = self.tables[table]
        before = len(place.moves)
        self._do(place, commands.Play(self._peer(place, seat), [move]))
        assert len(place.moves) > before, "The move is not legal."
        self.run()

    def leave(self, table: str, seat: int) -> None:
        """Remove a person; an agent takes the seat."""
        place = self.tables[table]
        self._do(place, commands.Stand(self._peer(place, seat)))
        self.run()

    def advance(self, seconds: float) -> None:
        """Advance the time."""
        end = self.now + seconds
        while self._timers and self._timers[0][0] <= end:
            self.now, _, calls = heapq.heappop(self._timers)
            for call in calls:
                call()
            self.run()
        self.now = end

    def run(self) -> None:
        """Work off all requests and agents' moves until only programs and people are awaited."""
        while True:
            while self._todo:
                self._todo.popleft()()
            if self.rests or not self.agents_move():
                return

    def agents_move(self) -> bool:
        """Let one table make the moves that nobody decides any more, if there are any."""
        for place in self.tables.values():
            if place.wake is not None and place.wake <= self.now and place.table.seating.is_watched:
                self._do(place, commands.Wake())
                return True
        return False

    def arrive(self, program: Program, data: bytes) -> None:
        """Pass bytes to the host as the server does."""
        try:
            self.host.received(program.number, data)
        except ProtocolError as error:
            self.host.violated(program.number, error)
            self.close(program.number)

    def gone(self, program: Program) -> None:
        """Take a program's seat away and tell the host."""
        self._give_up(program.number)
        self.host.closed(program.number)

    # --- for the host -------------------------------------------------------------------------------------------------

    def send(self, guest: int, data: bytes) -> None:
        if self._programs[guest].is_open:
            self._programs[guest].received += data

    def close(self, guest: int) -> None:
        self._todo.append(lambda: self._close(self._programs[guest]))

    def sit(self, guest: int, table: str, name: str, options: Mapping[str, Any]) -> None:
        self._todo.append(lambda: self._sit(guest, table, name, options))

    def start(self, guest: int) -> None:
        self._todo.append(lambda: self._ask(guest, commands.Begin(self._programs[guest])))

    def play(self, guest: int, *moves: str) -> None:
        self._todo.append(lambda: self._ask(guest, commands.Play(self._programs[guest], moves)))

    def stand(self, guest: int) -> None:
        self._todo.append(lambda: self._give_up(guest))

    def time(self) -> float:
        return self.now

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        calls = [call]
        heapq.heappush(self._timers, (self.now + seconds, next(self._numbers), calls))
        return calls.clear

    # --- the shell round the tables -----------------------------------------------------------------------------------

    def _place(self, name: str, options: Mapping[str, Any]) -> Place:
        """Find a table, or open it; one that everybody has left is closed when somebody asks for it."""
        if name not in self.tables or self.tables[name].table.is_over(self.now):
            values, game = options_of(self.game, options), self.game
            table_id = f"table {next(self._numbers)}"
            table = opened(self._shared, self.now, table_id=table_id, name=name, game=game, options=values)
            self.tables[name] = Place(table, self.tables.get(name))
        return self.tables[name]

    def _sit(self, guest: int, name: str, player: str, options: Mapping[str, Any]) -> None:
        assert len(player) <= 24 and len(name) <= 24, "The live server takes no longer names."
        assert guest not in self._places, "A program has one seat."
        place = self._places[guest] = self._place(name, options)
        program = self._programs[guest]
        self._do(place, commands.Join(program, program.address, player, can_return=False))

    def _give_up(self, guest: int) -> None:
        if place := self._places.pop(guest, None):
            self._do(place, commands.Stand(self._programs[guest]))

    def _close(self, program: Program) -> None:
        if program.is_open:
            program.is_open = False
            self.gone(program)

    def _ask(self, guest: int, command: Command) -> None:
        if place := self._places.get(guest):
            self._do(place, command)

    def _peer(self, place: Place, seat: int) -> Any:
        return place.table.seating.player(seat).peer

    def _do(self, place: Place, command: Command) -> None:
        """Let a table do a command, and pass on what it changed."""
        changes = self._change(place, command)
        place.wake = changes.wake
        place.transcripts += [read(change.transcript) for change in changes.commit if isinstance(change, EndGame)]
        for told in changes.tell:
            self._tell(told)

    def _change(self, place: Place, command: Command) -> Changes:
        changes = place.table.do(command, self.now)
        for question in changes.ask:
            # The answer changes nothing that could be told before the table is woken.
            self._todo.append(partial(self._answer, place, question))
        if start := changes.start:
            opening: list[Event] = []
            playing = Playing(start.game_id, start.record, opening.append, number=start.number)
            changes = self._change(place, commands.Opened(playing, opening))
        return changes

    def _answer(self, place: Place, question: Question) -> None:
        """Let the agents of a table answer a question."""
        state = question.state

        def asked(seat: int, must: bool) -> Any:
            agent = place.agents.get((question.game, seat))
            if agent is None:
                agent = place.agents[question.game, seat] = self._agent()
                agent.start(Random(question.record.seed, seat))
            sight = look(state, agent)
            return decide(agent, seat, sight(seat) if sight else None, state.legal(seat), must)

        said = turn(state, question.seats, asked)
        self._do(place, commands.Answered(question, (said[0], str(said[1])) if said else None))

    def _tell(self, told: Told) -> None:
        """Pass on to the host what a table tells a program, as the server does."""
        program, telling = told
        if not isinstance(program, Program):
            return
        match telling:
            case News(screen, notices, _):
                events = tuple(Event(notice.event.name, notice.context(screen.seat)) for notice in notices)
                if events and (seen := screen.look(events)):
                    self.host.happened(program.number, seen)
            case Welcome(screen, _, _):
                seen = screen.look(())
                assert seen
                self.host.seated(program.number, screen.table_name, seen)
            case TurnedAway(refusal):
                del self._places[program.number]
                self._refuse(program, refusal)
            case Refused(refusal) | Warned(refusal) | TurnedOut(refusal):
                self._refuse(program, refusal)
            case Parted():
                self.close(program.number)

    def _refuse(self, program: Program, refusal: Refusal) -> None:
        reason = refusal.context.get("reason", refusal.code.sentence("de"))
        self.host.refused(program.number, int(refusal.code), str(reason))
