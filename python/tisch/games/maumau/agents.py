"""The agent for Mau-Mau: plays by rules of thumb, without much counting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tisch.game import Agent
from tisch.games.maumau.cards import COLOURS, JACK, LABELS, POINTS, SEVEN
from tisch.games.maumau.moves import FINISH, Move
from tisch.games.maumau.rules import View
from tisch.language import Sentence, Vocabulary
from tisch.ports.reasons import FORCED

#: The reasons by language and name.
TEXTS: Final = Vocabulary(Path(__file__).parent / "texts").section("reasons")
ALL_AT_ONCE: Final = Sentence(TEXTS, "finish")
MOST_HELD: Final = Sentence(TEXTS, "wish")
MOST_TO_LAY: Final = Sentence(TEXTS, "lay")


class RuleAgent(Agent[Move]):
    """Finishes when it can, keeps Jacks and its longest colour, and lays sevens if the next player has few cards."""

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move:
        if FINISH in legal:
            self.reason = ALL_AT_ONCE
            return FINISH
        if legal[0].verb == "wish":
            self.reason = MOST_HELD
            return legal[0]
        if len(legal) == 1:
            self.reason = FORCED
            return legal[0]
        self.reason = MOST_TO_LAY
        return max(legal, key=lambda move: self._worth(view, move.operand))

    def _worth(self, view: View, card: int) -> tuple[float, int]:
        """Rate a card to lay by what can follow it, the points it removes from the hand, and whom it hits."""
        value, colour = card % 8, card // 8
        rest = [label for label in view.hand if label != LABELS[card]]
        worth = POINTS[value] / 4.0
        if value == JACK:
            # Keep a Jack until little else is left, since it fits on everything.
            return (-20.0 + 30.0 * (len(rest) <= 1), -card)
        worth += 2.0 * sum(label[0] == COLOURS[colour] for label in rest)
        worth += 1.5 * sum(label[1:] == LABELS[card][1:] for label in rest)
        if value == SEVEN and view.seat is not None:
            worth += 6.0 if view.counts[(view.seat + 1) % len(view.counts)] <= 2 else -1.0
        return (worth, -card)
