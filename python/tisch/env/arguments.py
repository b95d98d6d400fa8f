"""The checks of the arguments of environments."""

from __future__ import annotations

import operator
import os
from functools import cache
from typing import Any

from tisch import chance


@cache
def _chance(text: str) -> chance.Chance:
    """Return the one source of all seeds that nobody has given, so that each is another."""
    return chance.Chance(text)


def drawn_seed() -> int:
    """Draw a seed that nobody can foresee.

    :result: The seed; another each time.
    """
    return _chance(os.environ.get(chance.VARIABLE, "")).seed("environment")


def seed_of(seed: Any) -> int:
    """Check a seed.

    :param seed: The seed.
    :result: The seed.
    :raises ValueError: It is none.
    """
    found = index_of(seed)
    if found is None or not 0 <= found < 1 << 64:
        raise ValueError(f"A seed is a number from 0 to 2^64 - 1, not {seed!r}.")
    return found


def whole(name: str, value: Any, least: int) -> int:
    """Check a whole number.

    :param name: The argument's name.
    :param value: The value.
    :param least: The least value.
    :result: The number.
    :raises ValueError: It is no whole number, or too small.
    """
    found = index_of(value)
    if found is None or found < least:
        raise ValueError(f"The argument '{name}' is a whole number of at least {least}, not {value!r}.")
    return found


def flag(name: str, value: Any) -> bool:
    """Check a truth value.

    :param name: The argument's name.
    :param value: The value.
    :result: The truth value.
    :raises ValueError: It is none.
    """
    if isinstance(value, bool):
        return value
    raise ValueError(f"The argument '{name}' is True or False, not {value!r}.")


def index_of(value: Any) -> int | None:
    """Return a whole number of any type.

    :param value: The value.
    :result: The number; ``None`` for everything else, truth values included.
    """
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None
