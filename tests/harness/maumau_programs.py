"""Programs that play Mau-Mau over its own protocol, for tests: raw bytes, or a guest."""

from __future__ import annotations

from typing import Any

from tisch.agents import RandomAgent
from tisch.game import Agent, Event, Random
from tisch.games.maumau import GAME
from tisch.games.maumau.cards import NUMBERS
from tisch.wires.maumau import HOST
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Message, Reader
from tisch.wires.maumau.guest import MauMauGuest
from wire_table import House, Place, Program


def cards(text: str) -> tuple[int, ...]:
    return tuple(NUMBERS[label] for label in text.split())


def house(seed: int = 1, agent: type[Agent[Any]] = RandomAgent, **options: Any) -> House:
    """Tables for programs."""
    return House(GAME, HOST, HOST.Options(**options), agent=agent, seed=seed)


class Client:
    """A raw program: it sends bytes, and decodes those that it receives."""

    def __init__(self, at: House, name: str, *, piece: int | None = None) -> None:
        self.program: Program = at.connect()
        self.reader = Reader(TO_CLIENT)
        self.said: list[Message] = []
        self.piece = piece
        self.send("id", name)

    def send(self, kind: str, value: Any = None) -> None:
        self.program.send(TO_SERVER.write(kind, value), piece=self.piece)

    def take(self) -> list[Message]:
        """Return the messages received since the last call."""
        new = list(self.reader.read(self.program.take()))
        self.said += new
        return new


def table_of(at: House, name: str = "Mau-Mau") -> Place:
    return at.tables[name]


def state_of(at: House, name: str = "Mau-Mau") -> Any:
    state = at.tables[name].state
    assert state is not None
    return state


def act(at: House, clients: dict[int, Client], random: Random, name: str = "Mau-Mau") -> None:
    """Make a random move for the program in turn."""
    state = state_of(at, name)
    (seat,) = state.awaiting()
    move = random.choice(state.legal(seat))
    clients[seat].send(move.verb, None if move.verb == "finish" else move.operand)


def play_out(at: House, clients: dict[int, Client], seed: int, name: str = "Mau-Mau") -> None:
    random = Random(seed, "clients")
    while table_of(at, name).is_running:
        act(at, clients, random, name)


def kinds(messages: list[Message]) -> list[str]:
    return [message.kind for message in messages]


class Pair:
    """A guest on a program's connection."""

    def __init__(self, at: House, name: str) -> None:
        self.guest = MauMauGuest(name)
        self.guest.opened()
        self.program = at.connect()
        self.told: list[Event] = []
        self.flush()

    def flush(self) -> None:
        data = bytes(self.guest.outgoing)
        self.guest.outgoing.clear()
        self.program.send(data)

    def hear(self, piece: int = 1000) -> list[Event]:
        """Pass the received bytes to the guest in pieces."""
        data = self.program.take()
        events = []
        for start in range(0, len(data), piece):
            events += self.guest.received(data[start : start + piece])
        self.told += events
        return events
