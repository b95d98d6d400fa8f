"""Runs the command ``tisch arena`` as a terminal does."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from places import HARNESS


def start(arguments: list[str], **more: Any) -> subprocess.Popen[str]:
    """Start the command as a terminal does, with a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "tisch", "arena", *arguments],
        cwd=HARNESS,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **more,
    )


def games_in(journal: Path) -> set[int]:
    """Return the numbers of the games of a journal. A line that was cut off at the end is none."""
    return {json.loads(line)[0] for line in journal.read_text(encoding="utf-8").rpartition("\n")[0].splitlines()[1:]}


def complete_games(journal: Path) -> int:
    """Return how many games of a journal belong to the complete deals from the first one on: two games are a deal."""
    numbers = games_in(journal)
    return next(number for number in itertools.count(0, 2) if not {number, number + 1} <= numbers)
