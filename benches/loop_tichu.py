"""Random rounds of Tichu inside the core, from the deal to the score."""

from __future__ import annotations

import time

from tisch._core.tichu import playouts

#: The number of rounds played in parallel.
CHUNK = 2000


def rounds(seconds: float) -> float:
    """Measure for a while on one core.

    :param seconds: The duration.
    :result: The number of rounds per second.
    """
    played = 0
    begin = time.perf_counter()
    while (now := time.perf_counter()) < begin + seconds:
        playouts(None, range(played, played + CHUNK), "random", 1)
        played += CHUNK
    return played / (now - begin)
