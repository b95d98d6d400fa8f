"""Tests of clients of the WebSocket: how a connection ends, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp.web import RequestHandler

from raw_socket import CLOSE, TEXT, Incoming, close_codes, frame, request
from server import PATIENCE, House
from tisch.server.http.gate import Gate
from tisch.server.net.websocket import SocketPeer


@contextmanager
def without_collection() -> Iterator[None]:
    """Let nothing be freed that is in a circle."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_nothing_is_left_of_a_connection_that_is_lost(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a circle nor a timer keeps it: a crowd that comes and goes would grow the memory otherwise."""
    known: list[weakref.ref[Any]] = []

    def noted(kind: type[Any]) -> None:
        make = kind.__init__

        def begin(self: Any, *args: Any, **named: Any) -> None:
            known.append(weakref.ref(self))
            make(self, *args, **named)

        monkeypatch.setattr(kind, "__init__", begin)

    async def story() -> None:
        async with house.open(tmp_path, patient=False) as running:
            ben = await running.join("Ben")
            for kind in (SocketPeer, Gate):
                noted(kind)
            for number in range(10):
                reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
                query = request("table_name=Stube&spectator=1" if number % 2 else "table_name=Nowhere&spectator=1")
                writer.write(query + frame(TEXT, b"rubbish") * 5)
                await reader.readuntil(b"\r\n\r\n")
                if number % 3:
                    writer.transport.abort()
                else:
                    writer.write(frame(CLOSE))
                    await asyncio.wait_for(reader.read(), PATIENCE)
                    writer.close()
            await running.until(lambda: len(running.server.peers) == 1)
            # The table may still hold what it did last.
            await ben.sync()
            await running.until(lambda: not any(each() for each in known))
            assert running.server.connections.total == 1
            # There are no weak references to what aiohttp has of a connection.
            assert not [each for each in gc.get_objects() if type(each) is RequestHandler]

    with without_collection():
        house.run(story())
    assert len(known) == 20


@pytest.mark.parametrize("code", [None, 1000, 3999])
def test_a_close_frame_is_answered_and_the_connection_closed(house: House, tmp_path: Path, code: int | None) -> None:
    async def story() -> bytes:
        async with house.open(tmp_path, patient=False) as running:
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            payload = b"" if code is None else code.to_bytes(2, "big")
            # What comes behind it means nothing.
            writer.write(request("table_name=Stube&player_name=Ben") + frame(CLOSE, payload) + frame(TEXT, b"{}"))
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()
            return answer

    head, _, frames = house.run(story()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    assert close_codes(Incoming().feed(frames)) == [1000]


@pytest.mark.parametrize(
    "line",
    [
        b"Upgrade: websocket",
        b"Connection: Upgrade",
        b"Sec-WebSocket-Version: 13",
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ],
)
def test_a_request_that_lacks_something_opens_no_websocket(house: House, tmp_path: Path, line: bytes) -> None:
    async def story() -> bytes:
        async with house.open(tmp_path) as running:
            reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
            writer.write(request("table_name=Stube&player_name=Ben").replace(line + b"\r\n", b""))
            answer = await asyncio.wait_for(reader.readuntil(b"WebSocket."), PATIENCE)
            assert not running.server.peers and not running.server.lobby.tables
            writer.close()
            return answer

    assert house.run(story()).startswith(b"HTTP/1.1 400 ")
