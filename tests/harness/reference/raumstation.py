"""The slow twins of Raumstation's core: stations by the numbered steps of the game's description, and a solver.

The solver lists every arrangement of traps, and plays every game to every end.

Knowledge is encoded as for the compiled ``Station``: the number of an open room, else one of the words below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Final

from tisch.game import Random
from tisch.games.raumstation import Options, Room, known, solver
from tisch.games.raumstation.setup import first_sight
from tisch.games.raumstation.station import OFFSETS, Position, middle

UNKNOWN, SAFE, TRAP = -1, -2, -3

#: The number of stations to check with the solver before the options count as impossible.
ASKED: Final = 200


def ways(
    nearby: Sequence[Sequence[int]], odds: Fraction, known: Sequence[int]
) -> Iterator[tuple[tuple[bool, ...], Fraction]]:
    """Yield every arrangement of traps in a game that goes on, with its weight."""
    choices = [(False, True) if told == UNKNOWN else (told == TRAP,) for told in known]
    for traps in product(*choices):
        numbers = all(
            sum(traps[other] for other in nearby[room]) == told for room, told in enumerate(known) if told >= 0
        )
        goes_on = any(not trap and told < 0 for trap, told in zip(traps, known, strict=True))
        if numbers and goes_on and any(traps):
            yield traps, prod((odds for trap in traps if trap), start=Fraction(1))


def probabilities(nearby: Sequence[Sequence[int]], odds: Fraction, known: Sequence[int]) -> list[Fraction] | None:
    """Return the probability of a trap in each room; ``None`` if the knowledge is impossible."""
    listed = list(ways(nearby, odds, known))
    total = sum(weight for _, weight in listed)
    if not total:
        return None
    return [sum((weight for traps, weight in listed if traps[room]), Fraction(0)) / total for room in range(len(known))]


class Play:
    """Every possible game from a position, to every end."""

    def __init__(self, nearby: Sequence[Sequence[int]], odds: Fraction, known: Sequence[int]) -> None:
        self.nearby = nearby
        self.ways = list(ways(nearby, odds, known))
        self.rooms = range(len(known))
        self.position = frozenset(range(len(self.ways))), frozenset(room for room in self.rooms if known[room] >= 0)
        self.value = cache(self._value)

    def weight(self, which: frozenset[int]) -> Fraction:
        return sum((self.ways[way][1] for way in which), Fraction(0))

    def best(self, jokers: int) -> Fraction:
        """Return the probability of winning with the best play."""
        return self.value(*self.position, jokers) / self.weight(self.position[0])

    def after(self, room: int, is_joker: bool, jokers: int) -> Fraction:
        """Return the probability of winning with this move first, then the best play."""
        which, opened = self.position
        return self._after(which, opened, jokers, room, is_joker) / self.weight(which)

    def _value(self, which: frozenset[int], opened: frozenset[int], jokers: int) -> Fraction:
        over = frozenset(way for way in which if all(self.ways[way][0][room] or room in opened for room in self.rooms))
        which -= over
        choices = [
            self._after(which, opened, jokers, room, is_joker)
            for room in self.rooms
            for is_joker in (False, True)
            if room not in opened and which and (jokers or not is_joker)
        ]
        return self.weight(over) + max(choices, default=Fraction(0))

    def _after(self, which: frozenset[int], opened: frozenset[int], jokers: int, room: int, is_joker: bool) -> Fraction:
        safe = frozenset(way for way in which if not self.ways[way][0][room])
        if is_joker:
            parts = [part for part in (safe, which - safe) if part]
            # A joker for a known room would be asked for forever.
            return (
                sum((self.value(part, opened, jokers - 1) for part in parts), Fraction(0))
                if len(parts) > 1
                else Fraction(0)
            )
        numbers: dict[int, set[int]] = {}
        for way in safe:
            numbers.setdefault(sum(self.ways[way][0][other] for other in self.nearby[room]), set()).add(way)
        return sum((self.value(frozenset(part), opened | {room}, jokers) for part in numbers.values()), Fraction(0))


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


def generate(options: Options, seed: int) -> tuple[Room, ...] | None:
    """Find the game's station; ``None`` if too many could not be solved without a guess."""
    first = middle(options.width, options.height)
    asked = attempt = 0
    while asked < ASKED:
        random = Random(seed, "station", attempt)
        attempt += 1
        bare = build(options.width, options.height, options.rooms, random)
        rooms = furnish(bare, first, options.danger, options.revealed, random)
        if is_proper(rooms, first):
            if options.classic or is_solvable(rooms, options):
                return rooms
            asked += 1
    return None


def is_proper(rooms: Sequence[Room], first: Position) -> bool:
    """Return whether there are the middle, a trap, and something to scan."""
    return (
        any(room.position == first for room in rooms)
        and any(room.is_dangerous for room in rooms)
        and not all(room.is_dangerous or room.is_revealed for room in rooms)
    )


def is_solvable(rooms: Sequence[Room], options: Options) -> bool:
    """Return whether a station can be solved without a guess."""
    traps = [bool(room.is_dangerous) for room in rooms]
    return solver(rooms, options).solvable(known(first_sight(rooms, options)), traps, options.jokers)


def finishes(rooms: Sequence[Room], options: Options) -> bool:
    """Return whether the solver's decisions, made one after the other, finish a station without a guess."""
    station, told, jokers = solver(rooms, options), known(first_sight(rooms, options)), options.jokers
    while any(number < 0 and not room.is_dangerous for room, number in zip(rooms, told, strict=True)):
        number, is_joker = station.decide(told, jokers)
        room = rooms[number]
        if is_joker:
            jokers -= 1
            told[number] = TRAP if room.is_dangerous else SAFE
        elif station.probabilities(told)[number] > 0:
            return False
        else:
            told[number] = room.dangerous_nearby_rooms or 0
    return True
