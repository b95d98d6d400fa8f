"""Finds everything that a machine lacks for the set-up, before anything is done.

It uses only the standard library, and it tries each tool instead of just looking for its name: a linker may exist and
link nothing.
"""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

#: A program to link.
PROGRAM = b"int main(void) { return 0; }"
#: The time limit for a tool to report its version or to link nothing, in seconds.
PATIENCE = 60

_AGAIN = "open a new terminal and start again"
#: The words of each system for a C linker, and for the modules of Python that make environments where they are apart.
_WORDS = {
    "debian": ("sudo apt install build-essential", "sudo apt install python3-venv"),
    "fedora": ("sudo dnf install gcc", ""),
    "suse": ("sudo zypper install gcc", ""),
    "arch": ("sudo pacman -S --needed base-devel", ""),
    "alpine": ("apk add build-base", ""),
    "darwin": ("xcode-select --install", ""),
    "win32": ("the C++ build tools of Visual Studio", ""),
}


def system(release: Mapping[str, str] | None = None) -> str:
    """Return what this system is for its words.

    :param release: (optional) what a Linux says of itself; by default its file.
    :result: a key of the words, or empty if none fits.
    """
    if release is None:
        try:
            release = {} if sys.platform in _WORDS else platform.freedesktop_os_release()
        except OSError:
            release = {}
    # A system names those that it is like, the nearest one first.
    names = (sys.platform, *f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".split())
    return next((word for name in names for word in _WORDS if name == word or name.startswith(f"{word}-")), "")


def _way(place: int, name: str) -> str:
    """Return the way to get something in the words of a system, in brackets."""
    words = _WORDS.get(name, ("", ""))[place]
    return f" ({words})" if words else ""


def no_venv(name: str) -> str:
    """Say how to get what makes environments.

    :param name: the system.
    :result: the sentence.
    """
    return f"This Python cannot make environments: install its modules venv and ensurepip{_way(1, name)}."


def no_linker(name: str, *, is_there: bool = False) -> str:
    """Say how to get a C linker.

    :param name: the system.
    :param is_there: whether there is one that links nothing.
    :result: the sentence.
    """
    what = "The C linker links no program" if is_there else "A C linker is missing"
    return f"{what}: install one{_way(0, name)}."


def missing(root: Path, *, environment: bool, rust: bool) -> list[str]:
    """Return what is missing.

    :param root: the folder of tisch.
    :param environment: whether a Python environment must be created.
    :param rust: whether anything must be compiled.
    :result: a sentence for each missing thing, with the way to get it.
    """
    found: list[str] = []
    if environment and not all(map(_is_module, ("venv", "ensurepip"))):
        found.append(no_venv(system()))
    if rust:
        found += [*_rust(root), *_linker(root)]
    return found


def rust_version(root: Path) -> str:
    """Read the required version of Rust.

    :param root: the folder of tisch.
    :result: the oldest sufficient version, such as ``1.70``.
    """
    manifest = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))
    version: str = manifest["workspace"]["package"]["rust-version"]
    return version


def is_newer_than_known(root: Path) -> bool:
    """Return whether cargo is newer than the newest one whose warnings this tree is free of.

    :param root: the folder of tisch.
    :result: whether it is; the version is in ``Cargo.toml``.
    """
    manifest = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))
    version = re.match(r"cargo (\d+\.\d+)", told(root, "cargo", "--version"))
    return version is not None and _numbers(version[1]) > _numbers(manifest["workspace"]["metadata"]["newest-rust"])


def _is_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _rust(root: Path) -> Iterator[str]:
    needed = rust_version(root)
    tools = {"cargo": shutil.which("cargo"), "rustc": os.environ.get("RUSTC") or shutil.which("rustc")}
    lacking = [name for name, path in tools.items() if path is None]
    if lacking:
        what = f"{' and '.join(lacking)} {'are' if len(lacking) > 1 else 'is'} missing"
        yield f"Rust {needed} or newer is needed, {what}: install it (see https://rustup.rs), {_AGAIN}."
        return
    for path in tools.values():
        said = told(root, str(path), "--version")
        version = re.match(r"(?:cargo|rustc) (\d+(?:\.\d+)+)", said)
        if version is None:
            yield f"Rust {needed} or newer is needed, {path} does not run: {said or 'it says nothing.'}"
            return
        if _numbers(version[1]) < _numbers(needed):
            short = ".".join(version[1].split(".")[:2])
            yield (
                f"Rust {needed} or newer is needed, this is {short}: renew it (rustup update),"
                f" or if it came with the system, install one from https://rustup.rs, {_AGAIN}."
            )
            return


def _linker(root: Path) -> Iterator[str]:
    """Link a program as Rust does, unless Rust is configured to use another linker."""
    if sys.platform == "win32" or _has_own_linker(root):
        return
    linker = shutil.which("cc")
    if linker is None:
        yield no_linker(system())
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [linker, "-x", "c", "-", "-o", str(Path(folder, "program"))]
        try:
            subprocess.run(command, input=PROGRAM, capture_output=True, timeout=PATIENCE, check=True)
        except (OSError, subprocess.SubprocessError):
            yield no_linker(system(), is_there=True)


def _has_own_linker(root: Path) -> bool:
    for name, value in os.environ.items():
        if re.fullmatch("CARGO_TARGET_.*_LINKER", name) or (name.endswith("RUSTFLAGS") and "linker" in value):
            return True
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    folders = [home, *(folder / ".cargo" for folder in (root, *root.parents))]
    files = [folder / name for folder in folders for name in ("config.toml", "config")]
    return any("linker" in file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file())


def told(folder: Path, *command: str) -> str:
    """Run a tool and return the first line of its output, or the reason why there is none.

    :param folder: its working directory.
    :param command: the tool and its arguments.
    :result: the line.
    """
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"{error}."
    return done.stdout.decode(errors="replace").strip().partition("\n")[0]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
