"""A match on a Dask cluster: a real scheduler and real nodes on this machine, one of which is killed."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from places import HARNESS
from tisch import cli
from tisch.agents import code
from tisch.arena import Match, cluster
from tisch.arena.play import BrokenMatch, Plan, Played
from tisch.arena.portions import Portion, given
from tisch.arena.workers import play_here
from waiting import wait_until

pytest.importorskip("distributed", reason="Dask is an extra.")

#: Slow enough that a node is killed in the middle of a match.
AGENTS = ["arena_examples:Slow", "arena_examples:Slow"]
GAMES = 160


class DaskCluster:
    """A scheduler and its nodes, each a process of its own.

    :param folder: The folder for their files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        self.address = str(self._read(file))
        self.nodes: list[subprocess.Popen[bytes]] = []

    def add(self, *more: str) -> subprocess.Popen[bytes]:
        """Start a node."""
        options = ["--nthreads", "1", "--no-dashboard", "--memory-limit", "0", *(more or ["--no-nanny"])]
        node = self._start("worker", self.address, *options)
        self.nodes.append(node)
        return node

    def close(self) -> None:
        """End everything that this cluster started."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = os.environ | {"PYTHONPATH": str(HARNESS)}
        command = [sys.executable, "-m", "dask", what, "--local-directory", str(self._folder)]
        if what == "scheduler":
            command = command[:-2]
        log = (self._folder / f"{what} {len(self.processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                [*command, *arguments], cwd=self._folder, env=environment, stdout=log, stderr=log
            )
        self.processes.append(process)
        return process

    @staticmethod
    def _read(file: Path) -> Any:
        def address() -> Any:
            try:
                return json.loads(file.read_text())["address"]
            except (OSError, ValueError, KeyError):
                return None

        return wait_until(address)


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    """A cluster of three nodes."""
    opened = DaskCluster(tmp_path_factory.mktemp("dask"))
    try:
        for _ in range(3):
            opened.add()
        yield opened
    finally:
        opened.close()


def comparable(match: Match) -> dict[str, Any]:
    """Return a result without what depends on the machine."""
    values = match.run().as_dict()
    del values["seconds"], values["decision_seconds"]
    return values


def test_a_killed_node_changes_nothing(dask: DaskCluster, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"games": GAMES, "seed": 5}
    whole = comparable(Match("null", AGENTS, workers=0, record=tmp_path / "here", **settings))
    victims: list[int] = []

    def kill(match: Match) -> None:
        if match.standing.games > GAMES // 8 and not victims:
            victim = dask.nodes.pop(0)
            victims.append(victim.pid)
            victim.send_signal(signal.SIGKILL)
            victim.wait()

    journal = tmp_path / "journal"
    more: dict[str, Any] = {"record": tmp_path / "there", "journal": journal, "dask": dask.address, "workers": 1}
    there = comparable(Match("null", AGENTS, progress=kill, **settings, **more))
    assert victims and there == whole
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    # The journal is that of the match, wherever it is played.
    assert len(journal.read_bytes().splitlines()) == GAMES + 1
    more["dask"] = None
    assert comparable(Match("null", AGENTS, **settings, **more)) == whole


def test_the_command_plays_on_a_cluster(
    dask: DaskCluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(HARNESS)
    arguments = ["arena", "null", "arena_examples:Crashing", "random", "--games", "40", "--seed", "2"]
    assert cli.main([*arguments, "--workers", "0"]) == 0
    here = capsys.readouterr().out.partition("It took")[0]
    assert cli.main([*arguments, "--dask", dask.address, "--workers", "1"]) == 0
    assert capsys.readouterr().out.partition("It took")[0] == here
    # The faults of agents are told as on one machine.
    assert "crashes: " in here


@pytest.mark.slow
def test_a_match_whose_scheduler_dies_ends_and_goes_on_from_its_journal(tmp_path: Path) -> None:
    opened = DaskCluster(tmp_path)
    settings: dict[str, Any] = {"games": GAMES, "seed": 5, "workers": 1, "journal": tmp_path / "journal"}

    def kill(match: Match) -> None:
        if match.standing.games > GAMES // 8:
            opened.processes[0].kill()

    try:
        opened.add()
        with pytest.raises(BrokenMatch, match=r"scheduler at .* is gone"):
            Match("null", AGENTS, dask=opened.address, progress=kill, **settings).run()
    finally:
        opened.close()
    kept = len((tmp_path / "journal").read_bytes().splitlines())
    assert GAMES // 8 < kept <= GAMES
    whole = comparable(Match("null", AGENTS, games=GAMES, seed=5, workers=0))
    assert comparable(Match("null", AGENTS, **settings)) == whole


@pytest.mark.slow
def test_an_agent_that_ends_its_process_loses_only_its_game(dask: DaskCluster) -> None:
    agents = ["arena_examples:Dying", "random"]
    here = comparable(Match("null", agents, games=40, seed=1, workers=1))
    assert comparable(Match("null", agents, games=40, seed=1, workers=1, dask=dask.address)) == here
    assert here["faults"][0]["crash"] > 0


def test_a_match_in_the_core_is_the_same_on_a_cluster(dask: DaskCluster, tmp_path: Path) -> None:
    agents = ["rule", "random"]
    more: dict[str, Any] = {"games": 3000, "seed": 1, "workers": 1}
    here = comparable(Match("maumau", agents, **more))
    match = Match("maumau", agents, dask=dask.address, **more)
    assert match.plan.policies and match.plan.summed
    assert comparable(match) == here
    journal = tmp_path / "journal"
    assert comparable(Match("maumau", agents, dask=dask.address, journal=journal, **more)) == here
    assert {json.loads(line)[0] for line in journal.read_text().splitlines()[1:]} == set(range(3000))


def test_a_node_with_other_code_refuses(dask: DaskCluster) -> None:
    with mock.patch.object(code, "code_of", return_value="another"):
        match = Match("null", ["random", "random"], games=40, workers=1, dask=dask.address)
        with pytest.raises(BrokenMatch, match="A node has other code of the agent 'random' than the match"):
            match.run()
    with mock.patch.object(cluster, "version", return_value="0.0.1"):
        match = Match("null", ["random", "random"], games=40, workers=1, dask=dask.address)
        with pytest.raises(BrokenMatch, match=r"A node has tisch .*, the match 0\.0\.1\."):
            match.run()


def portion(plan: Plan, count: int) -> list[Played]:
    """Play the first games of a match as a node does."""
    order = msgspec.json.encode(cluster.expected(plan)), pickle.dumps(plan)
    found, _ = cluster.play_portion(*order, 1, Portion(range(count)))
    return [played for finished in found for played in finished.games()]


def test_a_node_with_another_file_refuses(tmp_path: Path) -> None:
    file = tmp_path / "cur.weights"
    file.write_text("high")
    plan = Match("null", [f"arena_examples:Reading:file={file}", "random"], games=4).plan
    order = msgspec.json.encode(cluster.expected(plan)), pickle.dumps(plan)
    file.write_text("low")
    try:
        with pytest.raises(
            BrokenMatch, match=r"A node has another file as 'file' of the agent 'arena_examples:Reading"
        ):
            cluster.play_portion(*order, 1, Portion(range(4)))
    finally:
        cluster.forget()


def test_a_node_that_was_not_told_the_end_of_a_match_plays_the_next_one() -> None:
    """Whoever killed a match has not told the nodes."""
    plans = [Match("null", ["random", "arena_examples:Cautious"], seed=seed).plan for seed in (1, 2)]
    try:
        for plan in (*plans, plans[0]):
            batches = play_here(plan, given(Portion(range(12))))
            here = [played for batch in batches for finished in batch for played in finished.games()]
            found = sorted(portion(plan, 12), key=lambda played: played.number)
            assert [played.payoffs for played in found] == [played.payoffs for played in here]
    finally:
        cluster.forget()


def test_what_cannot_be_reached_is_refused_in_a_sentence() -> None:
    with mock.patch.object(cluster, "PATIENCE", 0.5):
        for address in ("tcp://127.0.0.1:9", "nowhere"):
            match = Match("null", ["random", "random"], games=4, dask=address)
            with pytest.raises(ValueError, match=f"There is no Dask scheduler at '{address}'"):
                match.run()
    with pytest.raises(ValueError, match="At the nodes of a cluster at least one process plays"):
        Match("null", ["random", "random"], games=4, workers=0, dask="tcp://127.0.0.1:9")
    with mock.patch.object(cluster, "import_module", side_effect=ImportError):
        match = Match("null", ["random", "random"], games=4, dask="tcp://127.0.0.1:9")
        with pytest.raises(ValueError, match=r"pip install 'tisch\[dask\]'"):
            match.run()


# --- the node's side, in this process -----------------------------------------------------------------------------


def test_a_node_plays_a_portion_with_its_own_workers_and_forgets_them() -> None:
    plan = Match("null", ["search:playouts=4", "random"], games=20, seed=3, workers=1).plan
    order = msgspec.json.encode(cluster.expected(plan)), pickle.dumps(plan), 1
    try:
        found, seconds = cluster.play_portion(*order, Portion([3, 8]))
        games = {played.number: played for finished in found for played in finished.games()}
        assert sorted(games) == [3, 8] and seconds > 0
        workers = cluster._NODE._workers
        assert workers is not None
        again, _ = cluster.play_portion(*order, Portion([3]))
        assert cluster._NODE._workers is workers
        assert again[0].games() == [games[3]]
    finally:
        cluster.forget()
    assert cluster._NODE._workers is None
    with (
        mock.patch.object(cluster.multiprocessing, "current_process", return_value=mock.Mock(daemon=True)),
        pytest.raises(BrokenMatch, match="--no-nanny"),
    ):
        cluster.play_portion(*order, [3])
