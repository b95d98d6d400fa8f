"""A table: the people and agents on its seats, the game they play, and what each of them is told.

Each job of its mailbox is worked off in three steps: it changes the table, what changed is committed to the journal,
and only then everybody is told. The rules never wait; the table does. What clients may ask for stands in ``messages``.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from tisch.agents import agents_of, strongest
from tisch.game import Event, Game, Outcome
from tisch.games import find, reference
from tisch.ports.refusal import Code, Refusal
from tisch.record import Record, changed_options, options_of
from tisch.server.agents.decisions import Decisions
from tisch.server.net.peer import News, Notice, Peer
from tisch.server.store import snapshot
from tisch.server.store.journal import BeginGame, Change, DropTable, EndGame, JournalError, SaveTable, StoredTable
from tisch.server.table import shown
from tisch.server.table.deadlines import Deadlines
from tisch.server.table.mailbox import Mailbox
from tisch.server.table.playing import Playing, Request
from tisch.server.table.seats import (
    AGENT_NAMES,
    MOST_ABSENT,
    Player,
    Presence,
    Seat,
    fewer_seats,
    find_absent,
    free_seat,
    is_taken,
)
from tisch.server.table.services import Services
from tisch.server.table.sessions import digest_of, new_token, same

#: How long what somebody did may wait for what agents do next, so that one commit keeps both, in seconds.
THOUGHT: Final = 0.03
#: How long nothing may have been written for that, in seconds.
QUIET: Final = 0.1

log = logging.getLogger(__name__)


class Table(Mailbox):
    """A table.

    :param table_id: Its id in the journal.
    :param name: Its name.
    :param game: What is played.
    :param services: What all tables share.
    :param on_close: Called when the table is closed for good.
    :ivar options: The game's options.
    :ivar agent: Which agent plays the seats where nobody sits.
    :ivar turn_limit: How many seconds there are for a decision; 0 is no limit.
    :ivar host: The host's seat; −1 if nobody is here.
    :ivar watchers: The spectators.
    :ivar playing: The game that is going on, or the last one.
    :ivar number: The number of the last event.
    :ivar last_game: The id of the last finished game.
    :ivar thinking: What its agents are thinking about.
    :ivar pace: What happens by itself, and when.
    """

    def __init__(
        self, table_id: str, name: str, game: Game[Any], services: Services, on_close: Callable[[Table], None]
    ) -> None:
        super().__init__(f"table {table_id}")
        self.id = table_id
        self.name = name
        self.game = game
        self.services = services
        self.options = game.Options()
        self.agent = strongest(game)
        self.turn_limit = 0
        self.host = -1
        self.seats = [Seat() for _ in range(game.seats(self.options))]
        self.watchers: list[Peer] = []
        self.playing: Playing | None = None
        self.number = 0
        self.last_game: str | None = None
        self._on_close = on_close
        self._changes: list[Change] = []
        self._notices: list[Notice] = []
        self._opened: dict[int, Request] = {}
        self._letters: list[Callable[[], None]] = []
        self._newcomers: dict[Peer, str | None] = {}
        self._arrivals: list[float] = []
        self._public: dict[str, Any] | None = None
        self._must_save = False
        self._has_moved = False
        self._waits_until: float | None = None
        self.decisions = Decisions(self)
        self.deadlines = Deadlines(self)

    @classmethod
    def restored(cls, stored: StoredTable, services: Services, on_close: Callable[[Table], None]) -> Table:
        """Bring a table back as it was when the server stopped; everybody is cut off, open decisions have full time.

        :param stored: What the journal kept.
        :param services: What all tables share.
        :param on_close: Called when the table is closed for good.
        :result: The table.
        :raises ValueError: It cannot be brought back.
        """
        kept = snapshot.read(stored.snapshot)
        game = find(kept.game)
        options = options_of(game, kept.options)
        playing = None
        if stored.game:
            playing = Playing(stored.game.id, stored.game.record)
        table = cls(stored.id, kept.name, game, services, on_close)
        if playing:
            # What happened before the stop is told to nobody again, what happens from now on to everybody.
            playing.state.listener = table._listen
            table.deadlines.was_running = True
        table.options, table.turn_limit = options, kept.turn_limit
        table.agent = kept.agent if kept.agent in agents_of(game) else strongest(game)
        table.host, table.last_game, table.playing = kept.host, kept.last_game, playing
        table.seats = [snapshot.seat_of(seat, table.deadlines.held_until) for seat in kept.seats]
        for seat in table.seats:
            for player in seat.people:
                services.sessions.begin(player.session, table)
        if not 0 <= table.host < len(table.seats) or not table.seats[table.host].player:
            table.host = next((index for index, _ in table.players()), -1)
        table.post(lambda: table.renew(None))
        return table

    # --- who is here --------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Is a game going on?"""
        return self.playing is not None and self.playing.outcome is None

    @property
    def people(self) -> list[int]:
        """The seats where humans decide."""
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
        """How many watch."""
        return len(self.watchers)

    @property
    def is_watched(self) -> bool:
        """Is there anybody for whom the agents should play on?"""
        return bool(self.watchers) or any(True for _ in self.players())

    def players(self) -> Iterator[tuple[int, Player]]:
        """List the humans who have a seat.

        :result: The seats and who sits there.
        """
        for index, seat in enumerate(self.seats):
            if seat.player:
                yield index, seat.player

    def peers(self) -> list[Peer]:
        """List everybody who is connected.

        :result: Their connections.
        """
        return [player.peer for _, player in self.players() if player.peer] + self.watchers

    def seat_of(self, player: Player | None) -> int | None:
        """Find a player's seat.

        :param player: The player.
        :result: His seat; ``None`` if he has none any more.
        """
        return next((index for index, other in self.players() if other is player), None)

    # --- sitting down and getting up ----------------------------------------------------------------------------------

    def join(self, peer: Peer, name: str, session: str | None) -> None:
        """Give a newcomer a seat.

        :param peer: Their connection.
        :param name: Their name.
        :param session: The token that they sent along, if any; it counts more than the name.
        :raises Refusal: There is no seat for them, or they may not have this name.
        """
        if session and (seat := self._seat_with(digest_of(session))) is not None:
            raise Refusal(Code.ALREADY_ON_TABLE, table_name=self.name, player_index=seat)
        if session and find_absent(self.seats, digest_of(session)):
            self.resume(peer, session)
            return
        if is_taken(self.seats, name):
            raise Refusal(Code.NAME_TAKEN, table_name=self.name, player_name=name)
        token = new_token() if peer.can_return else None
        self._sit(self._free_seat(), Player(name, digest_of(token) if token else b""), peer, token)

    def resume(self, peer: Peer, token: str) -> None:
        """Give a player their seat again, or another one if somebody else sits there now.

        :param peer: Their new connection; an older one is closed.
        :param token: The token of their session.
        :raises Refusal: Their session is over, or people sit on all seats.
        """
        session = digest_of(token)
        seat = self._seat_with(session)
        if seat is not None:
            self._reconnect(seat, peer, token)
        elif found := find_absent(self.seats, session):
            index, player = found
            self._sit(self._free_seat() if self.seats[index].player else index, player, peer, token)
        else:
            raise Refusal(Code.SESSION_EXPIRED)

    def _seat_with(self, session: bytes) -> int | None:
        return next((index for index, player in self.players() if same(player.session, session)), None)

    def _free_seat(self) -> int:
        index = free_seat(self.seats)
        if index is None:
            raise Refusal(Code.TABLE_FULL, table_name=self.name)
        return index

    def _sit(self, index: int, player: Player, peer: Peer, token: str | None) -> None:
        for seat in self.seats:
            seat.absent = [other for other in seat.absent if other is not player]
        self.seats[index].player = player
        self.deadlines.was_running = False
        self.services.sessions.begin(player.session, self)
        peer.table, peer.player = self, player
        player.peer, player.presence, player.held_until, player.strikes = peer, Presence.HERE, None, 0
        if self.host < 0:
            self.host = index
        self.event("player_joined", {"player_index": index, "player_name": player.name})
        self._newcomers[peer] = token
        self.save()
        self.renew(None)

    def _reconnect(self, index: int, peer: Peer, token: str) -> None:
        player = self.seats[index].player
        assert player
        if player.peer:
            player.peer.player = None
            player.peer.part(4001, "taken over")
        else:
            self.event("player_joined", {"player_index": index, "player_name": player.name})
        peer.table, peer.player, player.peer = self, player, peer
        player.held_until = None
        was = player.presence
        if was is Presence.CUT:
            player.presence = Presence.HERE
        if player.presence is not was:
            self.tell_presence(index)
        self._newcomers[peer] = token
        self.renew(None)

    def watch(self, peer: Peer) -> None:
        """Let somebody watch.

        :param peer: His connection.
        """
        peer.table, peer.is_spectator = self, True
        self.watchers.append(peer)
        self.event("spectator_joined", {"spectators": self.spectators})
        self._newcomers[peer] = None

    def leave(self, peer: Peer) -> None:
        """Let somebody go for good.

        :param peer: Who goes.
        """
        self.stand(peer)
        peer.part(1000)

    def stand(self, peer: Peer) -> None:
        """Take somebody's seat from him for good.

        :param peer: Whose.
        """
        if peer.is_spectator:
            self.gone(peer)
        elif peer.player and (index := self.seat_of(peer.player)) is not None:
            self.services.sessions.end(peer.player.session)
            peer.player.peer = None
            peer.player = None
            self.vacate(index, None)

    def gone(self, peer: Peer) -> None:
        """Notice that a connection is cut: a player's seat is held for a while.

        :param peer: The connection.
        """
        if peer in self.watchers:
            self.watchers.remove(peer)
            self.event("spectator_left", {"spectators": self.spectators})
        player = peer.player
        index = self.seat_of(player)
        if player is None or index is None or player.peer is not peer:
            return
        player.peer = None
        player.held_until = self.deadlines.held_until
        if player.presence is Presence.HERE:
            player.presence = Presence.CUT
            self.tell_presence(index)

    def vacate(self, index: int, absent: Player | None) -> None:
        """Let an agent take a seat.

        :param index: The seat.
        :param absent: Who sat there, if they may come back.
        """
        seat = self.seats[index]
        seat.player = None
        if absent:
            seat.absent.append(absent)
            for forgotten in seat.absent[:-MOST_ABSENT]:
                self.services.sessions.end(forgotten.session)
            del seat.absent[:-MOST_ABSENT]
        if self.host == index:
            here = [other for other, each in self.players() if each.peer] or [other for other, _ in self.players()]
            self.host = here[0] if here else -1
        # The name is that of who sits there now, so that clients need only put it in its place.
        self.event("player_left", {"player_index": index, "player_name": self.names[index], "host_index": self.host})
        if self.playing:
            self.playing.withdraw(index)
        self.save()
        self.renew(None)

    def come_back(self, index: int) -> None:
        """Note that a player is awake; if the agent played on for him, he decides again.

        :param index: His seat.
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
        """Tell everybody where a player is now.

        :param index: His seat.
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

    # --- the game -----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin a game."""
        if self.playing:
            self.services.pool.forget(self.playing.id)
        game_id = secrets.token_urlsafe(9)
        record = Record(reference(self.game), changed_options(self.options), secrets.randbits(64), [])
        self.event("game_started", {})
        self.playing = Playing(game_id, record, self._listen)
        self._changes.append(BeginGame(game_id, self.id, record, time.time()))
        self.deadlines.pause()
        self.save()
        self.renew(None)

    def act(self, index: int, moves: Sequence[Any], *, answers: bool = False) -> None:
        """Make a seat's moves, all or none.

        :param index: The seat.
        :param moves: The moves.
        :param answers: (Optional) Do they answer what the seat was asked?
        :raises Refusal: They are not legal.
        """
        playing = self.playing
        assert playing
        before = self.number
        self._changes += playing.make(index, moves)
        self._has_moved = True
        if answers:
            del playing.requests[index]
        self.services.metrics.moves.inc(len(moves))
        if self.number > before and not playing.is_shared:
            self.deadlines.pause()
        self.renew(index)
        if playing.outcome:
            self._end(playing)

    def _end(self, playing: Playing) -> None:
        outcome = playing.outcome
        assert outcome
        self._changes.append(self._ending(playing, outcome, outcome.reason))
        self.last_game = playing.id
        told = {"points": outcome.points, "payoff": outcome.payoff, "reason": outcome.reason, "game_id": playing.id}
        self.event("game_over", {**told, **playing.speech.result(playing.state)})
        self.services.pool.forget(playing.id)
        self.save()

    def _ending(self, playing: Playing, outcome: Outcome | None, reason: str) -> EndGame:
        transcript = str(playing.transcript(self.names, outcome))
        points = outcome.points if outcome else None
        return EndGame(playing.id, transcript, time.time(), self.names, points, reason)

    def renew(self, mover: int | None) -> None:
        """Bring the requests up to date.

        :param mover: Who has just moved, if somebody has.
        """
        if not self.playing:
            return
        for request in self.playing.renew(self.people, mover, self.deadlines.deadline):
            self._opened[request.seat] = request

    # --- the end of a table -------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the table for good."""
        self._changes = [DropTable(self.id)]
        self._must_save = False
        self._finish()

    def rest(self) -> None:
        """Stop where it is: the journal has all that is needed to go on."""
        self.decisions.cancel()
        self.deadlines.stop()
        self.task.cancel()

    def _finish(self) -> None:
        self.services.sessions.end_all(self)
        if self.playing:
            self.services.pool.forget(self.playing.id)
        self.decisions.cancel()
        self.deadlines.stop()
        self.closed = True
        self._on_close(self)

    async def _break(self, error: Exception) -> None:
        if isinstance(error, JournalError):
            # The server stops as a whole; what was not told has not happened.
            self.closed = True
            return
        log.error("table stopped", exc_info=error, extra={"table": self.id})
        changes: list[Change] = [DropTable(self.id)]
        playing = self.playing
        # The game itself may be what is faulty and is not asked; one that nobody was told of has not begun.
        is_new = any(isinstance(change, BeginGame) for change in self._changes)
        if playing and playing.id != self.last_game and not is_new:
            ending = self._ending(playing, None, f"Broken off by {type(error).__name__}.")
            changes = [*playing.take_back(), ending, *changes]
        peers = self.peers()
        self._finish()
        try:
            await self.services.journal.write(*changes)
        except (ValueError, JournalError):
            log.exception("table not saved", extra={"table": self.id})
        for peer in peers:
            peer.refuse(Refusal(Code.UNKNOWN_ERROR, exception=type(error).__name__))
            peer.part(1011)

    # --- committing and telling ---------------------------------------------------------------------------------------

    def _listen(self, event: Event) -> None:
        self.number += 1
        self._notices.append(Notice(self.number, event))

    def event(self, name: str, context: Mapping[str, Any]) -> None:
        """Note that something happened at the table, to be told after it is committed.

        :param name: What happened.
        :param context: What is told of it.
        """
        self._listen(Event(name, context))

    def reply(self, letter: Callable[[], None]) -> None:
        """Have something told to one peer after what happened is committed.

        :param letter: Tells it.
        """
        self._letters.append(letter)

    def arrived(self, when: float) -> None:
        """Note when a message came that is being worked off, to measure how long that takes.

        :param when: The time.
        """
        self._arrivals.append(when)

    def save(self) -> None:
        """Have the table's snapshot written with what is committed next."""
        self._must_save = True

    async def _settle(self) -> None:
        self._public = None
        if self.playing and self.is_running and self.is_watched:
            self.decisions.begin(self.playing)
        if self._may_wait():
            return
        self._complete()
        if self._changes:
            changes, self._changes = self._changes, []
            await self.services.journal.write(*changes)
        self._tell()
        if not self.closed:
            self.deadlines.go_on()

    def _may_wait(self) -> bool:
        """Tell whether what changed can be committed a moment later, together with what agents are about to decide."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._changes and self.decisions.is_busy and self.services.pause and not self.closed:
            # Where much is written, one commit keeps the changes of many tables anyway.
            if self._waits_until is None and now - self.services.journal.written > QUIET:
                self._waits_until = now + THOUGHT
                loop.call_at(self._waits_until, self.post, lambda: None)
            if self._waits_until is not None and now < self._waits_until:
                return True
        self._waits_until = None
        return False

    def _complete(self) -> None:
        """Put together what is committed now."""
        if self.closed:
            # A game that was going on is dropped with its table.
            return
        plan = self.decisions.ahead(self.playing) if self.playing and self.is_running else []
        if self.playing and self.is_running:
            self._changes += self.playing.take_back(plan)
        if self._must_save:
            self._must_save = False
            # A table is in the journal before its game is.
            self._changes.insert(0, SaveTable(self.id, snapshot.take(self)))
        if self.playing and self._changes:
            # What will happen by itself next is committed along; it is told when its time comes.
            self._changes += self.playing.write_ahead(plan)

    def _tell(self) -> None:
        notices, self._notices = self._notices, []
        opened, self._opened = self._opened, {}
        # A move that nobody is told of still changes whom the table waits for.
        news, self._has_moved = notices or self._has_moved, False
        for index, player in self.players():
            if player.peer and player.peer not in self._newcomers and (news or index in opened):
                player.peer.tell(News(self, index, notices, opened.get(index)))
        for peer in self.watchers:
            if news and peer not in self._newcomers:
                peer.tell(News(self, None, notices, None))
        self._welcome()
        letters, self._letters = self._letters, []
        for letter in letters:
            letter()
        for arrival in self._arrivals:
            self.services.metrics.turnaround.observe(self.services.clock.time() - arrival)
        self._arrivals.clear()

    def _welcome(self) -> None:
        """Show the table to those who have just come; what happened until now is in what they are shown."""
        newcomers, self._newcomers = self._newcomers, {}
        for peer, token in newcomers.items():
            index = self.seat_of(peer.player)
            request = self.playing.requests.get(index) if self.playing and index is not None else None
            peer.welcome(self, self.number, token)
            peer.tell(News(self, index, (), request))

    def public_state(self) -> dict[str, Any]:
        """Show what everybody may know; it is put together once for all.

        :result: The fields of ``public_state``.
        """
        if self._public is None:
            self._public = shown.public_state(self)
        return self._public

    def seconds_until(self, when: float | None) -> float | None:
        """Tell how long it is until a time.

        :param when: The time.
        :result: The seconds, in tenths; ``None`` without a time.
        """
        return None if when is None else round(max(when - self.services.clock.time(), 0.0), 1)
