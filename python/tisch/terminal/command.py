"""The command ``tisch play``."""

from __future__ import annotations

import argparse
import io
import os
import secrets
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tisch.agents import agents_of, strongest
from tisch.arguments import check_writable, loose_options
from tisch.driver import AgentFault
from tisch.game import Game
from tisch.games import REGISTRY, find
from tisch.terminal.face import LANGUAGES, Table, face_of
from tisch.terminal.lines import LineShell
from tisch.terminal.session import Session
from tisch.terminal.shell import Shell
from tisch.terminal.texts import NAMES, TEXTS
from tisch.transcript import options_of, record

if TYPE_CHECKING:
    from tisch.cli import Commands

DESCRIPTION = """\
Play a game in the terminal; agents play the other seats. On a real terminal single keys are read, otherwise a line
for each command, so that a game can be scripted. Type ? for help.
"""


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: Where it is added.
    """
    parser = commands.add_parser("play", help="play a game in the terminal", description=DESCRIPTION)
    parser.add_argument("game", metavar="GAME", help=f"the game's name: {', '.join(REGISTRY)}")
    parser.add_argument("--seat", metavar="N", type=int, default=0, help="your seat, from 0 (default: 0)")
    parser.add_argument(
        "--agents", metavar="NAME", nargs="+", default=[], help="who plays the other seats (default: the strongest)"
    )
    parser.add_argument(
        "--seed", metavar="S", type=int, help="where all chance comes from (default: another each time)"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="de", help="the language (default: de)")
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[], help="an option of the game")
    parser.add_argument(
        "--pause",
        metavar="SECONDS",
        type=float,
        default=0.8,
        help="how long you see what another has done, unless you press a key (default: 0.8)",
    )
    parser.add_argument("--transcript", metavar="FILE", type=Path, help="write the game down, for 'tisch replay'")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: What was asked for.
    :result: The exit code.
    """
    try:
        session, shell, write = _sit_down(options)
    except ValueError as error:
        print(f"tisch play: {error}", file=sys.stderr)
        return 2
    try:
        with shell:
            try:
                session.run()
            finally:
                write()
            session.finish(_again(options))
    except AgentFault as error:
        print(f"tisch play: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Nobody reads on. What is still to be written, if only when Python ends, goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _sit_down(options: argparse.Namespace) -> tuple[Session, Shell, Callable[[], None]]:
    """Prepare a session.

    :result: The session, its shell, and what writes the transcript if one is wanted.
    """
    game = find(options.game)
    values = options_of(game, loose_options(options.option))
    seats = range(game.seats(values))
    if options.seat not in seats:
        raise ValueError(f"{game.title} has the seats 0 to {seats[-1]}, but no seat {options.seat}.")
    if options.seed is None:
        options.seed = secrets.randbits(32)
    if not 0 <= options.seed < 1 << 64:
        raise ValueError(f"The seed must be a number from 0 to 2^64 - 1, not {options.seed}.")
    others = [seat for seat in seats if seat != options.seat]
    named = dict(zip(others, _named(game, len(others), options.agents), strict=True))
    shell, colours = _shell()
    names = tuple(TEXTS[options.lang]["you"] if seat == options.seat else NAMES[seat] for seat in seats)
    face = face_of(game, Table(options.seat, names, options.lang, colours))
    agents = {seat: agents_of(game)[name]() for seat, name in named.items()}
    advisor = agents_of(game)[strongest(game)]()
    session = Session(game, values, options.seed, face, shell, agents=agents, advisor=advisor, pause=options.pause)
    if options.transcript:
        check_writable(options.transcript, "transcript")

    def write() -> None:
        if options.transcript:
            players = ", ".join(named.get(seat, "human") for seat in seats)
            transcript = record(game, values, options.seed, session.state, session.moves, players=players)
            options.transcript.write_text(str(transcript), encoding="utf-8")

    return session, shell, write


def _named(game: Game[Any], count: int, names: Sequence[str]) -> Sequence[str]:
    """Tell who plays the other seats; a single name stands for all of them."""
    known = agents_of(game)
    for name in names:
        if name not in known:
            raise ValueError(f"{game.title} has no agent '{name}'; there are {', '.join(known)}.")
    names = names or ([strongest(game)] if count else [])
    if len(names) == 1 < count:
        names = [*names] * count
    if len(names) != count:
        raise ValueError(f"There are {count} other seats, but {len(names)} agents.")
    return names


def _again(options: argparse.Namespace) -> str:
    """Write the command that begins the same game again."""
    words = ["tisch", "play", options.game, "--seed", str(options.seed)]
    if options.seat:
        words += ["--seat", str(options.seat)]
    if options.agents:
        words += ["--agents", *options.agents]
    if options.lang != LANGUAGES[0]:
        words += ["--lang", options.lang]
    for value in options.option:
        words += ["--option", value]
    return shlex.join(words)


def _shell() -> tuple[Shell, bool]:
    """Take the terminal, if there is one, or else lines."""
    for stream in (sys.stdin, sys.stdout):
        # Whatever is typed or shown, no byte may end the game.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    both = sys.stdin.isatty() and sys.stdout.isatty()
    if both and os.name == "posix" and os.environ.get("TERM", "dumb") != "dumb":
        # Windows has no such module.
        from tisch.terminal.keys import KeyShell  # noqa: PLC0415

        return KeyShell(sys.stdin, sys.stdout, colours), colours
    return LineShell(sys.stdin, sys.stdout, colours, echo=not both), colours
