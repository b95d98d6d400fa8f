"""The agent that has learned from others' games: a network chooses, without any search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tisch._core.simulation import Policy
from tisch.game import Random, Samples
from tisch.games.tichu import weights as files
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.agents.heuristic import HeuristicAgent
from tisch.games.tichu.moves import Move
from tisch.language import Sentence
from tisch.ports.policies import PolicyAgent
from tisch.ports.reasons import often

#: The weights that ``tisch learn`` made of games of the agent ``search``.
WEIGHTS: Final = Path(__file__).parent / "behavior.weights"


class BehaviorAgent(PolicyAgent[Move]):
    """Plays the move that its teacher would make most often."""

    #: It plays no worlds in which a move could be judged.
    verdict = None  # type: ignore[assignment]

    def __init__(self, *, weights: Path | None = None, caution: float = 0.0, style: str = "strength") -> None:
        """Create the agent.

        :param weights: The file of weights; by default those that tisch brings along.
        :param caution: By how much a score must be higher than that of the heuristic's own choice: the logarithm of how
            many times as often the teacher must play it.
        :param style: As for the heuristic.
        :raises ValueError: The caution is negative, there is no such style, or the file holds no usable weights.
        """
        net = files.load(weights or WEIGHTS, files.DECISIONS)
        super().__init__(Policy("tichu", "behavior", {"weights": net, "caution": caution, "style": style}))
        self._adviser = HeuristicAgent(style=style)

    def act(self, view: Samples[Move], legal: Sequence[Move], must: bool) -> Move | None:
        move = super().act(view, legal, must)
        if must and len(legal) > 1 and not self._player.findings():
            # What its style, or the trick that it has won, leaves it no choice about, the heuristic explains.
            self._adviser.start(Random(0))
            agreed = self._adviser.act(view(Random(0)).view(view.seat), legal, must) == move
            self.reason = (agreed and self._adviser.reason) or self.reason
        return move

    def told(self, move: Move | None, legal: Sequence[Move], must: bool) -> Sentence | None:
        scores = [score for _, (score,) in self._player.findings()]
        if not scores:
            return None
        share = 1 / sum(math.exp(score - scores[0]) for score in scores)
        return Sentence(reasons.TEXTS, "teacher", {"often": often(share)})
