"""The messages between the live server and its clients; docs/protocol.md shows them.

Every message is a JSON object with a ``type`` and, where it has something to say, a ``payload``. Games fill in actions
and events with their own words; nothing here knows one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from tisch.ports.refusal import LONGEST_ECHO, Code, Refusal, echo

#: The longest message that a client may send, in bytes.
LONGEST_MESSAGE: Final = 8 * 1024
#: What people can say to each other with one tap; clients show it in their language.
PHRASES: Final = ("hello", "well_played", "thanks", "sorry", "hurry", "wow", "oops", "one_more", "goodbye")
#: The reason that stands in a ``SERVER_BUSY`` when it is the client's own address that has opened too many tables.
TOO_MANY_TABLES: Final = "too_many_tables"


# --- what clients send ------------------------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True):
    """What a client sends: a type and its payload."""

    type: str
    payload: dict[str, Any] = {}


class Response(msgspec.Struct, frozen=True):
    """The answer to a request.

    :ivar action: The request's action.
    :ivar response_data: What was decided.
    :ivar request_id: (Optional) Which request is answered; without it, the last one with this action.
    """

    action: str
    response_data: dict[str, Any] = {}
    request_id: int | None = None


class SwapPlayers(msgspec.Struct, frozen=True):
    """The host's wish that two players change seats."""

    player_index_1: int
    player_index_2: int


class SetOptions(msgspec.Struct, frozen=True):
    """The host's wish for another way to play; what is absent stays.

    :ivar agent: (Optional) The name of the agent that plays empty seats.
    :ivar turn_limit: (Optional) The seconds for a decision; 0 is no limit.
    :ivar options: (Optional) The game's own options that shall differ from its defaults.
    """

    agent: str | None = None
    turn_limit: int | None = None
    options: dict[str, Any] | None = None


class Hint(msgspec.Struct, frozen=True):
    """A player's wish for advice.

    :ivar language: (Optional) In which language he wants to be told why.
    """

    language: str = "en"


class Chat(msgspec.Struct, frozen=True):
    """One of the preset phrases."""

    phrase: str


_decode = msgspec.json.Decoder(Message).decode


def read(data: str | bytes) -> Message:
    """Read what a client sent.

    :param data: The text of one frame.
    :result: The message; its payload is not looked at yet.
    :raises Refusal: It is no message.
    """
    try:
        return _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refusal(Code.INVALID_MESSAGE, message=echo(data)) from None


def payload(message: Message, kind: type[Any]) -> Any:
    """Read a message's payload.

    :param message: The message.
    :param kind: The struct that it must be.
    :result: The payload as that struct.
    :raises Refusal: It is another one.
    """
    try:
        return msgspec.convert(message.payload, kind)
    except msgspec.ValidationError as error:
        told = echo(msgspec.json.encode(message))
        raise Refusal(Code.INVALID_MESSAGE, message=told, reason=f"{error}.") from None


# --- what the server sends --------------------------------------------------------------------------------------------

_encoder = msgspec.json.Encoder()


def encode(kind: str, payload: Mapping[str, Any] | None = None) -> bytes:
    """Write a message.

    :param kind: Its type.
    :param payload: (Optional) Its payload.
    :result: The text of one frame.
    """
    return _encoder.encode({"type": kind} if payload is None else {"type": kind, "payload": payload})


def error(refusal: Refusal) -> bytes:
    """Write an error.

    :param refusal: What it is about.
    :result: The message.
    """
    told: dict[str, Any] = {"message": refusal.code.sentence, "code": int(refusal.code)}
    if refusal.context:
        told["context"] = {name: _bounded(value) for name, value in refusal.context.items()}
    return encode("error", told)


def _bounded(value: Any) -> Any:
    """Cut what may be the client's own words."""
    raw = value.encode("utf-8", "replace") if isinstance(value, str) else _encoder.encode(value)
    return value if len(raw) <= LONGEST_ECHO else echo(raw)
