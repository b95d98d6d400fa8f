"""Compares the decisions per second of random play with observations and masks: tisch's environments and OpenSpiel's.

``python -m benches.batches`` measures all of them in one run, in alternating turns, and prints the medians. A decision
includes what a program that learns needs: the observation, the legal ids, and a uniform choice among them. Time is that
of the process, so other programs disturb little. OpenSpiel's rows need the benchmarks' environment.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from tisch.env import Batch, aec
from tisch.games import REGISTRY, find

GAMES: Final = 1024
#: The options of each game; of Tichu it is a single round.
GAMES_OF: Final = {name: {"rounds": 1} if name == "tichu" else {} for name in REGISTRY}
BATCH: Final = "tisch.env.Batch, Tichu, 1,024 games"
#: The row that the others are compared with.
REFERENCE: Final = "OpenSpiel's dou_dizhu, observation and mask"


def draw(mask: Any, generator: np.random.Generator) -> Any:
    """Choose one of the legal ids of each game, uniformly.

    :param mask: The legal ids of each game.
    :param generator: The source of chance.
    :result: The ids.
    """
    games, count = mask.shape
    legal, first = np.flatnonzero(mask), count * np.arange(games)
    starts = np.searchsorted(legal, first)
    counts = np.diff(starts, append=len(legal))
    return legal[starts + (generator.random(games) * counts).astype(np.intp)] - first


def batch() -> Iterator[int]:
    """Step a batch of rounds of Tichu; yield the decisions of each step."""
    games, generator = Batch("tichu", GAMES, 1, {"rounds": 1}), np.random.default_rng(1)
    while True:
        games.step(draw(games.mask, generator))
        yield GAMES


def pettingzoo(name: str, options: Mapping[str, int]) -> Iterator[int]:
    """Play a game in PettingZoo; yield the decisions of each."""
    env, choose, number = aec(name, options), random.Random(1).choice, 0
    while True:
        env.reset(seed=number)
        number, decisions = number + 1, 0
        for _ in env.agent_iter():
            observation, _, over, _, _ = env.last()
            env.step(None if over else choose(observation["action_mask"].nonzero()[0].tolist()))
            decisions += not over
        yield decisions


def dou_dizhu(masked: bool) -> Iterator[int]:
    """Play games of OpenSpiel's dou_dizhu; yield the decisions of each."""
    import pyspiel  # noqa: PLC0415 - Only the benchmarks' environment has it.

    game, choose = pyspiel.load_game("dou_dizhu"), random.Random(1).choice
    while True:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(choose([action for action, _ in state.chance_outcomes()]))
                continue
            state.observation_tensor()
            if masked:
                state.legal_actions_mask()
            state.apply_action(choose(state.legal_actions()))
            decisions += 1
        yield decisions


def rivals() -> Mapping[str, Callable[[], Iterator[int]]]:
    """Return what is compared, by name.

    :result: Functions that play; OpenSpiel's only where it is installed.
    """
    ours: dict[str, Callable[[], Iterator[int]]] = {BATCH: batch}
    ours |= {f"tisch.env.aec, {find(name).title}": partial(pettingzoo, name, GAMES_OF[name]) for name in GAMES_OF}
    theirs = {
        "OpenSpiel's dou_dizhu, observation only": lambda: dou_dizhu(masked=False),
        REFERENCE: lambda: dou_dizhu(masked=True),
    }
    return {**ours, **theirs} if find_spec("pyspiel") else ours


def rate(steps: Iterator[int], seconds: float) -> float:
    """Measure for a while.

    :param steps: Plays, and yields how many decisions it made.
    :param seconds: The duration.
    :result: Decisions per second of the process's time.
    """
    decisions = 0
    begin = time.process_time()
    while (now := time.process_time()) < begin + seconds:
        decisions += next(steps)
    return decisions / (now - begin)


def compare(seconds: float, turns: int) -> dict[str, float]:
    """Measure everything in alternating turns.

    :param seconds: The duration of each turn of each rival.
    :param turns: The number of turns.
    :result: The median rate of each.
    """
    playing = {name: start() for name, start in rivals().items()}
    rates: dict[str, list[float]] = {name: [] for name in playing}
    for _ in range(turns):
        for name, steps in playing.items():
            rates[name].append(rate(steps, seconds))
    return {name: statistics.median(several) for name, several in rates.items()}


def table(rates: Mapping[str, float]) -> str:
    """Format the rates as a table in Markdown.

    :param rates: The result of :func:`compare`.
    :result: The table.
    """
    beside = rates.get(REFERENCE)
    ratios = {name: f"{each / beside:,.1f}" if beside else "-" for name, each in rates.items()}
    rows = [f"| {name} | {each:,.0f}/s | {ratios[name]} |" for name, each in rates.items()]
    head = "| random play with observations and masks | decisions | beside OpenSpiel with both |"
    return "\n".join([head, "|---|---:|---:|", *rows])


def main() -> None:
    """Compare, and print the table."""
    parser = argparse.ArgumentParser(prog="benches.batches", description="Random play with arrays: decisions a second.")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each plays in each turn")
    parser.add_argument("--turns", type=int, default=5, help="how many turns there are")
    arguments = parser.parse_args()
    print(table(compare(arguments.seconds, arguments.turns)))


if __name__ == "__main__":
    main()
