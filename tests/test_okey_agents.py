"""Tests of the agent for Okey."""

from __future__ import annotations

from typing import Any

import pytest

from test_okey import COMPLETE, do, table
from tisch import driver
from tisch._core import derive
from tisch.agents import RandomAgent
from tisch.game import Agent, Random
from tisch.games import okey
from tisch.games.okey import OkeyState, RuleAgent


def choice(state: OkeyState) -> tuple[str, str]:
    """Return the agent's move and its reason."""
    (seat,) = state.awaiting()
    agent = RuleAgent()
    agent.start(Random(1))
    move = agent.act(state.view(seat), state.legal(seat), must=True)
    return str(move), agent.explain()


def test_it_wins_when_it_can() -> None:
    assert choice(table(f"7:RED {COMPLETE}")) == ("win 7:RED", "Without the red 7 all tiles lie in groups.")


def test_it_takes_what_brings_more_tiles_into_groups_and_nothing_else() -> None:
    rack = "6-7:RED 1:BLUE 3:BLUE 5:BLUE 9:BLUE 11:BLUE 2:YELLOW 4:YELLOW 13:YELLOW 2:BLACK 6:BLACK 9:BLACK 12:BLACK"
    state = do(table(rack, turn=3), "3 draw main, 3 put 8:RED")
    assert choice(state) == ("draw exchange", "With the red 8 there are 3 tiles in groups, without it 0.")
    state = do(table(rack, turn=3), "3 draw main, 3 put 11:RED")
    assert choice(state)[0] == "draw main"


def test_it_puts_what_helps_least() -> None:
    rack = "1:RED 4-5:RED 7:BLUE 7:BLACK 9:YELLOW 2-4:BLACK 11:RED 11:BLUE 11:YELLOW 13:YELLOW 13:RED 12:YELLOW"
    assert choice(table(rack))[0] == "put 9:YELLOW"


def play(seed: int, agents: list[Agent[Any]]) -> OkeyState:
    for seat, agent in enumerate(agents):
        agent.start(Random(derive(7, seed), seat))
    state = okey.GAME.new(okey.Options(), derive(6, seed))
    driver.play(state, agents)
    return state


def wins_against_three_random_ones(deals: int) -> tuple[int, int, int]:
    """Return the numbers of games won, decided and played, each deal in all four rotations."""
    won = decided = 0
    for deal in range(deals):
        for place in range(4):
            agents: list[Agent[Any]] = [RuleAgent() if seat == place else RandomAgent() for seat in range(4)]
            winner = play(deal, agents).winner
            decided += winner is not None
            won += winner == place
    return won, decided, 4 * deals


def test_it_wins_decided_games_against_three_random_ones() -> None:
    won, decided, played = wins_against_three_random_ones(15)
    assert decided >= 0.8 * played
    assert won >= 0.95 * decided


@pytest.mark.slow
def test_it_wins_decided_games_against_three_random_ones_in_many_deals() -> None:
    won, decided, played = wins_against_three_random_ones(1000)
    print(f"won {won}, decided {decided}, played {played}")
    assert decided >= 0.9 * played
    assert won >= 0.95 * decided


def test_four_of_it_end_every_game() -> None:
    winners = [play(deal, [RuleAgent() for _ in range(4)]).winner for deal in range(20)]
    assert sum(winner is not None for winner in winners) >= 18


def test_it_is_the_same_game_every_time() -> None:
    first, second = (play(3, [RuleAgent() for _ in range(4)]) for _ in range(2))
    assert first.view(None) == second.view(None)
