"""The networks from which nobody may come. They are kept in the journal's file, and hold after a restart."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

import msgspec

from tisch.server.store.journal import Entry, Journal

#: The most networks that are banned.
MOST: Final = 1000
#: The shortest prefixes: whoever bans more than such a part of the internet has mistyped.
SHORTEST: Final = {4: 8, 6: 16}

Network: TypeAlias = IPv4Network | IPv6Network


class Ban(msgspec.Struct, frozen=True):
    """A network from which nobody may come.

    :ivar since: When it was banned, in seconds since 1970.
    """

    network: str
    since: float


@dataclass(frozen=True)
class AddBan(Entry):
    """A network is banned."""

    ban: Ban

    def enter(self, connection: sqlite3.Connection) -> None:
        connection.execute("INSERT OR REPLACE INTO ban VALUES (?, ?)", (self.ban.network, self.ban.since))


@dataclass(frozen=True)
class LiftBan(Entry):
    """A network is banned no longer."""

    network: str

    def enter(self, connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM ban WHERE network = ?", (self.network,))


def read_network(text: str) -> Network:
    """Read a network.

    :param text: An address, or a range such as ``192.0.2.0/24``.
    :result: The network.
    :raises ValueError: It is none, or far too large.
    """
    try:
        network = ip_network(text.strip(), strict=False)
    except ValueError:
        raise ValueError(f"'{text[:50]}' is no address and no range of addresses, such as 192.0.2.0/24.") from None
    mapped = network.network_address.ipv4_mapped if isinstance(network, IPv6Network) else None
    if mapped and network.prefixlen >= 96:
        network = IPv4Network((mapped, network.prefixlen - 96))
    if network.prefixlen < SHORTEST[network.version]:
        raise ValueError(f"The range {network} is too large to be banned.")
    return network


class Bans:
    """All networks that are banned.

    :param journal: The journal, in whose file they are kept.
    :param date: Returns the seconds since 1970.
    :ivar all: The bans by their networks.
    """

    def __init__(self, journal: Journal, date: Callable[[], float]) -> None:
        self._journal = journal
        self._date = date
        self.all: dict[Network, Ban] = {}

    async def start(self) -> None:
        """Read what is banned; nobody may come in before that."""
        for network, since in await self._journal.read("SELECT network, since FROM ban ORDER BY since"):
            self.all[ip_network(network)] = Ban(network, since)

    async def add(self, network: Network) -> None:
        """Ban a network.

        :param network: The network.
        :raises ValueError: Too many are banned already.
        """
        if len(self.all) >= MOST and network not in self.all:
            raise ValueError(f"No more than {MOST} networks can be banned.")
        ban = Ban(str(network), self._date())
        await self._journal.write(AddBan(ban))
        self.all[network] = ban

    async def lift(self, network: Network) -> None:
        """Let people of a network come again.

        :param network: The network.
        :raises ValueError: It is not banned.
        """
        if network not in self.all:
            raise ValueError(f"The range {network} is not banned.")
        await self._journal.write(LiftBan(str(network)))
        del self.all[network]

    def has(self, address: str) -> bool:
        """Return whether an address is banned.

        :param address: The address.
        :result: Whether nobody may come from there.
        """
        if not self.all:
            return False
        found = _address(address)
        return found is not None and any(found in network for network in self.all)


@lru_cache(maxsize=1000)
def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address; a proxy may report anything."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
