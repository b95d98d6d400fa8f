"""Refusals of requests that cannot be granted, and the error codes that every game shares.

A game whose speech has errors of its own declares them as another :class:`ErrorCode` (``Speech.codes``).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, Self

from tisch.language import SHARED, Texts

#: How much of a client's own message an error repeats, in bytes.
LONGEST_ECHO: Final = 256
#: The longest name of a player or a table, in characters as people count them, and in code points, of which joined
#: emoji have many.
LONGEST_NAME: Final = 24
LONGEST_NAME_POINTS: Final = 4 * LONGEST_NAME


class ErrorCode(IntEnum):
    """An error code; its sentence stands in the section ``errors`` of a vocabulary, under its name.

    :ivar when: When a client gets it.
    :ivar context: The names of the fields of its context.
    """

    when: str
    context: tuple[str, ...]

    def __new__(cls, number: int, when: str, context: str = "") -> Self:
        """Make a member out of its number, its occasion and the fields of its context."""
        code = int.__new__(cls, number)
        code._value_ = number
        code.when, code.context = when, tuple(context.split())
        return code

    @classmethod
    def texts(cls) -> Texts:
        """Return the sentences of these codes by language and name."""
        return SHARED.section("errors")

    def sentence(self, language: str) -> str:
        """Return the sentence of the error.

        :param language: One of ``language.LANGUAGES``.
        :result: The ``message`` of the error.
        """
        return self.texts()[language][self.name]


class Code(ErrorCode):
    """The error codes of every game."""

    UNKNOWN_ERROR = 100, "a fault of the server; the table is closed, its transcript is saved", "exception"
    INVALID_MESSAGE = 101, "not JSON, an unknown type, a payload of another shape, or too long", "message reason"
    UNAUTHORIZED = 104, "a spectator wants to play", "action"
    SERVER_BUSY = 105, "too many messages, connections or tables, or no agent can give a hint now", "reason"
    SERVER_DOWN = 106, "the server stops, and closes with 1012; the client can reconnect soon, and the game goes on"
    MAINTENANCE_MODE = 107, "no new tables and games for now; running ones go on"
    SESSION_EXPIRED = 200, "the session has ended"
    SESSION_NOT_FOUND = 201, "there never was a session with this token", "session_id"
    TABLE_NOT_FOUND = 202, "a spectator names a table that does not exist", "table_name"
    TABLE_FULL = 203, "all seats are taken by people; a session stays valid", "table_name"
    NAME_TAKEN = 204, "the name looks like another one at the table", "table_name player_name"
    ALREADY_ON_TABLE = 205, "joining by name with the session of a seat at the same table", "table_name player_index"
    INVITATION_OVER = (
        206,
        "an invitation that leads to no table, or no longer; a spectator of a table that is private now",
    )
    REMOVED = 207, "the host has removed the player, who has to stay out"
    SEAT_TAKEN = (
        208,
        "the seat that the player has had in this round is taken; a session stays valid for the next one",
        "table_name player_index",
    )
    PASSWORD_NEEDED = 209, "the server has a password, and the client has neither it nor an invitation"
    BANNED = 210, "the operator of the server has banned the network from which the client comes"
    TABLE_CLOSED = 211, "the operator of the server has closed the table"
    INVALID_ACTION = (
        300,
        "a move that is not legal; an unknown action, game, option or language",
        "reason action",
    )
    INVALID_RESPONSE = 301, "there is no such request, or it is answered already", "action"
    NOT_YOUR_TURN = 304, "laying or moving out of turn", "action"
    ACTION_TIMEOUT = 309, "the decision timed out; the safest move was made", "timeout action"
    REQUEST_OBSOLETE = 310, "the request became void meanwhile", "action"
    TOO_MANY_HINTS = 311, "more hints than a player, a table or an address may ask for; the game goes on"
    GAME_ALREADY_STARTED = 400, "a lobby action in a running game", "table_name"
    NOT_LOBBY_HOST = 401, "only the host may do this", "action"


class Refusal(Exception):
    """A client asked for something that it cannot have; nothing has changed.

    :ivar code: The error's code.
    :ivar context: What else the error tells.
    """

    def __init__(self, code: ErrorCode, **context: Any) -> None:
        super().__init__(code.when)
        self.code = code
        self.context = context


def echo(data: str | bytes) -> str:
    """Cut what a client sent to what an error may repeat.

    :param data: What it sent.
    :result: At most :data:`LONGEST_ECHO` bytes of text.
    """
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)
    return raw[:LONGEST_ECHO].decode("utf-8", "ignore")
