"""Tests of drawn tables: whole games of all games in narrow and wide windows, and what a table shows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pytest

from places import ROOT
from tisch.agents import RandomAgent
from tisch.game import Event, Game, Random
from tisch.games import REGISTRY, find
from tisch.ports.face import NO_SEAT, Viewer, face_of
from tisch.ports.tables import Card, Pile, Place, Table, drawn, fans
from tisch.ports.text import Line, line_of, plain, shortened, width, wrapped

NAMES = ("Du", "Ben (KI)", "Konstantinopel", "Da", "Emma", "Felix")


def shown(lines: Sequence[Line] | None) -> list[str]:
    assert lines is not None
    return [plain(line).rstrip() for line in lines]


def own_games() -> list[Game[Any]]:
    """The games of the examples."""
    sys.path.insert(0, str(ROOT / "examples"))
    try:
        return [find("connect_four:GAME"), find("battleships:GAME")]
    finally:
        sys.path.pop(0)


@pytest.mark.parametrize("game", [*REGISTRY.values(), *own_games()], ids=lambda game: game.name)
def test_whole_games_are_drawn_in_windows_of_any_width(game: Game[Any]) -> None:
    """Nothing is wider than the window, and no card of the hand is left out."""
    options = game.Options()
    seats = game.seats(options)
    face = face_of(game, Viewer(0, NAMES[:seats], "de", colours=False, keys=True))
    state = game.new(options, 11)
    agents = [RandomAgent[Any]() for _ in range(seats)]
    for seat, agent in enumerate(agents):
        agent.start(Random(11, "agent", seat))
    for number in range(80):
        if not state.awaiting():
            break
        view = state.view(0)
        table = face.table(view)
        for rows, columns in ((20, 44), (20, 80), (37, 120)) if number % 4 == 0 else ():
            assert face.picture(view, rows, columns)
            picture = drawn(table, rows, columns) if table else None
            if table and picture is not None:
                assert max(map(width, picture)) <= columns and len(picture) <= rows
                text = "".join(shown(picture))
                assert all(plain(card.label) in text for group in table.hand for card in group)
                assert all(NAMES[seat].split()[0] in text for seat in range(seats))
        mover = state.awaiting()[-1]
        move = agents[mover].act(None, state.legal(mover), True)
        state.play(mover, move)


@pytest.mark.parametrize("game", [*REGISTRY.values(), *own_games()], ids=lambda game: game.name)
def test_who_watches_sees_whole_games_and_no_hand(game: Game[Any]) -> None:
    options = game.Options()
    seats = game.seats(options)
    face = face_of(game, Viewer(NO_SEAT, NAMES[:seats], "en", colours=False, keys=True))
    told: list[Event] = []
    state = game.new(options, 12, told.append)
    agents = [RandomAgent[Any]() for _ in range(seats)]
    for seat, agent in enumerate(agents):
        agent.start(Random(12, "agent", seat))
    for number in range(2000):
        if not state.awaiting():
            break
        if number % 20 == 0:
            view = state.view(None)
            table = face.table(view)
            assert table is None or not table.hand
            assert face.picture(view, 37, 120) and face.board(view, 37, 120)
        mover = state.awaiting()[-1]
        move = agents[mover].act(None, state.legal(mover), True)
        state.play(mover, move)
    public = [Event(event.name, event.public) for event in told]
    assert all(plain(line) for event in public for line in face.tell(event))
    outcome = state.outcome()
    assert outcome is None or all(map(plain, face.result(state.view(None), outcome)))


def test_four_seats_sit_round_the_table_in_the_order_of_play() -> None:
    places = [
        Place("Du", [line_of("3 Karten")], [line_of("S7")]),
        Place("Ben", [], [line_of("G9"), line_of("R9")], is_next=True),
        Place("Clara", [], (), line_of("passt")),
        Place("David"),
    ]
    hand = [[Card(line_of("Ph")), Card(line_of("BA"), "2")], [Card(line_of("Z"))]]
    table = Table(
        [line_of("Runde 1")], places, [Pile(line_of("Mitte"))], [line_of("Wunsch")], line_of("Hand:"), hand, (), 9
    )
    assert shown(drawn(table, 99, 40)) == [
        "Runde 1",
        "╭─────────────── Clara ────────────────╮",
        "│                passt                 │",
        "│ David                          ► Ben │",
        "│                Mitte         ╭──┬──╮ │",
        "│                              │G9│R9│ │",
        "│                              ╰──┴──╯ │",
        "│                                      │",
        "│                 ╭──╮                 │",
        "│                 │S7│                 │",
        "│                 ╰──╯                 │",
        "╰─────────── Du · 3 Karten ────────────╯",
        "Wunsch",
        "Hand:",
        "╭──┬──╮ ╭──╮",
        "│Ph│BA│ │Z │",
        "╰──┴2─╯ ╰──╯",
    ]
    assert shown(drawn(table, 16, 40)) == [
        "Runde 1",
        "╭─────────────── Clara ────────────────╮",
        "│                passt                 │",
        "│ David          Mitte           ► Ben │",
        "│                                G9 R9 │",
        "│                  S7                  │",
        "╰─────────── Du · 3 Karten ────────────╯",
        "Wunsch",
        "Hand:",
        "Ph 2:BA   Z",
    ]


def test_a_table_without_room_is_not_drawn() -> None:
    table = Table((), [Place("Du"), Place("Ben")], (), (), (), ())
    assert drawn(table, 24, 39) is None
    assert drawn(table, 7, 80) is None


def test_what_stands_beside_a_table_needs_a_wide_window() -> None:
    table = Table((), [Place("Du"), Place("Ben")], (), (), (), (), [line_of("Letzter Stich")])
    assert "Letzter Stich" in "".join(shown(drawn(table, 24, 100)))
    assert "Letzter Stich" not in "".join(shown(drawn(table, 24, 90)))


def test_a_hand_goes_on_in_the_next_row() -> None:
    groups = [[Card(line_of(label)) for label in "ABCDE"], [Card(line_of("F"))]]
    assert shown(fans(groups, 9)) == ["╭─┬─┬─┬─╮", "│A│B│C│D│", "╰─┴─┴─┴─╯", "╭─╮ ╭─╮", "│E│ │F│", "╰─╯ ╰─╯"]


def test_a_header_loses_its_middle_and_a_link_nothing() -> None:
    assert plain(shortened(line_of("Okey · Seed 3 · Platz 0 · ? hilft"), 25)) == "Okey · Seed 3 · ? hilft"
    link = "https://tisch.example.org/?table_name=Stube&invitation=eFo4EVUy17Y3mYmXF"
    assert "".join(plain(line) for line in wrapped(line_of(link), 20)) == link
