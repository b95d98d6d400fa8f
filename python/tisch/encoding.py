"""How a game's views and moves become arrays: the contract behind ``Game.encoding``.

Only programs that learn need arrays, so this module, and numpy with it, is imported when an encoding is first asked
for. An observation is a function of a view alone: what a seat cannot know cannot get into it. A move is one id, or
several where the choice is split (in Tichu the combination, then its cards).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import lshift
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "SILENCE",
    "Actions",
    "Decision",
    "Encoding",
    "Flags",
    "History",
    "Mask",
    "Numbers",
    "Observation",
    "Part",
    "around",
    "digits",
    "one_hot",
]

M = TypeVar("M", bound=Hashable)
T = TypeVar("T")

Observation: TypeAlias = NDArray[np.int8]
Mask: TypeAlias = NDArray[np.bool_]
History: TypeAlias = NDArray[np.int16]

_DIGITS: Final = bytes.maketrans(b"01", b"\0\1")

#: The id of keeping silent, in every game: legal for a seat that may move out of turn and need not.
SILENCE = 0


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an observation.

    :ivar name: Its name.
    :ivar shape: Its shape; the parts lie one after the other, each in the order of C.
    :ivar meaning: What its elements mean, in a sentence.
    :ivar low: The least value.
    :ivar high: The greatest value.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0
    high: int = 1

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)


class Flags(Part):
    """A part of elements that are 0 or 1."""

    __slots__ = ()


class Numbers(Part):
    """A part of elements that are small whole numbers."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Actions:
    """A group of successive ids.

    :ivar name: Its name.
    :ivar count: The number of ids.
    :ivar meaning: What they mean, in a sentence.
    """

    name: str
    count: int
    meaning: str


class Encoding(ABC, Generic[M]):
    """The arrays of one game. Seats in observations are relative: first the seat itself, then the next ones.

    :cvar version: Counts the changes of shape or meaning; models and datasets of another version do not fit.
    :cvar flags: The first parts of an observation.
    :cvar numbers: The parts after them.
    :cvar moves: The groups of ids after :data:`SILENCE`, in order.
    :cvar longest: The most ids that a move has.
    """

    version: ClassVar[int]
    flags: ClassVar[tuple[Flags, ...]] = ()
    numbers: ClassVar[tuple[Numbers, ...]] = ()
    moves: ClassVar[tuple[Actions, ...]]
    longest: ClassVar[int] = 1

    # --- observations -------------------------------------------------------------------------------------------------

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of an observation, in order."""
        return (*self.flags, *self.numbers)

    @cached_property
    def shape(self) -> tuple[int]:
        """The shape of an observation: one axis."""
        return (sum(part.size for part in self.parts),)

    @cached_property
    def low(self) -> Observation:
        """The least value of each element."""
        return np.concatenate([np.full(part.size, part.low, np.int8) for part in self.parts])

    @cached_property
    def high(self) -> Observation:
        """The greatest value of each element."""
        return np.concatenate([np.full(part.size, part.high, np.int8) for part in self.parts])

    @cached_property
    def places(self) -> Mapping[str, slice]:
        """The place of each part in an observation."""
        places, first = {}, 0
        for part in self.parts:
            places[part.name] = slice(first, first + part.size)
            first += part.size
        return places

    @abstractmethod
    def values(self, view: Any, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int] | bytes]:
        """Return what an observation consists of.

        :param view: The view of a seat.
        :param chosen: The ids chosen so far of the seat's move.
        :result: For each part of :attr:`flags` a number whose bits are its elements, the lowest first; and the
            elements of all :attr:`numbers`, as whole numbers or as the bytes of ``int8``.
        """

    def observe(self, view: Any, chosen: Sequence[int] = ()) -> Observation:
        """Encode a view.

        :param view: The view of a seat, as ``State.view`` returns it.
        :param chosen: (Optional) The ids chosen so far of a move that is split.
        :result: A new array of :attr:`shape`. Equal views and ids give equal arrays.
        """
        flags, numbers = self.values(view, chosen)
        # The digits of a binary number, the lowest first, are the flags: this takes half the time of arrays.
        bits = format(sum(map(lshift, flags, self._shifts)), self._binary)
        row = bytearray(bits[::-1].encode().translate(_DIGITS))
        row += numbers if isinstance(numbers, bytes) else array("b", numbers)
        return np.frombuffer(row, np.int8)

    @cached_property
    def _binary(self) -> str:
        """The format of a number with a binary digit for each flag."""
        return f"0{sum(part.size for part in self.flags)}b"

    @cached_property
    def _shifts(self) -> tuple[int, ...]:
        return tuple(self.places[part.name].start for part in self.flags)

    def read(self, observations: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Split observations into their parts.

        :param observations: One observation or an array of several, along its last axis.
        :result: A view of each part by name, in its shape after the axes before the last.
        :raises ValueError: The last axis has another length.
        """
        if observations.shape[-1:] != self.shape:
            raise ValueError(
                f"An observation has {self.shape[0]} elements along the last axis, not the shape {observations.shape}."
            )
        before, places = observations.shape[:-1], self.places
        return {part.name: observations[..., places[part.name]].reshape(*before, *part.shape) for part in self.parts}

    def shows(self, view: Any, other: int, move: M) -> bool:
        """Return whether a seat may know now that another has made a move in this round.

        :param view: The view of the seat.
        :param other: The other seat.
        :param move: Its move.
        :result: Whether it may; a game in which a move hides something says which.
        """
        return True

    def phase(self, view: Any) -> str:
        """Return the phase of the game in a word, to sort decisions by.

        :param view: The view of a seat.
        :result: The phase; ``play`` in a game without phases.
        """
        return "play"

    # --- actions ------------------------------------------------------------------------------------------------------

    @cached_property
    def actions(self) -> tuple[Actions, ...]:
        """All groups of ids, in order."""
        return (Actions("silence", 1, "Keep silent: do not move out of turn now."), *self.moves)

    @cached_property
    def count(self) -> int:
        """The number of ids."""
        return sum(group.count for group in self.actions)

    @cached_property
    def ids(self) -> Mapping[str, range]:
        """The ids of each group."""
        ids, first = {}, 0
        for group in self.actions:
            ids[group.name] = range(first, first + group.count)
            first += group.count
        return ids

    @abstractmethod
    def path(self, move: M, seat: int) -> tuple[int, ...]:
        """Return the ids that make a move: one, or several for a move that is split.

        :param move: The move.
        :param seat: The seat that makes it.
        :result: The ids; no move's path begins with that of another.
        """

    @abstractmethod
    def decode(self, path: Sequence[int], seat: int) -> M:
        """Return the move that ids make.

        :param path: The ids, as :meth:`path` returns them.
        :param seat: The seat that makes it.
        :result: The move.
        :raises ValueError: These ids make no move.
        """

    def head(self, move: M, seat: int) -> int:
        """Return the first id of a move.

        :param move: The move.
        :param seat: The seat that makes it.
        :result: The id.
        """
        return self.path(move, seat)[0]

    def group(self, action: int) -> tuple[str, int]:
        """Return which action an id is.

        :param action: The id.
        :result: The name of its group, and its number in it.
        :raises ValueError: There is no such id.
        """
        for name, ids in self.ids.items():
            if action in ids:
                return name, action - ids.start
        raise ValueError(f"There are the ids 0 to {self.count - 1}, but no id {action}.")

    def _no_move(self, path: Sequence[int]) -> ValueError:
        return ValueError(f"The ids {', '.join(map(str, path)) or '(none)'} make no move.")


class Decision(Generic[M]):
    """A seat's decision, made by one id after the other. An id without alternative after the first is skipped.

    :ivar seat: The seat.
    :ivar must: Whether the seat must move; otherwise it may keep silent.
    :ivar chosen: The ids so far, with the skipped ones.
    :ivar over: Whether the decision is made.
    :ivar move: The move, once it is made; ``None`` for silence.
    """

    __slots__ = ("_encoding", "_next", "chosen", "move", "must", "over", "seat")

    def __init__(self, encoding: Encoding[M], seat: int, legal: Sequence[M], must: bool) -> None:
        self._encoding = encoding
        self.seat = seat
        self.must = must
        self.chosen: tuple[int, ...] = ()
        self.over = False
        self.move: M | None = None
        self._next: dict[int, list[M]] = {} if must else {SILENCE: []}
        head = encoding.head
        for move in legal:
            self._next.setdefault(head(move, seat), []).append(move)

    @property
    def ids(self) -> list[int]:
        """The legal ids, in ascending order."""
        return sorted(self._next)

    def __contains__(self, action: int) -> bool:
        """Return whether an id is legal now."""
        return action in self._next

    def mask(self) -> Mask:
        """Return which ids are legal.

        :result: A new array with an element for each id.
        """
        # In a third of the time of an array's own assignment.
        mask = bytearray(self._encoding.count)
        for action in self._next:
            mask[action] = 1
        return np.frombuffer(mask, np.bool_)

    def choose(self, action: int) -> bool:
        """Choose an id.

        :param action: The id.
        :result: Whether the decision is made.
        :raises ValueError: The id is not legal; nothing has changed.
        """
        moves = self._next.get(action)
        if moves is None:
            raise ValueError(f"Seat {self.seat} may not choose the id {action} now: its mask is false there.")
        self.chosen += (action,)
        while len(moves) > 1:
            self._next = {}
            for move in moves:
                self._next.setdefault(self._encoding.path(move, self.seat)[len(self.chosen)], []).append(move)
            if len(self._next) > 1:
                return False
            self.chosen += (*self._next,)
        self.move = moves[0] if moves else None
        self._next = {}
        self.over = True
        return True


def around(values: Sequence[T], seat: int | None) -> Sequence[T]:
    """Order values by seat as a seat sees them: its own first, then those of the next seats.

    :param values: The value of each seat.
    :param seat: The seat; ``None``, a spectator, sees them from seat 0.
    :result: The same values.
    """
    return (*values[seat:], *values[:seat]) if seat else values


def one_hot(place: int | None) -> int:
    """Return the bits of one place among several.

    :param place: The place; ``None`` or a negative one for none of them.
    :result: The number with that bit.
    """
    return 0 if place is None or place < 0 else 1 << place


@lru_cache(1 << 12)
def digits(score: int) -> tuple[int, int]:
    """Split a score, which may be larger than an element.

    :param score: The score.
    :result: Its hundreds, rounded down, at most 127 and at least −128, and the rest from 0 to 99.
    """
    hundreds, rest = divmod(score, 100)
    return max(-128, min(127, hundreds)), rest
