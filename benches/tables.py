"""Measures how long tables wait for the decisions of their agents, in the server's own pool of processes.

``taskset -c 0 .venv/bin/python benches/tables.py`` plays ten tables with four agents of the highest level each, whose
decisions share one core. It counts decisions between two or more moves, from the question to the answer: that includes
the wait while the process decides for another table.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import time
from collections.abc import Sequence
from typing import Final

from tisch._core import derive
from tisch.agents import strongest
from tisch.games import find
from tisch.record import Record
from tisch.server.agents.pool import AgentPool

#: The budget of a decision, in milliseconds.
BUDGET: Final = 100
#: The time within which all tables begin, in seconds.
APART: Final = 10.0


async def play(pool: AgentPool, number: int, wanted: argparse.Namespace, agent: str, times: list[float]) -> None:
    """Play games at one table until the time is over.

    :param pool: The pool.
    :param number: The table's number.
    :param wanted: What is measured.
    :param agent: The agent on all seats.
    :param times: Receives the seconds of each decision.
    """
    game, end, round = find(wanted.game), time.monotonic() + wanted.seconds, 0
    # Tables do not begin at the same moment.
    await asyncio.sleep(random.Random(number).uniform(0, APART))
    while time.monotonic() < end:
        round += 1
        moves: list[tuple[int, str]] = []
        name, record = f"{number}.{round}", Record(wanted.game, {}, derive(wanted.seed, number, round), moves)
        state = record.start()
        while state.awaiting() and time.monotonic() < end:
            is_open = any(len(state.legal(seat)) > 1 for seat in (*state.awaiting(), *state.speakers()))
            start = time.perf_counter()
            said = await pool.decide(name, record, tuple(range(state.seats)), agent)
            if is_open:
                times.append(time.perf_counter() - start)
            assert said, "Nobody else moves at these tables."
            state.play(said[0], game.parse(said[1]))
            moves.append(said)
            await asyncio.sleep(wanted.pause)
        pool.forget(name)


async def measure(wanted: argparse.Namespace, agent: str) -> list[float]:
    """Play at all tables at the same time.

    :param wanted: What is measured.
    :param agent: The agent on all seats.
    :result: The seconds of each decision.
    """
    times: list[float] = []
    pool = AgentPool(1)
    await pool.start()
    try:
        async with asyncio.TaskGroup() as tables:
            for number in range(wanted.tables):
                tables.create_task(play(pool, number, wanted, agent, times))
    finally:
        await pool.close()
    return times


def quantile(times: Sequence[float], share: float) -> float:
    """Return a quantile of some times.

    :param times: The seconds.
    :param share: The share of the times that are no longer.
    :result: Milliseconds.
    """
    return sorted(times)[max(math.ceil(share * len(times)) - 1, 0)] * 1000


def main() -> None:
    """Measure, and print the times."""
    parser = argparse.ArgumentParser(description="Measures how long tables wait for the decisions of their agents.")
    parser.add_argument("--game", default="tichu", help="the game (default: tichu)")
    parser.add_argument("--agent", help="the agent (default: that of the highest level)")
    parser.add_argument("--tables", type=int, default=10, help="how many tables play (default: 10)")
    parser.add_argument("--seconds", type=float, default=30, help="for how long they play (default: 30)")
    parser.add_argument("--pause", type=float, default=1, help="seconds between two moves (default: 1, as at tables)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the deals (default: 1)")
    wanted = parser.parse_args()
    agent = wanted.agent or strongest(find(wanted.game))
    times = asyncio.run(measure(wanted, agent))
    shares = ", ".join(f"p{share * 100:g} {quantile(times, share):.1f} ms" for share in (0.5, 0.99, 1))
    within = sum(each * 1000 <= BUDGET for each in times) / len(times)
    print(f"{wanted.tables} tables, {agent}: {len(times):,} decisions; {shares}; {within:.2%} within {BUDGET} ms")


if __name__ == "__main__":
    main()
