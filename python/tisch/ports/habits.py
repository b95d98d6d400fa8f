"""The contract of a game that names its decisions and what people tend to do in them: agents are compared by it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from tisch.game import State

__all__ = ["Habits"]


class Habits(ABC):
    """The kinds of decisions of a game, and the habits that a decision shows.

    :cvar kinds: The kinds, in the order of reports.
    :cvar names: The habits, in the order of reports.
    """

    kinds: ClassVar[tuple[str, ...]]
    names: ClassVar[tuple[str, ...]]

    @abstractmethod
    def kind(self, state: State[Any], seat: int, move: Any) -> str | None:
        """Return the kind of a decision.

        :param state: The state before it.
        :param seat: The awaited seat.
        :param move: The move that was made.
        :result: One of :attr:`kinds`; ``None`` if there was nothing to decide.
        """

    @abstractmethod
    def moment(self, state: State[Any], seat: int) -> Mapping[str, Callable[[Any], bool]]:
        """Return which habits a decision shows.

        :param state: The state before it.
        :param seat: The awaited seat.
        :result: For some of :attr:`names`, whether a move is of that habit.
        """

    def alike(self, one: Any, other: Any) -> bool:
        """Return whether two moves are the same decision.

        :param one: A move.
        :param other: Another move of the same moment.
        :result: Whether they are; where cards differ only by what does not matter, a game may say so.
        """
        return bool(one == other)
