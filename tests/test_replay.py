"""Tests of ``tisch replay``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena_examples import Cautious, Crashing
from tisch import cli
from tisch.arena import Match


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record of twenty games, some of them broken off."""
    path = tmp_path / "record.jsonl"
    Match("null", [Crashing, Cautious], games=20, seed=3, workers=0, record=path).run()
    return path


def replay(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run the command, and return its exit code and its output."""
    code = cli.main(["replay", str(path)])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_a_record_is_verified(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    faults = [line["fault"] for line in lines if line["fault"]]
    assert faults[0]["kind"] == "crash"
    code, told = replay(record, capsys)
    assert code == 0
    assert told.startswith("20 games and ")
    assert told.endswith(f" moves are correct; {len(faults)} games broken off.\n")


def test_a_transcript_is_verified(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.txt"
    path.write_text(json.loads(record.read_text().splitlines()[-1])["transcript"])
    code, told = replay(path, capsys)
    assert (code, told) == (0, "1 game and 2 moves are correct.\n")


@pytest.mark.parametrize(("old", "new"), [("high", "low"), ("low", "high"), ("result: ", "result: 7 ")])
def test_a_changed_game_is_found(old: str, new: str, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record.read_text().splitlines(keepends=True)
    place = next(
        number
        for number, line in enumerate(lines)
        if old in line and "result: 0 0" not in line and '"fault":null' in line
    )
    lines[place] = lines[place].replace(old, new, 1)
    record.write_text("".join(lines))
    code, told = replay(record, capsys)
    assert code == 1
    assert f"Line {place + 1}, game {place}: " in told


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty."),
        (b"hello\n", "has no empty line after its head"),
        (b"{}\n", "Line 1 is not a recorded game"),
        (b"{\n", "Line 1 is not a recorded game"),
        (b"\xff\xfe", "The file is not text"),
        (b"hello\n\n", "Line 1 is not of the form 'key: value'"),
    ],
)
def test_what_is_no_game_is_refused(
    content: bytes, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    code, told = replay(path, capsys)
    assert code == 1
    assert told.startswith(f"tisch replay: {path}: ") and sentence in told and told.count("\n") == 1


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = replay(tmp_path / "nothing", capsys)
    assert (code, told) == (1, f"tisch replay: {tmp_path / 'nothing'} cannot be read: No such file or directory.\n")
