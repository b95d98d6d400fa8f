"""Tests of ``tisch serve`` as a process that hostile clients attack: the others play on, and the log stays as it is."""

from __future__ import annotations

import asyncio
import json
import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

import raw_socket
from raw_socket import PING, close_codes, connect, frame, read_to_end, reset, upgraded
from serving import Served, connected, limited, serving
from waiting import wait_until

#: How many players ask during a flood, and how often each of them.
PLAYERS = 5
QUESTIONS = 60


# --- floods of frames -------------------------------------------------------------------------------------------------


async def ask_again_and_again(server: Served) -> None:
    """Let some players ask, and wait for each answer."""
    async with aiohttp.ClientSession() as session:
        clients = [await connected(session, server, player_name=f"Gast {n}", table_name="Sturm") for n in range(4)]
        clients += [await connected(session, server, table_name="Sturm", spectator=1) for _ in range(PLAYERS - 4)]
        for _ in range(QUESTIONS):
            await asyncio.gather(*(client.sync() for client in clients))
        for client in clients:
            await client.send("leave")


@pytest.mark.parametrize(
    "kind",
    [
        "pings",
        "continuations",
        pytest.param("pongs", marks=pytest.mark.slow),
        pytest.param("messages", marks=pytest.mark.slow),
    ],
)
def test_a_flood_of_frames_is_cut_off_and_stops_nobody(tmp_path: Path, kind: str) -> None:
    with serving(tmp_path) as server, closing(upgraded(server.port, "player_name=Ben&table_name=Stube")):
        attack = [sys.executable, raw_socket.__file__, str(server.port), kind]
        with subprocess.Popen(attack, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attacker:
            assert attacker.stdin
            assert attacker.stdout
            assert attacker.stdout.readline() == "ready\n"
            attacker.stdin.write("begin\n")
            attacker.stdin.flush()
            # The flood ends only after all players have had all answers.
            asyncio.run(ask_again_and_again(server))
            codes = json.loads(attacker.communicate("end\n", timeout=120)[0])
        assert codes
        assert codes == [[1008]] * len(codes), codes
        assert [line["message"] for line in server.log if line["level"] != "info"] == []


# --- connections that are held open -----------------------------------------------------------------------------------

#: Heads of requests have much time.
PATIENT = {"tisch.server.http.app.HEAD": 600.0}
#: What a browser asks first, but for the end of it.
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: half"


@contextmanager
def descriptors(number: int) -> Iterator[None]:
    """Let this process hold many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, number), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def half_sent(stack: ExitStack, port: int, number: int, source: str) -> None:
    """Hold requests open whose end never comes."""
    for _ in range(number):
        connection = stack.enter_context(connect(port, source))
        connection.sendall(HALF)


def ask(port: int, path: str, source: str) -> bytes:
    """Ask over HTTP.

    :result: How the answer begins.
    """
    with connect(port, source) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return connection.recv(12)


def join(port: int, query: str, source: str) -> None:
    """Come to a table, and see it."""
    with upgraded(port, query, source) as connection:
        incoming = raw_socket.Incoming()
        frames: list[tuple[int, bytes]] = []
        while not frames:
            data = connection.recv(1 << 16)
            assert data
            frames = incoming.feed(data)
    assert json.loads(frames[0][1])["payload"]["event"] == "player_joined", frames


def open_descriptors(server: Served) -> int:
    """Count the files and sockets of a server."""
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all addresses from 127.0.0.2 on")
@pytest.mark.parametrize(("sources", "line"), [(1, "an address"), (15, "the server")])
def test_half_sent_requests_shut_nobody_out(tmp_path: Path, sources: int, line: str) -> None:
    async def play() -> None:
        """Begin a game, and play it while the connections are held."""
        async with aiohttp.ClientSession() as session:
            ben = await connected(session, server, player_name="Ben", table_name="Stube", game="maumau")
            await ben.welcomed()
            await asyncio.to_thread(hold)
            await ben.send("set_options", turn_limit=15)
            await ben.notification("options_changed")
            # Players who were cut off come back to their seats.
            again = await connected(session, server, session_id=ben.session)
            assert (await again.welcomed())["player_index"] == 0

    def hold() -> None:
        for number in range(sources):
            half_sent(stack, server.port, 1500 // sources, f"127.0.1.{number + 1}")

    with (
        descriptors(4000),
        serving(tmp_path, constants=PATIENT, under=limited("ulimit -n 1024")) as server,
        ExitStack() as stack,
    ):
        asyncio.run(play())
        assert open_descriptors(server) < 1024 - 128
        # Newcomers get in, from another address and, since nobody plays there, from the same one; to whatever. No
        # deadline of the requests makes room for them: it is later than anything here is waited for.
        for source in ("127.0.0.9", "127.0.1.1"):
            for path in ("/", "/api/games", "/readyz"):
                assert ask(server.port, path, source) == b"HTTP/1.1 200"
            join(server.port, f"player_name=Ida&table_name={source}", source)
        assert [each["message"] for each in server.log] == ["started", f"{line} has too many connections"]
        assert "127.0" not in (tmp_path / "log").read_text()


def test_the_limit_of_descriptors_is_raised_at_the_start(tmp_path: Path) -> None:
    with serving(tmp_path, under=limited("ulimit -S -n 256 && ulimit -H -n 3000")) as server:
        if hasattr(resource, "prlimit"):
            assert resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE) == (3000, 3000)
        assert server.get("/readyz")["ready"]


def test_programs_at_a_port_of_their_own_are_limited_with_all_others(tmp_path: Path) -> None:
    flags = ("--maumau", 0, "--connections-per-address", 3)
    with serving(tmp_path, *flags) as server, ExitStack() as stack:
        port = int(server.line().rpartition(":")[2])
        for number in range(2):
            stack.enter_context(upgraded(server.port, f"player_name=Gast {number}&table_name=Stube".replace(" ", "+")))
        stack.enter_context(connect(port))
        wait_until(lambda: b"tisch_connections 2" in metrics(server))
        # One guest more is too many, at either port.
        with connect(port) as connection:
            assert connection.recv(1) == b""
        with upgraded(server.port, "player_name=Kim&table_name=Stube") as connection:
            frames = read_to_end(connection)
            assert json.loads(frames[0][1])["payload"]["code"] == 105
            assert close_codes(frames) == [1008]


def metrics(server: Served) -> bytes:
    """What is counted."""
    with connect(server.port) as connection:
        connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b""
        while data := connection.recv(1 << 16):
            answer += data
    return answer


# --- what is left in the log ------------------------------------------------------------------------------------------


def test_nothing_that_clients_do_is_left_in_the_log(tmp_path: Path) -> None:
    with serving(tmp_path, "--maumau", 0) as server:
        port = int(server.line().rpartition(":")[2])
        stay = upgraded(server.port, "player_name=Ida&table_name=Stube")
        for number in range(60):
            connection = upgraded(server.port, "player_name=Ben&table_name=Stube")
            connection.sendall(frame(PING, b"x") * (number + 1))
            reset(connection)
        for data in (
            b"GET / HTTP/1.1\r\nBad Header\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"GET /" + b"x" * 10_000 + b" HTTP/1.1\r\n\r\n",
            b"GET http://[/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"GET /api/games/\xff%ff%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
            b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nContent-Encoding: gzip\r\n\r\n0123456789",
            b"GET /api/tables/Stube/invite.svg HTTP/1.1\r\nHost: \xff\r\n\r\n",
            b"GET /api/tables/Stube/invite.svg HTTP/1.1\r\nHost: a:b\r\n\r\n",
            b"GET /api/tables/Stube/invite.svg HTTP/1.1\r\nHost:\r\n\r\n",
            b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: \xff\r\n\r\n",
            raw_socket.request("table_name=Stube").replace(b"Key: d", b"Key: \xff"),
            raw_socket.request("table_name=Stube", "Origin: http://["),
            raw_socket.request("player_name=Ben&table_name=Stube", "Sec-WebSocket-Protocol: chat"),
            raw_socket.request("player_name=Ben&table_name=Stube") + b"\xff" * 1000,
        ):
            connection = connect(server.port)
            connection.sendall(data)
            connection.settimeout(0.2)
            with suppress(TimeoutError):
                connection.recv(1 << 16)
            reset(connection)
        for data in (b"", b"\xff" * 100, b"x" * 70_000):
            for target in (port, server.port):
                connection = connect(target)
                connection.sendall(data)
                reset(connection)
        assert server.get("/readyz")["ready"]
        wait_until(lambda: b"tisch_connections 1.0" in metrics(server))
        reset(stay)
        wait_until(lambda: b"tisch_connections 0.0" in metrics(server))
        assert server.stop() == 0
        assert {line["level"] for line in server.log} == {"info"}
        assert {line["message"] for line in server.log} <= {"started", "stopped", "protocol violated"}
        assert "127.0.0.1" not in (tmp_path / "log").read_text()


#: What lies between the pieces of a request that somebody wrote badly.
RUBBISH = (
    b"\r\n",
    b"\n",
    b"\0",
    b"\xff",
    b"%00",
    b"//",
    b"[",
    b":",
    b" ",
    b"\r\n\r\n",
    b"9" * 25,
    b"@",
    b"Upgrade: h2c\r\n",
)
REQUESTS = (
    b"GET /api/games?limit=3 HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n1",
    b"PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\nhello",
    b"POST /healthz HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
    b"GET /api/tables/Stube/invite.svg HTTP/1.1\r\nHost: localhost:8765\r\nX-Forwarded-Proto: https\r\n\r\n",
    raw_socket.request("player_name=Ben&table_name=Stube", "Origin: http://localhost") + frame(PING) * 2,
)


def badly_written(chance: random.Random) -> bytes:
    """Write requests with a few faults."""
    data = bytearray(b"".join(chance.choices(REQUESTS, k=chance.randint(1, 3))))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data))
        if chance.random() < 0.5:
            data[at:at] = chance.choice(RUBBISH)
        else:
            data[at : at + chance.randint(1, 8)] = chance.randbytes(chance.randint(0, 2))
    return bytes(data)


def test_requests_with_faults_leave_nothing_in_the_log(tmp_path: Path) -> None:
    chance = random.Random(1)
    with serving(tmp_path) as server, closing(upgraded(server.port, "player_name=Ida&table_name=Stube")):
        for _ in range(1000):
            connection = connect(server.port)
            connection.settimeout(0.01)
            with suppress(TimeoutError, ConnectionError):
                connection.sendall(badly_written(chance))
                connection.recv(1 << 16)
            reset(connection)
        assert server.get("/readyz")["ready"]
        # A server that stood still meanwhile accepts all that waited at once.
        assert {line["message"] for line in server.log} - {"an address has too many connections"} == {"started"}
        assert {line["level"] for line in server.log} == {"info"}
