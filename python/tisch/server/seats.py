"""Who sits at a table: people with their sessions, and agents wherever nobody sits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tisch.server.peer import Peer

#: The names of the agents, by seat; no human may take one of them.
AGENT_NAMES: Final = tuple(f"{name} (KI)" for name in ("Ada", "Emil", "Frida", "Hugo", "Ida"))


class Presence(StrEnum):
    """Where a player is."""

    HERE = "here"
    #: The connection is cut; the seat is held for a while.
    CUT = "cut"
    #: Too slow too often: the agent plays on until the player taps back in.
    AWAY = "away"


@dataclass(slots=True)
class Player:
    """A human who has a seat.

    :ivar name: His name, unique at the table.
    :ivar session: The digest of his token, which itself is kept nowhere; empty if he cannot come back.
    :ivar peer: His connection, if there is one.
    :ivar presence: Where he is.
    :ivar held_until: When his seat is given to an agent, while he is cut off.
    :ivar strikes: How many decisions in a row he let time out.
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
    :ivar absent: Who was cut off for too long, and may come back as long as nobody else takes the seat.
    """

    player: Player | None = None
    absent: Player | None = None

    @property
    def played_by_agent(self) -> bool:
        """Does an agent decide here?"""
        return self.player is None or self.player.presence is Presence.AWAY
