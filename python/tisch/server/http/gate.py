"""The gate between a TCP connection and those who read it: aiohttp, and after an upgrade the client of the WebSocket.

Bytes behind a request that may become a WebSocket are held back until the request is answered: aiohttp gets no frames.
Nothing more is read meanwhile: who sends request behind request fills its own buffers. With an upgrade, the connection
is over for aiohttp, which keeps nothing of it, and the gate stands open: bytes come to the client without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, cast

from aiohttp import web

from tisch.server.net.limits import Connections, Use, Visitor, address_of

#: The end of a request's head.
END: Final = b"\r\n\r\n"


class _Stage(Enum):
    """How the gate handles incoming bytes: forward a head, hold them back, or ignore them."""

    HEAD = auto()
    HELD = auto()
    OVER = auto()


class Gate(asyncio.Protocol, Visitor):
    """The protocol of one TCP connection for HTTP.

    :param make: Creates aiohttp's protocol, to which the bytes are forwarded.
    :param connections: The connections of the server.
    """

    def __init__(self, make: Callable[[], web.RequestHandler], connections: Connections) -> None:
        self.address = ""
        self._make = make
        self._connections = connections
        self._inner: web.RequestHandler | None = None
        self._transport: asyncio.Transport | None = None
        self._stage = _Stage.HEAD
        self._last = b""
        self._held = b""
        self._open = 0

    # --- what the event loop calls ------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.address = address_of(transport)
        if not self._connections.enter(self):
            self._transport.abort()
            return
        self._inner = self._make()
        self._inner.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.leave(self)
        self._stage = _Stage.OVER
        self._held = b""
        if self._inner:
            self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        if self._inner:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._inner:
            self._inner.resume_writing()

    def data_received(self, data: bytes) -> None:
        if self._stage is _Stage.HEAD:
            self._pass_head(data)
        elif self._stage is _Stage.HELD:
            self._hold(data)

    # --- what the server calls ----------------------------------------------------------------------------------------

    def begin(self, *, may_upgrade: bool) -> None:
        """Note that a request is being answered.

        :param may_upgrade: Whether it may become a WebSocket.
        """
        self._connections.use(self, Use.ANSWERED)
        if not may_upgrade and self._open == 1:
            self._release()

    def upgrade(self, client: asyncio.Protocol) -> None:
        """Leave the connection to somebody else, who tells the server when it is lost.

        :param client: Who reads it from now on.
        """
        assert self._inner
        assert self._transport
        inner, self._inner = self._inner, None
        self._transport.set_protocol(client)
        # aiohttp would close the connection when it forgets it.
        inner.transport = None
        inner.connection_lost(None)
        if self._stage is not _Stage.HELD:
            # aiohttp has found the end of the head elsewhere, and may have read frames.
            self._stage = _Stage.OVER
            self.evict()
            return
        self._connections.use(self, Use.WEBSOCKET)
        self._stage = _Stage.OVER
        if held := self._let_go():
            client.data_received(held)

    def end(self) -> None:
        """Note that a request has been answered."""
        if self._stage in (_Stage.HEAD, _Stage.HELD):
            self._connections.use(self, Use.WAITING)
            self._open -= 1
            if not self._open:
                self._release()

    def evict(self) -> None:
        assert self._transport
        self._transport.abort()

    # --- bytes --------------------------------------------------------------------------------------------------------

    def _pass_head(self, data: bytes) -> None:
        """Forward at most one head."""
        assert self._inner
        end = (self._last + data).find(END)
        if end < 0:
            self._last = (self._last + data)[1 - len(END) :]
            self._inner.data_received(data)
            return
        end += len(END) - len(self._last)
        self._last = b""
        self._stage = _Stage.HELD
        self._open += 1
        self._hold(data[end:])
        self._inner.data_received(data[:end])

    def _hold(self, data: bytes) -> None:
        """Hold bytes back, and read no further ones until they are let go."""
        assert self._transport
        if data:
            self._held += data
            self._transport.pause_reading()

    def _let_go(self) -> bytes:
        assert self._transport
        held, self._held = self._held, b""
        if held and not self._transport.is_closing():
            self._transport.resume_reading()
        return held

    def _release(self) -> None:
        """Continue with the bytes after a head: a body, or the next request."""
        if self._stage is _Stage.HELD:
            held = self._let_go()
            self._stage = _Stage.HEAD
            if held:
                self._pass_head(held)


def gate_of(request: web.BaseRequest) -> Gate | None:
    """Find the gate through which a request came.

    :param request: The request.
    :result: The gate; ``None`` if the client is gone.
    """
    transport = request.transport
    gate = transport.get_protocol() if transport else None
    return gate if isinstance(gate, Gate) else None
