"""Imports logs of Brettspielwelt into a database: ``tisch logs import ZIP… --db FILE``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TextIO

from tisch._core import tichu as core
from tisch.games.tichu.logs.archive import ArchiveError, Batch, Fault, batches
from tisch.games.tichu.logs.store import Store, StoreError, Totals

#: The number of threads that replay logs, and of batches that wait for them.
THREADS: Final = 2
WAITING: Final = 4
#: The most entries of a zip that are told one by one.
TOLD: Final = 20
#: The seconds between two reports of progress.
PAUSE: Final = 2.0

#: What can be wrong with a file, besides the deviations within a log.
FILE_CODES: Final = {
    "foreign": "An entry of a zip is no log.",
    "too_large": "An entry is larger than any log.",
    "bad_entry": "An entry is damaged.",
    "bad_archive": "A zip cannot be read: it is cut off, foreign or a bomb.",
}


class Import:
    """An import into an open database.

    :ivar read: The number of zips that could be read.
    """

    def __init__(self, store: Store, stream: TextIO) -> None:
        """Begin an import.

        :param store: The database.
        :param stream: The stream for progress and for sentences about bad files.
        """
        self.store = store
        self.stream = stream
        self.begin = self.reported = time.monotonic()
        self.games = 0
        self.told = 0
        self.read = 0

    def add(self, path: Path) -> None:
        """Import a zip, and go on where an earlier import of it stopped.

        :param path: The zip.
        :raises StoreError: The database cannot be written.
        """
        self.told = 0
        waiting: deque[tuple[Batch, Future[Any]]] = deque()
        with ThreadPoolExecutor(THREADS) as pool:
            try:
                for batch in batches(path, self.store.knows):
                    waiting.append((batch, pool.submit(core.read_logs, batch.texts)))
                    if len(waiting) > WAITING:
                        self._store(path, *waiting.popleft())
                self.read += 1
            except ArchiveError as error:
                print(error, "It is skipped.", file=self.stream)
                self.store.add((), (), [Fault(path.name, "bad_archive", "")])
            while waiting:
                self._store(path, *waiting.popleft())

    def _store(self, path: Path, batch: Batch, replayed: Future[Any]) -> None:
        games = replayed.result()
        self.store.add(batch.names, games, batch.faults)
        self.games += len(games)
        foreign = [name for name, game in zip(batch.names, games, strict=True) if game is None]
        for sentence in (*(fault.sentence for fault in batch.faults), *map("The entry {} is no log.".format, foreign)):
            self.told += 1
            if self.told <= TOLD:
                print(f"{path.name}: {sentence} It is skipped.", file=self.stream)
            elif self.told == TOLD + 1:
                print(f"{path.name}: further bad entries are only counted.", file=self.stream)
        now = time.monotonic()
        if now - self.reported >= PAUSE:
            self.reported = now
            rate = self.games / (now - self.begin)
            print(f"{path.name}: {batch.seen:,} of {batch.total:,} entries, {rate:,.0f} games/s", file=self.stream)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The parsed options.
    :result: The exit code: 0 if a zip could be read.
    """
    begin = time.monotonic()
    try:
        with closing(Store(options.db)) as store:
            importing = Import(store, sys.stderr)
            for path in options.zips:
                importing.add(path)
            totals = store.totals()
    except StoreError as error:
        print(f"tisch logs import: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted: the same command goes on where it stopped.", file=sys.stderr)
        return 130
    seconds = time.monotonic() - begin
    if options.json:
        print(json.dumps({**totals._asdict(), "seconds": round(seconds, 3)}))
    else:
        _report(totals, importing.games, seconds)
    return 0 if importing.read else 1


def _report(totals: Totals, games: int, seconds: float) -> None:
    """Print what the database holds now."""
    meanings = dict(core.log_codes()) | FILE_CODES
    print(f"{games:,} logs read in {seconds:.1f} s; the database holds {totals.games:,} games", end="")
    print(f" with {totals.rounds:,} rounds.")
    for code, count in sorted(totals.errors.items(), key=lambda item: -item[1]):
        print(f"{count:>12,}  {code:<16}  {meanings[code]}")
