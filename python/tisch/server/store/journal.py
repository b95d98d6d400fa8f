"""The journal of a server: every move is on the disk before any client gets it.

One SQLite file in WAL mode holds the open tables with their running games, and all finished games. One thread writes
and commits by groups: it takes whatever lies ready, commits it as one transaction that is forced onto the disk, and
answers all who wait for it at once. What has been answered survives a kill and a power failure. Reads have connections
and threads of their own and stop neither the writer nor the event loop.

Finished games are kept as their transcripts, for ever unless somebody drops them. A game of a thousand moves takes
about 8 KB, so that ten games a day come to 30 MB a year. A running game takes about 20 KB at its end, which are used
again for others.

The journal knows no game and no table: snapshots, options and moves are what the table makes of them. Another room that
keeps tables of its own in the file changes them by an :class:`Entry`.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

import msgspec

from tisch.record import Record
from tisch.server.store.journal_file import (
    LONGEST,
    ROOM,
    begin_wal,
    end_wal,
    files_of,
    lock,
    make,
    opened,
    read_only,
)
from tisch.table.kept import (
    AddMove,
    BeginGame,
    Change,
    DropTable,
    EndGame,
    SaveTable,
    StoredGame,
    StoredTable,
    TakeBack,
)
from tisch.table.seating import unmarked

#: The most rows of one INSERT statement.
ROWS = 64
#: For how many moves there is a statement; each takes memory as long as it is known.
SIZES = (1, 4, 16, ROWS)
#: The WAL is checkpointed after this many commits, once nothing was written for this many seconds.
COMMITS = 1000
QUIET = 0.2
#: All finished games have lower numbers.
NEWEST = (1 << 63) - 1
#: The number of games that are read at a time when all are requested.
BATCH = 20
#: Why the journal ends when its files were deleted, renamed or replaced.
GONE = "its file is gone, or there is another one in its place"
#: The errors of a change that is wrong in itself, not of a file that cannot be written.
REFUSALS = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    TypeError,
    ValueError,
)


class JournalError(Exception):
    """The journal can no longer be written; the server must stop, because nothing more would be kept."""


class Entry(ABC):
    """A change of tables that another room has in the journal's file."""

    @abstractmethod
    def enter(self, connection: sqlite3.Connection) -> None:
        """Make the change, in the thread of the writer and as a part of its transaction.

        :param connection: The connection that writes.
        :raises ValueError: The change cannot be; then nothing of its call is changed.
        """


#: One call of :meth:`Journal.write`: the future of the caller, and the changes.
_Call: TypeAlias = tuple[asyncio.Future[None], tuple[Change | Entry, ...]]


class FinishedGame(msgspec.Struct, frozen=True):
    """A finished game, as lists show it.

    :ivar number: Its place among the finished games, rising with time.
    :ivar id: Its id, by which its transcript is found.
    :ivar game: The game's name.
    :ivar players: The name on each seat.
    :ivar kinds: Who sat on each seat, ``human`` or ``ai``.
    :ivar points: The points of each seat; ``None`` if it was broken off.
    :ivar reason: One line of English: why it was over.
    :ivar started: When it began, in seconds since 1970.
    :ivar ended: When it ended.
    :ivar moves: The number of its moves.
    """

    number: int
    id: str
    game: str
    players: list[str]
    kinds: list[str]
    points: list[int] | None
    reason: str
    started: float
    ended: float
    moves: int


class Journal:
    """The journal of a server, held by one process at a time.

    :param path: The file; it is made if there is none, readable for its owner only. A file beside it, named
        with ``.lock``, is locked as long as the process lives.
    :raises ValueError: The file cannot be used; the message says why.
    :ivar failed: Set when the journal can no longer be written.
    :ivar ended: Why nothing more is written, once that is so.
    :ivar written: The time of the last write, by the clock of the event loop.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.failed = asyncio.Event()
        self.ended: str | None = None
        self.written = float("-inf")
        self._commits = 0
        self._ready: list[_Call] = []
        self._queue: SimpleQueue[list[_Call] | None] = SimpleQueue()
        try:
            make(self.path)
            self._lock = lock(self.path)
            try:
                self._connection = opened(self.path)
                self._files, _ = files_of(self.path)
            except (sqlite3.Error, OSError, ValueError):
                self._lock.close()
                raise
        except OSError as error:
            raise ValueError(f"The journal {self.path} cannot be opened: {error.strerror}.") from error
        except sqlite3.Error as error:
            raise ValueError(f"The journal {self.path} cannot be opened: {error}.") from error
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def write(self, *changes: Change | Entry) -> asyncio.Future[None]:
        """Commit changes: all of one call or none, and the calls in their order.

        Cancelling the wait does not take the changes back.

        :param changes: The changes.
        :result: Done when they are on the disk. It raises ``ValueError`` if they contradict what the journal holds,
            which is a fault of the caller and spares all others, and :class:`JournalError` if the journal has failed.
        """
        loop = asyncio.get_running_loop()
        self.written = loop.time()
        waiter: asyncio.Future[None] = loop.create_future()
        if self.ended is not None:
            waiter.set_exception(JournalError(self.ended))
            return waiter
        if not self._ready:
            # What all tables do in this turn of the event loop is one commit.
            loop.call_soon(self._hand_over)
        self._ready.append((waiter, changes))
        return waiter

    def _hand_over(self) -> None:
        """Hand to the writer what lies ready."""
        ready, self._ready = self._ready, []
        if ready:
            self._queue.put(ready)

    def tables(self) -> list[StoredTable]:
        """Read every open table; meant for the start, before anything is written.

        :result: The tables by rising ids.
        """
        with closing(read_only(self.path)) as connection:
            connection.execute("BEGIN")
            games = {row[2]: _stored_game(connection, row) for row in connection.execute("SELECT * FROM running")}
            rows = connection.execute("SELECT id, snapshot FROM open_table ORDER BY id")
            return [StoredTable(table, snapshot, games.get(table)) for table, snapshot in rows]

    def ids(self) -> list[str]:
        """Read what it knows of the past; meant for the start, before anything is written.

        :result: How many finished games, people and challenges there ever were, and the ids of open tables and running
            games. While these are the same, no id is in use that was given since.
        """
        with closing(read_only(self.path)) as connection:
            # The last numbers that were given, and not how many there are: both may be deleted.
            last = connection.execute(
                "SELECT seq FROM sqlite_sequence WHERE name IN ('finished', 'person', 'challenge') ORDER BY name"
            )
            rows = connection.execute("SELECT id FROM open_table UNION SELECT id FROM running ORDER BY id")
            return [*(str(number) for (number,) in last), *(name for (name,) in rows)]

    def look(self) -> bool:
        """Check that the files are still where they were opened; if not, the journal has failed.

        :result: Whether they are.
        """
        if self.ended is None and self._length() is None:
            self._break([], GONE)
        return self.ended is None

    async def games(self, limit: int, before: int | None = None) -> list[FinishedGame]:
        """List finished games of open tables, the newest first.

        :param limit: The most games.
        :param before: (Optional) The number of the last game of the page before.
        :result: The games.
        """
        rows = await self.read(
            "SELECT number, id, game, players, points, reason, started, ended, moves FROM finished "
            "INDEXED BY open_game WHERE private = 0 AND number < ? ORDER BY number DESC LIMIT ?",
            NEWEST if before is None else before,
            limit,
        )
        return [
            FinishedGame(number, game_id, game, *unmarked(json.loads(players)), json.loads(points), *rest)
            for number, game_id, game, players, points, *rest in rows
        ]

    async def finished(self, game_id: str) -> tuple[list[str], str] | None:
        """Read a finished game.

        :param game_id: The game's id.
        :result: The name on each seat, and the transcript; ``None`` if there is no such game, or it is running and its
            cards are still hidden.
        """
        rows = await self.read("SELECT players, transcript FROM finished WHERE id = ?", game_id)
        return (unmarked(json.loads(rows[0][0]))[0], rows[0][1]) if rows else None

    async def records(self) -> AsyncIterator[bytes]:
        """Read every finished game of an open table as a line of an arena record, which ``tisch replay`` verifies.

        :result: The lines, the oldest game first; only a few are in memory at a time.
        """
        statement = (
            "SELECT number, players, transcript FROM finished INDEXED BY open_game "
            "WHERE private = 0 AND number > ? ORDER BY number LIMIT ?"
        )
        last = 0
        while rows := await self.read(statement, last, BATCH):
            for last, players, transcript in rows:
                game = {"game": last, "deal": last, "agents": json.loads(players), "fault": None}
                yield msgspec.json.encode({**game, "transcript": transcript}) + b"\n"

    async def close(self) -> None:
        """Commit pending changes, end the writer and release the file; later writes fail."""
        if self.ended is None:
            last = self.write()
            self.ended = f"The journal {self.path} is closed."
            with suppress(JournalError):
                await last
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        self._lock.close()

    async def read(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Read what has been committed.

        :param statement: The statement.
        :param values: Its values.
        :result: The rows.
        """
        return await asyncio.to_thread(_rows, self.path, statement, values)

    # The following methods run in the writer's thread, except _settle and _break, which run in the event loop.

    def _run(self) -> None:
        try:
            while group := self._take():
                try:
                    answers = self._commit(group)
                except BaseException as error:
                    _tell(group, self._break, str(error) or type(error).__name__)
                    if not isinstance(error, sqlite3.Error):
                        raise
                    return
                length = self._length()
                if length is None:
                    _tell(group, self._break, GONE)
                    return
                _tell(group, _settle, answers)
                if length > LONGEST:
                    # There is no quiet moment.
                    self._begin_anew()
        finally:
            with suppress(sqlite3.Error):  # If the disk fails, everybody has been told.
                end_wal(self._connection)
            self._connection.close()

    def _length(self) -> int | None:
        """Return the length of the WAL; ``None`` if a file has lost its name, so that changes would be lost."""
        try:
            files, length = files_of(self.path)
        except OSError:
            return None
        return length if files == self._files else None

    def _take(self) -> list[_Call]:
        """Take all pending calls, and wait for the first.

        :result: The calls; none when the journal is closed, because nothing is queued after that.
        """
        group: list[_Call] = []
        while not group or not self._queue.empty():
            try:
                calls = self._queue.get(timeout=QUIET if self._commits >= COMMITS else None)
            except Empty:
                self._begin_anew()
                continue
            if calls is None:
                break
            group += calls
        return group

    def _begin_anew(self) -> None:
        """Checkpoint the WAL, so that it is overwritten from its beginning."""
        self._commits = 0
        with suppress(sqlite3.Error):  # The WAL has everything, and if the disk fails, the next commit says so.
            begin_wal(self._connection)

    def _commit(self, group: list[_Call]) -> list[ValueError | None]:
        """Commit a group, and if one call of it is refused, each call by itself.

        :param group: The calls.
        :result: The refusal of each call, or ``None``.
        """
        changes = [change for _, changes in group for change in changes]
        if self._add(changes):
            return [None] * len(group)
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        try:
            self._apply(changes)
        except REFUSALS as error:
            execute("ROLLBACK")
            if len(group) > 1:
                return [answer for call in group for answer in self._commit([call])]
            return [ValueError(f"The journal refuses a change that cannot be: {error}.")]
        # If this fails, the group may be on the disk all the same: nobody was told, but a restart may find it.
        execute("COMMIT")
        self._commits += 1
        return [None] * len(group)

    def _add(self, changes: Sequence[Change | Entry]) -> bool:
        """Commit moves, if there is nothing else and all fit into one statement, which is a transaction by itself.

        Nearly all groups are like that, and with each statement the thread has to wait for the interpreter.

        :param changes: The changes of a group.
        :result: Whether it was done; otherwise nothing was changed.
        """
        moves = [change for change in changes if isinstance(change, AddMove)]
        if not 0 < len(moves) == len(changes) <= ROWS:
            return False
        try:
            self._insert_moves(moves)
        except REFUSALS:
            return False
        self._commits += 1
        return True

    def _apply(self, changes: Iterable[Change | Entry]) -> None:
        # Each statement releases the interpreter lock and has to wait for it again while the event loop is busy. Moves
        # and snapshots, which are frequent and independent, are therefore gathered into few statements.
        moves: list[AddMove] = []
        snapshots: dict[str, SaveTable] = {}
        for change in changes:
            if isinstance(change, AddMove):
                moves.append(change)
            elif isinstance(change, SaveTable):
                snapshots[change.table] = change
            else:
                self._insert(moves, snapshots)
                self._change(change)
        self._insert(moves, snapshots)

    def _insert(self, moves: list[AddMove], snapshots: dict[str, SaveTable]) -> None:
        saved = "INSERT INTO open_table VALUES {} ON CONFLICT DO UPDATE SET snapshot = excluded.snapshot"
        _insert(self._connection, saved, list(snapshots.values()))
        self._insert_moves(moves)
        moves.clear()
        snapshots.clear()

    def _insert_moves(self, moves: Sequence[AddMove]) -> None:
        if any(not 0 < move.number < ROOM for move in moves):
            raise ValueError(f"the number of a move must be from 1 to {ROOM - 1}")
        # A game that is not running has no number, and a move's seat may not be null.
        made = (
            "INSERT INTO move WITH made (id, number, seat, text) AS (VALUES {}) "
            f"SELECT running.number * {ROOM} + made.number, iif(running.number, seat, NULL), text "
            "FROM made LEFT JOIN running ON running.id = made.id WHERE made.id IS NOT NULL"
        )
        last = len(moves) % ROWS
        nothing = next(size for size in (0, *SIZES) if size >= last) - last
        try:
            _insert(self._connection, made, [*moves, *[(None,) * len(AddMove._fields)] * nothing])
        except sqlite3.IntegrityError as error:
            if "move.seat" in str(error):
                raise ValueError("a move is of no game that is running") from None
            raise

    def _change(self, change: DropTable | BeginGame | TakeBack | EndGame | Entry) -> None:
        execute = self._connection.execute
        if isinstance(change, DropTable):
            execute("DELETE FROM open_table WHERE id = ?", change)
        elif isinstance(change, BeginGame):
            self._begin(change)
        elif isinstance(change, TakeBack):
            low, high = self._keys(change.id)
            execute("DELETE FROM move WHERE key BETWEEN ? AND ?", (low + change.number, high))
        elif isinstance(change, EndGame):
            self._finish(change)
        else:
            change.enter(self._connection)

    def _keys(self, game_id: str) -> tuple[int, int]:
        """Find the first and the last key that a running game's moves may have."""
        found = self._connection.execute("SELECT number FROM running WHERE id = ?", (game_id,)).fetchone()
        if not found:
            raise ValueError(f"no game '{game_id}' is running")
        return found[0] * ROOM, found[0] * ROOM + ROOM - 1

    def _begin(self, change: BeginGame) -> None:
        game_id, table, record, started, notes = change
        seed = record.seed
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"the seed must be a number from 0 to 2^64 - 1, not {seed}")
        if self._connection.execute("SELECT 1 FROM finished WHERE id = ?", (game_id,)).fetchone():
            raise ValueError(f"the game '{game_id}' is finished")
        options = json.dumps(dict(record.options))
        row = (None, game_id, table, record.game, options, str(seed), started, json.dumps(dict(notes)))
        _insert(self._connection, "INSERT INTO running VALUES {}", [row])

    def _finish(self, change: EndGame) -> None:
        keys = self._keys(change.id)
        players, points = json.dumps(change.players), json.dumps(change.points)
        self._connection.execute(
            "INSERT INTO finished (id, game, players, points, reason, started, ended, moves, transcript, private) "
            "SELECT id, game, ?, ?, ?, started, ?, (SELECT count(*) FROM move WHERE key BETWEEN ? AND ?), ?, ? "
            "FROM running WHERE id = ?",
            (players, points, change.reason, change.ended, *keys, change.transcript, change.is_private, change.id),
        )
        self._connection.execute("DELETE FROM running WHERE id = ?", (change.id,))

    def _break(self, group: list[_Call], reason: str) -> None:
        if not self.failed.is_set():
            self.ended = f"The journal {self.path} can no longer be written: {reason}."
        while not self._queue.empty():
            group += self._queue.get() or ()
        group += self._ready
        self._ready = []
        for waiter, _ in group:
            if not waiter.done():
                waiter.set_exception(JournalError(self.ended))
        self.failed.set()


def _settle(group: list[_Call], answers: list[ValueError | None]) -> None:
    for (waiter, _), refusal in zip(group, answers, strict=True):
        if waiter.done():
            continue
        if refusal:
            waiter.set_exception(refusal)
        else:
            waiter.set_result(None)


def _tell(group: list[_Call], callback: Callable[[list[_Call], Any], None], answer: Any) -> None:
    with suppress(RuntimeError):  # The loop has been closed, and nobody waits any more.
        group[0][0].get_loop().call_soon_threadsafe(callback, group, answer)


def _insert(connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows, many at a time."""
    for start in range(0, len(rows), ROWS):
        part = rows[start : start + ROWS]
        row = f"({', '.join('?' * len(part[0]))})"
        connection.execute(statement.format(", ".join([row] * len(part))), list(chain.from_iterable(part)))


def _rows(path: Path, statement: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    with closing(read_only(path)) as connection:
        return connection.execute(statement, values).fetchall()


def _stored_game(connection: sqlite3.Connection, row: tuple[Any, ...]) -> StoredGame:
    number, game_id, _, game, options, seed, started, notes = row
    keys = (number * ROOM, number * ROOM + ROOM - 1)
    moves = connection.execute("SELECT seat, text FROM move WHERE key BETWEEN ? AND ? ORDER BY key", keys).fetchall()
    record = Record(game, json.loads(options), int(seed), moves)
    return StoredGame(game_id, record, started, json.loads(notes))
