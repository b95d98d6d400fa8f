"""Tests of ``tisch learn``: gradients, splits, the whole loop, a run that goes on after kill -9, and imported logs."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import platform
import re
import signal
import subprocess
import sys
import time
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tisch._core.tichu import decision
from tisch.arena import Match
from tisch.cli import main
from tisch.game import Random, Samples
from tisch.games import null, tichu
from tisch.games.tichu import Options, simulate
from tisch.games.tichu.agents import BehaviorAgent
from tisch.games.tichu.agents.behavior import WEIGHTS as BEHAVIOR
from tisch.games.tichu.lessons import TichuLessons, TichuTrees
from tisch.games.tichu.logs.generate import log, played
from tisch.games.tichu.moves import TICHU
from tisch.games.tichu.weights import DECISIONS, load
from tisch.learn.lessons import SPLIT, VALIDATION, Collector, Set, collect, lessons_of
from tisch.learn.network import WORTH, Adam, Aim, Batch, Network, batch, heads, imitation, softmax, valuation
from tisch.learn.page import page
from tisch.learn.training import Settings, agreement, best_of, foreseen, train
from tisch.ports.lessons import Lesson
from tisch.ports.reasons import often

LESSONS = TichuLessons()


def recorded(folder: Path, games: int = 30, agents: tuple[str, str] = ("heuristic", "rule"), seed: int = 1) -> Path:
    """Record rounds of Tichu."""
    path = folder / f"games-{seed}.jsonl"
    Match("tichu", agents, games=games, seed=seed, options={"rounds": 1}, workers=0, record=path).run()
    return path


def folder(parent: Path, name: str) -> Path:
    """Create a folder."""
    (parent / name).mkdir()
    return parent / name


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record rounds of Tichu once."""
    return recorded(tmp_path_factory.mktemp("records"))


@pytest.fixture(scope="module")
def lessons(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Set:
    """Read the lessons of these rounds."""
    found, broken = collect(LESSONS, [record], None, tmp_path_factory.mktemp("lessons"))
    assert not broken
    return found


# --- lessons ----------------------------------------------------------------------------------------------------------


def test_every_decision_of_a_round_is_a_lesson() -> None:
    """Count by the rules: each seat decides once on Grand Tichu and gives three cards away."""
    counted = dict.fromkeys(LESSONS.kinds, 0)
    expected = {**counted, "grand": 4 * 20, "schupf": 12 * 20}
    for seed in range(20):
        for state, seat, move in played(Options(rounds=1), seed, "heuristic"):
            awaited = seat in state.awaiting()
            choice = [each for each in state.legal(seat) if each != TICHU]
            if state.phase == "play" and awaited and move != TICHU and state.owner != seat:
                expected["play"] += (
                    len({(each.code, str(each.cards).translate({ord(s): None for s in "SBGR"})) for each in choice}) > 1
                )
            expected["wish"] += state.phase == "wish"
            expected["dragon"] += state.phase == "dragon" and awaited and move.verb == "dragon"
            for lesson in LESSONS.of(state, seat, move, range(4)):
                counted[LESSONS.kinds[lesson.kind]] += 1
                assert 0 <= lesson.chosen < len(lesson.ends)
            state.play(seat, move)
    for kind in ("grand", "schupf", "play", "wish", "dragon"):
        assert counted[kind] == expected[kind], kind
    assert counted["small"] > 20 * 4 and counted["bomb"] > 0


def test_silence_with_a_bomb_is_a_lesson_and_so_is_the_bomb() -> None:
    found = set()
    for seed in range(60):
        for state, seat, move in played(Options(rounds=1), seed, "heuristic"):
            kept = seat in state.awaiting()
            lessons = [each for each in LESSONS.of(state, seat, move, range(4)) if LESSONS.kinds[each.kind] == "bomb"]
            # The heuristic's silence is its rule of thumb as well, and so is its bomb.
            assert all(each.chosen == each.own for each in lessons)
            found |= {(kept, len(lessons) > 0)}
            state.play(seat, move)
    assert found == {(True, False), (True, True), (False, True)}


def test_only_the_teacher_counts_and_no_deal_is_in_two_splits(record: Path, lessons: Set, tmp_path: Path) -> None:
    one, other = (collect(LESSONS, [record], name, folder(tmp_path, name))[0] for name in ("heuristic", "rule"))
    assert len(one.kinds) + len(other.kinds) == len(lessons.kinds)
    assert 0.4 < len(one.kinds) / len(lessons.kinds) < 0.6
    # Each deal is played twice, and 15 deals leave no split of training empty.
    assert set(lessons.splits.tolist()) <= set(range(SPLIT))
    changes = np.flatnonzero(np.diff(lessons.splits.astype(int))).size
    assert changes < 15
    with pytest.raises(ValueError, match="no decision of the agent 'nobody' in "):
        collect(LESSONS, [record], "nobody", folder(tmp_path, "nobody"))


def test_a_broken_line_is_named_and_skipped(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    lines = record.read_text().splitlines()[:3]
    path.write_text("\n".join([lines[0], "{", lines[1].replace(" pass", " perhaps", 1), lines[2]]))
    found, broken = collect(LESSONS, [path], None, tmp_path)
    assert len(broken) == 2 and "line 2, is no recorded game" in broken[0] and "line 3" in broken[1]
    assert found.candidates[-1] == len(found.ends) - 1


def test_lessons_that_were_read_are_not_read_again(
    record: Path, lessons: Set, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tisch.learn.lessons.GAMES", 13)
    read = list[str]()
    for stop in (1, 3):
        # A run that was stopped has left some of the files.
        for number in range(stop, 3):
            (tmp_path / f"lessons-{number:05}.npz").unlink(missing_ok=True)
        read.clear()
        found, _ = collect(LESSONS, [record], None, tmp_path, read.append)
        for name in Set.__slots__:
            assert np.array_equal(getattr(found, name), getattr(lessons, name), equal_nan=name == "values")
    assert read == []


def test_a_game_without_lessons_is_named() -> None:
    with pytest.raises(ValueError, match="'null' has no agent 'behavior' that learns"):
        lessons_of(null.GAME, "behavior")


def test_the_candidates_of_a_lesson_are_judged() -> None:
    judged, kinds = TichuLessons(3), set[str]()
    for seed in range(8):
        for state, seat, move in played(Options(rounds=1), seed, "heuristic"):
            for lesson in judged.of(state, seat, move, [seat]):
                kind = LESSONS.kinds[lesson.kind]
                kinds.add(kind)
                values = np.array(lesson.values)
                tried = values[~np.isnan(values)]
                assert len(tried) == len(lesson.ends)
                # Three worlds, and points are multiples of five.
                assert tried * 3 / 5 == pytest.approx(np.round(tried * 3 / 5), abs=1e-6)
            state.play(seat, move)
    assert kinds >= {"grand", "schupf", "small", "play", "dragon"}


# --- the network ------------------------------------------------------------------------------------------------------


def test_the_network_scores_like_the_core(lessons: Set, tmp_path: Path) -> None:
    network = Network.random((LESSONS.features, 16, 8), 3)
    path = tmp_path / "net.weights"
    path.write_bytes(LESSONS.pack(network.sizes, network.weights(), {}))
    read = Network.unpacked(*LESSONS.unpack(path))
    assert all(np.array_equal(one, two) for one, two in zip(read.arrays, network.arrays, strict=True))
    for state, seat, move in played(Options(rounds=1), 2, "heuristic"):
        found = decision(simulate(state), seat)
        if found:
            [lesson] = [
                each for each in LESSONS.of(state, seat, move, [seat]) if LESSONS.kinds[each.kind] == found.kind
            ]
            some = only(lesson)
            scores = network.scores(batch(some, np.array([0]), LESSONS.features))
            assert scores == pytest.approx(found.scores(load(path, DECISIONS)), abs=1e-4)
        state.play(seat, move)


def only(lesson: Lesson) -> Set:
    """Return a lesson as a set."""
    collector = Collector()
    collector.add(lesson, SPLIT - 1)
    return collector.set()


@pytest.mark.parametrize("aim", [imitation, valuation])
def test_the_gradient_is_the_slope_of_the_loss(aim: Aim, lessons: Set) -> None:
    network = Network.random((LESSONS.features, 6, 4), 1)
    # Differences of losses need more digits than a training does, and no sum may be just at its bend.
    network.arrays = [array.astype(np.float64) for array in network.arrays]
    network.arrays[1][:] = np.linspace(0.1, 0.2, 6)
    network.arrays[3][:] = np.linspace(0.1, 0.2, 4)
    given = batch(lessons, np.arange(40), LESSONS.features)
    given.values = np.random.default_rng(2).normal(0, 100, len(given.values)).astype(np.float32)
    given.values[np.random.default_rng(3).random(len(given.values)) < 0.3] = np.nan
    given.values[given.starts] = 7
    _, gradient = network.gradient(given, aim)
    random = Random(4)
    for array, slope in zip(network.arrays, gradient, strict=True):
        flat = array.reshape(-1)
        places = [int(place) for place in np.argsort(-np.abs(slope.reshape(-1)))[:3]]
        for place in [*places, *(random.below(flat.size) for _ in range(3))]:
            before = flat[place]
            losses = []
            for step in (1e-5, -1e-5):
                flat[place] = before + step
                losses.append(network.gradient(given, aim)[0])
            flat[place] = before
            assert slope.reshape(-1)[place] == pytest.approx((losses[0] - losses[1]) / 2e-5, abs=2e-4)


def test_probabilities_of_each_decision_sum_to_one(lessons: Set) -> None:
    given = batch(lessons, np.arange(50), LESSONS.features)
    shares = softmax(np.linspace(-90, 90, len(given.lesson), dtype=np.float32), given)
    assert np.add.reduceat(shares, given.starts) == pytest.approx(np.ones(50), abs=1e-5)


# --- training ---------------------------------------------------------------------------------------------------------

SMALL = Settings(seed=2, epochs=3, batch=64, rate=0.005, wide=16, narrow=8)


def test_a_training_comes_to_agree_with_its_teacher(lessons: Set, tmp_path: Path) -> None:
    metrics = list(train(lessons, LESSONS.features, SMALL, tmp_path))
    assert [each["epoch"] for each in metrics] == [1, 2, 3]
    assert metrics[-1]["loss"] < metrics[0]["loss"]
    training = lessons.part(*range(VALIDATION + 1, SPLIT))
    network = best_of(tmp_path, LESSONS.features, SMALL)
    untaught = Network.random(network.sizes, 2)
    found = [
        agreement(each, lessons, training, LESSONS.features, aim=imitation, kinds=LESSONS.kinds)
        for each in (untaught, network)
    ]
    assert found[1]["agreement"] > found[0]["agreement"] + 0.2
    assert found[1]["decisions"] == sum(each["decisions"] for each in found[1]["kinds"].values()) == len(training)
    assert "<svg" in page("Tichu", metrics, found[1], {})


@pytest.mark.parametrize("gain", [-3.0, 0.0, 3.0])
def test_a_curve_may_stay_where_it_is(gain: float) -> None:
    held = {"loss": 1.0, "agreement": 0.5, "rule of thumb": 0.5, "gain": gain}
    metrics = [{"epoch": epoch, "loss": 1.0, "held": held} for epoch in (1, 2)]
    report = {"agreement": 0.5, "rule of thumb": 0.5, "gain": gain, "decisions": 9, "kinds": {}}
    assert page("Tichu", metrics, report, {}).count("<svg") == 3


def test_a_training_that_stopped_goes_on_as_if_it_had_not(lessons: Set, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder in (whole, parts):
        folder.mkdir()
    expected = list(train(lessons, LESSONS.features, SMALL, whole))
    for stop in (1, 2):
        run = train(lessons, LESSONS.features, SMALL, parts)
        for _ in range(stop):
            next(run)
        run.close()
    # The next epoch had told its metrics when the process ended.
    with (parts / "metrics.jsonl").open("a") as file:
        file.write(json.dumps({"epoch": 3}) + "\n")
    found = list(train(lessons, LESSONS.features, SMALL, parts))
    for each in (*expected, *found):
        each.pop("seconds")
    assert found == expected
    networks = [best_of(folder, LESSONS.features, SMALL) for folder in (whole, parts)]
    assert networks[0].weights() == networks[1].weights()


def test_a_run_that_goes_on_knows_the_lowest_loss_of_before(lessons: Set, tmp_path: Path) -> None:
    """No later epoch is better than one that lost nothing on the lessons held back."""
    run = train(lessons, LESSONS.features, SMALL, tmp_path)
    next(run)
    run.close()
    with np.load(tmp_path / "checkpoint.npz") as kept:
        arrays = dict(kept)
    np.savez(tmp_path / "checkpoint.npz", **{**arrays, "lowest": -1.0})
    before = best_of(tmp_path, LESSONS.features, SMALL).weights()
    list(train(lessons, LESSONS.features, SMALL, tmp_path))
    assert best_of(tmp_path, LESSONS.features, SMALL).weights() == before


def test_differences_of_values_count_up_to_a_limit() -> None:
    """A candidate that is worth 2,000 points more counts like one that is worth 300 more than the mean: six units."""
    given = Batch(
        common=np.zeros((1, 1), np.float32),
        own=np.zeros((2, 1), np.float32),
        low=0,
        starts=np.array([0]),
        lesson=np.array([0, 0]),
        chosen=np.array([0]),
        values=np.array([2000, 0], np.float32),
    )
    losses, slope = valuation(np.array([6, -6], np.float32), given)
    assert losses.tolist() == [0] and slope.tolist() == [0, 0]
    given.values[:] = 200, 0
    losses, slope = valuation(np.array([2, -2], np.float32), given)
    assert losses.tolist() == [0]


def test_the_length_of_steps_falls_along_a_cosine_within_an_epoch(
    lessons: Set, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates: list[float] = []
    step = Adam.step

    def noted(self: Adam, arrays: Any, gradients: Any, rate: float) -> None:
        rates.append(rate)
        step(self, arrays, gradients, rate)

    monkeypatch.setattr(Adam, "step", noted)
    list(train(lessons, LESSONS.features, SMALL, tmp_path))
    numbers = lessons.part(*range(VALIDATION + 1, SPLIT))
    decided = int((lessons.chosen[numbers] >= 0).sum())
    done = [(epoch + first / decided) / 3 for epoch in range(3) for first in range(0, decided, SMALL.batch)]
    assert rates == pytest.approx([SMALL.rate * (1 + math.cos(math.pi * share)) / 2 for share in done])
    assert len({*rates}) == len(rates) > 6


# --- the command ------------------------------------------------------------------------------------------------------


def command(data: Path, out: Path, *more: str) -> list[str]:
    """Return the arguments of a small training."""
    small = ["--epochs", "2", "--wide", "8", "--narrow", "4", "--seed", "3"]
    return ["learn", "behavior", "--data", str(data), "--out", str(out), *small, *more]


@pytest.mark.parametrize(("name", "teacher"), [("nothing.jsonl", "rule"), ("games-1.jsonl", "nobody")])
def test_a_folder_is_free_again_after_a_mistyped_name(
    name: str, teacher: str, record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert main(command(record.with_name(name), out, "--teacher", teacher)) == 1
    assert ("nothing.jsonl cannot be read" if teacher == "rule" else "no decision") in capsys.readouterr().err
    assert list(out.iterdir()) == []


def test_the_whole_loop(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert main(command(record, out, "--teacher", "heuristic")) == 0
    told = capsys.readouterr().out
    assert told.startswith("epoch 1: loss") and "\nall " in told
    report = json.loads((out / "report.json").read_text())
    assert report["kinds"]["play"]["decisions"] > 0 and 0 <= report["agreement"] <= 1
    text = (out / "report.html").read_text()
    rows = dict(re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td></tr>", text.partition("<h2>Provenance</h2>")[2]))
    assert "<svg" in text
    assert rows["data 1"] == f"games-1.jsonl, SHA-256 {hashlib.sha256(record.read_bytes()).hexdigest()}"
    assert (rows["agent"], rows["teacher"], rows["seed"], rows["wide"]) == ("behavior", "heuristic", "3", "8")
    assert rows["version"] == version("tisch") and rows["python"].endswith(platform.python_version())
    assert len((out / "metrics.jsonl").read_text().splitlines()) == 2
    # The weights play in the arena.
    agent = f"behavior:weights={out / 'net.weights'}"
    result = Match("tichu", [agent, "random"], games=4, options={"rounds": 1}, workers=0).run()
    assert result.standing.games == 4 and not any(totals.faults for totals in result.standing.totals)
    # A finished run tells its result again; other settings need another folder, other weights a fresh one.
    assert main(command(record, out, "--teacher", "heuristic")) == 0
    assert capsys.readouterr().out == told
    assert main(command(record, out, "--teacher", "rule")) == 1
    assert "holds a run with other data or settings" in capsys.readouterr().err
    start = tmp_path / "start.weights"
    start.write_bytes((out / "net.weights").read_bytes())
    following = command(record, tmp_path / "next", "--start", str(start))
    assert main(following) == 0
    assert (
        f"start.weights, SHA-256 {hashlib.sha256(start.read_bytes()).hexdigest()}"
        in (tmp_path / "next" / "report.html").read_text()
    )
    # Another network in the same file is another run.
    start.write_bytes((tmp_path / "next" / "net.weights").read_bytes())
    capsys.readouterr()
    assert main(following) == 1
    assert "holds a run with other data or settings" in capsys.readouterr().err


def test_without_an_epoch_weights_are_judged_by_all_decisions(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, judged = tmp_path / "run", tmp_path / "judged"
    assert main(command(record, out)) == 0
    learned = json.loads((out / "report.json").read_text())
    capsys.readouterr()
    assert main([*command(record, judged, "--start", str(out / "net.weights")), "--epochs", "0"]) == 0
    report = json.loads((judged / "report.json").read_text())
    # All lessons, in three parts: for training, for the choice of the epoch, for the report.
    assert report["decisions"] == len(Set.load(judged / "lessons-00000.npz").kinds) > 3 * learned["decisions"] > 0
    assert f"all      {report['decisions']:8,} decisions  {report['agreement']:6.1%}" in capsys.readouterr().out
    assert {path.name for path in judged.iterdir()} == {"lessons-00000.npz", "plan.json", "report.json"}


def test_what_candidates_are_worth_can_be_learned(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "few.jsonl", tmp_path / "run"
    data.write_text("\n".join(record.read_text().splitlines()[:8]))
    assert main(command(data, out, "--worlds", "2")) == 0
    assert "points better than it" in capsys.readouterr().out
    assert "gain" in json.loads((out / "report.json").read_text())
    page = (out / "report.html").read_text()
    assert "Points above the rule of thumb" in page and "points above it" in page
    agent = f"behavior:weights={out / 'net.weights'}"
    result = Match("tichu", [agent, "random"], games=2, options={"rounds": 1}, workers=0).run()
    assert result.standing.games == 2 and not any(totals.faults for totals in result.standing.totals)


def test_where_the_cards_are_can_be_learned(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From rounds that the core plays, and from recorded ones."""
    small = ["--worlds", "3", "--wide", "16", "--narrow", "8", "--batch", "64", "--epochs", "2", "--rate", "0.01"]
    for name, data in (("played", ["--rounds", "300"]), ("recorded", ["--data", str(record)])):
        out = tmp_path / name
        assert main(["learn", "belief", *data, "--out", str(out), *small]) == 0
        report = json.loads((out / "report.json").read_text())
        assert report["decisions"] == report["kinds"]["deal"]["decisions"] > 10
        agent = f"belief:playouts=10,worlds=4,weights={out / 'net.weights'}"
        result = Match("tichu", [agent, "random"], games=2, options={"rounds": 1}, workers=0).run()
        assert result.standing.games == 2 and not any(totals.faults for totals in result.standing.totals)
    judged = json.loads((tmp_path / "played" / "report.json").read_text())
    # Of four deals, one is true.
    assert judged["agreement"] > 0.35 and 0.1 < judged["rule of thumb"] < 0.4
    capsys.readouterr()
    assert main(["learn", "behavior", "--rounds", "3", "--out", str(tmp_path / "none")]) == 1
    assert "The agent 'behavior' learns only from recorded games" in capsys.readouterr().err
    assert main(["learn", "belief", "--out", str(tmp_path / "none")]) == 1
    assert "There is nothing to learn from" in capsys.readouterr().err


def test_values_teach_the_differences_between_candidates(lessons: Set, tmp_path: Path) -> None:
    """Candidates with the card that costs a feature are worth 100 points less: the network must find that out."""
    rare = int(np.bincount(lessons.features).argmax())
    rows = np.repeat(np.arange(len(lessons.ends) - 1), np.diff(lessons.ends))
    values = np.zeros(len(lessons.ends) - 1, np.float32)
    values[rows[lessons.features == rare]] = -100
    worth = dataclasses.replace(lessons, values=values)
    settings = dataclasses.replace(SMALL, judged=True, epochs=4)
    *_, last = train(worth, LESSONS.features, settings, tmp_path)
    first = train(worth, LESSONS.features, dataclasses.replace(settings, rate=1e-9), folder(tmp_path, "idle"))
    assert last["loss"] < 0.3 * next(first)["loss"]


def test_bad_arguments_get_a_sentence(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign, other, few = (tmp_path / name for name in ("foreign.jsonl", "other.jsonl", "few.jsonl"))
    foreign.write_text('{"a": 1}\n')
    Match("maumau", ["rule", "random"], games=2, workers=0, record=other).run()
    few.write_text(record.read_text().partition("\n")[0] + "\n")
    for more, sentence in (
        (["--epochs", "-1"], "The epochs must be 0 or more, not -1."),
        (["--epochs", "0"], "Without an epoch nothing is learned: give --start, the weights to be judged."),
        (["--rate", "2"], "The rate must be between 0 and 1, not 2.0."),
        (["--seed", "-1"], "The seed must be 0 or more, not -1."),
        (["--start", str(record)], "is no file of weights"),
        (["--data", str(tmp_path / "nothing")], "cannot be read: No such file"),
        (["--data", str(foreign)], "foreign.jsonl, line 1, is no recorded game: Object contains unknown field `a`."),
        (["--data", str(other)], "line 1, is no recorded game: it is a game of maumau, not of tichu."),
        (["--data", str(few)], "There are too few games: one deal in 10 is held back"),
        (["--wide", "500"], "A network with layers of 500 and 4 is too large: it has 577,509 weights,"),
        (["--wide", "100000000"], "is too large"),
        (["--out", str(record / "run")], "cannot be written: Not a directory"),
    ):
        assert main(command(record, tmp_path / "run", *more)) == 1
        assert sentence in capsys.readouterr().err
        assert not (tmp_path / "run").exists() or not list((tmp_path / "run").iterdir())


def test_a_killed_run_goes_on(record: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "killed", tmp_path / "whole"
    arguments = command(record, out)
    with subprocess.Popen([sys.executable, "-m", "tisch", *arguments], stdout=subprocess.DEVNULL) as process:
        while not (out / "metrics.jsonl").exists() and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    assert main(arguments) == 0
    assert main(command(record, whole)) == 0
    assert (out / "net.weights").read_bytes() == (whole / "net.weights").read_bytes()


def test_imported_logs_are_lessons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive, base = tmp_path / "2007.zip", tmp_path / "logs.sqlite"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("200701/1.tch", log(1, options=Options(rounds=12)))
    assert main(["logs", "import", str(archive), "--db", str(base), "--json"]) == 0
    rounds = json.loads(capsys.readouterr().out)["rounds"]
    found, broken = collect(LESSONS, [base], None, tmp_path)
    assert not broken and rounds > 5
    # Calls of Grand Tichu and gifts are part of the position, not of the moves that follow.
    kinds = [LESSONS.kinds[kind] for kind in found.kinds]
    assert kinds.count("grand") == 4 * rounds and kinds.count("schupf") == 12 * rounds
    assert kinds.count("play") > 20 * rounds
    # What the estimated odds of the policy choose is its own rule of thumb, but for the first lead: that is with the
    # Mah Jong, whatever the odds say.
    assert (found.own != found.chosen).sum() <= rounds
    assert (found.chosen < 0).sum() <= rounds


# --- the agent --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("caution", [0.0, 2.0])
def test_the_agent_plays_the_candidate_with_the_highest_score(caution: float, tmp_path: Path) -> None:
    network = Network.random((LESSONS.features, 8, 4), 9)
    path = tmp_path / "net.weights"
    path.write_bytes(LESSONS.pack(network.sizes, network.weights(), {}))
    agent, net = BehaviorAgent(weights=path, caution=caution), load(path, DECISIONS)
    agent.start(Random(1))
    state = tichu.GAME.new(Options(rounds=1), 4)
    kinds = set()
    while state.awaiting():
        seat = state.awaiting()[0]
        move = agent.act(Samples(state, seat), state.legal(seat), True)
        assert move is not None
        found = decision(simulate(state), seat, call=move == TICHU)
        # The first lead is one with the Mah Jong.
        if found and (found.kind != "play" or state.played):
            scores = found.scores(net)
            best = scores.index(max(scores))
            place = best if scores[best] > scores[found.own] + caution else found.own
            assert found.candidates[place] == move
            share = np.exp(scores[place]) / np.exp(scores).sum()
            assert agent.explain() == f"Strong players play this {often(share).tell('en')}."
            kinds.add(found.kind)
        state.play(seat, move)
    assert kinds >= {"grand", "schupf", "play"}


def test_a_bad_caution_is_refused() -> None:
    for caution in (-1.0, math.nan):
        with pytest.raises(ValueError, match="The parameter 'caution' of 'behavior' is a number from 0 on, not"):
            BehaviorAgent(caution=caution)


# --- generations ------------------------------------------------------------------------------------------------------


def test_two_heads_have_the_slope_of_their_loss() -> None:
    given = Batch(
        common=np.zeros((3, 1), np.float32),
        own=np.zeros((5, 1), np.float32),
        low=0,
        starts=np.array([0, 2, 3]),
        lesson=np.array([0, 0, 1, 2, 2]),
        chosen=np.array([0, 2, 3]),
        values=np.array([0.75, 0.25, 1.5, 1.0, 0.0]),
    )
    scores = np.array([0.3, -0.2, 0.4, 0.1, 0.6])
    losses, slope = heads(scores, given)
    share = 1 / (1 + math.exp(-0.5))
    by_hand = -0.75 * math.log(share) - 0.25 * math.log(1 - share)
    assert losses == pytest.approx([by_hand, WORTH * 1.1**2, -math.log(1 - share)])
    for place in range(5):
        moved = [heads(scores + step * np.eye(5)[place], given)[0].sum() for step in (1e-6, -1e-6)]
        assert slope[place] == pytest.approx((moved[0] - moved[1]) / 2e-6, abs=1e-5)


def test_what_a_network_foresees_is_a_share_of_the_variance_of_the_ends() -> None:
    """A network that always says zero is off by seven times the variance of 1, 2 and 3; a decision does not count."""
    collector, one = Collector(), b"\x00\x00"
    for value in (1.0, 2.0, 3.0):
        collector.add(Lesson(7, 0, 0, one, b"\x01\x00", [1], [value]), 0)
    collector.add(Lesson(3, 0, 0, one, b"\x01\x00\x01\x00", [1, 2], [0.5, 0.5]), 0)
    zeros = [np.zeros(shape, np.float32) for shape in ((2, 1), (1,), (1, 1), (1,), (1, 1), (1,))]
    found = foreseen(Network((2, 1, 1), zeros), collector.set(), np.arange(4), 2)
    assert found == pytest.approx(1 - (14 / 3) / (2 / 3))


def generations(out: Path, *more: str) -> list[str]:
    """Return the arguments of tiny generations."""
    games = ["--first", "48", "--rounds", "48", "--visits", "2", "--games", "4"]
    return ["learn", "alphazero", "--out", str(out), "--epochs", "1", "--seed", "5", *games, *more]


def test_generations_are_the_same_each_time_and_go_on_where_they_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tisch.learn.generations.commit", lambda: "0123abc")
    whole, parts = tmp_path / "whole", tmp_path / "in-parts"
    assert main(generations(whole, "--generations", "2", "--sure", "0")) == 0
    told = capsys.readouterr().out
    assert [line.partition(":")[0] for line in told.splitlines()] == ["generation 0", "generation 1", "generation 2"]
    # First only one generation, then one that has its lessons, its network and its match, but no verdict.
    assert main(generations(parts, "--generations", "1", "--sure", "0")) == 0
    verdicts = parts / "generations.jsonl"
    verdicts.write_text(verdicts.read_text().splitlines(keepends=True)[0])
    assert main(generations(parts, "--generations", "2", "--sure", "0")) == 0
    assert (parts / "net.weights").read_bytes() == (whole / "net.weights").read_bytes()
    assert verdicts.read_text() == (whole / "generations.jsonl").read_text()
    # The file tells how every generation came about.
    notes = json.loads((whole / "net.weights").read_bytes().partition(b"\n")[0])["notes"]
    assert notes["command"].startswith("tisch learn alphazero --seed 5 --first 48 --rounds 48 --visits 2 --games 4")
    begun = hashlib.sha256(BEHAVIOR.read_bytes()).hexdigest()
    assert notes["start"] == f"behavior.weights, SHA-256 {begun}" in notes["generation 0"]
    assert "points a round" in notes["generation 1"] and "commit 0123abc" in notes["generation 2"]
    found = [json.loads(line) for line in verdicts.read_text().splitlines()]
    best = max(each["generation"] for each in found if each["taken"])
    assert notes["generation"] == str(best)
    assert all(each["taken"] == (each["lead"] > 0) for each in found[1:])
    # The best weights play in the arena; other settings need another folder.
    agent = f"alphazero:visits=2,weights={whole / 'net.weights'}"
    result = Match("tichu", [agent, "random"], games=2, options={"rounds": 1}, workers=0).run()
    assert result.standing.games == 2 and not any(totals.faults for totals in result.standing.totals)
    assert main(generations(whole, "--rounds", "49")) == 1
    assert "holds a run with other data or settings" in capsys.readouterr().err


def test_generations_end_when_none_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody is ahead by a thousand standard errors: the weights stay those of generation 0, and the run ends."""
    assert main(generations(tmp_path, "--generations", "9", "--sure", "1000", "--patience", "2")) == 0
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 3 and all(line.endswith(": not taken") for line in told[1:])
    read, first = (
        TichuTrees().unpack(path) for path in (tmp_path / "net.weights", tmp_path / "generation-00/net.weights")
    )
    assert read == first


def test_bad_arguments_of_generations_get_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more, sentence in (
        (["--data", "games.jsonl"], "The agent 'alphazero' learns only from its own games"),
        (["--visits", "0"], "The visits must be at least 1, not 0."),
        (["--generations", "-1"], "The generations must be 0 or more, not -1."),
        (["--rate", "1"], "The rate must be between 0 and 1, not 1.0."),
        (["--sure", "-1"], "The number of standard errors must be 0 or more, not -1.0."),
        (["--start", str(tmp_path / "none")], "none cannot be read: No such file"),
        (["--first", "1"], "There are too few games"),
    ):
        assert main(generations(tmp_path / "run", *more)) == 1
        assert sentence in capsys.readouterr().err
