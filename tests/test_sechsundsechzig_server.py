"""Tests of Sechsundsechzig's own protocol on the live server: worlds, browsers and the command on real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from tisch import transcript
from tisch.game import Random
from tisch.games.sechsundsechzig.moves import RESTART
from tisch.games.sechsundsechzig.wire import HOST
from tisch.games.sechsundsechzig.wire.data import Reader
from tisch.games.sechsundsechzig.wire.guest import WorldGuest
from tisch.games.sechsundsechzig.wire.world import ENDED, PLAYING, TRICK, World, read_world
from tisch.server.app import Server
from tisch.server.config import Config, Wire

#: How long anything may take, in seconds.
PATIENCE = 30.0


class Live:
    """A live server with a port for worlds."""

    def __init__(self, server: Server, address: str) -> None:
        self.address = address
        self.port = server.ports["sechsundsechzig"]
        self.connections: list[Connection] = []

    async def raw(self, name: str) -> Raw:
        """Connect a raw world."""
        raw = Raw(name, *await asyncio.open_connection("127.0.0.1", self.port))
        self.connections.append(raw)
        return raw

    async def guest(self, name: str) -> Guest:
        """Connect a guest."""
        guest = Guest(name, *await asyncio.open_connection("127.0.0.1", self.port))
        self.connections.append(guest)
        return guest

    async def games(self) -> list[transcript.Transcript]:
        """The transcripts of all finished games."""
        async with aiohttp.ClientSession(self.address) as http:
            async with http.get("/api/games") as answer:
                games = (await answer.json())["games"]
            found = []
            for game in games:
                async with http.get(f"/api/games/{game['id']}") as answer:
                    found.append(transcript.read((await answer.json())["transcript"]))
            return found


class Connection:
    """A connection to the universe."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def read(self) -> bytes:
        return await asyncio.wait_for(self.reader.read(97), PATIENCE)

    async def close(self) -> None:
        self.writer.close()
        # The server may have been faster.
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


class Raw(Connection):
    """A raw world, which lays the first card that it can and stops with 66."""

    def __init__(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader, writer)
        self.name = name
        self.data = Reader()
        self.worlds: list[World] = []
        self.say(f'(REGISTER ((name "{name}")))')

    def say(self, text: str) -> None:
        self.writer.write(f"{text}\n".encode())

    async def hear(self) -> list[World]:
        """Hear something; nothing at the end."""
        heard: list[World] = []
        while not heard and (data := await self.read()):
            heard = [world for datum in self.data.read(data) if (world := read_world(datum))]
        self.worlds += heard
        return heard

    async def play(self, games: int) -> None:
        """Play so many games."""
        while worlds := await self.hear():
            for world in worlds:
                games -= world.symbol in ENDED
                if games:
                    self.answer(world)
            if not games:
                return

    def answer(self, world: World) -> None:
        if world.symbol == TRICK:
            self.say("(decideStich () wait)")
        elif world.symbol in ENDED:
            self.say(f"(restart {world.symbol})")
        elif world.symbol in PLAYING:
            seat = world.names.index(self.name)
            if not world.middle and world.points[seat] >= 66:
                self.say(f"(stop {world.symbol})")
            # Whichever of these is the first that is allowed; the others come out of turn.
            for key in range(len(world.hands[seat])):
                self.say(f"(lay {key} {world.symbol})")


class Guest(Connection):
    """A guest that plays by chance."""

    def __init__(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader, writer)
        self.guest = WorldGuest(name)
        self.guest.opened()
        self.random = Random(1, name)
        self.flush()

    def flush(self) -> None:
        self.writer.write(bytes(self.guest.outgoing))
        self.guest.outgoing.clear()

    async def hear(self) -> bool:
        data = await self.read()
        self.guest.received(data)
        self.flush()
        return bool(data)

    async def play(self, moves: int = 100_000) -> None:
        """Play so many moves, or to the end."""
        while moves and not self.guest.over and (self.guest.legal or await self.hear()):
            if self.guest.legal:
                self.guest.play(self.random.choice(self.guest.legal))
                self.flush()
                moves -= 1

    async def until(self, test: Callable[[WorldGuest], Any]) -> None:
        while not test(self.guest):
            assert await self.hear(), "The server has closed the connection."


@asynccontextmanager
async def live(folder: Path, **options: Any) -> AsyncIterator[Live]:
    """Run a server."""
    wires = {"sechsundsechzig": Wire(0, HOST.Options(**options))}
    server = Server(Config(port=0, data=folder, workers=1, pause=0.0, wires=wires))
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    at = Live(server, f"http://127.0.0.1:{runner.addresses[0][1]}")
    try:
        yield at
    finally:
        for connection in at.connections:
            await connection.close()
        await runner.cleanup()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(2 * PATIENCE):
            await test()

    asyncio.run(bounded())


def test_whole_games_by_raw_worlds(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path) as at:
            first = await at.raw("Mudi")
            await first.hear()
            second = await at.raw("Nickel")
            await asyncio.gather(first.play(3), second.play(3))
            assert first.worlds[-1].scores == second.worlds[-1].scores
            assert sum(world.symbol in ENDED for world in first.worlds) == 3
            assert {world.names for world in first.worlds[1:]} == {("Mudi", "Nickel")}
            third = await at.raw("Zu spät")
            assert [world.symbol for world in await third.hear()] == ["rejected"]
            assert await third.hear() == []

    run(test)


def test_a_series_by_guests(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, goal=8) as at:
            guests = [await at.guest("Mudi")]
            await guests[0].hear()
            guests.append(await at.guest("Nickel"))
            await asyncio.gather(*(each.play() for each in guests))
            (game,) = await at.games()
            scores = game.verify().view(None).scores
            assert [each.guest.outcome.points for each in guests if each.guest.outcome] == [scores, scores]

    run(test)


async def browse(at: Live, name: str, moves: list[str]) -> None:
    """Play in a browser to the end; what was played is noted."""
    query = f"player_name={name}&table_name=Sechsundsechzig&game=sechsundsechzig&view=1"
    async with aiohttp.ClientSession(at.address) as http, http.ws_connect(f"/ws?{query}") as socket:
        asked = None
        while True:
            message = await socket.receive_json(timeout=PATIENCE)
            payload = message.get("payload", {})
            assert message["type"] != "error" or payload["code"] in (3001, 3002), payload
            if message["type"] == "notification" and payload["event"] == "game_over":
                return
            if message["type"] == "view" and payload["request"] and payload["request"]["request_id"] != asked:
                asked = payload["request"]["request_id"]
                moves.append(payload["choices"]["legal"][0])
                await socket.send_json({"type": "move", "payload": {"move": moves[-1]}})


def test_a_browser_and_a_world_at_one_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, goal=3) as at:
            guest = await at.guest("Mudi")
            await guest.hear()
            moves: list[str] = []
            playing = asyncio.create_task(guest.play())
            await browse(at, "Ben", moves)
            playing.cancel()
            (game,) = await at.games()
            game.verify()
            assert game.notes["players"] == "Mudi, Ben"
            assert {seat for seat, _ in game.moves} == {0, 1}
            assert {move for seat, move in game.moves if seat == 1} <= {*moves}

    run(test)


def test_a_world_plays_with_an_agent(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, wait=0.3) as at:
            guest = await at.guest("Mudi")
            await guest.play(30)
            assert guest.guest.names[0] == "Mudi"
            assert guest.guest.names[1].endswith("(KI)")

    run(test)


def test_who_is_cut_off_comes_back_to_the_same_game(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path) as at:
            guests = [await at.guest("Mudi")]
            await guests[0].hear()
            guests.append(await at.guest("Nickel"))
            await guests[0].until(lambda guest: guest.legal)
            guests[0].guest.play(next(move for move in guests[0].guest.legal if move.verb == "lay"))
            guests[0].flush()
            await guests[1].until(lambda guest: guest.legal)
            middle = guests[1].guest.view.middle
            await guests[0].close()
            await guests[1].until(lambda guest: guest.view is None)
            guests[0] = await at.guest("Mudi")
            for each in guests:
                await each.until(lambda guest: guest.view)
                assert each.guest.view.middle == middle
                assert each.guest.names == ("Mudi", "Nickel")

    run(test)


def test_rubbish_costs_its_own_connection_alone(tmp_path: Path) -> None:
    async def test() -> None:
        random = Random(1, "rubbish")
        async with live(tmp_path) as at:
            first = await at.raw("Mudi")
            await first.hear()
            for _ in range(40):
                _, writer = await asyncio.open_connection("127.0.0.1", at.port)
                writer.write(bytes(random.below(256) for _ in range(random.below(60))))
                await writer.drain()
                writer.close()
            broken = await at.raw(")))")
            broken.say(")")
            while await broken.hear():
                pass
            second = await at.raw("Nickel")
            await asyncio.gather(first.play(1), second.play(1))

    run(test)


async def play_by_command(at: Live, typed: str, *flags: str) -> str:
    """Play there by ``tisch play``; tells what was written."""
    command = ["play", "sechsundsechzig", "--connect", f"127.0.0.1:{at.port}", "--lang", "en", *flags]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tisch", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    written, _ = await process.communicate(typed.encode())
    assert process.returncode == 0
    return written.decode()


def test_agents_play_a_series_by_the_command(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, goal=8) as at:
            flags = [("--id", "R", "--agent", "rule"), ("--id", "Z", "--agent", "random")]
            texts = await asyncio.gather(*(play_by_command(at, "", *more) for more in flags))
            (game,) = await at.games()
            own, other = sorted(game.verify().view(None).scores, reverse=True)
            assert any(f"You win with {own} : {other} game points!" in text for text in texts), texts
            assert any(f" wins with {own} : {other} game points." in text for text in texts), texts

    run(test)


def test_a_person_plays_by_the_command(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, goal=1) as at:
            raw = await at.raw("Nickel")
            await raw.hear()
            # One of these is always allowed; in the end they are used up, and the player goes.
            typed = asyncio.create_task(play_by_command(at, "s\n1\n2\n3\n4\n5\n6\n" * 40, "--id", "Mudi"))
            await raw.play(1)
            text = await typed
            assert "Nickel" in text
            assert "You lay" in text
            (await at.games())[0].verify()

    run(test)


def test_a_restart_by_both_begins_one_game(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path) as at:
            guests = [await at.guest("Mudi")]
            await guests[0].hear()
            guests.append(await at.guest("Nickel"))
            await guests[0].until(lambda guest: guest.legal)
            guests[0].guest.play(next(move for move in guests[0].guest.legal if move.verb == "stop"))
            guests[0].flush()
            for each in guests:
                await each.until(lambda guest: guest.legal == (RESTART,))
            for each in guests:
                each.guest.play(RESTART)
                each.flush()
            await guests[1].until(lambda guest: guest.legal and guest.view.end is None)
            await guests[0].until(lambda guest: guest.view.end is None)
            assert [each.guest.view.number for each in guests] == [1, 1]
            assert guests[0].guest.view.scores == (0, 3)

    run(test)
