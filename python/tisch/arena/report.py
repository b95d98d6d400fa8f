"""The report of a match: one HTML page with plots that needs no other file, no network and no script."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from tisch.agents.parameters import shown
from tisch.arena.calls import CALLED, MADE, call_of, rate, split
from tisch.arena.course import Course, Distribution
from tisch.arena.ladder import Field, Ladder, ladder_of
from tisch.arena.match import Match
from tisch.arena.plots import COLOURS, Axis, Plot, html, outline, padded, round_step, shares
from tisch.arena.provenance import provenance
from tisch.arena.result import Result
from tisch.arena.standing import Totals
from tisch.arena.table import fault_note, head, processes, ranked, written
from tisch.arena.verify import share_text
from tisch.arena.watch import edge, percentile, rank
from tisch.importing import version
from tisch.record import changed_options

#: The maximum number of columns of a distribution.
COLUMNS = 45
#: What a game of tricks names them in its tally.
TRICKS: Final = "tricks"


def page(match: Match, people: Mapping[str, float] | None = None) -> str:
    """Return the report of a match.

    :param match: The finished match, with its course.
    :param people: (Optional) Figures of people to show beside the agents', instead of the game's published ones.
    :result: The page.
    """
    result, course = match.result(), match.course
    sections = [_summary(result), _pairs(result)]
    if course:
        sections.append(_ladder(course.field))
        sections += [_points(result, course), _distributions(result, course)]
    sections += [
        _games(result),
        _calls(result, people or result.game.people),
        _lengths(result),
        _times(result),
        _setting(result),
    ]
    sections.append(_provenance(provenance(match.plan)))
    title = f"{result.game.title}: " + " against ".join(result.standing.labels)
    lead = f"<p>{escape(head(result))} {escape(result.stopped or 'It is not finished.')}</p>"
    return html(title, lead, *sections)


def _summary(result: Result) -> str:
    rows = [
        [
            result.standing.labels[contest.first],
            _cell(written(contest.points_per_round(), "+.3f")),
            _cell(written(contest.win_rate(), ".1%")),
            str(contest.draws),
            _cell(written(contest.elo(), "+.1f")),
        ]
        for contest in ranked(result)
    ]
    notes = [fault_note(result, index) for index in range(len(result.standing.labels))]
    faults = "".join(f"<p>{escape(note)}</p>" for note in notes if note)
    return _table(["agent", "points a round", "games won", "drawn", "Elo"], rows) + (
        "<p>In brackets: 95 % intervals. Those of points and Elo are computed on deals, with all repetitions of a deal "
        f"taken together; that of games won is Wilson's.</p>{faults}"
    )


def _pairs(result: Result) -> str:
    labels = result.standing.labels
    rows = [
        [
            f"{labels[pair.first]} against {labels[pair.others[0]]}",
            _cell(written(pair.points_per_round(), "+.3f")),
            _cell(written(pair.elo(), "+.1f")),
        ]
        for pair in result.standing.pairs
    ]
    return _section("Each against each", _table(["", "points a round", "Elo"], rows)) if rows else ""


def _ladder(field: Field) -> str:
    """Rate more than two agents together, and show who beat whom."""
    if len(field.names) < 3:
        return ""
    title = "All agents together"
    try:
        ladder = ladder_of(field)
    except ValueError as error:
        return _section(title, f"<p>There are no ratings: {escape(str(error))}</p>")
    order, ratings, rows = ladder.order, ladder.ratings, []
    for agent, better in zip(order, [*order[1:], None], strict=True):
        half = ladder.half * ratings.error(agent, ladder.anchor)
        games = sum(ladder.between(agent, other)[1] for other in order if other != agent)
        sure = "" if better is None else f"{ratings.superiority(agent, better):.1%}"
        elo = _cell((f"{ratings.elo(agent):+.1f}", f"±{half:.1f}"))
        rows.append([field.names[agent], elo, f"{games:,}", sure])
    scores = [[field.names[one], *(_score(ladder, one, other) for other in order)] for one in order]
    return _section(
        title,
        _table(["agent", "Elo", "games", "better than the next"], rows),
        "<p>One Bradley-Terry fit to all games, with 95 % intervals computed on deals; "
        f"{escape(field.names[ladder.anchor])} has the rating 0. Below, the score of the row against the column.</p>",
        _table(["", *(field.names[agent] for agent in order)], scores),
    )


def _score(ladder: Ladder, one: int, other: int) -> str:
    if one == other:
        return ""
    score, number = ladder.between(one, other)
    return f"{score / number:.1%}" if number else "–"


def _points(result: Result, course: Course) -> str:
    """Draw how the points a round converged; the first, uncertain moments do not set the scale."""
    shown = _shown(result)
    moments = [
        (deals, [estimates[index] for index in shown])
        for deals, estimates in course.moments
        if all(each is not None and each.low is not None for each in estimates)
    ]
    if len(moments) < 2:
        return ""
    ends = [end for _, each in moments[len(moments) // 20 :] for one in each if one for end in (one.low, one.high)]
    plot = Plot(
        "Points a round over deals",
        Axis("deals played", moments[0][0], moments[-1][0]),
        Axis("points a round", *padded(end for end in ends if end is not None)),
    )
    for place, index in enumerate(shown):
        known = [(deals, each[place]) for deals, each in moments]
        edges = [(deals, one.low or 0.0, one.high or 0.0) for deals, one in known if one]
        plot.band(edges, index)
        plot.line([(deals, one.value) for deals, one in known if one], index)
    return _figure(
        "Points a round over deals", plot.svg("points"), _keys(result, shown) + "The band is the 95 % interval."
    )


def _distributions(result: Result, course: Course) -> str:
    """Draw the distribution of each agent, all on the same axes, so that they can be compared."""
    drawn = [(index, course.distributions[index]) for index in _shown(result) if course.distributions[index].bars]
    if not drawn:
        return ""
    edges = [bar * each.width for _, each in drawn for bar in (min(each.bars), max(each.bars) + 1)]
    step = max(round_step((max(edges) - min(edges)) / COLUMNS), *(each.width for _, each in drawn))
    columns = {index: _columns(each, step) for index, each in drawn}
    low, high = (choose(place for each in columns.values() for place in each) for choose in (min, max))
    room = max(1, (12 - (high - low)) // 2)
    tallest = max(count for each in columns.values() for count in each.values())
    figures = []
    for index, _ in drawn:
        plot = Plot(
            "Distribution of the points a round of deals",
            Axis("points a round in a deal, all its repetitions together", (low - room) * step, (high + room) * step),
            Axis("deals", 0, tallest * 1.06),
        )
        for place, count in sorted(columns[index].items()):
            plot.column((place - 0.5) * step, (place + 0.5) * step, count, index)
        plot.mark(0)
        label = escape(result.standing.labels[index])
        figures.append(f"<figure>{plot.svg(f'spread{index}')}<figcaption>{label}</figcaption></figure>")
    return _section("How the points of a deal are spread", *figures)


def _columns(distribution: Distribution, step: float) -> Counter[int]:
    """Gather bars in columns centred on round values, so that exact zeros are at zero."""
    columns: Counter[int] = Counter()
    for bar, count in distribution.bars.items():
        columns[math.floor(bar * distribution.width / step + 0.5)] += count
    return columns


def _games(result: Result) -> str:
    rows = [
        (
            result.standing.labels[contest.first],
            [("good", "won", contest.wins), ("even", "drawn", contest.draws), ("bad", "lost", contest.losses)],
        )
        for contest in ranked(result)
    ]
    keys = _kinds(("good", "won"), ("even", "drawn"), ("bad", "lost"))
    return _figure("Games", shares("Games won, drawn and lost", rows, "games"), keys)


def _calls(result: Result, people: Mapping[str, float]) -> str:
    everybody = result.standing.totals
    paired, rest = split(everybody)
    parts = _made_and_lost(everybody, paired, people) if paired else []
    if rest:
        parts.append(_counted(everybody, rest, people))
    return _section("Calls made and lost" if paired else "Counted", *parts) if parts else ""


def _made_and_lost(everybody: Sequence[Totals], paired: Sequence[str], people: Mapping[str, float]) -> list[str]:
    """Show how often each call was made and how often it was kept."""
    rows = [(f"{name}, {totals.label}", call_of(totals, name)) for name in paired for totals in everybody]
    bars = []
    for label, call in rows:
        made, lost = (count / (call.rounds or 1) for count in (call.made, call.called - call.made))
        bars.append((label, [("good", "made", made), ("bad", "lost", lost)]))
    cells = [
        [label, str(call.called), _percent(call.called, call.rounds), str(call.made), _percent(call.made, call.called)]
        for label, call in rows
    ]
    cells += [
        [f"{name}, people", "", _share(people, f"{name}{CALLED}"), "", _share(people, f"{name}{MADE}")]
        for name in paired
        if f"{name}{CALLED}" in people
    ]
    return [
        f"<figure>{shares('Calls made and lost', bars, 'calls a round, for each seat')}</figure>",
        f"<p>{_kinds(('good', 'made'), ('bad', 'lost'))}</p>",
        _table(["call", "called", "of seat-rounds", "made", "share made"], cells),
    ]


def _counted(everybody: Sequence[Totals], names: Sequence[str], people: Mapping[str, float]) -> str:
    """Show what else was counted."""
    lines = [[name, *(rate(totals.tally[name], totals.seat_rounds) for totals in everybody)] for name in names]
    heads = ["counted for each seat", *(totals.label for totals in everybody)]
    told = {name: f"{people[name]:.4f} a round" for name in names if name in people}
    if told:
        heads.append("people")
        lines = [[*line, told.get(line[0], "")] for line in lines]
    return _table(heads, lines)


def _share(people: Mapping[str, float], name: str) -> str:
    return f"{people[name]:.1%}" if name in people else ""


def _lengths(result: Result) -> str:
    """Tell how long a game is: in rounds, moves, whatever the game counts of tricks, and time."""
    standing = result.standing
    if not standing.games:
        return ""
    rows = [
        ["rounds", f"{standing.rounds / standing.games:,.2f}", "1"],
        ["moves", f"{standing.moves / standing.games:,.1f}", _each(standing.moves, standing.rounds)],
    ]
    tricks = sum(totals.tally[TRICKS] for totals in standing.totals)
    if tricks:
        rows.append([TRICKS, f"{tricks / standing.games:,.1f}", _each(tricks, standing.rounds)])
    if result.played:
        # Each process plays a game of its own.
        seconds = result.seconds * max(result.workers, 1) / result.played
        rows.append(["time in one process", _time(seconds), _time(seconds * standing.games / max(standing.rounds, 1))])
    return _section("Length", _table(["", "of a game", "of a round"], rows))


def _each(count: int, rounds: int) -> str:
    return f"{count / rounds:,.1f}" if rounds else "-"


def _provenance(values: Mapping[str, Any]) -> str:
    rows = [[name, str(value)] for name, value in values.items() if name != "agents" and value is not None]
    for agent, about in values["agents"].items():
        told = ", ".join(f"{name}={shown(value)}" for name, value in about["parameters"].items())
        files = [f"file of {name} {digest}" for name, digest in about["files"].items()]
        rows.append([agent, "; ".join(part for part in (f"code {about['code'] or 'unknown'}", told, *files) if part)])
    return _section("Provenance", _table(["", ""], rows))


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _times(result: Result) -> str:
    everybody = [(index, totals) for index, totals in enumerate(result.standing.totals) if totals.times]
    if not everybody:
        return ""
    together = sum((totals.times for _, totals in everybody), Counter())
    # A few decisions that the machine delayed would only compress all the others.
    first, last = rank(together, 0.1), rank(together, 99.9) + 1
    tops, lines, rows = [], [], []
    for index, totals in everybody:
        count = sum(totals.times.values())
        bars = [(edge(bucket), totals.times[bucket] / count * 100) for bucket in range(first, last + 1)]
        tops.append(max(height for _, height in bars))
        lines.append((index, outline(bars)))
        middle, most = (percentile(totals.times, percent) or 0.0 for percent in (50, 99))
        rows.append([totals.label, f"{count:,}", _time(middle), _time(most)])
    plot = Plot(
        "Decision times",
        Axis("time for a decision", edge(first), edge(last), logarithmic=True, text=_time),
        Axis("% of decisions", 0, max(tops) * 1.06),
    )
    for index, points in lines:
        plot.line(points, index)
    table = _table(["agent", "decisions", "p50", "p99"], rows)
    keys = _keys(result, [index for index, _ in everybody])
    note = "Times depend on the machine."
    if result.standing.plan.policies is not None:
        note += f" They are those of the games that the engine played: {share_text(result.standing.plan.verified)}."
    return _figure("Decision times", plot.svg("times"), keys + note) + table


def _time(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= 0.999 * size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def _setting(result: Result) -> str:
    standing = result.standing
    rows = [
        ["version", version()],
        ["game", result.game.name],
        ["options", json.dumps(changed_options(standing.plan.options), ensure_ascii=False)],
        ["seed", str(standing.plan.seed)],
        [
            "deals, games, rounds, moves",
            f"{standing.deals:,}, {standing.games:,}, {standing.rounds:,}, {standing.moves:,}",
        ],
        ["line-ups of a deal", str(len(standing.plan.line_ups()))],
        ["left out of the points because of faults", f"{standing.left_out} whole sets of line-ups"],
        ["time", f"{result.seconds:.1f} s; {processes(result)} played"],
    ]
    return _section("Setting", _table(["", ""], rows))


def _shown(result: Result) -> list[int]:
    """Of two agents, one shows everything."""
    count = len(result.standing.labels)
    return [0] if count <= 2 else list(range(count))


def _keys(result: Result, shown: Iterable[int]) -> str:
    labels = [(f"c{index % COLOURS}", result.standing.labels[index]) for index in shown]
    return _kinds(*labels) + ". "


def _kinds(*kinds: tuple[str, str]) -> str:
    return "".join(f'<span class="key {kind}"></span>{escape(name)}' for kind, name in kinds)


class _Markup(str):
    """A cell that is HTML already."""

    __slots__ = ()


def _cell(texts: Sequence[str]) -> _Markup:
    value, interval = texts
    return _Markup(f"{escape(value)} <small>{escape(interval)}</small>")


def _figure(title: str, svg: str, caption: str) -> str:
    return _section(title, f"<figure>{svg}<figcaption>{caption}</figcaption></figure>")


def _section(title: str, *parts: str) -> str:
    return "\n".join([f"<h2>{escape(title)}</h2>", *parts])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head_row = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "\n".join("<tr>" + "".join(f"<td>{_safe(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head_row}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def _safe(cell: str) -> str:
    return cell if isinstance(cell, _Markup) else escape(cell)
