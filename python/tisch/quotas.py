"""Quotas for each address (connections, tables, requests at the same time), and rates."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

#: The bits of an IPv6 address that name the network; a client commands all addresses of one network.
NETWORK: Final = 64
#: The length of the period of a rate, in seconds.
PERIOD: Final = 20.0
#: The number of addresses whose rates are remembered.
REMEMBERED: Final = 1000


class Quotas:
    """How much of a resource each address uses.

    :param most: The quota of one address.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """How much all addresses use together."""
        return self._taken.total()

    def take(self, address: str) -> bool:
        """Take one more, unless the quota is used up.

        :param address: The address.
        :result: Whether it was taken.
        """
        network = network_of(address)
        if self._taken[network] >= self._most:
            return False
        self._taken[network] += 1
        return True

    def give_back(self, address: str) -> None:
        """Give one back.

        :param address: The address.
        """
        network = network_of(address)
        self._taken[network] -= 1
        if not self._taken[network]:
            del self._taken[network]


class Rate:
    """A rate limit.

    :param most: How often something is allowed in a period.
    :param period: (Optional) The length of the period, in seconds.
    """

    __slots__ = ("_most", "_period", "_times")

    def __init__(self, most: int, period: float = PERIOD) -> None:
        self._most = most
        self._period = period
        # There are two for each connection, and most hold a few times: an empty deque takes 760 bytes.
        self._times: list[float] = []

    def allows(self, now: float) -> bool:
        """Count one more, unless the limit is reached.

        :param now: The time.
        :result: Whether it was counted.
        """
        if self.is_full(now):
            return False
        self._times.append(now)
        return True

    def is_full(self, now: float) -> bool:
        """Return whether the limit is reached, and count nothing.

        :param now: The time.
        :result: Whether one more would not be allowed.
        """
        if self._times and now - self._times[0] >= self._period:
            self._times = [when for when in self._times if now - when < self._period]
        return len(self._times) >= self._most


class Rates:
    """A rate limit for each address.

    :param most: How often something is allowed in a period.
    :param period: (Optional) The length of the period, in seconds.
    """

    def __init__(self, most: int, period: float = PERIOD) -> None:
        self._most = most
        self._period = period
        self._rates: dict[str, Rate] = {}

    def allows(self, address: str, now: float) -> bool:
        """Count one more, unless the limit is reached.

        :param address: The address.
        :param now: The time.
        :result: Whether it was counted.
        """
        return self._rate(address).allows(now)

    def is_full(self, address: str, now: float) -> bool:
        """Return whether the limit is reached, and count nothing.

        :param address: The address.
        :param now: The time.
        :result: Whether one more would not be allowed.
        """
        return self._rate(address).is_full(now)

    def _rate(self, address: str) -> Rate:
        network = network_of(address)
        rate = self._rates.pop(network, None) or Rate(self._most, self._period)
        self._rates[network] = rate
        # The one that has waited longest is forgotten.
        if len(self._rates) > REMEMBERED:
            del self._rates[next(iter(self._rates))]
        return rate


@lru_cache(maxsize=1000)
def network_of(address: str) -> str:
    """Return what counts as one address.

    :param address: The address.
    :result: An IPv4 address, an IPv6 network, or whatever else a proxy reports.
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
