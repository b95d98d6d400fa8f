"""Tests how bin/check.py reads the test runners and reports the results of the gates."""

from __future__ import annotations

import asyncio
import itertools
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import _check
import _coverage
import _setup
from _check import Gate, closing_lines, count_tests
from places import ROOT

PYTEST = "....\n=========== short test summary info ===========\nFAILED tests/test_a.py\n"
CARGO = "test result: {}. {} passed; {} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s"


@pytest.mark.parametrize(
    ("output", "lines", "counts"),
    [
        (PYTEST + "2 failed, 123 passed in 4.51s\n", ["2 failed, 123 passed in 4.51s"], (123, 2)),
        ("===== 1 passed, 1 error in 61.00s (0:01:01) =====", ["1 passed, 1 error in 61.00s (0:01:01)"], (1, 1)),
        ("3 deselected, 9 skipped in 0.10s", ["3 deselected, 9 skipped in 0.10s"], (0, 0)),
        (
            f"running 11 tests\n{CARGO.format('ok', 11, 0)}\n\n{CARGO.format('FAILED', 2, 1)}\n",
            [CARGO.format("ok", 11, 0), CARGO.format("FAILED", 2, 1)],
            (13, 1),
        ),
        ("Success: no issues found in 23 source files", [], (0, 0)),
    ],
    ids=["pytest", "framed", "none run", "cargo", "no tests"],
)
def test_closing_lines_are_found_and_summed(output: str, lines: list[str], counts: tuple[int, int]) -> None:
    assert closing_lines(output) == lines
    assert count_tests(lines) == counts


def python(code: str) -> tuple[str, ...]:
    """Return the command that runs this code."""
    return (sys.executable, "-c", code)


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three gates instead of the real ones; the second fails until it is fixed."""
    fails, mends = python("print('1 failed, 2 passed in 0.10s'); exit(3)"), python("print('mended')")
    first = Gate("first", python("print('4 passed in 0.20s')"), needs=("cores",))
    failing = Gate("failing", fails, mends, needs=("cores",))
    monkeypatch.setattr(_check, "GATES", (first, failing, Gate("other", python(""), needs=("packages",))))
    monkeypatch.setattr(_check, "SET_UP", python("print('set up')"))
    monkeypatch.setattr(_setup, "need", lambda *_, **__: None)


@pytest.mark.usefixtures("gates")
def test_every_gate_runs_and_the_failed_one_shows_its_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert _check.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["failed: failing", "6 passed, 1 failed"]
    assert "  first: 4 passed in 0.20s" in lines
    assert "1 failed, 2 passed in 0.10s" in lines
    assert [line.split()[:2] for line in lines[-5:-2]] == [["ok", "first"], ["FAILED", "failing"], ["ok", "other"]]


@pytest.mark.usefixtures("gates")
def test_only_some_gates_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert _check.main(["--only", "first", "other"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["no gate failed", "4 passed, 0 failed"]


@pytest.mark.usefixtures("gates")
def test_fix_runs_what_mends(capsys: pytest.CaptureFixture[str]) -> None:
    assert _check.main(["--fix", "--only", "failing"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["no gate failed", "0 passed, 0 failed"]


@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize(
    ("part", "early", "late"),
    [("packages", (), ("packages",)), ("cores", ("packages",), ("cores",)), ("web", ("cores",), ("web",))],
    ids=["nothing", "packages", "cores"],
)
def test_a_gate_waits_only_for_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, part: str, early: tuple[str, ...], late: tuple[str, ...]
) -> None:
    begun, done = tmp_path / "begun", tmp_path / "done"
    # This part of the set-up ends after the early gate has begun, and the late gate finds what it has left.
    waits = f"while not os.path.exists({str(begun)!r}): time.sleep(0.01)"
    set_up = f"import os, sys, time\nif sys.argv[1] == {part!r}:\n    {waits}\n    open({str(done)!r}, 'w')"
    monkeypatch.setattr(_check, "SET_UP", python(set_up))
    first, second = (
        Gate("late", python(f"open({str(done)!r})"), needs=late),
        Gate("early", python(f"open({str(begun)!r}, 'w')"), needs=early),
    )
    monkeypatch.setattr(_check, "GATES", (first, second))
    _, results = asyncio.run(asyncio.wait_for(_check._run_all(["late", "early"], fix=False), 60))
    assert [(result.name, result.passed) for result in results] == [("late", True), ("early", True)]


def test_every_gate_waits_for_the_set_up_but_those_of_cargo() -> None:
    assert [gate for gate in _check.GATES if not gate.needs] == list(_check.CARGO)
    assert {need for gate in _check.GATES for need in gate.needs} == {"packages", "cores", "web"}
    web = [gate.name for gate in _check.GATES if "web" in gate.needs]
    assert web == ["eslint", "tsc", "pytest-web-a-g", "pytest-web-h-z"]


@pytest.mark.usefixtures("gates")
def test_without_its_set_up_no_gate_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(_check, "SET_UP", python("exit(1)"))
    with pytest.raises(_setup.SetupError, match="could be set up"):
        _check.main([])
    assert capsys.readouterr().out == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without asking it")
@pytest.mark.usefixtures("gates")
def test_who_stops_the_gates_stops_the_set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    begun, asked = tmp_path / "begun", tmp_path / "asked"
    answer = f"lambda *_: (open({str(asked)!r}, 'w'), exit())"
    code = f"import signal, time; signal.signal(signal.SIGTERM, {answer}); open({str(begun)!r}, 'w'); time.sleep(60)"
    monkeypatch.setattr(_check, "SET_UP", python(code))

    async def stop() -> None:
        running = asyncio.create_task(_check._run_all(["first"], fix=False))
        async with asyncio.timeout(60):
            while not begun.exists():  # noqa: ASYNC110 - There is no notification for this condition.
                await asyncio.sleep(0.01)
            running.cancel()
            await asyncio.wait([running])

    asyncio.run(stop())
    assert asked.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems are no Debian, whatever the test pretends")
def test_the_wheels_say_why_they_cannot_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    sentence = "The wheels cannot be run here: that needs Debian, a processor of x86_64, root's rights."
    with pytest.raises(_setup.SetupError, match=sentence):
        _check.main(["--wheels"])


def test_every_file_of_tests_is_run_by_one_gate() -> None:
    files = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))
    run: list[str] = []
    for gate in (gate for gate in _check.GATES if gate.name.startswith("pytest")):
        named = [argument for argument in gate.command if argument.startswith("tests/")]
        ignored = [argument.partition("=")[2] for argument in gate.command if argument.startswith("--ignore=")]
        assert named or ignored, f"{gate.name} has no files"
        run += named or [file for file in files if file not in ignored]
    assert sorted(run) == files


@pytest.mark.usefixtures("gates")
def test_no_more_gates_run_at_once_than_may_and_one_if_they_fix(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    begins, ends = (f"open({str(log)!r}, 'a').write('{sign}')\n" for sign in "+-")
    # Two of them must run at the same time, or neither ends.
    both = f"import time\nwhile open({str(log)!r}).read().count('+') < 2: time.sleep(0.01)\n"
    # One that fixes would soon see another.
    soon = "import time\nend = time.monotonic() + 0.5\n"
    soon += f"while time.monotonic() < end and not open({str(log)!r}).read().endswith('++'): time.sleep(0.01)\n"
    gates = tuple(Gate(f"{number}", python(begins + both + ends), python(begins + soon + ends)) for number in range(3))
    monkeypatch.setattr(_check, "GATES", gates)
    monkeypatch.setattr(_check, "AT_ONCE", 2)
    for fix, most in ((False, 2), (True, 1)):
        log.unlink(missing_ok=True)
        _, results = asyncio.run(_check._run_all([gate.name for gate in gates], fix=fix))
        assert all(result.passed for result in results)
        signs = log.read_text()
        assert max(itertools.accumulate(1 if sign == "+" else -1 for sign in signs)) == most, signs


PIPS = """\
import subprocess
import sys

def main():
    if len(sys.argv) == 1:
        subprocess.run([sys.executable, "-m", "pips", "again"], check=True)
    else:
        print("started")

def unreached():
    print("one")
    print("two")

main()
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a tree with a package of ten lines; its program reaches eight of them, one in a child process."""
    for path, text in {
        "python/pips/__init__.py": "",
        "python/pips/__main__.py": PIPS,
        "tests/coverage.toml": "",
        "pyproject.toml": (ROOT / "pyproject.toml").read_text(encoding="utf-8").replace('["tisch"]', '["pips"]'),
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "python"))
    monkeypatch.setattr(_check, "DATA", tmp_path / "target" / "coverage" / "data")
    return tmp_path


def measure(tree: Path, floor: float) -> None:
    """Run the program like a measured gate."""
    path = tree / "pyproject.toml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(f"fail_under = {floor}\n" if line.startswith("fail_under") else line for line in lines))
    gate = Gate("pips", (sys.executable, "-m", "pips"), measured=True)
    _check.DATA.parent.mkdir(parents=True)
    subprocess.run(_check._measured(gate).command, cwd=tree, check=True, timeout=60, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize(("floor", "code"), [(80, 0), (80.5, 1)])
def test_the_figure_is_held_against_the_floor(
    tree: Path, capsys: pytest.CaptureFixture[str], floor: float, code: int
) -> None:
    measure(tree, floor)
    # A killed process leaves such a file.
    _check.DATA.with_name("data.killed.1.x").write_bytes(b"half")
    assert _coverage.main(tree, _check.DATA, fix=False) == code
    figure, *more = capsys.readouterr().out.splitlines()
    assert figure == f"tests reach 80.00 % of the lines and miss 2; the floor is {floor:.2f} %"
    assert closing_lines(figure) == [figure]
    assert more == [
        "Tests are missing for:",
        "python/pips/__main__.py: 2 more than noted; not reached are 11, 12",
    ] * bool(code)


def test_the_files_that_have_lost_are_told(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measure(tree, 90)
    assert _coverage.main(tree, _check.DATA, fix=True) == 1
    assert (tree / "tests" / "coverage.toml").read_text().splitlines()[-1] == '"python/pips/__main__.py" = 2'
    capsys.readouterr()
    assert _coverage.main(tree, _check.DATA, fix=False) == 1
    assert "more than noted" not in capsys.readouterr().out
    missed = {"a.py": [1, 2, 3], "b.py": [7], "c.py": [5, 6], "d.py": []}
    assert _coverage.losses(missed, {"a.py": 3, "c.py": 1, "d.py": 4}) == [
        "b.py: 1 more than noted; not reached are 7",
        "c.py: 1 more than noted; not reached are 5, 6",
    ]


def test_nothing_measured_is_no_figure(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _check.DATA.parent.mkdir(parents=True)
    assert _coverage.main(tree, _check.DATA, fix=False) == 1
    assert capsys.readouterr().out.startswith("Nothing was measured: ")


@pytest.mark.usefixtures("gates", "tree")
def test_coverage_is_told_after_all_that_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_check, "COVERAGE", Gate("coverage", python("print('tests reach it')")))
    first, failing, other = _check.GATES
    measured = Gate("measured", (sys.executable, "-m", "pips"), measured=True)
    monkeypatch.setattr(_check, "GATES", (first, measured, failing, other))
    monkeypatch.setattr(_setup, "ROOT", _check.DATA.parents[2])
    assert _check.main(["--only", "coverage"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("ok")][:2] == ["measured", "coverage"]
    assert "  coverage: tests reach it" in lines
    # Both processes of the program have written their coverage.
    assert len(list(_check.DATA.parent.iterdir())) == 2
    # Without the coverage gate nothing is measured, and after a failure it does not report.
    assert _check.main(["--only", "measured"]) == 0
    assert not _check.DATA.parent.exists()
    assert _check.main([]) == 1
    assert "tests reach it" not in capsys.readouterr().out
