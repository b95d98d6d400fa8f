"""Tests of a delay for spectators over real connections: nothing comes before its time, and all of it in order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server import HandClock, House, skip
from tisch.server.net import websocket


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """The environment of the servers."""
    house = House()
    yield house
    house.close()


def test_nothing_comes_before_its_time(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            ben = await running.join("Ben", game="maumau")
            await ben.say("set_options", watch_delay=30)
            watcher = await running.connect(table_name="Stube", spectator=1, view=1)
            assert (await watcher.until("delayed")) == {"seconds": 30}
            await ben.say("start_game")
            skip(15.0)
            await ben.say("chat", phrase="hello")
            assert await watcher.sync() == []
            skip(14.0)
            assert await watcher.sync() == []
            skip(1.5)
            await watcher.until("notification", event="spectator_joined")
            await watcher.until("notification", event="game_started")
            seen = len(watcher.seen)
            await watcher.sync()
            assert "'event': 'chat'" not in str(watcher.seen[seen:])
            skip(15.0)
            await watcher.until("notification", event="chat")
            numbers = [one["payload"]["number"] for one in watcher.seen if one["type"] == "notification"]
            assert numbers == sorted(numbers)

    house.run(story())


def test_a_spectator_for_whom_too_much_is_held_is_cut_off(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        monkeypatch.setattr(websocket, "LONGEST_HELD", 2000)
        async with house.open(tmp_path, HandClock()) as running:
            ben = await running.join("Ben", game="maumau")
            await ben.say("set_options", watch_delay=300)
            watcher = await running.connect(table_name="Stube", spectator=1)
            await watcher.until("delayed")
            (peer,) = [peer for peer in running.server.peers if peer._held is not None]
            for _ in range(60):
                await ben.say("chat", phrase="hello")
            await running.until(lambda: len(running.server.peers) == 1)
            assert peer.dropped and await watcher.closed() in (1006, None)

    house.run(story())
