"""The command ``tisch``: finds the sub-command and runs it; each sub-command has a module of its own."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tisch.arguments import Parser
from tisch.importing import load, version


class Command(NamedTuple):
    """A sub-command.

    :ivar path: The import path of the function that adds its parser and sets the default ``run``: a function that takes
        the parsed options and returns the exit code.
    :ivar help: What it does, in the list of all commands.
    """

    path: str
    help: str


#: The sub-commands, in the order of the help. Only what is asked for is imported, so that each command, and each
#: process that it starts, is there at once.
COMMANDS: Final[Mapping[str, Command]] = {
    "arena": Command("tisch.arena.command:add", "play matches between agents"),
    "ladder": Command("tisch.arena.ladder:add", "rate the agents of many matches together"),
    "tune": Command("tisch.arena.tune:add", "tune the parameters of an agent"),
    "play": Command("tisch.terminal.command:add", "play a game in the terminal"),
    "serve": Command("tisch.server.command:add_serve", "serve tables to browsers and programs"),
    "backup": Command("tisch.server.command:add_backup", "copy all data of a server"),
    "admin": Command("tisch.server.command:add_admin", "see who is on a running server, remove and ban people"),
    "doctor": Command("tisch.server.command:add_doctor", "check what is around a server"),
    "client": Command("tisch.server.command:add_client", "show the messages of a table of a live server"),
    "load": Command("tisch.server.command:add_load", "measure the speed of a server under load"),
    "replay": Command("tisch.replay:add", "verify recorded games"),
    "analyse": Command("tisch.analysis.command:add", "judge the decisions of recorded games"),
    "agree": Command("tisch.analysis.agree:add", "compare agents with the players of recorded games"),
    "puzzles": Command("tisch.analysis.puzzles:add", "collect positions in which players certainly went wrong"),
    "logs": Command("tisch.logs:add", "download, import and count logs of games between people"),
    "data": Command("tisch.data.command:add", "make a dataset of recorded games"),
    "learn": Command("tisch.learn.command:add", "train a network on recorded games"),
    "bench": Command("tisch.bench:add", "measure the speed of this machine"),
    "completion": Command("tisch.completion:add", "let a shell complete commands, games and agents"),
}


class _Version(argparse.Action):
    """Prints the version, which takes long to find, only if it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(f"tisch {version()}")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command.

    :param argv: (Optional) The arguments; by default those of the process.
    :result: The exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        # A character that the output cannot encode must not end the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has closed the pipe.
        _write_nowhere()
        return 0
    except OSError as error:
        if not _is_output_broken():
            raise
        _write_nowhere()
        print(f"tisch: The output cannot be written: {error.strerror}.", file=sys.stderr)
        return 1


#: What a newcomer may begin with, and the words for it.
BEGIN: Final = (
    ("play", "tisch play tichu"),
    ("serve", "tisch serve --host 0.0.0.0"),
    ("arena", "tisch arena tichu heuristic rule"),
    ("help", "tisch --help"),
)


def _greet() -> int:
    """Say in five lines what can be done."""
    from tisch.language import SHARED, preferred  # noqa: PLC0415 - Commands that do something do without it.

    try:
        texts = SHARED.section("start")[preferred(os.environ)]
    except ValueError as error:
        print(f"tisch: {error}", file=sys.stderr)
        return 2
    wide = max(len(command) for _, command in BEGIN)
    print(texts["title"], *(f"  {command:{wide}}  {texts[name]}" for name, command in BEGIN), sep="\n")
    return 0


def _run(argv: Sequence[str]) -> int:
    if "_ARGCOMPLETE" in os.environ:
        # A shell asks what may follow; it gives the line by variables.
        from tisch.completion import complete  # noqa: PLC0415 - Commands that do something do without it.

        complete(_parser)
    if not argv:
        return _greet()
    parser = _parser(argv)
    options = parser.parse_args(argv)
    if "run" not in options:
        # Newer Pythons find a command behind "--" as well.
        parser.error("The command must be the first argument")
    code: int = options.run(options)
    return code


def _parser(argv: Sequence[str]) -> Parser:
    """Build the parser of a command line: with the sub-command that it names, otherwise with the list of all."""
    parser = Parser(
        prog="tisch", description="Five table games: matches between agents, a live server, a terminal client."
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    if argv and argv[0] in COMMANDS:
        load(COMMANDS[argv[0]].path, "command")(commands)
    else:
        # The help, and the error about an unknown name, list all of them.
        parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
        for name, command in COMMANDS.items():
            commands.add_parser(name, help=command.help)
    return parser


def _is_output_broken() -> bool:
    """Return whether the output has failed; if so, it fails again for the rest of the text."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError:
        return True
    return False


def _write_nowhere() -> None:
    """Redirect the remaining output to nowhere, including what Python writes at its exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
