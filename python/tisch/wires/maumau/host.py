"""The host of Mau-Mau's own protocol: it translates a table's events to messages, and messages to moves.

Programs share tables with people and agents. An agent takes the seat of a program that leaves or is thrown out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count, groupby, zip_longest
from typing import Any, Final, Literal

from tisch.game import Event
from tisch.games.maumau import rules
from tisch.games.maumau.cards import COLOURS, NUMBERS
from tisch.games.maumau.moves import Move
from tisch.ports.refusal import LONGEST_NAME
from tisch.ports.wire import Look, ProtocolError
from tisch.wires.desk import SIT, Alarm, Desk, KnownTable, Program, fit
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Message, Reader

#: A program is thrown out with this many illegal moves in a game.
ILLEGAL: Final = 3
#: A program that finds this many tables full is thrown out.
TRIES: Final = 8
#: For how many seconds a table without programs keeps its seats for those that lost their connection.
KEPT: Final = 300.0
#: The largest score that a message can hold (W10).
MOST: Final = 255


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of this server.

    :ivar players: The number of players at a table, 2 to 5.
    :ivar rounds: The number of rounds in a game.
    :ivar time: After how many seconds of thinking a program is thrown out; 0 is no limit.
    :ivar wait: After how many seconds agents take the free seats; 0 is never.
    :ivar dialect: The messages for a player who plays all their jacks at once: ``seed`` sends a turn for each card,
        ``head`` sends ``finish`` as later versions do.
    :ivar table: The name of the first table; further ones get a number.
    """

    players: int = 2
    rounds: int = 1
    time: float = 0.0
    wait: float = 0.0
    dialect: Literal["seed", "head"] = "seed"
    table: str = "Mau-Mau"

    def __post_init__(self) -> None:
        """Check the values."""
        rules.Options(players=self.players, rounds=self.rounds)
        if self.rounds > MOST:
            raise ValueError(f"The protocol can tell of at most {MOST} rounds, not of {self.rounds}.")
        if self.time < 0 or self.wait < 0:
            raise ValueError(f"Time and wait must be 0 s or more, not {self.time:g} s and {self.wait:g} s.")
        if not 1 <= len(self.table) <= LONGEST_NAME - 4:
            raise ValueError(f"The name of the table has 1 to {LONGEST_NAME - 4} letters.")


@dataclass(eq=False, slots=True)
class _Table(KnownTable["_Program"]):
    """A table of Mau-Mau.

    :ivar gone: The names, as they sent them, of the programs that left the running game and may reconnect.
    :ivar was_running: Was a game in progress when the first program came, as after a restart of the server?
    """

    gone: list[str] = field(default_factory=list)
    was_running: bool = False


@dataclass(eq=False, slots=True)
class _Program(Program[_Table]):
    """A program that plays Mau-Mau; its alarm is its time to think.

    :ivar full: The tables that had no seat for it.
    :ivar counts: The number of cards that each player holds, after the events that it was told.
    :ivar top: The card on top, likewise.
    :ivar wish: The wish of the last turn that it was told.
    :ivar is_open: Must the next turn tell the top (W5)?
    :ivar is_misled: Was it told a turn of its own between its Jacks, which it may answer?
    :ivar illegal: The number of its illegal moves.
    """

    full: set[str] = field(default_factory=set)
    counts: list[int] = field(default_factory=list)
    top: str = ""
    wish: str = ""
    is_open: bool = False
    is_misled: bool = False
    illegal: int = 0


class MauMauHost(Desk[_Program, _Table]):
    """The server of Mau-Mau's protocol."""

    port = 53427
    Options = Options

    def greet(self, guest: int) -> _Program:
        return _Program(guest, Reader(TO_SERVER), Alarm(self.outside))

    def open(self, name: str, look: Look) -> _Table:
        table = _Table(name, Alarm(self.outside), look)
        table.was_running = table.is_running
        return table

    # --- arriving and leaving -----------------------------------------------------------------------------------------

    def violated(self, guest: int, error: ProtocolError) -> None:
        if guest in self.programs:
            self._throw_out(self.programs[guest])

    def _throw_out(self, program: _Program) -> None:
        """Close a program's connection (W12); the others hear of it by the event ``player_left``."""
        if program.table and program.look and program.table.is_running:
            self._send(program, "yeet", program.look.seat + 1)
        self.drop(program)

    def left(self, program: _Program, table: _Table) -> bool:
        if not (table.is_running and "human" in table.look.kinds):
            return bool(table.programs)
        table.gone.append(program.name)
        if not table.programs:
            # People play on in browsers. The end of their game would be told to programs only: none is left to hear it.
            table.alarm.set(KEPT, partial(self.forget, table))
        return True

    def seat_name(self, program: _Program) -> str:
        return fit(program.name, f" {program.attempt + 1}" if program.attempt else "")

    def table_options(self) -> Mapping[str, Any]:
        return {"players": self.options.players, "rounds": self.options.rounds}

    def _find_seat(self, program: _Program) -> None:
        """Ask for a seat: at the table where the program lost its connection, or at one that has not started."""
        if not any(program.name in table.gone for table in self.tables.values()):
            self.replace_silent(program, program.name)
        left = [name for name, table in self.tables.items() if program.name in table.gone]
        names = chain((self.options.table,), (f"{self.options.table} {number}" for number in count(2)))
        still_open = (name for name in names if not self._is_closed(name))
        self.sit(program, next(name for name in chain(left, still_open) if name not in program.full))

    def _is_closed(self, name: str) -> bool:
        table = self.tables.get(name)
        if table is None:
            return False
        # A game that ran before the first program came has continued after a restart: others may reconnect to it.
        return (table.is_running and not table.was_running) or len(table.programs) == self.options.players

    def untold(self, look: Look) -> Move | None:
        """Return the wish that a seat owes: no message tells it to a program that has not laid the Jack itself."""
        owes = look.view is not None and look.view.wishing and bool(look.legal)
        return look.legal[0] if owes else None

    def welcome(self, program: _Program, table: _Table, look: Look) -> None:
        if program.name in table.gone:
            table.gone.remove(program.name)
        self._send(program, "id", look.seat + 1)
        if table.is_running:
            view = look.view
            program.counts, program.top, program.is_open = list(view.counts), view.top, True
            self._send(program, "round", (view.round, view.rounds))
            self._deal(program, view.hand)
            self._tell_turn(program, view.turn, view.penalty, view.wish)
            self._start_clock(program)
        self.gather(table, self.options.wait)

    # --- messages -----------------------------------------------------------------------------------------------------

    def hear(self, program: _Program, message: Message) -> None:
        self.queue(program, partial(self._do, program, message))

    def _do(self, program: _Program, message: Message) -> None:
        kind, value = message
        if kind == "yeet":
            self._throw_out(program)
        elif kind == "id":
            # W15: a second name is ignored.
            if not program.name:
                program.name = fit(value)
                self._find_seat(program)
        elif program.look and program.look.legal:
            # W15: moves out of turn are ignored. After a timeout a program may still move until the agent has.
            move = Move(kind, value or 0)
            is_late, program.is_misled = program.is_misled and move not in program.look.legal, False
            if not is_late:
                program.alarm.stop()
                self.play(program, move)

    def deny(self, program: _Program, asked: str, reason: str) -> None:
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

    # --- events -------------------------------------------------------------------------------------------------------

    def tell(self, program: _Program, table: _Table, look: Look, before: Look) -> None:
        if look.seat != before.seat:
            # The protocol cannot tell a program that its number has changed.
            self._throw_out(program)
            return
        names = {event.name for event in look.events}
        if names & {"player", "result"}:
            program.asked = ""
        for event in _at_once(look.events) if self.options.dialect == "head" else _one_by_one(look.events):
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
            case "player" if told["wish"] is None:
                program.is_misled = bool(program.look and told["seat"] == program.look.seat)
                self._tell_turn(program, told["seat"], told["penalty"], program.wish)
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
                # W6: only the new cards, and only to the program that drew them.
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
        """Send the whole block of a turn (W13)."""
        program.wish = wish
        self._send(program, "draw", penalty)
        self._send(program, "wish", COLOURS.index(wish) if wish else None)
        if program.is_open:
            self._send(program, "stack", NUMBERS[program.top])
            program.is_open = False
        self._send(program, "cards", tuple(program.counts))
        self._send(program, "player", seat + 1)
        self._send(program, "time", round(1000 * self._time_for(program, seat)))

    def _deal(self, program: _Program, labels: Sequence[str]) -> None:
        # W11: empty lists are never sent.
        if labels:
            self._send(program, "deal", tuple(NUMBERS[label] for label in labels))

    def _send(self, program: _Program, kind: str, value: Any = None) -> None:
        self.outside.send(program.guest, TO_CLIENT.write(kind, value))

    # --- time ---------------------------------------------------------------------------------------------------------

    def _time_for(self, program: _Program, seat: int) -> float:
        """Return how many seconds a seat has for its turn, as far as it is known here; 0 is no limit (W2)."""
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


def _one_by_one(events: Sequence[Event]) -> Iterator[Event]:
    """Put a turn between the cards that a player lays at once: the original's client expects one after each (W9).

    No rule knows this turn; the wish that it tells is the last one.
    """
    for event, following in zip_longest(events, events[1:]):
        yield event
        if following and event.name == following.name == "play":
            yield Event("player", {"seat": event.public["seat"], "penalty": 0, "wish": None})


def _at_once(events: Sequence[Event]) -> Iterator[Event]:
    """Merge the cards that a player lays at once into one event (W9)."""
    for are_plays, group in groupby(events, lambda event: event.name == "play"):
        run = list(group)
        if are_plays and len(run) > 1:
            yield Event("finish", {"seat": run[0].public["seat"]})
        else:
            yield from run
