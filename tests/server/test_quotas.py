"""Tests of how much one address may have at the same time."""

from __future__ import annotations

import pytest

from tisch import quotas
from tisch.quotas import Quotas, Rates


def test_each_address_has_its_share_and_leaves_no_trace() -> None:
    shares = Quotas(2)
    assert [shares.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert shares.take("192.0.2.2") and shares.total == 3
    shares.give_back("192.0.2.1")
    assert shares.take("192.0.2.1") and not shares.take("192.0.2.1")
    for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
        shares.give_back(address)
    assert shares.total == 0 and not shares._taken


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("2001:db8::1", "2001:db8:0:0:ffff:ffff:ffff:ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("unknown", "hidden", False),
        ("", "unknown", False),
    ],
)
def test_a_network_of_ipv6_counts_as_one_address(one: str, other: str, are_one: bool) -> None:
    shares = Quotas(1)
    assert shares.take(one)
    assert shares.take(other) is not are_one


def test_each_address_has_a_rate_of_its_own_and_the_first_ones_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotas, "REMEMBERED", 3)
    rates = Rates(2, period=60)
    assert [rates.allows("192.0.2.1", now) for now in (0, 1, 2, 59.9, 60.5)] == [True, True, False, False, True]
    assert not rates.is_full("192.0.2.2", 3) and rates.allows("192.0.2.2", 3)
    assert [rates.allows("2001:db8::1", 4), rates.allows("2001:db8::2", 4)] == [True, True]
    assert rates.is_full("2001:db8::3", 5)
    # Whoever has not tried for the longest time is forgotten first.
    assert not rates.is_full("192.0.2.2", 5)
    assert not rates.is_full("192.0.2.3", 5)
    assert len(rates._rates) == 3 and "192.0.2.1" not in rates._rates
