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
from tisch.table.messages import Message

#: The longest message that a client may send, in bytes.
LONGEST_MESSAGE: Final = 8 * 1024
#: How deep lists and objects of a message may lie in each other. Nothing that a game asks for comes near it, and how
#: deep Python itself can go depends on its version.
DEEPEST: Final = 64
#: The reason in a ``SERVER_BUSY`` if the client's own address has opened too many tables.
TOO_MANY_TABLES: Final = "too_many_tables"


# --- messages of clients ----------------------------------------------------------------------------------------------


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
