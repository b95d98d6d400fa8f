"""Watches agents while they decide: whose turn it is, the time taken, and the time limit.

The clock is an array of three numbers, in shared memory if another process watches the worker: the time at which the
seat's limit expires (infinite while no seat decides), the number of the game, and the seat (-1 if unknown).

Decision times are counted in buckets whose width is an eighth of a power of two: the number of a bucket is eight times
the power plus the three bits after the first.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any

from tisch.game import Agent, Random

#: The indices of the clock's numbers.
DEADLINE, GAME, SEAT = range(3)

#: The time that a decision may exceed its limit before its process is killed, in seconds.
GRACE = 1.0
#: The time limit for an agent's start of a game if decisions are limited, in seconds.
START = 60.0


class Overtime(Exception):
    """A decision exceeded its time limit."""


class Watched(Agent[Any]):
    """An agent whose decisions are timed.

    :param agent: The agent.
    :param clock: The clock to update.
    :param limit: The time limit of a decision in seconds.
    :param times: The counter of decisions by bucket.
    :ivar seat: The agent's seat.
    """

    def __init__(
        self, agent: Agent[Any], clock: MutableSequence[float], limit: float | None, times: Counter[int]
    ) -> None:
        self.sight = agent.sight
        self.seat = -1
        self._agent = agent
        self._clock = clock
        self._limit = limit
        self._times = times

    def start(self, random: Random) -> None:
        self._note(START)
        self._agent.start(random)
        clear(self._clock)

    def act(self, view: Any, legal: Sequence[Any], must: bool) -> Any:
        self._note(GRACE)
        begin = time.perf_counter_ns()
        move = self._agent.act(view, legal, must)
        spent = time.perf_counter_ns() - begin
        clear(self._clock)
        self._times[bucket(spent)] += 1
        if self._limit is not None and spent > self._limit * 1e9:
            raise Overtime(overtime(self.seat, self._limit))
        return move

    def _note(self, grace: float) -> None:
        self._clock[SEAT] = self.seat
        if self._limit is not None:
            self._clock[DEADLINE] = time.monotonic() + self._limit + grace


def clear(clock: MutableSequence[float]) -> None:
    """Mark on the clock that no seat decides.

    :param clock: The clock.
    """
    clock[DEADLINE] = math.inf
    clock[SEAT] = -1


def overtime(seat: int, limit: float) -> str:
    """Format the error that a seat exceeded its time limit.

    :param seat: The seat.
    :param limit: The time limit in seconds.
    :result: A sentence.
    """
    return f"Seat {seat} took longer than {limit:g} s for a move."


def bucket(nanoseconds: int) -> int:
    """Return the bucket of a time.

    :param nanoseconds: The time.
    :result: The bucket's number.
    """
    power = max(nanoseconds, 8).bit_length() - 1
    return power * 8 + (max(nanoseconds, 8) >> (power - 3)) - 8


def edge(number: int) -> float:
    """Return the beginning of a bucket, which is the end of the previous one.

    :param number: The bucket's number.
    :result: The time in seconds.
    """
    power, eighth = divmod(number, 8)
    return (8 + eighth) * 2.0 ** (power - 3) * 1e-9


def seconds(number: int) -> float:
    """Return the middle of a bucket.

    :param number: The bucket's number.
    :result: The time in seconds.
    """
    return (edge(number) + edge(number + 1)) / 2


def rank(times: Mapping[int, int], percent: float) -> int:
    """Return the bucket that contains a percentile.

    :param times: The number of decisions in each bucket, at least one.
    :param percent: The percentile.
    :result: The bucket's number.
    """
    left = sum(times.values()) * percent / 100
    for number in sorted(times):
        left -= times[number]
        if left <= 0:
            return number
    return max(times)


def percentile(times: Mapping[int, int], percent: float) -> float | None:
    """Return a percentile of the decision times.

    :param times: The number of decisions in each bucket.
    :param percent: The percentile.
    :result: The time in seconds, accurate to about 6 %; ``None`` without decisions.
    """
    return seconds(rank(times, percent)) if times else None
