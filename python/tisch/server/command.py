"""The commands of the live server: ``tisch serve``, ``tisch backup``, ``tisch client`` and ``tisch load``.

Only their flags stand here; what they do is imported when one of them runs, so that the other commands start fast.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from tisch.games import FLAGSHIP
from tisch.server import config

if TYPE_CHECKING:
    from tisch.arguments import Commands

SERVE = """\
Serve tables to browsers and programs. Everything is kept in one folder: kill the server, start it again, and every
table is as it was. Each flag can also be set as TISCH_… in the environment or in a file .env.
"""
BACKUP = """\
Copy all that a server keeps – open tables, running games, finished ones – into a new file, whether it runs or not. To
restore it, stop the server, put the file into the data folder as journal.sqlite, and take away journal.sqlite-wal and
journal.sqlite-shm if they are there.
"""
CLIENT = """\
Sit down at a table of a live server. Every message is shown. By hand, type the number or the text of a move, or one of
/start, /leave, /hint, /return, /resync, /swap SEAT SEAT, /chat PHRASE, /options JSON; an empty line shows the moves.
"""
LOAD = """\
Let many tables play for a while, and tell how long it takes from a move to its notification, how many messages there
are, and how much memory a table takes. Without --url a server of its own is started for it.
"""


def add_serve(commands: Commands) -> None:
    """Add the parser of ``tisch serve``.

    :param commands: Where it is added.
    """
    parser = commands.add_parser("serve", help="serve tables to browsers and programs", description=SERVE)
    config.add_flags(parser)
    parser.set_defaults(run=_first_import("tisch.server.serving"))


def add_backup(commands: Commands) -> None:
    """Add the parser of ``tisch backup``.

    :param commands: Where it is added.
    """
    parser = commands.add_parser("backup", help="copy all that a server keeps", description=BACKUP)
    parser.add_argument("file", metavar="FILE", type=Path, help="the new file")
    parser.add_argument("--data", help=f"the server's data folder (default: TISCH_DATA or {config.DEFAULT.data})")
    parser.set_defaults(run=_first_import("tisch.server.store.backup"))


def add_client(commands: Commands) -> None:
    """Add the parser of ``tisch client``.

    :param commands: Where it is added.
    """
    parser = commands.add_parser("client", help="play at a live server's table", description=CLIENT)
    parser.add_argument("--url", default="http://localhost:8765", help="the server (default: %(default)s)")
    parser.add_argument("--name", required=True, help="your name")
    parser.add_argument("--table", required=True, help="the table's name; it is opened if there is none")
    text = f"the game (default: the one that is played there; if the table is opened, or for an agent, {FLAGSHIP})"
    parser.add_argument("--game", metavar="GAME", default="", help=text)
    parser.add_argument("--agent", metavar="NAME", help="let this agent play")
    parser.add_argument("--start", action="store_true", help="begin a game as soon as you are the table's host")
    parser.add_argument("--games", metavar="N", type=int, default=0, help="leave after so many games (default: stay)")
    parser.add_argument("--session", metavar="FILE", type=Path, help="where the session is kept (default: by table)")
    parser.add_argument("--quiet", action="store_true", help="show only errors and how games end")
    parser.set_defaults(run=_first_import("tisch.server.client"))


def add_load(commands: Commands) -> None:
    """Add the parser of ``tisch load``.

    :param commands: Where it is added.
    """
    parser = commands.add_parser("load", help="measure how fast a server is under load", description=LOAD)
    parser.add_argument("--url", help="the server, such as http://localhost:8765 (default: one of its own)")
    parser.add_argument("--game", metavar="GAME", default=FLAGSHIP, help="the game (default: %(default)s)")
    parser.add_argument("--tables", metavar="N", type=int, default=100, help="how many tables (default: 100)")
    parser.add_argument("--clients", metavar="N", type=int, default=1, help="players at each table (default: 1)")
    parser.add_argument("--seconds", metavar="S", type=float, default=30.0, help="for how long (default: 30)")
    parser.add_argument("--agent", metavar="NAME", help="who plays the other seats (default: as the server chooses)")
    parser.add_argument(
        "--think", metavar="S", type=float, nargs=2, default=(1.0, 3.0), help="how long players think (default: 1 3)"
    )
    parser.add_argument("--workers", metavar="N", type=int, default=0, help="the server's own --workers")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.set_defaults(run=_first_import("tisch.server.load"))


def _first_import(module: str) -> Callable[[argparse.Namespace], int]:
    """Make what imports a module and runs its command."""

    def run(options: argparse.Namespace) -> int:
        code: int = import_module(module).run(options)
        return code

    return run
