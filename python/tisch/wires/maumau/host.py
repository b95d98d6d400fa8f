"""The server's side of Mau-Mau's own protocol: a table's events become messages, and messages become moves.

Programs share tables with people and agents. A program that is thrown out, or is gone, leaves its seat to an agent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count, groupby
from typing import Any, Final

from tisch.game import Event
from tisch.games.maumau import rules
from tisch.games.maumau.cards import COLOURS, NUMBERS
from tisch.games.maumau.moves import Move
from tisch.ports.refusal import LONGEST_NAME
from tisch.ports.wire import Look, ProtocolError
from tisch.wires.desk import SIT, Alarm, Desk, Program, Table, fit
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Message, Reader

#: How many moves a program may try in a game that are not legal.
ILLEGAL: Final = 3
#: How many tables a program may try that are full, before it is turned away.
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


@dataclass(eq=False, slots=True)
class _Table(Table["_Program"]):
    """A table of Mau-Mau.

    :ivar gone: The names of programs that have left the running game, and may come back.
    :ivar was_running: Was a game going on when the first program sat down, as after a restart of the server?
    """

    gone: set[str] = field(default_factory=set)
    was_running: bool = False


@dataclass(eq=False, slots=True)
class _Program(Program[_Table]):
    """A program that plays Mau-Mau; its alarm is its time to think.

    :ivar full: The tables that had no seat for it.
    :ivar counts: How many cards each holds, as far as told.
    :ivar top: The card on top, as far as told.
    :ivar is_open: Has the top still to be told (W5)?
    :ivar illegal: How many illegal moves it has tried.
    """

    full: set[str] = field(default_factory=set)
    counts: list[int] = field(default_factory=list)
    top: str = ""
    is_open: bool = False
    illegal: int = 0


class MauMauHost(Desk[_Program, _Table]):
    """Mau-Mau for programs."""

    port = 53427
    Options = Options

    def greet(self, guest: int) -> _Program:
        return _Program(guest, Reader(TO_SERVER), Alarm(self.outside))

    def open(self, name: str, look: Look) -> _Table:
        table = _Table(name, Alarm(self.outside), look)
        table.was_running = table.is_running
        return table

    # --- who comes and goes -------------------------------------------------------------------------------------------

    def violated(self, guest: int, error: ProtocolError) -> None:
        if guest in self.programs:
            self._throw_out(self.programs[guest])

    def _throw_out(self, program: _Program) -> None:
        """Throw a program out (W12); the others are told by the event that it has left."""
        if program.table and program.look and program.table.is_running:
            self._send(program, "yeet", program.look.seat + 1)
        self.drop(program)

    def left(self, program: _Program, table: _Table) -> bool:
        if not (table.is_running and "human" in table.look.kinds):
            return bool(table.programs)
        table.gone.add(self.seat_name(program))
        if not table.programs:
            # People in browsers play on, but when they have ended is told to programs only.
            table.alarm.set(KEPT, partial(self.forget, table))
        return True

    def seat_name(self, program: _Program) -> str:
        return fit(program.name, f" {program.attempt + 1}" if program.attempt else "")

    def table_options(self) -> Mapping[str, Any]:
        return {"players": self.options.players, "rounds": self.options.rounds}

    def _find_seat(self, program: _Program) -> None:
        """Look for a table: the one that the program was cut off from, or else one that is still to begin."""
        left = [name for name, table in self.tables.items() if program.name in table.gone]
        names = chain((self.options.table,), (f"{self.options.table} {number}" for number in count(2)))
        still_open = (name for name in names if not self._is_closed(name))
        self.sit(program, next(name for name in chain(left, still_open) if name not in program.full))

    def _is_closed(self, name: str) -> bool:
        table = self.tables.get(name)
        if table is None:
            return False
        # A game that ran already when the first program came goes on after a restart: it waits for the others, too.
        return (table.is_running and not table.was_running) or len(table.programs) == self.options.players

    def welcome(self, program: _Program, table: _Table, look: Look) -> None:
        table.gone.discard(self.seat_name(program))
        self._send(program, "id", look.seat + 1)
        if table.is_running:
            view = look.view
            program.counts, program.top, program.is_open = list(view.counts), view.top, True
            self._send(program, "round", (view.round, view.rounds))
            self._deal(program, view.hand)
            self._tell_turn(program, view.turn, view.penalty, view.wish)
            self._start_clock(program)
        self.gather(table, self.options.wait)

    # --- what programs say --------------------------------------------------------------------------------------------

    def hear(self, program: _Program, message: Message) -> None:
        self.queue(program, partial(self._do, program, message))

    def _do(self, program: _Program, message: Message) -> None:
        kind, value = message
        if kind == "yeet":
            self._throw_out(program)
        elif kind == "id":
            # W15: who says his name again is not heard.
            if not program.name:
                program.name = fit(value)
                self._find_seat(program)
        elif program.look and program.look.legal:
            # W15: what is said out of turn is not heard. Who was too slow, so that an agent plays on, may still move.
            program.alarm.stop()
            self.play(program, Move(kind, value or 0))

    def deny(self, program: _Program, asked: str, code: int, reason: str) -> None:
        if asked == SIT:
            program.full.add(program.wanted)
            if len(program.full) == TRIES:
                self._throw_out(program)
            else:
                self._find_seat(program)
            return
        program.illegal += 1
        if program.illegal == ILLEGAL:
            self._throw_out(program)
        elif program.look and program.look.legal:
            view = program.look.view
            self._tell_turn(program, view.turn, view.penalty, view.wish)
            self._start_clock(program)

    # --- what happens at the table ------------------------------------------------------------------------------------

    def tell(self, program: _Program, table: _Table, look: Look, before: Look) -> None:
        if look.seat != before.seat:
            # It was given another seat, but cannot be told another number.
            self._throw_out(program)
            return
        names = {event.name for event in look.events}
        if names & {"player", "result"}:
            program.asked = ""
        for event in _at_once(look.events) if self.options.dialect == "head" else look.events:
            self._tell(program, table, event)
        if "game_over" in names:
            self.drop(program)
            return
        if not look.asked:
            program.alarm.stop()
        elif "player" in names or not before.asked:
            self._start_clock(program)
        self.gather(table, self.options.wait)

    def _tell(self, program: _Program, table: _Table, event: Event) -> None:
        told = event.public
        match event.name:
            case "round":
                self._send(program, "round", (told["round"], told["rounds"]))
            case "deal":
                program.counts, program.top, program.is_open = list(told["counts"]), told["card"], True
                self._deal(program, told["cards"])
            case "player":
                self._tell_turn(program, told["seat"], told["penalty"], told["wish"])
            case "play":
                program.counts[told["seat"]] -= 1
                program.top = told["card"]
                self._send(program, "play", NUMBERS[told["card"]])
            case "finish":
                program.counts[told["seat"]] = 0
                self._send(program, "finish")
            case "draw":
                program.counts[told["seat"]] += told["count"]
                # W6: the new cards only, and for him only who has drawn them.
                self._send(program, "draw", told["count"])
                self._deal(program, told.get("cards", ()))
            case "wish":
                self._send(program, "wish", COLOURS.index(told["colour"]))
            case "stack":
                program.top, program.is_open = told["card"], True
            case "result":
                self._send(program, "result", tuple(min(score, MOST) for score in told["scores"]))
            case "player_left" if table.is_running:
                self._send(program, "yeet", told["player_index"] + 1)

    def _tell_turn(self, program: _Program, seat: int, penalty: int, wish: str) -> None:
        """Tell all that belongs to a turn (W13)."""
        self._send(program, "draw", penalty)
        self._send(program, "wish", COLOURS.index(wish) if wish else None)
        if program.is_open:
            self._send(program, "stack", NUMBERS[program.top])
            program.is_open = False
        self._send(program, "cards", tuple(program.counts))
        self._send(program, "player", seat + 1)
        self._send(program, "time", round(1000 * self._time_for(program, seat)))

    def _deal(self, program: _Program, labels: Sequence[str]) -> None:
        # W11: an empty list is never sent.
        if labels:
            self._send(program, "deal", tuple(NUMBERS[label] for label in labels))

    def _send(self, program: _Program, kind: str, value: Any = None) -> None:
        self.outside.send(program.guest, TO_CLIENT.write(kind, value))

    # --- time ---------------------------------------------------------------------------------------------------------

    def _time_for(self, program: _Program, seat: int) -> float:
        """Tell how many seconds a seat has for a turn, as far as that is known here; 0 is no limit (W2)."""
        limits = []
        if self.options.time and program.table and program.table.at(seat):
            limits.append(self.options.time)
        if program.look and program.look.time_left is not None and seat == program.look.seat:
            limits.append(program.look.time_left)
        return min(limits, default=0.0)

    def _start_clock(self, program: _Program) -> None:
        program.alarm.stop()
        if self.options.time and program.look and program.look.asked:
            program.alarm.set(self.options.time, partial(self._throw_out, program))


def _at_once(events: Sequence[Event]) -> Iterator[Event]:
    """Make one event of the cards that somebody lays at once (W9)."""
    for are_plays, group in groupby(events, lambda event: event.name == "play"):
        run = list(group)
        if are_plays and len(run) > 1:
            yield Event("finish", {"seat": run[0].public["seat"]})
        else:
            yield from run
