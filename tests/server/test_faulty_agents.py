"""Tests of what a table does when its agents do not decide: they fail, their game's fallback fails, the pool does."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from prometheus_client.parser import text_string_to_metric_families

import agent_examples
from server import PATIENCE, PAUSE, HandClock, House, Running, kept_log, play_on
from tisch.agents import build_agent
from tisch.driver import AgentFault
from tisch.game import Random
from tisch.games import tichu
from tisch.ports.refusal import Code
from tisch.record import Record
from tisch.server.agents import failures as failures_module
from tisch.server.agents import pool
from tisch.server.agents.failures import Failures
from tisch.server.agents.pool import AgentPoolError
from tisch.server.metrics import Metrics
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


def moments(transcript: str) -> Iterator[tuple[Any, int, str]]:
    """Replay the moves of the agents, who have all seats but the first.

    :result: The state before each, the seat and the move's text.
    """
    played = read(transcript)
    state = tichu.GAME.new(tichu.Options(rounds=1), played.seed)
    for seat, text in played.moves:
        if seat:
            yield state, seat, text
        state.play(seat, tichu.GAME.parse(text))
    assert state.outcome() and len(played.moves) > 30


def assert_safest(transcript: str) -> None:
    """Make sure that the agents' seats made the safest move each time, which is the first of the legal ones."""
    for state, seat, text in moments(transcript):
        assert text == str(state.legal(seat)[0])


def assert_ruled(transcript: str) -> None:
    """Make sure that the agents' seats played as the game's fallback does, which is declared to be ``rule``."""
    for state, seat, text in moments(transcript):
        agent = build_agent(tichu.GAME, "rule")
        agent.start(Random(0, "agent"))
        assert text == str(agent.act(state.view(seat), state.legal(seat), seat in state.awaiting()))


async def counted(running: Running) -> dict[tuple[str, str], float]:
    """Read the metric of failures.

    :result: The number of failures by game and agent.
    """
    async with running.session.get(f"http://127.0.0.1:{running.port}/metrics") as response:
        families = text_string_to_metric_families(await response.text())
    samples = [sample for family in families for sample in family.samples]
    return {
        (sample.labels["game"], sample.labels["agent"]): sample.value
        for sample in samples
        if sample.name == "tisch_agent_failures_total"
    }


def problems(records: list[logging.LogRecord]) -> list[Any]:
    """The lines of the log that tell of problems."""
    return [record for record in records if record.levelno > logging.INFO]


def test_where_an_agent_fails_the_fallback_of_its_game_decides(house: House, tmp_path: Path) -> None:
    async def main() -> tuple[str, dict[tuple[str, str], float]]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            return await play_alone(running, clock, "failing"), await counted(running)

    with kept_log() as records:
        transcript, failures = house.run(main())
    assert_ruled(transcript)
    # Each decision is counted, and more were planned than made.
    assert failures.keys() == {("tichu", "failing")}
    assert failures["tichu", "failing"] >= len([*moments(transcript)])
    # One line tells of it, however often they fail: where it was first, as a transcript.
    (line,) = problems(records)
    assert line.getMessage() == "an agent failed" and line.exc_info
    assert (line.game, line.agent, line.kind) == ("tichu", "failing", "crash") and line.table
    position, whole = read(line.transcript), read(transcript)
    assert (position.seed, position.options) == (whole.seed, whole.options)
    assert position.moves == whole.moves[: len(position.moves)] and not position.notes
    state = position.verify()
    assert line.seat in {*state.awaiting(), *state.speakers()}


async def with_fallbacks_that_fail(running: Running, clock: HandClock) -> str:
    with mock.patch.object(type(tichu.GAME), "fallback", "failing"):
        return await play_alone(running, clock, "failing")


async def with_two_agents_that_fail(running: Running, clock: HandClock) -> str:
    with mock.patch.object(type(tichu.GAME), "fallback", "failing-too"):
        return await play_alone(running, clock, "failing")


async def without_processes(running: Running, clock: HandClock) -> str:
    with mock.patch.object(running.server.pool, "decide", side_effect=AgentPoolError("There is no process.")):
        return await play_alone(running, clock, "heuristic")


@pytest.mark.parametrize(
    ("playing", "failed"),
    [
        (with_fallbacks_that_fail, [("failing", "crash")]),
        (with_two_agents_that_fail, [("failing", "crash"), ("failing-too", "crash")]),
        (without_processes, [("heuristic", "pool")]),
    ],
)
def test_where_no_agent_can_help_the_safest_move_is_made(
    house: House,
    tmp_path: Path,
    playing: Callable[[Running, HandClock], Awaitable[str]],
    failed: list[tuple[str, str]],
) -> None:
    async def main() -> tuple[str, dict[tuple[str, str], float]]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            return await playing(running, clock), await counted(running)

    with kept_log() as records:
        transcript, failures = house.run(main())
    assert_safest(transcript)
    # A decision counts once for each agent that was asked.
    assert failures.keys() == {("tichu", agent) for agent, _ in failed}
    assert min(failures.values()) >= len([*moments(transcript)])
    assert [(line.agent, line.kind) for line in problems(records)] == failed


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
    assert [record.getMessage() for record in problems(records)] == ["an agent failed"] * 2


def test_the_log_tells_where_an_agent_failed_and_not_what_was_played_meanwhile(house: House, tmp_path: Path) -> None:
    async def main() -> int:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            ben = await running.join("Ben")
            await ben.say("set_options", agent="heuristic", options={"rounds": 1})
            asked, release = asyncio.Event(), asyncio.Event()

            async def fail(*question: Any, **more: Any) -> None:
                asked.set()
                await release.wait()
                raise AgentFault(1, "slow", "The agent of seat 1 took more than 10 s.")

            with mock.patch.object(running.server.pool, "decide", fail):
                await ben.say("start_game")
                await asyncio.wait_for(asked.wait(), PATIENCE)
                playing = running.table().playing
                assert playing
                count = len(playing.moves)
                await ben.say("move", move=str(playing.safest(0)[0]))
                assert len(playing.moves) == count + 1
                release.set()
                await running.settle()
            return count

    with kept_log() as records:
        count = house.run(main())
    first = next(record for record in problems(records) if record.getMessage() == "an agent failed")
    assert len(read(first.transcript).moves) == count


def test_a_hint_that_fails_is_counted(house: House, tmp_path: Path) -> None:
    async def main() -> dict[tuple[str, str], float]:
        async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
            ben = await running.join("Ben")
            await ben.say("start_game")
            with mock.patch.dict(type(tichu.GAME).levels, {"very-strong": "failing"}):
                await ben.say("hint", language="en")
                assert (await ben.error())["code"] == Code.SERVER_BUSY
            return await counted(running)

    with kept_log() as records:
        assert house.run(main()) == {("tichu", "failing"): 1}
    (line,) = problems(records)
    assert read(line.transcript).verify().awaiting()


@pytest.mark.parametrize("asked", ["advice", "analysis"])
def test_advice_on_a_finished_game_that_fails_is_counted(house: House, tmp_path: Path, asked: str) -> None:
    async def main() -> tuple[str, dict[tuple[str, str], float]]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            transcript = await play_alone(running, clock, "rule")
            (game,) = (await running.get("/api/games"))["games"]
            url = f"http://127.0.0.1:{running.port}/api/games/{game['id']}/{asked}/1"
            fault = AgentPoolError("There is no process.")
            with mock.patch.multiple(running.server.pool, advise=failing(fault), judge=failing(fault)):
                async with running.session.get(url) as response:
                    assert response.status == 503
            return transcript, await counted(running)

    with kept_log() as records:
        transcript, failures = house.run(main())
    ((_, agent),) = failures
    (line,) = problems(records)
    assert failures == {("tichu", agent): 1} and line.agent == agent
    # The position is the one before the step that was asked about.
    position = read(line.transcript)
    assert (position.seed, [*position.moves]) == (read(transcript).seed, [])


def failing(error: Exception) -> mock.AsyncMock:
    """A question that is never answered."""
    return mock.AsyncMock(side_effect=error)


def test_failures_are_not_remembered_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures_module, "REMEMBERED", 2)
    failures = Failures(Metrics())
    with kept_log() as records:
        for seed in (1, 2, 1, 3, 1):
            failures.report(Record("null", {}, seed, []), "random", AgentPoolError("There is no process."))
    assert [read(line.transcript).seed for line in problems(records)] == [1, 2, 3, 1]
