"""What one tap of a person opens: around a room with the number 0 every connected room is safe, and is scanned with it.

The rules know single scans only; each of these is a move of its own, in the order in which the opening spreads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from tisch.games.raumstation.player import Move
from tisch.games.raumstation.rules import RaumstationState
from tisch.games.raumstation.station import Room


def spread(state: RaumstationState, move: Move) -> list[Move]:
    """Return the scans that a scan of a room spreads to. Marked rooms are left alone.

    :param state: The game.
    :param move: The scan of a closed room, or of an open one with the number 0.
    :result: The scans in their order, without that of a room that is open already.
    """
    rooms = {room.position: room for room in state.rooms}
    first = rooms.get((move.column, move.row))
    if first is None:
        return [move]
    found = {} if first.is_revealed else {first.position: move}
    waiting = deque([first])
    while waiting:
        room = waiting.popleft()
        # What is in a room is read only after the scan of that room is one of the moves.
        if room.is_dangerous or room.dangerous_nearby_rooms:
            continue
        for place in room.nearby:
            near = rooms[place]
            if not (near.is_revealed or near.is_marked or place in found):
                found[place] = Move("scan", near.y, near.x)
                waiting.append(near)
    return list(found.values()) or [move]


def zeros(state: RaumstationState) -> Iterator[Room]:
    """Yield the open rooms with the number 0 around which a room is still closed and not marked.

    :param state: The game.
    :result: The rooms as the player knows them.
    """
    seen = {room.position: room for room in state.seen}
    for room in state.seen:
        if room.is_revealed and room.dangerous_nearby_rooms == 0:
            near = (seen[place] for place in room.nearby)
            if any(not (each.is_revealed or each.is_marked) for each in near):
                yield room
