"""The games of ``examples``: each one package outside of tisch, which every command finds in the working directory."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest

import battleships
import connect_four
from places import ROOT
from serving import PATIENCE, command, environment
from serving import run as run_anywhere
from tisch import testing
from tisch.game import Game, Random
from tisch.testing import moments

#: The variables of a process in which Python itself finds nothing in the working directory, as in ``tisch``.
INSTALLED: Final = {"PYTHONSAFEPATH": "1", "PYTHONIOENCODING": "utf-8"}
EXAMPLES: Final[dict[str, Game[Any]]] = {"connect_four": connect_four.GAME, "battleships": battleships.GAME}


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, as the installed ``tisch`` would."""
    return run_anywhere(folder, *arguments, **INSTALLED)


@pytest.mark.parametrize("game", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_keeps_every_promise(game: Game[Any]) -> None:
    testing.check(game, seeds=range(2))


@pytest.fixture(scope="module", params=EXAMPLES)
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """An example in a folder of its own, and a record of it."""
    name: str = request.param
    folder = tmp_path_factory.mktemp(name)
    shutil.copytree(ROOT / "examples" / name, folder / name)
    agents = ("search:playouts=10", "random", "--games", 4, "--record", "games.jsonl")
    told = run(folder, "arena", f"{name}:GAME", *agents, "--json")
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["game"] == f"{name}:GAME"
    return name, folder


def test_its_games_are_replayed_and_shown(recorded: tuple[str, Path]) -> None:
    name, folder = recorded
    told = run(folder, "replay", "games.jsonl", "--show", "2", "--seat", "1", "--lang", "de")
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    assert lines[-1].startswith("4 games and ") and lines[-1].endswith(" moves are correct.")
    moves = json.loads((folder / "games.jsonl").read_text().splitlines()[1])["transcript"].count("\n0 ")
    assert sum(". 0 " in line for line in lines) == moves
    heads = {"connect_four": "  1 2 3 4 5 6 7", "battleships": "  a b c d e f       a b c d e f"}
    # Each board has its coordinates above and below it.
    assert lines.count(heads[name]) == 2 * (1 + sum(line[:1].isdigit() and ". " in line[:5] for line in lines))
    assert {"connect_four": "Brett", "battleships": "Dein Meer         Das andere Meer"}[name] in lines


def test_its_games_become_a_dataset(recorded: tuple[str, Path]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = recorded[1]
    told = run(folder, "data", "games.jsonl", "rows", "--workers", "1")
    assert told.returncode == 0, told.stderr
    table = parquet.read_table(folder / "rows" / "data")
    transcripts = [json.loads(line)["transcript"] for line in (folder / "games.jsonl").read_text().splitlines()]
    moves = [line for text in transcripts for line in text.splitlines() if line[:2] in ("0 ", "1 ")]
    assert table.num_rows == len(moves)
    assert Counter(f"{row['seat']} {row['move']}" for row in table.to_pylist()) == Counter(moves)


def test_its_decisions_are_analysed(recorded: tuple[str, Path]) -> None:
    folder = recorded[1]
    told = run(folder, "analyse", "games.jsonl", "--game", "1", "--agent", "search:playouts=6", "--json")
    assert told.returncode == 0, told.stderr
    analysis = json.loads(told.stdout)
    assert 0 < len(analysis["decisions"]) <= analysis["moves"]
    assert analysis["seats"][0]["decisions"] + analysis["seats"][1]["decisions"] == len(analysis["decisions"])


TITLES: Final = {"connect_four": "Vier gewinnt", "battleships": "Schiffe versenken"}
#: What is typed in a whole game: every cell, or every column again and again, until the game is over.
TYPED: Final = {
    "connect_four": "1\n2\n3\n4\n5\n6\n7\n" * 6,
    "battleships": "a1 c1\na2 b2\na3\na3 b3\nh\n" + "".join(f"{c}{r}\n" for r in range(1, 7) for c in "abcdef"),
}


@pytest.mark.parametrize(("language", "end"), [("de", "Das Spiel ist zu Ende!"), ("en", "The game is over!")])
def test_it_is_played_in_the_terminal_by_cells(recorded: tuple[str, Path], language: str, end: str) -> None:
    name, folder = recorded
    arguments = ("play", f"{name}:GAME", "--lang", language, "--seed", 5, "--pause", 0, "--agents", "random")
    done = subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(**INSTALLED),
        input=TYPED[name],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=PATIENCE,
    )
    assert end in done.stdout, done.stdout + done.stderr
    assert done.stdout.startswith({"de": TITLES[name], "en": EXAMPLES[name].title}[language])
    if name == "battleships":
        assert "a3: b3, a4" in done.stdout
        assert {"de": "Tipp: Auf ", "en": "Hint: Fire at "}[language] in done.stdout


# --- the rules --------------------------------------------------------------------------------------------------------


def rows_of(state: connect_four.ConnectFourState) -> set[str]:
    """The discs that lie four in a row, by looking at every line of the board."""
    board = state.view(None).board
    lines = [
        [(row + step * down, column + step * across) for step in range(4)]
        for row in range(6)
        for column in range(7)
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1))
    ]
    inside = [line for line in lines if all(0 <= row < 6 and 0 <= column < 7 for row, column in line)]
    found = [{board[row][column] for row, column in line} for line in inside]
    return {disc for discs in found if len(discs) == 1 for disc in discs if disc}


def test_connect_four_ends_with_the_first_row_of_four() -> None:
    assert len({winner for seed in range(30) for winner in [wins(seed)]}) >= 2


def wins(seed: int) -> str:
    """Play a random game, and compare its end with the board; return whose row it is."""
    found: set[str] = set()
    for state in moments(connect_four.GAME, connect_four.Options(), seed, 100):
        assert isinstance(state, connect_four.ConnectFourState)
        found = rows_of(state)
        is_full = "" not in {cell for row in state.view(None).board for cell in row}
        assert bool(found or is_full) == (state.outcome() is not None)
        outcome = state.outcome()
        if outcome and found:
            assert [*outcome.payoff] == [1 if disc in found else -1 for disc in ("red", "yellow")]
    return "".join(found)


#: The cells of a sea at which nobody has fired, and the corner, where a ship was hit.
OPEN: Final = frozenset({"a1", "a2", "a3", "a4", "c6", "d6", "e6", "f6", "f5"})


def lines(length: int) -> list[frozenset[str]]:
    """All straight lines of open cells, by looking at each set of cells."""
    found = []
    for cells in combinations(sorted(OPEN), length):
        columns, rows = {cell[0] for cell in cells}, {int(cell[1]) for cell in cells}
        spans = {ord(max(columns)) - ord(min(columns)), max(rows) - min(rows)}
        if spans == {0, length - 1}:
            found.append(frozenset(cells))
    return found


def bits(cells: frozenset[str]) -> int:
    return sum(1 << (ord(cell[0]) - 97) + 6 * (int(cell[1]) - 1) for cell in cells)


def test_a_sea_is_drawn_anew_with_every_fleet_that_fits_and_with_no_other() -> None:
    state = battleships.BattleshipsState()
    moves = ["1 place a1 a3", "1 place d4 e4", "1 place e6 f6", "0 place d6 f6", "0 place a1 b1", "0 place a2 b2"]
    everywhere = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]
    for number, cell in enumerate(cell for cell in everywhere if cell == "a1" or cell not in OPEN):
        moves += [f"0 fire {cell}", f"1 fire {everywhere[number]}"]
    for move in moves:
        state.play(int(move[0]), battleships.GAME.parse(move[2:]))
    sunk = battleships.GAME.parse("place d4 e4").cells
    fitting = {
        (bits(longest), sunk, bits(last))
        for longest in lines(3)
        for last in lines(2)
        if not longest & last and "a1" in longest | last
    }
    random = Random(1, "seas")
    drawn = Counter(tuple(state.resample(0, random).ships[1]) for _ in range(500 * len(fitting)))
    assert len(fitting) > 4 and set(drawn) == fitting
    # Each is as likely as any other: its count differs from the mean by less than five standard deviations.
    assert all(abs(count - 500) < 5 * 500**0.5 for count in drawn.values())
