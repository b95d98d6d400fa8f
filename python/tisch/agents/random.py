"""The agent that plays any game uniformly at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tisch.game import Agent, M, Sight
from tisch.ports.reasons import CHANCE

#: The probability of moving when the agent may move but need not.
SPEAKS = 1 / 16


class RandomAgent(Agent[M]):
    """Chooses a legal move uniformly at random; out of turn it usually keeps silent."""

    sight = Sight.BLIND
    reason = CHANCE

    def act(self, view: Any, legal: Sequence[M], must: bool) -> M | None:
        if must or self.random.unit() < SPEAKS:
            return self.random.choice(legal)
        return None
