"""The core's network, feature by feature and row by row: slow, and in the same order of additions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tisch._core.tichu import Decision


def scores(decision: Decision, sizes: tuple[int, int, int], weights: bytes) -> list[float]:
    """Return the scores of the candidates of a decision.

    :param decision: The decision.
    :param sizes: The number of features, and the sizes of both hidden layers.
    :param weights: The weights, as a file holds them.
    :result: The scores.
    """
    numbers = np.frombuffer(weights, "<f4")
    features, wide, narrow = sizes
    rows, numbers = numbers[: features * wide].reshape(features, wide), numbers[features * wide :]
    first, numbers = numbers[:wide], numbers[wide:]
    joined, numbers = numbers[: wide * narrow].reshape(wide, narrow), numbers[wide * narrow :]
    second, last, bias = numbers[:narrow], numbers[narrow:-1], numbers[-1]
    common = added(first, rows, np.frombuffer(decision.common, "<u2"))
    found = []
    start = 0
    for end in decision.ends:
        sums = added(common, rows, np.frombuffer(decision.features, "<u2")[start:end])
        deep = second.copy()
        for place in range(wide):
            deep = deep + max(sums[place], np.float32(0)) * joined[place]
        score = bias
        for place in range(narrow):
            score = score + max(deep[place], np.float32(0)) * last[place]
        found.append(float(score))
        start = end
    return found


def added(
    sums: NDArray[np.float32], rows: NDArray[np.float32], features: Sequence[int] | NDArray[np.uint16]
) -> NDArray[np.float32]:
    """Add the rows of some features, one after the other."""
    for feature in features:
        sums = sums + rows[feature]
    return sums
