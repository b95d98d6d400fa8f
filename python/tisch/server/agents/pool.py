"""The pool of processes in which agents decide, so that they never delay a person's message.

A game is its options, its seed and its moves: the process that serves a table receives the whole record once, and
from then on only the new moves. Such a process holds nothing that could be lost. If one ends, the next one receives
the record again, and the caller waits a little longer. This module is the server's side;
:mod:`tisch.server.agents.process` runs in the process.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import msgspec

from tisch.agents import find_agent
from tisch.agents.analysis import Decision
from tisch.chance import Chance, of_command
from tisch.driver import AgentFault
from tisch.game import Random
from tisch.games import find
from tisch.language import require
from tisch.record import Record
from tisch.server.agents.process import CHUNK, NOBODY, Answer, Asking, Fault, Forget, Frames, Question, Reply, frame
from tisch.server.metrics import Metrics
from tisch.table.hints import Advice

#: The command that starts a process, which is asked and answers through its standard input and output. ``-P``: no
#: module may come from the directory where the server was started.
COMMAND: Sequence[str] = (sys.executable, "-P", "-m", "tisch.server.agents.process")
#: The time in which a process must be ready, in seconds.
START = 30.0
#: The time that a process that has closed its connection has to end by itself, in seconds.
LEAVING = 1.0
#: The number of processes in a row that may end without an answer before the waiting requests fail.
ATTEMPTS = 3
#: The number of processes that a question may kill.
DEATHS = 2

_encode = msgspec.msgpack.Encoder().encode


class Kind(StrEnum):
    """What a question is for: an agent's own move comes before everything else."""

    MOVE = "move"
    #: A person's hint.
    HINT = "hint"
    #: The replay of a finished game.
    REPLAY = "replay"
    #: What agents make of a deal for which nobody waits.
    PAR = "par"


class AgentPoolError(RuntimeError):
    """There is no answer, and no agent is to blame: no process starts, or a game cannot be replayed."""


class AgentPool:
    """The processes in which agents decide.

    :param count: The number of processes; a table stays with one of them.
    :param patience: The time a question may take from the moment its process begins with it, in seconds.
    :param metrics: (Optional) Where the times of questions are counted.
    :param chance: (Optional) Where the agents' seeds come from; by default what ``TISCH_CHANCE`` asks for.
    """

    def __init__(
        self, count: int, patience: float = 10.0, metrics: Metrics | None = None, chance: Chance | None = None
    ) -> None:
        self.chance = chance or of_command()
        metrics = metrics or Metrics()
        self._workers = [_Worker(patience, metrics) for _ in range(count)]
        self._by_table: dict[str, _Worker] = {}

    @property
    def queue(self) -> Counter[Kind]:
        """The questions that are not answered yet, by their kind."""
        return sum((worker.queue for worker in self._workers), Counter[Kind]())

    async def start(self) -> None:
        """Start the processes and wait until they are ready.

        :raises AgentPoolError: They cannot be started.
        """
        try:
            await asyncio.gather(*(worker.start() for worker in self._workers))
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """End the processes; pending questions fail with :class:`AgentPoolError`."""
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def decide(
        self,
        table: str,
        record: Record,
        seats: Sequence[int],
        agent: str,
        *,
        is_fair: bool = False,
        kind: Kind = Kind.MOVE,
    ) -> tuple[int, str] | None:
        """Ask the agents of a table, as :func:`tisch.driver.play` would: those that may speak out of turn first.

        :param table: The table.
        :param record: Its game so far.
        :param seats: The seats that agents play.
        :param agent: Which agent plays there.
        :param is_fair: (Optional) Whether the decision follows from the game alone: from its seed, too, which only
            those know who have played it.
        :param kind: (Optional) What the question is for.
        :result: A seat and the text of its move; ``None`` if no agent is awaited and none wants to speak.
        :raises ValueError: There is no such game or agent.
        :raises AgentFault: An agent crashed (``crash``), made an ``illegal`` move or was too ``slow``.
        :raises AgentPoolError: There is no answer for another reason.
        """
        chance = Random(record.seed, "agents", len(record.moves)).bits() if is_fair else None
        answer = await self._ask(table, record, seats, agent, None, kind=kind, chance=chance)
        return None if answer.move is None else (answer.seat, answer.move)

    async def advise(
        self, table: str, record: Record, seat: int, agent: str, language: str = "en", *, played: str = ""
    ) -> Advice:
        """Ask an agent for advice to a person.

        :param table: The table.
        :param record: Its game so far.
        :param seat: The person's seat.
        :param agent: Which agent is asked; it knows nothing but what the person may know.
        :param language: (Optional) The language of its reason, one of ``language.LANGUAGES``.
        :param played: (Optional) If the game is over, the text of the move that was made: the advice then fits the
            verdict on it, and is always the same.
        :result: The advice.
        :raises ValueError: There is no such game, agent or language.
        :raises AgentFault: The agent crashed, made an illegal move or took too long.
        :raises AgentPoolError: There is no answer for another reason.
        """
        require(language)
        kind = Kind.REPLAY if played else Kind.HINT
        answer = await self._ask(table, record, (seat,), agent, language, kind=kind, judged=played)
        return Advice(answer.move or "", answer.reason)

    async def judge(self, table: str, record: Record, agent: str) -> Decision | None:
        """Ask an agent what it thinks of the last move of a game.

        :param table: The table.
        :param record: The game up to the move.
        :param agent: The agent that judges; it knows nothing but what the seat that moved could know.
        :result: The judged decision; ``None`` if the move was forced.
        :raises ValueError: There is no such game or agent.
        :raises AgentFault: The agent crashed or took too long.
        :raises AgentPoolError: There is no answer for another reason.
        """
        seat, move = record.moves[-1]
        before = replace(record, moves=record.moves[:-1])
        return (await self._ask(table, before, [seat], agent, None, kind=Kind.REPLAY, judged=move)).judged

    def forget(self, table: str) -> None:
        """Free what is kept for a table that is closed or whose game is over; no question of it may be pending.

        :param table: The table.
        """
        worker = self._by_table.pop(table, None)
        if worker:
            worker.forget(table)

    def _ask(
        self,
        table: str,
        record: Record,
        seats: Sequence[int],
        agent: str,
        language: str | None,
        *,
        kind: Kind,
        judged: str = "",
        chance: int | None = None,
    ) -> asyncio.Future[Answer]:
        find_agent(find(record.game), agent)
        worker = self._by_table.get(table)
        if worker is None:
            worker = min(self._workers, key=lambda each: each.tables)
            worker.tables += 1
            self._by_table[table] = worker
        is_fresh = chance is not None
        if chance is None:
            chance = self.chance.seed("agents", table, str(len(record.moves)), language or "")
        asked = table, record, seats, agent, language
        return worker.ask(*asked, kind=kind, chance=chance, judged=judged, is_fresh=is_fresh)


@dataclass(slots=True, eq=False)
class _Open:
    """A question that is not answered yet.

    :ivar kind: What it is for.
    :ivar count: The number of moves made before the question.
    :ivar future: The answer that the caller awaits.
    :ivar since: When it was asked.
    :ivar deaths: The number of processes that died over it.
    """

    kind: Kind
    table: str
    record: Record
    count: int
    seats: Sequence[int]
    agent: str
    chance: int
    language: str | None
    judged: str
    is_fresh: bool
    future: asyncio.Future[Answer]
    since: float
    deaths: int = 0


@dataclass(slots=True)
class _Told:
    """The part of a table's game that a process knows.

    :ivar record: The game.
    :ivar count: The number of its moves.
    """

    record: Record
    count: int

    def leads_to(self, asked: _Open) -> bool:
        """Return whether a question continues this game; otherwise it is about another one, or moves were not made."""
        ours, theirs = self.record, asked.record
        if self.count > asked.count:
            return False
        if ours.moves is not theirs.moves and ours.moves[: self.count] != theirs.moves[: self.count]:
            return False
        return ours.seed == theirs.seed and ours.game == theirs.game and ours.options == theirs.options


class _Worker:
    """The server's side of one process, which is replaced when it ends, and the questions that it has to answer.

    Questions are answered in the order in which they are sent, so the first open one is what the process is at. Moves
    are sent at once. Anything else waits here until no other question is open: a move never waits for more than one.

    :ivar tables: The number of tables that it serves.
    """

    def __init__(self, patience: float, metrics: Metrics) -> None:
        self.tables = 0
        self._patience = patience
        self._metrics = metrics
        self._open: deque[_Open] = deque()
        self._waiting: deque[_Open] = deque()
        self._told: dict[str, _Told] = {}
        self._failures = 0
        self._ready = self._late = False
        self._closed = True
        self._process: asyncio.subprocess.Process | None = None
        self._pipe: asyncio.StreamWriter
        self._asked = NOBODY
        self._begun = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._decode = msgspec.msgpack.Decoder(Reply | Asking).decode

    async def start(self) -> None:
        """Start the first process and wait until it is ready.

        :raises AgentPoolError: It cannot be started.
        """
        self._loop = asyncio.get_running_loop()
        self._started: asyncio.Future[None] = self._loop.create_future()
        self._wanted = asyncio.Event()
        self._closed = False
        self._task = self._loop.create_task(self._tend())
        await self._started

    @property
    def queue(self) -> Counter[Kind]:
        """The questions that are not answered yet, by their kind."""
        return Counter(asked.kind for asked in (*self._open, *self._waiting))

    async def close(self) -> None:
        """End the process and take no more questions."""
        if not self._closed:
            self._closed = True
            self._wanted.set()
            self._part()
            # Nothing is cancelled: a process that is just starting must not be forgotten.
            await self._task

    def ask(
        self,
        table: str,
        record: Record,
        seats: Sequence[int],
        agent: str,
        language: str | None,
        *,
        kind: Kind,
        chance: int,
        judged: str,
        is_fresh: bool,
    ) -> asyncio.Future[Answer]:
        """Ask a question.

        :param table: The table.
        :param record: Its game so far.
        :param seats: The seats to ask.
        :param agent: Which agent.
        :param language: The language of the reason for a person; ``None`` if an agent plays.
        :param kind: What the question is for.
        :param chance: The seed of agents that begin, as in :class:`Question`.
        :param judged: The text of the move to judge, as in :class:`Question`.
        :param is_fresh: Whether all agents begin, as in :class:`Question`.
        :result: What will be answered.
        :raises AgentPoolError: The agent pool is closed.
        """
        if self._closed:
            raise AgentPoolError("The agent pool is closed.")
        future: asyncio.Future[Answer] = self._loop.create_future()
        count, now = len(record.moves), self._loop.time()
        asked = _Open(kind, table, record, count, seats, agent, chance, language, judged, is_fresh, future, now)
        if asked.kind is Kind.MOVE:
            self._open_up(asked)
        else:
            self._waiting.append(asked)
            future.add_done_callback(lambda _: self._drop(asked))
            self._go_on()
        if not self._ready:
            self._wanted.set()
        return future

    def _open_up(self, asked: _Open) -> None:
        """Send a question to the process, or keep it until there is one."""
        self._open.append(asked)
        if self._ready:
            if len(self._open) == 1:
                self._begun = self._loop.time()
                if self._timer is None:
                    self._look_at_clock()
            self._send(asked)

    def _go_on(self) -> None:
        """Send the next question that is no move, if the process has nothing else to do."""
        if not self._ready or self._open:
            return
        # One that was given up in this turn of the event loop waits for its removal.
        asked = next((each for each in self._waiting if not each.future.done()), None)
        if asked:
            self._waiting.remove(asked)
            self._open_up(asked)

    def _drop(self, asked: _Open) -> None:
        """Remove a question that nobody waits for any more, unless the process has it already."""
        if asked in self._waiting:
            self._waiting.remove(asked)
            self._metrics.agent_dropped.labels(kind=asked.kind).inc()

    def forget(self, table: str) -> None:
        """Free what the process keeps for a table.

        :param table: The table.
        """
        self.tables -= 1
        if self._told.pop(table, None) and self._ready:
            self._pipe.write(frame(_encode(Forget(table))))

    # --- messages to and from the process -------------------------------------------------------------------

    def _send(self, asked: _Open) -> None:
        known = self._told.get(asked.table)
        record = None
        moves: Sequence[tuple[int, str]] = ()
        if known and known.leads_to(asked):
            moves = asked.record.moves[known.count : asked.count]
        else:
            record = replace(asked.record, moves=asked.record.moves[: asked.count])
        self._told[asked.table] = _Told(asked.record, asked.count)
        who = asked.seats, asked.agent, asked.chance
        question = Question(asked.table, record, moves, *who, asked.language, asked.judged, asked.is_fresh)
        self._pipe.write(frame(_encode(question)))

    def _receive(self, body: bytes) -> None:
        """Receive from the process: one empty frame when it is ready, then a reply to each question."""
        if not self._ready:
            self._begin()
            return
        told = self._decode(body)
        if isinstance(told, Asking):
            self._asked = told.seat
        else:
            self._take(told)

    def _begin(self) -> None:
        self._ready = True
        self._watch()
        if not self._started.done():
            self._started.set_result(None)
        self._open = deque(asked for asked in self._open if not asked.future.done())
        for asked in self._open:
            self._send(asked)
        self._go_on()

    def _take(self, reply: Reply) -> None:
        asked = self._open.popleft()
        self._failures = 0
        self._measure(asked)
        if isinstance(reply, Answer):
            if not asked.future.done():
                asked.future.set_result(reply)
        elif isinstance(reply, Fault):
            _refuse(asked, AgentFault(reply.seat, reply.kind, reply.message))
        else:
            self._told.pop(asked.table, None)
            _refuse(asked, AgentPoolError(reply.message))
        self._go_on()

    def _measure(self, asked: _Open) -> None:
        """Count how long a question has waited and taken; the next one begins now."""
        begun, self._begun = self._begun, self._loop.time()
        self._metrics.agent_waiting.labels(kind=asked.kind).observe(max(begun - asked.since, 0.0))
        self._metrics.agent_thinking.labels(kind=asked.kind).observe(self._begun - begun)

    # --- when the process is late or has ended ------------------------------------------------------------------------

    def _watch(self) -> None:
        """Measure the time from now on, and set a timer for the moment when the process is late."""
        self._begun = self._loop.time()
        if self._timer:
            self._timer.cancel()
        self._look_at_clock()

    def _look_at_clock(self) -> None:
        self._timer = None
        if self._ready and not self._open:
            return
        remaining = self._begun + (self._patience if self._ready else START) - self._loop.time()
        if remaining > 0:
            self._timer = self._loop.call_later(remaining, self._look_at_clock)
        else:
            self._late = True
            self._part()

    def _part(self) -> None:
        """Let the process end, if there is one: a late one at once, any other when it sees that nobody asks it."""
        if self._process is None:
            return
        if self._late:
            _kill(self._process)
        else:
            self._hang_up()
            self._loop.call_later(LEAVING, _kill, self._process)

    def _hang_up(self) -> None:
        if not self._pipe.transport.is_closing():
            self._pipe.transport.abort()

    def _lose(self) -> None:
        """Decide whose fault it is that the process ended or was too slow."""
        if self._ready and self._open and self._asked != NOBODY:
            self._blame(self._open[0], self._asked)
        else:
            self._failures += 1
            if self._ready and self._open and self._late:
                asked = self._open.popleft()
                _refuse(asked, AgentPoolError(f"The game of the table '{asked.table}' hangs."))
        self._ready = False
        self._told.clear()
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _blame(self, asked: _Open, seat: int) -> None:
        if self._late:
            message = f"The agent of seat {seat} took more than {self._patience} s."
            _refuse(asked, AgentFault(seat, "slow", message))
        else:
            # The first time, something else may have ended the process.
            asked.deaths += 1
            if asked.deaths < DEATHS:
                return
            _refuse(asked, AgentFault(seat, "crash", f"The agent of seat {seat} ended its process."))
        self._open.popleft()

    # --- the processes ------------------------------------------------------------------------------------------------

    async def _tend(self) -> None:
        """Replace each process that ends, until the pool is closed."""
        try:
            while not self._closed:
                try:
                    reason = f"{ATTEMPTS} of them in a row ended without an answer, the last {await self._run()}"
                except OSError as error:
                    # Another attempt at once would fail, too, and block the server.
                    self._failures = ATTEMPTS
                    reason = str(error)
                if self._failures >= ATTEMPTS and not self._closed:
                    self._give_up(f"There is no process for agents: {reason}.")
                    self._wanted.clear()
                    await self._wanted.wait()
        finally:
            self._closed = True
            self._give_up("The agent pool is closed.")

    async def _run(self) -> str:
        """Run one process from its start to its end.

        :result: How it ended.
        :raises OSError: It cannot be started.
        """
        self._late, self._asked = False, NOBODY
        self._process = process = await _start()
        assert process.stdin
        assert process.stdout
        self._pipe = process.stdin
        frames = Frames()
        if self._closed:
            self._part()
        else:
            self._watch()
        try:
            while data := await process.stdout.read(CHUNK):
                for body in frames.cut(data):
                    self._receive(body)
        finally:
            self._process = None
            self._lose()
            self._hang_up()
            await _end(process)
        return "because it was too slow" if self._late else _end_of(process.returncode or 0)

    def _give_up(self, message: str) -> None:
        if not self._started.done():
            self._started.set_exception(AgentPoolError(message))
        while given_up := self._open or self._waiting:
            _refuse(given_up.popleft(), AgentPoolError(message))


async def _start() -> asyncio.subprocess.Process:
    """Start a process that Ctrl-C in the server's terminal does not reach."""
    alone = 0
    if sys.platform == "win32":  # It has no sessions, and a process gets its lower priority here.
        alone = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS
    pipe = subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *COMMAND, stdin=pipe, stdout=pipe, creationflags=alone, start_new_session=True
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    """Wait until a process has ended that has closed its output; kill it if it does not leave.

    One that is ending, by itself or since it was too slow, is not killed: ``kill`` would ask for its exit code first,
    and who waits would not receive it.
    """
    try:
        async with asyncio.timeout(LEAVING):
            await process.wait()
    except TimeoutError:
        _kill(process)
        await process.wait()


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


def _end_of(code: int) -> str:
    return f"with exit code {code}" if code >= 0 else f"by {signal.Signals(-code).name}"


def _refuse(asked: _Open, error: Exception) -> None:
    if not asked.future.done():
        asked.future.set_exception(error)
