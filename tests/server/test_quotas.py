"""Tests of how much one address may have at the same time."""

from __future__ import annotations

import pytest

from tisch.quotas import Quotas


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
