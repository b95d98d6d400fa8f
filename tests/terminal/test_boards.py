"""Tests of boards in the terminal: every cell is drawn between its coordinates, and cells name moves."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import pytest
from msgspec import Struct

import battleships
import connect_four
from places import ROOT
from tisch.game import Game
from tisch.games import null
from tisch.look import GameLook, Glyph, Grid, Labels, Names, Reading
from tisch.ports.face import Face, Viewer, face_of
from tisch.ports.signs import Signs
from tisch.ports.text import Line, plain, width

EXAMPLES: Final = (connect_four.GAME, battleships.GAME)
#: The width of a narrow window.
NARROW: Final = 44


def face(game: Game[Any], language: str = "en", seat: int = 0) -> Face[Any]:
    return face_of(game, Viewer(seat, ("Anna", "Ben"), language))


def shown(lines: Sequence[Line]) -> list[str]:
    return [plain(line).rstrip() for line in lines]


def after(game: Game[Any], *moves: str) -> Any:
    """A state after moves, each with its seat."""
    state = game.new(game.Options(), 1)
    for told in moves:
        seat, _, text = told.partition(" ")
        state.play(int(seat), game.parse(text))
    return state


# --- drawing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [NARROW, 80, 1000])
def test_a_board_is_drawn_by_rows_between_its_coordinates(columns: int) -> None:
    state = after(connect_four.GAME, "0 drop 4", "1 drop 4", "0 drop 7")
    assert shown(face(connect_four.GAME).board(state.view(0), 99, columns)) == [
        "Turn: Ben",
        "Board",
        "  1 2 3 4 5 6 7",
        "f · · · · · · · f",
        "e · · · · · · · e",
        "d · · · · · · · d",
        "c · · · · · · · c",
        "b · · · ○ · · · b",
        "a · · · ● · · ● a",
        "  1 2 3 4 5 6 7",
    ]


FLEETS: Final = ("0 place a1 c1", "0 place a2 b2", "0 place f5 f6", "1 place d4 f4", "1 place a1 a2", "1 place c1 c2")


def test_boards_stand_side_by_side_where_there_is_room() -> None:
    state = after(battleships.GAME, *FLEETS, "0 fire d4", "1 fire a1", "0 fire a6")
    look = face(battleships.GAME)
    both = [
        "Your sea          The other sea",
        "  a b c d e f       a b c d e f",
        "1 ✕ ■ ■ · · · 1   1 · · · · · · 1",
        "2 ■ ■ · · · · 2   2 · · · · · · 2",
        "3 · · · · · · 3   3 · · · · · · 3",
        "4 · · · · · · 4   4 · · · ✕ · · 4",
        "5 · · · · · ■ 5   5 · · · · · · 5",
        "6 · · · · · ■ 6   6 ○ · · · · · 6",
        "  a b c d e f       a b c d e f",
    ]
    assert shown(look.board(state.view(0), 99, NARROW))[-9:] == both
    apart = shown(look.board(state.view(0), 99, 30))[-18:]
    assert apart == [*(line[:15].rstrip() for line in both), *(line[18:] for line in both)]


def test_a_spectator_sees_two_seas_from_outside() -> None:
    state = after(battleships.GAME, *FLEETS, "0 fire d4", "1 fire d1")
    lines = shown(face(battleships.GAME).board(state.view(None), 99, 80))
    assert lines[-9] == "The first sea     The second sea"
    assert lines[-7] == "1 · · · ○ · · 1   1 · · · · · · 1"
    assert lines[-4] == "4 · · · · · · 4   4 · · · ✕ · · 4"
    assert "■" not in "".join(lines)


class Wide(Struct, frozen=True):
    """A view with a board of 3 by 30, and with lists of any length."""

    board: tuple[str, ...]
    heaps: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    pieces: tuple[dict[str, Any], ...]


LOOK: Final = GameLook(
    fields={"board": Reading.GRID, "heaps": Reading.LIST, "rows": Reading.LIST},
    glyphs={"x": Glyph("✗", "red"), "o": Glyph("◯"), "": Glyph("~")},
)
WIDE: Final = Wide(("x" * 30, "o" * 30, "x" * 29 + "o"), tuple(range(60)), ((1,) * 7,) * 6, ({"at": "a1"},) * 3)


class Drawn(Face[Any]):
    """A face whose words are those of the fields."""

    def word(self, section: str, name: str) -> str:
        return name


def wide() -> Drawn:
    kind = type("Drawing", (type(connect_four.GAME),), {"look": LOOK})
    return Drawn(kind(), Viewer(0, ("Anna", "Ben"), "en"))


def test_a_board_that_is_too_wide_is_drawn_in_parts_that_leave_nothing_out() -> None:
    grid = wide().board(WIDE, 99, NARROW)[-18:]
    assert all(width(line) <= NARROW for line in grid)
    told = shown(grid)
    assert told[::6] == ["board a–m", "board n–z", "board aa–ad"]
    labels = [label for head in told[1::6] for label in head.split()]
    assert labels == [Labels.LETTERS.label(index) for index in range(30)]
    assert told[5::6] == told[1::6]
    rows = [[sign for part in (0, 6, 12) for sign in told[part + 2 + row].split()[1:-1]] for row in range(3)]
    assert rows == [["✗"] * 30, ["◯"] * 30, ["✗"] * 29 + ["◯"]]


def test_lists_of_any_length_are_told_whole_and_lists_of_lists_line_by_line() -> None:
    lines = shown(wide().board(WIDE, 99, NARROW))
    assert lines[0] == "heaps: " + " ".join(map(str, range(60)))
    assert lines[1:8] == ["rows:", *["  1 1 1 1 1 1 1"] * 6]
    assert lines[8:12] == ["pieces:", *["  a1"] * 3]


def test_signs_become_letters_where_only_ascii_can_be_shown() -> None:
    signs = Signs("ascii", "en", {**LOOK.glyphs, "miss": Glyph("○")})
    assert signs.text("✗ ◯ ○ ~ ·") == "x o m ~ ."


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals.")
def test_a_narrow_window_shows_whole_boards_and_takes_cells() -> None:
    from pseudo_terminal import PseudoTerminal  # noqa: PLC0415 - Windows has none.

    path = os.pathsep.join(filter(None, [str(ROOT / "examples"), os.environ.get("PYTHONPATH")]))
    arguments = ("battleships:GAME", "--agents", "random", "--seed", "3", "--pause", "0", "--lang", "en")
    with PseudoTerminal(*arguments, rows=34, columns=NARROW, PYTHONPATH=path) as terminal:
        for cells in ("a1 c1", "a2 b2", "a3 b3"):
            before = terminal.until("Your turn")
            terminal.send(f"{cells}\r")
            terminal.until_other(before, lambda screen: "Your turn" in screen)
        screen = [line.rstrip() for line in terminal.until("Fire at:").splitlines()]
        first = screen.index("Your sea          The other sea")
        assert screen[first : first + 6] == [
            "Your sea          The other sea",
            "  a b c d e f       a b c d e f",
            "1 ■ ■ ■ · · · 1   1 · · · · · · 1",
            "2 ■ ■ · · · · 2   2 · · · · · · 2",
            "3 ■ ■ · · · · 3   3 · · · · · · 3",
            "4 · · · · · · 4   4 · · · · · · 4",
        ]
        assert all(len(line) <= NARROW for line in screen)
        told = f"{' '.join(screen)} "
        assert all(f" {column}{row} " in told for column in "abcdef" for row in range(1, 7)), "No cell is cut off."
        terminal.send("q\r")
        assert terminal.end() == 0


# --- what is typed ----------------------------------------------------------------------------------------------------


def offered(game: Game[Any], state: Any, seat: int = 0) -> dict[str, list[str]]:
    groups = face(game).offer(state.view(seat), state.legal(seat))
    return {group.title: [choice.key for choice in group.choices] for group in groups}


def test_moves_are_offered_by_the_cells_that_they_name() -> None:
    assert offered(connect_four.GAME, after(connect_four.GAME)) == {"Drop into column": [*"1234567"]}
    state = after(battleships.GAME, *FLEETS)
    cells = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]
    assert offered(battleships.GAME, state) == {"Fire at": cells}


def test_a_game_is_called_as_its_words_say() -> None:
    assert [face(game, language).title for game in EXAMPLES for language in ("de", "en")] == [
        "Vier gewinnt",
        "Connect Four",
        "Schiffe versenken",
        "Battleships",
    ]
    assert face(null.GAME).title == "Null"


@pytest.mark.parametrize(("language", "told"), [("de", "etwa c3 oder b1 c3"), ("en", "such as c3 or b1 c3")])
def test_the_help_says_how_cells_are_typed(language: str, told: str) -> None:
    assert told in shown(face(battleships.GAME, language).help())[0]


def test_the_first_of_two_cells_is_answered_by_those_that_may_follow() -> None:
    game, look = battleships.GAME, face(battleships.GAME)
    state = after(game, "0 place a1 c1")
    assert offered(game, state)["Place a ship"][:3] == ["d1 e1", "e1 f1", "a2 b2"]
    reply = look.read("A2", state.view(0), state.legal(0))
    assert isinstance(reply, list) and shown(reply) == ["a2: b2, a3"]
    assert look.read("a1", state.view(0), state.legal(0)) is None


class Piece:
    """A move with a piece, and one that is made on no board."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def test_moves_that_cells_do_not_tell_apart_are_offered_by_their_whole_text() -> None:
    kind = type(
        "Pieces",
        (type(connect_four.GAME),),
        {
            "vocabulary": None,
            "look": GameLook(
                fields={"board": Reading.GRID},
                grids={"board": Grid(moves={"put": (Names.CELL,), "take": (Names.CELL,), "drop": (Names.COLUMN,)})},
            ),
        },
    )
    moves = [Piece(text) for text in ("put a1", "take a1", "put b1", "drop 1", "pass", "resign")]
    groups = face(kind()).offer(None, moves)
    assert [[choice.key for choice in group.choices] for group in groups] == [
        ["put a1", "b1"],
        ["take a1"],
        ["1"],
        # Numbers that mean a column are left out.
        ["2", "3"],
    ]


@pytest.mark.parametrize("game", EXAMPLES, ids=lambda game: game.name)
def test_every_key_of_an_offer_is_a_move_and_no_other_has_it(game: Game[Any]) -> None:
    state = after(game)
    choices = [choice for group in face(game).offer(state.view(0), state.legal(0)) for choice in group.choices]
    assert {choice.move for choice in choices} == set(state.legal(0))
    assert len({choice.key for choice in choices}) == len(choices)
