"""Worlds that play Sechsundsechzig over its own protocol, for tests: raw ones, or guests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tisch.agents import RandomAgent
from tisch.game import Agent, Event, Random
from tisch.games.sechsundsechzig import GAME
from tisch.wires.sechsundsechzig import HOST
from tisch.wires.sechsundsechzig.data import Datum, Reader
from tisch.wires.sechsundsechzig.guest import WorldGuest
from tisch.wires.sechsundsechzig.world import SORTED, SWAPPED, TRICK, WORDS, World, read_world
from wire_table import House, Place, Program


def house(seed: int = 1, agent: type[Agent[Any]] = RandomAgent, **options: Any) -> House:
    """A table for worlds."""
    return House(GAME, HOST, HOST.Options(**options), agent=agent, seed=seed)


def table_of(at: House) -> Place:
    return at.tables["Sechsundsechzig"]


def state_of(at: House) -> Any:
    state = table_of(at).state
    assert state is not None
    return state


class Raw:
    """A raw world: it sends texts, receives lines, and shows the states in them."""

    def __init__(self, at: House, name: str, *, piece: int | None = None) -> None:
        self.program: Program = at.connect()
        self.piece = piece
        self.reader = Reader()
        self.lines: list[str] = []
        self.worlds: list[World] = []
        self.say(f"(REGISTER ((name {name})))")

    def say(self, text: str) -> None:
        """Send a text, and receive what follows."""
        self.program.send(f"{text}\n".encode(), piece=self.piece)
        self.hear()

    def hear(self) -> list[World]:
        """Return the states received since the last call."""
        data = self.program.take()
        self.lines += data.decode().splitlines()
        new = [world for datum in self.reader.read(data) if (world := read_world(datum))]
        self.worlds += new
        return new

    @property
    def world(self) -> World:
        self.hear()
        return self.worlds[-1]

    @property
    def symbol(self) -> str:
        """The symbol of the world; some messages change only cards."""
        self.hear()
        return [world.symbol for world in self.worlds if world.symbol not in (SORTED, SWAPPED)][-1]


def pair(at: House, *, piece: int | None = None) -> list[Raw]:
    """The two worlds of the description."""
    return [Raw(at, '"Mudi"', piece=piece), Raw(at, '"Nickel"', piece=piece)]


def act(at: House, worlds: list[Raw], move: Any, seat: int | None = None) -> None:
    """Make a move as the keys of a world do, and let the worlds ask for the decision of a trick."""
    seat = state_of(at).turn if seat is None else seat
    raw = worlds[seat]
    if move.verb == "lay":
        raw.say(f"(lay {raw.world.hands[seat].index(move.operand)} {raw.symbol})")
    else:
        raw.say(f"({WORDS[move]} {raw.symbol})")
    for each in worlds:
        if each.symbol == TRICK:
            each.say("(decideStich () wait)")
    for each in worlds:
        each.hear()


def play_until(at: House, worlds: list[Raw], random: Random, test: Callable[[Any], Any], most: int = 2000) -> None:
    """Play at random until a condition holds; nobody stops before they must."""
    while not test(state_of(at)):
        state = state_of(at)
        legal = state.legal(state.turn)
        act(at, worlds, random.choice([move for move in legal if move.verb != "stop"] or legal))
        most -= 1
        assert most, "It did not come to this."


class Guest:
    """A guest on a program's connection."""

    def __init__(self, at: House, name: str) -> None:
        self.guest = WorldGuest(name)
        self.guest.opened()
        self.program = at.connect()
        self.told: list[Event] = []
        self.flush()

    def flush(self) -> bool:
        data = bytes(self.guest.outgoing)
        self.guest.outgoing.clear()
        self.program.send(data)
        return bool(data)

    def hear(self, piece: int = 11) -> bool:
        data = self.program.take()
        for start in range(0, len(data), piece):
            self.told += self.guest.received(data[start : start + piece])
        return bool(data)

    def play(self, move: Any) -> None:
        self.guest.play(move)
        self.flush()


def settle(guests: list[Guest]) -> None:
    """Exchange messages until all are answered."""
    while sum(guest.hear() + guest.flush() for guest in guests):
        pass


def data_of(text: str) -> list[Datum]:
    return list(Reader().read(text.encode()))
