"""Tests of the look of games: it fits their views, their cards, and the suits of the original descriptions."""

from __future__ import annotations

from typing import Any

import pytest

from tisch.game import Game
from tisch.games import REGISTRY
from tisch.look import Grid, Labels, Names, Place, Reading
from tisch.ports.cards import SIGNS
from tisch.ports.speech import speech_of
from tisch.ports.told import as_json
from tisch.testing import moments
from tisch.wires.maumau.codec import TO_CLIENT
from tisch.wires.sechsundsechzig.world import NAMES_OF_COLOURS

GAMES = [game for game in REGISTRY.values() if game.look.fields]
WITH_CARDS = [game for game in GAMES if game.look.cards]
WITH_SUITS = [game for game in GAMES if game.look.suits]
#: The letters of the original: K♦ is "k", ♣ is "x", ♠ is "p", ♥ is "h".
SIGN_OF = {"K": "♦", "H": "♥", "X": "♣", "P": "♠"}
SIGN_OF_SUIT = {"diamonds": "♦", "hearts": "♥", "clubs": "♣", "spades": "♠"}


def shown(game: Game[Any]) -> list[dict[str, Any]]:
    """Yield all views, of every seat, in some whole games."""
    words, options = speech_of(game), game.Options()
    return [
        as_json(words.private(state, seat))
        for seed in range(3)
        for state in moments(game, options, seed, 60)
        for seat in range(state.seats)
    ]


@pytest.mark.parametrize("game", WITH_SUITS, ids=lambda game: game.name)
def test_letters_stand_for_the_suits_that_the_seed_gives_them(game: Game[Any]) -> None:
    assert {letter: SIGN_OF_SUIT[suit] for letter, suit in game.look.suits.items()} == SIGN_OF
    assert {letter: span.text for letter, span in SIGNS.items()} == SIGN_OF


def test_wires_and_words_name_the_same_suits() -> None:
    # The bytes of Mau-Mau's protocol, of the nine of each colour: ♦ 31, ♥ 41, ♣ 15, ♠ 92.
    cards = REGISTRY["maumau"]
    written = {letter: TO_CLIENT.write("stack", cards.parse(f"play {letter}9").operand) for letter in "KHXP"}
    assert written == {"K": b"l\x31\x09", "H": b"l\x41\x09", "X": b"l\x15\x09", "P": b"l\x92\x09"}
    assert NAMES_OF_COLOURS == {"K": "Karo", "H": "Herz", "X": "Kreuz", "P": "Pik"}
    for game in WITH_SUITS:
        assert game.vocabulary
        words = game.vocabulary.section("cards")["de"]
        assert {letter: words[f"suit.{suit}"] for letter, suit in game.look.suits.items()} == NAMES_OF_COLOURS


@pytest.mark.parametrize("game", WITH_CARDS, ids=lambda game: game.name)
def test_every_card_is_listed_once(game: Game[Any]) -> None:
    hand = next(name for name, reading in game.look.fields.items() if reading is Reading.HAND)
    held = {card for view in shown(game) for card in view[hand]}
    assert sorted(game.look.cards) == sorted(held)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_fields_that_are_read_in_a_special_way_are_fields(game: Game[Any]) -> None:
    views = shown(game)
    for name, reading in game.look.fields.items():
        outer, _, inner = name.partition(".")
        values = [view[outer][inner] if inner else view[outer] for view in views if not inner or view[outer]]
        seats = game.seats(game.Options())
        told = [value for value in values if value is not None]
        if reading is Reading.AMOUNT:
            assert all(isinstance(value, int) for value in told)
        elif reading is Reading.SEAT:
            assert all(0 <= value < seats for value in told)
        elif reading in (Reading.SUITS, Reading.COUNTS, Reading.SCORES):
            assert all(len(value) == seats for value in told)
        elif reading is Reading.HAND:
            assert all(isinstance(card, str) for value in told for card in value)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_count_of_a_seat_is_the_size_of_its_hand(game: Game[Any]) -> None:
    fields = {reading: name for name, reading in game.look.fields.items()}
    if Reading.HAND in fields:
        views = shown(game)
        own = [(view[fields[Reading.COUNTS]][view["player_index"]], view[fields[Reading.HAND]]) for view in views]
        assert all(count == len(hand) for count, hand in own)


def test_a_colour_that_is_lacked_twice_is_told_once() -> None:
    views = shown(REGISTRY["sechsundsechzig"])
    lacking = {letters for view in views for letters in view["lacks"]}
    assert all(len(set(letters)) == len(letters) for letters in lacking)
    assert max(map(len, lacking)) > 0


# --- boards -----------------------------------------------------------------------------------------------------------


def test_labels_lead_to_what_they_name_and_nothing_else_does() -> None:
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    letters = [*alphabet, *(first + last for first in alphabet for last in alphabet)]
    assert [Labels.LETTERS.label(index) for index in range(len(letters))] == letters
    assert [Labels.LETTERS.index(label) for label in letters] == [*range(len(letters))]
    assert [Labels.NUMBERS.label(index) for index in range(999)] == [str(number) for number in range(1, 1000)]
    assert [Labels.NUMBERS.index(str(number)) for number in range(1, 1000)] == [*range(999)]
    for kind in Labels:
        assert {kind.index(label) for label in ("", "A", "0", "01", "a1", "-1", "é", "1000", "abc")} == {-1}


@pytest.mark.parametrize("is_upward", [False, True])
@pytest.mark.parametrize("columns", Labels)
@pytest.mark.parametrize("rows", Labels)
def test_every_cell_is_found_by_its_label(columns: Labels, rows: Labels, is_upward: bool) -> None:
    grid, height, width = Grid(columns, rows, is_upward), 12, 30
    labels = {grid.cell(row, column, height): (row, column) for row in range(height) for column in range(width)}
    assert len(labels) == height * width
    assert {label: grid.find(label, height) for label in labels} == labels
    assert all(map(grid.is_label, labels))
    assert not any(map(grid.is_label, ("", "1a1", "a", "3", "c3 ", "c,3,", "(c3)")))


def test_cells_are_called_as_on_a_chessboard_or_from_the_top() -> None:
    assert [Grid(is_upward=True).cell(row, 4, 8) for row in (0, 7)] == ["e8", "e1"]
    assert [Grid().cell(row, 4, 8) for row in (0, 7)] == ["e1", "e8"]
    assert Grid(Labels.NUMBERS, Labels.NUMBERS).cell(2, 11, 19) == "12,3"
    assert Grid().find("a9", 8) == (8, 0) and Grid(is_upward=True).find("a9", 8) is None


@pytest.mark.parametrize(
    ("meant", "move", "places"),
    [
        ("cell", "go c3", [Place(2, 2)]),
        ("cell cell", "go a1 b2", [Place(0, 0), Place(1, 1)]),
        ("column", "go d", [Place(None, 3)]),
        ("row", "go 2", [Place(1, None)]),
        ("column row", "go d 2", [Place(1, 3)]),
        ("row column", "go 2 d", [Place(1, 3)]),
        ("column row column row", "go a 1 b 2", [Place(0, 0), Place(1, 1)]),
        ("column column", "go a b", [Place(None, 0), Place(None, 1)]),
        ("nothing cell nothing", "go x c3 queen", [Place(2, 2)]),
        ("column nothing row", "go d x 2", [Place(None, 3), Place(1, None)]),
        ("cell", "go c3 d4", None),
        ("cell", "stay c3", None),
        ("cell", "go c9", [Place(8, 2)]),
        ("cell", "go 33", [Place(-1, -1)]),
    ],
)
def test_a_move_names_places_as_the_look_says(meant: str, move: str, places: list[Place] | None) -> None:
    grid = Grid(moves={"go": tuple(Names(word) for word in meant.split())})
    assert grid.places(move, 8) == places
