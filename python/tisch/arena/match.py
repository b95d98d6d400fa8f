"""A match: plays agents against each other over many deals, until a number of games, a time or a rule ends it."""

from __future__ import annotations

import contextlib
import math
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tisch._core.simulation import Policy
from tisch.agents import Named
from tisch.agents.code import identity_of
from tisch.agents.policies import changed, policy_of
from tisch.arena.course import Course
from tisch.arena.entries import Entry, check, entry
from tisch.arena.journal import MatchJournal, same_match
from tisch.arena.play import Plan, Played, lines_of
from tisch.arena.portions import Finished, Missing, Portion, Source
from tisch.arena.record import RecordFile
from tisch.arena.result import Result
from tisch.arena.schedule import Form, schedule
from tisch.arena.standing import Standing, Sums
from tisch.arena.stopping import Rule, Sprt, WinRate
from tisch.arena.verify import USUAL, share
from tisch.arena.workers import Workers, play_here, processors
from tisch.game import Game
from tisch.games import find, reference
from tisch.importing import version
from tisch.record import changed_options, options_of

#: The default number of games, if nothing else ends the match.
GAMES = 1000
#: A larger number of processes is certainly a mistake.
MOST_WORKERS = 1000


class Match:
    """A match; :meth:`run` plays it.

    With the same arguments every run gives the same result for any number of workers. Only ``seconds`` and
    ``move_time`` make the result depend on the machine.

    Where all agents are policies (:mod:`tisch.agents.policies`) and decisions have no time limit, the core plays the
    games: the same games with the same result.

    :param game: The game, or its name.
    :param agents: The participants: names, import paths, mixed partnerships like ``rule+random``, classes.
    :param options: (Optional) The game's options, as its ``Options`` or as values by name.
    :param games: (Optional) The number of games, including repetitions; a deal that has begun is played in full. The
        default is 1000, or no limit if ``seconds`` or ``sprt`` ends the match.
    :param seed: (Optional) The seed of all chance, 0 to 2⁶⁴ − 1.
    :param workers: (Optional) The number of processes, by default the number of processors; with 0 the current process
        plays.
    :param form: (Optional) ``round-robin`` or ``gauntlet``, see :mod:`tisch.arena.schedule`.
    :param seconds: (Optional) The time in seconds after which the match stops.
    :param sprt: (Optional) The sequential test that ends the match.
    :param stop_at: (Optional) The win rate of the first entry that ends the match when it is reached or out of reach.
    :param move_time: (Optional) The time limit of a decision in seconds.
    :param journal: (Optional) The file that keeps finished games, from which the match can continue.
    :param record: (Optional) The file that gets the transcripts.
    :param part: (Optional) The part ``(k, n)`` of the match: only every n-th deal, from the k-th on. Joined, the
        journals of all parts are that of the whole match.
    :param parts: (Optional) Journals of the same match, or of its parts, whose games are taken over.
    :param dask: (Optional) The address of a Dask scheduler, whose nodes play, each with ``workers`` processes.
    :param course: (Optional) Whether to time decisions and keep the course of the match for a report. Decisions are
        timed in the games that the engine plays.
    :param verify: (Optional) Which games that the core plays the engine verifies: ``1/N``, ``all`` or ``none``; with a
        record it is all of them.
    :param progress: (Optional) A callback that receives the match several times a second.
    :raises ValueError: The arguments do not fit together; the message names the reason.
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
        part: tuple[int, int] = (1, 1),
        parts: Sequence[str | Path] = (),
        dask: str | None = None,
        course: bool = False,
        verify: str = USUAL,
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
        # Rules, records and reports look at each deal or game.
        summed = sprt is None and stop_at is None and record is None and not course
        self.plan = Plan(
            the_game,
            options,
            entries,
            meetings,
            seed,
            transcripts=record is not None,
            move_time=move_time,
            measured=course,
            policies=None if move_time is not None else _policies(the_game, entries),
            verify=share(verify),
            summed=summed,
            lined=journal is not None or not summed,
        )
        self.workers = processors() if workers is None else workers
        if not 0 <= self.workers <= MOST_WORKERS:
            raise ValueError(f"The number of workers must be from 0 to {MOST_WORKERS}, not {self.workers}.")
        self.size = self.plan.size
        self.seconds = seconds
        self.part = part
        unlimited = seconds is not None or sprt is not None
        _check_part(part, is_limited=unlimited or stop_at is not None)
        self.deals = self._deals(games, unlimited=unlimited)
        self.sprt = sprt
        self.rules = self._rules(sprt, stop_at)
        self.standing = Standing(self.plan)
        self.course = Course(self.standing) if course else None
        self.stopped: str | None = None
        self.begin = self.end = time.monotonic()
        self._journal_path = journal
        self._record_path = record
        self._dask = dask
        # On a cluster, each node counts its own processors.
        self._per_node = workers
        if dask is not None and workers == 0:
            raise ValueError("At the nodes of a cluster at least one process plays.")
        self._parts = [Path(path) for path in parts]
        self._progress = progress
        self._waiting: dict[int, Played] = {}
        self._summed: dict[int, Sums] = {}
        self._record: RecordFile | None = None
        self._interrupted = False
        self._played = 0

    @property
    def games(self) -> int | None:
        """The maximum number of games of the match."""
        return None if self.deals is None else self.deals * self.size

    def run(self) -> Result:
        """Play the match.

        Ctrl-C ends it: the workers stop, the files are closed, and :meth:`result` returns the result so far.

        :result: The final result.
        :raises KeyboardInterrupt: It was ended by Ctrl-C.
        :raises BrokenMatch: A game failed without an agent's fault.
        :raises ValueError: The agents cannot be sent to other processes, or a file cannot be used.
        """
        if self.workers or self._dask:
            _check_portable(self.plan)
        journal = MatchJournal(Path(self._journal_path), self.identity()) if self._journal_path else None
        with contextlib.ExitStack() as files:
            if journal:
                files.callback(journal.close)
            if self._record_path:
                self._record = RecordFile(Path(self._record_path), self.plan)
                files.callback(self._record.close)
            known = set()
            for played in journal.read() if journal else ():
                known.add(played.number)
                self._take([played])
            self._take_over(journal, known)
            self._interrupted = False
            with self._interruptible():
                self._play(journal)
        if self._interrupted:
            raise KeyboardInterrupt
        return self.result()

    def result(self) -> Result:
        """Return the result so far.

        :result: The result of all games counted so far.
        """
        return Result(
            self.plan.game, self.standing, self.sprt, self.end - self.begin, self.stopped, self.workers, self._played
        )

    def identity(self) -> dict[str, Any]:
        """Return the values that identify the match, so that its journal fits no other.

        :result: Everything that its games depend on.
        """
        return {
            "version": version(),
            "game": reference(self.plan.game),
            "options": changed_options(self.plan.options),
            "agents": [each.name for each in self.plan.entries],
            **identity_of(self.plan.game, self.plan.agents),
            "line_ups": [list(line_up) for line_up in self.plan.line_ups()],
            "seed": self.plan.seed,
            "move_time": self.plan.move_time,
            "transcripts": self.plan.transcripts,
        }

    @property
    def changed(self) -> list[str]:
        """The agents for whose change alone the engine plays, and not the core."""
        plan = self.plan
        return changed(plan.game, plan.agents) if plan.policies is None and plan.move_time is None else []

    def _take_over(self, journal: MatchJournal | None, known: set[int]) -> None:
        """Take over the games of other journals in their order, and write them to the own one."""
        games: dict[int, Played] = {}
        for path in self._parts:
            games |= {
                played.number: played for played in same_match(path, self.identity()) if played.number not in known
            }
        for number in sorted(games):
            if journal:
                journal.write(lines_of([games[number]]))
            self._take([games[number]])

    def _play(self, journal: MatchJournal | None) -> None:
        """Play the missing games and count them as they arrive."""
        self.begin = self.end = time.monotonic()
        if self.stopped:
            return
        with contextlib.ExitStack() as stack:
            if self._dask is not None:
                # Whoever plays on one machine needs no Dask.
                from tisch.arena.cluster import Cluster  # noqa: PLC0415

                cluster = Cluster(self.plan, self._dask, self._per_node)
                stack.callback(cluster.close)
                batches = cluster.play(self._source())
            elif self.workers:
                workers = Workers(self.plan, self.workers)
                stack.callback(workers.close)
                batches = workers.play(self._source())
            else:
                batches = play_here(self.plan, self._source())
            for batch in batches:
                for finished in batch:
                    self._played += finished.portion.count
                    if journal:
                        journal.write(finished.lines)
                    self._take_in(finished)
                self.end = time.monotonic()
                if self._progress:
                    self._progress(self)
                if self.seconds is not None and self.end - self.begin >= self.seconds:
                    self.stopped = self.stopped or f"{self.seconds:g} seconds have passed."
                if self._interrupted:
                    self.stopped = self.stopped or "The match was interrupted."
                if self.stopped:
                    break

    def _source(self) -> Source:
        """Return what hands out the games that are still to be played."""
        missing = Missing(self.standing.deals, self.deals, self.part, self.size, self._waiting)
        take = missing.games if self.plan.policies is None else missing.deals

        def source(most: int) -> Portion | None:
            return None if self.stopped is not None or self._interrupted else take(most)

        return source

    def _numbers(self, deal: int) -> range:
        """Return the numbers of the games of a deal, which is numbered within the part that is played."""
        first, step = self.part
        begin = (deal * step + first - 1) * self.size
        return range(begin, begin + self.size)

    def _take_in(self, finished: Finished) -> None:
        """Accept finished games."""
        if finished.sums:
            first, step = self.part
            self._summed[(finished.portion.numbers[0] - (first - 1)) // step] = finished.sums
            self._count_on()
        else:
            self._take(finished.games())

    def _take(self, games: Iterable[Played]) -> None:
        """Accept finished games that are counted one by one."""
        if self.stopped:
            return
        first, step = self.part
        for played in games:
            deal, rest = divmod(played.number // self.size - (first - 1), step)
            if not rest and deal >= self.standing.deals:
                self._waiting[played.number] = played
        self._count_on()

    def _count_on(self) -> None:
        """Count all complete deals, in their order."""
        while not self.stopped:
            sums = self._summed.pop(self.standing.deals, None)
            if sums:
                self.standing.merge(sums)
                self._end()
                continue
            numbers = self._numbers(self.standing.deals)
            if not all(number in self._waiting for number in numbers):
                return
            self._count([self._waiting.pop(number) for number in numbers])

    def _count(self, deal: Sequence[Played]) -> None:
        self.standing.add(deal)
        if self._record:
            self._record.write(deal)
        if self.course:
            self.course.add(deal)
        self._end()

    def _end(self) -> None:
        """End the match if it is over."""
        if self.standing.deals == self.deals:
            self.stopped = f"All {self.standing.games} games were played."
        for rule in self.rules:
            self.stopped = rule.verdict(self.standing) or self.stopped

    def _deals(self, games: int | None, unlimited: bool) -> int | None:
        if games is None:
            if unlimited:
                return None
            games = GAMES
        first, step = self.part
        whole = -(-games // self.size)
        if first > whole:
            raise ValueError(f"The match has {whole} deals, so that there is no part {first} of {step}.")
        return -(-(whole - first + 1) // step)

    def _rules(self, sprt: Sprt | None, stop_at: float | None) -> list[Rule]:
        rules: list[Rule] = []
        if sprt:
            if len(self.plan.entries) != 2:
                raise ValueError("SPRT compares two agents; for more agents, limit the number of games or the time.")
            rules.append(sprt)
        if stop_at is not None:
            if self.games is None:
                raise ValueError("Stopping at a win rate needs the number of games.")
            rules.append(WinRate(stop_at, self.games))
        return rules

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Make the first Ctrl-C end the match between two batches, so that the counts are consistent."""
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


def _policies(game: Game[Any], entries: Sequence[Entry]) -> dict[Named, Policy] | None:
    """Return the policy of each agent; ``None`` if one of them is none."""
    named = dict.fromkeys(part for each in entries for part in each.parts)
    policies = {agent: policy for agent in named if (policy := policy_of(game, agent))}
    return policies if len(policies) == len(named) else None


def _check_limits(games: int | None, seconds: float | None, move_time: float | None) -> None:
    named = {"number of games": games, "number of seconds": seconds, "time for a move": move_time}
    for name, value in named.items():
        if value is not None and not 0 < value < math.inf:
            raise ValueError(f"The {name} must be above 0 and finite, not {value:g}.")


def _check_part(part: tuple[int, int], is_limited: bool) -> None:
    first, step = part
    if not 1 <= first <= step:
        raise ValueError(f"A part is K/N with K from 1 to N, not {first}/{step}.")
    if step > 1 and is_limited:
        raise ValueError("A part needs the number of games: a time, SPRT or a win rate would end each part by itself.")


def _check_files(journal: str | Path | None, record: str | Path | None) -> None:
    # The record would overwrite the journal.
    if journal and record and Path(journal).resolve() == Path(record).resolve():
        raise ValueError(f"The file {record} cannot be journal and record at once.")


def _check_portable(plan: Plan) -> None:
    try:
        pickle.dumps(plan)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(
            f"The match cannot be sent to other processes ({error}): name its agents by an import path, or play it "
            "in this process with workers=0."
        ) from error
