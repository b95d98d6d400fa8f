"""The contract of a game whose players have left logs elsewhere: a database of games, opened as positions and moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tisch.game import State

__all__ = ["LoggedGame", "Logs"]


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A game of a database.

    :ivar number: Its number there.
    :ivar place: Its place in words, for sentences about it.
    :ivar deal: A number from 0 to 2⁶⁴ − 1 that other deals do not have.
    :ivar players: The name of the player on each seat.
    :ivar payoff: What each seat gained.
    :ivar turns: For each move the state before it, the seat and the move; the state is always the same object. A game
        that cannot be replayed raises ``ValueError`` on the way.
    """

    number: int
    place: str
    deal: int
    players: Sequence[str]
    payoff: Sequence[float]
    turns: Iterator[tuple[State[Any], int, Any]]


class Logs(ABC):
    """A database of games that people played elsewhere, open for reading."""

    @classmethod
    @abstractmethod
    def fits(cls, path: Path) -> bool:
        """Return whether a file is such a database.

        :param path: The file.
        :result: Whether the class can open it.
        """

    @abstractmethod
    def __init__(self, path: Path) -> None:
        """Open a database.

        :param path: The file.
        :raises ValueError: It cannot be read; the message is a sentence.
        """

    @abstractmethod
    def deals(self) -> Iterator[tuple[int, int]]:
        """List the games that follow the rules from their beginning to their end.

        :result: The number and the deal of each.
        """

    @abstractmethod
    def read(self, number: int) -> LoggedGame:
        """Read a game.

        :param number: Its number, as :meth:`deals` returns it.
        :result: The game.
        :raises ValueError: There is no such game.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the database."""
