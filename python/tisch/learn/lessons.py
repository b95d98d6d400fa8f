"""Recorded games as one set of lessons: read once, kept as arrays, and split by deal."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tisch._core import derive
from tisch.data.sources import Place, Source, open_source
from tisch.game import Game
from tisch.importing import load
from tisch.ports.lessons import Lesson, Lessons

#: One deal in so many is held back to choose the best epoch, and another one for the report.
SPLIT: Final = 10
TEST, VALIDATION = range(2)

#: The games of a file of lessons.
GAMES: Final = 200
#: The arrays that say where something ends.
_ENDS: Final = frozenset({"candidates", "common_ends", "ends"})
#: A game that returns its seed and its lessons when it is called.
Decided: TypeAlias = Callable[[], tuple[int, list[Lesson]]]


def lessons_of(game: Game[Any], agent: str, worlds: int | None = None) -> Lessons[Any]:
    """Return how a game's decisions become an agent's lessons.

    :param game: The game.
    :param agent: The agent.
    :param worlds: (Optional) The number of redeals of a decision, instead of the usual one.
    :result: Its lessons.
    :raises ValueError: The agent does not learn.
    """
    if agent not in game.learners:
        raise ValueError(f"The game '{game.name}' has no agent '{agent}' that learns.")
    kind: type[Lessons[Any]] = load(game.learners[agent], "lessons")
    return kind(worlds)


@dataclass(frozen=True, slots=True)
class Set:
    """Lessons as arrays.

    :ivar kinds: The kind of each lesson.
    :ivar splits: The split of each lesson: :data:`TEST`, :data:`VALIDATION`, or another number for training.
    :ivar chosen: The place of the chosen candidate; −1 if it is none of them.
    :ivar own: The place of the candidate that the game's rule of thumb prefers.
    :ivar candidates: The number of the first candidate of each lesson, and at the end that of all candidates.
    :ivar common_ends: The end of the common features of each lesson, after a zero.
    :ivar common: The common features of all lessons.
    :ivar ends: The end of the features of each candidate, after a zero.
    :ivar features: The features of all candidates.
    :ivar values: What each candidate is worth by playouts, in payoff; not a number for those that were not tried.
    """

    kinds: NDArray[np.uint8]
    splits: NDArray[np.uint8]
    chosen: NDArray[np.int16]
    own: NDArray[np.int16]
    candidates: NDArray[np.int64]
    common_ends: NDArray[np.int64]
    common: NDArray[np.uint16]
    ends: NDArray[np.int64]
    features: NDArray[np.uint16]
    values: NDArray[np.float32]

    @property
    def low(self) -> int:
        """The lowest feature of a candidate."""
        return int(self.features.min())

    def part(self, *splits: int) -> NDArray[np.int64]:
        """Return the numbers of the lessons of some splits."""
        return np.flatnonzero(np.isin(self.splits, splits))

    def save(self, path: Path) -> None:
        """Keep the lessons in a file, which is replaced as a whole."""
        other = path.with_suffix(".part")
        with other.open("wb") as file:
            np.savez(file, **{name: getattr(self, name) for name in self.__slots__})
        other.replace(path)

    @classmethod
    def load(cls, path: Path) -> Set:
        """Read lessons that :meth:`save` wrote."""
        with np.load(path) as arrays:
            return cls(**{name: arrays[name] for name in cls.__slots__})

    @classmethod
    def joined(cls, parts: Sequence[Set]) -> Set:
        """Join several sets to one."""

        def joined(name: str) -> NDArray[Any]:
            arrays = [getattr(part, name) for part in parts]
            if name not in _ENDS:
                return np.concatenate(arrays)
            # Each part counts from zero, and the next one goes on where it ends.
            starts = np.cumsum([0, *(array[-1] for array in arrays)])
            moved = [array[1:] + start for array, start in zip(arrays, starts, strict=False)]
            return np.concatenate([np.zeros(1, np.int64), *moved])

        return cls(**{name: joined(name) for name in cls.__slots__})


class Collector:
    """Collects lessons one by one."""

    def __init__(self) -> None:
        self.kinds, self.splits, self.chosen, self.own = array("B"), array("B"), array("h"), array("h")
        self.candidates, self.common_ends, self.ends = array("q", [0]), array("q", [0]), array("q", [0])
        self.common, self.features, self.values = bytearray(), bytearray(), array("f")

    def add(self, lesson: Lesson, split: int) -> None:
        """Add a lesson.

        :param lesson: The lesson.
        :param split: Its split.
        """
        start = len(self.features) // 2
        self.kinds.append(lesson.kind)
        self.splits.append(split)
        self.chosen.append(lesson.chosen)
        self.own.append(lesson.own)
        self.common += lesson.common
        self.features += lesson.features
        self.common_ends.append(len(self.common) // 2)
        self.ends.extend(start + end for end in lesson.ends)
        self.candidates.append(len(self.ends) - 1)
        self.values.extend(lesson.values or [math.nan] * len(lesson.ends))

    def set(self) -> Set:
        """Return the lessons as arrays."""
        return Set(
            np.array(self.kinds),
            np.array(self.splits),
            np.array(self.chosen),
            np.array(self.own),
            np.array(self.candidates),
            np.array(self.common_ends),
            np.frombuffer(self.common, "<u2"),
            np.array(self.ends),
            np.frombuffer(self.features, "<u2"),
            np.array(self.values),
        )


def collect(
    lessons: Lessons[Any],
    sources: Sequence[Path],
    agent: str | None,
    folder: Path,
    progress: Callable[[str], None] = lambda _: None,
    *,
    seeds: Sequence[int] = (),
) -> tuple[Set, list[str]]:
    """Read the lessons of recorded games, and keep them in files; those of an earlier run are not read again.

    :param lessons: The game's lessons.
    :param sources: Records of ``tisch arena --record``, and databases of imported logs.
    :param agent: Only what this agent decided counts; ``None`` for all agents.
    :param folder: The folder of the files.
    :param progress: (Optional) A callback that receives what has been read so far.
    :param seeds: (Optional) The seeds of games that the game's rule of thumb plays now.
    :result: The lessons, and a sentence for each game that was skipped now.
    :raises ValueError: A file cannot be read, or there are no lessons.
    """
    parts, broken = list[Set](), list[str]()
    with ExitStack() as opened:
        played = (partial(_played, lessons, seed) for seed in seeds)
        games: Iterator[Decided] = chain(_games(lessons, sources, agent, broken, opened), played)
        while some := list(islice(games, GAMES)):
            path = folder / f"lessons-{len(parts):05}.npz"
            if not path.exists():
                _collect(some, len(parts) * GAMES, broken, progress).save(path)
            parts.append(Set.load(path))
    found = Set.joined(parts) if parts else Collector().set()
    if not len(found.kinds):
        for number in range(len(parts)):
            (folder / f"lessons-{number:05}.npz").unlink()
        whose = f" of the agent '{agent}'" if agent else ""
        where = ", ".join(map(str, sources)) or "the games that were played"
        raise ValueError(" ".join([f"There is no decision{whose} in {where}.", *broken[:1]]))
    return found, broken


def check_parts(lessons: Set, folder: Path) -> None:
    """Refuse too few lessons before their training, and free the folder for more.

    :param lessons: The lessons.
    :param folder: The folder of their files.
    :raises ValueError: A part of them is empty.
    """
    others = set(range(SPLIT)) - {TEST, VALIDATION}
    if not all(len(lessons.part(*parts)) for parts in ((TEST,), (VALIDATION,), others)):
        for path in folder.glob("lessons-*"):
            path.unlink()
        raise ValueError(
            f"There are too few games: one deal in {SPLIT} is held back to choose the best epoch and another one for "
            "the report, and of these there is none here."
        )


def _collect(games: Sequence[Decided], before: int, broken: list[str], progress: Callable[[str], None]) -> Set:
    """Read the lessons of some games."""
    collector = Collector()
    for number, game in enumerate(games, start=before + 1):
        try:
            seed, decided = game()
        except ValueError as error:
            broken.append(str(error))
            continue
        for lesson in decided:
            collector.add(lesson, derive(seed, "learn") % SPLIT)
        progress(f"{number:,} games read")
    return collector.set()


def _games(
    lessons: Lessons[Any], sources: Sequence[Path], agent: str | None, broken: list[str], opened: ExitStack
) -> Iterator[Decided]:
    """Yield the games of files; nothing is replayed before a game is called."""
    for path in sources:
        source = open_source(path)
        opened.callback(source.close)
        for found in source.scan(0):
            if isinstance(found, str):
                broken.append(found)
            else:
                yield partial(_decided, lessons, path, source, found, agent)


def _played(lessons: Lessons[Any], seed: int) -> tuple[int, list[Lesson]]:
    """Play a game, and return its deal and its lessons."""
    return seed, list(lessons.play(seed))


def _decided(
    lessons: Lessons[Any], path: Path, source: Source, found: tuple[Place, int], agent: str | None
) -> tuple[int, list[Lesson]]:
    """Return the deal of a game, and the lessons of those who count."""
    place, deal = found
    decided: list[Lesson] = []
    try:
        recorded = source.read(place)
        _require(lessons.game, recorded.game)
        seats = [seat for seat, name in enumerate(recorded.agents) if agent in {None, name}]
        for state, seat, move in recorded.turns:
            # A text that is no move is refused with the next turn.
            decided += () if isinstance(move, str) else lessons.of(state, seat, move, seats)
    except ValueError as error:
        raise ValueError(f"{path}, line {place.line}, is no recorded game: {str(error).removesuffix('.')}.") from error
    return deal, decided


def _require(wanted: str, game: str) -> None:
    if game != wanted:
        raise ValueError(f"it is a game of {game}, not of {wanted}")
