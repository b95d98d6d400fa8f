"""The command ``tisch``: finds the sub-command and runs it; each sub-command has a module of its own."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version

from tisch import analyse, bench, replay
from tisch.arena import command as arena
from tisch.arena import ladder, tune
from tisch.arguments import Commands, Parser
from tisch.data import command as data
from tisch.learn import command as learn
from tisch.server import command as server
from tisch.terminal import command as terminal

#: The sub-commands, in the order of the help. Each function adds the parser of one command and sets its default
#: ``run``: a function that takes the parsed options and returns the exit code.
COMMANDS: Sequence[Callable[[Commands], None]] = (
    arena.add,
    ladder.add,
    tune.add,
    terminal.add,
    server.add_serve,
    server.add_backup,
    server.add_client,
    server.add_load,
    replay.add,
    analyse.add,
    data.add,
    learn.add,
    bench.add,
)


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
            return _run(argv)
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


def _run(argv: Sequence[str] | None) -> int:
    parser = Parser(
        prog="tisch", description="Five table games: matches between agents, a live server, a terminal client."
    )
    parser.add_argument("--version", action="version", version=f"tisch {version('tisch')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add in COMMANDS:
        add(commands)
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
