"""The agents for Tichu."""

from collections.abc import Callable, Mapping

from tisch.game import Agent
from tisch.games.tichu.agents.alphazero import AlphaZeroAgent
from tisch.games.tichu.agents.base import TichuAgent
from tisch.games.tichu.agents.behavior import BehaviorAgent
from tisch.games.tichu.agents.belief import BeliefAgent
from tisch.games.tichu.agents.heuristic import HeuristicAgent
from tisch.games.tichu.agents.random import RandomAgent
from tisch.games.tichu.agents.rule import RuleAgent
from tisch.games.tichu.agents.search import SearchAgent
from tisch.games.tichu.moves import Move

__all__ = [
    "AGENTS",
    "AlphaZeroAgent",
    "BehaviorAgent",
    "BeliefAgent",
    "HeuristicAgent",
    "RandomAgent",
    "RuleAgent",
    "SearchAgent",
    "TichuAgent",
]

#: The agents by name, the strongest last.
AGENTS: Mapping[str, Callable[[], Agent[Move]]] = {
    "random": RandomAgent,
    "rule": RuleAgent,
    "heuristic": HeuristicAgent,
    "behavior": BehaviorAgent,
    "alphazero": AlphaZeroAgent,
    "search": SearchAgent,
    "belief": BeliefAgent,
}
