"""The metrics of the server, for Prometheus."""

from __future__ import annotations

import platform
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    generate_latest,
)

from tisch.importing import version

#: The buckets of the histograms, in seconds.
TIMES: Final = (0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1.0)
#: The same for agents, who may think for seconds.
THOUGHTS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class Metrics:
    """The counters of one server.

    :ivar tables: The open tables.
    :ivar seats: The seats, by who decides there.
    :ivar connections: The connections.
    :ivar moves: The moves of people and agents.
    :ivar turnaround: The time from a client's message to its notifications.
    :ivar loop_lag: The lag of the event loop.
    :ivar refused: The refusals, by the name of the error.
    :ivar agent_failures: The decisions, hints and judgements that an agent owed, by game and agent.
    :ivar dropped: The connections that were cut off because they did not read.
    :ivar delayed: The requests that had to wait because their address sent too many.
    :ivar agent_queue: The questions to agents that are not answered yet, by what they are for.
    :ivar agent_waiting: How long they waited for a process.
    :ivar agent_thinking: How long the process took for them.
    :ivar agent_dropped: Those that were dropped because nobody waited for the answer any more.
    :ivar webhook: The messages to the webhook, by what became of them: ``sent``, ``failed`` or ``dropped``.
    :ivar journal: The sizes of the journal's files, in bytes, by what they are.
    :ivar disk_free: The bytes that are free on the journal's disk.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        # Memory, processor time and descriptors of the server's own process, where the system tells them.
        ProcessCollector(registry=self._registry)
        build = Info("tisch_build", "What runs here.", registry=self._registry)
        build.info({"version": version(), "python": platform.python_version(), "sqlite": sqlite3.sqlite_version})
        self.tables = Gauge("tisch_tables", "Open tables.", registry=self._registry)
        self.seats = Gauge("tisch_seats", "Seats by who decides there.", ["kind"], registry=self._registry)
        self.connections = Gauge("tisch_connections", "Connections.", registry=self._registry)
        self.moves = Counter("tisch_moves", "Moves of people and agents.", registry=self._registry)
        self.turnaround = Histogram(
            "tisch_turnaround_seconds",
            "From a client's message to the news of it.",
            buckets=TIMES,
            registry=self._registry,
        )
        self.loop_lag = Histogram(
            "tisch_loop_lag_seconds", "How late the event loop is.", buckets=TIMES, registry=self._registry
        )
        self.refused = Counter("tisch_refused", "What was refused, by error.", ["code"], registry=self._registry)
        self.agent_failures = Counter(
            "tisch_agent_failures",
            "Decisions, hints and judgements that an agent owed.",
            ["game", "agent"],
            registry=self._registry,
        )
        self.dropped = Counter("tisch_dropped", "Connections that did not read.", registry=self._registry)
        self.delayed = Counter("tisch_delayed", "Requests of addresses that sent too many.", registry=self._registry)
        self.agent_queue = Gauge(
            "tisch_agent_queue", "Questions to agents that are not answered yet.", ["kind"], registry=self._registry
        )
        self.agent_waiting = self._thoughts("waiting", "How long questions to agents waited for a process.")
        self.agent_thinking = self._thoughts("thinking", "How long agents took for their answers.")
        self.agent_dropped = Counter(
            "tisch_agent_dropped", "Questions that nobody waited for any more.", ["kind"], registry=self._registry
        )
        self.webhook = Counter(
            "tisch_webhook", "Messages to the webhook, by what became of them.", ["outcome"], registry=self._registry
        )
        self.journal = Gauge(
            "tisch_journal_bytes", "The sizes of the journal's files.", ["file"], registry=self._registry
        )
        self.disk_free = Gauge("tisch_disk_free_bytes", "What is free on its disk.", registry=self._registry)

    def _thoughts(self, name: str, meaning: str) -> Histogram:
        return Histogram(f"tisch_agent_{name}_seconds", meaning, ["kind"], buckets=THOUGHTS, registry=self._registry)

    def look_at(self, folder: Path, files: Mapping[str, Path]) -> None:
        """Measure the journal's files and their disk, as far as they are there.

        :param folder: The folder of all data.
        :param files: The files, by what they are.
        """
        for name, file in files.items():
            with suppress(OSError):
                self.journal.labels(file=name).set(file.stat().st_size)
        with suppress(OSError):
            self.disk_free.set(shutil.disk_usage(folder).free)

    def text(self) -> bytes:
        """Format all metrics.

        :result: The text for Prometheus.
        """
        return generate_latest(self._registry)
