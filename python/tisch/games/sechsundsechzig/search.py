"""The agent for Sechsundsechzig that plays possible deals to their end.

The core tries every move in many deals that the seat cannot tell from the true one, preferably in those in which the
other's past moves are those of the rules of thumb. These play on until few cards are left in the stock. From there on
the core computes the end exactly, with open hands: in half of the deals from the empty stock on against perfect play,
in the others against the rules of thumb. As soon as nothing more is drawn, every hand that the other may hold is
weighed, and solved in both ways.
"""

from __future__ import annotations

from collections.abc import Sequence

from tisch._core.simulation import Policy
from tisch.games.sechsundsechzig.agents import REACHED
from tisch.games.sechsundsechzig.moves import STOP, Move
from tisch.language import Sentence
from tisch.ports.policies import PolicyAgent


class SearchAgent(PolicyAgent[Move]):
    """Plays the move after which it wins the series most often in possible deals."""

    def __init__(self, playouts: int = 1600, exact: int = 2, caution: float = 0.3, draws: int = 32) -> None:
        """Create the agent.

        :param playouts: The number of games tried for a decision; where nothing more is drawn, the number of endings by
            hands of the other, each of which is solved in two ways.
        :param exact: The number of cards in the stock from which on a deal is solved against the rules of thumb, 0 to
            4.
        :param caution: The number of standard errors by which a move must be better than that of the rules of thumb,
            while cards are drawn.
        :param draws: The number of redeals of which a sample is the one in which the other's moves agree best with the
            rules of thumb, at least 1.
        :raises ValueError: A number is out of range.
        """
        parameters = {"playouts": playouts, "exact": exact, "caution": caution, "draws": draws}
        super().__init__(Policy("sechsundsechzig", "search", parameters))

    def told(self, move: Move | None, legal: Sequence[Move], must: bool) -> Sentence | None:
        # It stops with enough points, for waiting can only help the other. Where the other has closed, it compares.
        return REACHED if move == STOP and not self._player.findings() else None
