"""Recorded games as one set of lessons: read once, kept as arrays, and split by deal."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from tisch._core import derive
from tisch.arena.record import RecordLine
from tisch.game import Game
from tisch.games import find
from tisch.importing import load
from tisch.ports.lessons import Lesson, Lessons
from tisch.transcript import read

#: One deal in so many is held back to choose the best epoch, and another one for the report.
SPLIT: Final = 10
TEST, VALIDATION = range(2)

_SQLITE: Final = b"SQLite format 3\x00"
_decode: Final = msgspec.json.Decoder(RecordLine).decode


def lessons_of(game: Game[Any]) -> Lessons[Any]:
    """Return how a game's decisions become lessons.

    :param game: The game.
    :result: Its lessons.
    :raises ValueError: It declares none.
    """
    if not game.lessons:
        raise ValueError(f"The game '{game.name}' declares no lessons, so no agent can learn it.")
    kind: type[Lessons[Any]] = load(game.lessons, "lessons")
    return kind()


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


class Collector:
    """Collects lessons one by one."""

    def __init__(self) -> None:
        self.kinds, self.splits, self.chosen, self.own = array("B"), array("B"), array("h"), array("h")
        self.candidates, self.common_ends, self.ends = array("q", [0]), array("q", [0]), array("q", [0])
        self.common, self.features = bytearray(), bytearray()

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
        )


def collect(
    lessons: Lessons[Any], sources: Sequence[Path], agent: str | None, progress: Callable[[str], None]
) -> tuple[Set, list[str]]:
    """Read the lessons of recorded games.

    :param lessons: The game's lessons.
    :param sources: Records of ``tisch arena --record``, and databases of imported logs.
    :param agent: Only what this agent decided counts; ``None`` for all agents.
    :param progress: A callback that receives what has been read so far.
    :result: The lessons, and a sentence for each game that was skipped.
    :raises ValueError: A file cannot be read, or there are no lessons.
    """
    collector, broken, games = Collector(), list[str](), 0
    for path in sources:
        for seed, decided in _games(lessons, path, agent, broken):
            split = derive(seed, "learn") % SPLIT
            for lesson in decided:
                collector.add(lesson, split)
            games += 1
            progress(f"{games:,} games and {len(collector.kinds):,} decisions read")
    if not collector.kinds:
        whose = f" of the agent '{agent}'" if agent else ""
        raise ValueError(f"There is no decision{whose} in {', '.join(map(str, sources))}.")
    return collector.set(), broken


def _games(
    lessons: Lessons[Any], path: Path, agent: str | None, broken: list[str]
) -> Iterator[tuple[int, list[Lesson]]]:
    """Yield the seed and the lessons of each game of a file."""
    try:
        with path.open("rb") as file:
            logged = file.read(len(_SQLITE)) == _SQLITE
            if not logged:
                file.seek(0)
                yield from _recorded(lessons, path, file, agent, broken)
        if logged:
            for number, state, moves in lessons.logs(path):
                yield number, _decided(lessons, state, moves, range(state.seats))
    except OSError as error:
        raise ValueError(f"The games {path} cannot be read: {error.strerror}.") from error


def _recorded(
    lessons: Lessons[Any], path: Path, file: Any, agent: str | None, broken: list[str]
) -> Iterator[tuple[int, list[Lesson]]]:
    for number, line in enumerate(file, start=1):
        try:
            recorded = _decode(line)
            transcript = read(recorded.transcript)
            game = find(transcript.game)
            moves = ((seat, game.parse(text)) for seat, text in transcript.moves)
            seats = [seat for seat, name in enumerate(recorded.agents) if agent in {None, name}]
            decided = _decided(lessons, transcript.start(), moves, seats)
        except (msgspec.DecodeError, ValueError) as error:
            broken.append(f"{path}, line {number}, is no recorded game: {str(error).removesuffix('.')}.")
        else:
            yield transcript.seed, decided


def _decided(lessons: Lessons[Any], state: Any, moves: Any, seats: Sequence[int]) -> list[Lesson]:
    """Return the lessons of some seats of a game."""
    decided: list[Lesson] = []
    for seat, move in moves:
        decided += lessons.of(state, seat, move, seats)
        state.play(seat, move)
    return decided
