"""The station: rooms on a grid, the corridors between them, and their generation.

The byte ``connections`` of a room holds its corridors; bit 0 leads up, the others follow clockwise. ``y`` grows
downward. Adjacent rooms need not be connected, and only connected rooms count as nearby.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tisch.game import Random

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


@dataclass(frozen=True, slots=True)
class Room:
    """A room, as it is or as someone knows it.

    :ivar x: Its column.
    :ivar y: Its row.
    :ivar is_dangerous: Whether it holds a trap; ``None`` if unknown.
    :ivar is_marked: Whether the player has marked it.
    :ivar connections: The directions of its corridors, one bit each.
    :ivar dangerous_nearby_rooms: The number of connected rooms with a trap; ``None`` if unknown.
    :ivar is_revealed: Whether it has been scanned or was open from the start.
    """

    x: int
    y: int
    is_dangerous: bool | None = False
    is_marked: bool = False
    connections: int = 0
    dangerous_nearby_rooms: int | None = 0
    is_revealed: bool = False

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


def build(width: int, height: int, rooms: int, random: Random) -> list[Room]:
    """Build rooms and corridors by the numbered steps of the game's description.

    :param width: The number of columns of the grid.
    :param height: The number of rows of the grid.
    :param rooms: The number of rooms created after the first; most of them survive the last step.
    :param random: The source of randomness.
    :result: The rooms, row by row; possibly none.
    """
    first = middle(width, height)  # Step 1.
    places = [first]
    connections = {first: 0}
    while len(places) <= rooms:  # Step 7; in the first iteration these are steps 2 and 3.
        x, y = random.choice(places)  # Step 4.
        direction = random.below(8)  # Step 5.
        neighbour = x + OFFSETS[direction][0], y + OFFSETS[direction][1]
        if not (0 <= neighbour[0] < width and 0 <= neighbour[1] < height):
            continue
        if neighbour not in connections:  # Step 6b; otherwise 6a.
            places.append(neighbour)
            connections[neighbour] = 0
        connections[x, y] |= 1 << direction
        connections[neighbour] |= 1 << (direction ^ 4)
    _remove_dead_ends(connections)  # Step 8.
    return [Room(x, y, connections=connections[x, y]) for y, x in sorted((y, x) for x, y in connections)]


def _remove_dead_ends(connections: dict[Position, int]) -> None:
    """Remove rooms with one corridor repeatedly, until only rooms with several are left."""
    doubtful = list(connections)
    while doubtful:
        place = doubtful.pop()
        corridors = connections.get(place)
        if corridors is None or corridors.bit_count() > 1:
            continue
        del connections[place]
        if corridors:
            direction = corridors.bit_length() - 1
            neighbour = place[0] + OFFSETS[direction][0], place[1] + OFFSETS[direction][1]
            connections[neighbour] &= ~(1 << (direction ^ 4))
            doubtful.append(neighbour)


def furnish(rooms: Sequence[Room], first: Position, danger: float, revealed: float, random: Random) -> tuple[Room, ...]:
    """Place traps, count them, and open some of the safe rooms.

    :param rooms: The rooms from :func:`build`.
    :param first: The position of the first room, which stays safe.
    :param danger: The probability of a trap in a room.
    :param revealed: The probability that a safe room is open from the start.
    :param random: The source of randomness.
    :result: The same rooms with their content.
    """
    traps = {room.position for room in rooms if random.unit() < danger and room.position != first}
    return tuple(
        Room(
            room.x,
            room.y,
            connections=room.connections,
            is_dangerous=room.position in traps,
            dangerous_nearby_rooms=sum(place in traps for place in room.nearby),
            is_revealed=room.position not in traps and random.unit() < revealed,
        )
        for room in rooms
    )
