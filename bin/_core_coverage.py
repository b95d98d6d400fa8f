"""Measures which lines of the Rust core the tests reach, those in Rust and, through the extension, those in Python.

It builds both in a copy of the tree, so that the environment keeps the fast core. LLVM's tools, which read what they
have counted, come from rustup.
"""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import _needs
import _planting
import _setup
from _processes import execute

#: The least share of the lines, in percent.
FLOOR = 95.0
#: Where the tests are that the core is for; those of servers and terminals reach nothing else of it.
TESTS = ("tests/agents", "tests/arena", "tests/env", "tests/games", "tests/learn", "tests/test_random.py")
#: What asks git of the tree, which a copy cannot answer.
LEFT_OUT = ("--deselect=tests/arena/test_report.py::test_the_commit_is_that_of_the_tree",)
#: The time limit for the tests in seconds: they count every step, and several threads count in one place.
LIMIT = 5400.0
#: The files that are measured.
SOURCES = Path("rust", "core", "src")
#: What the tests in a file begin with; they are at its end.
_TESTS_BEGIN = "#[cfg(test)]"
_INSTRUMENTED = {"RUSTFLAGS": "-C instrument-coverage"}


def tools() -> Path:
    """Find LLVM's tools, or install them.

    :result: their folder.
    :raises SetupError: if there are none.
    """
    said = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    host = said.partition("host: ")[2].partition("\n")[0]
    folder = Path(_needs.told(_setup.ROOT, "rustc", "--print", "sysroot"), "lib", "rustlib", host, "bin")
    if not (folder / "llvm-cov").exists() and shutil.which("rustup"):
        _setup.tool("installing LLVM's tools", "rustup", "component", "add", "llvm-tools")
    if not (folder / "llvm-cov").exists():
        raise _setup.SetupError("The coverage of the core needs LLVM's tools: install Rust from https://rustup.rs.")
    return folder


def lines(report: str, root: Path) -> dict[str, dict[int, bool]]:
    """Read which lines were reached.

    :param report: the report of ``llvm-cov export --format=lcov``.
    :param root: the tree that was built.
    :result: for each file of the core its lines of code, without those of its tests, and whether they were reached.
    """
    found: dict[str, dict[int, bool]] = {}
    for part in report.split("end_of_record"):
        name = re.search(r"^SF:(.+)$", part, re.MULTILINE)
        if name is None or not Path(name[1]).is_relative_to(root / SOURCES):
            continue
        text = Path(name[1]).read_text(encoding="utf-8")
        end = text.partition(_TESTS_BEGIN)[0].count("\n") + 1 if _TESTS_BEGIN in text else text.count("\n") + 2
        counts = {int(line): int(count) > 0 for line, count in re.findall(r"^DA:(\d+),(\d+)", part, re.MULTILINE)}
        file = Path(name[1]).relative_to(root).as_posix()
        found[file] = {line: reached for line, reached in counts.items() if line < end}
    return found


def tell(found: Mapping[str, Mapping[int, bool]], floor: float) -> bool:
    """Print the files with lines that no test reaches, and the share of all lines.

    :param found: for each file its lines, and whether they were reached.
    :param floor: the least share in percent.
    :result: whether the share is sufficient.
    """
    for file, each in sorted(found.items()):
        if missed := [line for line, reached in sorted(each.items()) if not reached]:
            print(f"{_share(each.values()):6.2f} %  {file}: {', '.join(map(str, missed))}")
    share = _share([reached for each in found.values() for reached in each.values()])
    print(f"the tests reach {share:.2f} % of the lines of the core; at least {floor} % are required")
    return share >= floor


def _share(reached: Iterable[bool]) -> float:
    values = list(reached)
    return 100 * sum(values) / len(values) if values else 0.0


async def _measure(copy: _planting.Copy, profiles: Path) -> list[str]:
    """Run the tests; return the programs whose steps were counted.

    :raises SetupError: if a test fails, or the core does not compile.
    """
    variables = _INSTRUMENTED | {"CARGO_TARGET_DIR": str(copy.cargo), "LLVM_PROFILE_FILE": f"{profiles}/%4m.profraw"}
    cargo = ["cargo", "test", "--locked", "--package", "tisch-core"]
    code, output = await execute(cargo, copy.root, variables)
    if code == 0:
        _, built = await execute([*cargo, "--no-run", "--message-format=json"], copy.root, variables)
        # What a build script counts is of no use.
        try:
            await copy.build(**_INSTRUMENTED, LLVM_PROFILE_FILE="/dev/null")
        except _planting.NotCompiled as error:
            raise _setup.SetupError(str(error)) from None
        parallel = ("-n", "logical", "--dist=worksteal")
        code, output = await copy.pytest(
            *parallel, *TESTS, *LEFT_OUT, limit=LIMIT, LLVM_PROFILE_FILE=f"{profiles}/%4m.profraw"
        )
    if code:
        raise _setup.SetupError(f"The tests of the core fail:\n{output.rstrip()}")
    programs = [json.loads(line).get("executable") for line in built.splitlines() if line.startswith("{")]
    return [*filter(None, programs), *(str(core) for pattern in _setup.LIBRARY for core in copy.root.glob(pattern))]


def main() -> int:
    """Measure the coverage of the core.

    :result: 0 if it is sufficient, otherwise 1.
    :raises SetupError: if the tools are missing, or a test fails.
    """
    folder = _setup.ROOT / "target" / "coverage"
    profiles, merged = folder / "profiles", folder / "core.profdata"
    shutil.rmtree(profiles, ignore_errors=True)
    profiles.mkdir(parents=True)
    llvm = tools()
    copy = _planting.Copy(_setup.ROOT, folder / "tree")
    try:
        programs = asyncio.run(_measure(copy, profiles))
        counted = map(str, sorted(profiles.glob("*.profraw")))
        merge = (str(llvm / "llvm-profdata"), "merge", "-sparse", "-o", str(merged), *counted)
        _setup.tool("merging what the tests have counted", *merge)
        objects = [argument for program in programs[1:] for argument in ("--object", program)]
        export = (str(llvm / "llvm-cov"), "export", "--format=lcov", f"--instr-profile={merged}", programs[0], *objects)
        return 0 if tell(lines(_setup.tool("reading it", *export), copy.root), FLOOR) else 1
    finally:
        copy.remove()


if __name__ == "__main__":
    _setup.run(lambda _: main())
