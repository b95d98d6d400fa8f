"""Generations: an agent plays against itself, its network learns from that, and a match decides whether it plays on.

The network of generation 0 learns from games of the network that it begins with, without a search: how they end. Each
later generation learns from games of the best one so far, and takes its place if it beats it. Everything is kept in
files as soon as it is there, so that a run that was stopped at any moment goes on with the next step.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from tisch._core import derive
from tisch.arena import Match
from tisch.arena.provenance import commit
from tisch.arena.statistics import NORMAL
from tisch.learn.files import WEIGHTS, known
from tisch.learn.lessons import TEST, Set, check_parts, collect
from tisch.learn.network import Network
from tisch.learn.training import Settings, agreement, best_of, settings_text, train
from tisch.ports.lessons import OwnLessons

#: The names of the files of a run.
VERDICTS: Final = "generations.jsonl"
START: Final = "start.weights"
JOURNAL: Final = "match.journal"

#: So many generations of games teach, those of the last ones.
WINDOW: Final = 2


@dataclass(frozen=True, slots=True)
class Loop:
    """Everything that generations depend on, besides their number.

    :ivar agent: The agent.
    :ivar seed: The seed of all chance.
    :ivar first: The games of generation 0.
    :ivar rounds: The games of each later generation.
    :ivar visits: How much the search tries in a decision.
    :ivar games: The games of the match that decides on a generation.
    :ivar sure: The number of standard errors by which it must be ahead.
    :ivar epochs: The passes through the lessons of a generation.
    :ivar batch: The lessons of a step.
    :ivar rate: The length of the first steps.
    """

    agent: str
    seed: int
    first: int
    rounds: int
    visits: int
    games: int
    sure: float
    epochs: int
    batch: int
    rate: float

    def command(self, generations: int) -> str:
        """Return the command that makes the same generations."""
        given = {**asdict(self), "generations": generations}
        del given["agent"]
        return f"tisch learn {self.agent} " + " ".join(f"--{name} {value}" for name, value in given.items())


@dataclass(slots=True)
class Generations:
    """A run: its files, and what it has found so far.

    :ivar kind: What the agent learns.
    :ivar loop: What the run depends on.
    :ivar out: Its folder.
    :ivar start: (Optional) The weights that it begins with, instead of the agent's usual ones.
    :ivar tell: A callback that receives the progress.
    :ivar verdicts: What was decided on each generation.
    """

    kind: OwnLessons[Any]
    loop: Loop
    out: Path
    start: Path | None
    tell: Callable[[str], None]
    verdicts: list[dict[str, Any]] = field(default_factory=list)

    def run(self, generations: int, patience: int) -> Iterator[dict[str, Any]]:
        """Make generations until there are so many, or so many one after the other were not taken.

        :param generations: The number of generations after generation 0.
        :param patience: The number of generations that may fail one after the other.
        :result: What was decided on each, of those before this run as well.
        :raises ValueError: There are too few games, or a file cannot be read or written.
        """
        kept = self.out / VERDICTS
        self.verdicts = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
        yield from self.verdicts
        while len(self.verdicts) <= generations and not self._is_stuck(patience):
            found = self._generation(len(self.verdicts))
            self.verdicts.append(found)
            with kept.open("a") as file:
                file.write(json.dumps(found) + "\n")
            self._keep_best()
            yield found
        self._keep_best()

    def _is_stuck(self, patience: int) -> bool:
        last = self.verdicts[-patience:]
        return len(last) == patience and not any(each["taken"] for each in last)

    def _folder(self, generation: int) -> Path:
        return self.out / f"generation-{generation:02}"

    def _best(self) -> int:
        """Return the number of the last generation that was taken."""
        return max(int(each["generation"]) for each in self.verdicts if each["taken"])

    def _begin(self) -> tuple[Path, Network]:
        """Return the weights that generation 0 begins with, and their network, which is kept as a file."""
        path, sizes, numbers = self.kind.begin(self.start)
        (self.out / START).write_bytes(self.kind.pack(sizes, numbers, {"start": known(path)}))
        return path, Network.unpacked(sizes, numbers)

    def _generation(self, number: int) -> dict[str, Any]:
        """Make a generation, and decide on it."""
        folder = self._folder(number)
        folder.mkdir(parents=True, exist_ok=True)
        if number:
            before = self._folder(self._best()) / WEIGHTS
            network = Network.unpacked(*self.kind.unpack(before))
            visits, games, origin = self.loop.visits, self.loop.rounds, f"generation {self._best()}"
        else:
            path, network = self._begin()
            before, visits, games, origin = self.out / START, 0, self.loop.first, known(path)
        self.kind.take(before, visits)
        seeds = [derive(self.loop.seed, "own", number, place) for place in range(games)]
        lessons, _ = collect(self.kind, [], None, folder, self._telling(number), seeds=seeds)
        check_parts(lessons, folder)
        if number:
            lessons = Set.joined([lessons, *(self._kept(other) for other in self._window(number))])
        told = {"start": origin, "games": f"{games} of {origin} with {visits} visits", "commit": commit() or "unknown"}
        report = self._learn(number, lessons, network, told)
        return {
            "generation": number,
            "decisions": len(lessons.kinds),
            **{name: report[name] for name in ("loss", "agreement", "foreseen")},
            **told,
            **(self._match(number) if number else {"taken": True}),
        }

    def _telling(self, number: int) -> Callable[[str], None]:
        return lambda text: self.tell(f"generation {number}: {text}")

    def _window(self, number: int) -> Sequence[int]:
        """Return the earlier generations whose games teach, too; without a search, only ends were worth learning."""
        return range(max(1, number - WINDOW + 1), number)

    def _kept(self, number: int) -> Set:
        """Return the lessons that were kept of a generation."""
        return Set.joined([Set.load(path) for path in sorted(self._folder(number).glob("lessons-*.npz"))])

    def _learn(self, number: int, lessons: Set, start: Network, told: dict[str, str]) -> dict[str, Any]:
        """Train the network of a generation, keep its weights, and judge them by lessons that taught nothing."""
        loop, folder = self.loop, self._folder(number)
        _, wide, narrow = start.sizes
        settings = Settings(
            seed=derive(loop.seed, "training", number),
            epochs=loop.epochs,
            batch=loop.batch,
            rate=loop.rate,
            wide=wide,
            narrow=narrow,
            own=True,
        )
        for _ in train(lessons, self.kind.features, settings, folder, start=start, tell=self._telling(number)):
            pass
        network = best_of(folder, self.kind.features, settings)
        notes = {"agent": loop.agent, "generation": str(number), **told, **settings_text(settings)}
        (folder / WEIGHTS).write_bytes(self.kind.pack(network.sizes, network.weights(), notes))
        return agreement(network, lessons, lessons.part(TEST), self.kind.features, aim=settings.aim)

    def _match(self, number: int) -> dict[str, Any]:
        """Let a generation meet the best one so far."""
        loop = self.loop
        best = self._best()
        agents = [self.kind.agent(self._folder(each) / WEIGHTS, loop.visits) for each in (number, best)]
        match = Match(
            self.kind.game,
            agents,
            options=self.kind.options,
            games=loop.games,
            seed=derive(loop.seed, "match", number),
            workers=0,
            journal=self._folder(number) / JOURNAL,
            progress=lambda match: self.tell(f"generation {number}: {match.standing.games:,} games of the match"),
        )
        points = match.run().standing.first.points_per_round()
        error = math.inf if points is None or points.low is None else (points.value - points.low) / NORMAL
        lead = 0.0 if points is None else points.value
        return {
            "against": best,
            "lead": round(lead, 3),
            "error": round(error, 3) if math.isfinite(error) else None,
            "played": loop.games,
            "taken": lead > loop.sure * error,
        }

    def _keep_best(self) -> None:
        """Keep the weights of the best generation, which tell how all of them came about."""
        best = self._folder(self._best()) / WEIGHTS
        sizes, numbers = self.kind.unpack(best)
        notes = {
            "agent": self.loop.agent,
            "generation": str(self._best()),
            "command": self.loop.command(len(self.verdicts) - 1),
            "start": self.verdicts[0]["start"],
            **{f"generation {each['generation']}": self._story(each) for each in self.verdicts},
        }
        (self.out / WEIGHTS).write_bytes(self.kind.pack(sizes, numbers, notes))

    def _story(self, verdict: dict[str, Any]) -> str:
        """Tell how a generation came about."""
        digest = self.kind.unpack(self._folder(verdict["generation"]) / WEIGHTS)[1]
        story = (
            f"commit {verdict['commit']}; began with {verdict['start']}; {verdict['games']} (seed {self.loop.seed}); "
            f"SHA-256 of its numbers {hashlib.sha256(digest).hexdigest()}"
        )
        if "lead" in verdict:
            story += (
                f"; {verdict['lead']:+.1f} points a round (standard error {verdict['error']}) against generation "
                f"{verdict['against']} in {verdict['played']} games: {'taken' if verdict['taken'] else 'not taken'}"
            )
        return story


def told(verdict: dict[str, Any]) -> str:
    """Tell what was decided on a generation.

    :param verdict: The decision.
    :result: A line for people.
    """
    text = (
        f"generation {verdict['generation']}: {verdict['decisions']:,} decisions, loss {verdict['loss']:.4f}, "
        f"agreement {verdict['agreement']:.1%}, {verdict['foreseen']:.1%} of the ends foreseen"
    )
    if "lead" in verdict:
        text += (
            f"; {verdict['lead']:+.1f} ± {verdict['error']} points a round against generation {verdict['against']}: "
            f"{'taken' if verdict['taken'] else 'not taken'}"
        )
    return text
