"""A match: agents against agents over many deals, until its number of games, its time or a rule ends it."""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tisch.arena.course import Course
from tisch.arena.entries import Named, check, entry
from tisch.arena.journal import Journal
from tisch.arena.play import Plan, Played
from tisch.arena.record import Record
from tisch.arena.result import Result
from tisch.arena.schedule import Form, schedule
from tisch.arena.standing import Standing
from tisch.arena.stopping import Rule, Sprt, WinRate
from tisch.arena.workers import Workers, play_here
from tisch.game import Game
from tisch.games import find, reference
from tisch.transcript import changed_options, options_of

#: How many games a match has if nothing else ends it.
GAMES = 1000
#: More processes than this can only be meant otherwise.
MOST_WORKERS = 1000


class Match:
    """A match, set up; :meth:`run` plays it.

    With the same arguments every run gives the same result, whatever the number of workers; only a match that is
    ended by ``seconds``, or whose agents are limited by ``move_time``, depends on the machine.

    :param game: The game, or its name.
    :param agents: Who takes part: names, import paths, mixed partnerships like ``rule+random``, classes.
    :param options: (Optional) The game's options, as its ``Options`` or by name.
    :param games: (Optional) How many games to play, repetitions included; a deal that is begun is played in full.
        Without it 1000, or as many as it takes where ``seconds`` or ``sprt`` end the match.
    :param seed: (Optional) Where all chance comes from, 0 to 2⁶⁴ − 1.
    :param workers: (Optional) How many processes play, as many as there are processors by default; with 0 this very
        process plays.
    :param form: (Optional) ``round-robin`` or ``gauntlet``, see :mod:`tisch.arena.schedule`.
    :param seconds: (Optional) After how many seconds to stop.
    :param sprt: (Optional) The sequential test that ends the match.
    :param stop_at: (Optional) The win rate of the first entry that ends the match when it is reached or out of reach.
    :param move_time: (Optional) How many seconds a decision may take.
    :param journal: (Optional) The file that keeps what has been played, and from which the match goes on.
    :param record: (Optional) The file that gets the transcripts.
    :param course: (Optional) Shall decisions be timed, and the course of the match be kept for a report?
    :param progress: (Optional) Who is told several times a second how the match stands.
    :raises ValueError: Something does not fit together; the sentence names it.
    """

    def __init__(
        self,
        game: Game[Any] | str,
        agents: Sequence[Named],
        *,
        options: Any = None,
        games: int | None = None,
        seed: int = 0,
        workers: int | None = None,
        form: Form | None = None,
        seconds: float | None = None,
        sprt: Sprt | None = None,
        stop_at: float | None = None,
        move_time: float | None = None,
        journal: str | Path | None = None,
        record: str | Path | None = None,
        course: bool = False,
        progress: Callable[[Match], None] | None = None,
    ) -> None:
        the_game = find(game) if isinstance(game, str) else game
        if not isinstance(options, the_game.Options):
            options = options_of(the_game, options or {})
        entries = tuple(map(entry, agents))
        meetings = schedule(len(the_game.sides(options)), len(entries), form)
        check(entries, the_game, options)
        _check_limits(games, seconds, move_time)
        _check_files(journal, record)
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"The seed must be a number from 0 to 2^64 - 1, not {seed}.")
        self.plan = Plan(the_game, options, entries, meetings, seed, record is not None, move_time, measured=course)
        self.workers = _processors() if workers is None else workers
        if not 0 <= self.workers <= MOST_WORKERS:
            raise ValueError(f"There cannot be {self.workers} workers.")
        self.size = len(self.plan.line_ups())
        self.seconds = seconds
        self.deals = self._deals(games, unlimited=seconds is not None or sprt is not None)
        self.sprt = sprt
        self.rules = self._rules(sprt, stop_at)
        self.standing = Standing(self.plan)
        self.course = Course(self.standing) if course else None
        self.stopped: str | None = None
        self.begin = self.end = time.monotonic()
        self._journal_path = journal
        self._record_path = record
        self._progress = progress
        self._waiting: dict[int, Played] = {}
        self._record: Record | None = None
        self._interrupted = False

    @property
    def games(self) -> int | None:
        """How many games the match has at most."""
        return None if self.deals is None else self.deals * self.size

    def run(self) -> Result:
        """Play the match.

        Ctrl-C ends it: its workers are stopped, its files closed, and :meth:`result` tells how far it came.

        :result: How it ended.
        :raises KeyboardInterrupt: It was ended by Ctrl-C.
        :raises BrokenMatch: A game failed without an agent's fault.
        :raises ValueError: The agents cannot be sent to other processes, or a file cannot be used.
        """
        if self.workers:
            _check_portable(self.plan)
        journal = Journal(Path(self._journal_path), self.identity()) if self._journal_path else None
        with contextlib.ExitStack() as files:
            if journal:
                files.callback(journal.close)
            if self._record_path:
                self._record = Record(Path(self._record_path), self.plan)
                files.callback(self._record.close)
            for played in journal.read() if journal else ():
                self._take(played)
            self._interrupted = False
            with self._interruptible():
                self._play(journal)
        if self._interrupted:
            raise KeyboardInterrupt
        return self.result()

    def result(self) -> Result:
        """Tell how the match stands.

        :result: What was counted so far.
        """
        return Result(self.plan.game, self.standing, self.sprt, self.end - self.begin, self.stopped, self.workers)

    def identity(self) -> dict[str, Any]:
        """Tell what distinguishes the match from others, so that its journal fits no other.

        :result: What its games depend on.
        """
        return {
            "version": version("tisch"),
            "game": reference(self.plan.game),
            "options": changed_options(self.plan.options),
            "agents": [each.name for each in self.plan.entries],
            "line_ups": [list(line_up) for line_up in self.plan.line_ups()],
            "seed": self.plan.seed,
            "move_time": self.plan.move_time,
            "transcripts": self.plan.transcripts,
        }

    def _play(self, journal: Journal | None) -> None:
        """Play what is missing, and count it as it comes."""
        self.begin = self.end = time.monotonic()
        if self.stopped:
            return
        with contextlib.ExitStack() as stack:
            if self.workers:
                workers = Workers(self.plan, self.workers)
                stack.callback(workers.close)
                batches = workers.play(self._missing())
            else:
                batches = play_here(self.plan, self._missing())
            for batch in batches:
                if journal:
                    journal.write(batch)
                for played in batch:
                    self._take(played)
                self.end = time.monotonic()
                if self._progress:
                    self._progress(self)
                if self.seconds is not None and self.end - self.begin >= self.seconds:
                    self.stopped = self.stopped or f"{self.seconds:g} seconds have passed."
                if self._interrupted:
                    self.stopped = self.stopped or "The match was interrupted."
                if self.stopped:
                    break

    def _missing(self) -> Iterator[int]:
        """Number the games that nobody has played yet."""
        known = set(self._waiting)
        number = self.standing.games
        while self.stopped is None and not self._interrupted and (self.games is None or number < self.games):
            if number not in known:
                yield number
            number += 1

    def _take(self, played: Played) -> None:
        """Take a game that has been played, and count the deals that are complete."""
        if self.stopped or played.number < self.standing.games:
            return
        self._waiting[played.number] = played
        while not self.stopped:
            numbers = range(self.standing.games, self.standing.games + self.size)
            if not all(number in self._waiting for number in numbers):
                return
            self._count([self._waiting.pop(number) for number in numbers])

    def _count(self, deal: Sequence[Played]) -> None:
        self.standing.add(deal)
        if self._record:
            self._record.write(deal)
        if self.course:
            self.course.add(deal)
        if self.standing.deals == self.deals:
            self.stopped = f"All {self.standing.games} games were played."
        for rule in self.rules:
            self.stopped = rule.verdict(self.standing) or self.stopped

    def _deals(self, games: int | None, unlimited: bool) -> int | None:
        if games is None:
            if unlimited:
                return None
            games = GAMES
        return -(-games // self.size)

    def _rules(self, sprt: Sprt | None, stop_at: float | None) -> list[Rule]:
        rules: list[Rule] = []
        if sprt:
            if len(self.plan.entries) != 2:
                raise ValueError("SPRT compares two agents; for more of them fix the number of games or the time.")
            rules.append(sprt)
        if stop_at is not None:
            if self.games is None:
                raise ValueError("Stopping at a win rate needs the number of games.")
            rules.append(WinRate(stop_at, self.games))
        return rules

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Let the first Ctrl-C end the match between two batches, so that everything counted is whole."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGINT)

        def interrupt(*_: object) -> None:
            self._interrupted = True
            signal.signal(signal.SIGINT, before)

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def _check_limits(games: int | None, seconds: float | None, move_time: float | None) -> None:
    named = {"number of games": games, "number of seconds": seconds, "time for a move": move_time}
    for name, value in named.items():
        if value is not None and not 0 < value < math.inf:
            raise ValueError(f"The {name} must be above 0 and finite, not {value:g}.")


def _check_files(journal: str | Path | None, record: str | Path | None) -> None:
    # The record would be written over the journal.
    if journal and record and Path(journal).resolve() == Path(record).resolve():
        raise ValueError(f"The file {record} cannot be journal and record at once.")


def _processors() -> int:
    # A process may be bound to fewer processors than the machine has.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check_portable(plan: Plan) -> None:
    try:
        pickle.dumps(plan)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(
            f"The match cannot be sent to other processes ({error}): name its agents by an import path, or let this "
            "process play it with workers=0."
        ) from error
