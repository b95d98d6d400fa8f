"""The schedule of a match: the line-ups in which each deal is played.

The arena repeats a deal with the same chance until everything but the agents has cancelled out. The repetitions depend
on the number of sides of the game and the number of entries:

======  =========  ==============================================================================================
sides   entries    the games of a deal
======  =========  ==============================================================================================
1       any        each entry plays the deal alone: A, B, C …
2       2          the sides are swapped: AB, BA
3 to n  2 to n     all play at one table, the last entry on all remaining sides, and the entries rotate by one side
                   until each has played on every side: ABBB, BABB, BBAB, BBBA; with three entries ABCC, CABC …
2 to n  more       round robin: every pair meets. In a game of more than two sides each entry plays alone once, the
                   other on all other sides: ABBB and its rotations, then BAAA and its rotations
======  =========  ==============================================================================================

A round robin is also possible with fewer entries. In a gauntlet the first entry meets each of the others: in a game of
two sides with the sides swapped, otherwise alone among the other's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Games of one deal that are fair only together.

    :ivar entries: The indices of the entries that meet.
    :ivar line_ups: The entry on each side, for each of the games.
    """

    entries: tuple[int, ...]
    line_ups: tuple[tuple[int, ...], ...]


def schedule(sides: int, entries: int, form: Form | None = None) -> tuple[Meeting, ...]:
    """Compute the schedule of a match: the games of each deal.

    :param sides: The number of sides of the game.
    :param entries: The number of entries.
    :param form: (Optional) The form of the match, if all entries could sit at one table.
    :result: The meetings in the order of play.
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
    """Seat entries at one table and rotate them until each has played on every side."""
    order = [*entries[:-1], *[entries[-1]] * (sides - len(entries) + 1)]
    line_ups = tuple(tuple(order[(side - turn) % sides] for side in range(sides)) for turn in range(sides))
    return Meeting(tuple(entries), line_ups)
