"""A live server as its host runs it: the command ``tisch serve`` in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

from server import Client
from tisch.chance import VARIABLE

#: The time limit in seconds. On a busy machine, a start with its agents' processes takes more than half a minute.
PATIENCE = 60.0


def environment(**more: str) -> dict[str, str]:
    """Return the environment variables of a process that must not depend on the settings here."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TISCH_") or name == VARIABLE}
    return kept | more


def command(*arguments: object) -> list[str]:
    """Return the command line of ``tisch``."""
    return [sys.executable, "-m", "tisch", *map(str, arguments)]


def run(folder: Path, *arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


class RealServer:
    """A server in a process of its own.

    :ivar url: Its address.
    :ivar data: Its data folder.
    """

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self.process = process
        self.data = folder / "data"
        self._log = log = folder / "log"
        with patience(process):
            assert process.stdout
            line = process.stdout.readline()
        assert line.startswith("tisch is ready: http://"), line + log.read_text()
        self.url = line.split()[-1].rstrip("/")

    @property
    def port(self) -> int:
        """Its port."""
        return int(self.url.rpartition(":")[2])

    @property
    def log(self) -> list[dict[str, Any]]:
        """The lines of its log, without the warning that its chance repeats."""
        lines = map(json.loads, self._log.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if line["message"] != "all chance can be foreseen"]

    def get(self, path: str) -> Any:
        """Request JSON."""
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            return json.load(answer)

    def kill(self) -> None:
        """Kill it, like a power failure."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        """Stop it.

        :result: The exit code.
        """
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


@contextmanager
def real_server(
    folder: Path, *flags: object, variables: Mapping[str, str] | None = None, ulimit: str = ""
) -> Iterator[RealServer]:
    """Run a server; its data and its log are in the folder, which others may use before and after it.

    :param folder: The folder.
    :param flags: Further flags.
    :param variables: (Optional) Additional environment variables.
    :param ulimit: (Optional) Limits that the shell sets before the start.
    """
    limited = ("sh", "-c", f'{ulimit} && exec "$@"', "sh") if ulimit else ()
    port = () if "--port" in flags else ("--port", 0)
    with (folder / "log").open("w") as errors:
        process = subprocess.Popen(
            [*limited, *command("serve", "--data", folder / "data", "--workers", 1, "--pause", 0, *port, *flags)],
            cwd=folder,
            env=environment(**(variables or {})),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    with process:
        try:
            yield RealServer(process, folder)
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            try:
                process.wait(PATIENCE)
            finally:
                process.kill()


@contextmanager
def patience(process: subprocess.Popen[str]) -> Iterator[None]:
    """Kill a process for which a test waits too long."""
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


async def connected(session: aiohttp.ClientSession, server: RealServer, **query: str | int) -> Client:
    """Connect a test client to a server."""
    return Client(None, await session.ws_connect(f"{server.url}/ws", params=query))
