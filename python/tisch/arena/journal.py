"""The journal of a match: every game that has been played, so that a match that was broken off goes on.

A text file of JSON lines. The first tells which match it is; each other line is one game, in the order in which they
were finished. Lines are handed to the operating system as they come, a fraction of a second after the game at most:
they survive whatever happens to the process. They are forced onto the disk only at the end, so that a power failure
may cost the last half minute or so. A last line that was torn is dropped, and its game is played again.

How long the match shall be is no part of its identity: a finished match may be prolonged. While a match has the journal
no other one gets it; the kernel lets go of it with the process, however that ends.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tisch.arena.play import Played

if sys.platform != "win32":
    import fcntl

FORMAT = 1
#: The key of the first line by which a journal is known.
MARK = "tisch arena journal"
#: How long the first line may be, in bytes.
LONGEST_HEAD = 1 << 20


class Journal:
    """The journal of a match, open for reading what it holds and then for writing.

    :param path: The file; it is made if there is none.
    :param identity: What tells the match from others.
    :raises ValueError: The file is none, it belongs to another match, or another process has it.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        self._head = msgspec.json.encode({MARK: FORMAT, **identity}) + b"\n"
        try:
            path.touch()
            self._file: BinaryIO = path.open("r+b")
        except OSError as error:
            raise ValueError(f"The journal {path} cannot be opened: {error.strerror}.") from error
        try:
            self._lock()
            self._check()
        except ValueError:
            self._file.close()
            raise

    def read(self) -> Iterator[Played]:
        """Read the games that the journal holds; after the last one it is ready for writing.

        :result: The games, as they were written.
        :raises ValueError: A line is no game.
        """
        decode = msgspec.json.Decoder(Played).decode
        self._file.seek(len(self._head))
        end = len(self._head)
        for number, line in enumerate(self._file, start=2):
            if not line.endswith(b"\n"):
                break
            try:
                yield decode(line)
            except msgspec.DecodeError as error:
                raise ValueError(f"Line {number} of the journal {self.path} is no game: {error}.") from error
            end += len(line)
        self._file.seek(end)
        self._file.truncate()

    def write(self, games: Iterable[Played]) -> None:
        """Add games.

        :param games: The games.
        """
        encode = msgspec.json.encode
        self._file.write(b"".join(encode(played) + b"\n" for played in games))
        self._file.flush()

    def close(self) -> None:
        """Put everything onto the disk and close the file."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def _lock(self) -> None:
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise ValueError(f"The journal {self.path} belongs to a match that is being played now.") from error

    def _check(self) -> None:
        # What is no journal may have no line at all, and no end.
        found = self._file.readline(LONGEST_HEAD)
        if not found.endswith(b"\n") and self._head.startswith(found):
            # There was no journal yet, or its first line was torn.
            self._file.seek(0)
            self._file.truncate()
            self._file.write(self._head)
            self._file.flush()
        elif found != self._head:
            raise ValueError(_difference(self.path, found, self._head))


def _difference(path: Path, found: bytes, wanted: bytes) -> str:
    try:
        theirs = msgspec.json.decode(found, type=dict[str, Any])
    except msgspec.DecodeError:
        theirs = {}
    if theirs.get(MARK) != FORMAT:
        return f"The file {path} is no journal of a match."
    ours = msgspec.json.decode(wanted, type=dict[str, Any])
    key = next(key for key in ours if theirs.get(key) != ours[key])
    if key == "transcripts":
        begun, do = ("without", "without it") if ours[key] else ("with", "with it")
        return f"The journal {path} was begun {begun} a record: go on {do}, or begin another journal."
    here, there = (msgspec.json.encode(head.get(key)).decode() for head in (ours, theirs))
    return f"The journal {path} belongs to another match: there '{key}' is {there}, here it is {here}."
