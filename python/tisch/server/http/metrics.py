"""The metrics of the server, for Prometheus."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

#: The buckets of the histograms, in seconds.
TIMES: Final = (0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1.0)


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
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
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

    def text(self) -> bytes:
        """Format all metrics.

        :result: The text for Prometheus.
        """
        return generate_latest(self._registry)
