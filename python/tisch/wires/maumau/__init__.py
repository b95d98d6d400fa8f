"""Mau-Mau's own network protocol, plain bytes over TCP: ``codec``, the server's side and the client's.

docs/protocols/maumau.md describes it, with the numbers of the decisions W1 to W15.
"""

from typing import Final

from tisch.wires.maumau.guest import MauMauGuest
from tisch.wires.maumau.host import MauMauHost

__all__ = ["GUEST", "HOST"]

GUEST: Final = MauMauGuest
HOST: Final = MauMauHost
