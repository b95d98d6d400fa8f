"""The process in which agents decide, and its messages to and from the server.

Only :mod:`tisch.server.agents.pool` starts ``python -m tisch.server.agents.process``. The process keeps a replica of
each table's game, receives the new moves with each question, and answers the questions in order. It never makes a move
by itself: a replica follows the table.

An exception of an agent or of the rules is reported by its type and place only, because its text could reveal cards.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, TypeAlias

import msgspec

from tisch.agents import find_agent
from tisch.agents.analysis import Analyst, Decision, chance_of, is_decision
from tisch.driver import AgentFault, look, turn
from tisch.game import Agent, Random
from tisch.games import find
from tisch.record import Record, RecordError

#: The seat while no agent is asked.
NOBODY = -1
#: The difference between the server's priority and the lower one of the process.
NICENESS = 5
#: The number of bytes per read.
CHUNK = 1 << 16
#: The bytes of a frame's length.
PREFIX = 4


class Question(msgspec.Struct, array_like=True, tag=0, frozen=True):
    """A question from the server.

    :ivar table: The table.
    :ivar record: The game so far, if the process does not know it yet.
    :ivar moves: The moves since the last question.
    :ivar seats: The seats to ask.
    :ivar agent: The agent's name.
    :ivar chance: The seed of the agents that begin with this question: knowing the game's seed must not reveal what
        they will do.
    :ivar language: The language of the reason if a person wants a hint; ``None`` if an agent plays.
    :ivar judged: The text of the move of a finished game that is to be judged; with a language, advice is wanted that
        fits the verdict. Empty in a running game.
    :ivar is_fresh: Whether all agents begin with this question, so that the answer follows from it alone.
    """

    table: str
    record: Record | None
    moves: Sequence[tuple[int, str]]
    seats: Sequence[int]
    agent: str
    chance: int
    language: str | None
    judged: str = ""
    is_fresh: bool = False


class Forget(msgspec.Struct, array_like=True, tag=1, frozen=True):
    """The game of a table is over; there is no answer.

    :ivar table: The table.
    """

    table: str


class Answer(msgspec.Struct, array_like=True, tag=0, frozen=True):
    """An agent's decision.

    :ivar seat: The seat; -1 if no agent has a move.
    :ivar move: The move's text; ``None`` is silence.
    :ivar reason: The reason, if it was asked for advice.
    :ivar judged: What it thinks of the move that it was asked to judge; ``None`` if that move was forced.
    """

    seat: int
    move: str | None
    reason: str = ""
    judged: Decision | None = None


class Fault(msgspec.Struct, array_like=True, tag=1, frozen=True):
    """An agent has failed.

    :ivar seat: The agent's seat.
    :ivar kind: ``crash`` or ``illegal``.
    :ivar message: A sentence that describes the fault.
    """

    seat: int
    kind: str
    message: str


class Failure(msgspec.Struct, array_like=True, tag=2, frozen=True):
    """Something else failed; the replica is gone.

    :ivar message: A sentence that describes the failure.
    """

    message: str


class Asking(msgspec.Struct, array_like=True, tag=3, frozen=True):
    """An agent is asked now: if nothing else follows, it has hung or ended the process.

    :ivar seat: The agent's seat; :data:`NOBODY` as soon as it has answered.
    """

    seat: int


Reply: TypeAlias = Answer | Fault | Failure


class Frames:
    """Splits a stream into frames: a length of four bytes, then as many bytes."""

    def __init__(self) -> None:
        self._rest = b""

    def cut(self, data: bytes) -> list[bytes]:
        """Add bytes to the stream.

        :param data: The next bytes.
        :result: The frames that are complete now.
        """
        if self._rest:
            data = self._rest + data
        frames = []
        start = 0
        while (body := start + PREFIX) <= len(data):
            end = body + int.from_bytes(data[start:body], "little")
            if end > len(data):
                break
            frames.append(data[body:end])
            start = end
        self._rest = data[start:]
        return frames


def frame(body: bytes) -> bytes:
    """Encode a frame.

    :param body: Its content.
    :result: The frame, as :class:`Frames` reads it.
    """
    return len(body).to_bytes(PREFIX, "little") + body


class Replica:
    """A table's game as the process follows it, with the agents of its seats.

    :param record: The game so far.
    :param tell: Says whose agent is asked.
    :raises ValueError: The record cannot be replayed.
    """

    def __init__(self, record: Record, tell: Callable[[int], object]) -> None:
        self._game = find(record.game)
        *_, self._state = record.replay()
        self._made = len(record.moves)
        self._tell = tell
        # The agent of each seat with its name.
        self._agents: dict[int, tuple[str, Agent[Any]]] = {}

    def follow(self, moves: Sequence[tuple[int, str]]) -> None:
        """Play the moves that were made at the table.

        :param moves: Each seat and the text of its move.
        :raises ValueError: A move is not legal.
        """
        for seat, text in moves:
            self._state.expect(seat)
            self._state.play(seat, self._game.parse(text))
        self._made += len(moves)

    def expect(self, seat: int) -> None:
        """Prepare for questions about the next move of a finished game.

        :param seat: The seat that made it.
        """
        self._state.expect(seat)

    def decide(self, seats: Sequence[int], name: str, chance: int, *, is_fresh: bool = False) -> Answer:
        """Ask agents as :func:`tisch.driver.play` does, until one of them has a move.

        :param seats: The seats that agents play; agents of other seats are forgotten.
        :param name: Which agent plays there.
        :param chance: The seed of agents that begin.
        :param is_fresh: (Optional) Whether all of them begin.
        :result: The decision.
        :raises AgentFault: An agent crashed or made an illegal move.
        """
        if is_fresh:
            self._agents.clear()
        for seat in self._agents.keys() - seats:
            del self._agents[seat]
        answer = turn(self._state, seats, lambda seat, must: self._ask(self._agent(seat, name, chance), seat, must))
        return Answer(*answer) if answer else Answer(-1, None)

    def advise(self, seat: int, name: str, chance: int, language: str, *, is_over: bool) -> Answer:
        """Ask a fresh agent for advice: a person may have played differently from what an agent had in mind.

        :param seat: The person's seat.
        :param name: Which agent is asked.
        :param chance: Its seed.
        :param language: The language of the reason.
        :param is_over: Whether the game is over; then the agent gets the chance of :meth:`judge`, so that both agree.
        :result: Its move and its reason.
        :raises AgentFault: The agent crashed or made an illegal move.
        """
        if not self._state.legal(seat):
            return Answer(seat, None)
        agent = self._make(seat, name, chance)
        if is_over:
            agent.start(chance_of(self._made + 1))
        move = self._ask(agent, seat, must=seat in self._state.awaiting())
        try:
            return Answer(seat, move, agent.explain(language))
        except (Exception, SystemExit) as error:
            raise _crash(seat, error) from error

    def judge(self, seat: int, name: str, text: str) -> Answer:
        """Ask an agent what it thinks of a move.

        :param seat: The seat that makes it next in the record.
        :param name: The agent that judges.
        :param text: The move's text.
        :result: Its verdict.
        :raises AgentFault: The agent crashed.
        """
        if not is_decision(self._state, seat):
            return Answer(seat, text)
        self._tell(seat)
        try:
            judged = Analyst(self._game, name).judge(self._state, self._made + 1, seat, text)
        except (Exception, SystemExit) as error:
            raise _crash(seat, error) from error
        finally:
            self._tell(NOBODY)
        return Answer(seat, text, judged=judged)

    def _agent(self, seat: int, name: str, chance: int) -> Agent[Any]:
        known, agent = self._agents.get(seat, ("", None))
        if agent is None or known != name:
            agent = self._make(seat, name, chance)
            self._agents[seat] = name, agent
        return agent

    def _make(self, seat: int, name: str, chance: int) -> Agent[Any]:
        make = find_agent(self._game, name)
        self._tell(seat)
        try:
            agent = make()
            agent.start(Random(chance, seat))
        except (Exception, SystemExit) as error:
            raise _crash(seat, error) from error
        finally:
            self._tell(NOBODY)
        return agent

    def _ask(self, agent: Agent[Any], seat: int, must: bool) -> str | None:
        legal = self._state.legal(seat)
        sight = look(self._state, agent)
        view = sight(seat) if sight else None
        self._tell(seat)
        try:
            move = agent.act(view, legal, must)
        except (Exception, SystemExit) as error:
            self._agents.pop(seat, None)
            raise _crash(seat, error) from error
        finally:
            self._tell(NOBODY)
        if move is None and not must:
            return None
        try:
            # The text is that of the legal move: a move that is equal to it may be written differently.
            return str(legal[legal.index(move)])
        except Exception as error:
            self._agents.pop(seat, None)
            what = "kept silent though it was its turn" if move is None else "answered what it may not do"
            raise AgentFault(seat, "illegal", f"The agent of seat {seat} {what}.") from error


class AgentProcess:
    """The state of the process: a replica for each table.

    :param tell: Says whose agent is asked.
    """

    def __init__(self, tell: Callable[[int], object]) -> None:
        self._tell = tell
        self._replicas: dict[str, Replica] = {}

    def handle(self, message: Question | Forget) -> Reply | None:
        """Handle a message.

        :param message: The message.
        :result: The reply to a question.
        """
        if isinstance(message, Forget):
            self._replicas.pop(message.table, None)
            return None
        try:
            return self._answer(message)
        except AgentFault as fault:
            return Fault(fault.seat, fault.kind, str(fault))
        except Exception as error:  # noqa: BLE001 - The server raises it, and its table stops; the others go on.
            self._replicas.pop(message.table, None)
            return Failure(f"The game of the table '{message.table}' cannot be followed: {_told(error)}.")

    def _answer(self, question: Question) -> Answer:
        if question.record:
            self._replicas[question.table] = Replica(question.record, self._tell)
        replica = self._replicas[question.table]
        replica.follow(question.moves)
        if question.judged:
            replica.expect(question.seats[0])
        if question.language is not None:
            (seat, *_), agent, is_over = question.seats, question.agent, bool(question.judged)
            return replica.advise(seat, agent, question.chance, question.language, is_over=is_over)
        if question.judged:
            return replica.judge(question.seats[0], question.agent, question.judged)
        return replica.decide(question.seats, question.agent, question.chance, is_fresh=question.is_fresh)


def _crash(seat: int, error: BaseException) -> AgentFault:
    return AgentFault(seat, "crash", f"The agent of seat {seat} crashed: {_told(error)}.")


def _told(error: BaseException) -> str:
    if isinstance(error, RecordError) and error.__cause__:
        error = error.__cause__
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"


def _channel() -> tuple[int, BinaryIO]:
    """Take standard input and output, which are the pipes to the server, away from agents and what they start.

    :result: Where questions are read, and where replies are written.
    """
    questions, answers = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - It is there only.

        for pipe in (questions, answers):
            msvcrt.setmode(pipe, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # What agents print goes to the server's standard error.
    os.dup2(2, 1)
    return questions, open(answers, "wb")  # noqa: PTH123 - It stays open until the end.


def _read(pipe: int, received: SimpleQueue[bytes]) -> None:
    """Read questions until the server is gone; then end this process, even while an agent hangs."""
    frames = Frames()
    with contextlib.suppress(OSError):
        while data := os.read(pipe, CHUNK):
            for body in frames.cut(data):
                received.put(body)
    os._exit(0)


def main() -> None:
    """Answer questions until the server is gone."""
    questions, answers = _channel()
    # What agents print is told at once: nothing is left of it when the process is ended.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    # Signals are meant for the server, which ends its processes itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform != "win32":
        # The system may forbid it; then agents run with the server's own priority.
        with contextlib.suppress(OSError):
            os.nice(NICENESS)
    encode = msgspec.msgpack.Encoder().encode

    def send(body: bytes) -> None:
        answers.write(frame(body))
        answers.flush()

    process = AgentProcess(lambda seat: send(encode(Asking(seat))))
    received: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(questions, received), daemon=True).start()
    decode = msgspec.msgpack.Decoder(Question | Forget).decode
    with contextlib.suppress(ConnectionError):
        send(b"")
        while True:
            reply = process.handle(decode(received.get()))
            if reply is not None:
                send(encode(reply))


if __name__ == "__main__":
    main()
