"""What is tried by night only: second inputs of a test whose first one is tried with every change."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import pytest


def later(values: Iterable[Any], late: Container[Any]) -> list[Any]:
    """Return the parameters of a test, of which some are tried by night only.

    :param values: All parameters.
    :param late: Those for the night.
    :result: The parameters, with the marks of the longer tests.
    """
    return [pytest.param(value, marks=pytest.mark.slow) if value in late else value for value in values]
