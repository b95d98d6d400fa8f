"""A house of tables for tests: the real lobby, tables, replicas of agents and messages; no sockets, files and tasks.

It is a shell round the table like the live server. Everything happens at once, in the test's own calls: a command is
done, kept, and then told, and agents answer before the call returns. ``server`` has the same names for the whole
server; a test that needs nothing of it but tables belongs here.
"""

from __future__ import annotations

import heapq
import itertools
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

import asyncapi
from server import PAUSE, Alarm, Message, Scene, arrivals, dealt
from tisch.chance import VARIABLE, Chance
from tisch.game import Event
from tisch.games import REGISTRY, find
from tisch.ports.refusal import Code
from tisch.server.agents import process
from tisch.server.agents.process import AgentProcess, Answer, Fault
from tisch.server.metrics import Metrics
from tisch.server.net.entrance import Wish
from tisch.server.net.peer import Client as Peer
from tisch.server.net.peer import language_of, read
from tisch.server.table.lobby import Lobby
from tisch.server.table.services import Services
from tisch.table import commands
from tisch.table.agents import Question
from tisch.table.changes import Changes, Refused, TurnedAway
from tisch.table.commands import Command
from tisch.table.hints import Advice
from tisch.table.kept import (
    AddMove,
    BeginGame,
    Change,
    DropTable,
    EndGame,
    SaveTable,
    StoredGame,
    StoredTable,
    TakeBack,
)
from tisch.table.messages import Message as Said
from tisch.table.play import Playing
from tisch.table.shared import Shared
from tisch.table.table import Table, restored

#: Where everybody comes from who says nothing else.
ADDRESS = "192.0.2.1"


class Clock:
    """A clock that only a test turns."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now
        self._count = itertools.count()
        self._alarms: list[tuple[float, int, Alarm]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], Any]) -> Alarm:
        alarm = Alarm(callback)
        heapq.heappush(self._alarms, (when, next(self._count), alarm))
        return alarm

    def ring(self) -> bool:
        """Make the next call that is due; return whether there was one."""
        while self._alarms and self._alarms[0][0] <= self.now:
            callback = heapq.heappop(self._alarms)[2].callback
            if callback:
                callback()
                return True
        return False

    def turn(self, seconds: float) -> None:
        """Advance the time; the tables notice."""
        self.now += seconds
        while self.ring():
            pass


@dataclass
class Kept:
    """A journal in memory, which holds what it is given against what it has.

    :ivar writes: Every commit.
    """

    tables: dict[str, bytes] = field(default_factory=dict)
    running: dict[str, BeginGame] = field(default_factory=dict)
    moves: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    finished: list[EndGame] = field(default_factory=list)
    writes: list[tuple[Change, ...]] = field(default_factory=list)

    def write(self, *changes: Change) -> None:
        """Keep changes."""
        self.writes.append(changes)
        for change in changes:
            self._keep(change)

    def _keep(self, change: Change) -> None:
        match change:
            case SaveTable(table, snapshot):
                self.tables[table] = snapshot
            case DropTable(table):
                self.tables.pop(table, None)
                for game in [game for game, begun in self.running.items() if begun.table == table]:
                    # Nothing of it is left, so a server that starts again may give its id again.
                    del self.running[game], self.moves[game]
            case BeginGame():
                assert change.table in self.tables and change.id not in self.moves
                assert all(begun.table != change.table for begun in self.running.values())
                self.running[change.id], self.moves[change.id] = change, []
            case AddMove(game, number, seat, text):
                assert game in self.running and number == len(self.moves[game]) + 1
                self.moves[game].append((seat, text))
            case TakeBack(game, number):
                assert game in self.running and number >= 1
                del self.moves[game][number - 1 :]
            case EndGame(game):
                del self.running[game]
                self.finished.append(change)

    def stored(self) -> list[StoredTable]:
        """What a server would find now if it were killed."""
        games = {begun.table: begun for begun in self.running.values()}
        return [StoredTable(table, snapshot, self._game(games.get(table))) for table, snapshot in self.tables.items()]

    def _game(self, begun: BeginGame | None) -> StoredGame | None:
        if begun is None:
            return None
        record = replace(begun.record, moves=list(self.moves[begun.id]))
        return StoredGame(begun.id, record, begun.started, {})


class Thinkers:
    """The process of the agents, in this one.

    :ivar asked: The questions since the start, each with its agent.
    """

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self._process = AgentProcess(lambda _: None)
        self._known: dict[str, list[tuple[int, str]]] = {}

    def answer(self, question: Question) -> Command:
        """Answer a question as the pool does."""
        self.asked.append(question)
        moves, record = list(question.position.moves), None
        known = self._known.get(question.game)
        if known is None or moves[: len(known)] != known:
            known, record = moves, question.position
        self._known[question.game] = moves
        who = question.seats, question.agent
        asked = process.Question(question.game, record, moves[len(known) :], *who, 1, question.language)
        reply = self._process.handle(asked)
        if question.language is not None:
            advice = Advice(reply.move or "", reply.reason) if isinstance(reply, Answer) else None
            return commands.Advised(question, advice)
        if isinstance(reply, Answer):
            return commands.Answered(question, None if reply.move is None else (reply.seat, reply.move))
        return commands.Unanswered(question, is_fault=isinstance(reply, Fault))

    def forget(self, game: str) -> None:
        """Forget a game."""
        self._known.pop(game, None)


class Shell:
    """The shell round one table; the lobby takes it for a mailbox."""

    def __init__(self, house: House, table: Table, close: Callable[[Any], None]) -> None:
        self.house = house
        self.table = table
        self.closed = False
        self._close = close
        self._alarm: Alarm | None = None
        self._open: list[Question] = []

    # --- what connections ask for -------------------------------------------------------------------------------------

    def post(
        self, command: Command, *, then: Callable[[], None] | None = None, otherwise: Callable[[], None] | None = None
    ) -> None:
        """Let the table do a command, and then all that agents do thereupon."""
        if not self.closed:
            self.do(command)
            self.house.think()
        elif otherwise:
            otherwise()

    def receive(self, peer: Any, message: Said, arrived: float) -> None:
        self.post(commands.Say(peer, message))

    def disconnect(self, peer: Any) -> None:
        self.post(commands.Cut(peer))

    # --- what the table wants -----------------------------------------------------------------------------------------

    def do(self, command: Command) -> None:
        """Let the table do a command: keep what it changed, then tell it."""
        changes = self._change(command)
        if changes.waits:
            return
        if changes.commit:
            self.house.journal.write(*changes.commit)
        if changes.closed:
            self.closed = True
            self._close(self)
        for peer, telling in changes.tell:
            assert isinstance(peer, Peer)
            if isinstance(telling, (Refused, TurnedAway)):
                self.house.refusals.append(telling.refusal.code)
            peer.hear(telling)
        if self._alarm:
            self._alarm.cancel()
        if changes.wake is not None:
            self._alarm = self.house.clock.call_at(changes.wake, lambda: self.post(commands.Wake()))

    def _change(self, command: Command) -> Changes:
        changes = self.table.do(command, self.house.clock.now, may_wait=self.house.may_wait)
        self._open = [question for question in self._open if question not in changes.drop]
        for game in changes.forget:
            self.house.thinkers.forget(game)
        self._open += changes.ask
        if start := changes.start:
            opening: list[Event] = []
            try:
                playing = Playing(start.game_id, start.record, opening.append, number=start.number)
            except ValueError as error:
                return self._change(commands.Hopeless(start.peer, str(error)))
            return self._change(commands.Opened(playing, opening))
        return changes

    def think(self) -> bool:
        """Let agents answer one question; return whether there was one."""
        if self.closed or not self._open:
            return False
        question = self._open.pop(0)
        self.do(self.house.thinkers.answer(question))
        return True


class Ear(Peer):
    """A connection to a client: it checks all messages against the documentation, and keeps them.

    :ivar told: The messages.
    :ivar held: What is held back, with the seconds.
    :ivar code: The code with which the connection was closed.
    """

    def __init__(self, address: str, *, wants_view: bool, language: str) -> None:
        super().__init__(address, wants_view=wants_view, language=language)
        self.told: list[Message] = []
        self.held: list[tuple[int, bytes]] = []
        self.code: int | None = None

    def _frame(self, text: bytes) -> bytes:
        return text + b"\n"

    def _write(self, data: bytes) -> None:
        for frame in data.splitlines():
            if self.code is None:
                message = json.loads(frame)
                asyncapi.check(message)
                self.told.append(message)

    def _hold(self, data: bytes, seconds: int) -> None:
        for frame in data.splitlines():
            asyncapi.check(json.loads(frame))
        self.held.append((seconds, data))

    def part(self, code: int, reason: str = "") -> None:
        if self.code is None:
            self.code = code
            if table := self.table:
                table.disconnect(self)


class Client:
    """A client, as ``server`` has one, whose calls return at once.

    :ivar peer: Its connection.
    :ivar seen: The messages that the test has received.
    """

    def __init__(self, peer: Ear) -> None:
        self.peer = peer
        self.seen: list[Message] = []
        self.session = ""
        self.seat = -1

    # --- what a test does ---------------------------------------------------------------------------------------------

    def receive(self) -> Message:
        """Receive the next message."""
        if len(self.seen) == len(self.peer.told):
            raise ConnectionError(f"Nothing more is told; the connection was closed with {self.peer.code}.")
        self.seen.append(self.peer.told[len(self.seen)])
        return self.seen[-1]

    def until(self, kind: str, **wanted: Any) -> Message:
        """Receive until a message of a type with these values in its payload, and return the payload."""
        while True:
            message = self.receive()
            payload: Message = message.get("payload", {})
            is_failed = message["type"] == "error" and payload["code"] == Code.UNKNOWN_ERROR
            assert not is_failed or kind == "error", f"The table has failed: {payload}"
            if message["type"] == kind and all(payload.get(key) == value for key, value in wanted.items()):
                return payload

    def notification(self, event: str) -> Message:
        """Receive until an event, and return its context."""
        return dict(self.until("notification", event=event).get("context", {}))

    def request(self, action: str) -> Message:
        """Receive until a request."""
        return self.until("request", action=action)

    def error(self) -> Message:
        """Receive until a refusal."""
        return self.until("error")

    def welcomed(self) -> Message:
        """Receive the messages to a new client."""
        context = self.notification("player_joined")
        self.seat = context["player_index"]
        self.session = context.get("session_id", self.session)
        return context

    def send(self, kind: str, **payload: Any) -> None:
        """Send a message."""
        table = self.peer.table
        assert table
        table.receive(self.peer, read(json.dumps({"type": kind, "payload": payload})), 0.0)

    def say(self, kind: str, **payload: Any) -> list[Message]:
        """Send a message, and receive everything."""
        self.send(kind, **payload)
        return self.sync()

    def sync(self) -> list[Message]:
        """Receive all pending messages."""
        start = len(self.seen)
        while len(self.seen) < len(self.peer.told):
            self.receive()
        return self.seen[start:]

    def refused(self, kind: str, **payload: Any) -> Message:
        """Send a message, and expect a refusal and nothing else."""
        errors = [each["payload"] for each in self.say(kind, **payload) if each["type"] == "error"]
        assert len(errors) == 1
        return dict(errors[0])

    def respond(self, action: str, request_id: int | None = None, **data: Any) -> list[Message]:
        """Answer a request."""
        numbered = {} if request_id is None else {"request_id": request_id}
        return self.say("response", action=action, response_data=data, **numbered)

    def state(self) -> Message:
        """Request the whole state."""
        (state,) = [each["payload"] for each in self.say("resync") if each["type"] == "state"]
        return dict(state)

    def closed(self) -> int | None:
        """Receive until the connection is closed, and return the code."""
        self.sync()
        return self.peer.code

    def cut(self) -> None:
        """Drop the connection."""
        self.peer.code = self.peer.code or 1006
        self.peer.is_gone = True
        if table := self.peer.table:
            table.disconnect(self.peer)

    def events(self) -> list[str]:
        """Return the events received."""
        return [each["payload"]["event"] for each in self.seen if each["type"] == "notification"]

    def last(self, event: str) -> Message:
        """Return the last event of a name."""
        self.sync()
        told = [each["payload"] for each in self.seen if each["type"] == "notification"]
        return dict([each["context"] for each in told if each["event"] == event][-1])


class House:
    """A house of tables.

    :param journal: (Optional) The journal of a house that was killed.
    :param clock: (Optional) Its clock.
    :param pause: (Optional) The pause after a move, in seconds.
    :param level: (Optional) The level of agents.
    :param tables_per_address: (Optional) How many tables may be opened from one address.
    :ivar thinkers: The agents.
    :ivar may_wait: May changes wait for what agents are about to decide?
    :ivar rests: Do agents think of nothing now?
    :ivar refusals: The codes of all refusals.
    """

    def __init__(
        self,
        journal: Kept | None = None,
        clock: Clock | None = None,
        *,
        pause: float = PAUSE,
        level: str = "easy",
        tables_per_address: int = 10_000,
    ) -> None:
        self.journal = journal or Kept()
        self.clock = clock or Clock()
        self.thinkers = Thinkers()
        self.may_wait = self.rests = False
        self.refusals: list[Any] = []
        self._is_thinking = False
        self.clients: list[Client] = []
        # As a server that starts again: no id is given twice.
        past = str(len(self.journal.finished)), *sorted({*self.journal.tables, *self.journal.running})
        chance = Chance(os.environ.get(VARIABLE, ""), *past)
        self.shared = Shared(chance, self.clock.time, pause, level)
        nobody = cast(Any, None)
        games = {name: find(name) for name in REGISTRY}
        services = Services(self.shared, nobody, nobody, nobody, nobody, self.clock, Metrics(), games)
        self.lobby = Lobby(services, 10_000, tables_per_address, self._shell)
        for stored in self.journal.stored():
            table = restored(stored, self.shared, self.clock.now)
            shell = self._shell(table, services, self.lobby._close)
            self.lobby.tables[table.id] = shell
            shell.post(commands.GoOn())

    def _shell(self, table: Table, _: Services, close: Callable[[Any], None]) -> Any:
        return Shell(self, table, close)

    def killed(self) -> House:
        """Return the house that stands after this one was killed, in which nothing happens any more."""
        for shell in self._shells():
            shell.closed = True
        return House(self.journal, self.clock, pause=self.shared.pause, level=self.shared.level)

    def stopped(self) -> House:
        """Return the house that stands after this one was stopped."""
        for shell in self._shells():
            self.journal.write(*shell.table.do(commands.Rest(), self.clock.now).commit)
        return self.killed()

    def find(self, name: str) -> Shell | None:
        """Find the shell of a table, if there is one."""
        return next((shell for shell in self._shells() if shell.table.name == name), None)

    def think(self) -> None:
        """Let agents answer until nothing is asked any more, and let happen what is due."""
        if self._is_thinking:
            return
        self._is_thinking = True
        try:
            while (not self.rests and any(shell.think() for shell in self._shells())) or self.clock.ring():
                pass
        finally:
            self._is_thinking = False

    def _shells(self) -> Iterator[Shell]:
        yield from cast(list[Shell], list(self.lobby.tables.values()))

    def settle(self, _: str = "") -> None:
        """Let agents think who were resting."""
        self.think()

    # --- those who come -----------------------------------------------------------------------------------------------

    def connect(self, *, headers: dict[str, str] | None = None, **query: Any) -> Client:
        """Let a client come in, with the parameters of a connection."""
        address = (headers or {}).get("X-Forwarded-For", ADDRESS)
        texts = {name: str(value) for name, value in query.items()}
        is_viewer, language = texts.get("view") == "1", language_of(texts)
        client = Client(Ear(address, wants_view=is_viewer, language=language))
        self.clients.append(client)
        wish = Wish(
            player_name=texts.get("player_name", ""),
            table_name=texts.get("table_name", ""),
            game=texts.get("game", ""),
            session_id=texts.get("session_id", ""),
            spectator=texts.get("spectator") == "1",
            invitation=texts.get("invitation", ""),
            is_private=texts.get("private") == "1",
        )
        self.lobby.enter(client.peer, wish)
        return client

    def join(self, name: str, table: str = "Stube", **query: Any) -> Client:
        """Join a table."""
        client = self.connect(player_name=name, table_name=table, **query)
        client.welcomed()
        return client

    def watch(self, table: str = "Stube", **query: Any) -> Client:
        """Watch a table."""
        client = self.connect(table_name=table, spectator=1, **query)
        client.notification("spectator_joined")
        return client

    def resume(self, session: str, **query: Any) -> Client:
        """Resume a seat."""
        client = self.connect(session_id=session, **query)
        client.welcomed()
        client.session = session
        return client

    def refused(self, **query: Any) -> Message:
        """Connect, and expect a refusal."""
        client = self.connect(**query)
        error = client.error()
        assert client.closed() == 1008
        return error

    # --- what a test looks at -----------------------------------------------------------------------------------------

    def shell(self, name: str = "Stube") -> Shell:
        """Find the shell of a table."""
        found = self.find(name)
        assert found
        return found

    def table(self, name: str = "Stube") -> Table:
        """Find a table."""
        return self.shell(name).table

    def playing(self, name: str = "Stube") -> Playing:
        """Find the game of a table."""
        playing = self.table(name).playing
        assert playing
        return playing

    @property
    def names(self) -> list[str]:
        """The names of all tables."""
        return [shell.table.name for shell in self._shells()]


@contextmanager
def resting(house: House) -> Iterator[None]:
    """Let agents think of nothing for a while."""
    house.rests = True
    try:
        yield
    finally:
        house.rests = False
    house.think()


def events(messages: list[Message]) -> list[str]:
    """Return the events among messages."""
    return [each["payload"]["event"] for each in messages if each["type"] == "notification"]


def moves(house: House, name: str = "Stube") -> list[tuple[int, str]]:
    """Return the moves that were made at a table."""
    return house.playing(name).moves


def play_on(house: House, client: Client, name: str = "Stube") -> None:
    """Answer all requests of a player until the game is over."""
    while house.table(name).is_running:
        playing = house.playing(name)
        if playing.requests.get(client.seat):
            client.say("move", move=str(playing.safest(client.seat)[0]))
        else:
            house.clock.turn(PAUSE)


def enact(house: House, wanted: Scene, **query: Any) -> list[Client]:
    """Let people join a table and play until a moment; all messages until then are received.

    :result: The clients by seat.
    """
    seats = range(wanted.state.seats)
    host = house.join(f"Gast {seats[0]}", game=wanted.game, **query)
    host.say("set_options", options=wanted.options)
    guests = [house.join(f"Gast {seat}", **query) for seat in arrivals(wanted.game, wanted.options)[1:]]
    clients = sorted([host, *guests], key=lambda client: client.seat)
    with dealt(wanted.seed):
        host.say("start_game")
    for seat, move in wanted.moves:
        if move == "take":
            house.clock.turn(PAUSE)
        else:
            said = clients[seat].say("move", move=move)
            assert not [each for each in said if each["type"] == "error"], (seat, move, said)
    for client in clients:
        client.sync()
    state = house.playing().state
    assert all(state.view(seat) == wanted.state.view(seat) for seat in seats)
    return clients
