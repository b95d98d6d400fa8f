"""The command ``tisch replay``: plays recorded games again and verifies every move and every result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from tisch.arena.record import Recorded
from tisch.transcript import Transcript, TranscriptError, read

if TYPE_CHECKING:
    from tisch.cli import Commands


#: How large a transcript may be, in bytes: much larger than that of any game.
LARGEST: Final = 1 << 26


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: Where it is added.
    """
    parser = commands.add_parser(
        "replay",
        help="verify recorded games",
        description="Play the game of a transcript, or every game of a record that the arena wrote, again, and verify "
        "each move and the result.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a transcript, or a record as 'arena --record' writes")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: What was asked for.
    :result: The exit code: 0 if all games are right.
    """
    games = moves = broken_off = 0
    try:
        for where, transcript in transcripts(options.file):
            try:
                state = transcript.verify()
            except TranscriptError as error:
                raise TranscriptError(f"{where}{error}") from error
            games += 1
            moves += len(transcript.moves)
            broken_off += state.outcome() is None
    except ValueError as error:
        print(f"tisch replay: {options.file}: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tisch replay: {options.file} cannot be read: {error.strerror}.", file=sys.stderr)
        return 1
    ending = f"; {_count(broken_off, 'game')} broken off" if broken_off else ""
    print(f"{_count(games, 'game')} and {_count(moves, 'move')} are right{ending}.")
    return 0


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def transcripts(path: Path) -> Iterator[tuple[str, Transcript]]:
    """Read the transcripts of a file.

    :param path: A transcript, or a record as the arena writes.
    :result: The transcripts, each with the words that say where it stands.
    :raises TranscriptError: The file is neither; the sentence names the line.
    """
    with path.open("rb") as file:
        begin = file.peek(1)
        if not begin:
            raise TranscriptError("The file is empty.")
        if not begin.startswith(b"{"):
            text = file.read(LARGEST + 1)
            if len(text) > LARGEST:
                raise TranscriptError("This is too large for a transcript.")
            try:
                yield "", read(text.decode())
            except UnicodeDecodeError:
                raise TranscriptError("This is no text.") from None
            return
        decode = msgspec.json.Decoder(Recorded).decode
        for number, line in enumerate(file, start=1):
            try:
                recorded = decode(line)
                yield f"Line {number}, game {recorded.game}: ", read(recorded.transcript)
            except (msgspec.DecodeError, TranscriptError) as error:
                raise TranscriptError(f"Line {number} is no recorded game: {str(error).removesuffix('.')}.") from error
