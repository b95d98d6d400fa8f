"""Measures how long tables wait for the decisions of their agents, if all of them share one core.

``python -m studies tables`` plays ten tables with four agents of the highest level each, in the code of the
server's processes for agents. Its clock is reckoned: a decision takes its processor time, begins when the one before it
is done, and a pause follows. So other work on the machine hardly matters. It counts decisions between two or more moves
and includes the wait for those of other tables.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tisch._core import derive
from tisch.agents import strongest
from tisch.game import State
from tisch.games import find
from tisch.record import Record
from tisch.server.agents.process import Replica

#: The budget of a decision, in milliseconds.
BUDGET: Final = 100
#: The time within which all tables begin, in seconds.
APART: Final = 10.0


def decisions(wanted: argparse.Namespace, agent: str, table: int) -> Iterator[tuple[float, bool]]:
    """Play one game after the other at a table.

    :param wanted: What is measured.
    :param agent: The agent on all seats.
    :param table: The table's number.
    :result: The seconds of processor time of each decision, and whether there was a choice.
    """
    game, round = find(wanted.game), 0
    while True:
        round += 1
        record = Record(wanted.game, {}, derive(wanted.seed, table, round), [])
        state, replica = record.start(), Replica(record, lambda _: None)
        seats = tuple(range(state.seats))
        while state.awaiting():
            begin = time.process_time()
            answer = replica.decide(seats, agent, record.seed)
            yield time.process_time() - begin, _has_choice(state)
            assert answer.move is not None, "Nobody else moves at these tables."
            state.play(answer.seat, game.parse(answer.move))
            replica.follow([(answer.seat, answer.move)])


def _has_choice(state: State[Any]) -> bool:
    return any(len(state.legal(seat)) > 1 for seat in state.awaiting()) or bool(state.speakers())


def waits(wanted: argparse.Namespace, agent: str) -> tuple[list[float], list[float]]:
    """Play at all tables at the same time.

    :param wanted: What is measured.
    :param agent: The agent on all seats.
    :result: For each decision the seconds from the question to the answer, and those of processor time among them.
    """
    tables = [decisions(wanted, agent, table) for table in range(wanted.tables)]
    questions = [(random.Random(table).uniform(0, APART), table) for table in range(wanted.tables)]
    heapq.heapify(questions)
    waited, spent, free = list[float](), list[float](), 0.0
    while questions[0][0] < wanted.seconds:
        asked, table = questions[0]
        seconds, counts = next(tables[table])
        free = max(free, asked) + seconds
        if counts:
            waited.append(free - asked)
            spent.append(seconds)
        heapq.heapreplace(questions, (free + wanted.pause, table))
    return waited, spent


def quantiles(times: Sequence[float]) -> str:
    """Describe the distribution of some times.

    :param times: The seconds.
    :result: Quantiles in milliseconds.
    """
    ordered = sorted(times)
    at = {share: ordered[max(math.ceil(share * len(ordered)) - 1, 0)] * 1000 for share in (0.5, 0.99, 1)}
    return f"p50 {at[0.5]:.1f} ms, p99 {at[0.99]:.1f} ms, longest {at[1]:.1f} ms"


def main(arguments: Sequence[str]) -> None:
    """Measure, and print the times.

    :param arguments: The arguments of the command line.
    """
    parser = argparse.ArgumentParser(
        prog="studies tables", description="Measures how long tables wait for the decisions of their agents."
    )
    parser.add_argument("--game", default="tichu", help="the game (default: tichu)")
    parser.add_argument("--agent", help="the agent (default: that of the highest level)")
    parser.add_argument("--tables", type=int, default=10, help="how many tables play (default: 10)")
    parser.add_argument("--seconds", type=float, default=300, help="for how long they play (default: 300)")
    parser.add_argument("--pause", type=float, default=1, help="seconds between two moves (default: 1, as at tables)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the deals (default: 1)")
    wanted = parser.parse_args(arguments)
    agent = wanted.agent or strongest(find(wanted.game))
    waited, spent = waits(wanted, agent)
    within = sum(each * 1000 <= BUDGET for each in waited) / len(waited)
    print(f"{wanted.tables} tables, {agent}: {len(waited):,} decisions")
    print(f"from question to answer: {quantiles(waited)}; {within:.2%} within {BUDGET} ms")
    print(f"processor time: {quantiles(spent)}")
