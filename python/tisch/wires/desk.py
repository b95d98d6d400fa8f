"""The common part of all hosts: programs, the tables where they sit, and one open question for each program.

A host adds its codec, and translates events to messages and messages to moves. A program has one question open at a
time: for a seat, for the start of a game, or for a move. Its later messages wait in a bounded queue for the answer.
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
from tisch.sockets import FOUND

#: A connection that has sent nothing for this many seconds gives way to the same name from the same address. Most
#: programs are silent while a player thinks: one that has only lost its network has been found long before.
SILENT: Final = FOUND + 5
#: The questions that are not moves.
SIT: Final = "sit"
START: Final = "start"

P = TypeVar("P", bound="Program[Any]")
T = TypeVar("T", bound="KnownTable[Any]")


class Reader(Protocol):
    """Decodes bytes, cut at any place, to messages."""

    def read(self, data: bytes) -> Iterator[Any]:
        """Return the messages that are complete now; raise :class:`ProtocolError` for bytes that are no message."""


class Alarm:
    """A timer that can be set again and stopped.

    :ivar is_set: Is a call pending?
    """

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self._cancel: Callable[[], None] = lambda: None
        self.is_set = False

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        """Call a function after a delay; cancel the pending call."""
        self.stop()
        self.is_set = True
        self._cancel = self._outside.later(seconds, partial(self._ring, call))

    def stop(self) -> None:
        """Cancel the pending call, if there is one."""
        self._cancel()
        self._cancel, self.is_set = lambda: None, False

    def _ring(self, call: Callable[[], None]) -> None:
        self.is_set = False
        call()


@dataclass(eq=False, slots=True)
class Program(Generic[T]):
    """A connected program; a host adds what its protocol must remember.

    :ivar guest: Its number.
    :ivar reader: The decoder of its bytes.
    :ivar alarm: Its own timer.
    :ivar address: Where it comes from.
    :ivar heard: When it has last sent anything.
    :ivar name: The name that it chose; empty until it has sent one.
    :ivar attempt: How many names were taken at the tables where it asked for a seat.
    :ivar wanted: The table where it last asked for a seat.
    :ivar table: The table where it has a seat.
    :ivar look: The last look of its seat.
    :ivar is_admitted: Has it been told that it has its seat?
    :ivar asked: Its open question: :data:`SIT`, :data:`START`, the text of a move, or empty.
    :ivar waiting: What to do when the question is answered.
    """

    guest: int
    reader: Reader
    alarm: Alarm
    address: str = ""
    heard: float = 0.0
    name: str = ""
    attempt: int = 0
    wanted: str = ""
    table: T | None = None
    look: Look | None = None
    is_admitted: bool = False
    asked: str = ""
    waiting: deque[Callable[[], None]] = field(default_factory=deque)


@dataclass(eq=False, slots=True)
class KnownTable(Generic[P]):
    """A table with at least one program, as far as the host knows it.

    :ivar name: Its name.
    :ivar alarm: The timer of the wait for more players.
    :ivar look: The last look of any of its programs.
    :ivar programs: Its programs in the order in which they came.
    """

    name: str
    alarm: Alarm
    look: Look
    programs: list[P] = field(default_factory=list)

    @property
    def is_running(self) -> bool:
        """Is a game in progress?"""
        return self.look.view is not None and self.look.view.turn is not None

    @property
    def is_full(self) -> bool:
        """Does a person or a program hold every seat?"""
        return "ai" not in self.look.kinds

    def at(self, seat: int) -> P | None:
        """Return the program on a seat, if there is one."""
        return next((each for each in self.programs if each.look and each.look.seat == seat), None)


class Desk(Host, Generic[P, T]):
    """A host without its codec and its translation.

    :cvar most_waiting: The bound of a program's queue.
    :cvar attempts: How many more names to try at a table where the name is taken.
    """

    most_waiting: ClassVar[int] = 16
    attempts: ClassVar[int] = 10

    def __init__(self, outside: Outside, options: Any) -> None:
        super().__init__(outside, options)
        self.programs: dict[int, P] = {}
        self.tables: dict[str, T] = {}

    # --- for a host to define -----------------------------------------------------------------------------------------

    @abstractmethod
    def greet(self, guest: int) -> P:
        """Create the program for a new connection."""

    @abstractmethod
    def open(self, name: str, look: Look) -> T:
        """Create the table for the first program that sits there."""

    @abstractmethod
    def hear(self, program: P, message: Any) -> None:
        """Handle a message; pass what needs an answer of the table to :meth:`queue`."""

    @abstractmethod
    def welcome(self, program: P, table: T, look: Look) -> None:
        """Tell a program that it has its seat, and what it sees there."""

    @abstractmethod
    def tell(self, program: P, table: T, look: Look, before: Look) -> None:
        """Tell a program what happened; clear ``program.asked`` if that answers its question."""

    @abstractmethod
    def deny(self, program: P, asked: str, reason: str) -> None:
        """Tell a program that it does not get its seat, or that its move was refused."""

    def untold(self, look: Look) -> Any:
        """Return the move that the desk makes before it admits a program to a seat.

        A program that comes back may find its seat in the midst of a turn that the protocol cannot tell: it would move
        as if the turn had just begun.

        :param look: The look of the seat.
        :result: The move; ``None`` if the protocol can tell everything.
        """
        return None

    def left(self, program: P, table: T) -> bool:
        """Note that a program has left its table.

        :result: Keep the table?
        """
        return bool(table.programs)

    def seat_name(self, program: P) -> str:
        """Return the name under which a program asks for its seat."""
        return fit(program.name)

    def table_options(self) -> Mapping[str, Any]:
        """Return the options for the tables that programs open."""
        return {}

    # --- connections --------------------------------------------------------------------------------------------------

    def opened(self, guest: int, address: str) -> None:
        program = self.programs[guest] = self.greet(guest)
        program.address, program.heard = address, self.outside.time()

    def received(self, guest: int, data: bytes) -> None:
        if program := self.programs.get(guest):
            program.heard = self.outside.time()
            for message in program.reader.read(data):
                self.hear(program, message)
                # The message may have ended the connection.
                if guest not in self.programs:
                    return

    def violated(self, guest: int, error: ProtocolError) -> None:
        """Do nothing: most protocols have no message for it."""

    def closed(self, guest: int) -> None:
        if program := self.programs.pop(guest, None):
            program.alarm.stop()
            self.vacate(program)

    def drop(self, program: P) -> None:
        """Forget a program and close its connection after the bytes in its queue are sent."""
        self.closed(program.guest)
        self.outside.close(program.guest)

    def replace_silent(self, program: P, name: str) -> None:
        """Close silent connections of the same name and address in running games: their player has come back.

        Before a game nothing is lost: the newcomer gets what everybody gets whose name is taken.

        :param program: The newcomer.
        :param name: The name that it has sent.
        """
        for other in list(self.programs.values()):
            is_same = other is not program and (other.name, other.address) == (name, program.address)
            is_silent = self.outside.time() - other.heard >= SILENT
            if name and is_same and is_silent and other.table and other.table.is_running:
                # Now, so that the seat is free before the newcomer asks for it.
                self.outside.stand(other.guest)
                self.drop(other)

    def vacate(self, program: P) -> None:
        """Remove a program from its table; an agent takes the seat."""
        table, look, program.table, program.look = program.table, program.look, None, None
        program.is_admitted = False
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

        :raises ProtocolError: The queue is full.
        """
        if len(program.waiting) == self.most_waiting:
            raise ProtocolError(f"More than {self.most_waiting} messages wait for an answer.")
        program.waiting.append(do)
        self.go_on(program)

    def go_on(self, program: P) -> None:
        """Work off a program's queue until a question is open."""
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
        """Ask for the start of a game, once, through the first program without an open question."""
        free = [program for program in table.programs if not program.asked]
        if free and not table.is_running and all(program.asked != START for program in table.programs):
            free[0].asked = START
            self.outside.start(free[0].guest)

    def gather(self, table: T, wait: float, *, is_ready: bool = True) -> None:
        """Start a game when no seat is free, or else after a wait.

        :param table: The table.
        :param wait: After how many seconds agents take the free seats; 0 is never.
        :param is_ready: (Optional) Are all players ready?
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
            # The connection has closed meanwhile, and the seat is free again.
            return
        if table not in self.tables:
            self.tables[table] = self.open(table, look)
        place = program.table = self.tables[table]
        place.programs.append(program)
        program.look, place.look, program.asked = look, look, ""
        self._admit(program, place, look)

    def _admit(self, program: P, table: T, look: Look) -> None:
        """Welcome a program, or first make the move that its protocol could not ask it for."""
        move = self.untold(look)
        if move is None:
            program.is_admitted, program.asked = True, ""
            self.welcome(program, table, look)
            self.go_on(program)
        elif not program.asked:
            self.play(program, move)

    def refused(self, guest: int, code: int, reason: str) -> None:
        program = self.programs.get(guest)
        if program is None or code == Code.ACTION_TIMEOUT:
            # A timeout answers no question; the agent's move is sent as any other.
            return
        if code == Code.GAME_ALREADY_STARTED and program.asked != START:
            # Somebody else started the game at the same time, and the program has gone on to another question.
            return
        asked, program.asked = program.asked, ""
        if asked == SIT and code == Code.NAME_TAKEN and program.attempt < self.attempts:
            program.attempt += 1
            self.sit(program, program.wanted)
        elif asked not in ("", START) and (program.is_admitted or asked == SIT):
            # No protocol has a message for a game that cannot start.
            self.deny(program, asked, reason)
        self.go_on(program)

    def happened(self, guest: int, look: Look) -> None:
        program = self.programs.get(guest)
        table = program.table if program else None
        if program is None or table is None or program.look is None:
            return
        before, program.look, table.look = program.look, look, look
        if not program.is_admitted:
            self._admit(program, table, look)
            return
        if program.asked == START and table.is_running:
            program.asked = ""
        self.tell(program, table, look, before)
        self.go_on(program)


def fit(name: str, end: str = "") -> str:
    """Repair and truncate a name so that tables accept it.

    :param name: Any text.
    :param end: (Optional) A suffix.
    :result: The name with its suffix.
    """
    seen = " ".join("".join(sign for sign in name if sign.isprintable()).split())
    return (seen[: LONGEST_NAME - len(end)].strip() or "?") + end
