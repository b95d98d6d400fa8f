"""Tests of how many connections there may be: who has to go, and who cannot come in."""

from __future__ import annotations

import logging
import resource

import pytest

from server import kept_log
from tisch import quotas
from tisch.quotas import Rate
from tisch.server.metrics import Metrics
from tisch.server.net import limits
from tisch.server.net.limits import Connections, Use, Visitor


@pytest.fixture(autouse=True)
def _few_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address has one connection for pages."""
    monkeypatch.setattr(limits, "PAGES", 1)


class Connection(Visitor):
    """A connection that only knows whether it was closed."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.is_closed = False

    def evict(self) -> None:
        self.is_closed = True


def entered(connections: Connections, *addresses: str) -> list[Connection]:
    """Let visitors in."""
    visitors = [Connection(address) for address in addresses]
    assert all(map(connections.enter, visitors))
    return visitors


def refused(metrics: Metrics) -> bool:
    """Was a connection counted as refused?"""
    return b'tisch_refused_total{code="CONNECTION"} 1.0' in metrics.text()


def test_the_oldest_that_waits_goes_first() -> None:
    connections = Connections(100, 3, Metrics(), proxy=False, requests=50)
    others = entered(connections, "10.0.0.2", "10.0.0.2")
    first, second, third, fourth = entered(connections, *["10.0.0.1"] * 4)
    connections.use(first, Use.ANSWERED)
    connections.use(second, Use.WEBSOCKET)
    connections.use(fourth, Use.ANSWERED)
    connections.use(fourth, Use.WAITING)
    for gone in (third, fourth):
        entered(connections, "10.0.0.1")[0]
        assert gone.is_closed
    assert not any(each.is_closed for each in (first, second, *others))
    assert connections.total == 6


def test_who_is_answered_goes_before_a_newcomer_is_refused_and_who_plays_stays() -> None:
    metrics = Metrics()
    connections = Connections(100, 1, metrics, proxy=False, requests=50)
    playing, answered = entered(connections, "10.0.0.1", "10.0.0.1")
    connections.use(playing, Use.WEBSOCKET)
    connections.use(answered, Use.ANSWERED)
    (newest,) = entered(connections, "10.0.0.1")
    assert answered.is_closed and not playing.is_closed and not refused(metrics)
    connections.use(newest, Use.WEBSOCKET)
    assert not connections.enter(Connection("10.0.0.1"))
    assert refused(metrics)
    assert entered(connections, "10.0.0.2")


def test_a_network_of_ipv6_is_one_address() -> None:
    connections = Connections(100, 1, Metrics(), proxy=False, requests=50)
    first, *_ = entered(connections, "2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::3")
    assert first.is_closed
    assert connections.total == 3


def test_all_together_may_not_have_more_than_there_is() -> None:
    metrics = Metrics()
    connections = Connections(3, 100, metrics, proxy=False, requests=50)
    visitors = entered(connections, "10.0.0.1", "10.0.0.2", "10.0.0.3")
    (newest,) = entered(connections, "10.0.0.4")
    assert [each.is_closed for each in visitors] == [True, False, False]
    for each in (*visitors[1:], newest):
        connections.use(each, Use.WEBSOCKET)
    assert not connections.enter(Connection("10.0.0.5")) and not connections.take("10.0.0.5")
    connections.leave(newest)
    connections.leave(newest)
    assert connections.take("10.0.0.5")
    connections.give_back("10.0.0.5")
    assert connections.total == 2


def test_a_refused_connection_costs_its_address_nothing() -> None:
    connections = Connections(1, 1, Metrics(), proxy=False, requests=50)
    (visitor,) = entered(connections, "10.0.0.1")
    connections.use(visitor, Use.WEBSOCKET)
    assert not any(connections.take("10.0.0.2") for _ in range(5))
    connections.leave(visitor)
    assert connections.take("10.0.0.2")


def test_a_part_is_kept_from_guests() -> None:
    connections = Connections(80, 100, Metrics(), proxy=False, requests=50)
    taken = sum(connections.take_guest(f"10.0.0.{number}") for number in range(80))
    assert taken == 70
    connections.give_back_guest("10.0.0.1")
    assert connections.take_guest("10.0.0.1") and not connections.take_guest("10.0.0.1")


@pytest.mark.parametrize(
    ("proxy", "address", "most"), [(True, "127.0.0.1", 50), (True, "10.0.0.1", 2), (False, "::1", 2)]
)
def test_a_proxy_on_this_machine_connects_for_everybody(proxy: bool, address: str, most: int) -> None:
    connections = Connections(50, 1, Metrics(), proxy=proxy, requests=50)
    assert sum(connections.take(address) for _ in range(60)) == most
    for _ in range(most):
        connections.give_back(address)
    assert connections.total == 0


def test_the_log_tells_once_of_too_many_and_again_much_later(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("tisch.server.net.limits.time.monotonic", lambda: now)
    connections = Connections(4, 1, Metrics(), proxy=False, requests=50)
    with kept_log() as records:
        logging.getLogger("tisch.server.net.limits").setLevel(logging.INFO)
        for number in range(40):
            connections.enter(Connection(f"10.0.0.{number // 10}"))
        first = [record.getMessage() for record in records]
        now += limits.SILENCE
        for _ in range(5):
            connections.enter(Connection("10.0.0.3"))
    assert first == ["an address has too many connections", "the server has too many connections"]
    assert [record.getMessage() for record in records[2:]] == first[:1]
    assert not any("10.0.0" in str(vars(record)) for record in records)


def test_the_rate_is_that_of_each_period() -> None:
    rate = Rate(3)
    allowed = [rate.allows(now) for now in (0, 0, 1, 1, quotas.PERIOD - 0.1, quotas.PERIOD, quotas.PERIOD, 100, 101)]
    assert allowed == [True, True, True, False, False, True, True, True, True]


def test_requests_of_an_address_follow_each_other_at_a_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BURST", 2.0)
    monkeypatch.setattr(limits, "PATIENCE", 1.0)
    pace = limits.Pace(2)
    # Two seconds' worth comes at once, one second's worth waits, a further one is refused and costs nothing.
    assert [pace.take("10.0.0.1", 100.0) for _ in range(8)] == [0, 0, 0, 0, 0.5, 1.0, None, None]
    assert pace.take("10.0.0.1", 100.5) == 1.0
    # The clock may have just begun, and a network of IPv6 is one address.
    assert pace.take("2001:db8::1", 0.0) == 0
    assert [pace.take("2001:db8::2", 0.0) for _ in range(5)] == [0, 0, 0, 0.5, 1.0]
    # Who was quiet has no more than at first.
    assert [pace.take("10.0.0.1", 1000.0) for _ in range(5)] == [0, 0, 0, 0, 0.5]


def test_addresses_that_are_quiet_are_forgotten() -> None:
    pace = limits.Pace(10)
    for number in range(3 * limits.ADDRESSES):
        pace.take(f"10.0.{number // 250}.{number % 250}", number * limits.BURST / 10)
    assert len(pace._spent) <= limits.ADDRESSES


@pytest.mark.parametrize("descriptors", [256, 1024, 4096, 1 << 20])
def test_files_and_whoever_is_just_accepted_have_descriptors_too(descriptors: int) -> None:
    most, backlog = limits.places(descriptors)
    assert most > 0 < backlog and most + backlog <= descriptors - 128 and most <= 20_000


def test_the_limit_of_descriptors_is_raised_as_far_as_it_goes() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(500, before[1]), before[1]))
        assert limits.descriptors() == before[1]
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
