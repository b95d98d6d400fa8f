"""The processes that play a match's games, and what happens when one of them hangs or dies.

Games are handed out by number in small portions and come back in any order; nothing of a game depends on who plays it.
A worker that sits on one decision too long is killed and its game is lost for the agent that had the move. A worker
that dies is replaced, and its games are played again under watch; if the same game kills a second worker, the agent
that had the move is to blame.
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

from tisch.arena.play import Fault, Plan, Played, Player, broken_off
from tisch.arena.watch import DEADLINE, GAME, SEAT, overtime

#: How long a portion of games should take, and how often a worker tells what it has played, in seconds.
PORTION = 0.1
#: The most games in a portion.
LARGEST = 2048
#: How often the processes are looked after even if none has anything to tell, in seconds.
TICK = 0.1
#: How many workers a game may take down before the match is given up.
DEATHS = 3

# Fresh processes on every system: what is started by forking shares more than it should.
_PROCESSES = multiprocessing.get_context("spawn")


class BrokenMatch(RuntimeError):
    """A game, not an agent, failed; the match cannot go on."""


def play_here(plan: Plan, numbers: Iterator[int]) -> Iterator[list[Played]]:
    """Play games in this very process, as debuggers and profilers like it.

    :param plan: The match.
    :param numbers: The games, by number.
    :result: The games that were played since the last time, several times a second.
    :raises BrokenMatch: A game failed without an agent's fault.
    """
    player = Player(plan, [math.inf, -1, -1])
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
    :param count: How many there shall be.
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
        :result: What has been played since the last time, perhaps nothing; several times a second.
        :raises BrokenMatch: A game failed, or took workers down without an agent's fault.
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
        """End all workers at once."""
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
                f"A worker died {DEATHS} times {where}, at last with exit code {worker.exit_code}; "
                "what it said stands above."
            )
        self._again.extend(worker.open)
        self._workers[self._workers.index(worker)] = _Worker(self._plan, watched=True)
        return batch

    def _fault(self, worker: _Worker, game: int, seat: int, late: bool) -> Fault | None:
        """Say who is to blame for a worker that is gone, if that is known."""
        if late and self._plan.move_time is not None:
            return Fault(seat, "time", overtime(seat, self._plan.move_time))
        self._deaths[game] += 1
        if seat >= 0 and self._deaths[game] > 1:
            return Fault(
                seat, "crash", f"The agent of seat {seat} ended its process, with exit code {worker.exit_code}."
            )
        return None


class _Worker:
    """A worker as its parent sees it.

    :ivar connection: Where portions go and games come from.
    :ivar open: The numbers of the games that it has been given and not yet played, in order.
    :ivar pace: How many seconds a game took lately; 0 if that is not known.
    """

    def __init__(self, plan: Plan, watched: bool) -> None:
        self.open: dict[int, None] = {}
        self.pace = 0.0
        self._clock: Any = RawArray(c_double, [math.inf, -1, -1])
        self._decode = msgspec.json.Decoder(list[Played]).decode
        self.connection, theirs = _PROCESSES.Pipe()
        arguments = (theirs, plan, self._clock, watched)
        self._process = _PROCESSES.Process(target=_work, args=arguments, daemon=True)
        with _deaf():
            self._process.start()
        theirs.close()

    @property
    def exit_code(self) -> int | None:
        """How the process ended."""
        return self._process.exitcode

    def give(self, portion: list[int]) -> None:
        """Hand out games.

        :param portion: Their numbers.
        """
        self.open.update(dict.fromkeys(portion))
        # One that has just died is found dead when it is asked for its games.
        with contextlib.suppress(OSError):
            self.connection.send(portion)

    def take(self) -> tuple[list[Played], bool]:
        """Take what has been played.

        :result: The games, and whether the worker is still there.
        :raises BrokenMatch: The worker tells that a game failed.
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
        """Tell whether a decision has taken longer than it may."""
        return bool(time.monotonic() > self._clock[DEADLINE])

    def moment(self) -> tuple[int, int]:
        """Tell which game and which seat the worker is at; -1 where that is not known."""
        return int(self._clock[GAME]), int(self._clock[SEAT])

    def kill(self, patience: float = 0) -> None:
        """End the process.

        :param patience: (Optional) How many seconds to wait for its own end.
        """
        self._process.join(patience)
        self._process.kill()
        self._process.join()


def _work(connection: Connection, plan: Plan, clock: MutableSequence[float], watched: bool) -> None:
    """Be a worker: play what is handed out until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    # What an agent prints must not get between the lines that the arena prints.
    sys.stdout = sys.stderr
    try:
        player = Player(plan, clock, watched)
        while True:
            _play_portion(connection, player, connection.recv())
    except (EOFError, ConnectionError):
        return
    except Exception:  # noqa: BLE001 - The parent raises it, with all that is known.
        connection.send((_failure(plan, int(clock[GAME])), 0.0))


def _play_portion(connection: Connection, player: Player, numbers: list[int]) -> None:
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
def _deaf() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: it is the parent that ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
