"""A live server for tests: the real application in this process, with real sockets, journal and agent processes.

Only the clock of the tables is fake, and the seeds of games can be chosen.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
import logging
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from unittest import mock
from urllib.parse import urlencode

import aiohttp
from aiohttp import WSMsgType

import asyncapi
from tisch.chance import VARIABLE, Chance
from tisch.games import find
from tisch.games.tichu import Cards
from tisch.ports.refusal import Code
from tisch.server.agents.pool import AgentPool
from tisch.server.clock import Timer
from tisch.server.config import Config
from tisch.server.http.app import Server
from tisch.server.net import limits
from tisch.server.table.mailbox import Mailbox
from tisch.table.table import Table

#: The time limit of a test's wait, in seconds. A machine that is busy elsewhere may need several of them for anything.
PATIENCE = 60.0
#: The pause after a move with a fake clock, in seconds.
PAUSE = 1.0

Message: TypeAlias = dict[str, Any]
T = TypeVar("T")


class Alarm:
    """A call scheduled on a fake clock."""

    def __init__(self, callback: Callable[[], Any]) -> None:
        self.callback: Callable[[], Any] | None = callback

    def cancel(self) -> None:
        self.callback = None


class HandClock:
    """A fake clock, which advances only on request."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._count = itertools.count()
        self._alarms: list[tuple[float, int, Alarm]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], Any]) -> Timer:
        alarm = Alarm(callback)
        if when <= self.now:
            asyncio.get_running_loop().call_soon(self._ring, alarm)
        else:
            heapq.heappush(self._alarms, (when, next(self._count), alarm))
        return alarm

    @property
    def next(self) -> float | None:
        """Return the time of the next call."""
        while self._alarms and self._alarms[0][2].callback is None:
            heapq.heappop(self._alarms)
        return self._alarms[0][0] if self._alarms else None

    def turn(self, seconds: float) -> None:
        """Advance the time at once; tables notice only afterwards."""
        self.now += seconds
        while (when := self.next) is not None and when <= self.now:
            self._ring(heapq.heappop(self._alarms)[2])

    @staticmethod
    def _ring(alarm: Alarm) -> None:
        callback, alarm.callback = alarm.callback, None
        if callback:
            callback()


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time can pass at once."""

    skipped = 0.0

    def time(self) -> float:
        return super().time() + self.skipped


def skip(seconds: float) -> None:
    """Let time pass at once for everything in the running event loop but the tables with a fake clock.

    :param seconds: How much; less than any limit of the test itself.
    """
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    loop.skipped += seconds


class LastingPool(AgentPool):
    """A pool that outlives the servers that use it, because a process starts slowly."""

    async def start(self) -> None:
        """Do nothing: the processes are running."""

    async def close(self) -> None:
        """Forget the server's tables, as if the processes had ended; the next server may have other moves of a game."""
        for table in list(self._by_table):
            self.forget(table)

    async def begin(self) -> None:
        """Start the processes."""
        await super().start()

    async def end(self) -> None:
        """End the processes."""
        await super().close()


class House:
    """The environment of the servers of one test module: one event loop, and shared agent processes."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=SkippingLoop)
        self.pool = LastingPool(1)
        self._runner.run(self.pool.begin())

    def close(self) -> None:
        """End everything."""
        self._runner.run(self.pool.end())
        self._runner.close()

    def run(self, main: Coroutine[Any, Any, T], limit: float = 3 * PATIENCE) -> T:
        """Run a test's coroutine with a time limit."""

        async def limited() -> T:
            return await asyncio.wait_for(main, limit)

        return self._runner.run(limited())

    @asynccontextmanager
    async def open(
        self, data: Path, clock: HandClock | None = None, *, patient: bool = True, **settings: Any
    ) -> AsyncIterator[Running]:
        """Run a server.

        :param data: Its data folder.
        :param clock: (Optional) The clock of its tables.
        :param patient: (Optional) Whether to disable the rate limits.
        :param settings: (Optional) Other settings than those of a server without pauses and with any number of clients.
        """
        lavish = {"tables_per_address": 10_000, "connections_per_address": 10_000, "tables": 10_000}
        lavish["requests_per_address"] = 10_000
        chance = os.environ.get(VARIABLE, "")
        config = Config(**{"port": 0, "data": data, "pause": 0.0, "chance": chance, **lavish, **settings})
        server = Server(config, clock)
        self.pool.chance = server.pool.chance
        server.pool = self.pool
        rate = limits.RATE, limits.FRAMES
        if patient:
            limits.RATE = limits.FRAMES = 1 << 40  # type: ignore[misc]
        try:
            async with server.open() as port, aiohttp.ClientSession() as session:
                running = Running(server, port, session)
                try:
                    yield running
                finally:
                    for client in running.clients:
                        client.socket._response.close()
        finally:
            limits.RATE, limits.FRAMES = rate  # type: ignore[misc]


class Running:
    """A running server."""

    def __init__(self, server: Server, port: int, session: aiohttp.ClientSession) -> None:
        self.server = server
        self.port = port
        self.session = session
        self.clients: list[Client] = []

    async def connect(self, *, headers: dict[str, str] | None = None, **query: Any) -> Client:
        """Connect to the WebSocket without waiting for a message."""
        url = f"http://127.0.0.1:{self.port}/ws?{urlencode(query)}"
        socket = await self.session.ws_connect(url, headers=headers, max_msg_size=0)
        client = Client(self, socket)
        self.clients.append(client)
        return client

    async def join(self, name: str, table: str = "Stube", **query: Any) -> Client:
        """Join a table."""
        client = await self.connect(player_name=name, table_name=table, **query)
        await client.welcomed()
        return client

    async def watch(self, table: str = "Stube", **query: Any) -> Client:
        """Watch a table."""
        client = await self.connect(table_name=table, spectator=1, **query)
        await client.notification("spectator_joined")
        return client

    async def resume(self, session: str, **query: Any) -> Client:
        """Resume a seat."""
        client = await self.connect(session_id=session, **query)
        await client.welcomed()
        client.session = session
        return client

    async def refused(self, **query: Any) -> Message:
        """Connect and expect a refusal.

        :result: The error.
        """
        client = await self.connect(**query)
        error = await client.error()
        assert await client.closed() == 1008
        return error

    async def get(self, path: str) -> Any:
        """Request JSON over HTTP."""
        async with self.session.get(f"http://127.0.0.1:{self.port}{path}") as response:
            assert response.status == 200, await response.text()
            return await response.json(content_type=None)

    def table(self, name: str = "Stube") -> Table:
        """Return the internal table."""
        return self.mailbox(name).table

    def mailbox(self, name: str = "Stube") -> Mailbox:
        """Find the mailbox of a table."""
        found = self.find(name)
        assert found
        return found

    def find(self, name: str) -> Mailbox | None:
        """Find the mailbox of a table, private or not, if there is one."""
        return next((mailbox for mailbox in self.server.lobby.tables.values() if mailbox.table.name == name), None)

    @property
    def names(self) -> list[str]:
        """The names of all tables."""
        return [mailbox.table.name for mailbox in self.server.lobby.tables.values()]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition."""
        async with asyncio.timeout(PATIENCE):
            while not condition():  # noqa: ASYNC110 - There is no notification for this condition.
                await asyncio.sleep(0.001)

    async def settle(self, name: str = "Stube") -> None:
        """Wait until a table has nothing to do before its clock advances, and everything is sent."""
        mailbox = self.find(name)
        if mailbox:
            await self.until(lambda: mailbox.closed or is_at_rest(mailbox))


def is_at_rest(mailbox: Mailbox) -> bool:
    """Return whether a table has nothing to do until a client sends a message or its clock advances."""
    idle = any(not getter.done() for getter in mailbox._jobs._getters)  # type: ignore[attr-defined]
    return idle and mailbox._jobs.empty() and not mailbox.table.agents.is_busy and not mailbox.is_ringing()


#: A story: a test on a server with a fake clock.
Story: TypeAlias = Callable[[Running, HandClock], Awaitable[Any]]
#: Runs a story; settings of the server may follow.
Tell: TypeAlias = Callable[..., Any]


class Client:
    """A WebSocket client that keeps all messages, and checks them against the documentation."""

    def __init__(self, running: Running | None, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.running = running
        self.socket = socket
        self.seen: list[Message] = []
        self.session = ""
        self.seat = -1

    async def receive(self) -> Message:
        """Receive the next message."""
        frame = await asyncio.wait_for(self.socket.receive(), PATIENCE)
        if frame.type is not WSMsgType.TEXT:
            raise ConnectionError(f"closed with {self.socket.close_code}")
        message: Message = json.loads(frame.data)
        asyncapi.check(message)
        self.seen.append(message)
        return message

    async def until(self, kind: str, **wanted: Any) -> Message:
        """Receive until a message of a type with these values in its payload.

        :result: Its payload.
        """
        while True:
            message = await self.receive()
            payload: Message = message.get("payload", {})
            is_failed = message["type"] == "error" and payload["code"] == Code.UNKNOWN_ERROR
            assert not is_failed or kind == "error", f"The server has failed: {payload}"
            if message["type"] == kind and all(payload.get(key) == value for key, value in wanted.items()):
                return payload

    async def notification(self, event: str) -> Message:
        """Receive until an event.

        :result: Its context.
        """
        payload = await self.until("notification", event=event)
        return dict(payload.get("context", {}))

    async def request(self, action: str) -> Message:
        """Receive until a request."""
        return await self.until("request", action=action)

    async def error(self) -> Message:
        """Receive until a refusal."""
        return await self.until("error")

    async def welcomed(self) -> Message:
        """Receive the messages to a new client."""
        context = await self.notification("player_joined")
        self.seat = context["player_index"]
        self.session = context.get("session_id", self.session)
        return context

    async def send(self, kind: str, **payload: Any) -> None:
        """Send a message."""
        await self.socket.send_str(json.dumps({"type": kind, "payload": payload} if payload else {"type": kind}))

    async def sync(self) -> list[Message]:
        """Receive all pending messages."""
        start = len(self.seen)
        await self.send("ping")
        await self.until("pong")
        return self.seen[start:-1]

    async def say(self, kind: str, **payload: Any) -> list[Message]:
        """Send a message and receive everything until it is handled."""
        await self.send(kind, **payload)
        return await self.sync()

    async def refused(self, kind: str, **payload: Any) -> Message:
        """Send a message and expect a refusal and nothing else.

        :result: The error.
        """
        errors = [each["payload"] for each in await self.say(kind, **payload) if each["type"] == "error"]
        assert len(errors) == 1
        return dict(errors[0])

    async def respond(self, action: str, request_id: int | None = None, **data: Any) -> list[Message]:
        """Answer a request."""
        numbered = {} if request_id is None else {"request_id": request_id}
        return await self.say("response", action=action, response_data=data, **numbered)

    async def state(self) -> Message:
        """Request the whole state."""
        (state,) = [each["payload"] for each in await self.say("resync") if each["type"] == "state"]
        return dict(state)

    async def closed(self) -> int | None:
        """Receive until the connection is closed.

        :result: The close code.
        """
        with_end = asyncio.timeout(PATIENCE)
        async with with_end:
            while True:
                try:
                    await self.receive()
                except ConnectionError:
                    return self.socket.close_code

    async def cut(self) -> None:
        """Drop the connection without a closing handshake, and wait until the server has noticed."""
        assert self.running
        peers = self.running.server.peers
        count = len(peers)
        connection = self.socket._response.connection
        assert connection and connection.transport
        connection.transport.abort()
        await self.running.until(lambda: len(peers) < count)
        await self.socket.close()

    def events(self) -> list[str]:
        """Return the events received."""
        return [each["payload"]["event"] for each in self.seen if each["type"] == "notification"]

    async def last(self, event: str) -> Message:
        """Return the last event of a name."""
        await self.sync()
        told = [each["payload"] for each in self.seen if each["type"] == "notification"]
        return dict([each["context"] for each in told if each["event"] == event][-1])


@contextmanager
def kept_log(module: str = "") -> Iterator[list[logging.LogRecord]]:
    """Capture the server's log.

    :param module: (Optional) The module whose information is captured, too, and not only its warnings.
    """
    records: list[logging.LogRecord] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    keeper = Keeper()
    root, logger = logging.getLogger(), logging.getLogger(module)
    level = logger.level
    root.addHandler(keeper)
    if module:
        # Not by its attribute: a logger remembers what it has left out before.
        logger.setLevel(logging.INFO)
    try:
        yield records
    finally:
        logger.setLevel(level)
        root.removeHandler(keeper)


def events(messages: list[Message]) -> list[str]:
    """Return the events among messages."""
    return [each["payload"]["event"] for each in messages if each["type"] == "notification"]


def moves(running: Running) -> list[tuple[int, str]]:
    """Return the moves among messages."""
    playing = running.table().playing
    assert playing
    return playing.moves


async def pass_time(running: Running, clock: HandClock, seconds: float) -> None:
    """Advance the time, and let the table notice."""
    await running.settle()
    clock.turn(seconds)
    await running.settle()


async def play_on(running: Running, clock: HandClock, client: Client, name: str = "Stube") -> None:
    """Answer all requests of a player until the game is over."""
    table = running.table(name)
    while table.is_running:
        await running.settle(name)
        playing = table.playing
        assert playing
        request = playing.requests.get(client.seat)
        if request:
            await client.say("move", move=str(playing.safest(client.seat)[0]))
        else:
            clock.turn(PAUSE)
    await running.settle(name)


# --- known games ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """A moment of a game: a seed, and the moves that lead there.

    :ivar state: The game at that moment, for the test only.
    """

    game: str
    options: dict[str, Any]
    seed: int
    moves: list[tuple[int, str]]
    state: Any


@cache
def scene(condition: Callable[[Any], bool], game: str = "tichu", **options: Any) -> Scene:
    """Find a random game that reaches a moment."""
    options = {"rounds": 1} if game == "tichu" and not options else options
    kind = find(game)
    for seed in range(20_000):
        chance = random.Random(seed)
        state = kind.new(kind.Options(**options), seed)
        moves: list[tuple[int, str]] = []
        while state.awaiting():
            if condition(state):
                return Scene(game, options, seed, moves, state)
            seat = chance.choice(state.awaiting())
            move = chance.choice(state.legal(seat))
            state.play(seat, move)
            moves.append((seat, str(move)))
    raise AssertionError("No game comes to this.")


def began(state: Any) -> bool:
    """The start of a game."""
    return True


def schupf(state: Any) -> bool:
    """The moment when all have decided on Grand Tichu."""
    return bool(state.phase == "schupf")


def leads(state: Any) -> bool:
    """A moment when a seat has the lead, with many cards in hand."""
    return bool(state.phase == "play" and state.owner == -1 and not state.played)


@contextmanager
def dealt(seed: int) -> Iterator[None]:
    """Choose the seed of the next games."""
    draw = Chance.seed

    def chosen(chance: Chance, *purpose: str) -> int:
        return seed if purpose[0] == "game" else draw(chance, *purpose)

    with mock.patch.object(Chance, "seed", chosen):
        yield


def arrivals(name: str, options: Mapping[str, Any] | None = None) -> list[int]:
    """The seats in the order in which they are given to those who come: partners sit down before opponents.

    :param name: The game.
    :param options: (Optional) Its options.
    :result: The seats.
    """
    game = find(name)
    return [seat for side in game.sides(game.Options(**(options or {}))) for seat in side]


async def enact(running: Running, clock: HandClock, wanted: Scene, **query: Any) -> list[Client]:
    """Let people join a table and play until a moment; all messages until then are received.

    :result: The clients by seat.
    """
    seats = range(wanted.state.seats)
    host = await running.join(f"Gast {seats[0]}", game=wanted.game, **query)
    await host.say("set_options", options=wanted.options)
    guests = [await running.join(f"Gast {seat}", **query) for seat in arrivals(wanted.game, wanted.options)[1:]]
    clients = sorted([host, *guests], key=lambda client: client.seat)
    with dealt(wanted.seed):
        await host.say("start_game")
    for seat, move in wanted.moves:
        if move == "take":
            clock.turn(running.server.config.pause)
            await running.settle()
        else:
            said = await clients[seat].say("move", move=move)
            assert not [each for each in said if each["type"] == "error"], (seat, move, said)
    for client in clients:
        await client.sync()
    state = running.table().playing.state  # type: ignore[union-attr]
    assert all(state.view(seat) == wanted.state.view(seat) for seat in seats)
    return clients


def numbers(cards: str) -> list[list[int]]:
    """Encode cards as messages do."""
    return [list(card) for card in Cards(cards).numbers]
