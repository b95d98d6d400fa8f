"""The database of logged games: one SQLite file, which grows by whole batches."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

from tisch.games.tichu.logs.archive import Fault

#: Marks the file as ours, and the version of its tables.
APPLICATION: Final = 0x74696C67
VERSION: Final = 2

TABLES: Final = """
CREATE TABLE players (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    entry TEXT NOT NULL UNIQUE,
    player_0 INTEGER REFERENCES players,
    player_1 INTEGER REFERENCES players,
    player_2 INTEGER REFERENCES players,
    player_3 INTEGER REFERENCES players,
    score_20 INTEGER NOT NULL,
    score_31 INTEGER NOT NULL,
    clean INTEGER NOT NULL
);
CREATE TABLE rounds (
    game INTEGER NOT NULL REFERENCES games,
    number INTEGER NOT NULL,
    score_20 INTEGER NOT NULL,
    score_31 INTEGER NOT NULL,
    calls BLOB NOT NULL,
    winner INTEGER,
    double_win INTEGER NOT NULL,
    deal BLOB NOT NULL,
    gifts BLOB NOT NULL,
    history BLOB NOT NULL,
    clean INTEGER NOT NULL,
    bombs BLOB NOT NULL,
    player_0 INTEGER NOT NULL REFERENCES players,
    player_1 INTEGER NOT NULL REFERENCES players,
    player_2 INTEGER NOT NULL REFERENCES players,
    player_3 INTEGER NOT NULL REFERENCES players,
    PRIMARY KEY (game, number)
);
CREATE TABLE errors (
    entry TEXT NOT NULL,
    round INTEGER NOT NULL,
    line INTEGER NOT NULL,
    code TEXT NOT NULL,
    PRIMARY KEY (entry, round, line, code)
) WITHOUT ROWID;
CREATE VIEW seats AS
    SELECT game, number, seat,
        CASE seat
            WHEN 0 THEN player_0 WHEN 1 THEN player_1 WHEN 2 THEN player_2 ELSE player_3
        END AS player,
        instr(x'000102', substr(calls, seat + 1, 1)) - 1 AS call,
        winner IS seat AS first,
        (score_20 - score_31) * (1 - 2 * (seat % 2)) AS lead,
        double_win AND winner % 2 = seat % 2 AS double_win,
        instr(x'00010203', substr(bombs, seat + 1, 1)) - 1 AS bombs,
        clean
    FROM rounds CROSS JOIN (SELECT 0 AS seat UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3);
"""


class StoreError(Exception):
    """The database cannot be used; the message is a sentence."""


class Totals(NamedTuple):
    """What a database holds.

    :ivar games: The number of games.
    :ivar rounds: The number of rounds.
    :ivar errors: The number of errors of each code.
    """

    games: int
    rounds: int
    errors: dict[str, int]


class Store:
    """An open database."""

    def __init__(self, path: Path) -> None:
        """Open a database, or create it.

        :param path: The file.
        :raises StoreError: It cannot be opened, or holds something else.
        """
        try:
            self.connection = sqlite3.connect(path, isolation_level=None)
            with ExitStack() as opened:
                opened.callback(self.close)
                # A commit survives the end of the process; after a power failure the last ones may be read again.
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.execute("PRAGMA synchronous = NORMAL")
                self._prepare(path)
                opened.pop_all()
        except sqlite3.Error as error:
            raise StoreError(f"The database {path} cannot be opened: {error}.") from error

    def _prepare(self, path: Path) -> None:
        ours, version = (self.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _MARKS)
        if ours == APPLICATION and version == VERSION:
            return
        if ours or version or self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise StoreError(f"The file {path} is a database of something else, or of another version of tisch.")
        marks = "".join(f"PRAGMA {name} = {value};" for name, value in _MARKS.items())
        self.connection.executescript(f"BEGIN; {TABLES} {marks} COMMIT;")

    def close(self) -> None:
        """Close the database."""
        self.connection.close()

    def knows(self, entry: str) -> bool:
        """Tell whether a log was read before.

        :param entry: The name of its entry.
        :result: Whether it is in the database.
        """
        return self.connection.execute("SELECT 1 FROM games WHERE entry = ?", (entry,)).fetchone() is not None

    def add(self, names: Sequence[str], games: Sequence[Any], faults: Iterable[Fault]) -> None:
        """Add a batch in one transaction.

        :param names: The names of the logs.
        :param games: What ``read_logs`` returns for them.
        :param faults: The entries that could not be read.
        :raises StoreError: The database cannot be written; then nothing of the batch is in it.
        """
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            players = self._players({name for game in games if game for each in game[2] for name in each[-1]})
            for entry, game in zip(names, games, strict=True):
                self._add(entry, game, players)
            for fault in faults:
                self._add_errors(fault.entry, [(fault.code, 0, 0)])
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"The database cannot be written: {error}.") from error

    def _players(self, names: Collection[str]) -> dict[str, int]:
        """Return the number of each player, who is new or not."""
        rows = [(name,) for name in sorted(names)]
        self.connection.executemany("INSERT OR IGNORE INTO players (name) VALUES (?)", rows)
        number = "SELECT id FROM players WHERE name = ?"
        return {name: self.connection.execute(number, (name,)).fetchone()[0] for (name,) in rows}

    def _add(self, entry: str, game: Any, players: Mapping[str, int]) -> None:
        if game is None:
            self._add_errors(entry, [("foreign", 0, 0)])
            return
        names, score, rounds, errors = game
        row = (entry, *map(players.get, names), *score, not errors)
        added = self.connection.execute(_GAME, row).fetchone()
        if added is None:
            # The zip has two entries of this name: the first one counts.
            return
        rows = [(added[0], *each, *map(players.get, seated)) for *each, seated in rounds]
        self.connection.executemany(_ROUND, rows)
        self._add_errors(entry, errors)

    def _add_errors(self, entry: str, errors: Iterable[tuple[str, int, int]]) -> None:
        rows = [(entry, number, line, code) for code, number, line in errors]
        self.connection.executemany("INSERT OR IGNORE INTO errors VALUES (?, ?, ?, ?)", rows)

    def totals(self) -> Totals:
        """Count what the database holds."""
        games, rounds = (self.connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in _COUNTED)
        errors = self.connection.execute("SELECT code, count(*) FROM errors GROUP BY code ORDER BY code").fetchall()
        return Totals(games, rounds, dict(errors))


_MARKS: Final = {"application_id": APPLICATION, "user_version": VERSION}
_COUNTED: Final = ("games", "rounds")
_GAME: Final = (
    "INSERT INTO games (entry, player_0, player_1, player_2, player_3, score_20, score_31, clean) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id"
)
_ROUND: Final = f"INSERT INTO rounds VALUES ({', '.join('?' * 16)})"
