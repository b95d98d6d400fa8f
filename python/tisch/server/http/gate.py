"""The gate between a TCP connection and aiohttp: it counts connections and the frames of WebSockets.

aiohttp reports neither fragments nor masks, so the gate counts frames before aiohttp reads them. Bytes behind a request
that may become a WebSocket are held back until the request is answered: no frame passes uncounted. Nothing more is read
meanwhile: who sends request behind request fills its own buffers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple, cast

from aiohttp import WSCloseCode, web

from tisch.quotas import Rate
from tisch.server.net import limits
from tisch.server.net.limits import Connections, Use, Visitor, address_of

#: The end of a request's head.
END: Final = b"\r\n\r\n"
#: The length of the longest head of a frame without its mask, in bytes.
LONGEST_HEAD: Final = 10

#: A function that closes a WebSocket with a code and a reason.
Close = Callable[[int, str], None]


class _Stage(Enum):
    """How the gate handles incoming bytes: forward a head, hold them back, count frames, or ignore them."""

    HEAD = auto()
    HELD = auto()
    FRAMES = auto()
    OVER = auto()


class Gate(asyncio.Protocol, Visitor):
    """The protocol of one TCP connection for HTTP.

    :param make: Creates aiohttp's protocol, to which the bytes are forwarded.
    :param connections: The connections of the server.
    """

    def __init__(self, make: Callable[[], asyncio.Protocol], connections: Connections) -> None:
        self.address = ""
        self._make = make
        self._connections = connections
        self._inner: asyncio.Protocol | None = None
        self._transport: asyncio.Transport | None = None
        self._stage = _Stage.HEAD
        self._last = b""
        self._held = b""
        self._open = 0
        self._frames = Frames()
        self._rate = Rate(limits.FRAMES)
        self._close: Close | None = None

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

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._inner else None

    def data_received(self, data: bytes) -> None:
        if self._stage is _Stage.HEAD:
            self._pass_head(data)
        elif self._stage is _Stage.HELD:
            self._hold(data)
        elif self._stage is _Stage.FRAMES:
            self._pass_frames(data)

    # --- what the server calls ----------------------------------------------------------------------------------------

    def begin(self, *, may_upgrade: bool) -> None:
        """Note that a request is being answered.

        :param may_upgrade: Whether it may become a WebSocket.
        """
        self._connections.use(self, Use.ANSWERED)
        if not may_upgrade and self._open == 1:
            self._release()

    def upgrade(self, close: Close) -> None:
        """Count frames from now on.

        :param close: The function that closes the WebSocket when its client breaks the protocol or sends too much.
        """
        if self._stage is not _Stage.HELD:
            # aiohttp has found the end of the head elsewhere, and frames may have passed uncounted.
            self.evict()
            return
        self._connections.use(self, Use.WEBSOCKET)
        self._close = close
        held = self._let_go()
        self._stage = _Stage.FRAMES
        self._pass_frames(held)

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

    def _pass_frames(self, data: bytes) -> None:
        """Forward frames until one is wrong or beyond the limit."""
        assert self._inner
        now = asyncio.get_running_loop().time()
        for frame in self._frames.feed(data):
            if not frame.is_masked:
                self._stop(data[: max(frame.start, 0)], WSCloseCode.PROTOCOL_ERROR, "a client must mask its frames")
                return
            if not self._rate.allows(now):
                self._stop(data[: max(frame.start, 0)], WSCloseCode.POLICY_VIOLATION, "too many frames")
                return
        self._inner.data_received(data)

    def _stop(self, data: bytes, code: int, reason: str) -> None:
        """Stop reading from a client; messages that it sent before are still answered."""
        assert self._inner
        assert self._close
        assert self._transport
        self._stage = _Stage.OVER
        self._transport.pause_reading()
        if data:
            self._inner.data_received(data)
        self._close(code, reason)


class Frame(NamedTuple):
    """A frame of a WebSocket.

    :ivar start: Its start in the bytes that were read last; negative if it started before them.
    :ivar is_masked: Whether its bytes are masked, as those of a client must be.
    """

    start: int
    is_masked: bool


class Frames:
    """Follows the frames of a WebSocket through its bytes (RFC 6455 5.2)."""

    def __init__(self) -> None:
        self._head = b""
        self._rest = 0

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Feed bytes, in pieces of any size.

        :param data: The bytes.
        :result: The frames whose head ends in them.
        """
        at = min(self._rest, len(data))
        self._rest -= at
        while at < len(data):
            start = at - len(self._head)
            head = self._head + data[at : at + LONGEST_HEAD - len(self._head)]
            size = _size(head)
            if size is None:
                self._head = head
                return
            self._head = b""
            at = min(start + size, len(data))
            self._rest = start + size - at
            yield Frame(start, bool(head[1] & 0x80))


def _size(head: bytes) -> int | None:
    """Decode the length of a frame, if enough of its head is there."""
    if len(head) < 2:
        return None
    length = head[1] & 0x7F
    longer = {126: 2, 127: 8}.get(length, 0)
    if len(head) < 2 + longer:
        return None
    if longer:
        length = int.from_bytes(head[2 : 2 + longer], "big")
    return 2 + longer + (4 if head[1] & 0x80 else 0) + length


def gate_of(request: web.BaseRequest) -> Gate | None:
    """Find the gate through which a request came.

    :param request: The request.
    :result: The gate; ``None`` if the client is gone.
    """
    transport = request.transport
    gate = transport.get_protocol() if transport else None
    return gate if isinstance(gate, Gate) else None
