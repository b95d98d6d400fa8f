"""Tests of the agents for Okey."""

from __future__ import annotations

from typing import Any

import pytest

from test_okey import COMPLETE, do, table
from test_okey_tiles import tiles
from tisch import driver
from tisch._core import derive
from tisch._core.okey import worths
from tisch.agents import RandomAgent
from tisch.game import Agent, Random
from tisch.games import okey
from tisch.games.okey import OkeyState, RuleAgent, SearchAgent
from tisch.games.okey.tiles import DECK


def choice(state: OkeyState, agent: Agent[Any] | None = None) -> tuple[str, str]:
    """Return the move of an agent, by default with the rules of thumb, and its reason."""
    (seat,) = state.awaiting()
    agent = agent or RuleAgent()
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


#: Three groups, two tiles of a run that the black 10 or 13 completes, and two tiles that nothing helps.
NEAR = "1-4:RED 5-8:BLUE 9:RED 9:BLUE 9:YELLOW 11-12:BLACK 13:RED 6:YELLOW"


def worths_of(puts: str, unseen: str, held: str = "", samples: int = 3) -> list[int]:
    """Return what puts of ``NEAR`` are worth if only a few tiles can still come."""
    seen = list(DECK)
    for tile in tiles(unseen):
        seen.remove(tile)
    return worths(bytes(tiles(NEAR)), bytes(tiles(puts)), bytes(seen), bytes(tiles(held)), samples, 1)


def test_a_put_is_worth_the_more_the_sooner_the_rest_can_win() -> None:
    # In two of three samples the first tile completes the run; where the yellow 3 comes first, the second one does.
    assert worths_of("13:RED 6:YELLOW 11:BLACK", "10:BLACK 13:BLACK 3:YELLOW") == [1890, 1890, 0]
    assert worths_of("13:RED 11:BLACK", "3:YELLOW 3:RED") == [0, 0]
    assert worths_of("13:RED", "") == [0]


def test_a_put_that_the_next_player_can_use_is_worth_a_little_less() -> None:
    useful, useless = worths_of("13:RED 6:YELLOW", "10:BLACK 13:BLACK 3:YELLOW", held="11-12:RED")
    assert 0.9 * useless < useful < useless


def test_what_cannot_be_put_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Only tiles on the rack can be put\.$"):
        worths_of("1:BLUE", "")
    with pytest.raises(ValueError, match=r"^There are only 2 tiles 1\.$"):
        worths(b"\x01", b"\x01", b"\x01\x01\x01", b"", 1, 1)
    with pytest.raises(ValueError, match=r"^The search needs at least 1 sample for a put, not 0\.$"):
        SearchAgent(0)


def test_the_search_puts_what_nothing_helps() -> None:
    move, reason = choice(table(NEAR), SearchAgent(50))
    assert move in ("put 13:RED", "put 6:YELLOW")
    assert reason.startswith("Without the ") and "can win soonest" in reason
    # A joker is worth more than any other tile.
    assert choice(table(NEAR.replace("6:YELLOW", "0:BLACK")), SearchAgent(10))[0] != "put 0:BLACK"


def test_four_searches_end_every_game() -> None:
    assert [play(deal, [SearchAgent(4) for _ in range(4)]).awaiting() for deal in range(6)] == [()] * 6


@pytest.mark.slow
def test_the_search_wins_more_than_its_share_against_three_with_the_rules_of_thumb() -> None:
    won = 0
    for deal in range(300):
        for place in range(4):
            agents: list[Agent[Any]] = [SearchAgent() if seat == place else RuleAgent() for seat in range(4)]
            won += play(deal, agents).winner == place
    print(f"won {won} of 1200")
    assert won >= 300
