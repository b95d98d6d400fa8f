"""What is kept of people: the entries that change it, in the thread of the journal's writer.

A key is stored as its digest. A game is stored once, with who sat on each seat at its end; a result leads from a person
to it. Ratings are those of people and, for each person, of the agents that they have met: what others play without them
changes nothing that a person sees.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tisch.server.people.rating import Rating, after_game
from tisch.server.store.journal import Entry

#: What stands instead of the name of somebody who has deleted everything.
DELETED: Final = "deleted"
#: No name has a later sign.
LAST: Final = "\U0010ffff"
#: The seats that are remembered of a person; who sits down once more leaves the oldest one.
SEATS: Final = 50
#: How many games are changed in one transaction, which makes all others wait.
PORTION: Final = 20


class Sitting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who had a seat at the end of a game.

    :ivar name: Their name at the table; empty if they have deleted everything.
    :ivar person: The number of the person; ``None`` without a key.
    :ivar agent: The agent or level; empty for people.
    """

    name: str
    person: int | None = None
    agent: str = ""

    def player(self, person: int) -> str | None:
        """Return by what they are rated.

        :param person: By whose games.
        :result: The name; ``None`` for somebody without a key.
        """
        if self.agent:
            return f"{agents_of(person)}{self.agent}"
        return None if self.person is None else player_of(self.person)


def player_of(person: int) -> str:
    """Return by what a person is rated.

    :param person: The person.
    :result: The name.
    """
    return f"person {person}"


def agents_of(person: int) -> str:
    """Return how the names begin by which agents are rated.

    :param person: By whose games.
    :result: The beginning.
    """
    return f"agent {person} "


@dataclass(frozen=True)
class AddPerson(Entry):
    """Somebody gets a key.

    :ivar key: Its digest.
    :ivar name: Their name.
    :ivar since: The time, in seconds since 1970.
    """

    key: bytes
    name: str
    since: float

    def enter(self, connection: sqlite3.Connection) -> None:
        values = (self.key, self.name, self.since)
        connection.execute("INSERT INTO person (key, name, since) VALUES (?, ?, ?)", values)


@dataclass(frozen=True)
class Rename(Entry):
    """A person has another name from now on; finished games keep the old one."""

    person: int
    name: str

    def enter(self, connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE person SET name = ? WHERE number = ?", (self.name, self.person))


@dataclass(frozen=True)
class Sit(Entry):
    """A person has a seat: what they finish there is theirs.

    :ivar session: The digest of the seat's session.
    :ivar since: The time, in seconds since 1970.
    """

    session: bytes
    person: int
    since: float

    def enter(self, connection: sqlite3.Connection) -> None:
        values = (self.session, self.person, self.since)
        connection.execute("INSERT OR REPLACE INTO person_seat VALUES (?, ?, ?)", values)
        connection.execute(
            "DELETE FROM person_seat WHERE person = ? AND session NOT IN "
            "(SELECT session FROM person_seat WHERE person = ? ORDER BY since DESC, session LIMIT ?)",
            (self.person, self.person, SEATS),
        )


@dataclass(frozen=True)
class Finish(Entry):
    """A game is finished in which people with a key have played.

    :ivar id: The game's id.
    :ivar game: The name of what was played.
    :ivar ended: When, in seconds since 1970.
    :ivar sides: The seats of each side.
    :ivar payoffs: The payoff of each seat.
    :ivar points: Its points.
    :ivar players: Who had each seat.
    """

    id: str
    game: str
    ended: float
    sides: Sequence[Sequence[int]]
    payoffs: Sequence[float]
    points: Sequence[int]
    players: Sequence[Sitting]

    def enter(self, connection: sqlite3.Connection) -> None:
        execute = connection.execute
        # Somebody may have deleted everything while the game was going on.
        players = [sitting if _is_there(connection, sitting) else Sitting(sitting.name) for sitting in self.players]
        people = {sitting.person: seat for seat, sitting in enumerate(players) if sitting.person is not None}
        if not people:
            return
        texts = [msgspec.json.encode(one).decode() for one in (self.sides, self.payoffs, self.points, players)]
        cursor = execute(
            "INSERT INTO played (id, game, ended, sides, payoffs, points, players) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (self.id, self.game, self.ended, *texts),
        )
        for person, seat in people.items():
            execute("INSERT INTO result VALUES (?, ?, ?)", (person, cursor.lastrowid, seat))
        new: dict[str, tuple[float, ...]] = {}
        for person in people:
            new |= self._rated(connection, players, person)
        for name, values in new.items():
            execute("INSERT OR REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?)", (name, self.game, *values))

    def _rated(
        self, connection: sqlite3.Connection, players: Sequence[Sitting], person: int
    ) -> dict[str, tuple[float, ...]]:
        """Return the new ratings of a person and of the agents that they have met, with the numbers of their games."""
        names = [sitting.player(person) for sitting in players]
        found = {name: _rating(connection, self.game, name) for name in names if name}
        before = {name: rating for name, (rating, _) in found.items()}
        sides = [[names[seat] for seat in side] for side in self.sides]
        payoffs = [sum(self.payoffs[seat] for seat in side) for side in self.sides]
        own, agents = player_of(person), agents_of(person)
        return {
            name: (*rating, found[name][1] + 1)
            for name, rating in after_game(before, sides, payoffs).items()
            if name == own or name.startswith(agents)
        }


@dataclass(frozen=True)
class Revoke(Entry):
    """A key is good for nothing from now on: its person has deleted everything, and the rest follows in portions."""

    person: int

    def enter(self, connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE person SET key = NULL, name = '' WHERE number = ?", (self.person,))
        connection.execute("DELETE FROM person_seat WHERE person = ?", (self.person,))
        # That somebody has played a deal stays in the tables of challenges, but not who.
        connection.execute(
            "UPDATE attempt SET name = '', person = NULL, session = x'', who = 'gone ' || game || ' ' || seat "
            "WHERE person = ?",
            (self.person,),
        )
        connection.execute("DELETE FROM rating WHERE player = ?", (player_of(self.person),))
        agents = agents_of(self.person)
        connection.execute("DELETE FROM rating WHERE player BETWEEN ? AND ?", (agents, agents + LAST))


@dataclass
class Erase(Entry):
    """A portion of the games of a person who has deleted everything loses their name, and at last they go themselves.

    :ivar is_done: Whether nothing is left of them.
    """

    person: int
    is_done: bool = False

    def enter(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT number, id, players FROM result JOIN played ON number = played WHERE person = ? LIMIT ?",
            (self.person, PORTION),
        ).fetchall()
        for number, game_id, players in rows:
            self._erase(connection, number, game_id, players)
        self.is_done = len(rows) < PORTION
        if self.is_done:
            connection.execute("DELETE FROM person WHERE number = ?", (self.person,))

    def _erase(self, connection: sqlite3.Connection, number: int, game_id: str, told: str) -> None:
        execute = connection.execute
        players = msgspec.json.decode(told, type=list[Sitting])
        seats = [seat for seat, sitting in enumerate(players) if sitting.person == self.person]
        players = [Sitting("") if seat in seats else sitting for seat, sitting in enumerate(players)]
        execute("DELETE FROM result WHERE person = ? AND played = ?", (self.person, number))
        if execute("SELECT 1 FROM result WHERE played = ?", (number,)).fetchone():
            execute("UPDATE played SET players = ? WHERE number = ?", (msgspec.json.encode(players).decode(), number))
        else:
            execute("DELETE FROM played WHERE number = ?", (number,))
        if found := execute("SELECT players, transcript FROM finished WHERE id = ?", (game_id,)).fetchone():
            names = [DELETED if seat in seats else name for seat, name in enumerate(json.loads(found[0]))]
            values = (json.dumps(names), _renamed(found[1], names), game_id)
            execute("UPDATE finished SET players = ?, transcript = ? WHERE id = ?", values)


@dataclass(frozen=True)
class Forget(Entry):
    """Keys that nobody has finished a game with are forgotten.

    :ivar before: Those that are older than this, in seconds since 1970.
    """

    before: float

    def enter(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "DELETE FROM person WHERE number IN (SELECT number FROM person WHERE since < ? AND key IS NOT NULL "
            "AND NOT EXISTS (SELECT 1 FROM result WHERE person = number) LIMIT ?)",
            (self.before, PORTION),
        )


@dataclass
class DropGames(Entry):
    """The oldest finished games are dropped, a portion of them; the results of people stay.

    :ivar before: Those that ended before this, in seconds since 1970.
    :ivar count: How many were dropped.
    """

    before: float
    count: int = 0

    def enter(self, connection: sqlite3.Connection) -> None:
        # Games end in the order of their numbers: no others are looked at, however many there are.
        oldest = "SELECT number FROM finished ORDER BY number LIMIT ?"
        statement = f"DELETE FROM finished WHERE number IN ({oldest}) AND ended < ?"
        self.count = connection.execute(statement, (PORTION, self.before)).rowcount


def _is_there(connection: sqlite3.Connection, sitting: Sitting) -> bool:
    found = connection.execute("SELECT 1 FROM person WHERE number = ? AND key IS NOT NULL", (sitting.person,))
    return sitting.person is None or found.fetchone() is not None


def _rating(connection: sqlite3.Connection, game: str, player: str) -> tuple[Rating, int]:
    """Return a rating, and how many games are behind it."""
    statement = "SELECT value, deviation, volatility, games FROM rating WHERE player = ? AND game = ?"
    found: tuple[Any, ...] | None = connection.execute(statement, (player, game)).fetchone()
    return (Rating(*found[:3]), found[3]) if found else (Rating(), 0)


def _renamed(transcript: str, names: Sequence[str]) -> str:
    """Write other names into a transcript."""
    head, between, moves = transcript.partition("\n\n")
    lines = [line for line in head.split("\n") if not line.startswith("players: ")]
    return "\n".join([*lines, f"players: {' '.join(', '.join(names).split())}"]) + between + moves
