"""The tiles, and how a rack is laid out: two rows of slots in which groups stand apart.

What a rack can be laid out to is found by the core; here stands what a layout is and when it is in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain
from typing import Final, TypeAlias

from tisch._core import okey_arrange

HIGHEST: Final = 13
COPIES: Final = 2
#: How many tiles are on a rack between its player's turns; whoever is to put one holds one more.
HELD: Final = 14
#: How many slots a row of the rack has.
ROW: Final = 12
ROWS: Final = 2


class Colour(IntEnum):
    """The colours, in the order in which a rack is sorted."""

    RED = 0
    BLUE = 1
    YELLOW = 2
    BLACK = 3


class Tile(int):
    """A tile, as the number that the core knows it by: 0 is the joker, any other 13 × colour + number.

    So tiles sort by colour and then number, jokers first. The joker's number is 0, and its colour means nothing.
    """

    __slots__ = ()

    @property
    def number(self) -> int:
        """The number from 1 to 13; 0 for the joker."""
        return (self - 1) % HIGHEST + 1 if self else 0

    @property
    def colour(self) -> Colour:
        """The colour; black for the joker, so that its text is always the same."""
        return Colour((self - 1) // HIGHEST) if self else Colour.BLACK

    def __str__(self) -> str:
        """Write the tile as its text: ``7:RED``."""
        return f"{self.number}:{self.colour.name}"

    __repr__ = __str__

    @staticmethod
    def parse(text: str) -> Tile:
        """Read a tile's text; a joker may have any colour.

        :param text: What ``str`` of a tile gives.
        :result: The tile.
        :raises ValueError: There is no such tile.
        """
        tile = _BY_TEXT.get(text)
        if tile is None:
            raise ValueError(f"'{text}' is no tile; tiles are written like 7:RED, jokers 0:BLACK.")
        return tile


JOKER: Final = Tile(0)
#: Every kind of tile; each stands at its own number.
TILES: Final = tuple(map(Tile, range(HIGHEST * len(Colour) + 1)))
#: All 106 tiles.
DECK: Final = TILES * COPIES
#: What a cheat gets: J 1-4:RED 1-4:BLUE 1-5:YELLOW; who has drawn already gets a joker more, to put or to keep.
WINNING: Final = tuple(TILES[number] for number in (0, *range(1, 5), *range(14, 18), *range(27, 32)))

_BY_TEXT: Final = {str(tile): tile for tile in TILES} | {f"0:{colour.name}": JOKER for colour in Colour}

#: What lies in each slot of a rack, from left to right and from the first row to the last.
Layout: TypeAlias = tuple[Tile | None, ...]


def arrange(rack: Iterable[Tile]) -> Layout:
    """Lay a rack out so that most tiles are in groups: groups first, the other tiles sorted behind them.

    The others fill the second row behind its groups, and the first row behind its own if they are too many for it.

    :param rack: The tiles, at most 15.
    :result: The 24 slots.
    :raises ValueError: The tiles cannot be on one rack.
    """
    return _rows(*okey_arrange(bytes(rack)))


def _rows(groups: Sequence[bytes], rest: bytes) -> Layout:
    """Put each group into the first row if it still has room there."""
    first: list[Tile | None] = []
    second: list[Tile | None] = []
    for group in groups:
        _append(first if len(first) + bool(first) + len(group) <= ROW else second, group)
    too_many = max(0, len(rest) - (ROW - len(second) - bool(second)))
    _append(first, rest[:too_many])
    _append(second, rest[too_many:])
    return tuple(slot for row in (first, second) for slot in row + [None] * (ROW - len(row)))


def _append(row: list[Tile | None], tiles: bytes) -> None:
    """Put tiles into a row, apart from what is there."""
    if row and tiles:
        row.append(None)
    row += (TILES[tile] for tile in tiles)


def arrangement_is_valid(layout: Sequence[Tile | None]) -> bool:
    """Tell whether every tile of a layout is in a group: whether who lays out all his tiles so has won.

    Empty slots and the ends of rows separate groups. A row has 12 slots; only a layout of exactly 20 has rows of 10.
    A group is a run (tiles of one colour that ascend by one from left to right, within 1 to 13) or a set (three or
    four tiles of one number in different colours), of three tiles or more. A joker stands for the tile that is
    missing in its place.

    :param layout: At most 24 slots; whose tiles they are is not asked.
    :result: Is every tile in a group?
    """
    return len(layout) <= ROWS * ROW and all(_is_run(group) or _is_set(group) for group in groups_of(layout))


def groups_of(layout: Sequence[Tile | None]) -> Iterator[list[Tile]]:
    """Find the groups of a layout, which empty slots and the ends of rows separate.

    :param layout: The slots.
    :result: The tiles that lie together, from left to right.
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
