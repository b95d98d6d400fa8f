"""Tests of Raumstation's solver agent and of its hints."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.raumstation.test_rules import SQUARE, do, refused, rooms_of, station
from tisch import driver
from tisch.agents import RandomAgent
from tisch.game import Agent, Outcome, Random
from tisch.games import raumstation
from tisch.games.raumstation import Move, Options, RaumstationState, SolverAgent, hint
from tisch.games.raumstation.hints import TEXTS
from tisch.games.raumstation.setup import MOST_ROOMS

GAME = raumstation.GAME

#: Either of the first two rooms holds a trap; the 1s together show that the third is safe.
PAIR = """
* # #
|X|/
1 1
"""


def finished(agent: Agent[Any], options: Options, seed: int) -> Outcome:
    """Return how an agent ends a game."""
    state = GAME.new(options, seed)
    agent.start(Random(seed, "agent"))
    driver.play(state, [agent])
    outcome = state.outcome()
    assert outcome is not None
    return outcome


def choice(state: RaumstationState) -> tuple[str, str]:
    """Return the solver's move and its reason."""
    agent = SolverAgent()
    agent.start(Random(1))
    return str(agent.act(state.view(0), state.legal(0), must=True)), agent.explain()


def test_the_solver_finishes_every_station_that_was_taken() -> None:
    for seed in range(150):
        outcome = finished(SolverAgent(), Options(), seed)
        assert outcome.payoff == (1,)
        assert outcome.tally["guesses"] == (0,) and outcome.tally["jokers"][0] <= 2


def test_the_solver_finishes_most_classic_stations() -> None:
    won = sum(finished(SolverAgent(), Options(classic=True), seed).payoff[0] for seed in range(400))
    assert won / 400 > 0.9


@pytest.mark.slow
def test_the_solver_finishes_as_many_stations_as_was_asked_for() -> None:
    assert sum(finished(SolverAgent(), Options(), seed).payoff[0] for seed in range(1000, 3000)) / 2000 >= 0.99
    assert (
        sum(finished(SolverAgent(), Options(classic=True), seed).payoff[0] for seed in range(1000, 3000)) / 2000 >= 0.83
    )


def test_random_play_hits_a_trap_soon() -> None:
    won = sum(finished(RandomAgent(), Options(), seed).payoff[0] for seed in range(50))
    assert won / 50 < 0.2


def test_the_solver_scans_what_is_safe_first() -> None:
    assert choice(do(station(SQUARE), "joker 0 1"))[0] == "scan 0 1"


def test_the_solver_spends_a_joker_before_it_guesses() -> None:
    assert choice(station(SQUARE))[0].startswith("joker")
    move, why = choice(station(SQUARE, jokers=0))
    assert move == "scan 0 1"
    assert why == "No room is certain to be safe; row 0, column 1 holds a trap in 3 out of 10 cases: the best try."


def test_the_solver_frees_a_protected_room_before_it_scans_it() -> None:
    state = do(station(SQUARE, protect=True), "joker 0 1, mark 0 1")
    assert choice(state)[0] == "unmark 0 1"
    do(state, "unmark 0 1")
    assert choice(state)[0] == "scan 0 1"


def test_the_solver_plays_one_game_after_the_other() -> None:
    agent = SolverAgent()
    for seed in range(5):
        assert finished(agent, Options(), seed).payoff == (1,)


def test_a_hint_names_the_clue() -> None:
    found = hint(station("0-#\n| |\n#-*").view(0))
    assert found.move == Move("scan", 0, 1)
    assert found.text == "The room in row 0, column 1 is safe: the 0 in row 0, column 0 alone shows it."
    assert [room.position for room in found.clues] == [(0, 0)]
    assert found.room.position == (1, 0)


def test_a_hint_names_all_clues_that_are_needed_and_no_other() -> None:
    found = hint(station(PAIR).view(0), "de")
    assert found.move == Move("scan", 0, 2)
    assert found.text == (
        "Der Raum in Zeile 0, Spalte 2 ist sicher: "
        "Das zeigen zusammen die 1 in Zeile 1, Spalte 0 und die 1 in Zeile 1, Spalte 1."
    )


def test_a_hint_chooses_the_room_that_is_easiest_to_see() -> None:
    assert hint(station(PAIR + "  |\n  #-0").view(0)).move == Move("scan", 2, 1)


@pytest.mark.parametrize(
    ("picture", "moves", "text"),
    [
        (SQUARE, "joker 0 1", "The room in row 0, column 1 is safe: a joker revealed it."),
        ("0 *-#", "joker 0 1", "The room in row 0, column 2 is safe: one safe room is left, and it can be no other."),
        (
            "1-* #",
            "mark 0 1",
            "The room in row 0, column 2 is safe, since one safe room is left: see the 1 in row 0, column 0.",
        ),
        (SQUARE, "mark 1 0", "No room is certain to be safe; a joker for row 0, column 1 helps most."),
    ],
)
def test_a_hint_tells_where_else_it_is_known_from(picture: str, moves: str, text: str) -> None:
    assert hint(do(station(picture), moves).view(0)).text == text


def test_a_hint_tells_that_the_middle_is_safe() -> None:
    state = RaumstationState.begin(Options(width=3, height=3, rooms=8), rooms_of(SQUARE))
    assert hint(state.view(0)).text == (
        "The room in row 1, column 1 is safe: there is never a trap in the middle of the station."
    )


def test_hints_never_err_and_say_what_is_done() -> None:
    for seed in range(15):
        state = GAME.new(Options(), seed)
        while state.awaiting():
            found = hint(state.view(0))
            assert found.move in state.legal(0)
            assert (found.move.row, found.move.column) == (found.room.y, found.room.x)
            assert all(room.is_revealed for room in found.clues)
            state.play(0, found.move)
        assert state.won


def test_the_largest_stations_have_hints_too() -> None:
    options = Options(width=16, height=8, rooms=MOST_ROOMS - 1, danger=0.02, revealed=0, jokers=0, classic=True)
    sizes = []
    for seed in range(4):
        state = GAME.new(options, seed)
        sizes.append(len(state.rooms))
        while state.awaiting() and sum(room.is_revealed for room in state.seen) < 12:
            state.play(0, hint(state.view(0)).move)
    assert max(sizes) > 120


def test_a_game_that_is_over_needs_no_hint() -> None:
    state = do(station(SQUARE), "scan 1 0")
    assert refused(state, "scan 1 1") == "over"
    with pytest.raises(ValueError, match="The game is over"):
        hint(state.view(0))


def test_hints_are_written_in_both_languages() -> None:
    assert set(TEXTS["de"]) == set(TEXTS["en"])
