"""What can happen at a table: people come and go, games begin and end, moves are made, and time runs out.

Each deed changes the table at once and notes in its batch what has to be committed and told.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tisch.agents import level_of
from tisch.game import Event, Game, Outcome
from tisch.games import reference
from tisch.ports.refusal import Code, Refusal
from tisch.record import Record, changed_options
from tisch.table.agents import Agents
from tisch.table.changes import Batch, Notice, Parted, Start, Telling, TurnedOut, Warned
from tisch.table.clock import Clock
from tisch.table.door import Door
from tisch.table.hints import Hints
from tisch.table.kept import BeginGame, DropTable, EndGame
from tisch.table.play import Playing, Request
from tisch.table.seating import (
    MOST_ABSENT,
    STRIKES,
    Player,
    Presence,
    Seating,
    find_absent,
    free_seat,
    is_taken,
)
from tisch.table.sessions import digest_of, new_token, same
from tisch.table.shared import Shared


class Deeds:
    """The parts of a table, and what can happen to them.

    :param table_id: Its id in the journal.
    :param name: Its name.
    :param game: The game.
    :param shared: What all tables share.
    :param now: The time.
    :ivar seating: Who sits where.
    :ivar door: Who may come.
    :ivar playing: The game that is going on, or the last one.
    :ivar clock: What time is allowed.
    :ivar agents: Who thinks for empty seats.
    :ivar hints: The hints for people.
    :ivar options: The game's options.
    :ivar number: The number of the last event.
    :ivar last_game: The id of the last finished game.
    :ivar was_running: Whether a game was going on when the server stopped, and nobody has come since. Then the table
        also waits for people who come back without a token.
    :ivar closed: Whether the table is closed for good.
    :ivar batch: The changes since the last commit.
    """

    def __init__(self, table_id: str, name: str, game: Game[Any], shared: Shared, now: float) -> None:
        self.id = table_id
        self.name = name
        self.game = game
        self.shared = shared
        self.options = game.Options()
        self.seating = Seating(game.seats(self.options))
        self.door = Door(table_id, shared.chance)
        self.clock = Clock(shared.pause, now)
        self.agents = Agents(self.seating, level_of(game, shared.level))
        self.hints = Hints(shared.hints)
        self.playing: Playing | None = None
        self.number = 0
        self.last_game: str | None = None
        self.was_running = False
        self.closed = False
        self.batch = Batch()

    @property
    def is_running(self) -> bool:
        """Whether a game is going on."""
        return self.playing is not None and not self.playing.is_over

    @property
    def going_on(self) -> Playing | None:
        """The game that is going on, if there is one."""
        return self.playing if self.is_running else None

    @property
    def has_just_begun(self) -> bool:
        """Whether a game is going on in which no person has moved yet."""
        playing, people = self.going_on, self.seating.by_people
        return playing is not None and not any(seat in people for seat, _ in playing.moves)

    @property
    def closing_time(self) -> float:
        """When the table is closed if nobody comes."""
        return self.clock.closing_time(self.seating, is_running=self.is_running, is_expected=self.was_running)

    def is_over(self, now: float) -> bool:
        """Return whether nobody is here, and nobody is to be waited for any longer.

        :param now: The time.
        :result: Whether it is so.
        """
        return not self.seating.is_watched and now >= self.closing_time

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
        self.event("player_joined", {"player_index": index, "player_name": player.name})
        self.make_host(self.seating.relief)
        self.batch.newcomers[peer] = token
        self.save()
        self.renew(None)

    def _reconnect(self, index: int, peer: Hashable, address: str, token: str) -> None:
        player = self.seating.player(index)
        if player.peer is not None:
            self.tell(player.peer, Parted(4001, "taken over"))
        else:
            self.event("player_joined", {"player_index": index, "player_name": player.name})
        player.peer, player.address = peer, address
        player.held_until = None
        if not same(player.network, network := self.door.network(address)):
            self._update_visits()
            player.network = network
            self.seating.visits.note(index, player)
            self.save()
        was = player.presence
        if was is Presence.CUT:
            player.presence = Presence.HERE
        if player.presence is not was:
            self._change_presence(index)
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
        self.seating.watchers[peer] = address
        self.event("spectator_joined", {"spectators": len(self.seating.watchers)})
        self.batch.newcomers[peer] = None

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
            self.event("spectator_left", {"spectators": len(self.seating.watchers)})
        index = self.seating.seat_of(peer)
        if index is None:
            return
        player = self.seating.player(index)
        player.peer = None
        player.held_until = self.clock.held_until
        if player.presence is Presence.HERE:
            player.presence = Presence.CUT
            self._change_presence(index)

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
        told = {"player_index": index, "player_name": seating.names[index], "host_index": seating.host}
        self.event("player_left", told)
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

    def come_back(self, index: int) -> None:
        """Note that a player is active; if an agent played on for them, they decide again.

        :param index: The player's seat.
        """
        player = self.seating.player(index)
        if player.strikes:
            player.strikes = 0
        if player.presence is Presence.AWAY:
            player.presence = Presence.HERE
            self._change_presence(index)
            self.save()
            self.renew(None)

    def _change_presence(self, index: int) -> None:
        player = self.seating.player(index)
        told = {"player_index": index, "player_name": player.name, "kind": "human", "presence": player.presence}
        self.event("seat_changed", {**told, "held_for": self.clock.until(player.held_until)})
        self.make_host(self.seating.relief)

    def make_host(self, index: int | None) -> None:
        """Let another player be the host.

        :param index: Their seat; ``None`` if the host stays.
        """
        if index is not None:
            self.seating.host = index
            self.event("host_changed", {"host_index": index})
            self.save()

    def swap(self, one: int, other: int) -> None:
        """Let two players change seats.

        :param one: The seat of one of them.
        :param other: The other's.
        """
        self.seating.swap(one, other)
        self.event("players_swapped", {"player_index_1": one, "player_index_2": other})
        self.save()

    # --- who may come, and how the table plays ------------------------------------------------------------------------

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
        self._note(Event("access_changed", {"is_private": self.door.is_private}, told))
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

    def set_options(self, options: Any) -> None:
        """Change the game's options; everybody keeps a seat, and the host stays the host.

        :param options: The options.
        :raises ValueError: There are not enough seats then.
        """
        before, count = len(self.seating.seats), self.game.seats(options)
        self.seating.resize(count)
        if count != before:
            # The last game has no view for seats that it did not have.
            self.playing = None
        self.options = options

    def configure(self, agent: str | None, turn_limit: int | None) -> None:
        """Change the table's own options.

        :param agent: Who plays empty seats, a level or an agent by name; ``None`` keeps it.
        :param turn_limit: The time for a decision in seconds; ``None`` keeps it.
        """
        if agent is not None:
            self.agents.choice = agent
        if turn_limit is not None:
            self.clock.turn_limit = turn_limit

    # --- the game -----------------------------------------------------------------------------------------------------

    def start(self, peer: Hashable, seed: int | None = None) -> None:
        """Ask for a game to be set up, which takes long in some games.

        :param peer: The player's connection, which gets the error if there is no game with the chosen options.
        :param seed: (Optional) The game's seed; by default nobody can know it.
        """
        seat = self.seating.seat_of(peer)
        assert seat is not None
        chance = self.shared.chance
        chosen = chance.seed("game", self.id) if seed is None else seed
        record = Record(reference(self.game), changed_options(self.options), chosen, [])
        # Where many requests are answered in a millisecond, the last game is ahead of the time.
        number = max(int(self.shared.date() * 1000), self.playing.count if self.playing else 0)
        address = self.seating.player(seat).address
        self.batch.start = Start(peer, address, chance.token(9, "id", self.id), record, number)

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
        self.batch.commit.append(BeginGame(playing.id, self.id, playing.record, self.shared.date()))
        self.clock.begin_pause()
        self.save()
        self.renew(None)

    def act(self, index: int, moves: Sequence[Any], action: str = "move", *, answers: bool = False) -> None:
        """Make a seat's moves, all or none.

        :param index: The seat.
        :param moves: The moves.
        :param action: (Optional) The player's name for them.
        :param answers: (Optional) Whether they answer the open request.
        :raises Refusal: A move is not legal.
        """
        playing = self.playing
        assert playing
        before = self.number
        self.batch.commit += playing.make(index, moves, action=action, is_alone=self.seating.is_alone(index))
        self.batch.moves += len(moves)
        if answers:
            del playing.requests[index]
        if self.number > before and not playing.is_shared:
            self.clock.begin_pause()
        self.renew(index)
        if playing.is_over:
            self._end_game(playing)

    def may_undo(self, index: int) -> bool:
        """Return whether a player may undo their last moves.

        :param index: The player's seat.
        :result: Whether they may.
        """
        playing = self.going_on
        return playing is not None and playing.may_undo and self.seating.is_alone(index)

    def undo(self, index: int) -> None:
        """Undo a player's last moves.

        :param index: The player's seat.
        :raises Refusal: Others play along, or there is nothing to undo.
        """
        playing = self.playing
        if playing is None or not self.may_undo(index):
            raise Refusal(Code.INVALID_ACTION, reason="There is nothing to undo.", action="undo")
        self.batch.commit += playing.undo()
        self.batch.moves += 1
        self.event("undone", {"player_index": index})
        self.renew(index)

    def _end_game(self, playing: Playing) -> None:
        outcome = playing.outcome
        assert outcome
        self.batch.commit.append(self.ending(playing, outcome, outcome.reason))
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
        names = self.seating.names
        transcript = str(playing.transcript(names, outcome))
        points = outcome.points if outcome else None
        # A table is opened only between games: a game is private if the table is at its end.
        private = self.door.is_private
        return EndGame(playing.id, transcript, self.shared.date(), names, points, reason, is_private=private)

    def renew(self, mover: int | None) -> None:
        """Bring the requests up to date.

        :param mover: The seat that has just moved, if any.
        """
        if self.playing:
            for request in self.playing.renew(self.seating.by_people, mover, self.clock.deadline):
                self.batch.opened[request.seat] = request

    # --- time passes --------------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Do what is due."""
        clock = self.clock
        for index, player in self.seating.players():
            if player.held_until is not None and player.held_until <= clock.now:
                self.vacate(index, player)
        if playing := self.going_on:
            for request in list(playing.requests.values()):
                if request.deadline is not None and request.deadline <= clock.now:
                    self._time_out(playing, request)
                    return
            self._proceed(playing)
        if self.is_over(clock.now):
            self.close()

    def _proceed(self, playing: Playing) -> None:
        """Make the next moves that no person decides, agents' and those without a choice, up to the next pause."""
        while self.seating.is_watched and self.is_running and self.clock.is_pause_over:
            plan = self.agents.plan(playing)
            if not self.agents.may_proceed(playing):
                return
            seat, text = plan[0]
            self.act(seat, [self.game.parse(text)])

    def _time_out(self, playing: Playing, request: Request) -> None:
        """Make the safest move for a player whose time is over."""
        player = self.seating.player(request.seat)
        late = Refusal(Code.ACTION_TIMEOUT, timeout=self.clock.turn_limit, action=request.action)
        if player.peer is not None:
            self.tell(player.peer, Warned(late))
        player.strikes += 1
        if player.strikes >= STRIKES and player.presence is Presence.HERE:
            player.presence = Presence.AWAY
            self._change_presence(request.seat)
            self.save()
        playing.withdraw(request.seat)
        self.act(request.seat, playing.safest(request.seat))

    # --- what is committed and told -----------------------------------------------------------------------------------

    def listen(self, event: Event) -> None:
        """Note an event of the game; clients get it after it is committed.

        :param event: The event.
        """
        self.number += 1
        self.batch.notices.append(Notice(self.number, event, is_of_game=True))

    def _note(self, event: Event) -> None:
        self.number += 1
        self.batch.notices.append(Notice(self.number, event, is_of_game=False))

    def event(self, name: str, context: Mapping[str, Any]) -> None:
        """Note an event of the table.

        :param name: Its name.
        :param context: Its fields.
        """
        self._note(Event(name, context))

    def tell(self, peer: Hashable, telling: Telling) -> None:
        """Tell one peer something after the changes are committed.

        :param peer: The peer.
        :param telling: What it is told.
        """
        self.batch.replies.append((peer, telling))

    def save(self) -> None:
        """Write the table's snapshot with the next commit."""
        self.batch.save = True

    def close(self) -> None:
        """Close the table for good; a game that is going on is dropped with it."""
        self.batch.commit = [DropTable(self.id)]
        self.batch.save = False
        self.end()

    def end(self) -> None:
        """End the table: nobody can come back to it."""
        self.closed = True
        self.shared.sessions.end_all(self.id)
