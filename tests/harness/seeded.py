"""The chance of tests: each has its own by its name, another number gives others, and a failure tells its own.

What a test or its servers draw follows from ``TISCH_CHANCE``: the test's name and the number of the run, 0 or that of
``bin/check.py --fresh N``. The number is also the seed of Python's hashes, which order its sets, and its variable gives
it to every process. A fixture that several tests share has the name of what they share.
"""

from __future__ import annotations

import os
import random
import shlex
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import hypothesis
import hypothesis.core
from hypothesis.internal.entropy import deterministic_PRNG

from tisch.chance import VARIABLE

#: The variable with the number.
NUMBER = "PYTHONHASHSEED"


def number() -> int:
    """Return the number of this run."""
    text = os.environ.get(NUMBER, "")
    return int(text) if text.isdigit() else 0


def configure() -> None:
    """Seed what holds for the whole run."""
    # For the processes that tests start: the hashes of this one are drawn already.
    os.environ[NUMBER] = str(number())
    # The same examples each time, however busy the machine is. With --hypothesis-profile=search, more are tried.
    hypothesis.settings.register_profile("tisch", deadline=None, derandomize=True)
    # On a machine that calls itself CI, hypothesis itself would try the same examples always.
    hypothesis.settings.register_profile("search", deadline=None, derandomize=False, max_examples=2000)
    hypothesis.settings.register_profile("fresh", deadline=None, derandomize=False, database=None)
    hypothesis.settings.load_profile("fresh" if number() else "tisch")
    hypothesis.core.global_force_seed = number() or None  # type: ignore[assignment]
    # Hypothesis looks who holds its own source of chance, when it uses it first. Since Python 3.14 it would find nobody
    # after the garbage collector was told to overlook what there is, and warn that it may be lost.
    with deterministic_PRNG():
        pass


@contextmanager
def given_chance(name: str) -> Iterator[None]:
    """Give a test or a fixture its chance.

    :param name: Its name.
    """
    seed = f"{name} {number()}"
    before = random.getstate()
    with mock.patch.dict(os.environ, {VARIABLE: seed}):
        random.seed(zlib.crc32(seed.encode()))
        try:
            yield
        finally:
            random.setstate(before)


def to_repeat(name: str) -> str:
    """Return the command that runs a test again with the same chance.

    :param name: The test's name.
    :result: One line for a shell.
    """
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    # A marker would leave out the slow ones.
    return f"{NUMBER}={number()} {shlex.join([str(python), '-m', 'pytest', name, '-m', ''])}"
