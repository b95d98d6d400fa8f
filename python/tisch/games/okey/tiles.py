"""The tiles, and the layout of a rack: two rows of slots with groups separated by empty slots.

The core finds the best layout of a rack; this module defines layouts and validates them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain
from typing import Final, TypeAlias

from tisch._core import okey as core

HIGHEST: Final = 13
COPIES: Final = 2
#: The number of tiles on a rack between turns; a player who must put one holds one more.
HELD: Final = 14
#: The number of slots in a row of the rack.
ROW: Final = 12
ROWS: Final = 2


class Colour(IntEnum):
    """The colours, in the order of a sorted rack."""

    RED = 0
    BLUE = 1
    YELLOW = 2
    BLACK = 3


class Tile(int):
    """A tile, as the number that the core uses: 0 is the joker, any other is 13 × colour + number.

    So tiles sort by colour and then number, jokers first. The joker's number is 0, and its colour means nothing.
    """

    __slots__ = ()

    @property
    def number(self) -> int:
        """The number from 1 to 13; 0 for the joker."""
        return (self - 1) % HIGHEST + 1 if self else 0

    @property
    def colour(self) -> Colour:
        """The colour; black for the joker, so that its text is unique."""
        return Colour((self - 1) // HIGHEST) if self else Colour.BLACK

    def __str__(self) -> str:
        """Return the tile's text: ``7:RED``."""
        return _TEXTS[self]

    __repr__ = __str__

    @staticmethod
    def parse(text: str) -> Tile:
        """Parse a tile's text; a joker may have any colour.

        :param text: The text, as ``str`` of a tile returns it.
        :result: The tile.
        :raises ValueError: There is no such tile.
        """
        tile = _BY_TEXT.get(text)
        if tile is None:
            raise ValueError(f"'{text}' is no tile; tiles are written like 7:RED, jokers 0:BLACK.")
        return tile


JOKER: Final = Tile(0)
#: Every kind of tile; the index is the tile's number.
TILES: Final = tuple(map(Tile, range(HIGHEST * len(Colour) + 1)))
#: All 106 tiles.
DECK: Final = TILES * COPIES
#: The tiles that a cheat gets: J 1-4:RED 1-4:BLUE 1-5:YELLOW; after a draw also a second joker, to put or to keep.
WINNING: Final = tuple(TILES[number] for number in (0, *range(1, 5), *range(14, 18), *range(27, 32)))

#: The text of each kind of tile: every view has many of them.
_TEXTS: Final = tuple(f"{tile.number}:{tile.colour.name}" for tile in TILES)
_BY_TEXT: Final = {str(tile): tile for tile in TILES} | {f"0:{colour.name}": JOKER for colour in Colour}

#: The content of each slot of a rack, from left to right and from the first row to the last.
Layout: TypeAlias = tuple[Tile | None, ...]
#: A layout as JSON has it.
Slots: TypeAlias = tuple[str | None, ...]


def slots_of(layout: Layout) -> Slots:
    """Encode a layout.

    :param layout: The layout.
    :result: The text of each tile; ``None`` for an empty slot.
    """
    return tuple(None if tile is None else str(tile) for tile in layout)


def arrange(rack: Iterable[Tile]) -> Layout:
    """Lay out a rack with as many tiles in groups as possible: groups first, the other tiles sorted behind them.

    The other tiles go behind the groups of the second row, and behind those of the first row if they are too many.

    :param rack: The tiles, at most 15.
    :result: The 24 slots.
    :raises ValueError: The tiles cannot be on one rack.
    """
    return rows(*core.arrange(bytes(rack)))


def rows(groups: Sequence[bytes], rest: bytes) -> Layout:
    """Lay out groups and behind them other tiles: each group in the first row if there is room, else in the second.

    :param groups: The groups, which must fit.
    :param rest: The other tiles.
    :result: The 24 slots.
    """
    first: list[Tile | None] = []
    second: list[Tile | None] = []
    for group in groups:
        _append(first if len(first) + bool(first) + len(group) <= ROW else second, group)
    too_many = max(0, len(rest) - (ROW - len(second) - bool(second)))
    _append(first, rest[:too_many])
    _append(second, rest[too_many:])
    return tuple(slot for row in (first, second) for slot in row + [None] * (ROW - len(row)))


def _append(row: list[Tile | None], tiles: bytes) -> None:
    """Append tiles to a row, separated from the tiles before them."""
    if row and tiles:
        row.append(None)
    row += (TILES[tile] for tile in tiles)


def arrangement_is_valid(layout: Sequence[Tile | None]) -> bool:
    """Return whether every tile of a layout is in a group: whether a player with this layout of all tiles has won.

    Empty slots and the ends of rows separate groups. A row has 12 slots; only a layout of exactly 20 has rows of 10. A
    group is a run (tiles of one colour that ascend by one from left to right, within 1 to 13) or a set (three or four
    tiles of one number in different colours), of three tiles or more. A joker stands for the tile that is missing in
    its place.

    :param layout: At most 24 slots; the owner of the tiles does not matter.
    :result: Whether every tile is in a group.
    """
    return len(layout) <= ROWS * ROW and all(_is_run(group) or _is_set(group) for group in groups_of(layout))


def groups_of(layout: Sequence[Tile | None]) -> Iterator[list[Tile]]:
    """Yield the groups of a layout, which empty slots and the ends of rows separate.

    :param layout: The slots.
    :result: The tiles of each group, from left to right.
    """
    row = 10 if len(layout) == 20 else ROW
    group: list[Tile] = []
    rows = (layout[start : start + row] for start in range(0, len(layout), row))
    for slot in chain.from_iterable((*slots, None) for slots in rows):
        if slot is not None:
            group.append(slot)
        elif group:
            yield group
            group = []


def _is_run(group: Sequence[Tile]) -> bool:
    starts = {(tile.colour, tile.number - place) for place, tile in enumerate(group) if tile}
    if len(group) < 3 or len(starts) != 1:
        return False
    ((_, start),) = starts
    return start >= 1 and start + len(group) - 1 <= HIGHEST


def _is_set(group: Sequence[Tile]) -> bool:
    tiles = [tile for tile in group if tile]
    colours = {tile.colour for tile in tiles}
    return 3 <= len(group) <= len(Colour) and len({tile.number for tile in tiles}) == 1 and len(colours) == len(tiles)
