"""Tests of the set-up that bin/ does before anything runs, and of its messages on machines that lack something."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

import _check
import _needs
import _setup
from places import ROOT
from waiting import wait_until


@pytest.mark.parametrize(
    ("output", "word"),
    [
        ("/usr/bin/python3: No module named venv", "venv and ensurepip"),
        (
            "The virtual environment was not created successfully because ensurepip is not\navailable.  On",
            "venv and ensurepip",
        ),
        ("error: linker `cc` not found\n  |\n  = note: No such file or directory (os error 2)", "C linker"),
        ("error: linker `link.exe` not found", "C linker"),
        ("xcrun: error: invalid active developer path (/Library/Developer/CommandLineTools)", "C linker"),
        ("error: rustc 1.75.0 is not supported by the following package:\n  tisch-core requires rustc 1.88", "rustup"),
        ("error: 'cargo-fmt' is not installed for the toolchain 'stable'", "rustup component add"),
        ("error: no such command: `clippy`", "rustup component add"),
        ("Failed to establish a new connection: [Errno -2] Name or service not known", "internet"),
        (
            "ERROR: Could not find a version that satisfies the requirement maturin==1.16.0 (from versions: none)",
            "internet",
        ),
        (
            "  \u251c\u2500\u25b6 error sending request for url (https://index.example/simple/ruff/)\n dns error",
            "internet",
        ),
        ("npm error code ENOTFOUND\nnpm error network request failed", "internet"),
        ("warning: spurious network error (3 tries remaining): [6] Could not resolve hostname", "internet"),
    ],
)
def test_explain_says_what_to_install(output: str, word: str) -> None:
    sentence = _setup.explain(f"first line\n{output}\nlast line")
    assert sentence is not None
    assert word in sentence
    assert "\n" not in sentence


def test_explain_is_silent_about_other_failures() -> None:
    assert _setup.explain("error[E0308]: mismatched types") is None


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[str]]:
    """A machine with only the programs that a test puts there; it returns what is missing."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in [name for name in os.environ if name.endswith(("RUSTFLAGS", "_LINKER"))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("RUSTC", raising=False)
    monkeypatch.setenv("CARGO_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(folder))

    def lacks(**programs: str) -> list[str]:
        for name, code in programs.items():
            (folder / name).write_text(f"#!/bin/sh\n{code}\n")
            (folder / name).chmod(0o755)
        return _needs.missing(ROOT, environment=True, rust=True)

    return lacks


MODERN = {
    "cargo": "echo 'cargo 1.90.0 (840b83a10 2025-07-30)'",
    "rustc": "echo 'rustc 1.90.0 (1159e78c4 2025-09-14)'",
    "cc": "exit 0",
}


def test_a_machine_that_has_all_lacks_nothing(machine: Callable[..., list[str]]) -> None:
    assert machine(**MODERN) == []


def test_all_that_is_missing_is_told_at_once(
    machine: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    beginnings = (
        "This Python cannot make environments",
        f"Rust {_needs.rust_version(ROOT)} or newer is needed, cargo and rustc are missing",
        "A C linker is missing",
    )
    for sentence, beginning in zip(machine(), beginnings, strict=True):
        assert sentence.startswith(beginning) and "\n" not in sentence


@pytest.mark.skipif(sys.platform != "linux", reason="Elsewhere the platform is the system.")
@pytest.mark.parametrize(
    ("release", "way"),
    [
        ({"ID": "debian"}, " (sudo apt install build-essential)"),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, " (sudo apt install build-essential)"),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, " (sudo dnf install gcc)"),
        ({"ID": "opensuse-leap", "ID_LIKE": "suse opensuse"}, " (sudo zypper install gcc)"),
        ({"ID": "arch"}, " (sudo pacman -S --needed base-devel)"),
        ({"ID": "alpine"}, " (apk add build-base)"),
        ({"ID": "plan9"}, ""),
        ({}, ""),
    ],
)
def test_what_is_missing_is_told_in_the_words_of_the_system(release: dict[str, str], way: str) -> None:
    system = _needs.system(release)
    assert _needs.no_linker(system) == f"A C linker is missing: install one{way}."
    has_parts = "apt" in way
    assert _needs.no_venv(system).endswith(
        " (sudo apt install python3-venv)." if has_parts else "install its modules venv and ensurepip."
    )


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        # As in Debian 12.
        (
            {"cargo": "echo 'cargo 1.65.0'", "rustc": "echo 'rustc 1.63.0'"},
            r"Rust NEEDED or newer is needed, this is 1\.65: renew it \(rustup update\), or if it came with .*",
        ),
        ({"rustc": "echo 'rustc 1.87.1 (17067e9ac 2025-05-09)'"}, r"Rust NEEDED or newer is needed, this is 1\.87: .*"),
        ({"rustc": "echo 'rustc 1.9.0'"}, r"Rust NEEDED or newer is needed, this is 1\.9: .*"),
        (
            {"cargo": "echo 'error: no default toolchain' >&2; exit 1"},
            r"Rust NEEDED or newer is needed, /.*/cargo does not run: error: no default toolchain",
        ),
        ({"cc": "exit 1"}, "The C linker links no program: install one.*"),
    ],
)
def test_what_does_not_do_is_named(machine: Callable[..., list[str]], changed: dict[str, str], sentence: str) -> None:
    found = machine(**{**MODERN, **changed})
    assert len(found) == 1
    assert re.fullmatch(sentence.replace("NEEDED", re.escape(_needs.rust_version(ROOT))), found[0])


@pytest.mark.parametrize("version", ["1.88.0", "1.88.0-nightly", "1.100.0", "2.0.0"])
def test_a_rust_that_is_new_enough_will_do(machine: Callable[..., list[str]], version: str) -> None:
    assert machine(**{**MODERN, "cargo": f"echo cargo {version}", "rustc": f"echo rustc {version}"}) == []


@pytest.mark.parametrize(
    ("name", "value"), [("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", "clang"), ("RUSTFLAGS", "-C linker=clang")]
)
def test_another_linker_than_cc_is_left_to_cargo(
    machine: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    tools = {name: code for name, code in MODERN.items() if name != "cc"}
    assert machine(**tools) == [_needs.no_linker(_needs.system())]
    monkeypatch.setenv(name, value)
    assert machine(**tools) == []


def test_so_is_one_that_cargo_is_configured_for(machine: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[target.x86_64-unknown-linux-gnu]\nlinker = 'clang'\n")
    assert machine(**{name: code for name, code in MODERN.items() if name != "cc"}) == []


def test_the_rust_that_is_needed_stands_in_one_place() -> None:
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["rust-version"]
    assert _needs.rust_version(ROOT) == version
    assert f"[Rust](https://rustup.rs) {version} or newer" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert not any(version in path.read_text(encoding="utf-8") for path in (ROOT / "bin").glob("*.py"))


PACKAGE = {
    "pyproject.toml": """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "tisch"
version = "1"
requires-python = ">=3.11"

[dependency-groups]
build = []
dev = []

[tool.uv]
default-groups = []
cache-keys = [{file = "pyproject.toml"}, {file = "sources/*.rs"}]
""",
    # Builds the cores, and notes that it did; a file that breaks it off stands for Ctrl-C.
    "backend.py": """\
import pathlib, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with pathlib.Path("built").open("a") as built:
        built.write("+")
    pathlib.Path("python/tisch").mkdir(parents=True, exist_ok=True)
    pathlib.Path("python/tisch/_core.abi3.so").touch()
    assert not pathlib.Path("broken").exists(), "broken off"
    with zipfile.ZipFile(pathlib.Path(folder, "tisch-1-py3-none-any.whl"), "w") as wheel:
        for name, text in {
            "METADATA": "Metadata-Version: 2.1\\nName: tisch\\nVersion: 1\\n",
            "WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
            "RECORD": "",
        }.items():
            wheel.writestr(f"tisch-1.dist-info/{name}", text)
    return "tisch-1-py3-none-any.whl"
""",
    "sources/one.rs": "1",
    "Cargo.toml": '[workspace.package]\nrust-version = "1.88"\n',
    # Instead of a folder of tisch's own, where the pages would be served from.
    "README.md": "",
}


def move(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the set-up work in a folder."""
    for name in ("PYTHON", "ENVIRONMENT", "NOTE", "QUICK_NOTE", "WHEEL_NOTE", "SCRIPTS", "ROOT"):
        monkeypatch.setattr(_setup, name, folder / getattr(_setup, name).relative_to(_setup.ROOT))


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A small tree to set up with the real uv, in an environment that has it already."""
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    assert uv is not None
    subprocess.run([uv, "lock", "--python", sys.executable], cwd=tmp_path, check=True, capture_output=True)

    def make() -> None:
        environment = str(_setup.ENVIRONMENT)
        shutil.rmtree(environment, ignore_errors=True)
        subprocess.run([uv, "venv", "--python", sys.executable, environment], check=True, capture_output=True)
        (_setup.SCRIPTS / "uv").symlink_to(uv)
        _setup.NOTE.write_text(json.dumps(_setup._origin()), encoding="utf-8")
        (_setup.ROOT / "built").write_text("environment ")

    move(monkeypatch, tmp_path)
    monkeypatch.setattr(_setup, "pinned", lambda _name: {"version": "1"})
    monkeypatch.setattr(_setup, "_make_environment", make)
    monkeypatch.setattr(_needs, "missing", lambda *_, **__: [])
    return tmp_path


def test_ready_does_only_what_is_left(house: Path) -> None:
    def ready(group: tuple[str, ...] = _setup.RUN, *, cores: bool = True) -> str:
        built = house / "built"
        built.write_text("")
        _setup.ready(group, cores=cores)
        return built.read_text()

    assert ready(cores=False) == "environment "
    assert ready(cores=False) == ""
    assert ready() == "+"
    assert ready() == ""
    assert ready(_setup.DEVELOP) == ""
    (house / "sources/two.rs").write_text("2")
    assert ready(cores=False) == ""
    assert ready() == "+"
    (house / "python/tisch/_core.abi3.so").unlink()
    assert ready() == "+"
    _setup.PYTHON.unlink()
    # uv still has what it built of these sources.
    assert ready() == "environment "
    assert ready() == ""


def test_cores_that_were_built_quickly_do_for_the_check_alone(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ready(group: tuple[str, ...], *, is_check: bool = False) -> str:
        built = house / "built"
        built.write_text("")
        with monkeypatch.context() as patch:
            for name, value in _setup.QUICK.items():
                if is_check:
                    patch.setenv(name, value)
                else:
                    patch.delenv(name, raising=False)
            _setup.ready(group)
        return built.read_text()

    assert ready(_setup.DEVELOP, is_check=True) == "environment +"
    assert ready(_setup.DEVELOP, is_check=True) == ready(_setup.DEVELOP) == ""
    # Users and benchmarks have what is linked as a whole, which does for everybody.
    assert [ready(_setup.RUN), ready(_setup.RUN), ready(_setup.DEVELOP, is_check=True)] == ["+", "", ""]
    (house / "sources/two.rs").write_text("2")
    assert [ready(_setup.DEVELOP, is_check=True), ready(_setup.RUN)] == ["+", "+"]
    (house / "sources/two.rs").write_text("3")
    assert [ready(_setup.RUN), ready(_setup.DEVELOP, is_check=True)] == ["+", ""]


@pytest.mark.parametrize("before", [True, False], ids=["set up before", "new"])
def test_ready_repeats_a_build_that_was_broken_off(house: Path, *, before: bool) -> None:
    if before:
        _setup.ready(_setup.RUN)
        (house / "sources/two.rs").write_text("2")
    (house / "broken").touch()
    with pytest.raises(_setup.SetupError, match="Something went wrong while building the cores"):
        _setup.ready(_setup.RUN)
    (house / "broken").unlink()
    (house / "built").write_text("")
    _setup.ready(_setup.RUN)
    assert (house / "built").read_text() == "+"


def test_ready_makes_an_environment_anew_that_was_broken_off(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off() -> None:
        _setup.PYTHON.parent.mkdir(parents=True, exist_ok=True)
        _setup.PYTHON.write_text("half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_setup, "_make_environment", break_off)
        with pytest.raises(KeyboardInterrupt):
            _setup.ready(_setup.RUN)
    _setup.ready(_setup.RUN)
    assert (house / "built").read_text() == "environment +"


def test_ready_makes_the_environment_of_a_moved_folder_anew(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _setup.ready(_setup.RUN)
    moved = house.rename(house.with_name("moved"))
    move(monkeypatch, moved)
    (moved / "built").write_text("")
    _setup.ready(_setup.RUN)
    assert (moved / "built").read_text() == "environment +"


def wheel(path: Path) -> None:
    """Write a wheel of tisch that tells where it comes from."""
    path.parent.mkdir(exist_ok=True)
    tag = "-".join(path.stem.split("-")[2:])
    with zipfile.ZipFile(path, "w") as file:
        for name, text in {
            "tisch/__init__.py": f"came = {path.name!r}\n",
            "tisch-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: tisch\nVersion: 1\n",
            "tisch-1.dist-info/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n",
            "tisch-1.dist-info/RECORD": "",
        }.items():
            file.writestr(name, text)


def came() -> str:
    """Return the wheel that the environment has installed."""
    program = [str(_setup.PYTHON), "-c", "import tisch; print(tisch.came)"]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout.strip()


def lack_rust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine lack Rust, and nothing else."""
    monkeypatch.setattr(_needs, "missing", lambda *_, rust, **__: ["Rust is missing."] if rust else [])


def test_a_wheel_is_taken_where_nothing_can_be_compiled(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lack_rust(monkeypatch)
    for name in ("tisch-1-cp311-abi3-manylinux_2_17_s390x.whl", "tisch-1-py3-none-any.whl", "tisch-2-py3-none-any.whl"):
        wheel(house / "dist" / name)
    _setup.ready(_setup.RUN)
    assert came() == "tisch-1-py3-none-any.whl"
    sentence = "tisch: installed from dist/tisch-1-py3-none-any.whl, since nothing can be compiled here"
    assert capsys.readouterr().err.count(sentence) == 1
    _setup.ready(_setup.RUN)
    assert "installed" not in capsys.readouterr().err
    # Another build of the wheel is another wheel.
    os.utime(house / "dist/tisch-1-py3-none-any.whl", (1, 1))
    _setup.ready(_setup.RUN)
    assert capsys.readouterr().err.count(sentence) == 1
    assert (house / "built").read_text() == "environment "
    # Developers need what they change.
    with pytest.raises(_setup.SetupError, match=r"^Rust is missing\.$"):
        _setup.ready(_setup.DEVELOP)


def test_what_can_be_compiled_is_compiled_although_there_is_a_wheel(house: Path) -> None:
    wheel(house / "dist/tisch-1-py3-none-any.whl")
    _setup.ready(_setup.RUN)
    assert (house / "built").read_text() == "environment +"


def test_a_wheel_for_another_machine_does_not_do(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lack_rust(monkeypatch)
    wheel(house / "dist/tisch-1-cp311-abi3-manylinux_2_17_s390x.whl")
    with pytest.raises(_setup.SetupError, match=r"^Rust is missing\.$"):
        _setup.ready(_setup.RUN)


def test_nothing_is_begun_where_something_is_missing(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ["A linker is missing."]
    monkeypatch.setattr(_needs, "missing", lambda *_, **__: found)
    with pytest.raises(_setup.SetupError, match=r"^A linker is missing\.$"):
        _setup.ready(_setup.RUN)
    found.append("Rust is missing.")
    several = r"^Several things are missing\.\nA linker is missing\.\nRust is missing\.$"
    with pytest.raises(_setup.SetupError, match=several):
        _setup.need(_setup.DEVELOP)
    assert not (house / "built").exists()


def test_only_what_is_needed_is_asked_for(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def missing(root: Path, **needs: bool) -> list[str]:
        asked.append(" ".join(name for name, is_needed in needs.items() if is_needed))
        return []

    monkeypatch.setattr(_needs, "missing", missing)
    _setup.ready(_setup.RUN)
    # Nothing is left to do, so there is nothing to check.
    _setup.ready(_setup.RUN)
    _setup.need(_setup.RUN)
    _setup.need(_setup.RUN, rust=True)
    (house / "sources/one.rs").write_text("changed")
    _setup.need(_setup.RUN)
    assert asked == ["environment rust", "", "rust", "rust"]


def test_two_starts_at_once_set_up_once(
    house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    make = _setup._make_environment

    def make_slowly() -> None:
        begun.set()
        assert go_on.wait(60)
        make()

    monkeypatch.setattr(_setup, "_make_environment", make_slowly)
    starts = [threading.Thread(target=_setup.ready, args=(_setup.RUN,)) for _ in range(2)]
    starts[0].start()
    assert begun.wait(60)
    starts[1].start()
    wait_until(lambda: "waiting for another start" in capsys.readouterr().err)
    assert starts[1].is_alive() and not (house / "built").exists()
    go_on.set()
    for start in starts:
        start.join(60)
    assert (house / "built").read_text() == "environment +"


def script(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code as a script of bin/."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "bin", capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(
    ("main", "code", "error"),
    [
        ("lambda arguments: 7", 7, ""),
        ("lambda arguments: exec('raise KeyboardInterrupt')", 130, ""),
        (
            "lambda arguments: exec('raise _setup.SetupError(\"A linker is missing.\")')",
            1,
            "tisch: A linker is missing.\n",
        ),
    ],
    ids=["exit code", "Ctrl-C", "something missing"],
)
def test_run_ends_without_traceback(main: str, code: int, error: str) -> None:
    result = script(f"import _setup; _setup.run({main})")
    assert (result.returncode, result.stderr) == (code, error)


@pytest.mark.skipif(os.name == "nt", reason="Windows ends a process without asking it")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_run_stops_its_tool_and_all_that_it_started(tmp_path: Path, number: signal.Signals) -> None:
    sign = tmp_path / "sign of life"
    child = f"import time\nwhile True: open({str(sign)!r}, 'a').write('.'); time.sleep(0.01)"
    tool = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    code = f"import _setup, sys; _setup.run(lambda _: _setup.tool('waiting', sys.executable, '-c', {tool!r}))"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT / "bin", stderr=subprocess.PIPE) as process:
        while not sign.exists():
            assert process.poll() is None
        process.send_signal(number)
        assert process.wait(60) == 128 + number
    size = sign.stat().st_size
    time.sleep(0.3)
    assert sign.stat().st_size == size


@pytest.mark.parametrize("name", ["check", "bench", "build_wheels", "run_arena", "serve", "wsclient"])
def test_a_script_stops_an_old_python_before_it_reads_on(name: str) -> None:
    code = (
        "import runpy, sys\n"
        "sys.version_info = (3, 6, 15)\n"
        f"try: runpy.run_path('{name}.py', run_name='__main__')\n"
        "finally: assert '_setup' not in sys.modules"
    )
    result = script(code)
    assert result.returncode == 1
    assert result.stderr.startswith("tisch needs Python 3.11 or newer, and this is Python 3.6:")
    assert result.stderr.count("\n") == 1


def test_the_script_tells_all_that_is_missing_before_it_begins(tmp_path: Path) -> None:
    code = (
        "import _needs, _setup, pathlib, sys\n"
        f"_setup.NOTE = pathlib.Path({str(tmp_path)!r}) / 'none'\n"
        "sys.modules['ensurepip'] = None\n"
        "sys.argv = ['_setup.py', 'web']\n"
        "_setup.run(_setup._main)"
    )
    variables = {"PATH": str(tmp_path), "CARGO_HOME": str(tmp_path), "HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "bin", env=variables, capture_output=True, text=True, check=False
    )
    first, *others = result.stderr.splitlines()
    assert (result.returncode, first) == (1, "tisch: Several things are missing.")
    for word, sentence in zip(("ensurepip", "rustup", "linker"), others, strict=True):
        assert word in sentence


@pytest.mark.skipif(sys.platform == "win32", reason="Services without a home are those of Unix.")
def test_what_is_set_up_starts_without_a_home(tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.write_text("a file, in which nobody can make folders")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "XDG_"))}
    # The packages, whose list needs uv's cache: the cores of this tree may have come into it otherwise than by uv.
    asked = "import _setup; _setup.ready(_setup.RUN, cores=False); print('ready')"
    result = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=ROOT / "bin",
        env={**variables, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "ready\n", "")


def packages() -> dict[str, dict[str, Any]]:
    """Return the packages of the lock by name; of several versions, for several Pythons, the last one."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    return {package["name"]: package for package in lock["package"]}


def test_the_lock_holds_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    texts = project["project"]["dependencies"] + project["build-system"]["requires"]
    for more in (project["dependency-groups"], project["project"]["optional-dependencies"]):
        texts += [text for group in more.values() for text in group if isinstance(text, str)]
    locked = packages()
    for requirement in map(Requirement, texts):
        assert locked[requirement.name.replace("_", "-")]["version"] in requirement.specifier
    # The scripts change nothing that a lock does not have.
    assert {"--locked", "--check"} < {*_setup._sync(_setup.RUN), "--check"}


def test_the_lock_pins_by_hash_what_anybody_can_fetch() -> None:
    for name, package in packages().items():
        if name == "tisch":
            continue
        assert package["source"] == {"registry": "https://pypi.org/simple"}
        for file in [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]:
            assert file["url"].startswith("https://files.pythonhosted.org/packages/")
            assert file["hash"].startswith("sha256:")


def test_the_lock_of_rust_pins_by_hash() -> None:
    blocks = (ROOT / "Cargo.lock").read_text(encoding="utf-8").split("\n[[package]]")[1:]
    assert blocks
    for block in blocks:
        assert "checksum = " in block or 'name = "tisch-' in block


def test_python_and_rust_agree_on_the_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
    assert project["version"] == workspace["version"]
    assert project["requires-python"] == ">=3.11"


def test_each_bench_of_rust_is_looked_at_by_clippy_and_can_be_run_as_a_test() -> None:
    core = tomllib.loads((ROOT / "rust/core/Cargo.toml").read_text(encoding="utf-8"))
    benches = {bench["name"]: (bench["required-features"], bench["test"]) for bench in core["bench"]}
    names = [path.stem for path in (ROOT / "rust/core/benches").glob("*.rs")]
    assert benches == dict.fromkeys(names, (["bench"], True))
    (clippy,) = (gate.command for gate in _check.CARGO if gate.name == "clippy")
    assert {"--all-targets", "--all-features"} <= set(clippy)


@pytest.mark.slow
def test_each_bench_of_rust_gives_the_answers_that_it_asserts() -> None:
    command = ("cargo", "test", "--locked", "--package", "tisch-core", "--features", "bench", "--benches")
    output = _setup.tool("running the benchmarks of Rust once", *command)
    for path in (ROOT / "rust/core/benches").glob("*.rs"):
        assert f"Running benches/{path.name}" in output
    assert output.count("\nSuccess") > 20
