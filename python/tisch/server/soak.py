"""The command ``tisch load --soak``: does the memory of a server stay as it is, whatever comes in?

Programs come, send rubbish between a few messages that are right, and go, or are cut off, again and again. They read
nothing of what the server says. The memory is looked at all the time; the most of the last third must not be much more
than the most of the first.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from tisch import chance as chances
from tisch.games import find
from tisch.server import load
from tisch.server.measured import Process, served
from tisch.server.net.frames import BINARY, CLOSE, CONTINUATION, MASKED, PING, TEXT, head, request, unmasked

#: The number of programs at the same time, and of the tables that they come to, unless another one is wanted.
PROGRAMS: Final = 8
TABLES: Final = 10
#: The frames of a program before it goes by itself; the server cuts it off after about as many.
MOST: Final = 220
#: The frames that are sent at once, and the pause behind them, in seconds.
VOLLEY: Final = 20
PAUSE: Final = 0.005
#: How often the memory is looked at, in seconds.
LOOK: Final = 0.5
#: How much more the memory may be at the end than at the beginning, as a share.
FLAT: Final = 0.05
#: What is nearly a message, or is one; each number sign becomes a number.
TEXTS: Final = (
    *("", "{}", "[", "null", "[[[[[[", '"', '{"type":"#"}', '{"type":"ping"}', '{"type":"resync"}'),
    *('{"type":"move","payload":{"move":"#"}}', '{"type":"move","payload":{"move":{"#":[#,#]}}}'),
    *('{"type":"#","payload":{"#":[1,2,{"a":#}]}}', '{"type":"set_options","payload":{"options":{"#":#}}}'),
    *('{"type":"response","payload":{"action":"#","response_data":{"#":#}}}', '{"type":"chat","payload":{"phrase":#}}'),
    *('{"type":"chat","payload":{"phrase":"hello"}}', '{"type":"swap_players","payload":{"player_index_1":#}}'),
)


@dataclass(slots=True)
class Sent:
    """What the programs have done.

    :ivar connections: How often they came.
    :ivar frames: The frames that they sent.
    """

    connections: int = 0
    frames: int = 0


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options.
    :result: The exit code: 0 if the memory stays as it is.
    """
    figures = load.reported(options, TABLES, _refusal, measure)
    return figures if isinstance(figures, int) else int(not figures["flat"])


def _refusal(options: argparse.Namespace) -> str:
    """Return a sentence about what cannot be measured; empty if everything fits."""
    if options.tables < 1 or not 0 < options.soak < math.inf:
        return "There must be at least one table and some time."
    if options.url or options.agent or options.flat:
        return "With --soak, the server is one of its own, nobody plays, and nothing is compared."
    try:
        find(options.game)
    except ValueError as error:
        return str(error)
    return ""


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Let programs send rubbish, and look at the memory.

    :param options: The command's options.
    :result: The figures by name.
    :raises ValueError: The server does not start.
    """
    sent, looks = Sent(), list[int]()
    end = time.monotonic() + options.soak * 60
    async with served(options.tables + 2 * PROGRAMS, "--workers", "1") as server:
        seed = chances.of_command().seed("soak")
        programs = [
            asyncio.create_task(_come_and_go(server, Random(seed + number), options, sent))
            for number in range(PROGRAMS)
        ]
        try:
            while (left := end - time.monotonic()) > 0:
                failed, _ = await asyncio.wait(programs, timeout=min(LOOK, left))
                for program in failed:
                    program.result()
                looks.append(server.own_memory())
        finally:
            for program in programs:
                program.cancel()
            await asyncio.gather(*programs, return_exceptions=True)
    first, last, grown = growth(looks)
    return {
        "game": options.game,
        "tables": options.tables,
        "minutes": options.soak,
        "connections": sent.connections,
        "frames": sent.frames,
        "memory in the first third, MB": round(first / 1024 / 1024, 1),
        "memory in the last third, MB": round(last / 1024 / 1024, 1),
        "grown by, %": round(100 * grown, 1),
        "flat": grown <= FLAT,
    }


def growth(looks: Sequence[int]) -> tuple[int, int, float]:
    """Compare the memory of the last third of the time with that of the first.

    :param looks: The memory in bytes, looked at again and again.
    :result: The most of the first third, the most of the last, and by which share it has grown.
    :raises ValueError: The system does not tell the memory.
    """
    third = max(len(looks) // 3, 1)
    first, last = max(looks[:third], default=0), max(looks[-third:], default=0)
    if not first:
        raise ValueError("This system does not tell how much memory a process has.")
    return first, last, last / first - 1


async def _come_and_go(server: Process, chance: Random, options: argparse.Namespace, sent: Sent) -> None:
    """Be one program after the other."""
    address = urlsplit(server.url)
    while True:
        query = {
            "player_name": f"player {chance.randrange(10**6)}",
            "table_name": f"soak {chance.randrange(options.tables)}",
            "game": options.game,
            "view": "1",
        }
        make = partial(_Program, f"/ws?{urlencode(query)}", address.netloc, chance, sent)
        host, port = str(address.hostname), address.port or 0
        _, program = await asyncio.get_running_loop().create_connection(make, host, port)
        sent.connections += 1
        await program.over


class _Program(asyncio.Protocol):
    """A program that sends rubbish and reads nothing of what it is told.

    :param path: The path of the WebSocket, with its query.
    :param host: The name of the server, for the request.
    :param chance: Where its chance comes from.
    :param sent: What all programs have done.
    :ivar over: Done when the connection is closed.
    """

    def __init__(self, path: str, host: str, chance: Random, sent: Sent) -> None:
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._request = request(path, host)
        self._chance = chance
        self._sent = sent
        self._left = MOST
        self._is_paused = False
        self._is_open = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        if not self._is_open:
            self._is_open = True
            self._go_on()

    def pause_writing(self) -> None:
        self._is_paused = True

    def resume_writing(self) -> None:
        self._is_paused = False
        self._go_on()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.over.done():
            self.over.set_result(None)

    def _go_on(self) -> None:
        """Send some frames; at the end close the connection, with and without a word."""
        transport = self._transport
        if transport is None or transport.is_closing() or self._is_paused:
            return
        if self._left <= 0:
            if self._chance.random() < 0.5:
                transport.write(_framed(CLOSE, b""))
            transport.close()
            return
        transport.write(b"".join(rubbish(self._chance) for _ in range(VOLLEY)))
        self._left -= VOLLEY
        self._sent.frames += VOLLEY
        asyncio.get_running_loop().call_later(PAUSE, self._go_on)


def rubbish(chance: Random) -> bytes:
    """Make a frame that a client may send, whatever it means.

    :param chance: Where its chance comes from.
    :result: The frame.
    """
    kind = chance.random()
    if kind < 0.02:
        # It may not be, and ends the connection.
        return chance.randbytes(30)
    if kind < 0.1:
        return _framed(PING, chance.randbytes(chance.randrange(126)))
    if kind < 0.15:
        return _framed(BINARY, chance.randbytes(100))
    if kind < 0.2:
        return _framed(TEXT, b'{"type":"%b"}' % (b"y" * chance.randrange(9000)))
    if kind < 0.25:
        return _framed(TEXT, b'{"type":', is_final=False) + _framed(CONTINUATION, b'"ping"}')
    text = chance.choice(TEXTS)
    while "#" in text:
        text = text.replace("#", str(chance.randrange(10**9)), 1)
    return _framed(TEXT, text.encode())


def _framed(kind: int, payload: bytes, *, is_final: bool = True) -> bytes:
    """Frame a payload as a client does."""
    start, mask = bytearray(head(len(payload), kind)), b"rub!"
    start[0] &= 0xFF if is_final else 0x7F
    start[1] |= MASKED
    return bytes(start) + mask + unmasked(payload, mask)
