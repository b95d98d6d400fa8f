"""Tests of ``python -m tisch.testing``: a game that breaks many promises is told every one of them, as sentences."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from guide import write
from places import ROOT
from serving import PATIENCE, environment
from tisch.game import Listener
from tisch.games import null
from tisch.testing import CHECKS, Broken, broken, promise_of, report

PAGE: Final = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
#: A game that breaks nearly every promise; each break is marked.
FALLEN: Final = """
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from tisch.game import Chance, Game, Information, Outcome, State
from tisch.language import Vocabulary
from tisch.look import GameLook, Glyph, Grid, Names, Reading

@dataclass
class Options:  # Not frozen.
    size: int = 3

class Move(NamedTuple):
    cell: str

    def __str__(self):
        return f"put {self.cell}"

class View(Struct):
    board: Any
    phase: str

class Fallen(State):
    def __init__(self, listener=None):
        self.seats, self.cells, self.turn, self.listener = 2, [], 0, listener
        self.memory = lambda: None  # Cannot be pickled.
        # It tells of no beginning.

    def awaiting(self):
        return [] if len(self.cells) == 3 else [self.turn]

    def legal(self, seat):
        return [Move(cell) for cell in ("a1", "b1", "z9") if seat in self.awaiting() and cell not in self.cells]

    def play(self, seat, move):
        if move in self.legal(seat):  # It refuses nothing, and tells of nothing.
            self.cells.append(move.cell)
            self.turn = 1 - self.turn

    def view(self, seat):
        return View([self.cells, ["."] * 2], "first")  # It changes with the game.

    def outcome(self):
        return Outcome((1, 1), (1, 1), "It is over.") if len(self.cells) == 3 else None  # Everybody wins.

    def copy(self):
        other = Fallen()
        other.cells, other.turn = self.cells if len(self.cells) == 2 else [*self.cells], self.turn  # It shares some.
        return other

    def resample(self, seat, random):
        other = Fallen()
        other.cells, other.turn = [*self.cells], self.turn
        return other

    def end_with_round(self):
        self.cells = ["a1", "b1", "z9"]

class FallenGame(Game):
    name, title, Options = "Fallen Game", "Fallen", Options
    information, chance = Information.HIDDEN, Chance.START  # It hides nothing and has no chance.
    vocabulary = Vocabulary(Path(__file__).parent / "texts")
    look = GameLook(
        fields={"board": Reading.GRID, "nowhere": Reading.SEAT, "phase.inner": Reading.GRID},
        glyphs={"a1": Glyph("●", "pink"), "b1": Glyph("●"), "apple": Glyph("○"), "avocado": Glyph("◇")},
        grids={"board": Grid(moves={"put": (Names.CELL,)}), "phase": Grid(), "phase.inner": Grid(moves={"put": ()})},
    )
    face = "fallen:Move"
    encoder = "fallen.nowhere:Encoding"
    levels = {"easy": "nobody"}
    fallback = "nothing"

    def sides(self, options):
        return ((0,), (1,))

    def new(self, options, seed, listener=None):
        return Fallen(listener)

    def parse(self, text):
        return Move(text.removeprefix("put "))  # It reads anything.

GAME = FallenGame()
"""
#: What is said of it, at least; in the order of the checks.
SAID: Final = (
    "The name 'Fallen Game' must consist of small letters.",
    "The option 'size' can be changed after the game was set up.",
    "The payoffs of the sides sum to 2, not to 0.",
    "The text 'xyzzy' was not refused with ValueError.",
    "The move 'put a1' of seat 0 was not refused with IllegalMove.",
    "Every seed gives the same game.",
    "What was played on a copy changed the original.",
    "The state cannot be pickled: ",
    "A game tells how it begins.",
    "The turn passed after 'put ",
    "Resampling always gives the true state: an agent that searches sees what is hidden.",
    "A state that ends with its round awaits other seats.",
    "A view changed when moves were made.",
    "The encoder 'fallen.nowhere:Encoding' cannot be imported: ",
    "The look reads the field 'nowhere', which no view has.",
    "The look has a grid for 'phase', but does not read that field as Reading.GRID.",
    "The board 'phase.inner' lies within another field; give it a field of its own.",
    "The look has the moves of 'put' on several boards; each is made on one.",
    "The glyph 'a1' has the colour 'pink'; there are red, yellow, green, blue, cyan.",
    "The glyphs 'a1' and 'b1' have the same sign '●'.",
    "The glyphs 'a1' and 'apple' are both 'a' where only ASCII can be shown.",
    "The rows of the board 'board' differ in length.",
    "The board 'board' shows '.', which has no word in 'de': a cell is a word of the section 'words', and its sign is",
    "The board 'board' shows '.', which has no word in 'en'",
    "The move 'put z9' names a place that the board 'board' does not have.",
    "The section 'outcomes' of the words differs between the languages: 'en' lacks It is over..",
    "The option 'size' has no words in 'de'.",
    "The words of Fallen in 'de' lack fields.board.",
    "The words of Fallen in 'de' lack fields.phase.",
    "The words of Fallen in 'de' lack verbs.put.",
    "The words of Fallen in 'en' lack verbs.put.",
    "The outcome 'It is over.' has no words in 'en'.",
    "'fallen:Move' is no tisch.ports.face.Face.",
    "Fallen declares 'nobody' as its level 'easy': Fallen has no agent 'nobody'; there are random, search.",
    "Fallen declares 'nothing' as its fallback: Fallen has no agent 'nothing'; there are random, search.",
)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tisch.testing", *arguments],
        cwd=folder,
        env=environment(PYTHONIOENCODING="utf-8"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=PATIENCE,
    )


@pytest.fixture
def fallen(tmp_path: Path) -> Path:
    """A folder with the game that breaks nearly everything."""
    (tmp_path / "fallen" / "texts").mkdir(parents=True)
    (tmp_path / "fallen" / "__init__.py").write_text(FALLEN, encoding="utf-8")
    texts = {"title": "Fallen", "fields": {}, "verbs": {}, "outcomes": {}}
    for language, outcomes in (("de", {"It is over.": "Aus."}), ("en", {})):
        told = json.dumps({**texts, "outcomes": outcomes})
        (tmp_path / "fallen" / "texts" / f"{language}.json").write_text(told, encoding="utf-8")
    return tmp_path


def test_every_promise_that_a_game_breaks_is_named(fallen: Path) -> None:
    done = run(fallen, "fallen:GAME", "--seeds", "2")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert [sentence for sentence in SAID if sentence not in done.stdout] == []
    promises = [line for line in lines if not line.startswith("  - ")]
    assert promises == [promise for promise in map(promise_of, CHECKS) if promise in promises]
    assert len(promises) >= 14
    assert len(lines) == len(set(lines)), "and each of them once"


def test_a_game_that_keeps_every_promise_is_told_so(tmp_path: Path) -> None:
    write(tmp_path)
    done = run(tmp_path, "nim:GAME", "--option", "heaps=2", "--seeds", "1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Nim keeps every promise.\n", "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere:GAME"], "The game 'nowhere:GAME' cannot be imported: ModuleNotFoundError"),
        (["null", "--option", "stake=0"], "The stake must be at least 1, not 0."),
    ],
)
def test_what_is_no_game_is_refused(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2 and sentence in done.stderr and done.stdout == ""


def test_of_many_sentences_of_a_kind_the_first_are_told_and_the_rest_counted() -> None:
    found = [Broken("One.", f"The move 'a{number}' is {number}.") for number in range(13)]
    lines = list(report(iter([*found, Broken("One.", "Another kind."), Broken("Two.", "The move 'x' is 1.")])))
    assert lines[0] == "One." and lines[1:11] == [f"  - The move 'a{number}' is {number}." for number in range(10)]
    assert lines[11:] == [
        "  - Another kind.",
        "  - and 3 more like this: The move … is ….",
        "Two.",
        "  - The move 'x' is 1.",
    ]


class Endless(null.NullState):
    """Waits for the first seat for ever."""

    __slots__ = ()

    def awaiting(self) -> Sequence[int]:
        return [0]

    def play(self, seat: int, move: null.Move) -> None:
        """Do nothing."""


class Crashing(null.NullState):
    """Cannot be copied."""

    __slots__ = ()

    def copy(self) -> null.NullState:
        raise KeyError(self.stake)


def game_of(state: type[null.NullState]) -> null.NullGame:
    """The smallest game with other states."""

    class Other(null.NullGame):
        def new(self, options: Any, seed: int, listener: Listener | None = None) -> null.NullState:
            return state(options, (1, 2))

    return Other()


def test_a_game_that_does_not_end_breaks_only_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tisch.testing.play.ENDLESS", 50)
    assert [each.sentence for each in broken(game_of(Endless))][-1] == "The game has not ended after 50 moves."


def test_what_a_game_raises_is_named_with_its_place() -> None:
    told = [each.sentence for each in broken(game_of(Crashing), seeds=[0])]
    assert any(re.fullmatch(r"KeyError: 1 \(test_testing.py, line \d+, in copy\)\.", sentence) for sentence in told)


def test_the_page_names_every_promise() -> None:
    demanded = re.findall(r"^- (.*?)\n(?=- |\n)", PAGE[PAGE.index("<!-- promises -->") :], re.MULTILINE | re.DOTALL)
    assert [" ".join(promise.split()) for promise in demanded[: len(CHECKS)]] == [*map(promise_of, CHECKS)]
