"""Tests of ``tisch play GAME --connect``: scripted servers on real sockets, lines, keys and agents on this side."""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import pytest

from pseudo_terminal import PseudoTerminal
from tisch import cli
from tisch.agents import RandomAgent
from tisch.driver import AgentFault
from tisch.game import Agent, Event, Random, Sight, State
from tisch.games import null
from tisch.games.maumau.cards import NUMBERS
from tisch.ports.face import Viewer, face_of
from tisch.ports.wire import Guest, ProtocolError
from tisch.terminal import remote
from tisch.terminal.lines import LineShell
from tisch.terminal.remote import Link, RemoteSession
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Message, Reader
from tisch.wires.maumau.guest import MauMauGuest

#: How long anything may take, in seconds.
PATIENCE = 60.0


class Script:
    """A server that says what it is told to and remembers what it hears, for one client."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(PATIENCE)
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self._reader = Reader(TO_SERVER)
        self._heard: list[Message] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        if hasattr(self, "connection"):
            self.connection.close()

    def accept(self) -> None:
        self.connection, _ = self._listening.accept()
        self.connection.settimeout(PATIENCE)

    def say(self, *messages: tuple[str, Any]) -> None:
        self.connection.sendall(b"".join(TO_CLIENT.write(kind, value) for kind, value in messages))

    def hear(self) -> Message:
        """Wait for a message."""
        while not self._heard:
            data = self.connection.recv(100)
            assert data, "The client has hung up."
            self._heard += self._reader.read(data)
        return self._heard.pop(0)


def numbers(labels: str) -> tuple[int, ...]:
    return tuple(NUMBERS[label] for label in labels.split())


def opening(hand: str, top: str, *, turn: int = 1, rounds: int = 1) -> list[tuple[str, Any]]:
    """What is told of a round that begins."""
    start = [("round", (1, rounds)), ("deal", numbers(hand)), ("draw", 0), ("wish", None), ("stack", NUMBERS[top])]
    return [*start, ("cards", (len(hand.split()), 6)), ("player", turn), ("time", 0)]


def block(counts: tuple[int, ...], turn: int, wish: int | None = None, penalty: int = 0) -> list[tuple[str, Any]]:
    return [("draw", penalty), ("wish", wish), ("cards", counts), ("player", turn), ("time", 0)]


def played(typed: str, script: Callable[[Script], None], *flags: str) -> subprocess.CompletedProcess[str]:
    """Let a script serve ``tisch play maumau`` in a process of its own, in which all this is typed."""
    failed: list[BaseException] = []
    with Script() as server:

        def serve() -> None:
            try:
                server.accept()
                script(server)
            except BaseException as error:
                failed.append(error)
                raise

        thread = threading.Thread(target=serve)
        thread.start()
        command = [
            "play",
            "maumau",
            "--connect",
            server.address,
            "--id",
            "EGAL",
            "--lang",
            "en",
            "--retry",
            "0",
            *flags,
        ]
        done = subprocess.run(
            [sys.executable, "-m", "tisch", *command],
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        thread.join(PATIENCE)
        assert not failed, failed
        return done


def whole_round(server: Script) -> None:
    assert server.hear() == Message("id", "EGAL")
    server.say(("id", 1), *opening("H9 KB", "HD"))
    assert server.hear() == Message("play", NUMBERS["H9"])
    server.say(("play", NUMBERS["H9"]), *block((1, 6), 2))
    server.say(("draw", 1), *block((1, 7), 1))
    assert server.hear() == Message("play", NUMBERS["KB"])
    server.say(("play", NUMBERS["KB"]), ("result", (0, 44)))


def test_a_person_plays_a_game() -> None:
    done = played("p h8\n?\nu\nh9\n1\n", whole_round)
    assert (done.returncode, done.stderr) == (0, "")
    text = done.stdout
    for said in (
        "Mau-Mau · EGAL at 127.0.0.1:",
        "You do not have ♥8.",
        "Nothing can be undone",
        "You play ♥9",
        "Ben draws a card",
        "You play ♦J",
        "You have no cards left, 0 points",
        "Ben now has 44 points",
        "Ben has the most points (44) and loses.",
    ):
        assert said in text, text


def test_an_agent_plays_a_game() -> None:
    for name in ("rule", "search"):
        done = played("", whole_round_of_an_agent, "--agent", name)
        assert (done.returncode, done.stderr) == (0, "")
        assert "You play ♥9" in done.stdout


def whole_round_of_an_agent(server: Script) -> None:
    server.hear()
    server.say(("id", 1), *opening("H9", "HD"))
    assert server.hear() == Message("play", NUMBERS["H9"])
    server.say(("play", NUMBERS["H9"]), ("result", (0, 1)))


def test_a_hint_comes_from_the_strongest_agent() -> None:
    done = played("h\n1\n", whole_round_of_an_agent)
    assert "Hint: ♥9   No other move is possible." in done.stdout


def test_a_server_that_hangs_up_is_told_of() -> None:
    def script(server: Script) -> None:
        server.hear()
        server.say(("id", 1), *opening("H9 KB", "HD", turn=2))
        server.connection.close()

    done = played("", script)
    assert (done.returncode, done.stderr) == (1, "tisch play: The server has closed the connection.\n")
    assert "The connection ended before the game did." in done.stdout


def test_a_server_that_speaks_otherwise_is_left() -> None:
    def script(server: Script) -> None:
        server.hear()
        server.connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        assert server.connection.recv(100) == b""

    done = played("", script)
    assert done.returncode == 1
    assert done.stderr == "tisch play: The server does not keep the protocol: There is no message 54.\n"


def test_who_quits_leaves() -> None:
    def script(server: Script) -> None:
        server.hear()
        server.say(("id", 1), *opening("H9 KB", "HD"))
        assert server.connection.recv(100) == b""

    done = played("q\n", script)
    assert (done.returncode, done.stderr) == (0, "") and "Game abandoned." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("maumau --connect localhost:1", "On a foreign server you need a name: --id NAME."),
        ("maumau --connect localhost:1 --id", "--id"),
        ("maumau --connect localhost:x --id A", "A server is written HOST:PORT, not 'localhost:x'."),
        ("maumau --connect :5 --id A", "A server is written HOST:PORT, not ':5'."),
        ("maumau --connect [::1 --id A", "A server is written HOST:PORT, not '[::1'."),
        ("maumau --connect localhost:70000 --id A", "A server is written HOST:PORT, not 'localhost:70000'."),
        ("maumau --connect 127.0.0.1:1 --id A", "There is no way to 127.0.0.1, port 1: Connection refused."),
        ("maumau --connect localhost:1 --id A --agent best", "Mau-Mau has no agent 'best'"),
        ("maumau --connect localhost:1 --id A --seed 3", "--seed cannot be chosen together with --connect"),
        ("maumau --connect localhost:1 --id A --agents rule", "--agents cannot be chosen together with --connect"),
        ("maumau --connect localhost:1 --id A --seat 0", "--seat cannot be chosen together with --connect"),
        ("maumau --id A", "--id, --agent and --lobby are for a foreign server"),
        ("okey --lobby 42", "--id, --agent and --lobby are for a foreign server"),
        ("maumau --connect localhost:1 --id A --lobby 42", "Mau-Mau's protocol has no lobbies; leave --lobby out."),
        ("maumau --connect localhost:1 --id A --retry -1", "--retry must be 0 to 3600 seconds, not -1."),
        ("maumau --agent rule", "--id, --agent and --lobby are for a foreign server"),
        ("tichu --connect localhost:1 --id A", "Tichu has no network protocol of its own."),
    ],
)
def test_what_cannot_be_is_said(arguments: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main(["play", *arguments.split()])
    except SystemExit as error:
        code = int(str(error))
    assert code == 2
    assert sentence in capsys.readouterr().err


# --- keys -------------------------------------------------------------------------------------------------------------


@contextmanager
def connected_keys() -> Iterator[tuple[Script, PseudoTerminal]]:
    """A scripted server, and a terminal on which one plays there."""
    with Script() as server:
        flags = ("--connect", server.address, "--id", "EGAL", "--pause", "0")
        with PseudoTerminal("maumau", *flags) as terminal:
            server.accept()
            assert server.hear() == Message("id", "EGAL")
            yield server, terminal


def test_a_question_that_has_become_void_is_not_waited_for() -> None:
    with connected_keys() as (server, terminal):
        terminal.until("Warten auf die anderen")
        server.say(("id", 1), *opening("H9 KB", "HD"))
        terminal.until("Du bist am Zug")
        server.say(("yeet", 1))
        server.connection.close()
        assert terminal.end() == 1
        assert "EGAL ist gegangen." in terminal.output


def test_who_waits_may_break_it_off() -> None:
    with connected_keys() as (server, terminal):
        terminal.until("Warten auf die anderen")
        terminal.send("\x03")
        assert terminal.end() == 130
        assert "Abgebrochen." in terminal.output.rpartition("\x1b[?1049l")[2]
        assert server.connection.recv(100) == b""


def test_help_and_farewell_are_heard_before_the_game_begins() -> None:
    with connected_keys() as (server, terminal):
        terminal.until("Warten auf die anderen")
        terminal.send("?")
        terminal.until("/again spielt nach diesem Spiel noch eins")
        terminal.send(" ")
        terminal.until("Warten auf die anderen")
        terminal.send("/again\r")
        terminal.until("Nach diesem Spiel folgt noch eins.")
        terminal.send("q\r")
        assert terminal.end() == 0
        assert "Abgebrochen." in terminal.output.rpartition("\x1b[?1049l")[2]
        assert server.connection.recv(100) == b""


def test_what_is_typed_before_the_game_is_kept_for_the_first_question() -> None:
    with connected_keys() as (server, terminal):
        terminal.until("Warten auf die anderen")
        terminal.send("h9\rh")
        server.say(("id", 1), *opening("H9 HA", "HD"))
        assert server.hear() == Message("play", NUMBERS["H9"])
        server.say(("play", NUMBERS["H9"]), *block((1, 6), 1))
        terminal.until("Du legst ♥9")
        terminal.send("a\r")
        assert server.hear() == Message("play", NUMBERS["HA"])


def test_lines_are_heard_before_the_game_begins() -> None:
    def script(server: Script) -> None:
        assert server.hear() == Message("id", "EGAL")
        server.say(("id", 1))
        assert server.connection.recv(100) == b""

    done = played("?\n/chat Hello\n/again\nq\n", script)
    assert (done.returncode, done.stderr) == (0, "")
    for said in (
        "/again plays another game when this one is over",
        "I do not understand “/chat Hello”; ? for help.",
        "Another game follows when this one is over.",
        "Game abandoned.",
    ):
        assert said in done.stdout, done.stdout


def test_a_lost_connection_is_made_again() -> None:
    def script(server: Script) -> None:
        assert server.hear() == Message("id", "EGAL")
        server.say(("id", 1), *opening("H9 KB", "HD"))
        assert server.hear() == Message("play", NUMBERS["H9"])
        server.connection.close()
        server.accept()
        assert server.hear() == Message("id", "EGAL")
        server.say(("id", 1), ("round", (1, 1)), ("deal", numbers("KB")))
        server.say(("draw", 0), ("wish", None), ("stack", NUMBERS["H9"]), ("cards", (1, 6)), ("player", 1), ("time", 0))
        assert server.hear() == Message("play", NUMBERS["KB"])
        server.say(("play", NUMBERS["KB"]), ("result", (0, 44)))

    done = played("h9\nkb\n", script, "--retry", "60")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The connection was lost; trying again …" in done.stdout
    assert "Ben has the most points (44) and loses." in done.stdout


def test_a_server_that_does_not_come_back_is_given_up() -> None:
    def script(server: Script) -> None:
        assert server.hear() == Message("id", "EGAL")
        server.say(("id", 1), *opening("H9 KB", "HD"))
        assert server.hear() == Message("play", NUMBERS["H9"])
        server.__exit__()

    done = played("h9\nkb\n", script, "--retry", "2")
    assert (done.returncode, done.stderr) == (1, "tisch play: The server has closed the connection.\n")


def test_who_is_thrown_out_does_not_come_back() -> None:
    def script(server: Script) -> None:
        assert server.hear() == Message("id", "EGAL")
        server.say(("id", 1), *opening("H9 KB", "HD"), ("yeet", 1))
        server.connection.close()

    done = played("", script, "--retry", "5", "--agent", "rule")
    assert (done.returncode, done.stderr) == (1, "tisch play: The server has closed the connection.\n")
    assert "trying again" not in done.stdout


def test_another_game_follows_where_the_player_wants_one() -> None:
    def script(server: Script) -> None:
        whole_round(server)
        server.connection.close()
        server.accept()
        whole_round(server)

    done = played("/again\nh9\n1\nh9\n1\n", script)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Ben has the most points (44) and loses.") == 2
    assert "Another game. It begins as soon as everyone is here." in done.stdout


def test_a_game_is_played_by_keys() -> None:
    with connected_keys() as (server, terminal):
        server.say(("id", 1), *opening("H9", "HD"))
        terminal.until("Du bist am Zug")
        terminal.send("1\r")
        assert server.hear() == Message("play", NUMBERS["H9"])
        server.say(("play", NUMBERS["H9"]), ("result", (0, 7)))
        assert terminal.end() == 0
        assert "Ben hat mit 7 Punkten die meisten und verliert." in terminal.output


# --- what Mau-Mau does not need ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Plain(Guest):
    """The null game by lines: ``deal CARD``, ``ask``, ``refuse``, ``join NAME``, ``leave``, ``over``; and ``alive``."""

    state: Any = None
    ticks: int = 0
    rest: bytes = b""
    said: list[str] = field(default_factory=list)

    def opened(self) -> None:
        self.outgoing += f"hello {self.name}\n".encode()

    def received(self, data: bytes) -> list[Event]:
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [event for line in lines for event in self._read(line.decode())]

    def _read(self, line: str) -> list[Event]:
        verb, _, rest = line.partition(" ")
        if verb == "deal":
            self.state = null.GAME.new(null.GAME.Options(), int(rest))
            self.view, self.names = self.state.view(0), (self.name, "")
        elif verb == "ask":
            self.legal = tuple(self.state.legal(0))
        elif verb == "refuse":
            self.legal = tuple(self.state.legal(0))
            return [Event("refused", {"reason": "No.\x1b[2J"})]
        elif verb == "join":
            return [Event("player_joined", {"player_name": rest})]
        elif verb == "leave":
            return [Event("player_left", {"player_name": "", "player_index": 1})]
        elif verb == "over":
            self.over = True
        else:
            raise ProtocolError(f"There is no '{verb}'.")
        return []

    def play(self, move: Any) -> None:
        self.legal = ()
        self.outgoing += f"play {move}\n".encode()

    def world(self) -> State[Any]:
        state: State[Any] = self.state.copy()
        return state

    def ticked(self, seconds: float) -> None:
        self.ticks += 1
        self.outgoing += b"alive\n"


class Side:
    """A session with the null game's guest, the test being the server."""

    def __init__(self, typed: str = "", agent: Agent[Any] | None = None) -> None:
        self.socket, other = socket.socketpair()
        self.socket.settimeout(PATIENCE)
        self.lines = self.socket.makefile("rb")
        self.written = io.StringIO()
        for asked in [agent] if agent else []:
            asked.start(Random(1))
        game, table = null.GAME, Viewer(0, ("You",), "en", colours=False)
        self.guest = Plain("EGAL")
        shell = LineShell(io.StringIO(typed), self.written, colours=False, echo=True)
        self.session = RemoteSession(
            game,
            lambda guest: Link(other, guest),
            self.guest,
            face_of(game, table),
            shell,
            header=(),
            agent=agent,
            advisor=RandomAgent[Any](),
            pause=0,
        )

    def run(self, script: Sequence[str | bytes]) -> str:
        """Play a script: what is said, and in bytes what must be heard."""

        def serve() -> None:
            for step in script:
                if isinstance(step, str):
                    self.socket.sendall(step.encode() + b"\n")
                else:
                    heard.append(self.lines.readline())
            if "over" not in script:
                self.socket.shutdown(socket.SHUT_WR)

        heard: list[bytes] = []
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            with self.session:
                self.session.run()
                self.session.finish()
        finally:
            thread.join(PATIENCE)
            self.lines.close()
            self.socket.close()
        assert heard == [step for step in script if isinstance(step, bytes)]
        return self.written.getvalue()


def test_refusals_and_people_are_told() -> None:
    side = Side("low\nhigh\n")
    hello, low, high = b"hello EGAL\n", b"play low\n", b"play high\n"
    text = side.run([hello, "deal 3", "join Zoe\x1b[2J", "leave", "ask", low, "refuse", high, "over"])
    for said in (
        "Zoe\ufffd[2J sits down.",
        "Ben has left.",
        "The server does not accept that: No.\ufffd",
    ):
        assert said in text, text
    assert "\x1b" not in text and side.session.fault == ""


@pytest.mark.parametrize("sight", Sight)
def test_an_agent_is_handed_what_it_wants(sight: Sight) -> None:
    class Watching(Agent[Any]):
        def act(self, view: Any, legal: Any, must: bool) -> Any:
            asked.append(view)
            return legal[0]

    Watching.sight = sight
    asked: list[Any] = []
    side = Side(agent=Watching())
    side.run([b"hello EGAL\n", "deal 3", "ask", b"play low\n", "over"])
    (handed,) = asked
    if sight is Sight.SAMPLES:
        handed = handed(Random(1)).view(0)
    assert handed == (None if sight is Sight.BLIND else side.guest.view)


class Broken(Agent[Any]):
    """An agent that fails in one of two ways."""

    def __init__(self, crashes: bool) -> None:
        self.crashes = crashes

    def act(self, view: Any, legal: Any, must: bool) -> Any:
        if self.crashes:
            raise LookupError("no idea")
        return null.GAME.parse("double")


@pytest.mark.parametrize(("crashes", "kind"), [(True, "crash"), (False, "illegal")])
def test_an_agent_that_fails_ends_the_session(crashes: bool, kind: str) -> None:
    with pytest.raises(AgentFault) as info:
        Side(agent=Broken(crashes)).run([b"hello EGAL\n", "deal 3", "ask", b""])
    assert info.value.kind == kind


def test_what_was_typed_too_late_is_not_sent() -> None:
    """The server takes its question back while the player types; the move goes nowhere."""
    guest = MauMauGuest("A")
    one, other = socket.socketpair()
    with one, Link(other, guest) as link:
        one.recv(100)
        with link.changed:
            guest.received(b"\x01" + b"".join(TO_CLIENT.write(*part) for part in opening("H9 KB", "HD")))
            move = guest.legal[0]
            guest.received(b"".join(TO_CLIENT.write(*part) for part in [("draw", 1), *block((2, 6), 2)]))
        link.play(move)
        one.setblocking(False)
        with pytest.raises(BlockingIOError):
            one.recv(1)


def test_the_connection_lives_while_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "TICK", 0.02)
    side = Side()
    assert side.run([b"hello EGAL\n", b"alive\n", b"alive\n", "over"])
    assert side.guest.ticks >= 2


def test_a_guest_that_fails_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    side = Side()
    side.run([b"hello EGAL\n", "ask"])
    assert side.session.fault == "The connection was broken off."
    assert told[0].exc_type is AttributeError
