"""Tests of the sample of changes: what is changed, how it is told, and that unnoticed changes count."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

import _faults
import _mutants
import _operators
import _setup
from _operators import Edit
from places import ROOT

PYTHON = '''\
"""Größe – no part of what is changed: 1 < 2."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nowhere import Half


class Heap:
    size: int | None = 0

    def grow(self, by: int = 3) -> "int | None":
        if not by or (by) <= 2:
            raise ValueError("größer")
        self.size += by
        self.told = True
        self.tell()
        return self.size

    def tell(self):
        return None
'''
NEW_PYTHON = [
    "1",
    "4",
    "not (not by or (by) <= 2)",
    "and",
    "by",
    "<",
    "3",
    "pass",
    "-=",
    "pass",
    "pass",
    "False",
    "pass",
    "return None",
]


def test_what_runs_in_python_is_changed() -> None:
    edits = _operators.of_python(PYTHON)
    assert sorted(edit.new for edit in edits) == sorted(NEW_PYTHON)
    assert {PYTHON[edit.start : edit.end] for edit in edits if edit.new == "pass"} == {
        'raise ValueError("größer")',
        "self.size += by",
        "self.told = True",
        "self.tell()",
    }
    assert [PYTHON[edit.start : edit.end] for edit in edits if edit.new in ("<", "-=", "False")] == ["<=", "+=", "True"]


JAVASCRIPT = """\
'use strict';
(() => {
    let size = 0;
    function grow(by) {
        if (!by || (by) <= 2) {
            throw new Error(`größer ${by + 1}`);
        }
        size += by;
        tell(true);
        return size;
    }
})();
"""
NEW_JAVASCRIPT = sorted(
    ["1", "!(!by || (by) <= 2)", "&&", "by", "<", "3", "{}", "-", "2", "-=", "{}", "{}", "false", "return undefined;"]
)


def test_what_runs_in_javascript_is_changed(tmp_path: Path) -> None:
    if not (ROOT / "web" / "node_modules" / "espree").is_dir():
        pytest.skip("the tools of the web client are not installed: run bin/_setup.py web")
    file = tmp_path / "heap.js"
    file.write_text(JAVASCRIPT, encoding="utf-8")
    edits = _operators.of_javascript(file)
    assert sorted(edit.new for edit in edits) == NEW_JAVASCRIPT
    assert [JAVASCRIPT[edit.start : edit.end] for edit in edits if edit.new == "-="] == ["+="]


def test_a_change_is_the_only_one_in_its_file(tmp_path: Path) -> None:
    text = "def one():\n    return 1\n\n\ndef other():\n    return 1"
    (tmp_path / "ones.py").write_text(text, encoding="utf-8")
    for place in (text.index("1"), text.rindex("1")):
        fault = _mutants.fault(tmp_path, "ones.py", Edit(place, place + 1, "2"))
        assert text.count(fault.find) == 1
        assert fault.plant(text) == text[:place] + "2" + text[place + 1 :]
    assert fault.name == "ones.py:6: 1 -> 2"
    assert _mutants.difference(fault).splitlines()[-2:] == ["-    return 1", "+    return 2"]


@pytest.mark.parametrize(
    ("file", "near"),
    [
        ("python/tisch/arena/stopping.py", "tests/arena/test_stopping.py"),
        ("python/tisch/games/okey/rules.py", "tests/games/okey/test_rules.py"),
        ("rust/core/src/okey/round.rs", "tests/games/okey"),
        ("rust/core/src/random.rs", "tests/test_random.py"),
        ("web/js/games/okey/rack.js", "tests/web/test_okey.py"),
        ("web/js/shell/lobby-view.js", "tests/web/test_rooms.py"),
    ],
)
def test_the_tests_that_are_near_come_first_and_the_others_later(file: str, near: str) -> None:
    assert (ROOT / file).exists()
    first, *_, last = _mutants.stages(ROOT, file)
    assert near in first
    assert all((ROOT / path).exists() for path in first)
    if file.startswith(("web", "rust", "python/tisch/arena")):
        assert f"--ignore={near}" in last


def test_every_change_that_makes_no_difference_fits_the_tree() -> None:
    changes = _faults.equivalents(ROOT)
    assert [(one.file, why) for one in changes if (why := _faults.misfit(one, ROOT))] == []


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a tree with a function of which the tests notice one of two changes."""
    monkeypatch.setattr(_setup, "PYTHON", Path(sys.executable))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    tests = "from tisch.pips import half\ndef test_half():\n    assert half(4) == 2\n\n"
    tests += "def test_that_fails():\n    assert half(4) == 3\n"
    for path, text in {
        "python/tisch/__init__.py": "",
        "python/tisch/pips.py": "def half(number):\n    return number // 2 + 0 * number\n",
        "tests/test_pips.py": tests,
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--import-mode=importlib'\nmarkers = ['slow']\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit for the memory of a process")
def test_what_no_test_notices_is_told_and_counts(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (tree / "python" / "tisch" / "pips.py").read_text(encoding="utf-8")
    edits = [(text.index("//"), 2, "*"), (text.index("+"), 1, "-")]
    faults = [_mutants.fault(tree, "python/tisch/pips.py", Edit(at, at + long, new)) for at, long, new in edits]
    monkeypatch.setattr(_mutants, "sample", lambda *_: faults)
    assert _mutants.main(tree, 2, 7) == 1
    printed = capsys.readouterr().out
    assert "check.py --mutants 2 --fresh 7\n" in printed
    # The test that fails without any change does not count.
    assert "1 of 2 noticed, 50.0 %; at least 90 % are required; 0 were no programs" in printed
    assert "-    return number // 2 + 0 * number\n+    return number // 2 - 0 * number\n" in printed
    monkeypatch.setattr(_mutants, "FLOOR", 50.0)
    assert _mutants.main(tree, 2, 7) == 0
    assert not list((tree / "target" / "faults").glob("lane-*"))


def test_changes_that_make_no_difference_are_not_drawn(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "python/tisch/pips.py"
    edits = [_mutants.fault(tree, path, edit) for edit in _operators.of_python((tree / path).read_text())]
    kept = edits.pop()
    entries = [f"[[change]]\nfile = {path!r}\nfind = {e.find!r}\nreplace = {e.replace!r}\nwhy = 'x'\n" for e in edits]
    (tree / "tests" / "faults").mkdir()
    (tree / _faults.EQUIVALENT).write_text("\n".join(entries), encoding="utf-8")
    python = _mutants._draw(random.Random(1), tree, _mutants._PYTHON)
    monkeypatch.setattr(_mutants, "_draw", lambda *_: python)
    monkeypatch.setattr(_mutants, "_draw_rust", lambda *_: python)
    assert [one.replace for one in _mutants.sample(tree, 1, 1)] == [kept.replace]
