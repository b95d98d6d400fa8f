"""What agents fail at: every failure is counted, and the first of a kind in a game is logged with the position."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Any, Final

from tisch.driver import AgentFault
from tisch.games import find
from tisch.record import Record
from tisch.server.metrics import Metrics
from tisch.transcript import Transcript

#: The number of failures that are remembered, so that the log is not told again of each decision.
REMEMBERED: Final = 1000

log = logging.getLogger(__name__)


class Failures:
    """Reports the failures of agents.

    :param metrics: The metrics, which count each of them.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._logged: OrderedDict[tuple[Any, ...], None] = OrderedDict()

    def report(self, record: Record, agent: str, error: Exception, **where: Any) -> None:
        """Report that an agent did not decide.

        The line in the log has the position as a transcript, which can be replayed.

        :param record: The game up to the position.
        :param agent: The agent.
        :param error: An :class:`AgentFault`, or why it could not be asked.
        :param where: Further fields of the line.
        """
        game = find(record.game).name
        self._metrics.agent_failures.labels(game=game, agent=agent).inc()
        kind = error.kind if isinstance(error, AgentFault) else "pool"
        # An agent that fails at one move mostly fails at all of a game.
        failure = (record.game, record.seed, agent, kind)
        if failure in self._logged:
            return
        self._logged[failure] = None
        if len(self._logged) > REMEMBERED:
            self._logged.popitem(last=False)
        position = Transcript(record.game, record.options, record.seed, tuple(record.moves), None)
        seat = {"seat": error.seat} if isinstance(error, AgentFault) else {}
        about = {"game": game, "agent": agent, "kind": kind, **seat, **where, "transcript": str(position)}
        log.error("an agent failed", exc_info=error, extra=about)
