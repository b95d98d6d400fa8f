"""Writes the files of a dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tisch.arena.workers import deaf
from tisch.arguments import named
from tisch.data.plan import Manifest, Plan, Shard, meaning
from tisch.data.rows import Row, expand
from tisch.data.sources import Recorded, open_source
from tisch.encoding import Encoding
from tisch.games import find
from tisch.record import RecordError, changed_options, options_of

#: The rows that are compressed at once; more would only need more memory.
GROUP: Final = 8192


class Written:
    """What was written.

    :ivar games: The number of games.
    :ivar rows: The number of rows.
    :ivar broken: A sentence for each game that was skipped.
    """

    def __init__(self) -> None:
        self.games = 0
        self.rows = 0
        self.broken: list[str] = []


def schema(encoding: Encoding[Any]) -> Any:
    """Return the columns.

    :param encoding: The game's arrays.
    :result: The schema.
    """
    text = pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        [
            ("record", text),
            ("game", pa.int32()),
            ("deal", pa.uint64()),
            ("decision", pa.int32()),
            ("step", pa.int8()),
            ("seat", pa.int8()),
            ("agent", text),
            ("must", pa.bool_()),
            ("phase", text),
            ("observation", pa.list_(pa.int8(), encoding.shape[0])),
            ("mask", pa.list_(pa.bool_(), encoding.count)),
            ("legal", pa.list_(pa.int16())),
            ("chosen", pa.int16()),
            ("move", pa.string()),
            ("payoff", pa.float32()),
        ]
    )


def write(plan: Plan, folder: Path, workers: int) -> Iterator[tuple[Shard, Written]]:
    """Write the files that are not there yet.

    :param plan: The plan.
    :param folder: Where the files go.
    :param workers: The number of processes; 0 for none besides this one.
    :result: Each file, when it is complete, and what is in it.
    """
    missing = [shard for shard in plan.shards if not (folder / shard.name).exists()]
    work = partial(write_shard, plan, folder)
    if workers == 0:
        yield from zip(missing, map(work, missing), strict=True)
        return
    others = active_children()
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        try:
            with deaf():
                futures = [pool.submit(work, shard) for shard in missing]
            for shard, future in zip(missing, futures, strict=True):
                yield shard, future.result()
        except BrokenProcessPool as error:
            raise ValueError("A process that wrote files was killed; the same command goes on from here.") from error
        except BaseException:
            # A file has its name only when it is complete: nothing is lost.
            for process in set(active_children()).difference(others):
                process.kill()
            raise


def write_shard(plan: Plan, folder: Path, shard: Shard) -> Written:
    """Write a file; it has its name once it is complete.

    :param plan: The plan.
    :param folder: Where the file goes.
    :param shard: The file.
    :result: What was written.
    """
    encoding = find(plan.manifest.game).encoding
    columns, written, unfinished = schema(encoding), Written(), folder / f".{shard.name}.part"
    group: list[tuple[dict[str, Any], Row]] = []
    with (
        named(unfinished, "file"),
        pq.ParquetWriter(unfinished, columns, compression="zstd", use_dictionary=_texts(columns)) as file,
    ):
        for game in _games(plan, shard, written):
            group += game
            if len(group) >= GROUP:
                file.write_table(_table(columns, group))
                group.clear()
        if group:
            file.write_table(_table(columns, group))
    unfinished.replace(folder / shard.name)
    return written


def _games(plan: Plan, shard: Shard, written: Written) -> Iterator[list[tuple[dict[str, Any], Row]]]:
    """Yield the rows of each game with what holds for the whole game."""
    encoding = find(plan.manifest.game).encoding
    for number, path in enumerate(plan.files):
        with closing(open_source(path)) as source:
            for place in (place for place in shard.places if place.file == number):
                where = f"line {place.line}"
                try:
                    recorded = source.read(place)
                    where = recorded.place
                    about = _about(plan.manifest, path.name, recorded)
                    rows = [(about, row) for row in expand(encoding, recorded.turns)]
                except RecordError as error:
                    written.broken.append(f"{path.name}, {where}: {error}")
                    continue
                written.games += 1
                written.rows += len(rows)
                yield rows


def _about(manifest: Manifest, name: str, recorded: Recorded) -> dict[str, Any]:
    """Return what holds for a whole game; it raises :class:`RecordError` if the game is not one of the dataset."""
    if recorded.game != manifest.game:
        raise RecordError(f"This is a game of {recorded.game}, not of {manifest.game}.")
    game = find(recorded.game)
    try:
        options = options_of(game, recorded.options)
    except ValueError as error:
        raise RecordError(str(error)) from error
    if changed_options(options) != manifest.options:
        raise RecordError(f"Its options are {meaning(recorded.options)}, not {meaning(manifest.options)}.")
    if len(recorded.agents) != game.seats(options):
        raise RecordError(f"It names {len(recorded.agents)} agents for {game.seats(options)} seats.")
    return {
        "record": name,
        "game": recorded.number,
        "deal": recorded.deal,
        "agents": recorded.agents,
        "payoff": recorded.payoff,
    }


def _table(columns: Any, group: Sequence[tuple[dict[str, Any], Row]]) -> Any:
    """Build the table of some rows."""
    observations = np.stack([row.observation for _, row in group])
    masks = np.stack([row.mask for _, row in group])
    which, ids = np.nonzero(masks)
    values = {
        "agent": [about["agents"][row.seat] for about, row in group],
        "payoff": [about["payoff"] and about["payoff"][row.seat] for about, row in group],
        "observation": pa.FixedSizeListArray.from_arrays(pa.array(observations.ravel()), observations.shape[1]),
        "mask": pa.FixedSizeListArray.from_arrays(pa.array(masks.ravel()), masks.shape[1]),
        "legal": pa.ListArray.from_arrays(
            pa.array(np.searchsorted(which, np.arange(len(group) + 1)), pa.int32()), pa.array(ids, pa.int16())
        ),
    }
    for name in ("record", "game", "deal"):
        values[name] = [about[name] for about, _ in group]
    for name in ("decision", "step", "seat", "must", "phase", "chosen", "move"):
        values[name] = [getattr(row, name) for _, row in group]
    return pa.Table.from_arrays(
        [
            value if isinstance(value, pa.Array) else pa.array(value, column.type)
            for column, value in ((column, values[column.name]) for column in columns)
        ],
        schema=columns,
    )


def _texts(columns: Any) -> list[str]:
    """Return the columns with few different values; observations compress better without a dictionary."""
    return [*(column.name for column in columns if pa.types.is_dictionary(column.type)), "move"]
