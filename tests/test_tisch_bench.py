"""Tests of ``tisch bench``: the figures, the comparison, and the saved file."""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from places import ROOT
from tisch import bench, cli
from tisch.bench import RATE, REFERENCE, TIME, Figure, Measured
from tisch.games import null
from tisch.server import load


def test_the_ratio_says_how_many_times_as_fast_this_machine_is() -> None:
    assert Figure("call", 20.0, TIME).times(Figure("call", 50.0, TIME)) == 2.5
    assert Figure("arena", 20.0, RATE).times(Figure("arena", 50.0, RATE)) == 0.4


def test_a_figure_has_as_many_digits_as_it_deserves() -> None:
    values = (0.34, 99.9, 1234.5)
    assert [str(Figure("arena", value, RATE)) for value in values] == [
        "0.3 rounds/s",
        "99.9 rounds/s",
        "1,234 rounds/s",
    ]


def test_a_call_is_timed() -> None:
    def work() -> None:
        end = time.process_time() + 0.01
        while time.process_time() < end:
            pass

    assert 1e6 <= bench.nanoseconds(work, calls=10) < 2e6


def test_rounds_are_counted_by_the_time_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(100))
    monkeypatch.setattr(time, "process_time", lambda: next(seconds) / 4)
    # A match takes a quarter of a second here, so the number of games grows until a match takes half a second.
    monkeypatch.setattr(bench, "PLAYING", 0.25)
    assert bench.rounds_a_second(null.GAME, "random") == 2 / 0.25


def test_the_server_is_measured_once_for_both_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def measure(options: argparse.Namespace) -> dict[str, float]:
        asked.append((options.tables, options.seconds, options.url))
        return {"turnaround p50, ms": 1.5, "turnaround p99, ms": 9.5}

    monkeypatch.setattr(load, "measure", measure)
    bench._load.cache_clear()
    assert [bench.turnaround(10, share) for share in ("p50", "p99")] == [1.5, 9.5]
    bench._load.cache_clear()
    assert asked == [(10, bench.SERVING, None)]


def test_every_figure_has_a_reference() -> None:
    """The current command measured the reference; nothing is measured here."""
    reference = msgspec.json.decode(REFERENCE.read_bytes(), type=Measured)
    names = [name for name, _, _ in bench.measurements()]
    assert [figure.name for figure in reference.figures] == names
    assert all(figure.value > 0 for figure in reference.figures)


def test_the_figures_stand_beside_the_reference_and_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def measure(only: str) -> Iterator[Figure]:
        yield Figure("empty call into the core", 58.623, TIME)
        yield Figure("arena, null, random", 100.0, RATE)

    monkeypatch.setattr(bench, "measure", measure)
    monkeypatch.setattr(bench, "REFERENCE", tmp_path / "reference.json")
    reference = Measured("a fast machine", [Figure("empty call into the core", 29.3, TIME)])
    (tmp_path / "reference.json").write_bytes(msgspec.json.encode(reference))
    assert cli.main(["bench", "--save", str(tmp_path / "here.json")]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["reference:", "a", "fast", "machine"]
    assert lines[4] == ["empty", "call", "into", "the", "core", "58.6", "ns", "29.3", "ns", "0.50"]
    assert lines[5] == ["arena,", "null,", "random", "100", "rounds/s", "–", "–"]
    here = msgspec.json.decode((tmp_path / "here.json").read_bytes(), type=Measured)
    assert here.machine == bench.machine()
    assert [figure.value for figure in here.figures] == [58.62, 100.0]


def test_figures_are_printed_as_json_by_their_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "PLAYING", 0.05)
    assert cli.main(["bench", "--json", "--only", "playouts."]) == 0
    figures = msgspec.json.decode(capsys.readouterr().out, type=dict[str, float])
    starts, policies = ("deal", "middle"), ("random", "greedy", "heuristic")
    assert list(figures) == [f"playouts.{start}.{policy}" for start in starts for policy in policies]
    assert figures["playouts.middle.random"] > figures["playouts.deal.random"] > figures["playouts.deal.heuristic"] > 0


def test_a_name_that_no_figure_has_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bench", "--json", "--only", "playout.deal"]) == 2
    assert "No figure has a name that begins with 'playout.deal'." in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["bench", "--save", str(tmp_path / "nowhere" / "x.json")]) == 2
    assert "nowhere/x.json cannot be written" in capsys.readouterr().err


def test_the_page_of_simulations_has_the_rates_of_the_reference_machine() -> None:
    """A reader compares them with what the command shows."""
    figures = {each["name"]: each["value"] for each in json.loads(bench.REFERENCE.read_text())["figures"]}
    page = (ROOT / "docs" / "simulation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\d,]+)/s \| ([\d,]+)/s \|$", page, re.MULTILINE)
    assert [policy for policy, *_ in rows] == list(bench.POLICIES)
    for policy, deal, middle in rows:
        for start, told in (("deal", deal), ("middle", middle)):
            assert float(told.replace(",", "")) == float(f"{figures[f'playouts.{start}.{policy}']:.3g}")
