"""The command ``tisch backup``: it copies everything that a server keeps into one file, running or not."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tisch.server import config
from tisch.server.store import journal_file


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options.
    :result: The exit code.
    """
    try:
        settings = config.load(options, os.environ, Path(".env"))
        journal_file.backup(settings.data / journal_file.JOURNAL, options.file, rest=options.rest)
    except ValueError as error:
        print(f"tisch backup: {error}", file=sys.stderr)
        return 1
    return 0
