"""The messages between the live server and its clients; docs/protocol.md shows them.

Every message is a JSON object with a ``type`` and, where it has something to say, a ``payload``. Games fill in actions
and events with their own fields; this module knows none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from tisch.language import LANGUAGES
from tisch.ports.refusal import LONGEST_ECHO, Code, Refusal, echo

#: The longest message that a client may send, in bytes.
LONGEST_MESSAGE: Final = 8 * 1024
#: How deep lists and objects of a message may lie in each other. Nothing that a game asks for comes near it, and how
#: deep Python itself can go depends on its version.
DEEPEST: Final = 64
#: The preset phrases of the chat; clients show them in their language.
PHRASES: Final = ("hello", "well_played", "thanks", "sorry", "hurry", "wow", "oops", "one_more", "goodbye")
#: The reason in a ``SERVER_BUSY`` if the client's own address has opened too many tables.
TOO_MANY_TABLES: Final = "too_many_tables"


# --- messages of clients ----------------------------------------------------------------------------------------------


class Message(msgspec.Struct, frozen=True):
    """A message of a client: a type and its payload."""

    type: str
    payload: dict[str, Any] = {}


class Response(msgspec.Struct, frozen=True):
    """The answer to a request.

    :ivar action: The request's action.
    :ivar response_data: The decision.
    :ivar request_id: (Optional) The request; without it, the open one with this action.
    """

    action: str
    response_data: dict[str, Any] = {}
    request_id: int | None = None


class StartGame(msgspec.Struct, frozen=True):
    """The host's request to begin a game.

    :ivar seed: (Optional) The seed of the game, as ``game_over`` told that of an earlier one.
    """

    seed: str | None = None


class SwapPlayers(msgspec.Struct, frozen=True):
    """The host's request that two players change seats."""

    player_index_1: int
    player_index_2: int


class SetOptions(msgspec.Struct, frozen=True):
    """The host's request for other options; absent ones stay.

    :ivar agent: (Optional) Who plays empty seats: a level, or an agent by name.
    :ivar turn_limit: (Optional) The seconds for a decision; 0 is no limit.
    :ivar options: (Optional) The game's options that differ from the defaults.
    """

    agent: str | None = None
    turn_limit: int | None = None
    options: dict[str, Any] | None = None


class RemovePlayer(msgspec.Struct, frozen=True):
    """The host's request that a player leaves and stays out."""

    player_index: int


class SetAccess(msgspec.Struct, frozen=True):
    """The host's request to open the table, or to admit only those who are invited."""

    is_private: bool


class Hint(msgspec.Struct, frozen=True):
    """A player's request for a hint.

    :ivar language: (Optional) The language of the reason.
    """

    language: str = "en"


class Chat(msgspec.Struct, frozen=True):
    """One of the preset phrases."""

    phrase: str


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


def payload(message: Message, kind: type[Any]) -> Any:
    """Decode a message's payload.

    :param message: The message.
    :param kind: The expected struct.
    :result: The payload as that struct.
    :raises Refusal: It has another shape.
    """
    try:
        return msgspec.convert(message.payload, kind)
    except msgspec.ValidationError as error:
        told = echo(msgspec.json.encode(message))
        raise Refusal(Code.INVALID_MESSAGE, message=told, reason=f"{error}.") from None


# --- messages of the server -------------------------------------------------------------------------------------------

#: The language of the sentences in errors for clients that name none; the first clients expect it.
LANGUAGE: Final = "de"

_encoder = msgspec.json.Encoder()


def language_of(query: Mapping[str, str]) -> str:
    """Return the language of the sentences for a client.

    :param query: The query of its connection.
    :result: The language that it names; the default if it names none, or one that the server has no sentences in.
    """
    language = query.get("language", LANGUAGE)
    return language if language in LANGUAGES else LANGUAGE


def encode(kind: str, payload: Mapping[str, Any] | None = None) -> bytes:
    """Encode a message.

    :param kind: Its type.
    :param payload: (Optional) Its payload.
    :result: The text of one frame.
    """
    return _encoder.encode({"type": kind} if payload is None else {"type": kind, "payload": payload})


def error(refusal: Refusal, language: str) -> bytes:
    """Encode an error.

    :param refusal: The refusal.
    :param language: The language of its sentence.
    :result: The message.
    """
    told: dict[str, Any] = {"message": refusal.code.sentence(language), "code": int(refusal.code)}
    if refusal.context:
        told["context"] = {name: _bounded(value) for name, value in refusal.context.items()}
    return encode("error", told)


def _bounded(value: Any) -> Any:
    """Shorten a value that may contain text of the client."""
    raw = value.encode("utf-8", "replace") if isinstance(value, str) else _encoder.encode(value)
    return value if len(raw) <= LONGEST_ECHO else echo(raw)
