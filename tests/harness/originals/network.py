"""What the imitations of the original servers share: a network in memory with a random order, and real sockets.

An imitation does what the original programs do, their faults included, as far as that is known; it shares no rules with
tisch, so that neither can hide a fault of the other.
"""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random as Chance
from typing import Any, Self

from tisch.game import Agent, Event, Random, Samples, Sight
from tisch.ports.wire import Guest, ProtocolError

#: A network in which nothing happens for this many seconds is stuck.
STUCK = 90
#: The timeout of a command in seconds.
PATIENCE = 120.0


class Original(ABC):
    """A server without sockets. It knows programs by numbers.

    :ivar said: What it says to whom; ``None`` closes the connection.
    :ivar late: What it does a little later.
    :ivar is_dead: Has it crashed?
    :ivar seconds: How long it has run.
    """

    def __init__(self) -> None:
        self.said: deque[tuple[int, bytes | None]] = deque()
        self.late: deque[Callable[[], None]] = deque()
        self.is_dead = False
        self.seconds = 0

    @abstractmethod
    def opened(self, number: int) -> None:
        """Note that a program has connected."""

    @abstractmethod
    def received(self, number: int, data: bytes) -> None:
        """Handle bytes."""

    @abstractmethod
    def closed(self, number: int) -> None:
        """Note that a program has gone."""

    def ticked(self) -> None:
        """Note that a second has passed."""
        self.seconds += 1


@dataclass(eq=False)
class Client:
    """A guest, and what is under way between it and the server.

    :ivar fault: Why the connection has ended before the guest was done; empty if it did not.
    :ivar events: What the guest has told.
    """

    number: int
    guest: Guest
    agent: Agent[Any]
    up: bytearray = field(default_factory=bytearray)
    down: bytearray = field(default_factory=bytearray)
    is_served: bool = True
    is_open: bool = True
    fault: str = ""
    events: list[Event] = field(default_factory=list)

    def decide(self) -> None:
        guest, agent = self.guest, self.agent
        view = Samples(guest.world(), guest.seat) if agent.sight is Sight.SAMPLES else guest.view
        move = agent.act(view, guest.legal, True)
        assert move in guest.legal
        guest.play(move)
        self.flush()

    def flush(self) -> None:
        self.up += self.guest.outgoing
        self.guest.outgoing.clear()


class Network:
    """Guests and an imitation; which connection moves next, and how many bytes, is random."""

    def __init__(self, original: Original, seed: int) -> None:
        self.original = original
        self.chance = Chance(seed)
        self.clients: list[Client] = []

    def join(self, guest: Guest, agent: Agent[Any]) -> Client:
        """Connect a guest whose moves an agent decides."""
        client = Client(len(self.clients), guest, agent)
        agent.start(Random(self.chance.getrandbits(32)))
        self.clients.append(client)
        self.original.opened(client.number)
        guest.opened()
        client.flush()
        return client

    def cut(self, client: Client) -> None:
        """Drop a connection."""
        client.is_open = client.is_served = False
        client.fault = client.fault or "cut"
        self.original.closed(client.number)

    def run(self, until: Callable[[], bool] | None = None, most: int = 100_000) -> None:
        """Run until a condition holds or all guests have gone."""
        quiet = 0
        for _ in range(most):
            if until() if until else not any(client.is_open or client.is_served for client in self.clients):
                return
            actions = [action for client in self.clients for action in self._actions(client)]
            if self.original.late:
                actions.append(self.original.late.popleft)
            if actions:
                self._do(self.chance.choice(actions))
                continue
            quiet += 1
            assert quiet < STUCK or any(map(self._has_news, self.clients)), "Everybody waits for another."
            self._tick()
        raise AssertionError("It does not end.")

    def _do(self, action: Callable[[], Any]) -> None:
        late = action()
        if callable(late):
            late()
        self._deliver()

    def _deliver(self) -> None:
        while self.original.said:
            number, data = self.original.said.popleft()
            client = self.clients[number]
            if data is None:
                client.is_served = False
            elif client.is_served:
                client.down += data

    def _has_news(self, client: Client) -> bool:
        return client.is_open and bool(client.guest.legal)

    def _actions(self, client: Client) -> list[Callable[[], Any]]:
        """Return what can happen next to a client."""
        actions: list[Callable[[], Any]] = []
        if client.up and client.is_served:
            actions.append(lambda: self._rise(client))
        if client.is_open:
            if client.guest.over:
                return [*actions, lambda: self._leave(client)]
            if client.down:
                actions.append(lambda: self._sink(client))
            elif not client.is_served:
                actions.append(lambda: self._hang_up(client))
            if client.guest.legal:
                actions.append(client.decide)
        elif client.is_served and not client.up:
            actions.append(lambda: self._gone(client))
        return actions

    def _some(self, data: bytearray) -> bytes:
        size = self.chance.choice((len(data), self.chance.randint(1, len(data))))
        taken = bytes(data[:size])
        del data[:size]
        return taken

    def _rise(self, client: Client) -> None:
        self.original.received(client.number, self._some(client.up))

    def _sink(self, client: Client) -> None:
        try:
            client.events += client.guest.received(self._some(client.down))
        except ProtocolError as error:
            client.fault = str(error)
            client.is_open = False
        client.flush()

    def _leave(self, client: Client) -> None:
        client.is_open = False
        client.fault = client.guest.fault

    def _hang_up(self, client: Client) -> None:
        client.is_open = False
        client.fault = "The server has closed the connection."

    def _gone(self, client: Client) -> None:
        client.is_served = False
        self.original.closed(client.number)

    def _tick(self) -> None:
        self.original.ticked()
        self._deliver()
        for client in self.clients:
            if client.is_open:
                client.guest.ticked(1.0)
                client.flush()


class Served:
    """An imitation on a real socket, in a thread of its own.

    :ivar address: Where it is.
    :ivar left: How many programs have gone.
    """

    def __init__(self, original: Original, *, tick: float = 1.0, portion: int = 4096) -> None:
        """Serve.

        :param original: The imitation.
        :param tick: How long its second is.
        :param portion: How many bytes are sent at once.
        """
        self._original = original
        self._tick = tick
        self._portion = portion
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self._sockets: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self.failed: list[BaseException] = []
        self.came = self.left = 0

    def __enter__(self) -> Self:
        self._selector.register(self._listening, selectors.EVENT_READ, None)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)
        for connection in (*self._sockets.values(), self._listening):
            connection.close()
        self._selector.close()
        assert not self.failed, self.failed

    def _serve(self) -> None:
        try:
            ticks = 0.0
            while not self._stop.is_set():
                for key, _ in self._selector.select(0.005):
                    if key.data is None:
                        self._accept()
                    else:
                        self._read(key.data)
                    self._send()
                while self._original.late:
                    self._original.late.popleft()()
                ticks += 0.005
                if ticks >= self._tick:
                    ticks = 0.0
                    self._original.ticked()
                self._send()
        except BaseException as error:
            self.failed.append(error)
            raise

    def _accept(self) -> None:
        connection, _ = self._listening.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        number, self.came = self.came, self.came + 1
        self._sockets[number] = connection
        self._selector.register(connection, selectors.EVENT_READ, number)
        self._original.opened(number)

    def _read(self, number: int) -> None:
        try:
            data = self._sockets[number].recv(4096)
        except OSError:
            data = b""
        if data:
            self._original.received(number, data)
        else:
            self._forget(number)
            self._original.closed(number)

    def _send(self) -> None:
        while self._original.said:
            number, data = self._original.said.popleft()
            if number not in self._sockets:
                continue
            if data is None:
                self._forget(number)
                continue
            for start in range(0, len(data), self._portion):
                try:
                    self._sockets[number].sendall(data[start : start + self._portion])
                except OSError:
                    break

    def _forget(self, number: int) -> None:
        connection = self._sockets.pop(number)
        self._selector.unregister(connection)
        connection.close()
        self.left += 1


def command(game: str, address: str, name: str, *flags: str) -> subprocess.Popen[str]:
    """Start ``tisch play GAME --connect`` in its own process, with an empty standard input."""
    return subprocess.Popen(
        [sys.executable, "-m", "tisch", "play", game, "--connect", address, "--id", name, "--retry", "0", *flags],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "TISCH_LANG": "en"},
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for the end of a command; return its exit code, standard output and standard error."""
    try:
        written, complained = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        written, complained = process.communicate()
        raise AssertionError(f"It does not end: {written}{complained}") from None
    return process.returncode, written, complained
