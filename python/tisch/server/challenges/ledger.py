"""What is kept of challenges: the entries that change it, in the thread of the journal's writer."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tisch.server.store.journal import Entry
from tisch.transcript import Transcript

#: How many challenges are dropped in one transaction, which makes all others wait.
PORTION: Final = 20


class Challenge(msgspec.Struct, frozen=True):
    """A challenge.

    :ivar number: Its number in the journal.
    :ivar id: The secret in its link.
    :ivar game: The name of what is played.
    :ivar options: The game's options that differ from the defaults.
    :ivar agent: Who plays empty seats.
    :ivar seeds: The seed of each deal.
    :ivar since: When it was made, in seconds since 1970.
    :ivar day: The day of a deal of the day; empty for all others.
    """

    number: int
    id: str
    game: str
    options: dict[str, Any]
    agent: str
    seeds: tuple[int, ...]
    since: float
    day: str = ""


def read_challenges(rows: Sequence[tuple[Any, ...]]) -> list[Challenge]:
    """Decode the rows of challenges.

    :param rows: The rows of the journal's table.
    :result: The challenges.
    """
    decode = msgspec.json.decode
    return [
        Challenge(number, name, game, decode(options), agent, tuple(map(int, decode(seeds))), since, day)
        for number, name, game, options, agent, seeds, since, day in rows
    ]


@dataclass
class AddChallenge(Entry):
    """Somebody makes a challenge.

    :ivar challenge: The challenge; its number does not matter.
    :ivar number: The number that it has got.
    """

    challenge: Challenge
    number: int = 0

    def enter(self, connection: sqlite3.Connection) -> None:
        made = self.challenge
        # A seed may exceed SQLite's largest integer.
        seeds = json.dumps([str(seed) for seed in made.seeds])
        values = (made.id, made.game, json.dumps(made.options), made.agent, seeds, made.since, made.day)
        statement = "INSERT INTO challenge (id, game, options, agent, seeds, since, day) VALUES (?, ?, ?, ?, ?, ?, ?)"
        self.number = connection.execute(statement, values).lastrowid or 0


@dataclass(frozen=True)
class Attempt(Entry):
    """Somebody begins a deal, which they can do once.

    :ivar challenge: The challenge's number.
    :ivar deal: The number of the deal, from 0.
    :ivar who: Who that is, for the challenge: the person, or without a key their name.
    :ivar name: Their name at the table.
    :ivar person: The number of the person; ``None`` without a key.
    :ivar session: The digest of their seat's session.
    :ivar seat: Their seat.
    :ivar game: The game's id.
    :ivar since: When, in seconds since 1970.
    """

    challenge: int
    deal: int
    who: str
    name: str
    person: int | None
    session: bytes
    seat: int
    game: str
    since: float

    def enter(self, connection: sqlite3.Connection) -> None:
        values = (self.challenge, self.deal, self.who, self.name, self.person, self.session, self.seat, self.game)
        # The challenge may have been dropped meanwhile; the game goes on.
        connection.execute(
            "INSERT INTO attempt SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL "
            "WHERE EXISTS (SELECT 1 FROM challenge WHERE number = ?)",
            (*values, self.since, self.challenge),
        )


@dataclass(frozen=True)
class Finished(Entry):
    """A deal is played to its end by somebody who has begun it on the same seat.

    :ivar game: The game's id.
    :ivar session: The digest of the seat's session.
    :ivar seat: The seat.
    :ivar person: The person, who may have shown their key since the deal began.
    :ivar ended: When, in seconds since 1970.
    :ivar value: The result.
    """

    game: str
    session: bytes
    seat: int
    person: int | None
    ended: float
    value: float

    def enter(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "UPDATE attempt SET value = ?, seconds = ? - since, person = coalesce(person, ?) "
            "WHERE game = ? AND session = ? AND seat = ?",
            (self.value, self.ended, self.person, self.game, self.session, self.seat),
        )


@dataclass(frozen=True)
class SetPar(Entry):
    """Agents have played a deal.

    :ivar challenge: The challenge's number.
    :ivar deal: The number of the deal.
    :ivar game: The id of their game.
    :ivar names: The name on each seat.
    :ivar transcript: Their game.
    :ivar points: The points of each seat.
    :ivar reason: Why it was over.
    :ivar results: The result of each seat.
    :ivar when: When, in seconds since 1970.
    """

    challenge: int
    deal: int
    game: str
    names: Sequence[str]
    transcript: Transcript
    points: Sequence[int]
    reason: str
    results: Sequence[float]
    when: float

    def enter(self, connection: sqlite3.Connection) -> None:
        execute = connection.execute
        if execute("SELECT 1 FROM challenge WHERE number = ?", (self.challenge,)).fetchone() is None:
            return
        values = (self.challenge, self.deal, self.game, json.dumps(self.results))
        execute("INSERT OR REPLACE INTO par VALUES (?, ?, ?, ?)", values)
        # Nothing of a challenge is listed.
        told = json.dumps(self.names), json.dumps(self.points), self.reason, self.when, self.when
        played = self.transcript
        execute(
            "INSERT INTO finished (id, game, players, points, reason, started, ended, moves, transcript, private) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
            (self.game, played.game, *told, len(played.moves), str(played)),
        )


@dataclass
class DropChallenges(Entry):
    """Challenges that nobody has begun, and those of long ago, are dropped, a portion of them.

    :ivar unused: Those that nobody has begun go if they were made before this, in seconds since 1970.
    :ivar old: All go if they were made before this.
    :ivar dropped: The numbers of those that were dropped.
    """

    unused: float
    old: float
    dropped: Sequence[int] = ()

    def enter(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT number FROM challenge WHERE since < ? OR "
            "(since < ? AND NOT EXISTS (SELECT 1 FROM attempt WHERE challenge = number)) ORDER BY number LIMIT ?",
            (self.old, self.unused, PORTION),
        ).fetchall()
        self.dropped = [number for (number,) in rows]
        connection.executemany("DELETE FROM challenge WHERE number = ?", rows)
