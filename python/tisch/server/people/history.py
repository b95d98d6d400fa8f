"""What a person has played: their games, sums by game and by who played along, and how strong they are.

Only their own games are read, and of others only what stood at their table.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from tisch.server.people.ledger import LAST, Sitting, agents_of, player_of
from tisch.server.store.journal_file import read_only

#: All games have lower numbers.
NEWEST: Final = (1 << 63) - 1
#: The most people with whom somebody's results are told, those with the most games.
MOST_COMPANIONS: Final = 100


class Played(msgspec.Struct, frozen=True):
    """A game of a person.

    :ivar number: Its place among all games of people, rising with time.
    :ivar id: Its id, by which its replay is found.
    :ivar game: What was played.
    :ivar ended: When it ended, in seconds since 1970.
    :ivar me: The person's seat.
    :ivar players: Who had each seat; an empty name stands for somebody who has deleted everything.
    :ivar kinds: Who that was, ``human`` or ``ai``.
    :ivar points: The points of each seat.
    :ivar verdict: How it ended for the person: ``won``, ``lost`` or ``over``.
    :ivar has_replay: Whether it is still kept.
    """

    number: int
    id: str
    game: str
    ended: float
    me: int
    players: list[str]
    kinds: list[str]
    points: list[int]
    verdict: str
    has_replay: bool


class Tally(msgspec.Struct):
    """How many games there were, and how many of them were won and lost."""

    count: int = 0
    won: int = 0
    lost: int = 0

    def add(self, verdict: str) -> None:
        """Count a game.

        :param verdict: How it ended.
        """
        self.count += 1
        self.won += verdict == "won"
        self.lost += verdict == "lost"


class Kind(msgspec.Struct):
    """A person's results at a game.

    :ivar rating: How strong they are; ``None`` without an opponent.
    :ivar deviation: How uncertain that is.
    :ivar agents: The ratings of the agents that they have met, by their names.
    """

    game: str
    tally: Tally
    rating: int | None = None
    deviation: int | None = None
    agents: dict[str, int] = {}


class Companion(msgspec.Struct):
    """A person's results with somebody else.

    :ivar name: Their name at the last table; empty if they have deleted everything.
    :ivar together: On the same side.
    :ivar against: On different sides.
    """

    name: str
    together: Tally = msgspec.field(default_factory=Tally)
    against: Tally = msgspec.field(default_factory=Tally)


class Page(msgspec.Struct, frozen=True):
    """What a person has played.

    :ivar kinds: The results by game, the one played most first.
    :ivar companions: The results by who played along.
    :ivar games: The newest games.
    """

    kinds: list[Kind]
    companions: list[Companion]
    games: list[Played]


def verdict(payoffs: Sequence[float], seat: int) -> str:
    """Tell how a game ended for a seat.

    :param payoffs: What each seat got.
    :param seat: The seat.
    :result: ``won``, ``lost``, or ``over`` for neither.
    """
    own = payoffs[seat]
    if own > 0 and own == max(payoffs):
        return "won"
    return "lost" if len(payoffs) == 1 or (own < 0 and own == min(payoffs)) else "over"


class _Row(msgspec.Struct, frozen=True):
    """A game of a person as it is stored."""

    number: int
    id: str
    game: str
    ended: float
    sides: list[list[int]]
    payoffs: list[float]
    points: list[int]
    players: list[Sitting]
    seat: int
    has_replay: bool

    @property
    def verdict(self) -> str:
        return verdict(self.payoffs, self.seat)


def _rows(connection: sqlite3.Connection, person: int, limit: int, before: int | None) -> Iterator[_Row]:
    decode = msgspec.json.decode
    for number, game_id, game, ended, sides, payoffs, points, players, seat, has_replay in connection.execute(
        "SELECT number, id, game, ended, sides, payoffs, points, players, seat, "
        "EXISTS (SELECT 1 FROM finished WHERE finished.id = played.id) FROM result JOIN played ON number = played "
        "WHERE person = ? AND played < ? ORDER BY played DESC LIMIT ?",
        (person, NEWEST if before is None else before, limit),
    ):
        sitting = decode(players, type=list[Sitting])
        told = decode(sides), decode(payoffs), decode(points)
        yield _Row(number, game_id, game, ended, *told, sitting, seat, bool(has_replay))


def _played(row: _Row) -> Played:
    names = [sitting.name for sitting in row.players]
    kinds = ["ai" if sitting.agent else "human" for sitting in row.players]
    told = names, kinds, row.points, row.verdict, row.has_replay
    return Played(row.number, row.id, row.game, row.ended, row.seat, *told)


def read_played(path: Path, person: int, limit: int, before: int | None = None) -> list[Played]:
    """List games of a person, the newest first.

    :param path: The journal's file.
    :param person: The person's number.
    :param limit: The most games.
    :param before: (Optional) The number of the last game of the page before.
    :result: The games.
    """
    with closing(read_only(path)) as connection:
        return list(map(_played, _rows(connection, person, limit, before)))


def page_of(path: Path, person: int, limit: int) -> Page:
    """Sum up what a person has played.

    :param path: The journal's file.
    :param person: The person's number.
    :param limit: The most games that are listed.
    :result: The page.
    """
    with closing(read_only(path)) as connection:
        # What is read belongs to one moment.
        connection.execute("BEGIN")
        rows = list(_rows(connection, person, -1, None))
        kinds = _kinds(connection, person, rows)
    return Page(kinds, _companions(person, rows), list(map(_played, rows[:limit])))


def _kinds(connection: sqlite3.Connection, person: int, rows: Iterable[_Row]) -> list[Kind]:
    kinds: dict[str, Kind] = {}
    for row in rows:
        kinds.setdefault(row.game, Kind(row.game, Tally())).tally.add(row.verdict)
    for game, value, deviation in connection.execute(
        "SELECT game, value, deviation FROM rating WHERE player = ?", (player_of(person),)
    ):
        if game in kinds:
            kinds[game].rating, kinds[game].deviation = round(value), round(deviation)
    for kind in kinds.values():
        kind.agents = _agents(connection, person, kind.game)
    return sorted(kinds.values(), key=lambda kind: -kind.tally.count)


def _agents(connection: sqlite3.Connection, person: int, game: str) -> dict[str, int]:
    """Return the ratings of the agents that a person has met, the strongest first."""
    first = agents_of(person)
    rows = connection.execute(
        "SELECT player, value FROM rating WHERE player BETWEEN ? AND ? AND game = ? ORDER BY value DESC",
        (first, first + LAST, game),
    )
    return {player.removeprefix(first): round(value) for player, value in rows}


def _companions(person: int, rows: Iterable[_Row]) -> list[Companion]:
    """Sum up the results by who played along: a person by their key, anybody else by their name."""
    found: dict[tuple[int | None, str], Companion] = {}
    for row in rows:
        own = next(side for side in row.sides if row.seat in side)
        for seat, other in enumerate(row.players):
            if seat == row.seat or other.agent or other.person == person:
                continue
            who = (other.person, "" if other.person is not None else other.name)
            companion = found.setdefault(who, Companion(other.name))
            (companion.together if seat in own else companion.against).add(row.verdict)
    most = sorted(found.values(), key=lambda one: -one.together.count - one.against.count)
    return most[:MOST_COMPANIONS]
