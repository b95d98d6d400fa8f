"""What the servers of all wires share: programs, the tables where they sit, and the one question that each has open.

A wire adds its codec, and translates its game's events to messages and messages to moves. A program asks its table one
thing at a time: for a seat, for the beginning of a game, or for a move. What it says meanwhile waits in a queue.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from tisch.ports.refusal import LONGEST_NAME, Code
from tisch.ports.wire import Host, Look, Outside, ProtocolError

#: The questions that are no moves.
SIT: Final = "sit"
START: Final = "start"

P = TypeVar("P", bound="Program[Any]")
T = TypeVar("T", bound="Table[Any]")


class Reader(Protocol):
    """Makes messages of bytes, wherever they are cut."""

    def read(self, data: bytes) -> Iterator[Any]:
        """Return the messages that are complete now; raise :class:`ProtocolError` for what is none."""


class Alarm:
    """A timer that can be set again, and stopped.

    :ivar is_set: Will it ring?
    """

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self._cancel: Callable[[], None] = lambda: None
        self.is_set = False

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        """Call something after a time, and nothing that was set before."""
        self.stop()
        self.is_set = True
        self._cancel = self._outside.later(seconds, partial(self._ring, call))

    def stop(self) -> None:
        """Call nothing."""
        self._cancel()
        self._cancel, self.is_set = lambda: None, False

    def _ring(self, call: Callable[[], None]) -> None:
        self.is_set = False
        call()


@dataclass(eq=False, slots=True)
class Program(Generic[T]):
    """A program that is connected; wires add what their protocol has to remember.

    :ivar guest: Its number.
    :ivar reader: What makes messages of its bytes.
    :ivar alarm: A timer of its own.
    :ivar name: What it calls itself; empty until it has said so.
    :ivar attempt: How many names were taken at the tables where it wanted to sit.
    :ivar wanted: The table where it wanted to sit last.
    :ivar table: Where it sits.
    :ivar look: What its seat saw last.
    :ivar asked: What its table has not answered yet: :data:`SIT`, :data:`START` or a move; empty if nothing is open.
    :ivar waiting: What it has said meanwhile.
    """

    guest: int
    reader: Reader
    alarm: Alarm
    name: str = ""
    attempt: int = 0
    wanted: str = ""
    table: T | None = None
    look: Look | None = None
    asked: str = ""
    waiting: deque[Callable[[], None]] = field(default_factory=deque)


@dataclass(eq=False, slots=True)
class Table(Generic[P]):
    """A table where programs sit, as far as they know it.

    :ivar name: Its name.
    :ivar alarm: What ends the wait for others.
    :ivar programs: The programs that sit there, as they came.
    :ivar look: What one of them saw last.
    """

    name: str
    alarm: Alarm
    look: Look
    programs: list[P] = field(default_factory=list)

    @property
    def is_running(self) -> bool:
        """Does a game go on?"""
        return self.look.view is not None and self.look.view.turn is not None

    @property
    def is_full(self) -> bool:
        """Is no seat held by an agent?"""
        return "ai" not in self.look.kinds

    def at(self, seat: int) -> P | None:
        """Return the program that has a seat."""
        return next((each for each in self.programs if each.look and each.look.seat == seat), None)


class Desk(Host, Generic[P, T]):
    """The server of a protocol, but for what is said.

    :cvar most_waiting: How many messages of a program wait while the answer to an earlier one is outstanding.
    :cvar attempts: How many further names are tried where one is taken.
    """

    most_waiting: ClassVar[int] = 16
    attempts: ClassVar[int] = 10

    def __init__(self, outside: Outside, options: Any) -> None:
        super().__init__(outside, options)
        self.programs: dict[int, P] = {}
        self.tables: dict[str, T] = {}

    # --- what a wire adds ---------------------------------------------------------------------------------------------

    @abstractmethod
    def greet(self, guest: int) -> P:
        """Make a program of one that has connected."""

    @abstractmethod
    def open(self, name: str, look: Look) -> T:
        """Make a table where the first program sits down."""

    @abstractmethod
    def hear(self, program: P, message: Any) -> None:
        """Take a message of a program; what its table must answer goes through :meth:`queue`."""

    @abstractmethod
    def welcome(self, program: P, table: T, look: Look) -> None:
        """Tell a program that it has its seat, and what it sees there."""

    @abstractmethod
    def tell(self, program: P, table: T, look: Look, before: Look) -> None:
        """Tell a program what has happened, and note whether that answers what it has asked."""

    @abstractmethod
    def deny(self, program: P, asked: str, code: int, reason: str) -> None:
        """Tell a program that it cannot have its seat or its move."""

    def left(self, program: P, table: T) -> bool:
        """Note that a program has left its table.

        :result: Is the table remembered, though perhaps no program is left?
        """
        return bool(table.programs)

    def seat_name(self, program: P) -> str:
        """Return the name under which a program asks for its seat."""
        return fit(program.name)

    def table_options(self) -> Mapping[str, Any]:
        """Return the options of the tables that programs open."""
        return {}

    # --- connections --------------------------------------------------------------------------------------------------

    def opened(self, guest: int) -> None:
        self.programs[guest] = self.greet(guest)

    def received(self, guest: int, data: bytes) -> None:
        # A program may be thrown out before all is read that it has sent.
        if program := self.programs.get(guest):
            for message in program.reader.read(data):
                self.hear(program, message)
                if guest not in self.programs:
                    return

    def violated(self, guest: int, error: ProtocolError) -> None:
        """Most protocols have no word for it."""

    def closed(self, guest: int) -> None:
        if program := self.programs.pop(guest, None):
            program.alarm.stop()
            self.vacate(program)

    def drop(self, program: P) -> None:
        """Forget a program, and close its connection once it has read what it was told."""
        self.closed(program.guest)
        self.outside.close(program.guest)

    def vacate(self, program: P) -> None:
        """Take a program from its table, where an agent gets its seat."""
        table, look, program.table, program.look = program.table, program.look, None, None
        if table is None or look is None:
            return
        table.programs.remove(program)
        table.look = table.look.without(look.seat)
        for other in table.programs:
            other.look = other.look and other.look.without(look.seat)
        if not self.left(program, table):
            self.forget(table)

    def forget(self, table: T) -> None:
        """Forget a table."""
        table.alarm.stop()
        if self.tables.get(table.name) is table:
            del self.tables[table.name]

    # --- questions and answers ----------------------------------------------------------------------------------------

    def queue(self, program: P, do: Callable[[], None]) -> None:
        """Do something for a program as soon as it has no question open.

        :raises ProtocolError: Too much waits already.
        """
        if len(program.waiting) == self.most_waiting:
            raise ProtocolError("More was said than can be answered.")
        program.waiting.append(do)
        self.go_on(program)

    def go_on(self, program: P) -> None:
        """Do what waits for an answer, if that has come."""
        while program.waiting and not program.asked and program.guest in self.programs:
            program.waiting.popleft()()

    def sit(self, program: P, table: str) -> None:
        """Ask for a seat."""
        program.asked, program.wanted = SIT, table
        self.outside.sit(program.guest, table, self.seat_name(program), self.table_options())

    def play(self, program: P, move: Any) -> None:
        """Ask for a move."""
        program.asked = str(move)
        self.outside.play(program.guest, program.asked)

    def start(self, table: T) -> None:
        """Begin a game, in the name of the first program that can ask for it."""
        free = [program for program in table.programs if not program.asked]
        if free and not table.is_running and all(program.asked != START for program in table.programs):
            free[0].asked = START
            self.outside.start(free[0].guest)

    def gather(self, table: T, wait: float, *, is_ready: bool = True) -> None:
        """Begin a game when no seat is free, or else after a wait.

        :param table: The table.
        :param wait: After how many seconds agents take the free seats; 0 is never.
        :param is_ready: (Optional) Are all who sit there ready?
        """
        if table.is_running or not is_ready:
            table.alarm.stop()
        elif table.is_full:
            self.start(table)
        elif wait and not table.alarm.is_set:
            table.alarm.set(wait, partial(self.start, table))

    def seated(self, guest: int, table: str, look: Look) -> None:
        program = self.programs.get(guest)
        if program is None:
            # It has gone meanwhile, and its seat with it.
            return
        if table not in self.tables:
            self.tables[table] = self.open(table, look)
        place = program.table = self.tables[table]
        place.programs.append(program)
        program.look, place.look, program.asked = look, look, ""
        self.welcome(program, place, look)
        self.go_on(program)

    def refused(self, guest: int, code: int, reason: str) -> None:
        program = self.programs.get(guest)
        if program is None or code == Code.ACTION_TIMEOUT:
            # What an agent does for who is too slow is told as any move.
            return
        asked, program.asked = program.asked, ""
        if asked == SIT and code == Code.NAME_TAKEN and program.attempt < self.attempts:
            program.attempt += 1
            self.sit(program, program.wanted)
        elif asked not in ("", START):
            # That a game cannot be begun has no word: it runs already, or a person at the table shall begin it.
            self.deny(program, asked, code, reason)
        self.go_on(program)

    def happened(self, guest: int, look: Look) -> None:
        program = self.programs.get(guest)
        table = program.table if program else None
        if program is None or table is None or program.look is None:
            return
        before, program.look, table.look = program.look, look, look
        if program.asked == START and table.is_running:
            program.asked = ""
        self.tell(program, table, look, before)
        self.go_on(program)


def fit(name: str, end: str = "") -> str:
    """Make a name such as tables accept.

    :param name: What somebody wants to be called.
    :param end: (Optional) What stands behind it.
    :result: The name.
    """
    seen = " ".join("".join(sign for sign in name if sign.isprintable()).split())
    return (seen[: LONGEST_NAME - len(end)].strip() or "?") + end
