"""Runs tests on a machine that is as bad as machines get: the proof that no test depends on how fast anything is.

While a file of tests runs, its processes are stopped and go on at random moments, other processes take the cores, and
``tests/steady/sitecustomize.py`` holds back and shuffles what event loops are told. All of it follows from a number.
"""

import asyncio
import contextlib
import json
import os
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import _setup
from _processes import descendants, execute, is_stopped

#: The folder with the module that Python loads at the start of each process.
FOLDER = _setup.ROOT / "tests" / "steady"
#: The folders of tests with processes, sockets and timers.
PARTS = ("arena/", "server/", "terminal/", "web/", "wires/")
#: The limit for one file in seconds.
LIMIT = 900.0
#: The most seconds between two stops and that a stop lasts, and of a load and between two.
PAUSE, STOP, LOAD = 1.0, 2.0, 6.0


@dataclass
class Done:
    """What was done while a file ran.

    :ivar stops: the number of stops.
    :ivar stopped: their seconds.
    :ivar busy: the number of processes that took the cores.
    :ivar loops: the numbers of what event loops were told late, in another order, and of timers that rang late.
    """

    stops: int = 0
    stopped: float = 0.0
    busy: int = 0
    loops: dict[str, int] = field(default_factory=lambda: {"held": 0, "shuffled": 0, "late": 0})

    def __str__(self) -> str:
        return (
            f"{self.stops} stops of {self.stopped:.0f} s together, {self.busy} busy processes, "
            f"{self.loops['held']} events held back, {self.loops['shuffled']} times shuffled, "
            f"{self.loops['late']} timers late"
        )


def give_number(chosen: int | None, *, nightly: bool) -> int:
    """Give all tests the number from which their chance follows: see ``tests/harness/seeded.py``.

    :param chosen: the number, if one was chosen.
    :param nightly: whether each day has another one.
    :result: the number; 0 gives the chance of every run.
    :raises SetupError: if Python takes no such number.
    """
    number = (datetime.now(UTC).date().toordinal() if nightly else 0) if chosen is None else chosen
    if not 0 <= number < 1 << 32:
        raise _setup.SetupError(f"--fresh needs a number from 0 to 4294967295, not {number}.")
    # It is the seed of Python's hashes, too.
    os.environ["PYTHONHASHSEED"] = str(number)
    return number


def choose(words: Sequence[str], tree: Path = _setup.ROOT) -> list[str]:
    """Choose files of tests.

    :param words: parts of their paths; without any, the folders with processes, sockets and timers.
    :param tree: the tree.
    :result: their paths from the root of the tree.
    :raises SetupError: if a word is part of no path.
    """
    files = sorted(path.relative_to(tree).as_posix() for path in (tree / "tests").rglob("test_*.py"))
    for word in words:
        if not any(word in file for file in files):
            raise _setup.SetupError(f"No file of tests has {word!r} in its path.")
    return [file for file in files if any(word in file for word in words or PARTS)]


async def stop(tests: int, random: Random, done: Done) -> None:
    """Stop processes of the tests for a while, one after the other, until cancelled.

    :param tests: the process that runs the tests.
    :param random: the source of chance.
    :param done: counts it.
    """
    while True:
        await asyncio.sleep(random.uniform(0, PAUSE))
        # A process that a test has stopped is its own affair.
        running = [process for process in (tests, *descendants(tests)) if not is_stopped(process)]
        if not running:
            continue
        process, seconds = random.choice(running), random.uniform(0, STOP) ** 2 / STOP
        _signal(process, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            _signal(process, signal.SIGCONT)
        done.stops += 1
        done.stopped += seconds


def _signal(process: int, number: signal.Signals) -> None:
    """Send a signal to a process, which may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


async def load(random: Random, done: Done) -> None:
    """Take the cores for a while, again and again, until cancelled.

    :param random: the source of chance.
    :param done: counts it.
    """
    while True:
        await asyncio.sleep(random.uniform(0, LOAD))
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(random.randint(1, 2 * (os.cpu_count() or 1))):
                await stack.enter_async_context(_busy())
                done.busy += 1
            await asyncio.sleep(random.uniform(0, LOAD))


@contextlib.asynccontextmanager
async def _busy() -> AsyncIterator[None]:
    process = await asyncio.create_subprocess_exec(sys.executable, "-S", "-c", "while True: pass")
    try:
        yield
    finally:
        process.kill()
        await process.wait()


async def run(file: str, number: int, folder: Path = _setup.ROOT) -> tuple[int, str, Done]:
    """Run a file of tests, and disturb it.

    :param file: the file.
    :param number: what all chance follows from, of the tests and of what disturbs them.
    :param folder: the tree.
    :result: the exit code of pytest, its output, and what was done.
    """
    random, done = Random(f"{number} {file}"), Done()
    with tempfile.TemporaryDirectory(prefix="steady-") as notes:
        log = Path(notes, "loops")
        path = os.pathsep.join(filter(None, (str(FOLDER), os.environ.get("PYTHONPATH"))))
        variables = {"PYTHONPATH": path, "STEADY_SEED": f"{number} {file}", "STEADY_LOG": str(log)}
        variables["PYTHONHASHSEED"] = str(number)
        command = [str(_setup.PYTHON), "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", file]
        disturbing: list[asyncio.Task[None]] = []

        def disturb(tests: int) -> None:
            disturbing.extend(map(asyncio.create_task, (stop(tests, random, done), load(random, done))))

        try:
            code, output = await execute(command, folder, variables, LIMIT, started=disturb)
        except TimeoutError:
            code, output = 1, f"The tests have not ended after {LIMIT:.0f} seconds."
        finally:
            for task in disturbing:
                task.cancel()
            await asyncio.gather(*disturbing, return_exceptions=True)
        _add(log, done)
    return code, output, done


def _add(log: Path, done: Done) -> None:
    """Add what the event loops have told."""
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        for name, count in json.loads(line).items():
            done.loops[name] += count


def _order(files: Sequence[str], number: int) -> Iterator[tuple[str, int]]:
    """Return files and their numbers without end, in a random order each time."""
    while True:
        for file in Random(number).sample(files, len(files)):
            yield file, number
        number += 1


def main(words: Sequence[str], *, number: int, minutes: float) -> int:
    """Run tests until the time is over, each file once or more.

    :param words: parts of the paths of the files.
    :param number: what all chance follows from; each further round has the next number.
    :param minutes: the time after which no more file begins.
    :result: 0 if none failed, otherwise 1.
    :raises SetupError: if a word is part of no path.
    """
    files, end = choose(words), time.monotonic() + 60 * minutes
    ran, failed = 0, list[str]()
    for file, chance in _order(files, number):
        if ran and time.monotonic() > end:
            break
        start = time.monotonic()
        code, output, done = asyncio.run(run(file, chance))
        ran += 1
        # 5 means that all of its tests are slow ones.
        verdict = "ok" if code in (0, 5) else "FAILED"
        print(f"{verdict:<7}{time.monotonic() - start:>7.1f} s  {file}, number {chance}: {done}", flush=True)
        if verdict == "FAILED":
            command = ["python3", "bin/check.py", "--steady", file, "--fresh", str(chance), "--minutes", "0"]
            failed.append(shlex.join(command))
            print(output.rstrip(), f"to repeat: {failed[-1]}", sep="\n", flush=True)
    print(f"\n{ran} runs of {len(files)} files, {len(failed)} failed", *failed, sep="\n")
    return 1 if failed else 0
