"""The clock of the tables: that of the event loop, or in tests one that is set by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Timer(Protocol):
    """A pending call."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock(Protocol):
    """A clock; every event loop is one."""

    def time(self) -> float:
        """Return the time.

        :result: Seconds that never decrease.
        """

    def call_at(self, when: float, callback: Callable[[], Any]) -> Timer:
        """Schedule a call.

        :param when: The time.
        :param callback: The function to call.
        :result: The pending call, which can be cancelled.
        """
