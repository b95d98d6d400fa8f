"""Checks of the data folder: whose it is, its space, how fast its disk is, and whether its journal is whole."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from tisch.server.config import Config
from tisch.server.doctor.findings import Finding, bad, good, size, warning
from tisch.server.store import journal_file

#: The free space below which a server should not start, and below which its host should think of it, in bytes.
NO_SPACE: Final = 50_000_000
LITTLE_SPACE: Final = 500_000_000
#: The time for a write that reaches the disk, which every move waits for: what nobody feels, and what everybody does.
QUICK: Final = 0.02
SLOW: Final = 0.2
#: How many writes are measured, and how long each is, as a move in the journal is.
WRITES: Final = 25
WRITTEN: Final = bytes(4096)
#: File systems of other machines, on which SQLite cannot share memory, and those that forget everything.
REMOTE: Final = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "fuse.rclone"})
FORGETFUL: Final = frozenset({"tmpfs", "ramfs"})


def folder(config: Config) -> Iterator[Finding]:
    """Check whether the data folder can be used, and by whom."""
    data = config.data.absolute()
    there = next(path for path in (data, *data.parents) if path.exists())
    if not there.is_dir():
        yield bad(f"{there} is not a folder.", "Choose another data folder (--data).")
        return
    if not os.access(there, os.W_OK | os.X_OK):
        whose = f"It belongs to the user {_owner(there)}, and this is {_user()}."
        what = f"The data folder {data} cannot be " + ("written." if there == data else f"created in {there}.")
        yield bad(f"{what} {whose}", "Run this as the server's user, or give the folder to it (chown).")
        return
    if there == data:
        yield _mode(data)
    else:
        yield good(f"The data folder {data} will be created.")
    yield from _file_system(data, file_system(there))
    yield space(data, shutil.disk_usage(there).free)
    yield speed(data, measured(there))


def _mode(data: Path) -> Finding:
    """Check who else can read the hands."""
    if os.name == "nt":
        return good(f"The data folder is {data}.")
    status = data.stat()
    # A server of root writes into a folder of another user, who then cannot read it.
    if status.st_uid != os.geteuid():
        cure = "Run this as the server's user, or give the folder to it (chown)."
        return warning(f"The data folder {data} belongs to the user {_owner(data)}, and this is {_user()}.", cure)
    if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        cure = f"chmod 700 {data} closes it. The journal in it has a mode of its own, for its owner only."
        return warning(f"Other users of this machine can look into the data folder {data}.", cure)
    return good(f"The data folder {data} is yours alone.")


def _owner(path: Path) -> str:
    try:
        return path.owner()
    except (KeyError, NotImplementedError, OSError):
        return "that owns it" if os.name == "nt" else str(path.stat().st_uid)


def _user() -> str:
    if os.name == "nt":
        return os.environ.get("USERNAME", "another one")
    import pwd  # noqa: PLC0415 - There is no such module on Windows.

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def file_system(folder_: Path, mounts: Path = Path("/proc/mounts")) -> str:
    """Return the kind of file system that a folder is on.

    :param folder_: The folder.
    :param mounts: (Optional) Where Linux lists what is mounted.
    :result: The kind, such as ``ext4``; empty on systems that do not say so there.
    """
    try:
        listed = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    here, best, kind = folder_.resolve(), 0, ""
    for line in listed:
        words = line.split()
        if len(words) < 3:
            continue
        # Blanks in a path are written as in C.
        place = Path(words[1].replace("\\040", " "))
        # What was mounted last at the same place lies on top.
        if here.is_relative_to(place) and len(place.parts) >= best:
            best, kind = len(place.parts), words[2]
    return kind


def _file_system(data: Path, kind: str) -> Iterator[Finding]:
    if kind in REMOTE:
        cure = "Choose a folder on a disk of this machine (--data); backups may go to the other one."
        yield bad(f"The data folder {data} is on another machine ({kind}), where a journal can be damaged.", cure)
    elif kind in FORGETFUL:
        cure = "Choose a folder on a disk (--data)."
        yield warning(f"The data folder {data} is in memory ({kind}): a restart of the machine forgets all.", cure)


def space(data: Path, free: int) -> Finding:
    """Judge the free space.

    :param data: The data folder.
    :param free: The bytes that are free.
    :result: The finding.
    """
    what = f"{size(free)} are free on the disk of {data}"
    cure = "Free some space: a server whose disk is full stops. A finished game takes some 10 KB."
    if free < NO_SPACE:
        return bad(f"Only {what}.", cure)
    return warning(f"Only {what}.", cure) if free < LITTLE_SPACE else good(f"{what}.")


def measured(data: Path) -> float:
    """Measure how long a short write takes until it is on the disk.

    :param data: The folder, which must exist.
    :result: The median, in seconds.
    """
    times = []
    with tempfile.TemporaryFile(prefix=".doctor-", dir=data) as file:
        for _ in range(WRITES):
            begin = time.perf_counter()
            file.write(WRITTEN)
            file.flush()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - begin)
    return statistics.median(times)


def speed(data: Path, seconds: float) -> Finding:
    """Judge how long a short write takes.

    :param data: The data folder.
    :param seconds: The time of a write, which every move waits for.
    :result: The finding.
    """
    what = f"A write to the disk of {data} takes {seconds * 1000:.1f} ms"
    cure = "A disk without moving parts, or a better card, helps; nothing is lost on a slow one."
    if seconds > SLOW:
        return warning(f"{what}: everybody waits that long for each move.", cure)
    if seconds > QUICK:
        return warning(f"{what}, which is slow with many tables.", cure)
    return good(f"{what}.")


def journal(config: Config) -> Iterator[Finding]:
    """Check whether the journal is whole, whether or not a server uses it."""
    path = config.data.absolute() / journal_file.JOURNAL
    if not path.exists():
        yield good("There is no journal yet: the first start makes one.")
        return
    try:
        with closing(journal_file.whole(path)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            counts = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in COUNTED]
    except (ValueError, OSError, sqlite3.Error) as error:
        yield bad(f"The journal cannot be read: {_sentence(error)}", "docs/operating.md says what to do (Failures).")
        return
    if found != "ok":
        cure = "Restore a backup; docs/operating.md says how (Data, backup and upgrade)."
        yield bad(f"The journal {path} is damaged: {found}.", cure)
        return
    tables, running, finished = counts
    held = f"{tables} open tables, {running} running and {finished} finished games"
    yield good(f"The journal is whole: {held}, {size(path.stat().st_size)}.")


#: The tables of the journal that are counted.
COUNTED: Final = ("open_table", "running", "finished")


def _sentence(error: Exception) -> str:
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{told.removesuffix('.')}."
