"""What a table's mailbox commits to the journal and then tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tisch.record import Record
from tisch.server.net.peer import Notice, Peer
from tisch.server.table.playing import Request
from tisch.table.kept import Change


@dataclass(frozen=True, slots=True)
class Start:
    """The start of a game that is not set up yet.

    :ivar peer: The connection that wants it.
    :ivar game_id: The game's id.
    :ivar record: Its options and its seed.
    """

    peer: Peer
    game_id: str
    record: Record


@dataclass(slots=True)
class Batch:
    """The changes of a table since the last commit.

    :ivar changes: The changes for the journal.
    :ivar save: Whether the journal needs a new snapshot.
    :ivar notices: The events, for everybody.
    :ivar moves: The number of moves.
    :ivar opened: The new requests by seat.
    :ivar newcomers: The peers that are shown the whole table, with the tokens of their sessions.
    :ivar replies: The answers to single peers.
    :ivar hints: The requests for hints: the peer, the seat and the language.
    :ivar start: The game that begins.
    """

    changes: list[Change] = field(default_factory=list)
    save: bool = False
    notices: list[Notice] = field(default_factory=list)
    moves: int = 0
    opened: dict[int, Request] = field(default_factory=dict)
    newcomers: dict[Peer, str | None] = field(default_factory=dict)
    replies: list[Callable[[], None]] = field(default_factory=list)
    hints: list[tuple[Peer, int, str]] = field(default_factory=list)
    start: Start | None = None
