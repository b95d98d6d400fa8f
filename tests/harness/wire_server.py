"""The live server with the port of a game's own protocol: programs and browsers on real sockets."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from server import HandClock, House, Running
from tisch.game import Random
from tisch.ports.wire import Guest
from tisch.server.config import Wire
from tisch.transcript import Transcript, read
from tisch.wires import hosts

#: The timeout of a test in seconds.
PATIENCE = 30.0

G = TypeVar("G", bound=Guest)
P = TypeVar("P", bound="Program")


class WireServer:
    """A running server.

    :ivar port: The port of the game's own protocol.
    """

    def __init__(self, running: Running) -> None:
        self.running = running
        (self.port,) = running.server.ports.values()
        self.programs: list[Program] = []

    async def connect(self, program: Callable[..., P], *arguments: Any) -> P:
        """Connect a program.

        :param program: What makes it of these arguments and of the connection's two ends.
        """
        connected = program(*arguments, *await asyncio.open_connection("127.0.0.1", self.port))
        self.programs.append(connected)
        return connected

    async def games(self) -> list[Transcript]:
        """Return all finished games."""
        games = (await self.running.get("/api/games"))["games"]
        return [read((await self.running.get(f"/api/games/{game['id']}"))["transcript"]) for game in games]


@asynccontextmanager
async def wire_server(
    house: House, data: Path, game: str, clock: HandClock | None = None, *, proxy: bool = False, **options: Any
) -> AsyncIterator[WireServer]:
    """Run a server.

    :param data: Its folder.
    :param game: The game.
    :param clock: (Optional) The clock of its tables and of its host.
    :param proxy: (Optional) Whether the server believes a proxy where browsers come from.
    :param options: How its host treats programs.
    """
    async with house.open(data, clock, proxy=proxy, wires={game: Wire(0, hosts()[game].Options(**options))}) as running:
        at = WireServer(running)
        try:
            yield at
        finally:
            for program in at.programs:
                await program.close()


class Program:
    """A connected program."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def read(self, size: int) -> bytes:
        """Read a few bytes; nothing at the end."""
        return await asyncio.wait_for(self.reader.read(size), PATIENCE)

    async def close(self) -> None:
        """Close the connection."""
        self.writer.close()
        # The server may have been faster.
        with suppress(ConnectionError):
            await self.writer.wait_closed()


class Player(Program, Generic[G]):
    """A guest on a real socket that plays at random.

    :ivar said: All that it has been told.
    """

    def __init__(self, guest: G, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader, writer)
        self.guest = guest
        self.random = Random(1, guest.name)
        self.said = bytearray()
        guest.opened()
        self.flush()

    def flush(self) -> None:
        """Send the guest's outgoing bytes."""
        self.writer.write(bytes(self.guest.outgoing))
        self.guest.outgoing.clear()

    async def hear(self) -> bool:
        """Receive a few bytes; return whether the connection is still open."""
        data = await self.read(7)
        self.said += data
        self.guest.received(data)
        self.flush()
        return bool(data)

    async def until(self, test: Callable[[G], Any]) -> None:
        """Receive until a condition holds."""
        while not test(self.guest):
            assert await self.hear(), "The server has closed the connection."

    def move(self, move: Any) -> None:
        """Make a move."""
        self.guest.play(move)
        self.flush()

    async def play(self, moves: int = 100_000) -> None:
        """Play this many moves, or to the end."""
        while moves and not self.guest.over and (self.guest.outcome or self.guest.legal or await self.hear()):
            if self.guest.outcome:
                # Some wait a moment before they leave.
                self.guest.ticked(1.0)
                self.flush()
            elif self.guest.legal:
                self.move(self.random.choice(self.guest.legal))
                moves -= 1


async def browse(at: WireServer, player: str, table: str, game: str, *, tolerated: tuple[int, ...] = ()) -> list[str]:
    """Play in a browser to the end of a game, always the safest move.

    :param tolerated: (Optional) The errors that may be told, by their codes.
    :result: The moves that were sent.
    """
    moves: list[str] = []
    client = await at.running.connect(player_name=player, table_name=table, game=game, view=1)
    asked = None
    while True:
        message = await client.receive()
        payload = message.get("payload", {})
        assert message["type"] != "error" or payload["code"] in tolerated, payload
        if message["type"] == "notification" and payload["event"] == "game_over":
            return moves
        if message["type"] == "view" and payload["request"] and payload["request"]["request_id"] != asked:
            asked = payload["request"]["request_id"]
            moves.append(payload["choices"]["legal"][0])
            await client.send("move", move=moves[-1])


async def play_by_command(at: WireServer, game: str, *flags: str, typed: str = "") -> str:
    """Play there by ``tisch play``.

    :param flags: Further flags.
    :param typed: (Optional) What is typed.
    :result: What was written.
    """
    command = ["play", game, "--connect", f"127.0.0.1:{at.port}", "--lang", "en", *flags]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tisch", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    written, _ = await asyncio.wait_for(process.communicate(typed.encode()), 2 * PATIENCE)
    assert process.returncode == 0, written.decode()
    return written.decode()
