"""The command ``tisch doctor``."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from yarl import URL

from tisch.server import config
from tisch.server.config import Config
from tisch.server.doctor import address, folder, machine
from tisch.server.doctor.findings import Check, Finding, State, summary, text

#: The checks, in the order in which a host would make them.
CHECKS: Final[tuple[Check, ...]] = (
    machine.versions,
    folder.folder,
    folder.journal,
    machine.ports,
    machine.descriptors,
    machine.memory,
    machine.clock,
)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options: those of ``tisch serve``, and the address of the page.
    :result: The exit code: 0 if friends can play, 1 if something is bad, 2 if the settings are.
    """
    try:
        settings = config.load(options, os.environ, Path(".env"))
        url = address.parsed(options.url) if options.url else None
    except ValueError as error:
        print(f"tisch doctor: {error}", file=sys.stderr)
        return 2
    found: list[Finding] = []
    for finding in _all(settings, url):
        found.append(finding)
        print(text(finding), flush=True)
    print(summary(found))
    return 1 if any(finding.state is State.BAD for finding in found) else 0


def _all(settings: Config, url: URL | None) -> Iterator[Finding]:
    for check in CHECKS:
        yield from check(settings)
    if url:
        yield from asyncio.run(address.visit(url, settings.password))
