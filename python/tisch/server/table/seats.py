"""The seats of a table: people with their sessions, and agents on all other seats."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tisch.server.net.peer import Peer
from tisch.table.names import alike
from tisch.table.sessions import digest_of, same

#: The names of the agents, by seat; no human may take a name that looks like one of them.
AGENT_NAMES: Final = tuple(f"{name} (KI)" for name in ("Ada", "Emil", "Frida", "Hugo", "Ida"))
#: How long the seat of a player who is cut off is held, in seconds.
HOLD: Final = 20.0
#: The number of decisions in a row that may time out before the agent plays on.
STRIKES: Final = 3
#: The number of people who were cut off and may come back to the same seat.
MOST_ABSENT: Final = 8


class Presence(StrEnum):
    """The presence of a player."""

    HERE = "here"
    #: The connection is cut; the seat is held for a while.
    CUT = "cut"
    #: Too slow too often: the agent plays on until the player returns.
    AWAY = "away"


@dataclass(slots=True)
class Player:
    """A person who has a seat, or may come back to one.

    :ivar name: Their name; no other at the table looks like it.
    :ivar session: The digest of their token, which itself is not stored; empty if they cannot come back.
    :ivar network: The digest of the network from which they came last.
    :ivar peer: Their connection, if there is one.
    :ivar presence: Their presence.
    :ivar held_until: The time at which their seat is given to an agent, while they are cut off.
    :ivar strikes: The number of decisions in a row that timed out.
    """

    name: str
    session: bytes
    network: bytes = b""
    peer: Peer | None = None
    presence: Presence = Presence.CUT
    held_until: float | None = None
    strikes: int = 0

    @property
    def person(self) -> bytes:
        """What tells them from others: their session, or the name of a program, which has none."""
        return self.session or digest_of(f"program {self.name}")


@dataclass(slots=True)
class Seat:
    """A seat.

    :ivar player: The player; without one an agent plays.
    :ivar absent: The players who were cut off for too long. Their tokens bring them back: to this seat as long
        as nobody else sits there, otherwise to another one.
    """

    player: Player | None = None
    absent: list[Player] = field(default_factory=list)

    @property
    def played_by_agent(self) -> bool:
        """Whether an agent decides here."""
        return self.player is None or self.player.presence is Presence.AWAY

    @property
    def people(self) -> list[Player]:
        """The player, and the players who may come back here."""
        return [*self.absent, self.player] if self.player else self.absent


def free_seat(seats: Sequence[Seat], among: Collection[int] | None = None) -> int | None:
    """Find a free seat, preferably one that no absent player may come back to.

    Names do not matter here, so that nobody can use a name to see another player's hidden cards.

    :param seats: The table's seats.
    :param among: (Optional) The seats from which to choose, by default all.
    :result: The seat; ``None`` if all are taken.
    """
    free = [index for index, seat in enumerate(seats) if not seat.player and (among is None or index in among)]
    return min(free, key=lambda index: bool(seats[index].absent), default=None)


def find_absent(seats: Sequence[Seat], session: bytes) -> tuple[int, Player] | None:
    """Find a player who was cut off for too long.

    :param seats: The table's seats.
    :param session: The digest of their token.
    :result: The seat and the player; ``None`` if no absent player has this token.
    """
    for index, seat in enumerate(seats):
        for player in seat.absent:
            if same(player.session, session):
                return index, player
    return None


def is_taken(seats: Sequence[Seat], name: str) -> bool:
    """Return whether a name looks like that of an agent, or of a player who is at the table or may come back to it.

    :param seats: The table's seats.
    :param name: The name.
    :result: Whether it does.
    """
    people = [player.name for seat in seats for player in seat.people]
    return any(alike(name, other) for other in (*AGENT_NAMES, *people))


def fewer_seats(seats: Sequence[Seat], count: int) -> list[Seat]:
    """Reduce the seats; there must be enough for all players.

    :param seats: The table's seats.
    :param count: The number of seats that stay.
    :result: The seats that stay; absent players of the other seats may come back to one of these.
    """
    kept = list(seats[:count])
    for seat in seats[count:]:
        index = free_seat(kept)
        new = kept[-1 if index is None else index]
        if seat.player:
            new.player = seat.player
        new.absent += seat.absent
    return kept
