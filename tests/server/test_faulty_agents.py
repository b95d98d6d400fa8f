"""Tests of what a table does with its agents' thoughts when there are none: agents that fail, and a pool that does."""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

import agent_examples
from server import PAUSE, HandClock, House, Running, kept_log, play_on
from tisch.games import tichu
from tisch.server.agents import pool
from tisch.server.agents.pool import AgentPoolError
from tisch.transcript import read


@pytest.fixture(name="house")
def house_of_bad_agents(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house whose processes know the agents of the examples."""
    for game, agents in agent_examples.EXAMPLES.items():
        monkeypatch.setattr(type(game), "agents", agents)
    monkeypatch.setattr(pool, "COMMAND", (sys.executable, str(Path(agent_examples.__file__))))
    house = House()
    yield house
    house.close()


async def play_alone(running: Running, clock: HandClock, agent: str) -> str:
    """Let one person play a round of Tichu with agents, who are told of no error.

    :result: The round's transcript.
    """
    ben = await running.join("Ben")
    await ben.say("set_options", agent=agent, options={"rounds": 1})
    await ben.say("start_game")
    await play_on(running, clock, ben)
    assert not [message for message in ben.seen if message["type"] == "error"]
    over = await ben.last("game_over")
    return str((await running.get(f"/api/games/{over['game_id']}"))["transcript"])


def assert_safest(transcript: str, seats: set[int]) -> None:
    """Make sure that some seats made the safest move each time, which is the first of the legal ones."""
    played = read(transcript)
    state = tichu.GAME.new(tichu.Options(rounds=1), played.seed)
    made = 0
    for seat, text in played.moves:
        if seat in seats:
            assert text == str(state.legal(seat)[0])
            made += 1
        state.play(seat, tichu.GAME.parse(text))
    assert state.outcome() and made > 20


async def with_agents_that_fail(running: Running, clock: HandClock) -> str:
    return await play_alone(running, clock, "failing")


async def without_processes(running: Running, clock: HandClock) -> str:
    with mock.patch.object(running.server.pool, "decide", side_effect=AgentPoolError("There is no process.")):
        return await play_alone(running, clock, "heuristic")


@pytest.mark.parametrize("playing", [with_agents_that_fail, without_processes])
def test_a_table_whose_agents_fail_plays_on_with_the_safest_moves(
    house: House, tmp_path: Path, playing: Callable[[Running, HandClock], Awaitable[str]]
) -> None:
    async def main() -> str:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            return await playing(running, clock)

    with kept_log() as records:
        assert_safest(house.run(main()), {1, 2, 3})
    # One line tells of it, however often they fail.
    (line,) = [record for record in records if record.levelno > logging.INFO]
    assert line.getMessage() == "an agent failed" and line.exc_info
    assert getattr(line, "agent", None) == ("failing" if playing is with_agents_that_fail else "heuristic")


def test_each_game_tells_anew_of_agents_that_fail(house: House, tmp_path: Path) -> None:
    async def main() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            ben = await running.join("Ben")
            await ben.say("set_options", agent="failing", options={"rounds": 1})
            for _ in range(2):
                await ben.say("start_game")
                await play_on(running, clock, ben)

    with kept_log() as records:
        house.run(main())
    assert [record.getMessage() for record in records if record.levelno > logging.INFO] == ["an agent failed"] * 2
