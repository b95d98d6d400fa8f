"""Tests of the live server's tables by a clock that is turned by hand: people who come, go, sleep and come back."""

from __future__ import annotations

import asyncio
import itertools
import json
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
    Client,
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
    numbers,
    pass_time,
    play_on,
    scene,
    schupf,
)
from tisch.game import Event, Random
from tisch.games import REGISTRY, find
from tisch.games.okey.rules import OkeyState
from tisch.games.raumstation import RaumstationState
from tisch.games.tichu.agents import HeuristicAgent
from tisch.games.tichu.rules import TichuState
from tisch.ports import speech as words
from tisch.ports.refusal import Code
from tisch.record import Record
from tisch.server.agents.pool import AgentPoolError
from tisch.server.net import limits
from tisch.server.net.peer import SocketPeer
from tisch.server.table.setups import Setups
from tisch.table.changes import News, Start
from tisch.table.commands import Break, GoOn
from tisch.table.hints import Advice
from tisch.table.kept import AddMove, BeginGame, SaveTable
from tisch.table.seating import Presence
from tisch.transcript import read

# --- turn limits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [15, 30, 60])
def test_who_is_too_slow_makes_the_safest_move(tell: Tell, limit: int) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        host = await running.join("Ben")
        await host.say("set_options", turn_limit=limit, options={"rounds": 1})
        told = await host.say("start_game")
        assert told[-1]["payload"]["time_limit"] == limit
        await pass_time(running, clock, limit - 0.2)
        assert (await host.state())["request"]["time_limit"] == 0.2
        assert (await host.state())["public_state"]["time_left"] == [0.2, None, None, None]
        assert (0, "pass") not in moves(running)
        await pass_time(running, clock, 0.2)
        assert (0, "pass") in moves(running)
        told = await host.sync()
        (error,) = [each["payload"] for each in told if each["type"] == "error"]
        assert error["code"] == Code.ACTION_TIMEOUT
        assert error["context"] == {"timeout": limit, "action": "announce_grand_tichu"}
        (asked,) = [each["payload"] for each in told if each["type"] == "request"]
        assert asked["action"] == "schupf" and asked["time_limit"] == limit
        await pass_time(running, clock, limit)
        assert [text.split()[0] for seat, text in moves(running) if seat == 0] == ["pass", "give", "give", "give"]

    tell(story)


def test_options_that_allow_no_game_are_refused_and_the_table_stays(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        host = await running.join("Ben", game="raumstation")
        hopeless = {"width": 17, "height": 8, "rooms": 109, "danger": 0.8, "jokers": 0, "revealed": 0.0}
        await host.say("set_options", options=hopeless)
        refusal = await host.refused("start_game")
        assert refusal["code"] == Code.INVALID_ACTION
        assert refusal["context"]["reason"].startswith("None of 200 stations with these options can be solved")
        await host.say("set_options", options={"rooms": 12})
        assert "game_started" in events(await host.say("start_game"))

    tell(story)


def test_the_end_tells_the_seed_and_the_same_game_begins_with_it(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        host = await running.join("Ben", game="raumstation")
        await host.say("set_options", options={"rooms": 50, "danger": 0.9, "revealed": 0.0, "classic": True})
        stations = []
        for seed in (None, "42", "42"):
            await host.say("start_game", **({} if seed is None else {"seed": seed}))
            playing = running.table().playing
            assert playing and isinstance(playing.state, RaumstationState)
            stations.append([room.connections for room in playing.state.rooms])
            (over,) = [event for event in await lose(host, playing.state) if event["event"] == "game_over"]
            assert over["context"]["seed"] == str(playing.record.seed) and seed in (None, over["context"]["seed"])
        assert stations[0] != stations[1] == stations[2]
        for wrong in ("", "-1", "x", "1.5", "٤", str(1 << 64), "9" * 21):
            refusal = await host.refused("start_game", seed=wrong)
            assert refusal["context"]["reason"] == f"The seed must be a number from 0 to 2^64 - 1, not '{wrong}'."
        assert (await host.refused("start_game", seed=42))["code"] == Code.INVALID_MESSAGE

    async def lose(host: Client, state: RaumstationState) -> list[dict[str, Any]]:
        trap = next(room for room in state.rooms if room.is_dangerous)
        told = await host.say("move", move=f"scan {trap.y} {trap.x}")
        return [each["payload"] for each in told if each["type"] == "notification"]

    tell(story)


def test_a_seed_can_be_chosen_only_in_a_game_for_one(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        for game in ("maumau", "okey"):
            host = await running.join("Ben", table=game, game=game)
            refusal = await host.refused("start_game", seed="42")
            assert refusal["context"]["reason"] == "Only in a game for one may the player choose the seed."
            assert running.table(game).playing is None

    tell(story)


def test_a_scan_spreads_if_the_client_wishes(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        host = await running.join("Ben", game="raumstation")
        await host.say("set_options", options={"danger": 0.02, "revealed": 0.0, "classic": True})
        await host.say("start_game")
        playing = running.table().playing
        assert playing and isinstance(playing.state, RaumstationState)
        zero = next(room for room in playing.state.rooms if not room.is_dangerous and not room.dangerous_nearby_rooms)
        await host.say("move", move=f"scan {zero.y} {zero.x}")
        assert len(playing.moves) == 1
        await host.say("move", move=f"scan {zero.y} {zero.x}", spread=True)
        seen = {room.position: room for room in playing.state.seen}
        assert len(playing.moves) > 2 and all(seen[place].is_revealed for place in zero.nearby)
        if playing.outcome is None:
            # Nothing is left to spread: it is refused as any scan of an open room.
            refusal = await host.refused("move", move=f"scan {zero.y} {zero.x}", spread=True)
            assert "is open already" in refusal["context"]["reason"]

    tell(story)


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

    async def story() -> None:
        setups = Setups()
        addresses = ["192.0.2.1"] * 3 + ["2001:db8::1", "2001:db8::2"]
        await asyncio.gather(*(begin(setups, address) for address in addresses))

    asyncio.run(story())
    assert order == ["192.0.2.1", "2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.1"]


def test_without_a_limit_nobody_is_hurried(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        host = await running.join("Ben")
        told = await host.say("start_game")
        assert "time_limit" not in told[-1]["payload"]
        await pass_time(running, clock, 100_000)
        assert (await host.state())["pending_action"] == "announce_grand_tichu"

    tell(story)


def test_after_three_times_the_agent_plays_on_until_the_player_returns(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        clients = await enact(running, clock, scene(schupf, rounds=1))
        await clients[0].send("leave")  # Seat 0 leaves so that Gast 1 hosts and an agent plays along.
        await clients[0].closed()
        ben = clients[1]
        table = running.table()
        table.clock.turn_limit = 15
        for client in clients[2:]:
            await client.cut()
        await running.settle()
        await pass_time(running, clock, 20)
        assert table.seating.by_people == [1]
        assert table.playing
        table.playing.withdraw(1)
        table.renew(None)
        running.mailbox().post(GoOn())
        for strike in (1, 2, 3):
            while not table.playing.requests:
                await pass_time(running, clock, PAUSE)
            assert table.seating.seats[1].player
            assert table.seating.seats[1].player.strikes == strike - 1
            await pass_time(running, clock, 15)
        assert table.seating.by_people == [] and table.playing.requests == {}
        told = await ben.sync()
        change = [each["payload"]["context"] for each in told if each["payload"].get("event") == "seat_changed"][-1]
        assert change == {
            "player_index": 1,
            "player_name": "Gast 1",
            "kind": "human",
            "presence": "away",
            "held_for": None,
        }
        count = len(moves(running))
        for _ in range(6):
            await pass_time(running, clock, PAUSE)
        assert len(moves(running)) == count + 6
        assert (await ben.state())["public_state"]["presences"][1] == "away"
        told = await ben.say("return")
        assert events(told)[0] == "seat_changed"
        assert (await ben.state())["public_state"]["presences"] == ["here"] * 4
        while not table.playing.requests:
            await pass_time(running, clock, PAUSE)
        assert list(table.playing.requests) == [1]

    tell(story)


def test_an_answer_that_comes_after_the_time_is_obsolete(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        host = await running.join("Ben")
        await host.say("set_options", turn_limit=15, options={"rounds": 1})
        await host.say("start_game")
        old = (await host.state())["request"]["request_id"]
        await pass_time(running, clock, 15)
        await host.until("error", code=Code.ACTION_TIMEOUT)
        answer = {"action": "announce_grand_tichu", "response_data": {"announced": True}}
        for late in (answer, {**answer, "request_id": old}):
            error = await host.refused("response", **late)
            assert error["code"] == Code.REQUEST_OBSOLETE and error["context"] == {"action": "announce_grand_tichu"}
        assert [text for seat, text in moves(running) if seat == 0] == ["pass"]

    tell(story)


@pytest.mark.parametrize("how", ["response", "move"])
def test_who_decides_in_between_is_not_taken_for_asleep(tell: Tell, how: str) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        table = running.table()
        table.clock.turn_limit = 15
        seat = wanted.state.turn
        player = table.seating.seats[seat].player
        assert player
        player.strikes = 2
        card = str(next(move for move in wanted.state.legal(seat) if str(move).startswith("play")))
        if how == "move":
            await clients[seat].say("move", move=card)
        else:
            await clients[seat].respond("play", cards=numbers(card.removeprefix("play ")))
        assert moves(running)[-1] == (seat, card)
        assert player.strikes == 0

    tell(story)


# --- the lobby --------------------------------------------------------------------------------------------------------


def test_the_host_passes_on(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben, ida, kim = [await running.join(name) for name in ("Ben", "Ida", "Kim")]
        await ida.cut()
        await running.settle()
        await ben.send("leave")
        # Ida is cut off, so that Kim becomes host.
        assert (await kim.notification("player_left"))["host_index"] == 2
        assert "game_started" in events(await kim.say("start_game"))
        ida = await running.resume(ida.session)
        await kim.cut()
        await pass_time(running, clock, 20)
        assert (await ida.notification("player_left"))["host_index"] == 1

    tell(story)


def test_the_host_passes_on_to_one_who_is_cut_off_if_nobody_else_is_there(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben, _, kim = [await running.join(name) for name in ("Ben", "Ida", "Kim")]
        watcher = await running.watch()
        for client in running.clients[1:3]:
            await client.cut()
        await running.settle()
        await ben.send("leave")
        assert (await watcher.notification("player_left"))["host_index"] == 1
        # Ida does not come back, and Kim is still held.
        kim = await running.resume(kim.session)
        await kim.cut()
        await pass_time(running, clock, 20)
        kim = await running.resume(kim.session)
        assert (await kim.state())["public_state"]["host_index"] == 2
        assert "game_started" in events(await kim.say("start_game"))

    tell(story)


def test_the_host_swaps_players(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        told = await ben.say("swap_players", player_index_1=1, player_index_2=2)
        assert told[-1]["payload"]["context"] == {"player_index_1": 1, "player_index_2": 2}
        assert (await ida.state())["private_state"]["player_index"] == 2
        for one, other in ((0, 1), (1, 0), (1, 1), (1, 4), (-1, 1)):
            error = await ben.refused("swap_players", player_index_1=one, player_index_2=other)
            assert error["code"] == Code.INVALID_ACTION
        # Who was swapped is found again.
        await ida.cut()
        await running.settle()
        assert (await running.resume(ida.session)).seat == 2

    tell(story)


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


def test_fewer_seats_leave_everybody_a_seat_and_the_host_the_host(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="maumau", view=1)
        await ben.say("set_options", options={"players": 4})
        others = [await running.join(name) for name in ("Ida", "Kim", "Zoe")]
        for leaver in (ben, others[0]):
            await leaver.send("leave")
            await leaver.closed()
        kim, zoe = others[1], others[2]
        await kim.sync()
        assert (await kim.state())["public_state"]["host_index"] == 2
        error = await kim.refused("set_options", options={"players": 9})
        assert error["code"] == Code.INVALID_ACTION
        await kim.say("set_options", options={"players": 2})
        state = (await zoe.state())["public_state"]
        assert state["player_names"] == ["Kim", "Zoe"] and state["host_index"] == 0
        await zoe.refused("start_game")
        assert "game_started" in events(await kim.say("start_game"))

    tell(story)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Ä" * 24, "Ä" * 24),
        ("A\u0308nne", "Änne"),
        ("  Ben   Gün  ", "Ben Gün"),
        ("\U0001f600" * 24, "\U0001f600" * 24),
        ("李 雷", "李 雷"),
        ("<b>&\"'", "<b>&\"'"),
        ("x" * 25, None),
        ("", None),
        ("   ", None),
        ("Ben\x00", None),
        ("Ben\u202e", None),
        ("B\u200ben", None),
    ],
)
def test_names(tell: Tell, name: str, known: str | None) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        if known:
            await running.join(name, table=name)
            assert running.table(known).seating.names[0] == known
            assert (await running.refused(player_name=known, table_name=known))["code"] == Code.NAME_TAKEN
        else:
            assert (await running.refused(player_name=name, table_name="Stube"))["code"] == Code.INVALID_MESSAGE
            assert (await running.refused(player_name="Ben", table_name=name))["code"] == Code.INVALID_MESSAGE
            assert running.server.lobby.tables == {}

    tell(story)


def test_who_joins_a_running_game_takes_the_seat_of_an_agent(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        await ben.say("start_game")
        await ben.respond("announce_grand_tichu", announced=False)
        await pass_time(running, clock, PAUSE)
        while moves(running)[-1][1].split()[0] != "give":
            await pass_time(running, clock, PAUSE)
        ida = await running.join("Ida")
        assert ida.seat == 1
        welcome = ida.seen[0]["payload"]["context"]
        assert welcome["public_state"]["is_running"]
        state = running.table().playing.state  # type: ignore[union-attr]
        assert welcome["private_state"]["hand_cards"] == [
            list(card) for card in state.view(1).private.hand_cards.numbers
        ]

    tell(story)


def test_spectators_see_no_hand_and_may_not_play(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(schupf, rounds=1)
        clients = await enact(running, clock, wanted)
        watcher = await running.watch(view=1)
        assert (await clients[0].notification("spectator_joined")) == {"spectators": 1}
        for kind, payload in (
            ("start_game", {}),
            ("announce", {}),
            ("bomb", {"cards": []}),
            ("move", {"move": "give Ma"}),
            ("response", {"action": "schupf"}),
            ("chat", {"phrase": "hello"}),
            ("hint", {}),
            ("return", {}),
            ("set_options", {}),
            ("swap_players", {"player_index_1": 1, "player_index_2": 2}),
        ):
            error = await watcher.refused(kind, **payload)
            assert error["code"] == Code.UNAUTHORIZED and error["context"] == {
                "action": kind if kind != "response" else "schupf"
            }
        state = await watcher.state()
        assert state["private_state"] is None and state["request"] is None
        await clients[0].respond(
            "schupf", given_schupf_cards=(await clients[0].state())["private_state"]["hand_cards"][:3]
        )
        await watcher.sync()
        told = json.dumps(watcher.seen)
        assert 'hand_cards"' not in told.replace('"count_hand_cards"', "") and '"player_schupfed"' in told
        await watcher.send("leave")
        assert await watcher.closed() == 1000
        assert (await clients[0].notification("spectator_left")) == {"spectators": 0}

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
        for game in games:
            told = await running.get(f"/api/games/{game}")
            assert read(told["transcript"]).verify().outcome()
            assert told["player_names"] == ["Ben", "Emil (KI)", "Frida (KI)", "Hugo (KI)"]

    tell(story)


def test_a_table_gets_more_seats_after_a_game(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="maumau", view=1)
        await ben.say("start_game")
        await play_on(running, clock, ben)
        await ben.say("set_options", options={"players": 4})
        guests = [await running.join(f"Gast {number}", view=1) for number in range(3)]
        assert [guest.seat for guest in guests] == [1, 2, 3]
        await guests[2].state()
        error = await ben.refused("set_options", options={"players": 3})
        assert error["code"] == Code.INVALID_ACTION
        await guests[0].send("leave")
        await ben.notification("player_left")
        await ben.say("set_options", options={"players": 3})
        assert running.table().seating.names == ["Ben", "Gast 2", "Gast 1"]
        assert "game_started" in events(await ben.say("start_game"))

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


def quietly_leads(state: Any) -> bool:
    """Somebody is to lead, and nobody can speak out of turn."""
    return bool(
        state.phase == "play" and state.owner == -1 and len(state.playing) == 4 and not state.callers + state.bombers
    )


def test_no_agent_moves_within_the_pause_when_a_held_seat_runs_out(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(quietly_leads, rounds=1)
        clients = await enact(running, clock, wanted)
        seat = wanted.state.turn
        follower, other = (seat + 1) % 4, (seat + 2) % 4
        # For the other an agent plays already, and goes on to do so when the seat runs out.
        player = running.table().seating.seats[other].player
        assert player
        player.presence = Presence.AWAY
        await clients[follower].cut()
        await pass_time(running, clock, 0.2)
        await clients[other].cut()
        await pass_time(running, clock, 19.5)
        legal = map(str, wanted.state.legal(seat))
        card = next(move for move in legal if move.startswith("play") and move not in ("play Hu", "play Ma"))
        await clients[seat].say("move", move=card)
        count = len(moves(running))
        assert moves(running)[-1] == (seat, card)
        # The pause lasts until 20.7. At 20.0 an agent takes the seat whose turn it is, and has soon made up its mind;
        # at 20.2 the other seat runs out.
        for seconds in (0.3, 0.2, 0.4):
            await pass_time(running, clock, seconds)
            assert {*running.table().seating.by_agents} == {follower, other} and len(moves(running)) == count
        assert running.table().seating.names[other].endswith(" (KI)")
        await pass_time(running, clock, 0.1)
        assert moves(running)[count][0] == follower

    tell(story)


def test_all_decide_at_the_same_time(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        clients = await enact(running, clock, scene(began, rounds=1))
        asked = [await client.state() for client in clients]
        assert [each["pending_action"] for each in asked] == ["announce_grand_tichu"] * 4
        # What the others decide makes nobody's request void, and nobody learns of it.
        for seat in (2, 0, 3):
            told = await clients[seat].respond(
                "announce_grand_tichu", asked[seat]["request"]["request_id"], announced=seat == 2
            )
            assert told == []
        assert await clients[1].sync() == []
        await clients[1].respond("announce_grand_tichu", asked[1]["request"]["request_id"], announced=False)
        assert events(await clients[0].sync())[0] == "player_announced"

    tell(story)


def test_a_hint_is_given_to_who_is_asked(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        seat = wanted.state.turn
        await clients[seat].send("hint")
        hint = await clients[seat].until("hint")
        assert hint["move"] in map(str, wanted.state.legal(seat))
        assert set(hint) == {"move", "reason"}

    tell(story)


def test_a_hint_speaks_the_language_that_is_asked_for(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        client, seat = clients[wanted.state.turn], wanted.state.turn
        agent = HeuristicAgent()
        agent.start(Random(1))
        move = agent.act(wanted.state.view(seat), wanted.state.legal(seat), must=True)
        german, english = agent.explain("de"), agent.explain("en")
        assert german.startswith("Der Hund geht weg") and english.startswith("The dog ")
        for asked, reason in (({}, english), ({"language": "en"}, english), ({"language": "de"}, german)):
            await client.send("hint", **asked)
            assert await client.until("hint") == {"move": str(move), "reason": reason}
        refused = await client.refused("hint", language="fr")
        assert refused["code"] == Code.INVALID_ACTION
        told = "The language 'fr' is not spoken here, only de and en."
        assert refused["context"] == {"action": "hint", "reason": told}
        assert (await client.refused("hint", language=None))["code"] == Code.INVALID_MESSAGE

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


def test_phrases_are_told_to_all(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        await ida.say("chat", phrase="well_played")
        assert await ben.notification("chat") == {"player_index": 1, "phrase": "well_played"}
        assert (await ida.refused("chat", phrase="<b>"))["code"] == Code.INVALID_ACTION

    tell(story)


# --- the end of tables ------------------------------------------------------------------------------------------------


def test_a_table_closes_when_the_last_human_leaves(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        await ben.say("start_game")
        for client in (ben, ida):
            await client.send("leave")
            assert await client.closed() == 1000
        await running.until(lambda: not running.server.journal.tables())
        assert running.server.lobby.tables == {}
        assert (await running.refused(session_id=ida.session))["code"] == Code.SESSION_EXPIRED

    tell(story)


def test_a_table_is_kept_for_those_who_are_cut_off(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        await ben.say("start_game")
        await ben.cut()
        await pass_time(running, clock, 20)
        count = len(moves(running))
        await pass_time(running, clock, 3500)
        # Nobody looks, so that no agent plays on.
        assert len(moves(running)) == count
        ben = await running.resume(ben.session)
        assert running.table().seating.host == 0 and running.table().is_running
        await ben.cut()
        await pass_time(running, clock, 20)
        await pass_time(running, clock, 3600)
        await running.until(lambda: not running.server.journal.tables())
        assert running.server.lobby.tables == {}
        assert (await running.refused(session_id=ben.session))["code"] == Code.SESSION_EXPIRED

    tell(story)


@pytest.mark.parametrize("is_over", [False, True], ids=["before a game", "after a game"])
def test_a_table_where_no_game_is_going_on_is_given_up_after_ten_minutes(tell: Tell, is_over: bool) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="maumau")
        if is_over:
            await ben.say("set_options", options={"rounds": 1})
            await ben.say("start_game")
            await play_on(running, clock, ben)
        await ben.cut()
        await pass_time(running, clock, 20)
        await pass_time(running, clock, 570)
        # A phone may have slept for so long.
        ben = await running.resume(ben.session)
        await ben.cut()
        await pass_time(running, clock, 20)
        assert (await running.refused(player_name="Ida", table_name="Stall"))["context"] == {
            "reason": "too_many_tables"
        }
        await pass_time(running, clock, 600)
        await running.until(lambda: not running.server.journal.tables())
        assert (await running.refused(session_id=ben.session))["code"] == Code.SESSION_EXPIRED
        # The household may open another one again.
        await running.join("Ida", "Stall")

    tell(story, tables_per_address=1)


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


async def answer_late(running: Running, client: Client, request_id: int) -> None:
    """Answer what was asked long ago, which changes nothing."""
    await running.settle()
    answer = {"action": "announce_grand_tichu", "request_id": request_id, "response_data": {"announced": True}}
    before = await client.state()
    assert before["pending_action"] == answer["action"] and before["request"]["request_id"] != request_id
    assert (await client.refused("response", **answer))["code"] == Code.INVALID_RESPONSE
    assert moves(running) == [] and await client.state() == before


def test_an_old_answer_means_nothing_in_the_next_game(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        clients = await enact(running, clock, scene(began, rounds=1))
        old = (await clients[0].state())["request"]["request_id"]
        for client in clients[1:]:
            await client.send("leave")
            await client.closed()
        await play_on(running, clock, clients[0])
        clients[1:] = [await running.join(f"Gast {seat}") for seat in (1, 2, 3)]
        await clients[0].say("start_game")
        await answer_late(running, clients[0], old)

    tell(story)


def test_an_old_answer_means_nothing_after_a_restart(house: House, tmp_path: Path) -> None:
    async def before() -> tuple[str, int]:
        async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
            clients = await enact(running, HandClock(), scene(began, rounds=1))
            return clients[0].session, (await clients[0].state())["request"]["request_id"]

    async def after(session: str, old: int) -> None:
        async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
            await answer_late(running, await running.resume(session), old)

    house.run(after(*house.run(before())))


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
