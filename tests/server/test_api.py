"""Tests of what the live server tells over HTTP: what there is to play, open tables, finished games and their steps."""

from __future__ import annotations

import asyncio
import gc
import logging
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from dataclasses import fields, replace
from io import BytesIO
from itertools import islice, pairwise
from pathlib import Path
from typing import Any
from unittest import mock

import aiohttp
import msgspec
import pytest
import segno

from places import ROOT
from server import PATIENCE, Client, HandClock, House, Running, enact, kept_log, scene
from tests.agents.test_reasons import faults
from tisch.agents import agents_of, players_of, strongest
from tisch.agents.analysis import Decision, analyse
from tisch.agents.random import RandomAgent
from tisch.driver import play
from tisch.game import Agent, Random
from tisch.games import REGISTRY, find
from tisch.language import LANGUAGES
from tisch.ports.speech import speech_of
from tisch.record import Record
from tisch.server.agents.pool import AgentPoolError
from tisch.server.http import advice, api, codes, steps
from tisch.table import messages
from tisch.table.hints import Advice
from tisch.table.kept import AddMove, BeginGame, EndGame, SaveTable
from tisch.transcript import Transcript, read, record


async def refused(running: Running, path: str) -> tuple[int, str]:
    """Ask for what there is not."""
    async with running.session.get(f"http://127.0.0.1:{running.port}{path}") as response:
        assert response.content_type == "text/plain" and response.headers["X-Content-Type-Options"] == "nosniff"
        return response.status, await response.text()


async def keep(running: Running, name: str, game_id: str, players: list[str]) -> str:
    """Let a short game be played by chance, and keep it as finished.

    :result: Its transcript.
    """
    game = find(name)
    options = game.Options(rounds=1) if "rounds" in {field.name for field in fields(game.Options)} else game.Options()
    state, moves = game.new(options, 7), list[tuple[int, Any]]()
    agents: list[Agent[Any]] = [RandomAgent() for _ in range(state.seats)]
    for seat, agent in enumerate(agents):
        agent.start(Random(seat))
    play(state, agents, moves)
    transcript = record(game, options, 7, state, moves, players=", ".join(players))
    outcome = state.outcome()
    assert outcome
    await running.server.journal.write(
        SaveTable(game_id, b"{}"),
        BeginGame(game_id, game_id, replace(transcript, moves=()), 1.5),
        *(AddMove(game_id, number, seat, text) for number, (seat, text) in enumerate(transcript.moves, start=1)),
        EndGame(game_id, str(transcript), 2.5, players, list(outcome.points), outcome.reason),
    )
    return str(transcript)


def test_the_setup_lists_what_can_be_played(house: House, tmp_path: Path) -> None:
    async def story() -> Any:
        async with house.open(tmp_path, maintenance=True) as running:
            return await running.get("/api/setup")

    told = house.run(story())
    assert [game["name"] for game in told["games"]] == list(REGISTRY)
    for game in told["games"]:
        kind = find(game["name"])
        assert (game["title"], game["seats"]) == (kind.title, kind.seats(kind.Options()))
        assert game["agents"] == list(agents_of(kind)) and game["levels"] == list(players_of(kind))
        assert game["strongest"] == strongest(kind)
        assert kind.Options(**{option["name"]: option["default"] for option in game["options"]}) == kind.Options()
        assert {option["type"] for option in game["options"]} <= {"int", "bool", "str", "float", "tuple"}
    zero = {game["name"]: {option["name"]: option.get("zero") for option in game["options"]} for game in told["games"]}
    # Tichu without a number of rounds goes on to its goal; Mau-Mau has no goal, and so needs a round.
    assert zero["tichu"] == {"goal": False, "rounds": True}
    assert (zero["maumau"]["rounds"], zero["maumau"]["stacking"]) == (False, None)
    look = next(game["look"] for game in told["games"] if game["name"] == "maumau")
    assert look["suits"] == {"K": "diamonds", "H": "hearts", "X": "clubs", "P": "spades"}
    assert look["cards"][0] == "X7" and len(look["cards"]) == 32
    assert look["fields"] == {"hand": "hand", "counts": "counts", "scores": "scores", "stock": "amount"}
    assert told["maintenance"] and told["turn_limits"] == [0, 15, 30, 60]
    assert told["phrases"] == list(messages.PHRASES) and told["longest_name"] == 24


def test_open_tables_are_listed(house: House, tmp_path: Path) -> None:
    async def story() -> list[Any]:
        async with house.open(tmp_path) as running:
            lists = [await running.get("/api/tables")]
            ben = await running.join("Ben, Kim", "Grüne <Stube>")
            await running.watch("Grüne <Stube>")
            lists.append(await running.get("/api/tables"))
            await ben.say("start_game")
            lists.append(await running.get("/api/tables"))
            return lists

    before, lobby, game = house.run(story())
    assert before == {"tables": []}
    (table,) = lobby["tables"]
    assert table == {
        "table_name": "Grüne <Stube>",
        "game": "tichu",
        "player_names": table["player_names"],
        "player_kinds": ["human", "ai", "ai", "ai"],
        "is_running": False,
        "free_seats": 3,
        "spectators": 1,
    }
    assert table["player_names"][0] == "Ben, Kim" and len(set(table["player_names"])) == 4
    assert game["tables"][0]["is_running"]


def test_the_invitation_leads_to_the_table(house: House, tmp_path: Path) -> None:
    async def story(headers: dict[str, str]) -> tuple[bytes, str, str]:
        async with house.open(tmp_path / str(len(headers))) as running:
            await running.join("Ben", "Grüne Stube & mehr")
            path = "/api/tables/Gr%C3%BCne%20Stube%20%26%20mehr/invite.svg"
            async with running.session.get(f"http://127.0.0.1:{running.port}{path}", headers=headers) as response:
                assert response.status == 200
                assert await refused(running, "/api/tables/Stall/invite.svg") == (
                    404,
                    "There is no table of this name.",
                )
                assert (await refused(running, f"/api/tables/{'x' * 3000}/invite.svg"))[0] == 404
                return await response.read(), response.content_type, f"127.0.0.1:{running.port}"

    for headers, scheme, host in (
        ({}, "http", ""),
        ({"X-Forwarded-Proto": "https", "Host": "tisch.example"}, "https", "tisch.example"),
    ):
        drawn, kind, own = house.run(story(headers))
        link = f"{scheme}://{host or own}/?table_name=Gr%C3%BCne+Stube+%26+mehr"
        expected = BytesIO()
        segno.make(link, error="m").save(expected, kind="svg", scale=4, border=2, light="#fff")
        assert (drawn, kind) == (expected.getvalue(), "image/svg+xml")


def test_no_invitation_is_drawn_that_would_take_long(house: House, tmp_path: Path) -> None:
    async def story() -> list[int]:
        async with house.open(tmp_path) as running:
            await running.join("Ben", "\U0001f600" * 24)
            url = f"http://127.0.0.1:{running.port}/api/tables/{'%F0%9F%98%80' * 24}/invite.svg"
            statuses = []
            for host in (".".join(["x" * 49] * 5), ".".join(["x" * 49] * 12)):
                async with running.session.get(url, headers={"Host": host}) as response:
                    statuses.append(response.status)
            return statuses

    assert house.run(story()) == [200, 400]


async def rush(
    asking: Iterable[Awaitable[tuple[int, str | None]]], refused: int, may_end: threading.Event | asyncio.Event
) -> list[tuple[int, str | None]]:
    """Let many ask at the same time.

    :param asking: What they ask.
    :param refused: How many are refused, while the first answer is still being made.
    :param may_end: Lets that answer be finished.
    :result: Their answers.
    """
    may_end.clear()
    told = []
    for answer in asyncio.as_completed(asking):
        told.append(await answer)
        if len(told) == refused:
            may_end.set()
    return told


def test_strangers_who_ask_for_new_codes_delay_nobody(house: House, tmp_path: Path) -> None:
    drawn: list[tuple[float, float, bool]] = []
    may_end = threading.Event()
    draw = codes._code

    def slow(link: str) -> bytes:
        begun, in_loop = time.monotonic(), threading.current_thread() is threading.main_thread()
        # In the event loop it would wait for itself.
        assert in_loop or may_end.wait(PATIENCE)
        time.sleep(0.02)
        code = draw(link)
        drawn.append((begun, time.monotonic(), in_loop))
        return code

    async def story() -> None:
        async with house.open(tmp_path, proxy=True) as running:
            await running.join("Ben")

            async def ask(stranger: int, host: str) -> tuple[int, str | None]:
                url = f"http://127.0.0.1:{running.port}/api/tables/Stube/invite.svg"
                headers = {"X-Forwarded-For": f"192.0.2.{stranger}", "Host": host}
                async with running.session.get(url, headers=headers) as response:
                    return response.status, response.headers.get("Retry-After")

            with mock.patch.object(codes, "_code", slow):
                one = await rush([ask(1, f"{number}.example") for number in range(15)], 5, may_end)
                many = await rush([ask(stranger, f"s{stranger}.example") for stranger in range(50)], 10, may_end)
                assert await ask(2, "usual.example") == (200, None)
                # Whoever asks for one that is drawn has it at once.
                count = len(drawn)
                assert [await ask(2, "usual.example") for _ in range(20)] == [(200, None)] * 20
                assert len(drawn) == count
            assert sorted(one) == [(200, None)] * 10 + [(503, "1")] * 5
            assert sorted(many) == [(200, None)] * 40 + [(503, "1")] * 10
            for (begun, ended, in_loop), (next_begun, _, _) in pairwise(drawn):
                assert next_begun - ended >= 2.9 * (ended - begun) and not in_loop

    house.run(story())


def test_finished_games_are_listed_by_pages(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            assert await running.get("/api/games") == {"games": []}
            for number in range(103):
                await keep(running, "maumau", f"game-{number}", ["Ben, Kim", "Zoé"])
            first = (await running.get("/api/games"))["games"]
            assert [game["id"] for game in first] == [f"game-{number}" for number in range(102, 2, -1)]
            assert (await running.get("/api/games?limit=500"))["games"] == first
            last = (await running.get(f"/api/games?before={first[-1]['number']}&limit=2"))["games"]
            assert [game["id"] for game in last] == ["game-2", "game-1"]
            assert last[0]["players"] == ["Ben, Kim", "Zoé"] and last[0]["game"] == "maumau"
            page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
            assert f"at most {len(first)}: `{', '.join(last[0])}`; " in page
            assert sum(last[0]["points"]) is not None and last[0]["moves"] > 0 and last[0]["reason"]
            for path in ("?limit=x", "?before=-1", "?before=1.5", f"?limit={'9' * 16}", "?before=%D9%A1"):
                status, sentence = await refused(running, f"/api/games{path}")
                assert status == 400 and sentence.endswith(" is no number.")
            status, sentence = await refused(running, f"/api/games?limit={'<b>' * 500}")
            assert status == 400 and len(sentence) < 300

    house.run(story())


@pytest.mark.parametrize("name", REGISTRY)
def test_a_finished_game_is_told_step_by_step(house: House, tmp_path: Path, name: str) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            players = [f"Gast, {seat}" for seat in range(find(name).seats(find(name).Options()))]
            text = await keep(running, name, "game", players)
            told = {"id": "game", "game": name, "player_names": players}
            assert await running.get("/api/games/game") == {**told, "transcript": text}
            answer = await running.get("/api/games/game/steps")
            steps = answer.pop("steps")
            sides = [list(side) for side in find(name).sides(find(name).Options())]
            assert answer == {**told, "sides": sides}
            transcript = read(text)
            assert [(step["seat"], step["move"]) for step in steps] == [(-1, ""), *map(tuple, transcript.moves)]
            words = speech_of(find(name))
            for step, state in zip(steps, transcript.replay(), strict=True):
                assert step["public_state"]["awaiting"] == list(state.awaiting())
                for seat, hand in enumerate(step["hands"]):
                    assert words.view(step["public_state"], hand) == state.view(seat)
            advice = await running.get("/api/games/game/advice/1")
            assert advice["move"] and find(name).parse(advice["move"])
            german, english = [
                (await running.get(f"/api/games/game/advice/1?language={language}"))["reason"] for language in LANGUAGES
            ]
            assert not faults(german, english) and not faults(german, advice["reason"])
            asked = await refused(running, "/api/games/game/advice/1?language=fr")
            assert asked == (400, "The language 'fr' is not spoken here, only de and en.")
            for step in (0, len(transcript.moves) + 1, 10**14):
                assert await refused(running, f"/api/games/game/advice/{step}") == (404, "The game has no such step.")
            assert (await refused(running, "/api/games/game/advice/first"))[0] == 400

    house.run(story())


async def count_rounds(rounds: list[int]) -> None:
    """Count the rounds of the event loop in the only item."""
    while True:
        rounds[0] += 1
        await asyncio.sleep(0)


async def at_once(call: Callable[..., Any], *arguments: Any) -> Any:
    """Make something as a thread does that has answered before anybody waits for it."""
    return call(*arguments)


@pytest.mark.parametrize("thread", [asyncio.to_thread, at_once])
def test_long_answers_are_made_in_pieces_between_which_others_have_their_turn(
    house: House, tmp_path: Path, thread: Callable[..., Any]
) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            text = await keep(running, "okey", "game", ["a", "b", "c", "d"])
            for name in ("one", "two", "three"):
                await running.join("Ben", name)
            rounds, pieces = [0], list[tuple[str, int]]()

            def noted_steps(transcript: Transcript) -> Iterator[dict[str, Any]]:
                for step in steps.steps_of(transcript):
                    pieces.append(("step", rounds[0]))
                    yield step

            def noted_rows(routes: api.Api, tables: Any) -> list[dict[str, Any]]:
                pieces.append(("rows", rounds[0]))
                return rows(routes, tables)

            rows = api.Api._rows
            counting = asyncio.create_task(count_rounds(rounds))
            with (
                mock.patch.object(api, "steps_of", noted_steps),
                mock.patch.object(api.Api, "_rows", noted_rows),
                mock.patch.object(api, "PORTION", 1),
                mock.patch.object(asyncio, "to_thread", thread),
            ):
                paths = ("/api/games/game/steps", "/api/games/game/steps", "/api/tables")
                told = await asyncio.gather(*map(running.get, paths))
            counting.cancel()
            assert told[0] == told[1] and len(told[0]["steps"]) == len(read(text).moves) + 1
            assert {table["table_name"] for table in told[2]["tables"]} == {"one", "two", "three"}
            assert [kind for kind, _ in pieces].count("rows") == 3
            # However many ask at the same time, no two pieces are made in the same round.
            assert len({number for _, number in pieces}) == len(pieces) == 2 * len(told[0]["steps"]) + 3

    house.run(story())


def test_a_replay_whose_game_takes_long_to_set_up_delays_nobody(house: House, tmp_path: Path) -> None:
    game = find("raumstation")
    transcript = Transcript("raumstation", {}, 1, (), None)
    rounds, waited = [0], list[bool]()
    new = type(game).new

    def long(*arguments: Any, **named: Any) -> Any:
        """Set up the game only after the event loop has gone on, which it never does if it waits for the game."""
        before, end = rounds[0], time.monotonic() + PATIENCE
        while rounds[0] < before + 10 and time.monotonic() < end:
            time.sleep(0.001)
        waited.append(rounds[0] < before + 10)
        return new(*arguments, **named)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            await running.server.journal.write(
                SaveTable("game", b"{}"),
                BeginGame("game", "game", replace(transcript, moves=()), 1.5),
                EndGame("game", str(transcript), 2.5, ["a"], None, "Broken off."),
            )
            counting = asyncio.create_task(count_rounds(rounds))
            with mock.patch.object(type(game), "new", long):
                assert len((await running.get("/api/games/game/steps"))["steps"]) == 1
            counting.cancel()

    house.run(story())
    assert waited == [False]


def test_who_goes_in_the_middle_of_an_answer_harms_nobody(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            for number in range(60):
                await keep(running, "okey", f"game-{number}", ["a", "b", "c", "d"])
            address = f"http://127.0.0.1:{running.port}"
            stream = api._stream

            async def cut_at_the_end(request: Any, response: Any, parts: AsyncIterator[bytes]) -> Any:
                async def all_and_away() -> AsyncIterator[bytes]:
                    async for part in parts:
                        yield part
                    request.transport.abort()

                return await stream(request, response, all_and_away())

            with kept_log() as records:
                with mock.patch.object(api, "_stream", cut_at_the_end):
                    for path in ("/api/games/game-0/steps", "/api/records"):
                        with pytest.raises(aiohttp.ClientError):
                            await running.get(path)
                for path in ("/api/games/game-0/steps", "/api/records"):
                    for _ in range(3):
                        async with running.session.get(address + path) as response:
                            await response.content.readany()
                            response.close()
                    async with running.session.head(address + path) as response:
                        assert response.status == 405
                assert (await running.get("/api/games/game-0/steps"))["steps"]
            assert not [record.getMessage() for record in records if record.levelno >= logging.WARNING]

    house.run(story())


def test_strangers_who_ask_for_advice_leave_the_agents_to_the_tables(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, proxy=True) as running:
            await keep(running, "maumau", "game", ["a", "b"])
            clock = asyncio.get_running_loop().time
            asked: list[tuple[float, float]] = []
            may_end = asyncio.Event()
            think = running.server.pool.advise

            async def slow(*question: Any, **more: Any) -> Advice:
                begun = clock()
                await may_end.wait()
                await asyncio.sleep(0.02)
                advice = await think(*question, **more)
                asked.append((begun, clock()))
                return advice

            async def ask(stranger: int) -> tuple[int, str | None]:
                url = f"http://127.0.0.1:{running.port}/api/games/game/advice/1"
                headers = {"X-Forwarded-For": f"192.0.2.{stranger}"}
                async with running.session.get(url, headers=headers) as response:
                    return response.status, response.headers.get("Retry-After")

            with mock.patch.object(running.server.pool, "advise", slow):
                one = await rush([ask(1) for _ in range(10)], 7, may_end)
                many = await rush([ask(stranger) for stranger in range(40)], 20, may_end)
            assert sorted(one) == [(200, None)] * 3 + [(503, "1")] * 7
            assert sorted(many) == [(200, None)] * 20 + [(503, "1")] * 20
            # One question at a time, and the pool has most of their time for others.
            for (begun, ended), (next_begun, _) in pairwise(asked):
                assert next_begun - ended >= 2.9 * (ended - begun)
            assert await ask(1) == (200, None)

    house.run(story())


def test_only_one_of_many_games_that_advice_is_asked_on_is_in_memory(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, proxy=True) as running:
            await keep(running, "maumau", "game", ["a", "b"])
            release = asyncio.Event()

            async def long(*question: Any, **more: Any) -> Advice:
                await release.wait()
                return Advice("draw", "")

            async def ask(stranger: int) -> int:
                url = f"http://127.0.0.1:{running.port}/api/games/game/advice/1"
                async with running.session.get(url, headers={"X-Forwarded-For": f"192.0.2.{stranger}"}) as response:
                    return response.status

            gc.collect()
            before = transcripts()
            with mock.patch.object(running.server.pool, "advise", long):
                asking = [asyncio.create_task(ask(stranger)) for stranger in range(20)]
                await running.until(lambda: transcripts() - before == 1)
                # Those who wait have come in the meantime, each with a game.
                await asyncio.sleep(0.5)
                assert transcripts() - before == 1
                release.set()
                assert await asyncio.gather(*asking) == [200] * 20

    def transcripts() -> int:
        return sum(isinstance(each, Transcript) for each in gc.get_objects())

    house.run(story())


def test_a_running_game_is_never_told(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=1.0) as running:
            wanted = scene(_is_in_play)
            clients: list[Client] = await enact(running, clock, wanted)
            playing = running.table().playing
            assert playing
            nothing = (404, "There is no finished game of this id.")
            assert await refused(running, f"/api/games/{playing.id}") == (
                404,
                "There is no game of this name, and no finished game of this id.",
            )
            for path in ("/steps", "/advice/1"):
                assert await refused(running, f"/api/games/{playing.id}{path}") == nothing
            assert await running.get("/api/games") == {"games": []}
            async with running.session.get(f"http://127.0.0.1:{running.port}/api/records") as response:
                assert await response.read() == b""
            assert (await clients[0].state())["public_state"]["is_running"]

    house.run(story())


def _is_in_play(state: Any) -> bool:
    return bool(state.phase == "play")


def test_all_games_are_records_that_tisch_replay_verifies(house: House, tmp_path: Path) -> None:
    async def story() -> bytes:
        async with house.open(tmp_path / "data") as running:
            for name in REGISTRY:
                await keep(running, name, name, ["a"] * find(name).seats(find(name).Options()))
            async with running.session.get(f"http://127.0.0.1:{running.port}/api/records") as response:
                assert response.content_type == "application/jsonl"
                return await response.read()

    (tmp_path / "games.jsonl").write_bytes(house.run(story()))
    replay = [sys.executable, "-m", "tisch", "replay", str(tmp_path / "games.jsonl")]
    result = subprocess.run(replay, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, result.stderr
    assert str(len(REGISTRY)) in result.stdout


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/games/", "/api/games/a/b", "/api/x"])
def test_there_is_nothing_else(house: House, tmp_path: Path, path: str) -> None:
    async def story() -> int:
        async with house.open(tmp_path) as running:
            status, _ = await refused(running, path)
            return status

    assert house.run(story()) == 404


@pytest.mark.parametrize(("name", "sides"), [("sechsundsechzig", [[0], [1]]), ("tichu", [[0, 2], [1, 3]])])
def test_each_decision_of_a_finished_game_is_judged_once(
    house: House, tmp_path: Path, name: str, sides: list[list[int]]
) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            text = await keep(running, name, "game", ["a", "b"])
            await keep(running, "raumstation", "solo", ["a"])
            transcript = read(text)
            expected = list(islice(analyse(transcript), 12))
            setup = await running.get("/api/setup")
            judged = {game["name"]: game["judged"] for game in setup["games"]}
            assert judged[name] and judged["okey"] and not judged["raumstation"]
            steps = await running.get("/api/games/game/steps")
            assert steps["sides"] == sides
            asked: list[Record] = []
            think = running.server.pool.judge

            async def noted(table: str, record: Record, agent: str) -> Decision | None:
                asked.append(record)
                return await think(table, record, agent)

            with mock.patch.object(running.server.pool, "judge", noted), mock.patch.object(advice, "REST", 0.0):
                for number, decision in enumerate(expected, start=1):
                    path = f"/api/games/game/analysis/{number}"
                    # Two at once, and a third one later.
                    told = [*await asyncio.gather(running.get(path), running.get(path)), await running.get(path)]
                    assert told == [{"decision": msgspec.to_builtins(decision)}] * 3
                    if decision and decision.lost:
                        advised = await running.get(f"/api/games/game/advice/{number}")
                        assert advised["move"] == (decision.best or "")
            assert [len(record.moves) for record in asked] == list(range(1, len(expected) + 1))
            assert await refused(running, "/api/games/solo/analysis/1") == (
                404,
                "Raumstation has no agent that judges decisions.",
            )
            for step in (0, len(transcript.moves) + 1):
                assert await refused(running, f"/api/games/game/analysis/{step}") == (404, "The game has no such step.")
            assert (await refused(running, "/api/games/none/analysis/1"))[0] == 404

    house.run(story())


def test_the_oldest_judgement_is_forgotten_first(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "KEPT", 2)
    monkeypatch.setattr(advice, "REST", 0.0)

    async def story() -> list[int]:
        async with house.open(tmp_path) as running:
            await keep(running, "sechsundsechzig", "game", ["a", "b"])
            asked: list[int] = []
            think = running.server.pool.judge

            async def noted(table: str, record: Record, agent: str) -> Decision | None:
                asked.append(len(record.moves))
                return await think(table, record, agent)

            with mock.patch.object(running.server.pool, "judge", noted):
                for step in (1, 2, 3, 3, 2, 1, 1):
                    await running.get(f"/api/games/game/analysis/{step}")
            return asked

    assert house.run(story()) == [1, 2, 3, 1]


def test_the_agents_forget_a_finished_game_with_each_answer(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "REST", 0.0)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            await keep(running, "sechsundsechzig", "game", ["a", "b"])
            workers = running.server.pool._workers
            for path in ("advice", "analysis"):
                await running.get(f"/api/games/game/{path}/1")
                assert [(worker.tables, worker._told) for worker in workers] == [(0, {})]
            with mock.patch.object(running.server.pool, "_ask", side_effect=AgentPoolError("Nobody thinks.")):
                assert (await refused(running, "/api/games/game/analysis/2"))[0] == 503
            assert [(worker.tables, worker._told) for worker in workers] == [(0, {})]

    house.run(story())
