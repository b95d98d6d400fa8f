"""The mailbox of a table: it runs one job after the other, commits what each changed, and only then tells it.

Nobody else changes the table. The rules never wait; the table does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from tisch.ports.refusal import Code, Refusal, echo
from tisch.server.net.peer import News, Peer
from tisch.server.net.protocol import Message
from tisch.server.store.journal import JournalError
from tisch.server.table import messages, snapshot
from tisch.server.table.batch import Batch
from tisch.server.table.deadlines import Deadlines
from tisch.server.table.decisions import Decisions
from tisch.server.table.shown import TableScreen
from tisch.server.table.table import Table
from tisch.table.kept import BeginGame, Change, DropTable, SaveTable

#: How long changes may wait for what agents do next, so that one commit keeps both, in seconds.
THOUGHT: Final = 0.03
#: How long nothing may have been written for that, in seconds.
QUIET: Final = 0.1

Job: TypeAlias = Callable[[], None]

log = logging.getLogger(__name__)


class Mailbox:
    """The mailbox of a table.

    :param table: The table.
    :param on_close: Called when the table is closed for good.
    :ivar closed: Are no more jobs run?
    :ivar decisions: The decisions of the table's agents.
    :ivar deadlines: What happens at the table by itself.
    """

    def __init__(self, table: Table, on_close: Callable[[Mailbox], None]) -> None:
        self.table = table
        self.closed = False
        self.decisions = Decisions(table, table.services.pool, self.post)
        self.deadlines = Deadlines(table, self.decisions, self.post)
        self._services = table.services
        self._on_close = on_close
        self._arrivals: list[float] = []
        self._waits_until: float | None = None
        self._jobs: asyncio.Queue[tuple[Job, Job | None]] = asyncio.Queue()
        self.task = asyncio.create_task(self._run(), name=f"table {table.id}")

    def post(self, job: Job, otherwise: Job | None = None) -> None:
        """Queue a job.

        :param job: The job; it changes the table.
        :param otherwise: (Optional) Called instead if the mailbox is closed before the job's turn.
        """
        if not self.closed:
            self._jobs.put_nowait((job, otherwise))
        elif otherwise:
            otherwise()

    def rest(self) -> None:
        """Stop where it is: the journal has all that is needed to go on."""
        self.decisions.cancel()
        self.deadlines.stop()
        self.task.cancel()

    # --- what connections ask for -------------------------------------------------------------------------------------

    def receive(self, peer: Peer, message: Message, arrived: float) -> None:
        """Handle a client's message.

        :param peer: The client.
        :param message: The message.
        :param arrived: When it came.
        """

        def job() -> None:
            self._attempt(peer, partial(messages.handle, self.table, peer, message))
            self._arrivals.append(arrived)

        self.post(job)

    def start(self, peer: Peer) -> None:
        """Begin a game, as a game's own protocol demands.

        :param peer: The program.
        """
        self.post(partial(self._attempt, peer, partial(messages.begin, self.table, peer)))

    def play(self, peer: Peer, moves: Sequence[str]) -> None:
        """Make moves, all or none.

        :param peer: The program.
        :param moves: The texts of the moves.
        """
        self.post(partial(self._attempt, peer, partial(messages.make, self.table, peer, moves)))

    def stand(self, peer: Peer, then: Job) -> None:
        """Give up a peer's seat.

        :param peer: The peer.
        :param then: Called afterwards, also if the table is closed.
        """

        def job() -> None:
            self.table.stand(peer)
            then()

        self.post(job, then)

    def leave(self, peer: Peer) -> None:
        """Give up a peer's seat and close its connection.

        :param peer: The peer.
        """
        self.post(partial(self.table.leave, peer))

    def disconnect(self, peer: Peer) -> None:
        """Note that a connection is cut.

        :param peer: The peer.
        """
        self.post(partial(self.table.gone, peer))

    def _attempt(self, peer: Peer, deed: Job) -> None:
        """Do something for a peer, or tell it why not."""
        try:
            deed()
        except Refusal as refusal:
            self._refuse(peer, refusal)

    def _refuse(self, peer: Peer, refusal: Refusal) -> None:
        self._services.metrics.refused.labels(code=refusal.code.name).inc()
        self.table.reply(lambda: peer.refuse(refusal))

    # --- one job after the other --------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while not self.closed:
            job, _ = await self._jobs.get()
            try:
                job()
                await self._begin()
                await self._settle()
            except Exception as error:  # noqa: BLE001 - This is the wall between one table's faults and all others.
                await self._break(error)
        while not self._jobs.empty():
            _, otherwise = self._jobs.get_nowait()
            if otherwise:
                otherwise()

    async def _begin(self) -> None:
        """Set up the game that a job has begun, if it has; only this table waits for it."""
        table = self.table
        start, table.batch.start = table.batch.start, None
        if start is None or table.closed:
            return
        try:
            playing, opening = await self._services.setups.set_up(start.peer.address, start.game_id, start.record)
        except ValueError as error:
            self._refuse(start.peer, Refusal(Code.INVALID_ACTION, reason=echo(str(error)), action="start_game"))
        else:
            table.begin(playing, opening)

    async def _settle(self) -> None:
        """Commit what a job changed, then tell it."""
        table = self.table
        if table.closed:
            self._finish()
        self.decisions.hints.go_on(table.playing)
        self.decisions.forget()
        hints, table.batch.hints = table.batch.hints, []
        for peer, seat, language in hints:
            if table.playing:
                self._attempt(peer, partial(self.decisions.advise, table.playing, peer, seat, language))
        if table.playing and table.is_running and table.is_watched and not self.closed:
            self.decisions.begin(table.playing)
        if self._may_wait():
            return
        self._complete()
        batch = table.take()
        if batch.changes:
            await self._services.journal.write(*batch.changes)
        self._tell(batch)
        if not self.closed:
            self.deadlines.go_on()

    def _may_wait(self) -> bool:
        """Tell whether what changed can be committed a moment later, together with what agents are about to decide."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self.table.batch.changes and self.decisions.is_busy and self._services.pause and not self.closed:
            # Where much is written, one commit keeps the changes of many tables anyway.
            if self._waits_until is None and now - self._services.journal.written > QUIET:
                self._waits_until = now + THOUGHT
                loop.call_at(self._waits_until, self.post, lambda: None)
            if self._waits_until is not None and now < self._waits_until:
                return True
        self._waits_until = None
        return False

    def _complete(self) -> None:
        """Add to the batch what depends on the table as it is now: its snapshot, and the moves written ahead."""
        table, batch, playing = self.table, self.table.batch, self.table.playing
        if self.closed:
            # A game that was going on is dropped with its table.
            return
        plan = self.decisions.ahead(playing) if playing and table.is_running else []
        if playing and table.is_running:
            batch.changes += playing.take_back(plan)
        if batch.save:
            # A table is in the journal before its game is.
            batch.changes.insert(0, SaveTable(table.id, snapshot.take(table)))
        if playing and batch.changes:
            # Moves that will follow by themselves are committed along; clients get them when their time comes.
            batch.changes += playing.write_ahead(plan)

    def _tell(self, batch: Batch) -> None:
        screen = TableScreen(self.table)
        playing = self.table.playing
        requests = playing.requests if playing else {}
        # A later job of the same batch may have voided a request.
        opened = {index for index, request in batch.opened.items() if requests.get(index) is request}
        # A move may produce no event and still change whose turn it is.
        news = batch.notices or batch.moves
        for index, player in self.table.players():
            if player.peer and player.peer not in batch.newcomers and (news or index in opened):
                player.peer.tell(News(screen.seat(index), batch.notices, index in opened))
        for peer in self.table.watchers:
            if news and peer not in batch.newcomers:
                peer.tell(News(screen.seat(None), batch.notices, is_asked=False))
        for peer, token in batch.newcomers.items():
            # Their first screen contains all events so far.
            seat = screen.seat(self.table.seat_of(peer))
            peer.welcome(seat, self.table.number, token)
            peer.tell(News(seat, (), seat.request() is not None))
        for answer in batch.replies:
            answer()
        metrics = self._services.metrics
        metrics.moves.inc(batch.moves)
        for arrival in self._arrivals:
            metrics.turnaround.observe(self._services.clock.time() - arrival)
        self._arrivals.clear()

    # --- the end of a table -------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        self.decisions.cancel()
        self.deadlines.stop()
        self.closed = True
        self._on_close(self)

    async def _break(self, error: Exception) -> None:
        """End after a fault of ours: log it, and save the game's transcript if that is possible."""
        if isinstance(error, JournalError):
            # The server stops as a whole; what was not told has not happened.
            self.closed = True
            return
        table, playing = self.table, self.table.playing
        log.error("table stopped", exc_info=error, extra={"table": table.id})
        changes: list[Change] = [DropTable(table.id)]
        # The game itself may be what is faulty and is not asked; one that nobody was told of has not begun.
        is_new = any(isinstance(change, BeginGame) for change in table.batch.changes)
        if playing and playing.id != table.last_game and not is_new:
            ending = table.ending(playing, None, f"Broken off by {type(error).__name__}.")
            changes = [*playing.take_back(), ending, *changes]
        peers = table.peers()
        table.end()
        self._finish()
        self.decisions.forget()
        try:
            await self._services.journal.write(*changes)
        except (ValueError, JournalError):
            log.exception("table not saved", extra={"table": table.id})
        for peer in peers:
            peer.refuse(Refusal(Code.UNKNOWN_ERROR, exception=type(error).__name__))
            peer.part(1011)
