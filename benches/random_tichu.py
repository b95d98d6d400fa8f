"""Random play of Tichu, as the arena plays it."""

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

    :param number: Which round.
    :result: What plays it to the end and tells how many decisions that took.
    """
    for seat, agent in enumerate(_AGENTS):
        agent.start(Random(number, seat))
    state = tichu.GAME.new(_OPTIONS, number)
    return lambda: driver.play(state, _AGENTS)
