"""What several sub-commands read from the command line, and tell in their help, in the same way."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NoReturn

from tisch.agents import agents_of
from tisch.games import REGISTRY

#: What the standard library says of bad arguments, and how that is a sentence.
_SENTENCES: Final = (
    (r"argument (.+?): invalid int value: (.+)", r"\1 must be a whole number, not \2."),
    (r"argument (.+?): invalid float value: (.+)", r"\1 must be a number, not \2."),
    (r"argument (.+?): invalid choice: (.+?) \(choose from (.+)\)", r"\1 must be one of \3, not \2."),
    (r"argument (.+?): expected one argument", r"\1 needs a value."),
    (r"argument (.+?): expected at least one argument", r"\1 needs at least one value."),
    (r"argument (.+?): expected (\d+) arguments", r"\1 needs \2 values."),
    (r"argument (.+?): not allowed with argument (.+)", r"\1 and \2 cannot go together."),
    (r"the following arguments are required: (.+)", r"This is needed and missing: \1."),
    (r"unrecognized arguments: (.+)", r"There is no such argument: \1."),
)


class Parser(argparse.ArgumentParser):
    """Reads arguments, and says in a sentence what is wrong with them."""

    def error(self, message: str) -> NoReturn:
        found = ((re.fullmatch(pattern, message, re.DOTALL), sentence) for pattern, sentence in _SENTENCES)
        told = next((match.expand(sentence) for match, sentence in found if match), f"{message}.")
        self.exit(2, f"{self.prog}: {told} See '{self.prog} --help'.\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        # The standard library's own says nothing of a help that could not be written.
        if message:
            (file or sys.stderr).write(message)


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
        raise ValueError(unwritable(path, what, error)) from error


def unwritable(path: Path, what: str, error: OSError) -> str:
    """Say that a file cannot be written.

    :param path: The file.
    :param what: What shall stand in it.
    :param error: What the system says.
    :result: The sentence.
    """
    return f"The {what} {path} cannot be written: {error.strerror}."
