"""Arrangements of an Okey rack, slow and obvious: it tries every way to lay any of the rules' groups.

A tile is a number as in the core: 0 is a joker, any other 13 × colour + number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

JOKER = 0


def _tile(colour: int, number: int) -> int:
    return 13 * colour + number


#: Every run and every set without jokers, from left to right.
RUNS = [
    tuple(_tile(colour, number) for number in range(first, last + 1))
    for colour in range(4)
    for first in range(1, 14)
    for last in range(first + 2, 14)
]
SETS = [
    tuple(_tile(colour, number) for colour in colours)
    for number in range(1, 14)
    for size in (3, 4)
    for colours in combinations(range(4), size)
]


def with_jokers(group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the group with up to two of its tiles replaced by jokers, as sorted tiles."""
    return [
        tuple(sorted(JOKER if place in places else tile for place, tile in enumerate(group)))
        for count in range(3)
        for places in combinations(range(len(group)), count)
    ]


SETS_WITH_JOKERS = {laid for group in SETS for laid in with_jokers(group)}
ALL = sorted({laid for group in RUNS + SETS for laid in with_jokers(group)})


def is_group(tiles: Sequence[int]) -> bool:
    """Return whether these tiles, from left to right, are a group. A set may be in any order."""
    run = any(
        len(tiles) == len(group) and all(tile in (JOKER, wanted) for tile, wanted in zip(tiles, group, strict=True))
        for group in RUNS
    )
    return run or tuple(sorted(tiles)) in SETS_WITH_JOKERS


def within(tiles: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the groups of these kinds of tiles."""
    kinds = set(tiles)
    return [laid for laid in ALL if kinds.issuperset(laid)]


def coverage(rack: Sequence[int], groups: Sequence[tuple[int, ...]] | None = None) -> int:
    """Return how many tiles fit into groups; for many racks of the same kinds, pass their groups."""
    return _coverage(list(rack), within(rack) if groups is None else groups)


def _coverage(rack: list[int], groups: Sequence[tuple[int, ...]]) -> int:
    fitting = [group for group in groups if _fits_in(group, rack)]
    # The order of groups does not matter: after one, only it and those behind it in the list are tried.
    return max(
        (len(group) + _coverage(_without(rack, group), fitting[place:]) for place, group in enumerate(fitting)),
        default=0,
    )


def _fits_in(group: tuple[int, ...], rack: list[int]) -> bool:
    return all(group.count(tile) <= rack.count(tile) for tile in group)


def _without(rack: list[int], group: tuple[int, ...]) -> list[int]:
    rest = rack[:]
    for tile in group:
        rest.remove(tile)
    return rest
