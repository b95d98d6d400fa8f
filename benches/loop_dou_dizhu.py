"""Random games of dou_dizhu in OpenSpiel's own loop, which is C++ like its bots."""

from __future__ import annotations

import time

import pyspiel

_GAME = pyspiel.load_game("dou_dizhu")


def rounds(seconds: float) -> float:
    """Measure for a while.

    :param seconds: The duration.
    :result: The number of games per second.
    """
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(_GAME.num_players())]
    played = 0
    begin = time.perf_counter()
    while (now := time.perf_counter()) < begin + seconds:
        pyspiel.evaluate_bots(_GAME.new_initial_state(), bots, played)
        played += 1
    return played / (now - begin)
