"""The messages between the live server and its clients, and the errors with their codes; docs/protocol.md shows them.

Every message is a JSON object with a ``type`` and, where it has something to say, a ``payload``. Games fill in actions
and events with their own words; nothing here knows one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final

import msgspec

#: The longest message that a client may send, in bytes.
LONGEST_MESSAGE: Final = 8 * 1024
#: How much of a client's own message an error repeats, in bytes.
LONGEST_ECHO: Final = 256
#: The longest name of a player or a table, in characters.
LONGEST_NAME: Final = 24
#: What people can say to each other with one tap; clients show it in their language.
PHRASES: Final = ("hello", "well_played", "thanks", "sorry", "hurry", "wow", "oops", "one_more", "goodbye")
#: The reason that stands in a ``SERVER_BUSY`` when it is the client's own address that has opened too many tables.
TOO_MANY_TABLES: Final = "too_many_tables"


class Code(IntEnum):
    """The codes of errors."""

    UNKNOWN_ERROR = 100
    INVALID_MESSAGE = 101
    UNKNOWN_CARD = 102
    NOT_HAND_CARD = 103
    UNAUTHORIZED = 104
    SERVER_BUSY = 105
    SERVER_DOWN = 106
    MAINTENANCE_MODE = 107
    SESSION_EXPIRED = 200
    SESSION_NOT_FOUND = 201
    TABLE_NOT_FOUND = 202
    TABLE_FULL = 203
    NAME_TAKEN = 204
    ALREADY_ON_TABLE = 205
    INVALID_ACTION = 300
    INVALID_RESPONSE = 301
    NOT_UNIQUE_CARDS = 302
    INVALID_COMBINATION = 303
    NOT_YOUR_TURN = 304
    INTERRUPT_DENIED = 305
    INVALID_WISH = 306
    INVALID_ANNOUNCE = 307
    INVALID_DRAGON_RECIPIENT = 308
    ACTION_TIMEOUT = 309
    REQUEST_OBSOLETE = 310
    GAME_ALREADY_STARTED = 400
    NOT_LOBBY_HOST = 401


#: What each error says; clients that speak another language go by the code.
SENTENCES: Final[Mapping[Code, str]] = {
    Code.UNKNOWN_ERROR: "Ein unbekannter Fehler ist aufgetreten.",
    Code.INVALID_MESSAGE: "Ungültiges Nachrichtenformat empfangen.",
    Code.UNKNOWN_CARD: "Mindestens eine Karte ist unbekannt.",
    Code.NOT_HAND_CARD: "Mindestens eine Karte ist keine Handkarte.",
    Code.UNAUTHORIZED: "Aktion nicht autorisiert.",
    Code.SERVER_BUSY: "Server ist momentan überlastet. Bitte später versuchen.",
    Code.SERVER_DOWN: "Server wurde heruntergefahren.",
    Code.MAINTENANCE_MODE: "Server befindet sich im Wartungsmodus.",
    Code.SESSION_EXPIRED: "Deine Session ist abgelaufen. Bitte neu verbinden.",
    Code.SESSION_NOT_FOUND: "Session nicht gefunden.",
    Code.TABLE_NOT_FOUND: "Tisch nicht gefunden.",
    Code.TABLE_FULL: "Tisch ist bereits voll.",
    Code.NAME_TAKEN: "Dieser Spielername ist an diesem Tisch bereits vergeben.",
    Code.ALREADY_ON_TABLE: "Du bist bereits an diesem Tisch.",
    Code.INVALID_ACTION: "Ungültige Aktion.",
    Code.INVALID_RESPONSE: "Keine wartende Anfrage für die Antwort gefunden.",
    Code.NOT_UNIQUE_CARDS: "Mindestens zwei Karten sind identisch.",
    Code.INVALID_COMBINATION: "Die Karten bilden keine spielbare Kombination.",
    Code.NOT_YOUR_TURN: "Du bist nicht am Zug.",
    Code.INTERRUPT_DENIED: "Interrupt-Anfrage abgelehnt.",
    Code.INVALID_WISH: "Ungültiger Kartenwunsch.",
    Code.INVALID_ANNOUNCE: "Tichu-Ansage nicht möglich.",
    Code.INVALID_DRAGON_RECIPIENT: "Wahl des Spielers, der den Drachen bekommt, ist ungültig.",
    Code.ACTION_TIMEOUT: "Zeit für Aktion abgelaufen.",
    Code.REQUEST_OBSOLETE: "Anfrage ist veraltet.",
    Code.GAME_ALREADY_STARTED: "Das Spiel an diesem Tisch hat bereits begonnen.",
    Code.NOT_LOBBY_HOST: "Nur der Host kann diese Aktion ausführen.",
}


class Refusal(Exception):
    """A client asked for what it cannot have; nothing has changed.

    :ivar code: The code of the error.
    :ivar context: What else the error tells.
    """

    def __init__(self, code: Code, **context: Any) -> None:
        super().__init__(SENTENCES[code])
        self.code = code
        self.context = context


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


def echo(data: str | bytes) -> str:
    """Cut what a client sent to what an error may repeat.

    :param data: What it sent.
    :result: At most :data:`LONGEST_ECHO` bytes of text.
    """
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)
    return raw[:LONGEST_ECHO].decode("utf-8", "ignore")


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
    told: dict[str, Any] = {"message": SENTENCES[refusal.code], "code": int(refusal.code)}
    if refusal.context:
        told["context"] = {name: _bounded(value) for name, value in refusal.context.items()}
    return encode("error", told)


def _bounded(value: Any) -> Any:
    """Cut what may be the client's own words."""
    raw = value.encode("utf-8", "replace") if isinstance(value, str) else _encoder.encode(value)
    return value if len(raw) <= LONGEST_ECHO else echo(raw)
