"""How much each address may have of something at the same time: connections, tables, questions."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

#: How many bits of an IPv6 address tell the network; whoever has one such network has all addresses in it.
NETWORK: Final = 64


class Quotas:
    """What each address has.

    :param most: How much one address may have.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """How much all addresses have."""
        return self._taken.total()

    def take(self, address: str) -> bool:
        """Take one more, unless that is too much.

        :param address: For whom.
        :result: Was it taken?
        """
        network = network_of(address)
        if self._taken[network] >= self._most:
            return False
        self._taken[network] += 1
        return True

    def give_back(self, address: str) -> None:
        """Give back one that was taken.

        :param address: For whom.
        """
        network = network_of(address)
        self._taken[network] -= 1
        if not self._taken[network]:
            del self._taken[network]


@lru_cache(maxsize=1000)
def network_of(address: str) -> str:
    """Tell what counts as one address.

    :param address: The address.
    :result: An address of IPv4, a network of IPv6, or whatever else a proxy says.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return f"{int(found) >> (128 - NETWORK):x}/{NETWORK}"
