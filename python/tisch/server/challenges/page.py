"""The table of a challenge: who has played which deal, and, of the deals that one has played oneself, how."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from tisch.server.challenges.ledger import Challenge
from tisch.server.store.journal_file import read_only

#: How many of a deal are listed, besides oneself: those who came first.
LISTED: Final = 200


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """What somebody made of a deal; of a deal that the reader has not played, only the name is told.

    :ivar name: Their name; empty if they have deleted everything.
    :ivar is_own: Whether that is the reader.
    :ivar is_running: Whether they are at it.
    :ivar seat: The seat.
    :ivar value: The result; ``None`` as long as there is none, and if it was broken off.
    :ivar seconds: How long it took.
    :ivar replay: The id of the game, if it is kept.
    """

    name: str
    is_own: bool = False
    is_running: bool = False
    seat: int | None = None
    value: float | None = None
    seconds: float | None = None
    replay: str | None = None


class Deal(msgspec.Struct, frozen=True):
    """A deal.

    :ivar is_begun: Whether the reader has begun it.
    :ivar is_open: Whether they have played it, so that they may see what others made of it.
    :ivar par: What agents made of it on each seat; ``None`` if they have not played it, or it is not told.
    :ivar replay: The id of the agents' game, if it is told and kept.
    :ivar count: How many people have begun it.
    :ivar rows: What they made of it, the best first.
    """

    is_begun: bool
    is_open: bool
    par: list[float] | None
    replay: str | None
    count: int
    rows: list[Row]


class _Entry(msgspec.Struct, frozen=True):
    """An attempt as it is stored, with what became of its game."""

    name: str
    is_own: bool
    seat: int
    game: str
    seconds: float | None
    value: float | None
    is_running: bool
    is_kept: bool

    def told(self, *, is_open: bool) -> Row:
        """Return what the reader may know."""
        if not is_open:
            return Row(self.name, self.is_own, self.is_running)
        replay = self.game if self.is_kept else None
        return Row(self.name, self.is_own, self.is_running, self.seat, self.value, self.seconds, replay)


def deals_of(path: Path, challenge: Challenge, person: int | None, sessions: Collection[bytes]) -> list[Deal]:
    """Read what people made of the deals of a challenge.

    :param path: The journal's file.
    :param challenge: The challenge.
    :param person: The reader's number, if they have a key.
    :param sessions: The digests of the sessions that they have shown.
    :result: The deals.
    """
    with closing(read_only(path)) as connection:
        # What is read belongs to one moment.
        connection.execute("BEGIN")
        pars = _pars(connection, challenge.number)
        return [
            _deal(list(_entries(connection, challenge.number, deal, person, sessions)), pars.get(deal))
            for deal in range(len(challenge.seeds))
        ]


def _deal(entries: list[_Entry], par: tuple[list[float], str | None] | None) -> Deal:
    """Tell of a deal what its reader may know."""
    own = [entry for entry in entries if entry.is_own]
    is_open = any(not entry.is_running for entry in own)
    listed = [*own, *[entry for entry in entries if not entry.is_own][:LISTED]]
    if is_open:
        listed.sort(key=lambda entry: (entry.value is None, -(entry.value or 0), entry.seconds or 0))
    rows = [entry.told(is_open=is_open) for entry in listed]
    results, replay = par if par and is_open else (None, None)
    return Deal(bool(own), is_open, results, replay, len(entries), rows)


def _pars(connection: sqlite3.Connection, challenge: int) -> dict[int, tuple[list[float], str | None]]:
    rows = connection.execute(
        "SELECT deal, results, iif(EXISTS (SELECT 1 FROM finished WHERE finished.id = par.game), game, NULL) "
        "FROM par WHERE challenge = ?",
        (challenge,),
    )
    return {deal: (json.loads(results), game) for deal, results, game in rows}


def _entries(
    connection: sqlite3.Connection, challenge: int, deal: int, person: int | None, sessions: Collection[bytes]
) -> Iterable[_Entry]:
    rows: Iterable[tuple[Any, ...]] = connection.execute(
        "SELECT name, person, session, seat, game, seconds, value, "
        "EXISTS (SELECT 1 FROM running WHERE running.id = attempt.game), "
        "EXISTS (SELECT 1 FROM finished WHERE finished.id = attempt.game) "
        "FROM attempt WHERE challenge = ? AND deal = ? ORDER BY since, who",
        (challenge, deal),
    )
    for name, owner, session, seat, game, seconds, value, is_running, is_kept in rows:
        is_own = session in sessions or (person is not None and owner == person)
        yield _Entry(name, is_own, seat, game, seconds, value, bool(is_running), bool(is_kept))
