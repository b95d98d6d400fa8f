"""Connections to a table: what each is told, and the bounded queue that keeps a slow client from slowing the table."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

from aiohttp import WSMsgType, web

from tisch.game import Event
from tisch.ports.refusal import Refusal
from tisch.ports.wire import Look
from tisch.server.net import protocol
from tisch.server.net.protocol import Message

#: How many bytes may wait for a reader before he is dropped.
LONGEST_QUEUE: Final = 512 * 1024
#: How long a connection that is to be closed may take to read the last messages, in seconds.
PARTING: Final = 2.0
#: How long a client may take to answer that it closes, too, in seconds.
ANSWER: Final = 1.0


class Notice:
    """An event with its number at a table; written once for all who are told the same.

    :ivar number: The number.
    :ivar event: The event.
    """

    __slots__ = ("_frame", "event", "number")

    def __init__(self, number: int, event: Event) -> None:
        self.number = number
        self.event = event
        self._frame: bytes | None = None

    def context(self, seat: int | None) -> dict[str, Any]:
        """Put together what a seat may know of it.

        :param seat: The seat; ``None`` for a spectator.
        :result: The public part, and the seat's private one.
        """
        private = {} if seat is None else self.event.private.get(seat, {})
        return {**self.event.public, **private}

    def frame(self, seat: int | None) -> bytes:
        """Write it as a message.

        :param seat: For whom; ``None`` for a spectator.
        :result: The message.
        """
        if seat in self.event.private:
            return self._write(seat)
        if self._frame is None:
            self._frame = self._write(None)
        return self._frame

    def _write(self, seat: int | None) -> bytes:
        told: dict[str, Any] = {"number": self.number, "event": self.event.name}
        if context := self.context(seat):
            told["context"] = context
        return protocol.encode("notification", told)


class Screen(Protocol):
    """What one seat is shown of its table now; each form is put together only if a peer wants it."""

    @property
    def table_name(self) -> str:
        """The table's name."""

    @property
    def seat(self) -> int | None:
        """The seat; ``None`` for a spectator."""

    def welcome(self, token: str | None) -> tuple[str, dict[str, Any]]:
        """Describe the table to a newcomer.

        :param token: The token of the newcomer's session, if there is one.
        :result: The event and its context.
        """

    def request(self) -> dict[str, Any] | None:
        """Describe the open request.

        :result: The payload of ``request``; ``None`` if there is none.
        """

    def state(self) -> dict[str, Any]:
        """Describe everything that the seat may know.

        :result: The payload of ``state``.
        """

    def view(self) -> dict[str, Any]:
        """Describe everything that the seat may know, and what it may do.

        :result: The payload of ``view``.
        """

    def look(self, events: tuple[Event, ...]) -> Look | None:
        """Describe the table to a game's own protocol.

        :param events: What happened since the last time.
        :result: The look; ``None`` for a spectator.
        """


class Inbox(Protocol):
    """A table as its connections know it: everything is queued, and answers come through the methods of the peer."""

    def receive(self, peer: Peer, message: Message, arrived: float) -> None:
        """Handle a client's message.

        :param peer: The client.
        :param message: The message.
        :param arrived: When it came.
        """

    def start(self, peer: Peer) -> None:
        """Begin a game, as a game's own protocol demands.

        :param peer: The program.
        """

    def play(self, peer: Peer, moves: Sequence[str]) -> None:
        """Make moves, all or none.

        :param peer: The program.
        :param moves: The texts of the moves.
        """

    def stand(self, peer: Peer, then: Callable[[], None]) -> None:
        """Give up a peer's seat.

        :param peer: The peer.
        :param then: Called afterwards, also if the table is closed.
        """

    def leave(self, peer: Peer) -> None:
        """Give up a peer's seat and close its connection.

        :param peer: The peer.
        """

    def disconnect(self, peer: Peer) -> None:
        """Note that a connection is cut.

        :param peer: The peer.
        """


@dataclass(frozen=True, slots=True)
class News:
    """What happened at a table, for one of its peers.

    :ivar screen: What the peer is shown.
    :ivar notices: The events.
    :ivar is_asked: Is there a new request, or one that is repeated?
    """

    screen: Screen
    notices: Sequence[Notice]
    is_asked: bool


class Peer(ABC):
    """A connection to a table.

    :cvar can_return: Can its player come back with a token, so that the seat is held?
    :ivar address: Where it comes from.
    :ivar table: The table, once it asked for one.
    :ivar is_gone: Is the connection cut?
    """

    can_return: ClassVar[bool] = True

    def __init__(self, address: str) -> None:
        self.address = address
        self.table: Inbox | None = None
        self.is_gone = False

    @abstractmethod
    def tell(self, news: News) -> None:
        """Tell what happened."""

    @abstractmethod
    def welcome(self, screen: Screen, number: int, token: str | None) -> None:
        """Show the table to a peer that has just sat down, come back, or begun to watch.

        :param screen: What it is shown.
        :param number: The number of the last event.
        :param token: The token by which a player can come back; ``None`` for a spectator, or if they cannot.
        """

    @abstractmethod
    def refuse(self, refusal: Refusal) -> None:
        """Tell that something cannot be had."""

    def turn_away(self, refusal: Refusal) -> None:
        """Tell that there is no way in.

        :param refusal: Why not.
        """
        self.refuse(refusal)
        self.part(1008)

    @abstractmethod
    def send(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        """Send a message that only this peer asked for."""

    @abstractmethod
    def part(self, code: int, reason: str = "") -> None:
        """Close the connection once it has read what it was told.

        :param code: The WebSocket's close code.
        :param reason: A word.
        """


class SocketPeer(Peer):
    """A client of the WebSocket.

    :param address: Where it comes from.
    :param socket: The WebSocket, ready to be written.
    :param transport: What it lies on, to cut off who does not read.
    :param wants_view: Is it sent the whole view after each batch?
    """

    def __init__(
        self, address: str, socket: web.WebSocketResponse, transport: asyncio.Transport | None, *, wants_view: bool
    ) -> None:
        super().__init__(address)
        self._socket = socket
        self._transport = transport
        self.wants_view = wants_view
        self._frames: deque[bytes] = deque()
        self._waiting = 0
        self._ready = asyncio.Event()
        self._close: tuple[int, bytes] | None = None
        self._over = asyncio.Event()
        self.dropped = False
        self.writer = asyncio.create_task(self._write())

    def tell(self, news: News) -> None:
        screen = news.screen
        for notice in news.notices:
            self._put(notice.frame(screen.seat))
        if news.is_asked:
            self._put(protocol.encode("request", screen.request()))
        if self.wants_view:
            self._put(protocol.encode("view", screen.view()))
        self._ready.set()

    def welcome(self, screen: Screen, number: int, token: str | None) -> None:
        event, context = screen.welcome(token)
        self._put(protocol.encode("notification", {"number": number, "event": event, "context": context}))
        self._ready.set()

    def refuse(self, refusal: Refusal) -> None:
        self._put(protocol.error(refusal))
        self._ready.set()

    def send(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        self._put(protocol.encode(kind, payload))
        self._ready.set()

    def part(self, code: int, reason: str = "") -> None:
        if self._close is None:
            self._close = code, reason.encode()
            self._ready.set()
            if self._transport:
                # Whoever does not read keeps the system from closing the connection by itself.
                asyncio.get_running_loop().call_later(PARTING, self._transport.abort)

    async def ended(self) -> None:
        """Let the writer finish when nothing more is read."""
        self._over.set()
        self.part(1000)
        await asyncio.wait([self.writer], timeout=PARTING)
        self.writer.cancel()

    def _put(self, frame: bytes) -> None:
        if self.dropped or self._close:
            return
        if self._waiting + len(frame) > LONGEST_QUEUE:
            # He does not read: waiting for him would only fill the memory. He can come back.
            self.dropped = True
            self._frames.clear()
            self._close = 4002, b""
            if self._transport:
                self._transport.abort()
            return
        self._waiting += len(frame)
        self._frames.append(frame)

    async def _write(self) -> None:
        """Write what is in the queue, as fast as it is read."""
        try:
            while True:
                await self._ready.wait()
                self._ready.clear()
                while self._frames:
                    frame = self._frames.popleft()
                    await self._socket.send_frame(frame, WSMsgType.TEXT)
                    self._waiting -= len(frame)
                if self._close:
                    await self._say_farewell(*self._close)
                    return
        except ConnectionError:
            # The reader notices the same and tells the table.
            self._frames.clear()

    async def _say_farewell(self, code: int, reason: bytes) -> None:
        """Close the connection, but not before the client has read why."""
        if not self._over.is_set():
            # The socket's own close would not wait while somebody reads, and what lies unread would be lost.
            await self._socket.send_frame(code.to_bytes(2, "big") + reason, WSMsgType.CLOSE)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), ANSWER)
            if self._transport:
                # A second close frame would be a fault in the client's eyes: browsers then forget the first one's code.
                self._transport.close()
                return
        await self._socket.close(code=code, message=reason)
