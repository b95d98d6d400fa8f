"""The command ``tisch replay``: replays recorded games, verifies every move and every result, and shows a game."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import msgspec

from tisch.arena.record import RecordLine
from tisch.game import Event
from tisch.games import find
from tisch.importing import import_from_here
from tisch.language import LANGUAGES, preferred
from tisch.look import Glyph
from tisch.ports.face import Viewer, face_of
from tisch.ports.signs import Signs
from tisch.ports.text import Line, Span, coloured, line_of, plain, wrapped
from tisch.record import RecordError, options_of
from tisch.terminal.shell import COLUMNS, ROWS
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
        description="Replay the game of a transcript, or every game of a record, and verify each move and the result. "
        "With --show, print one game move by move as well.",
    )
    parser.add_argument(
        "file", metavar="FILE", type=Path, help="a transcript, or a record written by 'tisch arena --record'"
    )
    parser.add_argument("--show", metavar="N", type=int, help="show the N-th game of the file, from 1, move by move")
    parser.add_argument("--seat", metavar="S", type=int, default=0, help="whose eyes it is shown with (default: 0)")
    parser.add_argument("--lang", choices=LANGUAGES, help="the language (default: TISCH_LANG, or the system's)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code: 0 if all games are correct.
    """
    import_from_here()
    try:
        games, moves, broken_off = _verify(options)
    except ValueError as error:
        print(f"tisch replay: {error}", file=sys.stderr)
        return 1
    ending = f"; {_count(broken_off, 'game')} broken off" if broken_off else ""
    print(f"{_count(games, 'game')} and {_count(moves, 'move')} are correct{ending}.")
    return 0


def _verify(options: argparse.Namespace) -> tuple[int, int, int]:
    """Verify all games, and print the one that is wanted; return how many games, moves and broken games there are."""
    games = moves = broken_off = 0
    language = options.lang or preferred(os.environ)
    for where, transcript in transcripts(options.file):
        games += 1
        try:
            if games == options.show:
                drawn = partial(shown, transcript, options.seat, language)
                write(drawn, language, find(transcript.game).look.glyphs)
            state = transcript.verify()
        except RecordError as error:
            raise RecordError(f"{where}{error}") from error
        moves += len(transcript.moves)
        broken_off += state.outcome() is None
    if options.show is not None and not 1 <= options.show <= games:
        raise ValueError(f"{options.file}: There is no game {options.show}.")
    return games, moves, broken_off


def write(lines: Callable[[int], Iterable[Line]], language: str, glyphs: Mapping[str, Glyph]) -> None:
    """Print what the terminal draws, in colours and in the width of the terminal if there is one.

    :param lines: Draws the lines for a number of columns.
    :param language: Their language.
    :param glyphs: The signs of boards in them.
    """
    is_terminal = sys.stdout.isatty()
    columns = shutil.get_terminal_size((COLUMNS, 0)).columns if is_terminal else COLUMNS
    signs = Signs(sys.stdout.encoding, language, glyphs)
    has_colours = is_terminal and not os.environ.get("NO_COLOR")
    for line in lines(columns):
        for part in wrapped(signs.line(line), columns):
            print((coloured(part) if has_colours else plain(part)).rstrip())


def shown(transcript: Transcript, seat: int, language: str, columns: int = COLUMNS) -> Iterator[Line]:
    """Show a game move by move, as the terminal draws it.

    :param transcript: The game.
    :param seat: Whose eyes it is shown with.
    :param language: The language.
    :param columns: (Optional) The number of columns.
    :result: For each moment the move, what it did, and the board; in the end the result.
    :raises RecordError: A move is illegal, or the result differs.
    :raises ValueError: There is no such seat.
    """
    game = find(transcript.game)
    players = players_of(transcript)
    if not 0 <= seat < len(players):
        raise ValueError(f"{game.title} has the seats 0 to {len(players) - 1}, but no seat {seat}.")
    face = face_of(game, Viewer(seat, tuple(players), language))
    events: list[Event] = []
    state = None
    for number, state in enumerate(transcript.replay(events.append)):
        if number:
            mover, move = transcript.moves[number - 1]
            yield line_of(Span(f"{number}. {players[mover]}: ", "bold"), face.name(game.parse(move)))
        for event in events:
            yield from face.tell(event)
        events.clear()
        yield from face.board(state.view(seat), ROWS, columns)
        yield ()
    outcome = state.outcome() if state else None
    if state and outcome:
        yield from face.result(state.view(seat), outcome)


def players_of(transcript: Transcript) -> list[str]:
    """Return the name of each seat's player: its number, and who sat there if the transcript tells.

    :param transcript: The game.
    :result: The names.
    """
    game = find(transcript.game)
    named = transcript.notes.get("players", "").split(", ")
    seats = range(game.seats(options_of(game, transcript.options)))
    return [f"{seat} {named[seat] if seat < len(named) else ''}".strip() for seat in seats]


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
