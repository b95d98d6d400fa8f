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
import traceback
from collections import Counter, deque
from collections.abc import Iterator, MutableSequence
from ctypes import c_double
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any

import msgspec

from tisch.arena.play import Fault, GamePlayer, Plan, Played, broken_off
from tisch.arena.watch import DEADLINE, GAME, SEAT, overtime

#: The target duration of a portion, and the interval between a worker's reports, in seconds.
PORTION = 0.1
#: The maximum number of games in a portion.
LARGEST = 2048
#: The interval between checks of the workers, in seconds, even if none reports.
TICK = 0.1
#: The number of workers that a game may kill before the match is given up.
DEATHS = 3

# A forked process shares too much with its parent, so start fresh processes on every system.
_PROCESSES = multiprocessing.get_context("spawn")


class BrokenMatch(RuntimeError):
    """A game, not an agent, failed; the match cannot go on."""


def processors() -> int:
    """Return the number of processors that this process may use; it may be limited to fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_here(plan: Plan, numbers: Iterator[int]) -> Iterator[list[Played]]:
    """Play games in the current process, for debuggers and profilers.

    :param plan: The match.
    :param numbers: The games, by number.
    :result: The games played since the last batch, several times a second.
    :raises BrokenMatch: A game failed without an agent's fault.
    """
    player = GamePlayer(plan, [math.inf, -1, -1])
    batch: list[Played] = []
    told = time.monotonic()
    for number in numbers:
        try:
            batch.append(player.play(number))
        except Exception as error:
            raise BrokenMatch(_failure(plan, number)) from error
        if time.monotonic() - told > PORTION:
            yield batch
            batch, told = [], time.monotonic()
    yield batch


class Workers:
    """The workers of a match.

    :param plan: The match.
    :param count: The number of workers.
    """

    def __init__(self, plan: Plan, count: int) -> None:
        self._plan = plan
        self._again: deque[int] = deque()
        self._deaths: Counter[int] = Counter()
        self._portion = 1
        self._workers = [_Worker(plan, watched=False) for _ in range(count)]

    def play(self, numbers: Iterator[int]) -> Iterator[list[Played]]:
        """Play games.

        :param numbers: The games, by number.
        :result: The games played since the last batch, possibly none; several times a second.
        :raises BrokenMatch: A game failed, or killed workers without an agent's fault.
        """
        while True:
            for worker in self._workers:
                while len(worker.open) <= self._portion and (portion := self._next(numbers)):
                    worker.give(portion)
            busy = [worker for worker in self._workers if worker.open]
            if not busy:
                return
            wait([worker.connection for worker in busy], TICK)
            batch: list[Played] = []
            for worker in busy:
                batch += self._collect(worker)
            yield batch

    def close(self) -> None:
        """Kill all workers."""
        for worker in self._workers:
            worker.kill()

    def _next(self, numbers: Iterator[int]) -> list[int]:
        if self._again:
            return [self._again.popleft()]
        return list(islice(numbers, self._portion))

    def _collect(self, worker: _Worker) -> list[Played]:
        batch, alive = worker.take()
        if worker.pace:
            self._portion = max(1, min(LARGEST, int(PORTION / worker.pace)))
        if alive and not worker.overdue():
            return batch
        game, seat = worker.moment()
        late = alive
        worker.kill(patience=0 if late else 1)
        batch += worker.take()[0]
        fault = self._fault(worker, game, seat, late)
        if fault and game in worker.open:
            batch.append(broken_off(self._plan, game, fault))
            worker.open.pop(game)
        elif self._deaths[game] >= DEATHS:
            where = f"at game {game}" if game >= 0 else "before its first game"
            raise BrokenMatch(
                f"A worker died {DEATHS} times {where}, at last with exit code {worker.exit_code}; its output is above."
            )
        self._again.extend(worker.open)
        self._workers[self._workers.index(worker)] = _Worker(self._plan, watched=True)
        return batch

    def _fault(self, worker: _Worker, game: int, seat: int, late: bool) -> Fault | None:
        """Return the fault behind the end of a worker, if known."""
        if late and self._plan.move_time is not None:
            return Fault(seat, "time", overtime(seat, self._plan.move_time))
        self._deaths[game] += 1
        if seat >= 0 and self._deaths[game] > 1:
            return Fault(
                seat, "crash", f"The agent of seat {seat} ended its process, with exit code {worker.exit_code}."
            )
        return None


class _Worker:
    """A worker, as its parent sees it.

    :ivar connection: The connection for portions and finished games.
    :ivar open: The numbers of its unfinished games, in order.
    :ivar pace: The recent time per game in seconds; 0 if unknown.
    """

    def __init__(self, plan: Plan, watched: bool) -> None:
        self.open: dict[int, None] = {}
        self.pace = 0.0
        self._clock: Any = RawArray(c_double, [math.inf, -1, -1])
        self._decode = msgspec.json.Decoder(list[Played]).decode
        self.connection, theirs = _PROCESSES.Pipe()
        arguments = (theirs, plan, self._clock, watched)
        self._process = _PROCESSES.Process(target=_work, args=arguments, daemon=True)
        with deaf():
            self._process.start()
        theirs.close()

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process."""
        return self._process.exitcode

    def give(self, portion: list[int]) -> None:
        """Hand out games.

        :param portion: Their numbers.
        """
        self.open.update(dict.fromkeys(portion))
        # A worker that has just died is detected at the next request for its games.
        with contextlib.suppress(OSError):
            self.connection.send(portion)

    def take(self) -> tuple[list[Played], bool]:
        """Receive the finished games.

        :result: The games, and whether the worker is still alive.
        :raises BrokenMatch: The worker reports that a game failed.
        """
        batch: list[Played] = []
        try:
            while self.connection.poll():
                told, seconds = self.connection.recv()
                if isinstance(told, str):
                    raise BrokenMatch(told)
                games = self._decode(told)
                self.pace = seconds / len(games)
                for played in games:
                    self.open.pop(played.number, None)
                batch += games
        except (EOFError, OSError):
            return batch, False
        return batch, True

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
        player = GamePlayer(plan, clock, watched)
        while True:
            _play_portion(connection, player, connection.recv())
    except (EOFError, ConnectionError):
        return
    except Exception:  # noqa: BLE001 - The parent raises it with all details.
        connection.send((_failure(plan, int(clock[GAME])), 0.0))


def _play_portion(connection: Connection, player: GamePlayer, numbers: list[int]) -> None:
    batch: list[Played] = []
    told = time.monotonic()
    for number in numbers:
        batch.append(player.play(number))
        if time.monotonic() - told > PORTION:
            connection.send((msgspec.json.encode(batch), time.monotonic() - told))
            batch, told = [], time.monotonic()
    if batch:
        connection.send((msgspec.json.encode(batch), time.monotonic() - told))


def _failure(plan: Plan, number: int) -> str:
    seed = plan.deal_seed(number // len(plan.line_ups()))
    where = f"Game {number} (seed {seed})" if number >= 0 else "A worker"
    return f"{where} failed:\n{traceback.format_exc()}"


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
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
