"""The agent made for Mau-Mau: what people who play it well do without counting much."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tisch.game import Agent
from tisch.games.maumau.cards import COLOURS, JACK, LABELS, POINTS, SEVEN
from tisch.games.maumau.moves import FINISH, Move

if TYPE_CHECKING:
    from tisch.games.maumau.rules import View


class RuleAgent(Agent[Move]):
    """Finishes when it can, keeps its Jacks and its longest colour, and hits the next one if he has few cards left."""

    def __init__(self) -> None:
        self._reason = ""

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move:
        if FINISH in legal:
            self._reason = "Only Jacks are left: all go down at once."
            return FINISH
        if legal[0].verb == "wish":
            self._reason = f"Most of the hand is {COLOURS[legal[0].operand]}."
            return legal[0]
        if len(legal) == 1:
            self._reason = "There is no choice."
            return legal[0]
        move = max(legal, key=lambda move: self._worth(view, move.operand))
        self._reason = f"{LABELS[move.operand]} leaves the most to lay next."
        return move

    def explain(self) -> str:
        return self._reason

    def _worth(self, view: View, card: int) -> tuple[float, int]:
        """Judge a card to lay: what follows on it, what it rids the hand of, whom it hits."""
        value, colour = card % 8, card // 8
        rest = [label for label in view.hand if label != LABELS[card]]
        worth = POINTS[value] / 4.0
        if value == JACK:
            # A Jack is worth keeping until little else is left, as it fits on everything.
            return (-20.0 + 30.0 * (len(rest) <= 1), -card)
        worth += 2.0 * sum(label[0] == COLOURS[colour] for label in rest)
        worth += 1.5 * sum(label[1:] == LABELS[card][1:] for label in rest)
        if value == SEVEN and view.seat is not None:
            worth += 6.0 if view.counts[(view.seat + 1) % len(view.counts)] <= 2 else -1.0
        return (worth, -card)


AGENTS: Mapping[str, Callable[[], RuleAgent]] = {"rule": RuleAgent}
