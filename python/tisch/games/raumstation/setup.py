"""The options, and the search for a station that can be solved without a guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tisch._core import raumstation as core
from tisch._core.raumstation import Station
from tisch.games.raumstation.station import Room, middle

#: The maximum number of rooms of a station: the capacity of the compiled ``Station``, less two imaginary rooms for
#: hints.
MOST_ROOMS = 126


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game.

    :ivar width: The number of columns of the grid.
    :ivar height: The number of rows of the grid.
    :ivar rooms: The number of rooms created after the first, before dead ends are removed.
    :ivar danger: The probability of a trap in a room.
    :ivar jokers: The number of jokers.
    :ivar revealed: The probability that a safe room is open from the start.
    :ivar classic: Whether to accept every station, even one that cannot be solved without a guess.
    :ivar protect: Whether to refuse the scan of a marked room.
    """

    width: int = 10
    height: int = 10
    rooms: int = 50
    danger: float = 0.25
    jokers: int = 2
    revealed: float = 0.5
    classic: bool = False
    protect: bool = False

    def __post_init__(self) -> None:
        """Refuse bad values."""
        most = min(self.width * self.height, MOST_ROOMS) - 1
        for name, least, greatest in (
            ("width", 3, 20),
            ("height", 3, 20),
            ("rooms", 4, most),
            ("danger", 0.02, 0.9),
            ("jokers", 0, 99),
            ("revealed", 0, 0.9),
        ):
            value = getattr(self, name)
            if not least <= value <= greatest:
                raise ValueError(f"The option '{name}' must be from {least} to {greatest}, not {value}.")


def known(rooms: Sequence[Room]) -> list[int]:
    """Encode the knowledge about rooms for the compiled ``Station``.

    :param rooms: The rooms as someone knows them.
    :result: A number for each room.
    """
    return [
        Station.UNKNOWN
        if room.is_dangerous is None
        else Station.TRAP
        if room.is_dangerous
        else Station.SAFE
        if not room.is_revealed or room.dangerous_nearby_rooms is None
        else room.dangerous_nearby_rooms
        for room in rooms
    ]


def solver(rooms: Sequence[Room], options: Options) -> Station:
    """Build the compiled ``Station`` that draws conclusions about these rooms.

    Safe rooms are often open from the start, so a closed room is a trap more often than the average room.

    :param rooms: The rooms; their order defines the numbers of rooms in the solver.
    :param options: The game's options.
    :result: The solver.
    """
    number_of = {room.position: number for number, room in enumerate(rooms)}
    nearby = [[number_of[place] for place in room.nearby] for room in rooms]
    return Station(nearby, options.danger / ((1 - options.danger) * (1 - options.revealed)))


def first_sight(rooms: Sequence[Room], options: Options) -> list[Room]:
    """Return the rooms as the player knows them at the start: the open rooms, and that the middle is safe.

    :param rooms: The true rooms.
    :param options: The game's options.
    :result: The rooms as the player knows them.
    """
    first = middle(options.width, options.height)
    return [
        room
        if room.is_revealed
        else Room(room.x, room.y, False if room.position == first else None, room.is_marked, room.connections, None)
        for room in rooms
    ]


def generate(options: Options, seed: int) -> tuple[Room, ...]:
    """Find the game's station: the first proper one that, unless ``classic`` is set, can be solved without a guess.

    A station is proper if its middle was not removed as a dead end, it has a trap, and there is something to scan. It
    can be solved without a guess if ``Station.decide``, which spends jokers only when nothing is certainly safe,
    finishes it with scans of rooms that are certainly safe.

    :param options: The game's options.
    :param seed: The game's seed.
    :result: The rooms, row by row.
    :raises ValueError: No station out of many was suitable.
    """
    return tuple(
        Room(x, y, is_dangerous, False, connections, nearby, is_revealed)
        for x, y, is_dangerous, connections, nearby, is_revealed in core.generate(options, seed)
    )
