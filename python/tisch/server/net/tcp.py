"""The TCP listeners for programs that speak a game's own protocol.

The game's wire translates the bytes. This module has the sockets, the seats at tables, and the limits that protect all
others from one program.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any, Final

from msgspec import Struct

from tisch.game import Event, Game
from tisch.ports.refusal import Code, Refusal
from tisch.ports.wire import Host, Look, ProtocolError
from tisch.server.clock import Timer
from tisch.server.net.entrance import Entrance, Wish
from tisch.server.net.limits import Connections, address_of
from tisch.server.net.peer import Inbox, Peer
from tisch.sockets import keep_alive
from tisch.table.changes import News, Welcome

#: The most bytes read from a program at a time.
PORTION: Final = 4096
#: The rate limit of a program in bytes per second, and its burst in bytes.
RATE: Final = 16 * 1024
BURST: Final = 64 * 1024
#: A program that does not read is disconnected when more bytes than this wait for it.
LONGEST_QUEUE: Final = 256 * 1024
#: The seconds that a closing connection has to read the last bytes.
PARTING: Final = 1.0
#: The timeout in seconds of a program that sends nothing while it has no seat or its table waits for it.
PATIENCE: Final = 600.0

log = logging.getLogger(__name__)


class Listener:
    """The port of a game's own protocol.

    :param game: The game.
    :param host: The class of its host.
    :param options: The options of the host.
    :param entrance: The way to the tables.
    :param connections: All connections of the server.
    """

    def __init__(
        self, game: Game[Any], host: type[Host], options: Any, entrance: Entrance, connections: Connections
    ) -> None:
        self._game = game
        self._host = host(self, options)
        self._entrance = entrance
        self._numbers = count(1)
        self._guests: dict[int, _Guest] = {}
        self._connections = connections
        self._timers: set[Timer] = set()
        self._server: asyncio.Server | None = None

    async def listen(self, address: str, port: int) -> int:
        """Start listening.

        :param address: The address.
        :param port: The port; 0 takes any free one.
        :result: The port.
        :raises OSError: The port is not available.
        """
        self._server = await asyncio.start_server(self._serve, address, port)
        listening: int = self._server.sockets[0].getsockname()[1]
        return listening

    async def shut(self) -> None:
        """Stop listening, and close all connections."""
        if self._server:
            self._server.close()
        for timer in self._timers:
            timer.cancel()
        for guest in list(self._guests.values()):
            self.close(guest.number)
        await asyncio.gather(*(guest.task for guest in self._guests.values() if guest.task), return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one program unless the quota of connections is used up."""
        address = address_of(writer.transport)
        if not self._connections.take(address):
            writer.transport.abort()
            return
        is_counted = self._connections.take_guest(address)
        try:
            if is_counted:
                await self._serve_guest(address, reader, writer)
        finally:
            self._hang_up(writer)
            if is_counted:
                self._connections.give_back_guest(address)
            self._connections.give_back(address)

    async def _serve_guest(self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(self._numbers)
        guest = self._guests[number] = _Guest(address, number, self._host, self, writer)
        guest.await_word()
        try:
            # A program that nobody waits for has no timeout, but its connection must be alive.
            keep_alive(writer.get_extra_info("socket"))
            self._host.opened(number, address)
            await self._listen(guest, reader)
        except ProtocolError as error:
            log.info("protocol violated", extra={"game": self._game.name, "reason": str(error)})
            self._host.violated(number, error)
        except (ConnectionError, TimeoutError):
            # These all mean that the connection is gone.
            pass
        except Exception:
            log.exception("a program's connection failed", extra={"game": self._game.name})
        finally:
            self._part(guest)

    async def _listen(self, guest: _Guest, reader: asyncio.StreamReader) -> None:
        """Pass the bytes of a program to the host within the rate limit."""
        clock = asyncio.get_running_loop().time
        allowance, then = float(BURST), clock()
        while not guest.is_closing:
            data = await reader.read(PORTION)
            if not data:
                return
            guest.await_word()
            now = clock()
            allowance = min(allowance + (now - then) * RATE, BURST) - len(data)
            then = now
            if allowance < 0:
                await asyncio.sleep(-allowance / RATE)
            self._host.received(guest.number, data)

    def _part(self, guest: _Guest) -> None:
        """Note that a program is gone; bytes in its queue are still sent."""
        del self._guests[guest.number]
        guest.is_gone = True
        guest.await_nothing()
        if table := guest.table:
            table.leave(guest)
        self._host.closed(guest.number)

    @staticmethod
    def _hang_up(writer: asyncio.StreamWriter) -> None:
        """Close a connection after the bytes in its queue are sent, or after a timeout."""
        writer.close()
        asyncio.get_running_loop().call_later(PARTING, writer.transport.abort)

    # --- for the host -------------------------------------------------------------------------------------------------

    def send(self, guest: int, data: bytes) -> None:
        """Send bytes to a program."""
        known = self._guests.get(guest)
        if known is None or known.is_closing:
            return
        known.writer.write(data)
        if known.writer.transport.get_write_buffer_size() > LONGEST_QUEUE:
            known.writer.transport.abort()

    def close(self, guest: int) -> None:
        """Close a program's connection after the bytes in its queue are sent."""
        known = self._guests.get(guest)
        if known and not known.is_closing:
            self._hang_up(known.writer)

    def sit(self, guest: int, table: str, name: str, options: Mapping[str, Any]) -> None:
        """Give a program a seat."""
        known = self._guests.get(guest)
        if known and known.is_rising:
            # A program has one seat: its old table must handle the leaving first.
            known.wish = partial(self.sit, guest, table, name, options)
            return
        if known:
            self._entrance.enter(known, Wish(name, table, self._game.name, options=options))

    def start(self, guest: int) -> None:
        """Start the game at a program's table."""
        self._ask(guest, lambda table, known: table.start(known))

    def play(self, guest: int, *moves: str) -> None:
        """Make all of these moves or none."""
        self._ask(guest, lambda table, known: table.play(known, moves))

    def stand(self, guest: int) -> None:
        """Give up a program's seat."""
        known = self._guests.get(guest)
        if known and (table := known.table):
            known.table, known.is_rising = None, True
            known.await_word()
            table.stand(known, known.has_risen)

    def time(self) -> float:
        """Return the time in seconds, by the clock of the tables."""
        return self._entrance.clock.time()

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call a function after a delay, by the clock of the tables."""

        def ring() -> None:
            self._timers.discard(timer)
            call()

        timer = self._entrance.clock.call_at(self._entrance.clock.time() + seconds, ring)
        self._timers.add(timer)

        def forget() -> None:
            self._timers.discard(timer)
            timer.cancel()

        return forget

    def _ask(self, guest: int, request: Callable[[Inbox, Peer], None]) -> None:
        known = self._guests.get(guest)
        if known is None:
            return
        table = known.table
        if table is None:
            known.refuse(Refusal(Code.UNAUTHORIZED, action="move"))
        else:
            request(table, known)


class _Guest(Peer):
    """A program at a table; its protocol has no way to resume a seat."""

    can_return = False

    def __init__(self, address: str, number: int, host: Host, listener: Listener, writer: asyncio.StreamWriter) -> None:
        super().__init__(address)
        self.number = number
        self.writer = writer
        self.task = asyncio.current_task()
        self.is_rising = False
        self.wish: Callable[[], None] = lambda: None
        self._host = host
        self._listener = listener
        self._is_asked = False
        self._stop_waiting: Callable[[], None] = lambda: None

    @property
    def is_closing(self) -> bool:
        """Is the connection closed or closing, from either side?"""
        return self.writer.is_closing()

    def await_word(self) -> None:
        """Restart the timeout of the program, if it has one now."""
        self._stop_waiting()
        if self._is_asked or self.table is None:
            loop = asyncio.get_running_loop()
            self._stop_waiting = loop.call_later(PATIENCE, self._listener.close, self.number).cancel

    def has_risen(self) -> None:
        """Note that the program has no seat any more, and ask for its next seat if it wants one."""
        self.is_rising = False
        wish, self.wish = self.wish, lambda: None
        wish()

    def await_nothing(self) -> None:
        """Stop the timeout of the program."""
        self._stop_waiting()

    def tell(self, news: News) -> None:
        # The welcome has told everything that happened before.
        if news.notices:
            seat = news.screen.seat
            events = tuple(Event(notice.event.name, notice.context(seat)) for notice in news.notices)
            if look := news.screen.look(events):
                self._see(look)
                self._tell_host(lambda: self._host.happened(self.number, look))

    def welcome(self, welcome: Welcome) -> None:
        if look := welcome.screen.look(()):
            self._see(look)
            self._tell_host(lambda: self._host.seated(self.number, welcome.screen.table_name, look))

    def refuse(self, refusal: Refusal) -> None:
        # The original programs and those who play with them speak German.
        reason = refusal.context.get("reason", refusal.code.sentence("de"))
        self._tell_host(lambda: self._host.refused(self.number, int(refusal.code), str(reason)))

    def turn_away(self, refusal: Refusal) -> None:
        # The host may try another name or another table.
        self.table = None
        self.await_word()
        self.refuse(refusal)

    def _see(self, look: Look) -> None:
        self._is_asked = look.asked
        self.await_word()

    def _tell_host(self, tell: Callable[[], None]) -> None:
        """Call the host; an error of the host closes this connection and never stops the table."""
        if self.is_closing:
            return
        try:
            tell()
        except Exception:
            log.exception("a program's connection failed", extra={"guest": self.number})
            self._listener.close(self.number)

    def send(self, message: Struct) -> None:
        """Do nothing: programs ask for nothing besides the game."""

    def part(self, code: int, reason: str = "") -> None:
        self._listener.close(self.number)
