"""The command ``tisch analyse``: judges every decision of recorded games, as text, JSON or a page."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tisch.agents.analysis import Decision, Lapses, Mark, analyse, curves, judge_of, lapses_of, once
from tisch.arena.plots import Axis, Plot, html, padded
from tisch.arguments import ProgressLine, check_writable, unwritable
from tisch.game import Game
from tisch.games import find
from tisch.importing import import_from_here
from tisch.language import SHARED
from tisch.record import options_of
from tisch.replay import players_of, transcripts
from tisch.transcript import Transcript

if TYPE_CHECKING:
    from tisch.arguments import Commands

DESCRIPTION: Final = """\
Judge every decision of recorded games: the expected payoff after the best move and after the move that was made, seen
with the eyes of the seat that decided. The payoff is what the game would bring if it ended with the round.
"""
#: The signs of marks in the text.
SIGNS: Final = {Mark.NONE: "", Mark.INACCURACY: "?!", Mark.MISTAKE: "?", Mark.BLUNDER: "??"}


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysed game.

    :ivar transcript: The game.
    :ivar agent: The text of the agent that judged.
    :ivar decisions: The judged decisions, each mistake once.
    """

    transcript: Transcript
    agent: str
    decisions: Sequence[Decision]

    @property
    def sides(self) -> Sequence[Sequence[int]]:
        """The seats of each side."""
        game = find(self.transcript.game)
        return game.sides(options_of(game, self.transcript.options))

    @property
    def players(self) -> list[str]:
        """The name of each seat's player."""
        return players_of(self.transcript)

    @property
    def lapses(self) -> list[Lapses]:
        """What each seat lost."""
        return lapses_of(self.decisions, len(self.players))

    def as_dict(self) -> dict[str, Any]:
        """Return the analysis as plain values; the same game and agent give the same ones.

        :result: Values that JSON can hold.
        """
        transcript = self.transcript
        lapses = list(find(transcript.game).lapses or ())
        told = {"game": transcript.game, "seed": transcript.seed, "players": self.players, "agent": self.agent}
        return {
            **told,
            "lapses_from": dict(zip(("inaccuracy", "mistake", "blunder"), lapses, strict=True)),
            "moves": len(transcript.moves),
            "decisions": msgspec.to_builtins(self.decisions),
            "seats": msgspec.to_builtins(self.lapses),
            "curves": curves(transcript, self.decisions),
        }


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("analyse", help="judge the decisions of recorded games", description=DESCRIPTION)
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
            print(json.dumps(analysis.as_dict()) if options.json else text(analysis), flush=True)
            kept += [analysis] if options.report else []
            count += 1
    if not count:
        raise ValueError(f"{options.file}: There is no game {options.game}.")
    return kept


def _analysed(where: str, transcript: Transcript, agent: str | None) -> Analysis:
    """Analyse a game, and show the progress."""
    agent = agent or judge_of(find(transcript.game))
    decisions = []
    progress = ProgressLine(sys.stderr)
    try:
        for number, decision in enumerate(analyse(transcript, agent), start=1):
            decisions += [decision] if decision else []
            progress(f"{where}move {number} of {len(transcript.moves)} …")
    except ValueError as error:
        raise ValueError(f"{where}{error}") from error
    finally:
        progress.clear()
    return Analysis(transcript, agent, once(decisions))


def text(analysis: Analysis) -> str:
    """Format an analysis for a terminal.

    :param analysis: The analysis.
    :result: Several lines.
    """
    game = find(analysis.transcript.game)
    digits, count = decimals(game), len(analysis.decisions)
    lines = [f"{game.title}, seed {analysis.transcript.seed}: {count} decisions, judged by {analysis.agent}."]
    if meaning := payoff_of(game):
        lines += [f"Payoff and loss: {meaning}."]
    players = analysis.players
    wide = max(map(len, (*players, "seat")))
    lines += ["", f"{'seat':<{wide}}  decisions      lost  ?!   ?  ??"]
    for player, own in zip(players, analysis.lapses, strict=True):
        counts = f"{own.inaccuracies:>3} {own.mistakes:>3} {own.blunders:>3}"
        lines.append(f"{player:<{wide}}  {own.decisions:>9}  {own.lost:>8.{digits}f} {counts}")
    marked = [decision for decision in analysis.decisions if decision.mark]
    lines += ["", f"{'move':>5}  {'seat':<{wide}}  {'payoff':>8}  {'lost':>8}      played, and better"]
    for decision in marked:
        value, lost = decision.expected - decision.lost, decision.lost
        lines.append(
            f"{decision.number:>5}  {players[decision.seat]:<{wide}}  {value:>+8.{digits}f}  {lost:>8.{digits}f}  "
            f"{SIGNS[decision.mark]:<2}  {decision.move}; {best_of(decision)}"
        )
    if not marked:
        lines[-1] = "No decision is marked."
    return "\n".join(lines) + "\n"


def payoff_of(game: Game[Any]) -> str:
    """Return what the payoffs of an analysis count.

    :param game: The game.
    :result: The words; empty if the game has none.
    """
    vocabulary = game.vocabulary or SHARED
    return vocabulary.section("analysis")["en"].get("payoff", "")


def decimals(game: Game[Any]) -> int:
    """Return how many decimals of payoffs are shown: more than one digit below the least inaccuracy is noise.

    :param game: The game.
    :result: The number of decimals.
    """
    least, *_ = game.lapses or (1.0,)
    return max(0, 1 - math.floor(math.log10(least)))


def best_of(decision: Decision) -> str:
    """Return the best move of a decision in words.

    :param decision: The decision.
    :result: Its text.
    """
    return "(silence)" if decision.best is None else decision.best


def page(analyses: Sequence[Analysis]) -> str:
    """Return a page with all analyses; it needs no other file, no network and no script.

    :param analyses: The analyses.
    :result: The page.
    """
    game = find(analyses[0].transcript.game)
    meaning = payoff_of(game)
    lead = (
        "<p>The payoff is what the game would bring if it ended with the round, as far as the seat that decides knows"
        + (f": {escape(meaning)}" if meaning else "")
        + ". A decision is marked if it loses enough against the best one, and more than two standard errors.</p>"
    )
    sections = (_section(number, analysis) for number, analysis in enumerate(analyses, start=1))
    return html(f"Analysis: {game.title}", lead, *sections)


def _section(number: int, analysis: Analysis) -> str:
    game = find(analysis.transcript.game)
    digits = decimals(game)
    seats = [
        [player, own.decisions, f"{own.lost:.{digits}f}", own.inaccuracies, own.mistakes, own.blunders]
        for player, own in zip(analysis.players, analysis.lapses, strict=True)
    ]
    marked = [
        [
            decision.number,
            analysis.players[decision.seat],
            f"{decision.mark} {SIGNS[decision.mark]}",
            decision.move,
            best_of(decision),
            f"{decision.expected - decision.lost:+.{digits}f}",
            f"{decision.lost:.{digits}f} ± {decision.error:.{digits}f}",
        ]
        for decision in analysis.decisions
        if decision.mark
    ]
    limits = ", ".join(f"{mark} from {least:g}" for mark, least in zip([*Mark][1:], game.lapses or (), strict=True))
    head = ["move", "seat", "", "played", "best", "payoff", "lost"]
    return (
        f"<h2>Game {number}, seed {analysis.transcript.seed}</h2>\n"
        f"<p>Judged by {escape(analysis.agent)}: {limits}.</p>\n"
        + _table(["seat", "decisions", "lost", "inaccuracies", "mistakes", "blunders"], seats, texts=1)
        + f"<figure>{_curve(number, analysis)}</figure>\n"
        + (_table(head, marked, texts=5) if marked else "<p>Nothing is marked.</p>")
    )


def _curve(number: int, analysis: Analysis) -> str:
    transcript, players = analysis.transcript, analysis.players
    lines = curves(transcript, analysis.decisions)
    values = [value for line in lines for _, value in line]
    plot = Plot(
        "The expected payoff after each decision",
        Axis("move", 0, max(len(transcript.moves), 1)),
        Axis("expected payoff", *padded(values)),
    )
    for colour, line in enumerate(lines):
        plot.line(line, colour)
    for decision in analysis.decisions:
        if decision.mark in (Mark.MISTAKE, Mark.BLUNDER):
            plot.mark(decision.number)
    # In a game of two sides, the first one alone has a line.
    keys = [
        f'<span class="key c{index}"></span>{escape(", ".join(players[seat] for seat in side))}'
        for index, (side, _) in enumerate(zip(analysis.sides, lines, strict=False))
    ]
    caption = f"{''.join(keys)}: the mean of what seats expected last. Dashed: mistakes and blunders."
    return f"{plot.svg(f'curve{number}')}<figcaption>{caption}</figcaption>"


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]], *, texts: int) -> str:
    """Return a table.

    :param head: The names of its columns.
    :param rows: Its rows.
    :param texts: The number of columns, from the first, that hold no figures to compare.
    :result: The table as HTML.
    """

    def row(tag: str, cells: Sequence[Any]) -> str:
        aligned = (f'<{tag} class="text">' if place < texts else f"<{tag}>" for place in range(len(cells)))
        return "".join(f"{begin}{escape(str(cell))}</{tag}>" for begin, cell in zip(aligned, cells, strict=True))

    lines = "".join(f"<tr>{row('td', cells)}</tr>\n" for cells in rows)
    return f'<div class="wide"><table><tr>{row("th", head)}</tr>\n{lines}</table></div>\n'
