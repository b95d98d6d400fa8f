"""An agent in 15 lines: it keeps Jacks for the end, and lays the colour that it holds most of.

In this folder: ``tisch arena maumau first_agent:Collector random --games 1000``.
"""

from collections.abc import Sequence

from tisch.game import Agent
from tisch.games.maumau import Move, View


class Collector(Agent[Move]):
    """Plays Mau-Mau by its longest colour."""

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move:
        """Return one of the legal moves."""
        cards = [move for move in legal if move.verb == "play"]
        return max(cards, key=lambda move: self.worth(view, str(move)[5:])) if cards else legal[0]

    def worth(self, view: View, card: str) -> tuple[bool, int]:
        """Return how much a card should be laid: Jacks last, then by the number of cards of its colour."""
        return card[1:] != "B", sum(own[0] == card[0] for own in view.hand)
