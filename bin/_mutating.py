"""Applies drawn mutations to copies of the tree, and reports which share of them the tests notice.

A mutation is caught if a test fails that passes without it, or the core's own tests fail. One that survives the tests
that name its file is tried with all tests of its room before it counts as a survivor. What is no program, and what the
tests do not decide in time, does not count, but is told.
"""

import asyncio
import collections
import os
import time
from collections.abc import Sequence
from pathlib import Path

import _mutants
import _setup
from _faults import Fault
from _mutants import Mutant
from _planting import LIMIT, Copy, Ended, NotCaught
from _processes import execute

#: How many mutations are tried by default.
USUAL = 60
#: The share that the tests must catch, in percent.
FLOOR = 90

_CARGO = ("cargo", "test", "--locked", "--quiet", "--package", "tisch-core")


class Runner:
    """Tries mutations in copies of the tree, several in parallel.

    :param tree: the tree.
    :param folder: the folder of the copies.
    :param mutants: the mutations.
    :ivar verdicts: how many were ``caught``, ``SURVIVES``, ``unclear`` or ``void``.
    """

    def __init__(self, tree: Path, folder: Path, mutants: Sequence[Mutant]) -> None:
        self._tree = tree
        self._folder = folder
        # One lane builds all cores, so that each build reuses the previous one.
        self._rust = collections.deque(mutant for mutant in mutants if mutant.file.endswith(".rs"))
        self._others = collections.deque(mutant for mutant in mutants if not mutant.file.endswith(".rs"))
        self.verdicts: collections.Counter[str] = collections.Counter()

    async def run(self) -> None:
        """Try all mutations."""
        lanes = min(os.cpu_count() or 1, len(self._rust) + len(self._others))
        copies = [Copy(self._tree, self._folder / f"mutant-{lane}") for lane in range(lanes)]
        try:
            async with asyncio.TaskGroup() as group:
                for number, copy in enumerate(copies):
                    queues = [self._rust, self._others] if number == 0 else [self._others]
                    group.create_task(self._lane(copy, queues))
        finally:
            for copy in copies:
                copy.remove()

    async def _lane(self, copy: Copy, queues: Sequence[collections.deque[Mutant]]) -> None:
        for queue in queues:
            while queue:
                mutant = queue.popleft()
                start = time.monotonic()
                verdict = await self._try(copy, mutant)
                text = (self._tree / mutant.file).read_text(encoding="utf-8")
                print(f"{verdict:<9}{time.monotonic() - start:>6.1f} s  {mutant.file}: {mutant.line(text)}", flush=True)
                if verdict == "SURVIVES":
                    print(mutant.diff(text), flush=True)
                self.verdicts[verdict] += 1

    async def _try(self, copy: Copy, mutant: Mutant) -> str:
        """Try a mutation; return what became of it."""
        text = (copy.root / mutant.file).read_text(encoding="utf-8")
        # The whole text is replaced, since the place alone may be found many times.
        fault = Fault("mutants", "", mutant.file, text, mutant.apply(text), ())
        is_planted = False
        try:
            async with copy.planted(fault):
                is_planted = True
                failed = await _failing(copy, mutant)
            # What fails without the mutation, too, has not noticed it.
            if failed and failed != _CARGO and _failed(await copy.test(failed)):
                return "unclear"
        except (NotCaught, TimeoutError):
            # Too many tests to end in time, or an endless loop: nobody knows which.
            return "unclear" if is_planted else "void"
        return "caught" if failed else "SURVIVES"


async def _failing(copy: Copy, mutant: Mutant) -> Sequence[str]:
    """Run the tests that belong to a mutation, the nearest ones first; return those that fail."""
    if mutant.file.endswith(".rs"):
        code, _ = await execute(_CARGO, copy.root, {"CARGO_TARGET_DIR": str(copy.root.parent / "cargo")}, LIMIT)
        if code:
            return _CARGO
    for tests in _mutants.tests_of(mutant.file, copy.root):
        if failed := _failed(await copy.test(["-x", "-m", "not slow", *tests])):
            return failed
    return ()


def _failed(ended: Ended) -> list[str]:
    """Return the tests that have failed, and the files that could not be read."""
    files = [line.partition(":")[0] for line in ended.not_collected]
    return [*files, *(test for test, note in ended.tests.items() if note["outcome"] == "failed")]


def main(tree: Path, number: int, seed: int) -> int:
    """Draw mutations, try them, and report the score.

    :param tree: the tree.
    :param number: how many.
    :param seed: the seed of the draw.
    :result: 0 if the score reaches the floor, otherwise 1.
    """
    folder = tree / "target" / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{number} mutations drawn with --fresh {seed}", flush=True)
    mutants = _mutants.draw(tree, number, seed)
    runner = Runner(tree, folder, mutants)
    if mutants:
        with _setup.alone(folder / "lock", "another start to finish with its faults"):
            asyncio.run(runner.run())
    told = runner.verdicts
    decided = told["caught"] + told["SURVIVES"]
    score = 100 * told["caught"] / decided if decided else 100.0
    print(f"{told['caught']} of {decided} caught, {score:.0f} %; {told['unclear']} unclear, {told['void']} no programs")
    return 0 if score >= FLOOR else 1
