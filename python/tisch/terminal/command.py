"""The command ``tisch play``."""

from __future__ import annotations

import argparse
import codecs
import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tisch.agents import agent_of, build_agent, load_agent, strongest
from tisch.agents.listing import games
from tisch.arguments import ListFormatter, check_writable, loose_options, unwritable
from tisch.chance import of_command
from tisch.driver import AgentFault
from tisch.game import Game, Random
from tisch.games import find
from tisch.importing import import_from_here
from tisch.language import LANGUAGES, SHARED, preferred
from tisch.ports.face import Viewer, face_of
from tisch.ports.signs import Signs
from tisch.ports.wire import Guest, Host
from tisch.record import options_of
from tisch.terminal.dialog import NAMES
from tisch.terminal.lines import LineShell
from tisch.terminal.remote import Link, RemoteSession, connected
from tisch.terminal.session import Session
from tisch.terminal.shell import Shell
from tisch.terminal.signs import OtherSigns
from tisch.transcript import Transcript, record
from tisch.wires import guest_of, host_of

if TYPE_CHECKING:
    from tisch.arguments import Commands

DESCRIPTION = """\
Play a game in the terminal; agents play the other seats. In a real terminal
the command reads single keys, otherwise one line for each command, so that a
game can be scripted. Type ? for help. With --join you play with others at a table
of a live server. With --connect you play on another server that speaks the
game's original network protocol, if the game has one.
"""
#: A name or an address, in brackets if it is IPv6, and optionally a port.
_ADDRESS: Final = re.compile(r"([^\s:\[\]]+|\[[^\s\[\]]+\])(?::([0-9]{1,5}))?")
#: The maximum display time of another player's move, in seconds.
LONGEST_PAUSE: Final = 3600
#: The exit code after Ctrl-C.
INTERRUPTED: Final = 130
#: The options that set a game up here; elsewhere the server does.
SET_UP: Final = ("seat", "agents", "seed", "option", "transcript")
#: The options that are for a live server alone.
LIVE: Final = ("name", "password_file", "watch", "private")


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser(
        "play",
        description=DESCRIPTION,
        formatter_class=ListFormatter,
    )
    parser.closing = games
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="the game; all games are listed below (with --join: for a new table)"
    )
    parser.add_argument("--seat", metavar="N", type=int, help="your seat, from 0 (default: 0)")
    parser.add_argument(
        "--agents",
        metavar="NAME",
        nargs="+",
        default=[],
        help="levels or agents of the other seats (default: the strongest)",
    )
    parser.add_argument(
        "--seed", metavar="S", type=int, help="the seed of all randomness (default: a new one each time)"
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, help="the language (default: TISCH_LANG, or the system's: de, otherwise en)"
    )
    parser.add_argument(
        "--option", metavar="KEY=VALUE", action="append", default=[], help="an option of the game; may be repeated"
    )
    parser.add_argument(
        "--pause",
        metavar="SECONDS",
        type=float,
        default=0.8,
        help="how long another player's move is shown; any key goes on at once (default: 0.8)",
    )
    parser.add_argument("--transcript", metavar="FILE", type=Path, help="write the transcript for 'tisch replay'")
    parser.add_argument("--lines", action="store_true", help="write line by line even in a terminal, as for a reader")
    live = parser.add_argument_group("at a table of a live server")
    live.add_argument("--join", metavar="URL", help="the table's link or invitation, or the server's address")
    live.add_argument("--name", metavar="NAME", help="your name there (default: it is asked for)")
    live.add_argument("--watch", action="store_true", help="watch instead of playing")
    live.add_argument("--private", action="store_true", help="a new table is for the invited alone")
    live.add_argument(
        "--password-file",
        metavar="FILE",
        type=Path,
        help="the file with the server's password (default: TISCH_PASSWORD, or it is asked for)",
    )
    foreign = parser.add_argument_group("on another server")
    foreign.add_argument("--connect", metavar="HOST[:PORT]", help="the server's address (default port: the protocol's)")
    foreign.add_argument("--id", metavar="NAME", help="your name there")
    foreign.add_argument("--agent", metavar="NAME", help="let an agent play for you")
    foreign.add_argument(
        "--lobby", metavar="N", type=int, help="the number of the lobby, where the protocol has lobbies"
    )
    foreign.add_argument(
        "--retry",
        metavar="SECONDS",
        type=float,
        default=30.0,
        help="how long to try to reconnect after a lost connection (default: 30; 0: not at all)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    import_from_here()
    for stream in (sys.stdin, sys.stdout):
        # No byte that is typed or shown may end the game; nothing has been read yet.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        _check_seconds("pause", options.pause)
        _check_seconds("retry", options.retry)
        if options.join is not None:
            return _play_live(options)
        _check_not_live(options)
        return _play_there(options) if options.connect is not None else _play_here(options)
    except ValueError as error:
        print(f"tisch play: {error}", file=sys.stderr)
        return 2
    except AgentFault as error:
        print(f"tisch play: {error}", file=sys.stderr)
        return 1


def _check_seconds(name: str, seconds: float) -> None:
    if not 0 <= seconds <= LONGEST_PAUSE:
        raise ValueError(f"--{name} must be 0 to {LONGEST_PAUSE} seconds, not {seconds:g}.")


def _check_not_live(options: argparse.Namespace) -> None:
    for name in LIVE:
        if getattr(options, name):
            raise ValueError(f"--{name.replace('_', '-')} is for a live server; say with --join where it is.")
    if options.game is None:
        raise ValueError("Missing argument: GAME. See 'tisch play --help'.")


def _play_live(options: argparse.Namespace) -> int:
    """Play at a table of a live server."""
    for name in (*SET_UP, "connect", "id", "agent", "lobby"):
        if getattr(options, name) not in (None, []):
            raise ValueError(f"--{name} cannot be chosen together with --join.")
    # It needs aiohttp, which takes longer to import than all else here.
    from tisch.terminal.join import join  # noqa: PLC0415

    return join(options, _language(options), lambda language, game: _shell(language, game, options.lines))


def _play_here(options: argparse.Namespace) -> int:
    if any(value is not None for value in (options.id, options.agent, options.lobby)):
        raise ValueError("--id, --agent and --lobby are for a foreign server; say with --connect where it is.")
    session, shell, played = _sit_down(options)
    code = 0
    try:
        with shell:
            try:
                session.run()
            except KeyboardInterrupt:
                code = INTERRUPTED
            finally:
                _write(options.transcript, played)
            session.finish(_again(options))
    except AgentFault:
        if not options.transcript:
            # Nobody else knows where it failed.
            print(played(), file=sys.stderr)
        raise
    return code


def _write(file: Path | None, played: Callable[[], Transcript]) -> None:
    """Write the transcript if it is wanted."""
    if file:
        try:
            file.write_text(str(played()), encoding="utf-8")
        except OSError as error:
            raise ValueError(unwritable(file, "transcript", error)) from error


def _play_there(options: argparse.Namespace) -> int:
    """Play on a foreign server."""
    game = find(options.game)
    kind = _guest(game, options)
    agent = build_agent(game, options.agent) if options.agent is not None else None
    host, port = _address(options.connect, host_of(game))
    language = _language(options)
    shell, colours, keys = _shell(language, game, options.lines)
    face = face_of(game, Viewer(0, (_you(language),), language, colours, keys))
    header = face.say("header remote", title=face.title, name=options.id, server=options.connect)
    advisor = build_agent(game, strongest(game))
    chance = of_command()
    for asked in (advisor, agent):
        if asked:
            asked.start(Random(chance.seed("agent")))

    def dial(guest: Guest) -> Link:
        return Link(connected(host, port), guest)

    session = RemoteSession(
        game,
        dial,
        kind(options.id, lobby=options.lobby),
        face,
        shell,
        header=header,
        agent=agent,
        advisor=advisor,
        pause=options.pause,
        retry=options.retry,
    )
    with session, shell:
        code = 0
        try:
            session.run()
        except KeyboardInterrupt:
            code = INTERRUPTED
        session.finish()
    if session.fault:
        print(f"tisch play: {session.fault}", file=sys.stderr)
        return 1
    return code


def _guest(game: Game[Any], options: argparse.Namespace) -> type[Guest]:
    """Find the client of the game's protocol, and check what was chosen for it."""
    kind = guest_of(game)
    if kind is None:
        raise ValueError(f"{game.title} has no network protocol of its own.")
    if not options.id:
        raise ValueError("On a foreign server you need a name: --id NAME.")
    for name in SET_UP:
        if getattr(options, name) not in (None, []):
            raise ValueError(f"--{name} cannot be chosen together with --connect: the server sets the game up.")
    if options.lobby is not None and not kind.has_lobbies:
        raise ValueError(f"{game.title}'s protocol has no lobbies; leave --lobby out.")
    return kind


def _address(text: str, host: type[Host] | None) -> tuple[str, int]:
    """Parse the address of a server.

    :param text: Its name or address, and optionally its port; an IPv6 address with a port is in brackets.
    :param host: The host class with the default port, if there is one.
    :result: The name or address, and the port.
    """
    read = _ADDRESS.fullmatch(text)
    name, digits = (read[1], read[2] or (str(host.port) if host else "")) if read else ("", "")
    if not (name and digits and 0 < int(digits) < 1 << 16):
        raise ValueError(f"A server is written HOST:PORT, not '{text}'.")
    return name.strip("[]"), int(digits)


def _sit_down(options: argparse.Namespace) -> tuple[Session, Shell, Callable[[], Transcript]]:
    """Prepare a session.

    :result: The session, its shell, and a function that returns the transcript so far.
    """
    game = find(options.game)
    options.seat = options.seat or 0
    values = options_of(game, loose_options(options.option))
    seats = range(game.seats(values))
    if options.seat not in seats:
        raise ValueError(f"{game.title} has the seats 0 to {seats[-1]}, but no seat {options.seat}.")
    if options.seed is None:
        # Short enough to be typed.
        options.seed = of_command().seed("game") >> 32
    if not 0 <= options.seed < 1 << 64:
        raise ValueError(f"The seed must be a number from 0 to 2^64 - 1, not {options.seed}.")
    others = [seat for seat in seats if seat != options.seat]
    named = dict(zip(others, _named(game, len(others), options.agents), strict=True))
    language = _language(options)
    shell, colours, keys = _shell(language, game, options.lines)
    names = tuple(_you(language) if seat == options.seat else NAMES[seat] for seat in seats)
    face = face_of(game, Viewer(options.seat, names, language, colours, keys))
    agents = {seat: build_agent(game, name) for seat, name in named.items()}
    advisor = build_agent(game, strongest(game))
    session = Session(game, values, options.seed, face, shell, agents=agents, advisor=advisor, pause=options.pause)
    if options.transcript:
        check_writable(options.transcript, "transcript")

    def played() -> Transcript:
        players = ", ".join(named.get(seat, "human") for seat in seats)
        return record(game, values, options.seed, session.state, session.moves, players=players)

    return session, shell, played


def _named(game: Game[Any], count: int, names: Sequence[str]) -> Sequence[str]:
    """Return the agents of the other seats; a single name counts for all of them."""
    names = [agent_of(game, name) for name in names]
    for name in names:
        load_agent(game, name)
    names = names or ([strongest(game)] if count else [])
    if len(names) == 1 < count:
        names = [*names] * count
    if not count and names:
        raise ValueError(f"{game.title} has no other seat for an agent.")
    if len(names) != count:
        seats = "is 1 other seat" if count == 1 else f"are {count} other seats"
        raise ValueError(f"There {seats}, but {len(names)} agents are named.")
    return names


def _again(options: argparse.Namespace) -> str:
    """Return the command that starts the same game again."""
    words = ["tisch", "play", options.game, "--seed", str(options.seed)]
    if options.seat:
        words += ["--seat", str(options.seat)]
    if options.agents:
        words += ["--agents", *options.agents]
    if options.lang:
        words += ["--lang", options.lang]
    for value in options.option:
        words += ["--option", value]
    return shlex.join(words)


def _language(options: argparse.Namespace) -> str:
    language: str = options.lang or preferred(os.environ)
    return language


def _you(language: str) -> str:
    return SHARED.section("terminal")[language]["you"]


def _encoding() -> str:
    """Return the encoding of the output; an ASCII locale counts, though Python uses UTF-8 then."""
    told = any(os.environ.get(name) for name in ("PYTHONIOENCODING", "PYTHONUTF8"))
    if not told and (os.environ.get("LC_ALL") or os.environ.get("LANG")) in ("C", "POSIX") and sys.flags.utf8_mode:
        return "ascii"
    return sys.stdout.encoding


def _shell(language: str, game: Game[Any], in_lines: bool) -> tuple[Shell, bool, bool]:
    """Choose the shell: the terminal, if there is one, or else lines.

    :param language: The language.
    :param game: The game.
    :param in_lines: Whether lines are wanted in any case.
    :result: The shell; whether there are colours; whether single keys act at once.
    """
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    both = sys.stdin.isatty() and sys.stdout.isatty()
    shell: Shell
    if keys := not in_lines and both and os.name == "posix" and os.environ.get("TERM", "dumb") != "dumb":
        # Windows has no such module.
        from tisch.terminal.keys import KeyShell  # noqa: PLC0415

        shell = KeyShell(sys.stdin, sys.stdout, colours)
    else:
        shell = LineShell(sys.stdin, sys.stdout, colours, echo=not both)
    encoding = _encoding()
    if codecs.lookup(encoding).name != "utf-8":
        shell = OtherSigns(shell, Signs(encoding, language, game.look.glyphs))
    return shell, colours, keys
