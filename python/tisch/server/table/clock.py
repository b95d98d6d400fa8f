"""The clock that tables go by: that of the event loop, or in tests one that is turned by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Timer(Protocol):
    """Something that is to be called at a time."""

    def cancel(self) -> None:
        """Forget it."""


class Clock(Protocol):
    """What tells the time; every event loop does."""

    def time(self) -> float:
        """Tell the time.

        :result: Seconds that never go back.
        """

    def call_at(self, when: float, callback: Callable[[], Any]) -> Timer:
        """Call something at a time.

        :param when: The time.
        :param callback: What is called.
        :result: What can still be cancelled.
        """
