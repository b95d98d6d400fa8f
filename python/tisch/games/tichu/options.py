"""The options of a game of Tichu."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    :ivar goal: The points that end the game.
    :ivar rounds: The maximum number of rounds; 0 for no limit.
    """

    goal: int = 1000
    rounds: int = 0

    def __post_init__(self) -> None:
        """Refuse bad values."""
        if self.goal < 1:
            raise ValueError(f"The goal must be at least 1 point, not {self.goal}.")
        if self.rounds < 0:
            raise ValueError(f"The number of rounds must be 0 or more, not {self.rounds}.")
