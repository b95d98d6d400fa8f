"""Tests of what agents plan: it is committed along, told in its time, and taken back when somebody intervenes."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from server import PATIENCE, Client, HandClock, House, Running, dealt, kept_log
from tisch.agents import agent_of, level_of
from tisch.games import find
from tisch.ports.told import as_json
from tisch.record import Record
from tisch.server.agents.pool import AgentPool
from tisch.server.store.journal import Journal
from tisch.server.store.journal_file import JOURNAL, ROOM
from tisch.server.table import mailbox
from tisch.table.kept import AddMove, Change

#: The pause between moves, in seconds.
PAUSE = 1.0
#: With this seed an agent leads, and Ben, who passes wherever possible, is asked only after several agents.
SEED = 1

Story = Callable[[Running, HandClock], Coroutine[Any, Any, None]]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people wait for agents at any time and as long as a busy machine needs."""
    monkeypatch.setattr(mailbox, "THOUGHT", PATIENCE)
    monkeypatch.setattr(mailbox, "QUIET", 0.0)


@pytest.fixture
def tell(house: House, tmp_path: Path) -> Callable[[Story], None]:
    """Let a story happen at a server whose clock is turned by hand."""

    async def open_and_tell(story: Story) -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            await story(running, clock)

    return lambda story: house.run(open_and_tell(story))


def made(running: Running, name: str = "Stube") -> list[tuple[int, str]]:
    """The moves that were made at a table."""
    playing = running.table(name).playing
    assert playing
    return list(playing.moves)


def kept(folder: Path) -> list[tuple[int, str]]:
    """The moves of the only running game that a server would find if it were killed now."""
    with closing(sqlite3.connect(folder / JOURNAL)) as connection:
        rows = connection.execute("SELECT key, seat, text FROM move ORDER BY key").fetchall()
    assert [key % ROOM for key, _, _ in rows] == list(range(1, len(rows) + 1))
    return [(seat, text) for _, seat, text in rows]


async def go_on(running: Running, clock: HandClock, ben: Client) -> bool:
    """Make Ben's safest move if there is a request, or else let time pass.

    :result: Was there a request?
    """
    await running.settle()
    playing = running.table().playing
    assert playing
    request = playing.requests.get(0)
    if not request:
        clock.turn(PAUSE)
    elif request.action == "schupf":
        await ben.respond("schupf", given_schupf_cards=as_json(request.context)["hand_cards"][:3])
    else:
        await ben.say("move", move=str(playing.safest(0)[0]))
    await running.settle()
    return request is not None


async def until_written_ahead(running: Running, clock: HandClock, **query: Any) -> Client:
    """Let Ben sit down at Tichu and play until the journal holds moves that were not made.

    :result: Ben.
    """
    ben = await running.join("Ben", **query)
    await ben.say("set_options", agent="rule", options={"rounds": 1})
    with dealt(SEED):
        await ben.say("start_game")
    while not (made(running) and made(running)[-1][1].startswith("play")):
        await go_on(running, clock, ben)
    return ben


def noted_writes(running: Running) -> list[tuple[Change, ...]]:
    """Note what is written from now on."""
    writes: list[tuple[Change, ...]] = []
    journal = running.server.journal

    def write(*changes: Change) -> asyncio.Future[None]:
        writes.append(changes)
        return Journal.write(journal, *changes)

    journal.write = write  # type: ignore[assignment,method-assign]
    return writes


@pytest.mark.parametrize(
    ("choice", "agent"), [("medium", "rule"), ("rule", "rule"), (None, agent_of(find("tichu"), "strong"))]
)
def test_a_level_is_played_by_its_agent(tell: Any, choice: str | None, agent: str) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        asked: list[str] = []
        pool = running.server.pool

        async def decide(
            table: str, record: Record, seats: Sequence[int], agent: str, **how: Any
        ) -> tuple[int, str] | None:
            asked.append(agent)
            return await AgentPool.decide(pool, table, record, seats, agent, **how)

        pool.decide = decide  # type: ignore[method-assign]
        await ben.say("set_options", agent=choice, options={"rounds": 1})
        await ben.say("start_game")
        await running.settle()
        assert asked and set(asked) == {agent}

    tell(story)


def test_a_table_keeps_its_level_and_its_agent_over_a_restart(house: House, tmp_path: Path) -> None:
    async def main() -> list[str]:
        async with house.open(tmp_path, HandClock(), level="very-strong") as running:
            for name, choice in (("Level", "medium"), ("Name", "heuristic"), ("Default", None)):
                ben = await running.join("Ben", table=name)
                await ben.say("set_options", agent=choice)
        async with house.open(tmp_path, HandClock(), level="easy") as running:
            return [running.table(name).agents.choice for name in ("Level", "Name", "Default")]

    assert house.run(main()) == ["medium", "heuristic", level_of(find("tichu"), "very-strong")]


@pytest.mark.parametrize("left", [1, 2])
def test_the_process_follows_who_intervenes(tell: Any, tmp_path: Path, left: int) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await until_written_ahead(running, clock)
        # The process may know a game of as many moves as there will be now; the last of them is another one.
        while len(kept(tmp_path)) > len(made(running)) + left:
            clock.turn(PAUSE)
            await running.settle()
        before = made(running)
        with kept_log() as records:
            await ben.say("move", move="tichu")
            await running.settle()
        assert not [record for record in records if record.levelno > logging.INFO]
        assert kept(tmp_path)[: len(before) + 1] == [*before, (0, "tichu")] and len(kept(tmp_path)) > len(before) + 1

    tell(story)


def test_a_server_that_stops_keeps_nothing_that_was_not_told(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            await until_written_ahead(running, clock)
            before = made(running)
            assert len(kept(tmp_path)) > len(before)
        assert kept(tmp_path) == before
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            assert made(running) == before

    house.run(story())


@pytest.mark.parametrize(("thought", "quiet"), [(0.05, 0.0), (10 * PATIENCE, 1e9)], ids=["too long", "much is written"])
def test_agents_who_think_long_delay_nobody(
    tell: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thought: float, quiet: float
) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        monkeypatch.setattr(mailbox, "THOUGHT", thought)
        monkeypatch.setattr(mailbox, "QUIET", quiet)
        ben = await running.join("Ben", game="maumau")
        think = running.server.pool.decide
        release = asyncio.Event()

        async def long(*asked: Any, **how: Any) -> Any:
            await release.wait()
            return await think(*asked, **how)

        with mock.patch.object(running.server.pool, "decide", long):
            with dealt(SEED):
                await ben.say("start_game")
            while 0 not in running.table().playing.requests:  # type: ignore[union-attr]
                release.set()
                await running.settle()
                clock.turn(PAUSE)
                await running.settle()
                release.clear()
            await ben.send("move", move=str(running.table().playing.safest(0)[0]))  # type: ignore[union-attr]
            moved = await ben.until("notification")
            # The agents do not answer before this, however long Ben would wait.
            assert moved["event"] != "game_started"
            assert running.table().agents.is_busy and kept(tmp_path) == made(running)
            release.set()
            await running.settle()

    tell(story)


def test_agents_who_decide_together_need_one_commit_even_where_much_is_written(
    tell: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        monkeypatch.setattr(mailbox, "QUIET", 100.0)
        ben = await running.join("Ben")
        await ben.say("set_options", agent="rule", options={"rounds": 1})
        with dealt(SEED):
            await ben.say("start_game")
        await running.settle()
        clock.turn(PAUSE)
        await running.settle()
        # The pause is over: what the agents give away, one after the other, could be made at once.
        writes = noted_writes(running)
        await ben.respond("announce_grand_tichu", announced=False)
        await running.settle()
        texts = [[change.text for change in changes if isinstance(change, AddMove)] for changes in writes]
        assert [len(each) for each in texts if each] == [1, 9]

    tell(story)
