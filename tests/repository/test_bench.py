"""Tests how bin/bench.py reads the figures of the benchmarks and formats them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from _bench import Row, duration, report, rows_of_python, rows_of_rust


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (0.5, "0.50 ns"),
        (9.996, "10.0 ns"),
        (99.96, "100 ns"),
        (999.4, "999 ns"),
        (999.6, "1.00 µs"),
        (1.5e6, "1.50 ms"),
        (2.5e9, "2.50 s"),
    ],
)
def test_duration_has_three_digits(nanoseconds: float, text: str) -> None:
    assert duration(nanoseconds) == text


def test_rows_of_python_take_the_notes_of_a_bench() -> None:
    def benchmark(name: str, **notes: Any) -> dict[str, Any]:
        return {"fullname": f"benches/test_odds.py::{name}", "name": name, "extra_info": notes}

    benchmarks = [
        benchmark("test_odds_that_beat[BOMB]", nanoseconds=50.0, target=400),
        benchmark("test_lower", nanoseconds=1.0),
    ]
    assert rows_of_python(benchmarks) == [
        Row("odds", "odds that beat[BOMB]", "Python", 50.0, 400),
        Row("odds", "lower", "Python", 1.0),
    ]


def test_rows_of_rust_are_found_below_their_folder(tmp_path: Path) -> None:
    names = {"group_id": "partitions", "function_id": "fewest", "value_str": "14", "throughput": {"Elements": 5}}
    for path, group in (("partitions/fewest/14", names), ("cards", {"group_id": "cards"})):
        folder = tmp_path / path / "new"
        folder.mkdir(parents=True)
        (folder / "benchmark.json").write_text(
            json.dumps({"function_id": None, "value_str": None, "throughput": None} | group)
        )
        (folder / "estimates.json").write_text(json.dumps({"mean": {"point_estimate": 12.5}}))
    assert rows_of_rust(tmp_path) == [
        Row("cards", "cards", "Rust", 12.5),
        Row("partitions", "fewest 14", "Rust", 2.5),
    ]


def test_report_has_a_table_for_each_kernel() -> None:
    rows = [
        Row("odds", "higher", "Rust", 500.0),
        Row("odds", "higher", "Python", 100_000.0, 20_000),
        Row("cards", "text", "Python", 20.0, 2.5),
        Row("cards", "sum", "Python", 101.0, 2.5),
    ]
    text = report(rows, 40.0, "Measured on a machine.")
    assert "in the same run: here 40.0 ns." in text
    assert text.index("Measured on a machine.") < text.index("## cards") < text.index("## odds")
    assert text.splitlines()[-2:] == [
        "| higher | Python | 100 µs | 2,500.0 | ≤ 20,000 |",
        "| higher | Rust | 500 ns | 12.5 |  |",
    ]
    assert "| text | Python | 20.0 ns | 0.5 | ≤ 2.5 |" in text
    assert "| sum | Python | 101 ns | 2.5 | ≤ 2.5, missed |" in text
