"""What the journal keeps of a table besides its running game, and how its seats come back from it."""

from __future__ import annotations

from typing import Any

import msgspec

from tisch.agents import agents_of, strongest
from tisch.games import find, reference
from tisch.record import changed_options, options_of
from tisch.server.store.journal import StoredTable
from tisch.server.table.playing import Playing
from tisch.server.table.seats import Player, Presence, Seat
from tisch.server.table.services import Services
from tisch.server.table.table import Table


class StoredPlayer(msgspec.Struct, omit_defaults=True):
    """Somebody at a table as they are kept; of their session only the digest is there."""

    name: str = ""
    session: bytes = b""


class StoredSeat(StoredPlayer, omit_defaults=True):
    """A seat as it is kept: who sits there, which is nobody where an agent plays, and who may come back to it.

    :ivar is_absent: In a journal of an earlier version: does the one named not sit there, but may come back?
    """

    presence: Presence = Presence.HERE
    is_absent: bool = False
    absent: list[StoredPlayer] = []


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
    options = changed_options(table.options)
    taken = Snapshot(
        table.name,
        reference(table.game),
        options,
        table.agent,
        table.turn_limit,
        table.host,
        list(map(_kept, table.seats)),
        table.last_game,
    )
    return msgspec.json.encode(taken)


def read(kept: bytes) -> Snapshot:
    """Read a snapshot.

    :param kept: What :func:`take` gave.
    :result: The snapshot.
    :raises ValueError: It is none.
    """
    return msgspec.json.decode(kept, type=Snapshot)


def restore(stored: StoredTable, services: Services) -> Table:
    """Bring a table back as it was when the server stopped; everybody is cut off, open decisions have full time.

    :param stored: What the journal kept.
    :param services: The services that all tables share.
    :result: The table.
    :raises ValueError: It cannot be brought back.
    """
    kept = read(stored.snapshot)
    game = find(kept.game)
    options = options_of(game, kept.options)
    playing = Playing(stored.game.id, stored.game.record) if stored.game else None
    table = Table(stored.id, kept.name, game, services)
    if playing:
        # What happened before the stop is told to nobody again, what happens from now on to everybody.
        playing.state.listener = table.listen
        table.was_running = True
    table.options, table.turn_limit = options, kept.turn_limit
    table.agent = kept.agent if kept.agent in agents_of(game) else strongest(game)
    table.host, table.last_game, table.playing = kept.host, kept.last_game, playing
    table.seats = [seat_of(seat, table.held_until) for seat in kept.seats]
    for seat in table.seats:
        for player in seat.people:
            services.sessions.begin(player.session, table.name)
    if not 0 <= table.host < len(table.seats) or not table.seats[table.host].player:
        table.host = next((index for index, _ in table.players()), -1)
    return table


def _kept(seat: Seat) -> StoredSeat:
    absent = [StoredPlayer(player.name, player.session) for player in seat.absent]
    if player := seat.player:
        return StoredSeat(player.name, player.session, player.presence, absent=absent)
    return StoredSeat(absent=absent)


def seat_of(kept: StoredSeat, held_until: float) -> Seat:
    """Bring a seat back; who sat there is cut off.

    :param kept: The seat as it was kept.
    :param held_until: Until when it is held for its player.
    :result: The seat.
    """
    seat = Seat(absent=[Player(player.name, player.session) for player in kept.absent])
    if not kept.session:
        return seat
    player = Player(kept.name, kept.session)
    if kept.is_absent:
        seat.absent.append(player)
    else:
        player.presence = Presence.AWAY if kept.presence is Presence.AWAY else Presence.CUT
        player.held_until = held_until
        seat.player = player
    return seat
