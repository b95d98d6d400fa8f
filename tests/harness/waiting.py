"""Waiting for what another process does: for a condition, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def wait_until(condition: Callable[..., Any], seconds: float = 120) -> Any:
    """Wait for a condition.

    :param condition: The condition.
    :param seconds: (Optional) The time limit; a busy machine needs much.
    :result: What the condition is then.
    """
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "It did not happen in time."
        time.sleep(0.02)
    return found
