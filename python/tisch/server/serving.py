"""What ``tisch serve`` does: it starts the live server and stops it."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from tisch.games import REGISTRY
from tisch.server import config
from tisch.server.app import Server
from tisch.server.config import Config
from tisch.server.thinkers import ThinkingFailed

#: How long the server may take to stop, in seconds.
GRACE: Final = 3.0
#: What a log record has by itself; everything else was said besides the message.
OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

log = logging.getLogger(__name__)


def run(options: argparse.Namespace) -> int:
    """Run the command.

    :param options: What was asked for.
    :result: The exit code.
    """
    try:
        settings = config.load(options, os.environ, Path(".env"))
        _log_to(sys.stderr, settings.log)
        code: int = _runner()(serve(settings))
    except (ValueError, ThinkingFailed) as error:
        print(f"tisch serve: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"tisch serve: {error.strerror or error}.", file=sys.stderr)
        return 1
    return code


async def serve(settings: Config) -> int:
    """Serve until the process is told to stop, or nothing can be kept any more.

    :param settings: How the server runs.
    :result: The exit code.
    """
    server = Server(settings)
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    loop.add_signal_handler(signal.SIGUSR1, server.toggle_maintenance)
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=GRACE)
    await runner.setup()
    try:
        site = web.TCPSite(runner, settings.host, settings.port)
        await site.start()
        port = runner.addresses[0][1]
        host = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::1", "::") else settings.host
        print(f"tisch is ready: http://{host}:{port}/", flush=True)
        for game, port in server.ports.items():
            print(f"{REGISTRY[game].title} for programs: {host}:{port}", flush=True)
        failed = asyncio.create_task(server.journal.failed.wait())
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait([failed, stopped], return_when=asyncio.FIRST_COMPLETED)
        code = 1 if failed.done() else 0
        failed.cancel()
        stopped.cancel()
        return code
    finally:
        await runner.cleanup()


def _runner() -> Any:
    """Find what runs the event loop: uvloop is twice as fast where there is one."""
    try:
        import uvloop  # noqa: PLC0415 - It is not there on every system.
    except ImportError:
        return asyncio.run
    return uvloop.run


class _Lines(logging.Formatter):
    """Writes each record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03d}",
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
