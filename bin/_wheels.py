"""Builds the source distribution and the wheels for Linux, for both architectures on a machine of either.

The linker is zig's: it links for either architecture, against a libc old enough for every Linux since 2014. auditwheel
verifies that by the symbols that the library needs. zig does not include Rust's standard library for the other
architecture; it comes from rustup or from Debian.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import _setup

FOLDER = _setup.ROOT / "dist"

#: The compilers that may have the standard library: the one that builds everything else, and Debian's.
COMPILERS = ("rustc", "/usr/bin/rustc")


@dataclass(frozen=True)
class Architecture:
    """An architecture of Linux.

    :ivar name: its name in a wheel's tag.
    :ivar debian: its name for Debian.
    """

    name: str
    debian: str

    @property
    def target(self) -> str:
        """Its name for Rust."""
        return f"{self.name}-unknown-linux-gnu"


X86_64 = Architecture("x86_64", "amd64")
AARCH64 = Architecture("aarch64", "arm64")


def holds(compiler: str, architecture: Architecture) -> bool:
    """Check whether a compiler has the standard library of an architecture.

    :param compiler: the compiler.
    :param architecture: the architecture.
    :result: whether it can compile for it.
    """
    if shutil.which(compiler) is None:
        return False
    command = [compiler, "--print", "target-libdir", "--target", architecture.target]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode == 0 and any(Path(result.stdout.strip()).glob("libstd-*.rlib"))


def compiler_for(architecture: Architecture) -> str:
    """Find a compiler for an architecture; if there is none, install what is missing if permitted.

    :param architecture: the architecture.
    :result: the compiler.
    :raises SetupError: there is none, and none can be installed.
    """
    found = _held_by(architecture)
    for fetch in (_fetch_by_rustup, _fetch_from_debian):
        if found is None:
            fetch(architecture)
            found = _held_by(architecture)
    if found is not None:
        return found
    raise _setup.SetupError(
        f"Rust's standard library for {architecture.name} is missing: add it with rustup"
        f" (rustup target add {architecture.target}), or as root on Debian 12 start again, for it is in Debian's"
        f" packages rustc-web and libstd-rust-web-dev:{architecture.debian}."
    )


def _held_by(architecture: Architecture) -> str | None:
    return next((compiler for compiler in COMPILERS if holds(compiler, architecture)), None)


def _fetch_by_rustup(architecture: Architecture) -> None:
    """Add the target with rustup; if that fails, there may be another way."""
    if shutil.which("rustup"):
        subprocess.run(["rustup", "target", "add", architecture.target], capture_output=True, check=False)


def _fetch_from_debian(architecture: Architecture) -> None:
    """Install Debian's Rust together with the library, which must have the same version."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        _setup.tool(f"adding Debian's {architecture.debian}", "dpkg", "--add-architecture", architecture.debian)
        install("rustc-web", "libstd-rust-web-dev", f"libstd-rust-web-dev:{architecture.debian}")


def require() -> list[Path]:
    """Find the wheels that fit this machine.

    :result: the wheels.
    :raises SetupError: there is none.
    """
    if not (found := _setup.wheels()):
        raise _setup.SetupError("There is no wheel in dist/: python3 bin/build_wheels.py builds them.")
    return found


def install(*packages: str) -> None:
    """Install packages of Debian.

    :param packages: their names.
    :raises SetupError: if that fails.
    """
    _setup.tool("reading Debian's lists of packages", "apt-get", "update")
    command = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    _setup.tool(f"installing {', '.join(packages)}", *command, variables={"DEBIAN_FRONTEND": "noninteractive"})


def audited(wheel: Path) -> str:
    """Audit a wheel with auditwheel, by the symbols that its library needs.

    :param wheel: the wheel.
    :result: the oldest platform that has all of them.
    :raises SetupError: the wheel's name has another platform.
    """
    output = _setup.tool(f"auditing {wheel.name}", str(_setup.PYTHON), "-m", "auditwheel", "show", str(wheel))
    found = re.search(r'platform\s+tag:\s+"(\w+)"', output)
    tag = found[1] if found else "none"
    if tag not in wheel.stem.split("-")[-1].split("."):
        raise _setup.SetupError(f"The wheel {wheel.name} does not fit its name: it is for {tag}.")
    return tag


def build(architecture: Architecture) -> Path:
    """Build and audit the wheel of an architecture.

    :param architecture: the architecture.
    :result: the wheel, in :data:`FOLDER`.
    :raises SetupError: if something is missing or fails.
    """
    command = [str(_setup.PYTHON), "-m", "maturin", "build", "--release", "--locked", "--zig"]
    variables = {"RUSTC": compiler_for(architecture)}
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        command += ["--target", architecture.target, "--out", folder]
        _setup.tool(f"building the wheel for {architecture.name}", *command, variables=variables)
        (wheel,) = Path(folder).glob("*.whl")
        audited(wheel)
        return wheel.replace(FOLDER / wheel.name)


def build_source() -> Path:
    """Build the source distribution.

    :result: its archive, in :data:`FOLDER`.
    :raises SetupError: if that fails.
    """
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        _setup.tool("packing the sources", str(_setup.PYTHON), "-m", "maturin", "sdist", "--out", folder)
        (archive,) = Path(folder).glob("*.tar.gz")
        return archive.replace(FOLDER / archive.name)


def main(arguments: list[str]) -> int:
    """Build everything.

    :param arguments: the arguments of the command line: none.
    :result: 0.
    """
    parser = argparse.ArgumentParser(
        prog="build_wheels.py", description="Builds the source distribution and the wheels of Linux into dist/."
    )
    parser.parse_args(arguments)
    _setup.need(_setup.WHEELS, rust=True)
    _setup.ready(_setup.WHEELS)
    for path in (build_source(), build(X86_64), build(AARCH64)):
        print(f"{path.relative_to(_setup.ROOT).as_posix()}  {path.stat().st_size / 1e6:.1f} MB")
    return 0
