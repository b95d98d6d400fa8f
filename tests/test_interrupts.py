"""Ctrl-C interrupts the cores' long work: a signal's handler runs meanwhile, and its exception ends the call."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tisch._core import okey
from tisch._core import tichu as core
from tisch.games import maumau, sechsundsechzig
from tisch.games.maumau.simulation import simulate as simulate_maumau
from tisch.games.sechsundsechzig.simulation import simulate as simulate_sechsundsechzig

#: More than any machine does before the alarm, but not without end.
MANY = 4_000_000


class Alarm(Exception):
    """The handler of the signal was run."""


@pytest.fixture
def alarm() -> Iterator[None]:
    """Handle a signal by an exception."""

    def ring(*_: object) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def of_maumau() -> Any:
    state = maumau.GAME.new(maumau.Options(), 1)
    places = state.possible.places(0, len(state.stock))
    return simulate_maumau(state).compare(MANY, 1, places=places)


def of_sechsundsechzig() -> Any:
    round = simulate_sechsundsechzig(sechsundsechzig.GAME.new(sechsundsechzig.Options(), 1))
    return round.compare(MANY, 1, shown=0, lacks=0, past=None, draws=1, exact=0, caps=(3, 3))


def of_tichu() -> Any:
    return core.playouts(None, MANY, "greedy", 1)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers that send signals.")
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize(
    "work",
    [
        of_maumau,
        of_sechsundsechzig,
        of_tichu,
        lambda: okey.worths(bytes(range(1, 15)), bytes((1, 2)), b"", b"", MANY, 1),
        lambda: okey.draws(bytes(range(1, 14)), 14, b"", MANY, 1),
    ],
)
def test_a_signal_ends_long_work(work: Callable[[], Any]) -> None:
    def begin() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        work()

    begun = time.process_time()
    with pytest.raises(Alarm):
        begin()
    # Handled only after the whole work, it would have cost more.
    assert time.process_time() - begun < 1
