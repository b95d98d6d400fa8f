"""Tests of the set-up that bin/ does before anything runs, and of its messages on machines that lack something."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import _check
import _needs
import _setup
from places import ROOT
from waiting import wait_until

NOW = {"environment": ["here"], "packages": {"a.lock": "1"}, "cores": ["2", "3"]}


@pytest.mark.parametrize(
    ("output", "word"),
    [
        ("/usr/bin/python3: No module named venv", "python3-venv"),
        (
            "The virtual environment was not created successfully because ensurepip is not\navailable.  On",
            "python3-venv",
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
        return _needs.missing(ROOT, environment=True, rust=True, web=True)

    return lacks


MODERN = {
    "cargo": "echo 'cargo 1.90.0 (840b83a10 2025-07-30)'",
    "rustc": "echo 'rustc 1.90.0 (1159e78c4 2025-09-14)'",
    "cc": "exit 0",
    "npm": "exit 0",
    "node": "echo v20.20.2",
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
        "npm is missing: install Node.js 20 or newer",
    )
    for sentence, beginning in zip(machine(), beginnings, strict=True):
        assert sentence.startswith(beginning) and "\n" not in sentence


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
        ({"cc": "exit 1"}, "The C linker links no program: install one .*"),
        ({"node": "echo v18.19.0"}, r"Node\.js 20 or newer is needed, this is 18\.19\.0: renew it .*"),
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
    assert machine(**tools) == [_needs.NO_LINKER]
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


def test_digest_depends_on_names_and_content_alone(tmp_path: Path) -> None:
    assert _setup.digest(tmp_path, "*.rs") == ""
    one = tmp_path / "one.rs"
    one.write_text("1")
    first = _setup.digest(tmp_path, "*.rs", "one.*")
    os.utime(one, (1, 1))
    (tmp_path / "notes.txt").write_text("2")
    assert _setup.digest(tmp_path, "*.rs") == first
    one.write_text("2")
    second = _setup.digest(tmp_path, "*.rs")
    one.rename(tmp_path / "two.rs")
    assert len({first, second, _setup.digest(tmp_path, "*.rs")}) == 3


def test_outstanding_is_what_changed() -> None:
    def steps(**changes: object) -> list[str]:
        return _setup.outstanding(NOW | changes, NOW)

    assert _setup.outstanding({}, NOW) == ["environment", "packages", "cores"]
    assert steps() == []
    assert steps(environment=["there"]) == ["environment", "packages", "cores"]
    assert steps(packages={"a.lock": "0"}) == ["packages"]
    assert steps(packages={"a.lock": "1", "b.lock": "1"}) == []
    assert steps(cores=["0", "3"]) == ["cores"]
    assert steps(cores=["2", ""], packages={}) == ["packages", "cores"]


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A folder to set up, with fast steps; the fixture records the steps done."""
    done: list[str] = []

    def step(name: str, *made: str) -> Callable[[str], None]:
        def make(_lock: str) -> None:
            for path in made:
                (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / path).write_text(name)
            done.append(name)

        return make

    python = str(_setup.PYTHON.relative_to(_setup.ROOT))
    for name in ("PYTHON", "ENVIRONMENT", "NOTE"):
        monkeypatch.setattr(_setup, name, tmp_path / getattr(_setup, name).relative_to(_setup.ROOT))
    monkeypatch.setattr(_setup, "ROOT", tmp_path)
    monkeypatch.setitem(_setup._STEPS, "environment", step("environment", python))
    monkeypatch.setitem(_setup._STEPS, "packages", step("packages"))
    monkeypatch.setitem(_setup._STEPS, "cores", step("cores", "python/tisch/_core.abi3.so"))
    monkeypatch.setattr(_needs, "missing", lambda *_, **__: [])
    for path in (*_setup.LOCKS, "Cargo.toml"):
        (tmp_path / path).write_text(path)
    return done


def test_ready_does_only_what_is_left(house: list[str], tmp_path: Path) -> None:
    def ready(lock: str = _setup.RUN, *, cores: bool = True) -> list[str]:
        house.clear()
        _setup.ready(lock, cores=cores)
        return list(house)

    assert ready(cores=False) == ["environment", "packages"]
    assert ready(cores=False) == []
    assert ready() == ["cores"]
    assert ready() == []
    assert ready(_setup.BENCH) == ["packages"]
    assert ready(_setup.DEVELOP) == []
    assert ready() == []
    (tmp_path / "Cargo.toml").write_text("changed")
    assert ready(cores=False) == []
    assert ready() == ["cores"]
    (tmp_path / "python/tisch/_core.abi3.so").unlink()
    assert ready() == ["cores"]
    (tmp_path / _setup.RUN).write_text("changed")
    assert ready() == ["packages"]
    _setup.PYTHON.unlink()
    assert ready() == ["environment", "packages", "cores"]


def test_nothing_is_begun_where_something_is_missing(house: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(root: Path, **needs: bool) -> list[str]:
        return ["A linker is missing.", "npm is missing."] if needs["web"] else ["A linker is missing."]

    monkeypatch.setattr(_needs, "missing", missing)
    with pytest.raises(_setup.SetupError, match=r"^A linker is missing\.$"):
        _setup.ready(_setup.RUN)
    several = r"^Several things are missing\.\nA linker is missing\.\nnpm is missing\.$"
    with pytest.raises(_setup.SetupError, match=several):
        _setup.need(_setup.DEVELOP, web=True)
    assert house == []


def test_only_what_is_needed_is_asked_for(house: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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
    (tmp_path / "Cargo.toml").write_text("changed")
    _setup.need(_setup.RUN, web=True)
    assert asked == ["environment rust", "", "rust", "rust web"]


def test_ready_makes_the_environment_of_a_moved_folder_anew(house: list[str]) -> None:
    _setup.ready(_setup.RUN)
    note = json.loads(_setup.NOTE.read_text())
    note["environment"][0] += "-elsewhere"
    _setup.NOTE.write_text(json.dumps(note))
    house.clear()
    _setup.ready(_setup.RUN)
    assert house == ["environment", "packages", "cores"]


@pytest.mark.parametrize("broken", ["environment", "packages", "cores"])
@pytest.mark.parametrize("before", [True, False], ids=["set up before", "new"])
def test_ready_repeats_a_step_that_was_broken_off(
    house: list[str], monkeypatch: pytest.MonkeyPatch, broken: str, *, before: bool
) -> None:
    if before:
        _setup.ready(_setup.RUN)
        for path in (_setup.RUN, "Cargo.toml"):
            (_setup.ROOT / path).write_text("changed")
        if broken == "environment":
            _setup.PYTHON.unlink()

    def break_off(_lock: str) -> None:
        _setup.PYTHON.parent.mkdir(parents=True, exist_ok=True)
        _setup.PYTHON.write_text("half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setitem(_setup._STEPS, broken, break_off)
        with pytest.raises(KeyboardInterrupt):
            _setup.ready(_setup.RUN)
    house.clear()
    _setup.ready(_setup.RUN)
    assert house == ["environment", "packages", "cores"][["environment", "packages", "cores"].index(broken) :]


def test_two_starts_at_once_set_up_once(
    house: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    make = _setup._STEPS["environment"]

    def make_slowly(lock: str) -> None:
        begun.set()
        assert go_on.wait(60)
        make(lock)

    monkeypatch.setitem(_setup._STEPS, "environment", make_slowly)
    starts = [threading.Thread(target=_setup.ready, args=(_setup.RUN,)) for _ in range(2)]
    starts[0].start()
    assert begun.wait(60)
    starts[1].start()
    wait_until(lambda: "waiting for another start" in capsys.readouterr().err)
    assert starts[1].is_alive() and house == []
    go_on.set()
    for start in starts:
        start.join(60)
    assert house == ["environment", "packages", "cores"]


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
        "_setup._is_web_outstanding = lambda: True\n"
        "_setup.run(_setup._main)"
    )
    variables = {"PATH": str(tmp_path), "CARGO_HOME": str(tmp_path), "HOME": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT / "bin", env=variables, capture_output=True, text=True, check=False
    )
    first, *others = result.stderr.splitlines()
    assert (result.returncode, first) == (1, "tisch: Several things are missing.")
    for word, sentence in zip(("ensurepip", "rustup", "linker", "Node.js"), others, strict=True):
        assert word in sentence


def pins(lock: str) -> dict[str, str]:
    """Return the version of each package in a lock."""
    return dict(re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    run, develop, bench, wheels = map(pins, _setup.LOCKS)
    groups, extras = project["dependency-groups"], project["project"]["optional-dependencies"]
    for lock, texts in (
        (run, project["project"]["dependencies"] + project["build-system"]["requires"] + groups["build"]),
        (develop, extras["dev"]),
        (bench, extras["bench"]),
        (wheels, groups["wheels"]),
    ):
        for requirement in map(Requirement, texts):
            assert lock[requirement.name.replace("_", "-")] in requirement.specifier
    assert run.items() <= develop.items() <= bench.items() & wheels.items()


@pytest.mark.parametrize("lock", [*_setup.LOCKS, "Cargo.lock"])
def test_a_lock_pins_by_hash(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=\[\[package|[a-z0-9.-]+==)", text)[1:]
    assert blocks
    for block in blocks:
        assert "--hash=sha256:" in block or "checksum = " in block or 'name = "tisch-' in block


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
