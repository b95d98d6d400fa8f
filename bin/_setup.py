"""Sets up what the scripts beside it need: the environment ``.venv``, its packages, and the compiled cores.

Run as a script, it sets up parts for developers: ``packages``, ``cores``, ``web``, or all if none is named. It uses
only the standard library, because it runs before anything is installed. ``.venv/tisch.json`` records each finished
step: later runs start at once, and an interrupted step is repeated.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import _needs

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
SCRIPTS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
NOTE = ENVIRONMENT / "tisch.json"

#: The locks of the packages to run tisch, for its developers, for the benchmarks' comparisons, and to build wheels.
RUN = "requirements.lock"
DEVELOP = "requirements-dev.lock"
BENCH = "requirements-bench.lock"
WHEELS = "requirements-wheels.lock"

#: Each lock, after those that it includes.
LOCKS = {RUN: (RUN,), DEVELOP: (RUN, DEVELOP), BENCH: (RUN, DEVELOP, BENCH), WHEELS: (RUN, DEVELOP, WHEELS)}

#: The sources of the compiled cores, and the compiled files.
SOURCES = ("Cargo.toml", "Cargo.lock", "pyproject.toml", "rust/**/*.rs", "rust/**/*.toml")
LIBRARY = ("python/tisch/_core*.so", "python/tisch/_core*.pyd")

#: The lock of the web client's tools, and the record of the installed ones.
WEB_LOCK = "web/package-lock.json"
WEB_NOTE = "web/node_modules/.tisch"

#: The possible names of the browser for the web client's tests.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: The same browser without a window and notifications, which takes half of the time.
SHELL = "chromium-headless-shell"

#: What a start waits for if another one sets up the same.
ANOTHER = "another start to finish its set-up"

_EXPLANATIONS = {
    r"No module named '?(venv|ensurepip)|ensurepip is not\s+available": _needs.NO_VENV,
    r"linker `[^`]*` not found|xcrun: error: invalid active developer path": _needs.NO_LINKER,
    r"requires rustc \d|`edition2024` is required|lock file version .* requires": (
        "This Rust is too old: renew it (rustup update) and start again."
    ),
    r"'cargo-(fmt|clippy)(\.exe)?' is not installed|no such command: `(fmt|clippy)`": (
        "rustfmt or clippy is missing: install both (rustup component add rustfmt clippy)."
    ),
    r"establish a new connection|name resolution|Name or service not known|getaddrinfo failed|nodename nor servname"
    r"|Max retries exceeded|[Cc]onnection (refused|timed out)|[Rr]ead timed out|[Nn]etwork is unreachable"
    r"|\(from versions: none\)|[Cc]ould(n't| not) (resolve host|connect to server)": (
        "What tisch needs cannot be downloaded: connect this machine to the internet and start again."
    ),
}


class SetupError(Exception):
    """Something is missing; the message tells the user what to do."""


def explain(output: str) -> str | None:
    """Return the reason why a tool failed, in a sentence.

    :param output: the output of the tool.
    :result: the sentence, or None if the user cannot fix the reason.
    """
    return next((sentence for pattern, sentence in _EXPLANATIONS.items() if re.search(pattern, output)), None)


def need(lock: str, *, rust: bool = False, web: bool = False) -> None:
    """Check that the machine has everything that is needed.

    :param lock: the lock of the required packages.
    :param rust: whether Rust is needed even if the cores are built.
    :param web: whether the tools of the web client are needed.
    :raises SetupError: if anything is missing; the message lists everything.
    """
    steps = outstanding(_read_note(), wanted(lock))
    found = _needs.missing(
        ROOT, environment="environment" in steps, rust=rust or "cores" in steps, web=web and _is_web_outstanding()
    )
    if found:
        raise SetupError(found[0] if len(found) == 1 else "\n".join(["Several things are missing.", *found]))


def digest(root: Path, *patterns: str) -> str:
    """Compute the digest of files: of their names and contents, not of their modification times.

    :param root: their folder.
    :param patterns: the patterns of their names.
    :result: the digest, empty if no file matches.
    """
    paths = sorted({path for pattern in patterns for path in root.glob(pattern)})
    if not paths:
        return ""
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.relative_to(root).as_posix()}\n{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def wanted(lock: str) -> dict[str, Any]:
    """Return the record of a complete set-up.

    :param lock: the lock of the required packages.
    :result: for each step, in order, its inputs or outputs.
    """
    return {
        "environment": [str(ROOT), sys.base_prefix, str(sys.implementation.cache_tag)],
        "packages": {name: digest(ROOT, name) for name in LOCKS[lock]},
        "cores": [digest(ROOT, *SOURCES), digest(ROOT, *LIBRARY)],
    }


def outstanding(note: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Compare the record with a complete one.

    :param note: the finished steps of the last set-up.
    :param now: the required steps.
    :result: the steps to do, in order: all of them in a new environment.
    """
    if note.get("environment") != now["environment"]:
        return ["environment", "packages", "cores"]
    steps = [] if now["packages"].items() <= note.get("packages", {}).items() else ["packages"]
    return steps if note.get("cores") == now["cores"] else [*steps, "cores"]


def ready(lock: str, *, cores: bool = True) -> None:
    """Do the remaining steps, so that :data:`PYTHON` runs tisch with its current sources.

    :param lock: the lock of the required packages.
    :param cores: whether the cores are built, too.
    :raises SetupError: if something is missing on this machine.
    """

    def left(note: dict[str, Any], now: dict[str, Any]) -> list[str]:
        return [step for step in outstanding(note, now) if cores or step != "cores"]

    if not left(_read_note(), wanted(lock)):
        return
    with alone(ROOT / ".venv.lock", ANOTHER):
        note = _read_note()
        now = wanted(lock)
        steps = left(note, now)
        need(lock)
        for step in steps:
            note.pop(step, None)
        _write_note(note)
        for step in steps:
            _STEPS[step](lock)
            if step == "cores":
                now["cores"][1] = digest(ROOT, *LIBRARY)
            note[step] = now[step]
            _write_note(note)


def web_ready() -> None:
    """Install the tools of the web client, and a browser for its tests if that is possible without asking.

    :raises SetupError: if something is missing on this machine.
    """
    with alone(ROOT / ".web.lock", ANOTHER):
        if _is_web_outstanding():
            need(DEVELOP, web=True)
            npm = shutil.which("npm")
            assert npm is not None
            tool("installing the checks of the web client", npm, "ci", "--no-audit", "--no-fund", "--prefix", "web")
            (ROOT / WEB_NOTE).write_text(digest(ROOT, WEB_LOCK), encoding="utf-8")
        may_install = sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get")
        if may_install and not any(map(shutil.which, BROWSERS)):
            tool("looking for Chromium", "apt-get", "update")
            tool("installing Chromium", "apt-get", "install", "--yes", "--no-install-recommends", BROWSERS[0], SHELL)


def _is_web_outstanding() -> bool:
    note = ROOT / WEB_NOTE
    return not note.exists() or note.read_text(encoding="utf-8") != digest(ROOT, WEB_LOCK)


def tool_environment() -> dict[str, str]:
    """The environment variables for a tool that works on ``.venv``, in whatever environment this script runs."""
    # With the last of these, every process of a test would compile all of tisch again.
    unwanted = {"CONDA_PREFIX", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE"}
    variables = {name: value for name, value in os.environ.items() if name not in unwanted}
    variables["VIRTUAL_ENV"] = str(ENVIRONMENT)
    variables["PATH"] = os.pathsep.join([str(SCRIPTS), variables.get("PATH", os.defpath)])
    return variables | {"CARGO_TERM_COLOR": "never", "PY_COLORS": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def tool(what: str, *command: str, variables: Mapping[str, str] | None = None, ours: bool = False) -> str:
    """Run a tool and print its purpose on the error stream; print its output only if it fails for an unknown reason.

    :param what: its purpose.
    :param command: the tool and its arguments.
    :param variables: additional environment variables.
    :param ours: whether it is a program of tisch, whose failures are bugs and not the machine's fault.
    :result: its output.
    :raises SetupError: if it fails.
    """
    print(f"tisch: {what} …", file=sys.stderr, flush=True)
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=tool_environment() | dict(variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        process_group=0,
    ) as process:
        try:
            output = process.communicate()[0].decode(errors="replace")
        except BaseException:
            kill(process.pid)
            raise
    if process.returncode != 0:
        sentence = None if ours else explain(output)
        if sentence is None:
            print(*output.splitlines()[-40:], sep="\n", file=sys.stderr)
            sentence = f"Something went wrong while {what}; the lines above tell more."
        raise SetupError(sentence)
    return output


def kill(process: int) -> None:
    """Kill the process group of a tool: nothing may continue to write after the script.

    :param process: the id of the tool's process.
    """
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process)], capture_output=True, check=False)
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)


def run(main: Callable[[list[str]], int]) -> NoReturn:
    """Run the main function of a script: report missing things in a sentence, and end without a traceback on Ctrl-C.

    :param main: a function from the arguments of the script to its exit code.
    """
    # Stop a running tool together with the script.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        sys.exit(main(sys.argv[1:]))
    except SetupError as error:
        sys.exit(f"tisch: {error}")
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


def run_command(name: str) -> NoReturn:
    """Replace the script by a command of tisch, with the script's arguments.

    :param name: the command.
    """
    run_module("tisch", name)


def run_module(module: str, *first: str) -> NoReturn:
    """Replace the script by a module of tisch, with the script's arguments.

    :param module: the module.
    :param first: the arguments before those of the script.
    """

    def main(arguments: list[str]) -> int:
        ready(RUN)
        command = [str(PYTHON), "-m", module, *first, *arguments]
        if os.name == "posix":
            os.execv(PYTHON, command)
        # Windows has no such call: wait for the command, which handles Ctrl-C itself.
        with subprocess.Popen(command) as process:
            while True:
                with contextlib.suppress(KeyboardInterrupt):
                    return process.wait()

    run(main)


def _make_environment(_lock: str) -> None:
    tool("making the environment .venv", sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT))


def _install_packages(lock: str) -> None:
    command = ["-m", "pip", "install", "--require-hashes", "--requirement", str(ROOT / lock)]
    tool("installing packages", str(PYTHON), *command)


def _build_cores(_lock: str) -> None:
    tool("building the cores", str(PYTHON), "-m", "maturin", "develop", "--release", "--locked")


_STEPS = {"environment": _make_environment, "packages": _install_packages, "cores": _build_cores}


def _read_note() -> dict[str, Any]:
    """Read the record; it is empty if the file or the Python beside it is missing."""
    try:
        note: dict[str, Any] = json.loads(NOTE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return note if PYTHON.exists() else {}


def _write_note(note: dict[str, Any]) -> None:
    if ENVIRONMENT.is_dir():
        draft = NOTE.with_suffix(".draft")
        draft.write_text(json.dumps(note, indent=2), encoding="utf-8")
        draft.replace(NOTE)


@contextlib.contextmanager
def alone(path: Path, what: str) -> Iterator[None]:
    """Hold a lock, so that two parallel runs work one after the other.

    :param path: the file of the lock.
    :param what: what the second run waits for.
    """
    with path.open("a") as file:
        try:
            _take(file.fileno(), wait=False)
        except OSError:
            print(f"tisch: waiting for {what} …", file=sys.stderr, flush=True)
            _take(file.fileno(), wait=True)
        yield


if sys.platform == "win32":
    import msvcrt

    def _take(file: int, *, wait: bool) -> None:
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError:  # This also happens after ten seconds of waiting.
                if not wait:
                    raise
            else:
                return
else:
    import fcntl

    def _take(file: int, *, wait: bool) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _main(arguments: list[str]) -> int:
    parts = arguments or ["packages", "cores", "web"]
    need(DEVELOP, web="web" in parts)
    if {"packages", "cores"} & set(parts):
        ready(DEVELOP, cores="cores" in parts)
    if "web" in parts:
        web_ready()
    return 0


if __name__ == "__main__":
    run(_main)
