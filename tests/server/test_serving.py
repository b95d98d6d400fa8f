"""Tests of ``tisch serve`` as a process: how it starts, what it says and logs, how it stops, and what stops it."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import resource
import runpy
import shutil
import signal
import socket
import sqlite3
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from places import ROOT
from ports import reserved_port
from serving import PATIENCE, UNMEASURED, Served, command, connected, environment, run, serving
from tisch.chance import VARIABLE
from tisch.importing import version
from tisch.server.config import Config, Wire
from tisch.server.serving import serve
from tisch.server.store import backup
from tisch.wires import hosts
from waiting import wait_until


def test_a_server_starts_serves_and_stops(tmp_path: Path) -> None:
    async def story() -> tuple[int, int | None]:
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, player_name="Ben", table_name="Stube")
            token = (await client.welcomed())["session_id"]
            server.process.send_signal(signal.SIGTERM)
            error = await client.error()
            assert token not in (tmp_path / "log").read_text()
            return error["code"], await client.closed()

    with serving(tmp_path) as server:
        assert server.get("/healthz") == {"status": "ok"}
        assert server.get("/readyz") == {"ready": True, "maintenance": False}
        assert asyncio.run(story()) == (106, 1012)
        assert server.process.wait(PATIENCE) == 0
        assert [line["message"] for line in server.log] == ["started", "stopped"]
        for line in server.log:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["time"])
            assert (line["level"], line["logger"]) == ("info", "tisch.server.http.app")
        assert [line["tables"] for line in server.log] == [0, 1]
    for path in (tmp_path / "data", tmp_path / "data" / "journal.sqlite"):
        assert path.stat().st_mode & 0o077 == 0


def test_who_does_not_read_delays_no_stop(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.stop()
    # Far more than lies in the buffers on the way.
    row = ("maumau", "[]", "[]", "", 1.0, 2.0, 3, "x" * 200_000)
    with closing(sqlite3.connect(server.data / "journal.sqlite")) as connection, connection:
        connection.executemany(
            "INSERT INTO finished (id, game, players, points, reason, started, ended, moves, transcript) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(f"game {number}", *row) for number in range(100)],
        )
    with serving(tmp_path) as server, socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        reader.connect(("127.0.0.1", server.port))
        reader.sendall(b"GET /api/records HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert reader.recv(15) == b"HTTP/1.1 200 OK"
        # It would wait for more than a minute.
        assert server.stop() == 0


@pytest.mark.skipif(not shutil.which("curl"), reason="the page asks with curl")
def test_the_documented_check_after_a_start_waits_until_the_server_is_ready(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "raspberry-pi.md").read_text(encoding="utf-8")
    (step,) = set(re.findall(r"^    (curl .*)$", page, re.MULTILINE))
    with reserved_port() as port:
        step = step.replace("http://localhost:8765/", f"http://127.0.0.1:{port}/")
        # systemctl returns at once, so that curl asks before anybody listens.
        with subprocess.Popen(step.split(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as asking:
            assert asking.stderr
            assert any("Will retry" in line for line in asking.stderr)
            with serving(tmp_path, "--port", port):
                told, _ = asking.communicate(timeout=PATIENCE)
    assert (asking.returncode, json.loads(told)["ready"]) == (0, True)


def test_ctrl_c_stops_a_server_too(tmp_path: Path) -> None:
    with serving(tmp_path, "--log", "warning") as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == 0
        assert server.log == []


def test_maintenance_is_switched_by_a_signal(tmp_path: Path) -> None:
    async def join(table: str) -> tuple[str, int | None]:
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, player_name="Ben", table_name=table)
            message = await client.receive()
            return message["type"], message["payload"].get("code")

    with serving(tmp_path, "--maintenance") as server:
        assert server.get("/api/setup")["maintenance"]
        assert asyncio.run(join("Stube")) == ("error", 107)
        server.process.send_signal(signal.SIGUSR1)
        wait_until(lambda: not server.get("/readyz")["maintenance"])
        assert asyncio.run(join("Stube")) == ("notification", None)
        server.process.send_signal(signal.SIGUSR1)
        wait_until(lambda: server.get("/readyz") == {"ready": True, "maintenance": True})
        assert asyncio.run(join("Stall")) == ("error", 107)
        assert [line["on"] for line in server.log if line["message"] == "maintenance"] == [False, True]


def test_a_server_for_the_network_says_where_others_find_it(tmp_path: Path) -> None:
    flags = ("--host", "0.0.0.0", "--okey", "0")
    with serving(tmp_path, *flags, variables={"TISCH_MAUMAU": "0", VARIABLE: ""}) as server:
        lines: list[str] = []
        while not lines or "Okey" not in lines[-1]:
            lines.append(server.line())
        assert server.address.startswith("http://localhost:")
        told = "".join(lines)
        line = r"^(Mau-Mau|Okey) for programs: localhost:(\d+)(?:, for others in your network: (.*):(\d+))?$"
        wires = re.findall(line, told, re.MULTILINE)
        assert [wire[0] for wire in wires] == ["Mau-Mau", "Okey"]
        if found := re.search(r"^For others in your network: http://(.*):(\d+)/$", told, re.MULTILINE):
            assert int(found[2]) == server.port
            socket.create_connection((found[1], server.port), timeout=PATIENCE).close()
            for _, port, address, same in wires:
                assert (address, same) == (found[1], port)
                socket.create_connection((address, int(port)), timeout=PATIENCE).close()


@pytest.fixture(scope="module")
def holder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("holder")) as server:
        yield server


def test_a_server_that_cannot_start_says_why(tmp_path: Path, holder: Served) -> None:
    file = tmp_path / "file"
    file.touch()
    (tmp_path / "odd" / "journal.sqlite").mkdir(parents=True)
    whole = Config(port=0, data=tmp_path / "data", workers=1)
    busy = f"Nobody can listen at 127.0.0.1, port {holder.port}: Address already in use."
    starts = {
        f"The data folder {file} cannot be used: File exists.": replace(whole, data=file),
        f"The data folder {file / 'x'} cannot be used: Not a directory.": replace(whole, data=file / "x"),
        f"The journal {tmp_path / 'odd/journal.sqlite'} cannot be opened: ": replace(whole, data=tmp_path / "odd"),
        busy: replace(whole, port=holder.port),
        busy[:-1]: replace(whole, wires={"okey": Wire(holder.port, hosts()["okey"].Options())}),
        "Nobody can listen at 203.0.113.1, port 0: Cannot assign requested ": replace(whole, host="203.0.113.1"),
    }
    for sentence, config in starts.items():
        with pytest.raises(ValueError, match="^" + re.escape(sentence)):
            asyncio.run(serve(config))


def test_two_servers_cannot_have_one_folder(holder: Served) -> None:
    result = run(holder.data, "serve", "--port", 0, "--data", holder.data)
    assert (result.returncode, result.stdout) == (2, "")
    sentence = f"The journal {holder.data}/journal.sqlite belongs to another server that is running."
    assert result.stderr == f"tisch serve: {sentence}\n"
    assert holder.get("/readyz")["ready"]


def test_a_variable_that_means_nothing_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("TISCH_HOTS=0.0.0.0\n")
    result = run(tmp_path, "serve")
    assert result.returncode == 2
    assert result.stderr == "tisch serve: Unknown setting TISCH_HOTS; see 'tisch serve --help'.\n"
    assert not (tmp_path / "tisch-data").exists()


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux limits another process")
def test_a_full_disk_stops_the_server_and_nothing_told_is_lost(tmp_path: Path) -> None:
    async def until_full() -> tuple[str, list[str]]:
        """Let agents play until nothing can be written; what is told until then is noted."""
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, player_name="Ben", table_name="Stube", game="maumau")
            await client.welcomed()
            for number in range(80):
                await client.send("set_options", turn_limit=(0, 15)[number % 2])
            error = await client.until("error", code=106)
            assert error["message"]
            assert await client.closed() == 1012
            events = [message["payload"].get("event", "") for message in client.seen]
            return client.session, events

    async def come_back(token: str) -> None:
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, session_id=token)
            context = await client.welcomed()
            assert context["public_state"]["table_options"]["turn_limit"] == told[-1]

    with serving(tmp_path, variables=UNMEASURED) as server:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (150_000, 150_000))
        token, events = asyncio.run(until_full())
        assert server.process.wait(PATIENCE) == 1
        (line,) = [line for line in server.log if line["level"] == "critical"]
        assert line["message"] == "nothing can be kept any more"
        assert "can no longer be written: " in line["reason"]
    told = [(15, 0)[number % 2] for number, event in enumerate(events) if event == "options_changed"]
    with serving(tmp_path) as server:
        asyncio.run(come_back(token))


def test_a_server_does_not_start_on_a_full_disk(tmp_path: Path) -> None:
    serve = command("serve", "--port", 0, "--workers", 1, "--data", tmp_path / "data")
    # No file may have more than 300 KiB.
    limited = ["sh", "-c", 'ulimit -f 600 && exec "$@"', "sh", *serve]
    started = subprocess.run(limited, env=environment(), capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (started.returncode, started.stdout) == (2, "")
    assert started.stderr.startswith(f"tisch serve: The journal {tmp_path / 'data/journal.sqlite'} cannot be opened: ")


@pytest.mark.parametrize("is_asked", [False, True], ids=["by a table", "by the proxy"])
def test_a_server_whose_journal_is_deleted_tells_no_move_and_stops(tmp_path: Path, is_asked: bool) -> None:
    async def story() -> tuple[int, int | None, list[str]]:
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, player_name="Ben", table_name="Stube", game="maumau")
            await client.welcomed()
            (server.data / "journal.sqlite").unlink()
            if is_asked:
                with pytest.raises(urllib.error.HTTPError, match="503") as refused:
                    await asyncio.to_thread(server.get, "/readyz")
                # The error is the answer, with its connection.
                refused.value.close()
            else:
                await client.send("set_options", turn_limit=15)
                await client.send("start_game")
            error = await client.error()
            return error["code"], await client.closed(), client.events()

    with serving(tmp_path) as server:
        assert asyncio.run(story()) == (106, 1012, ["player_joined"])
        assert server.process.wait(PATIENCE) == 1
        (line,) = [line for line in server.log if line["level"] == "critical"]
        assert line["message"] == "nothing can be kept any more"
        assert line["reason"].endswith("its file is gone, or there is another one in its place.")


def test_a_backup_of_a_running_server_is_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def open_table() -> str:
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, player_name="Ben", table_name="Stube")
            await client.welcomed()
            return client.session

    async def come_back(token: str) -> None:
        async with aiohttp.ClientSession() as session:
            client = await connected(session, server, session_id=token)
            assert (await client.welcomed())["public_state"]["table_name"] == "Stube"

    copy = tmp_path / "elsewhere" / "data" / "journal.sqlite"
    copy.parent.mkdir(parents=True)
    with serving(tmp_path) as server:
        token = asyncio.run(open_table())
        result = run(tmp_path, "backup", copy, TISCH_DATA=str(tmp_path / "data"))
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    for data, sentence in (
        (tmp_path / "data", f"There is already a file {copy}; a backup is written to a new one."),
        (tmp_path / "nowhere", f"There is no journal {tmp_path / 'nowhere' / 'journal.sqlite'}."),
    ):
        assert backup.run(argparse.Namespace(file=copy, into=None, data=str(data), rest=False)) == 1
        assert capsys.readouterr().err == f"tisch backup: {sentence}\n"
    with serving(copy.parent.parent) as server:
        asyncio.run(come_back(token))


@pytest.mark.parametrize(("script", "name"), [("serve", "serve"), ("wsclient", "client")])
def test_a_script_runs_its_command(monkeypatch: pytest.MonkeyPatch, script: str, name: str) -> None:
    ran: list[str] = []
    monkeypatch.setattr("_setup.run_command", ran.append)
    runpy.run_path(str(ROOT / "bin" / f"{script}.py"), run_name="__main__")
    assert ran == [name]


def test_metrics_at_a_port_of_their_own(tmp_path: Path) -> None:
    with reserved_port() as port, serving(tmp_path, "--metrics", port) as server:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            text = answer.read().decode()
        lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        journal = server.data / "journal.sqlite"
        assert float(lines['tisch_journal_bytes{file="journal"}']) == journal.stat().st_size
        assert float(lines['tisch_journal_bytes{file="wal"}']) > 0
        assert float(lines["tisch_disk_free_bytes"]) > 0
        assert any(line.startswith("tisch_build_info{") and f'version="{version()}"' in line for line in lines)
        for path, where in (("/metrics", server.port), ("/", port), ("/readyz", port)):
            with pytest.raises(urllib.error.HTTPError, match="404") as caught:
                urllib.request.urlopen(f"http://127.0.0.1:{where}{path}", timeout=PATIENCE)
            caught.value.close()
        told = run(tmp_path, "doctor", "--data", server.data, "--port", server.port, "--metrics", port)
        assert f"At the port {server.port} runs tisch {version()}, and players can join." in told.stdout
        # A second server cannot have the port either.
        told = run(tmp_path, "serve", "--data", "other", "--port", 0, "--metrics", port)
        assert (told.returncode, told.stderr.count("Nobody can listen at 127.0.0.1, port")) == (2, 1)
