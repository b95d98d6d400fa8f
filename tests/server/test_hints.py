"""Tests of hints: they come after the agents' own moves, have a quota, and end with their position."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import aiohttp
import pytest

import hint_flood
from server import PATIENCE, Client, HandClock, House, Running, Tell, dealt
from serving import Served, connected, serving
from tisch import quotas
from tisch.ports.refusal import Code
from tisch.record import Record
from tisch.table import hints, shared
from tisch.table.hints import Advice
from tisch.table.play import Playing

#: In this deal of Sechsundsechzig the first player may close, and lay.
SEED = 7
#: The tables of an address that floods the agents: as many as it may open.
TABLES = 20


async def begin(running: Running, table: str = "Stube", **query: Any) -> Client:
    """Begin a game of Sechsundsechzig in which Ben is asked."""
    ben = await running.join("Ben", table=table, game="sechsundsechzig", **query)
    with dealt(SEED):
        await ben.say("start_game")
        await running.settle(table)
    return ben


class Adviser:
    """An adviser who answers when it may."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()
        self.asked = 0
        self.given_up = 0

    async def advise(self, *_: Any) -> Advice:
        self.asked += 1
        try:
            await self.may_answer.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return Advice("close", "It took a while.")


def test_a_person_gets_so_many_hints_in_a_period(tell: Tell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "MOST_BY_SEAT", 1)

    async def story(running: Running, clock: HandClock) -> None:
        ben = await begin(running, language="en")
        await ben.send("hint", language="en")
        first = await ben.until("hint")
        # Who asks again is told again; only what an agent must think about counts.
        await ben.send("hint", language="en")
        assert await ben.until("hint") == first
        refused = await ben.refused("hint", language="de")
        assert refused["code"] == 311
        assert refused["message"] == "That was a lot of hints at once. You can have another one in a few seconds."
        clock.turn(quotas.PERIOD)
        await ben.send("hint", language="de")
        assert (await ben.until("hint"))["move"]
        told = running.server.metrics.text().decode()
        assert 'tisch_refused_total{code="TOO_MANY_HINTS"} 1.0' in told

    tell(story)


def test_a_table_gets_so_many_hints_in_a_period_however_many_ask(tell: Tell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "MOST_BY_TABLE", 2)

    async def story(running: Running, _: HandClock) -> None:
        # All four are asked at the same time whether they call a grand Tichu.
        players = [await running.join(f"Gast {number}") for number in range(4)]
        await players[0].say("start_game")
        await running.settle()
        for player in players[:2]:
            await player.send("hint")
            await player.until("hint")
        for player in players[2:]:
            assert (await player.refused("hint"))["code"] == Code.TOO_MANY_HINTS

    tell(story)


def test_an_address_waits_for_so_many_hints_at_all_tables(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "HINTS", 1)

    async def story() -> None:
        adviser = Adviser()
        async with house.open(tmp_path, HandClock(), proxy=True) as running:
            one, two, other = [
                await begin(running, f"Tisch {number}", headers={"X-Forwarded-For": address})
                for number, address in enumerate(("10.0.0.1", "10.0.0.1", "10.0.0.2"))
            ]
            with mock.patch.object(running.server.pool, "advise", adviser.advise):
                await one.say("hint")
                assert (await two.refused("hint"))["code"] == Code.TOO_MANY_HINTS
                await other.say("hint")
                adviser.may_answer.set()
                await one.until("hint")
                await other.until("hint")
                await two.send("hint")
                await two.until("hint")

    house.run(story())


def test_a_hint_ends_with_its_position(tell: Tell) -> None:
    async def story(running: Running, _: HandClock) -> None:
        adviser = Adviser()
        ben = await begin(running)
        with mock.patch.object(running.server.pool, "advise", adviser.advise):
            await ben.say("hint")
            assert (adviser.asked, adviser.given_up) == (1, 0)
            await ben.say("move", move="close")
            await running.until(lambda: adviser.given_up == 1)
            adviser.may_answer.set()
            await ben.say("ping")
        assert not [message for message in ben.seen if message["type"] == "hint"]

    tell(story)


def test_a_request_drops_the_hints_for_an_older_position() -> None:
    playing = Playing("game", Record("sechsundsechzig", {}, SEED, []))
    of_table = hints.Hints(quotas.Quotas(1))
    assert of_table.ask(playing, 0, "en", "Ben", address="192.0.2.1", now=0.0) is None
    (first,) = of_table.asked
    # Nobody tells the hints that a move was made.
    playing.make(0, [playing.game.parse("close")])
    assert of_table.ask(playing, 0, "en", "Ben", address="192.0.2.1", now=0.0) is None
    assert of_table.dropped == [first] and of_table.asked[0] is first and len(of_table.asked) == 2
    assert of_table.advised(first, Advice("close", "")) == set()
    assert of_table.advised(of_table.asked[1], Advice("lay HA", "")) == {"Ben"}


# --- a flood of hints -------------------------------------------------------------------------------------------------


@contextmanager
def flooded(server: Served) -> Iterator[None]:
    """Let forty players at twenty tables ask for hints as fast as they may."""
    command = [sys.executable, hint_flood.__file__, str(server.port), str(TABLES)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as flood:
        assert flood.stdin
        assert flood.stdout
        try:
            assert flood.stdout.readline() == "ready\n"
            yield
            assert flood.poll() is None
        finally:
            flood.stdin.close()


async def metric(http: aiohttp.ClientSession, server: Served, name: str) -> float:
    """Read a metric."""
    async with http.get(f"{server.address}/metrics") as answer:
        found = re.search(rf"^{re.escape(name)} (\S+)$", await answer.text(), re.MULTILINE)
    return float(found[1]) if found else 0.0


async def until_counted(http: aiohttp.ClientSession, server: Served, name: str) -> None:
    """Wait until a metric is not zero."""
    async with asyncio.timeout(PATIENCE):
        while not await metric(http, server, name):  # noqa: ASYNC110 - A metric tells nobody that it has changed.
            await asyncio.sleep(0.1)


async def make_moves(client: Client, wanted: int) -> None:
    """Make the safest moves until so many were made at the table, most of them by agents."""
    made, asked = 0, None
    while made < wanted:
        message = await client.receive()
        payload = message.get("payload", {})
        made += message["type"] == "notification" and payload["event"] in ("player_played", "player_passed")
        if message["type"] == "view" and payload["request"] and payload["request"]["request_id"] != asked:
            asked = payload["request"]["request_id"]
            await client.send("move", move=payload["choices"]["legal"][0])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all addresses from 127.0.0.2 on")
def test_other_tables_go_on_while_one_address_floods_the_agents_with_hints(tmp_path: Path) -> None:
    async def story(server: Served) -> None:
        elsewhere = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0))
        async with aiohttp.ClientSession() as here, aiohttp.ClientSession(connector=elsewhere) as http:
            # The flood has begun for good once hints wait.
            await until_counted(here, server, 'tisch_agent_queue{kind="hint"}')
            kim = await connected(http, server, player_name="Kim", table_name="Ruhe", game="tichu", view="1")
            await kim.welcomed()
            await kim.send("start_game")
            thought = 'tisch_agent_thinking_seconds_count{kind="%s"}'
            before = [await metric(here, server, thought % kind) for kind in ("hint", "move")]
            async with asyncio.timeout(PATIENCE):
                await make_moves(kim, 24)
            after = [await metric(here, server, thought % kind) for kind in ("hint", "move")]
            given, moved = (now - then for now, then in zip(after, before, strict=True))
            # A move waits for one hint at most, and another hint may begin while the server tells it.
            assert 0 < given <= 3 * moved, (given, moved)
            await until_counted(here, server, 'tisch_refused_total{code="TOO_MANY_HINTS"}')
            assert await metric(here, server, 'tisch_agent_waiting_seconds_count{kind="move"}') >= moved
            await kim.socket.close()

    with serving(tmp_path, "--level", "strong", "--pause", "0.1") as server, flooded(server):
        asyncio.run(story(server))
