"""The messages that clients send to a table; docs/protocol.md shows them. What each of them does stands in ``verbs``.

Games fill in actions with their own fields; this module knows none.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from tisch.ports.refusal import Code, Refusal, echo

#: The preset phrases of the chat; clients show them in their language.
PHRASES: Final = ("hello", "well_played", "thanks", "sorry", "hurry", "wow", "oops", "one_more", "goodbye")
#: The time limits for a decision that a host can choose, in seconds; 0 is none.
TURN_LIMITS: Final = (0, 15, 30, 60)


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
    """The request to begin a game: the host's, and after a game anybody's who sits at the table.

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


class PassOnHost(msgspec.Struct, frozen=True):
    """The host's request that another player is the host."""

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
