"""Raumstation as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tisch.encoding import Actions, Encoding, Flags, Numbers, one_hot
from tisch.games.raumstation.player import VERBS, Move, View

#: The side of the largest grid; a smaller one lies in its upper left corner.
SIDE: Final = 20
_ROOMS: Final = SIDE * SIDE
_GRID: Final = (SIDE, SIDE)
_FIRST: Final = {verb: 1 + number * _ROOMS for number, verb in enumerate(VERBS)}


class RaumstationEncoding(Encoding[Move]):
    """The arrays of Raumstation: planes of rooms, by row and column."""

    version = 1
    flags = (Flags("result", (2,), "Whether the game was lost, was won."),)
    numbers = (
        Numbers("corridors", (8, *_GRID), "Whether a corridor leads up, up and right … clockwise."),
        Numbers("rooms", _GRID, "Whether there is a room."),
        Numbers("revealed", _GRID, "Whether the room is open."),
        Numbers("marked", _GRID, "Whether the room is marked."),
        Numbers("trap", _GRID, "Whether the room holds a trap; −1 if that is unknown.", -1, 1),
        Numbers("nearby", _GRID, "The number of connected rooms with a trap; −1 if that is unknown.", -1, 8),
        Numbers("grid", (2,), "The number of columns and of rows.", 3, SIDE),
        Numbers("jokers", (1,), "The number of jokers left.", 0, 99),
        Numbers("protect", (1,), "Whether marked rooms cannot be scanned."),
    )
    moves = tuple(
        Actions(verb, _ROOMS, f"{meaning} the room in this row and column, row by row.")
        for verb, meaning in zip(VERBS, ("Scan", "Ask a joker about", "Mark", "Remove the mark of"), strict=True)
    )

    def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], bytes]:
        planes = np.zeros((13, _ROOMS), np.int8)
        # Absent rooms are neither safe nor dangerous, and have no number: what is unknown is −1.
        planes[11:] = -1
        places = [room.y * SIDE + room.x for room in view.rooms]
        connections = np.array([room.connections for room in view.rooms], np.uint8)
        planes[:8, places] = np.unpackbits(connections, bitorder="little").reshape(-1, 8).T
        planes[8, places] = 1
        planes[9, places] = [room.is_revealed for room in view.rooms]
        planes[10, places] = [room.is_marked for room in view.rooms]
        planes[11, places] = [-1 if room.is_dangerous is None else room.is_dangerous for room in view.rooms]
        planes[12, places] = [
            -1 if room.dangerous_nearby_rooms is None else room.dangerous_nearby_rooms for room in view.rooms
        ]
        options = view.options
        rest = bytes((options.width, options.height, view.jokers, options.protect))
        return (one_hot(None if view.won is None else int(view.won)),), planes.tobytes() + rest

    def head(self, move: Move, seat: int) -> int:
        return _FIRST[move.verb] + move.row * SIDE + move.column

    def path(self, move: Move, seat: int) -> tuple[int, ...]:
        return (self.head(move, seat),)

    def decode(self, path: Sequence[int], seat: int) -> Move:
        if len(path) != 1:
            raise self._no_move(path)
        verb, place = self.group(path[0])
        if verb not in VERBS:
            raise self._no_move(path)
        return Move(verb, *divmod(place, SIDE))
