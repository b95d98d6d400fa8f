"""What helps people to arrange their racks: every group that lies in one, and a rack sorted by runs or by equals.

The core computes the best layout (:func:`tisch.games.okey.tiles.arrange`); the orders here are those in which people
look for groups themselves, so jokers stay beside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, groupby
from typing import Final, TypeAlias

from tisch.games.okey.tiles import HIGHEST, JOKER, ROW, TILES, Colour, Layout, Tile, rows

#: The fewest tiles of a group.
LEAST: Final = 3

Group: TypeAlias = tuple[Tile, ...]


@lru_cache(maxsize=1024)
def runs_within(rack: Sequence[Tile]) -> tuple[Group, ...]:
    """List every run that the tiles of a rack can form.

    :param rack: The tiles.
    :result: The runs from left to right, each with jokers in the places that they stand for.
    """
    held = Counter(rack)
    found = (
        run
        for colour in Colour
        for first in range(1, HIGHEST - LEAST + 2)
        for run in _runs_from(held, colour, first, (), held[JOKER])
    )
    return tuple(dict.fromkeys(found))


def _runs_from(held: Counter[Tile], colour: Colour, number: int, run: Group, jokers: int) -> Iterator[Group]:
    """Yield the run as far as it goes, and every longer one."""
    if len(run) >= LEAST and any(run):
        yield run
    if number > HIGHEST or len(run) == ROW:
        return
    tile = TILES[HIGHEST * colour + number]
    if held[tile]:
        yield from _runs_from(held, colour, number + 1, (*run, tile), jokers)
    if jokers:
        yield from _runs_from(held, colour, number + 1, (*run, JOKER), jokers - 1)


@lru_cache(maxsize=1024)
def sets_within(rack: Sequence[Tile]) -> tuple[Group, ...]:
    """List every set that the tiles of a rack can form; the order within a set means nothing.

    :param rack: The tiles.
    :result: The sets, each sorted, with its jokers first.
    """
    held = Counter(rack)
    found = []
    for number in range(1, HIGHEST + 1):
        tiles = [tile for tile in TILES[number::HIGHEST] if held[tile]]
        for size in (LEAST, LEAST + 1):
            for jokers in range(min(held[JOKER], size - 1) + 1):
                found += [(JOKER,) * jokers + some for some in combinations(tiles, size - jokers)]
    return tuple(found)


def by_runs(rack: Iterable[Tile]) -> Layout:
    """Sort a rack by colour and then number: first the runs, behind them the other tiles.

    :param rack: The tiles, at most 15.
    :result: The 24 slots.
    """
    left = Counter(rack)
    groups: list[Sequence[Tile]] = []
    for tile in TILES[1:]:
        while len(run := _run(left, tile)) >= LEAST:
            left.subtract(run)
            # A run of 13 is longer than a row.
            cut = len(run) if len(run) <= ROW else len(run) - LEAST
            groups += [part for part in (run[:cut], run[cut:]) if part]
    rest = sorted(left.elements(), key=lambda tile: (tile == JOKER, tile))
    return _laid_out(groups, rest, lambda tile: tile.colour if tile else None)


def _run(left: Counter[Tile], tile: Tile) -> list[Tile]:
    """Return the tiles that ascend by one from a tile on, as far as there are any."""
    run = []
    while left[tile]:
        run.append(tile)
        if tile.number == HIGHEST:
            break
        tile = TILES[tile + 1]
    return run


def by_equals(rack: Iterable[Tile]) -> Layout:
    """Sort a rack by number and then colour: first the sets, behind them the other tiles.

    :param rack: The tiles, at most 15.
    :result: The 24 slots.
    """
    left = Counter(rack)
    groups: list[Sequence[Tile]] = []
    for number in range(1, HIGHEST + 1):
        while len(equal := [tile for tile in TILES[number::HIGHEST] if left[tile]]) >= LEAST:
            left.subtract(equal)
            groups.append(equal)
    rest = sorted(left.elements(), key=lambda tile: (tile == JOKER, tile.number, tile))
    return _laid_out(groups, rest, lambda tile: tile.number)


def _laid_out(groups: Sequence[Sequence[Tile]], rest: Sequence[Tile], kind: Callable[[Tile], object]) -> Layout:
    """Lay out groups and the other tiles; of these, gaps separate the kinds if there is room for that."""
    kinds = [list(same) for _, same in groupby(rest, kind)]
    halves = [rest[: len(rest) // 2], rest[len(rest) // 2 :]]
    for blocks in ([*groups, *kinds], [*groups, *halves]):
        splits = ((_row(blocks[:end]), _row(blocks[end:])) for end in range(len(blocks), -1, -1))
        if fitting := [both for both in splits if max(map(len, both)) <= ROW]:
            both = min(fitting, key=lambda both: abs(len(both[0]) - len(both[1])))
            return tuple(slot for row in both for slot in row + [None] * (ROW - len(row)))
    return rows([bytes(group) for group in groups], bytes(rest))


def _row(blocks: Sequence[Sequence[Tile]]) -> list[Tile | None]:
    row: list[Tile | None] = []
    for block in filter(None, blocks):
        row += [None, *block] if row else block
    return row
