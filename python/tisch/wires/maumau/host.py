"""The server's side of Mau-Mau's own protocol.

A table knows nothing of this protocol: here its events become messages, and messages become moves. Programs share
tables with people and agents. A program that is thrown out, or is gone, leaves its seat to an agent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, groupby
from typing import Any, Final

from tisch.game import Event
from tisch.games.maumau import rules
from tisch.games.maumau.cards import COLOURS, NUMBERS
from tisch.games.maumau.moves import Move
from tisch.ports.refusal import LONGEST_NAME, Code
from tisch.ports.wire import Host, Look, Outside, ProtocolError
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Message, Reader

#: How many moves a program may try in a game that are not legal.
ILLEGAL: Final = 3
#: How many messages wait while the answer to an earlier one is outstanding.
WAITING: Final = 16
#: How often somebody may be refused a seat, for his name or because a table is full, before he is turned away.
TRIES: Final = 8
#: How long a table where no program is left is kept free for those who were cut off there, in seconds.
KEPT: Final = 300.0
#: The largest score that can be told (W10).
MOST: Final = 255


@dataclass(frozen=True, slots=True)
class Options:
    """How this server behaves.

    :ivar players: How many play at a table, 2 to 5.
    :ivar rounds: How many rounds a game has.
    :ivar time: How many seconds a program may think before it is thrown out; 0 is no limit.
    :ivar wait: After how many seconds agents take the seats that are still free; 0 is never.
    :ivar dialect: How it is told that somebody lays all his Jacks at once: seed tells of each card, head says finish
        as later versions do.
    :ivar table: The name of the table; further ones get a number.
    """

    players: int = 2
    rounds: int = 1
    time: float = 0.0
    wait: float = 0.0
    dialect: str = "seed"
    table: str = "Mau-Mau"

    def __post_init__(self) -> None:
        """Refuse bad values."""
        rules.Options(players=self.players, rounds=self.rounds)
        if self.rounds > MOST:
            raise ValueError(f"The protocol can tell of at most {MOST} rounds, not of {self.rounds}.")
        if self.time < 0 or self.wait < 0:
            raise ValueError(f"Time and wait must be 0 s or more, not {self.time:g} s and {self.wait:g} s.")
        if self.dialect not in ("seed", "head"):
            raise ValueError(f"There is no dialect '{self.dialect}'; there are seed and head.")
        if not 1 <= len(self.table) <= LONGEST_NAME - 4:
            raise ValueError(f"The name of the table has 1 to {LONGEST_NAME - 4} letters.")


@dataclass(slots=True)
class _Table:
    """What is remembered of a table at which programs sit.

    :ivar programs: Their numbers by seat.
    :ivar gone: By name who has left the running game, and may come back.
    :ivar is_running: Is a game going on?
    :ivar was_running: Was one going on when the first program sat down, as after a restart of the server?
    :ivar stop_waiting: Makes that agents do not take the free seats any more, or that the table is not forgotten.
    """

    programs: dict[int, int] = field(default_factory=dict)
    gone: dict[str, None] = field(default_factory=dict)
    is_running: bool = False
    was_running: bool = False
    stop_waiting: Callable[[], None] | None = None


@dataclass(slots=True)
class _Program:
    """What is known of a program.

    :ivar reader: Makes messages of its bytes.
    :ivar said: What it calls itself; empty until it has said so.
    :ivar name: Under which name it sits, or tries to.
    :ivar tries: How often it was refused a seat.
    :ivar tried: At which tables.
    :ivar table: The name of its table, or of the one at which it tries to sit.
    :ivar seat: Its seat; ``None`` until it has one.
    :ivar look: What it saw last.
    :ivar counts: How many cards each holds, as far as told.
    :ivar top: The card on top, as far as told.
    :ivar is_open: Has the top still to be told (W5)?
    :ivar asked_for: What it has asked for and got no answer to: ``sit``, ``play``, or nothing.
    :ivar waiting: What it has said meanwhile.
    :ivar illegal: How many illegal moves it has tried.
    :ivar stop_clock: Makes that its time does not run out.
    """

    reader: Reader = field(default_factory=lambda: Reader(TO_SERVER))
    said: str = ""
    name: str = ""
    tries: int = 0
    tried: set[str] = field(default_factory=set)
    table: str = ""
    seat: int | None = None
    look: Look | None = None
    counts: list[int] = field(default_factory=list)
    top: str = ""
    is_open: bool = False
    asked_for: str = ""
    waiting: deque[Message] = field(default_factory=deque)
    illegal: int = 0
    stop_clock: Callable[[], None] | None = None


class MauMauHost(Host):
    """Mau-Mau for programs."""

    port = 53427
    Options = Options

    def __init__(self, outside: Outside, options: Any) -> None:
        super().__init__(outside, options)
        self._programs: dict[int, _Program] = {}
        self._tables: dict[str, _Table] = {}

    # --- connections --------------------------------------------------------------------------------------------------

    def opened(self, guest: int) -> None:
        self._programs[guest] = _Program()

    def received(self, guest: int, data: bytes) -> None:
        program = self._programs.get(guest)
        if program is None:
            # It has just been thrown out.
            return
        for message in program.reader.read(data):
            if len(program.waiting) == WAITING:
                raise ProtocolError("More was said than can be answered.")
            program.waiting.append(message)
            self._go_on(guest, program)
            if guest not in self._programs:
                return

    def violated(self, guest: int, error: ProtocolError) -> None:
        if guest in self._programs:
            self._throw_out(guest, self._programs[guest])

    def closed(self, guest: int) -> None:
        program = self._programs.get(guest)
        if program:
            self._forget(guest, program)

    def _throw_out(self, guest: int, program: _Program) -> None:
        """Throw a program out (W12); the others are told by the event that it has left."""
        if program.seat is not None and self._tables[program.table].is_running:
            self._send(guest, "yeet", program.seat + 1)
        self._forget(guest, program)
        self.outside.close(guest)

    def _forget(self, guest: int, program: _Program) -> None:
        del self._programs[guest]
        self._stop_clock(program)
        table = self._tables.get(program.table)
        if table is None or program.seat is None:
            return
        del table.programs[program.seat]
        for other in map(self._programs.__getitem__, table.programs.values()):
            other.look = other.look and other.look.without(program.seat)
        if table.is_running and _others(program):
            table.gone[program.name] = None
            if not table.programs:
                # People in browsers play on, but when they have ended is told to programs only.
                table.stop_waiting = self.outside.later(KEPT, lambda: self._drop(program.table, table))
        else:
            self._drop(program.table, table)

    def _drop(self, name: str, table: _Table) -> None:
        """Forget a table if no program plays there any more."""
        if table.programs or self._tables.get(name) is not table:
            return
        del self._tables[name]
        if table.stop_waiting:
            table.stop_waiting()

    # --- what programs say --------------------------------------------------------------------------------------------

    def _go_on(self, guest: int, program: _Program) -> None:
        """Do what a program has said, as far as nothing is outstanding."""
        while program.waiting and not program.asked_for and guest in self._programs:
            self._do(guest, program, program.waiting.popleft())

    def _do(self, guest: int, program: _Program, message: Message) -> None:
        kind, value = message
        if kind == "yeet":
            self._throw_out(guest, program)
        elif kind == "id":
            # W15: who says his name again is not heard.
            if not program.said:
                program.said = program.name = _named(value)
                self._sit(guest, program)
        elif program.look and program.look.legal:
            # W15: what is said out of turn is not heard. Who was too slow, so that an agent plays on, may still move.
            program.asked_for = "play"
            self._stop_clock(program)
            self.outside.play(guest, str(Move(kind, value or 0)))

    def _sit(self, guest: int, program: _Program) -> None:
        """Look for a table: the one that the program was cut off from, or else one that is still to begin."""
        left = [name for name, table in self._tables.items() if program.said in table.gone]
        names = chain((self.options.table,), (f"{self.options.table} {number}" for number in count(2)))
        still_open = (name for name in names if not self._is_closed(name))
        program.table = next(name for name in chain(left, still_open) if name not in program.tried)
        self._ask_for_seat(guest, program)

    def _ask_for_seat(self, guest: int, program: _Program) -> None:
        program.asked_for = "sit"
        options = {"players": self.options.players, "rounds": self.options.rounds}
        self.outside.sit(guest, program.table, program.name, options)

    def _is_closed(self, name: str) -> bool:
        table = self._tables.get(name)
        if table is None:
            return False
        # A game that ran already when the first program came goes on after a restart: it waits for the others, too.
        return (table.is_running and not table.was_running) or len(table.programs) == self.options.players

    def refused(self, guest: int, code: int, reason: str) -> None:
        program = self._programs.get(guest)
        if program is None or code == Code.ACTION_TIMEOUT:
            # What an agent does for who is too slow is told as any move.
            return
        asked_for, program.asked_for = program.asked_for, ""
        if asked_for == "sit":
            self._sit_elsewhere(guest, program, code)
        elif asked_for == "play":
            program.illegal += 1
            if program.illegal == ILLEGAL:
                self._throw_out(guest, program)
                return
            if program.look and program.look.legal:
                view = program.look.view
                self._tell_turn(guest, program, view.turn, view.penalty, view.wish)
                self._start_clock(guest, program)
            self._go_on(guest, program)
        # Otherwise the game could not be begun: it runs already, or the person who is the table's host shall begin it.

    def _sit_elsewhere(self, guest: int, program: _Program, code: int) -> None:
        program.tries += 1
        if program.tries == TRIES:
            self._throw_out(guest, program)
        elif code == Code.NAME_TAKEN:
            number = f" {program.tries + 1}"
            program.name = program.said[: LONGEST_NAME - len(number)] + number
            self._ask_for_seat(guest, program)
        else:
            program.tried.add(program.table)
            self._sit(guest, program)

    # --- what tables tell ---------------------------------------------------------------------------------------------

    def seated(self, guest: int, table: str, look: Look) -> None:
        program = self._programs.get(guest)
        if program is None:
            return
        program.asked_for, program.table, program.seat, program.look = "", table, look.seat, look
        place = self._tables.setdefault(table, _Table(was_running=_is_running(look)))
        place.programs[look.seat] = guest
        place.gone.pop(program.name, None)
        place.is_running = _is_running(look)
        self._send(guest, "id", look.seat + 1)
        if place.is_running:
            view = look.view
            program.counts, program.top, program.is_open = list(view.counts), view.top, True
            self._send(guest, "round", (view.round, view.rounds))
            self._deal(guest, view.hand)
            self._tell_turn(guest, program, view.turn, view.penalty, view.wish)
            self._start_clock(guest, program)
        self._wait_for_others(guest, place, look)
        self._go_on(guest, program)

    def happened(self, guest: int, look: Look) -> None:
        program = self._programs.get(guest)
        if program is None or program.seat is None:
            return
        place = self._tables[program.table]
        place.is_running = _is_running(look)
        was_asked = program.look and program.look.asked
        program.look = look
        if look.seat != program.seat:
            # It was given another seat, but cannot be told another number.
            self._throw_out(guest, program)
            return
        names = [event.name for event in look.events]
        if "player" in names or "result" in names:
            program.asked_for = ""
        for event in _at_once(look.events) if self.options.dialect == "head" else look.events:
            self._tell(guest, program, event)
        if "game_over" in names:
            self._forget(guest, program)
            self.outside.close(guest)
            return
        if not look.asked:
            self._stop_clock(program)
        elif "player" in names or not was_asked:
            self._start_clock(guest, program)
        self._wait_for_others(guest, place, look)
        self._go_on(guest, program)

    def _wait_for_others(self, guest: int, place: _Table, look: Look) -> None:
        """Begin the game as soon as nobody is missing, or after a time with agents."""
        if place.is_running:
            if place.stop_waiting:
                place.stop_waiting()
                place.stop_waiting = None
        elif "ai" not in look.kinds:
            self.outside.start(guest)
        elif self.options.wait and not place.stop_waiting:
            place.stop_waiting = self.outside.later(self.options.wait, lambda: self._begin(place))

    def _begin(self, place: _Table) -> None:
        place.stop_waiting = None
        for guest in list(place.programs.values())[:1]:
            self.outside.start(guest)

    def _tell(self, guest: int, program: _Program, event: Event) -> None:
        """Tell a program what happened."""
        told = event.public
        match event.name:
            case "round":
                self._send(guest, "round", (told["round"], told["rounds"]))
            case "deal":
                program.counts, program.top, program.is_open = list(told["counts"]), told["card"], True
                self._deal(guest, told["cards"])
            case "player":
                self._tell_turn(guest, program, told["seat"], told["penalty"], told["wish"])
            case "play":
                program.counts[told["seat"]] -= 1
                program.top = told["card"]
                self._send(guest, "play", NUMBERS[told["card"]])
            case "finish":
                program.counts[told["seat"]] = 0
                self._send(guest, "finish")
            case "draw":
                program.counts[told["seat"]] += told["count"]
                # W6: the new cards only, and for him only who has drawn them.
                self._send(guest, "draw", told["count"])
                self._deal(guest, told.get("cards", ()))
            case "wish":
                self._send(guest, "wish", COLOURS.index(told["colour"]))
            case "stack":
                program.top, program.is_open = told["card"], True
            case "result":
                self._send(guest, "result", tuple(min(score, MOST) for score in told["scores"]))
            case "player_left" if self._tables[program.table].is_running:
                self._send(guest, "yeet", told["player_index"] + 1)

    def _tell_turn(self, guest: int, program: _Program, seat: int, penalty: int, wish: str) -> None:
        """Tell all that belongs to a turn (W13)."""
        self._send(guest, "draw", penalty)
        self._send(guest, "wish", COLOURS.index(wish) if wish else None)
        if program.is_open:
            self._send(guest, "stack", NUMBERS[program.top])
            program.is_open = False
        self._send(guest, "cards", tuple(program.counts))
        self._send(guest, "player", seat + 1)
        self._send(guest, "time", round(1000 * self._time_for(program, seat)))

    def _deal(self, guest: int, labels: Sequence[str]) -> None:
        # W11: an empty list is never sent.
        if labels:
            self._send(guest, "deal", tuple(NUMBERS[label] for label in labels))

    def _send(self, guest: int, kind: str, value: Any = None) -> None:
        self.outside.send(guest, TO_CLIENT.write(kind, value))

    # --- time ---------------------------------------------------------------------------------------------------------

    def _time_for(self, program: _Program, seat: int) -> float:
        """Tell how many seconds a seat has for a turn, as far as that is known here; 0 is no limit (W2)."""
        limits = []
        if self.options.time and seat in self._tables[program.table].programs:
            limits.append(self.options.time)
        if program.look and program.look.time_left is not None and seat == program.seat:
            limits.append(program.look.time_left)
        return min(limits, default=0.0)

    def _start_clock(self, guest: int, program: _Program) -> None:
        self._stop_clock(program)
        if self.options.time and program.look and program.look.asked:
            program.stop_clock = self.outside.later(self.options.time, lambda: self._time_is_over(guest))

    def _stop_clock(self, program: _Program) -> None:
        if program.stop_clock:
            program.stop_clock()
            program.stop_clock = None

    def _time_is_over(self, guest: int) -> None:
        if guest in self._programs:
            self._throw_out(guest, self._programs[guest])


def _named(text: str) -> str:
    """Make a name of what a program calls itself, such as tables accept."""
    seen = "".join(sign for sign in text if sign.isprintable())
    return " ".join(seen.split())[:LONGEST_NAME].strip() or "?"


def _others(program: _Program) -> int:
    """Count the people and programs besides one at its table."""
    return 0 if program.look is None else program.look.kinds.count("human") - 1


def _is_running(look: Look) -> bool:
    return look.view is not None and look.view.turn is not None


def _at_once(events: Sequence[Event]) -> Iterator[Event]:
    """Make one event of the cards that somebody lays at once (W9)."""
    for are_plays, group in groupby(events, lambda event: event.name == "play"):
        run = list(group)
        if are_plays and len(run) > 1:
            yield Event("finish", {"seat": run[0].public["seat"]})
        else:
            yield from run
