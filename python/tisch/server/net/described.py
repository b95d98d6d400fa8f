"""Descriptions of the messages, events and fields that the tables of every game share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tisch.ports.described import EventFields, Field

SEAT: Final = Field("seat", "the player's seat", 0)
NAME: Final = Field("text", "the player's name", "Ben")
PUBLIC_STATE: Final = Field("object", "the public state, as below")
PRIVATE_STATE: Final = Field("object?", "the private state, as below; null for a spectator")
REQUEST: Final = Field("object?", "the payload of the open `request`; null if there is none")
PENDING: Final = Field("text", "the action of the open request; empty if there is none", "move")
NUMBER: Final = Field("integer", "the number of the last event", 17)
INVITATION: Final = Field(
    "text?", "the invitation in the link of a private table; null for a spectator, and at an open table", "jTg7…"
)
IS_PRIVATE: Final = Field("boolean", "whether only those may come who are invited", False)
LANGUAGE: Final = Field("text?", "the language of the reason: `de` or `en` (the default)", "de")

#: The messages of clients, besides those by which players act in a game.
FROM_CLIENT: Final[Mapping[str, EventFields]] = {
    "response": EventFields(
        "Answers a `request`.",
        {
            "action": Field("text", "the request's action", "move"),
            "response_data": Field("object", "the answer; the games below say what it has", {"move": "draw main"}),
            "request_id": Field("integer?", "the request; without it, the open one with this action", 1763467200),
        },
    ),
    "leave": EventFields("Gives the seat up for good; an AI takes it."),
    "start_game": EventFields(
        "The host begins a game; once one has ended at the table (`game_id`), anybody who sits there begins the next.",
        {"seed": Field("text?", "the game's seed, as `game_over` tells it; only in a game for one", "42")},
    ),
    "swap_players": EventFields(
        "The host lets two others change seats, while no game is going on.",
        {
            "player_index_1": Field("seat", "the seat of one of them", 1),
            "player_index_2": Field("seat", "the seat of the other", 2),
        },
    ),
    "set_options": EventFields(
        "The host changes how the table plays, while no game is going on. If the game then has fewer seats, people may "
        "move to another one: ask `resync`.",
        {
            "agent": Field("text?", "the level of empty seats, or an agent's name; without it, it stays", "strong"),
            "turn_limit": Field("integer?", "the seconds for a decision: 0 (no limit), 15, 30 or 60", 30),
            "options": Field("object?", "the game's options; those left out have their defaults", {"rounds": 4}),
        },
    ),
    "set_access": EventFields(
        "The host opens the table to everybody, while no game is going on, or closes it to all who are not invited; "
        "closing it draws a new invitation, and older ones lead nowhere.",
        {"is_private": IS_PRIVATE},
    ),
    "remove_player": EventFields(
        "The host removes a player, in a game, too: an AI takes the seat, and the player has to stay out.",
        {"player_index": SEAT},
    ),
    "pass_on_host": EventFields("The host lets another player be the host, in a game, too.", {"player_index": SEAT}),
    "resync": EventFields("Asks for everything again: answered by a `state`, and a `view` for `view=1`."),
    "hint": EventFields("A player in turn asks what the strongest agent would do.", {"language": LANGUAGE}),
    "undo": EventFields(
        "A player who is alone with agents undoes their last moves, where `may_undo` of the view is true."
    ),
    "return": EventFields("A player for whom the AI plays on takes over again."),
    "chat": EventFields(
        "Says a preset phrase.",
        {
            "phrase": Field(
                "text",
                "`hello`, `well_played`, `thanks`, `sorry`, `hurry`, `wow`, `oops`, `one_more` or `goodbye`",
                "hello",
            )
        },
    ),
    "ping": EventFields("Answered by `pong`."),
}

#: The messages of the server.
FROM_SERVER: Final[Mapping[str, EventFields]] = {
    "request": EventFields(
        "A player is asked for a decision.",
        {
            "request_id": Field("integer", "its number, unlike that of every other request of the table", 1763467200),
            "action": Field("text", "the decision; the games below list theirs", "move"),
            "context": Field("object", "what the decision needs", {"legal": ["draw main", "draw exchange"]}),
            "time_limit": Field("number?", "the seconds that are left; absent without a limit", 30.0),
        },
    ),
    "notification": EventFields(
        "Something happened.",
        {
            "number": Field("integer", "its number; numbers have no gaps", 17),
            "event": Field("text", "the event", "player_left"),
            "context": Field("object?", "the event's fields; absent if there are none", {"spectators": 1}),
        },
    ),
    "view": EventFields(
        "Everything as it is now, after each batch of notifications, for `view=1`.",
        {
            "number": NUMBER,
            "public_state": PUBLIC_STATE,
            "private_state": PRIVATE_STATE,
            "choices": Field("object?", "what the seat may do now, as below; null for a spectator or if an AI decides"),
            "may_undo": Field(
                "boolean",
                "whether the seat may undo its last moves: they revealed nothing, and only agents play along",
                False,
            ),
            "request": REQUEST,
            "invitation": INVITATION,
        },
    ),
    "state": EventFields(
        "The answer to `resync`.",
        {
            "number": NUMBER,
            "public_state": PUBLIC_STATE,
            "private_state": PRIVATE_STATE,
            "pending_action": PENDING,
            "request": REQUEST,
            "invitation": INVITATION,
        },
    ),
    "hint": EventFields(
        "The answer to `hint`.",
        {
            "move": Field("text", "the move's text; empty if the agent would make none", "play S7 B7"),
            "reason": Field("text", "the agent's reason; may be empty", "Lays the lowest pair."),
        },
    ),
    "error": EventFields(
        "A message was refused, or something went wrong.",
        {
            "message": Field("text", "a sentence in the language of the connection", "Du bist nicht am Zug."),
            "code": Field("integer", "the code, as below", 304),
            "context": Field("object?", "more about it, as below; absent if there is nothing", {"action": "move"}),
        },
    ),
    "pong": EventFields("The answer to `ping`."),
}

#: The events of every table.
EVENTS: Final[Mapping[str, EventFields]] = {
    "player_joined": EventFields(
        "A player sat down, or came back after a cut.",
        {"player_index": SEAT, "player_name": NAME},
        {
            "session_id": Field("text", "the token by which the player can come back", "0b9f…"),
            "public_state": PUBLIC_STATE,
            "private_state": PRIVATE_STATE,
            "pending_action": PENDING,
            "request": REQUEST,
            "invitation": INVITATION,
        },
    ),
    "player_left": EventFields(
        "A player left; an AI plays on.",
        {
            "player_index": SEAT,
            "player_name": Field("text", "the name on the seat now, which is the AI's", "Emil (KI)"),
            "host_index": Field("seat or -1", "the host's seat now", 0),
        },
    ),
    "players_swapped": EventFields(
        "Two players changed seats.",
        {"player_index_1": Field("seat", "one of the seats", 1), "player_index_2": Field("seat", "the other seat", 2)},
    ),
    "seat_changed": EventFields(
        "A player was cut off, came back, or was too slow three times.",
        {
            "player_index": SEAT,
            "player_name": NAME,
            "kind": Field("text", "`human`", "human"),
            "presence": Field("text", "as in `presences`", "cut"),
            "held_for": Field("number?", "the seconds for which the seat is held; null if it is not", 20.0),
        },
    ),
    "host_changed": EventFields(
        "Another player is the host: the host wished it, or was too slow three times and somebody else is there.",
        {"host_index": SEAT},
    ),
    "options_changed": EventFields(
        "The host changed how the table plays.",
        {
            "agent": Field("text", "the level of empty seats, or an agent's name", "strong"),
            "turn_limit": Field("integer", "the seconds for a decision; 0 is no limit", 0),
            "options": Field("object", "all options of the game", {"goal": 1000, "rounds": 0}),
        },
    ),
    "access_changed": EventFields(
        "The host opened or closed the table, or removed a player; a private table has a new invitation.",
        {"is_private": IS_PRIVATE},
        {"invitation": INVITATION},
    ),
    "spectator_joined": EventFields(
        "A spectator came.",
        {"spectators": Field("integer", "how many there are now", 1)},
        {"public_state": PUBLIC_STATE},
    ),
    "spectator_left": EventFields("A spectator left.", {"spectators": Field("integer", "how many there are now", 0)}),
    "chat": EventFields(
        "A player said a preset phrase.", {"player_index": SEAT, "phrase": Field("text", "the phrase", "hello")}
    ),
    "undone": EventFields(
        "A player who is alone with agents undid their last moves; the state is the one before them: ask `resync`.",
        {"player_index": SEAT},
    ),
    "game_started": EventFields("A game begins; the events of the game follow."),
    "game_over": EventFields(
        "The game is over.",
        {
            "points": Field("[number]", "by seat: the points, as the game counts them", [310, 190, 310, 190]),
            "payoff": Field("[number]", "by seat: the payoff; its sum over the sides is 0", [120, -120, 120, -120]),
            "reason": Field("text", "why it is over, one line of English", "1000 points were reached."),
            "game_id": Field("text", "the game's id, for `/replay/ID`", "f2Jx0Q4hPz0S"),
            "seed": Field("text", "the game's seed, a number that may be too large for JSON", "8104117462893652514"),
        },
    ),
}

#: The fields of ``public_state`` that every table has.
PUBLIC: Final[Mapping[str, Field]] = {
    "game": Field("text", "the game's name"),
    "table_name": Field("text", "the table's name", "Stube"),
    "player_names": Field("[text]", "by seat: the name", ["Ben", "Emil (KI)"]),
    "player_kinds": Field("[text]", "by seat: `human` or `ai`", ["human", "ai"]),
    "presences": Field(
        "[text]",
        "by seat: `here`, `cut` (the seat is held) or `away` (three times too slow: the AI plays until `return`); "
        "`here` for an AI",
        ["here", "here"],
    ),
    "held_for": Field("[number?]", "by seat: the seconds for which a cut seat is still held, or null", [None, 12.3]),
    "host_index": Field("seat or -1", "the host's seat; −1 if nobody is here", 0),
    "is_private": IS_PRIVATE,
    "is_running": Field("boolean", "whether a game is going on", True),
    "awaiting": Field("[seat]", "the seats that must decide", [0]),
    "time_left": Field("[number?]", "by seat: the seconds that remain for its decision, or null", [27.5, None]),
    "spectators": Field("integer", "how many watch", 0),
    "table_options": Field(
        "object",
        "`agent` (text), `turn_limit` (integer) and `options` (object), as in `options_changed`",
        {"agent": "strong", "turn_limit": 0, "options": {"cheats": False}},
    ),
    "game_id": Field("text?", "the last finished game at this table, for `/replay/ID`", "f2Jx0Q4hPz0S"),
}
