"""A live server as its host runs it: the command ``tisch serve`` in a process of its own, which a test can kill.

As a program, ``python serving.py [--seed SEED] [--set NAME=VALUE …] serve …``, it is the command with what no flag has:
every game has this seed, and constants, such as ``tisch.table.clock.HOLD``, have other values.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import pkgutil
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import aiohttp

from ports import reserved_port
from server import Client, dealt
from tisch import cli
from tisch.chance import VARIABLE

#: The time limit in seconds. On a busy machine, a start with its agents' processes takes more than half a minute.
PATIENCE = 60.0
#: The variables of a process that can only write small files: what coverage counts must be none of them.
UNMEASURED = {"COVERAGE_PROCESS_CONFIG": "", "LLVM_PROFILE_FILE": os.devnull}


def environment(**more: str) -> dict[str, str]:
    """Return the environment variables of a process that must not depend on the settings here."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TISCH_") or name == VARIABLE}
    if "PYTHONPATH" in more and "PYTHONPATH" in kept:
        # A copy of the tree with a fault is found by this; otherwise the processes would run another tree.
        more["PYTHONPATH"] = os.pathsep.join([more["PYTHONPATH"], kept["PYTHONPATH"]])
    return kept | more


def command(*arguments: object, seed: int | None = None, constants: Mapping[str, object] | None = None) -> list[str]:
    """Return the command line of ``tisch``.

    :param arguments: Its arguments.
    :param seed: (Optional) The seed of every game.
    :param constants: (Optional) Other values of constants, by their names.
    """
    chosen = [] if seed is None else ["--seed", str(seed)]
    for name, value in (constants or {}).items():
        chosen += ["--set", f"{name}={value!r}"]
    tisch = [__file__, *chosen] if chosen else ["-m", "tisch"]
    return [sys.executable, *tisch, *map(str, arguments)]


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


class Served:
    """A server in a process of its own, which can start again and again.

    :param folder: The folder for its data and its log.
    :param tisch: Its command line.
    :param variables: Additional environment variables.
    :ivar address: Its address.
    :ivar data: Its data folder.
    """

    process: subprocess.Popen[str]

    def __init__(self, folder: Path, tisch: Sequence[str], variables: Mapping[str, str]) -> None:
        self.data = folder / "data"
        self.address = ""
        self._folder, self._log = folder, folder / "log"
        self._command, self._variables = tisch, variables

    def start(self) -> None:
        """Start it, and wait until it accepts players."""
        with self._log.open("w") as errors:
            self.process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                env=environment(**self._variables),
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        with patience(self.process):
            line = self.line()
        assert line.startswith("tisch is ready: http://"), line + self._log.read_text()
        self.address = line.split()[-1].rstrip("/")

    def line(self) -> str:
        """Read the next line that it prints."""
        assert self.process.stdout
        return self.process.stdout.readline()

    @property
    def port(self) -> int:
        """Its port."""
        return int(self.address.rpartition(":")[2])

    @property
    def log(self) -> list[dict[str, Any]]:
        """The lines of its log since it started, without the warning that its chance repeats."""
        lines = map(json.loads, self._log.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if line["message"] != "all chance can be foreseen"]

    def get(self, path: str) -> Any:
        """Request JSON."""
        with urllib.request.urlopen(self.address + path, timeout=PATIENCE) as answer:
            return json.load(answer)

    def metric(self, name: str) -> float:
        """Read a metric.

        :param name: The name of the metric, with its labels.
        :result: The value.
        """
        with urllib.request.urlopen(f"{self.address}/metrics", timeout=PATIENCE) as answer:
            lines = answer.read().decode().splitlines()
        return float(next(line for line in lines if line.startswith(name + " ")).rpartition(" ")[2])

    def kill(self) -> None:
        """Kill it, like a power failure."""
        self.process.kill()
        self._ended()

    def stop(self) -> int:
        """Stop it.

        :result: The exit code.
        """
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def _ended(self) -> int:
        """Wait for its end; one that does not end is killed."""
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout
            self.process.stdout.close()


@contextmanager
def serving(
    folder: Path,
    *flags: object,
    seed: int | None = None,
    constants: Mapping[str, object] | None = None,
    variables: Mapping[str, str] | None = None,
    under: Sequence[str] = (),
) -> Iterator[Served]:
    """Run a server; its data and its log are in the folder, which others may use before and after it.

    :param folder: The folder.
    :param flags: Further flags. Without others, it has one process for agents, which do not pause between their moves,
        and a port that stays the same when it starts again.
    :param seed: (Optional) The seed of every game.
    :param constants: (Optional) Other values of constants, by their names.
    :param variables: (Optional) Additional environment variables.
    :param under: (Optional) The command line of a program under which it runs.
    """
    with ExitStack() as stack:
        port = () if "--port" in flags else ("--port", stack.enter_context(reserved_port()))
        usual = ("serve", "--data", folder / "data", "--workers", 1, "--pause", 0, *port)
        tisch = command(*usual, *flags, seed=seed, constants=constants)
        served = Served(folder, [*under, *tisch], variables or {})
        try:
            served.start()
            yield served
        finally:
            # One that does not start must not be left behind either.
            served.stop()


def limited(ulimit: str) -> list[str]:
    """Return the command line under which a program has limits.

    :param ulimit: What the shell sets before the start.
    """
    return ["sh", "-c", f'{ulimit} && exec "$@"', "sh"]


@contextmanager
def patience(process: subprocess.Popen[str]) -> Iterator[None]:
    """Kill a process for which a test waits too long."""
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


async def connected(session: aiohttp.ClientSession, server: Served, **query: str | int) -> Client:
    """Connect a test client to a server."""
    return Client(None, await session.ws_connect(f"{server.address}/ws", params=query))


def main() -> int:
    """Run the command.

    :result: Its exit code.
    """
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--set", action="append", default=[])
    chosen, arguments = parser.parse_known_args()
    with ExitStack() as stack:
        if chosen.seed is not None:
            stack.enter_context(dealt(chosen.seed))
        for setting in chosen.set:
            name, _, value = setting.partition("=")
            module, _, constant = name.rpartition(".")
            stack.enter_context(patch.object(pkgutil.resolve_name(module), constant, ast.literal_eval(value)))
        return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
