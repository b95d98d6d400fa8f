"""Watches agents while they decide: how long they take, whose turn it is, and when their time is up.

The clock is three numbers, in shared memory where a worker is watched from outside: the moment at which the seat's
time is up (infinite while nobody decides), the number of the game, and the seat (-1 if that is not known).

A decision's time is counted in buckets whose width is an eighth of a power of two: their number is eight times the
power plus the three bits after the first.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, MutableSequence, Sequence
from typing import Any

from tisch.game import Agent, Random

#: What the clock's numbers are.
DEADLINE, GAME, SEAT = range(3)

#: What a decision may take beyond its time before its process is ended, in seconds.
GRACE = 1.0
#: What an agent may take to start a game where decisions are limited, in seconds.
START = 60.0


class Overtime(Exception):
    """A decision took longer than it may."""


class Watched(Agent[Any]):
    """An agent whose decisions are timed.

    :param agent: The agent.
    :param clock: Where it is noted who decides.
    :param limit: How many seconds a decision may take.
    :param times: Where decisions are counted by their time.
    :ivar seat: Where it sits.
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
    """Note that nobody decides.

    :param clock: The clock.
    """
    clock[DEADLINE] = math.inf
    clock[SEAT] = -1


def overtime(seat: int, limit: float) -> str:
    """Say that a seat's time is up.

    :param seat: The seat.
    :param limit: How many seconds it had.
    :result: A sentence.
    """
    return f"Seat {seat} took longer than {limit:g} s for a move."


def bucket(nanoseconds: int) -> int:
    """Find a time's bucket.

    :param nanoseconds: The time.
    :result: The bucket's number.
    """
    power = max(nanoseconds, 8).bit_length() - 1
    return power * 8 + (max(nanoseconds, 8) >> (power - 3)) - 8


def edge(number: int) -> float:
    """Give the beginning of a bucket, which is the end of the one before.

    :param number: The bucket's number.
    :result: The time in seconds.
    """
    power, eighth = divmod(number, 8)
    return (8 + eighth) * 2.0 ** (power - 3) * 1e-9


def seconds(number: int) -> float:
    """Give the middle of a bucket.

    :param number: The bucket's number.
    :result: The time in seconds.
    """
    return (edge(number) + edge(number + 1)) / 2


def rank(times: Mapping[int, int], percent: float) -> int:
    """Find the bucket up to which a share of decisions lies.

    :param times: How many decisions fell into each bucket, at least one.
    :param percent: The share.
    :result: The bucket's number.
    """
    left = sum(times.values()) * percent / 100
    for number in sorted(times):
        left -= times[number]
        if left <= 0:
            return number
    return max(times)


def percentile(times: Mapping[int, int], percent: float) -> float | None:
    """Find the time that a share of decisions does not exceed.

    :param times: How many decisions fell into each bucket.
    :param percent: The share.
    :result: The time in seconds, right to about 6 %; ``None`` without decisions.
    """
    return seconds(rank(times, percent)) if times else None
