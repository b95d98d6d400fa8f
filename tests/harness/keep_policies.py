"""Proves the twins that agents have in the core, and keeps the hashes of the agents' code with which they were proven.

``python tests/harness/keep_policies.py`` does it for all games, or for those that are named; the gates refuse a tree
with an agent that has changed since. An agent that thinks long is proven by the decisions of ten minutes.
"""

from __future__ import annotations

import argparse
import sys
import time

import msgspec

from in_step import decisions
from tisch.agents.policies import KEPT, hash_of, kept, twins
from tisch.games import REGISTRY, find

#: The number of decisions that prove a twin, and the time in seconds after which fewer do.
DECISIONS = 1_000_000
SECONDS = 600.0


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", metavar="GAME", nargs="*", default=[*REGISTRY])
    parser.add_argument("--decisions", metavar="N", type=int, default=DECISIONS)
    parser.add_argument("--seconds", metavar="T", type=float, default=SECONDS)
    parser.add_argument("--seed", metavar="S", type=int, default=1)
    arguments = parser.parse_args()
    hashes = {game: dict(each) for game, each in kept().items()}
    for game in map(find, arguments.games):
        hashes[game.name] = {}
        for name in twins(game):
            before = hash_of(game, name)
            made, end = 0, time.monotonic() + arguments.seconds
            for more in decisions(game, name, arguments.seed, arguments.decisions):
                made += more
                if time.monotonic() > end:
                    break
            hashes[game.name][name] = before
            sys.stdout.write(f"{game.name} {name}: {made} decisions are the same\n")
    text = msgspec.json.encode({game: hashes[game] for game in sorted(hashes) if hashes[game]})
    KEPT.write_bytes(msgspec.json.format(text) + b"\n")


if __name__ == "__main__":
    main()
