"""Tuning: it finds an optimum that is known, goes on where it was interrupted, and tests what it found."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Literal

import pytest

from arena_examples import TWO
from arena_examples import Failing as FailingGame
from places import ROOT
from tisch import cli
from tisch.arena import Match
from tisch.arena.stopping import Sprt
from tisch.arena.tune import Axis, Iteration, Plan, Tuning, axis_of
from tisch.game import Agent


class Limited(Agent[str]):
    """Plays the game of draws: draws another card for one below the limit. The noise does nothing."""

    def __init__(self, limit: float = 20.0, noise: int = 3, style: Literal["bold", "shy"] = "shy") -> None:
        self.limit = limit

    def act(self, view: Any, legal: Sequence[str], must: bool) -> str:
        return "draw" if view < self.limit else "keep"


AGENT = f"{__name__}:Limited"
FAILING = FailingGame()
LIMIT = "limit=0..100"


def plan(**more: Any) -> Plan:
    """Return a short tuning of the limit."""
    axes = (axis_of(TWO, AGENT, LIMIT),)
    return Plan(TWO, TWO.Options(rounds=1), AGENT, axes, **{"iterations": 40, "games": 60, "seed": 3, **more})


def best_limit() -> int:
    """Enumerate which limit beats which: the card is uniform over 0 to 99, the higher one wins."""

    def cards(limit: int) -> list[float]:
        # The chance of each last card: kept at once, or drawn after one below the limit.
        return [limit / 100 / 100 + (1 / 100 if card >= limit else 0) for card in range(100)]

    def wins(one: int, other: int) -> float:
        mine, theirs = cards(one), cards(other)
        return sum(mine[a] * sum(theirs[:a]) for a in range(100)) - sum(theirs[a] * sum(mine[:a]) for a in range(100))

    # The equilibrium: no other limit beats it.
    return min(range(0, 101, 2), key=lambda limit: max(wins(other, limit) for other in range(0, 101, 5)))


def test_the_tuning_finds_the_limit_that_an_enumeration_finds() -> None:
    best = best_limit()
    assert 50 <= best <= 70
    tuning = Tuning(plan(), workers=0)
    found = tuning.run()
    value = float(found.rpartition("=")[2])
    assert found == f"{AGENT}:limit={value:.6g}" and abs(value - best) < 15
    # Other deals confirm it; the agent's default loses.
    result = tuning.test(Sprt(0, 30), 4000)
    assert result.stopped and result.stopped.startswith("SPRT accepts")
    assert result.standing.plan.seed != 3


def test_the_same_seed_gives_the_same_course_for_any_number_of_workers() -> None:
    courses = [Tuning(plan(iterations=3), workers=workers) for workers in (0, 1)]
    for tuning in courses:
        tuning.run()
    assert courses[0].done == courses[1].done
    other = Tuning(plan(iterations=3, seed=4), workers=0)
    other.run()
    assert other.done != courses[0].done


def test_an_interrupted_tuning_goes_on_to_the_same_end(tmp_path: Path) -> None:
    journal = tmp_path / "tuning"
    whole = Tuning(plan(iterations=6), workers=0, journal=journal)
    found = whole.run()
    written = journal.read_bytes()
    for cut in (0, 30, len(written) // 2, len(written) - 3):
        journal.write_bytes(written[:cut])
        if 0 < cut < 100:
            with pytest.raises(ValueError, match="is not the journal of this tuning"):
                Tuning(plan(iterations=6), workers=0, journal=journal).run()
            continue
        again = Tuning(plan(iterations=6), workers=0, journal=journal)
        assert again.run() == found and again.done == whole.done
        assert journal.read_bytes() == written
    with pytest.raises(ValueError, match="there 'seed' is 3, here it is 5"):
        Tuning(plan(iterations=6, seed=5), workers=0, journal=journal).run()


def test_the_result_is_the_mean_of_the_last_half_of_the_iterations() -> None:
    tuning = Tuning(plan())
    for number, place in enumerate((0.1, 0.2, 0.3, 0.5)):
        tuning.done.append(Iteration(number, "", "", 0.0, [place]))
    assert tuning.found == f"{AGENT}:limit=40.0"
    tuning.done.append(Iteration(4, "", "", 0.0, [0.7]))
    # Of five iterations the last three.
    assert tuning.found == f"{AGENT}:limit=50.0"


def test_at_the_edge_of_the_range_both_agents_stay_within_it_and_apart() -> None:
    """Higher limits are better up to 60, so that the values press against the upper end, and never leave it."""
    tuning = Tuning(
        Plan(TWO, TWO.Options(rounds=1), AGENT, (axis_of(TWO, AGENT, "limit=0..20"),), 12, 60, 3), workers=0
    )
    tuning.run()
    for each in tuning.done:
        one, other = (float(text.rpartition("=")[2]) for text in (each.up, each.down))
        assert 0 <= min(one, other) < max(one, other) <= 20
        assert 0 <= each.places[0] <= 1
    # The first perturbation is a tenth of the range, so its agents are the end and a fifth below it.
    first = {float(text.rpartition("=")[2]) for text in (tuning.done[0].up, tuning.done[0].down)}
    assert first == {16.0, 20.0}


def test_the_signal_is_the_mean_lead_in_standard_deviations_of_a_deal(tmp_path: Path) -> None:
    """Few deals, where it matters that the deviation of a sample is divided by one less than their number."""
    agents = [f"{AGENT}:limit=60", f"{AGENT}:limit=10"]
    signal = Tuning(plan(games=8), workers=0)._signal(agents[0], agents[1], 11)
    journal = tmp_path / "journal"
    Match(TWO, agents, options=TWO.Options(rounds=1), games=8, seed=11, workers=0, journal=journal).run()
    leads: dict[int, float] = {}
    for line in journal.read_text().splitlines()[1:]:
        number, payoffs, *_ = json.loads(line)
        # In every other game of a deal the agents have swapped sides.
        leads[number // 2] = leads.get(number // 2, 0) + payoffs[number % 2]
    assert len(leads) == 4
    assert (
        signal == pytest.approx(max(-1.0, min(mean(leads.values()) / stdev(leads.values()), 1.0))) and abs(signal) < 1
    )


def test_an_iteration_plays_the_two_perturbed_agents_and_steps_to_the_winner() -> None:
    tuning = Tuning(plan(iterations=1), workers=0)
    tuning.run()
    (only,) = tuning.done
    up, down = (float(text.rpartition("=")[2]) for text in (only.up, only.down))
    assert {up, down} == {10.0, 30.0}
    # Higher limits are better here, whichever way the lot has moved the first one.
    assert (only.signal > 0) == (up > down) and only.places[0] > 0.2


@pytest.mark.parametrize(
    ("axis", "place", "value"),
    [
        (Axis("a", 0, 10, 5, whole=True), 0.33, 3),
        (Axis("a", 0, 10, 5, whole=True), 2.0, 10),
        (Axis("a", 1, 2, 1.5, whole=False), 1 / 3, 1.33333),
        (Axis("a", 1, 2, 1.5, whole=False), -0.5, 1.0),
    ],
)
def test_a_place_is_a_value_of_the_parameters_kind(axis: Axis, place: float, value: float) -> None:
    assert axis.value(place) == value and type(axis.value(place)) is type(value)


def test_whole_numbers_are_moved_by_at_least_one_step() -> None:
    axes = (axis_of(TWO, AGENT, "noise=1..5"),)
    tuning = Tuning(Plan(TWO, TWO.Options(), AGENT, axes, iterations=2, games=8, step=0.01), workers=0)
    tuning.run()
    for each in tuning.done:
        assert each.up != each.down and each.signal == 0.0
    assert tuning.found == f"{AGENT}:noise=3"


def test_the_command_tunes_and_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tune", "null", "search:playouts=8", "--param", "playouts=2..16", "--iterations", "2", "--games", "8"]
    arguments += ["--workers", "0", "--journal", str(tmp_path / "tuning")]
    assert cli.main([*arguments, "--test-games", "20", "--json"]) == 0
    told = capsys.readouterr()
    values = json.loads(told.out)
    assert values["start"] == "search:playouts=8" and values["found"].startswith("search:playouts=")
    assert len(values["course"]) == len(values["signals"]) == 2
    assert values["test"]["games"] == 20 and values["test"]["agents"][0] == values["found"]
    assert told.err.startswith("1/2  signal ")
    # Everything is in the journals.
    assert cli.main([*arguments, "--test-games", "20"]) == 0
    told = capsys.readouterr()
    assert told.err == "" and told.out.splitlines()[1] == f"found  {values['found']}"
    assert cli.main([*arguments, "--test-games", "0"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--param", "playouts"],
            "is written NAME=LOW..HIGH, such as margin=0.5..4, not 'playouts'.",
        ),
        (["--param", "playouts=4..2"], "not 'playouts=4..2'."),
        (["--param", "playouts=1..inf"], "not 'playouts=1..inf'."),
        (["--param", "worlds=1..2"], "The agent 'search' has no number 'worlds' to tune; it has playouts=128."),
        (["--param", "playouts=1..2"], "The parameter 'playouts' starts at 128, which is not from 1 to 2."),
        (["--param", "playouts=1..200", "--param", "playouts=2..200"], "A parameter to tune is named twice."),
        (["--param", "playouts=1..200", "--games", "2"], "at least 1 iteration of at least 4 games."),
        (["--param", "playouts=1..200", "--step", "0.9"], "The first perturbation must be above 0 and at most 0.5"),
        (["--param", "playouts=1..200", "--seed", "-1"], "The seed must be a number from 0 to 2^64 - 1, not -1."),
        (
            ["--param", "playouts=1..200", "--journal", "/nowhere/file"],
            "The journal /nowhere/file cannot be used:",
        ),
        (["--param", "playouts=1..200", "--sprt", "5", "5"], "SPRT"),
    ],
)
def test_what_cannot_be_tuned_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert cli.main(["tune", "null", "search", *arguments, "--workers", "0"]) == 2
    assert sentence in capsys.readouterr().err


class Failing(Limited):
    """Crashes with a high limit."""

    def act(self, view: Any, legal: Sequence[str], must: bool) -> str:
        if self.limit > 25:
            raise ArithmeticError("too high")
        return super().act(view, legal, must)


def test_an_agent_that_fails_is_told_and_not_tuned() -> None:
    axes = (axis_of(TWO, f"{__name__}:Failing", LIMIT),)
    tuning = Tuning(Plan(TWO, TWO.Options(), f"{__name__}:Failing", axes), workers=0)
    with pytest.raises(ValueError, match=r"The agent '.*:Failing:limit=30\.0' failed: .* ArithmeticError: too high"):
        tuning.run()
    assert tuning.done == []


def test_a_game_that_fails_ends_the_command_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tune", f"{__name__}:FAILING", "search", "--param", "playouts=2..200", "--workers", "0"]
    assert cli.main(arguments) == 1
    assert "tisch tune: A match cannot continue. Game " in capsys.readouterr().err


def test_a_choice_is_no_number() -> None:
    with pytest.raises(ValueError, match=r"has no number 'style' to tune; it has limit=20\.0, noise=3\."):
        axis_of(TWO, AGENT, "style=0..1")
    assert axis_of(TWO, f"{AGENT}:limit=30", LIMIT).start == 30


PAGE = ROOT / "docs" / "tuning.md"


def test_the_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (line,) = re.findall(r"^\$ tisch (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert cli.main([*line.split(), "--workers", "0"]) == 0
    assert "found  search:playouts=" in capsys.readouterr().out
    assert (tmp_path / "t").exists() and (tmp_path / "t.test").exists()


def test_the_program_of_the_page_runs(tmp_path: Path) -> None:
    pytest.importorskip("optuna", reason="Optuna is not part of tisch.")
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert re.match(r"search:playouts=\d+ \{'mean'", done.stdout)
