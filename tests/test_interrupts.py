"""Ctrl-C interrupts the cores' long work: a signal's handler runs meanwhile, and its exception ends the call."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from tichu_tables import schupfed, table, tried
from tisch._core import okey, simulation
from tisch._core import tichu as core
from tisch.env import Batch
from tisch.games import maumau, sechsundsechzig
from tisch.games.tichu import simulate as simulate_tichu
from tisch.games.tichu.moves import TICHU


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


def of_policy(game: str, options: Any, **parameters: int) -> Any:
    player = simulation.Player(simulation.Policy(game, "search", parameters))
    begun = simulation.Game(game, options, 1)
    # To judge moves, all of them are tried in all worlds.
    return player.payoffs(begun, 0, [[text] for text in begun.legal(0)])


def of_maumau(playouts: int) -> Any:
    return of_policy("maumau", maumau.Options(), playouts=playouts)


def of_a_match(deals: int, name: str = "random", **parameters: int) -> Any:
    policy = simulation.Policy("maumau", name, parameters)
    match = simulation.Match("maumau", maumau.Options(), 1, [policy], [[0, 0]])
    return match.deals(range(deals), sides=[0, 1], unit=1.0, kept=[], lines=False)


def of_sechsundsechzig(playouts: int) -> Any:
    return of_policy("sechsundsechzig", sechsundsechzig.Options(), playouts=playouts, draws=1)


def of_tichu(playouts: int) -> Any:
    # Both leads come to the same, so that neither is ever given up.
    state = table("S2 S3", "SA BA SK BK", "GA SD", "RA RK RD RB")
    return tried(state, 0, 1, playouts=playouts, worlds=playouts, caution=0.0, policy="heuristic")


def of_a_batch(games: int) -> Any:
    # The first seat leads, so that the games begin with decisions.
    return Batch("sechsundsechzig", games, 1, seats={0: "search"})


def evaluated(worlds: int) -> Any:
    return core.evaluate(simulate_tichu(schupfed(1)), 0, [TICHU], worlds, "heuristic", 1, threads=2)


#: The work by its name, with an effort that takes several seconds.
WORK: Final[Mapping[str, tuple[Callable[[int], Any], int]]] = {
    "maumau": (of_maumau, 5_000_000),
    "match of many games": (of_a_match, 3_000_000),
    "match of few that think": (lambda playouts: of_a_match(1, "search", playouts=playouts), 5_000_000),
    "batch with opponents that think": (of_a_batch, 5_000),
    "sechsundsechzig": (of_sechsundsechzig, 100_000),
    "okey puts": (lambda samples: okey.worths(bytes(range(1, 15)), b"\1\2", b"", b"", samples, 1), 5_000_000),
    "okey draws": (lambda samples: okey.draws(bytes(range(1, 14)), 14, b"", samples, 1), 5_000_000),
    "tichu search": (of_tichu, 800_000),
    "tichu evaluate": (evaluated, 50_000),
    "tichu playouts": (lambda rounds: core.playouts(None, rounds, "heuristic", 1), 30_000),
    "tichu duel": (lambda deals: core.duel("heuristic", "greedy", deals, 1), 30_000),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers that send signals.")
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("name", WORK)
def test_a_signal_ends_long_work(name: str) -> None:
    def begin() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        work(effort)

    work, effort = WORK[name]
    begun = time.process_time()
    with pytest.raises(Alarm):
        begin()
    # Handled only after the whole work, it would have cost more.
    assert time.process_time() - begun < 2


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers that send signals.")
@pytest.mark.usefixtures("alarm")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_goes_on_after_an_interrupt_from_where_it_was_restored(threads: int) -> None:
    batch = Batch("sechsundsechzig", 5_000, 1, seats={1: "search"}, threads=threads)
    snapshot, shown = batch.snapshot(), batch.observation.copy()
    ids, begun = batch.mask.argmax(1), time.process_time()
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    with pytest.raises(Alarm):
        batch.step(ids)
    assert time.process_time() - begun < 2
    # Some games have taken their ids, others have not.
    for go_on in (lambda: batch.step(ids), batch.snapshot, batch.copy):
        with pytest.raises(ValueError, match=r"^A step of this batch was interrupted\."):
            go_on()
    batch.restore(snapshot)
    assert (batch.observation == shown).all() and batch.snapshot() == snapshot
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    with pytest.raises(Alarm):
        batch.step(ids)
