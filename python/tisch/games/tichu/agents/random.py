"""The random agent, the baseline for all others: any legal move, but calls only as often as people call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tisch.game import Agent, Sight
from tisch.games.tichu.moves import GRAND, PASS, TICHU, Move
from tisch.ports.reasons import CHANCE

#: The probability of making a drawn call instead of drawing again: about one Grand Tichu in 13 rounds.
CALLS: Final = 0.08
#: The probability of a move out of turn.
SPEAKS: Final = 1 / 32

_LAST_PLAY: Final = PASS.code
_LAST_CALL: Final = max(GRAND.code, TICHU.code)


class RandomAgent(Agent[Move]):
    """Chooses a legal move uniformly at random; calls are rarer."""

    sight = Sight.BLIND
    reason = CHANCE

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        random = self.random
        if not must:
            return random.choice(legal) if random.unit() < SPEAKS else None
        move = random.choice(legal)
        while _LAST_PLAY < move.code <= _LAST_CALL and random.unit() >= CALLS:
            move = random.choice(legal)
        return move
