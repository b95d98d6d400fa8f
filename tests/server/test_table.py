"""Tests of the live server's tables by a clock that is turned by hand: people who come, go, sleep and come back."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
import threading
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from server import (
    PATIENCE,
    PAUSE,
    HandClock,
    House,
    Running,
    Tell,
    began,
    dealt,
    enact,
    events,
    kept_log,
    leads,
    moves,
    pass_time,
    play_on,
    scene,
)
from tisch.game import Event
from tisch.games import REGISTRY, find
from tisch.games.okey.rules import OkeyState
from tisch.games.tichu.rules import TichuState
from tisch.ports import speech as words
from tisch.ports.refusal import Code
from tisch.record import Record
from tisch.server.agents.pool import AgentPoolError
from tisch.server.net import limits
from tisch.server.net.websocket import SocketPeer
from tisch.server.table.setups import Setups
from tisch.table.changes import News, Start
from tisch.table.commands import Break, GoOn
from tisch.table.hints import Advice
from tisch.table.kept import AddMove, BeginGame, SaveTable
from tisch.transcript import read

# --- turn limits ------------------------------------------------------------------------------------------------------


def test_only_its_own_table_waits_for_a_game_that_takes_long_to_set_up(tell: Tell) -> None:
    game = type(find("raumstation"))
    is_begun, may_end = threading.Event(), threading.Event()
    new = game.new

    def slowly(*arguments: Any) -> Any:
        is_begun.set()
        assert may_end.wait(3 * PATIENCE)
        return new(*arguments)

    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", table="Flur", game="maumau")
        await ben.say("set_options", options={"players": 2})
        ida = await running.join("Ida", table="Flur")
        assert "game_started" in events(await ben.say("start_game"))
        host = await running.join("Kim", game="raumstation")
        with mock.patch.object(game, "new", slowly):
            await host.send("start_game")
            await host.send("start_game")
            await running.until(is_begun.is_set)
            for client in (ben, ida):
                assert (await client.state())["public_state"]["is_running"]
            may_end.set()
            await host.notification("game_started")
        # What was asked meanwhile was heard afterwards.
        assert (await host.error())["code"] == Code.GAME_ALREADY_STARTED

    tell(story)


def test_games_are_set_up_for_one_address_after_the_other() -> None:
    order: list[str] = []
    told: list[Event] = []
    game = find("maumau")
    game.new(game.Options(), 1, told.append)

    async def begin(setups: Setups, address: str) -> None:
        playing, opening = await setups.set_up(Start(None, address, "game", Record("maumau", {}, 1, []), 0))
        assert (playing.id, opening) == ("game", told)
        order.append(address)

    new, have_asked = game.new, threading.Event()

    def late(*arguments: Any) -> Any:
        assert have_asked.wait(PATIENCE)
        return new(*arguments)

    async def story() -> None:
        setups = Setups()
        addresses = ["192.0.2.1"] * 3 + ["2001:db8::1", "2001:db8::2"]
        with mock.patch.object(game, "new", late):
            everybody = asyncio.gather(*(begin(setups, address) for address in addresses))
            # Since Python 3.14, a thread that is done at once lets nobody else ask before.
            await asyncio.sleep(0)
            have_asked.set()
            await everybody

    asyncio.run(story())
    assert order == ["192.0.2.1", "2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.1"]


# --- the lobby --------------------------------------------------------------------------------------------------------


def test_the_host_sets_options(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        told = await ben.say("set_options", agent="medium", turn_limit=30, options={"rounds": 3})
        (change,) = [each["payload"]["context"] for each in told]
        assert change == (await ben.state())["public_state"]["table_options"]
        assert change["agent"] in (await running.get("/api/setup"))["games"][0]["levels"]
        wanted = {"agent": "medium", "turn_limit": 30, "options": {"goal": 1000, "rounds": 3}}
        assert {key: change[key] for key in wanted} == wanted
        for wrong in (
            {"agent": "nobody"},
            {"agent": "search:playouts=1000000"},
            {"agent": "os:system"},
            {"turn_limit": 20},
            {"options": {"rounds": -1}},
            {"options": {"speed": 3}},
            {"options": {"rounds": [1]}},
            {"options": {"rounds": 1_000_001}},
            {"options": {"rounds": 10**30}},
            {"options": {"goal": "1" * 30}},
            {"agent": "random", "turn_limit": 15, "options": {"goal": 0}},
        ):
            error = await ben.refused("set_options", **wrong)
            assert error["code"] == Code.INVALID_ACTION
        assert (await ben.state())["public_state"]["table_options"] == change
        await ben.say("set_options")
        assert (await ben.state())["public_state"]["table_options"] == change

    tell(story)


def test_a_rematch_begins_where_the_game_ended(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        await ben.say("set_options", agent="rule", options={"rounds": 1})
        games = []
        for _ in range(2):
            assert "game_started" in events(await ben.say("start_game"))
            await play_on(running, clock, ben)
            over = await ben.last("game_over")
            games.append(over["game_id"])
            state = (await ben.state())["public_state"]
            assert not state["is_running"] and state["game_id"] == games[-1] and state["awaiting"] == []
            assert (await ben.refused("move", move="pass"))["code"] == Code.INVALID_ACTION
            assert (await ben.refused("response", action="play"))["code"] == Code.INVALID_RESPONSE
            await ben.say("set_options", options={"rounds": 1, "goal": 500})
        listed = (await running.get("/api/games"))["games"]
        assert [game["id"] for game in listed] == games[::-1] and games[0] != games[1]
        assert all(game["kinds"] == ["human", "ai", "ai", "ai"] for game in listed)
        for game in games:
            told = await running.get(f"/api/games/{game}")
            assert read(told["transcript"]).verify().outcome()
            assert "players: Ben, Emil (KI), Frida (KI), Hugo (KI)" in told["transcript"], "So it always stood there."
            assert told["player_names"] == listed[0]["players"] == ["Ben", "Emil", "Frida", "Hugo"]

    tell(story)


# --- pauses and agents ------------------------------------------------------------------------------------------------


def test_the_pause_between_moves_is_constant(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        await ben.say("set_options", options={"rounds": 1})
        with dealt(5):
            await ben.say("start_game")
        await ben.respond("announce_grand_tichu", announced=False)
        times: list[tuple[float, str]] = []
        table = running.table()
        while table.is_running and len(times) < 60:
            await running.settle()
            playing = table.playing
            assert playing
            count = len(moves(running))
            if 0 in playing.requests:
                await ben.say("move", move=str(playing.safest(0)[0]))
            else:
                # Alarms ring at the very time, so that it is seen when a move is made.
                assert clock.next is not None
                clock.turn(clock.next - clock.now)
                await running.settle()
            times += [(clock.now, text) for _, text in moves(running)[count:]]
        first = next(number for number, (_, text) in enumerate(times) if text.startswith("play"))
        playing_times = [now for now, _ in times[first:]]
        gaps = [later - earlier for earlier, later in itertools.pairwise(playing_times)]
        # A player who is asked may answer at once; nobody else moves before the pause is over, and nobody later.
        assert set(gaps) <= {0.0, PAUSE} and gaps.count(PAUSE) > 20

    tell(story)


def test_many_hints_at_once_are_one(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        client = clients[wanted.state.turn]
        with mock.patch.object(running.server.pool, "advise", wraps=running.server.pool.advise) as thinking:
            for _ in range(50):
                await client.send("hint")
            hint = await client.until("hint")
            await running.settle()
            await client.sync()
            # Who asks again is told again, but nobody thinks again, also for one who was away meanwhile.
            await client.send("hint")
            assert await client.until("hint") == hint
            await client.cut()
            client = await running.resume(client.session)
            await client.send("hint")
            assert await client.until("hint") == hint
            assert thinking.call_count == 1

    tell(story)


def test_a_hint_for_what_is_over_is_not_told(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        seat = wanted.state.turn
        thought = asyncio.Event()

        async def think(*_: Any) -> Advice:
            await thought.wait()
            return Advice("play S7", "It took a while.")

        with mock.patch.object(running.server.pool, "advise", think):
            await clients[seat].say("hint")
        (hint,) = running.mailbox()._questions.values()
        await clients[seat].say("move", move=str(wanted.state.legal(seat)[0]))
        thought.set()
        await running.until(hint.done)
        await running.settle()
        await clients[seat].sync()
        assert not [each for each in clients[seat].seen if each["type"] == "hint"]

    tell(story)


def test_a_hint_that_cannot_be_had_is_refused(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        client = clients[wanted.state.turn]
        with mock.patch.object(running.server.pool, "advise", side_effect=AgentPoolError("Nobody thinks.")):
            for _ in range(2):
                await client.send("hint")
                assert (await client.error())["code"] == Code.SERVER_BUSY
        assert (await client.state())["public_state"]["is_running"]

    tell(story)


# --- the end of tables ------------------------------------------------------------------------------------------------


class PlantedFault(Exception):
    """A fault of ours."""


#: Where a game may be faulty.
FAULTS = [
    (TichuState, "play"),
    (TichuState, "legal"),
    (TichuState, "view"),
    (TichuState, "outcome"),
    (TichuState, "awaiting"),
]


@pytest.mark.parametrize(("kind", "method"), FAULTS, ids=lambda value: value if isinstance(value, str) else "")
def test_a_fault_of_ours_stops_that_table_only(tell: Tell, kind: type[Any], method: str) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        watcher = await running.watch()
        seat = wanted.state.turn
        other = await running.join("Ida", table="Flur", game="maumau")
        await other.say("start_game")
        game = running.table().playing.id  # type: ignore[union-attr]
        card = str(next(move for move in wanted.state.legal(seat) if str(move).startswith("play")))
        with kept_log() as records, mock.patch.object(kind, method, side_effect=PlantedFault):
            await clients[seat].send("move", move=card)
            for client in (*clients, watcher):
                error = await client.error()
                assert error["code"] == Code.UNKNOWN_ERROR and error["context"] == {"exception": "PlantedFault"}
                assert await client.closed() == 1011
        assert [record.getMessage() for record in records if record.levelno >= logging.ERROR] == ["table stopped"]
        assert running.names == ["Flur"]
        assert [stored.id for stored in running.server.journal.tables()] == [running.table("Flur").id]
        assert (await other.state())["public_state"]["is_running"]
        # The transcript of the game up to then is kept, and the table's name is free again.
        saved = read((await running.get(f"/api/games/{game}"))["transcript"])
        assert saved.moves[: len(wanted.moves)] == tuple(wanted.moves) and saved.payoff is None
        saved.verify()
        await running.join("Ben")

    tell(story)


@pytest.mark.parametrize("thought", ["decide", "advise"])
def test_a_fault_while_agents_are_asked_stops_that_table_only(tell: Tell, thought: str) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        other = await running.join("Ida", table="Flur")
        client = await running.join("Ben")
        with (
            kept_log() as records,
            mock.patch.object(running.server.pool, thought, side_effect=PlantedFault),
        ):
            await client.send("start_game")
            if thought == "advise":
                await client.request("announce_grand_tichu")
                await client.send("hint")
            error = await client.error()
            assert error["code"] == Code.UNKNOWN_ERROR and error["context"] == {"exception": "PlantedFault"}
            assert await client.closed() == 1011
        assert [record.getMessage() for record in records if record.levelno >= logging.ERROR] == ["table stopped"]
        assert running.names == ["Flur"]
        await other.say("start_game")
        assert (await other.state())["public_state"]["is_running"]

    tell(story)


def test_a_fault_while_a_game_begins_stops_that_table_only(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        client = await running.join("Ben")
        with (
            kept_log() as records,
            mock.patch.object(words.Speech, "choices"),
            mock.patch.object(TichuState, "awaiting", side_effect=PlantedFault),
        ):
            await client.send("start_game")
            assert (await client.error())["code"] == Code.UNKNOWN_ERROR
        assert [record.getMessage() for record in records if record.levelno >= logging.ERROR] == ["table stopped"]
        await running.until(lambda: not running.server.journal.tables())
        assert running.server.lobby.tables == {}

    tell(story)


# --- who gets in ------------------------------------------------------------------------------------------------------


def test_a_flood_is_refused_and_then_cut(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        for number in range(limits.RATE + 1):
            if number % 2:
                await ben.socket.send_bytes(b"\0")
            else:
                await ben.send("ping")
        error = await ben.until("error", code=Code.SERVER_BUSY)
        assert "context" not in error
        for _ in range(limits.FRAMES - limits.RATE):
            await ben.send("ping")
        assert await ben.closed() == 1008
        # The others notice nothing but the departure.
        await ida.notification("seat_changed")
        assert ida.events()[-1:] == ["seat_changed"]

    tell(story, patient=False)


@pytest.mark.parametrize("length", [9 * 1024, 100_000])
def test_a_message_that_is_too_long_is_refused(tell: Tell, length: int) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        await ben.socket.send_str('{"type": "' + "x" * length + '"}')
        if length < 16 * 1024:
            error = await ben.error()
            assert error["code"] == Code.INVALID_MESSAGE and "8192" in error["context"]["reason"]
        assert await ben.closed() == 1009

    tell(story)


def test_a_message_of_8_kib_is_read(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        await ben.socket.send_str('{"type": "ping", "x": "' + "x" * (8192 - 25) + '"}')
        await ben.until("pong")

    tell(story)


@pytest.mark.parametrize(
    ("origin", "is_let_in"),
    [
        (None, True),
        ("http://127.0.0.1:{port}", True),
        ("https://127.0.0.1:{port}", True),
        ("http://localhost:{port}", False),
        ("http://127.0.0.1", False),
        ("http://evil.example", False),
        ("http://127.0.0.1:{port}.evil.example", False),
        ("null", False),
        ("", False),
        ("https://friend.example", True),
        ("https://friend.example.evil", False),
    ],
)
def test_only_known_pages_may_connect(tell: Tell, origin: str | None, is_let_in: bool) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        headers = {} if origin is None else {"Origin": origin.format(port=running.port)}
        if is_let_in:
            await (await running.connect(headers=headers, player_name="Ben", table_name="Stube")).welcomed()
        else:
            url = f"http://127.0.0.1:{running.port}/ws?player_name=Ben&table_name=Stube"
            upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
            headers |= {**upgrade, "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
            async with running.session.get(url, headers=headers) as response:
                assert response.status == 403
            assert running.server.lobby.tables == {}

    tell(story, origins="https://friend.example")


def test_connections_and_tables_of_one_address_are_bounded(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        clients = [await running.join(f"Gast {number}", table=f"Tisch {number}") for number in range(3)]
        refusal = await running.refused(player_name="Ben", table_name="Tisch 3")
        assert (refusal["code"], refusal["context"]) == (Code.SERVER_BUSY, {"reason": "too_many_tables"})
        await running.until(lambda: running.server.connections.guests.total == 3)
        clients.append(await running.join("Ben", table="Tisch 2"))
        clients.append(await running.join("Ida", table="Tisch 2"))
        # The sixth connection is one too many.
        refusal = await running.refused(player_name="Kim", table_name="Tisch 2")
        assert refusal["code"] == Code.SERVER_BUSY and "context" not in refusal
        await clients[0].send("leave")
        await clients[0].closed()
        await running.settle("Tisch 0")
        await running.until(lambda: running.server.connections.guests.total == 4)
        await running.join("Kim", table="Tisch 3")

    tell(story, tables_per_address=3, connections_per_address=5)


def test_a_full_server_is_told_apart_from_too_many_tables_of_ones_own(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await running.join("Ben")
        refusal = await running.refused(player_name="Ida", table_name="Stall")
        assert refusal["code"] == Code.SERVER_BUSY and "context" not in refusal

    tell(story, tables=1, tables_per_address=1)


def test_who_has_a_session_gets_in_when_nobody_else_of_the_address_does(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben, _ = await running.join("Ben"), await running.join("Ida")
        await ben.cut()
        await running.join("Kim")
        for query in ({"player_name": "Udo", "table_name": "Stube"}, {"session_id": ben.session + "x"}):
            assert (await running.refused(**query))["code"] == Code.SERVER_BUSY
        again = await running.resume(ben.session)
        assert again.seat == ben.seat
        # The player took nobody's place.
        await again.cut()
        assert running.server.connections.guests.total == 2

    tell(story, connections_per_address=2)


def test_behind_a_proxy_the_address_is_the_one_that_it_saw(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        for number in range(4):
            address = {"X-Forwarded-For": f"10.0.0.9, 10.0.0.{number}"}
            client = await running.connect(headers=address, player_name="Ben", table_name=f"Tisch {number}")
            await client.welcomed()
        client = await running.connect(headers=address, player_name="Ben", table_name="Flur")
        assert (await client.error())["code"] == Code.SERVER_BUSY

    tell(story, proxy=True, connections_per_address=1)


def test_who_is_gone_before_a_table_is_found_takes_no_seat(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await running.join("Ben")
        mailbox = running.mailbox()
        hindrance = asyncio.Event()
        write = running.server.journal.write

        async def slowly(*changes: Any) -> None:
            await hindrance.wait()
            await write(*changes)

        with mock.patch.object(running.server.journal, "write", slowly):
            mailbox.table.save()
            mailbox.post(GoOn())
            mailbox.post(Break("Fault"))
            ida = await running.connect(player_name="Ida", table_name="Stube")
            await running.until(lambda: mailbox._jobs.qsize() == 2)
            await ida.cut()
            await running.until(lambda: mailbox._jobs.qsize() == 3)
            hindrance.set()
            await running.until(mailbox.task.done)
            assert running.server.lobby.tables == {}

    tell(story)


def test_nothing_is_told_before_it_is_committed(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        order: list[str] = []
        write, told = running.server.journal.write, SocketPeer.tell

        async def noted(*changes: Any) -> None:
            await write(*changes)
            order.append("committed")

        def heard(peer: SocketPeer, news: News) -> None:
            order.append("told")
            told(peer, news)

        with (
            mock.patch.object(running.server.journal, "write", noted),
            mock.patch.object(SocketPeer, "tell", heard),
        ):
            await ben.say("set_options", turn_limit=15)
            await ben.say("start_game")
        assert order[:4] == ["committed", "told"] * 2

    tell(story)


# --- restart ----------------------------------------------------------------------------------------------------------


def test_after_a_restart_everything_is_back(house: House, tmp_path: Path) -> None:
    kept: dict[str, Any] = {}

    async def before() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            wanted = scene(leads, rounds=1)
            clients = await enact(running, clock, wanted)
            await clients[0].say("chat", phrase="hello")
            away = next(seat for seat in range(4) if seat != wanted.state.turn)
            kept["away"], kept["turn"] = away, wanted.state.turn
            legal = map(str, wanted.state.legal(wanted.state.turn))
            kept["card"] = next(
                move for move in legal if move.startswith("play") and move not in ("play Hu", "play Ma")
            )
            table = running.table()
            table.configure("rule", 30)
            await clients[away].send("leave")
            await clients[away].closed()
            lobby = await running.join("Lea", table="Flur", game="maumau")
            await lobby.say("set_options", agent="random", turn_limit=60, options={"players": 3})
            kept["lobby"] = lobby.session, await lobby.state()
            kept["sessions"] = [client.session for client in clients]
            kept["states"] = [await client.state() if client is not clients[away] else {} for client in clients]
            kept["tables"] = (await running.get("/api/tables"))["tables"]
            kept["names"] = [client.session for client in clients]

    async def after() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            tables = (await running.get("/api/tables"))["tables"]
            assert sorted(tables, key=str) == sorted(kept["tables"], key=str)
            for seat in range(4):
                if seat == kept["away"]:
                    error = await running.refused(session_id=kept["sessions"][seat])
                    assert error["code"] == Code.SESSION_NOT_FOUND
                    continue
                client = await running.resume(kept["sessions"][seat])
                state, then = await client.state(), kept["states"][seat]
                assert client.seat == seat and state["private_state"] == then["private_state"]
                assert state["pending_action"] == then["pending_action"]
                for name in set(state["public_state"]) - {"presences", "held_for", "time_left"}:
                    assert state["public_state"][name] == then["public_state"][name], name
                if seat == kept["turn"]:
                    assert state["request"]["context"] == then["request"]["context"]
                    assert state["request"]["time_limit"] == 30
            session, then = kept["lobby"]
            state = await (await running.resume(session)).state()
            assert state["public_state"]["table_options"] == then["public_state"]["table_options"]
            # The game goes on, and what happens is told.
            turn = next(client for client in running.clients if client.seat == kept["turn"])
            told = await turn.say("move", move=kept["card"])
            assert events(told)[-2:] == ["player_played", "player_turn_changed"]

    house.run(before())
    house.run(after())


def test_a_table_that_cannot_come_back_keeps_no_other_from_it(house: House, tmp_path: Path) -> None:
    async def before() -> str:
        async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
            wanted = scene(leads, rounds=1)
            clients = await enact(running, HandClock(), wanted)
            journal = running.server.journal
            snapshot = msgspec.json.decode(journal.tables()[0].snapshot)
            await journal.write(SaveTable("odd", b"no snapshot"))
            okey = find("okey").new(find("okey").Options(), 1)
            first = str(okey.legal(okey.awaiting()[0])[0])
            for name, game, options, move in (
                ("Changed", "maumau", {}, "dance"),
                ("Odd", "maumau", {"speed": 3}, "draw"),
                ("Faulty", "okey", {}, first),
            ):
                await journal.write(
                    SaveTable(name, msgspec.json.encode(snapshot | {"name": name, "game": game, "options": {}})),
                    BeginGame(f"game {name}", name, Record(game, options, 1, []), 1.0),
                    AddMove(f"game {name}", 1, 0, move),
                )
            assert len(journal.tables()) == 5
            return clients[0].session

    async def after(session: str) -> None:
        with kept_log() as records, mock.patch.object(OkeyState, "play", side_effect=PlantedFault):
            async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
                errors = [record.getMessage() for record in records if record.levelno >= logging.ERROR]
                assert errors == ["table not restored"] * 4
                assert running.names == ["Stube"]
                assert (await (await running.resume(session)).state())["public_state"]["is_running"]
                games = (await running.get("/api/games"))["games"]
                assert {game["game"] for game in games} == {"maumau", "okey"} and len(games) == 3
                assert all(game["points"] is None and game["reason"].startswith("Broken off by ") for game in games)
                # What can be followed of such a game is shown.
                assert len((await running.get("/api/games/game Changed/steps"))["steps"]) == 1

    house.run(after(house.run(before())))


def test_who_was_away_is_away_after_a_restart(house: House, tmp_path: Path) -> None:
    session = ""

    async def before() -> str:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            clients = await enact(running, clock, scene(began, rounds=1))
            running.table().clock.turn_limit = 15
            table = running.table()
            assert table.playing and table.seating.seats[0].player
            table.seating.seats[0].player.strikes = 2
            table.playing.withdraw(0)
            table.renew(None)
            running.mailbox().post(GoOn())
            await running.settle()
            await pass_time(running, clock, 15)
            assert table.seating.by_people == [1, 2, 3]
            return clients[0].session

    async def after() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            client = await running.resume(session)
            assert (await client.state())["public_state"]["presences"] == ["away", "cut", "cut", "cut"]
            await client.say("return")
            assert (await client.state())["public_state"]["presences"][0] == "here"

    session = house.run(before())
    house.run(after())


# --- tokens -----------------------------------------------------------------------------------------------------------


def files_of(folder: Path) -> list[Path]:
    """All files of a folder and its folders."""
    return [path for path in folder.rglob("*") if path.is_file()]


def test_tokens_are_neither_logged_nor_kept(tell: Tell, tmp_path: Path) -> None:
    async def story(running: Running, clock: HandClock) -> list[str]:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        await clients[0].cut()
        await running.settle()
        again = await running.resume(clients[0].session)
        await again.say("move", move=clients[0].session)
        await running.refused(session_id=clients[0].session + "x")
        await running.refused(player_name="Max", table_name="Stube", session_id=clients[1].session)
        files = files_of(tmp_path)
        assert files
        for client in clients:
            for form in (client.session.encode(), bytes.fromhex(client.session.replace("-", ""))):
                assert not [path for path in files if form in path.read_bytes()]
        return [client.session for client in clients]

    with kept_log() as records:
        logging.getLogger().setLevel(logging.DEBUG)
        try:
            tokens = tell(story)
        finally:
            logging.getLogger().setLevel(logging.WARNING)
    written = "\n".join(f"{record.getMessage()} {vars(record)}" for record in records)
    assert records and not [token for token in tokens if token in written]
    assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", token) for token in tokens)
    assert len(set(tokens)) == len(tokens)


# --- all games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_is_played_to_its_end(tell: Tell, game: str) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game=game, view=1)
        watcher = await running.watch(view=1)
        options = {"rounds": 1} if game == "tichu" else {}
        await ben.say("set_options", agent="random", options=options)
        await ben.say("start_game")
        await play_on(running, clock, ben)
        over = await ben.last("game_over")
        assert (await watcher.last("game_over")) == over
        saved = read((await running.get(f"/api/games/{over['game_id']}"))["transcript"])
        outcome = saved.verify().outcome()
        assert outcome and list(outcome.points) == over["points"] and list(outcome.payoff) == over["payoff"]
        steps = (await running.get(f"/api/games/{over['game_id']}/steps"))["steps"]
        assert len(steps) == len(saved.moves) + 1

    tell(story)
