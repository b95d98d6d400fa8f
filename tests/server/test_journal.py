"""Tests of the server's journal, with real files and real processes: what was answered is there, whatever happens."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from places import TESTS
from tisch.arena import Match
from tisch.record import Record
from tisch.replay import transcripts
from tisch.server.store import journal as module
from tisch.server.store.journal import Journal, JournalError
from tisch.server.store.journal_file import APPLICATION, MIGRATIONS, PAGE, RESERVED, WITHOUT_WAL, backup, begin_wal
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

#: A game before its first move.
NULL = Record("null", {}, 1, [])
#: Opens a journal, says so and waits for ever.
HOLDER = """
import sys, time
from pathlib import Path
from tisch.server.store.journal import Journal
journal = Journal(Path(sys.argv[1]))
print("open", flush=True)
time.sleep(600)
"""
#: Plays eight games at once, two moves a call, for ever; after each answer it reports the game and its last move.
WRITER = """
import asyncio, os, sys
from pathlib import Path
from tisch.record import Record
from tisch.server.store.journal import Journal
from tisch.table.kept import AddMove, BeginGame, SaveTable

async def table(journal, name):
    await journal.write(SaveTable(name, b"{}"), BeginGame(name, name, Record("null", {}, 7, []), 1.5))
    number = 0
    while True:
        await journal.write(*(AddMove(name, number + step, step, f"move {number + step}") for step in (1, 2)))
        number += 2
        os.write(1, f"{name} {number}\\n".encode())

async def main():
    journal = Journal(Path(sys.argv[1]))
    await asyncio.gather(*(table(journal, f"{sys.argv[2]}-{place}") for place in range(8)))

asyncio.run(main())
"""
#: Saves ever more until its files may grow no further, and reports every answer and then how it ended.
FILLER = """
import asyncio, resource, sys
from pathlib import Path
from tisch.server.store.journal import Journal, JournalError
from tisch.table.kept import SaveTable

async def main():
    journal = Journal(Path(sys.argv[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    for number in range(10_000):
        try:
            await journal.write(SaveTable(f"{number:04}", b"x" * 5000))
        except JournalError as error:
            print(error)
            break
        print(f"{number:04}")
    await asyncio.wait_for(journal.failed.wait(), 60)
    later = journal.write(SaveTable("later", b"x"))
    print(type(later.exception()).__name__)
    await journal.close()

asyncio.run(main())
"""
#: Makes a journal whose file may grow no further while its WAL is written into it, and ends like a killed server.
STUCK = """
import os, resource, sqlite3, sys
from pathlib import Path
from tisch.server.store.journal_file import RESERVED, begin_wal, make, opened

path = Path(sys.argv[1])
make(path)
connection = opened(path)

def save(number):
    connection.execute("INSERT INTO open_table VALUES (?, ?)", (f"{number:04}", b"x" * 5000))

# The WAL has its size already; only the file can be the one that is too long.
for number in range(2 * RESERVED // 5000):
    save(number)
    if number % 50 == 0:
        begin_wal(connection)
begin_wal(connection)
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size,) * 2)
save(9998)
try:
    begin_wal(connection)
except sqlite3.Error as error:
    print(type(error).__name__, flush=True)
save(9999)
os._exit(0)
"""
#: Opens a journal, though no file may grow beyond so many bytes, and tells its tables and games.
OPENER = """
import asyncio, resource, sys
from pathlib import Path
from tisch.server.store.journal import Journal

async def main():
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
    journal = Journal(Path(sys.argv[1]))
    print([table.id for table in journal.tables()], [game.id for game in await journal.games(5)])
    await journal.close()

asyncio.run(main())
"""
TEXT = "tisch: 1\ngame: null\noptions: {}\nseed: 3\n\n0 low\n0 keep\n1 low\n\nresult: 0 0\n"


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run a test's coroutine, but not for ever."""

    async def limited() -> None:
        await asyncio.wait_for(main, 60)

    asyncio.run(limited())


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Journal]:
    """Open a journal and close it again."""
    journal = Journal(path)
    try:
        yield journal
    finally:
        await journal.close()


@contextmanager
def held_up(path: Path) -> Iterator[None]:
    """Keep the journal's writer waiting, as a slow disk would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")


def traced(journal: Journal) -> list[str]:
    """Return the list of the statements that the journal's writer begins from now on; it grows."""
    statements: list[str] = []
    journal._connection.set_trace_callback(statements.append)
    return statements


async def until_held_up(statements: list[str]) -> None:
    """Wait until the writer begins to commit what it has taken: it takes nothing more before it may."""
    while not statements:  # noqa: ASYNC110 - Nobody tells of a statement that waits.
        await asyncio.sleep(0.002)


@contextmanager
def process(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Start a script as a process of its own, and kill it in the end."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def begin(name: str, seed: int = 3) -> tuple[Change, ...]:
    """Open a table and begin a game of the same name."""
    return SaveTable(name, b"{}"), BeginGame(name, name, Record("null", {}, seed, []), 10.5)


def end(name: str, text: str = TEXT) -> EndGame:
    """End a game."""
    return EndGame(name, text, 20.25, ["Ada", "Bén"], [3, -3], "All is said.")


def stored(path: Path) -> list[StoredTable]:
    """What a server finds when it starts."""

    async def look() -> list[StoredTable]:
        async with opened(path) as journal:
            return journal.tables()

    return asyncio.run(look())


def moves(table: StoredTable) -> list[tuple[int, str]]:
    """The moves of a table's running game."""
    assert table.game is not None
    return list(table.game.record.moves)


def test_tables_and_their_games_come_back(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    options = {"rounds": 3, "house": ["7", "8"], "names": {"ö": None}}

    async def main() -> None:
        async with opened(path) as journal:
            assert journal.tables() == []
            await journal.write(SaveTable("b", b'{"limit": 15}'), SaveTable("a", b"old"))
            game = BeginGame("game", "a", Record("tichu", options, 42, []), 1763467200.125, {"note": "Für Zoë: 你好"})
            await journal.write(game, AddMove("game", 1, 3, "play S7 B7"), SaveTable("a", b"\x00\xffnew"))
            await journal.write(AddMove("game", 2, 0, "pass"))

    run(main())
    record = Record("tichu", options, 42, [(3, "play S7 B7"), (0, "pass")])
    expected = StoredGame("game", record, 1763467200.125, {"note": "Für Zoë: 你好"})
    assert stored(path) == [StoredTable("a", b"\x00\xffnew", expected), StoredTable("b", b'{"limit": 15}', None)]


def test_every_seed_comes_back(tmp_path: Path) -> None:
    seeds = [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]

    async def main() -> None:
        async with opened(tmp_path / "journal") as journal:
            for number, seed in enumerate(seeds):
                await journal.write(*begin(f"{number}", seed))

    run(main())
    assert [table.game and table.game.record.seed for table in stored(tmp_path / "journal")] == seeds


def test_the_order_of_calls_is_kept(tmp_path: Path) -> None:
    answered: list[int] = []

    async def main() -> None:
        async with opened(tmp_path / "journal") as journal:
            await journal.write(*begin("game"))
            for number in range(1, 1001):
                call = journal.write(AddMove("game", number, 0, f"{number}"), SaveTable("game", f"{number}".encode()))
                call.add_done_callback(lambda _, number=number: answered.append(number))  # type: ignore[misc]
                if number % 100 == 0:
                    await asyncio.sleep(0.002)

    run(main())
    assert answered == list(range(1, 1001))
    (table,) = stored(tmp_path / "journal")
    assert table.snapshot == b"1000"
    assert [text for _, text in moves(table)] == [f"{number}" for number in range(1, 1001)]


def test_what_lies_ready_is_committed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def main() -> None:
        async with opened(path) as journal:
            await journal.write(*begin("game"))
            statements = traced(journal)
            with held_up(path):
                first = journal.write(AddMove("game", 1, 0, "first"))
                await until_held_up(statements)
                rest = [journal.write(AddMove("game", number, 1, "more")) for number in range(2, 500)]
                await asyncio.sleep(0.05)
                assert not any(call.done() for call in (first, *rest))
            await asyncio.gather(first, *rest)
            # A single move needs none: its statement is a transaction.
            assert statements.count("COMMIT") == 1
            assert sum(statement.startswith("INSERT") for statement in statements) <= 1 + 498 // module.ROWS + 1

    run(main())
    assert len(moves(stored(path)[0])) == 499


def test_a_commit_is_forced_onto_the_disk(tmp_path: Path) -> None:
    # No test can cut the power; this is what SQLite promises it for.
    async def main() -> None:
        async with opened(tmp_path / "journal") as journal:
            await journal.write()
            ask = journal._connection.execute
            assert ask("PRAGMA journal_mode").fetchone() == ("wal",)
            assert ask("PRAGMA synchronous").fetchone() == (2,)

    run(main())


REFUSED: dict[str, tuple[tuple[Change, ...], str]] = {
    "a move of no game": ((AddMove("nobody", 1, 0, "pass"),), "of no game that is running"),
    "a move made twice": ((AddMove("game", 1, 0, "pass"),), "UNIQUE"),
    "a move before the first": ((AddMove("game", 0, 0, "pass"),), "from 1 to 1048575"),
    "a move where the next game's begin": ((AddMove("game", 1 << 20, 0, "pass"),), "from 1 to 1048575"),
    "moves taken back in no game": ((TakeBack("nobody", 1),), "no game 'nobody' is running"),
    "a game of no table": ((BeginGame("new", "nowhere", NULL, 1.0),), "FOREIGN KEY"),
    "a second game at the table": ((BeginGame("new", "game", NULL, 1.0),), "UNIQUE"),
    "a game begun twice": ((SaveTable("b", b""), BeginGame("game", "b", NULL, 1.0)), "UNIQUE"),
    "a finished game": (
        (SaveTable("b", b""), BeginGame("over", "b", NULL, 1.0)),
        "'over' is finished",
    ),
    "the end of no game": ((end("nobody"),), "no game 'nobody' is running"),
    "the end of a finished game": ((end("over"),), "no game 'over' is running"),
    "a seed too large": ((*begin("new", 1 << 64),), r"not 18446744073709551616"),
    "a negative seed": ((*begin("new", -1),), "not -1"),
    "no time": ((SaveTable("b", b""), BeginGame("new", "b", NULL, float("nan"))), "NOT NULL"),
    "half a character": ((AddMove("game", 2, 0, "\ud800"),), "surrogates"),
    "an option that is no JSON": (
        (SaveTable("b", b""), BeginGame("new", "b", Record("null", {"x": {1}}, 1, []), 1.0)),
        "set",
    ),
    "a right change before a wrong one": ((AddMove("game", 2, 0, "pass"), AddMove("game", 1, 0, "pass")), "UNIQUE"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_wrong_change_is_refused_and_spares_all_others(case: str, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    changes, sentence = REFUSED[case]

    async def main() -> None:
        async with opened(path) as journal:
            await journal.write(*begin("over"), end("over"), DropTable("over"), *begin("game"))
            await journal.write(AddMove("game", 1, 0, "low"))
            with held_up(path):
                calls = [journal.write(SaveTable("game", b"before"))]
                calls += [journal.write(*changes), journal.write(AddMove("game", 2, 1, "low"))]
                await asyncio.sleep(0.02)
            before, refused, after = await asyncio.gather(*calls, return_exceptions=True)
            assert before is after is None
            assert type(refused) is ValueError and "The journal refuses a change that cannot be: " in str(refused)
            with pytest.raises(ValueError, match=sentence):
                await calls[1]
            assert not journal.failed.is_set()

    run(main())
    (table,) = stored(path)
    assert table.snapshot == b"before"
    assert moves(table) == [(0, "low"), (1, "low")]


def test_who_gives_up_waiting_leaves_what_he_wrote(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def main() -> None:
        async with opened(path) as journal:
            with held_up(path):
                given_up, other = journal.write(SaveTable("a", b"")), journal.write(SaveTable("b", b""))
                given_up.cancel()
            await other

    run(main())
    assert [table.id for table in stored(path)] == ["a", "b"]


def test_a_running_game_tells_nothing_and_a_finished_one_all(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def main() -> None:
        async with opened(path) as journal:
            await journal.write(*begin("game"), *(AddMove("game", number, 0, "low") for number in range(1, 4)))
            assert await journal.finished("game") is None
            assert await journal.finished("nobody") is None
            assert await journal.games(10) == []
            assert [line async for line in journal.records()] == []
            await journal.write(end("game"))
            assert (await journal.finished("game") or ("", ""))[1] == TEXT
            (game,) = await journal.games(10)
            assert (game.id, game.game, game.players, game.points) == ("game", "null", ["Ada", "Bén"], [3, -3])
            assert (game.reason, game.started, game.ended, game.moves) == ("All is said.", 10.5, 20.25, 3)

    run(main())
    assert stored(path) == [StoredTable("game", b"{}", None)]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM move").fetchone() == (0,)


def test_games_are_paged_from_the_newest_on(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "journal") as journal:
            for number in range(25):
                ending = end(f"{number}")._replace(points=None) if number == 7 else end(f"{number}")
                await journal.write(*begin(f"{number}"), ending, DropTable(f"{number}"))
            found: list[str] = []
            before = None
            while page := await journal.games(10, before):
                assert len(page) <= 10
                found += [game.id for game in page]
                before = page[-1].number
            assert found == [f"{number}" for number in range(24, -1, -1)]
            assert [game.id for game in await journal.games(25) if game.points is None] == ["7"]

    run(main())


def test_a_dropped_table_takes_its_unfinished_game_along(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def main() -> None:
        async with opened(path) as journal:
            await journal.write(*begin("game"), AddMove("game", 1, 0, "low"), *begin("other"))
            await journal.write(DropTable("game"), DropTable("unknown"))
            assert await journal.games(10) == []
            await journal.write(*begin("game"))  # Nothing of it is left in the way.

    run(main())
    assert [(table.id, moves(table)) for table in stored(path)] == [("game", []), ("other", [])]


def test_the_record_is_verified_by_tisch_replay(tmp_path: Path) -> None:
    played = tmp_path / "played"
    Match("null", ["random", "random"], games=2 * module.BATCH + 5, seed=3, workers=0, record=played).run()
    texts = [str(transcript) for _, transcript in transcripts(played)]
    texts += [file.read_text("utf-8") for file in sorted((TESTS / "transcripts").glob("*null*"))]
    texts += [file.read_text("utf-8") for file in sorted((TESTS / "transcripts").glob("*-rule*"))]
    record = tmp_path / "record"

    async def main() -> None:
        async with opened(tmp_path / "journal") as journal:
            for number, text in enumerate(texts):
                await journal.write(*begin(f"{number}"), end(f"{number}", text), DropTable(f"{number}"))
            record.write_bytes(b"".join([line async for line in journal.records()]))

    run(main())
    assert [str(transcript) for _, transcript in transcripts(record)] == texts
    command = [sys.executable, "-m", "tisch", "replay", str(record)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{len(texts)} games and ") and done.stdout.endswith(" moves are correct.\n")
    record.write_bytes(record.read_bytes().replace(b"result: ", b"result: 9", 1))
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


def test_reading_waits_for_no_writer(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def main() -> None:
        async with opened(path) as journal:
            await journal.write(*begin("game"), end("game"))
            with held_up(path):
                pending = journal.write(DropTable("game"))
                await asyncio.sleep(0.02)
                assert (await journal.finished("game") or ("", ""))[1] == TEXT
                assert len(await journal.games(5)) == len([line async for line in journal.records()]) == 1
                assert not pending.done()
            await pending

    run(main())


def test_a_backup_is_a_journal(tmp_path: Path) -> None:
    path, copy = tmp_path / "journal", tmp_path / "elsewhere" / "copy"
    copy.parent.mkdir()
    counts: list[int] = []

    async def main() -> None:
        async with opened(path) as journal:
            await journal.write(*begin("over"), end("over"), DropTable("over"), *begin("game"))
            calls = [journal.write(AddMove("game", number, 0, "low")) for number in range(1, 2001)]
            await calls[100]
            answered = sum(call.done() for call in calls)
            await asyncio.to_thread(backup, path, copy)
            await asyncio.gather(*calls)
            with pytest.raises(ValueError, match=r"There is already a file .*copy; a backup is written to a new one"):
                await asyncio.to_thread(backup, path, copy)
            with pytest.raises(ValueError, match=r"The backup .* cannot be written: No such file or directory"):
                await asyncio.to_thread(backup, path, tmp_path / "nowhere" / "copy")
            with pytest.raises(ValueError, match=r"There is no journal .*nowhere"):
                backup(tmp_path / "nowhere", tmp_path / "copy")
        counts.append(answered)

    async def elsewhere() -> None:
        async with opened(copy) as journal:
            assert (await journal.finished("over") or ("", ""))[1] == TEXT
            await journal.write(*begin("more"))

    run(main())
    assert counts[0] <= len(moves(stored(copy)[0])) <= 2000
    run(elsewhere())
    assert [file.name for file in copy.parent.iterdir() if file.suffix != ".lock"] == ["copy"]
    assert len(moves(stored(path)[0])) == 2000


def test_a_vacuumed_copy_is_a_journal(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "journal") as journal:
            await journal.write(*begin("game"), AddMove("game", 1, 0, "low"))
            with closing(sqlite3.connect(journal.path)) as connection:
                connection.execute("VACUUM INTO ?", (str(tmp_path / "copy"),))

    run(main())
    assert stored(tmp_path / "copy") == stored(tmp_path / "journal") != []


def test_a_closed_journal_is_one_file_and_takes_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def main() -> None:
        journal = Journal(path)
        calls = [journal.write(SaveTable(f"{number}", b"")) for number in range(50)]
        await asyncio.gather(journal.close(), journal.close())
        assert all(call.done() and call.exception() is None for call in calls)
        with pytest.raises(JournalError, match="is closed"):
            await journal.write(SaveTable("late", b""))
        assert not journal.failed.is_set() and not journal._thread.is_alive()

    run(main())
    assert sorted(file.name for file in tmp_path.iterdir()) == ["journal", "journal.lock"]
    assert len(stored(path)) == 50


@pytest.mark.skipif(os.name != "posix", reason="Only POSIX has these modes.")
def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "journal") as journal:
            await journal.write(SaveTable("a", b""))
            await asyncio.to_thread(backup, tmp_path / "journal", tmp_path / "copy")
            for name in ("journal", "journal-wal", "journal-shm", "copy"):
                assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600

    run(main())


# --- what is written --------------------------------------------------------------------------------------------------


def test_a_move_is_one_small_page_and_the_wal_does_not_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal"
    wal = tmp_path / "journal-wal"
    commits = 300

    async def main() -> None:
        async with opened(path) as journal:
            size = wal.stat().st_size
            assert size < 1.2 * 2**20
            await journal.write(*begin("game"))
            ask = journal._connection.execute
            assert ask("PRAGMA page_size").fetchone() == (PAGE,) == (512,)
            (_, before, _) = ask("PRAGMA wal_checkpoint").fetchone()
            for number in range(1, commits + 1):
                await journal.write(AddMove("game", number, number % 4, "play S7 B7"))
            (_, after, _) = ask("PRAGMA wal_checkpoint").fetchone()
            assert commits <= after - before < 1.15 * commits
            monkeypatch.setattr(module, "COMMITS", 5)
            monkeypatch.setattr(module, "QUIET", 0.01)
            for _ in range(12):
                await journal.write()
                while journal._commits:
                    # The quiet moment may have come before the last commits.
                    if journal._commits < module.COMMITS:
                        await journal.write()
                    await asyncio.sleep(0.02)
                for number in range(5):
                    await journal.write(*(SaveTable(f"{table}", b"%06d" % number * 1000) for table in range(10)))
            assert wal.stat().st_size == size
            assert path.stat().st_size > 12 * 5000

    run(main())


def test_the_wal_does_not_grow_for_ever_where_there_is_no_quiet_moment(tmp_path: Path) -> None:
    async def main() -> None:
        async with opened(tmp_path / "journal") as journal:
            for number in range(150):
                await journal.write(*(SaveTable(f"{table}", b"%06d" % number * 1000) for table in range(10)))
            assert (tmp_path / "journal-wal").stat().st_size < 16_500 * (PAGE + 24) < 9_000_000

    run(main())


def test_moves_added_ahead_are_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def main() -> None:
        async with opened(path) as journal:
            await journal.write(*begin("game"), *begin("other"), AddMove("other", 3, 0, "low"))
            await journal.write(*(AddMove("game", number, 0, f"{number}") for number in range(1, 5)))
            await journal.write(TakeBack("game", 3), AddMove("game", 3, 1, "bomb"), TakeBack("other", 4))

    run(main())
    game, other = stored(path)
    assert moves(game) == [(0, "1"), (0, "2"), (1, "bomb")]
    assert moves(other) == [(0, "low")]


def old_journal(path: Path, finished: int) -> None:
    """Make a journal as the first version was."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA page_size = 4096")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(f"{MIGRATIONS[0]} PRAGMA user_version = 1")
        for name in ("b", "a", "c"):
            connection.execute("INSERT INTO open_table VALUES (?, ?)", (name, b"{}"))
        for name, seed in (("b", 1 << 63), ("a", 7)):
            row = (f"game {name}", name, "tichu", '{"rounds": 3}', f"{seed}", 1.5, '{"note": "ö"}')
            connection.execute("INSERT INTO running VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            rows = [(f"game {name}", number, number % 4, f"{name} {number}") for number in range(300, 0, -1)]
            connection.executemany("INSERT INTO move VALUES (?, ?, ?, ?)", rows)
        game = ("maumau", '["Ada"]', "[3]", "Done.", 1.0, 2.0, 3, TEXT + "x" * 100_000)
        connection.executemany(
            "INSERT INTO finished (id, game, players, points, reason, started, ended, moves, transcript) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(f"over {number}", *game) for number in range(finished)],
        )
        connection.commit()


def test_a_journal_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    old_journal(path, 3)

    async def main() -> None:
        async with opened(path) as journal:
            assert [game.id for game in await journal.games(9)] == ["over 2", "over 1", "over 0"]
            assert (await journal.finished("over 1") or ("", ""))[1].startswith(TEXT)
            await journal.write(AddMove("game a", 301, 0, "next"), end("game b"), DropTable("b"))
            assert journal._connection.execute("PRAGMA page_size").fetchone() == (PAGE,) == (512,)

    made = {name: [(number % 4, f"{name} {number}") for number in range(1, 301)] for name in "ab"}
    games = {
        name: StoredGame(f"game {name}", Record("tichu", {"rounds": 3}, seed, made[name]), 1.5, {"note": "ö"})
        for name, seed in (("a", 7), ("b", 1 << 63))
    }
    assert stored(path) == [StoredTable(name, b"{}", games.get(name)) for name in "abc"]
    run(main())
    a, c = stored(path)
    assert moves(a) == [*made["a"], (0, "next")] and c.game is None
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM move").fetchone() == (301,)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_an_old_journal_that_has_no_room_to_be_written_anew_keeps_its_pages(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    path = tmp_path / "journal"
    old_journal(path, 40)
    size = path.stat().st_size
    assert size > 4_000_000
    for _ in range(2):
        command = [sys.executable, "-c", OPENER, str(path), str(size + 50_000)]
        environment = os.environ | {"SQLITE_TMPDIR": str(tmp_path)}
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=environment)
        assert (done.stdout, done.stderr) == (f"['a', 'b', 'c'] {[f'over {n}' for n in range(39, 34, -1)]}\n", "")


def test_a_disk_without_room_is_found_before_anything_begins(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    command = [sys.executable, "-c", OPENER, str(tmp_path / "journal"), "300000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1 and done.stdout == ""
    assert f"ValueError: The journal {tmp_path / 'journal'} cannot be opened: " in done.stderr


def remove_file(path: Path) -> None:
    path.unlink()


def remove_log(path: Path) -> None:
    path.with_name("journal-wal").unlink()


def replace_file(path: Path) -> None:
    backup(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def rename_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


@pytest.mark.parametrize("lose", [remove_file, remove_log, replace_file, rename_folder])
@pytest.mark.parametrize("is_asked", [False, True])
def test_a_journal_that_loses_its_file_answers_nothing_more(
    lose: Callable[[Path], None], is_asked: bool, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "journal"
    path.parent.mkdir()

    async def main() -> None:
        async with opened(path) as journal:
            await journal.write(SaveTable("a", b""))
            assert journal.look()
            await asyncio.to_thread(lose, path)
            if is_asked:
                assert not journal.look() and not journal.look()
            sentence = f"The journal {path} can no longer be written: its file is gone, or there is another one"
            for _ in range(2):
                with pytest.raises(JournalError, match=sentence):
                    await journal.write(SaveTable("b", b""))
            assert journal.failed.is_set() and not journal.look()

    run(main())


# --- a WAL that is lost -----------------------------------------------------------------------------------------------


def cut_off(path: Path, *, commits: int = 3, anew: bool = False) -> Path:
    """Make a journal of three tables and take its files as they are after a power cut.

    :param path: The folder.
    :param commits: (Optional) How many commits follow on the tables.
    :param anew: (Optional) Whether the WAL was written into the file before.
    :result: The journal.
    """
    lost = path / "lost" / "journal"
    lost.parent.mkdir()

    async def main() -> None:
        async with opened(path / "journal") as journal:
            await journal.write(*(SaveTable(name, b"old") for name in "abc"))
            if anew:
                begin_wal(journal._connection)
            for number in range(commits):
                await journal.write(SaveTable("c", b"%d" % number))
            for file in (path / "journal", path / "journal-wal"):
                (lost.parent / file.name).write_bytes(file.read_bytes())

    run(main())
    return lost


def without(log: Path) -> None:
    log.unlink()


def emptied(log: Path) -> None:
    log.write_bytes(b"")


def zeros(log: Path) -> None:
    log.write_bytes(bytes(log.stat().st_size))


def head_only(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:32] + bytes(log.stat().st_size - 32))


def short(log: Path) -> None:
    log.write_bytes(log.read_bytes()[: 32 + 24 + PAGE])


@pytest.mark.parametrize("anew", [False, True])
@pytest.mark.parametrize("lose", [without, emptied, zeros, head_only, short])
def test_a_journal_that_has_lost_its_wal_is_refused_and_left_as_it_is(
    lose: Callable[[Path], None], anew: bool, tmp_path: Path
) -> None:
    path = cut_off(tmp_path, anew=anew)
    whole = {file: file.read_bytes() for file in path.parent.iterdir()}
    log = path.with_name("journal-wal")
    lose(log)
    left = {file: file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".lock"}
    sentence = f"The journal {path} lacks what was written last: the file journal-wal beside it is missing or damaged."
    for _ in range(2):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            Journal(path)
        with pytest.raises(ValueError, match=re.escape(sentence)):
            backup(path, tmp_path / "copy")
        assert {file: file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".lock"} == left
    # Whoever wants the rest gets it as a journal of its own.
    backup(path, tmp_path / "rest", rest=True)
    assert [table.id for table in stored(tmp_path / "rest")] == (list("abc") if anew else [])
    # Once the file is there again, nothing is missing.
    log.write_bytes(whole[log])
    assert [(table.id, table.snapshot) for table in stored(path)] == [("a", b"old"), ("b", b"old"), ("c", b"2")]


def test_a_journal_that_has_lost_its_file_is_refused(tmp_path: Path) -> None:
    path = cut_off(tmp_path)
    whole = path.read_bytes()
    for lose in (path.unlink, lambda: path.write_bytes(b"")):
        lose()
        with pytest.raises(ValueError, match="is empty, but journal-wal beside it is not: it has lost its file"):
            Journal(path)
    path.write_bytes(whole)
    assert [table.id for table in stored(path)] == list("abc")


@pytest.mark.parametrize("commits", [0, 3])
def test_a_power_cut_loses_nothing_and_is_no_loss_of_the_wal(commits: int, tmp_path: Path) -> None:
    path = cut_off(tmp_path, commits=commits)
    found = [(table.id, table.snapshot) for table in stored(path)]
    assert found == [("a", b"old"), ("b", b"old"), ("c", b"2" if commits else b"old")]


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_power_cut_while_the_wal_begins_anew_is_no_loss_of_it(steps: int, tmp_path: Path) -> None:
    path = cut_off(tmp_path)
    connection = sqlite3.connect(path, isolation_level=None)
    # As begin_wal does, but only so many steps of it; another connection keeps SQLite from tidying up at its end.
    for step in (
        f"PRAGMA application_id = {WITHOUT_WAL}",
        "PRAGMA wal_checkpoint(PASSIVE)",
        f"PRAGMA application_id = {APPLICATION}",
    )[:steps]:
        connection.execute(step)
    again = tmp_path / "again"
    again.mkdir()
    for file in (path, path.with_name("journal-wal")):
        (again / file.name).write_bytes(file.read_bytes())
    connection.close()
    assert [table.snapshot for table in stored(again / "journal")] == [b"old", b"old", b"2"]


def test_another_program_of_sqlite_may_write_the_wal_into_the_file(tmp_path: Path) -> None:
    path = cut_off(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM open_table").fetchone() == (3,)
    assert not path.with_name("journal-wal").exists()
    assert [table.snapshot for table in stored(path)] == [b"old", b"old", b"2"]


def test_a_disk_that_was_full_while_the_wal_began_anew_is_no_loss_of_it(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    stuck = subprocess.run([sys.executable, "-c", STUCK, str(path)], capture_output=True, text=True, check=True)
    assert stuck.stdout == "OperationalError\n"
    # Meanwhile there is space again, and another program of SQLite writes the WAL into the file.
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT max(id) FROM open_table").fetchone() == ("9999",)
    assert not path.with_name("journal-wal").exists()
    assert [table.id for table in stored(path)][-2:] == ["9998", "9999"]


def test_a_wal_that_is_too_short_grows_behind_what_was_committed(tmp_path: Path) -> None:
    path = cut_off(tmp_path, commits=0)
    assert [table.id for table in stored(path)] == list("abc")
    again = tmp_path / "again"
    again.mkdir()
    # A journal that was closed needs no WAL, so one of any size may hold what another program has committed.
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO open_table VALUES ('d', x'6e6577')")
        for file in (path, path.with_name("journal-wal")):
            (again / file.name).write_bytes(file.read_bytes())
    assert 0 < (again / "journal-wal").stat().st_size < RESERVED
    assert [(table.id, table.snapshot) for table in stored(again / "journal")][-1] == ("d", b"new")


# --- what is refused --------------------------------------------------------------------------------------------------


def text_file(path: Path) -> None:
    path.write_text("Dear diary, today I lost at Tichu again.\n" * 30)


def short_file(path: Path) -> None:
    path.write_text("x")


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE recipe (text TEXT)")


def marked_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA application_id = 77")


def newer_journal(path: Path) -> None:
    stored(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA user_version = 99")


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (text_file, "cannot be opened: file is not a database"),
        (short_file, "is no journal of a server"),
        (other_database, "is no journal of a server"),
        (marked_database, "is no journal of a server"),
        (newer_journal, f"was written by a newer tisch: it has format 99, and this one reads up to {len(MIGRATIONS)}"),
    ],
)
def test_another_file_is_refused_and_left_alone(make: Callable[[Path], None], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "journal"
    make(path)
    content = path.read_bytes()
    for _ in range(2):
        with pytest.raises(ValueError, match=sentence):
            Journal(path)
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot be opened: No such file or directory\."):
        Journal(tmp_path / "nowhere" / "journal")
    with pytest.raises(ValueError, match=r"cannot be opened: Is a directory\."):
        Journal(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has a folder where even root cannot write.")
def test_a_folder_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(ValueError, match=r"The journal /proc/journal cannot be opened: .+\."):
        Journal(Path("/proc/journal"))


def test_a_journal_broken_off_while_it_was_made_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    assert stored(path) == []


def test_a_journal_belongs_to_one_server(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    refusal = "belongs to another server that is running"
    with process(HOLDER, path) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "open\n"
        (tmp_path / "alias").symlink_to(path)
        for name in ("journal", "journal", "alias"):
            with pytest.raises(ValueError, match=refusal):
                Journal(tmp_path / name)
        holder.kill()
        holder.wait()

    async def main() -> None:
        async with opened(path):
            for _ in range(2):
                with pytest.raises(ValueError, match=refusal):
                    Journal(path)
                # The failed attempt has not let go of our own lock.
                with process(HOLDER, path) as other:
                    assert other.stdout is not None and other.stdout.read() == ""
                assert other.returncode == 1

    run(main())
    assert stored(path) == []


@pytest.mark.parametrize("attempts", [8, pytest.param(40, marks=pytest.mark.slow)])
def test_kill_9_loses_nothing_that_was_answered(tmp_path: Path, attempts: int) -> None:
    path = tmp_path / "journal"
    chance = random.Random(9)
    reported: dict[str, int] = {}
    attempt, was_ahead = 0, False
    # Only a kill between a commit and its report shows anything.
    while attempt < attempts or not was_ahead:
        attempt += 1
        assert attempt < 20 * attempts, "No process was killed between a commit and its report."
        with process(WRITER, path, attempt) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(chance.randrange(1, 300))]
            time.sleep(chance.random() * 0.01)
            writer.kill()
            lines += writer.stdout.read().splitlines(keepends=True)
        assert writer.returncode == -signal.SIGKILL
        for line in lines:
            name, number = line.split()
            reported[name] = int(number)
        found = {table.id: moves(table) for table in stored(path)}
        for made in found.values():
            assert made == [(2 - number % 2, f"move {number}") for number in range(1, len(made) + 1)]
            assert len(made) % 2 == 0, "half a call was committed"
        assert all(len(found[name]) >= number for name, number in reported.items())
        was_ahead |= any(len(made) > reported.get(name, 0) for name, made in found.items())
    assert len(reported) > 5 * attempts


def test_a_full_disk_stops_everything_and_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    path = tmp_path / "journal"
    command = [sys.executable, "-c", FILLER, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    *answered, reason, later = done.stdout.splitlines()
    assert answered == [f"{number:04}" for number in range(len(answered))] != []
    assert reason.startswith(f"The journal {path} can no longer be written: ")
    assert later == "JournalError"
    assert done.stderr == ""
    assert {table.id for table in stored(path)} >= set(answered)


def test_all_who_wait_learn_of_the_failure(tmp_path: Path) -> None:
    path = tmp_path / "journal"

    async def main() -> None:
        journal = Journal(path)
        await journal.write(SaveTable("kept", b"k"))
        (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
        journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        statements = traced(journal)
        with held_up(path):
            first = journal.write(SaveTable("small", b""))
            await until_held_up(statements)
            group = [journal.write(SaveTable(f"{number}", b"x" * 9000)) for number in range(5)]
        behind = asyncio.create_task(journal.failed.wait())
        await first
        answers = await asyncio.gather(*group, return_exceptions=True)
        await behind
        for answer in answers:
            assert isinstance(answer, JournalError)
            assert str(answer) == f"The journal {path} can no longer be written: database or disk is full."
        assert len(set(map(id, answers))) == 5
        for _ in range(3):
            with pytest.raises(JournalError, match="disk is full"):
                await journal.write(SaveTable("tiny", b""))
        assert [table.id for table in journal.tables()] == ["kept", "small"]
        await journal.close()

    run(main())
    assert [table.id for table in stored(path)] == ["kept", "small"]


def test_what_comes_while_the_journal_fails_is_answered(tmp_path: Path) -> None:
    async def main() -> None:
        journal = Journal(tmp_path / "journal")
        await journal.write()
        journal._connection.execute("PRAGMA max_page_count = 1")
        calls = [journal.write(SaveTable("large", b"x" * 90000))]
        # The writer has this one when the turn of the event loop is over.
        await asyncio.sleep(0)
        # The writer fails while the event loop is kept busy, and ends before it can tell.
        while journal._thread.is_alive():
            calls.append(journal.write(SaveTable("more", b"")))
        calls.append(journal.write(SaveTable("more", b"")))
        answers = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), 60)
        assert all(isinstance(answer, JournalError) for answer in answers)
        await journal.close()

    run(main())
