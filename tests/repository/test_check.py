"""Tests how bin/check.py reads the test runners and reports the results of the gates."""

from __future__ import annotations

import asyncio
import itertools
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import _check
import _needs
import _setup
from _check import Choice, Gate, closing_lines, count_tests
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
    [
        ("packages", (), ("packages",)),
        ("cores", ("packages",), ("cores",)),
        ("web", ("packages",), ("web",)),
        ("web", ("cores",), ("web",)),
    ],
    ids=["nothing", "packages", "packages for web", "cores"],
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
    _, results = asyncio.run(asyncio.wait_for(_check._run_all(["late", "early"], Choice()), 60))
    assert [(result.name, result.passed) for result in results] == [("late", True), ("early", True)]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such priorities")
def test_a_gate_that_begins_during_the_set_up_lets_that_go_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    early, done = min(19, os.nice(0) + _check.BACK), tmp_path / "done"
    # The cores are ready only after the early gate has become nicer, which the late one never does.
    waits = f"while sys.argv[1:] == ['cores'] and not os.path.exists({str(done)!r}): time.sleep(0.01)"
    monkeypatch.setattr(_check, "SET_UP", python(f"import os, sys, time\n{waits}"))
    code = f"import os, time\nwhile os.nice(0) != {early}: time.sleep(0.01)\nopen({str(done)!r}, 'w')"
    gates = (
        Gate("early", python(code), needs=("packages",)),
        Gate("late", python(f"import os; assert os.nice(0) == {os.nice(0)}"), needs=("cores",)),
    )
    monkeypatch.setattr(_check, "GATES", gates)
    _, results = asyncio.run(asyncio.wait_for(_check._run_all(["early", "late"], Choice()), 60))
    assert [result.passed for result in results] == [True, True]


def test_the_cores_are_compiled_while_the_packages_are_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert _check._ORDER.keys() == _setup._PARTS.keys()
    # Each of the two ends only after the other has begun, and what follows finds both done.
    two, order = ("crates", "packages"), tmp_path / "order"
    code = (
        "import os, sys, time\nfrom pathlib import Path\n"
        f"folder, part, two = Path({str(tmp_path)!r}), sys.argv[1], {two!r}\n"
        "(folder / part).touch()\n"
        "while part in two and not all((folder / each).exists() for each in two): time.sleep(0.01)\n"
        f"open({str(order)!r}, 'a').write(part + '\\n')\n"
    )
    monkeypatch.setattr(_check, "SET_UP", python(code))
    asyncio.run(asyncio.wait_for(_check._set_up_all(["web"]), 60))
    parts = order.read_text().split()
    assert parts[0] == "environment" and {*parts} == {*_check._ORDER}
    assert all(parts.index(before) < parts.index(part) for part, all_ in _check._ORDER.items() for before in all_)


def test_every_gate_waits_for_the_set_up_but_the_one_that_needs_nothing() -> None:
    assert [gate.name for gate in _check.GATES if not gate.needs] == ["rustfmt"]
    # Cargo locks its folder: the set-up would wait for a gate that compiles.
    assert all("cores" in gate.needs for gate in _check.CARGO[1:])
    assert {need for gate in _check.GATES for need in gate.needs} == {"packages", "cores", "web"}
    web = [gate.name for gate in _check.GATES if "web" in gate.needs]
    assert web == ["web", "eslint", "tsc"]


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
        running = asyncio.create_task(_check._run_all(["first"], Choice()))
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
    for gate in (gate for gate in _check.GATES if "pytest" in gate.command):
        named = tuple(f"{argument}/" for argument in gate.command if argument.startswith("tests"))
        ignored = tuple(f"{word.partition('=')[2]}/" for word in gate.command if word.startswith("--ignore="))
        run += [file for file in files if file.startswith(named) and not file.startswith(ignored)]
    assert sorted(run) == files
    pages = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert {"tests", *_check._PAGES} == {*pages["testpaths"]}


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
        _, results = asyncio.run(_check._run_all([gate.name for gate in gates], Choice(fix=fix)))
        assert all(result.passed for result in results)
        signs = log.read_text()
        assert max(itertools.accumulate(1 if sign == "+" else -1 for sign in signs)) == most, signs


@pytest.mark.usefixtures("gates")
def test_the_summary_tells_why_tests_are_skipped_and_which_are_slow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "test_pips.py").write_text(
        "import pytest, time\n"
        "@pytest.mark.parametrize('number', range(3))\n"
        "def test_pips(number): pytest.skip('there is no browser: install Chromium')\n"
        "@pytest.mark.skipif(True, reason='only Linux counts pips')\n"
        "def test_others(): pass\n"
        "def test_long(): time.sleep(1)\n",
        encoding="utf-8",
    )
    # There is no environment in a copy of the tree.
    monkeypatch.setattr(_setup, "PYTHON", Path(sys.executable))
    command = (*_check._pytest(2, str(tmp_path)), f"--rootdir={tmp_path}", "-c", os.devnull)
    monkeypatch.setattr(_check, "GATES", (Gate("pips", command),))
    assert _check.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("skipped:")] == [
        "skipped:    3  there is no browser: install Chromium",
        "skipped:    1  only Linux counts pips",
    ]
    assert [line.split()[-1] for line in lines if line.startswith("slow:")] == ["test_pips.py::test_long"]
    assert lines[-1] == "1 passed, 0 failed"


@pytest.mark.usefixtures("gates")
def test_at_night_a_gate_does_more(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    count = python("import sys; print(f'{len(sys.argv)} passed in 0.1s')")
    monkeypatch.setattr(_check, "GATES", (Gate("counts", count, night=("-m", "")), Gate("plain", count)))
    monkeypatch.setattr(_setup, "ready", lambda *_, **__: None)
    for arguments, passed in (([], 2), (["--nightly"], 4)):
        assert _check.main(arguments) == 0
        assert capsys.readouterr().out.splitlines()[-1] == f"{passed} passed, 0 failed"


@pytest.mark.usefixtures("gates")
def test_a_gate_of_the_night_runs_by_night_or_if_it_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    count = python("print('1 passed in 0.1s')")
    monkeypatch.setattr(_check, "GATES", (Gate("every", count), Gate("measures", count, is_nightly=True)))
    monkeypatch.setattr(_setup, "ready", lambda *_, **__: None)
    for arguments, passed in (([], 1), (["--nightly"], 2), (["--only", "measures"], 1)):
        assert _check.main(arguments) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[-1] == f"{passed} passed, 0 failed"
    assert lines[-3].split()[1] == "measures"


@pytest.mark.parametrize(("cargo", "denied"), [("1.88.0", True), ("NEWEST.3", True), ("99.0.0-nightly", False)])
def test_warnings_of_a_clippy_that_nobody_has_seen_are_not_denied(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cargo: str, *, denied: bool
) -> None:
    newest = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["metadata"]["newest-rust"]
    (tmp_path / "cargo").write_text(f"#!/bin/sh\necho 'cargo {cargo.replace('NEWEST', newest)} (840b83a10)'\n")
    (tmp_path / "cargo").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    (clippy,) = (gate for gate in _check.CARGO if gate.name == "clippy")
    command = _check._command(clippy, Choice())
    assert (command[-2:] == ("--deny", "warnings")) is denied
    assert command[: len(_check._CLIPPY)] == _check._CLIPPY
    assert _needs.is_newer_than_known(ROOT) is not denied


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
TEST = """\
import subprocess, sys

def test_pips():
    subprocess.run([sys.executable, "-m", "pips"], check=True)
"""


@pytest.mark.parametrize(("floor", "code"), [pytest.param(83, 0, marks=pytest.mark.slow), (83.5, 1)])
def test_the_figure_is_held_against_the_floor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, floor: float, code: int
) -> None:
    # A package of ten lines and two branches; its program, which a test starts, reaches eight of the lines and both
    # branches, one of them in a child process.
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    settings = settings[settings.index("# The floor of check.py") :].replace('["tisch"]', '["pips"]')
    settings = re.sub(r"fail_under = .*", f"fail_under = {floor}", settings)
    for path, text in {"pips/__init__.py": "", "pips/__main__.py": PIPS, "test_pips.py": TEST}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\n{settings}", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(_setup, "PYTHON", Path(sys.executable))
    (gate,) = (gate for gate in _check.GATES if gate.name == "pytest")
    assert {*_check._MEASURED} < {*gate.night}
    result = subprocess.run(
        [*_check._pytest(2, "test_pips.py"), *_check._MEASURED],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, "FAIL Required test coverage" in result.stdout) == (code, bool(code)), result.stdout
    assert re.search(r"^pips/__main__.py +10 +2 +2 +0 +83\.33% +11-12$", result.stdout, re.MULTILINE)
