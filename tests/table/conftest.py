"""Fixtures of the tests of tables: no server runs, and everything happens in the test's own calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from table_shell import Clock, House


@pytest.fixture(name="tell")
def teller() -> Callable[..., Any]:
    """Let a story happen in a house of tables, whose clock is turned by hand."""

    def tell(story: Callable[[House, Clock], Any], **settings: Any) -> Any:
        house = House(**settings)
        return story(house, house.clock)

    return tell
