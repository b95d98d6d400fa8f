"""A session on a foreign server: a person or an agent plays there over the game's own network protocol.

It moves bytes between a socket and the game's :class:`tisch.ports.wire.Guest`, and displays what the guest reports.
"""

from __future__ import annotations

import contextlib
import dataclasses
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Self

from tisch.driver import decide
from tisch.game import Agent, Event, Game, IllegalMove, Samples, Sight
from tisch.ports.face import Face
from tisch.ports.text import Line, clean
from tisch.ports.wire import Guest, ProtocolError
from tisch.sockets import keep_alive
from tisch.terminal.dialog import NAMES, UNDO, Advice, Dialog, advised
from tisch.terminal.shell import COLUMNS, ROWS, Shell

#: The timeout for connecting and sending, in seconds.
PATIENCE: Final = 10.0
#: The seconds between two ticks of a guest.
TICK: Final = 1.0
#: The most bytes read at a time.
PORTION: Final = 4096
#: The seconds between two attempts to come back, and the time that a server has to show the game again.
RETRY: Final = 1.0
SHOWN: Final = 10.0
#: What may be said besides moves, where a protocol has it: its sentence in the help.
WORDS: Final = {
    "chat": "help chat",
    "all": "help all",
    "to": "help to",
    "players": "help players",
    "lobbies": "help lobbies",
    "name": "help name",
}
#: The events besides the game's: their sentences.
SENTENCES: Final = {
    "chat": "chat",
    "whisper": "whisper",
    "nobody": "nobody",
    "renamed": "renamed",
    "players": "players",
    "lobby": "lobby",
    "no lobbies": "no lobbies",
}


class Link:
    """A guest's connection, with its own thread that keeps it alive while a person thinks.

    Hold :attr:`changed` while you use the guest.

    :ivar guest: The guest.
    :ivar changed: The lock of the guest; notified after each message.
    :ivar events: The events that are not displayed yet.
    :ivar ended: Has the connection ended?
    :ivar fault: Why it ended before the game did, in a sentence; empty if the game is over.
    """

    def __init__(self, connection: socket.socket, guest: Guest) -> None:
        """Start.

        :param connection: The connected socket.
        :param guest: The guest.
        """
        self.guest = guest
        self.changed = threading.Condition()
        self.events: list[Event] = []
        self.ended = False
        self.fault = ""
        self._socket = connection
        self._ticked = time.monotonic()
        connection.settimeout(PATIENCE)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        with self.changed:
            self.guest.opened()
            self._flush()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self.changed:
            self._end("")
        # Shutting down fails if the other side has closed the connection already.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()

    def play(self, move: Any) -> None:
        """Send a move, unless the server does not await it any more."""
        with self.changed:
            if move in self.guest.legal and not self.ended:
                self.guest.play(move)
                self._flush()

    def say(self, word: str, text: str) -> bool:
        """Say something besides moves.

        :param word: One of the guest's ``words``.
        :param text: What follows the word.
        :result: Can it be said so now?
        """
        with self.changed:
            is_said = not self.ended and self.guest.say(word, text)
            self._flush()
        return is_said

    def _serve(self) -> None:
        try:
            while not self.ended:
                readable = select.select([self._socket], [], [], TICK)[0]
                with self.changed:
                    self._receive(bool(readable))
                    self._tick()
                    self._flush()
                    self.changed.notify_all()
        finally:
            # Wake the waiting session, whatever has ended the thread.
            with self.changed:
                self._end("The connection was broken off.")
                self.changed.notify_all()

    def _receive(self, readable: bool) -> None:
        if not readable:
            return
        try:
            data = self._socket.recv(PORTION)
            if not data:
                self._end("The server has closed the connection.")
                return
            self.events += self.guest.received(data)
        except OSError as error:
            self._end(f"The connection is lost: {error.strerror or error}.")
        except ProtocolError as error:
            self._end(f"The server does not keep the protocol: {error}")
        if self.guest.over:
            self._end("")

    def _tick(self) -> None:
        now = time.monotonic()
        if now - self._ticked >= TICK:
            self.guest.ticked(now - self._ticked)
            self._ticked = now
            if self.guest.over:
                self._end("")

    def _flush(self) -> None:
        data = bytes(self.guest.outgoing)
        self.guest.outgoing.clear()
        try:
            self._socket.sendall(data)
        except OSError as error:
            self._end(f"The connection is lost: {error.strerror or error}.")

    def _end(self, fault: str) -> None:
        if not self.ended:
            self.fault = self.guest.fault if self.guest.over else fault
            self.ended = True


class RemoteSession:
    """Games on a foreign server.

    :ivar fault: Why the last game has no result; empty if it has one.
    """

    def __init__(
        self,
        game: Game[Any],
        dial: Callable[[Guest], Link],
        guest: Guest,
        face: Face[Any],
        shell: Shell,
        *,
        header: Line,
        agent: Agent[Any] | None,
        advisor: Agent[Any],
        pause: float,
        retry: float = 0.0,
    ) -> None:
        """Connect.

        :param game: The game.
        :param dial: Connects a guest; raises ``ValueError`` if there is no server.
        :param guest: The guest.
        :param face: The game's face; the session sets its viewer when the server tells the names.
        :param shell: The shell that displays it.
        :param header: The line above everything.
        :param agent: The agent that decides, started; ``None`` for a person.
        :param advisor: The agent that gives hints, started.
        :param pause: For how many seconds to display another player's move.
        :param retry: (Optional) For how many seconds to try to come back after a lost connection.
        """
        self._dial = dial
        self._link = dial(guest)
        self._retry = retry
        self._again = False
        self._face = face
        self._shell = shell
        self._agent = agent
        self._pause = pause
        self._dialog = Dialog(game, face, shell, header, words=self)
        self._advisor = advisor
        self._view: Any = None
        self.fault = ""

    def __enter__(self) -> Self:
        self._link.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._link.__exit__(*error)
        self.fault = self.fault or self._link.fault

    def run(self) -> None:
        """Play until the game is over, the connection ends, or the player quits.

        :raises AgentFault: The agent crashed or made a move it may not make.
        """
        # The player has quit.
        with contextlib.suppress(EOFError):
            self._shell.tell([self._face.say("connected")])
            while self._step() or self._plays_again() or self._comes_back():
                pass

    def finish(self) -> None:
        """Display the last position, and the result if there is one."""
        outcome = self._link.guest.outcome
        board = () if self._view is None else self._face.board(self._view, ROWS, COLUMNS)
        if outcome is not None:
            last = self._face.result(self._view, outcome)
        else:
            last = [self._face.say("hung up" if self._link.ended else "quit")]
        self._shell.finish(board, last)

    # --- the course of the game ---------------------------------------------------------------------------------------

    def _step(self) -> bool:
        """Display new events, and decide if the server awaits a move.

        :result: Continue?
        """
        link = self._link
        with link.changed:
            events, legal, ended = link.events, list(link.guest.legal), link.ended
            link.events = []
            self._view = link.guest.view
            self._take_places()
        lines = [line for event in events for line in self._tell(event)]
        self._shell.tell(lines)
        if lines and not ended:
            self._dialog.pause(self._view, (), self._pause)
        if ended:
            return False
        if legal:
            self._decide(legal)
        elif not lines:
            prompt = self._face.say("waits for all" if self._view is None else "waits")
            self._dialog.wait(self._view, prompt, self._has_news)
        return True

    def _has_news(self) -> bool:
        link = self._link
        with link.changed:
            return bool(link.events or link.guest.legal or link.ended)

    # --- one connection after the other -------------------------------------------------------------------------------

    def _plays_again(self) -> bool:
        """Connect for another game, if the player wants one and this one is over."""
        guest = self._link.guest
        if not self._again or guest.outcome is None:
            return False
        self._again, self._view = False, None
        self._shell.tell([*self._face.result(guest.view, guest.outcome), self._face.say("plays again")])
        return self._connect()

    def _comes_back(self) -> bool:
        """Try to connect again after a lost connection; the server gives a player the seat back by the name."""
        guest = self._link.guest
        if guest.over or guest.view is None or not guest.may_return or not self._retry:
            return False
        self.fault = self._link.fault
        self._shell.tell([self._face.say("connection lost")])
        end = time.monotonic() + self._retry
        while time.monotonic() < end:
            if self._connect() and self._is_shown():
                self.fault = ""
                return True
            self._rest_until(min(time.monotonic() + RETRY, end))
        return False

    def _connect(self) -> bool:
        """Connect a new guest that goes where the last one was."""
        try:
            link = self._dial(self._link.guest.again())
        except ValueError as error:
            self.fault = self.fault or str(error)
            return False
        self._link.__exit__()
        self._link = link.__enter__()
        return True

    def _is_shown(self) -> bool:
        """Wait until the server shows the game to a player who has come back."""
        link, end = self._link, time.monotonic() + SHOWN
        prompt = self._face.say("comes back")
        self._dialog.wait(self._view, prompt, lambda: bool(link.guest.view or link.ended) or time.monotonic() > end)
        return link.guest.view is not None and not link.ended

    def _rest_until(self, end: float) -> None:
        self._dialog.wait(self._view, self._face.say("comes back"), lambda: time.monotonic() > end)

    # --- what is said besides moves -----------------------------------------------------------------------------------

    def say(self, text: str) -> list[Line]:
        """Say something besides moves; see :class:`tisch.terminal.dialog.Words`."""
        word, _, rest = text[1:].partition(" ")
        if word == "again" and not rest:
            self._again = not self._again
            return [self._face.say("again on" if self._again else "again off")]
        if word not in self._link.guest.words:
            return [self._face.say("not understood", text=clean(text))]
        if not self._link.say(word, rest.strip()):
            return [self._face.say("not said", text=clean(text))]
        if word == "to":
            name, _, told = rest.strip().partition(" ")
            return [self._face.say("whispered", name=clean(name), text=clean(told.strip()))]
        # The server answers the other words.
        return [self._face.say("said", text=clean(rest.strip()))] if word in ("chat", "all") else []

    def help(self) -> Sequence[Line]:
        """List the words; see :class:`tisch.terminal.dialog.Words`."""
        return [self._face.say(WORDS[word]) for word in self._link.guest.words] + [self._face.say("help again")]

    def _take_places(self) -> None:
        """Tell the face the names on the seats."""
        guest, viewer = self._link.guest, self._face.viewer
        if guest.view is not None:
            own = viewer.names[viewer.seat]
            others = [clean(name) or NAMES[seat % len(NAMES)] for seat, name in enumerate(guest.names)]
            names = tuple(own if seat == guest.seat else name for seat, name in enumerate(others))
            self._face.viewer = dataclasses.replace(viewer, seat=guest.seat, names=names)

    def _tell(self, event: Event) -> Sequence[Line]:
        if event.name in ("player_joined", "player_left"):
            name = event.public["player_name"] or self._face.viewer.names[event.public["player_index"]]
            return [self._face.say(event.name, name=clean(str(name)))]
        if event.name == "refused":
            return [self._face.say("server refused", reason=clean(str(event.public["reason"])))]
        if event.name in SENTENCES:
            told = {name: clean(str(value)) for name, value in event.public.items()}
            return [self._face.say(SENTENCES[event.name], **told)]
        return self._face.tell(event)

    # --- decisions ----------------------------------------------------------------------------------------------------

    def _decide(self, legal: Sequence[Any]) -> None:
        move = self._asked(self._agent, legal) if self._agent else self._typed(legal)
        if move is not None:
            self._link.play(move)

    def _asked(self, agent: Agent[Any], legal: Sequence[Any]) -> Any:
        return decide(agent, self._link.guest.seat, self._handed(agent), legal, must=True)

    def _typed(self, legal: Sequence[Any]) -> Any:
        """Ask the person.

        :result: A legal move, or ``None`` if the decision is void or the input was no move.
        """
        move = self._dialog.ask(self._view, legal, True, lambda: self._advised(legal), lambda: self._is_void(legal))
        if move is UNDO:
            self._shell.tell([self._face.say("nothing to undo")])
            return None
        if move is not None and move not in legal:
            self._shell.tell([self._face.refusal(self._refused(move), move, self._view, legal)])
            return None
        return move

    def _advised(self, legal: Sequence[Any]) -> Advice | Line:
        return advised(self._face, self._advisor, self._handed(self._advisor), legal, must=True)

    def _refused(self, move: Any) -> ValueError:
        """Find out what the rules say of a move that the server does not offer."""
        with self._link.changed:
            world, seat = self._link.guest.world(), self._link.guest.seat
        try:
            world.play(seat, move)
        except IllegalMove as error:
            return error
        return IllegalMove("That cannot be done now.")

    def _is_void(self, legal: Sequence[Any]) -> bool:
        with self._link.changed:
            return self._link.ended or list(self._link.guest.legal) != legal

    def _handed(self, agent: Agent[Any]) -> Any:
        if agent.sight is Sight.SAMPLES:
            with self._link.changed:
                return Samples(self._link.guest.world(), self._link.guest.seat)
        return self._view if agent.sight is Sight.VIEW else None


def connected(host: str, port: int) -> socket.socket:
    """Connect to a server.

    :param host: Its name or address.
    :param port: Its port.
    :result: The socket.
    :raises ValueError: It cannot be reached; the sentence says why.
    """
    try:
        connection = socket.create_connection((host, port), PATIENCE)
        keep_alive(connection)
    except (OSError, UnicodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise ValueError(f"There is no way to {host}, port {port}: {reason}.") from error
    return connection
