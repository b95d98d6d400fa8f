"""The gates that every change must pass, and how they are run: those of Rust and those of Python beside each other."""

import argparse
import asyncio
import contextlib
import re
import shutil
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

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
    """One thing that must hold.

    :ivar name: its name.
    :ivar command: the command that ends with 0 if it holds.
    :ivar fix: the command that makes it hold as far as a machine can, if there is one.
    :ivar measured: is it measured which lines its tests reach?
    """

    name: str
    command: tuple[str, ...]
    fix: tuple[str, ...] | None = None
    measured: bool = False


@dataclass(frozen=True)
class Result:
    """What became of a gate.

    :ivar name: the gate's name.
    :ivar passed: whether it holds.
    :ivar seconds: how long it took.
    :ivar closing: the closing lines of the test runners in it.
    """

    name: str
    passed: bool
    seconds: float
    closing: list[str]


def _python(*arguments: str) -> tuple[str, ...]:
    return (str(_setup.PYTHON), "-m", *arguments)


def _npm(*arguments: str) -> tuple[str, ...]:
    return ("npm", "run", "--silent", "--prefix", "web", *arguments)


def _pytest(*prefixes: str) -> tuple[str, ...]:
    """Run the tests whose files begin with one of these, or without any those of all other files."""
    others = [f"--ignore-glob=tests/{prefix}*" for prefix in (*OWN_LANES, *UNMEASURED)] if not prefixes else []
    paths = sorted(path for prefix in prefixes for path in (_setup.ROOT / "tests").glob(f"{prefix}*.py"))
    return _python("pytest", "-q", *others, *(str(path.relative_to(_setup.ROOT)) for path in paths))


#: What the files of tests begin with that mostly wait, for servers and browsers, and so have lanes of their own.
OWN_LANES = ("test_server_", "test_web_")

#: What the files of tests begin with that reach no line of the package that others do not: those of the scripts, and
#: those that compare the kernels with their slow twins, which would take three times as long if they were measured.
UNMEASURED = (
    *("test_check", "test_faults", "test_setup", "test_wheels"),
    *("test_cards", "test_combinations", "test_odds", "test_okey_tiles", "test_partitions", "test_plays"),
    *("test_random", "test_raumstation_solver", "test_tichu_referee", "test_tichu_round"),
)

#: What needs the tools of the web client.
WEB = {"eslint", "tsc", "pytest-web"}

#: What needs cargo alone, and so runs while all the rest is set up.
ALONE = {"rustfmt", "clippy", "cargo-test"}

#: What sets up; in a process of its own, so that gates can run beside it and both can be stopped.
SET_UP = (sys.executable, str(_setup.ROOT / "bin" / "_setup.py"))

#: The gates in lanes: those of one lane are run one after the other, for they share a cache or a lock.
LANES = (
    (
        Gate("lint", _python("ruff", "check"), _python("ruff", "check", "--fix")),
        Gate("format", _python("ruff", "format", "--check"), _python("ruff", "format")),
        Gate("types", _python("mypy")),
        Gate("stubs", _python("mypy.stubtest", "tisch._core")),
        Gate("pytest", _pytest(), measured=True),
        # Without a clock: here the benches need only be right.
        Gate("benches", _python("pytest", "-q", "benches", "--benchmark-disable")),
    ),
    (
        Gate("rustfmt", ("cargo", "fmt", "--all", "--check"), ("cargo", "fmt", "--all")),
        Gate("clippy", ("cargo", "clippy", "--locked", "--workspace", "--all-targets", "--", "--deny", "warnings")),
        # The core is pure: it builds alone, without the binding and its libraries. The binding has no tests of its own.
        Gate("cargo-test", ("cargo", "test", "--locked", "--package", "tisch-core")),
        Gate("pytest-server", _pytest("test_server_"), measured=True),
    ),
    (
        Gate("eslint", _npm("lint"), _npm("lint", "--", "--fix")),
        Gate("tsc", _npm("types")),
        Gate("pytest-web", _pytest("test_web_")),
        Gate("pytest-unmeasured", _pytest(*UNMEASURED)),
    ),
)

#: What the names of the files begin with that measured tests write.
MEASURED = _setup.ROOT / "target" / "coverage" / "data"
_LOOK = (str(_setup.PYTHON), "bin/_coverage.py", str(MEASURED))
#: What looks at those files, after all other gates.
COVERAGE = Gate("coverage", _LOOK, (*_LOOK, "--fix"))
GATES = [*(gate.name for lane in LANES for gate in lane), COVERAGE.name]


def closing_lines(output: str) -> list[str]:
    """Find the lines in which the test runners sum up.

    :param output: all that a gate wrote.
    :result: the closing line of pytest, or those of cargo, one a test program.
    """
    return [line.strip("= ") for line in _CLOSING.findall(output)]


def count_tests(lines: Sequence[str]) -> tuple[int, int]:
    """Sum the tests of closing lines.

    :param lines: the closing lines.
    :result: how many passed, and how many failed.
    """
    found = [(int(number), word) for line in lines for number, word in re.findall(r"(\d+) (passed|failed|error)", line)]
    passed = sum(number for number, word in found if word == "passed")
    return passed, sum(number for number, _ in found) - passed


def _measured(gate: Gate) -> Gate:
    """Let a gate note which lines its tests reach; the processes that these start do so, too."""
    python, *arguments = gate.command
    return replace(gate, command=(python, "-m", "coverage", "run", f"--data-file={MEASURED}", *arguments))


async def _run(gate: Gate, *, fix: bool) -> Result:
    """Run a gate and tell how it ended, with all its output if it does not hold."""
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


async def _set_up(names: Collection[str]) -> float:
    """Set up for these gates; tells how many seconds it took."""
    start = time.monotonic()
    process = await asyncio.create_subprocess_exec(*SET_UP, *(["web"] if WEB.intersection(names) else []))
    try:
        code = await process.wait()
    except asyncio.CancelledError:
        # It stops its tools itself. Ctrl-C may have reached it before.
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        raise
    if code:
        # The reason was told there.
        raise _setup.SetupError("Not all that the gates need could be set up.")
    return time.monotonic() - start


async def _run_all(names: Sequence[str], *, fix: bool) -> tuple[float, list[Result]]:
    """Set up and run the gates; tells how many seconds the set-up took, and what became of the gates."""
    ready = asyncio.create_task(_set_up(names))

    async def run_lane(lane: Sequence[Gate]) -> list[Result]:
        results = []
        for gate in lane:
            if gate.name in names:
                if gate.name not in ALONE:
                    await ready
                measured = gate.measured and COVERAGE.name in names
                results.append(await _run(_measured(gate) if measured else gate, fix=fix))
        return results

    shutil.rmtree(MEASURED.parent, ignore_errors=True)
    results = [result for lane in await asyncio.gather(*map(run_lane, LANES)) for result in lane]
    # Of tests that fail nobody knows what they would have reached.
    if COVERAGE.name in names and all(result.passed for result in results):
        results.append(await _run(COVERAGE, fix=fix))
    return await ready, results


def _row(result: Result) -> str:
    return f"{'ok    ' if result.passed else 'FAILED'} {result.name:<17}{result.seconds:>8.1f} s"


def main(arguments: list[str]) -> int:
    """Run the gates.

    :param arguments: the arguments of the command line.
    :result: 0 if all of them hold, otherwise 1.
    """
    parser = argparse.ArgumentParser(prog="check.py", description="Runs every gate that a change must pass.")
    parser.add_argument(
        "--only", nargs="+", choices=GATES, default=GATES, metavar="GATE", help=f"only some of: {', '.join(GATES)}"
    )
    parser.add_argument("--fix", action="store_true", help="format, and mend what the linters can mend")
    parser.add_argument(
        "--wheels", action="store_true", help="build the wheels and run them, that of aarch64 by emulation, and no gate"
    )
    parser.add_argument(
        "--faults",
        nargs="*",
        metavar="PART",
        help="plant the faults of tests/faults, or those of an area or with this part in their names, and no gate",
    )
    options = parser.parse_args(arguments)
    if options.wheels:
        return _aarch64.main()
    if options.faults is not None:
        asyncio.run(_set_up(WEB))
        return _planting.main(_setup.ROOT, options.faults)

    start = time.monotonic()
    _setup.need(_setup.DEVELOP, rust=True, web=bool(WEB.intersection(options.only)))
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    # What is measured must run.
    names = {gate.name for lane in LANES for gate in lane if gate.measured and COVERAGE.name in options.only}
    ready, results = asyncio.run(_run_all(sorted(names.union(options.only)), fix=options.fix))
    failed = [result.name for result in results if not result.passed]

    print(f"\nset-up {ready:.1f} s, all {time.monotonic() - start:.1f} s")
    print(*map(_row, results), sep="\n")
    print(f"failed: {', '.join(failed)}" if failed else "no gate failed")
    print("{} passed, {} failed".format(*count_tests([line for result in results for line in result.closing])))
    return 1 if failed else 0
