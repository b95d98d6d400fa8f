"""Runs a command of the gates so that no process of it survives the gates."""

import asyncio
import contextlib
import os
import secrets
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import _setup

#: The variable by which the processes of a command are found, wherever they have gone: its mark and those around it.
MARK = "CHECK_GATE"
#: Linux tells there what other processes are.
_PROCESSES = Path("/proc")


async def execute(
    command: Sequence[str],
    folder: Path,
    variables: Mapping[str, str] | None = None,
    limit: float | None = None,
    started: Callable[[int], None] | None = None,
) -> tuple[int, str]:
    """Run a command until it ends, and end what it leaves behind.

    :param command: the command.
    :param folder: its working directory.
    :param variables: (optional) additional environment variables.
    :param limit: (optional) the time limit in seconds, after which it is killed.
    :param started: (optional) called with the id of its process.
    :result: its exit code and its output.
    :raises TimeoutError: if it exceeded the time limit.
    """
    mark = secrets.token_hex(8)
    # A pipe would stay open as long as any process has it.
    with tempfile.TemporaryFile() as output:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=_setup.tool_environment() | dict(variables or {}) | {MARK: f"{os.environ.get(MARK, '')} {mark}"},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT,
            process_group=0,
        )
        try:
            if started:
                started(process.pid)
            async with asyncio.timeout(limit):
                code = await process.wait()
        finally:
            _setup.kill(process.pid)
            kill_marked(mark)
            await process.wait()
        output.seek(0)
        return code, output.read().decode(errors="replace")


def kill_marked(mark: str) -> None:
    """Kill the processes of a command that have left its group, where the system tells them.

    :param mark: what is in their variable.
    """
    # What a process starts before it dies is found the next time.
    while found := [process for process in _processes() if mark.encode() in _read(process, "environ")]:
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.001)


def descendants(process: int) -> list[int]:
    """List the processes that descend from one.

    :param process: its id.
    :result: their ids, each after its parent's; none where the system does not tell.
    """
    children: dict[int, list[int]] = {}
    for other in _processes():
        if fields := _status(other):
            children.setdefault(int(fields[1]), []).append(other)
    found = [process]
    for parent in found:
        found += children.get(parent, [])
    return found[1:]


def is_stopped(process: int) -> bool:
    """Return whether a process is stopped, or over.

    :param process: its id.
    :result: whether it does nothing.
    """
    return _status(process)[:1] in ([], [b"T"], [b"Z"], [b"X"])


def _processes() -> Iterator[int]:
    if _PROCESSES.is_dir():
        yield from (int(path.name) for path in _PROCESSES.iterdir() if path.name.isdigit())


def _status(process: int) -> list[bytes]:
    """Read the fields of a process after its name, which may contain anything: its state, its parent and so on."""
    return _read(process, "stat").rpartition(b")")[2].split()


def _read(process: int, file: str) -> bytes:
    try:
        return (_PROCESSES / str(process) / file).read_bytes()
    except OSError:
        return b""
