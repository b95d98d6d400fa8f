"""The command ``tisch replay``: replays recorded games and verifies every move and every result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import msgspec

from tisch.arena.record import RecordLine
from tisch.record import RecordError
from tisch.transcript import Transcript, TranscriptError, read

if TYPE_CHECKING:
    from tisch.arguments import Commands


#: The largest accepted transcript in bytes, much larger than that of any game.
LARGEST: Final = 1 << 26


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser(
        "replay",
        description="Replay the game of a transcript, or every game of a record, and verify each move and the result.",
    )
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="a transcript, or a record written by 'tisch arena --record'"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code: 0 if all games are correct.
    """
    games = moves = broken_off = 0
    try:
        for where, transcript in transcripts(options.file):
            try:
                state = transcript.verify()
            except RecordError as error:
                raise RecordError(f"{where}{error}") from error
            games += 1
            moves += len(transcript.moves)
            broken_off += state.outcome() is None
    except ValueError as error:
        print(f"tisch replay: {error}", file=sys.stderr)
        return 1
    ending = f"; {_count(broken_off, 'game')} broken off" if broken_off else ""
    print(f"{_count(games, 'game')} and {_count(moves, 'move')} are correct{ending}.")
    return 0


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def transcripts(path: Path) -> Iterator[tuple[str, Transcript]]:
    """Read the transcripts of a file.

    :param path: A transcript, or a record of the arena.
    :result: Each transcript after its place, in words: the file, and the line and the game in it.
    :raises TranscriptError: The file is neither, or cannot be read; the message names the file and the line.
    """
    try:
        with path.open("rb") as file:
            kind = _recorded if file.peek(1).startswith(b"{") else _alone
            for where, transcript in kind(file):
                yield f"{path}: {where}", transcript
    except TranscriptError as error:
        raise TranscriptError(f"{path}: {error}") from error
    except OSError as error:
        raise TranscriptError(f"{path} cannot be read: {error.strerror}.") from error


def _alone(file: BinaryIO) -> Iterator[tuple[str, Transcript]]:
    """Read a transcript."""
    text = file.read(LARGEST + 1)
    if not text:
        raise TranscriptError("The file is empty.")
    if len(text) > LARGEST:
        raise TranscriptError("The file is too large for a transcript.")
    try:
        yield "", read(text.decode())
    except UnicodeDecodeError:
        raise TranscriptError("The file is not text.") from None


def _recorded(file: BinaryIO) -> Iterator[tuple[str, Transcript]]:
    """Read a record of the arena."""
    decode = msgspec.json.Decoder(RecordLine).decode
    for number, line in enumerate(file, start=1):
        try:
            recorded = decode(line)
            transcript = read(recorded.transcript)
        except (msgspec.DecodeError, TranscriptError) as error:
            raise TranscriptError(f"Line {number} is not a recorded game: {str(error).removesuffix('.')}.") from error
        yield f"Line {number}, game {recorded.game}: ", transcript
