"""Agents for every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from tisch.agents.random import RandomAgent
from tisch.agents.search import SearchAgent
from tisch.game import Agent, Game

__all__ = ["AGENTS", "RandomAgent", "SearchAgent", "agents_of", "find_agent", "strongest"]

#: The searching agent; a game supports it with ``playout`` and ``worth``.
SEARCH: Final = "search"
#: The agents for every game, by name.
AGENTS: Mapping[str, Callable[[], Agent[Any]]] = {"random": RandomAgent, SEARCH: SearchAgent}


def agents_of(game: Game[Any]) -> Mapping[str, Callable[[], Agent[Any]]]:
    """Return the agents that can play a game; the game's own agents override general ones of the same name.

    :param game: The game.
    :result: The agents by name.
    """
    return {**AGENTS, SEARCH: _search(game), **game.agents}


def _search(game: Game[Any]) -> Callable[[], Agent[Any]]:
    """Return a function that creates the searching agent with everything that the game declares for it."""
    if not game.playout:
        return SearchAgent
    worth = None if type(game).worth is Game.worth else game.worth
    return partial(SearchAgent, {**AGENTS, **game.agents}[game.playout], worth=worth)


def find_agent(game: Game[Any], name: str) -> Callable[[], Agent[Any]]:
    """Find an agent that can play a game.

    :param game: The game.
    :param name: The agent's name.
    :result: A function that creates the agent.
    :raises ValueError: There is no agent of this name; the message lists the names.
    """
    known = agents_of(game)
    if name not in known:
        raise ValueError(f"{game.title} has no agent '{name}'; there are {', '.join(known)}.")
    return known[name]


def strongest(game: Game[Any]) -> str:
    """Return the name of the strongest agent for a game.

    :param game: The game.
    :result: ``search`` if the game declares a playout agent, otherwise the last agent of the game, or else ``random``.
    """
    if game.playout:
        return SEARCH
    return [*game.agents][-1] if game.agents else "random"
