"""Sets up what the scripts beside it need: the environment ``.venv``, its packages, and the compiled cores.

Run as a script, it sets up parts for developers: the ``environment``, then ``crates`` and ``packages``, which need only
that and not each other, then ``cores`` and ``web``; or all if none is named. It uses only the standard library, because
it runs before anything is installed. uv does the work: it comes into ``.venv`` from ``uv.lock`` like every other
package, and knows what is missing there or has changed.
"""

import contextlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import _needs

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
SCRIPTS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
#: Written when the environment is complete enough for uv.
NOTE = ENVIRONMENT / "tisch.json"
#: Written where a wheel was installed instead of what is built from the sources.
WHEEL_NOTE = ENVIRONMENT / "tisch-wheel.txt"
LOCK = ROOT / "uv.lock"

#: The groups of packages to run tisch, for its developers, for the whole of its tests, for the benchmarks' comparisons,
#: and to build wheels.
RUN = ("--group=build",)
DEVELOP = ("--group=dev", "--all-extras")
NIGHT = ("--group=readers", "--all-extras")
BENCH = ("--group=bench", "--all-extras")
WHEELS = ("--group=wheels", "--all-extras")

#: How the check builds the cores: in half of the time, and hardly slower, for each crate is still optimized as a whole.
#: What users run is linked as a whole.
QUICK = {"CARGO_PROFILE_RELEASE_LTO": "false", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}
#: Written where the cores were built so; they do for developers, who test them, and for nobody else.
QUICK_NOTE = ENVIRONMENT / "tisch-quick.txt"

#: The compiled cores.
LIBRARY = ("python/tisch/_core*.so", "python/tisch/_core*.pyd")

#: npm in the folder of the web client; Node.js is a package of the environment.
NPM = (str(SCRIPTS / "npm"), "--prefix", "web")
#: The lock of the web client's tools, and its copy beside the installed ones.
WEB_LOCK = "web/package-lock.json"
WEB_NOTE = "web/node_modules/.tisch"
#: The folder of the browser for the tests of the web client, which a package brings compressed.
BROWSER = "web/node_modules/.chromium"
_UNPACK = """
import chromium from './web/node_modules/@sparticuz/chromium/build/index.js';
await chromium.executablePath();
"""
#: The machine's fonts, and one that is always there.
_FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>{}</dir></fontconfig>
"""

#: Builds the cores into a folder, and beside their stubs, as the build of the package does.
_COMPILE = "import sys, maturin; maturin.build_editable(sys.argv[1])"

#: What a start waits for if another one sets up the same.
ANOTHER = "another start to finish its set-up"

_EXPLANATIONS = {
    r"No module named '?(venv|ensurepip)|ensurepip is not\s+available": _needs.no_venv(_needs.system()),
    r"linker `[^`]*` not found|xcrun: error: invalid active developer path": _needs.no_linker(_needs.system()),
    r"requires rustc \d|`edition2024` is required|lock file version .* requires": (
        "This Rust is too old: renew it (rustup update) and start again."
    ),
    r"'cargo-(fmt|clippy)(\.exe)?' is not installed|no such command: `(fmt|clippy)`": (
        "rustfmt or clippy is missing: install both (rustup component add rustfmt clippy)."
    ),
    r"establish a new connection|name resolution|Name or service not known|getaddrinfo failed|nodename nor servname"
    r"|Max retries exceeded|[Cc]onnection (refused|timed out)|[Rr]ead timed out|[Nn]etwork is unreachable"
    r"|error sending request for url|dns error|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT"
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


def need(group: tuple[str, ...], *, rust: bool = False) -> None:
    """Check that the machine has everything that is needed.

    :param group: the required packages.
    :param rust: whether Rust is needed even if the cores are built.
    :raises SetupError: if anything is missing; the message lists everything.
    """
    found = _needs.missing(ROOT, environment=not _is_made(), rust=rust or not _is_synced(group))
    if found:
        raise SetupError(found[0] if len(found) == 1 else "\n".join(["Several things are missing.", *found]))


def ready(group: tuple[str, ...], *, cores: bool = True) -> None:
    """Do the remaining steps, so that :data:`PYTHON` runs tisch with its current sources.

    :param group: the required packages.
    :param cores: whether the cores are built, too.
    :raises SetupError: if something is missing on this machine.
    """
    if _is_synced(group, cores=cores) or (cores and group == RUN and _has_wheel()):
        return
    with alone(ROOT / ".venv.lock", ANOTHER):
        takes_wheel = cores and group == RUN and _lacks_rust_only()
        if not takes_wheel:
            need(group)
        if not _is_made():
            _make_environment()
        if not _is_synced(group, cores=False):
            tool("installing packages", *_sync(group, cores=False))
        if takes_wheel:
            _take_wheel(group)
        elif cores and not _is_synced(group):
            lost = () if _does(group) else ("--reinstall-package=tisch",)
            with _noted():
                tool("building the cores", *_sync(group), *lost)


def _lacks_rust_only() -> bool:
    """Tell whether only what compiles is missing, and there are wheels: whoever just runs tisch needs no more."""
    if not wheels() or _needs.missing(ROOT, environment=not _is_made(), rust=False):
        return False
    return bool(_needs.missing(ROOT, environment=False, rust=True))


def wheels() -> list[Path]:
    """Return the wheels of this version that lie in ``dist``, for whatever machine.

    :result: their paths.
    """
    return sorted((ROOT / "dist").glob(f"tisch-{pinned('tisch')['version']}-*.whl"))


def _has_wheel() -> bool:
    """Tell whether a wheel is installed that still lies there."""
    try:
        return _is_made() and WHEEL_NOTE.read_text(encoding="utf-8") in map(_told, wheels())
    except OSError:
        return False


def _told(wheel: Path) -> str:
    return f"{wheel.name} {wheel.stat().st_mtime_ns}"


def _take_wheel(group: tuple[str, ...]) -> None:
    """Install the wheel that fits this machine, with all of tisch, and say which; if none does, Rust is missing."""
    for wheel in wheels():
        if _install(wheel):
            WHEEL_NOTE.write_text(_told(wheel), encoding="utf-8")
            told = f"tisch: installed from dist/{wheel.name}, since nothing can be compiled here"
            print(told, file=sys.stderr, flush=True)
            return
    need(group)


def _install(wheel: Path) -> bool:
    """Install a wheel if it fits this machine; uv looks at that only where it chooses by itself."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(wheel, folder)
        command = [str(SCRIPTS / "uv"), "pip", "install", "--python", str(PYTHON), "--no-deps", "--reinstall"]
        command += ["--no-index", "--only-binary", ":all:", "--find-links", folder, "tisch"]
        done = subprocess.run(command, cwd=ROOT, env=tool_environment(), capture_output=True, check=False)
    return done.returncode == 0


def web_ready() -> None:
    """Install the tools of the web client, and a browser for its tests, after the packages.

    :raises SetupError: if something is missing on this machine.
    """
    lock, note = (ROOT / WEB_LOCK).read_bytes(), ROOT / WEB_NOTE
    with alone(ROOT / ".web.lock", ANOTHER):
        if note.exists() and note.read_bytes() == lock:
            return
        tool("installing the checks of the web client", *NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts")
        if (sys.platform, platform.machine()) == ("linux", "x86_64"):
            _unpack_browser(ROOT / BROWSER)
        note.write_bytes(lock)


def _unpack_browser(folder: Path) -> None:
    folder.mkdir()
    # The package is made for a cloud that names itself so; there it also unpacks the libraries.
    variables = {"TMPDIR": str(folder), "AWS_LAMBDA_JS_RUNTIME": "nodejs22.x"}
    node = (str(SCRIPTS / "node"), "--input-type=module", "--eval", _UNPACK)
    tool("unpacking Chromium", *node, variables=variables)
    (folder / "fonts.conf").write_text(_FONTS.format(folder / "fonts"), encoding="utf-8")


def tool_environment() -> dict[str, str]:
    """The environment variables for a tool that works on ``.venv``, in whatever environment this script runs."""
    # With one of these, every process of a test would compile all of tisch again; another hides what is never flushed.
    unwanted = {"CONDA_PREFIX", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    variables = {name: value for name, value in os.environ.items() if name not in unwanted}
    variables["VIRTUAL_ENV"] = str(ENVIRONMENT)
    variables["PATH"] = os.pathsep.join([str(SCRIPTS), variables.get("PATH", os.defpath)])
    variables |= {"UV_PROJECT_ENVIRONMENT": str(ENVIRONMENT), "UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": "never"}
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


def run_command(*words: str) -> NoReturn:
    """Replace the script by a command of tisch, with the script's arguments.

    :param words: the command.
    """

    def main(arguments: list[str]) -> int:
        ready(RUN)
        command = [str(PYTHON), "-m", "tisch", *words, *arguments]
        if os.name == "posix":
            os.execv(PYTHON, command)
        # Windows has no such call: wait for the command, which handles Ctrl-C itself.
        with subprocess.Popen(command) as process:
            while True:
                with contextlib.suppress(KeyboardInterrupt):
                    return process.wait()

    run(main)


def pinned(name: str) -> dict[str, Any]:
    """Return what the lock holds of a package.

    :param name: its name.
    :result: the entry, with its version and its wheels.
    """
    packages: list[dict[str, Any]] = tomllib.loads(LOCK.read_text(encoding="utf-8"))["package"]
    return next(package for package in packages if package["name"] == name)


def _origin() -> list[str]:
    """Return what an environment is made of: one of another folder, Python or uv is of no use."""
    return [str(ROOT), sys.base_prefix, str(sys.implementation.cache_tag), pinned("uv")["version"]]


def _is_made() -> bool:
    try:
        return PYTHON.exists() and json.loads(NOTE.read_text(encoding="utf-8")) == _origin()
    except (OSError, ValueError):
        return False


def _make_environment() -> None:
    """Make the environment, with uv in it, which installs, and maturin, which builds."""
    tool("making the environment .venv", sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT))
    lines = []
    for name in ("uv", "maturin"):
        package = pinned(name)
        hashes = [f"--hash={wheel['hash']}" for wheel in package["wheels"]]
        lines.append(" ".join([f"{name}=={package['version']}", *hashes]))
    with tempfile.TemporaryDirectory() as folder:
        required = Path(folder, "tools.txt")
        required.write_text("\n".join(lines), encoding="utf-8")
        install = ["install", "--require-hashes", "--only-binary=:all:", "--requirement", str(required)]
        tool("installing uv and maturin", str(PYTHON), "-m", "pip", *install)
    NOTE.write_text(json.dumps(_origin()), encoding="utf-8")


def _sync(group: tuple[str, ...], *, cores: bool = True) -> list[str]:
    """The command that installs packages from the lock, and builds the cores if they have changed."""
    command = [str(SCRIPTS / "uv"), "sync", "--locked", "--inexact", "--python", str(PYTHON), *group]
    return command if cores else [*command, "--no-install-project"]


def _is_synced(group: tuple[str, ...], *, cores: bool = True) -> bool:
    if not _is_made() or (cores and not _does(group)):
        return False
    command = [*_sync(group, cores=cores), "--check"]
    # uv's cache is in the user's home, and services may have none; without it, the check takes longer.
    tries = (command, [*command, "--no-cache"])
    return any(
        subprocess.run(each, cwd=ROOT, env=tool_environment(), capture_output=True, check=False).returncode == 0
        for each in tries
    )


def _does(group: tuple[str, ...]) -> bool:
    """Tell whether there are compiled cores that do for a group."""
    return _has_library() and (group == DEVELOP or _is_quick() or not QUICK_NOTE.exists())


def _is_quick() -> bool:
    """Tell whether the cores are to be built quickly."""
    return QUICK.items() <= os.environ.items()


@contextlib.contextmanager
def _noted() -> Iterator[None]:
    """Note how the cores are built meanwhile."""
    if _is_quick():
        # Before, because a build that is broken off may have written them.
        QUICK_NOTE.touch()
    yield
    if not _is_quick():
        QUICK_NOTE.unlink(missing_ok=True)


def _has_library() -> bool:
    return any(True for pattern in LIBRARY for _ in ROOT.glob(pattern))


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


def environment_ready() -> None:
    """Make the environment, if there is none."""
    with alone(ROOT / ".venv.lock", ANOTHER):
        if not _is_made():
            _make_environment()


def compile_crates() -> None:
    """Compile the cores as uv will do it, which then finds it done, while the packages are still fetched."""
    if not _is_synced(DEVELOP):
        with tempfile.TemporaryDirectory() as folder, _noted():
            tool("compiling the cores", str(PYTHON), "-c", _COMPILE, folder)


#: What can be set up for developers, each part after those that it needs.
_PARTS: dict[str, Callable[[], None]] = {
    "environment": environment_ready,
    "crates": compile_crates,
    "packages": lambda: ready(DEVELOP, cores=False),
    "cores": lambda: ready(DEVELOP),
    "web": web_ready,
}


def _main(arguments: list[str]) -> int:
    need(DEVELOP)
    for part in arguments or ("packages", "cores", "web"):
        _PARTS[part]()
    return 0


if __name__ == "__main__":
    run(_main)
