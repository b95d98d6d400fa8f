"""The agent for Mau-Mau that plays possible rounds to their end.

The core tries every move in many deals that the seat cannot tell from the true one; all seats then play by the rules of
thumb. A deal respects what others cannot hold, because they drew or passed.
"""

from __future__ import annotations

from collections.abc import Sequence

from tisch._core.simulation import Policy
from tisch.games.maumau.agents import ALL_AT_ONCE
from tisch.games.maumau.moves import FINISH, Move
from tisch.language import Sentence
from tisch.ports.policies import PolicyAgent


class SearchAgent(PolicyAgent[Move]):
    """Plays the move that ends best in possible rounds.

    Of two players it wants to be ahead at the end of the game; of more, to lose as few points as possible.
    """

    def __init__(self, playouts: int = 2000, caution: float = 0.0) -> None:
        """Create the agent.

        :param playouts: The number of rounds tried for a decision.
        :param caution: The number of standard errors by which a move must be better than that of the rules of thumb.
        :raises ValueError: A number is out of range.
        """
        super().__init__(Policy("maumau", "search", {"playouts": playouts, "caution": caution}))

    def told(self, move: Move | None, legal: Sequence[Move], must: bool) -> Sentence | None:
        return ALL_AT_ONCE if move == FINISH and len(legal) > 1 else None
