"""The rounds of a database of logs as games of the engine: from the deal, with every decision, to the score."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

from tisch.games.tichu.logs import history
from tisch.games.tichu.logs.store import APPLICATION, VERSION
from tisch.games.tichu.moves import Move
from tisch.games.tichu.options import Options
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.state import SEATS
from tisch.ports.logs import LoggedGame, Logs

_ROUND: Final = (
    "SELECT entry, game, number, rounds.score_20, rounds.score_31, calls, deal, gifts, history, "
    + ", ".join(f"(SELECT name FROM players WHERE id = rounds.player_{seat})" for seat in SEATS)
    + " FROM rounds JOIN games ON games.id = game WHERE rounds.rowid = ?"
)
_BEFORE: Final = "SELECT score_20, score_31 FROM rounds WHERE game = ? AND number < ? ORDER BY number"


class LoggedRounds(Logs):
    """The clean rounds of a database of logs. Each round is a game, which begins with the scores of those before it."""

    @classmethod
    def fits(cls, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                if file.read(16) != b"SQLite format 3\0":
                    return False
            with closing(_connect(path)) as connection:
                return bool(_pragma(connection, "application_id") == APPLICATION)
        except (OSError, sqlite3.Error):
            return False

    def __init__(self, path: Path) -> None:
        self.connection = _connect(path)
        version = _pragma(self.connection, "user_version")
        if version != VERSION:
            self.close()
            raise ValueError(
                f"The database {path} has version {version} of the tables, this program reads version {VERSION}: "
                "import the logs again."
            )

    def deals(self) -> Iterator[tuple[int, int]]:
        for number, deal in self.connection.execute("SELECT rowid, deal FROM rounds WHERE clean ORDER BY rowid"):
            yield number, _digest(deal)

    def read(self, number: int) -> LoggedGame:
        row = self.connection.execute(_ROUND, (number,)).fetchone()
        if row is None:
            raise ValueError(f"There is no round with the number {number}.")
        entry, game, counted, one, other, calls, deal, gifts, moves, *players = row
        if [*map(len, (deal, gifts, calls))] != [56, 12, 4]:
            raise ValueError(f"The round {counted} of {entry} is damaged.")
        scores = self.connection.execute(_BEFORE, (game, counted)).fetchall()
        lead = float(one - other)
        turns = _turns(deal, gifts, calls, moves, scores)
        place = f"{entry}, round {counted}"
        return LoggedGame(number, place, _digest(deal), players, (lead, -lead, lead, -lead), turns)

    def close(self) -> None:
        self.connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    # Not "ro": only a connection that may write removes the files of the write-ahead log when it is closed.
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _turns(
    deal: bytes, gifts: bytes, calls: bytes, moves: bytes, scores: Sequence[tuple[int, int]]
) -> Iterator[tuple[TichuState, int, Move]]:
    """Yield the state before each move, the seat and the move; make the move afterwards."""
    state, decisions = history.opening(deal, gifts, calls, moves)
    state.options = Options(rounds=len(scores) + 1)
    state.scores = (tuple(one for one, _ in scores), tuple(other for _, other in scores))
    for seat, move in decisions:
        yield state, seat, move
        state.play(seat, move)


def _digest(deal: bytes) -> int:
    """Return a number that tells deals apart, in any database."""
    return int.from_bytes(sha256(deal).digest()[:8], "big")
