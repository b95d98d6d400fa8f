"""Tests of the report: its content, its independence of other files, and its plots."""

from __future__ import annotations

import hashlib
import math
import platform
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from arena_examples import ALONE, FOUR, TEAMS, THREE, TWO, Crashing, DrawGame, Sensible, Timid
from places import ROOT
from tests.arena.test_standing import plan_of, played
from tisch import cli
from tisch.agents.code import code_of
from tisch.arena import Match, provenance
from tisch.arena.course import BARS, MOMENTS, Course
from tisch.arena.plots import Axis, padded, round_step
from tisch.arena.report import page
from tisch.arena.standing import Standing
from tisch.arena.watch import bucket, percentile, seconds


def reported(game: DrawGame | str, agents: list[Any], games: int = 400) -> tuple[Match, str]:
    """Return a match and its report."""
    match = Match(game, agents, games=games, seed=3, workers=0, course=True)
    match.run()
    return match, page(match)


def svgs(text: str) -> list[ET.Element]:
    """Return the plots of a page, parsed as XML."""
    return [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


class Balance(HTMLParser):
    """Checks that every element is closed correctly."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """A void element is closed already."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def test_the_page_needs_nothing_but_itself() -> None:
    _, text = reported(TEAMS, [Sensible, Timid, "random"])
    balance = Balance()
    balance.feed(text)
    assert balance.open == []
    assert not re.search(r"<script|<link|<img|<iframe|@import|https?:|src=", text)
    assert "prefers-color-scheme: dark" in text


def test_the_page_tells_what_the_result_tells() -> None:
    match, text = reported(TEAMS, [Sensible, "random"])
    values = match.result().as_dict()
    points = values["points_per_round"][0]
    assert f"{points['mean']:+.3f} <small>[{points['low']:+.3f}, {points['high']:+.3f}]</small>" in text
    calls = values["calls"][0]
    share = calls["high made"] / calls["high called"]
    often = f"{calls['high called'] / values['seat_rounds'][0]:.1%}"
    row = ["high, arena_examples:Sensible", calls["high called"], often, calls["high made"], f"{share:.1%}"]
    assert "".join(f"<td>{cell}</td>" for cell in row) in text
    assert f"<td>{calls['cards drawn'] / values['seat_rounds'][0]:.4f} a round</td>" in text
    decisions = sum(match.standing.totals[0].times.values())
    assert f"<td>arena_examples:Sensible</td><td>{decisions:,}</td>" in text
    for label in ("deals played", "points a round", "deals", "games", "calls a round, for each seat", "% of decisions"):
        assert f">{label}</text>" in text


def test_the_curve_ends_at_the_result() -> None:
    match, text = reported(TEAMS, [Sensible, "random"])
    assert match.course is not None
    deals, estimates = match.course.moments[-1]
    assert deals == match.standing.deals
    assert estimates[0] == match.standing.fields[0].points_per_round()
    line = next(element for svg in svgs(text) for element in svg.iter() if element.tag == "polyline")
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert points[-1][0] == pytest.approx(704.0)
    assert points == sorted(points)


def test_the_columns_hold_every_deal() -> None:
    _, text = reported(FOUR, [Sensible, "random"], games=400)
    columns = re.findall(r"<title>[-\d.,]+ to [-\d.,]+: (\d+)</title>", text)
    assert sum(map(int, columns)) == 100


def test_an_agent_against_itself_stands_on_zero() -> None:
    _, text = reported(TEAMS, ["random", "random"], games=200)
    (column,) = re.findall(r"<title>([-\d.]+) to ([-\d.]+): (\d+)</title>", text)
    assert float(column[0]) == -float(column[1])
    assert column[2] == "100"


def test_faults_are_told_and_names_are_escaped() -> None:
    _, text = reported("null", [Crashing, type("<b>", (Sensible,), {"act": Crashing.act, "fail": Crashing.fail})])
    assert "arena_examples:Crashing lost" in text and "ArithmeticError: nine is too much" in text
    assert "<b>" not in text and "&lt;b&gt;" in text


@pytest.mark.parametrize("games", [1, 2, 3])
@pytest.mark.parametrize(
    ("game", "agents"), [(ALONE, [Sensible]), (ALONE, [Sensible, Timid]), (TEAMS, [Sensible, Timid])]
)
def test_a_match_that_has_hardly_begun_can_be_reported(game: DrawGame, agents: list[Any], games: int) -> None:
    _, text = reported(game, agents, games)
    assert "Setting" in text
    assert svgs(text)


def test_the_course_of_a_long_match_stays_short() -> None:
    match, _ = reported(ALONE, [Sensible], games=3 * MOMENTS)
    assert match.course is not None
    assert MOMENTS / 2 <= len(match.course.moments) <= MOMENTS


def test_the_course_never_has_more_moments_than_it_may() -> None:
    standing = Standing(plan_of(TWO, 2))
    course = Course(standing)
    for number in range(2 * MOMENTS + 2):
        deal = [played(2 * number, (1, -1)), played(2 * number + 1, (1, -1))]
        standing.add(deal)
        course.add(deal)
        assert len(course.moments) <= MOMENTS
    assert [deals for deals, _ in course.moments] == list(range(4, 2 * MOMENTS + 1, 4))


@pytest.mark.parametrize("sign", [1, -1])
def test_bars_grow_wider_when_points_lie_far_apart(sign: int) -> None:
    standing = Standing(plan_of(TWO, 2))
    (distribution,) = Course(standing).distributions
    values = [3.5, 3.5, 5, 90, 2000]
    for number, value in enumerate(values):
        # Both games of a deal, and so both rounds, score the same.
        payoffs = (sign * value, -sign * value)
        standing.add([played(2 * number, payoffs), played(2 * number + 1, payoffs[::-1])])
        distribution.add()
    # By then the first entry has played both sides, with the same result.
    assert distribution.bars == Counter(math.floor(sign * value / distribution.width) for value in values)
    # An integral power of two, the smallest that can keep all bars.
    assert distribution.width == 1
    assert max(distribution.bars) - min(distribution.bars) < BARS


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.html"
    arguments = ["arena", "null", "random", "random", "--games", "40", "--workers", "0", "--report", str(path)]
    assert cli.main(arguments) == 0
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_ticks_are_round() -> None:
    assert Axis("", 0, 1000).ticks() == [0, 200, 400, 600, 800, 1000]
    assert Axis("", -0.7, 1.1).ticks() == pytest.approx([-0.5, 0, 0.5, 1])
    assert Axis("", 2e-6, 0.03, logarithmic=True).ticks() == pytest.approx([1e-5, 1e-4, 1e-3, 1e-2])
    assert [round_step(rough) for rough in (0.11, 0.2, 3, 70)] == pytest.approx([0.2, 0.2, 5, 100])
    assert padded([]) == (-1, 1)
    assert padded([50, 100]) == (0, 106)


@pytest.mark.parametrize("nanoseconds", [8, 100, 999, 12_345, 1_000_000, 987_654_321])
def test_a_bucket_is_right_to_some_percent(nanoseconds: int) -> None:
    assert seconds(bucket(nanoseconds)) == pytest.approx(nanoseconds * 1e-9, rel=0.0625)


def test_percentiles_by_hand() -> None:
    times = {bucket(1000): 98, bucket(10_000): 1, bucket(100_000): 1}
    assert percentile(times, 50) == percentile(times, 98) == seconds(bucket(1000))
    assert percentile(times, 99) == seconds(bucket(10_000))
    assert percentile(times, 100) == seconds(bucket(100_000))
    assert percentile({}, 50) is None


def cells(text: str, title: str) -> dict[str, list[str]]:
    """Return the rows of all tables of a section by their first cell."""
    section = text.partition(f"<h2>{title}</h2>")[2].partition("<h2>")[0]
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", section)]
    return {row[0]: row[1:] for row in rows if row}


def test_the_page_tells_where_it_comes_from() -> None:
    match, text = reported("null", ["search:playouts=4", "random"], games=8)
    told = cells(text, "Provenance")
    assert told["search:playouts=4"] == [f"code {code_of(match.plan.game, 'search')}; playouts=4"]
    assert told["random"] == [f"code {code_of(match.plan.game, 'random')}"]
    assert told["python"] == [f"{platform.python_implementation()} {platform.python_version()}"]
    assert told["version"] == [version("tisch")] and told["os"] and told["cpu"]
    # This process is no command of tisch.
    assert "command" not in told


def test_a_round_robin_is_rated_together_with_its_matrix(tmp_path: Path) -> None:
    """The figures are those of the ladder, which reads the journal of the same match."""
    agents = ["arena_examples:Sensible", "arena_examples:Timid", "random"]
    match = Match(TEAMS, [Sensible, Timid, "random"], games=60, seed=3, workers=0, course=True)
    match.run()
    Match(TEAMS, [Sensible, Timid, "random"], games=60, seed=3, workers=0, journal=tmp_path / "journal").run()
    text = page(match)
    found, standing = cells(text, "All agents together"), match.standing
    one, other = (
        next(pair for pair in standing.pairs if {pair.first, *pair.others} == set(two)) for two in ((0, 1), (0, 2))
    )
    assert all(pair.first == 0 for pair in (one, other))
    section = text.partition("<h2>All agents together</h2>")[2].partition("<h2>")[0]
    matrix = section.split("<table>")[2]
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", matrix)]
    scores = {row[0]: dict(zip(re.findall(r"<th>(.*?)</th>", matrix)[1:], row[1:], strict=True)) for row in rows if row}
    for pair, rival in ((one, agents[1]), (other, agents[2])):
        games = pair.wins + pair.draws + pair.losses
        share = (pair.wins + pair.draws / 2) / games
        assert scores[agents[0]][rival] == f"{share:.1%}" and scores[rival][agents[0]] == f"{1 - share:.1%}"
    assert set(found) == set(scores) == set(agents) and scores[agents[0]][agents[0]] == ""
    assert "has the rating 0" in section
    # Two agents need no matrix.
    assert "All agents together" not in reported("null", ["random", "random"], games=4)[1]


def test_the_page_tells_which_files_were_played_with(tmp_path: Path) -> None:
    file = tmp_path / "cur.weights"
    file.write_text("high")
    agent = f"arena_examples:Reading:file={file}"
    _, text = reported("null", [agent, "random"], games=4)
    digest = hashlib.sha256(b"high").hexdigest()[:16]
    assert cells(text, "Provenance")[agent][0].endswith(f"; file={file}; file of file {digest}")


def test_the_commit_is_that_of_the_tree() -> None:
    git = shutil.which("git") or "false"
    done = subprocess.run([git, "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    told = provenance.commit()
    assert told is None if done.returncode else (told or "").removesuffix("+") == done.stdout.strip()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["/usr/bin/tisch", "arena", "null", "my agent"], "tisch arena null 'my agent'"),
        (["/x/tisch/__main__.py", "arena"], "tisch arena"),
        (["/x/other.py", "arena"], None),
        ([], None),
    ],
)
def test_the_command_is_told_without_its_folder(arguments: list[str], told: str | None) -> None:
    assert provenance.command(arguments) == told


def test_a_machine_that_does_not_name_its_processor_names_its_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    provenance.cpu.cache_clear()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(Path, "read_text", lambda *_, **__: (_ for _ in ()).throw(OSError()))
            assert provenance.cpu() in (platform.processor(), platform.machine())
    finally:
        provenance.cpu.cache_clear()


def test_behaviour_stands_beside_the_figures_of_people() -> None:
    match = Match("tichu", ["heuristic", "rule"], options={"rounds": 1}, games=20, seed=2, workers=0, course=True)
    match.run()
    text = page(match)
    told = cells(text, "Calls made and lost")
    assert told["small, people"] == ["", "13.9%", "", "73.0%"]
    assert told["grand, people"] == ["", "7.8%", "", "62.0%"]
    own = cells(page(match, {"grand called": 0.1, "bombs": 0.125}), "Calls made and lost")
    assert own["grand, people"] == ["", "10.0%", "", ""] and "small, people" not in own
    assert own["bombs"][-1] == "0.1250 a round" and "bombs" in told and told["bombs"][-1] != "0.1250 a round"
    totals = match.standing.totals[0]
    assert told["small, heuristic"][1] == f"{totals.tally['small called'] / totals.seat_rounds:.1%}"
    # Every trick of a round is won by one seat.
    lengths = cells(text, "Length")
    tricks = sum(each.tally["tricks"] for each in match.standing.totals)
    assert lengths["tricks"] == [f"{tricks / 20:.1f}", f"{tricks / 20:.1f}"] and 5 < tricks / 20 < 40
    assert lengths["rounds"] == ["1.00", "1"]
    assert lengths["moves"][0] == f"{match.standing.moves / 20:,.1f}"
    assert "people" not in cells(reported("maumau", ["rule", "random"], games=4)[1], "Counted")


class Watched(DrawGame):
    """A game of which a count of people is known."""

    people = {"cards drawn": 1.25}  # noqa: RUF012 - It is never changed.


def test_a_count_of_people_stands_beside_the_agents() -> None:
    game = Watched("watched", (0,), (1,))
    told = cells(reported(game, [Sensible, Timid], games=8)[1], "Calls made and lost")
    assert told["cards drawn"][-1] == "1.2500 a round"


def test_the_distributions_of_all_agents_have_the_same_axes() -> None:
    _, text = reported(THREE, [Sensible, Timid, "random"], games=60)
    drawn = [svg for svg in svgs(text) if svg.get("aria-label", "").startswith("Distribution")]
    ticks = [[each.text for each in svg.iter() if each.tag.endswith("text")] for svg in drawn]
    assert len(drawn) == 3 and ticks[0] == ticks[1] == ticks[2]
