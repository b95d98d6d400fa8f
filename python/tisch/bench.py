"""The command ``tisch bench``: how fast tisch runs on this machine, beside the machine whose figures are published.

It shows in two minutes what to expect of a machine; the benches of the repository measure the kernels one by one.
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
from tisch.agents import agents_of
from tisch.arena.match import Match
from tisch.arguments import Parser, check_writable, unwritable
from tisch.game import Game, Random
from tisch.games import REGISTRY, tichu
from tisch.games.tichu import odds
from tisch.games.tichu.cards import DECK
from tisch.server import command

if TYPE_CHECKING:
    from tisch.cli import Commands

#: The figures of the reference machine, written by ``tisch bench --save``.
REFERENCE: Final = Path(__file__).with_name("bench.json")
#: Games that last long are measured in their shortest form.
SHORT: Final[dict[str, dict[str, int]]] = {"tichu": {"rounds": 1}, "sechsundsechzig": {"goal": 1}}
#: How many hands a mean is taken over.
HANDS: Final = 200
#: For how long agents play at least, in seconds.
PLAYING: Final = 0.5
#: How the core's playouts are played, and how many cards are left in the middle of a round.
POLICIES: Final = ("random", "greedy", "heuristic")
MIDDLE: Final = 28
#: Under how many tables the server is measured, and for how long, in seconds.
TABLES: Final = (10, 100)
SERVING: Final = 20.0
#: What ``--save`` writes.
WHAT: Final = "file of figures"
TIME, TURNAROUND, RATE = "ns", "ms", "rounds/s"


class Figure(msgspec.Struct, frozen=True):
    """What was measured.

    :ivar name: What it is about.
    :ivar value: The figure.
    :ivar unit: :data:`TIME` or :data:`TURNAROUND`, where less is better, or :data:`RATE`, where more is.
    """

    name: str
    value: float
    unit: str

    def times(self, other: Figure) -> float:
        """Compare it with another machine's.

        :param other: The same figure of the other machine.
        :result: How many times as fast this machine is.
        """
        return self.value / other.value if self.unit == RATE else other.value / self.value

    def __str__(self) -> str:
        digits = 1 if self.value < 100 else 0
        return f"{self.value:,.{digits}f} {self.unit}"


class Measured(msgspec.Struct, frozen=True):
    """The figures of a machine.

    :ivar machine: Which one, in words.
    :ivar figures: What was measured on it.
    """

    machine: str
    figures: list[Figure]


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: Where it is added.
    """
    parser = commands.add_parser(
        "bench",
        help="measure this machine",
        description="Measure how fast tisch runs on this machine, beside a reference machine. It takes two minutes; "
        "leave the machine alone meanwhile.",
    )
    parser.add_argument("--json", action="store_true", help="print the figures only, as a JSON object by their names")
    parser.add_argument("--only", metavar="NAME", default="", help="measure only figures whose names begin so")
    parser.add_argument("--save", metavar="FILE", type=Path, help="keep the figures here, as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: What was asked for.
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
    """Measure, and print the figures beside those of the reference machine as they come."""
    reference = msgspec.json.decode(REFERENCE.read_bytes(), type=Measured)
    there = {figure.name: figure for figure in reference.figures}
    print(f"here:      {machine()}\nreference: {reference.machine}\n")
    print(_row("", "here", "reference", "times as fast"))
    for figure in measure(only):
        print(row(figure, there.get(figure.name)), flush=True)
        yield figure


def row(here: Figure, there: Figure | None) -> str:
    """Write a line of the table.

    :param here: This machine's figure.
    :param there: The reference machine's, if it has one.
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
    """Find the processor's name, or that of the board where processors have none, as on a Raspberry Pi."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    facts = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    return facts.get("model name") or facts.get("Model") or platform.processor() or "unknown processor"


def measure(only: str = "") -> Iterator[Figure]:
    """Measure this machine.

    :param only: (Optional) What the names of the figures must begin with.
    :result: The figures, as they come.
    """
    for name, unit, ask in measurements():
        if name.startswith(only):
            yield Figure(name, ask(), unit)


def measurements() -> Iterator[tuple[str, str, Callable[[], float]]]:
    """List what is measured.

    :result: For each figure its name, its unit, and what measures it.
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
    """Take the time of a function.

    :param function: What to call.
    :param calls: How many calls of the kernel one call of it makes.
    :result: The nanoseconds that one of these takes of the processor's time, in the best of nine runs: the others were
        disturbed.
    """
    timer = timeit.Timer(function, timer=time.process_time)
    number, _ = timer.autorange()
    number = max(number // 10, 1)
    return min(timer.repeat(repeat=9, number=number)) / number / calls * 1e9


def rounds_a_second(game: Game[Any], agent: str) -> float:
    """Let an agent play against itself in this process.

    :param game: The game.
    :param agent: The agent's name.
    :result: How many rounds it plays in a second of the processor's time.
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
    """Let the core play rounds of Tichu to their end, on one core.

    :param start: ``deal``, or ``middle``, where 28 cards are left.
    :param policy: How all seats play.
    :result: How many rounds it plays in a second of the processor's time, in the best of five runs: the others were
        disturbed.
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
    """Bring rounds by chance to their middle."""
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
    """Let tables play on a server at a human pace.

    :param tables: How many.
    :param share: ``p50`` or ``p99``.
    :result: In how many milliseconds this share of the moves was told to the player who had made it.
    """
    value: float = _load(tables)[f"turnaround {share}, ms"]
    return value


@cache
def _load(tables: int) -> dict[str, Any]:
    """Measure the server as ``tisch load`` does, once for all figures."""
    # What it needs takes long to import, which the other commands must not wait for.
    load = import_module("tisch.server.load")
    options = Parser()
    command.add_load(options.add_subparsers())
    with contextlib.redirect_stderr(io.StringIO()):
        return asyncio.run(load.measure(options.parse_args(["load", f"--tables={tables}", f"--seconds={SERVING}"])))


def _kernels() -> dict[str, Callable[[], Any]]:
    """List what is asked most, over hands of 14 cards and what is unseen beside them."""
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
