"""What an operator asks of a server: the page and ``tisch admin`` send it, and each of it is logged."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

#: Where operators ask, and the header with the secret.
ADDRESS: Final = "/api/operator"
HEADER: Final = "Tisch-Operator"
#: The longest text that is said to all.
LONGEST: Final = 500


class Act(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Something that an operator asks for."""


class Close(Act, frozen=True, tag="close"):
    """Closes a table for good, whoever is there.

    :ivar table: The table's id.
    """

    table: str


class RemoveSeat(Act, frozen=True, tag="remove"):
    """Removes whoever sits on a seat; they have to stay away from this table.

    :ivar table: The table's id.
    """

    table: str
    seat: int


class BanRange(Act, frozen=True, tag="ban"):
    """Bans a range of addresses from the server, and cuts off who is there."""

    range: str


class UnbanRange(Act, frozen=True, tag="unban"):
    """Lets people of a range come again."""

    range: str


class Announce(Act, frozen=True, tag="say"):
    """Says something to all who are at tables with a client of tisch."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST)]


class Maintain(Act, frozen=True, tag="maintenance"):
    """Refuses new tables and games, or allows them again."""

    on: bool


class Dismiss(Act, frozen=True, tag="dismiss"):
    """Drops a report that was read."""

    report: int


AnyAct: TypeAlias = Close | RemoveSeat | BanRange | UnbanRange | Announce | Maintain | Dismiss


class Sitting(msgspec.Struct, frozen=True):
    """A person who has a seat.

    :ivar address: Where they come from; empty while they are cut off.
    :ivar presence: Whether they are there.
    """

    seat: int
    name: str
    address: str
    presence: str


class TableRow(msgspec.Struct, frozen=True):
    """A table as an operator sees it.

    :ivar seats: The number of its seats.
    :ivar watchers: Where its spectators come from.
    """

    id: str
    name: str
    game: str
    is_private: bool
    is_running: bool
    seats: int
    people: list[Sitting]
    watchers: list[str]


class Banned(msgspec.Struct, frozen=True):
    """A range that is banned.

    :ivar since: Since when, in seconds since 1970.
    """

    range: str
    since: float


class Reported(msgspec.Struct, frozen=True):
    """What somebody said at a table, and somebody else reported.

    :ivar table: The table's id; it may be closed by now.
    :ivar address: Where who said it came from.
    :ivar texts: What they said last.
    :ivar by: Who reported it.
    :ivar when: When, in seconds since 1970.
    """

    number: int
    table: str
    table_name: str
    name: str
    address: str
    texts: list[str]
    by: str
    when: float


class Overview(msgspec.Struct, frozen=True):
    """Everything that an operator sees."""

    maintenance: bool
    tables: list[TableRow]
    bans: list[Banned]
    reports: list[Reported] = []
