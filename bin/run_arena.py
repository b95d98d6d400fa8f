"""Starts the arena, with the flags of ``tisch arena``; sets tisch up first where that is needed.

Without any it shows a match: the best agent of the flagship against the one that plays by a club player's rules.
"""

import _python  # noqa: F401 - first, for it stops a Python that could not even read the rest.

# isort: split

import sys

import _setup

SHOWN = ("tichu", "heuristic", "rule", "--games", "1000", "--option", "rounds=1")

if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(f"A match to look at; --help tells what else there is: run_arena.py {' '.join(SHOWN)}", file=sys.stderr)
        sys.argv += SHOWN
    _setup.run_command("arena")
