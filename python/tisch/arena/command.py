"""The command ``tisch arena``."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from tisch.agents.listing import games
from tisch.arena.match import GAMES, Match
from tisch.arena.play import BrokenMatch
from tisch.arena.progress import Progress
from tisch.arena.provenance import provenance
from tisch.arena.report import page
from tisch.arena.stopping import Sprt
from tisch.arena.table import text
from tisch.arena.verify import USUAL
from tisch.arguments import ListFormatter, check_writable, loose_options, unwritable
from tisch.importing import import_from_here

if TYPE_CHECKING:
    from tisch.arguments import Commands

#: The default error rates of SPRT.
ERROR_RATE: Final = 0.05
#: What is told of an agent that is no policy any more.
CHANGED: Final = "The agent '{}' is not the one with which its twin in the core was proven, so the engine plays."
DESCRIPTION = """\
Play a match between agents. The arena repeats each deal with the sides swapped
(or rotates the agents until each has had every seat) and reports points and Elo
with 95 % intervals, computed on deals. The same seed gives the same result for
any number of workers. An agent is a name ('random'), an import path
('my_package.module:MyAgent'), either with parameters ('search:playouts=64'), or
a mixed partnership ('rule+random'). A match between policies is played by the
core many times as fast, with the same result, and the engine verifies it.
"""


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser(
        "arena",
        description=DESCRIPTION,
        formatter_class=ListFormatter,
    )
    parser.closing = partial(games, policies=True)
    parser.add_argument("game", metavar="GAME", help="the game; all games are listed below")
    parser.add_argument("agents", metavar="AGENT", nargs="+", help="the agents; an agent may take part twice")
    parser.add_argument(
        "--option", metavar="KEY=VALUE", action="append", default=[], help="an option of the game; may be repeated"
    )
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="the seed of all randomness (default: 0)")
    parser.add_argument(
        "--workers", metavar="W", type=int, help="worker processes (default: one per processor; 0: none)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--round-robin", dest="form", action="store_const", const="round-robin", help="every pair of agents meets"
    )
    form.add_argument(
        "--gauntlet",
        dest="form",
        action="store_const",
        const="gauntlet",
        help="the first agent meets each of the others",
    )
    parser.add_argument("--part", metavar="K/N", help="play only the K-th of N parts of the match; join their journals")
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="play on the nodes of a Dask cluster, each with W worker processes"
    )
    parser.add_argument(
        "--verify",
        metavar="WHICH",
        default=USUAL,
        help="the games that the engine plays again in a match between policies, which the core plays: 1/N, all or "
        f"none (default: {USUAL}, and all that are recorded); a difference ends the match",
    )
    _add_ends(parser)
    _add_outputs(parser)
    parser.set_defaults(run=run)


def _add_ends(parser: argparse.ArgumentParser) -> None:
    ends = parser.add_argument_group("end of the match")
    ends.add_argument(
        "--games",
        metavar="N",
        type=int,
        help="stop after N games, counting each repetition of a deal; the last deal is always played in full "
        f"(default: {GAMES}; no limit with --seconds or --sprt)",
    )
    ends.add_argument(
        "--seconds", metavar="T", type=float, help="stop after T seconds, including the start of the processes"
    )
    ends.add_argument(
        "--sprt",
        metavar=("ELO0", "ELO1"),
        nargs=2,
        type=float,
        help="stop when it is clear whether the first agent is better by ELO1 rather than by ELO0",
    )
    ends.add_argument(
        "--alpha", metavar="A", type=float, help=f"how often SPRT may wrongly accept ELO1 (default: {ERROR_RATE})"
    )
    ends.add_argument(
        "--beta", metavar="B", type=float, help=f"how often SPRT may wrongly reject ELO1 (default: {ERROR_RATE})"
    )
    ends.add_argument(
        "--stop-at",
        metavar="RATE",
        type=float,
        help="stop when this win rate of the first agent, 0 to 1, over all N games is certain or out of reach",
    )
    ends.add_argument(
        "--move-time",
        metavar="T",
        type=float,
        help="an agent that takes longer than T seconds for a move loses the game",
    )


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    outputs = parser.add_argument_group("output")
    outputs.add_argument("--json", action="store_true", help="print JSON instead of the table")
    outputs.add_argument("--journal", metavar="FILE", type=Path, help="keep every game in FILE, and continue from it")
    outputs.add_argument(
        "--join",
        metavar="JOURNAL",
        type=Path,
        action="append",
        default=[],
        help="take over the games of this journal of the same match, or of a part of it; may be repeated",
    )
    outputs.add_argument(
        "--record", metavar="FILE", type=Path, help="write transcripts for 'tisch replay'; overwrites FILE"
    )
    outputs.add_argument(
        "--report",
        metavar="FILE",
        type=Path,
        help="write an HTML page with plots and the decision times of the games that the engine plays",
    )
    outputs.add_argument(
        "--people",
        metavar="FILE",
        type=Path,
        help="figures of people, which the report shows beside those of the agents: JSON with a number for each name, "
        "such as 'bid called'",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    import_from_here()
    progress = Progress(sys.stderr)
    try:
        people = _people(options)
        match = _match(options, progress)
        for agent in match.changed:
            print(f"tisch arena: {CHANGED.format(agent)}", file=sys.stderr)
        code = _play(match, progress)
    except ValueError as error:
        print(f"tisch arena: {error}", file=sys.stderr)
        return 2
    except BrokenMatch as error:
        print(f"tisch arena: The match cannot continue. {error}", file=sys.stderr)
        return 1
    if options.report:
        try:
            options.report.write_text(page(match, people), encoding="utf-8")
        except OSError as error:
            print(f"tisch arena: {unwritable(options.report, 'report', error)}", file=sys.stderr)
            code = code or 1
    result = match.result()
    values = {**result.as_dict(), "provenance": provenance(match.plan)} if options.json else {}
    told = json.dumps(values, indent=2, ensure_ascii=False) + "\n" if options.json else text(result)
    print(told, end="", flush=True)
    return code


def _play(match: Match, progress: Progress) -> int:
    """Play the match; if it ends early, the result so far is still available.

    :result: The exit code.
    """
    try:
        # An agent's output must not mix with the lines printed here.
        with contextlib.redirect_stdout(sys.stderr):
            match.run()
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        reason = str(error.strerror or error).removesuffix(".")
        print(f"tisch arena: A system error ended the match: {reason}.", file=sys.stderr)
        return 1
    finally:
        progress.close()
    return 0


def _match(options: argparse.Namespace, progress: Progress) -> Match:
    if options.report:
        if options.report.resolve() in {path.resolve() for path in (options.journal, options.record) if path}:
            raise ValueError(f"The file {options.report} cannot be the report and something else at once.")
        check_writable(options.report, "report")
    return Match(
        options.game,
        options.agents,
        options=loose_options(options.option),
        games=options.games,
        seed=options.seed,
        workers=options.workers,
        form=options.form,
        seconds=options.seconds,
        sprt=_sprt(options),
        stop_at=options.stop_at,
        move_time=options.move_time,
        journal=options.journal,
        record=options.record,
        part=_part(options.part),
        parts=options.join,
        dask=options.dask,
        course=options.report is not None,
        verify=options.verify,
        progress=progress,
    )


def _people(options: argparse.Namespace) -> dict[str, float] | None:
    """Read the figures of people."""
    if options.people is None:
        return None
    if options.report is None:
        raise ValueError("--people needs --report.")
    try:
        return msgspec.json.decode(options.people.read_bytes(), type=dict[str, float])
    except OSError as error:
        raise ValueError(f"The figures {options.people} cannot be read: {error.strerror}.") from error
    except msgspec.DecodeError as error:
        raise ValueError(f"The file {options.people} has no figures of people: {error}.") from error


def _part(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    first, slash, step = text.partition("/")
    if not (slash and first.isdecimal() and step.isdecimal()):
        raise ValueError(f"A part is written K/N, such as 2/4, not '{text}'.")
    return int(first), int(step)


def _sprt(options: argparse.Namespace) -> Sprt | None:
    rates: list[float | None] = [options.alpha, options.beta]
    if options.sprt is None:
        if rates != [None, None]:
            raise ValueError("--alpha and --beta need --sprt.")
        return None
    lower, higher = options.sprt
    alpha, beta = (ERROR_RATE if rate is None else rate for rate in rates)
    return Sprt(lower, higher, alpha, beta)
