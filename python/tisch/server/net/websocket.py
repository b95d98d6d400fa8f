"""A client of the WebSocket, from the bytes that come to those that go, and a bound for what it has not read."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from tisch.ports.refusal import Code, Refusal, echo
from tisch.quotas import Rate
from tisch.server.metrics import Metrics
from tisch.server.net import limits
from tisch.server.net.frames import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, BrokenProtocol, Frame, Frames, head
from tisch.server.net.peer import LONGEST_MESSAGE, Client, read

#: The longest queue of a client that does not read, in bytes; beyond it the client is cut off.
LONGEST_QUEUE: Final = 512 * 1024
#: The most bytes that are held back for a spectator who sees everything later; beyond it, they are cut off.
LONGEST_HELD: Final = 4 * 1024 * 1024
TOO_LONG: Final = f"A message has at most {LONGEST_MESSAGE} bytes."
#: The time for reading the last messages before a connection is closed, in seconds.
PARTING: Final = 2.0
#: The time for a client's own close frame, in seconds.
ANSWER: Final = 1.0


class SocketPeer(Client, asyncio.Protocol):
    """A client of the WebSocket, after the handshake.

    :param address: Where it comes from.
    :param transport: Its transport.
    :param metrics: The metrics, which count what is refused.
    :param lose: Called when the connection is closed.
    :param wants_view: Whether it is sent the whole view after each batch.
    :param language: The language of the sentences in its errors.
    :param longest: The longest message that is read, in bytes.
    :param heartbeat: The time after which it is pinged if it is silent, in seconds.
    :ivar dropped: Whether it was cut off because it did not read.
    :ivar is_counted: Whether it has one of the places of guests.
    """

    def __init__(
        self,
        address: str,
        transport: asyncio.Transport,
        metrics: Metrics,
        lose: Callable[[SocketPeer], None],
        *,
        wants_view: bool,
        language: str,
        longest: int,
        heartbeat: float,
    ) -> None:
        super().__init__(address, wants_view=wants_view, language=language)
        self.dropped = False
        self.is_counted = False
        self._transport = transport
        self._metrics = metrics
        self._lose = lose
        self._loop = asyncio.get_running_loop()
        self._frames = Frames(longest)
        self._rate = Rate(limits.RATE)
        self._frame_rate = Rate(limits.FRAMES)
        self._is_parting = False
        # Frames are read one by one, and not before the client is known.
        self._is_deaf = False
        self._is_waiting = True
        # A silent client is pinged; one that is silent then, too, is cut off.
        self._heartbeat = heartbeat
        self._heard = self._loop.time()
        self._is_pinged = False
        self._timer = self._loop.call_later(heartbeat, self._beat)
        # What a spectator sees later: when, and the frames. Hardly any client has some.
        self._held: deque[tuple[float, bytes]] | None = None
        self._held_size = 0
        self._release: asyncio.TimerHandle | None = None

    # --- what comes ---------------------------------------------------------------------------------------------------

    def listen(self) -> None:
        """Begin to read what the client sends."""
        self._loop.call_soon(self._read)

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        self._is_pinged = False
        if not self._is_deaf:
            self._frames.feed(data)
            if not self._is_waiting:
                self._read()

    def _read(self) -> None:
        """Read a frame; all others have their turn before the next one, and nothing more is taken meanwhile."""
        was_waiting, self._is_waiting = self._is_waiting, False
        if self._is_deaf or self._transport.is_closing():
            return
        try:
            frame = self._frames.read()
        except BrokenProtocol as error:
            self.stop(error.code, error.reason)
            return
        if frame:
            self._take(frame)
        if frame and self._frames.has_more and not self._is_deaf:
            self._is_waiting = True
            self._transport.pause_reading()
            self._loop.call_soon(self._read)
        elif was_waiting and not self._is_deaf and not self._transport.is_closing():
            self._transport.resume_reading()

    def _take(self, frame: Frame) -> None:
        """Take a frame, unless there were too many."""
        now = self._heard
        if not self._frame_rate.allows(now):
            self.stop(1008, "too many frames")
        elif frame.kind == CLOSE:
            self._is_deaf = True
            self.part(1000)
            self._timer.cancel()
            self._transport.close()
            # What a client does not read keeps the system from closing the connection by itself.
            self._timer = self._loop.call_later(PARTING, self._transport.abort)
        elif frame.kind != CONTINUATION:
            self._hear(frame.kind, frame.payload, now)

    def _hear(self, kind: int, payload: bytes, now: float) -> None:
        """Handle a message, a ping included."""
        if not self._rate.allows(now):
            self._refuse(Refusal(Code.SERVER_BUSY))
        elif kind == PING:
            self.answer_ping(payload)
        elif len(payload) > LONGEST_MESSAGE:
            self._refuse(Refusal(Code.INVALID_MESSAGE, message=echo(payload), reason=TOO_LONG))
            self.stop(1009, "message too long")
        elif kind == BINARY:
            self._refuse(Refusal(Code.INVALID_MESSAGE, message="", reason="Only text frames are understood."))
        elif kind == TEXT:
            self._hear_text(payload, now)

    def _hear_text(self, text: bytes, now: float) -> None:
        """Handle a message of text."""
        try:
            text.decode()
            message = read(text)
        except UnicodeDecodeError:
            self.stop(1007, "text must be UTF-8")
        except Refusal as refusal:
            self._refuse(refusal)
        else:
            if self.table:
                self.table.receive(self, message, now)
            else:
                self._refuse(Refusal(Code.UNAUTHORIZED, action=echo(message.type)))

    def _refuse(self, refusal: Refusal) -> None:
        """Refuse what the client has sent."""
        self._metrics.refused.labels(code=refusal.code.name).inc()
        self.refuse(refusal)

    def stop(self, code: int, reason: str) -> None:
        """Read nothing more from the client, and close the connection; what it sent before is still answered.

        :param code: The WebSocket's close code.
        :param reason: A short reason.
        """
        self._is_deaf = True
        if not self._transport.is_closing():
            self._transport.pause_reading()
        self.part(code, reason)

    def cut_off(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_deaf = self._is_parting = True
        self._timer.cancel()
        self._held = None
        if self._release:
            self._release.cancel()
        self._lose(self)

    def _beat(self) -> None:
        """Ping a client that is silent, and cut off one that has not even answered that."""
        due = self._heard + self._heartbeat
        if self._is_pinged:
            self._transport.abort()
        elif self._loop.time() < due:
            self._timer = self._loop.call_at(due, self._beat)
        else:
            self._is_pinged = True
            self._write(head(0, PING))
            self._timer = self._loop.call_later(self._heartbeat / 2, self._beat)

    # --- what goes ----------------------------------------------------------------------------------------------------

    def answer_ping(self, payload: bytes) -> None:
        """Answer a ping.

        :param payload: Its payload.
        """
        self._write(head(len(payload), PONG) + payload)

    def _frame(self, text: bytes) -> bytes:
        return head(len(text)) + text

    def _write(self, data: bytes) -> None:
        transport = self._transport
        if self._is_parting or transport.is_closing():
            return
        if transport.get_write_buffer_size() + len(data) > LONGEST_QUEUE:
            # The client does not read: waiting for it would only fill the memory. It can reconnect.
            self.dropped = self._is_parting = True
            transport.abort()
            return
        transport.write(data)

    def _hold(self, data: bytes, seconds: int) -> None:
        if seconds == 0 and not self._held:
            self._write(data)
            return
        self._held_size += len(data)
        if self._held_size > LONGEST_HELD:
            self.dropped = self._is_parting = True
            self._transport.abort()
            return
        held = self._held = self._held or deque()
        due = max(self._loop.time() + seconds, held[-1][0] if held else 0.0)
        held.append((due, data))
        if self._release is None:
            self._release = self._loop.call_at(due, self._let_go)

    def _let_go(self) -> None:
        """Send what was held back long enough."""
        self._release = None
        while self._held and self._held[0][0] <= self._loop.time():
            _, data = self._held.popleft()
            self._held_size -= len(data)
            self._write(data)
        if self._held and not self._is_parting:
            self._release = self._loop.call_at(self._held[0][0], self._let_go)

    # --- the end ------------------------------------------------------------------------------------------------------

    def part(self, code: int, reason: str = "") -> None:
        if self._is_parting:
            return
        self._is_parting = True
        payload = code.to_bytes(2, "big") + reason.encode()
        if not self._transport.is_closing():
            self._transport.write(head(len(payload), CLOSE) + payload)
        # The client reads the reason, and closes the connection itself.
        self._timer.cancel()
        self._timer = self._loop.call_later(ANSWER, self._hang_up)

    def _hang_up(self) -> None:
        """Close the connection, unless the client has yet to read the reason."""
        if self._transport.get_write_buffer_size():
            self._timer = self._loop.call_later(PARTING - ANSWER, self._transport.abort)
        else:
            self._transport.close()
