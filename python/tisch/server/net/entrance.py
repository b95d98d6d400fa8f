"""The entrance of a server: what a client wishes for that comes in, and who lets it in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tisch.server.clock import Clock
from tisch.server.net.peer import Peer


@dataclass(frozen=True, slots=True)
class Wish:
    """The parameters with which a client comes in.

    :ivar player_name: The player's name.
    :ivar table_name: The table's name.
    :ivar game: The wanted game; empty means the table's own game, and the flagship for a new table.
    :ivar session_id: The token of the session, if the player was here before.
    :ivar spectator: Whether the client only watches.
    :ivar options: The game's options, if the table is opened.
    :ivar invitation: The invitation to a private table, or to any other.
    :ivar is_private: Whether the client opens a private table.
    :ivar challenge: The id of the challenge whose deals are played at the table that the client opens.
    :ivar agent: Who plays empty seats there; empty for what tables have.
    """

    player_name: str = ""
    table_name: str = ""
    game: str = ""
    session_id: str = ""
    spectator: bool = False
    options: Mapping[str, Any] | None = None
    invitation: str = ""
    is_private: bool = False
    challenge: str = ""
    agent: str = ""


class Entrance(Protocol):
    """The way to the tables, as connections know it."""

    @property
    def clock(self) -> Clock:
        """The clock of the tables."""

    def enter(self, peer: Peer, wish: Wish) -> None:
        """Bring a client to a table, or refuse it.

        :param peer: The client.
        :param wish: Its parameters.
        """
