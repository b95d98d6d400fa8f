"""Applies planted faults to copies of the tree, one after the other, and reports which ones the tests catch.

The tree itself never changes. Each lane has its own copy in ``target/faults``, where the tests import the copy's
package instead of that of the environment, which all lanes share.
"""

import asyncio
import collections
import contextlib
import json
import os
import shutil
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import _faults
import _setup
from _faults import Fault
from _processes import execute

#: The time limit for the tests of one fault, or for those of one file without a fault, in seconds.
LIMIT = 300.0

#: The files that a copy does not need.
_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv*", ".*_cache", ".hypothesis", ".benchmarks", "target", "dist", "node_modules", "tisch-data"
)

#: Errors of a misspelt fault, which are not realistic bugs.
_NO_VERDICT = {"SyntaxError", "ImportError", "NameError"}

#: The core with a fault must build fast, not run fast.
_QUICK_BUILD = {
    "CARGO_PROFILE_RELEASE_LTO": "off",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16",
    "CARGO_PROFILE_RELEASE_INCREMENTAL": "true",
}


class NotCaught(Exception):
    """A fault was not caught, or could not be tried; the message says why.

    :cvar verdict: what is told of the fault.
    """

    verdict = "NOT CAUGHT"


class NotCompiled(NotCaught):
    """With the fault, the file is no program."""


@dataclass(frozen=True)
class Ended:
    """The result of a test run.

    :ivar tests: for the id of each test its outcome, the names of its error's classes, and its error's line.
    :ivar not_collected: the files that could not be collected, and the reasons.
    :ivar output: the output of pytest.
    """

    tests: dict[str, dict[str, str]]
    not_collected: list[str]
    output: str

    def of(self, test: str) -> list[dict[str, str]]:
        """Return the results of a test.

        :param test: its id; without parameters it stands for all parameters.
        :result: the results of those that ran.
        """
        return [note for name, note in self.tests.items() if name == test or name.startswith((f"{test}[", f"{test}::"))]


class Copy:
    """A copy of the tree.

    :ivar root: its folder.
    :ivar cargo: the folder of cargo's output, which all copies beside each other share.
    """

    def __init__(self, tree: Path, root: Path) -> None:
        self.root = root
        self.cargo = root.parent / "cargo"
        self._report = root.with_suffix(".json")
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(tree, root, symlinks=True, ignore=_LEFT_OUT)
        modules = tree / "web" / "node_modules"
        if modules.is_dir():
            (root / "web" / "node_modules").symlink_to(modules, target_is_directory=True)
        # Earlier output of cargo came from another copy with other faults.
        for path in root.glob("rust/**/*.rs"):
            path.touch()

    def remove(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self.root, ignore_errors=True)
        self._report.unlink(missing_ok=True)

    async def test(self, tests: Iterable[str], limit: float | None = None) -> Ended:
        """Run tests.

        :param tests: their ids.
        :param limit: (optional) the time limit in seconds.
        :result: the result.
        :raises NotCaught: if they do not end.
        """
        self._report.unlink(missing_ok=True)
        plugin = ("-m", "", "-p", "_verdicts", f"--verdicts={self._report}")
        limit = limit or LIMIT
        try:
            _, output = await self.pytest(*plugin, *tests, limit=limit)
        except TimeoutError:
            raise NotCaught(f"The tests have not ended after {limit:.0f} seconds.") from None
        try:
            report: dict[str, Any] = json.loads(self._report.read_text(encoding="utf-8"))
        except OSError:
            raise NotCaught(f"pytest died:\n{output.rstrip()}") from None
        return Ended(report["tests"], report["not_collected"], output)

    async def pytest(self, *arguments: str, limit: float, **variables: str) -> tuple[int, str]:
        """Run pytest.

        :param arguments: its arguments.
        :param limit: the time limit in seconds.
        :param variables: additional environment variables.
        :result: its exit code and its output.
        :raises TimeoutError: if it exceeded the time limit.
        """
        variables |= {
            "PYTHONPATH": os.pathsep.join([str(self.root / "python"), str(Path(__file__).parent)]),
            # A file with a fault must not leave a compiled file beside it.
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [str(_setup.PYTHON), "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", *arguments]
        return await execute(command, self.root, variables, limit)

    async def build(self, **variables: str) -> None:
        """Build the copy's extension.

        :param variables: additional environment variables.
        :raises NotCaught: if it does not compile.
        """
        command = [str(_setup.PYTHON), "-m", "maturin", "develop", "--release", "--locked", "--skip-install"]
        await self._demand(command, CARGO_TARGET_DIR=str(self.cargo), **_QUICK_BUILD, **variables)

    @contextlib.asynccontextmanager
    async def planted(self, fault: Fault) -> AsyncIterator[None]:
        """Apply a fault to the copy for the duration of a block.

        :param fault: the fault.
        :raises NotCaught: if the file with the fault does not compile.
        """
        path = self.root / fault.file
        with contextlib.ExitStack() as stack:
            stack.enter_context(_replaced(path, fault.plant(path.read_text(encoding="utf-8")).encode()))
            if path.suffix == ".rs":
                for core in (file for pattern in _setup.LIBRARY for file in self.root.glob(pattern)):
                    stack.enter_context(_replaced(core, core.read_bytes()))
                await self.build()
            elif path.suffix == ".py":
                names = ["--isolated", "--no-cache", "--select", "E9,F821,F823"]
                await self._demand([str(_setup.PYTHON), "-m", "ruff", "check", *names, str(path)])
            elif path.suffix == ".js" and (node := shutil.which("node")):
                await self._demand([node, "--check", str(path)])
            yield

    async def _demand(self, command: Sequence[str], **variables: str) -> None:
        code, output = await execute(command, self.root, variables)
        if code:
            raise NotCompiled(f"The fault does not compile:\n{output.rstrip()}")


@contextlib.contextmanager
def _replaced(path: Path, content: bytes) -> Iterator[None]:
    """Replace the content of a file for the duration of a block, and remove what was compiled from it."""
    before = path.read_bytes()
    try:
        _write(path, content)
        yield
    finally:
        _write(path, before)


def _write(path: Path, content: bytes) -> None:
    mode = path.stat().st_mode
    # A file that is mapped into a process must not change.
    path.unlink()
    path.write_bytes(content)
    path.chmod(mode)
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
        compiled.unlink()


class Runner:
    """Tries faults in copies of the tree, several in parallel.

    :param tree: the tree.
    :param folder: the folder of the copies.
    :param faults: the faults, which must apply to the tree.
    """

    def __init__(self, tree: Path, folder: Path, faults: Sequence[Fault]) -> None:
        self._tree = tree
        self._folder = folder
        self._faults = faults
        self._clean: dict[str, str] = {}
        self._done = 0

    async def run(self) -> int:
        """Try all faults.

        :result: the number of caught faults.
        """
        lanes = min(os.cpu_count() or 1, len(self._faults))
        copies = [Copy(self._tree, self._folder / f"lane-{lane}") for lane in range(lanes)]
        try:
            await self._try_without(copies)
            rust = collections.deque(fault for fault in self._faults if fault.file.endswith(".rs"))
            others = collections.deque(fault for fault in self._faults if not fault.file.endswith(".rs"))
            # One lane builds all cores, so that each build reuses the previous one.
            queues = [[rust, others], *([others] for _ in copies[1:])]
            # A group, unlike gather, waits for all lanes when it is cancelled: none may still use its copy then.
            async with asyncio.TaskGroup() as group:
                caught = [group.create_task(self._try_faults(*lane)) for lane in zip(copies, queues, strict=True)]
            return sum(task.result() for task in caught)
        finally:
            for copy in copies:
                copy.remove()

    async def _try_without(self, copies: Sequence[Copy]) -> None:
        """Run the tests without a fault, file by file, and record those that cannot catch any."""
        start = time.monotonic()
        files: dict[str, list[str]] = {}
        for test in sorted({test for fault in self._faults for test in fault.tests}):
            files.setdefault(test.partition("::")[0], []).append(test)
        waiting = collections.deque(files.values())

        async def lane(copy: Copy) -> None:
            while waiting:
                await self._try_file(copy, waiting.popleft())

        async with asyncio.TaskGroup() as group:
            for copy in copies:
                group.create_task(lane(copy))
        number = sum(map(len, files.values()))
        print(f"without a fault: {number} tests of {len(files)} files, {time.monotonic() - start:.1f} s", flush=True)

    async def _try_file(self, copy: Copy, tests: Sequence[str]) -> None:
        """Run tests of one file without a fault; if one of them does not exist, pytest runs none, so run each alone."""
        try:
            ended = await copy.test(tests)
        except NotCaught as error:
            self._clean |= dict.fromkeys(tests, f"Without the fault: {error}")
            return
        if len(tests) > 1 and not all(map(ended.of, tests)):
            for test in tests:
                await self._try_file(copy, [test])
            return
        for test in tests:
            outcomes = {note["outcome"] for note in ended.of(test)}
            if "failed" in outcomes:
                self._clean[test] = f"{test} fails without the fault:\n{ended.output.rstrip()}"
            elif "passed" not in outcomes:
                self._clean[test] = f"{test} {'is skipped' if outcomes else 'does not run'}:\n{ended.output.rstrip()}"

    async def _try_faults(self, copy: Copy, queues: Sequence[collections.deque[Fault]]) -> int:
        """Try faults from the queues until they are empty; return the number of caught faults."""
        caught = 0
        for queue in queues:
            while queue:
                fault = queue.popleft()
                start = time.monotonic()
                try:
                    await self._try(copy, fault)
                    verdict, reason = "caught", ""
                    caught += 1
                except NotCaught as error:
                    verdict, reason = error.verdict, str(error)
                self._done += 1
                tell(fault, verdict, reason, time.monotonic() - start, f"{self._done}/{len(self._faults)}")
        return caught

    async def _try(self, copy: Copy, fault: Fault) -> None:
        """Try one fault.

        :raises NotCaught: if the tests do not catch it.
        """
        for test in fault.tests:
            if sentence := self._clean.get(test):
                raise NotCaught(sentence)
        async with copy.planted(fault):
            ended = await copy.test(fault.tests)
        if ended.not_collected:
            raise NotCaught("\n".join(["The tests cannot be collected:", *ended.not_collected]))
        for test in fault.tests:
            failed = [note for note in ended.of(test) if note["outcome"] == "failed"]
            if not failed:
                raise NotCaught(f"{test} {'passes' if ended.of(test) else 'does not run'} with the fault.")
            if all(_NO_VERDICT.intersection(note["kinds"].split()) for note in failed):
                raise NotCaught(f"{test} fails by an error of the list, not by an assertion: {failed[0]['line']}")


def tell(fault: Fault, verdict: str, reason: str, seconds: float, progress: str) -> None:
    """Print the result of a fault.

    :param fault: the fault.
    :param verdict: whether it was caught.
    :param reason: why it was not caught; empty if it was.
    :param seconds: the duration.
    :param progress: the number of faults tried so far.
    """
    print(f"{verdict:<11}{seconds:>6.1f} s  {progress:>8}  {fault.area}: {fault.name}", flush=True)
    for line in reason.splitlines():
        print(f"    {line}", flush=True)


def main(tree: Path, words: Sequence[str]) -> int:
    """Apply faults and report which are caught.

    :param tree: the tree.
    :param words: areas and parts of names; by default all faults.
    :result: 0 if all of them are caught, otherwise 1.
    :raises SetupError: if a list is wrong, or a word matches no fault.
    """
    start = time.monotonic()
    folder = tree / "target" / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    faults = _faults.choose(_faults.load(tree), words)
    fitting = []
    for fault in faults:
        if reason := _faults.misfit(fault, tree):
            tell(fault, NotCaught.verdict, reason, 0.0, "")
        else:
            fitting.append(fault)
    caught = 0
    if fitting:
        with _setup.alone(folder / "lock", "another start to finish with its faults"):
            caught = asyncio.run(Runner(tree, folder, fitting).run())
    print(f"\n{caught} caught, {len(faults) - caught} not caught, {time.monotonic() - start:.1f} s")
    return 0 if caught == len(faults) else 1
