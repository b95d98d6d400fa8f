"""Tests of who plays Sechsundsechzig: the rules of thumb, the endgame and the search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reference import sechsundsechzig as reference
from tisch import driver
from tisch._core import derive, sechsundsechzig_worth
from tisch.agents import RandomAgent, SearchAgent, agents_of
from tisch.game import Agent, Random, Samples
from tisch.games.sechsundsechzig import CARDS, GAME, CountingAgent, Move, Options, RuleAgent, SechsundsechzigState
from tisch.games.sechsundsechzig.endgame import worth

SINGLE = Options(goal=1)


def wins(first: Callable[[], Agent[Any]], second: Callable[[], Agent[Any]], pairs: int, seed: int = 1) -> float:
    """The part of single games that the first agent wins, each deal played from both seats."""
    won = 0
    for number in range(pairs):
        for own in (0, 1):
            state = GAME.new(SINGLE, derive(seed, number))
            agents = [first(), second()] if own == 0 else [second(), first()]
            for seat, agent in enumerate(agents):
                agent.start(Random(seed, number, own, seat))
            driver.play(state, agents)
            assert state.end is not None
            won += state.end.winner == own
    return won / (2 * pairs)


def endgame(seed: int, cards: int) -> SechsundsechzigState:
    """A position in which nobody draws any more, reached by random moves and by taking cards out of both hands."""
    random = Random(seed, "endgame")
    while True:
        state = GAME.new(SINGLE, random.bits())
        while state.end is None and (state.deck or len(state.hands[state.turn]) > cards or random.below(3) == 0):
            moves = [move for move in state.legal(state.turn) if move.verb != "stop"]
            state.play(state.turn, random.choice(moves))
        if state.end is None:
            return state


@pytest.mark.parametrize("seed", range(120))
def test_the_endgame_is_worth_what_all_moves_to_the_end_show(seed: int) -> None:
    state = endgame(seed, 4)
    state.points = [Random(seed, "points").below(67) for _ in (0, 1)] if seed % 2 else state.points
    for seat in (0, 1):
        assert worth(state, seat) == reference.worth(state, seat), (state.view(0), state.view(1))


def test_an_impossible_endgame_is_refused() -> None:
    side = (1, 0, False, False)
    with pytest.raises(ValueError, match="Both sides hold the same card"):
        sechsundsechzig_worth(side, side, 0)
