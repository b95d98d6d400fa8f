"""What all tables of a house share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tisch.chance import Chance
from tisch.quotas import Quotas
from tisch.table.directory import Directory
from tisch.table.sessions import Sessions
from tisch.table.talk import Reports

#: The most hints that people of one address may wait for at a time, at all tables: those of others come in between.
HINTS: Final = 8


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Shared:
    """What all tables of a house share.

    :ivar chance: What nobody may foresee.
    :ivar date: Returns the seconds since 1970, for what the journal keeps.
    :ivar pause: The pause between a move and the next move of an agent, in seconds.
    :ivar level: The level of agents at new tables.
    :ivar maintenance: Returns whether no new tables and games may begin.
    :ivar sessions: The table of each session.
    :ivar directory: The table of each name and invitation.
    :ivar hints: The hints that people wait for, by address.
    :ivar reports: What people report to the operator.
    """

    chance: Chance
    date: Callable[[], float]
    pause: float
    level: str
    maintenance: Callable[[], bool] = _never
    sessions: Sessions = field(default_factory=Sessions)
    directory: Directory = field(default_factory=Directory)
    hints: Quotas = field(default_factory=lambda: Quotas(HINTS))
    reports: Reports = field(default_factory=Reports)
