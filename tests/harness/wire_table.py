"""A small server for the tests of wires: tables with real states and agents, a host, programs, people and fake time.

It does what the live server does for a host, one thing after the other and without sockets: what a host asks for is
done, and answered, only in :meth:`House.run`.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from tisch.agents.random import RandomAgent
from tisch.driver import look
from tisch.game import Agent, Event, Game, Random, State
from tisch.ports.refusal import Code
from tisch.ports.wire import Host, Look, ProtocolError
from tisch.record import options_of
from tisch.transcript import Transcript, record

#: The events of the tables, which are not the game's.
JOINED: Final = "player_joined"
LEFT: Final = "player_left"


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


@dataclass
class Table:
    """A table: its seats and its game.

    :ivar holders: On each seat a program's number, a person's name, or ``None`` for an agent.
    :ivar news: For each seat what happened and was not yet told.
    :ivar transcripts: The games that have ended here.
    """

    name: str
    options: Any
    names: list[str]
    holders: list[int | str | None]
    news: list[list[Event]]
    state: State[Any] | None = None
    seed: int = 0
    moves: list[tuple[int, Any]] = field(default_factory=list)
    transcripts: list[Transcript] = field(default_factory=list)

    @property
    def is_running(self) -> bool:
        return self.state is not None and bool(self.state.awaiting())


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
        self.tables: dict[str, Table] = {}
        self.now = 0.0
        self.rests = False
        self._programs: dict[int, Program] = {}
        self._seats: dict[int, tuple[Table, int]] = {}
        self._todo: deque[Callable[[], None]] = deque()
        self._timers: list[tuple[float, int, list[Callable[[], None]]]] = []
        self._numbers = count(1)
        self._seeds = count(seed)
        self._agent = agent
        self._agents: dict[tuple[str, int], Agent[Any]] = {}

    # --- for the tests ------------------------------------------------------------------------------------------------

    def connect(self, address: str = "192.0.2.1") -> Program:
        """Connect a program."""
        program = Program(self, next(self._numbers), address)
        self._programs[program.number] = program
        self.host.opened(program.number, program.address)
        self.run()
        return program

    def join(self, table: str, name: str, options: Mapping[str, Any] | None = None) -> int:
        """Seat a person who plays in the browser, and return the seat."""
        place = self.tables.get(table) or self._open(table, options or {})
        seat = place.holders.index(None)
        self._hold(place, seat, name, name)
        self.run()
        return seat

    def start_table(self, table: str) -> None:
        """Start the game as a person does."""
        self._start(self.tables[table])
        self.run()

    def move(self, table: str, seat: int, move: str) -> None:
        """Make a move as a person, or as the clock for a program."""
        self._move(self.tables[table], seat, self.game.parse(move))
        self.run()

    def leave(self, table: str, seat: int) -> None:
        """Remove a person; an agent takes the seat."""
        self._free(self.tables[table], seat)
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
        """Make the move of one agent, if one is awaited."""
        return any(self._agent_moves(table) for table in self.tables.values())

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
        self._todo.append(lambda: self._start_for(guest))

    def play(self, guest: int, *moves: str) -> None:
        self._todo.append(lambda: self._play(guest, moves))

    def stand(self, guest: int) -> None:
        self._todo.append(lambda: self._give_up(guest))

    def time(self) -> float:
        return self.now

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        calls = [call]
        heapq.heappush(self._timers, (self.now + seconds, next(self._numbers), calls))
        return calls.clear

    # --- tables -------------------------------------------------------------------------------------------------------

    def _open(self, name: str, options: Mapping[str, Any]) -> Table:
        values = options_of(self.game, options)
        seats = self.game.seats(values)
        names = [f"AI {seat + 1}" for seat in range(seats)]
        table = self.tables[name] = Table(name, values, names, [None] * seats, [[] for _ in range(seats)])
        return table

    def _sit(self, guest: int, name: str, player: str, options: Mapping[str, Any]) -> None:
        assert len(player) <= 24 and len(name) <= 24, "The live server takes no longer names."
        assert guest not in self._seats, "A program has one seat."
        table = self.tables.get(name) or self._open(name, options)
        if player in table.names:
            self.host.refused(guest, Code.NAME_TAKEN, "This name is taken.")
        elif None not in table.holders:
            self.host.refused(guest, Code.TABLE_FULL, "The table is full.")
        else:
            seat = table.holders.index(None)
            self._seats[guest] = table, seat
            self._hold(table, seat, player, guest)
            table.news[seat].clear()
            self.host.seated(guest, name, self._look(table, seat))

    def _hold(self, table: Table, seat: int, name: str, holder: int | str) -> None:
        table.names[seat] = name
        table.holders[seat] = holder
        self._tell(table, Event(JOINED, {"player_index": seat, "player_name": name}), apart=seat)

    def _free(self, table: Table, seat: int) -> None:
        table.names[seat], table.holders[seat] = f"AI {seat + 1}", None
        self._tell(table, Event(LEFT, {"player_index": seat, "player_name": table.names[seat], "host_index": -1}))

    def _give_up(self, guest: int) -> None:
        if guest in self._seats:
            self._free(*self._seats.pop(guest))

    def _close(self, program: Program) -> None:
        if program.is_open:
            program.is_open = False
            self.gone(program)

    def _start_for(self, guest: int) -> None:
        if guest in self._seats:
            table, _ = self._seats[guest]
            if table.is_running:
                self.host.refused(guest, Code.GAME_ALREADY_STARTED, "The game runs already.")
            else:
                self._start(table)

    def _start(self, table: Table) -> None:
        table.seed, table.moves = next(self._seeds), []
        for seat in range(len(table.names)):
            agent = self._agents[table.name, seat] = self._agent()
            agent.start(Random(table.seed, seat))
        events = [Event("game_started")]
        table.state = self.game.new(table.options, table.seed, events.append)
        table.state.listener = lambda event: self._note(table, event)
        for event in events:
            self._note(table, event)
        self._tell(table)

    def _play(self, guest: int, moves: tuple[str, ...]) -> None:
        if guest not in self._seats:
            return
        table, seat = self._seats[guest]
        if table.state is None or not table.is_running:
            self.host.refused(guest, Code.INVALID_RESPONSE, "There is no game.")
            return
        trial = table.state.copy()
        try:
            parsed = [self.game.parse(move) for move in moves]
            for move in parsed:
                trial.play(seat, move)
        except ValueError as error:
            self.host.refused(guest, Code.INVALID_ACTION, str(error))
            return
        for move in parsed:
            self._move(table, seat, move)

    def _move(self, table: Table, seat: int, move: Any) -> None:
        assert table.state is not None
        table.state.play(seat, move)
        table.moves.append((seat, move))
        outcome = table.state.outcome()
        if outcome:
            transcript = record(self.game, table.options, table.seed, table.state, table.moves)
            table.transcripts.append(transcript)
            context = {"game_id": 1, "points": outcome.points, "payoff": outcome.payoff, "reason": outcome.reason}
            self._note(table, Event("game_over", context))
        self._tell(table)

    def _agent_moves(self, table: Table) -> bool:
        """Make the move of one agent, if one is awaited."""
        if table.state is None:
            return False
        for seat in table.state.awaiting():
            if table.holders[seat] is None:
                agent = self._agents[table.name, seat]
                sight = look(table.state, agent)
                move = agent.act(sight(seat) if sight else None, table.state.legal(seat), True)
                self._move(table, seat, move)
                return True
        return False

    # --- telling ------------------------------------------------------------------------------------------------------

    def _note(self, table: Table, event: Event) -> None:
        for seat, news in enumerate(table.news):
            news.append(Event(event.name, {**event.public, **event.private.get(seat, {})}))

    def _tell(self, table: Table, event: Event | None = None, apart: int | None = None) -> None:
        if event:
            self._note(table, event)
        for seat, holder in enumerate(table.holders):
            if isinstance(holder, int) and seat != apart:
                self.host.happened(holder, self._look(table, seat))
            table.news[seat].clear()

    def _look(self, table: Table, seat: int) -> Look:
        state = table.state
        return Look(
            seat,
            tuple(table.names),
            tuple("ai" if holder is None else "human" for holder in table.holders),
            tuple(table.news[seat]),
            state.view(seat) if state else None,
            state.legal(seat) if state else (),
            bool(state and seat in state.awaiting()),
            None,
        )
