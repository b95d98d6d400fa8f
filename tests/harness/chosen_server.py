"""Runs the command ``tisch`` with settings that no flag has, so that no test waits for chance or the clock.

``python chosen_server.py [--seed SEED] [--hold SECONDS] serve …``: every game has this seed, and the seat of a
disconnected player is held for this time.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from contextlib import ExitStack
from unittest.mock import patch

from tisch import cli
from tisch.server.table import table


def main() -> int:
    """Run the command.

    :result: Its exit code.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    parser.add_argument("--hold", type=float)
    chosen, command = parser.parse_known_args()
    with ExitStack() as stack:
        if chosen.seed is not None:
            stack.enter_context(patch.object(secrets, "randbits", lambda _: chosen.seed))
        if chosen.hold is not None:
            stack.enter_context(patch.object(table, "HOLD", chosen.hold))
        return cli.main(command)


if __name__ == "__main__":
    sys.exit(main())
