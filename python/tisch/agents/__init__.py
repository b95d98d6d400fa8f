"""Agents that fit every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tisch.agents.random import RandomAgent
from tisch.agents.search import SearchAgent
from tisch.game import Agent, Game

__all__ = ["AGENTS", "RandomAgent", "SearchAgent", "agents_of", "find_agent", "strongest"]

#: The agents that fit every game, by name.
AGENTS: Mapping[str, Callable[[], Agent[Any]]] = {"random": RandomAgent, "search": SearchAgent}


def agents_of(game: Game[Any]) -> Mapping[str, Callable[[], Agent[Any]]]:
    """List the agents that can play a game; the game's own come before general ones of the same name.

    :param game: The game.
    :result: The agents by name.
    """
    return {**AGENTS, **game.agents}


def find_agent(game: Game[Any], name: str) -> Callable[[], Agent[Any]]:
    """Find an agent that can play a game.

    :param game: The game.
    :param name: The agent's name.
    :result: What makes one.
    :raises ValueError: There is none of that name; the sentence names those that there are.
    """
    known = agents_of(game)
    if name not in known:
        raise ValueError(f"{game.title} has no agent '{name}'; there are {', '.join(known)}.")
    return known[name]


def strongest(game: Game[Any]) -> str:
    """Find the agent that plays a game best.

    :param game: The game.
    :result: The name of the last that the game lists, or else of the one that plays by chance.
    """
    return [*game.agents][-1] if game.agents else "random"
