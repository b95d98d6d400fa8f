"""The agent that searches in likely worlds: it has learned from games what those hold who called, laid and passed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tisch.games.tichu import weights as files
from tisch.games.tichu.agents.search import SearchAgent

#: The weights that ``tisch learn belief`` made.
WEIGHTS: Final = Path(__file__).parent / "belief.weights"


class BeliefAgent(SearchAgent):
    """Searches like :class:`SearchAgent`, in worlds that a network finds likely."""

    def __init__(
        self,
        *,
        playouts: int = 320,
        worlds: int = 256,
        once: int = 1,
        candidates: int = 6,
        caution: float = 1.5,
        draws: int = 32,
        policy: str = "quick",
        threads: int = 1,
        style: str = "strength",
        weights: Path | None = None,
    ) -> None:
        """Create the agent.

        :param playouts: As for the search; the default takes as long as the search with its own.
        :param worlds: As for the search.
        :param once: As for the search.
        :param candidates: As for the search.
        :param caution: As for the search.
        :param draws: The number of draws from which the network chooses a world.
        :param policy: As for the search.
        :param threads: As for the search.
        :param style: As for the heuristic.
        :param weights: The file of weights; by default those that tisch brings along.
        :raises ValueError: A parameter is impossible, or the file holds no usable weights.
        """
        self._decide_by(
            "belief",
            playouts=playouts,
            worlds=worlds,
            once=once,
            candidates=candidates,
            caution=caution,
            draws=draws,
            policy=policy,
            threads=threads,
            style=style,
            weights=files.load(weights or WEIGHTS, files.DEALS),
        )
