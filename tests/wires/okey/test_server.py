"""Tests of Okey's protocol at the real server: real sockets, a real journal, agents that think in processes."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest

from okey_programs import NAMES
from server import Client, House
from tisch.games.okey import JOKER, Tile
from tisch.terminal.remote import Link
from tisch.wires.okey.codec import Message, read, read_layout, tiles_of, write, write_layout
from tisch.wires.okey.guest import OkeyGuest, laid_out
from tisch.wires.okey.host import LONGEST
from wire_server import PATIENCE, Program, WireServer, play_by_command, wire_server


class OkeyProgram(Program):
    """A program that says lines and reads lines, and keeps its rack."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader, writer)
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


async def named(at: WireServer, name: str) -> OkeyProgram:
    """Connect a program, and tell its name."""
    client = await at.connect(OkeyProgram)
    assert (await client.ask("LOGI", name)).arguments == (name,)
    return client


async def seated(at: WireServer, lobby: str = "42") -> list[OkeyProgram]:
    """Four programs in a lobby, all ready."""
    clients = [await named(at, name) for name in NAMES]
    for client in clients:
        assert (await client.ask("JLOB", lobby)).arguments == ("t",)
    for client in clients:
        await client.ask("REDY")
    return clients


def test_four_programs_play_a_whole_game(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "okey") as at:
            clients = await seated(at)
            ends = await asyncio.gather(*(client.play() for client in clients))
            assert [end.command for end in ends] == ["EMPT"] * 4
            (game,) = await at.games()
            assert game.verify().outcome()
            assert sum(move == "draw main" for _, move in game.moves) == 50

    house.run(test())


def test_a_browser_a_program_and_agents_play_at_one_table(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "okey") as at:
            browser = await at.running.join("Ben", "42", game="okey")
            client = await named(at, "robin")
            assert (await client.ask("JLOB", "42")).arguments == ("t",)
            assert "Ben robin" in (await client.ask("LLPL")).arguments[0]
            await browser.send("start_game")
            over, end = await asyncio.gather(answer_all(browser), client.play())
            (game,) = await at.games()
            assert game.verify().outcome()
            assert {seat for seat, _ in game.moves} == {0, 1, 2, 3}
            assert (end.command == "EMPT") == (max(over["points"]) == 0)

    house.run(test())


async def answer_all(browser: Client) -> dict[str, Any]:
    """Answer each request by the safest move; tells how the game ended."""
    while True:
        message = await browser.receive()
        assert message["type"] != "error", message
        if message["type"] == "request":
            asked = message["payload"]
            move = {"move": asked["context"]["legal"][0]}
            response = {"action": "move", "response_data": move, "request_id": asked["request_id"]}
            await browser.send("response", **response)
        elif message["type"] == "notification" and message["payload"]["event"] == "game_over":
            return dict(message["payload"]["context"])


def test_who_cheats_wins_and_the_transcript_says_so(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "okey", cheats=True) as at:
            clients = await seated(at)
            for client in clients:
                await client.until("STAT")
            (starter,) = [client for client in clients if len(client.rack) == 15]
            deck = (await starter.ask("WINC")).arguments[0]
            starter.rack = tiles_of(read_layout(deck, "seed"))
            assert (await starter.put(JOKER, wins=True)).arguments == ("t", "t")
            ends = [await client.until("PWIN") for client in clients]
            assert {end.arguments for end in ends} == {(NAMES[starter.seat],)}
            (game,) = await at.games()
            assert game.options == {"cheats": True}
            assert [move for _, move in game.moves] == ["cheat", "win 0:BLACK"]
            assert game.verify().outcome()

    house.run(test())


def test_a_violation_a_cut_and_a_return_leave_the_table_alone(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "okey") as at:
            clients = await seated(at)
            for client in clients:
                await client.until("STAT")
            (starter,) = [client for client in clients if len(client.rack) == 15]
            place = (starter.seat + 2) % 4
            rack = sorted(clients[place].rack)
            clients[place].writer.write(b"x" * (LONGEST + 1))
            while await clients[place].hear():
                pass
            again = await named(at, NAMES[place])
            assert (await again.ask("JLOB", "42")).arguments == ("t",)
            assert (sorted(again.rack), again.seat, again.turn) == (rack, place, starter.seat)
            clients[place] = again
            ends = await asyncio.gather(*(client.play() for client in clients))
            assert [end.command for end in ends] == ["EMPT"] * 4
            (game,) = await at.games()
            assert game.verify().outcome()

    house.run(test())


def test_a_table_of_another_game_is_no_lobby(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "okey") as at:
            await at.running.join("Ben", "42", game="maumau")
            client = await named(at, "robin")
            assert (await client.ask("JLOB", "42")).arguments == ("f", "At this table Mau-Mau is played.")
            assert (await client.ask("JLOB", "43")).arguments == ("t",)
            await client.ask("LOGO")
            assert await client.hear() is None

    house.run(test())


def test_the_terminal_plays_at_the_server(tmp_path: Path, house: House) -> None:
    async def test() -> None:
        async with wire_server(house, tmp_path, "okey", wait=0.2) as at:
            written = await play_by_command(at, "okey", "--id", "Ben", "--agent", "rule")
            (game,) = await at.games()
            outcome = game.verify().outcome()
            assert outcome
            assert game.payoff is not None
            assert "Ben" in written

    house.run(test())


def test_the_terminal_gives_a_silent_server_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tisch.wires.okey.guest.SILENCE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with Link(socket.create_connection(silent.getsockname()), OkeyGuest("Ben")) as link, link.changed:
            assert link.changed.wait_for(lambda: link.ended, PATIENCE)
        connection, _ = silent.accept()
        with connection:
            assert connection.recv(4096).startswith(b"LOGI Ben\r\n")
