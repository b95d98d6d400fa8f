"""The processes of this machine, however the system lists them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import psutil


def command_lines() -> Iterator[tuple[int, str]]:
    """Yield the number and the command line of every process that still runs."""
    for process in psutil.process_iter(["cmdline", "status"]):
        if process.info["status"] != psutil.STATUS_ZOMBIE:
            yield process.pid, " ".join(process.info["cmdline"] or ())


def children(pid: int) -> list[int]:
    """Return the child processes of a process; none if it has ended."""
    try:
        return [child.pid for child in psutil.Process(pid).children()]
    except psutil.NoSuchProcess:
        return []


def is_running(pid: int) -> bool:
    """Return whether a process still runs."""
    return any(pid == other for other, _ in command_lines())


def is_in_group(pid: int, group: int) -> bool:
    """Return whether a process belongs to a process group; one that has ended belongs to none."""
    try:
        return os.getpgid(pid) == group
    except ProcessLookupError:
        return False
