"""The commands ``tisch logs …``: the logs of Brettspielwelt, downloaded, imported and counted, and games of our own."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tisch.arguments import Commands

DOWNLOAD: Final = """\
Download the Tichu logs of Brettspielwelt, by months into one zip a year, or by the numbers of games into one zip for
ten thousand. The first month is 2007-01, the first number 1. An interrupted download goes on where it stopped.
"""
IMPORT: Final = """\
Read logs of Brettspielwelt, replay every round by the rules and store games, rounds, players and errors in a SQLite
database. An interrupted import goes on where it stopped; a log is never stored twice.
"""
PLAYERS: Final = """\
Rate the players of a database of logs by Elo, and tell how they play: calls, successes, double wins and bombs, as
shares of their rounds. Only games and rounds that follow the rules count.
"""
GENERATE: Final = "Play games and write them as a zip of logs."
#: Where the logs are.
SITE: Final = "http://tichulog.brettspielwelt.de/"
#: The most players that are printed, and the fewest games of those.
TOP: Final = 20
LEAST: Final = 50


def add(commands: Commands) -> None:
    """Add the parsers of ``tisch logs …``.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("logs", description="Work with logs of Tichu as Brettspielwelt keeps them.")
    others = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_download(others)
    _add_import(others)
    _add_players(others)
    _add_generate(others)


def _add_download(commands: Commands) -> None:
    parser = commands.add_parser("download", help="download logs of games between people", description=DOWNLOAD)
    parser.add_argument("first", metavar="FROM", help="the first month, such as 2007-01, or game, such as 1")
    parser.add_argument("last", metavar="TO", help="the last month or game")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="the folder of the zips")
    parser.add_argument("--site", metavar="URL", default=SITE, help="the address of the logs (default: %(default)s)")
    parser.add_argument("--pause", metavar="S", type=float, default=0.5, help="seconds between requests (default: 0.5)")
    parser.add_argument("--tries", metavar="N", type=int, default=5, help="tries for each page (default: 5)")
    parser.add_argument("--timeout", metavar="S", type=float, default=30.0, help="the longest silence (default: 30)")
    parser.set_defaults(run=_run_of("download"))


def _add_import(commands: Commands) -> None:
    parser = commands.add_parser("import", help="import logs into a database", description=IMPORT)
    parser.add_argument("zips", metavar="ZIP", type=Path, nargs="+", help="an archive of logs")
    parser.add_argument("--db", metavar="FILE", type=Path, required=True, help="the database; created if it is missing")
    parser.add_argument("--json", action="store_true", help="print what the database holds as one line of JSON")
    parser.set_defaults(run=_run_of("importing"))


def _add_players(commands: Commands) -> None:
    parser = commands.add_parser("players", help="rate the players of a database", description=PLAYERS)
    parser.add_argument("--db", metavar="FILE", type=Path, required=True, help="the database of 'tisch logs import'")
    parser.add_argument("--top", metavar="N", type=int, default=TOP, help="the most players (default: %(default)s)")
    parser.add_argument(
        "--least", metavar="N", type=int, default=LEAST, help="the fewest games of each player (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument(
        "--people", metavar="FILE", type=Path, help="write how everybody plays, for 'tisch arena --people FILE'"
    )
    parser.set_defaults(run=_run_of("players"))


def _add_generate(commands: Commands) -> None:
    parser = commands.add_parser("generate", help="write games between agents as logs", description=GENERATE)
    parser.add_argument("out", metavar="OUT", type=Path, help="the zip, which is replaced")
    parser.add_argument("--games", metavar="N", type=int, default=1000, help="the number of games (default: 1000)")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="the seed of the first game (default: 1)")
    parser.add_argument("--policy", default="heuristic", help="random, greedy, quick, heuristic or exact")
    parser.set_defaults(run=_run_of("generate"))


def _run_of(module: str) -> Callable[[argparse.Namespace], int]:
    """Return a function that imports a module and runs its command."""

    def run(options: argparse.Namespace) -> int:
        code: int = import_module(f"tisch.games.tichu.logs.{module}").run(options)
        return code

    return run
