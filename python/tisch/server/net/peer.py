"""Connections to a table, and the messages to each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Protocol

import msgspec
from msgspec import UNSET, Struct

from tisch.language import LANGUAGES
from tisch.ports.refusal import LONGEST_ECHO, Code, Refusal, echo
from tisch.ports.told import name_of
from tisch.table.changes import (
    Everything,
    Later,
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
from tisch.table.told import Error, Notification

#: The language of the sentences in errors for clients that name none; the first clients expect it.
LANGUAGE: Final = "de"
#: The longest message that a client may send, in bytes.
LONGEST_MESSAGE: Final = 8 * 1024
#: How deep lists and objects of a message may lie in each other. Nothing that a game asks for comes near it, and how
#: deep Python itself can go depends on its version.
DEEPEST: Final = 64


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
            case Later(later, seconds):
                self.tell_later(later, seconds)
            case Welcome():
                self.welcome(telling)
            case Everything(screen):
                self.send(screen.state())
            case Reply(message):
                self.send(message)
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

    def tell_later(self, telling: News | Welcome | Everything, seconds: int) -> None:
        """Tell a spectator something later; whoever never watches needs not know how.

        :param telling: What it is told.
        :param seconds: How much later.
        """
        raise NotImplementedError

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
    def send(self, message: Struct) -> None:
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
    def _frame(self, text: bytes) -> bytes:
        """Make a frame of a message."""

    @abstractmethod
    def _write(self, data: bytes) -> None:
        """Send frames."""

    @abstractmethod
    def _hold(self, data: bytes, seconds: int) -> None:
        """Send frames later, but not before those that are held already."""

    def tell_later(self, telling: News | Welcome | Everything, seconds: int) -> None:
        # As a spectator sees the table now; what follows must not be seen before its time, either.
        match telling:
            case News():
                data = self._news(telling)
            case Welcome():
                data = self._frame(encode(_welcome(telling)))
            case Everything(screen):
                data = self._frame(encode(screen.state()))
        self._hold(data, seconds)

    def tell(self, news: News) -> None:
        self._write(self._news(news))

    def _news(self, news: News) -> bytes:
        """Make the frames of news."""
        # The client has nothing of one and not of the next, and the system is called once for all.
        screen = news.screen
        told = news.notices.encoded(screen.seat, self._notification)
        if news.is_asked and (request := screen.request()):
            told += self._frame(encode(request))
        if self.wants_view:
            told += self._frame(encode(screen.view()))
        return told

    def _notification(self, notice: Notice, seat: int | None) -> bytes:
        """Encode an event as a seat may know it."""
        context = notice.context(seat) or UNSET
        return self._frame(encode(Notification(notice.number, notice.event.name, context)))

    def welcome(self, welcome: Welcome) -> None:
        self.send(_welcome(welcome))

    def refuse(self, refusal: Refusal) -> None:
        self.send(_error(refusal, self._language))

    def send(self, message: Struct) -> None:
        self._write(self._frame(encode(message)))


def _welcome(welcome: Welcome) -> Notification:
    """Show the table to a newcomer."""
    joined = welcome.screen.welcome(welcome.token)
    context: Any = joined
    return Notification(welcome.number, name_of(type(joined)), context)


_decode = msgspec.json.Decoder(Message).decode


def read(data: str | bytes) -> Message:
    """Decode a message of a client.

    :param data: The text of one frame.
    :result: The message; its payload is not decoded yet.
    :raises Refusal: It is not a message.
    """
    try:
        message = _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal(Code.INVALID_MESSAGE, message=echo(data)) from None
    if _is_deep(message.payload):
        raise Refusal(Code.INVALID_MESSAGE, message=echo(data))
    return message


def _is_deep(payload: dict[str, Any]) -> bool:
    """Whether more than :data:`DEEPEST` lists and objects lie in each other, the message included."""
    layer: list[Any] = [payload]
    for _ in range(DEEPEST - 1):
        inner = [one.values() if isinstance(one, dict) else one for one in layer]
        layer = [value for values in inner for value in values if isinstance(value, (dict, list))]
        if not layer:
            return False
    return True


def language_of(query: Mapping[str, str]) -> str:
    """Return the language of the sentences for a client.

    :param query: The query of its connection.
    :result: The language that it names; the default if it names none, or one that the server has no sentences in.
    """
    language = query.get("language", LANGUAGE)
    return language if language in LANGUAGES else LANGUAGE


_encode = msgspec.json.Encoder().encode


def encode(message: Struct) -> bytes:
    """Encode a message.

    :param message: The message, one of ``told.MESSAGES``.
    :result: The text of one frame.
    """
    kind = type(message)
    told: dict[str, Any] = {"type": name_of(kind)}
    if kind.__struct_fields__:
        told["payload"] = message
    return _encode(told)


def _error(refusal: Refusal, language: str) -> Error:
    """Say what was refused."""
    context = {name: _bounded(value) for name, value in refusal.context.items()}
    return Error(refusal.code.sentence(language), int(refusal.code), context or UNSET)


def _bounded(value: Any) -> Any:
    """Shorten a value that may contain text of the client."""
    raw = value.encode("utf-8", "replace") if isinstance(value, str) else msgspec.json.encode(value)
    return value if len(raw) <= LONGEST_ECHO else echo(raw)
