"""Runs both commands of the README where nothing is installed but what the README asks for.

Each Python has a minimal root of the Debian that brings it. There a user without rights runs the commands on a copy of
the tree, without any cache. The roots stay in ``target/clean`` for the next run, without what the user left.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import _needs
import _setup
import _wheels

FOLDER = _setup.ROOT / "target" / "clean"
#: The Debian that brings each Python.
RELEASES = {"3.11": "bookworm", "3.13": "trixie", "3.14": "testing"}
#: What the README asks for: Python and a C linker. Rust comes from this machine, as if from rustup; only the newest
#: Debian has one that is new enough.
PACKAGES = ("python3", "python3-venv", "gcc", "libc6-dev", "ca-certificates")
RUST = ("rustc", "cargo", "rustfmt", "rust-clippy")
NEWEST = "3.14"
#: The commands, with the names under which they are told.
COMMANDS = {"first": ("bin/run_arena.py",), "second": ("bin/check.py",)}
USER = 1000
HOME = "/home/tisch"

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
    return found


def main(versions: Sequence[str]) -> int:
    """Run both commands in the root of each Python.

    :param versions: the Pythons; by default all.
    :result: 0 if all commands passed, otherwise 1.
    :raises SetupError: something is missing, or a version is unknown.
    """
    if missing := obstacles():
        raise _setup.SetupError(f"There can be no clean roots here: that needs {', '.join(missing)}.")
    if unknown := [version for version in versions if version not in RELEASES]:
        raise _setup.SetupError(f"There is no root for Python {', '.join(unknown)}, only for {', '.join(RELEASES)}.")
    if shutil.which("debootstrap") is None:
        _wheels.install("debootstrap")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _setup.alone(FOLDER / "lock", "another start to finish with its roots"):
        # Every root is tried, whatever the one before has shown.
        results = [_try(version) for version in versions or RELEASES]
    return 0 if all(results) else 1


def _try(version: str) -> bool:
    """Run both commands in a root, the second one whatever the first one did; return whether both passed."""
    root = _root(version)
    _copy_tree(root / HOME[1:])
    passed = [_run(version, root, name, command) for name, command in COMMANDS.items()]
    return all(passed)


def _root(version: str) -> Path:
    """Make the root of a Python, if it is not there."""
    root, note = FOLDER / version, FOLDER / f"{version}.txt"
    packages = [*PACKAGES, *(RUST if version == NEWEST else ())]
    wanted = " ".join([RELEASES[version], *packages])
    if not note.exists() or note.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(root, ignore_errors=True)
        options = ["--variant=minbase", f"--include={','.join(packages)}"]
        _setup.tool(
            f"making a Debian root with Python {version}", "debootstrap", *options, RELEASES[version], str(root)
        )
        _setup.tool("making its user", "chroot", str(root), "useradd", f"--uid={USER}", "tisch")
        # A minimal root resolves no name of its own.
        for name in ("hosts", "resolv.conf"):
            shutil.copy(f"/etc/{name}", root / "etc" / name)
        note.write_text(wanted, encoding="utf-8")
    return root


def _copy_tree(home: Path) -> None:
    """Give the user a new home with the files that git tracks or would track."""
    shutil.rmtree(home, ignore_errors=True)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=_setup.ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        source, target = _setup.ROOT / name, home / "tisch" / name
        if os.path.lexists(source):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    for path in (home, *home.rglob("*")):
        os.chown(path, USER, USER, follow_symlinks=False)


def _variables(root: Path) -> list[str]:
    """Return the user's environment: how this machine reaches the registries, and no more."""
    kept = {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
    for name in ("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS"):
        if (path := os.environ.get(name)) and Path(path).is_file():
            (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / path[1:])
            kept[name] = path
    own = {"PATH": "/opt/rust/bin:/usr/bin:/bin", "HOME": HOME, "LANG": "C.UTF-8", "USER": "tisch"}
    return [f"{name}={value}" for name, value in (kept | own).items()]


def _run(version: str, root: Path, name: str, command: Sequence[str]) -> bool:
    """Run a command in a root, and print how it ended."""
    rust = "" if version == NEWEST else _needs.told(_setup.ROOT, "rustc", "--print", "sysroot")
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _ENTER, "sh", str(root), rust]
    inside = ["env", "-i", "-C", f"{HOME}/tisch", *_variables(root), "python3", *command]
    log = FOLDER / f"{version}-{name}.log"
    start = time.monotonic()
    with log.open("wb") as file:
        code = subprocess.run([*unshare, *inside], stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=False)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() or [""]
    verdict = "FAILED" if code.returncode else "ok    "
    seconds = time.monotonic() - start
    print(f"{verdict} {version} {' '.join(command):<20}{seconds:>8.1f} s  {lines[-1]}", flush=True)
    if code.returncode:
        print(*lines[-60:], f"All of it: {log}", sep="\n", flush=True)
    return not code.returncode
