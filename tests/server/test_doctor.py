"""Tests of ``tisch doctor``: each thing that can be wrong is made wrong here, and the command names it."""

from __future__ import annotations

import os
import socket
import sqlite3
import ssl
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from yarl import URL

from ports import reserved_port
from relay import relay
from serving import run, serving
from tisch.importing import version
from tisch.server.config import Config
from tisch.server.doctor import address, folder, machine
from tisch.server.doctor.findings import Finding, State, size
from tisch.server.net import limits


def examined(place: Path, *flags: object, **variables: str) -> tuple[int, list[tuple[str, str]]]:
    """Run the command.

    :result: Its exit code, and each finding that is not good, as its state and its text, with the cure.
    """
    told = run(place, "doctor", *flags, **variables)
    assert told.stderr == "", told.stderr
    *lines, summary = told.stdout.replace("\n         → ", " → ").splitlines()
    found = [(line[:8].strip(), line[9:]) for line in lines]
    assert summary == ", ".join(f"{sum(state == kind for state, _ in found)} {kind}" for kind in State)
    return told.returncode, [(state, text) for state, text in found if state != "good"]


def test_all_is_well_before_the_first_start_and_beside_a_running_server(tmp_path: Path) -> None:
    with reserved_port() as port:
        code, found = examined(tmp_path, "--data", "new", "--port", port)
    # A machine of tests may have little memory or a slow disk, or keep its folders in memory.
    assert (code, [text for state, text in found if state == "bad"]) == (0, [])
    assert not (tmp_path / "new").exists()
    with serving(tmp_path) as server:
        flags = ("--data", server.data, "--port", server.port, "--url", server.address)
        told = run(tmp_path, "doctor", *flags)
        assert told.returncode == 0, told.stdout
        for text in (
            "The journal is whole: 0 open tables, 0 running and 0 finished games",
            f"At the port {server.port} runs tisch {version()}, and players can join.",
            "browsers trust this machine without TLS",
            "The WebSocket of the page opens.",
            f"The data folder {server.data} is yours alone.",
        ):
            assert text in told.stdout
        # It leaves nothing in the folder.
        assert not [path for path in server.data.iterdir() if path.name.startswith(".doctor")]


def test_bad_settings_and_addresses_are_told_like_those_of_the_server(tmp_path: Path) -> None:
    for flags, words in (
        (("--level", "hard"), "'level' must be one of"),
        (("--url", "tisch.example.org"), "no address of a page, such as https://"),
        (("--url", "ftp://x"), "no address of a page"),
        (("--url", "http://[x"), "no address"),
    ):
        told = run(tmp_path, "doctor", *flags)
        assert (told.returncode, told.stdout) == (2, "")
        assert told.stderr.startswith("tisch doctor: "), told.stderr
        assert words in told.stderr


def test_a_port_of_another_program(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, found = examined(tmp_path, "--port", port, "--okey", port)
    assert code == 1
    for what in ("the page", "programs that play Okey"):
        words = f"Another program uses the port {port} for {what}. → Find that program with ss"
        assert any(state == "bad" and text.startswith(words) for state, text in found), found


def test_an_address_that_this_machine_does_not_have(tmp_path: Path) -> None:
    # An address for documentation, which no machine has.
    code, found = examined(tmp_path, "--host", "192.0.2.7")
    assert code == 1
    assert any(
        state == "bad" and "cannot listen at 192.0.2.7, port 8765, for the page" in text for state, text in found
    )


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with reserved_port() as port:
        code, found = examined(tmp_path, "--data", "file", "--port", port)
        assert code == 1
        assert any(f"{tmp_path / 'file'} is not a folder." in text for _, text in found)
        opened = tmp_path / "open"
        opened.mkdir(mode=0o755)
        opened.chmod(0o755)
        _, found = examined(tmp_path, "--data", "open", "--port", port)
        assert any("Other users of this machine can look into" in text and "chmod 700" in text for _, text in found)


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_folder_of_somebody_else(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    found = list(folder.folder(Config(data=locked / "data")))
    assert [finding.state for finding in found] == [State.BAD]
    assert "cannot be created in" in found[0].what


def test_journals_that_are_not_whole(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.kill()
        config = Config(data=server.data)
        assert [finding.state for finding in folder.journal(config)] == [State.GOOD]
        wal, journal = server.data / "journal.sqlite-wal", server.data / "journal.sqlite"
        kept = wal.read_bytes()
        wal.unlink()
        (found,) = folder.journal(config)
        assert found.state is State.BAD
        assert "lacks what was written last" in found.what
        wal.write_bytes(kept)
        with closing(sqlite3.connect(journal)) as connection:
            connection.execute("PRAGMA user_version = 99")
        (found,) = folder.journal(config)
        assert "was written by a newer tisch" in found.what
        # A page in the middle of the file.
        with closing(sqlite3.connect(journal)) as connection:
            connection.execute("PRAGMA user_version = 3")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        content = bytearray(journal.read_bytes())
        content[1024:1536] = bytes(512)
        journal.write_bytes(content)
        (found,) = folder.journal(config)
        assert found.state is State.BAD, found


def swap_host(head: bytes) -> bytes:
    """Send the server's own address as that of the page, as nginx does by default."""
    lines = [b"Host: 127.0.0.1:1" if line.lower().startswith(b"host:") else line for line in head.split(b"\r\n")]
    return b"\r\n".join(lines)


def drop_upgrade(head: bytes) -> bytes:
    """Leave out what makes a WebSocket of a request, as a proxy does that speaks plain HTTP."""
    dropped = (b"upgrade:", b"connection:")
    return b"\r\n".join(line for line in head.split(b"\r\n") if not line.lower().startswith(dropped))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            swap_host,
            "does not know http://localhost:{port} as its own address, so no browser can play. → Let the proxy",
        ),
        (drop_upgrade, "does not pass on the WebSocket (status 400), so nobody can play."),
    ],
)
def test_proxies_that_browsers_cannot_play_through(
    tmp_path: Path, change: Callable[[bytes], bytes], words: str
) -> None:
    with serving(tmp_path) as server, relay(server.port, change) as port:
        url = f"http://localhost:{port}"
        code, found = examined(tmp_path, "--data", server.data, "--port", server.port, "--url", url)
    assert code == 1
    assert any(words.format(port=port) in text for state, text in found if state == "bad"), found


def test_another_password_than_that_of_the_settings(tmp_path: Path) -> None:
    with serving(tmp_path, variables={"TISCH_PASSWORD": "ein Haus am See"}) as server:
        flags = ("--data", server.data, "--port", server.port, "--url", server.address)
        code, found = examined(tmp_path, *flags)
        assert code == 0
        assert any("has another password than these settings" in text for state, text in found if state == "warning")
        told = run(tmp_path, "doctor", *flags, TISCH_PASSWORD="ein Haus am See")
        assert "The WebSocket of the page opens." in told.stdout


def test_certificates(tmp_path: Path) -> None:
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(tls)
    roots = tmp_path / "roots.pem"
    authority.cert_pem.write_to_path(str(roots))
    with serving(tmp_path) as server, relay(server.port, tls=tls) as port:
        flags = ("--data", server.data, "--port", server.port, "--url", f"https://localhost:{port}")
        code, found = examined(tmp_path, *flags)
        assert code == 1
        assert any(f"Browsers do not accept the certificate of https://localhost:{port}: " in text for _, text in found)
        told = run(tmp_path, "doctor", *flags, SSL_CERT_FILE=str(roots))
        assert told.returncode == 0, told.stdout
        assert "answers, and its certificate is valid for" in told.stdout
    with reserved_port() as port:
        code, found = examined(tmp_path, "--port", port, "--url", f"https://localhost:{port}")
        assert code == 1
        assert any("cannot be reached: Connection refused." in text for _, text in found), found


def test_what_answers_is_another_program(tmp_path: Path) -> None:
    with serving(tmp_path) as server, relay(server.port, lambda head: head.replace(b"/readyz", b"/nothing")) as port:
        url = f"http://localhost:{port}"
        _, found = examined(tmp_path, "--data", server.data, "--port", server.port, "--url", url)
    assert any(f"What answers at {url} is not tisch (status 404)." in text for _, text in found), found


def test_a_server_of_another_version(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        config = Config(port=server.port)
        assert [finding.state for finding in machine.ports(config)] == [State.GOOD]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(machine, "version", lambda: "9.9.9")
            (found,) = machine.ports(config)
    assert (found.state, found.what) == (
        State.WARNING,
        f"At the port {server.port} runs tisch {version()}, and 9.9.9 is installed.",
    )


NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("finding", "state"),
    [
        (address.of_certificate(URL("https://x.org"), NOW + timedelta(days=14, hours=1), NOW), State.GOOD),
        (address.of_certificate(URL("https://x.org"), NOW + timedelta(days=13, hours=23), NOW), State.WARNING),
        (folder.space(Path("d"), 50_000_000 - 1), State.BAD),
        (folder.space(Path("d"), 50_000_000), State.WARNING),
        (folder.space(Path("d"), 500_000_000), State.GOOD),
        (folder.speed(Path("d"), 0.02), State.GOOD),
        (folder.speed(Path("d"), 0.021), State.WARNING),
        (folder.speed(Path("d"), 0.3), State.WARNING),
        (machine.of_clock(0.0, ""), State.BAD),
        (machine.of_clock(NOW.timestamp(), "no"), State.WARNING),
        (machine.of_clock(NOW.timestamp(), "yes"), State.GOOD),
        (machine.of_clock(NOW.timestamp(), ""), State.GOOD),
    ],
)
def test_what_cannot_be_made_here_is_judged_by_its_figure(finding: Finding, state: State) -> None:
    assert finding.state is state
    assert bool(finding.cure) is (state is not State.GOOD)


def test_the_file_system_is_that_of_the_last_mount_above(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    inner = tmp_path / "my data"
    inner.mkdir()
    written = str(inner).replace(" ", "\\040")
    mounts.write_text(f"/dev/a / ext4 rw 0 0\nx {tmp_path} tmpfs rw 0 0\nhost:/y {written} nfs4 rw 0 0\nbad line\n")
    assert folder.file_system(inner / "deeper", mounts) == "nfs4"
    assert folder.file_system(tmp_path / "other", mounts) == "tmpfs"
    assert folder.file_system(Path("/"), mounts) == "ext4"
    assert folder.file_system(inner, tmp_path / "none") == ""


def test_little_memory_and_few_descriptors_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal:  1000000 kB\nMemAvailable:   90000 kB\n")
    assert machine.available(meminfo) == 90_000 * 1024
    monkeypatch.setattr(machine, "available", lambda: 90_000 * 1024)
    (found,) = machine.memory(Config(workers=2))
    assert (found.state, found.what) == (State.WARNING, "92 MB of memory are free; server and agents need some 115 MB.")
    monkeypatch.setattr(limits, "descriptors", lambda: 256)
    (found,) = machine.descriptors(Config())
    assert (found.state, found.what) == (State.WARNING, "There is room for 96 connections.")
    assert [size(count) for count in (999, 1000, 9_949, 12_345_678, 2_000_000_000)] == [
        "999 bytes",
        "1.0 KB",
        "9.9 KB",
        "12 MB",
        "2.0 GB",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps low ports for the administrator")
def test_a_port_for_the_administrator(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse, raising=False)
    found = machine.port_of("127.0.0.1", 80, "the page")
    assert found.what == "The port 80 for the page is reserved for the administrator."
