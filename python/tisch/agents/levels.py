"""The levels of play that people choose, from easy to very strong, and characters; a game declares the agent of each.

A table at the server stores what was chosen, a level, a character or an agent's name, and :func:`agent_of` says which
agent plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tisch.agents.naming import SEARCH, agents_of, find_agent, require_agent
from tisch.game import Game

#: All levels, the weakest first. A game need not have each of them.
LEVELS: Final = ("easy", "medium", "strong", "very-strong")


def levels_of(game: Game[Any]) -> Mapping[str, str]:
    """Return the levels of a game.

    :param game: The game.
    :result: The text of the agent of each level, the weakest first. If the game declares none: chance, its own last
        agent, and the search if the game supports it.
    :raises ValueError: The game declares a level that there is not; the message names it.
    """
    if unknown := game.levels.keys() - set(LEVELS):
        raise ValueError(f"{game.title} declares the level '{min(unknown)}'; there are {', '.join(LEVELS)}.")
    levels = {"easy": "random"}
    if game.agents:
        levels["medium"] = [*game.agents][-1]
    if game.playout:
        levels["strong"] = SEARCH
    levels = dict(game.levels) or levels
    return {level: levels[level] for level in LEVELS if level in levels}


def players_of(game: Game[Any]) -> Mapping[str, str]:
    """Return what people choose of a game: the levels, then the characters.

    :param game: The game.
    :result: The text of the agent of each.
    :raises ValueError: As for :func:`levels_of`.
    """
    return {**levels_of(game), **game.characters}


def level_of(game: Game[Any], wanted: str) -> str:
    """Return the level of a game that comes closest to a wanted one.

    :param game: The game.
    :param wanted: One of :data:`LEVELS`.
    :result: This level, otherwise the strongest below it, otherwise the weakest.
    """
    known = [*levels_of(game)]
    below = [level for level in known if LEVELS.index(level) <= LEVELS.index(wanted)]
    return below[-1] if below else known[0]


def choices_of(game: Game[Any]) -> list[str]:
    """List what can be chosen at a table: the levels, the characters, then the agents by name.

    :param game: The game.
    :result: The names. They have no parameters: the effort of an agent is the server's to choose.
    """
    return [*players_of(game), *agents_of(game)]


def require_choice(game: Game[Any], choice: str) -> None:
    """Check a choice.

    :param game: The game.
    :param choice: The choice.
    :raises ValueError: It is neither a level nor a character nor an agent; the message lists what there is.
    """
    if choice not in players_of(game):
        try:
            require_agent(game, choice)
        except ValueError as error:
            raise ValueError(f"{error} The levels are {', '.join(players_of(game))}.") from error


def agent_of(game: Game[Any], choice: str) -> str:
    """Return the agent that plays for a choice.

    :param game: The game.
    :param choice: A level, a character, or an agent as it is written.
    :result: The agent's text.
    """
    return players_of(game).get(choice, choice)


def strongest(game: Game[Any]) -> str:
    """Return the strongest agent for people: that of the highest level.

    :param game: The game.
    :result: The agent's text.
    """
    return [*levels_of(game).values()][-1]


def declared_of(game: Game[Any]) -> Mapping[str, str]:
    """Return the agents that a game declares for people: that of each level and character, and the fallback.

    :param game: The game.
    :result: The text of each agent, and what it is declared as.
    :raises ValueError: The game declares a level that there is not; the message names it.
    """
    levels = {agent: f"level '{level}'" for level, agent in levels_of(game).items()}
    characters = {agent: f"character '{character}'" for character, agent in game.characters.items()}
    return {**characters, **levels, game.fallback: "fallback"}


def require_declared(game: Game[Any]) -> None:
    """Check that the agents of :func:`declared_of` exist; none is built.

    :param game: The game.
    :raises ValueError: One does not, or a parameter does not fit; the message says which, and what there is.
    """
    for agent, what in declared_of(game).items():
        try:
            find_agent(game, agent)
        except ValueError as error:
            raise ValueError(f"{game.title} declares '{agent}' as its {what}: {error}") from error
