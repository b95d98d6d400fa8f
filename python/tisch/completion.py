"""The command ``tisch completion``, and what shells are told when the Tab key is pressed.

argcomplete knows the shells and reads the parsers as they are; here stand only the words that no parser lists: games,
agents and options of games. Nobody imports it for a command that runs.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from argcomplete import autocomplete
from argcomplete.completers import BaseCompleter, FilesCompleter
from argcomplete.lexers import split_line
from argcomplete.shell_integration import shellcode

from tisch.agents import agents_of
from tisch.agents.levels import choices_of
from tisch.games import REGISTRY

if TYPE_CHECKING:
    from tisch.arguments import Commands, Parser
    from tisch.game import Game

SHELLS: Final = ("bash", "zsh", "fish")
#: The commands that take levels besides agents.
WITH_LEVELS: Final = frozenset({"tisch play", "tisch load"})
DESCRIPTION = """\
Print a script with which a shell completes commands, options, games and agents at the Tab key. For bash, add
eval "$(tisch completion bash)" to ~/.bashrc; for zsh, the same to ~/.zshrc, after compinit; for fish, add
tisch completion fish | source to ~/.config/fish/config.fish.
"""

#: Gives the words that may follow; argcomplete drops those that do not fit what is typed.
Completer: TypeAlias = Callable[..., Sequence[str]]


class _Nothing(BaseCompleter):
    """Knows no words. argcomplete has a class for that, which hides the option itself as well."""

    def __call__(self, **_: Any) -> Sequence[str]:
        return ()


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("completion", description=DESCRIPTION)
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"the shell: {', '.join(SHELLS)}")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the script.

    :param options: The parsed options.
    :result: The exit code.
    """
    # Where nothing fits, no file does either.
    print(shellcode(["tisch"], use_defaults=False, shell=options.shell))
    return 0


def complete(build: Callable[[Sequence[str]], Parser]) -> None:
    """Answer a shell, and end the process.

    :param build: Makes the parser for the words of a command line.
    """
    line = os.environ["COMP_LINE"]
    # The word at the cursor is not complete, so it names no command yet.
    *_, words, _ = split_line(line, int(os.environ["COMP_POINT"]))
    parser = build(words[1:])
    for command, action in _actions(parser):
        if action.choices is None:
            action.completer = _completer(command, action)  # type: ignore[attr-defined]
    autocomplete(parser, always_complete_options=False, default_completer=_Nothing())


def _actions(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Yield the arguments of a parser and of its commands, each with the name of its command."""
    for action in parser._actions:  # noqa: SLF001 - It has no public name.
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - Nor has this.
            for each in action.choices.values():
                yield from _actions(each)
        else:
            yield parser.prog, action


def _completer(command: str, action: argparse.Action) -> Completer:
    """Return what knows the words of an argument, which has the same name in all commands."""
    if action.dest == "game":
        return _games
    if action.dest in ("agent", "agents", "anchor"):
        return _players if command in WITH_LEVELS else _agents
    if action.dest == "option":
        return _options
    other: Completer = FilesCompleter() if action.type is Path else _Nothing()
    return other


def _chosen(parsed: argparse.Namespace) -> Sequence[Game[Any]]:
    """Return the game that is named already; all of them where a command names none, and none if it is not tisch's."""
    name: str = getattr(parsed, "game", None) or ""
    return [REGISTRY[name]] if name in REGISTRY else [] if name else list(REGISTRY.values())


def _games(**_: Any) -> Sequence[str]:
    return list(REGISTRY)


def _agents(parsed_args: argparse.Namespace, **_: Any) -> Sequence[str]:
    return list(dict.fromkeys(name for game in _chosen(parsed_args) for name in agents_of(game)))


def _players(parsed_args: argparse.Namespace, **_: Any) -> Sequence[str]:
    return list(dict.fromkeys(name for game in _chosen(parsed_args) for name in choices_of(game)))


def _options(parsed_args: argparse.Namespace, **_: Any) -> Sequence[str]:
    return [f"{option.name}=" for game in _chosen(parsed_args) for option in fields(game.Options)]
