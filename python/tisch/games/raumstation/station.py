"""The station: rooms on a grid, and the corridors between them; the core generates it.

The byte ``connections`` of a room holds its corridors; bit 0 leads up, the others follow clockwise. ``y`` grows
downward. Adjacent rooms need not be connected, and only connected rooms count as nearby.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Struct

from tisch.ports.told import about

#: The column and the row: x and y.
Position: TypeAlias = tuple[int, int]

#: The direction of each bit of ``connections``, from 0, up, clockwise to 7, up and left.
OFFSETS: tuple[Position, ...] = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


def direction_of(offset: Position) -> int:
    """Return which bit of ``connections`` leads to a neighbour.

    :param offset: The neighbour's x and y minus the room's own.
    :result: The bit's number, 0 to 7.
    :raises ValueError: The offset does not lead to a neighbour.
    """
    if offset not in OFFSETS:
        raise ValueError("Offset coordinates could not be converted into direction index")
    return OFFSETS.index(offset)


class Room(Struct, frozen=True):
    """A room, as it is or as someone knows it."""

    x: Annotated[int, about("its column")]
    y: Annotated[int, about("its row")]
    is_dangerous: Annotated[bool | None, about("whether it holds a trap; null if unknown")] = False
    is_marked: Annotated[bool, about("whether the player has marked it")] = False
    connections: Annotated[int, about("the directions of its corridors, one bit each")] = 0
    dangerous_nearby_rooms: Annotated[
        int | None,
        about("the number of connected rooms with a trap; null if unknown"),
    ] = 0
    is_revealed: Annotated[bool, about("whether it has been scanned or was open from the start")] = False

    def __post_init__(self) -> None:
        """Refuse invalid positions."""
        if not (isinstance(self.x, int) and isinstance(self.y, int)):
            # The game's description requires this error, though TypeError would be usual.
            raise ValueError("X and Y must be integers for map tile position")  # noqa: TRY004

    @property
    def position(self) -> Position:
        """The position of the room."""
        return self.x, self.y

    @property
    def nearby(self) -> list[Position]:
        """The positions of the connected rooms, clockwise from above."""
        return [(self.x + dx, self.y + dy) for bit, (dx, dy) in enumerate(OFFSETS) if self.connections >> bit & 1]


def middle(width: int, height: int) -> Position:
    """Return the position of a station's first room, which is always safe.

    :param width: The number of columns of the grid.
    :param height: The number of rows of the grid.
    :result: The position.
    """
    return width // 2, height // 2
