"""The command ``tisch data``: expands recorded games into a dataset of decisions."""

from __future__ import annotations

import argparse
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import msgspec

from tisch.arguments import ProgressLine
from tisch.importing import import_from_here

if TYPE_CHECKING:
    from tisch.arguments import Commands
    from tisch.data.plan import Manifest, Plan

MANIFEST = "tisch.json"


def add(commands: Commands) -> None:
    """Add the command's parser.

    :param commands: The commands of ``tisch``.
    """
    parser = commands.add_parser(
        "data",
        description="Write every decision of recorded games, silences included, into Parquet files with observations, "
        "masks, ids and results. All games of a deal are in the same file, and no deal is in both splits. A run that "
        "was interrupted goes on where it stopped.",
    )
    parser.add_argument(
        "records",
        metavar="RECORD",
        type=Path,
        nargs="+",
        help="a record of 'tisch arena --record', or a database of logs",
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder of the dataset, such as games.parquet")
    parser.add_argument(
        "--workers", metavar="W", type=int, default=os.cpu_count() or 1, help="processes (default: one per processor)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code: 0 if the dataset is complete.
    """
    import_from_here()
    try:
        return _run(options.records, options.out, options.workers, sys.stderr)
    except (ValueError, ImportError) as error:
        print(f"tisch data: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"tisch data: {error.strerror or error} The same command goes on from here.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("tisch data: interrupted; the same command goes on from here.", file=sys.stderr)
        return 130


def _run(records: list[Path], out: Path, workers: int, stream: TextIO) -> int:
    if workers < 0:
        raise ValueError(f"The number of workers must be 0 or more, not {workers}.")
    try:
        import_module("pyarrow")
    except ModuleNotFoundError as error:
        raise ImportError(f"This needs the package '{error.name}': pip install 'tisch[data]'.") from error
    from tisch.data.plan import plan  # noqa: PLC0415 - It loads numpy.

    begin = time.monotonic()
    made = plan(records)
    folder = _prepare(out, made.manifest)
    games, rows, skipped = _write(made, folder, workers, stream)
    again = "" if games + skipped else "The dataset was complete already. "
    print(f"{again}{games:,} games and {rows:,} rows written to {out} in {time.monotonic() - begin:.1f} s.")
    if skipped or made.broken:
        print(f"{skipped + len(made.broken)} broken games were skipped.", file=stream)
    return 0


def _prepare(out: Path, manifest: Manifest) -> Path:
    """Create the folder, or check that it holds an unfinished dataset of the same games; return where files go."""
    from tisch.data.card import card  # noqa: PLC0415 - It loads numpy.

    note = out / MANIFEST
    try:
        if note.exists():
            _check(out, note.read_bytes(), manifest)
        elif out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise ValueError(f"{out} exists and is no dataset of 'tisch data'.")
        (out / "data").mkdir(parents=True, exist_ok=True)
        note.write_bytes(msgspec.json.encode(manifest))
        (out / "README.md").write_text(card(manifest), encoding="utf-8")
    except OSError as error:
        raise ValueError(f"The dataset {out} cannot be written: {error.strerror}.") from error
    return out / "data"


def _check(out: Path, note: bytes, manifest: Manifest) -> None:
    """Refuse a dataset of another version or of other games."""
    from tisch.data.plan import Manifest  # noqa: PLC0415 - It loads numpy.

    try:
        before = msgspec.json.decode(note, type=Manifest)
    except msgspec.DecodeError as error:
        raise ValueError(f"{out / MANIFEST} does not describe a dataset: {error}.") from error
    for name, what in (("version", "columns"), ("encoding", "arrays")):
        old, new = getattr(before, name), getattr(manifest, name)
        if old != new:
            raise ValueError(
                f"{out} has version {old} of the {what}, this program writes version {new}: choose another folder."
            )
    if before != manifest:
        raise ValueError(f"{out} is a dataset of other games: choose another folder, or name the same records.")


def _write(made: Plan, folder: Path, workers: int, stream: TextIO) -> tuple[int, int, int]:
    """Write the missing files, and show the progress; return the games, the rows and the skipped games."""
    from tisch.data.shards import write  # noqa: PLC0415 - It loads pyarrow.

    games = rows = skipped = 0
    for sentence in made.broken:
        print(f"tisch data: {sentence} It is skipped.", file=stream)
    everything = sum(len(shard.places) for shard in made.shards)
    done = sum(len(shard.places) for shard in made.shards if (folder / shard.name).exists())
    begin, progress = time.monotonic(), ProgressLine(stream)
    for shard, written in write(made, folder, workers):
        done += len(shard.places)
        games, rows, skipped = games + written.games, rows + written.rows, skipped + len(written.broken)
        progress(f"{done:,} of {everything:,} games, {rows / (time.monotonic() - begin):,.0f} rows/s")
        for sentence in written.broken:
            progress.clear()
            print(f"tisch data: {sentence} It is skipped.", file=stream)
    progress.clear()
    return games, rows, skipped
