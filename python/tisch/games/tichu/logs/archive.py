"""Reads the entries of a zip of logs, one batch after the other, and survives whatever the zip holds."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

#: The most bytes of one log: the longest games have some 60 KB.
LIMIT: Final = 1 << 20
#: The most bytes of all logs of a zip for each byte of the zip; logs shrink to a fifth.
RATIO: Final = 100
#: The site's list of a month's games, which archives keep.
INDEX: Final = "index.html"
#: The number of logs in a batch.
BATCH: Final = 256

#: What a damaged or foreign zip can raise while it is read.
DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
    ValueError,
)


class ArchiveError(Exception):
    """A zip that cannot be read at all; the message is a sentence."""


class Fault(NamedTuple):
    """An entry that cannot be read.

    :ivar entry: Its name.
    :ivar code: ``bad_entry`` or ``too_large``.
    :ivar sentence: What is wrong with it.
    """

    entry: str
    code: str
    sentence: str


class Batch(NamedTuple):
    """Some entries of a zip.

    :ivar seen: The number of entries of the zip that were looked at so far, those of this batch included.
    :ivar total: The number of all entries.
    :ivar names: The names of the logs.
    :ivar texts: Their contents.
    :ivar faults: The entries that cannot be read.
    """

    seen: int
    total: int
    names: list[str]
    texts: list[bytes]
    faults: list[Fault]


def batches(path: Path, is_known: Callable[[str], bool]) -> Iterator[Batch]:
    """Read a zip.

    :param path: The zip.
    :param is_known: Whether an entry was read before, so that it is left out.
    :result: Its entries in batches; at least one batch.
    :raises ArchiveError: The zip cannot be read.
    """
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise ArchiveError(f"The file {path} does not exist.") from None
    except DAMAGE as error:
        raise ArchiveError(f"The file {path} is no zip, or it was cut off: {_reason(error)}") from error
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir() and not entry.filename.endswith(INDEX)]
        size = sum(entry.file_size for entry in entries if entry.file_size <= LIMIT)
        if size > max(RATIO * path.stat().st_size, LIMIT):
            raise ArchiveError(f"The file {path} would grow to {size:,} bytes: it is no archive of logs.")
        for first in range(0, max(len(entries), 1), BATCH):
            part = entries[first : first + BATCH]
            batch = Batch(first + len(part), len(entries), [], [], [])
            for entry in part:
                if not is_known(entry.filename):
                    _read(archive, entry, batch)
            yield batch


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, batch: Batch) -> None:
    """Add an entry to a batch."""
    name = entry.filename
    if entry.file_size > LIMIT:
        sentence = f"The entry {name} has {entry.file_size:,} bytes: it is no log."
        batch.faults.append(Fault(name, "too_large", sentence))
        return
    try:
        # The limit holds as well if the size in the directory is wrong.
        with archive.open(entry) as stream:
            text = stream.read(LIMIT + 1)
    except DAMAGE as error:
        batch.faults.append(Fault(name, "bad_entry", f"The entry {name} cannot be read: {_reason(error)}"))
        return
    batch.names.append(name)
    batch.texts.append(text)


def _reason(error: BaseException) -> str:
    return f"{str(error).removesuffix('.') or type(error).__name__}."
