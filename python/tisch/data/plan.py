"""Which recorded game goes to which file of a dataset: all games of a deal to the same, so that no split shares one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from tisch._core import derive
from tisch.data.sources import Place, open_source
from tisch.games import find, reference
from tisch.record import changed_options, options_of

#: The version of the columns.
VERSION: Final = 1
#: The games of a file, about.
GAMES: Final = 256
#: One deal in ten is in the split ``test``.
TEST: Final = 10
SPLITS: Final = ("train", "test")


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
    about: tuple[str, Mapping[str, Any]] | None = None
    for number, path in enumerate(files):
        with closing(open_source(path)) as source:
            for one in source.scan(number):
                if isinstance(one, str):
                    broken.append(one)
                else:
                    found.append(one)
            about = about or source.about
    if about is None:
        raise ValueError(" ".join([f"There is no recorded game in {', '.join(map(str, files))}.", *broken[:1]]))
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
    game = find(about[0])
    options = changed_options(options_of(game, about[1]))
    manifest = Manifest(VERSION, reference(game), options, game.encoding.version, records, sizes)
    return Plan(manifest, files, [shards[key] for key in sorted(shards, reverse=True)], broken)


def meaning(options: Mapping[str, Any]) -> str:
    """Return options as text.

    :param options: Values by name.
    :result: Such as ``rounds=1``; ``the defaults`` if there are none.
    """
    return ", ".join(f"{name}={str(value).lower()}" for name, value in options.items()) or "the defaults"


def _split(seed: int) -> str:
    return "test" if derive(seed, "split") % TEST == 0 else "train"
