"""Okey's own network protocol, lines of text; docs/protocols/okey.md describes it.

``codec`` turns bytes into messages and back, ``lobby`` keeps names and lobbies, ``host`` is the server's side and
``guest`` the client's.
"""

from typing import Final

from tisch.wires.okey.guest import OkeyGuest
from tisch.wires.okey.host import OkeyHost

__all__ = ["GUEST", "HOST"]

HOST: Final = OkeyHost
GUEST: Final = OkeyGuest
