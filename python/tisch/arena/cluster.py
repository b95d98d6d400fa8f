"""Plays a match on the nodes of a Dask cluster: each node has guarded workers of its own, as one machine alone has.

The match hands out portions of games by number. Dask gives the portion of a node that died to another one, so nothing
is lost but time, and the games are the same wherever they are played. A node must have the same version of tisch and
the same code of the agents; it refuses to play otherwise.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import pickle
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

import msgspec

from tisch.agents.code import identity_of
from tisch.arena.play import BrokenMatch, Plan
from tisch.arena.portions import Finished, Portion, Source, given, largest
from tisch.arena.workers import Workers, processors
from tisch.importing import import_from_here, version

#: The target duration of a portion in seconds: a dead node costs no more, and the messages cost little.
PORTION: Final = 2.0
#: The number of portions that wait at each node.
AHEAD: Final = 2
#: The time to reach the scheduler, and the interval at which the match looks for finished portions, in seconds.
PATIENCE: Final = 10.0
TICK: Final = 0.2


class Cluster:
    """The nodes of a Dask cluster.

    :param plan: The match.
    :param address: The scheduler's address, such as ``tcp://10.0.0.1:8786``.
    :param count: The number of worker processes at each node; ``None`` for one for each of its processors.
    :raises ValueError: Dask is not installed, or there is no scheduler.
    """

    def __init__(self, plan: Plan, address: str, count: int | None) -> None:
        try:
            self._dask: Any = import_module("distributed")
        except ImportError as error:
            raise ValueError("A match on a cluster needs Dask: pip install 'tisch[dask]'.") from error
        try:
            self._client = self._dask.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise ValueError(f"There is no Dask scheduler at '{address}'.") from error
        self._address = address
        self._order = msgspec.json.encode(expected(plan)), pickle.dumps(plan), count
        self._portion = 1
        self._largest = largest(plan)
        self._waiting: set[Any] = set()

    def play(self, source: Source) -> Iterator[list[Finished]]:
        """Play games.

        :param source: Hands out the games.
        :result: The games played since the last time, possibly none; several times a second.
        :raises BrokenMatch: A game failed, a node refused, or the scheduler is gone.
        """
        waiting = self._waiting
        while True:
            nodes = len(self._client.scheduler_info(-1)["workers"])
            while len(waiting) < AHEAD * max(nodes, 1) and (portion := source(self._portion)):
                waiting.add(self._client.submit(play_portion, *self._order, portion, pure=False))
            if not waiting:
                return
            self._wait(waiting)
            batch: list[Finished] = []
            for future in [each for each in waiting if each.done()]:
                waiting.remove(future)
                found, seconds = self._result(future)
                batch += found
                pace = seconds / sum(finished.portion.count for finished in found)
                most = self._largest
                self._portion = max(1, min(most, int(PORTION / pace) if pace else most, 2 * self._portion))
            yield batch

    def _wait(self, waiting: Collection[Any]) -> None:
        """Wait a moment for the first of some portions."""
        try:
            with self._client.as_current(), suppress(TimeoutError, self._dask.TimeoutError):
                self._dask.wait(list(waiting), timeout=TICK, return_when="FIRST_COMPLETED")
        except self._dask.client.FuturesCancelledError as error:
            raise BrokenMatch(f"The Dask scheduler at '{self._address}' is gone.") from error

    def _result(self, future: Any) -> tuple[list[Finished], float]:
        error = future.exception()
        if error is None:
            found: tuple[list[Finished], float] = future.result()
            return found
        if isinstance(error, BrokenMatch):
            raise error
        raise BrokenMatch(f"A node of the cluster failed: {error}") from error

    def close(self) -> None:
        """Leave the cluster, and end the workers at its nodes."""
        gone = OSError, TimeoutError, self._dask.TimeoutError, self._dask.client.FuturesCancelledError
        with self._client.as_current(), suppress(*gone):
            self._client.cancel(list(self._waiting))
            nodes = self._client.scheduler_info(-1)["workers"]
            ends = [self._client.submit(forget, workers=[node], pure=False) for node in nodes]
            if ends:
                self._dask.wait(ends, timeout=PATIENCE)
        self._client.close(timeout=PATIENCE)


def expected(plan: Plan) -> dict[str, Any]:
    """Return what a node must have in common with the match.

    :param plan: The match.
    :result: The version of tisch, and the hashes of each agent's code and files.
    """
    return {"version": version(), **identity_of(plan.game, plan.agents)}


# --- at a node ----------------------------------------------------------------------------------------------------


class _Node:
    """The workers of a node, which serve one match after the other."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._match = b""
        self._workers: Workers | None = None

    def workers(self, wanted: bytes, order: bytes, count: int | None) -> Workers:
        """Return the workers for a match; those of another match end."""
        match = hashlib.sha256(wanted + order + repr(count).encode()).digest()
        if self._workers is None or match != self._match:
            self.close()
            import_from_here()
            common = msgspec.json.decode(wanted)
            _check_version(common["version"])
            plan: Plan = pickle.loads(order)  # Dask itself sends code.
            _check(common, expected(plan))
            self._workers, self._match = Workers(plan, count or processors()), match
        return self._workers

    def close(self) -> None:
        if self._workers:
            self._workers.close()
            self._workers = None


_NODE: Final = _Node()


def play_portion(wanted: bytes, order: bytes, count: int | None, portion: Portion) -> tuple[list[Finished], float]:
    """Play games at a node.

    :param wanted: What the node must have in common with the match, as JSON.
    :param order: The plan of the match, pickled.
    :param count: The number of worker processes.
    :param portion: The games.
    :result: The games, and the time in seconds.
    :raises BrokenMatch: A game failed, or the node cannot play this match.
    """
    if multiprocessing.current_process().daemon:
        raise BrokenMatch("A node must be able to start processes: start it with 'dask worker --no-nanny'.")
    # A node with several threads would play several portions at once with the same workers.
    with _NODE.lock:
        begun = time.monotonic()
        workers = _NODE.workers(wanted, order, count)
        games = [finished for batch in workers.play(given(portion)) for finished in batch]
        return games, time.monotonic() - begun


def _check_version(wanted: str) -> None:
    # Another version may not even understand the plan.
    if wanted != version():
        raise BrokenMatch(f"A node has tisch {version()}, the match {wanted}.")


def _check(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    for agent, code in wanted["code"].items():
        if found["code"].get(agent) != code:
            raise BrokenMatch(f"A node has other code of the agent '{agent}' than the match.")
    for agent, files in wanted.get("files", {}).items():
        for name, digest in files.items():
            if found.get("files", {}).get(agent, {}).get(name) != digest:
                raise BrokenMatch(f"A node has another file as '{name}' of the agent '{agent}' than the match.")


def forget() -> None:
    """End the workers of a node."""
    with _NODE.lock:
        _NODE.close()
