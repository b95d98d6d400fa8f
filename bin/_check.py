"""The gates that every change must pass, and their runner: several of them run at the same time."""

import argparse
import asyncio
import contextlib
import os
import re
import shutil
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch

import _aarch64
import _planting
import _setup
from _processes import execute

_CLOSING = re.compile(
    r"^(?:test result: .*|tests reach .*|(?:=+ )?\d+ (?:passed|failed|skipped|deselected|error)\b.* in [0-9.]+s.*)$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Gate:
    """A gate.

    :ivar name: its name.
    :ivar command: the command that exits with 0 if the gate passes.
    :ivar fix: the command that fixes what can be fixed automatically, if there is one.
    :ivar needs: the parts of the set-up that it needs: ``packages``, ``cores``, ``web``.
    :ivar measured: whether the line coverage of its tests is measured.
    """

    name: str
    command: tuple[str, ...]
    fix: tuple[str, ...] | None = None
    needs: tuple[str, ...] = ()
    measured: bool = False


@dataclass(frozen=True)
class Result:
    """The result of a gate.

    :ivar name: the gate's name.
    :ivar passed: whether it passed.
    :ivar seconds: its duration.
    :ivar closing: the closing lines of its test runners.
    """

    name: str
    passed: bool
    seconds: float
    closing: list[str]


def _python(*arguments: str) -> tuple[str, ...]:
    return (str(_setup.PYTHON), "-m", *arguments)


def _npm(*arguments: str) -> tuple[str, ...]:
    return ("npm", "run", "--silent", "--prefix", "web", *arguments)


#: The folders and files of tests that cover hardly a line of the package that others do not, by gate: coverage doubles
#: the time of most tests, and trebles that of whole games in Python.
UNMEASURED = {
    "pytest-attacks": tuple(
        f"server/test_{part}.py"
        for part in ("attacks", "decisions", "faulty_agents", "fuzz", "games", "kill", "leaks", "names", "network")
    ),
    "pytest-web-a-g": ("web/test_[a-g]*",),
    "pytest-web-h-z": ("web/test_[h-z]*",),
    # The kernels and simulations, beside their slow twins.
    "pytest-kernels": (
        *(f"games/tichu/test_{part}.py" for part in ("cards", "combinations", "odds", "partitions", "playouts")),
        *(f"games/tichu/test_{part}.py" for part in ("plays", "redeal", "referee", "round")),
        *("games/maumau/test_possible.py", "games/okey/test_arranging.py", "games/okey/test_tiles.py"),
        *("games/raumstation/test_solver.py", "games/*/test_simulation.py", "test_interrupts.py", "test_random.py"),
    ),
    # Whole games, of agents and by the original programs.
    "pytest-play": (
        *("agents/test_levels.py", "agents/test_search.py", "benches/test_strength.py"),
        *(f"arena/test_{part}.py" for part in ("schedule", "standing", "statistics", "stopping")),
        *("games/test_conformance_games.py", "games/test_golden.py", "test_look.py", "terminal/test_faces.py"),
        *(f"games/{game}/test_{part}.py" for game in ("maumau", "okey", "tichu") for part in ("agents", "rules")),
        *("games/sechsundsechzig/test_agents.py", "games/tichu/test_face.py", "games/tichu/test_search.py"),
        *("wires/maumau/test_codec.py", "wires/*/test_server.py", "wires/okey/test_codec.py"),
        *("wires/sechsundsechzig/test_host.py", "wires/test_originals.py"),
    ),
    # The repository: its commands, its documents, its words.
    "pytest-repository": (
        *("repository/*", "agents/test_code.py", "agents/test_reasons.py", "test_cli.py", "test_language.py"),
        *("server/test_asyncapi.py", "server/test_operating.py", "server/test_systemd.py"),
    ),
}

#: The other files of tests, by gate. The gates start in this order: a long one at the end would run alone.
MEASURED = {
    "pytest-games": ("games/[!t]*/*", "wires/*/*"),
    "pytest-server-a-i": ("server/test_[a-i]*",),
    "pytest-server-j-z": ("server/test_[j-z]*",),
    "pytest-terminal": ("terminal/*",),
    "pytest-arena": ("arena/*",),
    "pytest-tichu": ("games/tichu/*",),
    "pytest": ("*",),
}


def _test_gates() -> list[Gate]:
    """Return the gates of the tests; each file belongs to the first one that has a pattern for it."""
    left = sorted(path.relative_to(_setup.ROOT).as_posix() for path in (_setup.ROOT / "tests").rglob("test_*.py"))
    gates = []
    taken: list[str] = []
    for name, patterns in {**UNMEASURED, **MEASURED}.items():
        files = [file for file in left if any(fnmatch(file, f"tests/{pattern}") for pattern in patterns)]
        # The last one also has the pages of documentation.
        chosen = files if name != "pytest" else [f"--ignore={file}" for file in taken]
        needs = ("cores", "web") if name.startswith("pytest-web") else ("cores",)
        gates.append(Gate(name, _python("pytest", "-q", *chosen), needs=needs, measured=name in MEASURED))
        taken += files
        left = [file for file in left if file not in files]
    return gates


#: The set-up, one process for each part, so that gates can run in parallel and all can be stopped.
SET_UP = (sys.executable, str(_setup.ROOT / "bin" / "_setup.py"))

#: How many gates run at the same time: the tests wait half of the time, for servers, browsers and processes.
AT_ONCE = 3 * (os.cpu_count() or 1)

_CLIPPY = ("cargo", "clippy", "--locked", "--workspace", "--release", "--all-targets", "--all-features")

#: The gates that need only cargo. They run one after the other, because cargo locks its folder, beside the set-up.
CARGO = (
    Gate("rustfmt", ("cargo", "fmt", "--all", "--check"), ("cargo", "fmt", "--all")),
    # In the package's profile, so that macros and build scripts are built only once.
    Gate("clippy", (*_CLIPPY, "--", "--deny", "warnings")),
    # The core is pure: it builds alone, without the binding and its libraries. The binding has no tests of its own.
    Gate("cargo-test", ("cargo", "test", "--locked", "--package", "tisch-core")),
)

#: All gates but the last, in the order in which they start as soon as what they need is set up: the quick ones first.
GATES = (
    *CARGO,
    Gate("lint", _python("ruff", "check"), _python("ruff", "check", "--fix"), needs=("packages",)),
    Gate("format", _python("ruff", "format", "--check"), _python("ruff", "format"), needs=("packages",)),
    Gate("eslint", _npm("lint"), _npm("lint", "--", "--fix"), needs=("web",)),
    Gate("tsc", _npm("types"), needs=("web",)),
    Gate("types", _python("mypy"), needs=("packages",)),
    Gate("stubs", _python("mypy.stubtest", "tisch._core"), needs=("cores",)),
    *_test_gates(),
    # Without measuring: here the benchmarks only need to be correct.
    Gate("benches", _python("pytest", "-q", "benches", "--benchmark-disable"), needs=("cores",)),
)

#: The prefix of the files that measured tests write.
DATA = _setup.ROOT / "target" / "coverage" / "data"
_LOOK = (str(_setup.PYTHON), "bin/_coverage.py", str(DATA))
#: The gate that evaluates those files, after all other gates.
COVERAGE = Gate("coverage", _LOOK, (*_LOOK, "--fix"))


def closing_lines(output: str) -> list[str]:
    """Find the summary lines of the test runners.

    :param output: the output of a gate.
    :result: the closing line of pytest, or those of cargo, one for each test program.
    """
    return [line.strip("= ") for line in _CLOSING.findall(output)]


def count_tests(lines: Sequence[str]) -> tuple[int, int]:
    """Sum the tests in closing lines.

    :param lines: the closing lines.
    :result: the numbers of passed and of failed tests.
    """
    found = [(int(number), word) for line in lines for number, word in re.findall(r"(\d+) (passed|failed|error)", line)]
    passed = sum(number for number, word in found if word == "passed")
    return passed, sum(number for number, _ in found) - passed


def _measured(gate: Gate) -> Gate:
    """Return the command that records the line coverage of a gate's tests, including that of their child processes."""
    python, *arguments = gate.command
    return replace(gate, command=(python, "-m", "coverage", "run", f"--data-file={DATA}", *arguments))


async def _run(gate: Gate, *, fix: bool) -> Result:
    """Run a gate and print its result, with all its output if it fails."""
    command = gate.fix if fix and gate.fix else gate.command
    start = time.monotonic()
    code, output = await execute(command, _setup.ROOT)
    passed = code == 0
    closing = closing_lines(output)
    result = Result(gate.name, passed, time.monotonic() - start, closing)
    lines = [_row(result), *(f"  {gate.name}: {line}" for line in closing)]
    if not passed:
        lines.append(output.rstrip())
        if command[0] == "cargo" and (sentence := _setup.explain(output)):
            lines.append(f"tisch: {sentence}")
    print(*lines, sep="\n", flush=True)
    return result


def _needs_web(names: Collection[str]) -> bool:
    return any("web" in gate.needs for gate in GATES if gate.name in names)


async def _set_up(part: str, *before: asyncio.Task[float]) -> float:
    """Set up a part, after others; return the time when it is done."""
    for other in before:
        await other
    process = await asyncio.create_subprocess_exec(*SET_UP, part)
    try:
        code = await process.wait()
    except asyncio.CancelledError:
        # The set-up stops its tools itself. Ctrl-C may have reached it before.
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        raise
    if code:
        # The set-up has printed the reason.
        raise _setup.SetupError("Not all that the gates need could be set up.")
    return time.monotonic()


def _begin(names: Collection[str]) -> dict[str, asyncio.Task[float]]:
    """Begin to set up for these gates; return the parts by name."""
    packages = asyncio.create_task(_set_up("packages"))
    parts = {"packages": packages, "cores": asyncio.create_task(_set_up("cores", packages))}
    return parts | ({"web": asyncio.create_task(_set_up("web"))} if _needs_web(names) else {})


async def _set_up_all(names: Collection[str]) -> None:
    """Set up for these gates."""
    await asyncio.gather(*_begin(names).values())


async def _run_all(names: Sequence[str], *, fix: bool) -> tuple[float, list[Result]]:
    """Set up and run the gates; return the duration of the set-up in seconds, and the results of the gates."""
    start, parts = time.monotonic(), _begin(names)
    # What is fixed is fixed by one gate at a time.
    free, cargo = asyncio.Semaphore(1 if fix else AT_ONCE), asyncio.Lock()

    async def run(gate: Gate) -> Result:
        if gate in CARGO:
            async with cargo:
                return await _run(gate, fix=fix)
        for part in gate.needs:
            await parts[part]
        async with free:
            return await _run(_measured(gate) if gate.measured and COVERAGE.name in names else gate, fix=fix)

    shutil.rmtree(DATA.parent, ignore_errors=True)
    results = list(await asyncio.gather(*(run(gate) for gate in GATES if gate.name in names)))
    # The coverage of failed tests is meaningless.
    if COVERAGE.name in names and all(result.passed for result in results):
        results.append(await _run(COVERAGE, fix=fix))
    return max(await asyncio.gather(*parts.values())) - start, results


def _row(result: Result) -> str:
    return f"{'ok    ' if result.passed else 'FAILED'} {result.name:<25}{result.seconds:>8.1f} s"


def main(arguments: list[str]) -> int:
    """Run the gates.

    :param arguments: the arguments of the command line.
    :result: 0 if all of them pass, otherwise 1.
    """
    known = [*(gate.name for gate in GATES), COVERAGE.name]
    parser = argparse.ArgumentParser(prog="check.py", description="Runs every gate that a change must pass.")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=known,
        default=known,
        metavar="GATE",
        help=f"run only these gates, of: {', '.join(known)}",
    )
    parser.add_argument("--fix", action="store_true", help="format, and fix what the linters can fix")
    parser.add_argument(
        "--wheels",
        action="store_true",
        help="build and test the wheels, that of aarch64 by emulation, instead of the gates",
    )
    parser.add_argument(
        "--faults",
        nargs="*",
        metavar="PART",
        help="try the planted faults of tests/faults, by area or by a part of the name, instead of the gates",
    )
    options = parser.parse_args(arguments)
    if options.wheels:
        return _aarch64.main()
    if options.faults is not None:
        asyncio.run(_set_up_all(known))
        return _planting.main(_setup.ROOT, options.faults)

    start = time.monotonic()
    _setup.need(_setup.DEVELOP, rust=True, web=_needs_web(options.only))
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    # The coverage gate needs the measured gates.
    names = {gate.name for gate in GATES if gate.measured and COVERAGE.name in options.only}
    ready, results = asyncio.run(_run_all(sorted(names.union(options.only)), fix=options.fix))
    failed = [result.name for result in results if not result.passed]

    print(f"\nset-up {ready:.1f} s, all {time.monotonic() - start:.1f} s")
    print(*map(_row, results), sep="\n")
    print(f"failed: {', '.join(failed)}" if failed else "no gate failed")
    print("{} passed, {} failed".format(*count_tests([line for result in results for line in result.closing])))
    return 1 if failed else 0
