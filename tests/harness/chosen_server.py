"""Runs the command ``tisch`` with settings that no flag has, so that no test waits for chance or the clock.

``python chosen_server.py [--seed SEED] [--hold SECONDS] [--hints N] serve …``: every game has this seed, the seat of a
disconnected player is held for this time, and a player gets so many hints.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from unittest.mock import patch

from server import dealt
from tisch import cli
from tisch.server.agents import hints
from tisch.server.table import table


def main() -> int:
    """Run the command.

    :result: Its exit code.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    parser.add_argument("--hold", type=float)
    parser.add_argument("--hints", type=int)
    chosen, command = parser.parse_known_args()
    with ExitStack() as stack:
        if chosen.seed is not None:
            stack.enter_context(dealt(chosen.seed))
        if chosen.hold is not None:
            stack.enter_context(patch.object(table, "HOLD", chosen.hold))
        if chosen.hints is not None:
            stack.enter_context(patch.object(hints, "MOST_BY_SEAT", chosen.hints))
        return cli.main(command)


if __name__ == "__main__":
    sys.exit(main())
