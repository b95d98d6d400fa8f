"""What a command changed at a table: what is committed, and then told, asked and awaited. All of it are values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from tisch.game import Event
from tisch.ports.refusal import Refusal
from tisch.record import Record
from tisch.table.agents import Question
from tisch.table.kept import Change
from tisch.table.play import Request
from tisch.table.shown import SeatScreen


class Notice(msgspec.Struct, frozen=True):
    """An event with its number at a table.

    :ivar number: The number.
    :ivar event: The event.
    :ivar is_of_game: Whether it is the game's, and not the table's.
    """

    number: int
    event: Event
    is_of_game: bool = True

    def context(self, seat: int | None) -> dict[str, Any]:
        """Return the fields that a seat may know.

        :param seat: The seat; ``None`` for a spectator.
        :result: The public fields, and the seat's private ones.
        """
        private = {} if seat is None else self.event.private.get(seat, {})
        return {**self.event.public, **private}


class Notices(list[Notice]):
    """Events that are told at once; encoded once for all who may know no more of them than everybody."""

    def __init__(self) -> None:
        super().__init__()
        self._encoded: bytes | None = None
        self._seats: frozenset[int] = frozenset()

    def encoded(self, seat: int | None, encode: Callable[[Notice, int | None], bytes]) -> bytes:
        """Encode them for a seat.

        :param seat: The seat; ``None`` for a spectator.
        :param encode: Encodes a notice for a seat; always the same function.
        :result: The bytes.
        """
        if self._encoded is None:
            self._encoded = b"".join([encode(notice, None) for notice in self])
            self._seats = frozenset(own for notice in self for own in notice.event.private)
        return b"".join([encode(notice, seat) for notice in self]) if seat in self._seats else self._encoded


class News(msgspec.Struct, frozen=True):
    """The news of a table.

    :ivar screen: What the peer is shown.
    :ivar notices: The events.
    :ivar is_asked: Whether there is a request that is new or repeated.
    """

    screen: SeatScreen
    notices: Notices
    is_asked: bool


class Welcome(msgspec.Struct, frozen=True):
    """The table is shown to a peer that has just sat down, come back, or begun to watch.

    :ivar screen: What it is shown.
    :ivar number: The number of the last event.
    :ivar token: The token by which a player can come back; ``None`` for a spectator, or if they cannot.
    """

    screen: SeatScreen
    number: int
    token: str | None


class Everything(msgspec.Struct, frozen=True):
    """All that the seat may know, as it asked for."""

    screen: SeatScreen


class Reply(msgspec.Struct, frozen=True):
    """A message that only this peer asked for."""

    message: msgspec.Struct


class Refused(msgspec.Struct, frozen=True):
    """What the peer asked for is refused, and changed nothing."""

    refusal: Refusal


class TurnedAway(msgspec.Struct, frozen=True):
    """The peer is not admitted."""

    refusal: Refusal


class TurnedOut(msgspec.Struct, frozen=True):
    """The peer was admitted and has to go."""

    refusal: Refusal


class Warned(msgspec.Struct, frozen=True):
    """The peer learns what went wrong without having asked for anything."""

    refusal: Refusal


class Parted(msgspec.Struct, frozen=True):
    """The connection ends once everything is read.

    :ivar code: The WebSocket's close code.
    :ivar reason: A short reason.
    """

    code: int
    reason: str = ""


class Later(msgspec.Struct, frozen=True):
    """What a spectator is told later; it is written down now, since the table will have changed by then.

    :ivar telling: What it is told.
    :ivar seconds: How much later; never before what it was told earlier.
    """

    telling: News | Welcome | Everything
    seconds: int


Telling: TypeAlias = Later | News | Welcome | Everything | Reply | Refused | TurnedAway | TurnedOut | Warned | Parted
#: A peer, as in ``commands``, and what it is told.
Told: TypeAlias = tuple[Hashable, Telling]


class Start(msgspec.Struct, frozen=True):
    """The start of a game that is not set up yet.

    :ivar peer: The connection that wants it.
    :ivar address: Where it comes from.
    :ivar game_id: The game's id.
    :ivar record: Its options and its seed.
    :ivar number: From where its requests are numbered.
    """

    peer: Hashable
    address: str
    game_id: str
    record: Record
    number: int


class Changes(msgspec.Struct, frozen=True):
    """What a command changed.

    What is to be told shows the table as it is, so it is told before the next command; and after the commit, because
    what is not committed has not happened.

    :ivar commit: The changes for the journal.
    :ivar tell: To whom what is told.
    :ivar ask: The questions to agents; the answers come as commands.
    :ivar drop: The questions whose answers nobody waits for any more.
    :ivar forget: The ids of games that agents need not remember any more.
    :ivar start: The game to set up; the next command is ``Opened`` or ``Hopeless``.
    :ivar waits: Whether nothing is committed and told yet, but with the changes of the next commands.
    :ivar wake: When the table wants to be woken, by its clock; ``None`` if nothing happens there by itself.
    :ivar moves: The number of moves that were made.
    :ivar closed: Whether the table is closed for good.
    """

    commit: Sequence[Change] = ()
    tell: Sequence[Told] = ()
    ask: Sequence[Question] = ()
    drop: Sequence[Question] = ()
    forget: Sequence[str] = ()
    start: Start | None = None
    waits: bool = False
    wake: float | None = None
    moves: int = 0
    closed: bool = False


@dataclass(slots=True)
class Batch:
    """What has changed since the last commit; :class:`Changes` are made of it.

    :ivar commit: The changes for the journal.
    :ivar save: Whether the journal needs a new snapshot.
    :ivar notices: The events, for everybody.
    :ivar moves: The number of moves.
    :ivar opened: The new requests by seat.
    :ivar newcomers: The peers that are shown the whole table, with the tokens of their sessions.
    :ivar replies: What single peers are told.
    :ivar start: The game that begins.
    """

    commit: list[Change] = field(default_factory=list)
    save: bool = False
    notices: Notices = field(default_factory=Notices)
    moves: int = 0
    opened: dict[int, Request] = field(default_factory=dict)
    newcomers: dict[Hashable, str | None] = field(default_factory=dict)
    replies: list[Told] = field(default_factory=list)
    start: Start | None = None
