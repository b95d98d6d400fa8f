"""Okey's own network protocol, lines of text; docs/protocols/okey.md describes it.

``codec`` translates between bytes and messages, ``host`` is the server with the names and lobbies of ``lobby``,
``guest`` is the client with the game of ``known``.
"""

from typing import Final

from tisch.wires.okey.guest import OkeyGuest
from tisch.wires.okey.host import OkeyHost

__all__ = ["GUEST", "HOST"]

HOST: Final = OkeyHost
GUEST: Final = OkeyGuest
