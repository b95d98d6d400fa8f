"""The agents made for Tichu."""

from collections.abc import Callable, Mapping

from tisch.game import Agent
from tisch.games.tichu.agents.base import TichuAgent
from tisch.games.tichu.agents.random import RandomAgent
from tisch.games.tichu.moves import Move

__all__ = ["AGENTS", "RandomAgent", "TichuAgent"]

#: The agents by name.
AGENTS: Mapping[str, Callable[[], Agent[Move]]] = {"random": RandomAgent}
