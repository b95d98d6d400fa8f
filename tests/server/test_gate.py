"""Tests of the gate before aiohttp: which bytes it passes on, which frames it counts, how long it waits for a head."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from raw_socket import PING, PONG, TEXT, Incoming, close_codes, frame, request
from server import PATIENCE, House, Running, skip
from tisch import quotas
from tisch.server.http import app as door
from tisch.server.http.gate import Gate
from tisch.server.net import limits, websocket

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
SEAT = request("player_name=Ben&table_name=Stube")


@pytest.fixture(autouse=True)
def _no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait no second for clients of these tests: they do not answer when their connection is closed."""
    monkeypatch.setattr(websocket, "ANSWER", 0.1)


async def talk(running: Running, *pieces: bytes) -> bytes:
    """Send pieces over a connection of its own, and read all that comes until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
    answer = b""

    async def listen() -> None:
        nonlocal answer
        while data := await reader.read(1 << 16):
            answer += data

    listening = asyncio.create_task(listen())
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        await asyncio.wait_for(listening, PATIENCE)
    writer.close()
    await asyncio.gather(listening, return_exceptions=True)
    return answer


def codes_of(answer: bytes) -> list[int]:
    """Find the close codes behind the head of an answer."""
    head, _, frames = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 "), head
    return close_codes(Incoming().feed(frames))


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (frame(PING) * 300, 1008),
        (frame(PONG) * 300, 1008),
        (frame(TEXT, b"{}") * 300, 1008),
        (frame(TEXT, b"{", final=False) + frame(0, final=False) * 300, 1008),
        (frame(TEXT, b'{"type": "ping"}', masked=False), 1002),
        (frame(PING, masked=False), 1002),
        (frame(TEXT, b'{"type": ', final=False) + frame(0, b'"ping"}', masked=False), 1002),
        (frame(TEXT, b'{"type": "ping", "x": "\xff"}'), 1007),
        (frame(TEXT, b"\xc3", final=False) + frame(0, b"\x28"), 1007),
    ],
    ids=[
        *("pings", "pongs", "messages", "continuations", "unmasked message", "unmasked ping", "unmasked fragment"),
        *("no UTF-8", "no UTF-8 in fragments"),
    ],
)
@pytest.mark.parametrize("way", ["after", "with", "behind another", "byte by byte"])
def test_frames_that_may_not_be_close_the_connection(
    house: House, tmp_path: Path, frames: bytes, code: int, way: str
) -> None:
    ways: dict[str, list[bytes]] = {
        "after": [SEAT, frames],
        "with": [SEAT + frames],
        "behind another": [GET + SEAT + frames],
        "byte by byte": [bytes([byte]) for byte in SEAT + frames],
    }

    async def story() -> bytes:
        async with house.open(tmp_path, patient=False) as running:
            return await talk(running, *ways[way])

    answer = house.run(story())
    if way == "behind another":
        head, _, answer = answer.partition(b'{"status": "ok"}')
        assert head.startswith(b"HTTP/1.1 200 ")
    assert codes_of(answer) == [code]


def test_fragments_make_one_message(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, patient=False) as running:
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            message = frame(TEXT, b'{"type"', final=False) + frame(PING, b"!") + frame(0, b':"ping"}')
            writer.write(SEAT + message)
            await reader.readuntil(b"\r\n\r\n")
            seen: list[tuple[int, bytes]] = []
            incoming = Incoming()
            async with asyncio.timeout(PATIENCE):
                while not {(PONG, b"!"), (TEXT, b'{"type":"pong"}')} <= set(seen):
                    seen += incoming.feed(await reader.read(1 << 16))
            writer.close()

    house.run(story())


@pytest.mark.parametrize("length", [20_000, 1 << 40])
def test_a_frame_that_is_too_long_is_not_waited_for(house: House, tmp_path: Path, length: int) -> None:
    async def story() -> bytes:
        async with house.open(tmp_path) as running:
            # The client says how long its message will be, and nothing more.
            return await talk(running, SEAT, b"\x81\xff" + length.to_bytes(8, "big") + b"mask")

    assert codes_of(house.run(story())) == [1009]


def test_fragments_that_are_too_long_together_are_not_collected(house: House, tmp_path: Path) -> None:
    async def story() -> bytes:
        async with house.open(tmp_path) as running:
            return await talk(running, SEAT, frame(TEXT, bytes(8000), final=False), frame(0, bytes(8800), final=False))

    assert codes_of(house.run(story())) == [1009]


def test_requests_may_come_one_behind_the_other(house: House, tmp_path: Path) -> None:
    async def story() -> list[bytes]:
        async with house.open(tmp_path) as running:
            last = GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
            post = b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n123456789"
            upgrade = GET.replace(b"\r\n\r\n", b"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
            return [
                await talk(running, GET * 3 + last),
                await talk(running, *[bytes([byte]) for byte in GET + last]),
                await talk(running, post + last),
                await talk(running, upgrade + last),
            ]

    many, bytewise, body, upgrade = house.run(story())
    assert many.count(b"HTTP/1.1 200 ") == 4
    assert bytewise.count(b"HTTP/1.1 200 ") == 2
    assert (body.count(b"HTTP/1.1 405 "), body.count(b"HTTP/1.1 200 ")) == (1, 1)
    assert upgrade.count(b"HTTP/1.1 200 ") == 2


def test_nothing_more_is_read_while_bytes_are_held_back(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = 50_000

    async def story() -> None:
        async with house.open(tmp_path) as running:
            may_answer = asyncio.Event()

            async def games(*_: Any) -> list[Any]:
                await may_answer.wait()
                return []

            monkeypatch.setattr(running.server.journal, "games", games)
            asking = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\n\r\n"
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.write(asking + GET * number)
            gates = running.server.connections._uses
            await running.until(lambda: any(gate._held for gate in gates if isinstance(gate, Gate)))
            (gate,) = [gate for gate in gates if isinstance(gate, Gate) and gate._held]
            held = len(gate._held)
            for _ in range(200):
                await asyncio.sleep(0)
            # An event loop reads that much at a time; the rest waits in the buffers of the system and of the client.
            assert len(gate._held) == held <= 256 * 1024 < number * len(GET)
            may_answer.set()
            for _ in range(10):
                await asyncio.wait_for(reader.readuntil(b'{"status": "ok"}'), PATIENCE)
            writer.transport.abort()

    house.run(story())


def test_requests_that_come_too_fast_wait_and_then_are_refused(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two requests come at once, one more may wait, and nobody waits long enough for a further one.
    monkeypatch.setattr(limits, "BURST", 2 * 3600.0)
    monkeypatch.setattr(limits, "PATIENCE", 1.5 * 3600.0)

    async def story() -> tuple[list[bytes], str]:
        async with house.open(tmp_path, proxy=True) as running:
            running.server.connections._pace = limits.Pace(1 / 3600)
            others = "X-Forwarded-For: 10.0.0.2\r\n"
            asking = GET.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n")
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            answers = list[bytes]()
            # All of them come in one piece.
            writer.write(asking * 5)
            for _ in range(2):
                answers.append(await asyncio.wait_for(reader.readuntil(b'{"status": "ok"}'), PATIENCE))
            await running.until(lambda: b"tisch_delayed_total 1.0" in running.server.metrics.text())
            # Over another connection it is the same address; others and the proxy itself do not wait.
            answers.append(await talk(running, asking * 3))
            for more in (others, ""):
                end = f"\r\n{more}Connection: close\r\n\r\n".encode()
                answers.append(await talk(running, GET.replace(b"\r\n\r\n", end)))
            writer.transport.abort()
            return answers, running.server.metrics.text().decode()

    (first, second, refused, other, proxy), told = house.run(story())
    for answer in (first, second, other, proxy):
        assert answer.startswith(b"HTTP/1.1 200 ")
    # The first refusal closes the connection, whatever stands behind it.
    assert refused.count(b"HTTP/1.1 429 ") == refused.count(b"HTTP/1.1 ") == 1
    assert b"Retry-After: 5400" in refused and b"Connection: close" in refused
    assert refused.endswith(b"Too many requests come from your address; try again in a moment.")
    assert 'tisch_refused_total{code="REQUEST"} 1.0' in told


@pytest.mark.parametrize("way", ["half", "drop by drop", "nothing", "the second half"])
def test_a_head_has_a_deadline(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    # Long enough for a machine that stands still meanwhile.
    monkeypatch.setattr(door, "HEAD", 40.0)
    monkeypatch.setattr(door, "HEARTBEAT", 600.0)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            ben = await running.join("Ben")
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            if way == "the second half":
                writer.write(GET)
                await reader.readuntil(b'{"status": "ok"}')
            if way != "nothing":
                writer.write(GET[:20])
            for number in range(5):
                await ben.sync()
                assert not (reader.at_eof() or reader.exception()), "The deadline came too early."
                skip(4)
                if way == "drop by drop":
                    writer.write(GET[20 + number : 21 + number])
            await ben.sync()
            skip(20)
            # A byte that comes after the end resets the connection.
            with suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), PATIENCE / 2) == b""
            writer.close()
            # A WebSocket stays.
            await ben.sync()

    house.run(story())


def test_half_sent_requests_give_way_to_new_ones(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PAGES", 2)

    async def story() -> list[bytes]:
        async with house.open(tmp_path, connections_per_address=1) as running:
            ben = await running.join("Ben")
            held = []
            for _ in range(4):
                reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
                writer.write(GET[:-1])
                held.append((reader, writer))
            answers = list[bytes]()
            for reader, writer in held:
                # The two oldest are closed for the newest; nothing more is sent over them before that.
                if len(answers) >= 2:
                    writer.write(GET[-1:])
                answers.append(await reader.read(1))
                writer.close()
            await ben.sync()
            return answers

    assert house.run(story()) == [b"", b"", b"H", b"H"]


def test_others_have_their_turn_between_the_frames_of_a_client(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn, turns = 0, []
    answer_ping = websocket.SocketPeer.answer_ping

    def noted(peer: websocket.SocketPeer, payload: bytes) -> None:
        turns.append(turn)
        answer_ping(peer, payload)

    monkeypatch.setattr(websocket.SocketPeer, "answer_ping", noted)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            _, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.write(SEAT + frame(PING) * 90)

            async def others() -> None:
                nonlocal turn
                while len(turns) < 90:
                    turn += 1
                    await asyncio.sleep(0)

            await asyncio.wait_for(others(), PATIENCE)
            writer.close()

    house.run(story())
    assert max(Counter(turns).values()) <= 2


def test_who_is_too_fast_at_times_stays(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "RATE", 5)
    monkeypatch.setattr(limits, "FRAMES", 10)
    allows, late = quotas.Rate.allows, 0.0
    # Seconds pass only where the test says so: on a busy machine, a period may end at any time.
    monkeypatch.setattr(quotas.Rate, "allows", lambda rate, _: allows(rate, late))

    async def story() -> None:
        nonlocal late
        async with house.open(tmp_path, patient=False) as running:
            ben = await running.join("Ben")
            for _ in range(6):
                for _ in range(8):
                    await ben.send("ping")
                for kind in ["pong"] * 5 + ["error"] * 3:
                    await ben.until(kind)
                late += quotas.PERIOD + 0.1

    house.run(story())


def test_who_does_not_answer_is_cut_off(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "HEARTBEAT", 1.0)

    async def story() -> list[str]:
        async with house.open(tmp_path) as running:
            ida = await running.join("Ida")
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.write(SEAT)
            await ida.notification("player_joined")
            change = await ida.notification("seat_changed")
            data = await asyncio.wait_for(reader.read(), PATIENCE)
            assert (PING, b"") in Incoming().feed(data.partition(b"\r\n\r\n")[2])
            writer.close()
            # Whoever answers stays; a client that only waits for messages answers each ping at once.
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(ida.socket.receive(), 2.0)
            await ida.sync()
            return [change["player_name"], change["presence"]]

    assert house.run(story()) == ["Ben", "cut"]
