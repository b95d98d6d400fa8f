"""The gates that every change must pass, and their runner: several of them run at the same time."""

import argparse
import asyncio
import collections
import contextlib
import os
import re
import sys
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import _aarch64
import _clean
import _container
import _mutants
import _needs
import _planting
import _setup
import _steady
from _processes import execute

_CLOSING = re.compile(
    r"^(?:test result: .*|(?:=+ )?\d+ (?:passed|failed|skipped|deselected|error)\b.* in [0-9.]+s.*)$", re.MULTILINE
)
_SKIPPED = re.compile(r"^SKIPPED \[(\d+)\] \S+: (.*)$", re.MULTILINE)
_SLOW = re.compile(r"^([0-9.]+)s +(?:call|setup|teardown) +(.*\S)", re.MULTILINE)
#: How many of the slowest tests are printed.
SLOWEST = 10


@dataclass(frozen=True)
class Gate:
    """A gate.

    :ivar name: its name.
    :ivar command: the command that exits with 0 if the gate passes.
    :ivar fix: the command that fixes what can be fixed automatically, if there is one.
    :ivar needs: the parts of the set-up that it needs: ``packages``, ``cores``, ``web``.
    :ivar night: the arguments with which the command does what takes too long for every change.
    :ivar is_nightly: whether it runs only by night, or if it is named.
    """

    name: str
    command: tuple[str, ...]
    fix: tuple[str, ...] | None = None
    needs: tuple[str, ...] = ()
    night: tuple[str, ...] = ()
    is_nightly: bool = False


@dataclass(frozen=True)
class Result:
    """The result of a gate.

    :ivar name: the gate's name.
    :ivar passed: whether it passed.
    :ivar seconds: its duration.
    :ivar output: its output.
    """

    name: str
    passed: bool
    seconds: float
    output: str


@dataclass(frozen=True)
class Choice:
    """How the gates run.

    :ivar fix: fix what can be fixed automatically.
    :ivar night: do also what takes too long for every change.
    """

    fix: bool = False
    night: bool = False


def _python(*arguments: str) -> tuple[str, ...]:
    return (str(_setup.PYTHON), "-m", *arguments)


def _npm(*arguments: str) -> tuple[str, ...]:
    return (*_setup.NPM, "run", "--silent", *arguments)


def _pytest(workers: int, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs tests in several processes; one that has none left takes those of another."""
    parallel = ("-n", str(workers), "--dist=worksteal")
    return _python("pytest", "-q", *parallel, "-rs", f"--durations={SLOWEST}", "--durations-min=1", *arguments)


#: The pages whose examples are tested.
_PAGES = ("README.md", *(f"docs/{page}.md" for page in ("arena", "logs", "research", "simulation")))

#: The set-up, one process for each part, so that gates can run in parallel and all can be stopped.
SET_UP = (sys.executable, str(_setup.ROOT / "bin" / "_setup.py"))

#: Its parts, and after which others each of them begins.
_ORDER = {
    "environment": (),
    "crates": ("environment",),
    "packages": ("environment",),
    "cores": ("crates", "packages"),
    "web": ("packages",),
}

#: How many gates run at the same time, beside one of cargo's.
AT_ONCE = 4
#: By how much a gate that begins during the set-up is nicer than that, for which the others wait.
BACK = 5
_CORES = os.cpu_count() or 1

_DENY = ("--", "--deny", "warnings")
_CARGO_TEST = ("cargo", "test", "--locked", "--package", "tisch-core")
_CLIPPY = ("cargo", "clippy", "--locked", "--workspace", "--release", "--all-targets", "--all-features")

#: The gates that need cargo. They run one after the other, because cargo locks its folder, and after the set-up, which
#: would otherwise wait for them.
CARGO = (
    Gate("rustfmt", ("cargo", "fmt", "--all", "--check"), ("cargo", "fmt", "--all")),
    # In the package's profile, so that macros and build scripts are built only once.
    Gate("clippy", (*_CLIPPY, *_DENY), needs=("cores",)),
    # The core is pure: it builds alone, without the binding and its libraries. The binding has no tests of its own.
    Gate("cargo-test", (*_CARGO_TEST, "--lib"), needs=("cores",)),
    # The examples of the documentation need the core once more, as others compile it.
    Gate("doctests", (*_CARGO_TEST, "--doc"), needs=("cores",), is_nightly=True),
)

#: What runs at night: every test, and the coverage of lines and branches, which doubles the time of most tests.
_NIGHT = ("-m", "")
_MEASURED = ("--cov", "--cov-report=term-missing:skip-covered")
#: The least shares of the lines and of the branches of web/js, in percent.
_WEB_FLOORS = ("96", "90")

#: All gates, in the order in which they start as soon as what they need is set up: the long ones first.
GATES = (
    *CARGO,
    # The tests wait half of the time, for servers and processes; a browser keeps a core busy.
    Gate(
        "pytest",
        _pytest(2 * _CORES, "tests", *_PAGES, "benches", "--benchmark-disable", "--ignore=tests/web"),
        needs=("cores",),
        night=(*_NIGHT, *_MEASURED),
    ),
    Gate(
        "web",
        _pytest(_CORES, "tests/web"),
        needs=("cores", "web"),
        night=(*_NIGHT, "--web-coverage", *_WEB_FLOORS),
    ),
    Gate("types", _python("mypy"), needs=("packages",)),
    Gate("lint", _python("ruff", "check"), _python("ruff", "check", "--fix"), needs=("packages",)),
    Gate("format", _python("ruff", "format", "--check"), _python("ruff", "format"), needs=("packages",)),
    Gate("eslint", _npm("lint"), _npm("lint", "--", "--fix"), needs=("web",)),
    Gate("tsc", _npm("types"), needs=("web",)),
    Gate("stubs", _python("mypy.stubtest", "tisch._core"), needs=("cores",)),
    # Without a network, so that it says the same today and tomorrow.
    Gate("workflows", (str(_setup.SCRIPTS / "zizmor"), "--offline", "--quiet", ".github"), needs=("packages",)),
    Gate("site", (str(_setup.PYTHON), "bin/build_site.py"), needs=("cores",)),
    Gate("core-coverage", (str(_setup.PYTHON), "bin/_core_coverage.py"), needs=("cores",), is_nightly=True),
)


def closing_lines(output: str) -> list[str]:
    """Find the summary lines of the test runners.

    :param output: the output of a gate.
    :result: the closing line of pytest, or those of cargo, one for each test program.
    """
    return [line.strip("= ") for line in _CLOSING.findall(output)]


def count_tests(lines: Iterable[str]) -> tuple[int, int]:
    """Sum the tests in closing lines.

    :param lines: the closing lines.
    :result: the numbers of passed and of failed tests.
    """
    found = [(int(number), word) for line in lines for number, word in re.findall(r"(\d+) (passed|failed|error)", line)]
    passed = sum(number for number, word in found if word == "passed")
    return passed, sum(number for number, _ in found) - passed


def skipped(outputs: Iterable[str]) -> list[str]:
    """Find why tests were skipped.

    :param outputs: the outputs of the gates.
    :result: a line for each reason, with the number of tests, the most frequent one first.
    """
    reasons: collections.Counter[str] = collections.Counter()
    for number, reason in _SKIPPED.findall("\n".join(outputs)):
        reasons[reason.removeprefix("Skipped: ")] += int(number)
    return [f"skipped: {number:>4}  {reason}" for reason, number in reasons.most_common()]


def slowest(outputs: Iterable[str]) -> list[str]:
    """Find the slowest tests.

    :param outputs: the outputs of the gates.
    :result: a line for each, the slowest one first.
    """
    found = [(float(seconds), test) for seconds, test in _SLOW.findall("\n".join(outputs))]
    return [f"slow: {seconds:>8.1f} s  {test}" for seconds, test in sorted(found, reverse=True)[:SLOWEST]]


def _command(gate: Gate, choice: Choice) -> tuple[str, ...]:
    """Return the command of a gate for this run, on this machine."""
    if choice.fix and gate.fix:
        return gate.fix
    if gate.command[-len(_DENY) :] == _DENY and _needs.is_newer_than_known(_setup.ROOT):
        print(f"{gate.name}: this Rust is newer than the newest known one, so its warnings do not count", flush=True)
        return gate.command[: -len(_DENY)]
    return (*gate.command, *gate.night) if choice.night else gate.command


def _step_back(process: int) -> None:
    """Let others go before a gate, whose group of processes has just begun."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PGRP, process, os.getpriority(os.PRIO_PROCESS, 0) + BACK)


async def _run(gate: Gate, choice: Choice, *, is_early: bool = False) -> Result:
    """Run a gate and print its result, with all its output if it fails; an early one takes what the set-up leaves."""
    command = _command(gate, choice)
    start = time.monotonic()
    # What cargo has built for the cores, its gates need not build in another way.
    code, output = await execute(command, _setup.ROOT, _setup.QUICK, started=_step_back if is_early else None)
    result = Result(gate.name, code == 0, time.monotonic() - start, output)
    lines = [_row(result), *(f"  {gate.name}: {line}" for line in closing_lines(output))]
    if not result.passed:
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
    process = await asyncio.create_subprocess_exec(*SET_UP, part, env={**os.environ, **_setup.QUICK})
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
    parts: dict[str, asyncio.Task[float]] = {}
    for part, before in _ORDER.items():
        if part != "web" or _needs_web(names):
            parts[part] = asyncio.create_task(_set_up(part, *(parts[other] for other in before)))
    return parts


async def _set_up_all(names: Collection[str]) -> None:
    """Set up for these gates."""
    await asyncio.gather(*_begin(names).values())


async def _run_all(names: Collection[str], choice: Choice) -> tuple[float, list[Result]]:
    """Set up and run the gates; return the duration of the set-up in seconds, and the results of the gates."""
    start, parts = time.monotonic(), _begin(names)
    # What is fixed is fixed by one gate at a time.
    free, cargo = asyncio.Semaphore(1 if choice.fix else AT_ONCE), asyncio.Lock()

    async def run(gate: Gate) -> Result:
        for part in gate.needs:
            await parts[part]
        async with cargo if gate in CARGO else free:
            return await _run(gate, choice, is_early=not all(part.done() for part in parts.values()))

    results = await asyncio.gather(*(run(gate) for gate in GATES if gate.name in names))
    return max(await asyncio.gather(*parts.values())) - start, results


def _row(result: Result) -> str:
    return f"{'ok    ' if result.passed else 'FAILED'} {result.name:<25}{result.seconds:>8.1f} s"


def _tell(results: Sequence[Result]) -> bool:
    """Print the summary; return whether all gates passed."""
    outputs = [result.output for result in results]
    print(*slowest(outputs), *skipped(outputs), *map(_row, results), sep="\n")
    failed = [result.name for result in results if not result.passed]
    print(f"failed: {', '.join(failed)}" if failed else "no gate failed")
    print("{} passed, {} failed".format(*count_tests(line for output in outputs for line in closing_lines(output))))
    return not failed


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    known = [gate.name for gate in GATES]
    parser = argparse.ArgumentParser(prog="check.py", description="Runs every gate that a change must pass.")
    add = parser.add_argument
    help_only = f"run only these gates, of: {', '.join(known)}"
    add("--only", nargs="+", choices=known, metavar="GATE", help=help_only)
    add("--fix", action="store_true", help="format, and fix what the linters can fix")
    add("--nightly", action="store_true", help="run every test, the long ones too, and measure their coverage")
    help_fresh = "give the tests other chance than in every run, the same for the same number; by night that of the day"
    add("--fresh", type=int, metavar="N", help=help_fresh)
    add("--minutes", type=float, default=10.0, metavar="N", help="how long --steady begins new files")
    others = parser.add_argument_group("instead of the gates").add_mutually_exclusive_group()
    add = others.add_argument
    add("--wheels", action="store_true", help="build and test the wheels, that of aarch64 by emulation")
    help_faults = "try the planted faults of tests/faults, by area or by a part of the name"
    add("--faults", nargs="*", metavar="PART", help=help_faults)
    help_mutants = f"change the code at N random places, by default {_mutants.USUAL}, and tell what no test notices"
    add("--mutants", nargs="?", type=int, const=_mutants.USUAL, metavar="N", help=help_mutants)
    help_steady = "disturb the tests of processes, sockets and timers, or files by parts of their paths"
    add("--steady", nargs="*", metavar="PART", help=help_steady)
    help_clean = f"run both commands in minimal roots, by default {', '.join(_clean.ROOTS)}"
    add("--clean", nargs="*", metavar="ROOT", help=help_clean)
    add("--container", action="store_true", help="build the container from dist/, and try it as compose.yaml runs it")
    return parser


def main(arguments: list[str]) -> int:
    """Run the gates.

    :param arguments: the arguments of the command line.
    :result: 0 if all of them pass, otherwise 1.
    """
    options = _parser().parse_args(arguments)
    number = _steady.give_number(options.fresh, nightly=options.nightly)
    if options.steady is not None:
        asyncio.run(_set_up_all([gate.name for gate in GATES]))
        return _steady.main(options.steady, number=number, minutes=options.minutes)
    if options.wheels:
        return _aarch64.main()
    if options.clean is not None:
        return _clean.main(options.clean)
    if options.container:
        return _container.main()
    if options.faults is not None:
        asyncio.run(_set_up_all([gate.name for gate in GATES]))
        return _planting.main(_setup.ROOT, options.faults)
    if options.mutants is not None:
        asyncio.run(_set_up_all([gate.name for gate in GATES]))
        # The number chooses the changes; the tests have the chance of every run.
        _steady.give_number(0, nightly=False)
        return _mutants.main(_setup.ROOT, options.mutants, number)

    start = time.monotonic()
    _setup.need(_setup.DEVELOP, rust=True)
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    if options.nightly:
        _setup.ready(_setup.NIGHT, cores=False)
    names = options.only or [gate.name for gate in GATES if options.nightly or not gate.is_nightly]
    ready, results = asyncio.run(_run_all(names, Choice(options.fix, options.nightly)))
    print(f"\nset-up {ready:.1f} s, all {time.monotonic() - start:.1f} s")
    return 0 if _tell(results) else 1
