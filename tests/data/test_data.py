"""Tests the datasets: each decision of a recorded game is a row, no deal is in two splits, broken games are skipped.

The test that reads datasets with the libraries of others runs with ``bin/check.py --nightly``, which installs them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from pyarrow import parquet

from places import TESTS
from processes import command_lines, is_in_group
from tisch._core.tichu import read_logs
from tisch.arena import Match
from tisch.arena.record import RecordLine
from tisch.cli import main
from tisch.data import shards
from tisch.data.card import card
from tisch.data.plan import Plan, plan
from tisch.data.rows import expand, rows_of
from tisch.data.sources import Place, open_source
from tisch.encoding import SILENCE, Decision
from tisch.games import null, tichu
from tisch.games.tichu import Options
from tisch.games.tichu.lessons import TichuLessons
from tisch.games.tichu.logs import generate
from tisch.games.tichu.logs.store import Store
from tisch.ports.lessons import Lessons
from tisch.record import RecordError
from tisch.transcript import Transcript, read, record
from waiting import wait_until


def transcript(*moves: tuple[int, str], payoff: tuple[float, ...] | None) -> Transcript:
    """Return a game of ``null``."""
    return Transcript("null", {}, 1, moves, payoff)


def recorded(folder: Path, games: int = 40, seed: int = 1) -> Path:
    """Record rounds of Tichu."""
    path = folder / f"games-{seed}.jsonl"
    Match("tichu", ["rule", "random"], games=games, seed=seed, options={"rounds": 1}, workers=0, record=path).run()
    return path


def test_each_decision_is_a_row_and_silences_are_decisions() -> None:
    rows = list(rows_of(transcript((0, "low"), (1, "high"), payoff=(0, 0))))
    told = [(row.decision, row.seat, row.must, row.chosen, row.move) for row in rows]
    # Seat 0 may double once it has said low, and did not: that is a decision, too.
    assert told == [(0, 0, True, 1, "low"), (1, 0, False, SILENCE, ""), (2, 1, True, 2, "high")]
    assert [np.flatnonzero(row.mask).tolist() for row in rows] == [[1, 2], [0, 3], [1, 2]]
    state = null.GAME.new(null.Options(), 1)
    assert bytes(rows[0].observation) == bytes(null.GAME.encoding.observe(state.view(0)))
    rows = list(rows_of(transcript((0, "low"), (0, "double"), payoff=None)))
    assert [(row.seat, row.must, row.chosen) for row in rows] == [(0, True, 1), (0, False, 3)]


def test_the_rows_choose_the_moves_of_the_record(tmp_path: Path) -> None:
    line = json.loads(recorded(tmp_path, 2).read_text().splitlines()[0])
    game = read(line["transcript"])
    rows, state, spoken = list(rows_of(game)), game.start(), []
    # Every decision is made again from its ids; the silences are between the moves.
    for number in range(rows[-1].decision + 1):
        steps = [row for row in rows if row.decision == number]
        seat = steps[0].seat
        decision = Decision(tichu.GAME.encoding, seat, state.legal(seat), steps[0].must)
        for row in steps:
            assert (decision.mask() == row.mask).all() and row.mask[row.chosen]
            decision.choose(row.chosen)
        assert decision.over and str(decision.move or "") == steps[0].move
        assert steps[0].phase == state.view(None).public.phase and [row.step for row in steps] == [*range(len(steps))]
        if decision.move is not None:
            state.play(seat, decision.move)
            spoken.append((seat, str(decision.move)))
    assert tuple(spoken) == tuple(game.moves) and state.outcome() is not None
    assert sum(row.chosen == SILENCE for row in rows) > 5


def test_the_rows_of_a_game_of_before_the_last_wish_hold_every_move() -> None:
    """The first move after a Mah Jong as the last card is by the rules of then, without a wish."""
    game = read((TESTS / "transcripts" / "tichu-before-the-last-wish.txt").read_text(encoding="utf-8"))
    rows = [row for row in rows_of(game) if row.move]
    found = [(row.seat, row.move) for row in rows if not row.step]
    assert found == list(game.moves)
    assert all(row.mask[row.chosen] for row in rows) and "wish" not in {row.phase for row in rows}


@pytest.mark.parametrize(
    ("moves", "payoff", "sentence"),
    [
        (((0, "low"), (1, "double")), None, "Move 2: seat 1 cannot play 'double'"),
        (((0, "low"), (1, "middle")), None, "Move 2: 'middle' is no move"),
        (((2, "low"),), None, "there is no seat 2"),
        (((0, "low"), (1, "high")), (1.0, -1.0), "The game ends with 0 0, but the transcript with 1 -1"),
    ],
)
def test_a_game_that_cannot_be_replayed_is_refused(moves: Any, payoff: Any, sentence: str) -> None:
    with pytest.raises(RecordError, match=sentence):
        list(rows_of(transcript(*moves, payoff=payoff)))


def database(folder: Path, *texts: str) -> Path:
    """Import logs of Tichu into a database."""
    path = folder / "tichu.sqlite"
    with closing(Store(path)) as store:
        store.add([f"200701/{number}.tch" for number in range(len(texts))], read_logs([*map(str.encode, texts)]), [])
    return path


def test_a_database_of_logs_gives_the_rows_of_the_games_themselves(tmp_path: Path) -> None:
    options, seed = Options(rounds=3), 5
    state = tichu.GAME.new(options, seed)
    moves = []
    for state, seat, move in generate.played(options, seed, "heuristic"):
        moves.append((seat, move))
        state.play(seat, move)
    outcome = state.outcome()
    assert outcome is not None
    whole = list(rows_of(record(tichu.GAME, options, seed, state, moves)))
    path = database(tmp_path, generate.log(seed, options=options))
    rounds = []
    with closing(open_source(path)) as source:
        for found in source.scan(0):
            assert not isinstance(found, str)
            recorded = source.read(found[0])
            rounds.append((recorded, list(expand(tichu.GAME.encoding, recorded.turns))))
    assert [*tmp_path.iterdir()] == [path]
    rows = [row for _, each in rounds for row in each]
    assert len(rows) == len(whole) and len(rounds) == 3
    for one, other in zip(rows, whole, strict=True):
        assert one.move == other.move and one.chosen == other.chosen and one.seat == other.seat
        # On Brettspielwelt a player may also lay the Mah Jong without a wish.
        other.mask[227] |= other.phase == "wish" and other.must
        assert bytes(one.mask) == bytes(other.mask) and bytes(one.observation) == bytes(other.observation)
    assert [sum(each) for each in zip(*(recorded.payoff for recorded, _ in rounds), strict=True)] == [*outcome.payoff]
    assert [recorded.agents for recorded, _ in rounds] == [[*generate.NAMES]] * 3
    assert len({recorded.deal for recorded, _ in rounds}) == 3


def test_the_mah_jong_without_a_wish_is_a_pass(tmp_path: Path) -> None:
    text = next(text for seed in range(9) if "Wunsch:" in (text := generate.log(seed, options=Options(rounds=1))))
    # The wish may be fulfilled later; without it, the same moves are legal.
    path = database(tmp_path, re.sub(r"Wunsch:.*\n", "", text))
    with closing(open_source(path)) as source:
        [(place, _)] = [found for found in source.scan(0) if not isinstance(found, str)]
        rows = list(expand(tichu.GAME.encoding, source.read(place).turns))
    [wish] = [row for row in rows if row.phase == "wish" and row.must]
    assert wish.move == "pass" and wish.mask.sum() == 14 and wish.mask[231:244].all()
    after = rows[rows.index(wish) + 1 :]
    assert {row.phase for row in after} == {"play"} or "dragon" in {row.phase for row in after}
    encoding = tichu.GAME.encoding
    assert not any(encoding.read(row.observation)["wish"].any() for row in after)
    # A network learns everything but this wish from such a round.
    lessons: Lessons[Any] = TichuLessons()
    kinds = Counter[str]()
    with closing(open_source(path)) as source:
        for state, seat, move in source.read(place).turns:
            assert isinstance(state, tichu.TichuState)
            kinds.update(lessons.kinds[lesson.kind] for lesson in lessons.of(state, seat, move, range(4)))
    assert not kinds["wish"] and kinds["play"] > 10


def test_what_is_wrong_with_a_database_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = database(tmp_path, generate.log(1, options=Options(rounds=5)))

    def changed(name: str, *changes: str) -> Path:
        other = tmp_path / name
        shutil.copy(path, other)
        with closing(sqlite3.connect(other)) as connection, connection:
            for change in changes:
                connection.execute(change)
        return other

    old = changed("old", "PRAGMA user_version = 1")
    sentence = f"The database {old} has version 1 of the tables, this program reads version 2: import the logs again."
    assert sentence in refused(capsys, old, tmp_path / "out")
    for name, change in (("other", "PRAGMA application_id = 1"), ("unclean", "UPDATE rounds SET clean = 0")):
        other = changed(name, change)
        assert f"There is no recorded game in {other}." in refused(capsys, other, tmp_path / "out")
    less = changed("less", "DROP VIEW seats", "DROP TABLE rounds")
    assert f"The database {less} cannot be read: no such table: rounds." in refused(capsys, less, tmp_path / "out")
    # A history that ends within a move, a move that does not exist, one that is illegal, and a card that is missing.
    damages = (("history = x'0401'", 5), ("history = x'ff'", 4), ("history = x'08'", 3), ("deal = x'00'", 2))
    path = changed("damaged", *(f"UPDATE rounds SET {change} WHERE number = {number}" for change, number in damages))
    rows = dataset([path], tmp_path / "out")
    told = capsys.readouterr().err
    assert len({row["game"] for row in rows}) == 1 and "4 broken games were skipped." in told
    for number in (5, 4):
        assert f"damaged, 200701/0.tch, round {number}: The history of the round is damaged. It is skipped." in told
    assert "damaged, 200701/0.tch, round 3: It is not the turn of seat" in told
    assert "damaged, line 2: The round 2 of 200701/0.tch is damaged. It is skipped." in told
    with closing(open_source(path)) as source, pytest.raises(RecordError, match="There is no round with the number 99"):
        source.read(Place(0, 99, 0))


def deals(made: Plan, split: str) -> set[int]:
    """Return the seeds of the games of a split."""
    found = set()
    for shard in made.shards:
        if shard.split == split:
            for place in shard.places:
                line = made.files[place.file].read_bytes()[place.offset :].split(b"\n", 1)[0]
                found.add(read(json.loads(line)["transcript"]).seed)
    return found


def test_no_deal_is_in_both_splits_or_in_two_files(tmp_path: Path) -> None:
    first, second = recorded(tmp_path), recorded(tmp_path, seed=2)
    made = plan([first, second])
    train, test = deals(made, "train"), deals(made, "test")
    assert train and test and not train & test and len(train | test) == 40
    assert sum(len(shard.places) for shard in made.shards) == 80 and made.broken == []
    assert "test-*.parquet" in card(made.manifest) and "rounds=1" in card(made.manifest)
    assert len({shard.name for shard in made.shards}) == len(made.shards)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """Run the command and return its error."""
    assert main(["data", *map(str, arguments)]) == 1
    return capsys.readouterr().err


def test_bad_records_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("no record\n")
    sentence = f"There is no recorded game in {empty}. {empty}, line 1, is no recorded game: JSON is malformed"
    assert sentence in refused(capsys, empty, tmp_path / "out")
    missing = tmp_path / "missing.jsonl"
    assert f"The record {missing} cannot be read: No such file" in refused(capsys, missing, tmp_path / "out")
    assert "must be 0 or more, not -1" in refused(capsys, "--workers", "-1", empty, tmp_path / "out")
    record = recorded(tmp_path, 2)
    assert "exists and is no dataset of 'tisch data'" in refused(capsys, record, tmp_path)
    out = tmp_path / "out"
    (out / "data").mkdir(parents=True)
    (out / "tisch.json").write_text("{}")
    assert "does not describe a dataset" in refused(capsys, record, out)
    manifest = plan([record]).manifest
    for name, what in (("version", "columns"), ("encoding", "arrays")):
        values = {**{field: getattr(manifest, field) for field in manifest.__struct_fields__}, name: 99}
        (out / "tisch.json").write_text(json.dumps(values))
        assert f"has version 99 of the {what}, this program writes version 1" in refused(capsys, record, out)
    values = {field: getattr(manifest, field) for field in manifest.__struct_fields__} | {"options": {"rounds": 2}}
    (out / "tisch.json").write_text(json.dumps(values))
    assert "is a dataset of other games" in refused(capsys, record, out)
    (tmp_path / "file").write_text("")
    assert "exists and is no dataset" in refused(capsys, record, tmp_path / "file")


def test_a_missing_pyarrow_is_named_with_its_extra(tmp_path: Path) -> None:
    code = "import sys; sys.modules['pyarrow'] = None\nfrom tisch.cli import main\nmain(sys.argv[1:])"
    arguments = [sys.executable, "-c", code, "data", "x", str(tmp_path)]
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert result.stderr == "tisch data: This needs the package 'pyarrow': pip install 'tisch[data]'.\n"


# --- with pyarrow -----------------------------------------------------------------------------------------------------


def dataset(records: list[Path], out: Path, *more: str) -> list[dict[str, Any]]:
    """Write a dataset and return its rows; observations and masks as arrays."""
    assert main(["data", *map(str, records), str(out), "--workers", "0", *more]) == 0
    table = parquet.read_table(out / "data")
    arrays = {name: np.array([*table[name].to_numpy()]) for name in ("observation", "mask")}
    rows: list[dict[str, Any]] = table.drop_columns([*arrays]).to_pylist()
    return [row | {name: array[place] for name, array in arrays.items()} for place, row in enumerate(rows)]


def test_the_columns_are_those_of_the_games(tmp_path: Path) -> None:
    record = recorded(tmp_path, 20)
    rows = dataset([record], tmp_path / "out")
    lines = {line["game"]: line for line in map(json.loads, record.read_text().splitlines())}
    assert {row["game"] for row in rows} == {*lines}
    chosen = [row for row in rows if row["game"] == 7]
    chosen.sort(key=lambda row: (row["decision"], row["step"]))
    game = read(lines[7]["transcript"])
    again = list(rows_of(game))
    assert len(again) == len(chosen) and game.payoff
    for row, own in zip(chosen, again, strict=True):
        assert (row["observation"] == own.observation).all() and (row["mask"] == own.mask).all()
        assert row["legal"] == np.flatnonzero(own.mask).tolist() and row["chosen"] == own.chosen
        assert (row["seat"], row["must"], row["phase"], row["move"]) == (own.seat, own.must, own.phase, own.move)
        assert row["agent"] == lines[7]["agents"][own.seat] and row["payoff"] == game.payoff[own.seat]
        assert row["deal"] == game.seed and row["record"] == record.name


def test_broken_games_are_named_and_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = recorded(tmp_path, 8)
    lines = record.read_bytes().splitlines(keepends=True)
    other = json.loads(lines[3])
    other["transcript"] = other["transcript"].replace('"rounds": 1', '"rounds": 2')
    lines[1] = lines[1][:-40] + b"\n"
    lines[2] = lines[2].replace(b"pass", b"dance", 1)
    lines[3] = json.dumps(other).encode() + b"\n"
    foreign = RecordLine(4, 0, ["a", "b"], None, str(transcript((0, "low"), (1, "high"), payoff=(0, 0))))
    lines[4] = msgspec.json.encode(foreign) + b"\n"
    lines[5] = lines[5].replace(b'rounds\\": 1', b'wounds\\": 1')
    lines[6] = lines[6].replace(b'"agents":[', b'"agents":["fifth",')
    record.write_bytes(b"".join(lines))
    rows = dataset([record], tmp_path / "out")
    told = capsys.readouterr().err
    assert {row["game"] for row in rows} == {0, 7}
    assert f"{record}, line 2, is no recorded game" in told and "6 broken games were skipped." in told
    assert "line 5, game 4: This is a game of null, not of tichu. It is skipped." in told
    assert "line 6, game 5: Tichu has no option 'wounds'" in told
    assert "line 7, game 6: It names 5 agents for 4 seats. It is skipped." in told
    assert re.search(r"line 3, game 2: Move \d+: 'dance' is no move of Tichu", told)
    assert "line 4, game 3: Its options are rounds=2, not rounds=1. It is skipped." in told


def test_an_interrupted_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, out = recorded(tmp_path, 20), tmp_path / "out"
    dataset([record], out)
    files = {path: path.read_bytes() for path in (out / "data").iterdir()}
    test, train = sorted(files)
    test.unlink()
    (out / "data" / f".{test.name}.part").write_bytes(b"half")
    begun = train.stat().st_mtime_ns
    dataset([record], out, "--workers", "1")
    assert {path: path.read_bytes() for path in (out / "data").iterdir()} == files
    assert train.stat().st_mtime_ns == begun
    capsys.readouterr()
    dataset([record], out)
    assert "The dataset was complete already. 0 games" in capsys.readouterr().out


#: Makes the workers wait at their start for a file, and for ever before a file that they have written gets its name.
HOLD = """
import os, sys, time
if any("spawn_main" in argument for argument in sys.orig_argv):
    while not os.path.exists(os.environ["BEGIN"]):
        time.sleep(0.01)
    os.replace = lambda *_: time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Only Linux tells how far a process is.")
@pytest.mark.parametrize("kill", [True, False])
def test_an_interrupt_and_a_killed_worker_are_told_in_a_sentence(tmp_path: Path, *, kill: bool) -> None:
    record = recorded(tmp_path, 300)
    (tmp_path / "sitecustomize.py").write_text(HOLD)
    begin = tmp_path / "begin"
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "BEGIN": str(begin)}
    command = [sys.executable, "-m", "tisch", "data", str(record), str(tmp_path / "out"), "--workers", "2"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, process_group=0, env=environment)
    workers = wait_until(lambda: [worker for worker in spawned(process.pid) if hears_interrupts(worker)])
    # The workers still import when they are hit; what Ctrl-C sends to them must not matter.
    os.kill(workers[0], signal.SIGKILL if kill else signal.SIGINT)
    if not kill:
        begin.touch()
        wait_until(lambda: process.poll() is not None or list(tmp_path.glob("out/data/.*")))
        os.kill(process.pid, signal.SIGINT)
    told = process.communicate(timeout=60)
    sentence = "A process that wrote files was killed" if kill else "interrupted"
    assert told == ("", f"tisch data: {sentence}; the same command goes on from here.\n")
    assert process.returncode == (1 if kill else 130)
    assert spawned(process.pid) == []


def spawned(pid: int) -> list[int]:
    """Return the working processes of a process."""
    return [one for one, line in command_lines() if "spawn_main" in line and is_in_group(one, pid)]


def hears_interrupts(pid: int) -> bool:
    """Return whether Python has begun to handle the signals of a process."""
    caught = re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert caught
    return bool(int(caught[1], 16) >> signal.SIGINT - 1 & 1)


def test_games_that_were_broken_off_have_no_payoff(tmp_path: Path) -> None:
    record = tmp_path / "faults.jsonl"
    line = RecordLine(0, 0, ["a", "b"], None, str(transcript((0, "low"), payoff=None)))
    record.write_bytes(msgspec.json.encode(line))
    rows = dataset([record], tmp_path / "out")
    assert [(row["agent"], row["payoff"]) for row in rows] == [("a", None)]


# --- with the libraries that read datasets ----------------------------------------------------------------------------


@pytest.mark.slow
def test_pandas_polars_and_datasets_read_it(tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    datasets = pytest.importorskip("datasets")
    out = tmp_path / "out"
    rows = dataset([recorded(tmp_path, 20)], out)
    frame = pandas.read_parquet(out / "data")
    assert len(frame) == len(rows) and frame["observation"].iloc[0].shape == (843,)
    table = polars.read_parquet(out / "data" / "*.parquet")
    assert len(table) == len(rows) and table["mask"].dtype == polars.Array(polars.Boolean, 302)
    splits = datasets.load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert {name: len(split) for name, split in splits.items()} == {
        name: sum(len(pandas.read_parquet(path)) for path in (out / "data").glob(f"{name}-*")) for name in splits
    }
    assert {*splits} == {"train", "test"} and len(splits["train"].with_format("numpy")[0]["observation"]) == 843


def test_groups_of_rows_are_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file has many groups, each with the rows of some games, and no row stands in two of them."""
    monkeypatch.setattr(shards, "GROUP", 300)
    record = tmp_path / "games.jsonl"
    Match("tichu", ["random", "random"], games=12, seed=4, options={"rounds": 1}, workers=0, record=record).run()
    assert main(["data", str(record), str(tmp_path / "set"), "--workers", "0"]) == 0
    found: Counter[tuple[int, int, int]] = Counter()
    groups = 0
    for path in (tmp_path / "set" / "data").glob("*.parquet"):
        groups += parquet.ParquetFile(path).num_row_groups
        columns = parquet.read_table(path, columns=["game", "decision", "step"]).to_pydict()
        found.update(zip(columns["game"], columns["decision"], columns["step"], strict=True))
    lines = [msgspec.json.decode(line, type=RecordLine) for line in record.read_bytes().splitlines()]
    expected = {(line.game, row.decision, row.step) for line in lines for row in rows_of(read(line.transcript))}
    assert groups > 3 and found == Counter(expected)
