"""The command ``tisch load``: many tables play at a human pace, and the server's speed is measured meanwhile.

Its players are programs: they think for a while, then make one of the moves that the server offers them. What is timed
is what a person would feel: from sending a move to the notification of it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import math
import random
import secrets
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
import msgspec

from tisch.agents import require_choice
from tisch.games import find
from tisch.ports.refusal import Code
from tisch.server.client import UNREACHABLE, unreachable
from tisch.server.measured import START, served

#: The number of tables.
TABLES: Final = 100
#: The number of tables that are opened at a time.
STEP: Final = 25


class _Public(msgspec.Struct):
    awaiting: list[int]


class _Choices(msgspec.Struct):
    legal: list[str]


class _Payload(msgspec.Struct):
    event: str = ""
    code: int = 0
    message: str = ""
    public_state: _Public | None = None
    choices: _Choices | None = None
    request: dict[str, Any] | None = None


class _Message(msgspec.Struct):
    type: str
    payload: _Payload = msgspec.field(default_factory=_Payload)


@dataclass(slots=True)
class Measured:
    """The measurements.

    :ivar times: The seconds from each move to its notification.
    :ivar received: The number of messages received.
    :ivar sent: The number of moves sent.
    :ivar games: The number of finished games.
    :ivar errors: The number of errors, by code.
    """

    times: list[float] = field(default_factory=list)
    received: int = 0
    sent: int = 0
    games: int = 0
    errors: dict[int, int] = field(default_factory=dict)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options.
    :result: The exit code: 0 if nothing went wrong at the tables, and all players stayed to the end.
    """
    figures = reported(options, TABLES, _refusal, measure)
    if isinstance(figures, int):
        return figures
    if lost := figures["connections lost"]:
        count = options.tables * options.clients
        print(f"tisch load: The server closed {lost} of {count} connections before the end.", file=sys.stderr)
    return 1 if figures["errors"] or lost else 0


def reported(
    options: argparse.Namespace,
    tables: int,
    refuse: Callable[[argparse.Namespace], str],
    measure: Callable[[argparse.Namespace], Coroutine[Any, Any, dict[str, Any]]],
) -> dict[str, Any] | int:
    """Measure, and print the figures or why there are none.

    :param options: The command's options.
    :param tables: The number of tables, unless another one is wanted.
    :param refuse: Returns a sentence about what cannot be measured; empty if everything fits.
    :param measure: Returns the figures by name.
    :result: The figures, or the exit code without any.
    """
    options.tables = tables if options.tables is None else options.tables
    if refusal := refuse(options):
        print(f"tisch load: {refusal}", file=sys.stderr)
        return 2
    try:
        figures = asyncio.run(measure(options))
    except UNREACHABLE as error:
        print(f"tisch load: {unreachable(options.url, error)}", file=sys.stderr)
        return 1
    except (aiohttp.ClientError, OSError, ValueError) as error:
        print(f"tisch load: {error}", file=sys.stderr)
        return 1
    print(json.dumps(figures, indent=2) if options.json else table(figures))
    return figures


def _refusal(options: argparse.Namespace) -> str:
    """Return a sentence about what cannot be measured; empty if everything fits."""
    if options.tables < 1 or options.clients < 1 or not 0 < options.seconds < math.inf:
        return "There must be at least one table, one client and some time."
    least, most = options.think
    if not 0 <= least <= most < math.inf:
        return f"Players think from a shortest to a longest time, not from {least:g} to {most:g} seconds."
    try:
        game = find(options.game)
        if options.agent is not None:
            require_choice(game, options.agent)
    except ValueError as error:
        return str(error)
    return ""


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run the measurement.

    :param options: The command's options.
    :result: The figures by name.
    :raises ValueError: The server does not start.
    """
    async with contextlib.AsyncExitStack() as stack:
        guests = options.tables * options.clients + 10
        own = served(guests, "--workers", str(options.workers))
        server = None if options.url else await stack.enter_async_context(own)
        url = options.url or (server.url if server else "")
        connector = aiohttp.TCPConnector(limit=0)
        session = await stack.enter_async_context(aiohttp.ClientSession(connector=connector))
        before = server.memory() if server else 0
        measured = Measured()
        ramp = await _seat_all(session, url, options, measured)
        print(f"All play for {options.seconds:g} seconds …", file=sys.stderr)
        # The time in which tables are opened does not count, nor do pauses of the measurement itself.
        _clear(measured)
        gc.collect()
        gc.freeze()
        gc.disable()
        cpu, start = (server.cpu() if server else 0.0), time.monotonic()
        # Without any player there is nothing more to measure.
        lost, _ = await asyncio.wait(ramp, timeout=options.seconds)
        seconds = time.monotonic() - start
        figures = _figures(options, measured, seconds) | {"connections lost": len(lost)}
        if server:
            figures["memory per table, KB"] = round((server.memory() - before) / 1024 / options.tables, 1)
            figures["memory, MB"] = round(server.memory() / 1024 / 1024, 1)
            figures["server's share of a core"] = round((server.cpu() - cpu) / seconds, 2)
        for task in ramp:
            task.cancel()
        await asyncio.gather(*ramp, return_exceptions=True)
    return figures


def _clear(measured: Measured) -> None:
    measured.times.clear()
    measured.received = measured.sent = measured.games = 0


async def _seat_all(
    session: aiohttp.ClientSession, url: str, options: argparse.Namespace, measured: Measured
) -> list[asyncio.Task[None]]:
    """Open the tables, a few at a time, and start all players."""
    tasks = []
    # The tables of another run may still be there.
    run = secrets.token_hex(3)
    for first in range(0, options.tables, STEP):
        for table in range(first, min(first + STEP, options.tables)):
            for client in range(options.clients):
                ready = asyncio.Event()
                player = _Player(options, measured, f"load {run} {table}", f"{table} {client}", ready)
                tasks.append(asyncio.create_task(player.play(session, url)))
                # One after the other: the first at the table is its host.
                await _seated(tasks[-1], ready)
        print(f"\rTables opened: {min(first + STEP, options.tables)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return tasks


async def _seated(playing: asyncio.Task[None], ready: asyncio.Event) -> None:
    """Wait until a player has a seat.

    :raises ValueError: The player gets none.
    """
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait([waiting, playing], timeout=START, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if playing.done():
        playing.result()
    if not ready.is_set():
        raise ValueError(f"The server has given nobody a seat for {START:g} seconds.")


class _Player:
    """A program that plays at a human pace."""

    def __init__(
        self, options: argparse.Namespace, measured: Measured, table: str, name: str, ready: asyncio.Event
    ) -> None:
        self._options = options
        self._measured = measured
        self._query = {
            "player_name": f"player {name}",
            "table_name": table,
            "game": find(options.game).name,
            "view": "1",
        }
        self._is_host = name.endswith(" 0")
        self._ready = ready
        self._random = random.Random(f"load {name}")
        self._sent: float | None = None
        self._thinking: asyncio.TimerHandle | None = None
        self._request: Any = None
        self._refusal = "the connection was closed."

    async def play(self, session: aiohttp.ClientSession, url: str) -> None:
        """Play until the connection ends.

        :param session: The HTTP session.
        :param url: The server.
        :raises ValueError: The server gives no seat.
        """
        decode = msgspec.json.Decoder(_Message).decode
        async with session.ws_connect(f"{url}/ws", params=self._query, compress=0) as self._socket:
            async for frame in self._socket:
                self._measured.received += 1
                self._take(decode(frame.data))
        if not self._ready.is_set():
            raise ValueError(f"The server gives no seat: {self._refusal}")

    def _take(self, message: _Message) -> None:
        told = message.payload
        if message.type == "notification":
            if self._sent is not None:
                self._measured.times.append(time.perf_counter() - self._sent)
                self._sent = None
            if told.event == "player_joined" and not self._ready.is_set():
                self._ready.set()
                if self._is_host:
                    if self._options.agent:
                        self._say("set_options", {"agent": self._options.agent})
                    asyncio.get_running_loop().call_later(0.5, self._say, "start_game")
            elif told.event == "game_over":
                self._measured.games += self._is_host
                if self._is_host:
                    asyncio.get_running_loop().call_later(self._pace(), self._say, "start_game")
        elif message.type == "view":
            self._see(told)
        elif message.type == "error" and told.code != Code.NOT_YOUR_TURN:
            # Another player may have moved out of turn meanwhile; every other error is a fault.
            self._refusal = f"{told.code} {told.message}"
            self._measured.errors[told.code] = self._measured.errors.get(told.code, 0) + 1

    def _see(self, told: _Payload) -> None:
        """Schedule a move for a new request."""
        asked = told.request and told.request["request_id"]
        if asked == self._request:
            return
        self._request = asked
        if self._thinking:
            self._thinking.cancel()
        if asked is not None and told.choices and told.public_state:
            # The first moves are the safest; a random one would make the games long.
            move = told.choices.legal[0]
            alone = len(told.public_state.awaiting) == 1
            delay = self._pace()
            self._thinking = asyncio.get_running_loop().call_later(delay, self._move, move, alone)

    def _pace(self) -> float:
        return self._random.uniform(*self._options.think)

    def _move(self, move: str, alone: bool) -> None:
        self._thinking = None
        # Where several decide at the same time, no notification comes before all have.
        self._sent = time.perf_counter() if alone else None
        self._measured.sent += 1
        self._say("move", {"move": move})

    def _say(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        text = json.dumps({"type": kind, "payload": payload or {}})
        task = asyncio.ensure_future(self._socket.send_str(text))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _figures(options: argparse.Namespace, measured: Measured, seconds: float) -> dict[str, Any]:
    times = sorted(measured.times)
    return {
        "game": options.game,
        "tables": options.tables,
        "clients per table": options.clients,
        "seconds": round(seconds, 1),
        "moves sent": measured.sent,
        "games finished": measured.games,
        "messages per second": round(measured.received / seconds, 1),
        "turnaround p50, ms": _quantile(times, 0.50),
        "turnaround p99, ms": _quantile(times, 0.99),
        "turnaround max, ms": _quantile(times, 1.0),
        "errors": {str(code): count for code, count in sorted(measured.errors.items())},
    }


def _quantile(times: Sequence[float], share: float) -> float | None:
    if not times:
        return None
    return round(times[max(math.ceil(share * len(times)) - 1, 0)] * 1000, 2)


def table(figures: dict[str, Any]) -> str:
    """Write figures for people.

    :param figures: The figures by name.
    :result: A line for each.
    """
    width = max(map(len, figures))
    return "\n".join(f"{name:<{width}}  {_written(value)}" for name, value in figures.items())


def _written(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, dict):
        return ", ".join(f"{count} times {code}" for code, count in value.items()) or "none"
    return str(value)
