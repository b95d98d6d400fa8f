"""Tests of the list of faults, which must apply to the tree, and of the script that tries them, on a small tree."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import _check
import _faults
import _planting
import _setup
from places import ROOT
from processes import command_lines
from serving import PATIENCE
from waiting import wait_until

PACKAGE = '''\
"""A package of one function."""


def larger(one, other):
    return one if one > other else other


def halves(number):
    return number // 2
'''

TESTS = """\
import pathlib
import subprocess
import sys
import time

import pytest
from pips import halves, larger


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 1)])
def test_larger(one, other):
    assert larger(one, other) == 2


def test_larger_elsewhere():
    code = "import pips; print(pips.larger(3, 4))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "4\\n"


def test_halves():
    assert halves(4) == 2


class TestClass:
    def test_in_a_class(self):
        assert larger(1, 2) == 2


def test_nothing():
    assert halves(0) == 0


def test_that_fails():
    assert halves(4) == 3


@pytest.mark.skip
def test_that_is_skipped():
    assert larger(1, 2) == 2


@pytest.mark.slow
def test_slowly():
    assert larger(1, 2) == 2


def test_that_hangs():
    while larger(1, 2) == 1:
        pathlib.Path("hangs").touch()
        time.sleep(0.1)
"""

CONFIGURATION = """\
[tool.pytest.ini_options]
addopts = "--import-mode=importlib -m 'not slow'"
markers = ["slow"]
"""

FLIPPED = ("one > other", "one < other")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a tree with a package, tests and no faults yet."""
    # There is no environment in a copy of tisch's own tree.
    monkeypatch.setattr(_setup, "PYTHON", Path(sys.executable))
    # Its tests need none of the plugins, which take half of the time of a start.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for path, text in {
        "python/pips/__init__.py": PACKAGE,
        "tests/test_pips.py": TESTS,
        "tests/faults/.keep": "",
        "pyproject.toml": CONFIGURATION,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def add(tree: Path, name: str, find: str, replace: str, *tests: str, file: str = "python/pips/__init__.py") -> None:
    """Add a fault to the tree's list."""
    names = [f"tests/test_pips.py::{test}" for test in tests]
    entry = f"[[fault]]\nname = {name!r}\nfile = {file!r}\nfind = {find!r}\nreplace = {replace!r}\ntests = {names!r}\n"
    with (tree / "tests" / "faults" / "area.toml").open("a", encoding="utf-8") as list_:
        list_.write(entry)


def contents(tree: Path) -> dict[Path, bytes]:
    """Return the contents of the files of a tree, except those that the command creates."""
    files = [path for path in tree.rglob("*") if path.is_file() and "target" not in path.relative_to(tree).parts]
    return {path: path.read_bytes() for path in files}


def outcomes(printed: str) -> dict[str, str]:
    """Return the reports of each fault."""
    return {
        name: verdict
        for verdict, name in re.findall(r"^(caught|NOT CAUGHT) +[0-9.]+ s.*?area: (.*)$", printed, re.MULTILINE)
    }


def test_every_entry_of_the_list_fits_the_tree() -> None:
    faults = _faults.load(ROOT)
    assert faults
    assert {fault.name: why for fault in faults if (why := _faults.misfit(fault, ROOT))} == {}


@pytest.mark.slow
def test_faults_are_caught_or_not(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(tree, "all parameters", *FLIPPED, "test_larger")
    add(tree, "one parameter", "one > other", "one > 2", "test_larger[2-1]", "test_larger")
    add(tree, "in a process of its own", *FLIPPED, "test_larger_elsewhere")
    add(tree, "in a class", *FLIPPED, "TestClass::test_in_a_class")
    add(tree, "an error of the product", "number // 2", "number // 0", "test_halves")
    add(tree, "slow", *FLIPPED, "test_slowly")
    add(tree, "not noticed", "number // 2", "number // 4 * 2", "test_nothing", "test_halves")
    add(tree, "noticed by one of two", *FLIPPED, "test_larger", "test_nothing")
    add(tree, "misspelt", "number // 2", "nubmer // 2", "test_halves")
    add(tree, "cannot be imported", "def larger(", "def smaller(", "test_larger")
    add(tree, "fails without it", *FLIPPED, "test_that_fails")
    add(tree, "skipped", *FLIPPED, "test_that_is_skipped")
    before = contents(tree)
    assert _planting.main(tree, []) == 1
    assert contents(tree) == before
    printed = capsys.readouterr().out
    assert outcomes(printed) == {
        "all parameters": "caught",
        "one parameter": "caught",
        "in a process of its own": "caught",
        "in a class": "caught",
        "an error of the product": "caught",
        "slow": "caught",
        "not noticed": "NOT CAUGHT",
        "noticed by one of two": "NOT CAUGHT",
        "misspelt": "NOT CAUGHT",
        "cannot be imported": "NOT CAUGHT",
        "fails without it": "NOT CAUGHT",
        "skipped": "NOT CAUGHT",
    }
    assert "6 caught, 6 not caught" in printed
    for sentence in (
        "tests/test_pips.py::test_nothing passes with the fault.",
        "The fault does not compile:",
        "The tests cannot be collected:",
        "tests/test_pips.py::test_that_fails fails without the fault:",
        "tests/test_pips.py::test_that_is_skipped is skipped:",
    ):
        assert f"    {sentence}" in printed
    assert not list((tree / "target" / "faults").glob("lane-*"))


@pytest.mark.slow
def test_an_error_of_the_list_is_no_verdict(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(
        tree,
        "imports what is not there",
        "return number // 2",
        "import nowhere; return nowhere.half(number)",
        "test_halves",
    )
    assert _planting.main(tree, []) == 1
    printed = capsys.readouterr().out
    assert outcomes(printed) == {"imports what is not there": "NOT CAUGHT"}
    assert (
        "    tests/test_pips.py::test_halves fails by an error of the list, not by an assertion: ModuleNot" in printed
    )


@pytest.mark.slow
def test_what_does_not_fit_is_not_caught(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(tree, "not there", "one >= other", "one < other", "test_larger")
    add(tree, "twice", "return", "raise", "test_larger")
    add(tree, "no change", "one > other", "one > other", "test_larger")
    add(tree, "no Python", "one > other", "one > > other", "test_larger")
    add(tree, "no file", *FLIPPED, "test_larger", file="python/pips/pip.py")
    add(tree, "no test", *FLIPPED, "test_smaller")
    add(tree, "no test in the class", *FLIPPED, "TestClass::test_larger")
    add(tree, "good", *FLIPPED, "test_larger")
    assert _planting.main(tree, []) == 1
    printed = capsys.readouterr().out
    verdicts = outcomes(printed)
    assert verdicts.pop("good") == "caught"
    assert list(verdicts.values()) == ["NOT CAUGHT"] * 7
    for sentence in (
        "The text to replace is found 0 times in python/pips/__init__.py.",
        "The text to replace is found 2 times in python/pips/__init__.py.",
        "The faulty text is the same as the text it replaces.",
        "With the fault python/pips/__init__.py is no Python: expected 'else' after 'if' expression in line 5.",
        "There is no file python/pips/pip.py.",
        "There is no test_smaller in tests/test_pips.py.",
        "There is no test_larger in tests/test_pips.py.",
    ):
        assert f"    {sentence}" in printed


@pytest.mark.slow
def test_a_parameter_that_does_not_exist_keeps_no_other_test_from_its_fault(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(tree, "no such parameter", *FLIPPED, "test_larger[9-9]")
    add(tree, "halves are quarters", "number // 2", "number // 4", "test_halves")
    assert _planting.main(tree, []) == 1
    printed = capsys.readouterr().out
    assert outcomes(printed) == {"no such parameter": "NOT CAUGHT", "halves are quarters": "caught"}
    assert "    tests/test_pips.py::test_larger[9-9] does not run:" in printed


@pytest.mark.slow
def test_only_some_faults_are_planted(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(tree, "Larger is smaller", *FLIPPED, "test_larger")
    add(tree, "halves are quarters", "number // 2", "number // 4", "test_halves")
    assert _planting.main(tree, ["larger"]) == 0
    assert outcomes(capsys.readouterr().out) == {"Larger is smaller": "caught"}
    assert [fault.name for fault in _faults.choose(_faults.load(tree), ["area"])] == [
        "Larger is smaller",
        "halves are quarters",
    ]
    with pytest.raises(_setup.SetupError, match=r"No fault has 'thirds' in its name, and it is no area; .* are area"):
        _planting.main(tree, ["thirds"])


@pytest.mark.slow
def test_tests_that_do_not_end_catch_nothing(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_planting, "LIMIT", 10.0)
    add(tree, "endless", *FLIPPED, "test_that_hangs")
    assert _planting.main(tree, []) == 1
    printed = capsys.readouterr().out
    assert outcomes(printed) == {"endless": "NOT CAUGHT"}
    assert "    The tests have not ended after 10 seconds." in printed


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[fault]]\nname = 'x'\n", "the fault 'x' must have file, find, name, replace, tests and nothing else"),
        ("fault = 1 1", "Expected newline"),
        ("[[faults]]\nname = 'x'\n", "it must have .* nothing else, not 'faults'"),
        (
            "[[fault]]\nname = 'x'\nfile = 'a'\nfind = 'b'\nreplace = 'c'\ntests = []\n",
            "must have texts, and in tests a list of at least one",
        ),
    ],
    ids=["fields", "syntax", "table", "tests"],
)
def test_a_wrong_list_is_named(tree: Path, text: str, sentence: str) -> None:
    (tree / "tests" / "faults" / "area.toml").write_text(text, encoding="utf-8")
    with pytest.raises(_setup.SetupError, match=f"list of faults tests/faults/area.toml is wrong: .*{sentence}"):
        _faults.load(tree)


def test_a_name_stands_for_one_fault(tree: Path) -> None:
    add(tree, "the same", *FLIPPED, "test_larger")
    add(tree, "the same", "number // 2", "number // 4", "test_halves")
    with pytest.raises(_setup.SetupError, match="Two faults have the same name: the same"):
        _faults.load(tree)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals that reach a process alone")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_behind(tree: Path, number: signal.Signals) -> None:
    for name in ("endless", "without end"):
        add(tree, name, *FLIPPED, "test_that_hangs")
    # Both lanes must be done with their copies before these are removed.
    code = "import _planting, _setup, os; from pathlib import Path\nos.cpu_count = lambda: 2\n"
    code += f"_setup.PYTHON = Path({sys.executable!r})\n"
    code += f"_setup.run(lambda _: _planting.main(Path({str(tree)!r}), []))"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT / "bin", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as it:
        try:
            assert it.stdout
            assert it.stdout.readline().startswith("without a fault: 1 tests")
            wait_until(lambda: len([*tree.glob("target/faults/lane-*/hangs")]) == 2)
            it.send_signal(number)
            assert it.wait(PATIENCE) == 128 + number
            assert it.stderr
            assert it.stderr.read() == ""
        finally:
            it.terminate()
            it.wait(PATIENCE)
    assert not [line for _, line in command_lines() if f"--verdicts={tree}" in line]
    assert not list((tree / "target" / "faults").glob("lane-*"))


@pytest.mark.slow
def test_the_command_plants_faults(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    add(tree, "flipped", *FLIPPED, "test_larger")
    add(tree, "quartered", "number // 2", "number // 4", "test_nothing")
    monkeypatch.setattr(_check, "SET_UP", (sys.executable, "-c", ""))
    monkeypatch.setattr(_setup, "ROOT", tree)
    assert _check.main(["--faults", "flipped"]) == 0
    assert _check.main(["--faults"]) == 1
