"""Tests of the tests' chance: each has its own by its name, and what failed can be repeated."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from places import HARNESS, ROOT
from seeded import NUMBER, number
from tisch.chance import VARIABLE

#: What draws chance that nobody can repeat: calls by their names; with ``()`` only those without an argument.
UNSEEDED = re.compile(
    r"random\.(random|choice|choices|shuffle|sample|randint|randrange|uniform|getrandbits|randbytes|gauss|seed\(\))"
    r"|random\.Random\(\)|Chance\(\)|secrets\.\w+|os\.urandom|uuid\.uuid[14]|SystemRandom"
    r"|(np|numpy)\.random\.(?!default_rng|Generator)\w+|default_rng\(\)"
)
#: Where such chance is meant.
MEANT = {
    "bin/_processes.py": "what tells processes apart",
    "python/tisch/chance.py": "the one source of what nobody may foresee",
    "python/tisch/server/load.py": "what tells two runs at one server apart",
    "tests/server/test_chance.py": "that source, without a text",
    "tests/repository/test_seeded.py": "the tests' chance itself",
}
#: The variables by which pytest loads hypothesis' plugin and no other.
PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "_hypothesis_pytestplugin"}
#: Files whose tests draw chance, fail, and print what they drew.
DRAWING = """\
import os, random
import pytest
from hypothesis import given, settings, strategies

def drawn(what):
    print("\\ndrawn", what, os.environ["TISCH_CHANCE"], random.random())

@pytest.fixture(scope="module")
def shared():
    drawn("shared")

@pytest.mark.parametrize("number", [1, 2])
def test_a(shared, number):
    drawn(f"a{number}")
    assert not number

@given(strategies.integers(0, 1 << 60))
@settings(max_examples=5)
def test_b(number):
    print("\\ndrawn b", number)

def test_c(shared):
    assert False
"""


def calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Return the calls of a module, each as its name, with ``()`` if it has no argument."""
    # A name from a module whose name it keeps: in ``random.choice`` the word may also be a variable of ours.
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import))
    modules = {alias.asname or alias.name for node in imports for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name.partition(".")[0] in modules or "." not in name:
                yield node.lineno, name + ("" if node.args or node.keywords else "()")


def test_nothing_draws_chance_that_cannot_be_repeated() -> None:
    found = {}
    for folder in ("python", "tests", "bin", "benches", "studies", "docs"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            drawn = [(line, call) for line, call in calls(ast.parse(path.read_text("utf-8"))) if UNSEEDED.match(call)]
            if drawn and name not in MEANT:
                found[name] = drawn
    assert not found
    assert re.search(UNSEEDED, "secrets.token_bytes") and not UNSEEDED.match("random.Random")


def test_the_number_of_a_run_is_that_of_its_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, expected in (("7", 7), ("0", 0), ("random", 0), ("", 0)):
        monkeypatch.setenv(NUMBER, text)
        assert number() == expected
    monkeypatch.delenv(NUMBER)
    assert number() == 0


def test_the_page_draws_no_chance() -> None:
    for path in [*(ROOT / "web" / "js").rglob("*.js"), *(ROOT / "web").glob("*.js"), *(ROOT / "web").glob("*.html")]:
        assert not re.search(r"Math\.random|getRandomValues|randomUUID", path.read_text("utf-8")), path


def outcome(
    folder: Path, *arguments: str, command: list[str] | None = None, number: str = ""
) -> tuple[str, dict[str, list[str]]]:
    """Run tests that draw; return the output, and what each has drawn."""
    words = command or [sys.executable, "-m", "pytest", "-s", "tests/test_drawing.py", *arguments]
    inherited = {name: value for name, value in os.environ.items() if name not in (VARIABLE, NUMBER)}
    result = subprocess.run(
        words,
        cwd=folder,
        # Hypothesis tries the same examples always where this is set.
        # Plugins of others draw nothing, and take their time at each start.
        env=inherited | {"CI": "true", **PLUGINS} | ({NUMBER: number} if number else {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    drawn: dict[str, list[str]] = {}
    for what, value in re.findall(r"^drawn (\w+) (.*)$", result.stdout, re.MULTILINE):
        drawn.setdefault(what, []).append(value)
    return result.stdout, drawn


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a tree with the tests that draw, and with what this tree's tests share."""
    tmp_path = tmp_path_factory.mktemp("drawing")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_drawing.py").write_text(DRAWING)
    (tmp_path / "tests" / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text("utf-8"))
    ours = f"pythonpath = [{str(HARNESS)!r}, {str(ROOT / 'bin')!r}, "
    settings = (ROOT / "pyproject.toml").read_text("utf-8").replace("pythonpath = [", ours)
    (tmp_path / "pyproject.toml").write_text(settings)
    return tmp_path


#: The output of all tests, and what each has drawn, by the number of the run.
Run: TypeAlias = Mapping[str, tuple[str, dict[str, list[str]]]]


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    """Run all of these tests, without a number and with one."""
    return {number: outcome(folder, number=number) for number in ("", "7")}


def test_each_test_has_its_own_chance_whatever_else_runs(folder: Path, run: Run) -> None:
    _, all_of_them = run[""]
    assert set(all_of_them) == {"shared", "a1", "a2", "b"}
    assert len({tuple(values) for values in all_of_them.values()}) == 4
    _, alone = outcome(folder, "-k", "a and 2")
    assert alone == {name: all_of_them[name] for name in ("shared", "a2")}
    _, fresh = run["7"]
    assert set(fresh) == set(all_of_them)
    assert all(fresh[name] != all_of_them[name] for name in fresh)
    assert fresh == outcome(folder, number="7")[1]


@pytest.mark.parametrize("number", ["", "7"])
def test_a_failure_tells_the_command_that_repeats_it(folder: Path, run: Run, number: str) -> None:
    output, drawn = run[number]
    lines = re.findall(rf"^({NUMBER}=.*)$", output, re.MULTILINE)
    assert len(lines) == 3
    command = next(line for line in lines if "test_a[2]" in line)
    _, again = outcome(folder, command=["sh", "-c", f"{command} -s"])
    assert again == {name: drawn[name] for name in ("shared", "a2")}
    assert shlex.split(command)[0] == f"{NUMBER}={7 if number == '7' else 0}"
