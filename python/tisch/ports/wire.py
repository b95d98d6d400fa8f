"""The contract of a wire: it translates between the bytes of a game's own network protocol and moves and events.

A package ``wires/NAME`` implements it without sockets or clocks: ``HOST`` serves the programs that connect to the live
server, ``GUEST`` is the client of a foreign server. ``server/net/tcp.py`` and ``terminal/remote.py`` move the bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, Self

from tisch.game import Event, Outcome, State

__all__ = ["Guest", "Host", "Look", "Outside", "ProtocolError"]


class ProtocolError(ValueError):
    """Raised for bytes that are no message of the protocol; the connection must be closed."""


@dataclass(frozen=True, slots=True)
class Look:
    """A table as one seat sees it after something happened.

    :ivar seat: The seat.
    :ivar names: The name of the player on each seat, an agent's with a mark: these protocols know no agents.
    :ivar kinds: The kind of player on each seat, ``human`` or ``ai``; programs on a wire are ``human``.
    :ivar events: The events since the previous look, each with its public part and the seat's own private part in one.
        Besides the game's events there are those of the table: ``player_joined``, ``player_left``, ``seat_changed``,
        ``game_started`` and ``game_over``, with the fields of docs/protocol.md.
    :ivar view: The seat's view of the game; ``None`` while there is none.
    :ivar legal: The moves that the seat may make now.
    :ivar asked: Is the seat awaited?
    :ivar time_left: The seconds left for the decision; ``None`` without a limit.
    """

    seat: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    events: tuple[Event, ...]
    view: Any
    legal: Sequence[Any]
    asked: bool
    time_left: float | None

    def without(self, seat: int) -> Look:
        """Return this look with an agent on a seat: its player has left, and the table has not said so yet.

        :param seat: The seat.
        :result: The look.
        """
        return replace(self, kinds=tuple("ai" if other == seat else kind for other, kind in enumerate(self.kinds)))


class Outside(Protocol):
    """The requests of a host. None is answered at once: the answers are calls of the methods of :class:`Host`."""

    def send(self, guest: int, data: bytes) -> None:
        """Send bytes to a program."""

    def close(self, guest: int) -> None:
        """Close a program's connection after the bytes in its queue are sent, and give up its seat."""

    def sit(self, guest: int, table: str, name: str, options: Mapping[str, Any]) -> None:
        """Give a program a seat at a table; open it with these options if there is no table of that name.

        The answer is :meth:`Host.seated` or :meth:`Host.refused`.
        """

    def start(self, guest: int) -> None:
        """Start the game at the program's table; agents play the empty seats."""

    def play(self, guest: int, *moves: str) -> None:
        """Make all of these moves or none; the answer is :meth:`Host.happened` or :meth:`Host.refused`."""

    def stand(self, guest: int) -> None:
        """Give up the program's seat; the connection stays open."""

    def time(self) -> float:
        """Return the time in seconds, by the clock of the tables."""

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call a function after a delay.

        :result: A function that cancels the call.
        """


class Host(ABC):
    """The server of a game's own protocol: one object serves all programs that are connected to its port.

    All methods are called from one thread, one call after the other. A number identifies each program.

    :cvar port: The port on which the original programs expect their server.
    :cvar Options: The settings of this server, a frozen dataclass with defaults; each field becomes a flag of
        ``tisch serve``, ``--GAME-FIELD``.
    """

    port: ClassVar[int]
    Options: ClassVar[type[Any]]

    def __init__(self, outside: Outside, options: Any) -> None:
        self.outside = outside
        self.options = options

    @abstractmethod
    def opened(self, guest: int, address: str) -> None:
        """Note that a program has connected.

        :param address: Where it comes from.
        """

    @abstractmethod
    def received(self, guest: int, data: bytes) -> None:
        """Handle bytes from a program, cut at any place.

        :raises ProtocolError: They are no message; the caller then calls :meth:`violated` and closes the connection.
        """

    @abstractmethod
    def violated(self, guest: int, error: ProtocolError) -> None:
        """Tell a program that it broke the protocol, if there is a message for that; its connection closes next."""

    @abstractmethod
    def closed(self, guest: int) -> None:
        """Note that a program's connection is closed; an agent now has the seat that the program had."""

    @abstractmethod
    def seated(self, guest: int, table: str, look: Look) -> None:
        """Note that a program has its seat; ``look`` is the table now, including a running game."""

    @abstractmethod
    def refused(self, guest: int, code: int, reason: str) -> None:
        """Note that the program's last request was refused and changed nothing.

        :param code: An error code of docs/protocol.md.
        :param reason: A sentence.
        """

    @abstractmethod
    def happened(self, guest: int, look: Look) -> None:
        """Note that something happened at a program's table, or that the program must decide."""


@dataclass(slots=True)
class Guest(ABC):
    """The client of a foreign server: it turns the messages it receives into the player's view.

    :cvar words: The words that the player may say besides moves, if the protocol has them.
    :cvar has_lobbies: Has the server lobbies with numbers, of which the player may choose one?
    :ivar name: The name that the player chose.
    :ivar view: The player's view, the same object that the game's own ``view`` returns, for faces and agents; ``None``
        while there is no game.
    :ivar legal: The moves that the player may make now; empty while the server does not await one.
    :ivar over: Has the session ended, by the server's last message or because the client gave up?
    :ivar fault: Why it ended without a result, in a sentence; empty if there is a result.
    :ivar seat: The player's seat, once there is a view.
    :ivar names: The player's name on each seat, once there is a view; empty where the protocol does not tell it.
    :ivar outcome: The outcome of the game, if it has ended.
    :ivar outgoing: The bytes to send; the sender empties it.
    :ivar may_return: Would the server take the player back after the end of the connection?
    :ivar lobby: The number of the lobby where the player is or wants to be; ``None`` if any will do.
    """

    words: ClassVar[tuple[str, ...]] = ()
    has_lobbies: ClassVar[bool] = False

    name: str
    view: Any = None
    legal: Sequence[Any] = ()
    over: bool = False
    fault: str = ""
    seat: int = 0
    names: tuple[str, ...] = ()
    outcome: Outcome | None = None
    outgoing: bytearray = field(default_factory=bytearray)
    may_return: bool = True
    lobby: int | None = None

    @abstractmethod
    def opened(self) -> None:
        """Put the first message into ``outgoing``: the connection is open."""

    @abstractmethod
    def received(self, data: bytes) -> list[Event]:
        """Handle bytes from the server, cut at any place.

        :result: What happened, as the game's own events as far as the protocol tells them. Besides these, ``refused``
            with a ``reason`` if the server refused a move, ``player_joined`` and ``player_left`` with the
            ``player_name``, which is empty where it is unknown, and the ``player_index``, and what others
            say: ``chat`` and ``whisper`` with a ``name`` and a ``text``, and answers to what the player has said.
        :raises ProtocolError: They are no message.
        """

    @abstractmethod
    def play(self, move: Any) -> None:
        """Put a move into ``outgoing``; ``legal`` is empty until the server awaits the next one."""

    @abstractmethod
    def world(self) -> State[Any]:
        """Return a state that is consistent with everything the player knows, for agents that search; there is a view.

        :result: The state; the guest does not keep it.
        """

    @abstractmethod
    def ticked(self, seconds: float) -> None:
        """Note that time has passed, about once a second: send keep-alives and handle timeouts."""

    def say(self, word: str, text: str) -> bool:
        """Put what the player says besides moves into ``outgoing``.

        :param word: One of ``words``.
        :param text: What follows the word.
        :result: Can it be said so now?
        """
        return False

    def again(self) -> Self:
        """Return a new guest that goes where this one was, after the end of a game or of a connection."""
        return type(self)(self.name, lobby=self.lobby)

    def give_up(self, fault: str) -> None:
        """End the session without a result.

        :param fault: The reason, in a sentence.
        """
        self.over, self.fault, self.legal = True, fault, ()
