"""Tests of ``tisch serve`` as a process that hostile clients attack: the others play on, and the log stays as it is."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import aiohttp
import pytest

import raw_socket
from raw_socket import PING, TEXT, close_codes, connect, frame, read_to_end, reset, upgraded
from real_server import RealServer, connected, real_server, wait_until
from server import Client

#: How many players say how long they wait, and how often each of them asks, in a calm and in a flooded time.
PLAYERS = 5
QUESTIONS = 60


# --- floods of frames -------------------------------------------------------------------------------------------------


async def wait_of(client: Client) -> list[float]:
    """Ask the server again and again, and measure how long each answer takes."""
    times = []
    for _ in range(QUESTIONS):
        began = time.perf_counter()
        await client.send("ping")
        await client.until("pong")
        times.append(time.perf_counter() - began)
        await asyncio.sleep(0.03)
    return times


async def slowest(server: RealServer, table: str) -> float:
    """Measure the 99th percentile of what some new players wait, in seconds."""
    async with aiohttp.ClientSession() as session:
        clients = [await connected(session, server, player_name=f"Gast {n}", table_name=table) for n in range(4)]
        clients += [await connected(session, server, table_name=table, spectator=1) for _ in range(PLAYERS - 4)]
        waits = await asyncio.gather(*map(wait_of, clients))
        for client in clients:
            await client.send("leave")
        return statistics.quantiles([wait for each in waits for wait in each], n=100)[98]


@pytest.mark.parametrize(
    "kind",
    ["pings", "continuations", pytest.param("pongs", marks=pytest.mark.slow), pytest.param("messages", marks=pytest.mark.slow)],
)
def test_a_flood_of_frames_is_cut_off_and_slows_nobody(tmp_path: Path, kind: str) -> None:
    ratios = []
    with real_server(tmp_path) as server, closing(upgraded(server.port, "player_name=Ben&table_name=Stube")):
        # Other programs on this machine may slow one of the two times: what holds once is no matter of the server.
        while len(ratios) < 6 and min(ratios, default=9.0) > 3:
            calm = asyncio.run(slowest(server, "Ruhe"))
            attack = [sys.executable, raw_socket.__file__, str(server.port), kind, "4"]
            with subprocess.Popen(attack, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attacker:
                assert attacker.stdin
                assert attacker.stdout
                assert attacker.stdout.readline() == "ready\n"
                attacker.stdin.write("\n")
                attacker.stdin.flush()
                flooded = asyncio.run(slowest(server, "Sturm"))
                codes = json.loads(attacker.communicate(timeout=120)[0])
            assert codes == [[1008]] * len(codes), codes
            ratios.append(flooded / calm)
        assert [line["message"] for line in server.log if line["level"] != "info"] == []
    assert min(ratios) <= 3, ratios
