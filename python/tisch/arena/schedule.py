"""Who plays whom: the line-ups in which each deal is played.

A deal is played again and again with the same chance until everything but the agents has cancelled out. How, depends
on the sides that the game has and on the entries that take part:

======  =========  ==============================================================================================
sides   entries    the games of a deal
======  =========  ==============================================================================================
1       any        each entry plays the deal alone: A, B, C …
2       2          the sides are swapped: AB, BA
3 to n  2 to n     all sit at one table, the last entry on all sides that are left, and everybody moves on by one
                   side until all have sat everywhere: ABBB, BABB, BBAB, BBBA; with three entries ABCC, CABC …
2 to n  more       round robin: every two meet. In a game of more than two sides each of them is once alone among
                   the other's: ABBB and its rotations, then BAAA and its rotations
======  =========  ==============================================================================================

A round robin can be asked for with fewer entries too. In a gauntlet the first entry meets each of the others: with two
sides swapped, with more alone among the other's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Games of one deal that belong together, for only all of them together are fair.

    :ivar entries: Who meets, by index.
    :ivar line_ups: The entry on each side, for each of the games.
    """

    entries: tuple[int, ...]
    line_ups: tuple[tuple[int, ...], ...]


def schedule(sides: int, entries: int, form: Form | None = None) -> tuple[Meeting, ...]:
    """Make the schedule of a match: what is played with each deal.

    :param sides: How many sides the game has.
    :param entries: How many entries take part.
    :param form: (Optional) What is to be played if all could sit at one table.
    :result: The meetings, in the order in which they are played.
    :raises ValueError: There are too few entries, or the form does not fit the game.
    """
    if entries < 1:
        raise ValueError("A match needs an agent.")
    if sides == 1:
        if form:
            raise ValueError(f"In a game for one there is no {form.replace('-', ' ')}: each agent plays alone.")
        return (Meeting(tuple(range(entries)), tuple((index,) for index in range(entries))),)
    if entries < 2:
        raise ValueError(f"A match in a game of {sides} sides needs at least two agents; one may be named twice.")
    if form is None and entries <= sides:
        return (_table(range(entries), sides),)
    if form == "gauntlet":
        pairs = [(0, rival) for rival in range(1, entries)]
    else:
        pairs = list(combinations(range(entries), 2) if sides == 2 else permutations(range(entries), 2))
    return tuple(_table(pair, sides) for pair in pairs)


def _table(entries: Sequence[int], sides: int) -> Meeting:
    """Seat entries at one table and let them move on until each has sat everywhere."""
    order = [*entries[:-1], *[entries[-1]] * (sides - len(entries) + 1)]
    line_ups = tuple(tuple(order[(side - turn) % sides] for side in range(sides)) for turn in range(sides))
    return Meeting(tuple(entries), line_ups)
