"""Compares matches in the core with the same matches by the engine, in rounds per second.

``python -m benches.matches`` measures both in one run, in alternating turns, and prints the medians. Time is that of
the process, the verification of one game in a hundred included. The last column is how much faster two processes are
than one, by the clock on the wall, so leave the machine alone meanwhile.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tisch.agents import Named, agents_of
from tisch.agents.policies import policies_of
from tisch.arena import Match
from tisch.bench import SHORT, rounds_a_second
from tisch.game import Game
from tisch.games import REGISTRY, find

#: For how long processes play, in seconds, from their first games on.
PLAYING: Final = 5.0


class Rates(NamedTuple):
    """The rates of an agent against itself.

    :ivar game: The game's title.
    :ivar agent: The agent.
    :ivar engine: The rounds per second by the engine.
    :ivar core: The rounds per second in the core.
    :ivar two: How many times as fast two processes are as one.
    """

    game: str
    agent: str
    engine: float
    core: float
    two: float


def compare(game: Game[Any], agent: str, turns: int) -> Rates:
    """Measure an agent both ways, in alternating turns.

    :param game: The game.
    :param agent: The agent, a policy.
    :param turns: The number of turns.
    :result: The medians.
    """
    # A class is played by the engine, a name by the core.
    ways: dict[str, Named] = {"engine": agents_of(game)[agent], "core": agent}
    found: dict[str, list[float]] = {way: [] for way in ways}
    two: list[float] = []
    for _ in range(turns):
        for way, named in ways.items():
            found[way].append(rounds_a_second(game, named))
        two.append(of_processes(game, agent, 2) / of_processes(game, agent, 1))
    engine, core = (statistics.median(rates) for rates in found.values())
    return Rates(game.title, agent, engine, core, statistics.median(two))


def of_processes(game: Game[Any], agent: str, count: int) -> float:
    """Measure how fast processes play.

    :param game: The game.
    :param agent: The agent.
    :param count: The number of processes.
    :result: The games per second, from the first report on.
    """
    reports: list[tuple[float, int]] = []

    def note(match: Match) -> None:
        now, games = time.monotonic(), match.standing.games
        if games and not match.stopped:
            reports.append((now, games))
            if now - reports[0][0] > PLAYING:
                match.stopped = "Enough."

    Match(game, [agent, agent], options=SHORT.get(game.name), seconds=1e6, workers=count, progress=note).run()
    (begin, before), (end, after) = reports[0], reports[-1]
    return (after - before) / (end - begin)


def table(rates: Sequence[Rates]) -> str:
    """Format the rates as a table in Markdown.

    :param rates: The rates.
    :result: The table.
    """
    rows = [
        f"| {each.game}, `{each.agent}` | {each.engine:,.0f}/s | {each.core:,.0f}/s | {each.core / each.engine:,.1f} "
        f"| {each.two:.2f} |"
        for each in rates
    ]
    head = "| rounds of an agent against itself | by the engine | in the core | ratio | two processes beside one |"
    return "\n".join([head, "|---|---:|---:|---:|---:|", *rows])


def main() -> None:
    """Compare, and print the table."""
    parser = argparse.ArgumentParser(prog="benches.matches", description="Matches in the core: rounds a second.")
    parser.add_argument("games", metavar="GAME", nargs="*", default=[*REGISTRY], help="the games (default: all)")
    parser.add_argument("--turns", type=int, default=3, help="how many turns there are")
    arguments = parser.parse_args()
    games = list(map(find, arguments.games))
    print(table([compare(game, agent, arguments.turns) for game in games for agent in policies_of(game)]))


if __name__ == "__main__":
    main()
