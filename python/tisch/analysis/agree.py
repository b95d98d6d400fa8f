"""The command ``tisch agree``: how often agents decide as the players of recorded games did."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tisch import driver
from tisch.agents import build_agent
from tisch.arguments import ProgressLine
from tisch.data.sources import Recorded, Source, open_source
from tisch.game import Agent, Game, Random, State
from tisch.games import find
from tisch.importing import import_from_here, load
from tisch.ports.habits import Habits
from tisch.record import RecordError

if TYPE_CHECKING:
    from tisch.arguments import Commands

DESCRIPTION: Final = """\
Ask agents for their moves in the decisions of recorded games, and compare them with those that were made: by kind of
decision, and by what people tend to do. The games come from 'tisch arena --record', or from a database of imported
logs.
"""
#: The name of all kinds together.
ALL: Final = "all"
#: The half width of a 95 % interval in standard errors.
WIDTH: Final = 1.96


@dataclass(slots=True)
class Count:
    """How often something was so, by game: the decisions of a game are not independent.

    :ivar games: For each game the number of decisions, and of those in which it was so.
    """

    games: list[tuple[int, int]] = field(default_factory=list)

    @property
    def decisions(self) -> int:
        """The number of decisions."""
        return sum(count for count, _ in self.games)

    @property
    def share(self) -> float:
        """The share of decisions in which it was so; not a number without any."""
        return sum(so for _, so in self.games) / self.decisions if self.decisions else math.nan

    @property
    def error(self) -> float:
        """The half width of the 95 % interval, by the ratio estimate over games; not a number for fewer than two."""
        if len(self.games) < 2 or not self.decisions:
            return math.nan
        share, count = self.share, len(self.games)
        squares = sum((so - share * decisions) ** 2 for decisions, so in self.games)
        return WIDTH * math.sqrt(squares * count / (count - 1)) / self.decisions

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        shown = {"share": self.share, "error": self.error}
        return {
            "decisions": self.decisions,
            **{name: None if math.isnan(value) else value for name, value in shown.items()},
        }


@dataclass(slots=True)
class Agreement:
    """What was found.

    :ivar agents: The agents as they are written.
    :ivar same: For each kind of decision the agents' agreement with the players.
    :ivar habits: For each habit how often the players, and then the agents, have it.
    :ivar games: The number of games.
    :ivar skipped: A sentence for each game that could not be replayed.
    """

    agents: Sequence[str]
    same: dict[str, list[Count]]
    habits: dict[str, list[Count]]
    games: int = 0
    skipped: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return what was found as plain values; the same games and agents give the same ones."""

        def rows(found: dict[str, list[Count]], who: Sequence[str]) -> dict[str, Any]:
            return {
                name: {each: count.as_dict() for each, count in zip(who, counts, strict=True)}
                for name, counts in found.items()
            }

        return {
            "games": self.games,
            "skipped": self.skipped,
            "agreement": rows(self.same, self.agents),
            "habits": rows(self.habits, ["players", *self.agents]),
        }


def agree(
    files: Sequence[Path],
    agents: Sequence[str],
    *,
    games: int | None = None,
    seed: int = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> Agreement:
    """Compare agents with the players of recorded games.

    :param files: Records of the arena, or databases that a game can read.
    :param agents: The agents as they are written.
    :param games: (Optional) The most games to take.
    :param seed: (Optional) The seed of all chance.
    :param tell: (Optional) Called with the progress.
    :result: What was found.
    :raises ValueError: A file or an agent cannot be used; the message names it.
    """
    if games is not None and games < 1:
        raise ValueError(f"At least one game is needed, not {games}.")
    comparison: _Comparison | None = None
    for number, recorded in enumerate(_games(files)):
        if number == games:
            break
        if comparison is None:
            comparison = _Comparison(recorded.game, agents, seed)
        elif recorded.game != comparison.name:
            raise ValueError(f"The games are of two kinds, '{comparison.name}' and '{recorded.game}': one is needed.")
        comparison.add(recorded)
        tell(f"{number + 1:,} games")
    if comparison is None:
        raise ValueError("There is no game in these files.")
    return comparison.found


def _games(files: Sequence[Path]) -> Iterator[Recorded]:
    for path in files:
        source: Source = open_source(path)
        try:
            places = [found[0] for found in source.scan(0) if not isinstance(found, str)]
            for place in places:
                yield source.read(place)
        finally:
            source.close()


class _Comparison:
    """Plays recorded games through, and asks the agents at each decision.

    :param name: The game's name.
    :param agents: The agents as they are written.
    :param seed: The seed of all chance.
    """

    def __init__(self, name: str, agents: Sequence[str], seed: int) -> None:
        self.name, self._seed = name, seed
        self._game: Game[Any] = find(name)
        if not self._game.habits:
            raise ValueError(f"The game '{name}' does not name its kinds of decisions, so agents cannot be compared.")
        self._habits: Habits = load(self._game.habits, "habits")()
        self._build = [partial(build_agent, self._game, agent) for agent in agents]
        for build in self._build:
            build()
        kinds = {kind: [Count() for _ in agents] for kind in (*self._habits.kinds, ALL)}
        habits = {habit: [Count() for _ in range(1 + len(agents))] for habit in self._habits.names}
        self.found = Agreement(agents, kinds, habits)

    def add(self, recorded: Recorded) -> None:
        """Compare the decisions of a game.

        :param recorded: The game.
        """
        marks = _Marks()
        asked = [self._seats(build) for build in self._build]
        try:
            for state, seat, move in recorded.turns:
                if seat in state.awaiting():
                    self._compare(state, seat, move, asked, marks)
        except RecordError as error:
            self.found.skipped.append(f"{recorded.place} was left out: {error}")
            return
        self.found.games += 1
        marks.add_to(self.found)

    def _seats(self, build: Callable[[], Agent[Any]]) -> Callable[[State[Any], int], Any]:
        """Return a function that asks an agent for its move; each seat has one of its own."""
        seats: dict[int, Agent[Any]] = {}
        number = self.found.games

        def ask(state: State[Any], seat: int) -> Any:
            if seat not in seats:
                seats[seat] = build()
                seats[seat].start(Random(self._seed, "agree", number, seat))
            agent = seats[seat]
            view = driver.look(state, agent)
            return driver.decide(agent, seat, view(seat) if view else None, state.legal(seat), must=True)

        return ask

    def _compare(self, state: State[Any], seat: int, move: Any, asked: Sequence[Any], marks: _Marks) -> None:
        """Ask all agents for a move."""
        kind, moment = self._habits.kind(state, seat, move), self._habits.moment(state, seat)
        if kind is None and not moment:
            return
        for habit, shows in moment.items():
            marks.habit(habit, 0, so=shows(move))
        for place, ask in enumerate(asked):
            chosen = ask(state, seat)
            if kind is not None:
                marks.same(kind, place, so=self._habits.alike(chosen, move))
            for habit, shows in moment.items():
                marks.habit(habit, 1 + place, so=shows(chosen))


class _Marks:
    """How many decisions of each kind and habit one game has had, and how often it was so."""

    def __init__(self) -> None:
        self._same: dict[tuple[str, int], tuple[int, int]] = {}
        self._habits: dict[tuple[str, int], tuple[int, int]] = {}

    def same(self, kind: str, place: int, *, so: bool) -> None:
        """Count a decision of a kind, in which an agent decided as the player or not."""
        for name in (kind, ALL):
            _count(self._same, (name, place), so)

    def habit(self, habit: str, place: int, *, so: bool) -> None:
        """Count a decision that showed a habit, or did not."""
        _count(self._habits, (habit, place), so)

    def add_to(self, found: Agreement) -> None:
        """Add the game to those before."""
        for marks, counts in ((self._same, found.same), (self._habits, found.habits)):
            for (name, place), mark in marks.items():
                counts[name][place].games.append(mark)


def _count(marks: dict[tuple[str, int], tuple[int, int]], key: tuple[str, int], so: bool) -> None:
    count, times = marks.get(key, (0, 0))
    marks[key] = count + 1, times + so


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser("agree", description=DESCRIPTION)
    parser.add_argument("file", metavar="FILE", type=Path, help="a record of the arena, or a database of imported logs")
    parser.add_argument("agents", metavar="AGENT", nargs="+", help="an agent as it is written, such as heuristic")
    parser.add_argument("--games", metavar="N", type=int, help="take only the first N games (default: all)")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="the seed of the agents' chance (default: 1)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code.
    """
    import_from_here()
    progress = ProgressLine(sys.stderr)
    try:
        found = agree([options.file], options.agents, games=options.games, seed=options.seed, tell=progress)
    except (ValueError, RecordError, driver.AgentFault) as error:
        progress.clear()
        print(f"tisch agree: {error}", file=sys.stderr)
        return 1
    progress.clear()
    for sentence in found.skipped:
        print(f"tisch agree: {sentence}", file=sys.stderr)
    print(json.dumps(found.as_dict(), indent=2) if options.json else "\n".join(_lines(found)))
    return 0


def _lines(found: Agreement) -> Iterator[str]:
    """Return the report as lines of text."""
    wide = max(map(len, (*found.same, *found.habits)))
    columns = [max(15, len(name) + 2) for name in found.agents]

    def cells(counts: Sequence[Count], widths: Sequence[int]) -> str:
        return "".join(f"{_told(count):>{width}}" for count, width in zip(counts, widths, strict=True))

    head = "".join(f"{name:>{width}}" for name, width in zip(found.agents, columns, strict=True))
    yield f"{found.games:,} games; the 95 % intervals are over games"
    yield ""
    yield f"{'decides as the player':{wide}}{'decisions':>11}{'':15}{head}"
    for name, counts in found.same.items():
        if counts[0].decisions:
            yield f"{name:{wide}}{counts[0].decisions:>11,}{'':15}{cells(counts, columns)}"
    yield ""
    yield f"{'habit':{wide}}{'decisions':>11}{'players':>15}{head}"
    for name, counts in found.habits.items():
        if counts[0].decisions:
            yield f"{name:{wide}}{counts[0].decisions:>11,}{cells(counts, [15, *columns])}"


def _told(count: Count) -> str:
    return f"{count.share:.1%}" if math.isnan(count.error) else f"{count.share:.1%} ± {100 * count.error:.1f}"
