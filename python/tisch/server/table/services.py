"""The services that all tables of a server share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tisch.chance import Chance
from tisch.game import Game
from tisch.quotas import Quotas
from tisch.server.agents.failures import Failures
from tisch.server.agents.pool import AgentPool
from tisch.server.clock import Clock
from tisch.server.metrics import Metrics
from tisch.server.store.journal import Journal
from tisch.server.table.setups import Setups
from tisch.table.directory import Directory
from tisch.table.sessions import Sessions

#: The most hints that people of one address may wait for at a time, at all tables: those of others come in between.
HINTS: Final = 8


@dataclass(frozen=True, slots=True)
class Services:
    """The services that all tables of a server share.

    :ivar journal: The journal.
    :ivar chance: What nobody may foresee.
    :ivar pool: The processes in which agents decide.
    :ivar failures: Reports the failures of agents.
    :ivar sessions: The table of each session.
    :ivar directory: The table of each name and invitation.
    :ivar setups: The setup of games that begin.
    :ivar clock: The clock.
    :ivar metrics: The metrics.
    :ivar pause: The pause between a move and the next move of an agent, in seconds.
    :ivar level: The level of agents at new tables.
    :ivar games: The games that are offered, by name.
    :ivar maintenance: Returns whether no new tables and games may begin.
    :ivar hints: The hints that people wait for, by address.
    """

    journal: Journal
    chance: Chance
    pool: AgentPool
    failures: Failures
    sessions: Sessions
    directory: Directory
    setups: Setups
    clock: Clock
    metrics: Metrics
    pause: float
    level: str
    games: Mapping[str, Game[Any]]
    maintenance: Callable[[], bool]
    hints: Quotas = field(default_factory=lambda: Quotas(HINTS))
