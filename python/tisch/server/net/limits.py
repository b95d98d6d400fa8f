"""Rate limits and connection limits: no client may slow down the others."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from tisch.quotas import Quotas, network_of
from tisch.server.metrics import Metrics

#: The most messages of a client in a period; further ones are refused.
RATE: Final = 100
#: The most frames of any kind in a period; the next one closes the connection.
FRAMES: Final = 200
#: The seconds whose HTTP requests an address may send at once, and the longest that a further one waits for its turn,
#: in seconds; those that would wait longer are refused.
BURST: Final = 4.0
PATIENCE: Final = 3.0
#: The part of a turn that one of the page's own files takes: it is in memory, and a page needs dozens of them.
FILE: Final = 0.07
#: The number of addresses from which those that have been quiet are forgotten.
ADDRESSES: Final = 1000
#: The TCP connections of an address besides those of its guests: a browser opens several for one page.
PAGES: Final = 60
#: The descriptors that are reserved for files and processes.
OWN: Final = 128
#: The longest backlog of connections; all of them may be accepted before the first one is counted.
BACKLOG: Final = 1024
#: The most TCP connections, however many descriptors the system has: each one needs memory, too.
MOST: Final = 20_000
#: One connection out of so many is not for guests.
RESERVE: Final = 8
#: The descriptors that macOS gives a process without a limit.
UNLIMITED: Final = 10_240
#: The shortest time between two log messages about too many connections, in seconds.
SILENCE: Final = 3600.0
#: The addresses of a proxy on this machine.
LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})

log = logging.getLogger(__name__)


def descriptors() -> int:
    """Raise the limit of open files and sockets as far as the system allows.

    :result: The limit.
    """
    if sys.platform == "win32":
        return UNLIMITED
    import resource  # noqa: PLC0415 - There is no such module on Windows.

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(soft, UNLIMITED) if hard == resource.RLIM_INFINITY else hard
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted


def places(descriptors: int) -> tuple[int, int]:
    """Divide the descriptors of this process.

    :param descriptors: Their limit.
    :result: The most TCP connections, and the longest backlog.
    """
    backlog = min(descriptors // 8, BACKLOG)
    return max(min(descriptors - OWN - backlog, MOST), 1), backlog


class Pace:
    """How fast requests of each address may follow each other.

    :param rate: The most in a second, on average.
    """

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate
        # When each address has used up what it may.
        self._spent: dict[str, float] = {}
        self._most = ADDRESSES

    def take(self, address: str, now: float, share: float = 1.0) -> float | None:
        """Count one more request, unless it would have to wait for too long.

        :param address: Where it comes from.
        :param now: The time.
        :param share: (Optional) The part of a turn that it takes.
        :result: How long it has to wait, in seconds; ``None`` if it was not counted.
        """
        network = network_of(address)
        quiet = now - BURST
        spent = max(self._spent.get(network, quiet), quiet) + self._gap * share
        if spent - now > PATIENCE:
            return None
        if len(self._spent) >= self._most:
            self._spent = {each: until for each, until in self._spent.items() if until > quiet}
            self._most = max(2 * len(self._spent), ADDRESSES)
        self._spent[network] = spent
        return max(spent - now, 0.0)


class Use(Enum):
    """The use of a TCP connection for HTTP: it waits for a request, receives a response, or is a WebSocket."""

    WAITING = auto()
    ANSWERED = auto()
    WEBSOCKET = auto()


class Visitor(ABC):
    """A TCP connection for HTTP.

    :ivar address: Where it comes from.
    """

    address: str

    @abstractmethod
    def evict(self) -> None:
        """Close the connection at once, because another one needs its place."""


class Connections:
    """The TCP connections of a server.

    When there are too many, a new one takes the place of a visitor: the oldest of those that wait for a request or for
    the rest of one, otherwise the oldest of those that get an answer. Only if there is none is the new one refused.

    Guests are those who come to play or to watch, over a WebSocket or a game's own protocol. They have an address of
    their own behind a proxy, too; the connections that they come over are then the proxy's.

    :param most: The most connections.
    :param most_by_address: The most guests from one address.
    :param metrics: The metrics, which count refused connections.
    :param proxy: Whether a proxy on this machine connects for all clients.
    :param requests: The most requests from one address in a second.
    :ivar total: The number of connections.
    :ivar guests: The connections of guests.
    :ivar is_banned: Tells whether nobody may come from an address.
    """

    def __init__(self, most: int, most_by_address: int, metrics: Metrics, *, proxy: bool, requests: float) -> None:
        self._most = most
        self._most_guests = most - max(most // RESERVE, 1)
        self._quotas = Quotas(most_by_address + PAGES)
        self._metrics = metrics
        self._proxy = proxy
        self._pace = Pace(requests)
        self._uses: dict[Visitor, Use] = {}
        self._queues = {Use.WAITING: _Queue(), Use.ANSWERED: _Queue()}
        self._silent_until: defaultdict[str, float] = defaultdict(float)
        self.total = 0
        self.guests = Quotas(most_by_address)
        self.is_banned: Callable[[str], bool] = lambda _: False

    def take(self, address: str) -> bool:
        """Count one more connection, unless the limit is reached.

        :param address: Where it comes from.
        :result: Whether it was counted.
        """
        is_limited = self._is_limited(address)
        if is_limited and not self._quotas.take(address):
            if self._is_news("address"):
                log.info("an address has too many connections")
            if not (self._evict(network_of(address)) and self._quotas.take(address)):
                return self._refuse()
        if self.total >= self._most:
            if self._is_news("server"):
                log.warning("the server has too many connections", extra={"most": self._most})
            if not self._evict(None):
                if is_limited:
                    self._quotas.give_back(address)
                return self._refuse()
        self.total += 1
        return True

    def give_back(self, address: str) -> None:
        """Note that a connection is closed.

        :param address: Where it came from.
        """
        self.total -= 1
        if self._is_limited(address):
            self._quotas.give_back(address)

    def take_guest(self, address: str) -> bool:
        """Count one more guest, unless the limit is reached.

        A part of the connections is not for guests: pages need it, and players who reconnect are let in uncounted.

        :param address: Where it comes from.
        :result: Whether it was counted.
        """
        if self.is_banned(address):
            return False
        return self.guests.total < self._most_guests and self.guests.take(address)

    def give_back_guest(self, address: str) -> None:
        """Note that a guest is gone.

        :param address: Where it came from.
        """
        self.guests.give_back(address)

    async def await_turn(self, address: str, share: float = 1.0) -> bool:
        """Wait until it is the turn of an address's request; nobody waits for the proxy's own ones.

        :param address: Where it comes from.
        :param share: (Optional) The part of a turn that it takes.
        :result: Whether it may be answered; otherwise too many wait already.
        """
        if not self._is_limited(address):
            return True
        wait = self._pace.take(address, asyncio.get_running_loop().time(), share)
        if wait is None:
            self._metrics.refused.labels(code="REQUEST").inc()
            return False
        if wait:
            self._metrics.delayed.inc()
            await asyncio.sleep(wait)
        return True

    def enter(self, visitor: Visitor) -> bool:
        """Count a visitor, unless the limit is reached.

        :param visitor: The visitor.
        :result: Whether it was counted.
        """
        if not self.take(visitor.address):
            return False
        self._put(visitor, Use.WAITING)
        return True

    def leave(self, visitor: Visitor) -> None:
        """Note that a visitor's connection is closed.

        :param visitor: The visitor; it may have left before.
        """
        if visitor in self._uses:
            self._put(visitor, None)
            self.give_back(visitor.address)

    def use(self, visitor: Visitor, use: Use) -> None:
        """Note what a visitor's connection is used for from now on.

        :param visitor: The visitor; it may have left before.
        :param use: Its use.
        """
        if visitor in self._uses:
            self._put(visitor, use)

    def _put(self, visitor: Visitor, use: Use | None) -> None:
        before = self._uses.pop(visitor, None)
        if queue := self._queues.get(before) if before else None:
            queue.remove(visitor)
        if use:
            self._uses[visitor] = use
            if queue := self._queues.get(use):
                queue.add(visitor)

    def _evict(self, network: str | None) -> bool:
        """Close a visitor's connection.

        :param network: (Optional) Where it comes from.
        :result: Whether there was one.
        """
        for queue in self._queues.values():
            if visitor := queue.oldest(network):
                self.leave(visitor)
                visitor.evict()
                return True
        return False

    def _refuse(self) -> bool:
        self._metrics.refused.labels(code="CONNECTION").inc()
        return False

    def _is_limited(self, address: str) -> bool:
        return not (self._proxy and address in LOOPBACK)

    def _is_news(self, what: str) -> bool:
        """Return whether the log has not mentioned this for some time."""
        now = time.monotonic()
        is_news = now >= self._silent_until[what]
        if is_news:
            self._silent_until[what] = now + SILENCE
        return is_news


class _Queue:
    """Visitors, the oldest first."""

    def __init__(self) -> None:
        self._all: dict[Visitor, None] = {}
        self._by_network: defaultdict[str, dict[Visitor, None]] = defaultdict(dict)

    def add(self, visitor: Visitor) -> None:
        self._all[visitor] = self._by_network[network_of(visitor.address)][visitor] = None

    def remove(self, visitor: Visitor) -> None:
        network = network_of(visitor.address)
        del self._all[visitor], self._by_network[network][visitor]
        if not self._by_network[network]:
            del self._by_network[network]

    def oldest(self, network: str | None) -> Visitor | None:
        visitors = self._all if network is None else self._by_network.get(network, {})
        return next(iter(visitors), None)


def address_of(transport: asyncio.BaseTransport) -> str:
    """Return the address of a connection.

    :param transport: The connection.
    :result: The address; empty if the client is gone already.
    """
    name = transport.get_extra_info("peername")
    return str(name[0]) if name else ""
