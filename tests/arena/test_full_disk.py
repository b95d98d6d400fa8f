"""A disk without room ends arena, tuning and datasets in a sentence that names the file, and nothing written is lost.

Processes with a limit for the size of their files stand for the full disk, since that needs no root.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from serving import UNMEASURED
from tisch import cli
from tisch.arena import Match

#: What a process says whose file grows beyond its limit.
FULL = "File too large."
MATCH = ["arena", "tichu", "random", "random", "--option", "rounds=1", "--seed", "5", "--workers", "0"]


def limited(folder: Path, size: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose files have at most so many bytes."""
    return subprocess.run(
        [sys.executable, "-m", "tisch", *arguments],
        cwd=folder,
        # The limit would leave half a file of compiled code behind, which no later process can read.
        env={**os.environ, **UNMEASURED, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )


def test_a_match_tells_that_its_journal_is_full_and_goes_on_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = limited(tmp_path, 8_000, *MATCH, "--games", "400", "--journal", "journal")
    assert result.returncode == 1
    assert result.stderr == (
        f"tisch arena: A system error ended the match: The journal journal cannot be written: {FULL}\n"
    )
    # The result so far is shown, and the next run goes on from the last whole line.
    assert "The match is not finished." in result.stdout
    kept = (tmp_path / "journal").read_bytes()
    whole = kept[: kept.rindex(b"\n") + 1]
    assert whole.count(b"\n") > 10
    arguments = [*MATCH, "--games", "400", "--json"]
    assert cli.main([*arguments, "--journal", str(tmp_path / "journal")]) == 0
    joined = json.loads(capsys.readouterr().out)
    assert (tmp_path / "journal").read_bytes().startswith(whole)
    assert cli.main(arguments) == 0
    alone = json.loads(capsys.readouterr().out)
    assert [joined[key] for key in ("games", "agents", "elo") if key in joined] == [
        alone[key] for key in ("games", "agents", "elo") if key in alone
    ]
    assert joined["games"] == 400


@pytest.mark.parametrize("games", ["4", "400"])
def test_a_match_tells_that_its_record_is_full(tmp_path: Path, games: str) -> None:
    """The first games only reach the disk when the file is closed."""
    result = limited(tmp_path, 2_000, *MATCH, "--games", games, "--record", "record")
    assert result.returncode == 1
    assert result.stderr == (
        f"tisch arena: A system error ended the match: The record record cannot be written: {FULL}\n"
    )


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_dataset_tells_that_there_is_no_room_and_goes_on_later(
    tmp_path: Path, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow", reason="Datasets are an extra.")
    Match(
        "tichu", ["random", "random"], options={"rounds": 1}, games=40, workers=0, record=tmp_path / "games.jsonl"
    ).run()
    result = limited(tmp_path, 20_000, "data", "games.jsonl", "set", "--workers", workers)
    assert (result.returncode, result.stdout) == (1, "")
    told = f"The file set/data/.train-00000.parquet.part cannot be written: {FULL} The same command goes on from here."
    assert result.stderr.rpartition("\r")[2].strip().endswith(told) and "Traceback" not in result.stderr
    assert cli.main(["data", str(tmp_path / "games.jsonl"), str(tmp_path / "set"), "--workers", "0"]) == 0
    assert "40 games" in capsys.readouterr().out


def test_a_tuning_tells_that_its_journal_is_full(tmp_path: Path) -> None:
    arguments = ["sechsundsechzig", "search:draws=8,playouts=8", "--param", "draws=4..64", "--games", "4"]
    arguments += ["--iterations", "40", "--workers", "0", "--journal", "journal", "--option", "goal=1"]
    result = limited(tmp_path, 1_500, "tune", *arguments)
    assert result.returncode == 1 and "Traceback" not in result.stderr
    assert result.stderr.endswith(f"tisch tune: The journal journal cannot be written: {FULL}\n")
