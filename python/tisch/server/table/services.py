"""The services that the mailboxes of all tables share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tisch.game import Game
from tisch.server.agents.failures import Failures
from tisch.server.agents.pool import AgentPool
from tisch.server.clock import Clock
from tisch.server.metrics import Metrics
from tisch.server.store.journal import Entry, Journal
from tisch.server.table.setups import Setups
from tisch.table.changes import Start
from tisch.table.kept import Change
from tisch.table.shared import Shared
from tisch.table.table import Table


def _nothing_else(_: Table, changes: Sequence[Change]) -> Sequence[Change | Entry]:
    return changes


async def _as_it_is(_: Table, start: Start) -> Start:
    return start


@dataclass(frozen=True, slots=True)
class Services:
    """The services that the mailboxes of all tables share.

    :ivar shared: What the tables themselves share.
    :ivar journal: The journal.
    :ivar pool: The processes in which agents decide.
    :ivar failures: Reports the failures of agents.
    :ivar setups: The setup of games that begin.
    :ivar clock: The clock.
    :ivar metrics: The metrics.
    :ivar games: The games that are offered, by name.
    :ivar complete: Adds to a table's changes what is committed with them elsewhere.
    :ivar prepare: Says which game begins at a table, or raises ``ValueError`` with the reason why none can.
    """

    shared: Shared
    journal: Journal
    pool: AgentPool
    failures: Failures
    setups: Setups
    clock: Clock
    metrics: Metrics
    games: Mapping[str, Game[Any]]
    complete: Callable[[Table, Sequence[Change]], Sequence[Change | Entry]] = _nothing_else
    prepare: Callable[[Table, Start], Awaitable[Start]] = _as_it_is
