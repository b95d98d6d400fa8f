"""Changes the code at random places and reports which changes the tests notice: a sample of what they would miss.

The changes of Rust come from cargo-mutants, the others from :mod:`_operators`. Each is planted like a fault; the tests
that are near to the file run first, then all others of the ordinary check, up to the first that fails. Changes that
make no difference stand in ``tests/faults/equivalent.toml`` and do not count.
"""

import asyncio
import difflib
import json
import random
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import _faults
import _operators
import _planting
import _setup
from _faults import Fault
from _operators import Edit
from _planting import Copy, NotCaught, NotCompiled
from _processes import execute

#: The least share of noticed changes, in percent.
FLOOR = 90.0
#: How many changes are tried.
USUAL = 60
#: The tool that knows the changes of Rust.
TOOL = "cargo-mutants@27.1.0"
#: The time limits for the tests near to a file and for all, in seconds.
NEAR, ALL = 900.0, 3600.0

#: The memory of a process of tests in GiB, which may allocate without end; browsers only reserve more.
MEMORY = 8

#: The files of each language that are changed.
_PYTHON = ("python/tisch/**/*.py",)
_JAVASCRIPT = tuple(f"web/js/{folder}/**/*.js" for folder in ("base", "games", "shell", "table"))
#: Where the tests are of what the core's games have in common.
_CORE = {
    "simulation": ("tests/env", "tests/games/test_in_step.py", "tests/agents"),
    "random.rs": ("tests/test_random.py", "tests/games/test_in_step.py"),
    "net.rs": ("tests/games/tichu", "tests/learn"),
}
#: Where the tests are of the folders of the web client that belong to no game.
_WEB = {
    "base": ("entrance", "connection"),
    "shell": ("entrance", "rooms", "connection"),
    "table": ("table", "cards"),
}


class _NoProgram(NotCaught):
    verdict = "no program"


def fault(root: Path, file: str, edit: Edit) -> Fault:
    """Describe a change as a fault.

    :param root: the tree.
    :param file: the file, from the root of the tree.
    :param edit: the change.
    :result: the fault, without tests: as many whole lines as make it the only one in its file.
    """
    text = (root / file).read_text(encoding="utf-8")
    new = text[: edit.start] + edit.new + text[edit.end :]
    start, end = edit.start, edit.end
    while True:  # The last line may have no end.
        start, end = text.rfind("\n", 0, start) + 1, text.find("\n", end) % (len(text) + 1)
        if text.count(text[start:end]) == 1:
            break
        start, end = max(start - 1, 0), min(end + 1, len(text))
    line = text.count("\n", 0, edit.start) + 1
    old = " ".join(text[edit.start : edit.end].split())
    name = f"{file}:{line}: {old[:40]} -> {edit.new[:40]}"
    return Fault("mutants", name, file, text[start:end], new[start : end + len(new) - len(text)], ())


def sample(root: Path, number: int, seed: int) -> list[Fault]:
    """Draw changes, the same number of each language.

    :param root: the tree.
    :param number: how many.
    :param seed: from which they follow.
    :result: the changes, without those that make no difference.
    """
    known = {(one.file, one.plant((root / one.file).read_text(encoding="utf-8"))) for one in _faults.equivalents(root)}
    chance = random.Random(seed)
    sources = (_draw_rust(chance, root), _draw(chance, root, _PYTHON), _draw(chance, root, _JAVASCRIPT))
    drawn: dict[tuple[str, str], Fault] = {}
    while len(drawn) < number:
        one = next(sources[len(drawn) % len(sources)])
        planted = (one.file, one.plant((root / one.file).read_text(encoding="utf-8")))
        if planted not in known:
            drawn[planted] = one
    return [*drawn.values()]


def _draw(chance: random.Random, root: Path, patterns: Iterable[str]) -> Iterator[Fault]:
    """Draw changes of files, each as often as it is long."""
    files = sorted(path for pattern in patterns for path in root.glob(pattern))
    lines = [path.read_bytes().count(b"\n") for path in files]
    while True:
        (path,) = chance.choices(files, lines)
        text = path.read_text(encoding="utf-8")
        edits = _operators.of_python(text) if path.suffix == ".py" else _operators.of_javascript(path)
        if edits:
            yield fault(root, path.relative_to(root).as_posix(), chance.choice(edits))


def _draw_rust(chance: random.Random, root: Path) -> Iterator[Fault]:
    """Draw changes of the core."""
    tools = root / "target" / "tools"
    if not (tools / "bin").exists():
        _setup.tool("installing cargo-mutants", "cargo", "install", "--locked", "--root", str(tools), TOOL)
    command = (str(tools / "bin" / "cargo-mutants"), "mutants", "--list", "--json", "--package", "tisch-core")
    known = json.loads(_setup.tool("listing the changes of the core", *command))
    while True:
        one = chance.choice(known)
        text = (root / one["file"]).read_text(encoding="utf-8")
        begins = [0, *(found.end() for found in re.finditer("\n", text))]
        start, end = (begins[at["line"] - 1] + at["column"] - 1 for at in (one["span"]["start"], one["span"]["end"]))
        yield fault(root, one["file"], Edit(start, end, one["replacement"]))


def stages(root: Path, file: str) -> list[tuple[str, ...]]:
    """Choose the tests for a file.

    :param root: the tree.
    :param file: the changed file.
    :result: the arguments of pytest, or the command of cargo, in the order in which they run.
    """
    rest = ("tests", "--ignore=tests/web", "--ignore=tests/repository")
    first, _, place = file.partition("/")
    if first == "web":
        folder = file.split("/")[-2]
        names = {"shell", folder, *_WEB.get(folder, ())}
        near = tuple(
            path.relative_to(root).as_posix()
            for path in sorted((root / "tests" / "web").glob("test_*.py"))
            if path.stem.removeprefix("test_") in names
            # A game is named where it is played.
            or (folder not in _WEB and f'"{folder}"' in path.read_text(encoding="utf-8"))
        )
        return [near, _without("tests/web", near)]
    if first == "rust":
        folder = file.split("/")[3]
        near = _CORE.get(folder, (f"tests/games/{folder}", "tests/games/test_in_step.py"))
        return [near, ("cargo", "test", "--locked", "--package", "tisch-core"), _without(*rest, near)]
    near = _naming(root, Path(place).with_suffix(""))
    last = [("tests/web",)] if "/server/" in file else []
    return [*([near] if near else []), _without(*rest, near), *last]


def _without(*arguments: str | tuple[str, ...]) -> tuple[str, ...]:
    """Leave out the tests that ran before."""
    *rest, before = arguments
    return (*map(str, rest), *(f"--ignore={path}" for path in before))


def _naming(root: Path, module: Path) -> tuple[str, ...]:
    """Find the files of tests that are named like a module, or name it."""
    name, parent = ".".join(module.parts), ".".join(module.parts[:-1])
    pattern = re.compile(rf"\b{re.escape(name)}\b|from {re.escape(parent)} import .*\b{module.name}\b")
    paths = [
        path for path in sorted((root / "tests").rglob("test_*.py")) if path.parent.name not in ("web", "repository")
    ]
    like = [path for path in paths if path.stem.removeprefix("test_") in module.parts[1:]]
    named = [path for path in paths if pattern.search(path.read_text(encoding="utf-8"))]
    return tuple(dict.fromkeys(path.relative_to(root).as_posix() for path in [*like, *named]))


class Sampler(_planting.Runner):
    """Tries changes that have no tests of their own.

    :ivar survivors: the changes that no test noticed.
    :ivar no_programs: the changes that do not compile, which do not count.
    """

    def __init__(self, tree: Path, folder: Path, faults: Sequence[Fault]) -> None:
        super().__init__(tree, folder, faults)
        self.survivors: list[Fault] = []
        self.no_programs = 0
        # Tests that fail in a copy without any change.
        self._unfit: set[str] = set()

    async def _try_without(self, copies: Sequence[Copy]) -> None:
        """Run nothing: a test that fails runs again without the change."""

    async def _try(self, copy: Copy, fault: Fault) -> None:
        try:
            while failed := await self._first_failed(copy, fault):
                again = () if failed[0] == "cargo" else await self._failed(copy, failed, ALL)
                if not again:
                    return
                if not all("::" in test and test not in self._unfit for test in again):
                    raise NotCaught(f"Without it, these do not end, or cannot be collected: {' '.join(again)}")
                self._unfit.update(again)
        except NotCompiled as error:
            self.no_programs += 1
            raise _NoProgram(str(error).splitlines()[0]) from None
        self.survivors.append(fault)
        raise NotCaught(difference(fault))

    async def _first_failed(self, copy: Copy, fault: Fault) -> tuple[str, ...]:
        """Return the first tests that fail with a change, or what runs them if they die or do not end."""
        tests = stages(copy.root, fault.file)
        async with copy.planted(fault):
            for stage in tests:
                if failed := await self._failed(copy, stage, ALL if stage is tests[-1] else NEAR):
                    return failed
        return ()

    async def _failed(self, copy: Copy, stage: Sequence[str], limit: float) -> tuple[str, ...]:
        if stage[0] == "cargo":
            limited = ("sh", "-c", f'ulimit -v {MEMORY << 20} && exec "$@"', "sh", *stage)
            try:
                code, _ = await execute(limited, copy.root, {"CARGO_TARGET_DIR": str(copy.cargo)}, limit)
            except TimeoutError:
                return tuple(stage)
            return tuple(stage) if code else ()
        unfit = (f"--deselect={test}" for test in sorted(self._unfit))
        memory = () if stage[0].startswith("tests/web") else (f"--memory={MEMORY}",)
        try:
            ended = await copy.test(("-x", "-m", "not slow", *memory, *stage, *unfit), limit)
        except NotCaught:
            return tuple(stage)
        failed = tuple(test for test, note in ended.tests.items() if note["outcome"] == "failed")
        return failed or (tuple(stage) if ended.not_collected else ())


def difference(fault: Fault) -> str:
    """Return what a change does, as a difference of lines.

    :param fault: the change.
    :result: the lines.
    """
    before, after = fault.find.splitlines(), fault.replace.splitlines()
    return "\n".join([fault.file, *list(difflib.unified_diff(before, after, lineterm="", n=1))[3:]])


def main(tree: Path, number: int, seed: int) -> int:
    """Try changes, and report which of them the tests notice.

    :param tree: the tree.
    :param number: how many.
    :param seed: from which they follow; 0 takes those of the day.
    :result: 0 if the tests notice enough of them, otherwise 1.
    """
    start = time.monotonic()
    seed = seed or datetime.now(UTC).date().toordinal()
    print(f"the same changes again: check.py --mutants {number} --fresh {seed}", flush=True)
    faults = sample(tree, number, seed)
    folder = tree / "target" / "faults"
    folder.mkdir(parents=True, exist_ok=True)
    with _setup.alone(folder / "lock", "another start to finish with its faults"):
        sampler = Sampler(tree, folder, faults)
        caught = asyncio.run(sampler.run())
    for survivor in sampler.survivors:
        print(f"\n{survivor.name}\n{difference(survivor)}")
    count = len(faults) - sampler.no_programs
    share = 100 * caught / count if count else 100.0
    print(f"\n{caught} of {count} noticed, {share:.1f} %; at least {FLOOR:.0f} % are required;", end=" ")
    print(f"{sampler.no_programs} were no programs; {time.monotonic() - start:.1f} s")
    return 0 if share >= FLOOR else 1
