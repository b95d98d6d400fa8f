"""Compares the decisions per second of random play: Tichu's, and OpenSpiel's dou_dizhu stepped from Python.

``python -m benches.rates`` plays both in processes of their own, in alternating runs, and prints the medians. Each
plays whole games from the deal to the end. A decision is a player's move; dealing counts as no decision but takes time,
and in OpenSpiel most of it, since each card dealt is a step there. So a second figure excludes the time from a new game
to its first decision, for both.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

#: Sets up a game, given its number, and returns a function that plays it to the end and returns the number of
#: decisions.
Start: TypeAlias = Callable[[int], Callable[[], int]]
NAMES = ("tichu", "dou_dizhu")


def rate(start: Start, seconds: float) -> dict[str, float]:
    """Measure for a while.

    :param start: The game to play.
    :param seconds: The duration.
    :result: Decisions per second in total, and without the time before the first decision; decisions per game.
    """
    decisions = games = 0
    dealing = 0.0
    begin = time.perf_counter()
    while (now := time.perf_counter()) < begin + seconds:
        play = start(games)
        dealing += time.perf_counter() - now
        decisions += play()
        games += 1
    whole = now - begin
    return {"whole": decisions / whole, "stepping": decisions / (whole - dealing), "decisions": decisions / games}


def compare(seconds: float, turns: int) -> dict[str, dict[str, float]]:
    """Play both games in alternating runs, each in a process of its own.

    :param seconds: The duration of each run.
    :param turns: The number of runs.
    :result: For each game the medians of the results of :func:`rate`.
    """
    results: dict[str, list[dict[str, float]]] = {name: [] for name in NAMES}
    for _ in range(turns):
        for name in NAMES:
            command = [sys.executable, "-m", "benches.rates", "--only", name, "--seconds", str(seconds)]
            output = subprocess.run(command, cwd=Path(__file__).parent.parent, check=True, capture_output=True).stdout
            results[name].append(json.loads(output))
    return {
        name: {figure: statistics.median(each[figure] for each in several) for figure in several[0]}
        for name, several in results.items()
    }


def table(rates: dict[str, dict[str, float]]) -> str:
    """Format the figures as a table with their ratios.

    :param rates: The result of :func:`compare`.
    :result: The table in Markdown.
    """
    ours, theirs = (rates[name] for name in NAMES)
    rows = {"whole games, dealing included": "whole", "from the first decision on": "stepping"}
    lines = ["| random play | Tichu | OpenSpiel's dou_dizhu | ratio |", "|---|---:|---:|---:|"]
    for title, figure in rows.items():
        ratio = ours[figure] / theirs[figure]
        lines.append(f"| {title} | {ours[figure]:,.0f}/s | {theirs[figure]:,.0f}/s | {ratio:.2f} |")
    ratio = ours["rounds"] / theirs["rounds"]
    lines.append(f"| whole games, without Python | {ours['rounds']:,.0f}/s | {theirs['rounds']:,.0f}/s | {ratio:.2f} |")
    decisions = f"{ours['decisions']:.0f} | {theirs['decisions']:.0f}"
    return "\n".join([*lines, f"| decisions a game | {decisions} | |"])


def main() -> None:
    """Compare, or play one of the games."""
    parser = argparse.ArgumentParser(prog="benches.rates", description="Random play: decisions a second.")
    parser.add_argument("--only", choices=NAMES, help="play only this game, and print its figures as JSON")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each plays in each turn")
    parser.add_argument("--turns", type=int, default=5, help="how many turns there are")
    arguments = parser.parse_args()
    if arguments.only:
        start: Start = importlib.import_module(f"benches.random_{arguments.only}").start
        rate(start, arguments.seconds / 10)
        loop = importlib.import_module(f"benches.loop_{arguments.only}")
        loop.rounds(arguments.seconds / 10)
        figures = {**rate(start, arguments.seconds), "rounds": loop.rounds(arguments.seconds)}
        print(json.dumps(figures))
    else:
        print(table(compare(arguments.seconds, arguments.turns)))


if __name__ == "__main__":
    main()
