"""A table: the people and agents on its seats, the game they play, and what has to be committed and told.

A table has no clock of its own, no tasks and no files: each change is noted in its :class:`Batch`, which the table's
mailbox commits to the journal and then tells. The requests of clients stand in ``messages``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tisch.agents import level_of
from tisch.game import Event, Game, Outcome
from tisch.games import reference
from tisch.ports.refusal import Code, Refusal
from tisch.record import Record, changed_options
from tisch.server.net.peer import Notice, Peer
from tisch.server.table.batch import Batch, Start
from tisch.server.table.playing import Playing, Request
from tisch.server.table.seats import (
    AGENT_NAMES,
    HOLD,
    MOST_ABSENT,
    STRIKES,
    Player,
    Presence,
    Seat,
    fewer_seats,
    find_absent,
    free_seat,
    is_taken,
)
from tisch.server.table.services import Services
from tisch.server.table.visits import Visits
from tisch.table.door import Door
from tisch.table.kept import BeginGame, DropTable, EndGame
from tisch.table.sessions import digest_of, new_token, same


class Table:
    """A table.

    :param table_id: Its id in the journal.
    :param name: Its name.
    :param game: The game.
    :param services: The services that all tables share.
    :ivar access: Who may come.
    :ivar options: The game's options.
    :ivar agent: Who plays empty seats: a level, or an agent by name.
    :ivar turn_limit: The time for a decision in seconds; 0 is no limit.
    :ivar host: The host's seat; −1 if there is none.
    :ivar visits: Who has had which seat in the running round, as of the last time that somebody came or left.
    :ivar watchers: The spectators.
    :ivar playing: The game that is going on, or the last one.
    :ivar number: The number of the last event.
    :ivar last_game: The id of the last finished game.
    :ivar pause_until: The end of the pause in which people see what has just happened.
    :ivar was_running: Whether a game was going on when the server stopped, and nobody has come since. Then the table
        also waits for people who come back without a token.
    :ivar closed: Whether the table is closed for good.
    :ivar batch: The changes since the last commit.
    """

    def __init__(self, table_id: str, name: str, game: Game[Any], services: Services) -> None:
        self.id = table_id
        self.name = name
        self.game = game
        self.services = services
        self.door = Door(table_id, services.chance)
        self.options = game.Options()
        self.agent = level_of(game, services.level)
        self.turn_limit = 0
        self.host = -1
        self.visits = Visits()
        self.seats = [Seat() for _ in range(game.seats(self.options))]
        self.watchers: list[Peer] = []
        self.playing: Playing | None = None
        self.number = 0
        self.last_game: str | None = None
        self.pause_until = 0.0
        self.was_running = False
        self.closed = False
        self.batch = Batch()

    def take(self) -> Batch:
        """Take the changes since the last commit.

        :result: The changes, to be committed and then told.
        """
        batch, self.batch = self.batch, Batch()
        return batch

    # --- the people ---------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether a game is going on."""
        return self.playing is not None and self.playing.outcome is None

    @property
    def people(self) -> list[int]:
        """The seats where people decide."""
        return [index for index, seat in enumerate(self.seats) if not seat.played_by_agent]

    @property
    def agents(self) -> list[int]:
        """The seats where agents decide."""
        return [index for index, seat in enumerate(self.seats) if seat.played_by_agent]

    @property
    def names(self) -> list[str]:
        """The name on each seat."""
        return [seat.player.name if seat.player else AGENT_NAMES[index] for index, seat in enumerate(self.seats)]

    @property
    def spectators(self) -> int:
        """The number of spectators."""
        return len(self.watchers)

    @property
    def is_watched(self) -> bool:
        """Whether anybody is there for whom the agents play on."""
        return bool(self.watchers) or any(True for _ in self.players())

    def players(self) -> Iterator[tuple[int, Player]]:
        """Iterate over the people who have a seat.

        :result: Each seat with its player.
        """
        for index, seat in enumerate(self.seats):
            if seat.player:
                yield index, seat.player

    def peers(self) -> list[Peer]:
        """List all connections.

        :result: Those of the players and the spectators.
        """
        return [player.peer for _, player in self.players() if player.peer] + self.watchers

    def seat_of(self, peer: Peer) -> int | None:
        """Find the seat that a peer plays.

        :param peer: The peer.
        :result: The seat; ``None`` for a spectator, or if the peer has no seat any more.
        """
        return next((index for index, player in self.players() if player.peer is peer), None)

    @property
    def held_until(self) -> float:
        """The time until which the seat of a player who is cut off now is held."""
        return self.services.clock.time() + HOLD

    def seconds_until(self, when: float | None) -> float | None:
        """Compute how long it is until a time.

        :param when: The time.
        :result: The seconds, in tenths; ``None`` without a time.
        """
        return None if when is None else round(max(when - self.services.clock.time(), 0.0), 1)

    # --- players come and go ------------------------------------------------------------------------------------------

    def join(self, peer: Peer, name: str, session: str | None, invitation: str = "") -> None:
        """Give a new player a seat.

        :param peer: Their connection.
        :param name: Their name.
        :param session: The token that they sent, if any; it takes precedence over the name.
        :param invitation: (Optional) The invitation that they show.
        :raises Refusal: They may not come in, no seat is free for them, or the name is taken.
        """
        self.door.check(name, peer.address, invitation)
        if session and (seat := self._seat_with(digest_of(session))) is not None:
            raise Refusal(Code.ALREADY_ON_TABLE, table_name=self.name, player_index=seat)
        if session and find_absent(self.seats, digest_of(session)):
            self.resume(peer, session)
            return
        if is_taken(self.seats, name):
            raise Refusal(Code.NAME_TAKEN, table_name=self.name, player_name=name)
        token = new_token(self.services.chance, self.id, name) if peer.can_return else None
        player = Player(name, digest_of(token) if token else b"")
        seat = self._free_seat(peer, digest_of(session) if session else player.person)
        self._sit(seat, player, peer, token)

    def resume(self, peer: Peer, token: str) -> None:
        """Give a player their seat again, or another one if it is taken.

        :param peer: Their new connection; an older one is closed.
        :param token: The token of their session.
        :raises Refusal: Their session is over, or no seat is free for them.
        """
        session = digest_of(token)
        seat = self._seat_with(session)
        if seat is not None:
            self._reconnect(seat, peer, token)
        elif found := find_absent(self.seats, session):
            index, player = found
            self._sit(self._free_seat(peer, session, index), player, peer, token)
        else:
            raise Refusal(Code.SESSION_EXPIRED)

    def _seat_with(self, session: bytes) -> int | None:
        return next((index for index, player in self.players() if same(player.session, session)), None)

    def _free_seat(self, peer: Peer, person: bytes, wanted: int | None = None) -> int:
        """Choose a seat: in a running round the one that they have had, if any; or else the wanted one, or any."""
        index = free_seat(self.seats)
        if index is None:
            raise Refusal(Code.TABLE_FULL, table_name=self.name)
        self._update_visits()
        had = self.visits.had(person, self.door.network(peer.address), self.players())
        if wanted is not None and not self.seats[wanted].player and (not had or wanted in had):
            return wanted
        if had:
            index = free_seat(self.seats, had)
        if index is None:
            raise Refusal(Code.SEAT_TAKEN, table_name=self.name, player_index=had[0])
        return index

    def _update_visits(self) -> None:
        """Let the visits be those of the running round; it must happen before anybody comes or leaves."""
        if self.playing and self.is_running:
            self.visits.go_on(self.playing.id, self.playing.state.round_number(), self.players())
        else:
            self.visits.go_on("", 0, ())

    def _sit(self, index: int, player: Player, peer: Peer, token: str | None) -> None:
        self._update_visits()
        for seat in self.seats:
            seat.absent = [other for other in seat.absent if other is not player]
        self.seats[index].player = player
        self.was_running = False
        self.services.sessions.begin(player.session, self.id)
        player.peer, player.presence, player.held_until, player.strikes = peer, Presence.HERE, None, 0
        player.network = self.door.network(peer.address)
        self.visits.note(index, player)
        if self.host < 0:
            self.host = index
        self.event("player_joined", {"player_index": index, "player_name": player.name})
        self.batch.newcomers[peer] = token
        self.save()
        self.renew(None)

    def _reconnect(self, index: int, peer: Peer, token: str) -> None:
        player = self.seats[index].player
        assert player
        if player.peer:
            player.peer.part(4001, "taken over")
        else:
            self.event("player_joined", {"player_index": index, "player_name": player.name})
        player.peer = peer
        player.held_until = None
        if not same(player.network, network := self.door.network(peer.address)):
            self._update_visits()
            player.network = network
            self.visits.note(index, player)
            self.save()
        was = player.presence
        if was is Presence.CUT:
            player.presence = Presence.HERE
        if player.presence is not was:
            self.tell_presence(index)
        self.batch.newcomers[peer] = token
        self.renew(None)

    def watch(self, peer: Peer, invitation: str = "") -> None:
        """Add a spectator.

        :param peer: Their connection.
        :param invitation: (Optional) The invitation that they show.
        :raises Refusal: They may not come in.
        """
        self.door.check("", peer.address, invitation)
        self.watchers.append(peer)
        self.event("spectator_joined", {"spectators": self.spectators})
        self.batch.newcomers[peer] = None

    def leave(self, peer: Peer) -> None:
        """Remove a player or spectator for good, and close the connection.

        :param peer: The peer.
        """
        self.stand(peer)
        peer.part(1000)

    def stand(self, peer: Peer) -> None:
        """Remove a player or spectator for good.

        :param peer: The peer.
        """
        index = self.seat_of(peer)
        if index is None:
            self.gone(peer)
        elif player := self.seats[index].player:
            self.services.sessions.end(player.session)
            self.vacate(index, None)

    def gone(self, peer: Peer) -> None:
        """Note that a connection is cut: a player's seat is held for a while.

        :param peer: The connection.
        """
        if peer in self.watchers:
            self.watchers.remove(peer)
            self.event("spectator_left", {"spectators": self.spectators})
        index = self.seat_of(peer)
        player = None if index is None else self.seats[index].player
        if index is None or player is None:
            return
        player.peer = None
        player.held_until = self.held_until
        if player.presence is Presence.HERE:
            player.presence = Presence.CUT
            self.tell_presence(index)

    def vacate(self, index: int, absent: Player | None) -> None:
        """Give a seat to an agent.

        :param index: The seat.
        :param absent: The player who sat there, if they may come back.
        """
        seat = self.seats[index]
        self._update_visits()
        seat.player = None
        if absent:
            seat.absent.append(absent)
            for forgotten in seat.absent[:-MOST_ABSENT]:
                self.services.sessions.end(forgotten.session)
            del seat.absent[:-MOST_ABSENT]
        if self.host == index:
            here = [other for other, each in self.players() if each.peer] or [other for other, _ in self.players()]
            self.host = here[0] if here else -1
        # The name is the one on the seat now, so that clients only need to show it.
        self.event("player_left", {"player_index": index, "player_name": self.names[index], "host_index": self.host})
        if self.playing:
            self.playing.withdraw(index)
        self.save()
        self.renew(None)

    def remove(self, index: int) -> None:
        """Remove a player, who stays out.

        :param index: Their seat.
        """
        player = self.seats[index].player
        assert player
        peer = player.peer
        others = {other.peer.address for _, other in self.players() if other.peer and other is not player}
        self.door.remove(player.name, peer.address if peer else "", others)
        self.services.sessions.end(player.session)
        self.vacate(index, None)
        if peer:
            self.reply(lambda: peer.turn_out(Refusal(Code.REMOVED)))
        self._tell_access()

    def set_private(self, *, is_private: bool) -> None:
        """Admit everybody, or only those who are invited; a private table gets a new invitation.

        :param is_private: Whether only those are admitted.
        :raises Refusal: Another open table has the same name.
        """
        directory = self.services.directory
        if is_private:
            self.door.renew()
        elif self.door.is_private:
            if directory.named(self.name):
                reason = "Another open table has this name."
                raise Refusal(Code.INVALID_ACTION, reason=reason, action="set_access")
            # Strangers may come now: the last game is none of their business.
            self.last_game = self.playing = None
        self.door.is_private = is_private
        self._tell_access()

    def _tell_access(self) -> None:
        """Announce who may come; spectators who may no longer are turned out."""
        self.services.directory.enter(self.name, self.door)
        told = {seat: {"invitation": self.invitation_for(seat)} for seat, _ in self.players()}
        self.listen(Event("access_changed", {"is_private": self.door.is_private}, told))
        for watcher in list(self.watchers):
            try:
                self.door.check("", watcher.address, "")
            except Refusal as refusal:
                self.gone(watcher)
                self.reply(partial(watcher.turn_out, refusal))
        self.save()

    def invitation_for(self, seat: int | None) -> str | None:
        """Return the invitation that a seat may pass on.

        :param seat: The seat; ``None`` for a spectator.
        :result: The invitation; ``None`` for spectators, and at an open table, which needs none.
        """
        return self.door.invitation if self.door.is_private and seat is not None else None

    def come_back(self, index: int) -> None:
        """Note that a player is active; if an agent played on for them, they decide again.

        :param index: The player's seat.
        """
        player = self.seats[index].player
        if player is None:
            return
        player.strikes = 0
        if player.presence is Presence.AWAY:
            player.presence = Presence.HERE
            self.tell_presence(index)
            self.save()
            self.renew(None)

    def tell_presence(self, index: int) -> None:
        """Announce a player's presence.

        :param index: The player's seat.
        """
        player = self.seats[index].player
        assert player
        told = {"player_index": index, "player_name": player.name, "kind": "human", "presence": player.presence}
        self.event("seat_changed", {**told, "held_for": self.seconds_until(player.held_until)})

    def set_options(self, options: Any) -> None:
        """Change the game's options; everybody keeps a seat, and the host stays the host.

        :param options: The options.
        :raises ValueError: There are not enough seats then.
        """
        count = self.game.seats(options)
        if sum(1 for _ in self.players()) > count:
            raise ValueError(f"There are more people at the table than the {count} seats.")
        host = self.seats[self.host].player
        seats = [*fewer_seats(self.seats, count), *(Seat() for _ in range(count - len(self.seats)))]
        if count != len(self.seats):
            # The last game has no view for seats that it did not have.
            self.playing = None
        self.options, self.seats = options, seats
        self.host = next((index for index, player in self.players() if player is host), -1)

    def configure(self, agent: str | None, turn_limit: int | None) -> None:
        """Change the table's own options.

        :param agent: Who plays empty seats, a level or an agent by name; ``None`` keeps it.
        :param turn_limit: The time for a decision in seconds; ``None`` keeps it.
        """
        self.agent = self.agent if agent is None else agent
        self.turn_limit = self.turn_limit if turn_limit is None else turn_limit

    def swap(self, one: int, other: int) -> None:
        """Let two players change seats.

        :param one: The seat of one of them.
        :param other: The other's.
        """
        self.seats[one], self.seats[other] = self.seats[other], self.seats[one]
        self.event("players_swapped", {"player_index_1": one, "player_index_2": other})
        self.save()

    # --- the game -----------------------------------------------------------------------------------------------------

    def start(self, peer: Peer, seed: int | None = None) -> None:
        """Note that a game begins; the mailbox sets it up, which takes long in some games.

        :param peer: The connection that gets the error if there is no game with the chosen options.
        :param seed: (Optional) The game's seed; by default nobody can know it.
        """
        chance = self.services.chance
        chosen = chance.seed("game", self.id) if seed is None else seed
        record = Record(reference(self.game), changed_options(self.options), chosen, [])
        self.batch.start = Start(peer, chance.token(9, "id", self.id), record)

    def begin(self, playing: Playing, opening: Sequence[Event]) -> None:
        """Begin a game that has been set up.

        :param playing: The game.
        :param opening: What happened while it was set up.
        """
        self.playing = playing
        self.event("game_started", {})
        for event in opening:
            self.listen(event)
        playing.state.listener = self.listen
        self.batch.changes.append(BeginGame(playing.id, self.id, playing.record, time.time()))
        self._pause()
        self.save()
        self.renew(None)

    def act(self, index: int, moves: Sequence[Any], *, answers: bool = False) -> None:
        """Make a seat's moves, all or none.

        :param index: The seat.
        :param moves: The moves.
        :param answers: (Optional) Whether they answer the open request.
        :raises Refusal: A move is not legal.
        """
        playing = self.playing
        assert playing
        before = self.number
        self.batch.changes += playing.make(index, moves, is_alone=self.is_alone(index))
        self.batch.moves += len(moves)
        if answers:
            del playing.requests[index]
        if self.number > before and not playing.is_shared:
            self._pause()
        self.renew(index)
        if playing.outcome:
            self._end(playing)

    def is_alone(self, index: int) -> bool:
        """Return whether a seat's player is the only person who plays: all others are agents.

        :param index: The seat.
        :result: Whether it is so.
        """
        return [seat for seat, _ in self.players()] == [index]

    def may_undo(self, index: int) -> bool:
        """Return whether a player may undo their last moves.

        :param index: The player's seat.
        :result: Whether they may.
        """
        return self.is_running and self.playing is not None and self.is_alone(index) and self.playing.may_undo

    def undo(self, index: int) -> None:
        """Undo a player's last moves.

        :param index: The player's seat.
        :raises Refusal: Others play along, or there is nothing to undo.
        """
        playing = self.playing
        if playing is None or not self.may_undo(index):
            raise Refusal(Code.INVALID_ACTION, reason="There is nothing to undo.", action="undo")
        self.batch.changes += playing.undo()
        self.batch.moves += 1
        self.event("undone", {"player_index": index})
        self.renew(index)

    def _end(self, playing: Playing) -> None:
        outcome = playing.outcome
        assert outcome
        self.batch.changes.append(self.ending(playing, outcome, outcome.reason))
        self.last_game = playing.id
        told = {"points": outcome.points, "payoff": outcome.payoff, "reason": outcome.reason, "game_id": playing.id}
        told["seed"] = str(playing.record.seed)
        self.event("game_over", {**told, **playing.speech.result(playing.state)})
        self.save()

    def ending(self, playing: Playing, outcome: Outcome | None, reason: str) -> EndGame:
        """Describe how a game ended.

        :param playing: The game.
        :param outcome: Its outcome; ``None`` if it is broken off.
        :param reason: One line of English: why it is over.
        :result: The change for the journal.
        """
        transcript = str(playing.transcript(self.names, outcome))
        points = outcome.points if outcome else None
        # A table is opened only between games: a game is private if the table is at its end.
        private = self.door.is_private
        return EndGame(playing.id, transcript, time.time(), self.names, points, reason, is_private=private)

    def renew(self, mover: int | None) -> None:
        """Bring the requests up to date.

        :param mover: The seat that has just moved, if any.
        """
        if not self.playing:
            return
        deadline = self.services.clock.time() + self.turn_limit if self.turn_limit else None
        for request in self.playing.renew(self.people, mover, deadline):
            self.batch.opened[request.seat] = request

    def time_out(self, request: Request) -> None:
        """Make the safest move for a player whose time is over.

        :param request: The request that was not answered.
        """
        playing, player = self.playing, self.seats[request.seat].player
        assert playing
        assert player
        late = Refusal(Code.ACTION_TIMEOUT, timeout=self.turn_limit, action=request.action)
        if peer := player.peer:
            self.reply(lambda: peer.refuse(late))
        player.strikes += 1
        if player.strikes >= STRIKES and player.presence is Presence.HERE:
            player.presence = Presence.AWAY
            self.tell_presence(request.seat)
            self.save()
        playing.withdraw(request.seat)
        self.act(request.seat, playing.safest(request.seat))

    def _pause(self) -> None:
        """Start the pause in which people see what has just happened."""
        self.pause_until = self.services.clock.time() + self.services.pause

    # --- what is committed and told -----------------------------------------------------------------------------------

    def listen(self, event: Event) -> None:
        """Note an event of the game or the table; clients get it after it is committed.

        :param event: The event.
        """
        self.number += 1
        self.batch.notices.append(Notice(self.number, event))

    def event(self, name: str, context: Mapping[str, Any]) -> None:
        """Note an event of the table.

        :param name: Its name.
        :param context: Its fields.
        """
        self.listen(Event(name, context))

    def reply(self, answer: Callable[[], None]) -> None:
        """Answer one peer after the changes are committed.

        :param answer: Sends the answer.
        """
        self.batch.replies.append(answer)

    def ask_hint(self, peer: Peer, seat: int, language: str) -> None:
        """Ask the strongest agent for a hint.

        :param peer: The player's connection.
        :param seat: The player's seat.
        :param language: The language of the reason.
        """
        self.batch.hints.append((peer, seat, language))

    def save(self) -> None:
        """Write the table's snapshot with the next commit."""
        self.batch.save = True

    def close(self) -> None:
        """Close the table for good."""
        self.batch.changes = [DropTable(self.id)]
        self.batch.save = False
        self.end()

    def end(self) -> None:
        """End the table: nobody can come back to it."""
        self.closed = True
        self.services.sessions.end_all(self.id)
