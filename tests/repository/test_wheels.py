"""Tests of the release files: a wheel, installed into an empty environment outside the repository, is complete."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import _setup
import _wheels
import installed
import served
from tisch.server.http.pages import PRIVATE, web_folder
from tisch.transcript import read

#: A wheel takes a minute to build.
pytestmark = pytest.mark.slow

PACKAGE = _setup.ROOT / "python" / "tisch"
PROJECT = tomllib.loads((_setup.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def source_files() -> dict[str, Path]:
    """Return the files that belong in the package, by their names in it, except the compiled cores."""
    files = {
        path.relative_to(PACKAGE): path
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".so", ".pyd")
    }
    folder = web_folder()
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and not name.as_posix().startswith(PRIVATE):
            files["web" / name] = path
    return {name.as_posix(): path for name, path in files.items()}


def maturin(*arguments: str) -> Path:
    """Run maturin, and return the only file that it created in the folder named last."""
    _setup.tool("running maturin", sys.executable, "-m", "maturin", *arguments)
    (made,) = Path(arguments[-1]).iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of this machine. The cores are those compiled in the set-up."""
    return maturin("build", "--release", "--locked", "--out", str(tmp_path_factory.mktemp("wheel")))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with the wheel.

    The dependencies are those of this Python, since the tests download nothing; ``bin/check.py --wheels`` installs them
    as a user does. A ``.pth`` file points there, and since those found there are not followed in turn, the working
    tree's tisch is out of reach.
    """
    folder = tmp_path_factory.mktemp("environment")
    run = [sys.executable, "-m"]
    subprocess.run([*run, "venv", "--without-pip", str(folder)], check=True)
    made = folder / _setup.PYTHON.relative_to(_setup.ENVIRONMENT)
    pip = [*run, "pip", "--python", str(made), "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True)
    ask = [str(made), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return made


def run(python: Path, program: ModuleType, folder: Path, *arguments: str) -> str:
    """Run a test program with a Python that cannot see the tests, in a folder, and return its output."""
    command = [str(python), str(program.__file__), *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_an_installed_tisch_has_everything_and_plays(python: Path, tmp_path: Path) -> None:
    for name in ("made", "longer"):
        (tmp_path / name).mkdir()
    told = json.loads(run(python, installed, tmp_path, "made"))
    assert told["version"] == f"tisch {PROJECT['version']}\n"
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in source_files().items()}
    assert told["files"] == digests
    assert json.loads(run(python, installed, tmp_path, "longer", "made")).keys() == told.keys()


def test_an_installed_tisch_serves_a_round(python: Path, tmp_path: Path) -> None:
    run(python, served, tmp_path, "begin", ".")
    assert not (tmp_path / "game.txt").exists()
    run(python, served, tmp_path, "finish", ".")
    assert read((tmp_path / "game.txt").read_text(encoding="utf-8")).verify().outcome() is not None


def test_the_wheel_has_the_pages_of_the_server(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "tisch/web/index.html" in names
    for folder in ("css", "js", "sounds"):
        assert any(name.startswith(f"tisch/web/{folder}/") for name in names), folder


def test_the_wheel_is_for_all_pythons_from_3_11_on(wheel: Path) -> None:
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]


def test_the_wheel_asks_only_for_what_a_server_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = archive.read(name).decode()
    texts = re.findall(r"^Requires-Dist: (.*)$", metadata, re.MULTILINE)
    always = {Requirement(text).name for text in texts if "extra ==" not in text}
    assert always == {"aiohttp", "msgspec", "numpy", "prometheus-client", "segno", "uvloop"}
    assert set(re.findall(r"^Provides-Extra: (.*)$", metadata, re.MULTILINE)) == {"arena", "dask", "data", "env"}


def test_the_source_distribution_has_all_that_the_wheel_is_made_of(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(maturin("sdist", "--out", str(tmp_path))) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {f"python/tisch/{name}" for name in source_files()} <= names
    assert {"Cargo.lock", "LICENSE", "README.md", "rust/binding/src/lib.rs", "rust/core/src/lib.rs"} <= names
    assert not any("node_modules" in name for name in names)


def test_a_wheel_built_from_the_source_distribution_is_the_same(wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "maturin", "build", "--release", "--locked", "--sdist", "--out", str(tmp_path)]
    _setup.tool("running maturin", *command)
    (other,) = tmp_path.glob("*.whl")
    first, second = (zipfile.ZipFile(each) for each in (wheel, other))
    assert sorted(first.namelist()) == sorted(second.namelist())
    for name in first.namelist():
        # The cores were compiled in another folder.
        if not name.endswith((".so", ".pyd", "RECORD", ".json")):
            assert first.read(name) == second.read(name), name


def of_version(wheel: Path, version: str, folder: Path) -> None:
    """Write a copy of a wheel that differs only in its version."""
    old = PROJECT["version"]
    with (
        zipfile.ZipFile(wheel) as source,
        zipfile.ZipFile(folder / wheel.name.replace(f"-{old}-", f"-{version}-"), "w") as target,
    ):
        for name in source.namelist():
            content = source.read(name)
            if name.endswith((".dist-info/METADATA", ".dist-info/RECORD")):
                content = re.sub(
                    rf"^Version: {old}$".encode(), f"Version: {version}".encode(), content, flags=re.MULTILINE
                )
                content = content.replace(f"tisch-{old}.dist-info".encode(), f"tisch-{version}.dist-info".encode())
            target.writestr(name.replace(f"tisch-{old}.dist-info", f"tisch-{version}.dist-info"), content)


@pytest.mark.skipif(sys.platform != "linux", reason="the page is about a Raspberry Pi")
def test_the_documented_upgrade_takes_the_newest_of_several_wheels(wheel: Path, tmp_path: Path) -> None:
    page = (_setup.ROOT / "docs" / "raspberry-pi.md").read_text(encoding="utf-8")
    steps = [line.strip() for line in page.partition("\n## A new version\n")[2].splitlines() if line.startswith("    ")]
    words = ("tisch backup", "pip install", "systemctl restart", "/readyz")
    assert [word in step for step, word in zip(steps, words, strict=True)] == [True] * 4
    for version in ("0.2.0", "0.10.0", "0.9.0"):
        of_version(wheel, version, tmp_path)
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    made = environment / _setup.PYTHON.relative_to(_setup.ENVIRONMENT)
    pip = f"{sys.executable} -m pip --python {made}"
    step = steps[1].replace("sudo /opt/tisch/bin/pip", pip).replace("_aarch64.whl", f"_{platform.machine()}.whl")
    alone = os.environ | {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"}
    for _ in range(2):
        subprocess.run(["bash", "-c", step], cwd=tmp_path, env=alone, check=True)
        ask = [str(made), "-c", "import importlib.metadata as metadata; print(metadata.version('tisch'))"]
        assert subprocess.run(ask, capture_output=True, text=True, check=True).stdout == "0.10.0\n"


@pytest.mark.skipif(sys.platform != "linux", reason="wheels of other systems have no such tags")
def test_a_wheel_that_promises_too_much_is_found(wheel: Path, tmp_path: Path) -> None:
    tag = _wheels.audited(wheel)
    assert tag in wheel.name
    promising = tmp_path / wheel.name.replace(tag, f"manylinux_2_5_{platform.machine()}")
    promising.write_bytes(wheel.read_bytes())
    with pytest.raises(_setup.SetupError, match=rf"does not fit its name: it is for {tag}\."):
        _wheels.audited(promising)


def compiler(folder: Path, libraries: Path) -> str:
    """A program that prints where the libraries for a target are, like a Rust compiler."""
    program = folder / "rustc"
    program.write_text(f"#!{sys.executable}\nimport sys\nassert sys.argv[3] == '--target'\nprint({str(libraries)!r})\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.skipif(sys.platform != "linux", reason="the program of the test is a script")
def test_the_compiler_is_one_that_has_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    programs = []
    for name in ("without", "with"):
        (tmp_path / name).mkdir()
        programs.append(compiler(tmp_path / name, tmp_path / name))
    monkeypatch.setattr(_wheels, "COMPILERS", (str(tmp_path / "none"), *programs))
    monkeypatch.setattr(_wheels, "_fetch_by_rustup", lambda _architecture: None)
    fetched = []

    def fetch(architecture: _wheels.Architecture) -> None:
        fetched.append(architecture)
        (tmp_path / "with" / "libstd-1234.rlib").touch()

    with monkeypatch.context() as patch:
        patch.setattr(_wheels, "_fetch_from_debian", lambda _architecture: None)
        with pytest.raises(_setup.SetupError, match=r"^Rust's standard library for aarch64 is missing: add it with"):
            _wheels.compiler_for(_wheels.AARCH64)
    monkeypatch.setattr(_wheels, "_fetch_from_debian", fetch)
    assert [_wheels.compiler_for(_wheels.AARCH64) for _ in range(2)] == [programs[1]] * 2
    assert fetched == [_wheels.AARCH64]
