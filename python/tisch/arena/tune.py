"""The command ``tisch tune``: finds better values for the parameters of an agent by playing it against itself.

The method is SPSA, simultaneous perturbation stochastic approximation. Each iteration moves all parameters a little,
each up or down by lot, plays the agent moved so against the agent moved the other way over paired deals, and goes
towards the winner. Steps and perturbations shrink as Spall advises. At the end a sequential test on other deals says
whether the found values are better than those at the start: the best of many noisy results is mostly luck.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tisch._core import derive
from tisch.agents import load_agent
from tisch.agents.code import identity_of
from tisch.agents.parameters import Parameter, Written, parameters_of, read, shown
from tisch.arena.match import Match
from tisch.arena.play import BrokenMatch
from tisch.arena.result import Result
from tisch.arena.stopping import Sprt
from tisch.arguments import loose_options, named
from tisch.game import Game, Random
from tisch.games import find, reference
from tisch.importing import import_from_here, version
from tisch.record import changed_options, options_of

if TYPE_CHECKING:
    from tisch.arguments import Commands

DESCRIPTION: Final = """\
Tune numeric parameters of an agent by SPSA over paired deals: the agent plays against itself with slightly different
values. At the end a sequential test on other deals compares the found values with those at the start.
"""
MARK: Final = "tisch tune journal"
FORMAT: Final = 1
#: Spall's exponents: how the steps and the perturbations shrink.
ALPHA: Final = 0.602
GAMMA: Final = 0.101
#: The share of the iterations before which steps hardly shrink.
STABLE: Final = 0.1
#: The share of the iterations, at the end, whose mean is the result.
AVERAGED: Final = 0.5
#: The significant digits of a value.
DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter that is tuned.

    :ivar name: Its name.
    :ivar low: The lowest value.
    :ivar high: The highest value.
    :ivar start: The value at the start.
    :ivar whole: Whether values are whole numbers.
    """

    name: str
    low: float
    high: float
    start: float
    whole: bool

    def value(self, place: float) -> float:
        """Return the value at a place of the range.

        :param place: The place, 0 to 1; other places count as the nearest end.
        :result: The value, rounded as an agent can have it.
        """
        value = self.low + min(max(place, 0.0), 1.0) * (self.high - self.low)
        return round(value) if self.whole else float(f"{value:.{DIGITS}g}")

    @property
    def place(self) -> float:
        """The place of the start in the range."""
        return (self.start - self.low) / (self.high - self.low)

    @property
    def least(self) -> float:
        """The smallest perturbation that makes a difference."""
        return 0.5 / (self.high - self.low) if self.whole else 0.0


class Iteration(msgspec.Struct, frozen=True):
    """An iteration, as the journal keeps it.

    :ivar number: Its number, from 0.
    :ivar up: The agent that was moved one way.
    :ivar down: The agent that was moved the other way.
    :ivar signal: The mean lead of the first one in a deal, in standard deviations of a deal.
    :ivar places: The places of the parameters after the iteration.
    """

    number: int
    up: str
    down: str
    signal: float
    places: list[float]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that a tuning depends on.

    :ivar game: The game.
    :ivar options: Its options.
    :ivar agent: The agent as it is written, with its other parameters.
    :ivar axes: The parameters that are tuned.
    :ivar iterations: The number of iterations.
    :ivar games: The number of games of an iteration.
    :ivar seed: The seed of all chance.
    :ivar step: The first perturbation, as a share of a parameter's range.
    :ivar rate: The first step, as a share of the range for a signal of 1 and a perturbation of ½.
    """

    game: Game[Any]
    options: Any
    agent: str
    axes: tuple[Axis, ...]
    iterations: int = 100
    games: int = 100
    seed: int = 0
    step: float = 0.1
    rate: float = 0.1

    def __post_init__(self) -> None:
        """Refuse bad values."""
        if len({axis.name for axis in self.axes}) < len(self.axes):
            raise ValueError("A parameter to tune is named twice.")
        if self.iterations < 1 or self.games < 4:
            raise ValueError("A tuning needs at least 1 iteration of at least 4 games.")
        if not (0 < self.step <= 0.5 and 0 < self.rate <= 10):
            raise ValueError("The first perturbation must be above 0 and at most 0.5, the rate above 0 and at most 10.")
        if not 0 <= self.seed < 1 << 64:
            raise ValueError(f"The seed must be a number from 0 to 2^64 - 1, not {self.seed}.")

    def written(self, places: Sequence[float]) -> str:
        """Return the agent with the parameters at certain places.

        :param places: The places.
        :result: The agent's text.
        """
        name, given = _split(self.agent)
        tuned = {axis.name: shown(axis.value(place)) for axis, place in zip(self.axes, places, strict=True)}
        return f"{name}:" + ",".join(f"{key}={value}" for key, value in {**given, **tuned}.items())

    def identity(self) -> dict[str, Any]:
        """Return the values that identify the tuning, so that its journal fits no other.

        :result: The values.
        """
        return {
            "version": version(),
            "game": reference(self.game),
            "options": changed_options(self.options),
            "agent": self.agent,
            **identity_of(self.game, [self.agent]),
            "axes": [[axis.name, axis.low, axis.high, axis.start] for axis in self.axes],
            "games": self.games,
            "seed": self.seed,
            "step": self.step,
            "rate": self.rate,
            "iterations": self.iterations,
        }


def axis_of(game: Game[Any], agent: str, text: str) -> Axis:
    """Read a parameter that is to be tuned.

    :param game: The game.
    :param agent: The agent as it is written.
    :param text: The parameter, ``NAME=LOW..HIGH``.
    :result: The axis; it starts at the agent's own value.
    :raises ValueError: The text is wrong, or the agent has no such number; the message says what there is.
    """
    name, equals, span = text.partition("=")
    low, dots, high = span.partition("..")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = math.nan, math.nan
    if not (equals and dots and ends[0] < ends[1] and all(map(math.isfinite, ends))):
        raise ValueError(f"A parameter to tune is written NAME=LOW..HIGH, such as margin=0.5..4, not '{text}'.")
    written = read(agent)
    known = parameters_of(load_agent(game, written.name), written.name)
    numbers = {
        key: each for key, each in known.items() if each.kind in (int, float) and _start(each, written) is not None
    }
    if name not in numbers:
        there = ", ".join(map(str, numbers.values())) or "none"
        raise ValueError(f"The agent '{written.name}' has no number '{name}' to tune; it has {there}.")
    start = _start(numbers[name], written)
    assert start is not None
    if not ends[0] <= start <= ends[1]:
        raise ValueError(f"The parameter '{name}' starts at {start:g}, which is not from {low} to {high}.")
    return Axis(name, *ends, start, numbers[name].kind is int)


def _start(parameter: Parameter, written: Written) -> float | None:
    value = written.given.get(parameter.name, parameter.default)
    return float(value) if isinstance(value, int | float | str) else None


def _split(agent: str) -> tuple[str, Mapping[str, str]]:
    written = read(agent)
    return written.name, written.given


@dataclass(slots=True)
class Tuning:
    """A tuning; :meth:`run` goes on where its journal ends.

    :ivar plan: What is tuned.
    :ivar workers: The number of processes; with 0 the current process plays.
    :ivar journal: (Optional) The file that keeps finished iterations.
    :ivar progress: (Optional) A callback that receives the tuning after each iteration.
    :ivar done: The finished iterations.
    """

    plan: Plan
    workers: int | None = None
    journal: Path | None = None
    progress: Callable[[Tuning], None] | None = None
    done: list[Iteration] = field(default_factory=list)

    def run(self) -> str:
        """Play the missing iterations.

        :result: The agent with the found values.
        :raises ValueError: The journal cannot be used.
        """
        if self.journal:
            self.done = _read(self.journal, self.plan)
        while len(self.done) < self.plan.iterations:
            iteration = self._iterate(len(self.done))
            self.done.append(iteration)
            if self.journal:
                with named(self.journal, "journal"), self.journal.open("ab") as file:
                    file.write(msgspec.json.encode(iteration) + b"\n")
            if self.progress:
                self.progress(self)
        return self.found

    @property
    def places(self) -> list[float]:
        """The places of the parameters now."""
        return self.done[-1].places if self.done else [axis.place for axis in self.plan.axes]

    @property
    def found(self) -> str:
        """The agent with the mean of the last iterations, which is surer than the last one."""
        last = self.done[-max(math.ceil(len(self.done) * AVERAGED), 1) :]
        columns = zip(*(each.places for each in last), strict=True)
        return self.plan.written([math.fsum(column) / len(last) for column in columns] or self.places)

    def test(self, sprt: Sprt, games: int) -> Result:
        """Compare the found values with those at the start, on deals that no iteration has played.

        :param sprt: The test.
        :param games: The number of games after which it ends in any case.
        :result: The result of the match; it goes on from the journal's own file.
        """
        plan = self.plan
        start = plan.written([axis.place for axis in plan.axes])
        return Match(
            plan.game,
            [self.found, start],
            options=plan.options,
            games=games,
            seed=derive(plan.seed, "test", 0),
            workers=self.workers,
            sprt=sprt,
            journal=self.journal and self.journal.with_name(f"{self.journal.name}.test"),
        ).run()

    def _iterate(self, number: int) -> Iteration:
        """Play one iteration: the moved agents against each other, then a step towards the better one."""
        plan, places = self.plan, self.places
        random = Random(plan.seed, "tune", number)
        signs = [1 if random.below(2) else -1 for _ in plan.axes]
        shrunk = plan.step / (number + 1) ** GAMMA
        sizes = [max(shrunk, axis.least) for axis in plan.axes]
        moves = [sign * size for sign, size in zip(signs, sizes, strict=True)]
        # At the edge of a range both agents move inwards, so that they stay apart.
        bases = [min(max(place, size), 1 - size) for place, size in zip(places, sizes, strict=True)]
        up = plan.written([base + move for base, move in zip(bases, moves, strict=True)])
        down = plan.written([base - move for base, move in zip(bases, moves, strict=True)])
        signal = self._signal(up, down, derive(plan.seed, "tune", number))
        rate = plan.rate * ((1 + STABLE * plan.iterations) / (number + 1 + STABLE * plan.iterations)) ** ALPHA
        after = [
            min(max(place + rate * signal / (2 * move), 0.0), 1.0) for place, move in zip(places, moves, strict=True)
        ]
        return Iteration(number, up, down, signal, after)

    def _signal(self, up: str, down: str, seed: int) -> float:
        plan = self.plan
        match = Match(plan.game, [up, down], options=plan.options, games=plan.games, seed=seed, workers=self.workers)
        standing = match.run().standing
        for totals in standing.totals:
            if totals.first_fault:
                raise ValueError(f"The agent '{totals.label}' failed: {totals.first_fault.text}")
        points = standing.first.points
        if points.deals < 2 or not points.numerator:
            return 0.0
        # The spread of a deal's lead; if all leads are equal, the sign alone is known.
        spread = math.sqrt(points.deviation() / (points.deals - 1))
        mean = points.numerator / points.denominator
        return max(-1.0, min(mean / spread, 1.0)) if spread else math.copysign(1.0, mean)


def _read(path: Path, plan: Plan) -> list[Iteration]:
    """Read the finished iterations of a journal; a new journal gets its first line, a torn last line is dropped."""
    head = msgspec.json.encode({MARK: FORMAT, **plan.identity()}) + b"\n"
    try:
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if not lines:
            path.write_bytes(head)
            return []
    except OSError as error:
        raise ValueError(f"The journal {path} cannot be used: {error.strerror}.") from error
    if lines[0] != head:
        raise ValueError(f"The file {path} is not the journal of this tuning: {_difference(lines[0], head)}.")
    whole = [line for line in lines if line.endswith(b"\n")]
    path.write_bytes(b"".join(whole))
    try:
        return [msgspec.json.decode(line, type=Iteration) for line in whole[1:]]
    except msgspec.DecodeError as error:
        raise ValueError(f"The journal {path} has a line that is no iteration: {error}.") from error


def _difference(found: bytes, wanted: bytes) -> str:
    try:
        theirs = msgspec.json.decode(found, type=dict[str, Any])
    except msgspec.DecodeError:
        theirs = {}
    ours = msgspec.json.decode(wanted, type=dict[str, Any])
    key = next((key for key in ours if theirs.get(key) != ours[key]), MARK)
    return f"there '{key}' is {json.dumps(theirs.get(key))}, here it is {json.dumps(ours[key])}"


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("tune", description=DESCRIPTION)
    parser.add_argument("game", metavar="GAME", help="the game")
    parser.add_argument("agent", metavar="AGENT", help="the agent, with other parameters if wanted")
    parser.add_argument(
        "--param",
        metavar="NAME=LOW..HIGH",
        action="append",
        required=True,
        help="a number to tune and its range; may be repeated",
    )
    parser.add_argument("--option", metavar="KEY=VALUE", action="append", default=[], help="an option of the game")
    parser.add_argument("--iterations", metavar="N", type=int, default=100, help="iterations (default: %(default)s)")
    parser.add_argument(
        "--games", metavar="N", type=int, default=100, help="games of an iteration (default: %(default)s)"
    )
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="the seed of all randomness (default: 0)")
    parser.add_argument(
        "--workers", metavar="W", type=int, help="worker processes (default: one per processor; 0: none)"
    )
    parser.add_argument(
        "--step",
        metavar="C",
        type=float,
        default=0.1,
        help="the first perturbation, a share of the range (default: 0.1)",
    )
    parser.add_argument(
        "--rate", metavar="A", type=float, default=0.1, help="the size of the first step (default: 0.1)"
    )
    parser.add_argument(
        "--sprt",
        metavar=("ELO0", "ELO1"),
        nargs=2,
        type=float,
        default=(0.0, 10.0),
        help="the last test (default: 0 10)",
    )
    parser.add_argument(
        "--test-games",
        metavar="N",
        type=int,
        default=20_000,
        help="the most games of it; 0: none (default: %(default)s)",
    )
    parser.add_argument(
        "--journal", metavar="FILE", type=Path, help="keep every iteration in FILE, and continue from it"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    import_from_here()
    try:
        game = find(options.game)
        plan = Plan(
            game,
            options_of(game, loose_options(options.option)),
            options.agent,
            tuple(axis_of(game, options.agent, text) for text in options.param),
            options.iterations,
            options.games,
            options.seed,
            options.step,
            options.rate,
        )
        elo0, elo1 = options.sprt
        sprt = Sprt(elo0, elo1)
        tuning = Tuning(plan, options.workers, options.journal, _tell)
        tuning.run()
        result = tuning.test(sprt, options.test_games) if options.test_games else None
    except ValueError as error:
        print(f"tisch tune: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"tisch tune: {error.strerror or error}", file=sys.stderr)
        return 1
    except BrokenMatch as error:
        print(f"tisch tune: A match cannot continue. {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("tisch tune: interrupted; with --journal the same command goes on from here.", file=sys.stderr)
        return 130
    print(json.dumps(as_dict(tuning, result), indent=2) if options.json else text_of_tuning(tuning, result))
    return 0


def _tell(tuning: Tuning) -> None:
    """Show the progress."""
    last = tuning.done[-1]
    line = f"{last.number + 1}/{tuning.plan.iterations}  signal {last.signal:+.3f}  {tuning.plan.written(last.places)}"
    print(line, file=sys.stderr, flush=True)


def as_dict(tuning: Tuning, result: Result | None) -> dict[str, Any]:
    """Return a finished tuning as plain values.

    :param tuning: The tuning.
    :param result: The result of the last test, if it was played.
    :result: Values that JSON can hold.
    """
    plan = tuning.plan
    return {
        **plan.identity(),
        "start": plan.written([axis.place for axis in plan.axes]),
        "found": tuning.found,
        "course": [
            [axis.value(place) for axis, place in zip(plan.axes, each.places, strict=True)] for each in tuning.done
        ],
        "signals": [round(each.signal, DIGITS) for each in tuning.done],
        "test": result and {key: value for key, value in result.as_dict().items() if key not in ("seconds", "version")},
    }


def text_of_tuning(tuning: Tuning, result: Result | None) -> str:
    """Format a finished tuning for a terminal.

    :param tuning: The tuning.
    :param result: The result of the last test, if it was played.
    :result: Several lines.
    """
    plan = tuning.plan
    lines = [f"start  {plan.written([axis.place for axis in plan.axes])}", f"found  {tuning.found}"]
    if result:
        points, elo = result.standing.first.points_per_round(), result.standing.first.elo()
        assert points
        assert elo
        lines.append(f"points a round {points.value:+.3f}, Elo {elo.value:+.1f} in {result.standing.games} games")
        lines.append(str(result.stopped))
    return "\n".join(lines)
