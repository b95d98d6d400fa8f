"""The agent that has learned from others' games: a network chooses, without any search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tisch._core.tichu import Decision, decision
from tisch.game import Samples
from tisch.games.tichu import weights as files
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.agents.base import SamplingAgent
from tisch.games.tichu.moves import TICHU, Move
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.simulation import simulate
from tisch.language import Sentence
from tisch.ports.reasons import FORCED, SILENCE, often

#: The weights that ``tisch learn`` made of games of the agent ``search``.
WEIGHTS: Final = Path(__file__).parent / "behavior.weights"


class BehaviorAgent(SamplingAgent):
    """Plays the move that its teacher would make most often."""

    def __init__(self, *, weights: Path | None = None, caution: float = 0.0) -> None:
        """Create the agent.

        :param weights: The file of weights; by default those that tisch brings along.
        :param caution: By how much a score must be higher than that of the heuristic's own choice: the logarithm of how
            many times as often the teacher must play it.
        :raises ValueError: The caution is negative, or the file holds no usable weights.
        """
        if not caution >= 0:
            raise ValueError(f"The caution must be 0 or more, not {caution}.")
        self._net = files.load(weights or WEIGHTS, files.DECISIONS)
        self._caution = caution

    def decide(self, view: Samples[Move], legal: Sequence[Move], must: bool) -> Move | None:
        world = view(self.random)
        assert isinstance(world, TichuState)
        round = simulate(world)
        call = decision(round, view.seat, call=True) if must and legal[-1] == TICHU else None
        if call and self._choose(call) == TICHU:
            return TICHU
        asked = decision(round, view.seat)
        if asked:
            return self._choose(asked)
        self.reason = FORCED if must else SILENCE
        return legal[0] if must else None

    def _choose(self, asked: Decision) -> Move | None:
        """Return the candidate with the highest score, and give its probability as the reason.

        The heuristic's own choice stands unless another is better by the caution: what the teacher seldom had to decide
        is hardly learned.
        """
        scores = asked.scores(self._net)
        best = scores.index(max(scores))
        if scores[best] <= scores[asked.own] + self._caution:
            best = asked.own
        share = 1 / sum(math.exp(score - scores[best]) for score in scores)
        self.reason = Sentence(reasons.TEXTS, "teacher", {"often": often(share)})
        return asked.candidates[best]
