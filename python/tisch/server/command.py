"""The commands of the live server: ``tisch serve``, ``admin``, ``backup``, ``doctor``, ``client`` and ``load``.

This module defines only their flags. A command imports its implementation when it runs, so that the others start
fast.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tisch.games import FLAGSHIP
from tisch.server import config

if TYPE_CHECKING:
    from tisch.arguments import Commands

SERVE = """\
Serve tables to browsers and programs. All data is in one folder: after a crash and a restart, every table is as it was.
Each flag can also be set as TISCH_… in the environment or in a file .env.
"""
BACKUP = """\
Copy all data of a server (open tables, running and finished games) into a new file, while it runs or not. To restore
the copy, stop the server, put the file into the data folder as journal.sqlite, and remove journal.sqlite-wal and
journal.sqlite-shm if they exist.
"""
DOCTOR = """\
Check what is around a server with the given settings, running or not: its folder, disk and journal, ports, limits, the
clock, and with --url the address that friends open: TLS, proxy and WebSocket. Each line says how things are, and below
it what to do. The exit code is 1 if anything is bad.
"""
#: How many backups a folder keeps, unless its owner wants otherwise.
KEPT: Final = 14
ADMIN = """\
Do on a running server what its operator may: see who is where, close a table, remove somebody from a seat, ban ranges
of addresses, say something to all, and refuse new games. The secret is TISCH_OPERATOR, from the environment or a file
.env, as the server has it. A table is named by its name or, as 'tables' shows it, by its id.
"""
CLIENT = """\
Join a table of a live server and show every message as it is, for scripts, agents and who reads the protocol; to play
with a game's own screens there is "tisch play --join URL". By hand, type the number or the text of a move, or one of
/start, /leave, /hint, /return, /resync, /swap SEAT SEAT, /chat PHRASE, /options JSON; an empty line shows the moves.
"""
LOAD = """\
Let many tables play for a while, and report the time from a move to its notification, the number of messages and the
memory per table. Without --url, the command starts a server of its own. With --flat, programs on all seats play as fast
as they can, and the server is compared with a bare one that passes on as many messages. With --soak, programs come,
send rubbish and go, and the memory of the server must stay as it is.
"""


def add_serve(commands: Commands) -> None:
    """Add the parser of ``tisch serve``.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("serve", description=SERVE)
    config.add_flags(parser)
    parser.set_defaults(run=_first_import("tisch.server.serving"))


def add_backup(commands: Commands) -> None:
    """Add the parser of ``tisch backup``.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("backup", description=BACKUP)
    parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="the new file")
    into = "instead of FILE: write a new file into this folder, named by the time, and remove the oldest ones"
    parser.add_argument("--into", metavar="FOLDER", type=Path, help=into)
    keep = "how many files --into keeps (default: %(default)s)"
    parser.add_argument("--keep", metavar="N", type=int, default=KEPT, help=keep)
    rest = "copy what is left if the last changes are lost, because the file beside the journal is"
    parser.add_argument("--rest", action="store_true", help=rest)
    parser.add_argument("--data", help=f"the server's data folder (default: TISCH_DATA or {config.DEFAULT.data})")
    parser.set_defaults(run=_first_import("tisch.server.store.backup"))


def add_doctor(commands: Commands) -> None:
    """Add the parser of ``tisch doctor``.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("doctor", description=DOCTOR)
    parser.add_argument("--url", help="the address that friends open, such as https://tisch.example.org")
    config.add_flags(parser)
    parser.set_defaults(run=_first_import("tisch.server.doctor.command"))


def add_admin(commands: Commands) -> None:
    """Add the parser of ``tisch admin``.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("admin", description=ADMIN)
    parser.add_argument("--url", help="the server (default: http://localhost at TISCH_PORT)")
    acts = parser.add_subparsers(dest="act", metavar="ACT", required=True)
    acts.add_parser("who", help="show who is here, and from where")
    acts.add_parser("tables", help="show the tables, private ones too")
    close = acts.add_parser("close", help="close a table for good")
    remove = acts.add_parser("remove", help="remove whoever sits on a seat")
    for act in (close, remove):
        act.add_argument("table", metavar="TABLE", help="the table")
    remove.add_argument("seat", metavar="SEAT", type=int, help="the number of the seat, from 0")
    for name, text in {"ban": "let nobody of a range come", "unban": "let people of a range come again"}.items():
        act = acts.add_parser(name, help=text)
        act.add_argument("range", metavar="RANGE", help="an address, or a range such as 192.0.2.0/24")
    acts.add_parser("bans", help="show what is banned")
    acts.add_parser("reports", help="show what people reported of others")
    acts.add_parser("say", help="say something to all").add_argument("text", metavar="TEXT", nargs="+", help="the text")
    maintenance = acts.add_parser("maintenance", help="refuse new tables and games, or allow them again")
    maintenance.add_argument("state", choices=("on", "off"), help="on or off")
    parser.set_defaults(run=_first_import("tisch.server.admin.command"))


def add_client(commands: Commands) -> None:
    """Add the parser of ``tisch client``.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("client", description=CLIENT)
    parser.add_argument("--url", default="http://localhost:8765", help="the server (default: %(default)s)")
    parser.add_argument("--name", required=True, help="your name")
    parser.add_argument("--table", required=True, help="the table's name; a new table if there is none")
    parser.add_argument("--invitation", default="", help="the invitation of a private table, from its link")
    text = f"the game (default: that of the table; for a new table or an agent, {FLAGSHIP})"
    parser.add_argument("--game", metavar="GAME", default="", help=text)
    parser.add_argument("--agent", metavar="NAME", help="let this agent play")
    parser.add_argument("--start", action="store_true", help="start a game as soon as you are the table's host")
    parser.add_argument("--games", metavar="N", type=int, default=0, help="leave after N games (default: stay)")
    parser.add_argument("--session", metavar="FILE", type=Path, help="the file of the session (default: one per table)")
    parser.add_argument("--quiet", action="store_true", help="show only errors and the ends of games")
    parser.set_defaults(run=_first_import("tisch.server.client"))


def add_load(commands: Commands) -> None:
    """Add the parser of ``tisch load``.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("load", description=LOAD)
    parser.add_argument("--url", help="the server, such as http://localhost:8765 (default: one of its own)")
    parser.add_argument("--game", metavar="GAME", default=FLAGSHIP, help="the game (default: %(default)s)")
    tables = "the number of tables (default: 100, 25 with --flat, or 10 with --soak)"
    parser.add_argument("--tables", metavar="N", type=int, help=tables)
    parser.add_argument("--clients", metavar="N", type=int, default=1, help="players at each table (default: 1)")
    parser.add_argument("--seconds", metavar="S", type=float, default=30.0, help="the duration (default: 30)")
    parser.add_argument("--agent", metavar="NAME", help="level or agent of the other seats (default: the server's)")
    parser.add_argument(
        "--think",
        metavar="S",
        type=float,
        nargs=2,
        default=(1.0, 3.0),
        help="range of the thinking time (default: 1 3)",
    )
    parser.add_argument("--workers", metavar="N", type=int, default=0, help="the server's own --workers")
    parser.add_argument("--flat", action="store_true", help="play as fast as possible, with a program on every seat")
    soak = "let programs send rubbish for so many minutes, and see whether the memory stays as it is"
    parser.add_argument("--soak", metavar="MINUTES", type=float, help=soak)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(run=_load)


def _load(options: argparse.Namespace) -> int:
    module = "load" if options.soak is None else "soak"
    return _first_import(f"tisch.server.{'flat' if options.flat and module == 'load' else module}")(options)


def _first_import(module: str) -> Callable[[argparse.Namespace], int]:
    """Return a function that imports a module and runs its command."""

    def run(options: argparse.Namespace) -> int:
        code: int = import_module(module).run(options)
        return code

    return run
