"""Which agents are policies of the core: those that have a twin there, which plays move for move as they do.

A twin was proven with its agent as the agent was written then. The hash of that code is kept in ``policies.json``, and
an agent with other code has no twin. The hash covers what an author of the agent edits: the source of the modules that
define its class, as far as they are those of its game or of ``tisch.agents``; not what they import. The matches of the
arena verify the rest (:mod:`tisch.arena.verify`).

``python tests/harness/keep_policies.py GAME`` proves the twins of a game and writes the hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import msgspec

from tisch._core import simulation
from tisch.agents.code import DIGITS, source
from tisch.agents.naming import Named, agents_of, build_agent, load_agent
from tisch.agents.parameters import read
from tisch.game import Game
from tisch.games import REGISTRY
from tisch.ports.policies import PolicyAgent

#: The hashes of the agents with which the twins were proven, by game and by name.
KEPT: Final = Path(__file__).with_name("policies.json")
#: The package of the agents that fit every game.
_COMMON: Final = __name__.rpartition(".")[0]


def twins(game: Game[Any]) -> list[str]:
    """Return the names of a game's policies in the core.

    :param game: The game.
    :result: The names; none if the core does not have this very game, but perhaps another one of its name.
    """
    if type(game) is not type(REGISTRY.get(game.name)):
        return []
    try:
        return simulation.Policy.names(game.name)
    except ValueError:
        return []


def policies_of(game: Game[Any]) -> list[str]:
    """Return the names of the agents that are policies.

    :param game: The game.
    :result: Those whose twin was proven with their code of today.
    """
    return [name for name in twins(game) if _is_proven(game, name)]


def policy_of(game: Game[Any], named: Named) -> simulation.Policy | None:
    """Return the policy that plays as an agent does.

    :param game: The game.
    :param named: The agent.
    :result: The policy; ``None`` if the agent is none.
    :raises ValueError: As for :func:`tisch.agents.load_agent`.
    """
    if not isinstance(named, str):
        return None
    name = read(named).name
    if name not in twins(game) or not _is_proven(game, name):
        return None
    load_agent(game, named)
    try:
        return twin_of(game, named)
    except ValueError:
        # The twin knows fewer parameters, or fewer of their values.
        return None


def twin_of(game: Game[Any], named: str) -> simulation.Policy:
    """Return the policy that should play as an agent does, proven or not.

    :param game: The game.
    :param named: The agent, whose name is that of a policy.
    :result: The policy.
    :raises ValueError: As for :func:`tisch.agents.build_agent`, or the policy has no such parameters.
    """
    agent, written = build_agent(game, named), read(named)
    # Twins of agents that are written in Python have no parameters, and refuse them.
    return agent.policy if isinstance(agent, PolicyAgent) else simulation.Policy(game.name, written.name, written.given)


def changed(game: Game[Any], agents: Sequence[Named]) -> list[str]:
    """Return the agents that would be policies, had their code not changed, if the others are policies.

    :param game: The game.
    :param agents: The agents.
    :result: Their names.
    """
    names = dict.fromkeys(read(agent).name for agent in agents if isinstance(agent, str))
    old = [name for name in names if name in twins(game) and not _is_proven(game, name)]
    others = [agent for agent in agents if not isinstance(agent, str) or read(agent).name not in old]
    return old if all(policy_of(game, agent) for agent in others) else []


def hash_of(game: Game[Any], name: str) -> str:
    """Return the hash of an agent's own code.

    :param game: The game.
    :param name: The agent's name.
    :result: The hash.
    """
    own = f"{type(game).__module__.rpartition('.')[0]}.", f"{_COMMON}."
    digest = hashlib.sha256()
    for part in _parts(agents_of(game)[name]):
        digest.update(f"{part}\n".encode())
        module, colon, _ = part.partition(":")
        if colon and f"{module}.".startswith(own):
            digest.update((source(module) or b"") + b"\0")
    return digest.hexdigest()[:DIGITS]


@cache
def kept() -> Mapping[str, Mapping[str, str]]:
    """Return the hashes with which the twins were proven.

    :result: The hashes by game and by name.
    """
    return msgspec.json.decode(KEPT.read_bytes(), type=dict[str, dict[str, str]])


def _is_proven(game: Game[Any], name: str) -> bool:
    return kept().get(game.name, {}).get(name) == hash_of(game, name)


def _parts(make: Callable[..., Any]) -> Iterator[str]:
    """Yield what creates an agent: the classes with their bases, and what they are given."""
    if isinstance(make, partial):
        yield from _parts(make.func)
        for key, value in (*enumerate(make.args), *make.keywords.items()):
            yield str(key)
            yield from _parts(value) if callable(value) else (repr(value),)
    else:
        kind = make if isinstance(make, type) else type(make)
        yield from (f"{part.__module__}:{part.__qualname__}" for part in kind.__mro__)
