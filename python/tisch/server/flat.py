"""The command ``tisch load --flat``: how fast is the server when nobody thinks?

Programs on all seats make the first move that the server offers them, at once. Beside it, in the same run, a bare
server passes on as many messages of the same length (``echo``). The machine may be busy: rates for a second of the
server's processor time say more than those of a second.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from tisch.games import find
from tisch.ports.refusal import Code
from tisch.server import load
from tisch.server.measured import START, Process, served, started
from tisch.server.net.frames import request

#: The number of tables.
TABLES: Final = 25
#: The time before anything is measured, in seconds: games begin, and code is run for the first time.
WARM: Final = 0.5
#: ``tisch`` without limits for a client, which are far below what programs can do.
UNLIMITED: Final = (
    "import sys\n"
    "from tisch import cli, quotas\n"
    "quotas.Rate.allows = lambda *_: True\n"
    "if __name__ == '__main__':\n"
    "    sys.exit(cli.main())\n"
)
#: The first byte of a frame, by what it is.
TEXT: Final = 0x81
PING: Final = 0x89
PONG: Final = 0x8A
#: The starts of messages.
VIEW: Final = b'{"type":"view"'
ERROR: Final = b'{"type":"error"'


@dataclass(slots=True)
class Counted:
    """What all programs have counted.

    :ivar received: The number of messages received.
    :ivar length: Their bytes.
    :ivar sent: The number of moves sent.
    :ivar games: The number of finished games.
    :ivar errors: The number of errors.
    """

    received: int = 0
    length: int = 0
    sent: int = 0
    games: int = 0
    errors: int = 0

    def since(self, before: Counted) -> Counted:
        """Return what was counted since."""
        return Counted(*(getattr(self, name) - getattr(before, name) for name in Counted.__slots__))

    def now(self) -> Counted:
        """Return a copy."""
        return self.since(Counted())


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurement of one server.

    :ivar counted: What was counted.
    :ivar seconds: The time.
    :ivar cpu: The server's processor time, in seconds.
    :ivar memory: The memory that the tables took, in bytes.
    """

    counted: Counted
    seconds: float
    cpu: float
    memory: int


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options.
    :result: The exit code: 0 if the server refused nothing.
    """
    figures = load.reported(options, TABLES, _refusal, measure)
    return figures if isinstance(figures, int) else int(figures["errors"] > 0)


def _refusal(options: argparse.Namespace) -> str:
    """Return a sentence about what cannot be measured; empty if everything fits."""
    if options.tables < 1 or not 0 < options.seconds < math.inf:
        return "There must be at least one table and some time."
    if options.url or options.agent:
        return "With --flat, the server is one of its own, and no agent plays."
    try:
        find(options.game)
    except ValueError as error:
        return str(error)
    return ""


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Measure the server, then the bare one with as many messages of the same length.

    :param options: The command's options.
    :result: The figures by name.
    :raises ValueError: A server does not start, or it gives no seats.
    """
    game = find(options.game)
    seats = game.seats(game.Options())
    guests = options.tables * seats + 10
    arguments = ("--workers", str(options.workers or 1), "--pause", "0")
    async with served(guests, *arguments, tisch=("-c", UNLIMITED)) as server:
        table = await _measured(options, server, seats)
    moves = max(table.counted.sent, 1)
    messages, length = table.counted.received / moves, table.counted.length // max(table.counted.received, 1)
    async with started(("-m", "tisch.server.echo", str(messages), str(length)), ".") as server:
        echo = await _measured(options, server, seats)
    own, bare = _rates(table), _rates(echo)
    return {
        "game": options.game,
        "tables": options.tables,
        "clients per table": seats,
        "seconds": round(table.seconds, 1),
        "moves sent": table.counted.sent,
        "games finished": table.counted.games,
        "messages per move": round(messages, 2),
        "bytes per message": length,
        "messages per second": own[0],
        "messages per CPU second": own[1],
        "of a bare server, per second": bare[0],
        "of a bare server, per CPU second": bare[1],
        "ratio per CPU second": round(own[1] / bare[1], 3) if own[1] and bare[1] else None,
        "memory per table, KB": round(table.memory / 1024 / options.tables, 1) if table.memory else None,
        "errors": table.counted.errors,
    }


def _rates(measured: Measured) -> tuple[int, int | None]:
    """Return the messages per second and per second of the server's processor time, if the system tells it."""
    received = measured.counted.received
    return round(received / measured.seconds), round(received / measured.cpu) if measured.cpu else None


async def _measured(options: argparse.Namespace, server: Process, seats: int) -> Measured:
    """Let programs play at a server for a while."""
    counted = Counted()
    memory = server.own_memory()
    async with _seated(options, server.url, seats, counted) as players:
        for player in players[::seats]:
            player.start()
        await _pass(players, WARM)
        before, cpu, then = counted.now(), server.cpu(), time.monotonic()
        await _pass(players, options.seconds)
        seconds = time.monotonic() - then
        return Measured(counted.since(before), seconds, server.cpu() - cpu, server.own_memory() - memory)


async def _pass(players: list[_Player], seconds: float) -> None:
    """Let time pass.

    :raises ValueError: A connection was lost.
    """
    lost, _ = await asyncio.wait([player.lost for player in players], timeout=seconds)
    if lost:
        raise ValueError(f"The server closed {len(lost)} of {len(players)} connections before the end.")


@contextlib.asynccontextmanager
async def _seated(options: argparse.Namespace, url: str, seats: int, counted: Counted) -> AsyncIterator[list[_Player]]:
    """Give every program a seat, one after the other: the first at a table is its host."""
    players, address = list[_Player](), urlsplit(url)
    try:
        for number in range(options.tables * seats):
            table, seat = divmod(number, seats)
            query = {
                "player_name": f"player {number}",
                "table_name": f"flat {table}",
                "game": options.game,
                "view": "1",
            }
            player = _Player(counted, f"/ws?{urlencode(query)}", address.netloc, is_host=seat == 0)
            players.append(player)
            await player.sit(str(address.hostname), address.port or 0)
        yield players
    finally:
        for player in players:
            player.end()


class _Player(asyncio.Protocol):
    """A program that makes the first move that it is offered.

    It reads of each message only what it must, so that the server is what is measured.

    :param counted: What all programs count.
    :param path: The path of the WebSocket, with its query.
    :param host: The name of the server, for the request.
    :param is_host: Whether it begins the games of its table.
    :ivar lost: Done when the connection is closed.
    """

    def __init__(self, counted: Counted, path: str, host: str, *, is_host: bool) -> None:
        loop = asyncio.get_running_loop()
        self._seated: asyncio.Future[None] = loop.create_future()
        self.lost: asyncio.Future[None] = loop.create_future()
        self._counted = counted
        self._request = request(path, host)
        self._is_host = is_host
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._is_open = False
        self._asked = b""

    async def sit(self, host: str, port: int) -> None:
        """Connect to the server, and wait for a seat.

        :param host: The server's address.
        :param port: Its port.
        :raises ValueError: The server gives no seat.
        """
        await asyncio.get_running_loop().create_connection(lambda: self, host, port)
        waiting = [self._seated, self.lost]
        await asyncio.wait(waiting, timeout=START, return_when=asyncio.FIRST_COMPLETED)
        if not self._seated.done():
            raise ValueError("The server gives no seat.")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        del error
        if not self.lost.done():
            self.lost.set_result(None)

    def end(self) -> None:
        """Close the connection."""
        if self._transport:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        if not self._is_open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            self._is_open = True
            if not head.startswith(b"HTTP/1.1 101"):
                self.end()
                return
        self._rest = self._read(data)

    def _read(self, data: bytes) -> bytes:
        """Read frames, and return the part of one that is not complete."""
        at, end = 0, len(data)
        while at + 2 <= end:
            length, begin = data[at + 1], at + 2
            if length > 125:
                begin += 2 if length == 126 else 8
                length = int.from_bytes(data[at + 2 : begin], "big")
            if begin > end or begin + length > end:
                break
            kind, at = data[at], begin + length
            if kind == TEXT:
                self._take(data[begin:at])
            elif kind == PING:
                self._send(PONG, data[begin:at])
        return data[at:]

    def _take(self, message: bytes) -> None:
        self._counted.received += 1
        self._counted.length += len(message)
        if message.startswith(VIEW):
            self._see(message)
        elif message.startswith(ERROR):
            # Another player may have moved out of turn meanwhile; every other error is a fault.
            self._counted.errors += json.loads(message)["payload"]["code"] != Code.NOT_YOUR_TURN
        elif not self._seated.done():
            self._seated.set_result(None)
        elif self._is_host and b'"event":"game_over"' in message:
            self._counted.games += 1
            self.start()

    def _see(self, message: bytes) -> None:
        """Make a move for a new request."""
        asked = message.rpartition(b'"request_id":')[2].partition(b",")[0].rstrip(b"} ")
        if b'"request":null' in message or asked == self._asked:
            return
        move = message.partition(b'"legal":["')[2].partition(b'"')[0]
        if move:
            self._asked = asked
            self._counted.sent += 1
            self._send(TEXT, b'{"type":"move","payload":{"move":"%b"}}' % move)

    def start(self) -> None:
        """Begin a game."""
        self._send(TEXT, b'{"type":"start_game"}')

    def _send(self, kind: int, payload: bytes) -> None:
        """Send a frame; the mask of no bits is the cheapest."""
        assert self._transport
        length = len(payload)
        size = bytes((128 + length,)) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
        self._transport.write(bytes((kind,)) + size + bytes(4) + payload)
