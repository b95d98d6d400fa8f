"""Sechsundsechzig's own network protocol, that of Racket's ``2htdp/universe``; docs/protocols/sechsundsechzig.md.

``data`` is the codec of S-expressions, ``world`` that of a world's state. ``host`` is the universe, ``guest`` a world,
and ``known`` the game as far as a world knows it.
"""

from typing import Final

from tisch.wires.sechsundsechzig.guest import WorldGuest
from tisch.wires.sechsundsechzig.host import UniverseHost

__all__ = ["GUEST", "HOST"]

GUEST: Final = WorldGuest
HOST: Final = UniverseHost
