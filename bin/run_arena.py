"""Runs the arena, with the flags of ``tisch arena``; sets tisch up first if necessary.

Without flags it runs a sample match: the flagship's best agent against the one that plays by a club player's rules.
"""

import _python  # noqa: F401 - first, since it stops a Python that could not even parse the rest.

# isort: split

import sys

import _setup

SHOWN = ("tichu", "heuristic", "rule", "--games", "1000", "--option", "rounds=1")

if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(f"A sample match (see --help for others): run_arena.py {' '.join(SHOWN)}", file=sys.stderr)
        sys.argv += SHOWN
    _setup.run_command("arena")
