"""Mau-Mau's own network protocol, binary messages over TCP.

docs/protocols/maumau.md describes it and numbers the decisions W1 to W15.
"""

from typing import Final

from tisch.wires.maumau.guest import MauMauGuest
from tisch.wires.maumau.host import MauMauHost

__all__ = ["GUEST", "HOST"]

GUEST: Final = MauMauGuest
HOST: Final = MauMauHost
