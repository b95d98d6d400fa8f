"""What lies between a game's own network protocol and everything else: bytes here, moves and events there.

A game that has such a protocol of its own implements this in ``wires/NAME``, without sockets and clocks:
``HOST``, what the live server is to programs that connect to it, and ``GUEST``, what a program is that connects to a
foreign server. ``server/net/tcp.py`` and ``terminal/remote.py`` only move the bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

from tisch.game import Event, Outcome, State

__all__ = ["Guest", "Host", "Look", "Outside", "ProtocolError"]


class ProtocolError(ValueError):
    """What came is no message of the protocol; the connection cannot go on."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a seat at a table has before it, after something happened.

    :ivar seat: The seat.
    :ivar names: Who sits on each seat.
    :ivar kinds: What sits on each seat, ``human`` or ``ai``; programs at a wire are ``human``.
    :ivar events: What happened since the last time, as this seat may know it: each event's public and own private part
        together. Besides those of the game there are those of the table: ``player_joined``, ``player_left``,
        ``seat_changed``, ``game_started`` and ``game_over``, with the fields of docs/protocol.md.
    :ivar view: The seat's view of the game; ``None`` while there is none.
    :ivar legal: The moves that the seat may make now.
    :ivar asked: Is the seat awaited?
    :ivar time_left: How many seconds are left for the decision; ``None`` without a limit.
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
        """Show the same without who sat on a seat: he has gone, and the table is still to say so.

        :param seat: The seat.
        :result: The look.
        """
        return replace(self, kinds=tuple("ai" if other == seat else kind for other, kind in enumerate(self.kinds)))


class Outside(Protocol):
    """What a host can have done. Nothing of it answers at once: answers come through the methods of :class:`Host`."""

    def send(self, guest: int, data: bytes) -> None:
        """Send bytes to a program."""

    def close(self, guest: int) -> None:
        """Close a program's connection once what was sent is through; its seat is given up."""

    def sit(self, guest: int, table: str, name: str, options: Mapping[str, Any]) -> None:
        """Give a program a seat at a table, which is opened with these options if there is none of that name.

        Answered by :meth:`Host.seated` or :meth:`Host.refused`.
        """

    def start(self, guest: int) -> None:
        """Begin the game at the program's table; agents play the empty seats."""

    def play(self, guest: int, *moves: str) -> None:
        """Make moves, all or none; answered by :meth:`Host.happened` or :meth:`Host.refused`."""

    def stand(self, guest: int) -> None:
        """Give up the program's seat; the connection stays."""

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call something after a time.

        :result: What makes that it is not called any more.
        """


class Host(ABC):
    """The server of a game's own protocol: one object for all programs that are connected to its port.

    Every method is called from one thread, one call after the other. A program is known by its number.

    :cvar port: The port on which these programs are used to find their server.
    :cvar Options: A frozen dataclass with defaults: how this server shall behave; each field becomes a flag of
        ``tisch serve``, ``--GAME-FIELD``.
    """

    port: ClassVar[int]
    Options: ClassVar[type[Any]]

    def __init__(self, outside: Outside, options: Any) -> None:
        self.outside = outside
        self.options = options

    @abstractmethod
    def opened(self, guest: int) -> None:
        """A program has connected."""

    @abstractmethod
    def received(self, guest: int, data: bytes) -> None:
        """Bytes have come from a program, cut anywhere.

        :raises ProtocolError: They are no message; :meth:`violated` is called next, then the connection is closed.
        """

    @abstractmethod
    def violated(self, guest: int, error: ProtocolError) -> None:
        """A program has broken the protocol and is about to be closed: say so, if the protocol has a word for it."""

    @abstractmethod
    def closed(self, guest: int) -> None:
        """A program's connection is gone; its seat has been given to an agent if it had one."""

    @abstractmethod
    def seated(self, guest: int, table: str, look: Look) -> None:
        """A program has its seat; ``look`` shows the table as it is now, a running game with it."""

    @abstractmethod
    def refused(self, guest: int, code: int, reason: str) -> None:
        """What a program wanted last cannot be done; nothing has changed.

        :param code: An error code of docs/protocol.md.
        :param reason: A sentence.
        """

    @abstractmethod
    def happened(self, guest: int, look: Look) -> None:
        """Something happened at a program's table, or it is asked to decide."""


@dataclass(slots=True)
class Guest(ABC):
    """A program that is connected to a foreign server: it folds what comes into what a player sees.

    :ivar name: What the player calls himself.
    :ivar view: What the player knows, as the game's own ``view`` shows it, so that faces and agents can use it;
        ``None`` while there is no game.
    :ivar legal: What the player may do now; empty while it is not asked.
    :ivar over: Has the server said its last word, or has the player been given up?
    :ivar fault: Why it is over without a result, in a sentence; empty if there is one.
    :ivar seat: The player's seat, once there is a view.
    :ivar names: Who sits on each seat, once there is a view; an empty text where the protocol does not tell it.
    :ivar outcome: How the game ended, if it has.
    :ivar outgoing: What is to be sent; who sends it empties it.
    """

    name: str
    view: Any = None
    legal: Sequence[Any] = ()
    over: bool = False
    fault: str = ""
    seat: int = 0
    names: tuple[str, ...] = ()
    outcome: Outcome | None = None
    outgoing: bytearray = field(default_factory=bytearray)

    @abstractmethod
    def opened(self) -> None:
        """The connection is there: put what is to be said first into ``outgoing``."""

    @abstractmethod
    def received(self, data: bytes) -> list[Event]:
        """Fold bytes that have come, cut anywhere.

        :result: What happened, in the game's own events as far as the protocol tells it; besides, ``refused`` with a
            ``reason`` if the server did not want a move, and ``player_joined`` and ``player_left`` with the
            ``player_name``; where that is not known it is empty, and ``player_index`` is the seat.
        :raises ProtocolError: They are no message.
        """

    @abstractmethod
    def play(self, move: Any) -> None:
        """Put a move into ``outgoing``; ``legal`` is empty until the server asks again."""

    @abstractmethod
    def world(self) -> State[Any]:
        """Build a state that the player cannot tell from the true one, for agents that search; there is a view.

        :result: The state; it is not kept.
        """

    @abstractmethod
    def ticked(self, seconds: float) -> None:
        """Time has passed, about once a second: keep the connection alive, if the protocol wants it."""

    def give_up(self, fault: str) -> None:
        """End it without a result.

        :param fault: Why, in a sentence.
        """
        self.over, self.fault, self.legal = True, fault, ()
