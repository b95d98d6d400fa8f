"""What several sub-commands read from the command line, and tell in their help, in the same way."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from tisch.agents import agents_of
from tisch.games import REGISTRY


def games() -> str:
    """List the games for the end of a help, each with its agents and its options.

    :result: Several lines.
    """
    lines = ["games, the agents that play them, and their options with what holds without:"]
    for name, game in REGISTRY.items():
        options = [f"{option.name}={str(option.default).lower()}" for option in fields(game.Options)]
        for title, words in (("agents", [*agents_of(game)]), ("options", options)):
            begin = f"  {name if title == 'agents' else '':<17}{title:<9}"
            lines += textwrap.wrap(", ".join(words), 78, initial_indent=begin, subsequent_indent=" " * len(begin))
    return "\n".join(lines)


def loose_options(texts: Sequence[str]) -> Mapping[str, str]:
    """Read a game's options.

    :param texts: Each written ``KEY=VALUE``.
    :result: The values by name, still as texts.
    :raises ValueError: One is written otherwise; the sentence names it.
    """
    values = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise ValueError(f"An option is written KEY=VALUE, not '{text}'.")
        values[key] = value
    return values


def check_writable(path: Path, what: str) -> None:
    """Make sure that a file can be written, before what shall stand in it has taken its time.

    :param path: The file.
    :param what: What shall stand in it.
    :raises ValueError: It cannot be written.
    """
    try:
        path.open("a").close()
    except OSError as error:
        raise ValueError(f"The {what} {path} cannot be written: {error.strerror}.") from error
