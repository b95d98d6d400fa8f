"""Waiting for what another process does: for a condition, never for a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

#: States in which a condition will never hold, each with a sentence that is told at once.
Never: TypeAlias = Mapping[str, Callable[[], Any]]


def until(condition: Callable[..., Any], seconds: float = 60, never: Never | None = None) -> Iterator[Any]:
    """Let a ``for`` go on until a condition holds.

    :param condition: The condition.
    :param seconds: (Optional) The time limit; a busy machine needs much.
    :param never: (Optional) States in which the condition will never hold.
    :result: What the condition is each time, before it holds.
    """
    end = time.monotonic() + seconds
    while not (found := condition()):
        for sentence, holds in (never or {}).items():
            # What became right before it went wrong is right.
            assert not (state := holds()) or condition(), f"{sentence} {state}"
        assert time.monotonic() < end, f"It did not happen within {seconds:g} seconds."
        yield found


def wait_until(condition: Callable[..., Any], seconds: float = 60, never: Never | None = None) -> Any:
    """Wait for a condition, as :func:`until` does.

    :result: What the condition is then.
    """
    found = None

    def holds() -> Any:
        nonlocal found
        found = condition()
        return found

    for _ in until(holds, seconds, never):
        time.sleep(0.02)
    return found
