"""What the journal keeps of a table besides its running game, and how its seats come back from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from tisch.server.seats import Player, Presence, Seat
from tisch.transcript import changed_options

if TYPE_CHECKING:
    from tisch.server.table import Table


class StoredSeat(msgspec.Struct, omit_defaults=True):
    """A seat as it is kept; an agent's is empty, and of a session only the digest is there."""

    name: str = ""
    session: bytes = b""
    presence: Presence = Presence.HERE
    is_absent: bool = False


class Snapshot(msgspec.Struct):
    """All that a table needs to come back, without its running game."""

    name: str
    game: str
    options: dict[str, Any]
    agent: str
    turn_limit: int
    host: int
    seats: list[StoredSeat]
    last_game: str | None


def take(table: Table) -> bytes:
    """Take a table's snapshot.

    :param table: The table.
    :result: The snapshot.
    """
    seats = []
    for seat in table.seats:
        player = seat.player or seat.absent
        kept = StoredSeat(player.name, player.session, player.presence, not seat.player) if player else StoredSeat()
        seats.append(kept)
    options = changed_options(table.options)
    taken = Snapshot(
        table.name, table.game.name, options, table.agent, table.turn_limit, table.host, seats, table.last_game
    )
    return msgspec.json.encode(taken)


def read(kept: bytes) -> Snapshot:
    """Read a snapshot.

    :param kept: What :func:`take` gave.
    :result: The snapshot.
    :raises ValueError: It is none.
    """
    return msgspec.json.decode(kept, type=Snapshot)


def seat_of(kept: StoredSeat, held_until: float) -> Seat:
    """Bring a seat back; who sat there is cut off.

    :param kept: The seat as it was kept.
    :param held_until: Until when it is held for its player.
    :result: The seat.
    """
    if not kept.session:
        return Seat()
    player = Player(kept.name, kept.session)
    if kept.is_absent:
        return Seat(absent=player)
    player.presence = Presence.AWAY if kept.presence is Presence.AWAY else Presence.CUT
    player.held_until = held_until
    return Seat(player)
