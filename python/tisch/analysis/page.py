"""Analysed games as a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from tisch.agents.analysis import Mark, curves
from tisch.analysis.judged import SIGNS, Analysis, best_of, decimals, payoff_of
from tisch.arena.plots import Axis, Plot, html, padded
from tisch.games import find


def page(analyses: Sequence[Analysis]) -> str:
    """Return a page with all analyses; it needs no other file, no network and no script.

    :param analyses: The analyses.
    :result: The page.
    """
    game = find(analyses[0].record.game)
    meaning = payoff_of(game)
    lead = (
        "<p>The payoff is what the game would bring if it ended with the round, as far as the seat that decides knows"
        + (f": {escape(meaning)}" if meaning else "")
        + ". A decision is marked if it loses enough against the best one, and more than two standard errors.</p>"
    )
    sections = (_section(number, analysis) for number, analysis in enumerate(analyses, start=1))
    return html(f"Analysis: {game.title}", lead, *sections)


def _section(number: int, analysis: Analysis) -> str:
    game = find(analysis.record.game)
    digits = decimals(game)
    seats = [
        [player, own.decisions, f"{own.lost:.{digits}f}", own.inaccuracies, own.mistakes, own.blunders]
        for player, own in zip(analysis.players, analysis.lapses, strict=True)
    ]
    marked = [
        [
            decision.number,
            analysis.players[decision.seat],
            f"{decision.mark} {SIGNS[decision.mark]}{' certain' * decision.certain}",
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
        f"<h2>Game {number}, seed {analysis.record.seed}</h2>\n"
        f"<p>Judged by {escape(analysis.agent)}: {limits}.</p>\n"
        + _table(["seat", "decisions", "lost", "inaccuracies", "mistakes", "blunders"], seats, texts=1)
        + f"<figure>{_curve(number, analysis)}</figure>\n"
        + (_table(head, marked, texts=5) if marked else "<p>Nothing is marked.</p>")
    )


def _curve(number: int, analysis: Analysis) -> str:
    transcript, players = analysis.record, analysis.players
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
