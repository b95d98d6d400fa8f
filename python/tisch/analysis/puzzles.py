"""The command ``tisch puzzles``: positions of recorded games in which a player certainly went wrong."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tisch.agents.analysis import EVIDENCE, Analyst, Decision, analyse, judge_of
from tisch.analysis.judged import decimals
from tisch.arguments import ProgressLine
from tisch.game import Game, State
from tisch.games import find
from tisch.importing import import_from_here
from tisch.language import LANGUAGES, SHARED, preferred
from tisch.ports.face import Viewer, face_of
from tisch.ports.text import Line, Span, line_of, plain
from tisch.record import Record
from tisch.replay import transcripts, write
from tisch.terminal.shell import COLUMNS, ROWS

if TYPE_CHECKING:
    from tisch.arguments import Commands

DESCRIPTION: Final = """\
Collect puzzles from recorded games: positions in which a player made a mistake that cost something in every deal that
the player could not tell apart. Each shows what the seat saw, and asks for a better move.
"""
#: A position in which more than this share of the moves is right is no puzzle.
MOST: Final = 0.5
#: Positions with more moves are left out: too many to be judged one by one.
CHOICES: Final = 150


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a solution.

    :ivar record: The game up to the position.
    :ivar seat: The seat that decides.
    :ivar solutions: The texts of the right moves, the best first.
    :ivar decision: The decision that the player made, as it was judged.
    """

    record: Record
    seat: int
    solutions: Sequence[str]
    decision: Decision

    def state(self) -> State[Any]:
        """Return the position."""
        *_, state = self.record.replay()
        state.expect(self.seat)
        return state

    def as_dict(self) -> dict[str, Any]:
        """Return the puzzle as plain values, from which the position can be set up."""
        record, decision = self.record, self.decision
        return {
            "game": record.game,
            "options": dict(record.options),
            "seed": str(record.seed),
            "moves": [[seat, move] for seat, move in record.moves],
            "seat": self.seat,
            "solutions": list(self.solutions),
            "played": decision.move,
            "lost": decision.lost,
            "mark": str(decision.mark),
        }


def puzzles(record: Record, agent: str = "", progress: Callable[[int], object] | None = None) -> Iterator[Puzzle]:
    """Find the puzzles of a game.

    :param record: The game.
    :param agent: (Optional) The agent that judges; by default the strongest that can.
    :param progress: (Optional) A callback that receives the number of each judged move.
    :result: The puzzles in the order of the game.
    :raises ValueError: The agent cannot judge, or the record cannot be replayed.
    """
    analyst = Analyst(find(record.game), agent or judge_of(find(record.game)))
    for number, decision in enumerate(analyse(record, agent), start=1):
        if progress:
            progress(number)
        # A part of a decision is no question of its own, and silence has no text to be found.
        if decision and decision.certain and not decision.goes_on and decision.best is not None:
            before = Record(record.game, record.options, record.seed, record.moves[: number - 1])
            puzzle = Puzzle(before, decision.seat, (), decision)
            if solutions := _solutions(analyst, puzzle.state(), decision):
                yield replace(puzzle, solutions=solutions)


def _solutions(analyst: Analyst, state: State[Any], decision: Decision) -> list[str]:
    """Return the right moves of a position, the best first; none if there are too many, or too many choices."""
    legal = [str(move) for move in state.legal(decision.seat)]
    if len(legal) > CHOICES:
        return []
    right = [decision.best] if decision.best else []
    for text in legal:
        if text in (decision.best, decision.move):
            continue
        judged = analyst.judge(state, decision.number, decision.seat, text)
        if judged.lost <= EVIDENCE * judged.error:
            right.append(text)
    return right if len(right) <= MOST * len(legal) else []


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("puzzles", description=DESCRIPTION)
    parser.add_argument(
        "files", metavar="RECORD", type=Path, nargs="+", help="a transcript, or a record of 'tisch arena --record'"
    )
    parser.add_argument("--agent", metavar="AGENT", help="the agent that judges (default: the strongest that can)")
    parser.add_argument("--most", metavar="N", type=int, help="stop after N puzzles (default: all)")
    parser.add_argument("--lang", choices=LANGUAGES, help="the language (default: TISCH_LANG, or the system's)")
    parser.add_argument("--json", action="store_true", help="print JSON, one line for each puzzle")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code: 0 if there is a puzzle.
    """
    import_from_here()
    count = 0
    try:
        for puzzle in islice(_found(options.files, options.agent or ""), _count(options.most)):
            count += 1
            _print(puzzle, count, None if options.json else options.lang or preferred(os.environ))
    except ValueError as error:
        print(f"tisch puzzles: {error}", file=sys.stderr)
        return 1
    if not count:
        print("tisch puzzles: Nobody went wrong for certain in these games.", file=sys.stderr)
    return 0 if count else 1


def _print(puzzle: Puzzle, number: int, language: str | None) -> None:
    """Print a puzzle, as JSON without a language."""
    if language is None:
        print(json.dumps(puzzle.as_dict()), flush=True)
    else:
        write(partial(lines, puzzle, number, language), language, find(puzzle.record.game).look.glyphs)


def _count(most: int | None) -> int | None:
    if most is not None and most < 1:
        raise ValueError(f"At least one puzzle is needed, not {most}.")
    return most


def _found(files: Sequence[Path], agent: str) -> Iterator[Puzzle]:
    """Find the puzzles of all games, and show the progress."""
    progress = ProgressLine(sys.stderr)
    for path in files:
        for where, transcript in transcripts(path):
            moves = len(transcript.moves)

            def tell(number: int, where: str = where, moves: int = moves) -> None:
                progress(f"{where}move {number} of {moves} …")

            try:
                for puzzle in puzzles(transcript, agent, tell):
                    progress.clear()
                    yield puzzle
            except ValueError as error:
                raise ValueError(f"{where}{error}") from error
            finally:
                progress.clear()


def lines(puzzle: Puzzle, number: int, language: str, columns: int = COLUMNS) -> Iterator[Line]:
    """Show a puzzle as the terminal draws it: what the seat sees, the question, and the solution.

    :param puzzle: The puzzle.
    :param number: Its number.
    :param language: The language.
    :param columns: (Optional) The number of columns.
    :result: The lines.
    """
    game: Game[Any] = find(puzzle.record.game)
    state, seat, decision, texts = puzzle.state(), puzzle.seat, puzzle.decision, SHARED.section("puzzles")[language]
    face = face_of(game, Viewer(seat, tuple(map(str, range(state.seats))), language))

    def name(move: str) -> str:
        return plain(face.name(game.parse(move)))

    best, *others = map(name, puzzle.solutions)
    lost = f"{decision.lost:.{decimals(game)}f}"
    yield line_of(Span(texts["title"].format(number=number, game=face.title), "bold"))
    yield from face.board(state.view(seat), ROWS, columns)
    yield line_of(texts["question"].format(seat=seat, move=name(decision.move), lost=lost))
    yield line_of(texts["solution"].format(move=best))
    if others:
        yield line_of(texts["others"].format(moves=", ".join(others)))
    yield ()
