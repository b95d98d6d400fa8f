"""Agents for every game, how they are named, and the levels that people choose."""

from tisch.agents.levels import (
    LEVELS,
    agent_of,
    choices_of,
    declared_of,
    level_of,
    levels_of,
    players_of,
    require_choice,
    require_declared,
    strongest,
)
from tisch.agents.naming import AGENTS, Named, agents_of, build_agent, find_agent, load_agent, require_agent, text_of
from tisch.agents.random import RandomAgent
from tisch.agents.search import SearchAgent

__all__ = [
    "AGENTS",
    "LEVELS",
    "Named",
    "RandomAgent",
    "SearchAgent",
    "agent_of",
    "agents_of",
    "build_agent",
    "choices_of",
    "declared_of",
    "find_agent",
    "level_of",
    "levels_of",
    "load_agent",
    "players_of",
    "require_agent",
    "require_choice",
    "require_declared",
    "strongest",
    "text_of",
]
