"""Tests of the mutations that are drawn: what they change, what they leave alone, and which tests belong to them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import _mutants
import _setup
from places import ROOT

PYTHON = """\
LIMIT = 3


def larger(one: int | None = 4, other="a < b") -> int:
    # one < other
    check(one)
    return one + 1 if one > other and True else other[-1]
"""


def changed(file: str, text: str) -> set[str]:
    """Return each mutated line of a text."""
    return {mutant.line(text) for mutant in _mutants.mutants_of(file, text)}


def test_python_is_mutated_in_code_that_runs_only() -> None:
    assert changed("a.py", PYTHON) == {
        "pass",
        "return one - 1 if one > other and True else other[-1]",
        "return one + 2 if one > other and True else other[-1]",
        "return one + 1 if one >= other and True else other[-1]",
        "return one + 1 if one > other or True else other[-1]",
        "return one + 1 if one > other and False else other[-1]",
        "return one + 1 if one > other and True else other[-2]",
    }


@pytest.mark.parametrize("file", ["a.rs", "a.js"])
def test_rust_and_javascript_are_mutated_outside_of_comments_and_texts(file: str) -> None:
    text = 'if a < b && c {  // a < b\n    call(d);\n    log("1 + 1");\n}\n#[cfg(test)]\nmod tests { a < b }\n'
    assert changed(file, text) == {"if a <= b && c {  // a < b", "if a < b || c {  // a < b", ";"}


def test_every_mutation_of_python_is_a_program() -> None:
    for file in ("python/tisch/server/table/visits.py", "python/tisch/driver.py", "python/tisch/arena/ladder.py"):
        text = (ROOT / file).read_text(encoding="utf-8")
        mutants = _mutants.mutants_of(file, text)
        assert len(mutants) >= 5
        for mutant in mutants:
            assert mutant.apply(text) != text
            ast.parse(mutant.apply(text))


def test_the_same_seed_draws_the_same_without_those_that_are_listed(tmp_path: Path) -> None:
    package = tmp_path / "python" / "tisch"
    package.mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (package / "a.py").write_text(PYTHON)
    every = _mutants.draw(tmp_path, 99, 0)
    assert len(every) == 7
    assert _mutants.draw(tmp_path, 3, 5) == _mutants.draw(tmp_path, 3, 5)
    listed = tmp_path / _mutants.EQUIVALENT
    listed.write_text('[[mutant]]\nfile = "python/tisch/a.py"\nline = "pass"\nreason = "It checks nothing."\n')
    assert {*_mutants.draw(tmp_path, 99, 0)} == {mutant for mutant in every if mutant.replace != "pass"}
    listed.write_text('[[mutant]]\nfile = "python/tisch/a.py"\n')
    with pytest.raises(_setup.SetupError, match="must have file, line and reason"):
        _mutants.draw(tmp_path, 1, 0)


def test_the_tests_of_a_file_are_those_that_name_it_and_then_its_room() -> None:
    near, room = _mutants.tests_of("python/tisch/arena/ladder.py", ROOT)
    assert "tests/arena/test_ladder.py" in near
    assert room == ["tests/arena"]
    assert _mutants.tests_of("web/js/table/fan.js", ROOT)[-1] == ["tests/web"]
    assert _mutants.tests_of("rust/core/src/tichu/odds/walk.rs", ROOT)[-1] == ["tests/games/tichu"]
