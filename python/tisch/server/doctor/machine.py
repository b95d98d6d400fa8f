"""Checks of the machine: versions, descriptors, memory, the clock, and the ports."""

from __future__ import annotations

import errno
import http.client
import os
import platform
import re
import shutil
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tisch.games import REGISTRY
from tisch.importing import version
from tisch.server.config import Config
from tisch.server.doctor.findings import Finding, State, bad, good, size, warning
from tisch.server.net import limits

#: How many connections a server for friends should have room for.
ENOUGH: Final = 500
#: The memory that a server with a process for agents and some tables needs, in bytes, and what another process adds.
MEMORY: Final = 100_000_000
PROCESS: Final = 15_000_000
#: No machine whose clock is right can be before this day.
BUILT: Final = datetime(2026, 11, 1, tzinfo=UTC)
#: How long an answer of this machine may take, in seconds.
PATIENCE: Final = 5.0


def versions(_: Config) -> Iterator[Finding]:
    """Say what runs here."""
    yield good(
        f"This is tisch {version()} with Python {platform.python_version()} and SQLite {sqlite3.sqlite_version} on "
        f"{platform.system()} {platform.machine()}."
    )


def descriptors(_: Config) -> Iterator[Finding]:
    """Check how many connections there is room for."""
    most, _backlog = limits.places(limits.descriptors())
    what = f"There is room for {most:,} connections."
    if most >= ENOUGH:
        yield good(what)
    else:
        cure = "Raise the hard limit of open files (ulimit -Hn): LimitNOFILE=16384 in the unit of systemd."
        yield warning(what, cure)


def memory(config: Config) -> Iterator[Finding]:
    """Check whether the memory that is free suffices."""
    free = available()
    if free is None:
        return
    needed = MEMORY + PROCESS * (config.agent_processes - 1)
    what = f"{size(free)} of memory are free; server and agents need some {size(needed)}."
    if free >= needed:
        yield good(what)
    else:
        yield warning(what, "Use fewer processes (--workers 1), or close other programs.")


def available(file: Path = Path("/proc/meminfo")) -> int | None:
    """Return how much memory is free.

    :param file: (Optional) Where Linux says so.
    :result: The bytes; nothing on systems that do not say so there.
    """
    try:
        text = file.read_text(encoding="ascii")
    except OSError:
        return None
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    return None


def clock(_: Config) -> Iterator[Finding]:
    """Check whether the clock is right, as far as the machine knows."""
    yield of_clock(time.time(), _synchronized())


def of_clock(now: float, synchronized: str) -> Finding:
    """Judge the clock.

    :param now: The time, in seconds since 1970.
    :param synchronized: ``yes`` or ``no``, or nothing where the system does not say.
    :result: The finding.
    """
    day = datetime.fromtimestamp(now, UTC)
    what = f"The clock says {day:%Y-%m-%d %H:%M} UTC"
    cure = "Switch on the time service: sudo timedatectl set-ntp true."
    if day < BUILT:
        return bad(f"{what}, which is before this tisch was made: TLS fails, and games get wrong dates.", cure)
    if synchronized == "no":
        return warning(f"{what}, but no time server has confirmed it.", cure)
    return good(f"{what}{', confirmed by a time server' if synchronized == 'yes' else ''}.")


def _synchronized() -> str:
    """Return what systemd knows of the clock."""
    command = shutil.which("timedatectl")
    if not command:
        return ""
    asked = [command, "show", "--property=NTPSynchronized", "--value"]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout.strip()


def ports(config: Config) -> Iterator[Finding]:
    """Check whether the server can listen, or listens already."""
    running = _running(config)
    if running:
        yield running
    else:
        yield port_of(config.host, config.port, "the page")
        if config.metrics:
            yield port_of(config.host, config.metrics, "the metrics")
    for game, wire in config.wires.items():
        found = port_of(config.host, wire.port, f"programs that play {REGISTRY[game].title}")
        # A tisch that runs has its ports.
        if found.state is State.GOOD or not running:
            yield found


def port_of(host: str, port: int, what: str) -> Finding:
    """Check one port.

    :param host: The address to listen on.
    :param port: The port.
    :param what: Whom it is for.
    :result: The finding.
    """
    if not port:
        return good(f"The port for {what} is any that is free.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name != "nt":
                # As the server does it: connections of a server that has just stopped do not matter.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except OSError as error:
        return _taken(host, port, what, error)
    return good(f"The port {port} for {what} is free.")


def _taken(host: str, port: int, what: str, error: OSError) -> Finding:
    """Say why a port cannot be used."""
    if error.errno == errno.EACCES:
        cure = "Take one above 1023 (--port 8765), and a proxy for the ports of the web."
        return bad(f"The port {port} for {what} is reserved for the administrator.", cure)
    if error.errno == errno.EADDRINUSE:
        cure = f"Find that program with ss -ltnp 'sport = :{port}' and stop it, or take another port."
        return bad(f"Another program uses the port {port} for {what}.", cure)
    cure = "Check the setting 'host': 0.0.0.0 listens on all addresses, 127.0.0.1 only on this machine's own."
    return bad(f"The server cannot listen at {host}, port {port}, for {what}: {error.strerror}.", cure)


def _running(config: Config) -> Finding | None:
    """Return a finding if there is a tisch that has these ports."""
    port = config.port
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(config.host, config.host)
    address = f"http://{f'[{local}]' if ':' in local else local}"
    figures = _read(f"{address}:{config.metrics or port}/metrics")
    if figures is None or "\ntisch_tables " not in figures:
        return None
    if _read(f"{address}:{port}/readyz") is None:
        return bad(f"A tisch runs at the port {port}, but nobody can join it.", "Its log says why.")
    told = re.search(r'^tisch_build_info{.*version="([^"]*)"', figures, re.MULTILINE)
    if not told or told[1] != version():
        what = f"tisch {told[1]}" if told else "an older tisch"
        cure = "Restart the server, so that it runs what is installed."
        return warning(f"At the port {port} runs {what}, and {version()} is installed.", cure)
    return good(f"At the port {port} runs tisch {told[1]}, and players can join.")


def _read(url: str) -> str | None:
    """Return what this machine answers; nothing if that is no text, or an error."""
    plain = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with plain.open(url, timeout=PATIENCE) as answer:
            text: str = answer.read().decode()
    except urllib.error.HTTPError as refused:
        refused.close()
        return None
    except (OSError, ValueError, http.client.HTTPException):
        return None
    return text
