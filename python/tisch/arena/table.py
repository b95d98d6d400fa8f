"""The result of a match as text for people."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tisch.arena.calls import rows
from tisch.arena.result import Result
from tisch.arena.standing import Contest
from tisch.arena.statistics import Estimate
from tisch.record import changed_options


def text(result: Result) -> str:
    """Format a result.

    :param result: The result.
    :result: Several lines, each with its line end.
    """
    blocks = [[head(result)], _standings(result), _crosstable(result), _calls(result), _notes(result)]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def head(result: Result) -> str:
    """Format the heading: game, agents, number of games and seed.

    :param result: The result.
    :result: A line.
    """
    standing = result.standing
    size = len(standing.plan.line_ups())
    names = " against ".join(standing.labels)
    options = [f"{name}={str(value).lower()}" for name, value in changed_options(standing.plan.options).items()]
    game = f"{result.game.title} ({', '.join(options)})" if options else result.game.title
    deals = f"{standing.deals} deal{'s' if standing.deals != 1 else ''}"
    games = f"{standing.games} games: {deals}, each in {size} line-up{'s' if size > 1 else ''}"
    return f"{game}, {names}. {games}; {standing.rounds} rounds; seed {standing.plan.seed}."


def _standings(result: Result) -> list[str]:
    fields = ranked(result)
    lines = [["agent", "points a round", "95 %", "won", "95 %", "drawn", "Elo", "95 %"]]
    for contest in fields:
        rate, points, elo = contest.win_rate(), contest.points_per_round(), contest.elo()
        lines.append(
            [
                result.standing.labels[contest.first],
                *written(points, "+.3f"),
                *written(rate, ".1%"),
                str(contest.draws),
                *written(elo, "+.1f"),
            ]
        )
    return columns(lines)


def ranked(result: Result) -> list[Contest]:
    """Sort the entries by rating.

    :param result: The result.
    :result: Each entry against all others, the best first; two entries keep their order.
    """
    fields = result.standing.fields
    if len(fields) < 3:
        return fields
    return sorted(fields, key=lambda contest: -contest.score.numerator / max(contest.score.denominator, 1))


def _crosstable(result: Result) -> list[str]:
    if not result.standing.pairs:
        return []
    labels = result.standing.labels
    lines = [["points a round of", "against", "", "95 %", "Elo", "95 %"]]
    for pair in result.standing.pairs:
        points, elo = written(pair.points_per_round(), "+.3f"), written(pair.elo(), "+.1f")
        lines.append([labels[pair.first], labels[pair.others[0]], *points, *elo])
    return columns(lines, left=2)


def _calls(result: Result) -> list[str]:
    totals = result.standing.totals
    counted = rows(totals)
    if not counted:
        return []
    return columns([["counted for each seat", *(each.label for each in totals)], *counted])


def _notes(result: Result) -> list[str]:
    standing = result.standing
    notes = [share_note(result), *(fault_note(result, index) for index in range(len(standing.labels)))]
    if standing.left_out:
        sets = f"{standing.left_out} whole set{'s' if standing.left_out > 1 else ''} of line-ups"
        notes.append(f"The points exclude {sets} with such games, which count as lost and won.")
    if result.sprt and standing.deals:
        low, high = result.sprt.bounds
        ratio = result.sprt.ratio(standing.first)
        notes.append(f"Log-likelihood ratio {ratio:.2f}, between {low:.2f} and {high:.2f}.")
    notes.append(result.stopped or "The match is not finished.")
    if result.seconds > 0:
        notes.append(f"It took {result.seconds:.1f} s; {processes(result)} played.")
    return [note for note in notes if note]


def processes(result: Result) -> str:
    """Format the number of processes that played.

    :param result: The result.
    :result: The number in words.
    """
    return f"{result.workers} processes" if result.workers > 1 else "one process"


def share_note(result: Result) -> str:
    """Format the expected win rates in a game of more than two sides.

    :param result: The result.
    :result: A sentence; empty for two sides.
    """
    standing = result.standing
    line_ups = standing.plan.line_ups()
    if len(line_ups[0]) < 3:
        return ""
    shares = []
    for entry, label in enumerate(standing.labels):
        played = [line_up for line_up in line_ups if entry in line_up]
        shares.append(f"{label} {sum(line_up.count(entry) / len(line_up) for line_up in played) / len(played):.1%}")
    return f"If all were equally good, they would win: {', '.join(shares)}. Elo compares pairs of sides."


def fault_note(result: Result, index: int) -> str:
    """Format the faults of an entry.

    :param result: The result.
    :param index: The entry.
    :result: A sentence; empty if there are none.
    """
    totals = result.standing.totals[index]
    if not totals.first_fault:
        return ""
    kinds = {"crash": "crashes", "illegal": "illegal moves", "time": "exceeded time"}
    counts = ", ".join(f"{kinds[kind]}: {totals.faults[kind]}" for kind in kinds if totals.faults[kind])
    games = sum(totals.faults.values())
    return f"{totals.label} lost {games} games by its own fault ({counts}). The first: {totals.first_fault.text}"


def written(estimate: Estimate | None, form: str) -> list[str]:
    """Format an estimate.

    :param estimate: The estimate.
    :param form: The format of a number.
    :result: The value, and its interval in brackets.
    """
    if estimate is None:
        return ["-", ""]
    value = "+inf" if estimate.value == math.inf else "-inf" if estimate.value == -math.inf else None
    ends = [_end(end, form, sign) for end, sign in ((estimate.low, "-"), (estimate.high, "+"))]
    return [value or _plain(estimate.value, form), f"[{ends[0]}, {ends[1]}]"]


def _end(end: float | None, form: str, sign: str) -> str:
    return f"{sign}inf" if end is None else _plain(end, form)


def _plain(value: float, form: str) -> str:
    # A value that rounds to zero has no sign.
    text = format(value, form)
    return format(0.0, form) if not any(digit in text for digit in "123456789") else text


def columns(lines: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Align lines in columns.

    :param lines: The cells of each line.
    :param left: (Optional) The number of left-aligned columns; the others are right-aligned.
    :result: The lines.
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index < left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
