"""The agents made for Tichu."""

from collections.abc import Callable, Mapping

from tisch.games.tichu.agents.base import TichuAgent
from tisch.games.tichu.agents.random import RandomAgent

__all__ = ["AGENTS", "RandomAgent", "TichuAgent"]

#: The agents by name.
AGENTS: Mapping[str, Callable[[], TichuAgent]] = {"random": RandomAgent}
