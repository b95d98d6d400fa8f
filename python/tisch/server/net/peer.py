"""Connections to a table, and the messages to each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Protocol

from tisch.ports.refusal import Refusal
from tisch.server.net import protocol
from tisch.table.changes import (
    Everything,
    News,
    Notice,
    Parted,
    Refused,
    Reply,
    Telling,
    TurnedAway,
    TurnedOut,
    Warned,
    Welcome,
)
from tisch.table.messages import Message


class Inbox(Protocol):
    """A table as its connections know it: everything is queued, and answers come through the methods of the peer."""

    def receive(self, peer: Peer, message: Message, arrived: float) -> None:
        """Handle a client's message.

        :param peer: The client.
        :param message: The message.
        :param arrived: When it came.
        """

    def start(self, peer: Peer) -> None:
        """Begin a game, as a game's own protocol demands.

        :param peer: The program.
        """

    def play(self, peer: Peer, moves: Sequence[str]) -> None:
        """Make moves, all or none.

        :param peer: The program.
        :param moves: The texts of the moves.
        """

    def stand(self, peer: Peer, then: Callable[[], None]) -> None:
        """Give up a peer's seat.

        :param peer: The peer.
        :param then: Called afterwards, also if the table is closed.
        """

    def leave(self, peer: Peer) -> None:
        """Give up a peer's seat and close its connection.

        :param peer: The peer.
        """

    def disconnect(self, peer: Peer) -> None:
        """Note that a connection is cut.

        :param peer: The peer.
        """


class Peer(ABC):
    """A connection to a table.

    :cvar can_return: Whether its player can come back with a token, so that the seat is held.
    :ivar address: Where it comes from.
    :ivar table: The table, once it asked for one.
    :ivar is_gone: Whether the connection is cut.
    """

    can_return: ClassVar[bool] = True

    def __init__(self, address: str) -> None:
        self.address = address
        self.table: Inbox | None = None
        self.is_gone = False

    def hear(self, telling: Telling) -> None:
        """Pass on what a table tells.

        :param telling: What it tells.
        """
        match telling:
            case News():
                self.tell(telling)
            case Welcome():
                self.welcome(telling)
            case Everything(screen):
                self.send("state", screen.state())
            case Reply(kind, payload):
                self.send(kind, payload)
            case Refused(refusal) | Warned(refusal):
                self.refuse(refusal)
            case TurnedAway(refusal):
                self.turn_away(refusal)
            case TurnedOut(refusal):
                self.turn_out(refusal)
            case Parted(code, reason):
                self.part(code, reason)

    @abstractmethod
    def tell(self, news: News) -> None:
        """Tell what happened."""

    @abstractmethod
    def welcome(self, welcome: Welcome) -> None:
        """Show the table to a peer that has just sat down, come back, or begun to watch."""

    @abstractmethod
    def refuse(self, refusal: Refusal) -> None:
        """Send a refusal."""

    def turn_away(self, refusal: Refusal) -> None:
        """Refuse to admit the client.

        :param refusal: The reason.
        """
        self.refuse(refusal)
        self.part(1008)

    def turn_out(self, refusal: Refusal) -> None:
        """Close the connection of a client that was admitted and has to go.

        :param refusal: The reason.
        """
        self.refuse(refusal)
        self.part(1008)

    @abstractmethod
    def send(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        """Send a message that only this peer asked for."""

    @abstractmethod
    def part(self, code: int, reason: str = "") -> None:
        """Close the connection once all messages are read.

        :param code: The WebSocket's close code.
        :param reason: A short reason.
        """


class Client(Peer):
    """A client that is told everything in the messages of docs/protocol.md.

    :param address: Where it comes from.
    :param wants_view: Whether it is sent the whole view after each batch.
    :param language: The language of the sentences in its errors.
    """

    def __init__(self, address: str, *, wants_view: bool, language: str) -> None:
        super().__init__(address)
        self.wants_view = wants_view
        self._language = language

    @abstractmethod
    def _put(self, *frames: bytes) -> None:
        """Send messages, one after the other."""

    def tell(self, news: News) -> None:
        screen = news.screen
        frames = [notice.encoded(screen.seat, _notification) for notice in news.notices]
        if news.is_asked:
            frames.append(protocol.encode("request", screen.request()))
        if self.wants_view:
            frames.append(protocol.encode("view", screen.view()))
        self._put(*frames)

    def welcome(self, welcome: Welcome) -> None:
        event, context = welcome.screen.welcome(welcome.token)
        self._put(protocol.encode("notification", {"number": welcome.number, "event": event, "context": context}))

    def refuse(self, refusal: Refusal) -> None:
        self._put(protocol.error(refusal, self._language))

    def send(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        self._put(protocol.encode(kind, payload))


def _notification(notice: Notice, seat: int | None) -> bytes:
    """Encode an event as a seat may know it."""
    told: dict[str, Any] = {"number": notice.number, "event": notice.event.name}
    if context := notice.context(seat):
        told["context"] = context
    return protocol.encode("notification", told)
