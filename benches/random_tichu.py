"""Random play of Tichu, as in the arena."""

from __future__ import annotations

from collections.abc import Callable

from tisch import driver
from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu.agents import RandomAgent

_OPTIONS = tichu.Options(rounds=1)
_AGENTS = [RandomAgent() for _ in range(4)]


def start(number: int) -> Callable[[], int]:
    """Deal a round between four random agents.

    :param number: The number of the round.
    :result: A function that plays it to the end and returns the number of decisions.
    """
    for seat, agent in enumerate(_AGENTS):
        agent.start(Random(number, seat))
    state = tichu.GAME.new(_OPTIONS, number)
    return lambda: driver.play(state, _AGENTS)
