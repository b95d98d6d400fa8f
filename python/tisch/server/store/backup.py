"""The command ``tisch backup``: it copies everything that a server keeps into one file, running or not."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tisch.server import config
from tisch.server.store import journal_file

#: The names of the files in a folder of backups, so that their order is that of time, and which of its files they are.
NAMED: Final = "tisch-%Y-%m-%d-%H%M%S.sqlite"
PATTERN: Final = f"tisch-{'-'.join(['[0-9]' * count for count in (4, 2, 2, 6)])}.sqlite"


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options.
    :result: The exit code.
    """
    try:
        settings = config.load(options, os.environ, Path(".env"))
        journal = settings.data / journal_file.JOURNAL
        if options.file and not options.into:
            journal_file.backup(journal, options.file, rest=options.rest)
        elif options.into and not options.file:
            print(rotate(journal, options.into, options.keep, datetime.now(UTC), rest=options.rest))
        else:
            print("tisch backup: Name either the new file or, with --into, the folder of all backups.", file=sys.stderr)
            return 1
    except ValueError as error:
        print(f"tisch backup: {error}", file=sys.stderr)
        return 1
    return 0


def rotate(journal: Path, folder: Path, keep: int, now: datetime, *, rest: bool = False) -> Path:
    """Write a backup into a folder, and then remove the oldest ones, and no other file.

    :param journal: The journal's file.
    :param folder: The folder; it is created, for its owner only, if there is none.
    :param keep: How many backups are kept, the new one included.
    :param now: The time.
    :param rest: (Optional) Whether to copy what is left of a journal that has lost its WAL.
    :result: The new file.
    :raises ValueError: It cannot be written, and none is removed; or an old one cannot be removed.
    """
    if keep < 1:
        raise ValueError(f"At least one backup must be kept, not {keep}.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"The folder {folder} cannot be used: {error.strerror}.") from error
    new = folder / now.strftime(NAMED)
    journal_file.backup(journal, new, rest=rest)
    try:
        for old in sorted(folder.glob(PATTERN))[:-keep]:
            old.unlink()
    except OSError as error:
        raise ValueError(f"The backup {new} is written, but {old} cannot be removed: {error.strerror}.") from error
    return new
