"""Tests of the processes in which AIs think: whole games through them, bad agents, and processes that are killed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import agent_examples
from places import HARNESS, ROOT, TESTS
from tisch import driver
from tisch.driver import AgentFault
from tisch.game import Agent, Random
from tisch.games import REGISTRY, find, null, tichu
from tisch.games.tichu.agents import RuleAgent
from tisch.record import Record
from tisch.server.agents import pool
from tisch.server.agents.pool import AgentPool, AgentPoolError, Kind
from tisch.server.agents.process import Frames, Reply, frame
from tisch.server.metrics import Metrics
from tisch.table.hints import Advice
from tisch.transcript import read
from waiting import wait_until

#: Short games of every kind.
SHORT: dict[str, dict[str, Any]] = {"tichu": {"rounds": 1}, "sechsundsechzig": {"goal": 1}}


@pytest.fixture(autouse=True)
def _examples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes know the agents of the examples."""
    for game, agents in agent_examples.EXAMPLES.items():
        monkeypatch.setattr(type(game), "agents", agents)
    monkeypatch.setattr(pool, "COMMAND", (sys.executable, str(Path(agent_examples.__file__))))


def run(test: Callable[[AgentPool], Awaitable[None]], count: int = 1, patience: float = 30.0) -> None:
    """Run a test with a pool; whatever happens in it must be over in two minutes."""

    async def whole() -> None:
        async with started(count, patience) as those:
            await asyncio.wait_for(test(those), 120)

    asyncio.run(whole())


@contextlib.asynccontextmanager
async def started(count: int = 1, patience: float = 30.0, metrics: Metrics | None = None) -> AsyncIterator[AgentPool]:
    those = AgentPool(count, patience, metrics)
    await those.start()
    try:
        yield those
    finally:
        await those.close()
        assert not children()


#: What other tests have left running in this process, such as Python's own tracker of shared memory.
FOREIGN: set[int] = set()


@pytest.fixture(autouse=True)
def _only_own_children() -> None:
    """Look away from processes that were there before the test."""
    FOREIGN.clear()
    FOREIGN.update(children())


def children(parent: int | None = None) -> list[int]:
    """The processes that a process has started, also those that are dead and not yet buried."""
    pids = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rsplit(")", 1)[1].split()[1]) == (parent or os.getpid()):
                pids.append(int(stat.parent.name))
    return sorted(pid for pid in pids if pid not in FOREIGN)


class Position(NamedTuple):
    """A table and its game so far."""

    table: str
    record: Record

    @property
    def moves(self) -> list[tuple[int, str]]:
        """The moves, to which a test appends."""
        assert isinstance(self.record.moves, list)
        return self.record.moves


def position(game: str = "null", seed: int = 1, table: str = "one", *moves: tuple[int, str]) -> Position:
    return Position(table, Record(game, SHORT.get(game, {}), seed, list(moves)))


def holds_nine(seat: int) -> int:
    """A seed of null with which a seat gets the card at which faulty agents fail."""
    return next(seed for seed in range(1000) if null.GAME.new(null.Options(), seed).cards[seat] == 9)


async def finish(those: AgentPool, at: Position, agent: str) -> None:
    """Play a game to its end by deciding alone, and verify it."""
    seats = range(at.record.start().seats)
    while (said := await those.decide(*at, list(seats), agent)) is not None:
        at.moves.append(said)
    those.forget(at.table)
    *_, state = at.record.replay()
    assert state.outcome() is not None


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*REGISTRY, "null"])
@pytest.mark.parametrize("kind", ["random", "strongest"])
def test_every_game_is_played_to_its_end(game: str, kind: str) -> None:
    agent = kind if kind == "random" or game == "null" else list(find(game).agents)[-1]

    async def test(those: AgentPool) -> None:
        await finish(those, position(game, 5), "cautious" if agent == "strongest" else agent)

    run(test)


def test_who_searches_sees_worlds() -> None:
    async def test(those: AgentPool) -> None:
        await finish(those, position("sechsundsechzig", 3), "search")

    run(test)


@pytest.mark.parametrize(("agent", "kind"), [("rule", RuleAgent), ("eager", agent_examples.Eager)])
def test_agents_are_asked_exactly_as_the_driver_asks(agent: str, kind: type[Agent[Any]]) -> None:
    def driven(seed: int) -> list[tuple[int, str]]:
        agents = [kind() for _ in range(4)]
        for each in agents:
            each.start(Random(0))
        moves: list[tuple[int, Any]] = []
        driver.play(tichu.GAME.new(tichu.Options(rounds=1), seed), agents, moves)
        return [(seat, str(move)) for seat, move in moves]

    async def test(those: AgentPool) -> None:
        games = [position("tichu", seed, f"table {seed}") for seed in range(12)]
        await asyncio.gather(*(finish(those, each, agent) for each in games))
        for each in games:
            assert each.moves == driven(each.record.seed)
        if agent == "eager":
            assert spoken(games) == {"tichu", "play"}

    run(test)


def spoken(games: list[Position]) -> set[str]:
    """The verbs of all moves that were made out of turn."""
    verbs = set()
    for each in games:
        state = tichu.GAME.new(tichu.Options(rounds=1), each.record.seed)
        for seat, text in each.moves:
            if seat not in state.awaiting():
                verbs.add(text.split()[0])
            state.play(seat, tichu.GAME.parse(text))
    return verbs


def test_many_tables_at_once_on_the_other_loop() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def test() -> None:
        async with started(2) as those:
            games = [position("null", seed, f"null {seed}") for seed in range(300)]
            games += [position("tichu", seed, f"tichu {seed}") for seed in range(30)]
            await asyncio.gather(*(finish(those, each, "random") for each in games))
            assert sorted(worker.tables for worker in those._workers) == [0, 0]

    uvloop.run(test())


# --- who is asked -----------------------------------------------------------------------------------------------------


def test_only_the_seats_of_ais_are_asked() -> None:
    async def test(those: AgentPool) -> None:
        at = position()
        assert await those.decide(*at, [], "random") is None
        said = await those.decide(*at, [1], "random")
        assert said is not None
        assert said[0] == 1
        at.moves.append(said)
        # Seat 0, which is awaited, is a person's.
        assert await those.decide(*at, [1], "cautious") is None

    run(test)


def test_a_table_may_change_its_mind_about_the_agent_and_who_sits_there() -> None:
    async def test(those: AgentPool) -> None:
        at = position()
        assert await those.decide(*at, [0, 1], "twice") == (0, "low")
        assert await those.decide(*at, [0, 1], "twice") == (0, "high")
        await those.decide(*at, [0, 1], "cautious")
        assert await those.decide(*at, [0, 1], "twice") == (0, "low"), "another agent in between"
        assert await those.decide(*at, [1], "twice") == (1, "low"), "a person takes seat 0"
        assert await those.decide(*at, [0, 1], "twice") == (0, "low"), "and gives it back"

    run(test)


def test_a_fair_decision_follows_from_the_game_alone() -> None:
    async def test(those: AgentPool) -> None:
        at = position()
        for _ in range(2):
            assert await those.decide(*at, [0, 1], "twice", is_fair=True) == (0, "low"), "nothing is remembered"
        seen = set()
        for seed in range(20):
            # Neither the table nor what was asked before changes it; the seed does.
            said = [
                await those.decide(*position("null", seed, table), [0, 1], "random", is_fair=True, kind=kind)
                for table, kind in (("one", Kind.MOVE), ("two", Kind.PAR))
            ]
            assert said[0] == said[1]
            seen.add(said[0])
        assert seen == {(0, "low"), (0, "high")}

    run(test)


@pytest.mark.parametrize("known", [0, 60, 80])
def test_a_game_of_before_the_last_wish_is_judged_and_followed_by_the_rules_of_then(known: int) -> None:
    """Seat 0 laid the Mah Jong as its last card with move 80, and made no wish."""
    whole = read((TESTS / "transcripts" / "tichu-before-the-last-wish.txt").read_text(encoding="utf-8"))
    seat, played = whole.moves[80]

    async def test(those: AgentPool) -> None:
        at = Position("one", Record("tichu", whole.options, whole.seed, list(whole.moves[:known])))
        await those.decide(*at, [], "random")
        at.moves.extend(whole.moves[known:80])
        advice = await those.advise(*at, seat, "search:playouts=8", played=played)
        assert advice.move.startswith(("play", "pass"))
        at.moves[80:] = [(seat, played)]
        judged = await those.judge("judged", at.record, "search:playouts=8")
        assert judged and (judged.number, judged.seat, judged.move) == (81, seat, played)
        # A table that is known to this point follows the moves that were made then.
        followed = Position("followed", replace(at.record, moves=list(whole.moves[:known])))
        assert await those.decide(*followed, [1, 2, 3], "random") is None or known < 80
        followed.moves.extend(whole.moves[known:-1])
        assert await those.decide(*followed, [whole.moves[-1][0]], "random") is not None

    run(test)


def test_while_a_game_goes_on_nobody_leaves_out_the_last_wish() -> None:
    whole = read((TESTS / "transcripts" / "tichu-before-the-last-wish.txt").read_text(encoding="utf-8"))

    async def test(those: AgentPool) -> None:
        at = Position("one", Record("tichu", whole.options, whole.seed, list(whole.moves[:80])))
        assert await those.decide(*at, [1, 2, 3], "random") is None
        assert await those.advise(*at, 1, "heuristic") == Advice("", "")
        said = await those.decide(*at, [0, 1, 2, 3], "random")
        assert said and said[0] == 0 and said[1].startswith("wish ")
        at.moves.append(said)
        said = await those.decide(*at, [1, 2, 3], "random")
        assert said and said[0] == 1

    run(test)


def test_advice_comes_with_its_reason_and_leaves_no_trace() -> None:
    async def test(those: AgentPool) -> None:
        at = position("tichu", 3)
        advice = await those.advise(*at, 2, "heuristic")
        assert advice.move in ("pass", "grand")
        assert advice.reason.startswith("For Grand Tichu, these eight cards are ")
        german = await those.advise(*at, 2, "heuristic", "de")
        assert german.move == advice.move
        assert german.reason.startswith("Für ein Großes Tichu sind diese acht Karten ")
        game = position("null", 3, "two")
        assert await those.advise(*game, 0, "twice") == await those.advise(*game, 0, "twice") == Advice("low", "")
        assert await those.decide(*game, [0, 1], "twice") == (0, "low")
        game.moves.append((0, "low"))
        assert await those.advise(*game, 0, "twice") == Advice("", ""), "it may double, but keeps silent"
        game.moves.append((1, "low"))
        assert await those.advise(*game, 0, "twice") == Advice("", ""), "the game is over"

    run(test)


def test_what_does_not_exist_is_the_callers_fault() -> None:
    async def test(those: AgentPool) -> None:
        with pytest.raises(ValueError, match="no game 'chess'"):
            await those.decide("one", replace(position().record, game="chess"), [0], "random")
        with pytest.raises(ValueError, match="no agent 'clever'"):
            await those.decide(*position(), [0], "clever")

    run(test)


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_only_new_moves_are_told() -> None:
    async def test(those: AgentPool) -> None:
        at = position("tichu", 1)
        sent: list[Any] = []
        worker = those._workers[0]
        pipe = worker._pipe
        worker._pipe = Tapped(pipe.write, sent)  # type: ignore[assignment]
        for _ in range(20):
            said = await those.decide(*at, [0, 1, 2, 3], "rule")
            assert said is not None
            at.moves.append(said)
        worker._pipe = pipe
        first, *others = (len(data) for data in sent)
        assert max(others) < first + 40

    run(test)


class Tapped:
    """A pipe that remembers what was written."""

    def __init__(self, write: Callable[[bytes], None], sent: list[bytes]) -> None:
        self._write, self._sent = write, sent

    def write(self, data: bytes) -> None:
        self._sent.append(data)
        self._write(data)


def test_forgetting_frees_the_game_and_its_agents() -> None:
    async def test(those: AgentPool) -> None:
        for number in range(50):
            await those.decide(*position("null", number, f"table {number}"), [0, 1], "counting")
        # One more game, and one more agent that counts itself.
        assert (await those.advise(*position("null", 1, "last"), 0, "counting")).reason == "51 51"
        for number in range(50):
            those.forget(f"table {number}")
        those.forget("never seen")
        assert (await those.advise(*position("null", 1, "last"), 0, "counting")).reason == "1 1"

    run(test)


def test_another_game_at_the_same_table_is_begun_anew() -> None:
    high = holds_nine(0)
    low = next(seed for seed in range(1000) if null.GAME.new(null.Options(), seed).cards[0] == 1)

    async def test(those: AgentPool) -> None:
        assert await those.decide(*position("null", high), [0], "cautious") == (0, "high")
        assert await those.decide(*position("null", low), [0], "cautious") == (0, "low")
        at = position("null", low, "one", (0, "low"))
        assert await those.decide(*at, [0], "cautious") is None
        del at.moves[:]
        assert await those.decide(*at, [0], "cautious") == (0, "low"), "as if nothing had been said"
        short = position("tichu", 1)
        assert await those.decide(*short, [0, 1, 2, 3], "rule")
        with pytest.raises(AgentPoolError, match="cannot be followed: ValueError"):
            await those.decide("one", replace(short.record, options={"rounds": -1}), [0, 1, 2, 3], "rule")

    run(test)


def test_a_question_is_about_the_moves_that_had_been_made_when_it_was_asked() -> None:
    async def test(those: AgentPool) -> None:
        at = position("null", holds_nine(0))
        os.kill(children()[0], signal.SIGKILL)
        question = asyncio.ensure_future(those.decide(*at, [0], "cautious"))
        await asyncio.sleep(0)
        at.moves.append((0, "low"))
        assert await question == (0, "high")
        assert await those.decide(*at, [0], "cautious") is None

    run(test)


def test_a_question_that_is_given_up_changes_nothing() -> None:
    async def test(those: AgentPool) -> None:
        at = position("tichu", 4)
        given_up = 0
        while len(at.moves) < 60:
            question = asyncio.ensure_future(those.decide(*at, [0, 1, 2, 3], "rule"))
            await asyncio.sleep(0)
            if len(at.moves) % 3 == given_up % 3:
                question.cancel()
                given_up += 1
                continue
            said = await question
            assert said is not None
            at.moves.append(said)
        assert given_up > 10
        await finish(those, at, "rule")

    run(test)


def test_a_game_that_cannot_be_followed_is_told_without_its_secrets() -> None:
    async def test(those: AgentPool) -> None:
        for moves in ([(0, "double")], [(0, "sevenoclubs")]):
            at = position("null", 1, "one", *moves)
            with pytest.raises(AgentPoolError, match=r"table 'one' cannot be followed: .*, line \d+") as caught:
                await those.decide(*at, [0, 1], "random")
            assert moves[0][1] not in str(caught.value)
        await finish(those, position(), "random")

    run(test)


# --- what comes first -------------------------------------------------------------------------------------------------


def test_moves_come_before_hints_and_what_nobody_waits_for_is_not_asked() -> None:
    async def test() -> None:
        metrics = Metrics()
        async with started(metrics=metrics) as those:
            order: list[str] = []

            def asked(name: str, question: Coroutine[Any, Any, object]) -> asyncio.Task[object]:
                task = asyncio.create_task(question)
                task.add_done_callback(lambda done: None if done.cancelled() else order.append(name))
                return task

            hints = [
                asked(f"hint {number}", those.advise(*position("null", number, f"{number}"), 0, "cautious"))
                for number in range(5)
            ]
            await asyncio.sleep(0)
            moves = [
                asked(f"move {number}", those.decide(*position("null", number, f"table {number}"), [0], "cautious"))
                for number in range(3)
            ]
            await asyncio.sleep(0)
            assert those.queue == {"hint": 5, "move": 3}
            hints[2].cancel()
            await asyncio.wait([*hints, *moves])
            # The process was at the first hint; all moves come before the next one.
            assert order == ["hint 0", "move 0", "move 1", "move 2", "hint 1", "hint 3", "hint 4"]
            assert not those.queue
        told = metrics.text().decode()
        for kind, number in (("hint", 4), ("move", 3)):
            for what in ("waiting", "thinking"):
                assert f'tisch_agent_{what}_seconds_count{{kind="{kind}"}} {number}.0' in told
        assert 'tisch_agent_dropped_total{kind="hint"} 1.0' in told

    asyncio.run(asyncio.wait_for(test(), 120))


def test_a_hint_given_up_in_the_turn_of_an_answer_is_not_asked_and_its_game_is_free() -> None:
    async def test() -> None:
        metrics = Metrics()
        async with started(metrics=metrics) as those:
            (worker,) = those._workers
            first, second, third = (
                asyncio.create_task(those.advise(*position("null", 1, table), 0, "counting")) for table in "123"
            )
            await asyncio.sleep(0)
            take = worker._take

            def give_up_and_take(reply: Reply) -> None:
                # Only now, in one turn of the event loop, so that nothing else happens in between.
                worker._take = take  # type: ignore[method-assign]
                second.cancel()
                those.forget("2")
                take(reply)

            worker._take = give_up_and_take  # type: ignore[method-assign]
            await first
            # The process has the games 1 and 3: the one in between was never sent.
            assert (await third).reason == "2 1"
            assert second.cancelled()
            assert not those.queue
        told = metrics.text().decode()
        assert 'tisch_agent_dropped_total{kind="hint"} 1.0' in told
        assert 'tisch_agent_thinking_seconds_count{kind="hint"} 2.0' in told

    asyncio.run(asyncio.wait_for(test(), 120))


def test_hints_that_wait_are_answered_when_the_process_is_replaced() -> None:
    async def test(those: AgentPool) -> None:
        (worker,) = those._workers
        lost, lose = asyncio.Event(), worker._lose

        def lose_and_tell() -> None:
            lose()
            lost.set()

        worker._lose = lose_and_tell  # type: ignore[method-assign]
        os.kill(children()[0], signal.SIGKILL)
        # Woken at once: a look now and then may miss the time until the next process is ready.
        await asyncio.wait_for(lost.wait(), 60)
        assert not worker._ready
        hints = [those.advise(*position("null", 1, f"{number}"), 0, "cautious") for number in range(3)]
        assert {advice.move for advice in await asyncio.gather(*hints)} <= {"low", "high"}

    run(test)


@pytest.mark.parametrize("is_hint", [False, True])
def test_moves_that_were_never_made_are_not_in_the_next_question(is_hint: bool) -> None:
    async def test(those: AgentPool) -> None:
        seed = holds_nine(1)
        planned = position("null", seed, "one", (1, "low"), (1, "double"))
        assert await those.decide(*planned, [0], "cautious") is not None
        # As many moves were made, but others: seat 1 has not decided yet, and holds the highest card.
        made = position("null", seed, "one", (0, "low"), (0, "double"))
        if is_hint:
            assert (await those.advise(*made, 1, "cautious")).move == "high"
        else:
            assert await those.decide(*made, [1], "cautious") == (1, "high")

    run(test)


def test_a_process_that_has_answered_starts_with_no_failures() -> None:
    async def test(those: AgentPool) -> None:
        for _ in range(2 * pool.ATTEMPTS):
            (pid,) = children()
            os.kill(pid, signal.SIGKILL)
            assert await those.decide(*position("null", holds_nine(0)), [0], "cautious") == (0, "high")

    run(test)


# --- bad agents -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("agent", "kind", "sentence"),
    [
        ("crashing", "crash", r"crashed: ArithmeticError in arena_examples.py, line \d+"),
        ("unwilling", "crash", "crashed: RuntimeError in"),
        ("unbuildable", "crash", "crashed: RuntimeError in"),
        ("dying", "crash", "ended its process"),
        ("exiting", "crash", "crashed: SystemExit in"),
        ("cheating", "illegal", "answered what it may not do"),
        ("babbling", "illegal", "answered what it may not do"),
        ("mute", "illegal", "kept silent though it was its turn"),
        ("hanging", "slow", "took more than 0.1 s"),
    ],
)
def test_what_a_bad_agent_does_is_its_own_fault(agent: str, kind: str, sentence: str, seat: int) -> None:
    async def test(those: AgentPool) -> None:
        at = position("null", holds_nine(seat))
        with pytest.raises(AgentFault, match=sentence) as caught:
            await (out_of_time(those, at, [seat], seat) if kind == "slow" else those.decide(*at, [seat], agent))
        assert (caught.value.seat, caught.value.kind) == (seat, kind)
        await finish(those, at, "random")

    run(test)


async def out_of_time(those: AgentPool, at: Position, seats: list[int], seat: int) -> object:
    """Ask an agent that hangs; the pool loses its patience only when the process is at this seat."""
    (worker,) = those._workers
    question = asyncio.ensure_future(those.decide(*at, seats, "hanging"))
    await until(lambda: worker._ready and worker._asked == seat)
    patience, worker._patience = worker._patience, 0.1
    worker._watch()
    try:
        return await question
    finally:
        # Another process, which does not hang, may take its time.
        worker._patience = patience


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("agent", ["hanging", "dying", "crashing"])
def test_of_several_agents_the_right_one_is_to_blame(agent: str, seat: int) -> None:
    async def test(those: AgentPool) -> None:
        # Seat 0 has spoken and is heard out of turn, before seat 1.
        at = position("null", holds_nine(seat), "one", (0, "low"))
        with pytest.raises(AgentFault, match=f"seat {seat}") as caught:
            await (out_of_time(those, at, [0, 1], seat) if agent == "hanging" else those.decide(*at, [0, 1], agent))
        assert caught.value.seat == seat

    run(test)


def test_others_only_wait_while_an_agent_hangs() -> None:
    async def test(those: AgentPool) -> None:
        before = children()
        hanging = asyncio.ensure_future(out_of_time(those, position("null", holds_nine(0)), [0], 0))
        await asyncio.sleep(0)
        given_up = asyncio.ensure_future(those.decide(*position("null", holds_nine(0), "given up"), [0], "hanging"))
        await asyncio.sleep(0)
        given_up.cancel()
        others = [finish(those, position("null", seed, f"table {seed}"), "random") for seed in range(20)]
        waiting = asyncio.gather(*others)
        with pytest.raises(AgentFault, match="took more than"):
            await hanging
        await waiting
        assert children() != before

    run(test)


def test_many_slow_questions_are_patiently_answered() -> None:
    async def test(those: AgentPool) -> None:
        # Each takes 5 ms, all together much longer than one may.
        games = [position("null", seed, f"table {seed}") for seed in range(500)]
        await asyncio.gather(*(those.decide(*each, [0, 1], "slow") for each in games))

    run(test, patience=2)


def test_rules_that_hang_are_nobodys_fault() -> None:
    async def test(those: AgentPool) -> None:
        with pytest.raises(AgentPoolError, match="game of the table 'one' hangs"):
            await those.decide(*position("null", 1, "one", (0, "sleep")), [1], "cautious")
        (worker,) = those._workers
        worker._patience = 30.0
        await finish(those, position(), "cautious")

    run(test, patience=1)


def test_what_an_agent_prints_harms_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    async def test(those: AgentPool) -> None:
        await finish(those, position(), "chattering")

    run(test)
    out, error = capfd.readouterr()
    assert not out
    assert "I see" in error


# --- processes that end -----------------------------------------------------------------------------------------------


def test_tables_do_not_notice_that_processes_are_killed() -> None:
    async def test(those: AgentPool) -> None:
        killed, seeds = 0, itertools.count()

        async def play() -> None:
            while killed < 6:
                seed = next(seeds)
                await finish(those, position("tichu", seed, f"table {seed}"), "heuristic")

        playing = asyncio.gather(*(play() for _ in range(30)))
        while not playing.done():
            alive = children()
            if killed < 6 and len(alive) == 2 and all(map(is_spared_no_more, those._workers)):
                os.kill(alive[killed % 2], signal.SIGKILL)
                killed += 1
            await asyncio.sleep(0.02)
        await playing
        assert killed == 6

    run(test, count=2)


def is_spared_no_more(worker: pool._Worker) -> bool:
    """Tell whether a process may be killed with nobody to blame: it has answered what the one before it did not.

    Three processes in a row without an answer would be given up, and a question that took down two is at fault itself.
    """
    return worker._ready and not worker._failures and not any(asked.deaths for asked in worker._open)


def test_who_takes_down_two_processes_is_to_blame() -> None:
    async def test(those: AgentPool) -> None:
        (worker,) = those._workers
        at = position("null", holds_nine(0))
        question = asyncio.ensure_future(those.decide(*at, [0], "hanging"))
        for _ in range(2):
            await until(lambda: worker._ready and worker._asked == 0)
            # Once it may have been somebody else who ended the process.
            assert not question.done()
            (pid,), process = children(), worker._process
            os.kill(pid, signal.SIGKILL)
            # Whether it is ready may be so again before this looks; the process is another one for good.
            await until(lambda process=process: worker._process is not process)  # type: ignore[misc]
        with pytest.raises(AgentFault, match="seat 0 ended its process") as caught:
            await asyncio.wait_for(question, 60)
        assert (caught.value.seat, caught.value.kind) == (0, "crash")
        await finish(those, at, "random")

    run(test)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - Nobody tells of what is waited for here.
            await asyncio.sleep(0.005)


def test_what_an_agent_starts_and_writes_holds_up_nobody() -> None:
    async def test(those: AgentPool) -> None:
        at = position("null", holds_nine(0))
        with pytest.raises(AgentFault, match="seat 0 ended its process"):
            # The programs that it has started live for longer.
            await asyncio.wait_for(those.decide(*at, [0], "leaving"), 15)
        await finish(those, at, "random")

    run(test)


def test_an_idle_process_that_is_killed_is_replaced() -> None:
    async def test(those: AgentPool) -> None:
        at = position("tichu", 1)
        for _ in range(3):
            said = await those.decide(*at, [0, 1, 2, 3], "rule")
            assert said is not None
            at.moves.append(said)
            (pid,) = children()
            os.kill(pid, signal.SIGKILL)
        await finish(those, at, "rule")
        assert children() != [pid]

    run(test)


def test_signals_that_are_meant_for_the_server_do_not_end_a_process() -> None:
    async def test(those: AgentPool) -> None:
        before = children()
        for sent in (signal.SIGINT, signal.SIGTERM):
            os.kill(before[0], sent)
            await those.decide(*position(), [0], "random")
        assert children() == before
        assert os.getpgid(before[0]) != os.getpgid(0)
        assert os.getpriority(os.PRIO_PROCESS, before[0]) > os.getpriority(os.PRIO_PROCESS, 0)

    run(test)


#: A program that closes its connection some time before it exits.
LEAVES = "import os, sys, time; os.close(1); time.sleep(0.1); raise SystemExit(4)"


@pytest.mark.parametrize(
    ("command", "end"),
    [
        ((sys.executable, "-c", "raise SystemExit(3)"), "without an answer, the last with exit code 3."),
        ((sys.executable, "-c", LEAVES), "without an answer, the last with exit code 4."),
        ((sys.executable, "-c", "import os; os.kill(os.getpid(), 31)"), "without an answer, the last by SIGSYS."),
        (("/no/such/program",), "No such file or directory"),
        ((sys.executable, "-c", "import time; time.sleep(60)"), "the last because it was too slow."),
    ],
    ids=["exits", "leaves and exits", "is killed", "missing", "hangs"],
)
def test_processes_that_do_not_start_are_an_error_and_no_delay(
    command: tuple[str, ...], end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Starting Python may take a while where much else runs.
    monkeypatch.setattr(pool, "START", 0.3 if "slow" in end else 30.0)
    good = pool.COMMAND

    async def never() -> None:
        monkeypatch.setattr(pool, "COMMAND", command)
        with pytest.raises(AgentPoolError, match=f"no process for agents: .*{re.escape(end)}"):
            await AgentPool(2).start()
        assert not children()

    async def later() -> None:
        monkeypatch.setattr(pool, "START", 30)
        monkeypatch.setattr(pool, "COMMAND", good)
        async with started() as those:
            await those.decide(*position(), [0], "random")
            monkeypatch.setattr(pool, "START", 0.3)
            monkeypatch.setattr(pool, "COMMAND", command)
            os.kill(children()[0], signal.SIGKILL)
            for _ in range(2):
                await asyncio.sleep(0.02)
                with pytest.raises(AgentPoolError, match="no process for agents"):
                    await those.decide(*position(), [0], "random")
            monkeypatch.setattr(pool, "START", 30)
            monkeypatch.setattr(pool, "COMMAND", good)
            await finish(those, position(), "random")

    asyncio.run(asyncio.wait_for(never(), 60))
    asyncio.run(asyncio.wait_for(later(), 60))


def test_a_server_without_descriptors_goes_on_and_recovers() -> None:
    async def test(those: AgentPool) -> None:
        (pid,) = children()
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
        try:
            os.kill(pid, signal.SIGKILL)
            for _ in range(3):
                with pytest.raises(AgentPoolError, match="Too many open files"):
                    await those.decide(*position(), [0], "random")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        await finish(those, position(), "random")

    run(test)


def test_closing_answers_everybody_and_leaves_no_process() -> None:
    async def test() -> None:
        async with started(2) as those:
            assert len(children()) == 2
            hanging = [
                asyncio.ensure_future(those.decide(*position("null", holds_nine(0), f"{number}"), [0], "hanging"))
                for number in range(3)
            ]
            await asyncio.sleep(0.05)
            await those.close()
            assert not children()
            for each in hanging:
                with pytest.raises(AgentPoolError, match="closed"):
                    await each
            with pytest.raises(AgentPoolError, match="closed"):
                await those.decide(*position(), [0], "random")

    asyncio.run(asyncio.wait_for(test(), 60))


#: A process that is ready, and does not look whether its server is still there.
DEAF = "import os, time; os.write(1, bytes(4)); time.sleep(50)"


def test_a_process_that_does_not_leave_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        monkeypatch.setattr(pool, "COMMAND", (sys.executable, "-c", DEAF))
        those = AgentPool(1)
        await those.start()
        await asyncio.wait_for(those.close(), 30)
        assert not children()

    asyncio.run(asyncio.wait_for(test(), 60))


SERVER = """
import asyncio, tests.server.test_agent_pool as tests
from tisch.server.agents import pool
pool.COMMAND = {command!r}
for game, agents in tests.agent_examples.EXAMPLES.items():
    type(game).agents = agents
async def main():
    those = pool.AgentPool(2)
    await those.start()
    asyncio.ensure_future(those.decide(*tests.position("null", tests.holds_nine(0)), [0], "hanging"))
    await asyncio.sleep(0.2)
    print("ready", flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


@pytest.fixture
def server() -> Iterator[subprocess.Popen[str]]:
    text = SERVER.format(command=tuple(pool.COMMAND))
    # With what leads to the tree under test, which may be a copy.
    tests = os.pathsep.join(filter(None, (str(ROOT), str(HARNESS), os.environ.get("PYTHONPATH"))))
    with subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": tests}
    ) as process:
        yield process
        process.kill()


def test_processes_die_with_the_server_even_while_an_agent_hangs(server: subprocess.Popen[str]) -> None:
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    orphans = children(server.pid)
    assert len(orphans) == 2
    server.kill()
    wait_until(lambda: all(map(dead, orphans)))


def dead(pid: int) -> bool:
    """Tell whether a process is dead, buried or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


# --- frames -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [1, 2, 3, 5, 1000])
def test_frames_are_found_however_the_stream_is_cut(step: int) -> None:
    bodies = [b"", b"a", b"bc" * 300, b"", b"last"]
    stream = b"".join(map(frame, bodies))
    frames = Frames()
    found = [body for start in range(0, len(stream), step) for body in frames.cut(stream[start : start + step])]
    assert found == bodies
