"""Which recorded game goes to which file of a dataset: all games of a deal to the same, so that no split shares one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from tisch._core import derive
from tisch.arena.record import RecordLine
from tisch.games import find, reference
from tisch.record import RecordError, changed_options, options_of
from tisch.transcript import Transcript, read

#: The version of the columns.
VERSION: Final = 1
#: The games of a file, about.
GAMES: Final = 256
#: One deal in ten is in the split ``test``.
TEST: Final = 10
SPLITS: Final = ("train", "test")

_SEED: Final = re.compile(r"^seed: ([0-9]{1,20})$", re.MULTILINE)
_decode: Final = msgspec.json.Decoder(RecordLine).decode


class Place(msgspec.Struct, array_like=True, frozen=True):
    """Where a recorded game stands.

    :ivar file: The number of the record file.
    :ivar line: Its line, from 1.
    :ivar offset: The place of its first byte.
    """

    file: int
    line: int
    offset: int


class Manifest(msgspec.Struct, frozen=True):
    """What a dataset is made of; a run goes on only with the same.

    :ivar version: The version of the columns.
    :ivar game: The game.
    :ivar options: Its options that differ from the defaults.
    :ivar encoding: The version of the game's arrays.
    :ivar records: The name and the size of each record file.
    :ivar shards: The number of files of each split.
    """

    version: int
    game: str
    options: dict[str, Any]
    encoding: int
    records: list[tuple[str, int]]
    shards: dict[str, int]


@dataclass(frozen=True, slots=True)
class Shard:
    """A file of the dataset.

    :ivar split: ``train`` or ``test``.
    :ivar number: Its number in the split.
    :ivar places: The games in it.
    """

    split: str
    number: int
    places: list[Place] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.split}-{self.number:05}.parquet"


@dataclass(frozen=True, slots=True)
class Plan:
    """A dataset before it is written.

    :ivar manifest: What it is made of.
    :ivar files: The record files.
    :ivar shards: The files to write; none is empty.
    :ivar broken: A sentence for each line that is no recorded game.
    """

    manifest: Manifest
    files: Sequence[Path]
    shards: Sequence[Shard]
    broken: Sequence[str]


def plan(files: Sequence[Path]) -> Plan:
    """Read which games there are, and give each deal its file.

    :param files: The record files.
    :result: The plan.
    :raises ValueError: A file cannot be read, has no game, or holds another game than the first.
    """
    found: list[tuple[Place, int]] = []
    broken: list[str] = []
    first: Transcript | None = None
    for number, path in enumerate(files):
        for place, line in _lines(path, number):
            try:
                transcript = _decode(line).transcript
                seed = _seed(transcript)
                if first is None:
                    first = read(transcript)
            except (msgspec.DecodeError, RecordError) as error:
                broken.append(f"{path}, line {place.line}, is no recorded game: {str(error).removesuffix('.')}.")
                continue
            found.append((place, seed))
    if first is None:
        raise ValueError(f"There is no recorded game in {', '.join(map(str, files))}.")
    deals = {seed for _, seed in found}
    counts = {split: sum(_split(seed) == split for seed in deals) for split in SPLITS}
    each = len(found) / len(deals)
    sizes = {split: max(1, round(counts[split] * each / GAMES)) for split in SPLITS}
    shards: dict[tuple[str, int], Shard] = {}
    for place, seed in found:
        split = _split(seed)
        key = split, derive(seed, "shard") % sizes[split]
        shards.setdefault(key, Shard(*key)).places.append(place)
    records = [(path.name, path.stat().st_size) for path in files]
    game = find(first.game)
    options = changed_options(options_of(game, first.options))
    manifest = Manifest(VERSION, reference(game), options, game.encoding.version, records, sizes)
    return Plan(manifest, files, [shards[key] for key in sorted(shards, reverse=True)], broken)


def lines_at(files: Sequence[Path], places: Sequence[Place]) -> Iterator[tuple[str, Place, RecordLine]]:
    """Read recorded games.

    :param files: The record files.
    :param places: Where they stand.
    :result: The name of each game's file, its place, and the game.
    """
    for number, path in enumerate(files):
        with path.open("rb") as file:
            for place in (place for place in places if place.file == number):
                file.seek(place.offset)
                yield path.name, place, _decode(file.readline())


def meaning(options: Mapping[str, Any]) -> str:
    """Return options as text.

    :param options: Values by name.
    :result: Such as ``rounds=1``; ``the defaults`` if there are none.
    """
    return ", ".join(f"{name}={str(value).lower()}" for name, value in options.items()) or "the defaults"


def _lines(path: Path, number: int) -> Iterator[tuple[Place, bytes]]:
    try:
        with path.open("rb") as file:
            offset = 0
            for line_number, line in enumerate(file, start=1):
                yield Place(number, line_number, offset), line
                offset += len(line)
    except OSError as error:
        raise ValueError(f"The record {path} cannot be read: {error.strerror}.") from error


def _seed(transcript: str) -> int:
    found = _SEED.search(transcript)
    if not found or int(found[1]) >= 1 << 64:
        raise RecordError("Its head has no line 'seed: …'.")
    return int(found[1])


def _split(seed: int) -> str:
    return "test" if derive(seed, "split") % TEST == 0 else "train"
