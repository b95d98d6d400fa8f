"""The command ``tisch agree``: how often agents decide as the players of recorded games did."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tisch import driver
from tisch.agents import build_agent
from tisch.arena.statistics import Ratio
from tisch.arguments import ProgressLine
from tisch.data.sources import Recorded, open_source
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


@dataclass(slots=True)
class Agreement:
    """What was found.

    :ivar agents: The agents as they are written.
    :ivar same: For each kind of decision the share in which each agent decides as the players do, over games: the
        decisions of a game are not independent.
    :ivar habits: For each habit the share of decisions in which the players, and then the agents, have it.
    :ivar games: The number of games.
    :ivar skipped: A sentence for each game that could not be replayed.
    """

    agents: Sequence[str]
    same: dict[str, list[Ratio]]
    habits: dict[str, list[Ratio]]
    games: int = 0
    skipped: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return what was found as plain values; the same games and agents give the same ones."""

        def rows(found: dict[str, list[Ratio]], who: Sequence[str]) -> dict[str, Any]:
            return {
                name: {each: _values(share) for each, share in zip(who, shares, strict=True)}
                for name, shares in found.items()
            }

        return {
            "games": self.games,
            "skipped": self.skipped,
            "agreement": rows(self.same, self.agents),
            "habits": rows(self.habits, ["players", *self.agents]),
        }


def _values(share: Ratio) -> dict[str, Any]:
    """Return a share as plain values, with half of its 95 % interval."""
    estimate = share.estimate()
    value = None if estimate is None else estimate.value
    half = None if estimate is None or estimate.high is None else estimate.high - estimate.value
    return {"decisions": share.denominator, "share": value, "error": half}


def agree(
    path: Path,
    agents: Sequence[str],
    *,
    games: int | None = None,
    seed: int = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> Agreement:
    """Compare agents with the players of recorded games.

    :param path: A record of the arena, or a database that a game can read.
    :param agents: The agents as they are written.
    :param games: (Optional) The most games to take.
    :param seed: (Optional) The seed of all chance.
    :param tell: (Optional) Called with the progress.
    :result: What was found.
    :raises ValueError: The file or an agent cannot be used; the message names it.
    """
    if games is not None and games < 1:
        raise ValueError(f"At least one game is needed, not {games}.")
    with closing(open_source(path)) as source:
        found = list(islice(source.scan(0), games))
        if source.about is None:
            raise ValueError(
                " ".join([f"There is no game in {path}.", *(each for each in found if isinstance(each, str))])
            )
        comparison = _Comparison(source.about[0], agents, seed)
        for number, each in enumerate(found, start=1):
            comparison.add(each if isinstance(each, str) else partial(source.read, each[0]))
            tell(f"{number:,} games")
    return comparison.found


class _Comparison:
    """Plays recorded games through, and asks the agents at each decision.

    :param name: The game's name.
    :param agents: The agents as they are written.
    :param seed: The seed of all chance.
    """

    def __init__(self, name: str, agents: Sequence[str], seed: int) -> None:
        self._name, self._seed = name, seed
        self._game: Game[Any] = find(name)
        if not self._game.habits:
            raise ValueError(f"The game '{name}' does not name its kinds of decisions, so agents cannot be compared.")
        self._habits: Habits = load(self._game.habits, "habits")()
        self._build = [partial(build_agent, self._game, agent) for agent in agents]
        for build in self._build:
            build()
        kinds = {kind: [Ratio() for _ in agents] for kind in (*self._habits.kinds, ALL)}
        habits = {habit: [Ratio() for _ in range(1 + len(agents))] for habit in self._habits.names}
        self.found = Agreement(agents, kinds, habits)

    def add(self, read: str | Callable[[], Recorded]) -> None:
        """Compare the decisions of a game.

        :param read: Reads the game; or a sentence, if it is none.
        """
        if isinstance(read, str):
            self.found.skipped.append(read)
            return
        marks = _Marks()
        asked = [self._seats(build) for build in self._build]
        where = "A game"
        try:
            recorded = read()
            where = recorded.place
            self._require(recorded)
            for state, seat, move in recorded.turns:
                # The replay refuses a move that is not legal when it is asked for the next one.
                if seat in state.awaiting() and move in state.legal(seat):
                    self._compare(state, seat, move, asked, marks)
        except RecordError as error:
            self.found.skipped.append(f"{where} was left out: {error}")
            return
        self.found.games += 1
        marks.add_to(self.found)

    def _require(self, recorded: Recorded) -> None:
        """Refuse a game of another kind."""
        if recorded.game != self._name:
            raise RecordError(f"It is one of '{recorded.game}', not of '{self._name}'.")

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
        for marks, shares in ((self._same, found.same), (self._habits, found.habits)):
            for (name, place), (count, times) in marks.items():
                shares[name][place].add(times, count)


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
        found = agree(options.file, options.agents, games=options.games, seed=options.seed, tell=progress)
    except (ValueError, driver.AgentFault) as error:
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

    def cells(shares: Sequence[Ratio], widths: Sequence[int]) -> str:
        return "".join(f"{_told(share):>{width}}" for share, width in zip(shares, widths, strict=True))

    head = "".join(f"{name:>{width}}" for name, width in zip(found.agents, columns, strict=True))
    yield f"{found.games:,} games; the 95 % intervals are over games"
    yield ""
    yield f"{'decides as the player':{wide}}{'decisions':>11}{'':15}{head}"
    for name, shares in found.same.items():
        if shares[0].denominator:
            yield f"{name:{wide}}{shares[0].denominator:>11,}{'':15}{cells(shares, columns)}"
    yield ""
    yield f"{'habit':{wide}}{'decisions':>11}{'players':>15}{head}"
    for name, shares in found.habits.items():
        if shares[0].denominator:
            yield f"{name:{wide}}{shares[0].denominator:>11,}{cells(shares, [15, *columns])}"


def _told(share: Ratio) -> str:
    found = _values(share)
    return f"{found['share']:.1%}" + ("" if found["error"] is None else f" ± {100 * found['error']:.1f}")
