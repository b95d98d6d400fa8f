"""A server in a process of its own, whose processor time and memory are measured."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Final

from tisch import chance
from tisch.server.config import PREFIX

#: The time in which a server must start or stop, in seconds.
START: Final = 30.0
#: How Python starts the command ``tisch``.
TISCH: Final = ("-m", "tisch")


class Process:
    """A server in a process of its own.

    :param process: The process.
    :param url: Where it serves.
    :ivar url: The same.
    """

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self._process = process
        self.url = url

    def _family(self) -> list[int]:
        """List the server's process and its agent processes."""
        found = [self._process.pid]
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == self._process.pid:
                    found.append(int(stat.parent.name))
        return found

    def memory(self) -> int:
        """Measure the memory of all processes of the server, in bytes, with a fair share of shared pages."""
        total = 0
        for process in self._family():
            with contextlib.suppress(OSError):
                rollup = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
                total += int(rollup.partition("\nPss:")[2].split()[0]) * 1024
        return total

    def own_memory(self) -> int:
        """Measure what the server's own process has written to its memory, in bytes: nothing that it shares."""
        with contextlib.suppress(OSError):
            rollup = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text(encoding="ascii")
            return int(rollup.partition("\nAnonymous:")[2].split()[0]) * 1024
        return 0

    def cpu(self) -> float:
        """Measure the CPU time of the server's own process, in seconds."""
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(words[11]) + int(words[12])) / 100
        return 0.0


@contextlib.asynccontextmanager
async def served(guests: int, *more: str, tisch: Sequence[str] = TISCH) -> AsyncIterator[Process]:
    """Start ``tisch serve`` for a measurement, with an empty folder of data on the disk.

    :param guests: The most tables and connections; they all come from one address.
    :param more: Further arguments.
    :param tisch: (Optional) How Python starts the command.
    :result: The server.
    :raises ValueError: It does not start.
    """
    with tempfile.TemporaryDirectory(prefix="tisch-load-") as folder:
        most = str(guests)
        command = [*tisch, "serve", "--port", "0", "--data", folder, "--log", "warning"]
        command += ["--tables", most, "--tables-per-address", most, "--connections-per-address", most]
        command += ["--requests-per-address", most, *more]
        async with started(command, folder) as process:
            yield process


@contextlib.asynccontextmanager
async def started(command: Sequence[str], folder: str) -> AsyncIterator[Process]:
    """Start a server in Python.

    :param command: The arguments of Python.
    :param folder: Its working directory.
    :result: The server, once it has printed its address.
    :raises ValueError: It does not start.
    """
    # The settings of the environment are those of another server; chance is that of all.
    others = {name for name in os.environ if name.startswith(PREFIX)} - {chance.VARIABLE}
    environment = {name: value for name, value in os.environ.items() if name not in others}
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout
        line = (await asyncio.wait_for(process.stdout.readline(), START)).decode()
        if "http://" not in line:
            raise ValueError("The server did not start; its own words are above.")
        yield Process(process, line[line.index("http://") :].strip().rstrip("/"))
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), START)
            except TimeoutError:
                process.kill()
                await process.wait()
