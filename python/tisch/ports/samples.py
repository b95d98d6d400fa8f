"""The comparison of moves by what they brought in samples of the state."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from tisch.game import Verdict

T = TypeVar("T")


def ranked(values: Mapping[T, Sequence[float]]) -> list[T]:
    """Sort choices by how often they were tried, since only good ones are tried often, and by their total.

    :param values: The value of each choice by sample.
    :result: The choices, the best first.
    """
    return sorted(values, key=lambda choice: (-len(values[choice]), -math.fsum(values[choice])))


def is_better(values: Sequence[float], others: Sequence[float], errors: float) -> bool:
    """Return whether a choice is clearly better than another in the samples of both.

    :param values: The values of the choice by sample.
    :param others: The values of the other.
    :param errors: The number of standard errors by which it must be better.
    :result: Whether it is.
    """
    gains = [value - other for value, other in zip(values, others, strict=False)]
    mean = math.fsum(gains) / len(gains)
    spread = math.sqrt(math.fsum((gain - mean) ** 2 for gain in gains)) / len(gains)
    return mean > errors * spread


def verdict(own: T | None, move: T, ours: Sequence[float], theirs: Sequence[float]) -> Verdict:
    """Compare two moves by their payoffs in the same samples.

    :param own: The move of the agent that judges; ``None`` is silence.
    :param move: The move that was made.
    :param ours: The payoffs of the agent's move by sample.
    :param theirs: The payoffs of the other move.
    :result: The verdict.
    """
    count = len(ours)
    lost = [our - their for our, their in zip(ours, theirs, strict=True)]
    mean = math.fsum(lost) / count
    if mean <= 0:
        # No better than the move that was made: then that one is called the best.
        return Verdict(str(move), math.fsum(theirs) / count, 0.0, 0.0)
    error = math.sqrt(math.fsum((each - mean) ** 2 for each in lost) / (count - 1) / count)
    return Verdict(None if own is None else str(own), math.fsum(ours) / count, mean, error, max(0.0, min(lost)))
