"""Tests of the faces: what each game shows, what is typed for its moves, and that no language lacks a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import sechsundsechzig_positions as positions
from tichu_tables import do, table
from tisch.agents import RandomAgent
from tisch.game import Event, IllegalMove, Random
from tisch.games import REGISTRY, find
from tisch.games.okey import Tile
from tisch.games.okey.face import read_tile
from tisch.games.raumstation.face import board, part
from tisch.games.sechsundsechzig.moves import ANNOUNCE, CLOSE, LAY, STOP
from tisch.games.tichu import Cards
from tisch.games.tichu.face import read_cards
from tisch.language import LANGUAGES, SHARED
from tisch.ports.cards import read_card, read_colour
from tisch.ports.face import Face, Viewer, face_of
from tisch.ports.text import Line, Span, plain, styled, untabbed, width
from vocabulary import BRACES

VOCABULARIES = {"shared": SHARED} | {name: game.vocabulary for name, game in REGISTRY.items() if game.vocabulary}
TABLES = {name: words.section("terminal") for name, words in VOCABULARIES.items()}
#: Two seats of every game that has them.
SEATS = [
    (name, seat) for name in [*REGISTRY, "null"] for seat in (0, 1) if seat < find(name).seats(find(name).Options())
]


def face(name: str, language: str = "de", seats: int = 4, seat: int = 0, colours: bool = True) -> Face[Any]:
    names = ["Anna", "Ben", "Clara", "David"][:seats]
    return face_of(find(name), Viewer(seat, tuple(names), language, colours))


def shown(lines: Sequence[Line]) -> list[str]:
    return [plain(line).rstrip() for line in lines]


# --- texts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_every_text_stands_in_both_languages(name: str) -> None:
    table = TABLES[name]
    assert set(table) == set(LANGUAGES)
    german, english = (table[language] for language in LANGUAGES)
    assert german.keys() == english.keys()
    for key in german:
        assert german[key].strip() and english[key].strip()
        values = [set(BRACES.findall(table[language][key])) for language in LANGUAGES]
        assert values[0] == values[1], key


@pytest.mark.parametrize("name", REGISTRY)
def test_no_game_takes_a_shared_texts_name(name: str) -> None:
    assert set(TABLES) == {"shared", *REGISTRY}
    assert not TABLES[name]["de"].keys() & TABLES["shared"]["de"].keys()


@pytest.mark.parametrize("name", TABLES)
def test_styles_in_texts_are_closed(name: str) -> None:
    for language in LANGUAGES:
        for text in TABLES[name][language].values():
            values = dict.fromkeys(BRACES.findall(text), "value")
            assert "<" not in plain(styled(text, **values))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "seat"), SEATS)
def test_whole_games_can_be_shown(name: str, seat: int, language: str) -> None:
    """Random games: nothing that can happen lacks words, and only what is legal is on offer."""
    game = find(name)
    seats = game.seats(game.Options())
    look = face(name, language, seats, seat)
    for seed in range(3):
        told: list[Event] = []
        state = game.new(game.Options(), seed, told.append)
        agents = [RandomAgent[Any]() for _ in range(seats)]
        for number, agent in enumerate(agents):
            agent.start(Random(seed, "agent", number))
        for count in range(500):
            if not state.awaiting():
                break
            mover = state.awaiting()[-1]
            legal = state.legal(mover)
            if mover == seat and count < 200:
                check_offer(look, state.view(seat), legal)
            move = agents[mover].act(None, legal, True)
            assert move is not None
            assert plain(look.name(move))
            state.play(mover, move)
            assert len(look.board(state.view(seat), 99, 100)) > 1
        for event in told:
            assert all(plain(line) for line in look.tell(event))
        outcome = state.outcome()
        if outcome:
            assert shown(look.result(state.view(seat), outcome))
    assert name == "null" or all(map(plain, look.help()))


def check_offer(look: Face[Any], view: Any, legal: Sequence[Any]) -> None:
    choices = [choice for group in look.offer(view, legal) for choice in group.choices]
    assert len({choice.key.casefold() for choice in choices}) == len(choices)
    assert all(choice.move in legal for choice in choices)
    prompt = look.prompt(view)
    assert prompt is None or plain(prompt)
    # Whatever is typed, a single key is one that the face can read.
    for typed in look.keys(view, legal).values():
        assert typed in "uqh" or look.read(typed, view, legal) is not None


# --- signs and letters ------------------------------------------------------------------------------------------------


def test_cards_are_told_apart_by_sign_and_colour() -> None:
    german, english = (face("maumau", language).value for language in LANGUAGES)
    assert [german(label) for label in ("KB", "H10", "X7", "PA")] == [
        (Span("♦B", "red"),),
        (Span("♥10", "red"),),
        (Span("♣7", "green"),),
        (Span("♠A", "cyan"),),
    ]
    assert plain(english("KB")) == "♦J" and plain(english("HD")) == "♥Q"
    assert plain(german("K")) == "♦ Karo" and plain(english("X")) == "♣ clubs"


@pytest.mark.parametrize(
    ("typed", "label"),
    [("h10", "H10"), ("KB", "KB"), ("dj", "KB"), ("xd", "XD"), ("cq", "XD"), ("sa", "PA"), ("♥7", "H7"), ("p 9", "P9")],
)
def test_cards_are_read_in_both_languages(typed: str, label: str) -> None:
    assert read_card(typed) == label


@pytest.mark.parametrize("typed", ["", "h", "10", "h11", "h1", "hh7", "z7", "h10 x"])
def test_what_is_no_card_is_none(typed: str) -> None:
    assert read_card(typed) is None


def test_colours_are_read_in_both_languages() -> None:
    assert [read_colour(letter) for letter in ("k", "D", "♣", "s", "h", "q", "")] == [
        "K",
        "K",
        "X",
        "P",
        "H",
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("typed", "tile"),
    [
        ("r7", "7:RED"),
        ("7r", "7:RED"),
        ("G13", "13:YELLOW"),
        ("y1", "1:YELLOW"),
        ("s 10", "10:BLACK"),
        ("k2", "2:BLACK"),
        ("*", "0:BLACK"),
    ],
)
def test_tiles_are_read_in_both_languages(typed: str, tile: str) -> None:
    assert read_tile(typed) == Tile.parse(tile)


@pytest.mark.parametrize("typed", ["", "r", "7", "r14", "r0", "x7", "r7r", "7r7"])
def test_what_is_no_tile_is_none(typed: str) -> None:
    assert read_tile(typed) is None


def test_tichu_cards_are_read() -> None:
    assert read_cards("s7 B7,ph") == Cards("S7 B7 Ph")
    assert read_cards("s10rz") == Cards("SZ RZ")
    assert [read_cards(text) for text in ("", "s1", "x7", "s7 s7", "s7 und b7")] == [None] * 5


# --- screens ----------------------------------------------------------------------------------------------------------


def test_okey_shows_the_rack_in_groups_or_by_colours() -> None:
    game = find("okey")
    view = game.new(game.Options(), 4).view(0)
    look = face("okey")
    assert shown(look.board(view, 99, 100))[-3:] == [
        "Deine Steine:",
        "   b9  b10  b11   ·    g5   g6   g7   ·    ·    ·    ·    ·",
        "   r2   r7   b1   b3   b5   s3  s10  s11   ·    ·    ·    ·",
    ]
    look.read("a", view, ())
    tiles = shown(look.board(view, 99, 100))[-2].split()
    assert [tile[0] for tile in tiles] == sorted((tile[0] for tile in tiles), key="rbgs".index)


def test_sechsundsechzig_keeps_new_cards_behind_until_they_are_sorted() -> None:
    game = find("sechsundsechzig")
    state = game.new(game.Options(), 4)
    look = face("sechsundsechzig", seats=2)
    before = shown(look.board(state.view(0), 99, 100))[-1]
    assert before == "Karten  1:♥B  2:♥9  3:♣9  4:♥D  5:♦B  6:♥A"
    assert look.read("S", state.view(0), state.legal(0)) == []
    assert shown(look.board(state.view(0), 99, 100))[-1] == "Karten  1:♣9  2:♥A  3:♥D  4:♥B  5:♥9  6:♦B"
    assert str(look.read("1", state.view(0), state.legal(0))) == "lay X9"
    assert str(look.read("", state.view(0), state.legal(0))) == "stop"


def test_tichu_sorts_its_moves_by_kind() -> None:
    game = find("tichu")
    state = game.new(game.Options(rounds=1), 4)
    while state.view(None).public.phase != "play":
        seat = state.awaiting()[0]
        state.play(seat, state.legal(seat)[0])
    (leader,) = state.awaiting()
    groups = face("tichu", seat=leader).offer(state.view(leader), state.legal(leader))
    titles = [group.title for group in groups]
    assert titles[:2] == ["Einzelkarten", "Paare"]
    assert [choice.key for choice in groups[0].choices] == [str(number + 1) for number in range(len(groups[0].choices))]
    assert groups[1].choices[0].key == str(len(groups[0].choices) + 1)


def test_only_a_stop_without_66_points_is_doubted() -> None:
    look = face("sechsundsechzig", seats=2, seat=0)
    for points, doubted in ((0, True), (65, True), (66, False), (90, False)):
        view = positions.table("HK XD", "HB P9", positions.FULL_DECK, points=(points, 70)).view(0)
        doubt = look.doubt(STOP, view)
        assert bool(doubt) == doubted
        expected = f"Du hast {points} Stichpunkte, nicht 66: Stoppst du jetzt, bekommt Ben 3 Gewinnpunkte."
        assert doubt is None or plain(doubt) == expected
        assert not any(look.doubt(move, view) for move in (CLOSE, LAY["HK"], ANNOUNCE))


def test_tichu_tells_who_takes_a_trick_and_who_is_given_one() -> None:
    look = face("tichu", "en", seat=0)
    state = table("Dr SK S2", "S5 S7", "S6 S8", "SA G9")
    told: list[Event] = []
    state.listener = told.append
    do(state, "0 play SK, 1 pass, 2 pass, 3 pass, 0 take, 0 play Dr, 1 pass, 2 pass, 3 pass, 0 dragon 3")
    lines = [line for event in told for line in shown(look.tell(event))]
    assert [line for line in lines if "trick" in line] == [
        "You take the trick: 10 points",
        "You give the trick with the dragon to David: 25 points",
    ]


def test_raumstation_fits_a_usual_window() -> None:
    game = find("raumstation")
    view = game.new(game.Options(), 5).view(0)
    look = face("raumstation", seats=1)
    assert len(look.board(view, 99, 100)) == 25
    tight = shown(look.board(view, 22, 100))
    assert len(tight) == 22 and tight[1].startswith("0        .") and tight[-1].startswith("'m' für Moduswechsel")


def test_raumstations_legend_is_right_without_colours() -> None:
    game = find("raumstation")
    state = game.new(game.Options(), 5)
    state.play(0, game.parse("mark 5 6"))
    with_colours, without = (
        face("raumstation", seats=1, colours=colours).board(state.view(0), 99, 100) for colours in (True, False)
    )
    assert (Span("#", "green"), Span(": Sicher\t"), Span("#", "red")) == with_colours[-2][:3]
    assert plain(without[-2]).startswith("0-8: Sicher\t?: Markierung\t\t")
    drawn = "".join(map(plain, without[:-2]))
    assert "?" in drawn and "?" not in "".join(map(plain, with_colours[:-2]))


@pytest.mark.parametrize(("rows", "columns"), [(22, 72), (18, 60), (13, 40), (9, 24), (5, 18), (2, 10), (1, 1)])
def test_raumstation_fits_every_window_and_shows_where_the_cursor_is(rows: int, columns: int) -> None:
    game = find("raumstation")
    view = game.new(game.Options(), 5).view(0)
    look = face("raumstation", seats=1, colours=False)
    look.read("up", view, ())
    for steps in range(12):
        lines = look.board(view, rows, columns)
        assert len(lines) <= rows
        assert all(width(untabbed(line)) <= columns for line in lines) or columns < 4
        if rows > 4 and columns >= 18:
            assert "[" in "".join(map(plain, lines)), (steps, shown(lines))
        look.read("up" if steps % 2 else "right", view, ())


def test_a_part_of_the_station_is_cut_out_of_the_whole() -> None:
    game = find("raumstation")
    view = game.new(game.Options(), 5).view(0)
    whole = [plain(untabbed(line)) for line in board(view)]
    # Without its first and last row, which are always empty.
    usual = [plain(line) for line in part(view, 20, 80, (5, 5))]
    assert usual == [whole[0], *whole[2:-1]]
    cut = [plain(line) for line in part(view, 6, 13, (9, 0))]
    assert cut == [" " * 3 + whole[0][-10:], *(line[:1].ljust(3) + line[-10:] for line in whole[2:7])]


@pytest.mark.parametrize(
    ("name", "options", "moves", "words"),
    [
        ("maumau", {"players": 3}, "take 2", "Du musst jetzt eine Karte ziehen."),
        ("maumau", {"players": 3}, "play H7", "♥7 hast du nicht."),
        ("maumau", {"players": 3}, "play K10", "♦10 passt nicht auf ♥B."),
        ("maumau", {"players": 3}, "wish K", "Du kannst dir jetzt nichts wünschen."),
        ("maumau", {"players": 3}, "finish", "Alle auf einmal kannst du nur legen, wenn du nur noch Buben hast."),
        ("maumau", {"players": 2}, "take 1", "Wer legen kann, muss legen."),
        ("sechsundsechzig", {}, "lay KA", "♦A hast du nicht."),
        ("sechsundsechzig", {}, "announce", "Dafür fehlt dir König oder Dame."),
        (
            "sechsundsechzig",
            {},
            "announce, close",
            "Nach der Ansage musst du eine Karte der Hochzeit legen oder stoppen.",
        ),
        ("sechsundsechzig", {}, "close, close", "Es gibt kein Deck mehr, das du zumachen könntest."),
        ("okey", {}, "put 7:RED", "Erst musst du einen Stein ziehen."),
        ("okey", {}, "draw main, draw main", "Du hast schon 15 Steine und musst einen ablegen."),
        ("okey", {}, "draw main, put 13:RED", "r13 hast du nicht."),
        ("okey", {}, "draw main, win 7:RED", "Ohne r7 liegen nicht alle Steine in Gruppen."),
        ("okey", {}, "cheat", "Du kannst hier nicht schummeln."),
        ("raumstation", {}, "scan 0 0", "Ein Raum in Zeile 0 an Spalte 0 existiert nicht!"),
        ("tichu", {"rounds": 1}, "play Ma", "Ma hast du nicht."),
    ],
)
def test_a_refusal_says_why(name: str, options: dict[str, Any], moves: str, words: str) -> None:
    game = find(name)
    state = game.new(game.Options(**options), 5 if moves.startswith("announce, ") else 4)
    *before, last = (game.parse(text) for text in moves.split(", "))
    while 0 not in state.awaiting():
        seat = state.awaiting()[0]
        state.play(seat, state.legal(seat)[-1] if name == "okey" else state.legal(seat)[0])
    for move in before:
        state.play(0, move)
    look = face(name, seats=state.seats)
    with pytest.raises(IllegalMove) as refused:
        state.play(0, last)
    assert plain(look.refusal(refused.value, last, state.view(0), state.legal(0))) == words
