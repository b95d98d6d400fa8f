"""What clients are told of a table: the messages of the server, the events of tables, and a table's public state.

Games add fields of their own to states, and have events of their own; this module knows none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from tisch.ports.refusal import LONGEST_NAME_POINTS
from tisch.ports.told import OWN, Seat, SeatOrNobody, Who, about, named, one_of
from tisch.table.messages import ACCESS, FREE, LATER, OPEN, PHRASES, PORTRAITS, TURN_LIMITS
from tisch.table.seating import Presence
from tisch.table.stage import DELAYS

#: A name of a player or a table.
Name: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME_POINTS)]
#: Whether a person or an agent plays a seat.
Kind: TypeAlias = Annotated[str, one_of("human", "ai")]
#: The portrait of a player.
Portrait: TypeAlias = Annotated[str, one_of("", *PORTRAITS)]
#: Whether a player is there.
Present: TypeAlias = Annotated[str, one_of(*(presence.value for presence in Presence))]


# --- what every table shows -------------------------------------------------------------------------------------------


class TableOptions(Struct, frozen=True):
    """How a table plays."""

    agent: Annotated[str, about("the level of empty seats, or an agent's name", "strong")]
    turn_limit: Annotated[int, one_of(*TURN_LIMITS), about("the seconds for a decision; 0 is no limit", 0)]
    options: Annotated[dict[str, Any], about("all options of the game", {"goal": 1000, "rounds": 0})]
    free_chat: Annotated[bool, about(FREE, False)]
    watch_delay: Annotated[int, one_of(*DELAYS), about(LATER, 0)]
    open_hands: Annotated[bool, about(OPEN, False)]


class PublicState(Struct, frozen=True):
    """What everybody knows of a table; a game adds its own fields."""

    game: Annotated[str, Meta(title="Game"), about("the game's name")]
    table_name: Annotated[Name, about("the table's name", "Stube")]
    player_names: Annotated[Sequence[Name], about("by seat: the name", ["Ben", "Emil"])]
    player_kinds: Annotated[Sequence[Kind], about("by seat: `human` or `ai`", ["human", "ai"])]
    portraits: Annotated[
        Sequence[Portrait], about("by seat: the portrait that a person has chosen; empty for none", ["fox", ""])
    ]
    presences: Annotated[
        Sequence[Present],
        about(
            "by seat: `here`, `cut` (the seat is held) or `away` (three times too slow: the AI plays until `return`); "
            "`here` for an AI",
            ["here", "here"],
        ),
    ]
    held_for: Annotated[
        Sequence[float | None],
        about("by seat: the seconds for which a cut seat is still held, or null", [None, 12.3]),
    ]
    host_index: Annotated[SeatOrNobody, about("the host's seat; −1 if nobody is here", 0)]
    is_private: Annotated[bool, about(ACCESS, False)]
    is_running: Annotated[bool, about("whether a game is going on", True)]
    awaiting: Annotated[Sequence[Seat], about("the seats that must decide", [0])]
    time_left: Annotated[
        Sequence[float | None], about("by seat: the seconds that remain for its decision, or null", [27.5, None])
    ]
    spectators: Annotated[int, Meta(ge=0), about("how many watch", 0)]
    table_options: Annotated[
        TableOptions,
        about(
            "how the table plays, as in `options_changed`",
            {
                "agent": "strong",
                "turn_limit": 0,
                "options": {"cheats": False},
                "free_chat": False,
                "watch_delay": 0,
                "open_hands": False,
            },
        ),
    ]
    game_id: Annotated[str | None, about("the last finished game at this table, for `/replay/ID`", "f2Jx0Q4hPz0S")]
    challenge: Annotated[
        str, about("the challenge whose deals are played, for `/challenge/ID`; empty if it is none", "")
    ]


#: The public state of a table, with the fields of its game.
Public: TypeAlias = Annotated[PublicState, about("the public state, as below")]
#: The private state of a seat.
Private: TypeAlias = Annotated[
    Annotated[dict[str, Any], Meta(title="PrivateState")] | None,
    about("the private state, as below; null for a spectator"),
]
Number: TypeAlias = Annotated[int, about("the number of the last event", 17)]
Pending: TypeAlias = Annotated[
    str, Meta(title="PendingAction"), about("the action of the open request; empty if there is none", "move")
]
Invitation: TypeAlias = Annotated[
    str | None,
    about("the invitation in the link of a private table; null for a spectator, and at an open table", "jTg7…"),
]
#: All hands.
Hands: TypeAlias = Annotated[
    Sequence[Annotated[dict[str, Any], Meta(title="PrivateState")]] | UnsetType,
    about("by seat: the private state; only for spectators of a table whose hands are open to them"),
    OWN,
]
#: What the server asks of a player.
Open: TypeAlias = Annotated["Request | None", about("the payload of the open `request`; null if there is none")]


# --- messages ---------------------------------------------------------------------------------------------------------


class Request(Struct, frozen=True):
    """A player is asked for a decision."""

    request_id: Annotated[int, about("its number, unlike that of every other request of the table", 1763467200)]
    action: Annotated[str, Meta(title="Action"), about("the decision; the games below list theirs", "move")]
    context: Annotated[
        dict[str, Any],
        Meta(title="Context"),
        about("what the decision needs", {"legal": ["draw main", "draw exchange"]}),
    ]
    time_limit: Annotated[float | UnsetType, about("the seconds that are left; absent without a limit", 30.0), OWN] = (
        UNSET
    )


class Notification(Struct, frozen=True):
    """Something happened."""

    number: Annotated[int, about("its number; numbers have no gaps", 17)]
    event: Annotated[str, about("the event", "player_left")]
    context: Annotated[
        dict[str, Any] | UnsetType,
        about("the event's fields; absent if there are none", {"spectators": 1}),
        OWN,
    ] = UNSET


class View(Struct, frozen=True):
    """Everything as it is now, after each batch of notifications, for `view=1`."""

    number: Number
    public_state: Public
    private_state: Private
    request: Open
    invitation: Invitation
    choices: Annotated[
        Annotated[dict[str, Any], Meta(title="Choices")] | None,
        about("what the seat may do now, as below; null for a spectator or if an AI decides"),
    ]
    may_undo: Annotated[
        bool,
        about("whether the seat may undo its last moves: they revealed nothing, and only agents play along", False),
    ]
    hands: Hands = UNSET


class State(Struct, frozen=True):
    """The answer to `resync`."""

    number: Number
    public_state: Public
    private_state: Private
    pending_action: Pending
    request: Open
    invitation: Invitation
    hands: Hands = UNSET


class Hint(Struct, frozen=True):
    """The answer to `hint`."""

    move: Annotated[str, about("the move's text; empty if the agent would make none", "play S7 B7")]
    reason: Annotated[str, about("the agent's reason; may be empty", "Plays the lowest pair.")]


class Error(Struct, frozen=True):
    """A message was refused, or something went wrong."""

    message: Annotated[str, about("a sentence in the language of the connection", "Du bist nicht am Zug.")]
    code: Annotated[int, Meta(title="Code"), about("the code, as below", 304)]
    context: Annotated[
        dict[str, Any] | UnsetType,
        about("more about it, as below; absent if there is nothing", {"action": "move"}),
        OWN,
    ] = UNSET


class Announcement(Struct, frozen=True):
    """The operator of the server says something to all who get views, at every table."""

    kind: Annotated[
        str,
        one_of("said", "maintenance", "open"),
        about("`said`, or that new games are refused from now on (`maintenance`), or no longer (`open`)", "said"),
    ]
    text: Annotated[str, about("what is said; empty for the others", "At ten the server goes down for a minute.")]


class Delayed(Struct, frozen=True):
    """A spectator of a table with a delay is told at once that all comes later, the first screen included."""

    seconds: Annotated[int, about(LATER, 120)]


class Reported(Struct, frozen=True):
    """The answer to `report`: the operator of the server can read it."""

    number: Annotated[int, about("the number of what was `said`", 4)]


class Pong(Struct, frozen=True):
    """The answer to `ping`."""


#: The messages of the server.
MESSAGES: Final[Mapping[str, type[Struct]]] = named(
    Request, Notification, View, State, Hint, Error, Announcement, Delayed, Reported, Pong
)


# --- events -----------------------------------------------------------------------------------------------------------


class PlayerJoined(Struct, frozen=True):
    """A player sat down, or came back after a cut."""

    player_index: Who
    player_name: Annotated[Name, about("the player's name", "Ben")]
    session_id: Annotated[str | UnsetType, about("the token by which the player can come back", "0b9f…"), OWN] = UNSET
    public_state: Annotated[Public | UnsetType, OWN] = UNSET
    private_state: Annotated[Private | UnsetType, OWN] = UNSET
    pending_action: Annotated[Pending | UnsetType, OWN] = UNSET
    request: Annotated[Open | UnsetType, OWN] = UNSET
    invitation: Annotated[Invitation | UnsetType, OWN] = UNSET


class PlayerLeft(Struct, frozen=True):
    """A player left; an AI plays on."""

    player_index: Who
    player_name: Annotated[Name, about("the name on the seat now, which is the AI's", "Emil")]
    host_index: Annotated[SeatOrNobody, about("the host's seat now", 0)]


class PlayersSwapped(Struct, frozen=True):
    """Two players changed seats."""

    player_index_1: Annotated[Seat, about("one of the seats", 1)]
    player_index_2: Annotated[Seat, about("the other seat", 2)]


class SeatChanged(Struct, frozen=True):
    """A player was cut off, came back, or was too slow three times."""

    player_index: Who
    player_name: Annotated[Name, about("the player's name", "Ben")]
    kind: Annotated[Kind, about("`human`", "human")]
    presence: Annotated[Present, about("as in `presences`", "cut")]
    held_for: Annotated[float | None, about("the seconds for which the seat is held; null if it is not", 20.0)]


class HostChanged(Struct, frozen=True):
    """Another player is the host: the host wished it, or was too slow three times and somebody else is there."""

    host_index: Who


class OptionsChanged(TableOptions, frozen=True):
    """The host changed how the table plays."""


class AccessChanged(Struct, frozen=True):
    """The host opened or closed the table, or removed a player; a private table has a new invitation."""

    is_private: Annotated[bool, about(ACCESS, False)]
    invitation: Annotated[Invitation | UnsetType, OWN] = UNSET


class SpectatorJoined(Struct, frozen=True):
    """A spectator came."""

    spectators: Annotated[int, about("how many there are now", 1)]
    public_state: Annotated[Public | UnsetType, OWN] = UNSET


class SpectatorLeft(Struct, frozen=True):
    """A spectator left."""

    spectators: Annotated[int, about("how many there are now", 0)]


class Chat(Struct, frozen=True):
    """A player said a preset phrase."""

    player_index: Who
    phrase: Annotated[str, one_of(*PHRASES), about("the phrase", "hello")]


class Said(Struct, frozen=True):
    """A player said words of their own."""

    player_index: Who
    player_name: Annotated[Name, about("the player's name", "Ben")]
    text: Annotated[str, about("the words, one line without links", "Who deals?")]
    words: Annotated[int, about("their number, for `report`", 4)]


class PortraitChanged(Struct, frozen=True):
    """A player has chosen another portrait."""

    player_index: Who
    portrait: Annotated[Portrait, about("the portrait; empty for none", "fox")]


class Undone(Struct, frozen=True):
    """A player who is alone with agents undid their last moves; the state is the one before them: ask `resync`."""

    player_index: Who


class GameStarted(Struct, frozen=True):
    """A game begins; the events of the game follow."""


class GameOver(Struct, frozen=True):
    """The game is over."""

    points: Annotated[tuple[float, ...], about("by seat: the points, as the game counts them", [310, 190, 310, 190])]
    payoff: Annotated[
        tuple[float, ...], about("by seat: the payoff; its sum over the sides is 0", [120, -120, 120, -120])
    ]
    reason: Annotated[str, about("why it is over, one line of English", "1000 points were reached.")]
    game_id: Annotated[str, about("the game's id, for `/replay/ID`", "f2Jx0Q4hPz0S")]
    seed: Annotated[str, about("the game's seed, a number that may be too large for JSON", "8104117462893652514")]


#: The events of every table.
EVENTS: Final[Mapping[str, type[Struct]]] = named(
    PlayerJoined,
    PlayerLeft,
    PlayersSwapped,
    SeatChanged,
    HostChanged,
    OptionsChanged,
    AccessChanged,
    SpectatorJoined,
    SpectatorLeft,
    Chat,
    Said,
    PortraitChanged,
    Undone,
    GameStarted,
    GameOver,
)
