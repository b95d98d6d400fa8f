"""The slow twin of Raumstation's solver: it lists every arrangement of traps, and plays every game to every end.

Knowledge is encoded as for the compiled ``Station``: the number of an open room, else one of the words below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

UNKNOWN, SAFE, TRAP = -1, -2, -3


def ways(
    nearby: Sequence[Sequence[int]], odds: Fraction, known: Sequence[int]
) -> Iterator[tuple[tuple[bool, ...], Fraction]]:
    """Yield every arrangement of traps in a game that goes on, with its weight."""
    choices = [(False, True) if told == UNKNOWN else (told == TRAP,) for told in known]
    for traps in product(*choices):
        numbers = all(
            sum(traps[other] for other in nearby[room]) == told for room, told in enumerate(known) if told >= 0
        )
        goes_on = any(not trap and told < 0 for trap, told in zip(traps, known, strict=True))
        if numbers and goes_on and any(traps):
            yield traps, prod((odds for trap in traps if trap), start=Fraction(1))


def probabilities(nearby: Sequence[Sequence[int]], odds: Fraction, known: Sequence[int]) -> list[Fraction] | None:
    """Return the probability of a trap in each room; ``None`` if the knowledge is impossible."""
    listed = list(ways(nearby, odds, known))
    total = sum(weight for _, weight in listed)
    if not total:
        return None
    return [sum((weight for traps, weight in listed if traps[room]), Fraction(0)) / total for room in range(len(known))]


class Play:
    """Every possible game from a position, to every end."""

    def __init__(self, nearby: Sequence[Sequence[int]], odds: Fraction, known: Sequence[int]) -> None:
        self.nearby = nearby
        self.ways = list(ways(nearby, odds, known))
        self.rooms = range(len(known))
        self.position = frozenset(range(len(self.ways))), frozenset(room for room in self.rooms if known[room] >= 0)
        self.value = cache(self._value)

    def weight(self, which: frozenset[int]) -> Fraction:
        return sum((self.ways[way][1] for way in which), Fraction(0))

    def best(self, jokers: int) -> Fraction:
        """Return the probability of winning with the best play."""
        return self.value(*self.position, jokers) / self.weight(self.position[0])

    def after(self, room: int, is_joker: bool, jokers: int) -> Fraction:
        """Return the probability of winning with this move first, then the best play."""
        which, opened = self.position
        return self._after(which, opened, jokers, room, is_joker) / self.weight(which)

    def _value(self, which: frozenset[int], opened: frozenset[int], jokers: int) -> Fraction:
        over = frozenset(way for way in which if all(self.ways[way][0][room] or room in opened for room in self.rooms))
        which -= over
        choices = [
            self._after(which, opened, jokers, room, is_joker)
            for room in self.rooms
            for is_joker in (False, True)
            if room not in opened and which and (jokers or not is_joker)
        ]
        return self.weight(over) + max(choices, default=Fraction(0))

    def _after(self, which: frozenset[int], opened: frozenset[int], jokers: int, room: int, is_joker: bool) -> Fraction:
        safe = frozenset(way for way in which if not self.ways[way][0][room])
        if is_joker:
            parts = [part for part in (safe, which - safe) if part]
            # A joker for a known room would be asked for forever.
            return (
                sum((self.value(part, opened, jokers - 1) for part in parts), Fraction(0))
                if len(parts) > 1
                else Fraction(0)
            )
        numbers: dict[int, set[int]] = {}
        for way in safe:
            numbers.setdefault(sum(self.ways[way][0][other] for other in self.nearby[room]), set()).add(way)
        return sum((self.value(frozenset(part), opened | {room}, jokers) for part in numbers.values()), Fraction(0))
