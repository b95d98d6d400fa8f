"""The command ``tisch learn``: trains the network of an agent on recorded games."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tisch._core import derive
from tisch.arguments import ProgressLine
from tisch.games import REGISTRY, reference
from tisch.importing import import_from_here
from tisch.learn.files import WEIGHTS, known
from tisch.ports.lessons import OwnLessons

if TYPE_CHECKING:
    from tisch.arguments import Commands
    from tisch.game import Game
    from tisch.learn.lessons import Set
    from tisch.learn.training import Settings

DESCRIPTION: Final = """\
Train a network on games: to decide as their players did, to know what each
candidate is worth, judged by playouts, or to know which deals are likely. The
records come from 'tisch arena --record', or from a database of imported logs.
An agent that learns from its own games needs no records: generation by
generation it plays against itself, learns, and is taken if it wins a match.
The folder OUT gets the weights, the metrics of each epoch as JSON lines, and a
page with learning curves and the agreement on unseen deals. A run that was
interrupted goes on where it stopped.
"""
#: The rounds that an agent plays against itself for a generation, unless it is said otherwise.
ROUNDS: Final = 1000
#: The names of the files of a run.
PLAN: Final = "plan.json"
REPORT: Final = "report.json"
PAGE: Final = "report.html"


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("learn", description=DESCRIPTION)
    learners = {name: game for game in REGISTRY.values() for name in game.learners}
    parser.add_argument("agent", metavar="AGENT", choices=learners, help=f"who learns: {', '.join(learners)}")
    parser.add_argument(
        "--data", metavar="FILE", type=Path, nargs="+", default=[], help="records, or databases of imported logs"
    )
    parser.add_argument(
        "--rounds",
        metavar="N",
        type=int,
        default=0,
        help="rounds that the core plays by the rule of thumb, as data too",
    )
    parser.add_argument("--out", metavar="OUT", type=Path, required=True, help="the folder of the run")
    parser.add_argument("--teacher", metavar="NAME", help="learn only from this agent of the records (default: all)")
    parser.add_argument("--start", metavar="WEIGHTS", type=Path, help="begin with these weights instead of random ones")
    numbers = parser.add_argument_group("training")
    _add_numbers(
        numbers,
        ("seed", int, 1, "the seed of the first weights and of the order of the decisions"),
        ("epochs", int, 12, "passes through the decisions; 0: only judge the weights of --start, by all of them"),
        ("batch", int, 256, "decisions of a step"),
        ("rate", float, 0.002, "length of the first steps"),
        ("wide", int, 128, "size of the first hidden layer"),
        ("narrow", int, 32, "size of the second hidden layer"),
    )
    numbers.add_argument(
        "--worlds",
        metavar="W",
        type=int,
        help="redeals of a decision (default: the agent's own number): for an agent that imitates 0, or those in which "
        "playouts judge the candidates; for one that learns beliefs, the deals beside the true one",
    )
    _add_numbers(
        parser.add_argument_group(f"generations of own games (--rounds each, else {ROUNDS:,})"),
        ("generations", int, 4, "the number of generations; more of them go on with the same run"),
        ("first", int, 20_000, "rounds of generation 0, which are played without a search"),
        ("visits", int, 100, "how much the search tries in a decision"),
        ("games", int, 400, "games of the match in which a generation meets the best one so far"),
        ("sure", float, 1.0, "standard errors by which it must win it to be taken"),
        ("patience", int, 3, "generations one after the other that may fail before the run ends"),
    )
    parser.set_defaults(run=run, learners=learners)


def _add_numbers(group: Any, *numbers: tuple[str, type[Any], float, str]) -> None:
    """Add options that are numbers: the name, the type, the default and the meaning of each."""
    for name, kind, default, meaning in numbers:
        group.add_argument(
            f"--{name}", metavar=name[0].upper(), type=kind, default=default, help=f"{meaning} (default: {default})"
        )


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code: 0 if the training is complete.
    """
    import_from_here()
    progress = ProgressLine(sys.stderr)
    try:
        _run(options, progress)
    except ValueError as error:
        progress.clear()
        print(f"tisch learn: {error}", file=sys.stderr)
        return 1
    return 0


def _run(options: argparse.Namespace, progress: ProgressLine) -> None:
    # For matrices so small, numpy's threads only wait for each other: one is as fast, and leaves the rest to others.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from tisch.learn.lessons import SPLIT, TEST, lessons_of  # noqa: PLC0415 - It loads numpy.
    from tisch.learn.training import agreement  # noqa: PLC0415 - It loads numpy.

    game: Game[Any] = options.learners[options.agent]
    kind, out = lessons_of(game, options.agent, options.worlds), options.out
    if isinstance(kind, OwnLessons):
        _generations(kind, options, progress)
        return
    _check(options)
    _check_size(kind, options)
    if options.rounds and not kind.plays:
        raise ValueError(
            f"The agent '{options.agent}' learns only from recorded games: give --data instead of --rounds."
        )
    settings = _settings(options, kind)
    start = _start(kind, options.start)
    lessons = _prepare(game, kind, options, settings, progress)
    network, metrics = start, list[dict[str, Any]]()
    if settings.epochs:
        network, metrics = _learn(kind, lessons, settings, options, start=start, progress=progress)
    # Where nothing is learned, nothing has to be held back.
    judged = lessons.part(TEST) if settings.epochs else lessons.part(*range(SPLIT))
    report = agreement(network, lessons, judged, kind.features, aim=settings.aim, kinds=kind.kinds)
    _write(out / REPORT, json.dumps(report, indent=2).encode() + b"\n")
    if metrics:
        from tisch.learn.page import page  # noqa: PLC0415 - Only a finished run needs it.

        title = f"{game.title}: {options.agent} learns"
        _write(out / PAGE, page(title, metrics, report, _origin(options, settings, lessons)).encode())
    for name, share in {**report["kinds"], "all": report}.items():
        gain = f", {share['gain']:+.2f} points better than it" if "gain" in share else ""
        own = f"rule of thumb {share['rule of thumb']:.1%}{gain}"
        print(f"{name:8} {share['decisions']:8,} decisions  {share['agreement']:6.1%}  ({own})")


def _generations(kind: OwnLessons[Any], options: argparse.Namespace, progress: ProgressLine) -> None:
    """Let an agent learn from its own games."""
    from tisch.learn.generations import Generations, Loop, told  # noqa: PLC0415 - It loads numpy.

    options.rounds = options.rounds or ROUNDS
    _check_own(options)
    loop = Loop(**{each.name: vars(options)[each.name] for each in fields(Loop)})
    start = options.start and _known_weights(options.start)
    _keep_plan(options.out, json.dumps({**asdict(loop), "start": start}, indent=2))
    generations = Generations(kind, loop, options.out, options.start, progress)
    try:
        for verdict in generations.run(options.generations, options.patience):
            progress.clear()
            print(told(verdict), flush=True)
    except ValueError:
        # After a number that was too small, another one may use the folder.
        if not generations.verdicts:
            (options.out / PLAN).unlink()
        raise
    except OSError as error:
        raise ValueError(f"The folder {options.out} cannot be written: {error.strerror}.") from error


def _check_own(options: argparse.Namespace) -> None:
    if options.data or options.teacher:
        raise ValueError(
            f"The agent '{options.agent}' learns only from its own games: --data and --teacher are for others."
        )
    _check_numbers(
        options,
        positive=("epochs", "batch", "first", "rounds", "visits", "games", "patience"),
        others=("seed", "generations"),
    )
    if not 0 <= options.sure < math.inf:
        raise ValueError(f"The number of standard errors must be 0 or more, not {options.sure}.")


def _known_weights(path: Path) -> str:
    try:
        return known(path)
    except OSError as error:
        raise ValueError(f"The weights {path} cannot be read: {error.strerror}.") from error


def _keep_plan(out: Path, plan: str) -> None:
    """Keep the plan of a run in its folder, or see that it is the same as before."""
    kept = out / PLAN
    if kept.exists() and kept.read_text() != plan:
        raise ValueError(f"{out} holds a run with other data or settings: choose another folder.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        kept.write_text(plan)
    except OSError as error:
        raise ValueError(f"The folder {out} cannot be written: {error.strerror}.") from error


def _learn(
    kind: Any, lessons: Set, settings: Settings, options: argparse.Namespace, *, start: Any, progress: ProgressLine
) -> tuple[Any, list[dict[str, Any]]]:
    """Train a network, keep its weights, and return it with the metrics of each epoch."""
    from tisch.learn.training import best_of, settings_text, train  # noqa: PLC0415 - It loads numpy.

    out, metrics = options.out, []
    for found in train(lessons, kind.features, settings, out, start=start, tell=progress):
        metrics.append(found)
        progress.clear()
        held = found["held"]
        print(
            f"epoch {found['epoch']}: loss {found['loss']:.4f}, on deals held back {held['loss']:.4f}, "
            f"agreement {held['agreement']:.1%}, {found['seconds']} s",
            flush=True,
        )
    network = best_of(out, kind.features, settings)
    data = [path.name for path in options.data] + ([f"{options.rounds} rounds"] if options.rounds else [])
    notes = {"agent": options.agent, "data": ", ".join(data), **settings_text(settings)}
    _write(out / WEIGHTS, kind.pack(network.sizes, network.weights(), notes))
    return network, metrics


def _origin(options: argparse.Namespace, settings: Settings, lessons: Set) -> dict[str, Any]:
    """Tell where a network comes from: the data by their content, the settings, the command and the machine."""
    from tisch.arena.provenance import surroundings  # noqa: PLC0415 - Only a finished run needs it.

    files = {f"data {number}": known(path) for number, path in enumerate(options.data, start=1)}
    start = options.start and known(options.start)
    told = {
        "agent": options.agent,
        "teacher": options.teacher,
        **files,
        "rounds": options.rounds or None,
        "start": start,
    }
    return {**told, "decisions": f"{len(lessons.kinds):,}", **asdict(settings), **surroundings()}


def _check(options: argparse.Namespace) -> None:
    if not options.epochs and not options.start:
        raise ValueError("Without an epoch nothing is learned: give --start, the weights to be judged.")
    if not options.data and not options.rounds:
        raise ValueError("There is nothing to learn from: give --data, or --rounds.")
    _check_numbers(options, positive=("batch", "wide", "narrow"), others=("seed", "worlds", "rounds", "epochs"))


def _check_numbers(options: argparse.Namespace, *, positive: Sequence[str], others: Sequence[str]) -> None:
    for name in positive:
        if getattr(options, name) < 1:
            raise ValueError(f"The {name} must be at least 1, not {getattr(options, name)}.")
    for name in others:
        if (getattr(options, name) or 0) < 0:
            raise ValueError(f"The {name} must be 0 or more, not {getattr(options, name)}.")
    if not 0 < options.rate < 1:
        raise ValueError(f"The rate must be between 0 and 1, not {options.rate}.")


def _check_size(kind: Any, options: argparse.Namespace) -> None:
    """Refuse a network before its training, if no agent could read its weights."""
    from tisch.learn.network import count  # noqa: PLC0415 - It loads numpy.

    weights = count((kind.features, options.wide, options.narrow))
    if weights > kind.most:
        raise ValueError(
            f"A network with layers of {options.wide:,} and {options.narrow:,} is too large: it has {weights:,} "
            f"weights, and a file of weights holds at most {kind.most:,}."
        )


def _settings(options: argparse.Namespace, kind: Any) -> Settings:
    from tisch.learn.training import Settings  # noqa: PLC0415 - It loads numpy.

    given = {**vars(options), "worlds": kind.worlds, "judged": kind.judged, "own": False}
    return Settings(**{field.name: given[field.name] for field in fields(Settings)})


def _prepare(
    game: Game[Any], kind: Any, options: argparse.Namespace, settings: Settings, progress: ProgressLine
) -> Set:
    """Read the lessons, or those that an earlier run of the same plan has kept."""
    from tisch.learn.lessons import check_parts, collect  # noqa: PLC0415 - It loads numpy.

    out = options.out
    plan = json.dumps(
        {
            "game": reference(game),
            "agent": options.agent,
            "teacher": options.teacher,
            # Another network may have been written to the same file.
            "start": options.start and known(options.start),
            "rounds": options.rounds,
            "data": [[path.name, path.stat().st_size if path.exists() else 0] for path in options.data],
            **asdict(settings),
        },
        indent=2,
    )
    kept = out / PLAN
    if kept.exists() and kept.read_text() != plan:
        raise ValueError(f"{out} holds a run with other data or settings: choose another folder.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        kept.write_text(plan)
        lessons: Set
        seeds = [derive(settings.seed, "rounds", number) for number in range(options.rounds)]
        lessons, broken = collect(kind, options.data, options.teacher, out, progress, seeds=seeds)
        if settings.epochs:
            check_parts(lessons, out)
    except OSError as error:
        raise ValueError(f"The folder {out} cannot be written: {error.strerror}.") from error
    except ValueError:
        # After a mistyped name, the right one may use the folder.
        if not any(out.glob("lessons-*")):
            kept.unlink(missing_ok=True)
        raise
    progress.clear()
    for sentence in broken:
        print(f"tisch learn: {sentence} It is skipped.", file=sys.stderr)
    return lessons


def _start(kind: Any, path: Path | None) -> Any:
    """Read the network to begin with."""
    if path is None:
        return None
    from tisch.learn.network import Network  # noqa: PLC0415 - It loads numpy.

    return Network.unpacked(*kind.unpack(path))


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ValueError(f"The file {path} cannot be written: {error.strerror}.") from error
