"""The agent that grows a tree of what it knows, guided by a network that has learned from its own games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tisch._core.simulation import Policy
from tisch.games.tichu import weights as files
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.moves import TAKE, Move
from tisch.language import Sentence
from tisch.ports.policies import PolicyAgent
from tisch.ports.reasons import often

#: The weights that ``tisch learn alphazero`` made.
WEIGHTS: Final = Path(__file__).parent / "alphazero.weights"


class AlphaZeroAgent(PolicyAgent[Move]):
    """Plays the move that its tree has visited most."""

    #: Its tree plays no worlds to their end in which a move could be judged.
    verdict = None  # type: ignore[assignment]

    def __init__(
        self,
        *,
        visits: int = 100,
        trees: int = 1,
        exploration: float = 60.0,
        mix: float = 0.5,
        threads: int = 1,
        style: str = "strength",
        weights: Path | None = None,
    ) -> None:
        """Create the agent.

        :param visits: The number of visits of a decision; with 0 the network alone decides.
        :param trees: The number of trees, which share the visits.
        :param exploration: How much a likely move that was seldom visited is preferred, in points.
        :param mix: How much of what a moment is worth is how a round ended that was played from there, 0 to 1; the rest
            is what the network says.
        :param threads: The number of threads for several trees, which does not affect the decisions.
        :param style: As for the heuristic.
        :param weights: The file of weights; by default those that tisch brings along.
        :raises ValueError: A number is out of range, there is no such style, or the file holds no usable weights.
        """
        net = files.load(weights or WEIGHTS, files.HEADS)
        parameters = {
            "visits": visits,
            "trees": trees,
            "exploration": exploration,
            "mix": mix,
            "threads": threads,
            "style": style,
        }
        super().__init__(Policy("tichu", "alphazero", {**parameters, "weights": net}))

    def told(self, move: Move | None, legal: Sequence[Move], must: bool) -> Sentence | None:
        found = self._player.findings()
        if not found:
            return reasons.TRICK_WON if move == TAKE and len(legal) > 1 else None
        share = found[0][1][0]
        return Sentence(reasons.TEXTS, "tree", {"often": often(share)}) if move else None
