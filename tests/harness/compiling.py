"""Compiles the tests once: pytest rewrites them for that, which takes three times as long as all that follows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import _setup
from places import ROOT, TESTS

#: The lock of the process that compiles.
LOCK: Final = ROOT / ".tests.lock"
#: What is waited for.
ANOTHER: Final = "another process to compile the tests"


def is_done(tests: Path = TESTS) -> bool:
    """Tell whether the tests have been compiled before: each process writes what it has compiled.

    :param tests: The folder of the tests.
    """
    return any(tests.glob("*/__pycache__/test_*-pytest-*.pyc"))


@contextmanager
def alone(tests: Path = TESTS, lock: Path = LOCK) -> Iterator[None]:
    """Let only one of the processes that run tests together compile them, unless that was done.

    :param tests: The folder of the tests.
    :param lock: The file of the lock.
    """
    with ExitStack() as stack:
        if "PYTEST_XDIST_WORKER" in os.environ:
            stack.enter_context(_setup.alone(lock, ANOTHER))
            if is_done(tests):
                stack.close()
        yield
