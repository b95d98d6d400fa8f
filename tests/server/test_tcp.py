"""Tests of the ports for programs that speak a game's own protocol: what does not depend on what they speak."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from server import PATIENCE, HandClock, House, Running, kept_log, skip
from tisch.games import find
from tisch.ports.wire import Host, Look, Outside, ProtocolError
from tisch.server.metrics import Metrics
from tisch.server.net import tcp
from tisch.server.net.limits import Connections
from tisch.server.net.tcp import BURST, LONGEST_QUEUE, RATE, Listener
from tisch.server.table.mailbox import Mailbox
from tisch.table.commands import GoOn


class Lines(Host):
    """A host whose guests speak in lines, however the bytes come."""

    def __init__(self, outside: Outside, options: Any) -> None:
        super().__init__(outside, options)
        self._begun: dict[int, bytes] = {}

    def received(self, guest: int, data: bytes) -> None:
        *lines, self._begun[guest] = (self._begun.get(guest, b"") + data).split(b"\n")
        for line in lines:
            self.told(guest, line)

    def told(self, guest: int, line: bytes) -> None:
        """Hear a line."""


class Talker(Lines):
    """A host that says a lot to whoever says anything, and then does as it was told: ``close``, or sit down."""

    port = 1

    @dataclass(frozen=True)
    class Options:
        """There are none."""

    said = LONGEST_QUEUE // 2

    def opened(self, guest: int, address: str) -> None:
        pass

    def told(self, guest: int, line: bytes) -> None:
        word = line.decode()
        if word == "sit":
            self.outside.sit(guest, "Stube", f"Gast {guest}", {})
        elif word == "sit badly":
            self.outside.sit(guest, "Flur", f"Gast {guest}", {"hand": 10**30})
        elif word == "change":
            self.outside.stand(guest)
            self.outside.sit(guest, "Flur", f"Gast {guest}", {})
        elif word == "start":
            self.outside.start(guest)
        else:
            self.outside.send(guest, b"x" * self.said)
        if word == "close":
            self.outside.close(guest)

    def violated(self, guest: int, error: ProtocolError) -> None:
        pass

    def closed(self, guest: int) -> None:
        pass

    def seated(self, guest: int, table: str, look: Look) -> None:
        self.outside.send(guest, b"seated\n")

    def refused(self, guest: int, code: int, reason: str) -> None:
        self.outside.send(guest, f"{code} {reason}\n".encode())

    def happened(self, guest: int, look: Look) -> None:
        pass


def places(most: int) -> Connections:
    """Places for some guests of one address."""
    return Connections(1000, most, Metrics(), proxy=False, requests=50)


@asynccontextmanager
async def listening(running: Running, most: int = 10, host: type[Host] = Talker) -> AsyncIterator[tuple[Listener, int]]:
    """Open a port."""
    listener = Listener(find("maumau"), host, None, running.server.lobby, places(most))
    port = await listener.listen("127.0.0.1", 0)
    yield listener, port
    await listener.shut()


async def deaf(port: int) -> socket.socket:
    """Connect, and read nothing."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.setblocking(False)
    await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
    return connection


def is_cut(connection: socket.socket) -> bool:
    """Has the other side cut this connection? What has come until then is read."""
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except ConnectionResetError:
        pass
    return True


@pytest.mark.parametrize("word", ["more", "close"])
def test_who_does_not_read_keeps_neither_the_server_nor_his_connection(house: House, tmp_path: Path, word: str) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running, listening(running) as (listener, port):
            connection = await deaf(port)
            await running.until(lambda: bool(listener._guests))
            (guest,) = listener._guests.values()
            own = guest.writer.get_extra_info("socket")
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2048)
            await asyncio.get_running_loop().sock_sendall(connection, f"{word}\n".encode())
            await running.until(lambda: guest.writer.transport.get_write_buffer_size() > 0)
            if word == "more":
                # It is still connected when the server stops.
                async with asyncio.timeout(PATIENCE):
                    await listener.shut()
            else:
                await running.until(lambda: not listener._guests)
            assert not listener._guests
            await running.until(lambda: is_cut(connection))
            connection.close()

    house.run(story())


def test_who_asks_and_never_reads_is_cut_off(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running, listening(running) as (listener, port):
            connection = await deaf(port)
            await running.until(lambda: bool(listener._guests))
            (guest,) = listener._guests.values()
            guest.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2048)
            async with asyncio.timeout(PATIENCE):
                while listener._guests:
                    with suppress(ConnectionError):
                        await asyncio.get_running_loop().sock_sendall(connection, b"more\n")
                    await asyncio.sleep(0.01)
                    assert guest.writer.transport.get_write_buffer_size() <= LONGEST_QUEUE + Talker.said
            await running.until(lambda: is_cut(connection))
            connection.close()

    house.run(story())


class Scale(Talker):
    """A host that weighs what it receives."""

    weight = 0

    def received(self, guest: int, data: bytes) -> None:
        Scale.weight += len(data)


@pytest.mark.parametrize("silence", [0.0, 50.0])
def test_bytes_are_taken_no_faster_than_they_may_come(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, silence: float
) -> None:
    monkeypatch.setattr(Scale, "weight", 0)
    # A machine that stands still for seconds lets a few bytes more through.
    monkeypatch.setattr(tcp, "BURST", 4096)
    monkeypatch.setattr(tcp, "RATE", 100)

    async def story() -> None:
        async with house.open(tmp_path) as running, listening(running, host=Scale) as (_, port):
            ben = await running.join("Ben")
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            # What somebody could have sent before is not saved for later.
            writer.write(b"first")
            await running.until(lambda: Scale.weight == 5)
            skip(silence)
            writer.write(bytes(9000))
            await running.until(lambda: Scale.weight > 5)
            for _ in range(20):
                await ben.sync()
            taken = Scale.weight - 5
            assert taken <= 4096
            # The next ones may come after as long as they have taken.
            for _ in range(3):
                skip(25)
                await ben.sync()
            await running.until(lambda: Scale.weight == 5 + 9000)
            writer.close()

    house.run(story())


class Gossip(Talker):
    """A host that tells everybody what is heard."""

    def __init__(self, outside: Outside, options: Any) -> None:
        super().__init__(outside, options)
        self.guests: list[int] = []

    def opened(self, guest: int, address: str) -> None:
        self.guests.append(guest)

    def told(self, guest: int, line: bytes) -> None:
        if line == b"heard":
            for other in self.guests:
                self.outside.send(other, b"heard\n")


@pytest.mark.parametrize("runner", ["asyncio", "uvloop"])
def test_who_is_gone_costs_nobody_else_the_connection(runner: str) -> None:
    # On a loop of its own: that of the real server does not let one write to a connection that is gone.
    run = pytest.importorskip(runner).run

    async def story() -> None:
        listener = Listener(find("maumau"), Gossip, None, cast(Any, None), places(10))
        port = await listener.listen("127.0.0.1", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        # The program is over its rate limit, and leaves while it waits.
        connection = await deaf(port)
        await asyncio.get_running_loop().sock_sendall(connection, bytes(BURST + 2 * RATE))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await asyncio.sleep(0.2)
        connection.close()
        try:
            for _ in range(20):
                writer.write(b"heard\n")
                assert await asyncio.wait_for(reader.readline(), PATIENCE) == b"heard\n"
                await asyncio.sleep(0.02)
        finally:
            writer.close()
            await listener.shut()

    run(story())


def test_only_who_has_no_seat_or_is_waited_for_may_not_be_silent(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running, listening(running) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"sit\n")
            assert await reader.readline() == b"seated\n"
            # Only now, since a slow disk may take longer to open a table.
            monkeypatch.setattr(tcp, "PATIENCE", 1.0)
            idle, idle_writer = await asyncio.open_connection("127.0.0.1", port)
            assert await idle.read() == b""
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.read(), 1.5)
            writer.write(b"start\n")
            # This program moves first.
            assert await reader.read() == b""
            idle_writer.close()
            writer.close()

    house.run(story())


def test_who_changes_tables_leaves_no_seat_taken_behind(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running, listening(running) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"sit\n")
            assert await reader.readline() == b"seated\n"
            busy, do = asyncio.Event(), Mailbox._do

            async def slowly(mailbox: Mailbox, *job: Any) -> None:
                if mailbox.table.name == "Stube":
                    busy.set()
                    await asyncio.sleep(0.3)
                await do(mailbox, *job)

            monkeypatch.setattr(Mailbox, "_do", slowly)
            running.mailbox("Stube").post(GoOn())
            await busy.wait()
            writer.write(b"change\n")
            assert await reader.readline() == b"seated\n"
            await running.until(lambda: running.names == ["Flur"])
            writer.close()

    house.run(story())


def test_what_was_said_last_is_still_read(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running, listening(running) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"close\n")
            assert len(await reader.read()) == Talker.said
            writer.close()

    house.run(story())


def test_connections_of_one_address_are_bounded_and_forgotten(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running, listening(running, 2) as (listener, port):
            for _ in range(2):
                connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
                await running.until(lambda: len(listener._guests) == 2)
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                assert await asyncio.wait_for(reader.read(), PATIENCE) == b""
                for _, each in (*connections, (reader, writer)):
                    each.close()
                await running.until(lambda: not listener._guests)
            assert (listener._connections.total, listener._connections.guests.total) == (0, 0)

    house.run(story())


def test_a_table_that_cannot_be_opened_is_refused_to_that_program_alone(house: House, tmp_path: Path) -> None:
    async def story() -> tuple[str, str]:
        async with house.open(tmp_path) as running, listening(running) as (listener, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            await running.until(lambda: bool(listener._guests))
            count = len(asyncio.all_tasks())
            with kept_log() as records:
                writer.write(b"sit badly\n")
                refusal = (await reader.readline()).decode()
            assert not [record for record in records if record.levelno >= logging.WARNING]
            assert not running.server.lobby.tables and len(asyncio.all_tasks()) == count
            writer.write(b"sit\n")
            told: Any = (await reader.readline()).decode()
            writer.close()
            await running.until(lambda: not running.server.lobby.tables)
            return refusal, told

    refusal, told = house.run(story())
    assert refusal.startswith("300 2 players cannot get 1000000")
    assert told == "seated\n"


def test_a_program_that_the_host_removes_is_told_and_cut_off(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running, listening(running) as (_, port):
            host = await running.join("Ben", game="maumau")
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"sit\n")
            assert await reader.readline() == b"seated\n"
            await host.say("remove_player", player_index=1)
            assert await reader.readline() == b"207 Der Gastgeber hat dich von diesem Tisch entfernt.\n"
            assert await reader.read() == b""
            writer.close()
            assert (await host.state())["public_state"]["player_kinds"] == ["human", "ai"]
            # Programs have no invitations, and find no private table.
            await host.say("set_access", is_private=True)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"sit\n")
            assert await reader.readline() == b"seated\n"
            assert running.names == ["Stube", "Stube"]
            writer.close()

    house.run(story())


def test_nothing_rings_at_a_port_that_is_shut(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            async with listening(running) as (listener, _):
                rung: list[str] = []
                listener.later(1.0, lambda: rung.append("before"))
                clock.turn(1.0)
                listener.later(1.0, lambda: rung.append("after"))
                listener.later(5.0, lambda: rung.append("long after"))
            clock.turn(10.0)
            assert rung == ["before"] and clock.next is None

    house.run(story())
