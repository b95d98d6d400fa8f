"""What all tables of a server share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tisch.game import Game
from tisch.server.agents.pool import AgentPool
from tisch.server.http.metrics import Metrics
from tisch.server.store.journal import Journal
from tisch.server.table.clock import Clock
from tisch.server.table.sessions import Sessions


@dataclass(frozen=True, slots=True)
class Services:
    """What all tables of a server share.

    :ivar journal: Where every move is kept.
    :ivar pool: The processes in which agents think.
    :ivar sessions: Where everybody's table is.
    :ivar clock: What tells the time.
    :ivar metrics: What is counted.
    :ivar pause: How many seconds people have to see a move before an agent makes the next.
    :ivar games: The games that are offered, by name.
    :ivar maintenance: Tells whether no new games may begin.
    """

    journal: Journal
    pool: AgentPool
    sessions: Sessions
    clock: Clock
    metrics: Metrics
    pause: float
    games: Mapping[str, Game[Any]]
    maintenance: Callable[[], bool]
