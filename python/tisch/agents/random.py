"""The agent that plays anything: each legal move is equally likely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tisch.game import Agent, M, Sight
from tisch.ports.reasons import CHANCE

#: How often the agent speaks when it may, but need not.
SPEAKS = 1 / 16


class RandomAgent(Agent[M]):
    """Chooses among the legal moves, each equally likely; out of turn it mostly keeps silent."""

    sight = Sight.BLIND
    reason = CHANCE

    def act(self, view: Any, legal: Sequence[M], must: bool) -> M | None:
        if must or self.random.unit() < SPEAKS:
            return self.random.choice(legal)
        return None
