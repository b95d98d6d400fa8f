"""Who sits at a table: people with their sessions, and agents wherever nobody sits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tisch.server.net.peer import Peer
from tisch.server.table.names import alike
from tisch.server.table.sessions import same

#: The names of the agents, by seat; no human may take a name that looks like one of them.
AGENT_NAMES: Final = tuple(f"{name} (KI)" for name in ("Ada", "Emil", "Frida", "Hugo", "Ida"))
#: How long the seat of a player who is cut off is held, in seconds.
HOLD: Final = 20.0
#: How many decisions in a row a player may let time out before the agent plays on.
STRIKES: Final = 3
#: How many people who were cut off may come back to the same seat.
MOST_ABSENT: Final = 8


class Presence(StrEnum):
    """Where a player is."""

    HERE = "here"
    #: The connection is cut; the seat is held for a while.
    CUT = "cut"
    #: Too slow too often: the agent plays on until the player taps back in.
    AWAY = "away"


@dataclass(slots=True)
class Player:
    """A human who has a seat, or may come back to one.

    :ivar name: Their name; no other at the table looks like it.
    :ivar session: The digest of their token, which itself is kept nowhere; empty if they cannot come back.
    :ivar peer: Their connection, if there is one.
    :ivar presence: Where they are.
    :ivar held_until: When their seat is given to an agent, while they are cut off.
    :ivar strikes: How many decisions in a row they let time out.
    """

    name: str
    session: bytes
    peer: Peer | None = None
    presence: Presence = Presence.CUT
    held_until: float | None = None
    strikes: int = 0


@dataclass(slots=True)
class Seat:
    """A place at the table.

    :ivar player: Who sits there; without one an agent plays.
    :ivar absent: Who sat there before and was cut off for too long. Their tokens bring them back: to this seat as long
        as nobody else sits there, otherwise to another one.
    """

    player: Player | None = None
    absent: list[Player] = field(default_factory=list)

    @property
    def played_by_agent(self) -> bool:
        """Does an agent decide here?"""
        return self.player is None or self.player.presence is Presence.AWAY

    @property
    def people(self) -> list[Player]:
        """Who sits here, and who may come back here."""
        return [*self.absent, self.player] if self.player else self.absent


def free_seat(seats: Sequence[Seat]) -> int | None:
    """Find the seat for somebody who comes: one that nobody may come back to, before one that somebody may.

    A name has no say in this: whoever uses it gets no seat by it, and so nobody's hidden cards.

    :param seats: The table's seats.
    :result: The seat; ``None`` if people sit on all of them.
    """
    free = [index for index, seat in enumerate(seats) if not seat.player]
    return min(free, key=lambda index: bool(seats[index].absent), default=None)


def find_absent(seats: Sequence[Seat], session: bytes) -> tuple[int, Player] | None:
    """Find somebody who was cut off for too long.

    :param seats: The table's seats.
    :param session: The digest of their token.
    :result: Their seat and who they are; ``None`` if there is nobody with this token.
    """
    for index, seat in enumerate(seats):
        for player in seat.absent:
            if same(player.session, session):
                return index, player
    return None


def is_taken(seats: Sequence[Seat], name: str) -> bool:
    """Tell whether a name looks like that of an agent, or of somebody who sits at the table or may come back to it.

    :param seats: The table's seats.
    :param name: The name.
    :result: Whether it does.
    """
    people = [player.name for seat in seats for player in seat.people]
    return any(alike(name, other) for other in (*AGENT_NAMES, *people))


def fewer_seats(seats: Sequence[Seat], count: int) -> list[Seat]:
    """Move people together; there are seats for all who sit.

    :param seats: The table's seats.
    :param count: How many of them stay.
    :result: The seats that stay; whoever may come back to another one may come back to one of these instead.
    """
    kept = list(seats[:count])
    for seat in seats[count:]:
        index = free_seat(kept)
        new = kept[-1 if index is None else index]
        if seat.player:
            new.player = seat.player
        new.absent += seat.absent
    return kept
