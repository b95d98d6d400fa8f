"""What ``tisch backup`` does: it copies all that a server keeps into one file, while the server runs or not."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tisch.server import config
from tisch.server.store import journal_file


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: What was asked for.
    :result: The exit code.
    """
    try:
        settings = config.load(options, os.environ, Path(".env"))
        journal_file.backup(settings.data / journal_file.JOURNAL, options.file)
    except ValueError as error:
        print(f"tisch backup: {error}", file=sys.stderr)
        return 1
    return 0
