"""Tests of the agent for Mau-Mau."""

from __future__ import annotations

from typing import Any

import pytest

from test_maumau import do, table
from tisch import driver
from tisch._core import derive
from tisch.agents import RandomAgent
from tisch.game import Agent, Random
from tisch.games import maumau
from tisch.games.maumau import Options, RuleAgent


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
