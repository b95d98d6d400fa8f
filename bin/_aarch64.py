"""Tests the wheels on both architectures: that of aarch64 in a Debian root of its own, under emulation.

Both architectures run tests/harness/installed.py and must give the same result to the byte; each reads what the other
wrote. A server killed on one continues its tables on the other (tests/harness/served.py). Then the tests that compare
the cores with their slow twins run on aarch64.

It leaves only the folder ``target/wheels``. All mounts are in a namespace of their own and end with it.
"""

import os
import platform
import shutil
import sys
import time
from pathlib import Path

import _setup
import _wheels

SCRATCH = _setup.ROOT / "target" / "wheels"
ROOT = SCRATCH / "debian"
#: The places of this machine's architecture and of the other: a folder, and the same folder in the root.
HERE = SCRATCH / "x86_64"
THERE = ROOT / "check"
#: Written last: a root without it is incomplete.
NOTE = SCRATCH / "debian.txt"
RELEASE = "bookworm"
#: The newest libc that a wheel may require there: 2.36.
LIBC = 36
#: The required Debian packages, each by one of its programs.
TOOLS = {"qemu-aarch64-static": "qemu-user-static", "debootstrap": "debootstrap"}

#: The tests that run on aarch64: the cores against their twins, chance, whole games. The slowest of them are left out;
#: under emulation they would take minutes and show nothing more.
TESTS = (
    "tests/games/tichu/test_cards.py",
    "tests/games/tichu/test_combinations.py",
    "tests/games/test_golden.py",
    "tests/games/tichu/test_odds.py",
    "tests/games/okey/test_tiles.py",
    "tests/games/tichu/test_partitions.py",
    "tests/games/tichu/test_plays.py",
    "tests/test_random.py",
    "tests/games/raumstation/test_solver.py",
    "tests/test_transcript.py",
)
LEFT_OUT = "twenty_cards or any_text or up_to_5_of_20 or random_hands_equal or on_every_combination or win_as_often"

#: Lets the kernel run aarch64 programs by emulation, if it does not yet, for the duration of the command. ``F``: the
#: kernel opens the emulator now, so it need not be in the root.
_EMULATE = r"""
set -eu
kinds=/proc/sys/fs/binfmt_misc
[ -e $kinds/register ] || mount -t binfmt_misc binfmt_misc $kinds
if ! [ -e $kinds/qemu-aarch64 ]; then
    magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    trap 'echo -1 > $kinds/tisch-aarch64' EXIT
    [ -e $kinds/tisch-aarch64 ] ||
        printf '%s' ":tisch-aarch64:M::$magic:$mask:$(command -v qemu-aarch64-static):F" > $kinds/register
fi
"$@"
"""
#: Runs a command in the root.
_ENTER = r"""
set -eu
root=$1
shift
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
exec chroot "$root" "$@"
"""


def obstacles() -> list[str]:
    """Return why the check cannot run on this machine.

    :result: the missing things, in words.
    """
    found = []
    if not (sys.platform == "linux" and shutil.which("apt-get")):
        found.append("Debian")
    if platform.machine() != "x86_64":
        found.append("a processor of x86_64")
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        found.append("root's rights")
    return found


def main() -> int:
    """Check the wheels of both architectures.

    :result: 0 if they pass, otherwise 1.
    :raises SetupError: something is missing, or a tool failed.
    """
    start = time.monotonic()
    if missing := obstacles():
        raise _setup.SetupError(f"The wheels cannot be run here: that needs {', '.join(missing)}.")
    _setup.need(_setup.WHEELS, rust=True)
    _setup.ready(_setup.WHEELS)
    if packages := [package for program, package in TOOLS.items() if shutil.which(program) is None]:
        _wheels.install(*packages)
    native, foreign = _wheels.build(_wheels.X86_64), _wheels.build(_wheels.AARCH64)
    _prepare_root()
    _install_here(native)
    _install_there(foreign)
    same = _compare()
    _move_server(HERE, THERE)
    _move_server(THERE, HERE)
    _test_cores()
    print(f"\nthe wheels took {time.monotonic() - start:.0f} s")
    return 0 if same else 1


def _prepare_root() -> None:
    if NOTE.exists():
        print(f"tisch: using the existing Debian root; delete {SCRATCH} to create it anew", file=sys.stderr)
    else:
        shutil.rmtree(ROOT, ignore_errors=True)
        options = ["--arch=arm64", "--variant=minbase", "--include=python3,python3-venv"]
        _emulated("making a Debian root of arm64", "debootstrap", *options, RELEASE, str(ROOT))
        # Every machine resolves its own name, but a minimal root does not.
        (ROOT / "etc/hosts").write_text("127.0.0.1 localhost\n", encoding="utf-8")
        NOTE.write_text(f"Debian {RELEASE} of arm64, made by debootstrap\n", encoding="utf-8")


def _emulated(what: str, *command: str, ours: bool = False) -> str:
    """Run a command that may run aarch64 programs."""
    unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
    return _setup.tool(what, *unshare, "sh", "-c", _EMULATE, "sh", *command, ours=ours)


def _there(what: str, *command: str) -> str:
    """Run a command in the root, without this machine's environment variables."""
    clean = ["env", "-i", "-C", "/check", "PATH=/usr/sbin:/usr/bin", "HOME=/root", "LANG=C.UTF-8"]
    return _emulated(f"{what} on aarch64", "sh", "-c", _ENTER, "sh", str(ROOT), *clean, *command, ours=True)


def _install_here(wheel: Path) -> None:
    shutil.rmtree(HERE, ignore_errors=True)
    shutil.copytree(_setup.ROOT / "tests", HERE / "tests")
    _setup.tool("making an environment", sys.executable, "-m", "venv", str(HERE / "environment"))
    _setup.tool("installing the wheel", str(HERE / "environment/bin/python"), "-m", "pip", "install", str(wheel))


def _install_there(wheel: Path) -> None:
    """Install the wheel with its dependencies' wheels, which are fetched outside, because the root has no network."""
    shutil.rmtree(THERE, ignore_errors=True)
    kind = ["--only-binary=:all:", "--python-version=3.11", "--implementation=cp"]
    kind += [f"--abi={abi}" for abi in ("cp311", "abi3", "none")]
    kind += [f"--platform=manylinux_2_{minor}_aarch64" for minor in range(17, LIBC + 1)]
    kind.append("--platform=manylinux2014_aarch64")
    tests = [f"{name}=={_setup.pinned(name)['version']}" for name in ("hypothesis", "pytest")]
    download = [str(_setup.PYTHON), "-m", "pip", "download", *kind, "--dest", str(THERE / "packages")]
    _setup.tool("fetching the packages of aarch64", *download, str(wheel), *tests)
    _there("making an environment", "python3", "-m", "venv", "environment")
    install = ["environment/bin/pip", "install", "--no-index", "--find-links=packages", "tisch", *tests]
    _there("installing the wheel", *install)
    shutil.copytree(_setup.ROOT / "tests", THERE / "tests")
    shutil.copy(_setup.ROOT / "pyproject.toml", THERE)


def _compare() -> bool:
    """Run a program on both architectures and compare, then let each continue from the other's result."""
    for place in (HERE, THERE):
        for folder in ("made", "longer"):
            (place / folder).mkdir()
    same = _same("playing matches", "made")
    shutil.copytree(HERE / "made", THERE / "found")
    shutil.copytree(THERE / "made", HERE / "found")
    return _same("going on from the other's matches", "longer", "found") and same


def _same(what: str, *folders: str) -> bool:
    texts = [_at(place, what, "tests/harness/installed.py", *folders) for place in (HERE, THERE)]
    if texts[0] == texts[1]:
        print(f"ok     {what}: the same on both architectures, {len(texts[0])} bytes", flush=True)
        return True
    files = [place / f"{folders[0]}.json" for place in (HERE, THERE)]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    print(f"FAILED {what}: compare {files[0]} with {files[1]}", flush=True)
    return False


def _at(place: Path, what: str, program: str, *arguments: str) -> str:
    """Run a program in a place, with its environment."""
    command = ["environment/bin/python", program, *arguments]
    if place == HERE:
        return _setup.tool(f"{what} on x86_64", "env", "-C", str(HERE), *command, ours=True)
    return _there(what, *command)


def _move_server(begin: Path, finish: Path) -> None:
    """Start a round on a server in one place, kill it, finish the round on a server in the other, and verify it."""
    for place in (begin, finish):
        shutil.rmtree(place / "served", ignore_errors=True)
    (begin / "served").mkdir()
    _at(begin, "beginning a round on a server", "tests/harness/served.py", "begin", "served")
    shutil.copytree(begin / "served", finish / "served")
    _at(finish, "finishing the round", "tests/harness/served.py", "finish", "served")
    shutil.copy(finish / "served" / "game.txt", begin / "served")
    replayed = _at(begin, "verifying the round", "environment/bin/tisch", "replay", "served/game.txt").strip()
    print(f"ok     a round whose server moved between architectures: {replayed}", flush=True)


def _test_cores() -> None:
    # The fixtures of conftest.py are for the tests of the web client, and need a browser.
    command = ["environment/bin/python", "-m", "pytest", "-q", "--noconftest", "-p", "no:cacheprovider"]
    command += ["-k", f"not ({LEFT_OUT})"]
    # Emulation is slower than Hypothesis expects; its profile "ci" allows for that.
    command.append("--hypothesis-profile=ci")
    output = _there("testing the cores", *command, *TESTS)
    print(f"ok     the cores and their twins agree on aarch64: {output.strip().splitlines()[-1]}")
