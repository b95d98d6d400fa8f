"""The arrays of a batch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Arrays:
    """The arrays of a batch of games, which have the games along their first axis.

    :ivar observation: What the seat that is asked knows.
    :ivar mask: The ids that it may choose, as 0 and 1.
    :ivar seat: The seat that is asked.
    :ivar reward: The payoff of each seat in the game that the last step ended; otherwise zeros.
    :ivar done: Whether the last step ended a game, as 0 and 1.
    :ivar history: The last moves that it may know.
    """

    observation: NDArray[np.int8]
    mask: NDArray[np.uint8]
    seat: NDArray[np.int8]
    reward: NDArray[np.float32]
    done: NDArray[np.uint8]
    history: NDArray[np.int16]
