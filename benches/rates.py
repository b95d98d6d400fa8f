"""How many decisions a second random play makes: Tichu's, and OpenSpiel's dou_dizhu stepped from Python.

``python -m benches.rates`` plays both in processes of their own, turn about, and prints the medians. Each plays whole
games from the deal to the end. A decision is a move that a player makes; dealing counts for no decision, but takes
its time, and in OpenSpiel most of it, for there each card dealt is a step of its own. So a second figure leaves out
the time from a new game to its first decision, for both.
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

#: Sets a game up from its number, and gives what plays it to the end and tells the number of decisions.
Start: TypeAlias = Callable[[int], Callable[[], int]]
NAMES = ("tichu", "dou_dizhu")


def rate(start: Start, seconds: float) -> dict[str, float]:
    """Play for a while.

    :param start: What to play.
    :param seconds: For how long.
    :result: Decisions a second over everything, and without the time before the first decision; decisions a game.
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
    """Play both games turn about, each in a process of its own.

    :param seconds: How long each plays in each turn.
    :param turns: How many turns there are.
    :result: For each game the medians of what :func:`rate` gives.
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
    """Write the figures as a table with their ratios.

    :param rates: What :func:`compare` gives.
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
