"""Snapshots: what the journal keeps of a table besides its running game, and how a table is restored."""

from __future__ import annotations

from typing import Any

import msgspec

from tisch.agents import choices_of, level_of
from tisch.games import reference
from tisch.record import changed_options, options_of
from tisch.table.deeds import Deeds
from tisch.table.door import Door, Removed
from tisch.table.kept import StoredGame
from tisch.table.play import Playing
from tisch.table.seating import Player, Presence, Seat, Visits
from tisch.table.shared import Shared


class StoredPlayer(msgspec.Struct, omit_defaults=True):
    """A player as stored, with only the digest of their session."""

    name: str = ""
    session: bytes = b""
    network: bytes = b""


class StoredSeat(StoredPlayer, omit_defaults=True):
    """A seat as stored: its player, empty where an agent plays, and the players who may come back to it.

    :ivar is_absent: In a journal of an earlier version: whether the player was cut off and may come back.
    """

    presence: Presence = Presence.HERE
    is_absent: bool = False
    absent: list[StoredPlayer] = []


class StoredRemoved(msgspec.Struct):
    """A person whom the host has removed, as stored."""

    name: str
    network: bytes


class StoredVisits(msgspec.Struct, omit_defaults=True):
    """Who has had which seat in a round, as stored.

    :ivar seats: The digest of each, with the seats.
    """

    game: str = ""
    round: int = 0
    seats: list[tuple[bytes, list[int]]] = []


class Snapshot(msgspec.Struct):
    """Everything that restores a table, without its running game.

    :ivar invitation: The invitation; empty in a journal of an earlier version.
    :ivar free_chat: Whether people may say words of their own.
    :ivar watch_delay: How much later spectators see what happens, in seconds.
    :ivar open_hands: Whether they see all hands.
    :ivar seen_game: The game whose hands were seen, and by whom: the digests of the networks.
    :ivar challenge: The challenge whose deals are played there; empty if it is none.
    """

    name: str
    game: str
    options: dict[str, Any]
    agent: str
    turn_limit: int
    host: int
    seats: list[StoredSeat]
    last_game: str | None
    is_private: bool = False
    invitation: str = ""
    removed: list[StoredRemoved] = []
    visits: StoredVisits = msgspec.field(default_factory=StoredVisits)
    challenge: str = ""
    free_chat: bool = False
    watch_delay: int = 0
    open_hands: bool = False
    seen_game: str = ""
    seen: list[bytes] = []


def take(table: Deeds) -> bytes:
    """Take a table's snapshot.

    :param table: The table.
    :result: The snapshot.
    """
    options, visits = changed_options(table.options), table.seating.visits
    taken = Snapshot(
        table.name,
        reference(table.game),
        options,
        table.agents.choice,
        table.clock.turn_limit,
        table.seating.host,
        list(map(_kept, table.seating.seats)),
        table.last_game,
        table.door.is_private,
        table.door.invitation,
        [StoredRemoved(removed.name, removed.network) for removed in table.door.removed],
        StoredVisits(visits.game, visits.round, [*visits.seats.items()]),
        table.challenge,
        table.talk.is_free,
        table.stage.delay,
        table.stage.has_open_hands,
        table.stage.game,
        table.stage.seen,
    )
    return msgspec.json.encode(taken)


def read(kept: bytes) -> Snapshot:
    """Decode a snapshot.

    :param kept: The result of :func:`take`.
    :result: The snapshot.
    :raises ValueError: It is not a snapshot.
    """
    return msgspec.json.decode(kept, type=Snapshot)


def restore(kept: Snapshot, game: StoredGame | None, table: Deeds) -> None:
    """Restore a table as it was when the server stopped; everybody is cut off, and open decisions have full time.

    :param kept: The snapshot.
    :param game: The game that was running, if there was one.
    :param table: The new table; it has the snapshot's name and game.
    :raises ValueError: It cannot be restored; then nothing of it is entered anywhere.
    """
    options, shared, seating = options_of(table.game, kept.options), table.shared, table.seating
    playing = Playing(game.id, game.record, number=int(shared.date() * 1000)) if game else None
    if playing:
        # Events before the stop are not told again; from now on they are.
        playing.state.listener = table.listen
        table.was_running = True
    table.options, table.last_game, table.playing = options, kept.last_game, playing
    agent = kept.agent if kept.agent in choices_of(table.game) else level_of(table.game, shared.level)
    table.configure(agent, kept.turn_limit, free_chat=kept.free_chat)
    table.compete(kept.challenge)
    table.stage.set(kept.watch_delay, kept.open_hands)
    table.stage.game, table.stage.seen = kept.seen_game, kept.seen
    seating.seats = tuple(seat_of(seat, table.clock.held_until) for seat in kept.seats)
    for seat in seating.seats:
        for player in seat.people:
            shared.sessions.begin(player.session, table.id)
    table.door = _door_of(kept, table.id, shared)
    seating.visits = Visits(kept.visits.game, kept.visits.round, dict(kept.visits.seats))
    shared.directory.enter(table.name, table.door)
    seating.host = kept.host
    if not 0 <= seating.host < len(seating.seats) or not seating.seats[seating.host].player:
        seating.host = next((index for index, _ in seating.players()), -1)
    table.renew(None)


def _door_of(kept: Snapshot, table_id: str, shared: Shared) -> Door:
    """Restore who may come to a table; if another open table has its name, only those who are invited."""
    is_private = kept.is_private or shared.directory.named(kept.name) is not None
    removed = [Removed(one.name, one.network) for one in kept.removed]
    return Door(table_id, shared.chance, is_private, kept.invitation, removed)


def _kept(seat: Seat) -> StoredSeat:
    absent = [StoredPlayer(player.name, player.session, player.network) for player in seat.absent]
    if player := seat.player:
        return StoredSeat(player.name, player.session, player.network, player.presence, absent=absent)
    return StoredSeat(absent=absent)


def seat_of(kept: StoredSeat, held_until: float) -> Seat:
    """Restore a seat; its player is cut off.

    :param kept: The seat as stored.
    :param held_until: The time until which it is held for its player.
    :result: The seat.
    """
    seat = Seat(absent=[Player(player.name, player.session, player.network) for player in kept.absent])
    if not kept.session:
        return seat
    player = Player(kept.name, kept.session, kept.network)
    if kept.is_absent:
        seat.absent.append(player)
    else:
        player.presence = Presence.AWAY if kept.presence is Presence.AWAY else Presence.CUT
        player.held_until = held_until
        seat.player = player
    return seat
