"""The worker processes of a match, and the recovery when one of them hangs or dies.

The parent hands out games by number in small portions, and they come back in any order; no game depends on the worker
that plays it. If a decision exceeds its time limit by far, the parent kills the worker, and the agent to move loses the
game. The parent replaces a worker that dies and has its games played again under watch; if the same game kills a second
worker, the agent to move is to blame.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, MutableSequence
from ctypes import c_double
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any

from tisch.arena.play import BrokenMatch, Fault, Plan, broken_off
from tisch.arena.players import failure, one_by_one, player_of
from tisch.arena.portions import PORTION, Finished, Portion, Source, largest
from tisch.arena.watch import DEADLINE, GAME, SEAT, overtime

#: The interval between checks of the workers, in seconds, even if none reports.
TICK = 0.1
#: The number of workers that a game may kill before the match is given up.
DEATHS = 3

# A forked process shares too much with its parent, so start fresh processes on every system.
_PROCESSES = multiprocessing.get_context("spawn")


def processors() -> int:
    """Return the number of processors that this process may use; it may be limited to fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_here(plan: Plan, source: Source) -> Iterator[list[Finished]]:
    """Play games in the current process, for debuggers and profilers.

    :param plan: The match.
    :param source: Hands out the games.
    :result: The games, several times a second.
    :raises BrokenMatch: A game failed without an agent's fault.
    """
    player = player_of(plan, [math.inf, -1, -1])
    while portion := source(largest(plan)):
        for finished in player.play(portion):
            yield [finished]


class Workers:
    """The workers of a match.

    :param plan: The match.
    :param count: The number of workers.
    """

    def __init__(self, plan: Plan, count: int) -> None:
        self._plan = plan
        self._again: deque[Portion] = deque()
        self._deaths: Counter[int] = Counter()
        self._portion = 1
        self._workers = [_Worker(plan, watched=False) for _ in range(count)]

    def play(self, source: Source) -> Iterator[list[Finished]]:
        """Play games.

        :param source: Hands out the games.
        :result: The games played since the last time, possibly none; several times a second.
        :raises BrokenMatch: A game failed, or killed workers without an agent's fault.
        """
        while True:
            for worker in self._workers:
                while worker.left <= self._portion and (portion := self._next(source)):
                    worker.give(portion)
            busy = [worker for worker in self._workers if worker.open]
            if not busy:
                return
            wait([worker.connection for worker in busy], TICK)
            batch: list[Finished] = []
            for worker in busy:
                batch += self._collect(worker)
            yield batch

    def close(self) -> None:
        """Kill all workers."""
        for worker in self._workers:
            worker.kill()

    def _next(self, source: Source) -> Portion | None:
        return self._again.popleft() if self._again else source(self._portion)

    def _collect(self, worker: _Worker) -> list[Finished]:
        batch, alive = worker.take()
        if worker.pace:
            self._portion = max(1, min(largest(self._plan), int(PORTION / worker.pace)))
        if alive and not worker.overdue():
            return batch
        game, seat = worker.moment()
        late = alive
        worker.kill(patience=0 if late else 1)
        batch += worker.take()[0]
        fault = self._fault(worker, game, seat, late)
        if fault and worker.drop(game):
            batch.append(one_by_one([broken_off(self._plan, game, fault)]))
        elif self._deaths[game] >= DEATHS:
            where = f"at game {game}" if game >= 0 else "before its first game"
            raise BrokenMatch(
                f"A worker died {DEATHS} times {where}, at last with exit code {worker.exit_code}; its output is above."
            )
        self._again.extend(part for portion in worker.open for part in portion.again())
        self._workers[self._workers.index(worker)] = _Worker(self._plan, watched=True)
        return batch

    def _fault(self, worker: _Worker, game: int, seat: int, late: bool) -> Fault | None:
        """Return the fault behind the end of a worker, if known."""
        if late and self._plan.move_time is not None:
            return Fault(seat, "time", overtime(seat, self._plan.move_time))
        self._deaths[game] += 1
        # Agents whose games the engine only verifies are tisch's own.
        if self._plan.policies is None and seat >= 0 and self._deaths[game] > 1:
            return Fault(
                seat, "crash", f"The agent of seat {seat} ended its process, with exit code {worker.exit_code}."
            )
        return None


class _Worker:
    """A worker, as its parent sees it.

    :ivar connection: The connection for portions and finished games.
    :ivar open: What is unfinished of its portions, in order.
    :ivar pace: The recent time per game in seconds; 0 if unknown.
    """

    def __init__(self, plan: Plan, watched: bool) -> None:
        self.open: deque[Portion] = deque()
        self.pace = 0.0
        self._clock: Any = RawArray(c_double, [math.inf, -1, -1])
        self.connection, theirs = _PROCESSES.Pipe()
        arguments = (theirs, plan, self._clock, watched)
        self._process = _PROCESSES.Process(target=_work, args=arguments, daemon=True)
        with deaf():
            self._process.start()
        theirs.close()

    @property
    def left(self) -> int:
        """The number of its unfinished games."""
        return sum(portion.count for portion in self.open)

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process."""
        return self._process.exitcode

    def give(self, portion: Portion) -> None:
        """Hand out games.

        :param portion: The games.
        """
        self.open.append(portion)
        # A worker that has just died is detected at the next request for its games.
        with contextlib.suppress(OSError):
            self.connection.send(portion)

    def take(self) -> tuple[list[Finished], bool]:
        """Receive the finished games.

        :result: The games, and whether the worker is still alive.
        :raises BrokenMatch: The worker reports that a game failed.
        """
        batch: list[Finished] = []
        try:
            while self.connection.poll():
                told, seconds = self.connection.recv()
                if isinstance(told, str):
                    raise BrokenMatch(told)
                self.pace = seconds / told.portion.count
                self._close(told.portion.count)
                batch.append(told)
        except (EOFError, OSError):
            return batch, False
        return batch, True

    def drop(self, game: int) -> bool:
        """Leave out an unfinished game.

        :param game: Its number.
        :result: Whether it was one of the worker's.
        """
        before = self.left
        rests = (Portion([number for number in portion.numbers if number != game]) for portion in self.open)
        self.open = deque(rest for rest in rests if rest.numbers)
        return self.left < before

    def _close(self, games: int) -> None:
        """Take finished games off; a worker plays them in the order in which they were handed out."""
        while games:
            portion = self.open.popleft()
            if games < portion.count:
                self.open.appendleft(portion.after(games))
            games -= min(games, portion.count)

    def overdue(self) -> bool:
        """Return whether a decision has exceeded its time limit."""
        return bool(time.monotonic() > self._clock[DEADLINE])

    def moment(self) -> tuple[int, int]:
        """Return the worker's current game and seat; -1 if unknown."""
        return int(self._clock[GAME]), int(self._clock[SEAT])

    def kill(self, patience: float = 0) -> None:
        """End the process.

        :param patience: (Optional) The time to wait for its own end, in seconds.
        """
        self._process.join(patience)
        self._process.kill()
        self._process.join()


def _work(connection: Connection, plan: Plan, clock: MutableSequence[float], watched: bool) -> None:
    """Run a worker: play the portions until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    # An agent's output must not mix with the arena's output.
    sys.stdout = sys.stderr
    try:
        player = player_of(plan, clock, watched)
        while True:
            portion: Portion = connection.recv()
            begun = time.monotonic()
            for finished in player.play(portion):
                connection.send((finished, time.monotonic() - begun))
                begun = time.monotonic()
    except (EOFError, ConnectionError):
        return
    except BrokenMatch as error:
        connection.send((str(error), 0.0))
    except Exception:  # noqa: BLE001 - The parent raises it with all details.
        connection.send((failure(plan, -1), 0.0))


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, not even while they import: the parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Otherwise it would start with the first process, and then let signals through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
