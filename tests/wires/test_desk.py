"""Tests of what all hosts share: questions and answers, the queue, names, the wait for others, and leaving."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from tisch.ports.refusal import LONGEST_NAME, Code
from tisch.ports.wire import Look, ProtocolError
from tisch.wires.desk import SIT, START, Alarm, Desk, KnownTable, Program, fit


class Outside:
    """A server that notes what a host asks for; the test answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.now = 0.0

    def send(self, guest: int, data: bytes) -> None:
        self.asked.append(("send", guest, data.decode()))

    def close(self, guest: int) -> None:
        self.asked.append(("close", guest))

    def sit(self, guest: int, table: str, name: str, options: Mapping[str, Any]) -> None:
        self.asked.append(("sit", guest, table, name))

    def start(self, guest: int) -> None:
        self.asked.append(("start", guest))

    def play(self, guest: int, *moves: str) -> None:
        self.asked.append(("play", guest, *moves))

    def stand(self, guest: int) -> None:
        self.asked.append(("stand", guest))

    def time(self) -> float:
        return self.now

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        timer = (seconds, call)
        self.timers.append(timer)
        return lambda: self.timers.remove(timer) if timer in self.timers else None

    def ring(self) -> None:
        """Let the only timer ring."""
        ((_, call),) = self.timers
        self.timers.clear()
        call()

    def take(self) -> list[tuple[Any, ...]]:
        """What was asked for since the last time."""
        asked, self.asked = self.asked, []
        return asked


class Letters:
    """A reader for which every byte is a message."""

    def read(self, data: bytes) -> Iterator[str]:
        yield from data.decode()


class Player(Program["Room"]):
    """A program of the test's protocol."""


class Room(KnownTable[Player]):
    """A table of the test's protocol."""


class Letterbox(Desk[Player, Room]):
    """A protocol of letters: s asks for a seat, q leaves, p is answered at once, every other one is a move."""

    most_waiting = 3
    attempts = 2

    def greet(self, guest: int) -> Player:
        return Player(guest, Letters(), Alarm(self.outside), name="Ada")

    def open(self, name: str, look: Look) -> Room:
        return Room(name, Alarm(self.outside), look)

    def hear(self, program: Player, message: str) -> None:
        if message == "q":
            self.drop(program)
        elif message == "p":
            self.outside.send(program.guest, b"pong")
        elif message == "s":
            self.queue(program, partial(self.sit, program, "den"))
        else:
            self.queue(program, partial(self.play, program, message))

    def seat_name(self, program: Player) -> str:
        return fit(program.name, f" {program.attempt}" if program.attempt else "")

    def welcome(self, program: Player, table: Room, look: Look) -> None:
        self.outside.send(program.guest, b"welcome")
        self.gather(table, self.options)

    def tell(self, program: Player, table: Room, look: Look, before: Look) -> None:
        self.outside.send(program.guest, b"told")
        if look.events:
            program.asked = ""
        self.gather(table, self.options)

    def deny(self, program: Player, asked: str, reason: str) -> None:
        self.outside.send(program.guest, f"no {asked}".encode())


def look(seat: int, *kinds: str, turn: int | None = None) -> Look:
    view = None if turn is None else SimpleNamespace(turn=turn)
    return Look(seat, tuple(f"P{each}" for each in range(len(kinds))), kinds, (), view, (), False, None)


def desk(wait: float = 0.0) -> tuple[Letterbox, Outside]:
    outside = Outside()
    return Letterbox(outside, wait), outside


def seated(wait: float = 0.0, *kinds: str) -> tuple[Letterbox, Outside]:
    """Two programs at a table, and nothing that they were told."""
    at, outside = desk(wait)
    for guest in (1, 2):
        at.opened(guest, "192.0.2.1")
        at.received(guest, b"s")
        at.seated(guest, "den", look(guest - 1, *(kinds or ("human", "human", "ai"))))
    outside.asked = [asked for asked in outside.asked if asked[0] not in ("sit", "send")]
    return at, outside


def test_one_question_is_open_and_what_follows_waits_for_its_answer() -> None:
    at, outside = seated()
    at.received(1, b"ab")
    assert outside.take() == [("play", 1, "a")]
    at.refused(1, Code.INVALID_ACTION, "No.")
    assert outside.take() == [("send", 1, "no a"), ("play", 1, "b")]
    at.happened(1, replace(look(0, "human", "human", "ai"), events=("something",)))  # type: ignore[arg-type]
    assert outside.take() == [("send", 1, "told")]
    at.received(1, b"c")
    assert outside.take() == [("play", 1, "c")]


def test_a_timeout_answers_no_question() -> None:
    at, outside = seated()
    at.received(1, b"ab")
    at.refused(1, Code.ACTION_TIMEOUT, "Too late.")
    assert outside.take() == [("play", 1, "a")]
    at.refused(1, Code.NOT_YOUR_TURN, "No.")
    assert outside.take() == [("send", 1, "no a"), ("play", 1, "b")]


def test_the_queue_is_bounded() -> None:
    at, outside = seated()
    at.received(1, b"abcd")
    with pytest.raises(ProtocolError, match=r"^More than 3 messages wait for an answer\.$"):
        at.received(1, b"e")
    assert outside.take() == [("play", 1, "a")]


def test_other_names_are_tried_until_the_seat_is_denied() -> None:
    at, outside = desk()
    at.opened(1, "192.0.2.1")
    at.received(1, b"s")
    for _ in range(3):
        at.refused(1, Code.NAME_TAKEN, "Taken.")
    names = [name for kind, *_, name in outside.take() if kind == "sit"]
    assert names == ["Ada", "Ada 1", "Ada 2"]
    assert at.programs[1].asked == ""
    at.received(1, b"s")
    at.refused(1, Code.TABLE_FULL, "Full.")
    assert outside.take() == [("sit", 1, "den", "Ada 2"), ("send", 1, f"no {SIT}")]


def test_a_game_is_started_once_when_no_seat_is_free() -> None:
    at, outside = seated(0.0, "human", "human")
    assert outside.take() == [("start", 1)]
    at.refused(1, Code.GAME_ALREADY_STARTED, "It runs.")
    assert outside.take() == []
    at.happened(2, look(1, "human", "human"))
    at.happened(2, look(1, "human", "human"))
    assert outside.take() == [("send", 2, "told"), ("start", 1), ("send", 2, "told")]
    at.received(1, b"a")
    assert at.programs[1].asked == START and outside.take() == []
    at.happened(1, look(0, "human", "human", turn=0))
    assert outside.take() == [("send", 1, "told"), ("play", 1, "a")]


def test_a_start_that_comes_too_late_answers_no_other_question() -> None:
    at, outside = seated(0.0, "human", "human")
    # A person starts the game while the program's own request is on its way.
    at.happened(1, look(0, "human", "human", turn=0))
    at.received(1, b"ab")
    outside.take()
    at.refused(1, Code.GAME_ALREADY_STARTED, "It runs.")
    assert outside.take() == [] and at.programs[1].asked == "a"


def test_agents_take_the_free_seats_after_a_wait_that_does_not_begin_anew() -> None:
    at, outside = seated(20.0)
    timers = list(outside.timers)
    assert [seconds for seconds, _ in timers] == [20.0]
    at.happened(1, look(0, "human", "human", "ai"))
    assert outside.timers == timers
    assert outside.take() == [("send", 1, "told")]
    outside.ring()
    assert outside.take() == [("start", 1)]
    at.happened(1, look(0, "human", "human", "ai"))
    assert len(outside.timers) == 1
    at.happened(1, look(0, "human", "human", "ai", turn=1))
    assert outside.timers == []


def test_a_program_that_leaves_is_an_agent_at_once() -> None:
    at, _ = seated()
    table = at.tables["den"]
    at.closed(1)
    assert table.programs == [at.programs[2]] and table.look.kinds == ("ai", "human", "ai")
    left = at.programs[2].look
    assert left and left.kinds == ("ai", "human", "ai")
    assert table.at(0) is None and table.at(1) is at.programs[2]
    at.closed(1)
    assert table.programs == [at.programs[2]]


def test_a_table_that_all_have_left_is_forgotten_with_its_timer() -> None:
    at, outside = seated(20.0)
    at.closed(1)
    assert outside.timers
    at.received(2, b"q")
    assert (at.tables, outside.timers) == ({}, [])
    assert outside.take() == [("close", 2)]


def test_nothing_is_heard_of_a_program_that_has_gone() -> None:
    at, outside = seated()
    at.received(1, b"pqpab")
    at.received(1, b"c")
    at.happened(1, look(0, "human", "human", "ai"))
    at.refused(1, Code.INVALID_ACTION, "No.")
    at.seated(1, "den", look(0, "human", "human", "ai"))
    assert outside.take() == [("send", 1, "pong"), ("close", 1)]


def test_an_alarm_rings_once_and_for_the_last_call() -> None:
    outside, calls = Outside(), []
    alarm = Alarm(outside)
    alarm.set(1.0, lambda: calls.append("first"))
    alarm.set(2.0, lambda: calls.append("second"))
    assert [seconds for seconds, _ in outside.timers] == [2.0] and alarm.is_set
    outside.ring()
    assert calls == ["second"] and not alarm.is_set
    alarm.set(3.0, lambda: calls.append("third"))
    alarm.stop()
    alarm.stop()
    assert outside.timers == [] and not alarm.is_set and calls == ["second"]


@pytest.mark.parametrize(
    ("name", "end", "fitted"),
    [
        ("  Ada\tLovelace\u200b  King ", "", "AdaLovelace King"),
        ("\n\0", "", "?"),
        ("\n\0", " 2", "? 2"),
        ("x" * 50, "", "x" * LONGEST_NAME),
        ("x" * 50, " 10", "x" * (LONGEST_NAME - 3) + " 10"),
        ("x" * (LONGEST_NAME - 3) + " y", " 2", "x" * (LONGEST_NAME - 3) + " 2"),
    ],
)
def test_names_are_made_such_as_tables_accept(name: str, end: str, fitted: str) -> None:
    assert fit(name, end) == fitted
