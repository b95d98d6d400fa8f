"""The messages that clients send to a table; docs/protocol.md shows them. What each of them does stands in ``verbs``.

Games fill in actions with their own fields; this module knows none.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from tisch.language import LANGUAGES
from tisch.ports.told import Seat, Who, about, named, one_of, read
from tisch.table.stage import DELAYS

#: The preset phrases of the chat; clients show them in their language.
PHRASES: Final = ("hello", "well_played", "thanks", "sorry", "hurry", "wow", "oops", "one_more", "goodbye")
#: The time limits for a decision that a host can choose, in seconds; 0 is none.
TURN_LIMITS: Final = (0, 15, 30, 60)
#: The drawn portraits that people choose for themselves; clients have the pictures.
PORTRAITS: Final = ("fox", "owl", "bear", "cat", "hare", "badger", "frog", "hedgehog", "penguin", "mouse")
#: What is said of a table's access.
ACCESS: Final = "whether only those may come who are invited"


#: What is said of spectators.
LATER: Final = "how many seconds later spectators see what happens"
OPEN: Final = "whether spectators see all hands"
#: What is said of the chat.
FREE: Final = "whether people may say words of their own, besides the phrases"


class Message(Struct, frozen=True):
    """A message of a client: a type and its payload."""

    type: str
    payload: dict[str, Any] = {}


class Response(Struct, frozen=True):
    """Answers a `request`."""

    action: Annotated[str, Meta(title="Action"), about("the request's action", "move")]
    response_data: Annotated[
        dict[str, Any],
        Meta(title="Answer"),
        about("the answer; the games below say what it has", {"move": "draw main"}),
    ] = msgspec.field(default_factory=dict)
    request_id: Annotated[int | None, about("the request; without it, the open one with this action", 1763467200)] = (
        None
    )


class Leave(Struct, frozen=True):
    """Gives the seat up for good; an AI takes it."""


class StartGame(Struct, frozen=True):
    """The host begins a game; once one has ended at the table (`game_id`), anybody who sits there begins the next."""

    seed: Annotated[str | None, about("the game's seed, as `game_over` tells it; only in a game for one", "42")] = None
    tour: Annotated[
        bool,
        about(
            "whether it is the short game from which one learns, with its own options and level; only alone",
            False,
        ),
    ] = False


class SwapPlayers(Struct, frozen=True):
    """The host lets two others change seats, while no game is going on."""

    player_index_1: Annotated[Seat, about("the seat of one of them", 1)]
    player_index_2: Annotated[Seat, about("the seat of the other", 2)]


class SetOptions(Struct, frozen=True):
    """The host changes how the table plays, while no game is going on.

    If the game then has fewer seats, people may move to another one: ask `resync`.
    """

    agent: Annotated[
        str | None, about("the level of empty seats, or an agent's name; without it, it stays", "strong")
    ] = None
    turn_limit: Annotated[
        int | None, one_of(None, *TURN_LIMITS), about("the seconds for a decision: 0 (no limit), 15, 30 or 60", 30)
    ] = None
    options: Annotated[
        dict[str, Any] | None, about("the game's options; those left out have their defaults", {"rounds": 4})
    ] = None
    free_chat: Annotated[bool | None, about(f"{FREE}; without it, that stays", True)] = None
    watch_delay: Annotated[
        int | None, one_of(None, *DELAYS), about(f"{LATER}: 0, 30, 120 or 300; without it, that stays", 120)
    ] = None
    open_hands: Annotated[bool | None, about(f"{OPEN}, which needs a delay; without it, that stays", False)] = None


class SetAccess(Struct, frozen=True):
    """The host opens the table to everybody, while no game is going on, or closes it to all who are not invited.

    Closing it draws a new invitation, and older ones lead nowhere.
    """

    is_private: Annotated[bool, about(ACCESS, False)]


class RemovePlayer(Struct, frozen=True):
    """The host removes a player, in a game, too: an AI takes the seat, and the player has to stay out."""

    player_index: Who


class PassOnHost(Struct, frozen=True):
    """The host lets another player be the host, in a game, too."""

    player_index: Who


class Resync(Struct, frozen=True):
    """Asks for everything again: answered by a `state`, and a `view` for `view=1`."""


class Hint(Struct, frozen=True):
    """A player in turn asks what the strongest agent would do."""

    language: Annotated[
        str, one_of(*LANGUAGES), about("the language of the reason: `de` or `en` (the default)", "de")
    ] = "en"


class Undo(Struct, frozen=True):
    """A player who is alone with agents undoes their last moves, where `may_undo` of the view is true."""


class Return(Struct, frozen=True):
    """A player for whom the AI plays on takes over again."""


class Chat(Struct, frozen=True):
    """Says a preset phrase."""

    phrase: Annotated[
        str,
        one_of(*PHRASES),
        about(f"{', '.join(f'`{phrase}`' for phrase in PHRASES[:-1])} or `{PHRASES[-1]}`", "hello"),
    ]


class Say(Struct, frozen=True):
    """Says words of one's own, where the host allows it (`free_chat`): one line of 1 to 200 characters, no links."""

    text: Annotated[str, about("the words", "Who deals?")]


class Report(Struct, frozen=True):
    """Reports words of a player to the operator of the server, with what the same person said before."""

    number: Annotated[int, about("the number of what was `said`", 4)]


class SetPortrait(Struct, frozen=True):
    """A player chooses the picture by which the others see them."""

    portrait: Annotated[str, one_of("", *PORTRAITS), about("the portrait; empty for none", "fox")]


class Ping(Struct, frozen=True):
    """Answered by `pong`."""


#: The messages of clients, besides those by which players act in a game.
MESSAGES: Final = named(
    Response,
    Leave,
    StartGame,
    SwapPlayers,
    SetOptions,
    SetAccess,
    RemovePlayer,
    PassOnHost,
    Resync,
    Hint,
    Undo,
    Return,
    Chat,
    Say,
    Report,
    SetPortrait,
    Ping,
)


def payload(message: Message, kind: type[Any]) -> Any:
    """Decode a message's payload.

    :param message: The message.
    :param kind: The expected struct.
    :result: The payload as that struct.
    :raises Refusal: It has another shape.
    """
    return read(kind, message.payload, sent=message)
