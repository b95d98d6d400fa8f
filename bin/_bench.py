"""Runs all benchmarks one after the other and writes their figures as tables, one for each kernel.

Since machines differ, each time also appears as a multiple of an empty call: a call from Python into the core that does
nothing, measured in the same run.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import _setup

RESULTS = _setup.ROOT / "benches" / "RESULTS.md"


@dataclass(frozen=True)
class Row:
    """The result of a benchmark.

    :ivar kernel: the kernel; there is one table for each.
    :ivar bench: its name.
    :ivar caller: the language that calls the kernel.
    :ivar nanoseconds: the mean time of a call.
    :ivar target: the target in empty calls, if there is one.
    """

    kernel: str
    bench: str
    caller: str
    nanoseconds: float
    target: float | None = None


def rows_of_python(benchmarks: Iterable[dict[str, Any]]) -> list[Row]:
    """Read the results of pytest-benchmark.

    :param benchmarks: the benchmarks of its report, with the notes of the fixture ``measure``.
    :result: one row each; a file ``test_x.py`` is the kernel x.
    """
    rows = []
    for benchmark in benchmarks:
        kernel = Path(benchmark["fullname"].split("::")[0]).stem.removeprefix("test_")
        bench = benchmark["name"].removeprefix("test_").replace("_", " ")
        notes = benchmark["extra_info"]
        rows.append(Row(kernel, bench, "Python", notes["nanoseconds"], notes.get("target")))
    return rows


def rows_of_rust(folder: Path) -> list[Row]:
    """Read the results of criterion.

    :param folder: the folder of its figures.
    :result: one row each; a group is a kernel, and its throughput is the number of calls of one run.
    """
    rows = []
    for path in sorted(folder.glob("**/new/benchmark.json")):
        names = json.loads(path.read_text(encoding="utf-8"))
        bench = " ".join(name for name in (names["function_id"], names["value_str"]) if name)
        mean = json.loads(path.with_name("estimates.json").read_text(encoding="utf-8"))["mean"]["point_estimate"]
        calls = (names["throughput"] or {"Elements": 1})["Elements"]
        rows.append(Row(names["group_id"], bench or names["group_id"], "Rust", mean / calls))
    return rows


def duration(nanoseconds: float) -> str:
    """Format a time with three digits and a suitable unit.

    :param nanoseconds: the time.
    :result: the text.
    """
    value = nanoseconds
    for unit in ("ns", "µs", "ms"):
        if value < 999.5:
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"
        value /= 1000
    return f"{value:.2f} s"


def report(rows: Sequence[Row], empty_call: float, machine: str) -> str:
    """Format the results of all benchmarks as tables.

    :param rows: the results.
    :param empty_call: the time of an empty call in nanoseconds.
    :param machine: the description of the machine.
    :result: the text of RESULTS.md.
    """
    lines = [
        "# What the benches measured",
        "",
        "Written by `python3 bin/bench.py`. Times are means of one call. As machines differ, they also stand as",
        f"multiples of an empty call from Python into the core, in the same run: here {duration(empty_call)}.",
        "Targets are laid down in empty calls.",
        "",
        machine,
    ]
    for kernel in sorted({row.kernel for row in rows}):
        lines += [
            "",
            f"## {kernel}",
            "",
            "| bench | called from | mean | empty calls | target |",
            "|---|---|---:|---:|---:|",
        ]
        for row in sorted((row for row in rows if row.kernel == kernel), key=lambda row: (row.caller, row.bench)):
            calls = row.nanoseconds / empty_call
            target = "" if row.target is None else f"≤ {row.target:,}{'' if calls <= row.target else ', missed'}"
            lines.append(f"| {row.bench} | {row.caller} | {duration(row.nanoseconds)} | {calls:,.1f} | {target} |")
    return "\n".join(lines) + "\n"


def _machine(facts: dict[str, Any]) -> str:
    """Describe the machine without its name: processor, cores, Python and Rust."""
    rust = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    processor = facts["cpu"].get("brand_raw") or facts["machine"]
    python = f"{facts['python_implementation']} {facts['python_version']}"
    return f"Measured on {processor}, {facts['cpu']['count']} cores, {facts['system']}, {python}, rustc {rust}."


def _run(command: Sequence[str], variables: dict[str, str]) -> None:
    result = subprocess.run(command, cwd=_setup.ROOT, env=_setup.tool_environment() | variables, check=False)
    if result.returncode != 0:
        raise _setup.SetupError("A bench failed, so no results are written; the lines above tell more.")


def _compared(module: str) -> str:
    """Run a comparison with OpenSpiel, in alternating turns, and return its table.

    :param module: the module of the comparison.
    :result: the table.
    """
    command = [str(_setup.PYTHON), "-m", module]
    result = subprocess.run(command, cwd=_setup.ROOT, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise _setup.SetupError(f"The comparison {module} failed:\n{result.stderr}")
    return result.stdout


def main(arguments: list[str]) -> int:
    """Run all benchmarks and write the results.

    :param arguments: the arguments of the command line: none.
    :result: 0.
    """
    argparse.ArgumentParser(prog="bench.py", description="Runs all benches and writes benches/RESULTS.md.").parse_args(
        arguments
    )
    _setup.need(_setup.BENCH, rust=True)
    _setup.ready(_setup.BENCH)
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder, "python.json")
        cargo = ["cargo", "bench", "--locked", "--package", "tisch-core", "--features", "bench", "--"]
        _run([*cargo, "--warm-up-time", "1", "--measurement-time", "2"], {"CRITERION_HOME": folder})
        pytest = [str(_setup.PYTHON), "-m", "pytest", "benches", "--benchmark-only", f"--benchmark-json={figures}"]
        _run(pytest, {})
        measured = json.loads(figures.read_text(encoding="utf-8"))
        rows = rows_of_rust(Path(folder)) + rows_of_python(measured["benchmarks"])
    notes = measured["benchmarks"][0]["extra_info"]
    text = report(rows, notes["empty_call_nanoseconds"], _machine(measured["machine_info"]))
    parts = [text, "## random play\n", _compared("benches.rates"), "## learning\n", _compared("benches.batches")]
    parts += ["## matches\n", _compared("benches.matches")]
    RESULTS.write_text("\n".join(parts), encoding="utf-8")
    print(f"written: {RESULTS.relative_to(_setup.ROOT).as_posix()}")
    return 0
