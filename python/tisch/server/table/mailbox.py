"""The mailbox of a table: the shell round a table that knows tasks, timers, the journal and connections.

It gives the table one command after the other, commits what each changed, and only then tells it. Nobody else changes
the table. The rules never wait; the table does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, cast

from tisch.driver import AgentFault
from tisch.server.agents.pool import AgentPoolError
from tisch.server.clock import Timer
from tisch.server.net.peer import Peer
from tisch.server.store.journal import JournalError
from tisch.server.table.services import Services
from tisch.table import commands
from tisch.table.agents import Question
from tisch.table.changes import Changes, Refused, Start, Told, TurnedAway
from tisch.table.commands import Command
from tisch.table.messages import Message
from tisch.table.table import Table

#: How long changes may wait for what agents do next, so that one commit keeps both, in seconds.
THOUGHT: Final = 0.03
#: How long nothing may have been written for that, in seconds.
QUIET: Final = 0.1

#: A command, or a fault of ours that ends the table; and what is called once it is done.
Job: TypeAlias = tuple[Command | BaseException, Callable[[], None] | None]

log = logging.getLogger(__name__)


class Mailbox:
    """The mailbox of a table.

    :param table: The table.
    :param services: The services that all mailboxes share.
    :param on_close: Called when the table is closed for good.
    :ivar closed: Are no more commands done?
    """

    def __init__(self, table: Table, services: Services, on_close: Callable[[Mailbox], None]) -> None:
        self.table = table
        self.closed = False
        self._services = services
        self._on_close = on_close
        self._loop = asyncio.get_running_loop()
        self._arrivals: list[float] = []
        self._waits_until: float | None = None
        self._timer: tuple[float, Timer] | None = None
        self._questions: dict[Question, asyncio.Task[Command]] = {}
        self._jobs: asyncio.Queue[tuple[Job, Callable[[], None] | None]] = asyncio.Queue()
        self.task = asyncio.create_task(self._run(), name=f"table {table.id}")

    def post(
        self, command: Command, *, then: Callable[[], None] | None = None, otherwise: Callable[[], None] | None = None
    ) -> None:
        """Queue a command.

        :param command: The command.
        :param then: (Optional) Called once the table has done it.
        :param otherwise: (Optional) Called instead if the mailbox is closed before its turn.
        """
        if not self.closed:
            self._jobs.put_nowait(((command, then), otherwise))
        elif otherwise:
            otherwise()

    def rest(self) -> None:
        """Stop where it is: the journal has all that is needed to go on."""
        self._stop()
        self.task.cancel()

    def is_ringing(self) -> bool:
        """Return whether the time has come for something that the table has not noticed yet."""
        return self._timer is not None and self._timer[0] <= self._services.clock.time()

    # --- what connections ask for -------------------------------------------------------------------------------------

    def receive(self, peer: Peer, message: Message, arrived: float) -> None:
        """Handle a client's message.

        :param peer: The client.
        :param message: The message.
        :param arrived: When it came.
        """
        self.post(commands.Say(peer, message), then=partial(self._arrivals.append, arrived))

    def start(self, peer: Peer) -> None:
        """Begin a game, as a game's own protocol demands.

        :param peer: The program.
        """
        self.post(commands.Begin(peer))

    def play(self, peer: Peer, moves: Sequence[str]) -> None:
        """Make moves, all or none.

        :param peer: The program.
        :param moves: The texts of the moves.
        """
        self.post(commands.Play(peer, moves))

    def stand(self, peer: Peer, then: Callable[[], None]) -> None:
        """Give up a peer's seat.

        :param peer: The peer.
        :param then: Called afterwards, also if the table is closed.
        """
        self.post(commands.Stand(peer), then=then, otherwise=then)

    def leave(self, peer: Peer) -> None:
        """Give up a peer's seat and close its connection.

        :param peer: The peer.
        """
        self.post(commands.Leave(peer))

    def disconnect(self, peer: Peer) -> None:
        """Note that a connection is cut.

        :param peer: The peer.
        """
        self.post(commands.Cut(peer))

    # --- one command after the other ----------------------------------------------------------------------------------

    async def _run(self) -> None:
        while not self.closed:
            job, _ = await self._jobs.get()
            try:
                await self._do(*job)
            except Exception as error:  # noqa: BLE001 - This is the wall between one table's faults and all others.
                await self._break(error)
        while not self._jobs.empty():
            _, otherwise = self._jobs.get_nowait()
            if otherwise:
                otherwise()

    async def _do(self, command: Command | BaseException, then: Callable[[], None] | None) -> None:
        """Let the table do a command, commit what it changed, then tell it."""
        if isinstance(command, BaseException):
            raise command
        changes = self._change(command)
        if then:
            then()
        if changes.start:
            # Only this table waits for it.
            changes = self._change(await self._set_up(changes.start))
        if changes.waits:
            self._wait()
            return
        self._waits_until = None
        if changes.closed:
            self._finish()
        if changes.commit:
            await self._services.journal.write(*self._services.complete(self.table, changes.commit))
        self._tell(changes.tell)
        self._services.metrics.moves.inc(changes.moves)
        for arrival in self._arrivals:
            self._services.metrics.turnaround.observe(self._services.clock.time() - arrival)
        self._arrivals.clear()
        if not self.closed:
            self._wake_at(changes.wake)

    def _change(self, command: Command) -> Changes:
        """Let the table do a command, and pass its questions on to the agents."""
        changes = self.table.do(command, self._services.clock.time(), may_wait=self._may_wait())
        self._ask(changes)
        return changes

    def _may_wait(self) -> bool:
        """Tell whether changes can be committed a moment later, together with what agents are about to decide."""
        now = self._loop.time()
        if self._waits_until is not None:
            return now < self._waits_until
        # Where much is written, one commit keeps the changes of many tables anyway.
        return bool(self._services.shared.pause) and now - self._services.journal.written > QUIET

    def _wait(self) -> None:
        """Let the changes wait a moment for what agents are about to decide."""
        if self._waits_until is None:
            self._waits_until = self._loop.time() + THOUGHT
            self._loop.call_at(self._waits_until, self.post, commands.GoOn())

    async def _set_up(self, start: Start) -> Command:
        """Set up a game."""
        try:
            start = await self._services.prepare(self.table, start)
            playing, opening = await self._services.setups.set_up(start)
        except ValueError as error:
            return commands.Hopeless(start.peer, str(error))
        return commands.Opened(playing, opening)

    def _tell(self, told: Sequence[Told]) -> None:
        for peer, telling in told:
            if isinstance(telling, (Refused, TurnedAway)):
                self._services.metrics.refused.labels(code=telling.refusal.code.name).inc()
            cast(Peer, peer).hear(telling)

    # --- agents -------------------------------------------------------------------------------------------------------

    def _ask(self, changes: Changes) -> None:
        """Pass on questions to the agents; their answers come as commands."""
        for question in changes.drop:
            if task := self._questions.pop(question, None):
                task.cancel()
        for game in changes.forget:
            self._services.pool.forget(game)
        for question in changes.ask:
            asked = self._decide(question) if question.language is None else self._advise(question, question.language)
            self._begin(question, asked)

    def _begin(self, question: Question, asked: Coroutine[Any, Any, Command]) -> None:
        task = self._questions[question] = asyncio.create_task(asked)
        task.add_done_callback(partial(self._answered, question))

    def _answered(self, question: Question, task: asyncio.Task[Command]) -> None:
        self._questions.pop(question, None)
        if task.cancelled():
            return
        if error := task.exception():
            # Any failure but that of an agent is a fault of ours, and raised at the table, which stops.
            if not self.closed:
                self._jobs.put_nowait(((error, None), None))
        else:
            self.post(task.result())

    async def _decide(self, question: Question) -> Command:
        """Ask agents for a move."""
        record = question.position
        try:
            asked = question.game, record, question.seats, question.agent
            said = await self._services.pool.decide(*asked, is_fair=question.is_fair)
            return commands.Answered(question, said)
        except (AgentFault, AgentPoolError) as error:
            self._report(question, error)
            return commands.Unanswered(question, is_fault=isinstance(error, AgentFault))

    async def _advise(self, question: Question, language: str) -> Command:
        """Ask an agent for advice to a person."""
        (seat,) = question.seats
        asked = self._services.pool.advise(question.game, question.position, seat, question.agent, language)
        try:
            return commands.Advised(question, await asked)
        except (AgentFault, AgentPoolError) as error:
            self._report(question, error)
            return commands.Advised(question, None)

    def _report(self, question: Question, error: Exception) -> None:
        # People may have moved meanwhile.
        self._services.failures.report(question.position, question.agent, error, table=self.table.id)

    # --- the timer, and the end of a table ----------------------------------------------------------------------------

    def _wake_at(self, when: float | None) -> None:
        """Set the timer for what happens next by itself."""
        if self._timer and self._timer[0] != when:
            self._stop_timer()
        if when is not None and not self._timer:
            self._timer = (
                when,
                self._services.clock.call_at(when, partial(self.post, commands.Wake(), then=self._woken)),
            )

    def _woken(self) -> None:
        self._timer = None

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer[1].cancel()
            self._timer = None

    def _stop(self) -> None:
        """Stop everything that would happen by itself."""
        for task in self._questions.values():
            task.cancel()
        self._stop_timer()

    def _finish(self) -> None:
        self._stop()
        self.closed = True
        self._on_close(self)

    async def _break(self, error: BaseException) -> None:
        """End after a fault of ours: log it, and save the game's transcript if that is possible."""
        if isinstance(error, JournalError):
            # The server stops as a whole; what was not told has not happened.
            self.closed = True
            return
        log.error("table stopped", exc_info=error, extra={"table": self.table.id})
        changes = self.table.do(commands.Break(type(error).__name__), self._services.clock.time())
        self._finish()
        self._ask(changes)
        try:
            await self._services.journal.write(*changes.commit)
        except (ValueError, JournalError):
            log.exception("table not saved", extra={"table": self.table.id})
        self._tell(changes.tell)
