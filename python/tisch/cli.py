"""The command ``tisch``: finds the sub-command and runs it; each sub-command has a module of its own."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from tisch.arguments import Parser
from tisch.importing import load, version

#: The sub-commands, in the order of the help. Each is a function that adds the command's parser and sets its default
#: ``run``: a function that takes the parsed options and returns the exit code. Only what is asked for is imported, so
#: that each command, and each process that it starts, is there at once.
COMMANDS: Final[Mapping[str, str]] = {
    "arena": "tisch.arena.command:add",
    "ladder": "tisch.arena.ladder:add",
    "tune": "tisch.arena.tune:add",
    "play": "tisch.terminal.command:add",
    "serve": "tisch.server.command:add_serve",
    "backup": "tisch.server.command:add_backup",
    "client": "tisch.server.command:add_client",
    "load": "tisch.server.command:add_load",
    "replay": "tisch.replay:add",
    "analyse": "tisch.analyse:add",
    "agree": "tisch.agree:add",
    "data": "tisch.data.command:add",
    "learn": "tisch.learn.command:add",
    "bench": "tisch.bench:add",
}


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


def _run(argv: Sequence[str]) -> int:
    parser = Parser(
        prog="tisch", description="Five table games: matches between agents, a live server, a terminal client."
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    if argv and argv[0] in COMMANDS:
        load(COMMANDS[argv[0]], "command")(commands)
    else:
        # The help, and the error about an unknown name, list all of them.
        parser.add_argument("--version", action="version", version=f"tisch {version()}")
        for path in COMMANDS.values():
            load(path, "command")(commands)
    options = parser.parse_args(argv)
    code: int = options.run(options)
    return code


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
