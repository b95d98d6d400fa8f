"""Runs the commands of the README where nothing is installed but what the README asks for, or less.

Each root is a minimal Debian. There a user without rights runs the commands on a copy of the tree, without any cache.
The server of a root plays a game with this machine's browser, as a friend's would.
The roots stay in ``target/clean`` for the next run, without what the user left.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import _needs
import _setup
import _wheels

FOLDER = _setup.ROOT / "target" / "clean"
#: What the README asks for: Python and a C linker.
PYTHON, LINKER = ("python3", "python3-venv"), ("gcc", "libc6-dev")
#: The commands, with the names under which they are told.
COMMANDS: dict[str, tuple[str, ...]] = {"first": ("bin/run_arena.py",), "second": ("bin/check.py",)}
#: What serves a game, which game, what the server says when it is ready, and how many seconds it may take for that.
SERVE, GAME, READY, PATIENCE = ("bin/serve.py", "--port", "0"), "maumau", re.compile(r"ready: (http://\S+)"), 600
USER = 1000
#: Does something in a root: takes its name, its folder, the command and the log; returns whether all was as it must be,
#: and what was said.
_Step = Callable[[str, Path, Sequence[str], Path], tuple[bool, str]]


@dataclass(frozen=True)
class Root:
    """A root, and what is run there.

    :ivar release: its Debian.
    :ivar packages: what is installed in it, besides what every root has.
    :ivar lends_rust: whether it has this machine's Rust, as if from rustup.
    :ivar home: the user's home.
    :ivar commands: the names of the commands.
    :ivar told: what the first command must say.
    :ivar fails: whether it must fail, since something is missing.
    :ivar has_wheel: whether there is a wheel in ``dist``.
    """

    release: str
    packages: tuple[str, ...]
    lends_rust: bool = True
    home: str = "/home/tisch"
    commands: tuple[str, ...] = tuple(COMMANDS)
    told: tuple[str, ...] = ()
    fails: bool = False
    has_wheel: bool = False


#: The roots by name: one for each Python, by the Debian that brings it, and those of less usual machines.
ROOTS = {
    "3.11": Root("bookworm", (*PYTHON, *LINKER)),
    "3.13": Root("trixie", (*PYTHON, *LINKER)),
    # Only the newest Debian has a Rust that is new enough.
    "3.14": Root("testing", (*PYTHON, *LINKER, "rustc", "cargo", "rustfmt", "rust-clippy"), lends_rust=False),
    "umlauts": Root("trixie", (*PYTHON, *LINKER), home="/home/Jürgen Groß"),
    "bare": Root(
        "trixie",
        PYTHON[:1],
        lends_rust=False,
        commands=("first",),
        told=(
            "Several things are missing.",
            _needs.no_venv("debian"),
            "or newer is needed, cargo and rustc are missing: install it (see https://rustup.rs)",
            _needs.no_linker("debian"),
        ),
        fails=True,
    ),
    "old-rust": Root(
        "bookworm",
        (*PYTHON, *LINKER, "rustc", "cargo"),
        lends_rust=False,
        commands=("first",),
        told=("or newer is needed, this is 1.6",),
        fails=True,
    ),
    "wheel": Root(
        "trixie",
        PYTHON,
        lends_rust=False,
        commands=("first",),
        told=("tisch: installed from dist/tisch-", "All 1000 games were played."),
        has_wheel=True,
    ),
}

#: Runs a command in a root as the user, with an empty folder for temporary files.
_ENTER = r"""
set -eu
root=$1 rust=$2
shift 2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
[ -z "$rust" ] || { mkdir -p "$root/opt/rust"; mount --rbind -o ro "$rust" "$root/opt/rust"; }
exec chroot "$root" setpriv --reuid=tisch --regid=tisch --clear-groups --no-new-privs "$@"
"""


def obstacles() -> list[str]:
    """Return why there can be no roots on this machine.

    :result: the missing things, in words.
    """
    found = []
    if not (sys.platform == "linux" and shutil.which("apt-get")):
        found.append("Debian")
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        found.append("root's rights")
    if not (_setup.ROOT / ".git").exists() or shutil.which("git") is None:
        found.append("git and a clone")
    return found


def main(names: Sequence[str]) -> int:
    """Run the commands in roots.

    :param names: the names of the roots; by default all.
    :result: 0 if all commands did what they must, otherwise 1.
    :raises SetupError: something is missing, or a name is unknown.
    """
    if missing := obstacles():
        raise _setup.SetupError(f"There can be no clean roots here: that needs {', '.join(missing)}.")
    if unknown := [name for name in names if name not in ROOTS]:
        raise _setup.SetupError(f"There is no root {', '.join(unknown)}, only {', '.join(ROOTS)}.")
    if shutil.which("debootstrap") is None:
        _wheels.install("debootstrap")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _setup.alone(FOLDER / "lock", "another start to finish with its roots"):
        # Every root is tried, whatever the one before has shown.
        results = [_try(name) for name in names or ROOTS]
    return 0 if all(results) else 1


def _try(name: str) -> bool:
    """Run the commands in a root, the second one whatever the first one did; return whether all is as it must be."""
    folder, root = _made(name), ROOTS[name]
    _copy_tree(folder / root.home[1:], has_wheel=root.has_wheel)
    steps: list[tuple[_Step, Sequence[str], str]] = [(_run, COMMANDS[command], command) for command in root.commands]
    if not root.fails:
        # The browser is this machine's. The game comes before the check, which builds cores of its own.
        _setup.ready(_setup.DEVELOP)
        _setup.web_ready()
        steps.insert(1, (_play, SERVE, "game"))
    passed = [_told(name, step, folder, command, log) for step, command, log in steps]
    return all(passed)


def _made(name: str) -> Path:
    """Make a root, if it is not there."""
    folder, note, root = FOLDER / name, FOLDER / f"{name}.txt", ROOTS[name]
    packages = [*root.packages, "ca-certificates"]
    wanted = " ".join([root.release, root.home, *packages])
    if not note.exists() or note.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        options = ["--variant=minbase", f"--include={','.join(packages)}"]
        _setup.tool(
            f"making the root {name}, Debian {root.release}", "debootstrap", *options, root.release, str(folder)
        )
        add = ["useradd", f"--uid={USER}", f"--home-dir={root.home}", "tisch"]
        _setup.tool("making its user", "chroot", str(folder), *add)
        # A minimal root resolves no name of its own.
        for file in ("hosts", "resolv.conf"):
            shutil.copy(f"/etc/{file}", folder / "etc" / file)
        note.write_text(wanted, encoding="utf-8")
    return folder


def _copy_tree(home: Path, *, has_wheel: bool) -> None:
    """Give the user a new home with the files that git tracks or would track, and with a wheel if wanted."""
    wheels = [path.relative_to(_setup.ROOT).as_posix() for path in _wheels.require()] if has_wheel else []
    shutil.rmtree(home, ignore_errors=True)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=_setup.ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, [*names, *wheels]):
        source, target = _setup.ROOT / name, home / "tisch" / name
        if os.path.lexists(source):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    for path in (home, *home.rglob("*")):
        os.chown(path, USER, USER, follow_symlinks=False)


def _variables(folder: Path, home: str) -> list[str]:
    """Return the user's environment: how this machine reaches the registries, and no more."""
    kept = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    for name in ("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS"):
        if (path := os.environ.get(name)) and Path(path).is_file():
            (folder / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path[1:])
            kept[name] = path
    own = {"PATH": "/opt/rust/bin:/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8", "USER": "tisch"}
    return [f"{name}={value}" for name, value in (kept | own).items()]


@contextmanager
def _started(name: str, folder: Path, command: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command in a root; what it says is in a log. At the end it is killed, if it still runs."""
    root = ROOTS[name]
    rust = _needs.told(_setup.ROOT, "rustc", "--print", "sysroot") if root.lends_rust else ""
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _ENTER, "sh", str(folder), rust]
    inside = ["env", "-i", "-C", f"{root.home}/tisch", *_variables(folder, root.home), "python3", *command]
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*unshare, *inside], stdin=subprocess.DEVNULL, stdout=file, stderr=file, process_group=0
        )
        try:
            yield process
        finally:
            # The child has forgotten to die with its parent as soon as it is the user's.
            _setup.kill(process.pid)
            process.wait()


def _told(name: str, step: _Step, folder: Path, command: Sequence[str], log: str) -> bool:
    """Run a step in a root, and print how it ended; return whether it ended as it must."""
    start, file = time.monotonic(), FOLDER / f"{name}-{log}.log"
    passed, text = step(name, folder, command, file)
    lines = text.splitlines() or [""]
    verdict, seconds = "ok    " if passed else "FAILED", time.monotonic() - start
    print(f"{verdict} {name:<9}{' '.join(('python3', *command)):<32}{seconds:>8.1f} s  {lines[-1]}", flush=True)
    if not passed:
        print(*lines[-60:], f"What the command said: {file}", sep="\n", flush=True)
    return passed


def _run(name: str, folder: Path, command: Sequence[str], log: Path) -> tuple[bool, str]:
    """Run a command in a root; return whether it ended as it must, and what it said."""
    with _started(name, folder, command, log) as process:
        code = process.wait()
    text = _read(log)
    return ends_well(ROOTS[name], command, code, text), text


def _play(name: str, folder: Path, command: Sequence[str], log: Path) -> tuple[bool, str]:
    """Serve from a root, and play a game there in a browser; return whether it came to its end, and what was said."""
    until = time.monotonic() + PATIENCE
    with _started(name, folder, command, log) as process:
        while not (ready := READY.search(_read(log))):
            if process.poll() is not None or time.monotonic() > until:
                return False, f"{_read(log)}\nThe server was never ready."
            time.sleep(0.2)
        script = _setup.ROOT / "tests" / "harness" / "browser_game.py"
        guest = subprocess.run(
            [_setup.PYTHON, script, ready[1], GAME],
            env={**os.environ, "PYTHONPATH": str(_setup.ROOT / "bin")},
            capture_output=True,
            text=True,
            check=False,
        )
    return guest.returncode == 0, guest.stdout + guest.stderr


def _read(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")


def ends_well(root: Root, command: Sequence[str], code: int, text: str) -> bool:
    """Tell whether a command ended as it must.

    :param root: where it ran.
    :param command: the command.
    :param code: its exit code.
    :param text: all that it said.
    :result: whether it did.
    """
    if command == COMMANDS["first"] and not all(told in text for told in root.told):
        return False
    return (code == 1 and "Traceback" not in text) if root.fails else code == 0
