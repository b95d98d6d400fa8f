"""The command ``tisch analyse``: judges every decision of recorded games, as text, JSON or a page."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tisch.analysis.judged import Analysis, analyse
from tisch.analysis.page import page
from tisch.arguments import ProgressLine, check_writable, unwritable
from tisch.importing import import_from_here
from tisch.replay import transcripts
from tisch.transcript import Transcript

if TYPE_CHECKING:
    from tisch.arguments import Commands

DESCRIPTION: Final = """\
Judge every decision of recorded games: the expected payoff after the best move and after the move that was made, seen
with the eyes of the seat that decided. The payoff is what the game would bring if it ended with the round.
"""


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("analyse", description=DESCRIPTION)
    parser.add_argument("file", metavar="RECORD", type=Path, help="a transcript, or a record of 'tisch arena --record'")
    parser.add_argument("--game", metavar="N", type=int, help="only the N-th game of the file, from 1 (default: all)")
    parser.add_argument("--agent", metavar="AGENT", help="the agent that judges (default: the strongest that can)")
    parser.add_argument("--json", action="store_true", help="print JSON, one line for each game")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write an HTML page with curves")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    import_from_here()
    try:
        if options.report:
            check_writable(options.report, "report")
        analyses = _run(options)
    except ValueError as error:
        print(f"tisch analyse: {error}", file=sys.stderr)
        return 1
    if options.report:
        try:
            options.report.write_text(page(analyses), encoding="utf-8")
        except OSError as error:
            print(f"tisch analyse: {unwritable(options.report, 'report', error)}", file=sys.stderr)
            return 1
    return 0


def _run(options: argparse.Namespace) -> list[Analysis]:
    """Analyse the games and print each of them.

    :result: What the report needs; without a report nothing, so that a long record needs no memory.
    """
    kept = []
    count = 0
    for number, (where, transcript) in enumerate(transcripts(options.file), start=1):
        if options.game in (None, number):
            analysis = _analysed(where, transcript, options.agent)
            print(json.dumps(analysis.as_dict()) if options.json else f"{analysis}\n", flush=True)
            kept += [analysis] if options.report else []
            count += 1
    if not count:
        raise ValueError(f"{options.file}: There is no game {options.game}.")
    return kept


def _analysed(where: str, transcript: Transcript, agent: str | None) -> Analysis:
    """Analyse a game, and show the progress."""
    progress = ProgressLine(sys.stderr)
    try:
        return analyse(
            transcript, agent or "", lambda number: progress(f"{where}move {number} of {len(transcript.moves)} …")
        )
    except ValueError as error:
        raise ValueError(f"{where}{error}") from error
    finally:
        progress.clear()
