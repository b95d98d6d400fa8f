"""Tests of matches in the core: to the byte those of the engine, for any workers, parts and interruptions."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena_command import complete_games, start
from both_ways import by_the_engine, comparable, pairs, played, same
from tisch import cli
from tisch.agents import policies
from tisch.agents.code import DIGITS
from tisch.agents.policies import policies_of
from tisch.arena import Match, Sprt
from tisch.arena.command import CHANGED
from tisch.arena.progress import line
from tisch.games import REGISTRY, maumau
from waiting import wait_until

AGENTS = ("rule", "random")
GAME = maumau.GAME
#: Matches with other line-ups than two agents in a game of two.
FORMS: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("rule", "random"), {"options": {"players": 4, "rounds": 3}}),
    (("rule", "random", "rule"), {"options": {"players": 3}}),
    (("rule", "random", "random"), {}),
    (("rule", "random", "random"), {"form": "gauntlet"}),
    (("random", "rule"), {"options": {"players": 3}, "form": "round-robin"}),
]


#: Starts two processes, each of which tells whether signals are blocked in it.
BLOCKED = """
import multiprocessing, pathlib, signal, sys
from tisch.arena.workers import deaf
for _ in range(2):
    process = multiprocessing.get_context("spawn").Process(target=print, args=("hello",))
    with deaf():
        process.start()
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    print(bool(int(status.partition("SigBlk:")[2].split()[0], 16) >> signal.SIGINT - 1 & 1), flush=True)
    process.kill()
    process.join()
"""


#: The options of games of agents that think, where they are long without, and the agents that do not.
SHORT = {"tichu": {"rounds": 2}}
FAST = {"random", "rule"}


def every_pair() -> list[Any]:
    """Return every pair of policies of every game; by day, those who think play only against one other."""
    found = [(name, agents) for name, game in REGISTRY.items() for agents in pairs(game)]
    seen = set[tuple[str, str]]()
    params = []
    for name, agents in found:
        thinkers = {(name, agent) for agent in agents if agent not in FAST}
        marks = (pytest.mark.slow,) if thinkers and thinkers <= seen else ()
        seen |= thinkers
        params.append(pytest.param(name, agents, id=" ".join((name, *agents)), marks=marks))
    return params


@pytest.mark.parametrize(("name", "agents"), every_pair())
def test_a_match_in_the_core_is_that_of_the_engine(name: str, agents: tuple[str, str], tmp_path: Path) -> None:
    options = None if {*agents} <= FAST else SHORT.get(name)
    same(tmp_path, REGISTRY[name], agents, games=4, seed=4, options=options)
    same(tmp_path, REGISTRY[name], agents, games=2, seed=5, options=options, recorded=True)


@pytest.mark.parametrize(("agents", "more"), FORMS)
def test_every_form_of_a_match_is_that_of_the_engine(
    agents: tuple[str, ...], more: dict[str, Any], tmp_path: Path
) -> None:
    same(tmp_path, GAME, agents, games=200, seed=6, **more)
    same(tmp_path, GAME, agents, games=20, seed=6, recorded=True, **more)


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers_plays_the_same(workers: int, tmp_path: Path) -> None:
    with by_the_engine():
        told, journal, _ = played(tmp_path, GAME, AGENTS, games=3000, seed=7)
    other, shuffled, _ = played(tmp_path, GAME, AGENTS, games=3000, seed=7, workers=workers)
    assert other == told
    head, *lines = journal.splitlines()
    assert sorted(lines) == sorted(shuffled.splitlines()[1:])
    assert shuffled.startswith(head)
    without = Match(GAME, AGENTS, games=3000, seed=7, workers=workers)
    assert without.plan.summed and not without.plan.lined
    assert comparable(without.run()) == told


@pytest.mark.parametrize("cut", [0, 30, 400, 1000, 1001, 1100, 9000])
def test_a_torn_journal_goes_on_in_the_core(cut: int, tmp_path: Path) -> None:
    told, whole, _ = played(tmp_path, GAME, AGENTS, games=100, seed=8)
    assert cut < len(whole)
    path = tmp_path / "torn"
    path.write_bytes(whole[:cut])
    assert comparable(Match(GAME, AGENTS, games=100, seed=8, workers=0, journal=path).run()) == told
    assert path.read_bytes() == whole
    # What the engine has begun the core continues, in any order of the games.
    head, *lines = whole.splitlines(keepends=True)
    path.write_bytes(head + b"".join(lines[index] for index in range(99, 0, -3)))
    assert comparable(Match(GAME, AGENTS, games=100, seed=8, workers=0, journal=path).run()) == told
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


def test_parts_join_to_the_whole_match(tmp_path: Path) -> None:
    told, whole, _ = played(tmp_path, GAME, AGENTS, games=200, seed=9)
    journals = []
    for number in (1, 2, 3):
        journals.append(tmp_path / f"part {number}")
        # One part was played by the engine.
        with by_the_engine() if number == 2 else nullcontext():
            Match(GAME, AGENTS, games=200, seed=9, workers=0, part=(number, 3), journal=journals[-1]).run()
    joined = tmp_path / "joined"
    assert comparable(Match(GAME, AGENTS, games=200, seed=9, workers=0, parts=journals, journal=joined).run()) == told
    assert joined.read_bytes() == whole


@pytest.mark.parametrize(
    "more", [{"sprt": Sprt(0, 60)}, {"games": 2000, "stop_at": 0.55}, {"games": 300, "course": True}]
)
def test_rules_and_reports_see_each_deal(more: dict[str, Any]) -> None:
    core = Match(GAME, AGENTS, seed=3, workers=0, **more)
    assert core.plan.policies and not core.plan.summed
    with by_the_engine():
        engine = Match(GAME, AGENTS, seed=3, workers=0, **more)
    assert comparable(core.run()) == comparable(engine.run())
    assert (core.stopped or "") == engine.stopped
    if core.course and engine.course:
        assert core.course.moments == engine.course.moments
        assert core.course.field.deals == engine.course.field.deals
        # Decisions are timed in the games that the engine plays: here those with the numbers 0, 101 and 202.
        timed = sum(totals.times.total() for totals in core.standing.totals)
        assert 0 < timed < sum(totals.times.total() for totals in engine.standing.totals) / 50


@pytest.mark.parametrize("more", [{"move_time": 5.0}, {"agents": ["rule", "tisch.games.maumau:RuleAgent"]}])
def test_what_the_core_cannot_do_is_done_by_the_engine(more: dict[str, Any]) -> None:
    match = Match(GAME, **{"agents": AGENTS, "games": 4, "workers": 0, **more})
    assert match.plan.policies is None and match.changed == []
    assert match.run().standing.games == 4


def test_a_changed_agent_is_played_by_the_engine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["arena", "maumau", *AGENTS, "--games", "20", "--workers", "0", "--json"]
    assert cli.main(arguments) == 0
    core = capsys.readouterr()
    kept = {"maumau": {**policies.kept()["maumau"], "rule": "0" * DIGITS}}
    monkeypatch.setattr(policies, "kept", lambda: kept)
    assert cli.main(arguments) == 0
    engine = capsys.readouterr()
    assert core.err == ""
    assert engine.err == f"tisch arena: {CHANGED.format('rule')}\n"
    one, other = json.loads(core.out), json.loads(engine.out)
    assert one.pop("provenance")["played"] == "core, 1/100 verified by the engine"
    assert other.pop("provenance")["played"] == "engine"
    assert one | {"seconds": 0} == other | {"seconds": 0}


def test_the_help_names_the_policies(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["arena", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert f"policies {', '.join(policies_of(GAME))} " in told


def test_a_worker_that_dies_costs_nothing() -> None:
    killed: list[str] = []

    def kill(match: Match) -> None:
        if not killed and match.standing.games > 100:
            worker = multiprocessing.active_children()[0]
            worker.kill()
            killed.append(worker.name)

    match = Match(GAME, AGENTS, games=40_000, seed=2, workers=2, progress=kill)
    told = comparable(match.run())
    assert killed and told["games"] == 40_000
    assert told == comparable(Match(GAME, AGENTS, games=40_000, seed=2, workers=0).run())


def test_a_match_shows_how_far_it_is() -> None:
    shown: list[tuple[int, str]] = []

    def show(match: Match) -> None:
        shown.append((match.standing.games, line(match)))

    Match(GAME, AGENTS, games=20_000, workers=0, progress=show).run()
    # The core plays at first one deal at once, and then at most twice as many each time.
    games = [0, *(games for games, _ in shown)]
    assert all(after - before <= 2 * max(before, 2) for before, after in pairwise(games))
    assert "/20,000  " in shown[-1][1]


def test_a_match_ends_when_its_time_is_up() -> None:
    match = Match(GAME, AGENTS, seconds=0.2, workers=0)
    match.run()
    assert match.stopped == "0.2 seconds have passed."
    assert match.standing.games == 2 * match.standing.deals > 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals.")
@pytest.mark.parametrize("workers", ["0", "2"])
def test_an_interrupt_ends_a_match_in_the_core(workers: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    more = ["--games", "1000000000", "--workers", workers, "--journal", str(journal), "--json"]
    process = start(["maumau", *AGENTS, *more])
    wait_until(lambda: journal.exists() and journal.stat().st_size > 100_000)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (130, "")
    values = json.loads(out)
    assert values["stopped"] == "The match was interrupted."
    assert values["games"] == complete_games(journal)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Only Linux tells it.")
def test_no_interrupt_reaches_a_process_while_it_starts() -> None:
    """Not even the first one, with which Python starts a process of its own."""
    told = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=True, timeout=60)
    assert told.stdout == "True\n" * 2
