"""Who is at a table: people come and go, are cut off and come back, and the door is opened and closed to others."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from tisch.ports.refusal import Code, Refusal
from tisch.ports.told import event
from tisch.table.changes import Parted, Reply, TurnedOut
from tisch.table.parts import Parts
from tisch.table.seating import MOST_ABSENT, Player, Presence, find_absent, free_seat, is_taken
from tisch.table.sessions import digest_of, new_token, same
from tisch.table.told import (
    AccessChanged,
    Delayed,
    HostChanged,
    PlayerJoined,
    PlayerLeft,
    PlayersSwapped,
    SeatChanged,
    SpectatorJoined,
    SpectatorLeft,
)

#: Why somebody may not watch, or not play now, where hands are open to spectators; the browser knows these, too.
SEES_HANDS: Final = "Somebody plays from your network, and the hands are open to spectators."
HAS_SEEN_HANDS: Final = "The hands of this game were seen from your network."


class Company(Parts):
    """A table with those who are there."""

    # --- people come and go -------------------------------------------------------------------------------------------

    def join(
        self,
        peer: Hashable,
        address: str,
        name: str,
        *,
        session: str | None = None,
        invitation: str = "",
        can_return: bool = True,
        wanted: int | None = None,
    ) -> None:
        """Give a new player a seat.

        :param peer: Their connection.
        :param address: Where they come from.
        :param name: Their name.
        :param session: (Optional) The token that they sent; it takes precedence over the name.
        :param invitation: (Optional) The invitation that they show.
        :param can_return: (Optional) Whether they get a token to come back with.
        :param wanted: (Optional) The seat that they want.
        :raises Refusal: They may not come in, no seat is free for them, or the name is taken.
        """
        self.door.check(name, address, invitation)
        self._check_deal(session)
        self._check_seen(address, session)
        if session and (seat := self.seating.seat_with(digest_of(session))) is not None:
            raise Refusal(Code.ALREADY_ON_TABLE, table_name=self.name, player_index=seat)
        if session and find_absent(self.seating.seats, digest_of(session)):
            self.resume(peer, address, session)
            return
        if is_taken(self.seating.seats, name):
            raise Refusal(Code.NAME_TAKEN, table_name=self.name, player_name=name)
        token = new_token(self.shared.chance, self.id, name) if can_return else None
        player = Player(name, digest_of(token) if token else b"")
        seat = self._free_seat(address, digest_of(session) if session else player.person, wanted)
        self._sit(seat, player, peer, address, token)

    def _check_deal(self, session: str | None) -> None:
        """Refuse somebody new while a deal of a challenge is played: they may have played it before.

        :raises Refusal: It is so.
        """
        if self.challenge and self.is_running and not (session and find_absent(self.seating.seats, digest_of(session))):
            raise Refusal(Code.GAME_ALREADY_STARTED, table_name=self.name)

    def _check_seen(self, address: str, session: str | None) -> None:
        """Refuse a seat in a running game to somebody new from where its hands were seen.

        :raises Refusal: It is so.
        """
        playing = self.going_on
        if (
            playing
            and self.stage.has_seen(playing.id, self.door.network(address))
            and not (session and find_absent(self.seating.seats, digest_of(session)))
        ):
            raise Refusal(Code.INVALID_ACTION, reason=HAS_SEEN_HANDS, action="join")

    def resume(self, peer: Hashable, address: str, token: str) -> None:
        """Give a player their seat again, or another one if it is taken.

        :param peer: Their new connection; an older one ends.
        :param address: Where they come from.
        :param token: The token of their session.
        :raises Refusal: Their session is over, or no seat is free for them.
        """
        session = digest_of(token)
        seat = self.seating.seat_with(session)
        if seat is not None:
            self._reconnect(seat, peer, address, token)
        elif found := find_absent(self.seating.seats, session):
            index, player = found
            self._sit(self._free_seat(address, session, index), player, peer, address, token)
        else:
            raise Refusal(Code.SESSION_EXPIRED)

    def _free_seat(self, address: str, person: bytes, wanted: int | None = None) -> int:
        """Choose a seat: in a running round the one that they have had; or else the wanted one, or beside a partner."""
        seats = self.seating.seats
        index = free_seat(seats, liked=self.seating.partners(self.game.sides(self.options)))
        if index is None:
            raise Refusal(Code.TABLE_FULL, table_name=self.name)
        self._update_visits()
        had = self.seating.visits.had(person, self.door.network(address), self.seating.players())
        if wanted is not None and not seats[wanted].player and (not had or wanted in had):
            return wanted
        if had:
            index = free_seat(seats, had)
        if index is None:
            raise Refusal(Code.SEAT_TAKEN, table_name=self.name, player_index=had[0])
        return index

    def _update_visits(self) -> None:
        """Let the visits be those of the running round; it must happen before anybody comes or leaves."""
        if playing := self.going_on:
            self.seating.visits.go_on(playing.id, playing.state.round_number(), self.seating.players())
        else:
            self.seating.visits.go_on("", 0, ())

    def _sit(self, index: int, player: Player, peer: Hashable, address: str, token: str | None) -> None:
        self._update_visits()
        for seat in self.seating.seats:
            seat.absent = [other for other in seat.absent if other is not player]
        self.seating.seats[index].player = player
        self.was_running = False
        self.shared.sessions.begin(player.session, self.id)
        player.peer, player.address, player.presence = peer, address, Presence.HERE
        player.held_until, player.strikes = None, 0
        player.network = self.door.network(address)
        self.seating.visits.note(index, player)
        if self.seating.host < 0:
            self.seating.host = index
        self.note(PlayerJoined(index, player.name))
        self.make_host(self.seating.relief)
        self.batch.newcomers[peer] = token
        self.clear_stage()
        self.save()
        self.renew(None)

    def _reconnect(self, index: int, peer: Hashable, address: str, token: str) -> None:
        player = self.seating.player(index)
        if player.peer is not None:
            self.tell(player.peer, Parted(4001, "taken over"))
        else:
            self.note(PlayerJoined(index, player.name))
        player.peer, player.address = peer, address
        player.held_until = None
        if not same(player.network, network := self.door.network(address)):
            self._update_visits()
            player.network = network
            self.seating.visits.note(index, player)
            self.clear_stage()
            self.save()
        was = player.presence
        if was is Presence.CUT:
            player.presence = Presence.HERE
        if player.presence is not was:
            self.change_presence(index)
        self.batch.newcomers[peer] = token
        self.renew(None)

    def watch(self, peer: Hashable, address: str, invitation: str) -> None:
        """Add a spectator.

        :param peer: Their connection.
        :param address: Where they come from.
        :param invitation: The invitation that they show.
        :raises Refusal: They may not come in.
        """
        self.door.check("", address, invitation)
        if self.challenge:
            raise Refusal(Code.INVALID_ACTION, reason="Nobody may watch a challenge.", action="watch")
        if self.stage.has_open_hands and self.door.network(address) in self._playing_networks():
            raise Refusal(Code.INVALID_ACTION, reason=SEES_HANDS, action="watch")
        if self.stage.delay:
            self.tell(peer, Reply(Delayed(self.stage.delay)))
        self.seating.watchers[peer] = address
        self.note_watchers()
        self.note(SpectatorJoined(len(self.seating.watchers)))
        self.batch.newcomers[peer] = None

    def _playing_networks(self) -> set[bytes]:
        """Return the digests of the networks of those who play, or may come back in the running game."""
        people = [player for seat in self.seating.seats for player in seat.people]
        return {player.network for player in people if player.network}

    def note_watchers(self) -> None:
        """Note who sees the hands of the game that is going on."""
        if self.playing and self.stage.has_open_hands:
            networks = [self.door.network(address) for address in self.seating.watchers.values()]
            self.stage.note(self.playing.id, networks)
            self.save()

    def clear_stage(self) -> None:
        """Turn spectators out who would see the hands of others while somebody plays beside them."""
        if not self.stage.has_open_hands:
            return
        playing = self._playing_networks()
        for watcher, address in list(self.seating.watchers.items()):
            if self.door.network(address) in playing:
                self.cut(watcher)
                refusal = Refusal(Code.INVALID_ACTION, reason=SEES_HANDS, action="watch")
                self.tell(watcher, TurnedOut(refusal))
        self.note_watchers()

    def stand(self, peer: Hashable) -> None:
        """Remove a player or spectator for good.

        :param peer: The peer.
        """
        index = self.seating.seat_of(peer)
        if index is None:
            self.cut(peer)
        else:
            self.shared.sessions.end(self.seating.player(index).session)
            self.vacate(index, None)

    def cut(self, peer: Hashable) -> None:
        """Note that a connection is cut: a player's seat is held for a while.

        :param peer: The connection.
        """
        if self.seating.watchers.pop(peer, None) is not None:
            self.note(SpectatorLeft(len(self.seating.watchers)))
        index = self.seating.seat_of(peer)
        if index is None:
            return
        player = self.seating.player(index)
        player.peer = None
        player.held_until = self.clock.held_until
        if player.presence is Presence.HERE:
            player.presence = Presence.CUT
            self.change_presence(index)

    def vacate(self, index: int, absent: Player | None) -> None:
        """Give a seat to an agent.

        :param index: The seat.
        :param absent: The player who sat there, if they may come back.
        """
        seating, seat = self.seating, self.seating.seats[index]
        self._update_visits()
        seat.player = None
        if absent:
            seat.absent.append(absent)
            for forgotten in seat.absent[:-MOST_ABSENT]:
                self.shared.sessions.end(forgotten.session)
            del seat.absent[:-MOST_ABSENT]
        if seating.host == index:
            seating.pass_on_host()
        # The name is the one on the seat now, so that clients only need to show it.
        self.note(PlayerLeft(index, seating.names[index], seating.host))
        if self.playing:
            self.playing.withdraw(index)
        self.save()
        self.renew(None)

    def remove(self, index: int) -> None:
        """Remove a player, who stays out.

        :param index: Their seat.
        """
        player = self.seating.player(index)
        peer = player.peer
        others = {
            other.address for _, other in self.seating.players() if other.peer is not None and other is not player
        }
        self.door.remove(player.name, "" if peer is None else player.address, others)
        self.shared.sessions.end(player.session)
        self.vacate(index, None)
        if peer is not None:
            self.tell(peer, TurnedOut(Refusal(Code.REMOVED)))
        self._tell_access()

    def shut(self) -> None:
        """Close the table for good, whoever is there; a game that is going on is dropped with it."""
        for peer in self.seating.peers():
            self.tell(peer, TurnedOut(Refusal(Code.TABLE_CLOSED)))
        self.close()

    def come_back(self, index: int) -> None:
        """Note that a player is active; if an agent played on for them, they decide again.

        :param index: The player's seat.
        """
        player = self.seating.player(index)
        if player.strikes:
            player.strikes = 0
        if player.presence is Presence.AWAY:
            player.presence = Presence.HERE
            self.change_presence(index)
            self.save()
            self.renew(None)

    def change_presence(self, index: int) -> None:
        """Tell that a player's presence has changed.

        :param index: The player's seat.
        """
        player = self.seating.player(index)
        self.note(SeatChanged(index, player.name, "human", player.presence, self.clock.until(player.held_until)))
        self.make_host(self.seating.relief)

    def make_host(self, index: int | None) -> None:
        """Let another player be the host.

        :param index: Their seat; ``None`` if the host stays.
        """
        if index is not None:
            self.seating.host = index
            self.note(HostChanged(index))
            self.save()

    def swap(self, one: int, other: int) -> None:
        """Let two players change seats.

        :param one: The seat of one of them.
        :param other: The other's.
        """
        self.seating.swap(one, other)
        self.note(PlayersSwapped(one, other))
        self.save()

    # --- who may come -------------------------------------------------------------------------------------------------

    def set_private(self, *, is_private: bool) -> None:
        """Admit everybody, or only those who are invited; a private table gets a new invitation.

        :param is_private: Whether only those are admitted.
        :raises Refusal: Another open table has the same name.
        """
        if is_private:
            self.door.renew()
        elif self.door.is_private:
            if self.shared.directory.named(self.name):
                reason = "Another open table has this name."
                raise Refusal(Code.INVALID_ACTION, reason=reason, action="set_access")
            # Strangers may come now: the last game is none of their business.
            self.last_game = self.playing = None
        self.door.is_private = is_private
        self._tell_access()

    def _tell_access(self) -> None:
        """Announce who may come; spectators who may no longer are turned out."""
        self.shared.directory.enter(self.name, self.door)
        told = {seat: {"invitation": self.invitation_for(seat)} for seat, _ in self.seating.players()}
        self.note(event(AccessChanged(self.door.is_private), told))
        for watcher, address in list(self.seating.watchers.items()):
            try:
                self.door.check("", address, "")
            except Refusal as refusal:
                self.cut(watcher)
                self.tell(watcher, TurnedOut(refusal))
        self.save()

    def invitation_for(self, seat: int | None) -> str | None:
        """Return the invitation that a seat may pass on.

        :param seat: The seat; ``None`` for a spectator.
        :result: The invitation; ``None`` for spectators, and at an open table, which needs none.
        """
        return self.door.invitation if self.door.is_private and seat is not None else None
