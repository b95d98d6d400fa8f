"""Tests of how states and views print: everything that a game holds, as people write it."""

from __future__ import annotations

from typing import Any

import pytest

from tichu_tables import do, table
from tisch.game import Random
from tisch.games import REGISTRY, find
from tisch.games.tichu import Cards
from tisch.printing import page, text

GAMES = [*REGISTRY, "null"]


def moments(name: str, seed: int, every: int) -> list[Any]:
    """Return states of a random game, each some moves after the last."""
    game, random, found = find(name), Random(seed, "printing"), []
    state = game.new(game.Options(), seed)
    for count in range(10_000):
        if count % every == 0:
            found.append(state.copy())
        if not state.awaiting():
            break
        seat = state.awaiting()[0]
        state.play(seat, random.choice(state.legal(seat)))
    return [*found, state]


@pytest.mark.parametrize("name", GAMES)
def test_states_of_all_games_print_at_any_moment_without_a_word_of_python(name: str) -> None:
    for state in moments(name, 3, 29):
        told = repr(state)
        assert told.startswith(f"{type(state).__name__}, awaiting: ") and len(told.splitlines()) > 3
        assert not [word for word in ("object at", "Cards(", "Move(", "=", "'", "None", "True") if word in told], told


def test_a_state_of_tichu_prints_every_card_that_is_not_to_be_dealt() -> None:
    for state in moments("tichu", 5, 17):
        told = repr(state)
        for seat, hand in enumerate(state.hands):
            line = next((line for line in told.splitlines() if line.startswith(f"seat {seat}: ")), "")
            assert f"hand_cards: {hand}" in line or not hand, (seat, told)
        assert f"played_cards: {state.played}" in told or not state.played


def test_a_position_prints_as_people_read_it() -> None:
    state = do(table("S7 B7 S2", "S9 B9 GA S3", "S4", "S5"), "0 play S7 B7, 1 pass")
    lines = repr(state).splitlines()
    assert lines[0] == "TichuState, awaiting: 2"
    assert {
        "phase: play",
        "trick_cards: B7 S7",
        "trick_combination: type PAIR, length 2, rank 7",
        "trick: (0, play B7 S7), (1, pass)",
        "count_hand_cards: 1, 4, 1, 1",
        "is_double_victory: no",
    } <= set(lines)
    assert [line.split(";")[0] for line in lines[-4:]] == [
        "seat 0: hand_cards: S2",
        "seat 1: hand_cards: GA B9 S9 S3",
        "seat 2: hand_cards: S4",
        "seat 3: hand_cards: S5",
    ]
    # What a view does not know, it cannot print.
    assert repr(state.view(2)) == "\n".join([*lines[1:-4], *repr(state.view(2).private).splitlines()])
    assert repr(state.view(2).private).splitlines()[:2] == ["player_index: 2", "hand_cards: S4"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "–"),
        ("", "–"),
        ((), "–"),
        (Cards(), "–"),
        (0, "0"),
        (False, "no"),
        ({"b": 2, "a": True}, "b 2, a yes"),
        ({3, 1}, "1, 3"),
        ([(1, Cards("S7 RA")), ()], "(1, RA S7), (–)"),
        ((("red", ""), ("", "b")), "\n  red .\n  .   b"),
        ((("red", ""), ("b",)), "(red, –), (b)"),
    ],
)
def test_a_value_prints_as_its_text(value: Any, told: str) -> None:
    assert text(value) == told


def test_an_empty_field_is_left_out() -> None:
    view = find("maumau").new(find("maumau").Options(), 1).view(None)
    assert not view.hand and "hand:" not in page(view) and "stock: " in page(view)
