"""What can be set before the game, and how its station is found: one that needs no guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tisch._core import Station
from tisch.game import Random
from tisch.games.raumstation.station import Room, build, furnish, middle

#: How many stations are built, and for how many it is asked whether they need a guess, before the options are found
#: impossible; building is quick, asking is not.
BUILT = 20_000
ASKED = 200
#: How many rooms a station may have: as many as the compiled ``Station`` can take, less two that hints imagine.
MOST_ROOMS = 126


@dataclass(frozen=True, slots=True)
class Options:
    """What can be set before the game.

    :ivar width: How many columns the grid has.
    :ivar height: How many rows the grid has.
    :ivar rooms: How many rooms are created after the first, before dead ends are removed.
    :ivar danger: How probably a room holds a trap.
    :ivar jokers: How many jokers there are.
    :ivar revealed: How probably a safe room is open from the start.
    :ivar classic: Is every station taken, even one that cannot be solved without a guess?
    :ivar protect: Is the scan of a marked room refused?
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
    """Tell what is known of rooms in the words of the compiled ``Station``.

    :param rooms: The rooms as somebody knows them.
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
    """Make the compiled ``Station`` that draws conclusions about these rooms.

    A safe room is often open from the start, so one that is not is more often a trap than any room is.

    :param rooms: The rooms; their order is that of all numbers the solver takes and gives.
    :param options: The game's options.
    :result: The solver.
    """
    number_of = {room.position: number for number, room in enumerate(rooms)}
    nearby = [[number_of[place] for place in room.nearby] for room in rooms]
    return Station(nearby, options.danger / ((1 - options.danger) * (1 - options.revealed)))


def first_sight(rooms: Sequence[Room], options: Options) -> list[Room]:
    """Show the rooms as the player knows them at the start: those that are open, and that the middle is safe.

    :param rooms: The rooms as they are.
    :param options: The game's options.
    :result: The rooms as he knows them.
    """
    first = middle(options.width, options.height)
    return [
        room
        if room.is_revealed
        else replace(room, is_dangerous=False if room.position == first else None, dangerous_nearby_rooms=None)
        for room in rooms
    ]


def generate(options: Options, seed: int) -> tuple[Room, ...]:
    """Find the game's station: the first that is proper and, unless ``classic`` is set, can be solved without a guess.

    A station is proper if the middle has not been lost as a dead end, there is a trap, and there is something to scan.
    It can be solved without a guess if ``Station.decide``, which spends jokers only when nothing is certainly safe,
    finishes it scanning only rooms that are certainly safe.

    :param options: The game's options.
    :param seed: The game's seed.
    :result: The rooms, row by row.
    :raises ValueError: Not one of many stations was good.
    """
    first = middle(options.width, options.height)
    asked = 0
    for attempt in range(BUILT):
        random = Random(seed, "station", attempt)
        bare = build(options.width, options.height, options.rooms, random)
        rooms = furnish(bare, first, options.danger, options.revealed, random)
        if not _is_proper(rooms, first):
            continue
        if options.classic or is_solvable(rooms, options):
            return rooms
        asked += 1
        if asked == ASKED:
            raise ValueError(
                f"None of {ASKED} stations with these options can be solved without a guess; "
                "more jokers, more revealed rooms or less danger make it easier, and 'classic' takes any station."
            )
    raise ValueError(
        f"None of {BUILT} stations with these options has its middle, a trap and something to scan; "
        "more rooms, more danger or fewer revealed rooms make it likelier."
    )


def is_solvable(rooms: Sequence[Room], options: Options) -> bool:
    """Tell whether a station can be solved without a guess.

    :param rooms: The rooms as they are at the start.
    :param options: The game's options.
    :result: Can it?
    """
    traps = [bool(room.is_dangerous) for room in rooms]
    return solver(rooms, options).solvable(known(first_sight(rooms, options)), traps, options.jokers)


def _is_proper(rooms: Sequence[Room], first: tuple[int, int]) -> bool:
    return (
        any(room.position == first for room in rooms)
        and any(room.is_dangerous for room in rooms)
        and not all(room.is_dangerous or room.is_revealed for room in rooms)
    )
