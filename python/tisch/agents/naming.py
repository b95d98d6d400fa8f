"""How agents are found by their names, and built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from tisch.agents.parameters import Parameter, bad_form, bind, parameters_of, read
from tisch.agents.random import RandomAgent
from tisch.agents.search import SearchAgent
from tisch.game import Agent, Game
from tisch.importing import load, reason_of

#: An agent as requested: its text, as :mod:`tisch.agents.parameters` describes it, or a function that creates one.
Named: TypeAlias = str | Callable[[], Agent[Any]]

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


def require_agent(game: Game[Any], name: str) -> None:
    """Check the name of an agent.

    :param game: The game.
    :param name: The agent's name, without parameters.
    :raises ValueError: There is no agent of this name; the message lists the names.
    """
    known = agents_of(game)
    if name not in known:
        raise ValueError(f"{game.title} has no agent '{name}'; there are {', '.join(known)}.")


def find_agent(game: Game[Any], text: str) -> Callable[[], Agent[Any]]:
    """Find an agent that can play a game, and give it its parameters. Nothing is imported.

    :param game: The game.
    :param text: The agent's name, with parameters if wanted.
    :result: A function that creates the agent.
    :raises ValueError: There is no agent of this name, or a parameter does not fit; the message names what there is.
    """
    written = read(text)
    name, colon, rest = written.name.partition(":")
    if colon and name in agents_of(game):
        raise bad_form(name, rest)
    require_agent(game, written.name)
    return bind(agents_of(game)[written.name], written)


def load_agent(game: Game[Any], text: str) -> Callable[[], Any]:
    """Find an agent as :func:`find_agent` does, or import it. It is for texts from this machine's user only.

    :param game: The game.
    :param text: The agent's name or import path, with parameters if wanted.
    :result: A function that creates the agent.
    :raises ValueError: There is no such agent, or a parameter does not fit; the message names what there is.
    """
    written = read(text)
    name, colon, _ = written.name.partition(":")
    if name in agents_of(game):
        return find_agent(game, text)
    if not colon:
        try:
            require_agent(game, name)
        except ValueError as error:
            raise ValueError(f"{error} Name your own by an import path like 'my_package.module:MyAgent'.") from error
    found = load(written.name, "agent")
    if callable(found):
        return bind(found, written)
    raise ValueError(
        f"The agent '{written.name}' must be a class or a function; it is of the type {type(found).__name__}."
    )


def build_agent(game: Game[Any], named: Named) -> Agent[Any]:
    """Build an agent, as :func:`load_agent` finds it.

    :param game: The game that it plays.
    :param named: The agent.
    :result: A new agent, not yet started.
    :raises ValueError: The agent is unknown or cannot be built; the message names it.
    """
    make = load_agent(game, named) if isinstance(named, str) else named
    try:
        agent = make()
    except Exception as error:
        # A refusal is a sentence of its own; what else fails needs its type.
        reason = str(error) if type(error) is ValueError else reason_of(error)
        raise ValueError(f"The agent '{text_of(named)}' cannot be built: {reason}") from error
    if isinstance(agent, Agent):
        return agent
    raise ValueError(f"The agent '{text_of(named)}' is no tisch.game.Agent; it is of the type {type(agent).__name__}.")


def values_of(game: Game[Any], named: Named) -> dict[str, Any]:
    """Return the values of all parameters of an agent, the defaults included.

    :param game: The game that it plays.
    :param named: The agent.
    :result: The values by name.
    :raises ValueError: As for :func:`load_agent`.
    """
    values = {name: each.default for name, each in _known(game, named).items()}
    if not isinstance(named, str):
        return values
    given = load_agent(game, named)
    return values | {name: given.keywords[name] for name in read(named).given} if isinstance(given, partial) else values


def paths_of(game: Game[Any], named: Named) -> dict[str, Path]:
    """Return the files that an agent's parameters name, the defaults included.

    :param game: The game that it plays.
    :param named: The agent.
    :result: The files by the parameters' names, without those that have none.
    :raises ValueError: As for :func:`load_agent`.
    """
    known = _known(game, named)
    values = {name: value for name, value in values_of(game, named).items() if known[name].is_file}
    return {name: Path(value) for name, value in values.items() if isinstance(value, str | Path)}


def _known(game: Game[Any], named: Named) -> dict[str, Parameter]:
    """Return the parameters of an agent by name."""
    if not isinstance(named, str):
        return parameters_of(named)
    name = read(named).name
    return parameters_of(load_agent(game, name), name)


def text_of(named: Named) -> str:
    """Return an agent as it is written.

    :param named: The agent.
    :result: Its text.
    """
    if isinstance(named, str):
        return named
    module, name = getattr(named, "__module__", "?"), getattr(named, "__qualname__", repr(named))
    return f"{module}:{name}"
