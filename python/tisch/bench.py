"""The command ``tisch bench``: measures the speed of tisch on this machine and compares it with a reference machine.

It takes two minutes; the benchmarks of the repository measure the kernels one by one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import os
import platform
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tisch import _core
from tisch.agents import Named, agents_of
from tisch.arena.match import Match
from tisch.arguments import Parser, check_writable, unwritable
from tisch.game import Game, Random
from tisch.games import REGISTRY, tichu
from tisch.games.tichu import odds
from tisch.games.tichu.cards import DECK
from tisch.server import command

if TYPE_CHECKING:
    from tisch.arguments import Commands

#: The figures of the reference machine, written by ``tisch bench --save``.
REFERENCE: Final = Path(__file__).with_name("bench.json")
#: Long games are measured in their shortest form.
SHORT: Final[dict[str, dict[str, int]]] = {"tichu": {"rounds": 1}, "sechsundsechzig": {"goal": 1}}
#: The number of hands that a mean is taken over.
HANDS: Final = 200
#: The minimum time for which agents play, in seconds.
PLAYING: Final = 0.5
#: The policies of the core's playouts, and the number of cards left in the middle of a round.
POLICIES: Final = ("random", "greedy", "heuristic")
MIDDLE: Final = 28
#: The numbers of tables with which the server is measured, and for how long, in seconds.
TABLES: Final = (10, 100)
SERVING: Final = 20.0
#: The content of the file that ``--save`` writes.
WHAT: Final = "file of figures"
TIME, TURNAROUND, RATE = "ns", "ms", "rounds/s"


class Figure(msgspec.Struct, frozen=True):
    """A measured figure.

    :ivar name: Its name.
    :ivar value: Its value.
    :ivar unit: :data:`TIME` or :data:`TURNAROUND`, where less is better, or :data:`RATE`, where more is.
    """

    name: str
    value: float
    unit: str

    def times(self, other: Figure) -> float:
        """Compare the figure with another machine's.

        :param other: The same figure of the other machine.
        :result: The factor by which this machine is faster.
        """
        return self.value / other.value if self.unit == RATE else other.value / self.value

    def __str__(self) -> str:
        digits = 1 if self.value < 100 else 0
        return f"{self.value:,.{digits}f} {self.unit}"


class Measured(msgspec.Struct, frozen=True):
    """The figures of a machine.

    :ivar machine: A description of the machine.
    :ivar figures: Its figures.
    """

    machine: str
    figures: list[Figure]


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser(
        "bench",
        description="Measure how fast tisch runs on this machine, compared with a reference machine. It takes two "
        "minutes; do not use the machine for anything else meanwhile.",
    )
    parser.add_argument("--json", action="store_true", help="print only the figures, as a JSON object")
    parser.add_argument("--only", metavar="NAME", default="", help="measure only figures whose names begin with NAME")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the figures to this file, as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    try:
        if options.save:
            check_writable(options.save, WHAT)
    except ValueError as error:
        print(f"tisch bench: {error}", file=sys.stderr)
        return 2
    measured = measure(options.only) if options.json else _compared(options.only)
    figures = [msgspec.structs.replace(figure, value=float(f"{figure.value:.4g}")) for figure in measured]
    if not figures:
        print(f"tisch bench: No figure has a name that begins with '{options.only}'.", file=sys.stderr)
        return 2
    if options.json:
        print(msgspec.json.format(msgspec.json.encode({figure.name: figure.value for figure in figures})).decode())
    if options.save:
        text = msgspec.json.format(msgspec.json.encode(Measured(machine(), figures)))
        try:
            options.save.write_bytes(text + b"\n")
        except OSError as error:
            print(f"tisch bench: {unwritable(options.save, WHAT, error)}", file=sys.stderr)
            return 1
    return 0


def _compared(only: str) -> Iterator[Figure]:
    """Measure, and print each figure beside that of the reference machine."""
    reference = msgspec.json.decode(REFERENCE.read_bytes(), type=Measured)
    there = {figure.name: figure for figure in reference.figures}
    print(f"here:      {machine()}\nreference: {reference.machine}\n")
    print(_row("", "here", "reference", "times as fast"))
    for figure in measure(only):
        print(row(figure, there.get(figure.name)), flush=True)
        yield figure


def row(here: Figure, there: Figure | None) -> str:
    """Format a line of the table.

    :param here: This machine's figure.
    :param there: The reference machine's figure, if it has one.
    :result: The line.
    """
    return _row(here.name, str(here), str(there or "–"), f"{here.times(there):.2f}" if there else "–")


def _row(*cells: str) -> str:
    return "{:<32}{:>18}{:>18}{:>15}".format(*cells)


def machine() -> str:
    """Describe this machine, without its name.

    :result: Processor, cores, system and Python.
    """
    system = f"{platform.system()} {platform.machine()}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{_processor()}, {os.cpu_count()} cores, {system}, {python}"


def _processor() -> str:
    """Return the name of the processor, or of the board where processors have no name, as on a Raspberry Pi."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    facts = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    return facts.get("model name") or facts.get("Model") or platform.processor() or "unknown processor"


def measure(only: str = "") -> Iterator[Figure]:
    """Measure this machine.

    :param only: (Optional) The prefix that the names of the figures must have.
    :result: The figures, one by one.
    """
    for name, unit, ask in measurements():
        if name.startswith(only):
            yield Figure(name, ask(), unit)


def measurements() -> Iterator[tuple[str, str, Callable[[], float]]]:
    """List the measurements.

    :result: The name, the unit and the measuring function of each figure.
    """
    yield "empty call into the core", TIME, partial(nanoseconds, _core.empty, calls=1)
    for name, function in _kernels().items():
        yield name, TIME, partial(nanoseconds, function, calls=HANDS)
    for start in ("deal", "middle"):
        for policy in POLICIES:
            yield f"playouts.{start}.{policy}", RATE, partial(playouts_a_second, start, policy)
    for game in REGISTRY.values():
        for agent in agents_of(game):
            yield f"arena, {game.name}, {agent}", RATE, partial(rounds_a_second, game, agent)
    for tables in TABLES:
        for share in ("p50", "p99"):
            yield f"server, {tables} tables, {share}", TURNAROUND, partial(turnaround, tables, share)


def nanoseconds(function: Callable[[], Any], *, calls: int) -> float:
    """Measure the time of a function.

    :param function: The function.
    :param calls: The number of kernel calls that one call of the function makes.
    :result: The processor time of one kernel call in nanoseconds, in the best of nine runs.
    """
    timer = timeit.Timer(function, timer=time.process_time)
    number, _ = timer.autorange()
    number = max(number // 10, 1)
    return min(timer.repeat(repeat=9, number=number)) / number / calls * 1e9


def rounds_a_second(game: Game[Any], agent: Named) -> float:
    """Measure how fast an agent plays against itself in this process: in the core if it is a policy.

    :param game: The game.
    :param agent: The agent.
    :result: The rounds per second of processor time.
    """
    games = 1
    while True:
        start = time.process_time()
        result = Match(game, [agent, agent], options=SHORT.get(game.name), games=games, workers=0).run().as_dict()
        seconds = time.process_time() - start
        if seconds >= PLAYING:
            rounds: int = result["rounds"]
            return rounds / seconds
        games *= 4


def playouts_a_second(start: str, policy: str) -> float:
    """Measure how fast the core plays rounds of Tichu to their end, on one core.

    :param start: ``deal``, or ``middle``, with 28 cards left.
    :param policy: The policy of all seats.
    :result: The rounds per second of processor time, in the best of five runs.
    """
    rounds = [None] if start == "deal" else _middles()
    each = 1
    best = 0.0
    runs = 0
    while runs < 5:
        begin = time.process_time()
        for round in rounds:
            _core.tichu.playouts(round, each, policy, runs)
        seconds = time.process_time() - begin
        if seconds < PLAYING / 5:
            each *= 4
        else:
            best = max(best, len(rounds) * each / seconds)
            runs += 1
    return best


@cache
def _middles() -> list[tichu.Round | None]:
    """Play random moves until rounds are in their middle."""
    rounds: list[tichu.Round | None] = []
    for number in range(64):
        random = Random(number, "middle")
        round = tichu.simulate(tichu.GAME.new(tichu.Options(rounds=1), number))
        while sum(hand.bit_count() for hand in round.hands) > MIDDLE:
            seat = round.awaiting()[0]
            round.apply(seat, random.choice(round.legal(seat)))
        if round.awaiting():
            rounds.append(round)
    return rounds


def turnaround(tables: int, share: str) -> float:
    """Measure the turnaround of a server whose tables play at a human pace.

    :param tables: The number of tables.
    :param share: ``p50`` or ``p99``.
    :result: The time in milliseconds within which the server notified this share of the players of their own move.
    """
    value: float = _load(tables)[f"turnaround {share}, ms"]
    return value


@cache
def _load(tables: int) -> dict[str, Any]:
    """Measure the server as ``tisch load`` does, once for all figures."""
    # The import is slow, and the other commands must not wait for it.
    load = import_module("tisch.server.load")
    options = Parser()
    command.add_load(options.add_subparsers())
    with contextlib.redirect_stderr(io.StringIO()):
        return asyncio.run(load.measure(options.parse_args(["load", f"--tables={tables}", f"--seconds={SERVING}"])))


def _kernels() -> dict[str, Callable[[], Any]]:
    """List the most frequent calls, over hands of 14 cards and the 42 unseen cards."""
    random, deck = Random(2, "bench"), list(DECK)
    hands, unseen = [], []
    for _ in range(HANDS):
        random.shuffle(deck)
        hands.append(tichu.Cards(deck[:14]))
        unseen.append(tichu.Cards(deck[14:]))
    pair = tichu.classify(tichu.Cards("S5 G5"))
    assert pair is not None
    return {
        "combinations of a hand": lambda: [tichu.combinations(hand) for hand in hands],
        "plays on a pair": lambda: [tichu.plays(hand, pair) for hand in hands],
        "fewest combinations of a hand": lambda: [tichu.fewest(hand) for hand in hands],
        "odds of a higher pair": lambda: [odds.higher(cards, 14, pair) for cards in unseen],
        "odds of beating a pair": lambda: [odds.beats(cards, 14, pair) for cards in unseen],
    }
