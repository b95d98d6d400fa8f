"""The list of all games, their agents and their options, at the end of a help text."""

from __future__ import annotations

import shutil
import textwrap
from dataclasses import fields

from tisch.agents.naming import agents_of
from tisch.agents.parameters import parameters_of, shown
from tisch.agents.policies import policies_of
from tisch.games import REGISTRY


def games(policies: bool = False) -> str:
    """List the games with their agents, the agents' parameters and the options, for the end of a help text.

    :param policies: (Optional) Whether to list the agents that are policies of the core as well.
    :result: Several lines.
    """
    lines = textwrap.wrap("games with their agents, agents' parameters, and options (with defaults):", _width())
    for name, game in REGISTRY.items():
        known = agents_of(game)
        parameters = {f"{agent}:": [*map(str, parameters_of(make).values())] for agent, make in known.items()}
        options = [f"{option.name}={shown(option.default)}" for option in fields(game.Options)]
        in_core = {"policies": policies_of(game) or ["none"]} if policies else {}
        for title, words in {"agents": [*known], **parameters, **in_core, "options": options}.items():
            begin = f"  {name if title == 'agents' else '':<17}{title:<11}"
            lines += textwrap.wrap(", ".join(words), _width(), initial_indent=begin, subsequent_indent=" " * len(begin))
    return "\n".join(lines)


def _width() -> int:
    """Return the width of a help text, which leaves room for the words behind the longest name of a game."""
    return max(shutil.get_terminal_size().columns - 2, 50)
