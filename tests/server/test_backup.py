"""Tests of ``tisch backup --into``: a folder of backups, the newest of which are kept, and one is restored."""

from __future__ import annotations

import re
import shlex
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from places import ROOT
from serving import run, serving
from tisch import cli
from tisch.server.store import backup, journal_file

PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
MIDNIGHT = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """An empty journal."""
    path = tmp_path / "data" / journal_file.JOURNAL
    path.parent.mkdir()
    journal_file.make(path)
    with closing(journal_file.opened(path)) as connection:
        journal_file.end_wal(connection)
    return path


def test_the_newest_are_kept_and_nothing_else_is_removed(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    others = {"tisch-2025.sqlite", "tisch-2020-01-01-000000.sqlite.gz", "notes.txt"}
    for name in others:
        (folder / name).touch()
    nights = [MIDNIGHT + timedelta(days=number) for number in range(5)]
    for night in nights:
        new = backup.rotate(journal, folder, 3, night)
        assert new == folder / f"tisch-2026-11-{night.day}-000000.sqlite"
        assert new.stat().st_mode & 0o077 == 0
    kept = {path.name for path in folder.iterdir()} - others
    assert kept == {f"tisch-2026-11-{day}-000000.sqlite" for day in (22, 23, 24)}
    assert others <= {path.name for path in folder.iterdir()}


def test_where_no_backup_is_made_none_is_removed(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    first = backup.rotate(journal, folder, 1, MIDNIGHT)
    content = bytearray(journal.read_bytes())
    assert len(content) > 3 * journal_file.PAGE
    content[2 * journal_file.PAGE : 3 * journal_file.PAGE] = b"\xff" * journal_file.PAGE
    journal.write_bytes(content)
    with pytest.raises(ValueError, match=r"is damaged|cannot be written"):
        backup.rotate(journal, folder, 1, MIDNIGHT + timedelta(days=1))
    assert [*folder.iterdir()] == [first]
    with pytest.raises(ValueError, match="At least one backup must be kept, not 0"):
        backup.rotate(journal, folder, 0, MIDNIGHT)
    journal.unlink()
    with pytest.raises(ValueError, match="There is no journal"):
        backup.rotate(journal, folder, 1, MIDNIGHT + timedelta(days=1))
    assert [*folder.iterdir()] == [first]


def test_bad_ways_to_ask_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for flags, words in (
        ((), "Name either the new file or, with --into, the folder"),
        (("a.sqlite", "--into", "copies"), "Name either the new file or, with --into, the folder"),
        (("--into", "file/copies"), "The folder file/copies cannot be used: Not a directory."),
    ):
        told = run(tmp_path, "backup", "--data", "nowhere", *flags)
        assert (told.returncode, told.stdout) == (1, "")
        assert told.stderr.startswith(f"tisch backup: {words}"), told.stderr


def test_a_server_starts_with_the_newest_of_a_running_one(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        told = run(tmp_path, "backup", "--data", server.data, "--into", "copies")
        assert (told.returncode, told.stderr) == (0, "")
        with closing(sqlite3.connect(tmp_path / told.stdout.strip())) as copy:
            assert copy.execute("PRAGMA application_id").fetchone() == (journal_file.APPLICATION,)
        restored = tmp_path / "again" / "data"
        restored.mkdir(parents=True)
        (tmp_path / told.stdout.strip()).rename(restored / journal_file.JOURNAL)
    with serving(tmp_path / "again") as server:
        assert server.get("/readyz")["ready"]


def test_the_documented_unit_makes_a_backup(monkeypatch: pytest.MonkeyPatch, journal: Path, tmp_path: Path) -> None:
    (line,) = re.findall(r"ExecStart=\S*/tisch (backup .*)", PAGE)
    words = shlex.split(line)
    assert (words[words.index("--data") + 1], words[words.index("--into") + 1]) == (
        "/var/lib/tisch",
        "/var/lib/tisch-backup",
    )
    words[words.index("--data") + 1] = str(journal.parent)
    words[words.index("--into") + 1] = str(tmp_path / "copies")
    monkeypatch.chdir(tmp_path)
    assert cli.main(words) == 0
    assert len([*(tmp_path / "copies").iterdir()]) == 1
