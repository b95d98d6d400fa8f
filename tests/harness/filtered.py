"""Runs a command under the system call filter of the systemd unit in docs/operating.md.

``python filtered.py [--refuse CALL] COMMAND …`` becomes the command. The groups of calls are those of the installed
systemd (``systemd-analyze syscall-filter``), and libseccomp builds the kernel's filter from them, as for systemd.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from ctypes.util import find_library
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs" / "operating.md"
#: The actions of libseccomp: allow, fail with an error, end the process.
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
#: The exit code if the kernel refuses what is needed.
REFUSED = 77
#: The flag of unshare(2) for a user namespace.
NEW_USER = 0x10000000
#: A system call that libseccomp does not know on any architecture.
UNKNOWN = -1


def unit_text() -> str:
    """Read the unit from the page.

    :result: The file as an administrator writes it.
    """
    lines = PAGE.read_text(encoding="utf-8").partition("\n## systemd\n")[2].partition("\n## ")[0].splitlines()
    start = lines.index("    [Unit]")
    end = lines.index("    WantedBy=multi-user.target")
    return "\n".join(line.removeprefix("    ") for line in lines[start : end + 1]) + "\n"


def settings(name: str) -> list[str]:
    """Return the values of a setting of the unit.

    :param name: The setting.
    :result: Its values, in order.
    """
    return [line.partition("=")[2] for line in unit_text().splitlines() if line.startswith(f"{name}=")]


def why_not() -> str:
    """Return why the filter cannot be applied here.

    :result: A sentence; empty if it can.
    """
    if sys.platform != "linux":
        return "Only Linux has such filters."
    if not shutil.which("systemd-analyze") or not find_library("seccomp"):
        return "The groups of system calls are those of systemd, and libseccomp makes the filter."
    tried = subprocess.run([sys.executable, __file__, "true"], check=False)
    return "This kernel refuses such filters." if tried.returncode == REFUSED else ""


def groups() -> dict[str, list[str]]:
    """Return the system calls of each group of systemd.

    :result: Calls and nested groups, by group.
    """
    command = ["systemd-analyze", "syscall-filter", "--no-pager"]
    found: dict[str, list[str]] = {}
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("@"):
            calls = found[line.strip()] = []
        elif line.startswith(" ") and not line.strip().startswith("#"):
            calls.append(line.strip())
        elif line.startswith("#"):
            break  # The rest belongs to no group.
    return found


def allowed() -> set[str]:
    """Compute the system calls that the unit allows.

    :result: Their names.
    """
    known = groups()

    def expand(names: list[str]) -> set[str]:
        calls = {name for name in names if not name.startswith("@")}
        return calls.union(*(expand(known[name]) for name in names if name.startswith("@")))

    first, *more = settings("SystemCallFilter")
    assert not first.startswith("~"), "The unit must list what is allowed, not what is forbidden."
    # Systemd always allows what a process needs to start at all.
    calls = expand(["@default", *first.split()])
    for value in more:
        calls = calls - expand(value[1:].split()) if value.startswith("~") else calls | expand(value.split())
    return calls


def apply(refused: str) -> None:
    """Allow this process and its children only these system calls from now on.

    :param refused: A call that is refused although the unit allows it; or empty.
    :raises OSError: The kernel refuses the filter.
    """
    number = "".join(settings("SystemCallErrorNumber"))
    refusal = ERROR | getattr(errno, number) if number else KILL
    library: Any = ctypes.CDLL(find_library("seccomp"))
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(refusal)))
    for name in allowed() - {refused}:
        call = library.seccomp_syscall_resolve_name(name.encode())
        if call != UNKNOWN:
            # A call of another architecture is refused, and not needed.
            library.seccomp_rule_add(context, ctypes.c_uint32(ALLOW), ctypes.c_int(call), ctypes.c_uint(0))
    if failure := library.seccomp_load(context):
        raise OSError(-failure, os.strerror(-failure))


def become_nobody() -> None:
    """Drop all privileges, like the unit's user; this process can still read what root owns.

    :raises OSError: The kernel refuses it.
    """
    if os.geteuid():
        return
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(NEW_USER):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    for name, text in (("setgroups", "deny"), ("uid_map", "1000 0 1"), ("gid_map", "1000 0 1")):
        Path(f"/proc/self/{name}").write_text(text, encoding="ascii")


if __name__ == "__main__":
    _, *arguments = sys.argv
    refused = ""
    if arguments[0] == "--refuse":
        _, refused, *arguments = arguments
    try:
        become_nobody()
        apply(refused)
    except OSError as error:
        print(f"The filter cannot be applied: {error}.", file=sys.stderr)
        sys.exit(REFUSED)
    os.execvp(arguments[0], arguments)
