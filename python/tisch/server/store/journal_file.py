"""The journal's file: how it is made, opened by one process at a time, brought up to date and copied.

One SQLite file in WAL mode. A small machine keeps it on an SD card, which wears out by what is written. A commit costs
whole blocks of the file system, and several more whenever a file grows. Pages are therefore small, a move is a short
row behind the one before, and the WAL grows once, at the start; from then on it is written over in place.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

#: The journal's name in a server's data folder.
JOURNAL = "journal.sqlite"
#: SQLite's application id of the file: the letters "tisj".
APPLICATION = 0x7469736A
#: The application id in the file itself as long as its last changes are in the WAL: the letters "tisk". The WAL has the
#: other one, so whoever reads both never sees this one, and a file with this one has lost its WAL.
WITHOUT_WAL = 0x7469736B
#: Where the application id is in the file, as big-endian number.
ID_AT = slice(68, 72)
#: The size of SQLite's smallest page; SQLite takes a shorter file for an empty one and overwrites it.
SMALLEST = 512
#: The size of the file's pages, in bytes; a commit writes at least one.
PAGE = 512
#: The number of cached statements; those that insert rows differ by the number of rows.
STATEMENTS = 256
#: The most moves of a game: the key of a move is its game's number times this, plus its own.
ROOM = 1 << 20
#: The migrations from each version of the file to the next; the first one creates it. A seed is stored as text, because
#: it may exceed SQLite's largest integer. The long transcript is the last column, so that lists need not read it.
#: Since the second, a move's key is one number: SQLite then fills page after page, and a commit touches one.
#: Since the third, games of private tables are marked; lists go by an index of all others, and read no transcript.
#: Since the fourth, people have a key, by its digest; their games are results of their own, which say who played how
#: after the transcript is dropped. Networks that the operator has banned stay so.
#: Since the fifth, people challenge each other: who has begun which deal of a challenge, and what came of it.
MIGRATIONS = (
    f"""
    PRAGMA application_id = {APPLICATION};
    CREATE TABLE open_table (id TEXT PRIMARY KEY NOT NULL, snapshot BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE running (
        id TEXT PRIMARY KEY NOT NULL,
        open_table TEXT NOT NULL UNIQUE REFERENCES open_table ON DELETE CASCADE,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        seed TEXT NOT NULL,
        started REAL NOT NULL,
        notes TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE move (
        running TEXT NOT NULL REFERENCES running ON DELETE CASCADE,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (running, number)
    ) WITHOUT ROWID;
    CREATE TABLE finished (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        players TEXT NOT NULL,
        points TEXT NOT NULL,
        reason TEXT NOT NULL,
        started REAL NOT NULL,
        ended REAL NOT NULL,
        moves INTEGER NOT NULL,
        transcript TEXT NOT NULL
    );
    """,
    f"""
    CREATE TABLE game_now (
        number INTEGER PRIMARY KEY NOT NULL,
        id TEXT NOT NULL UNIQUE,
        open_table TEXT NOT NULL UNIQUE REFERENCES open_table ON DELETE CASCADE,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        seed TEXT NOT NULL,
        started REAL NOT NULL,
        notes TEXT NOT NULL
    );
    CREATE TABLE move_now (key INTEGER PRIMARY KEY NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL);
    INSERT INTO game_now SELECT NULL, * FROM running;
    INSERT INTO move_now SELECT game_now.number * {ROOM} + move.number, seat, text
        FROM game_now JOIN move ON move.running = game_now.id;
    DROP TABLE move;
    DROP TABLE running;
    ALTER TABLE game_now RENAME TO running;
    ALTER TABLE move_now RENAME TO move;
    CREATE TRIGGER game_is_gone AFTER DELETE ON running BEGIN
        DELETE FROM move WHERE key BETWEEN old.number * {ROOM} AND old.number * {ROOM} + {ROOM - 1};
    END;
    """,
    """
    ALTER TABLE finished ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX open_game ON finished (number) WHERE private = 0;
    """,
    """
    CREATE TABLE person (
        number INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB UNIQUE, name TEXT NOT NULL, since REAL NOT NULL
    );
    CREATE TABLE person_seat (
        session BLOB PRIMARY KEY NOT NULL,
        person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
        since REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX seat_of_person ON person_seat (person, since);
    CREATE TABLE played (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        ended REAL NOT NULL,
        sides TEXT NOT NULL,
        payoffs TEXT NOT NULL,
        points TEXT NOT NULL,
        players TEXT NOT NULL
    );
    CREATE TABLE result (
        person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
        played INTEGER NOT NULL REFERENCES played ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        PRIMARY KEY (person, played)
    ) WITHOUT ROWID;
    CREATE INDEX person_of_result ON result (played);
    CREATE TABLE ban (network TEXT PRIMARY KEY NOT NULL, since REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE rating (
        player TEXT NOT NULL,
        game TEXT NOT NULL,
        value REAL NOT NULL,
        deviation REAL NOT NULL,
        volatility REAL NOT NULL,
        games INTEGER NOT NULL,
        PRIMARY KEY (player, game)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE challenge (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        agent TEXT NOT NULL,
        seeds TEXT NOT NULL,
        since REAL NOT NULL,
        day TEXT NOT NULL
    );
    CREATE UNIQUE INDEX challenge_of_day ON challenge (day, game) WHERE day != '';
    CREATE TABLE attempt (
        challenge INTEGER NOT NULL REFERENCES challenge ON DELETE CASCADE,
        deal INTEGER NOT NULL,
        who TEXT NOT NULL,
        name TEXT NOT NULL,
        person INTEGER,
        session BLOB NOT NULL,
        seat INTEGER NOT NULL,
        game TEXT NOT NULL,
        since REAL NOT NULL,
        seconds REAL,
        value REAL,
        PRIMARY KEY (challenge, deal, who)
    ) WITHOUT ROWID;
    CREATE INDEX attempt_of_person ON attempt (person) WHERE person IS NOT NULL;
    CREATE INDEX attempt_of_game ON attempt (game);
    CREATE TABLE par (
        challenge INTEGER NOT NULL REFERENCES challenge ON DELETE CASCADE,
        deal INTEGER NOT NULL,
        game TEXT NOT NULL,
        results TEXT NOT NULL,
        PRIMARY KEY (challenge, deal)
    ) WITHOUT ROWID;
    """,
)
#: The initial size of the WAL in pages, which is enough unless very much is written. A newer tisch must not ask for
#: more: a WAL that is shorter counts as lost.
PAGES = 2000
#: The bytes of a WAL's head, and of a frame's head; each frame holds a page.
WAL_HEAD = 32
FRAME_HEAD = 24
#: The size of a WAL of so many pages, in bytes.
RESERVED = WAL_HEAD + PAGES * (FRAME_HEAD + PAGE)
#: A WAL of this size is written into the file in any case.
LONGEST = 8 * RESERVED
#: The memory for pages, in KB: what is written is seldom read again.
CACHE = 128
#: The settings of the connection. Everybody waits during a checkpoint of the WAL, and SQLite would forget the other id.
#: So the journal does it, in quiet moments; without any it happens seldom, and the WAL grows, to 9 MB at most.
SETTINGS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "fullfsync = ON",
    "foreign_keys = ON",
    "wal_autocheckpoint = 0",
    f"cache_size = -{CACHE}",
    f"journal_size_limit = {RESERVED}",
)


def make(path: Path) -> None:
    """Create an empty file that only its owner may read, unless it exists: a journal holds hidden cards.

    :param path: The file.
    :raises OSError: It cannot be created.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def lock(path: Path) -> sqlite3.Connection:
    """Lock a file beside the journal until the process ends, in whatever way.

    The lock is SQLite's own, on an empty database: it works on every system, and the kernel releases it.

    :param path: The journal's file.
    :result: The connection that holds the lock until it is closed.
    :raises ValueError: Another server has it.
    :raises sqlite3.Error: The file beside it cannot be used.
    """
    connection = sqlite3.connect(f"{path}.lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        connection.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise ValueError(f"The journal {path} belongs to another server that is running.") from error
        raise
    return connection


def opened(path: Path) -> sqlite3.Connection:
    """Open the file for writing, and migrate it.

    :param path: The file, which exists and is locked.
    :result: The connection.
    :raises ValueError: It is not a journal, or one of a newer tisch.
    :raises sqlite3.Error: It cannot be used.
    :raises OSError: The disk is full.
    """
    _require_whole(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS)
    try:
        version = _version(connection, path)
        _set_page(connection)
        for setting in SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        for number, migration in enumerate(MIGRATIONS[version:], start=version + 1):
            connection.executescript(f"BEGIN; {migration} PRAGMA user_version = {number}; COMMIT")
        _reserve(connection, path)
    except (sqlite3.Error, OSError, ValueError):
        connection.close()
        raise
    return connection


def _set_page(connection: sqlite3.Connection) -> None:
    """Give the file small pages; a file of an older tisch is rewritten, if there is space for that."""
    with suppress(sqlite3.OperationalError):
        if connection.execute("PRAGMA page_size").fetchone() != (PAGE,):
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute(f"PRAGMA page_size = {PAGE}")
            connection.execute("VACUUM")


def _reserve(connection: sqlite3.Connection, path: Path) -> None:
    """Grow the WAL and begin it anew: later it is overwritten, and only growing files are expensive.

    So a full disk shows at the start, and not in the middle of a game. To SQLite, what is behind the last frame means
    nothing.
    """
    # With the first commit there is a WAL.
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    with wal_of(path).open("r+b") as wal:
        wal.write(bytes(max(0, RESERVED - wal.seek(0, os.SEEK_END))))
    begin_wal(connection)


def begin_wal(connection: sqlite3.Connection) -> None:
    """Checkpoint the WAL, so that it is overwritten from its beginning, and let the file know that it needs it.

    :param connection: The connection that writes.
    :raises sqlite3.Error: The file cannot be written.
    """
    connection.execute(f"PRAGMA application_id = {WITHOUT_WAL}")
    try:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    finally:
        # On a full disk, too: whoever writes this WAL into the file later must not write the other id.
        connection.execute(f"PRAGMA application_id = {APPLICATION}")


def end_wal(connection: sqlite3.Connection) -> None:
    """Write everything into the file, which needs no WAL from then on.

    :param connection: The connection that writes.
    :raises sqlite3.Error: The file cannot be written.
    """
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def wal_of(path: Path) -> Path:
    """Return the WAL of a journal.

    :param path: The journal's file.
    :result: The file beside it.
    """
    return path.with_name(f"{path.name}-wal")


def _require_whole(path: Path) -> None:
    """Refuse a file that is not all of a journal, before SQLite could tidy up what is left of it.

    :raises ValueError: It is no journal, or the WAL that it needs is lost, or the other way round.
    """
    with path.open("rb") as file:
        head = file.read(SMALLEST)
    wal = wal_of(path)
    if not head and wal.exists() and wal.stat().st_size:
        raise ValueError(
            f"The journal {path} is empty, but {wal.name} beside it is not: it has lost its file. Put that back, or "
            "restore a backup; without both files, a new journal begins."
        )
    if 0 < len(head) < SMALLEST:
        raise ValueError(f"The file {path} is no journal of a server.")
    if int.from_bytes(head[ID_AT], "big") == WITHOUT_WAL and not _is_wal(wal):
        raise ValueError(
            f"The journal {path} lacks what was written last: the file {wal.name} beside it is missing or damaged. Put "
            "it back, or restore a backup. 'tisch backup --rest' copies the rest, if it cannot be had."
        )


def _is_wal(file: Path) -> bool:
    """Return whether a file can be the WAL of a journal that was not closed: a power cut may have ended its restart."""
    try:
        with file.open("rb") as wal:
            head = wal.read(WAL_HEAD + FRAME_HEAD)
            size = os.fstat(wal.fileno()).st_size
    except FileNotFoundError:
        return False
    # Two numbers identify the frames since the last restart, which adds one to the first number.
    first, frame = (int.from_bytes(head[start : start + 4], "big") for start in (16, WAL_HEAD + 8))
    return size >= RESERVED and first != 0 and frame in (first, first - 1)


def files_of(path: Path) -> tuple[list[tuple[int, int]], int]:
    """Identify the files that have the journal's names now.

    :param path: The journal's file.
    :result: The device and inode of the file and of its WAL, and the length of that.
    :raises OSError: A file is missing.
    """
    file, wal = path.stat(), wal_of(path).stat()
    return [(status.st_dev, status.st_ino) for status in (file, wal)], wal.st_size


def _version(connection: sqlite3.Connection, path: Path) -> int:
    application, version, tables = (
        connection.execute(question).fetchone()[0]
        for question in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    if application not in (APPLICATION, WITHOUT_WAL) and (application or version or tables):
        raise ValueError(f"The file {path} is no journal of a server.")
    if version > len(MIGRATIONS):
        raise ValueError(
            f"The journal {path} was written by a newer tisch: it has format {version}, and this one reads up to "
            f"{len(MIGRATIONS)}."
        )
    return int(version)


def read_only(path: Path) -> sqlite3.Connection:
    """Open the file for reading, while it is written.

    :param path: The file.
    :result: The connection.
    :raises sqlite3.Error: It cannot be read.
    """
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)


def whole(path: Path) -> sqlite3.Connection:
    """Open a journal for reading, while it is written, if nothing of it is lost.

    :param path: The file.
    :result: The connection.
    :raises ValueError: It is no journal, not whole, or one of a newer tisch.
    :raises sqlite3.Error: It cannot be read.
    :raises OSError: It cannot be read.
    """
    _require_whole(path)
    connection = read_only(path.resolve())
    try:
        _version(connection, path)
    except (sqlite3.Error, ValueError):
        connection.close()
        raise
    return connection


def backup(source: Path, target: Path, *, rest: bool = False) -> None:
    """Copy a journal; a server may use it meanwhile.

    :param source: The journal's file.
    :param target: The new file, which is a complete journal.
    :param rest: (Optional) Whether to copy what is left of a journal that has lost its WAL.
    :raises ValueError: The journal does not exist or is damaged, the new file exists, or it cannot be written.
    """
    if not source.exists():
        raise ValueError(f"There is no journal {source}.")
    if not rest:
        _require_whole(source)
    if target.exists():
        raise ValueError(f"There is already a file {target}; a backup is written to a new one.")
    try:
        # Only a complete copy gets the name, whenever the process ends.
        with tempfile.TemporaryDirectory(prefix=".backup-", dir=target.absolute().parent) as folder:
            copy = Path(folder) / "journal"
            make(copy)
            with closing(read_only(source.resolve())) as origin, closing(sqlite3.connect(copy)) as connection:
                _version(origin, source)
                origin.backup(connection)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                if (found := connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                    raise ValueError(f"The journal {source} is damaged, and so would be its backup: {found}.")
            copy.rename(target)
    except OSError as error:
        raise ValueError(f"The backup {target} cannot be written: {error.strerror}.") from error
    except sqlite3.Error as error:
        raise ValueError(f"The backup {target} cannot be written: {error}.") from error
