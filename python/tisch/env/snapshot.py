"""Where the games of a batch stand, as a small value that can be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tisch.env.opponents import Pools
from tisch.env.starts import Start

#: The type of an answer in a snapshot, the same on every machine.
_KIND: Final = np.dtype("<u4")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Where the games of a batch stand: a game is a function of its seed and the answers to its questions.

    :ivar game: The game's name, as :func:`tisch.games.find` takes it.
    :ivar version: The version of its encoding.
    :ivar options: The options that differ from the defaults.
    :ivar seed: The seed of the batch.
    :ivar seats: Who plays the seats that are not asked.
    :ivar starts: The positions that games begin from.
    :ivar skip_forced: Whether questions with only one answer are skipped.
    :ivar history: The number of last moves that are shown.
    :ivar courses: For each game the number of the one that took the last answer at its index, and its answers, four
        bytes each.
    """

    game: str
    version: int
    options: Mapping[str, Any]
    seed: int
    seats: Pools
    starts: tuple[Start, ...]
    skip_forced: bool
    history: int
    courses: tuple[tuple[int, bytes], ...]

    def answers(self) -> list[tuple[int, Sequence[int]]]:
        """Return the courses as numbers.

        :result: What the steppers take.
        """
        return [(number, np.frombuffer(answers, _KIND).tolist()) for number, answers in self.courses]

    def require(self, batch: Snapshot) -> None:
        """Refuse a batch of another kind.

        :param batch: The snapshot of the batch that shall go on from here.
        :raises ValueError: Something differs; the message names both.
        """
        if self.game != batch.game:
            raise ValueError(f"A snapshot of the game '{self.game}' does not fit a batch of the game '{batch.game}'.")
        if self.version != batch.version:
            raise ValueError(
                f"The snapshot was made with version {self.version} of the arrays of '{self.game}', this tisch has "
                f"version {batch.version}."
            )
        for what in ("options", "seed", "seats", "starts", "skip_forced", "history"):
            theirs, own = getattr(self, what), getattr(batch, what)
            if theirs != own:
                shown = ("others", "these") if what == "starts" else (theirs, own)
                raise ValueError(f"The snapshot has the {what} {shown[0]}, the batch {shown[1]}.")
        if len(self.courses) != len(batch.courses):
            raise ValueError(f"The snapshot has {len(self.courses)} games, the batch {len(batch.courses)}.")


def packed(courses: Sequence[tuple[int, Sequence[int]]]) -> tuple[tuple[int, bytes], ...]:
    """Return courses as a snapshot keeps them.

    :param courses: What a stepper returned.
    :result: The numbers and the answers, four bytes each.
    """
    return tuple((number, np.asarray(answers, _KIND).tobytes()) for number, answers in courses)
