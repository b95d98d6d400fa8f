"""Agents that fit every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from tisch.agents.random import RandomAgent
from tisch.agents.search import SearchAgent
from tisch.game import Agent, Game

__all__ = ["AGENTS", "RandomAgent", "SearchAgent", "agents_of", "find_agent", "strongest"]

#: The agent that searches; a game tells it by ``playout`` and ``worth`` what it knows.
SEARCH: Final = "search"
#: The agents that fit every game, by name.
AGENTS: Mapping[str, Callable[[], Agent[Any]]] = {"random": RandomAgent, SEARCH: SearchAgent}


def agents_of(game: Game[Any]) -> Mapping[str, Callable[[], Agent[Any]]]:
    """List the agents that can play a game; the game's own come before general ones of the same name.

    :param game: The game.
    :result: The agents by name.
    """
    return {**AGENTS, SEARCH: _search(game), **game.agents}


def _search(game: Game[Any]) -> Callable[[], Agent[Any]]:
    """Return what makes the search, with all that the game declares for it."""
    if not game.playout:
        return SearchAgent
    worth = None if type(game).worth is Game.worth else game.worth
    return partial(SearchAgent, game.agents[game.playout], worth=worth)


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
    :result: The name: ``search`` if the game says who plays its playouts, otherwise the last agent that the game lists,
        or else the one that plays by chance.
    """
    if game.playout:
        return SEARCH
    return [*game.agents][-1] if game.agents else "random"
