"""Tests of how Raumstation looks and speaks: the drawing to the letter, the description's messages word for word."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.raumstation.test_rules import GAME, SQUARE, do, rooms_of, station
from tisch.game import Event
from tisch.games.raumstation import Options, RaumstationState, Refused
from tisch.games.raumstation.face import TEXTS, board, draw
from tisch.ports.face import Face, Viewer, face_of
from tisch.ports.text import Line, Span, coloured, plain

#: A station with every sort of corridor.
CORRIDORS = """
0-0   #-#
 \\|   |X|
  0-2-*-1
  | |/ \\
  #-*   #
"""


def drawn(state: RaumstationState, signs: bool = False) -> str:
    """The board without colours, blanks at the end of lines removed."""
    return "\n".join(plain(line).rstrip(" ") for line in board(state.view(0), signs))


def small(picture: str, side: int = 3) -> RaumstationState:
    """A game on a small grid."""
    return RaumstationState.begin(Options(width=side, height=side, rooms=8), rooms_of(picture))


def face(language: str) -> Face[Any]:
    return face_of(GAME, Viewer(0, ("Du",), language))


def text(name: str, language: str = "de", **values: int) -> Line:
    return face(language).say(name, **values)


def said(state: RaumstationState, move: str, language: str = "de") -> str:
    """What the terminal says to a move, whether it is made or refused."""
    events: list[Event] = []
    state.listener = events.append
    try:
        state.play(0, GAME.parse(move))
    except Refused as error:
        view, made = state.view(0), GAME.parse(move)
        return plain(face(language).refusal(error, made, view, state.legal(0)))
    lines = [line for event in events for line in face(language).tell(event)]
    if outcome := state.outcome():
        lines += face(language).result(state.view(0), outcome)
    return " / ".join(map(plain, lines))


def test_the_board_is_drawn_to_the_letter() -> None:
    lines = [plain(line) for line in board(small(SQUARE).view(0))]
    assert lines == [
        "\t 0 1 2 ",
        "\t       ",
        "0\t 1-# . ",
        "\t |\\|   ",
        "1\t #-# . ",
        "\t       ",
        "2\t . . . ",
        "\t       ",
    ]


def test_corridors_are_drawn_as_they_lead() -> None:
    assert drawn(small(CORRIDORS, 5)).split("\n") == [
        "\t 0 1 2 3 4",
        "\t",
        "0\t 0-0 . #-#",
        "\t  \\|   |X|",
        "1\t . 0-2-#-1",
        "\t   | |/ \\",
        "2\t . #-# . #",
        "\t",
        "3\t . . . . .",
        "\t",
        "4\t . . . . .",
        "\t",
    ]


def test_wide_grids_number_their_columns_in_two_rows() -> None:
    lines = drawn(station(SQUARE)).split("\n")
    assert lines[:2] == ["\t" + "  " * 10 + " 1" * 10, "\t 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9"]
    assert lines[23].startswith("10\t .")


def test_open_rooms_are_green_and_marked_ones_red() -> None:
    state = do(small(SQUARE), "mark 1 0")
    lines = board(state.view(0))
    assert lines[2] == (Span("0\t "), Span("1", "green"), Span("-# . "))
    assert lines[4] == (Span("1\t "), Span("#", "red"), Span("-# . "))
    assert coloured(lines[4]) == "1\t \x1b[31m#\x1b[0m-# . "
    assert "\n1\t ?-# .\n" in drawn(state, signs=True)


def test_r10_the_whole_station_is_shown_in_the_end() -> None:
    state = do(small(SQUARE), "scan 1 0")
    lines = board(state.view(0))
    assert lines[2] == (Span("0\t "), Span("1", "green"), Span("-0 . "))
    assert lines[4] == (Span("1\t "), Span("!", "red"), Span("-1 . "))
    assert board(do(small(SQUARE), "scan 0 1, scan 1 1").view(0))[4][1] == Span("*", "red")


def test_the_screen_ends_with_legend_status_and_keys() -> None:
    state = do(small(SQUARE), "joker 1 0")
    *_, empty, legend, keys = draw(state.view(0))
    assert empty == ()
    assert plain(legend) == "#: Sicher\t#: Markierung\t\tAktiver Modus: Scannen\tJoker: 1"
    assert legend[0] == Span("#", "green") and legend[2] == Span("#", "red")
    assert plain(keys) == "'m' für Moduswechsel \t'Enter' für Koordinateneingabe\t'j' für Joker"
    assert "Aktiver Modus: Markieren\t" in plain(draw(state.view(0), "mark")[-2])
    assert "Active mode: Mark\tJokers: 1" in plain(draw(state.view(0), "mark", "en")[-2])


@pytest.mark.parametrize(
    ("before", "move", "words"),
    [
        ("mark 1 0", "scan 0 1", "Der Raum wurde aufgedeckt!"),
        ("mark 1 0", "scan 2 0", "Ein Raum in Zeile 2 an Spalte 0 existiert nicht!"),
        ("mark 1 0", "scan 0 0", "Der Raum ist bereits aufgedeckt!"),
        ("mark 1 0", "mark 1 1", "Der Raum wurde markiert."),
        ("mark 1 0", "unmark 1 0", "Der Raum ist jetzt nicht mehr markiert."),
        ("mark 1 0", "mark 1 0", "Der Raum ist bereits markiert."),
        ("mark 1 0", "unmark 1 1", "Der Raum ist nicht markiert."),
        ("mark 1 0", "mark 0 2", "Ein Raum in Zeile 0 an Spalte 2 existiert nicht!"),
        ("mark 1 0", "mark 0 0", "Der Raum ist bereits aufgedeckt und kann nicht markiert werden."),
        ("mark 1 0", "unmark 0 0", "Der Raum ist bereits aufgedeckt und kann nicht markiert werden."),
        ("mark 1 0", "joker 0 1", "JOKER: Der Raum in Zeile 0 an Spalte 1 ist ein sicherer Raum."),
        ("mark 1 0", "joker 1 0", "JOKER: Der Raum in Zeile 1 an Spalte 0 ist eine Falle!"),
        ("joker 1 0", "joker 1 0", "JOKER: Der Raum in Zeile 1 an Spalte 0 ist eine Falle!"),
        ("mark 1 0", "joker 1 1", "JOKER: Der Raum in Zeile 1 an Spalte 1 ist ein sicherer Raum."),
        ("mark 1 0", "joker 2 0", "Ein Raum in Zeile 2 an Spalte 0 existiert nicht."),
        ("mark 1 0", "joker 0 0", "Ein Raum in Zeile 0 an Spalte 0 ist bereits aufgedeckt."),
        ("joker 1 0, joker 0 1", "joker 1 1", "Du hast keine Joker mehr übrig."),
        ("mark 1 0", "scan 1 0", "Der aufgedeckte Raum enthält eine Falle! / Das Spiel ist vorbei!"),
        ("scan 0 1", "scan 1 1", "Der Raum wurde aufgedeckt! / Das Spiel ist vorbei! / DU HAST GEWONNEN!"),
        ("scan 1 0", "scan 1 1", "Das Spiel ist vorbei!"),
    ],
)
def test_messages_are_those_of_the_description(before: str, move: str, words: str) -> None:
    assert said(do(small(SQUARE), before), move) == words


def test_a_protected_room_says_so() -> None:
    state = do(station(SQUARE, protect=True), "mark 1 0")
    assert said(state, "scan 1 0") == "Der Raum ist markiert. Entferne erst die Markierung, um ihn zu scannen."
    assert said(state, "scan 1 0", "en") == "The room is marked. Remove the mark before you scan it."


def test_a_trap_is_red_and_a_win_yellow() -> None:
    assert text("trapped") == (Span("Der aufgedeckte Raum enthält eine "), Span("Falle!", "red"))
    assert text("won") == (Span("DU HAST GEWONNEN!", "yellow"),)
    assert coloured(text("won", "en")) == "\x1b[33mYOU HAVE WON!\x1b[0m"


def test_prompts_ask_as_those_of_the_original_do() -> None:
    assert plain(text("coordinates")) == "Gib erst die Zeile und dann die Spalte ein. 'x' zum Abbrechen."
    assert plain(text("joker coordinates")) == (
        "Du hast den JOKER gewählt. Gib Zeile und Spalte des Raumes ein, den er verraten soll. 'x' zum Abbrechen."
    )
    prompts = [plain(text(name)) for name in ("row", "column", "joker row", "joker column")]
    assert prompts == ["Zeile: ", "Spalte: ", "Zeile für den Joker: ", "Spalte für den Joker: "]
    assert plain(text("range", least=0, greatest=9)) == "Bitte gib eine Zahl von 0 bis 9 ein!"
    assert plain(text("number")) == "Bitte gib eine Zahl ein!"


def test_every_text_stands_in_both_languages() -> None:
    assert set(TEXTS["de"]) == set(TEXTS["en"])
    for event in ("started", "scanned", "trapped", "marked", "unmarked"):
        assert all(plain(*face(language).tell(Event(event))) for language in ("de", "en"))
