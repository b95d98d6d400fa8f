"""The journal of a match: every finished game, so that an interrupted match can continue.

The journal is a text file of JSON lines. The first line identifies the match; each other line is one game, in the order
in which they finished. Lines reach the operating system at most a fraction of a second after the game, so they survive
the death of the process. They are synced to disk only at the end, so a power failure may cost about the last half
minute. A torn last line is dropped, and its game is played again.

The length of the match is not part of its identity: a finished match can be extended. A match locks its journal; the
kernel releases the lock when the process ends.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tisch.arena.play import Played
from tisch.arguments import named

if sys.platform != "win32":
    import fcntl

FORMAT = 1
#: The key that marks the first line of a journal.
MARK = "tisch arena journal"
#: The maximum length of the first line in bytes.
LONGEST_HEAD = 1 << 20


class MatchJournal:
    """The journal of a match, open for reading its games and then for writing.

    :param path: The file; it is created if it does not exist.
    :param identity: The values that identify the match.
    :raises ValueError: The file is not a journal, belongs to another match, or is in use by another process.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        self._head = head_of(identity)
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
        """Read the games of the journal; after the last one it is ready for writing.

        :result: The games in the order of the file.
        :raises ValueError: A line is not a game.
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
                raise ValueError(f"Line {number} of the journal {self.path} is not a game: {error}.") from error
            end += len(line)
        self._file.seek(end)
        self._file.truncate()

    def write(self, lines: bytes) -> None:
        """Add games.

        :param lines: The games as lines.
        :raises OSError: The journal cannot be written; the message is a sentence.
        """
        with named(self.path, "journal"):
            self._file.write(lines)
            self._file.flush()

    def close(self) -> None:
        """Sync the file to disk and close it.

        :raises OSError: The journal cannot be written; the message is a sentence.
        """
        with named(self.path, "journal"), self._file:
            self._file.flush()
            os.fsync(self._file.fileno())

    def _lock(self) -> None:
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise ValueError(f"The journal {self.path} belongs to a match that is being played now.") from error

    def _check(self) -> None:
        # A file of another kind may have no line end, or no end at all.
        found = self._file.readline(LONGEST_HEAD)
        if not found.endswith(b"\n") and self._head.startswith(found):
            # The journal is new, or its first line was torn.
            self._file.seek(0)
            self._file.truncate()
            self._file.write(self._head)
            self._file.flush()
        elif found != self._head:
            raise ValueError(_difference(self.path, found, self._head))


def read_journal(path: Path) -> tuple[dict[str, Any], Iterator[Played]]:
    """Read a journal that nobody writes; a torn last line is left out.

    :param path: The file.
    :result: The values that identify the match, and its games in the order of the file.
    :raises ValueError: The file is not a journal, or a line is not a game.
    """
    try:
        with path.open("rb") as file:
            line = file.readline(LONGEST_HEAD)
    except OSError as error:
        raise ValueError(f"The journal {path} cannot be opened: {error.strerror}.") from error
    try:
        head = msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError:
        head = {}
    if head.pop(MARK, None) != FORMAT:
        raise ValueError(f"The file {path} is not a journal of a match.")
    return head, _games(path)


def same_match(path: Path, identity: Mapping[str, Any]) -> Iterator[Played]:
    """Read a journal of a certain match that nobody writes.

    :param path: The file.
    :param identity: The values that identify the match.
    :result: The games in the order of the file.
    :raises ValueError: It is not a journal of this match; the message names the difference.
    """
    read_journal(path)
    head = head_of(identity)
    with path.open("rb") as file:
        found = file.readline(LONGEST_HEAD)
    if found != head:
        raise ValueError(_difference(path, found, head))
    return _games(path)


def head_of(identity: Mapping[str, Any]) -> bytes:
    """Return the first line of a journal.

    :param identity: The values that identify the match.
    :result: The line.
    """
    return msgspec.json.encode({MARK: FORMAT, **identity}) + b"\n"


def _games(path: Path) -> Iterator[Played]:
    decode = msgspec.json.Decoder(Played).decode
    with path.open("rb") as file:
        file.readline()
        for number, line in enumerate(file, start=2):
            if not line.endswith(b"\n"):
                return
            try:
                yield decode(line)
            except msgspec.DecodeError as error:
                raise ValueError(f"Line {number} of the journal {path} is not a game: {error}.") from error


def _difference(path: Path, found: bytes, wanted: bytes) -> str:
    try:
        theirs = msgspec.json.decode(found, type=dict[str, Any])
    except msgspec.DecodeError:
        theirs = {}
    if theirs.get(MARK) != FORMAT:
        return f"The file {path} is not a journal of a match."
    ours = msgspec.json.decode(wanted, type=dict[str, Any])
    key = next(key for key in ours | theirs if theirs.get(key) != ours.get(key))
    if key == "transcripts":
        begun, do = ("without", "without it") if ours[key] else ("with", "with it")
        return f"The journal {path} was started {begun} a record: continue {do}, or start another journal."
    here, there = (msgspec.json.encode(head.get(key)).decode() for head in (ours, theirs))
    return f"The journal {path} belongs to another match: there '{key}' is {there}, here it is {here}."
