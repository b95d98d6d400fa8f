"""Tests of the agent for Mau-Mau."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.maumau.test_rules import do, table
from tisch import driver
from tisch._core import derive
from tisch.agents import RandomAgent
from tisch.game import Agent, Random, Samples
from tisch.games import maumau
from tisch.games.maumau import Options, RuleAgent, SearchAgent
from tisch.games.maumau.cards import cards_of


def choice(state: maumau.MauMauState) -> str:
    """Return the agent's move."""
    agent = RuleAgent()
    agent.start(Random(1))
    (seat,) = state.awaiting()
    move = agent.act(state.view(seat), state.legal(seat), must=True)
    assert agent.explain().endswith(".")
    return str(move)


def test_it_finishes_when_it_can() -> None:
    assert choice(table("H9", "HB KB", "X8")) == "finish"


def test_it_wishes_its_longest_colour() -> None:
    assert choice(do(table("H9", "HB P7 P8 K8", "X8"), "0 play HB")) == "wish P"


def test_it_keeps_its_jacks() -> None:
    assert choice(table("H9", "HB H8 P10 K10", "X8 X9 X10")) == "play H8"


def test_it_hits_the_next_one_if_he_has_few_cards_left() -> None:
    assert choice(table("H9", "H7 HK P10 K10", "X8", "X9 XD XK XA")) == "play H7"
    assert choice(table("H9", "H7 HK P10 K10", "X9 XD XK XA", "X8")) == "play HK"


@pytest.mark.parametrize(("players", "deals"), [(2, 400), (4, 200)])
def test_it_beats_random_by_a_clear_paired_margin(players: int, deals: int) -> None:
    options = Options(players=players)
    means = []
    for deal in range(deals):
        total = 0.0
        for place in range(players):
            agents: list[Agent[Any]] = [RuleAgent() if seat == place else RandomAgent() for seat in range(players)]
            for seat, agent in enumerate(agents):
                agent.start(Random(derive(9, deal), seat))
            state = maumau.GAME.new(options, derive(8, deal))
            driver.play(state, agents)
            outcome = state.outcome()
            assert outcome is not None
            total += outcome.payoff[place]
        means.append(total / players)
    mean = sum(means) / deals
    error = (sum((value - mean) ** 2 for value in means) / (deals - 1) / deals) ** 0.5
    assert mean - 3 * error > 0


def whole(state: maumau.MauMauState) -> maumau.MauMauState:
    """Put all cards that a position leaves out below the top of the pile."""
    placed = {*state.stock, *state.pile, *(card for hand in state.hands for card in cards_of(hand))}
    state.pile = [card for card in range(32) if card not in placed] + state.pile
    return state


def searched(state: maumau.MauMauState, **how: Any) -> tuple[str, str]:
    """Return the search's move and its reason."""
    agent = SearchAgent(**how)
    agent.start(Random(1))
    (seat,) = state.awaiting()
    move = agent.act(Samples(state, seat), state.legal(seat), must=True)
    return str(move), agent.explain()


def test_the_search_finishes_when_it_can_and_lays_what_it_must() -> None:
    assert searched(whole(table("H9", "HB KB", "P7"))) == (
        "finish",
        "Only jacks are left: they can all be played at once.",
    )
    assert searched(whole(table("H9", "H8", "P7"))) == ("play H8", "No other move is possible.")


def test_the_search_hits_the_last_card_of_the_other() -> None:
    # The other lays its last card, if it fits, unless it must draw; the queen leaves it the turn, the seven does not.
    assert searched(whole(table("H9", "H7 HD K9", "X8", stock="P8 P9 P10 PD")))[0] == "play H7"


def test_the_search_decides_the_same_whatever_is_hidden() -> None:
    state = maumau.GAME.new(Options(players=3), 5)
    (seat,) = state.awaiting()
    decisions = {searched(state.resample(seat, Random(seed)), playouts=60) for seed in range(4)}
    assert decisions == {searched(state, playouts=60)}


def rounds_won(playouts: int, deals: int, seed: int) -> float:
    """Return the share of rounds that the search wins against the rules of thumb, each deal from both seats."""
    won = 0
    for deal in range(deals):
        for place in range(2):
            agents: list[Agent[Any]] = [RuleAgent(), RuleAgent()]
            agents[place] = SearchAgent(playouts)
            for seat, agent in enumerate(agents):
                agent.start(Random(derive(seed, deal), place, seat))
            state = maumau.GAME.new(Options(), derive(seed, deal))
            driver.play(state, agents)
            won += not state.hands[place]
    return won / (2 * deals)


def test_the_search_wins_more_rounds_than_the_rules_of_thumb() -> None:
    assert rounds_won(100, 150, 3) > 0.52


@pytest.mark.slow
def test_the_search_wins_six_of_ten_rounds_against_the_rules_of_thumb() -> None:
    assert rounds_won(2000, 2000, 7) >= 0.59


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        ({"playouts": 0}, r"The parameter 'playouts' of 'search' is a whole number from 1 on, not 0\."),
        ({"caution": -0.5}, r"The parameter 'caution' of 'search' is a number from 0 on, not -0\.5\."),
    ],
)
def test_a_search_refuses_impossible_parameters(number: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        SearchAgent(**number)
