"""Builds the container of the Dockerfile with Debian's tools, and runs it as ``compose.yaml`` does.

Its base is made here: a minimal Debian with the Python that the Dockerfile names, in storage of its own. The container
then serves a game to this machine's browser, is killed, starts again and ends.
"""

import json
import os
import resource
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import _clean
import _setup
import _wheels

FOLDER = _setup.ROOT / "target" / "container"
TOOLS = ("debootstrap", "buildah", "podman", "runc")
#: The Debian whose Python is that of the Dockerfile.
RELEASE = "trixie"
IMAGE, NAME, VOLUME = "localhost/tisch", "tisch-trial", "tisch-trial"
#: What ``compose.yaml`` asks for, as flags.
LIMITS = ("--read-only", "--tmpfs=/tmp", "--cap-drop=all", "--security-opt=no-new-privileges")
#: What a machine needs that is in a container itself.
HERE = ("--network=host", "--no-healthcheck")
PORT, GRACE, PATIENCE = 8765, 30, 120
#: The most open files and processes.
MOST = 4096
#: The Dockerfile's question whether the server is well.
WELL = "import urllib.request; urllib.request.urlopen('http://localhost:8765/readyz')"


def main() -> int:
    """Build the container and try it.

    :result: 0; what fails is an error.
    :raises SetupError: something is missing, or the container does not do what it must.
    """
    if missing := _clean.obstacles():
        raise _setup.SetupError(f"No container can be built here: that needs {', '.join(missing)}.")
    _wheels.require()
    with suppress(OSError), socket.create_connection(("localhost", PORT), 1):
        raise _setup.SetupError(f"The container needs the port {PORT}, and something has it: stop that first.")
    if absent := [tool for tool in TOOLS if shutil.which(tool) is None]:
        _wheels.install(*absent)
    _setup.ready(_setup.DEVELOP)
    _setup.web_ready()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _setup.alone(FOLDER / "lock", "another trial of the container"):
        _build()
        with _started():
            _try()
    return 0


def _storage() -> dict[str, str]:
    """Return the variables by which the tools keep their images in a folder of their own."""
    file = FOLDER / "storage.conf"
    lines = ("[storage]", 'driver = "vfs"', f'graphroot = "{FOLDER / "images"}"', f'runroot = "{FOLDER / "run"}"')
    file.write_text("\n".join(lines), encoding="utf-8")
    return {"CONTAINERS_STORAGE_CONF": str(file), "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}


def _tool(what: str, *command: str) -> str:
    return _setup.tool(what, *command, variables=_storage())


def _podman(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command of podman, whose code and output tell the rest."""
    program = ["podman", "--runtime=runc", "--cgroup-manager=cgroupfs", *command]
    return subprocess.run(program, env={**os.environ, **_storage()}, capture_output=True, text=True, check=False)


def _build() -> None:
    """Build the image."""
    dockerfile = (_setup.ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    base = next(line.split()[1] for line in dockerfile if line.startswith("FROM "))
    if _podman("image", "exists", base).returncode != 0:
        _make_base(f"docker.io/library/{base}")
    _tool("building the container", "buildah", "build", "--pull-never", "--format=docker", "--tag", IMAGE, ".")


def _make_base(name: str) -> None:
    """Make an image with Debian's Python, which is as bare as the one that the Dockerfile names."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        root = Path(folder) / "root"
        packages = "--include=python3,python3-pip,ca-certificates"
        _tool(f"making a Debian {RELEASE}", "debootstrap", "--variant=minbase", packages, RELEASE, str(root))
        for file in root.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            file.unlink()
        (root / "usr/bin/python").symlink_to("python3")
        # How this machine reaches the registries.
        if certificates := os.environ.get("PIP_CERT"):
            shutil.copy(certificates, root / "etc/ssl/certs/ca-certificates.crt")
            (root / "etc/pip.conf").write_text("[global]\ncert = /etc/ssl/certs/ca-certificates.crt\n")
        made = _tool("beginning an image", "buildah", "from", "scratch").split()[-1]
        _tool("filling it", "buildah", "add", "--quiet", made, str(root), "/")
        _tool("keeping it", "buildah", "commit", "--quiet", "--rm", made, name)


@contextmanager
def _started() -> Iterator[None]:
    """Start the container with nothing of earlier ones, and leave nothing of it behind."""
    remove = (("rm", "--force", "--time=0", NAME), ("volume", "rm", "--force", VOLUME))
    for command in remove:
        _podman(*command)
    try:
        limits = [f"--ulimit={name}={_limit(name)}" for name in ("nofile", "nproc")]
        flags = [f"--name={NAME}", f"--volume={VOLUME}:/data", *LIMITS, *HERE, *limits]
        _must("it starts", _podman("run", "--detach", *flags, IMAGE))
        yield
    finally:
        for command in remove:
            _podman(*command)


def _limit(name: str) -> int:
    """Return a limit that every machine allows: podman asks for more than some do."""
    hard = resource.getrlimit(getattr(resource, f"RLIMIT_{name.upper()}"))[1]
    return MOST if hard == resource.RLIM_INFINITY else min(MOST, hard)


def _try() -> None:
    """Do with the container what a host does."""
    _until_well("the server in it is well")
    user = _inside("id", "-u").stdout.strip()
    _tell("its user has no rights", good=user.isdigit() and user != "0", said=f"The user's number is {user!r}.")
    written = _inside("touch", "/usr/written")
    _tell("its root cannot be written", good=written.returncode != 0, said="/usr/written could be written.")
    status = _inside("cat", "/proc/1/status").stdout
    _tell("it has no privileges", good="CapEff:\t0000000000000000" in status, said=status)
    script = str(_setup.ROOT / "tests" / "harness" / "browser_game.py")
    guest = [str(_setup.PYTHON), script, f"http://localhost:{PORT}", _clean.GAME]
    paths = {"PYTHONPATH": str(_setup.ROOT / "bin")}
    print(_setup.tool("playing in a browser", *guest, variables=paths, ours=True), end="", flush=True)
    played = _games()
    _must("it is killed", _podman("kill", "--signal=KILL", NAME))
    _must("it starts again", _podman("start", NAME))
    _until_well("the server in it is well again")
    _tell("it has the game that was played", good=played == _games() != [], said=f"{played}, then {_games()}")
    backup = _inside("tisch", "backup", "--data", "/data", "--into", "/data/backups")
    _must("it makes a backup", backup)
    _must("it is asked to end", _podman("stop", f"--time={GRACE}", NAME))
    code = _podman("inspect", "--format={{.State.ExitCode}}", NAME).stdout.strip()
    _tell("it ends well", good=code == "0", said=f"The exit code is {code}.")


def _inside(*command: str) -> subprocess.CompletedProcess[str]:
    return _podman("exec", NAME, *command)


def _games() -> list[str]:
    """Return the finished games that the server in the container lists."""
    with urllib.request.urlopen(f"http://localhost:{PORT}/api/games", timeout=PATIENCE) as answer:
        return [game["id"] for game in json.load(answer)["games"]]


def _until_well(what: str) -> None:
    """Wait until the Dockerfile's question finds the server well."""
    until = time.monotonic() + PATIENCE
    while (asked := _inside("python", "-c", WELL)).returncode != 0 and time.monotonic() < until:
        time.sleep(0.5)
    _must(what, asked)


def _must(what: str, done: subprocess.CompletedProcess[str]) -> None:
    """Tell that a command did what it must.

    :raises SetupError: It did not.
    """
    logs = _podman("logs", NAME) if done.returncode else done
    _tell(what, good=done.returncode == 0, said=f"{done.stdout}{done.stderr}{logs.stdout}{logs.stderr}")


def _tell(what: str, *, good: bool, said: str) -> None:
    """Print that something holds.

    :raises SetupError: It does not.
    """
    if not good:
        raise _setup.SetupError(f"Not of the container: {what}. {said}")
    print(f"ok     {what}", flush=True)
