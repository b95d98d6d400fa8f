"""Tests of the systemd unit in docs/operating.md: the server runs under its restrictions."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

import filtered
from serving import Served, connected, serving

#: The command line of a program under the unit's filter.
FILTERED = (sys.executable, filtered.__file__)
#: Why the filter cannot be applied here; in CI that is no excuse.
REASON = filtered.why_not()
needs_filter = pytest.mark.skipif(bool(REASON) and "CI" not in os.environ, reason=REASON)


async def play(server: Served) -> None:
    """Play a game against agents to its end, and read its page and replay."""
    async with aiohttp.ClientSession() as session:
        client = await connected(session, server, player_name="Ben", table_name="Stube", game="maumau", view=1)
        await client.send("set_options", agent="rule", options={"rounds": 1})
        await client.send("start_game")
        asked = 0
        while (message := await client.receive())["payload"].get("event") != "game_over":
            request = message["payload"].get("request")
            if message["type"] == "view" and request and request["request_id"] != asked:
                asked = request["request_id"]
                await client.send("move", move=message["payload"]["choices"]["legal"][0])
        game_id = message["payload"]["context"]["game_id"]
        for path in ("/", f"/api/games/{game_id}/advice/1", "/api/records", "/metrics"):
            async with session.get(server.address + path) as answer:
                assert answer.status == 200, await answer.text()
                assert await answer.read()


def niceness(server: Served) -> tuple[int, set[int]]:
    """Return the niceness of the server and of its agent processes."""
    listed = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text(encoding="ascii")
    own = os.getpriority(os.PRIO_PROCESS, server.process.pid)
    return own, {os.getpriority(os.PRIO_PROCESS, int(pid)) for pid in listed.split()}


@needs_filter
def test_the_server_runs_under_the_filter_of_the_documented_unit(tmp_path: Path) -> None:
    with serving(tmp_path, under=FILTERED) as server:
        asyncio.run(play(server))
        own, agents = niceness(server)
        # 19 is the maximum, and the tests' own process may be nice already.
        assert agents == {min(own + 5, 19)}
        assert server.stop() == 0
        assert [line["message"] for line in server.log] == ["started", "stopped"]


@needs_filter
def test_a_priority_that_is_refused_is_no_failure(tmp_path: Path) -> None:
    with serving(tmp_path, under=(*FILTERED, "--refuse", "setpriority")) as server:
        asyncio.run(play(server))
        own, agents = niceness(server)
        assert agents == {own}
        assert server.stop() == 0


@needs_filter
def test_what_the_unit_forbids_is_refused() -> None:
    # Otherwise the other tests would show nothing.
    code = "import os; os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))"
    tried = subprocess.run(
        [sys.executable, filtered.__file__, sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert tried.returncode == 1 and "PermissionError: [Errno 1]" in tried.stderr


def test_the_unit_gives_the_server_enough_descriptors() -> None:
    (limit,) = filtered.settings("LimitNOFILE")
    assert int(limit) >= 4096
