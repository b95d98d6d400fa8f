"""The command ``tisch serve``: it starts and stops the live server."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tisch.games import REGISTRY
from tisch.importing import import_from_here
from tisch.server import config
from tisch.server.agents.pool import AgentPoolError
from tisch.server.config import Config
from tisch.server.http.app import Server

#: The standard attributes of a log record; all others were added to the message.
OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

log = logging.getLogger(__name__)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: The command's options.
    :result: The exit code: 0 after a signal, 1 after a failure, 2 if it could not start.
    """
    try:
        settings = config.load(options, os.environ, Path(".env"))
        _log_to(sys.stderr, settings.log)
        if settings.games:
            # Otherwise nothing may come from the directory where the server was started.
            import_from_here(and_children=True)
        code: int = _runner()(serve(settings))
    except (ValueError, AgentPoolError) as error:
        print(f"tisch serve: {error}", file=sys.stderr)
        return 2
    return code


async def serve(settings: Config) -> int:
    """Serve until a signal arrives, or the journal fails.

    :param settings: The server's settings.
    :result: The exit code.
    :raises ValueError: It cannot start.
    """
    if settings.chance:
        _keep_at_home(settings)
    server = Server(settings)
    stop = asyncio.Event()
    if sys.platform != "win32":  # There, Ctrl-C cancels this task, and there are no other signals.
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, stop.set)
        loop.add_signal_handler(signal.SIGUSR1, lambda: server.maintain(on=not server.maintenance))
    async with server.open() as port:
        if settings.chance:
            log.warning("all chance can be foreseen")
        _announce(settings.host, port, server.ports)
        failed = asyncio.create_task(server.journal.failed.wait())
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([failed, stopped], return_when=asyncio.FIRST_COMPLETED)
        failed.cancel()
        stopped.cancel()
        if server.journal.failed.is_set():
            log.critical("nothing can be kept any more", extra={"reason": server.journal.ended})
            return 1
        return 0


def _keep_at_home(settings: Config) -> None:
    """Refuse secrets that follow from a setting where others could reach the server.

    :raises ValueError: They could.
    """
    if settings.proxy or settings.host not in config.LOCAL:
        where = "behind a proxy" if settings.proxy else f"on the address {settings.host}"
        raise ValueError(
            "With the setting 'chance', everybody who knows it knows all cards and secrets: it is for tests on this "
            f"machine, not for a server {where}."
        )


def _announce(host: str, port: int, ports: Mapping[str, int]) -> None:
    """Print the addresses of the server."""
    everywhere = host in ("0.0.0.0", "::")
    local = "localhost" if everywhere or host in ("127.0.0.1", "::1") else host
    print(f"tisch is ready: http://{local}:{port}/", flush=True)
    address = _address_in_network() if everywhere else ""
    if address:
        print(f"For others in your network: http://{address}:{port}/", flush=True)
    for game, other in ports.items():
        there = f", for others in your network: {address}:{other}" if address else ""
        print(f"{REGISTRY[game].title} for programs: {local}:{other}{there}", flush=True)


def _address_in_network() -> str:
    """Find this machine's address in the network; empty if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        # Nothing is sent: this only chooses a route, and with it the own address.
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        return address
    return ""


def _runner() -> Any:
    """Return the runner of the event loop: uvloop is twice as fast where it is available."""
    try:
        import uvloop  # noqa: PLC0415 - It is not there on every system.
    except ImportError:
        return asyncio.run
    return uvloop.run


class _Lines(logging.Formatter):
    """Formats each record as a line of JSON, with the time in UTC."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in OWN},
        }
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)


def _log_to(stream: Any, level: str) -> None:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Lines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
