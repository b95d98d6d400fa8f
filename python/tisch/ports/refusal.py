"""Refusals: what a client is told when a request cannot be granted, and the error codes that every game shares.

A game whose speech has errors of its own declares them as another :class:`ErrorCode` (``Speech.codes``).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, Self

#: How much of a client's own message an error repeats, in bytes.
LONGEST_ECHO: Final = 256
#: The longest name of a player or a table, in characters.
LONGEST_NAME: Final = 24


class ErrorCode(IntEnum):
    """An error code with its sentence; clients that speak another language go by the number.

    :ivar sentence: The ``message`` of the error.
    """

    sentence: str

    def __new__(cls, number: int, sentence: str) -> Self:
        """Make a member out of its number and its sentence."""
        code = int.__new__(cls, number)
        code._value_ = number
        code.sentence = sentence
        return code


class Code(ErrorCode):
    """The error codes of every game."""

    UNKNOWN_ERROR = 100, "Ein unbekannter Fehler ist aufgetreten."
    INVALID_MESSAGE = 101, "Ungültiges Nachrichtenformat empfangen."
    UNAUTHORIZED = 104, "Aktion nicht autorisiert."
    SERVER_BUSY = 105, "Server ist momentan überlastet. Bitte später versuchen."
    SERVER_DOWN = 106, "Server wurde heruntergefahren."
    MAINTENANCE_MODE = 107, "Server befindet sich im Wartungsmodus."
    SESSION_EXPIRED = 200, "Deine Session ist abgelaufen. Bitte neu verbinden."
    SESSION_NOT_FOUND = 201, "Session nicht gefunden."
    TABLE_NOT_FOUND = 202, "Tisch nicht gefunden."
    TABLE_FULL = 203, "Tisch ist bereits voll."
    NAME_TAKEN = 204, "Dieser Spielername ist an diesem Tisch bereits vergeben."
    ALREADY_ON_TABLE = 205, "Du bist bereits an diesem Tisch."
    INVALID_ACTION = 300, "Ungültige Aktion."
    INVALID_RESPONSE = 301, "Keine wartende Anfrage für die Antwort gefunden."
    NOT_YOUR_TURN = 304, "Du bist nicht am Zug."
    ACTION_TIMEOUT = 309, "Zeit für Aktion abgelaufen."
    REQUEST_OBSOLETE = 310, "Anfrage ist veraltet."
    GAME_ALREADY_STARTED = 400, "Das Spiel an diesem Tisch hat bereits begonnen."
    NOT_LOBBY_HOST = 401, "Nur der Host kann diese Aktion ausführen."


class Refusal(Exception):
    """A client asked for something that it cannot have; nothing has changed.

    :ivar code: The error's code.
    :ivar context: What else the error tells.
    """

    def __init__(self, code: ErrorCode, **context: Any) -> None:
        super().__init__(code.sentence)
        self.code = code
        self.context = context


def echo(data: str | bytes) -> str:
    """Cut what a client sent to what an error may repeat.

    :param data: What it sent.
    :result: At most :data:`LONGEST_ECHO` bytes of text.
    """
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)
    return raw[:LONGEST_ECHO].decode("utf-8", "ignore")
