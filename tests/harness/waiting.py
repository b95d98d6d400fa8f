"""Waiting for what another process does: for a condition, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any


def wait_until(
    condition: Callable[..., Any], seconds: float = 60, never: Mapping[str, Callable[[], Any]] | None = None
) -> Any:
    """Wait for a condition.

    :param condition: The condition.
    :param seconds: (Optional) The time limit; a busy machine needs much.
    :param never: (Optional) States in which the condition will never hold, by a sentence that is told at once.
    :result: What the condition is then.
    """
    end = time.monotonic() + seconds
    while not (found := condition()):
        for sentence, holds in (never or {}).items():
            # What became right before it went wrong is right.
            assert not (state := holds()) or condition(), f"{sentence} {state}"
        assert time.monotonic() < end, f"It did not happen within {seconds:g} seconds."
        time.sleep(0.02)
    return found
