"""Random play of OpenSpiel's dou_dizhu, stepped from Python as in its own examples."""

from __future__ import annotations

import random
from collections.abc import Callable

import pyspiel

_GAME = pyspiel.load_game("dou_dizhu")


def start(number: int) -> Callable[[], int]:
    """Deal a game; each card is a step of its own.

    :param number: The number of the game.
    :result: A function that plays it to the end and returns the number of decisions.
    """
    choose = random.Random(number).choice
    state = _GAME.new_initial_state()
    while state.is_chance_node():
        state.apply_action(choose([action for action, _ in state.chance_outcomes()]))

    def play() -> int:
        decisions = 0
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
            decisions += 1
        return decisions

    return play
