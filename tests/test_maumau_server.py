"""Tests of Mau-Mau's own protocol on the live server: real sockets, real tables, programs and browsers together."""

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
import pytest
from aiohttp import web

from tisch import transcript
from tisch.game import Random
from tisch.games.maumau.wire import HOST
from tisch.games.maumau.wire.codec import TO_CLIENT, TO_SERVER
from tisch.games.maumau.wire.guest import MauMauGuest
from tisch.server.app import Server
from tisch.server.config import Config, Wire
from tisch.server.journal import backup

#: How long anything may take, in seconds.
PATIENCE = 30.0


class Live:
    """A live server with a port for Mau-Mau."""

    def __init__(self, server: Server, address: str) -> None:
        self.server = server
        self.address = address
        self.port = server.ports["maumau"]
        self.programs: list[Programmed] = []

    async def connect(self, name: str) -> Programmed:
        """Connect a program."""
        program = Programmed(name, *await asyncio.open_connection("127.0.0.1", self.port))
        self.programs.append(program)
        return program


class Programmed:
    """A program: a guest on a real socket, which plays by chance."""

    def __init__(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.guest = MauMauGuest(name)
        self.guest.opened()
        self.reader, self.writer = reader, writer
        self.random = Random(1, name)
        self.said = bytearray()
        self.flush()

    def flush(self) -> None:
        self.writer.write(bytes(self.guest.outgoing))
        self.guest.outgoing.clear()

    async def hear(self) -> bool:
        """Hear something; tells whether the connection is still there."""
        data = await asyncio.wait_for(self.reader.read(7), PATIENCE)
        self.said += data
        self.guest.received(data)
        return bool(data)

    async def play(self, moves: int = 10_000) -> None:
        """Play so many moves, or to the end."""
        while moves and (self.guest.legal or await self.hear()):
            if self.guest.legal:
                self.guest.play(self.random.choice(self.guest.legal))
                self.flush()
                moves -= 1

    async def until(self, test: Callable[[MauMauGuest], Any]) -> None:
        """Hear until something is so."""
        while not test(self.guest):
            assert await self.hear(), "The server has closed the connection."

    async def close(self) -> None:
        self.writer.close()
        # The server may have been faster.
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


@asynccontextmanager
async def live(folder: Path, **options: Any) -> AsyncIterator[Live]:
    """Run a server."""
    wires = {"maumau": Wire(0, HOST.Options(**options))}
    server = Server(Config(port=0, data=folder, workers=1, pause=0.0, wires=wires))
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    at = Live(server, f"http://127.0.0.1:{runner.addresses[0][1]}")
    try:
        yield at
    finally:
        for program in at.programs:
            await program.close()
        await runner.cleanup()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(2 * PATIENCE):
            await test()

    asyncio.run(bounded())


async def finished(at: Live) -> list[transcript.Transcript]:
    """The transcripts of all finished games."""
    async with aiohttp.ClientSession(at.address) as http:
        async with http.get("/api/games") as answer:
            games = (await answer.json())["games"]
        found = []
        for game in games:
            async with http.get(f"/api/games/{game['id']}") as answer:
                found.append(transcript.read((await answer.json())["transcript"]))
        return found


@pytest.mark.parametrize("players", [2, 4])
def test_whole_games_by_programs(players: int, tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, players=players, rounds=2) as at:
            programs = []
            for number in range(players):
                programs.append(await at.connect(f"P{number}"))
                await programs[-1].hear()
            await asyncio.gather(*(program.play() for program in programs))
            (game,) = await finished(at)
            scores = game.verify().view(None).scores
            assert all(program.guest.over and program.guest.view.scores == scores for program in programs)
            assert [program.guest.number for program in programs] == list(range(1, players + 1))

    run(test)


async def browse(at: Live, table: str, name: str, moves: list[str]) -> None:
    """Play in a browser to the end, by a rule; what was played is noted."""
    async with (
        aiohttp.ClientSession(at.address) as http,
        http.ws_connect(f"/ws?player_name={name}&table_name={table}&game=maumau&view=1") as socket,
    ):
        asked = None
        while True:
            message = await socket.receive_json(timeout=PATIENCE)
            payload = message.get("payload", {})
            assert message["type"] != "error", payload
            if message["type"] == "notification" and payload["event"] == "game_over":
                return
            if message["type"] == "view" and payload["request"] and payload["request"]["request_id"] != asked:
                asked = payload["request"]["request_id"]
                moves.append(payload["choices"]["legal"][0])
                await socket.send_json({"type": "move", "payload": {"move": moves[-1]}})


def test_a_browser_a_program_and_an_agent_at_one_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, players=3, rounds=2, wait=0.5) as at:
            program = await at.connect("Programm")
            await program.hear()
            moves: list[str] = []
            await asyncio.gather(program.play(), browse(at, "Mau-Mau", "Ben", moves))
            (game,) = await finished(at)
            assert game.verify().view(None).scores == program.guest.view.scores
            assert game.notes["players"].startswith("Programm, Ben, ")
            assert [move for seat, move in game.moves if seat == 1] == moves
            assert {seat for seat, _ in game.moves} == {0, 1, 2}

    run(test)


def test_who_is_cut_off_comes_back_to_his_seat(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, players=3, rounds=8) as at:
            programs = []
            for number in range(3):
                programs.append(await at.connect(f"P{number}"))
                await programs[-1].hear()
            others = [asyncio.create_task(program.play()) for program in programs[1:]]
            for _ in range(3):
                await programs[0].play(moves=2)
                await programs[0].close()
                await asyncio.sleep(0.1)
                programs[0] = await at.connect("P0")
                await programs[0].until(lambda guest: guest.view is not None)
                assert programs[0].guest.number == 1
            await asyncio.gather(programs[0].play(), *others)
            (game,) = await finished(at)
            scores = game.verify().view(None).scores
            assert programs[0].guest.view.scores == tuple(min(score, 255) for score in scores)
            assert programs[1].said.count(TO_CLIENT.write("yeet", 1)) >= 3

    run(test)


def test_a_violation_costs_the_connection_and_never_the_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, players=2) as at:
            program, other = await at.connect("A"), await at.connect("B")
            await program.until(lambda guest: guest.view is not None)
            program.writer.write(b"\xff")
            await program.until(lambda guest: guest.over)
            assert not await program.hear()
            await other.play()
            (game,) = await finished(at)
            game.verify()
            assert other.guest.over and TO_CLIENT.write("yeet", 1) in bytes(other.said)

    run(test)


def test_three_illegal_moves_end_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, players=2) as at:
            program, other = await at.connect("A"), await at.connect("B")
            for blocks in (1, 2, 3):
                while program.said.count(TO_CLIENT.write("time", 0)) < blocks:
                    assert await program.hear()
                before = program.guest.view
                program.writer.write(TO_SERVER.write("take", 9))
                assert program.guest.view == before
            await program.until(lambda guest: guest.over)
            await other.play()
            (await finished(at))[0].verify()

    run(test)


async def play_by_command(at: Live, typed: str, *flags: str) -> str:
    """Play there by ``tisch play``; tells what was written."""
    command = ["play", "maumau", "--connect", f"127.0.0.1:{at.port}", "--lang", "en", *flags]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tisch", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    written, _ = await process.communicate(typed.encode())
    assert process.returncode == 0
    return written.decode()


def test_people_and_agents_play_by_the_command(tmp_path: Path) -> None:
    async def test() -> None:
        async with live(tmp_path, players=3) as at:
            flags = [("--id", "Emil"), ("--id", "R", "--agent", "rule"), ("--id", "S", "--agent", "search")]
            first = asyncio.create_task(play_by_command(at, "1\nd\n" * 500, *flags[0]))
            texts = await asyncio.gather(first, *(play_by_command(at, "", *more) for more in flags[1:]))
            (game,) = await finished(at)
            state = game.verify()
            loses = f"{max(state.view(None).scores)} points"
            assert all("The game is over!" in text and loses in text for text in texts)

    run(test)


def test_rubbish_and_silence_on_many_connections(tmp_path: Path) -> None:
    async def test() -> None:
        random = Random(1, "rubbish")
        async with live(tmp_path, players=2, time=0.3, wait=0.5) as at:
            for _ in range(40):
                program = await at.connect("?")
                program.writer.write(bytes(random.below(256) for _ in range(random.below(60))))
                await program.writer.drain()
                if random.below(2):
                    await program.close()
            programs = [await at.connect(f"Spieler {number}") for number in range(2)]
            await asyncio.gather(*(program.play() for program in programs))
            assert all(program.guest.over for program in programs)

    run(test)


def test_a_table_of_another_game_is_let_alone(tmp_path: Path) -> None:
    async def test() -> None:
        tichu = "/ws?player_name=Ben&table_name=Mau-Mau&game=tichu"
        async with (
            live(tmp_path, players=2) as at,
            aiohttp.ClientSession(at.address) as http,
            http.ws_connect(tichu) as socket,
        ):
            await socket.receive_json(timeout=PATIENCE)
            programs = [await at.connect(f"P{number}") for number in range(2)]
            await asyncio.gather(*(program.play() for program in programs))
            assert all(program.guest.over for program in programs)
            async with http.get("/api/tables") as answer:
                tables = (await answer.json())["tables"]
            assert ("Mau-Mau", "tichu") in {(table["table_name"], table["game"]) for table in tables}

    run(test)


def test_after_a_restart_programs_find_their_table_and_no_seat_is_held_for_ghosts(tmp_path: Path) -> None:
    async def test() -> None:
        killed = tmp_path / "killed"
        killed.mkdir()
        async with live(tmp_path / "first", rounds=2) as at:
            one, other = await at.connect("Ben"), await at.connect("Eva")
            playing = [asyncio.create_task(program.play(3)) for program in (one, other)]
            _, waiting = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
            waiting.pop().cancel()
            # What a server leaves behind that is killed at this moment.
            backup(at.server.journal.path, killed / "journal.sqlite")
        async with live(killed, rounds=2) as at:
            (table,) = at.server.lobby.tables.values()
            assert table.is_running
            assert [seat.player for seat in table.seats] == [None, None]
            assert table.host == -1
            one, other = await at.connect("Ben"), await at.connect("Eva")
            # Who plays before the other has sat down plays against the agent, perhaps to the end.
            await asyncio.gather(*(program.until(lambda guest: guest.view) for program in (one, other)))
            await asyncio.gather(one.play(), other.play())
            (game,) = await at.server.journal.games(1)
            finished = await at.server.journal.finished(game.id)
            assert finished and transcript.read(finished[1]).verify().outcome()

    run(test)
