"""Tests of Okey's protocol at the real server: real sockets, a real journal, agents that think in processes."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from okey_programs import NAMES
from tisch import transcript
from tisch.games.okey import JOKER, Tile
from tisch.games.okey.wire import HOST
from tisch.games.okey.wire.codec import Message, read, read_layout, tiles_of, write, write_layout
from tisch.games.okey.wire.guest import OkeyGuest, laid_out
from tisch.games.okey.wire.host import LONGEST
from tisch.server.app import Server
from tisch.server.config import Config, Wire
from tisch.terminal.remote import Link
from tisch.transcript import Transcript

#: How long a test waits for what must come, in seconds.
PATIENCE = 20.0


@dataclass
class House:
    """A server with its two ports, and the programs that are connected to it."""

    url: str
    port: int
    clients: list[Client] = field(default_factory=list)

    async def connect(self, name: str) -> Client:
        """Connect a program."""
        client = Client(*await asyncio.open_connection("127.0.0.1", self.port))
        self.clients.append(client)
        assert (await client.ask("LOGI", name)).arguments == (name,)
        return client

    async def games(self) -> list[Transcript]:
        """The finished games."""
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{self.url}/api/games") as response:
                listed = await response.json()
            found = []
            for game in listed["games"]:
                async with session.get(f"{self.url}/api/games/{game['id']}") as response:
                    found.append(transcript.read((await response.json())["transcript"]))
        return found


@asynccontextmanager
async def serving(folder: Path, **options: Any) -> AsyncIterator[House]:
    """Run a server."""
    wires = {"okey": Wire(0, HOST.Options(**options))}
    server = Server(Config(port=0, data=folder, workers=1, pause=0.0, log="error", wires=wires))
    runner = web.AppRunner(server.app())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    house = House(f"http://127.0.0.1:{runner.addresses[0][1]}", server.ports["okey"])
    try:
        yield house
    finally:
        for client in house.clients:
            client.writer.close()
            with suppress(ConnectionError):
                await client.writer.wait_closed()
        await runner.cleanup()


class Client:
    """A program that says lines and reads lines, and keeps its rack."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.rack: list[Tile] = []
        self.seat = -1
        self.turn = -2

    async def hear(self) -> Message | None:
        """Read a line, answer it if it asks something, and keep what it tells; ``None`` at the end."""
        line = await asyncio.wait_for(self.reader.readline(), PATIENCE)
        if not line:
            return None
        message = read(line.decode().removesuffix("\r\n"), "seed")
        if not message.is_answer:
            self.writer.write(write(Message(message.command, (), is_answer=True), "seed"))
        if message.command == "STRT":
            self.rack = tiles_of(read_layout(message.arguments[0], "seed"))
            self.seat = int(message.arguments[1])
        elif message.command == "STAT" and not message.is_answer:
            self.turn = int(message.arguments[1])
        elif message.command == "DRAW" and message.arguments[0]:
            self.rack.append(Tile.parse(message.arguments[0]))
        return message

    async def ask(self, command: str, *arguments: str) -> Message:
        """Say something and wait for its answer."""
        self.writer.write(write(Message(command, arguments), "seed"))
        while message := await self.hear():
            if message.is_answer and message.command == command:
                return message
        raise AssertionError("The server has closed the connection.")

    async def put(self, tile: Tile, *, wins: bool = False) -> Message:
        layout = laid_out(self.rack, tile, wins=wins)
        self.rack.remove(tile)
        return await self.ask("PUTT", str(tile), write_layout(layout, "seed"))

    async def until(self, *commands: str) -> Message:
        """Wait for one of these commands."""
        while message := await self.hear():
            if message.command in commands and not message.is_answer:
                return message
        raise AssertionError("The server has closed the connection.")

    async def play(self) -> Message:
        """Draw from the main stack and put that tile, until the game is over; tells how it ends."""
        while True:
            if self.turn == self.seat:
                if len(self.rack) == 14:
                    tile = (await self.ask("DRAW", "m")).arguments[0]
                    if not tile:
                        return await self.until("EMPT", "PWIN")
                assert (await self.put(self.rack[-1])).arguments == ("t", "f")
                self.turn = -2
            message = await self.until("STAT", "EMPT", "PWIN")
            if message.command != "STAT":
                return message


async def seated(house: House, lobby: str = "42") -> list[Client]:
    """Four programs in a lobby, all ready."""
    clients = [await house.connect(name) for name in NAMES]
    for client in clients:
        assert (await client.ask("JLOB", lobby)).arguments == ("t",)
    for client in clients:
        await client.ask("REDY")
    return clients


def test_four_programs_play_a_whole_game(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path) as house:
            clients = await seated(house)
            ends = await asyncio.gather(*(client.play() for client in clients))
            assert [end.command for end in ends] == ["EMPT"] * 4
            (game,) = await house.games()
            assert game.verify().outcome()
            assert sum(move == "draw main" for _, move in game.moves) == 50

    asyncio.run(scenario())


def test_a_browser_a_program_and_agents_play_at_one_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path) as house, aiohttp.ClientSession() as session:
            address = f"{house.url}/ws?player_name=Ben&table_name=42&game=okey&view=1"
            async with session.ws_connect(address) as socket:
                client = await house.connect("robin")
                assert (await client.ask("JLOB", "42")).arguments == ("t",)
                assert "Ben robin" in (await client.ask("LLPL")).arguments[0]
                await socket.send_json({"type": "start_game"})
                browser = asyncio.create_task(answer_all(socket))
                end = await client.play()
                over = await asyncio.wait_for(browser, PATIENCE)
                (game,) = await house.games()
                assert game.verify().outcome()
                assert {seat for seat, _ in game.moves} == {0, 1, 2, 3}
                assert (end.command == "EMPT") == (max(over["points"]) == 0)

    asyncio.run(scenario())


async def answer_all(socket: aiohttp.ClientWebSocketResponse) -> Any:
    """Play as a browser does, always the safest move; tells how the game ended."""
    async for frame in socket:
        message = json.loads(frame.data)
        if message["type"] == "request":
            payload = message["payload"]
            move = {"move": payload["context"]["legal"][0]}
            response = {"action": "move", "response_data": move, "request_id": payload["request_id"]}
            await socket.send_json({"type": "response", "payload": response})
        elif message["type"] == "notification" and message["payload"]["event"] == "game_over":
            return message["payload"]["context"]
        assert message["type"] != "error", message
    raise AssertionError("The server has closed the connection.")


def test_who_cheats_wins_and_the_transcript_says_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, cheats=True) as house:
            clients = await seated(house)
            for client in clients:
                await client.until("STAT")
            (starter,) = [client for client in clients if len(client.rack) == 15]
            deck = (await starter.ask("WINC")).arguments[0]
            starter.rack = tiles_of(read_layout(deck, "seed"))
            assert (await starter.put(JOKER, wins=True)).arguments == ("t", "t")
            ends = [await client.until("PWIN") for client in clients]
            assert {end.arguments for end in ends} == {(NAMES[starter.seat],)}
            (game,) = await house.games()
            assert game.options == {"cheats": True}
            assert [move for _, move in game.moves] == ["cheat", "win 0:BLACK"]
            assert game.verify().outcome()

    asyncio.run(scenario())


def test_a_violation_a_cut_and_a_return_leave_the_table_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path) as house:
            clients = await seated(house)
            for client in clients:
                await client.until("STAT")
            (starter,) = [client for client in clients if len(client.rack) == 15]
            place = (starter.seat + 2) % 4
            rack = sorted(clients[place].rack)
            clients[place].writer.write(b"x" * (LONGEST + 1))
            while await clients[place].hear():
                pass
            again = await house.connect(NAMES[place])
            assert (await again.ask("JLOB", "42")).arguments == ("t",)
            assert (sorted(again.rack), again.seat, again.turn) == (rack, place, starter.seat)
            clients[place] = again
            ends = await asyncio.gather(*(client.play() for client in clients))
            assert [end.command for end in ends] == ["EMPT"] * 4
            (game,) = await house.games()
            assert game.verify().outcome()

    asyncio.run(scenario())


def test_a_table_of_another_game_is_no_lobby(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path) as house, aiohttp.ClientSession() as session:
            async with session.ws_connect(f"{house.url}/ws?player_name=Ben&table_name=42&game=maumau") as socket:
                await socket.receive()
                client = await house.connect("robin")
                assert (await client.ask("JLOB", "42")).arguments == ("f", "At this table Mau-Mau is played.")
                assert (await client.ask("JLOB", "43")).arguments == ("t",)
            await client.ask("LOGO")
            assert await client.hear() is None

    asyncio.run(scenario())


def test_the_terminal_plays_at_the_server(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, wait=0.2) as house:
            command = ["play", "okey", "--connect", f"127.0.0.1:{house.port}", "--id", "Ben", "--agent", "rule"]
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tisch",
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env={**os.environ, "LANG": "C.UTF-8"},
            )
            output, _ = await asyncio.wait_for(process.communicate(), 2 * PATIENCE)
            assert process.returncode == 0, output.decode()
            (game,) = await house.games()
            outcome = game.verify().outcome()
            assert outcome
            assert game.payoff is not None
            assert "Ben" in output.decode()

    asyncio.run(scenario())


def test_the_terminal_gives_a_silent_server_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tisch.games.okey.wire.guest.SILENCE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with Link(socket.create_connection(silent.getsockname()), OkeyGuest("Ben")) as link, link.changed:
            assert link.changed.wait_for(lambda: link.ended, PATIENCE)
        connection, _ = silent.accept()
        with connection:
            assert connection.recv(4096).startswith(b"LOGI Ben\r\n")
