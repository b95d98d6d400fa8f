"""The agent that searches with a network: it has learned by playouts what moves are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tisch.games.tichu import weights as files
from tisch.games.tichu.agents.search import SearchAgent

#: The weights that ``tisch learn alphazero`` made.
WEIGHTS: Final = Path(__file__).parent / "alphazero.weights"


class AlphaZeroAgent(SearchAgent):
    """Searches like :class:`SearchAgent`; what a network expects of each move counts with what the worlds show."""

    def __init__(
        self,
        *,
        playouts: int = 400,
        worlds: int = 256,
        candidates: int = 6,
        caution: float = 1.5,
        draws: int = 1,
        policy: str = "quick",
        threads: int = 1,
        weights: str = "",
        doubt: float = 20.0,
    ) -> None:
        """Create the agent.

        :param playouts: As for the search.
        :param worlds: As for the search.
        :param candidates: As for the search.
        :param caution: As for the search; what the network expects makes differences surer.
        :param draws: As for the search.
        :param policy: As for the search.
        :param threads: As for the search.
        :param weights: The file of weights; by default those that tisch brings along.
        :param doubt: The standard error of the differences that the network expects, in points.
        :raises ValueError: A parameter is impossible, or the file holds no usable weights.
        """
        self._net = files.load(Path(weights) if weights else WEIGHTS)
        self._doubt = doubt
        super().__init__(
            playouts=playouts,
            worlds=worlds,
            candidates=candidates,
            caution=caution,
            draws=draws,
            policy=policy,
            threads=threads,
        )
