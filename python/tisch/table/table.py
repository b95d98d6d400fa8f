"""The table: commands come in, and what they change comes out. There is no other way to change a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tisch.game import Game
from tisch.games import find
from tisch.ports.refusal import Code, Refusal, echo
from tisch.table import commands, snapshot, verbs
from tisch.table.agents import Question
from tisch.table.changes import (
    Batch,
    Changes,
    Later,
    News,
    Notices,
    Parted,
    Refused,
    Told,
    TurnedAway,
    Warned,
    Welcome,
)
from tisch.table.commands import Command
from tisch.table.deeds import Deeds
from tisch.table.kept import BeginGame, Change, DropTable, SaveTable, StoredTable
from tisch.table.play import Playing
from tisch.table.shared import Shared
from tisch.table.shown import TableScreen


def opened(
    shared: Shared, now: float, *, table_id: str, name: str, game: Game[Any], options: Any, is_private: bool = False
) -> Table:
    """Open a table.

    :param shared: What all tables share.
    :param now: The time.
    :param table_id: Its id in the journal.
    :param name: Its name.
    :param game: The game.
    :param options: The game's options.
    :param is_private: (Optional) Whether only those may come who are invited.
    :result: The table.
    """
    table = Table(table_id, name, game, shared, now)
    table.set_options(options)
    table.door.is_private = is_private
    shared.directory.enter(name, table.door)
    return table


def restored(stored: StoredTable, shared: Shared, now: float) -> Table:
    """Restore a table as it was when the server stopped.

    :param stored: The table in the journal.
    :param shared: What all tables share.
    :param now: The time.
    :result: The table; its first command is ``GoOn``.
    :raises ValueError: It cannot be restored.
    """
    kept = snapshot.read(stored.snapshot)
    table = Table(stored.id, kept.name, find(kept.game), shared, now)
    snapshot.restore(kept, stored.game, table)
    return table


class Table(Deeds):
    """A table.

    It knows no clock, connection, file or task: a shell gives it the time and its commands, one after the other, and
    does what the changes say. The shell tells only what it has committed.
    """

    def do(self, command: Command, now: float, *, may_wait: bool = False) -> Changes:
        """Do what a command says; one that is not allowed changes nothing, and its peer is told why.

        An exception is a fault of ours: the next command must be ``Break``.

        :param command: The command.
        :param now: The time, by any clock that never goes back.
        :param may_wait: (Optional) Whether the changes may wait for what agents are about to decide, so that one commit
            keeps both.
        :result: What changed.
        """
        self.clock.now = now
        if isinstance(command, commands.Break):
            return self._break(command.kind)
        if isinstance(command, commands.Rest):
            # Moves that were written ahead have not been made.
            return Changes(commit=self.playing.take_back() if self.playing else ())
        try:
            DEEDS[type(command)](self, command)
        except Refusal as refusal:
            assert isinstance(command, commands.OfPeer)
            self.tell(command.peer, _refused(command, refusal))
        return self._settle(may_wait=may_wait)

    def _settle(self, *, may_wait: bool) -> Changes:
        """Let agents think on, and take what changed, unless it waits."""
        start, self.batch.start = self.batch.start, None
        if start and not self.closed:
            return Changes(start=start, waits=True)
        is_watched = self.seating.is_watched
        if is_watched:
            self.clock.note_company()
        # A game that was going on is dropped with its table.
        playing = None if self.closed else self.going_on
        self.hints.go_on(None if self.closed else self.playing)
        forget = self.agents.forgotten(None if self.closed else self.playing)
        if playing:
            self.agents.plan(playing)
            if is_watched:
                self.agents.begin(playing)
        ask, drop = self._questions()
        if may_wait and self.batch.commit and self.agents.is_busy:
            return Changes(ask=ask, drop=drop, forget=forget, waits=True)
        self._complete(playing)
        batch, self.batch = self.batch, Batch()
        return Changes(
            commit=batch.commit,
            tell=self._told(batch),
            ask=ask,
            drop=drop,
            forget=forget,
            wake=self._wake_time(playing),
            moves=batch.moves,
            closed=self.closed,
        )

    def _questions(self) -> tuple[Sequence[Question], Sequence[Question]]:
        """Take the questions that are new, and those that nobody waits for any more."""
        agents, hints = self.agents, self.hints
        if not (agents.asked or hints.asked or hints.dropped or self.closed):
            return (), ()
        ask: list[Question] = [*agents.asked, *hints.asked]
        drop: list[Question] = [*hints.dropped, *(agents.cancel() if self.closed else ())]
        agents.asked, hints.asked, hints.dropped = [], [], []
        return ask, drop

    def _complete(self, playing: Playing | None) -> None:
        """Add to the batch what depends on the table as it is now: its snapshot, and the moves written ahead."""
        batch = self.batch
        plan = self.agents.ahead() if playing else []
        if playing:
            batch.commit += playing.take_back(plan)
        if batch.save:
            # A table is in the journal before its game is.
            batch.commit.insert(0, SaveTable(self.id, snapshot.take(self)))
        if playing and batch.commit:
            # Moves that will follow by themselves are committed along; clients get them when their time comes.
            batch.commit += playing.write_ahead(plan)

    def _told(self, batch: Batch) -> list[Told]:
        """List to whom what is told."""
        screen, told = TableScreen(self), list[Told]()
        requests = self.playing.requests if self.playing else {}
        # A later command of the same batch may have voided a request.
        opened = {index for index, request in batch.opened.items() if requests.get(index) is request}
        # A move may produce no event and still change whose turn it is.
        news = batch.notices or batch.moves
        for index, player in self.seating.players():
            peer = player.peer
            if peer is not None and peer not in batch.newcomers and (news or index in opened):
                told.append((peer, News(screen.seat(index), batch.notices, index in opened)))
        for peer in self.seating.watchers:
            if news and peer not in batch.newcomers:
                told.append((peer, self._later(News(screen.seat(None), batch.notices, is_asked=False))))
        for peer, token in batch.newcomers.items():
            # Their first screen contains all events so far.
            seat = screen.seat(self.seating.seat_of(peer))
            shown = Welcome(seat, self.number, token), News(seat, Notices(), seat.request() is not None)
            told += [(peer, telling if seat.seat is not None else self._later(telling)) for telling in shown]
        return told + batch.replies

    def _later(self, telling: News | Welcome) -> News | Welcome | Later:
        """Let a spectator be told later, if the host wishes so."""
        return Later(telling, self.stage.delay) if self.stage.holds else telling

    def _wake_time(self, playing: Playing | None) -> float | None:
        """Compute when something happens by itself."""
        if self.closed:
            return None
        if not self.seating.is_watched:
            return self.closing_time
        return self.clock.due(
            self.seating, playing, may_proceed=playing is not None and self.agents.may_proceed(playing)
        )

    def _break(self, kind: str) -> Changes:
        """End after a fault of ours; the game's transcript is kept if that is possible."""
        playing, changes = self.playing, list[Change]()
        # The game itself may be what is faulty and is not asked; one that nobody was told of has not begun.
        is_new = any(isinstance(change, BeginGame) for change in self.batch.commit)
        if playing and playing.id != self.last_game and not is_new:
            changes = [*playing.take_back(), self.ending(playing, None, f"Broken off by {kind}.")]
        peers = self.seating.peers()
        self.batch = Batch()
        self.end()
        self.hints.cancel()
        drop: list[Question] = [*self.agents.cancel(), *self.hints.dropped]
        refusal = Warned(Refusal(Code.UNKNOWN_ERROR, exception=kind))
        told = [(peer, telling) for peer in peers for telling in (refusal, Parted(1011))]
        forget = self.agents.forgotten(None)
        return Changes([*changes, DropTable(self.id)], told, drop=drop, forget=forget, closed=True)


def _refused(command: Command, refusal: Refusal) -> Refused | TurnedAway:
    """Build the answer to a command that is not allowed."""
    is_newcomer = isinstance(command, (commands.Join, commands.Resume, commands.Watch))
    return TurnedAway(refusal) if is_newcomer else Refused(refusal)


def _join(table: Deeds, new: commands.Join) -> None:
    table.join(
        new.peer,
        new.address,
        new.name,
        session=new.session,
        invitation=new.invitation,
        can_return=new.can_return,
        wanted=new.seat,
    )


def _answered(table: Deeds, command: commands.Answered) -> None:
    if table.playing:
        table.agents.answered(table.playing, command.question, command.said)


def _unanswered(table: Deeds, command: commands.Unanswered) -> None:
    if table.playing:
        table.agents.unanswered(table.playing, command.question, is_fault=command.is_fault)


def _advised(table: Deeds, command: commands.Advised) -> None:
    for peer in table.hints.advised(command.question, command.advice):
        verbs.tell_hint(table, peer, command.advice)


def _hopeless(_: Deeds, command: commands.Hopeless) -> None:
    raise Refusal(Code.INVALID_ACTION, reason=echo(command.reason), action="start_game")


#: What each command does.
DEEDS: Final[Mapping[type[Any], Callable[[Deeds, Any], None]]] = {
    commands.Join: _join,
    commands.Resume: lambda table, it: table.resume(it.peer, it.address, it.token),
    commands.Watch: lambda table, it: table.watch(it.peer, it.address, it.invitation),
    commands.Leave: lambda table, it: verbs.leave(table, it.peer),
    commands.Stand: lambda table, it: table.stand(it.peer),
    commands.Cut: lambda table, it: table.cut(it.peer),
    commands.Say: lambda table, it: verbs.handle(table, it.peer, it.message),
    commands.Begin: lambda table, it: verbs.begin(table, it.peer),
    commands.Play: lambda table, it: verbs.make(table, it.peer, it.moves),
    commands.Remove: lambda table, it: table.remove(it.seat) if table.seating.has_player(it.seat) else None,
    commands.Shut: lambda table, _: table.shut(),
    commands.Opened: lambda table, it: table.begin(it.playing, it.opening),
    commands.Hopeless: _hopeless,
    commands.Answered: _answered,
    commands.Unanswered: _unanswered,
    commands.Advised: _advised,
    commands.Wake: lambda table, _: table.wake(),
    commands.GoOn: lambda *_: None,
}
