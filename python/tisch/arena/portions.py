"""What is handed out to those who play a match, and what they hand back: games by number, or whole deals."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

import msgspec

from tisch.arena.play import Plan, Played
from tisch.arena.standing import Sums

#: The target duration of a portion, and the interval between two reports of who plays, in seconds.
PORTION: Final = 0.1
#: The maximum number of games in a portion that the engine plays, and that the core plays.
LARGEST: Final = 2048
LARGEST_IN_CORE: Final = 1 << 17

_DECODE = msgspec.json.Decoder(Played).decode_lines


@dataclass(frozen=True, slots=True)
class Portion:
    """Games that are handed out together.

    :ivar numbers: The numbers of the games, or those of whole deals.
    :ivar each: How many games a number stands for: 1, or as many as a deal has.
    """

    numbers: Sequence[int]
    each: int = 1

    @property
    def count(self) -> int:
        """The number of games."""
        return len(self.numbers) * self.each

    def before(self, games: int) -> Portion:
        """Return the first part of the portion.

        :param games: The largest number of games, unless a deal has more.
        :result: The part; empty if the portion is.
        """
        return Portion(self.numbers[: max(1, games // self.each)], self.each)

    def after(self, games: int) -> Portion:
        """Return what is left of the portion.

        :param games: The number of games that are finished.
        :result: The others.
        """
        return Portion(self.numbers[games // self.each :], self.each)

    def again(self) -> list[Portion]:
        """Divide the portion so that the game at which a process died has one of its own; whole deals stay together.

        :result: The parts.
        """
        return [Portion([number]) for number in self.numbers] if self.each == 1 else [self]


#: Hands out the next games, at most so many; ``None`` if there are no more.
Source: TypeAlias = Callable[[int], Portion | None]


def given(portion: Portion) -> Source:
    """Return a source of a portion's games.

    :param portion: The portion.
    :result: The source.
    """
    rest = portion

    def source(most: int) -> Portion | None:
        nonlocal rest
        taken = rest.before(most)
        rest = rest.after(taken.count)
        return taken if taken.count else None

    return source


@dataclass(frozen=True, slots=True)
class Finished:
    """Games that were played, in the order in which they were handed out.

    :ivar portion: The games.
    :ivar lines: They as the lines of a journal; empty if nobody needs them.
    :ivar sums: What they add to the standing; ``None`` if it counts them one by one.
    """

    portion: Portion
    lines: bytes
    sums: Sums | None = None

    def games(self) -> list[Played]:
        """Return the games.

        :result: The games of the lines.
        """
        return _DECODE(self.lines)


def largest(plan: Plan) -> int:
    """Return the maximum number of games in a portion.

    :param plan: The match.
    :result: The number.
    """
    return LARGEST if plan.policies is None else LARGEST_IN_CORE


class Missing:
    """The games that are still to be played, in their order.

    :param first: The first deal that is not complete, counted within the part that is played.
    :param end: The number of deals of the part; ``None`` if there is no limit.
    :param part: The part ``(k, n)``, see :class:`tisch.arena.match.Match`.
    :param size: The number of games of a deal.
    :param known: The numbers of the games that were played before.
    """

    def __init__(self, first: int, end: int | None, part: tuple[int, int], size: int, known: Collection[int]) -> None:
        self._next = first
        self._end = end
        self._part = part
        self._size = size
        self._known = frozenset(known)
        self._begun = sorted({(number // size - (part[0] - 1)) // part[1] for number in known})
        self._one_by_one = self._numbers()

    def games(self, most: int) -> Portion | None:
        """Hand out games.

        :param most: The largest number of games.
        :result: The games; ``None`` if there are no more.
        """
        numbers = list(islice(self._one_by_one, most))
        return Portion(numbers) if numbers else None

    def deals(self, most: int) -> Portion | None:
        """Hand out whole deals, or the rest of a deal of which some games were played before.

        :param most: The largest number of games, unless one deal has more.
        :result: The deals or the games; ``None`` if there are no more.
        """
        while self._next != self._end:
            place = bisect_left(self._begun, self._next)
            stops = [self._next + max(1, most // self._size), *self._begun[place : place + 1]]
            stop = min(stops if self._end is None else [*stops, self._end])
            if stop > self._next:
                deals = range(self._deal(self._next), self._deal(stop), self._part[1])
                self._next = stop
                return Portion(deals, self._size)
            if rest := self._rest(self._next):
                self._next += 1
                return Portion(rest)
            self._next += 1
        return None

    def _numbers(self) -> Iterator[int]:
        while self._next != self._end:
            self._next += 1
            yield from self._rest(self._next - 1)

    def _rest(self, index: int) -> list[int]:
        """Return the games of a deal that were not played before."""
        begin = self._deal(index) * self._size
        return [number for number in range(begin, begin + self._size) if number not in self._known]

    def _deal(self, index: int) -> int:
        """Return the number of a deal in the match."""
        first, step = self._part
        return index * step + first - 1
