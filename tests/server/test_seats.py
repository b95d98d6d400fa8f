"""Tests of who gets which seat: people who are cut off and come back, and strangers who want another player's hand."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pytest

from hidden_cards import cards_in
from places import TESTS
from server import (
    PAUSE,
    Client,
    HandClock,
    House,
    Running,
    Tell,
    dealt,
    enact,
    events,
    leads,
    moves,
    pass_time,
    play_on,
    scene,
)
from tisch.games import tichu
from tisch.games.tichu import Cards
from tisch.ports.refusal import Code, Refusal
from tisch.server.store.journal import JournalError
from tisch.table import seating, sessions
from tisch.table.kept import SaveTable
from tisch.table.sessions import Sessions, digest_of

# --- who is cut off ---------------------------------------------------------------------------------------------------


def test_a_cut_seat_is_held_and_then_an_agent_takes_it(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        host = await running.join("Ben")
        ida = await running.join("Ida")
        await host.say("start_game")
        await ida.cut()
        change = await host.notification("seat_changed")
        assert change == {
            "player_index": 1,
            "player_name": "Ida",
            "kind": "human",
            "presence": "cut",
            "held_for": 20.0,
        }
        await pass_time(running, clock, 19.9)
        state = (await host.state())["public_state"]
        assert state["presences"][1] == "cut" and state["held_for"][1] == 0.1 and state["player_names"][1] == "Ida"
        assert (1, "pass") not in moves(running)
        await pass_time(running, clock, 0.1)
        # Who sits there now is told, as clients show it.
        left = await host.notification("player_left")
        assert left == {"player_index": 1, "player_name": "Emil (KI)", "host_index": 0}
        state = (await host.state())["public_state"]
        assert state["player_kinds"] == ["human", "ai", "ai", "ai"] and state["player_names"][1] == "Emil (KI)"
        await pass_time(running, clock, PAUSE)
        assert {seat for seat, _ in moves(running)} == {1, 2, 3}
        # It is Ida's as long as nobody else takes it.
        ida = await running.resume(ida.session)
        assert ida.seat == 1
        assert await host.notification("player_joined") == {"player_index": 1, "player_name": "Ida"}

    tell(story)


def test_who_comes_back_in_time_finds_everything_as_it_was(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        wanted = scene(leads, rounds=1)
        clients = await enact(running, clock, wanted)
        seat = wanted.state.turn
        before = await clients[seat].state()
        await clients[seat].cut()
        await pass_time(running, clock, 19)
        token = clients[seat].session
        again = await running.connect(session_id=token)
        welcome = await again.welcomed()
        assert set(welcome) == {
            *("player_index", "player_name", "session_id"),
            *("public_state", "private_state", "pending_action", "request", "invitation"),
        }
        assert welcome["session_id"] == token and again.seat == seat
        other = clients[(seat + 1) % 4]
        told = [each["payload"] for each in await other.sync() if each["type"] == "notification"]
        assert [each["event"] for each in told] == ["seat_changed", "player_joined", "seat_changed"]
        assert told[1]["context"] == {"player_index": seat, "player_name": f"Gast {seat}"}
        after = await again.state()
        assert {**after, "number": 0} == {**before, "number": 0}
        assert {key: welcome[key] for key in ("private_state", "request", "pending_action")} == {
            key: before[key] for key in ("private_state", "request", "pending_action")
        }
        await pass_time(running, clock, 20)
        assert running.table().seating.by_people == [0, 1, 2, 3]

    tell(story)


def test_a_seat_is_held_against_newcomers(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await running.join("Ben")
        ida = await running.join("Ida")
        await running.join("Kim")
        await running.join("Leo")
        await ida.cut()
        # The seat is still held.
        assert (await running.refused(player_name="Max", table_name="Stube"))["code"] == Code.TABLE_FULL
        await pass_time(running, clock, 20)
        assert (await running.join("Max")).seat == 1

    tell(story)


def test_newcomers_leave_the_seat_of_one_who_may_come_back(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await running.join("Ben")
        ida = await running.join("Ida")
        await ida.cut()
        await pass_time(running, clock, 20)
        assert (await running.join("Max")).seat == 2
        assert (await running.resume(ida.session)).seat == 1

    tell(story)


def test_the_newest_connection_has_the_seat(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        await ben.say("start_game")
        await ida.sync()
        again = await running.resume(ben.session)
        assert await ben.closed() == 4001
        await running.settle()
        assert (await again.state())["public_state"]["presences"][0] == "here"
        third = await running.resume(ben.session)
        assert await again.closed() == 4001
        # The others notice nothing.
        assert events(await ida.sync()) == []
        await third.respond("announce_grand_tichu", announced=False)
        assert (0, "pass") in moves(running)

    tell(story)


def test_a_reload_keeps_seat_host_and_game(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        for _ in range(5):
            await ben.cut()
            ben = await running.resume(ben.session)
        assert ben.seat == 0 and running.table().seating.host == 0
        assert events(await ida.sync()) == ["seat_changed", "player_joined", "seat_changed"] * 5

    tell(story)


# --- whose seat it is -------------------------------------------------------------------------------------------------


def test_whose_seat_was_taken_gets_another_one(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        others = [await running.join(name) for name in ("Kim", "Leo")]
        await ida.cut()
        await pass_time(running, clock, 20)
        max_ = await running.join("Max")
        assert max_.seat == 1
        # As long as people sit on all seats there is none for her; her session stays good.
        for _ in range(2):
            error = await running.refused(session_id=ida.session)
            assert error["code"] == Code.TABLE_FULL and error["context"] == {"table_name": "Stube"}
        await others[1].send("leave")
        await others[1].closed()
        ida = await running.resume(ida.session)
        assert ida.seat == 3
        told = await max_.notification("player_joined")
        while told["player_name"] != "Ida":
            told = await max_.notification("player_joined")
        assert told == {"player_index": 3, "player_name": "Ida"}
        assert (await ben.state())["public_state"]["player_names"] == ["Ben", "Max", "Kim", "Ida"]

    tell(story)


def test_whose_seat_is_free_again_gets_that_one(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await running.join("Ben")
        ida = await running.join("Ida")
        kim, _ = [await running.join(name) for name in ("Kim", "Leo")]
        await ida.cut()
        await pass_time(running, clock, 20)
        max_ = await running.join("Max")
        for client in (max_, kim):
            await client.send("leave")
            await client.closed()
        # Seat 2 is free, too, and nobody's; but seat 1 is hers.
        assert (await running.resume(ida.session)).seat == 1

    tell(story)


def test_two_may_come_back_to_one_seat_and_the_first_one_gets_it(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        others = [await running.join(name) for name in ("Kim", "Leo")]
        await ida.cut()
        await pass_time(running, clock, 20)
        max_ = await running.join("Max")
        await max_.cut()
        await pass_time(running, clock, 20)
        await others[0].send("leave")
        await others[0].closed()
        assert (await running.resume(max_.session)).seat == 1
        assert (await running.resume(ida.session)).seat == 2
        assert (await ben.state())["public_state"]["player_names"] == ["Ben", "Max", "Ida", "Leo"]

    tell(story)


def test_a_name_is_taken_as_long_as_its_owner_may_come_back(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        await ida.cut()
        for seconds in (0, 20, 3000):
            await pass_time(running, clock, seconds)
            error = await running.refused(player_name="Ida", table_name="Stube")
            assert error["code"] == Code.NAME_TAKEN
        ida = await running.resume(ida.session)
        await ida.send("leave")
        await ben.notification("player_left")
        assert (await running.join("Ida")).seat == 1

    tell(story)


def test_who_was_cut_off_and_comes_with_name_and_session_comes_back(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await running.join("Ben")
        ida = await running.join("Ida")
        await ida.cut()
        # The seat is still hers.
        entry = {"player_name": "Ida", "table_name": "Stube", "session_id": ida.session}
        assert (await running.refused(**entry))["code"] == Code.ALREADY_ON_TABLE
        await pass_time(running, clock, 20)
        again = await running.join("Ida", session_id=ida.session)
        assert again.seat == 1 and again.session == ida.session

    tell(story)


def test_only_so_many_may_come_back_to_one_seat(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="sechsundsechzig")
        cut = []
        for number in range(9):
            guest = await running.join(f"Gast {number}")
            assert guest.seat == 1
            await guest.cut()
            await pass_time(running, clock, 20)
            cut.append(guest)
        # Eight others were cut off since the first one.
        assert (await running.refused(session_id=cut[0].session))["code"] == Code.SESSION_EXPIRED
        assert (await running.resume(cut[1].session)).seat == 1
        assert (await running.refused(session_id=cut[-1].session))["code"] == Code.TABLE_FULL
        await ben.send("leave")
        await ben.closed()
        assert (await running.resume(cut[-1].session)).seat == 0

    tell(story)


def test_swapped_seats_stay_with_those_who_may_come_back(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        ida = await running.join("Ida")
        await ida.cut()
        await pass_time(running, clock, 20)
        await ben.say("swap_players", player_index_1=1, player_index_2=3)
        assert (await running.join("Kim")).seat == 1
        assert (await running.resume(ida.session)).seat == 3

    tell(story)


def test_options_that_change_the_seats_cost_nobody_their_session(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="maumau")
        await ben.say("set_options", options={"players": 5})
        guests = [await running.join(f"Gast {number}") for number in range(1, 5)]
        for guest in (guests[2], guests[3]):
            await guest.cut()
        await pass_time(running, clock, 20)
        # Gast 1 and 2 stay at seats 1 and 2; seats 3 and 4, to which two may come back, are gone.
        await ben.say("set_options", options={"players": 3})
        for guest in (guests[2], guests[3]):
            assert (await running.refused(session_id=guest.session))["code"] == Code.TABLE_FULL
        await guests[0].send("leave")
        await guests[0].closed()
        assert (await running.resume(guests[3].session)).seat == 1
        await ben.say("set_options", options={"players": 4})
        assert (await running.resume(guests[2].session)).seat == 3
        assert (await ben.state())["public_state"]["player_names"] == ["Ben", "Gast 4", "Gast 2", "Gast 3"]

    tell(story)


def test_who_moves_to_another_seat_leaves_it_to_those_who_may_come_back(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="maumau")
        await ben.say("set_options", options={"players": 4})
        guests = [await running.join(f"Gast {number}") for number in range(1, 4)]
        for guest in guests[:2]:
            await guest.cut()
        await pass_time(running, clock, 20)
        # Gast 3 must move, and both seats that are free are somebody's.
        await ben.say("set_options", options={"players": 3})
        assert running.table().seating.names == ["Ben", "Gast 3", "Frida (KI)"]
        assert (await running.resume(guests[0].session)).seat == 2
        assert (await running.refused(session_id=guests[1].session))["code"] == Code.TABLE_FULL

    tell(story)


# --- who left a running round ----------------------------------------------------------------------------------------

#: Where people come from; the server trusts a proxy that says so.
HOME, ELSEWHERE, FAR = ({"X-Forwarded-For": address} for address in ("192.0.2.1", "198.51.100.7", "203.0.113.9"))


async def begun(running: Running, rounds: int = 1) -> Client:
    """Let Ben open a table of Mau-Mau with three agents, and begin."""
    ben = await running.join("Ben", game="maumau", headers=HOME)
    await ben.say("set_options", options={"players": 4, "rounds": rounds}, agent="random")
    await ben.say("start_game")
    return ben


async def by_leaving(running: Running, clock: HandClock, client: Client) -> None:
    await client.send("leave")
    await client.closed()


async def by_a_cut(running: Running, clock: HandClock, client: Client) -> None:
    await client.cut()
    await pass_time(running, clock, 20)


async def hand(client: Client) -> frozenset[str]:
    """The cards that a client is shown as its own."""
    return frozenset((await client.state())["private_state"]["hand"])


@pytest.mark.parametrize("leave", [by_leaving, by_a_cut])
def test_who_left_a_running_round_sees_no_other_hand(tell: Tell, leave: Callable[..., Awaitable[None]]) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await begun(running)
        ida = await running.join("Ida", headers=FAR)
        seen = set()
        for number in range(4):
            # A new name, no session, and each second time a session of before, from where it comes last.
            stranger = await running.join(f"Mallory {number}", headers=ELSEWHERE)
            seen.add((stranger.seat, await hand(stranger)))
            await leave(running, clock, stranger)
            if number == 1:
                # Now the first free seat is another one than theirs.
                await leave(running, clock, ida)
        assert {seat for seat, _ in seen} == {2} and len(seen) == 1

    tell(story, proxy=True)


def test_a_seat_that_is_held_for_its_player_is_no_reason_for_another_one(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await begun(running)
        stranger = await running.join("Mallory", headers=ELSEWHERE)
        await stranger.cut()
        for entry in ({"player_name": "Trudy"}, {"player_name": "Oscar", "spectator": 0}):
            refused = await running.refused(table_name="Stube", headers=ELSEWHERE, **entry)
            assert (refused["code"], refused["context"]) == (
                Code.SEAT_TAKEN,
                {"table_name": "Stube", "player_index": stranger.seat},
            )
        # With the session it is theirs at any time.
        assert (await running.resume(stranger.session, headers=ELSEWHERE)).seat == stranger.seat

    tell(story, proxy=True)


def test_whose_seat_of_this_round_is_taken_waits_for_the_next_one(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await begun(running, rounds=3)
        table = running.table()
        stranger, ida = [await running.join(name, headers=where) for name, where in (("Eva", ELSEWHERE), ("Ida", FAR))]
        for client in (stranger, ida):
            await by_a_cut(running, clock, client)
        taken = [await running.join(f"Gast {number}", headers=where(number)) for number in range(3)]
        assert [client.seat for client in taken] == [3, 1, 2]
        await by_leaving(running, clock, taken[0])
        # Seat 3 is free, but Eva has had seat 1 in this round, and Ida seat 2: with and without their sessions.
        for entry in (
            {"session_id": stranger.session},
            {"session_id": stranger.session, "player_name": "Eva", "table_name": "Stube"},
            {"player_name": "Trudy", "table_name": "Stube"},
        ):
            refused = await running.refused(headers=ELSEWHERE, **entry)
            assert (refused["code"], refused["context"]["player_index"]) == (Code.SEAT_TAKEN, 1)
        # Who has the session has had the seat, wherever they are.
        assert (await running.refused(session_id=ida.session, headers=where(9)))["code"] == Code.SEAT_TAKEN
        assert table.playing and table.playing.state.round_number() == 0
        for client in taken[1:]:
            await by_leaving(running, clock, client)
        await until_round(running, clock, ben, 1)
        # In the next round they may have any seat, and keep that one.
        taken = [await running.join(f"Gast {number}", headers=where(number)) for number in range(3)]
        assert {client.seat for client in taken} == {1, 2, 3}
        await by_leaving(running, clock, next(client for client in taken if client.seat == 3))
        assert (await running.resume(stranger.session, headers=ELSEWHERE)).seat == 3

    tell(story, proxy=True)


def where(number: int) -> dict[str, str]:
    """A network of its own for each number."""
    return {"X-Forwarded-For": f"192.0.2.{100 + number}"}


async def until_round(running: Running, clock: HandClock, ben: Client, number: int) -> None:
    """Play on until a round has begun."""
    playing = running.table().playing
    assert playing
    for _ in range(1000):
        if playing.state.round_number() >= number:
            return
        await running.settle()
        if playing.requests.get(ben.seat):
            await ben.say("move", move=str(playing.safest(ben.seat)[0]))
        else:
            clock.turn(PAUSE)
    raise AssertionError("The round does not end.")


def test_the_next_game_forgets_who_had_which_seat(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await begun(running)
        eva = await running.join("Eva", headers=ELSEWHERE)
        assert eva.seat == 1
        await by_leaving(running, clock, eva)
        await play_on(running, clock, ben)
        assert (await running.join("Ida", headers=FAR)).seat == 1
        # Between two games everybody gets any seat, and in the next one that seat again.
        eva = await running.join("Eva", headers=ELSEWHERE)
        assert eva.seat == 2
        await ben.say("start_game")
        await by_leaving(running, clock, eva)
        assert (await running.join("Kim", headers=where(1))).seat == 2
        assert (await running.refused(player_name="Eva", table_name="Stube", headers=ELSEWHERE))["code"] == 208

    tell(story, proxy=True)


def test_who_sat_there_before_the_round_began_gets_that_seat_again(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="maumau", headers=HOME)
        await ben.say("set_options", options={"players": 4})
        ida, eva = await running.join("Ida", headers=FAR), await running.join("Eva", headers=ELSEWHERE)
        await ben.say("start_game")
        for client in (ida, eva):
            await by_leaving(running, clock, client)
        assert (await running.join("Trudy", headers=ELSEWHERE)).seat == eva.seat == 2

    tell(story, proxy=True)


def test_friends_behind_one_router_get_seats_of_their_own(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await begun(running)
        eva = await running.join("Eva", headers=ELSEWHERE)
        ida = await running.join("Ida", headers=ELSEWHERE)
        assert (eva.seat, ida.seat) == (1, 2)
        await by_a_cut(running, clock, ida)
        # Eva is here: who comes from there now may be anybody.
        kim = await running.join("Kim", headers=ELSEWHERE)
        assert kim.seat == 3
        # A session tells more than a network.
        assert (await running.resume(ida.session, headers=ELSEWHERE)).seat == 2

    tell(story, proxy=True)


def test_who_moves_on_to_another_network_is_known_there_too(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        await begun(running)
        ida = await running.join("Ida", headers=FAR)
        eva = await running.join("Eva", headers=ELSEWHERE)
        await eva.cut()
        eva = await running.resume(eva.session, headers=where(1))
        for client in (eva, ida):
            await by_leaving(running, clock, client)
        # The session is over, and the first free seat would be another one.
        assert (await running.join("Trudy", headers=where(1))).seat == 2

    tell(story, proxy=True)


def test_a_table_remembers_a_few_hundred_visitors(tell: Tell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seating, "MOST_KNOWN", 6)

    async def story(running: Running, clock: HandClock) -> None:
        await begun(running)
        for number in range(9):
            stranger = await running.join(f"Gast {number}", headers=where(number))
            await by_leaving(running, clock, stranger)
        assert len(running.table().seating.visits.seats) == 6

    tell(story, proxy=True)


# --- restart ----------------------------------------------------------------------------------------------------------


def test_who_was_cut_off_for_long_comes_back_after_a_restart(house: House, tmp_path: Path) -> None:
    async def before() -> list[str]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            clients = await enact(running, clock, scene(leads, rounds=1))
            for client in clients[1:3]:
                await client.cut()
            await pass_time(running, clock, 20)
            max_ = await running.join("Max")
            assert max_.seat == 1
            return [clients[1].session, clients[2].session, max_.session]

    async def after(displaced: str, absent: str, seated: str) -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            assert (await running.refused(player_name="Gast 1", table_name="Stube"))["code"] == Code.NAME_TAKEN
            assert (await running.refused(player_name="Gast 2", table_name="Stube"))["code"] == Code.NAME_TAKEN
            assert (await running.resume(absent)).seat == 2
            # Seat 1 is held for Max, and people sit on all others.
            assert (await running.refused(session_id=displaced))["code"] == Code.TABLE_FULL
            assert (await running.resume(seated)).seat == 1

    house.run(after(*house.run(before())))


@pytest.mark.parametrize("leave", [by_leaving, by_a_cut])
def test_who_left_a_running_round_sees_no_other_hand_after_a_restart(
    house: House, tmp_path: Path, leave: Callable[..., Awaitable[None]]
) -> None:
    async def before() -> tuple[str, frozenset[str]]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE, proxy=True) as running:
            ben = await begun(running)
            ida = await running.join("Ida", headers=FAR)
            stranger = await running.join("Mallory", headers=ELSEWHERE)
            cards = await hand(stranger)
            for client in (stranger, ida):
                await leave(running, clock, client)
            return ben.session, cards

    async def after(ben: str, cards: frozenset[str]) -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE, proxy=True) as running:
            await running.resume(ben, headers=HOME)
            again = await running.join("Trudy", headers=ELSEWHERE)
            assert (again.seat, await hand(again)) == (2, cards)

    house.run(after(*house.run(before())))
    # The journal keeps no addresses.
    assert not [path for path in tmp_path.iterdir() if path.is_file() and b"198.51.100" in path.read_bytes()]


def test_who_was_seated_when_the_server_stopped_is_known_by_their_network(house: House, tmp_path: Path) -> None:
    async def before() -> str:
        async with house.open(tmp_path, HandClock(), pause=PAUSE, proxy=True) as running:
            ben = await running.join("Ben", game="maumau", headers=HOME)
            await ben.say("set_options", options={"players": 4})
            for name, network in (("Ida", FAR), ("Mallory", ELSEWHERE)):
                await running.join(name, headers=network)
            await ben.say("start_game")
            return ben.session

    async def after(ben: str) -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE, proxy=True) as running:
            await running.resume(ben, headers=HOME)
            await pass_time(running, clock, 20)
            assert running.table().seating.by_people == [0]
            # Nobody may come back to seat 3, but Mallory has had seat 2.
            assert (await running.join("Trudy", headers=ELSEWHERE)).seat == 2

    house.run(after(house.run(before())))


def test_a_journal_of_an_earlier_version_is_read(house: House, tmp_path: Path) -> None:
    async def before() -> tuple[str, str]:
        async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
            ben, ida = await running.join("Ben"), await running.join("Ida")
            (stored,) = running.server.journal.tables()
            snapshot = msgspec.json.decode(stored.snapshot)
            for seat in snapshot["seats"]:
                seat.pop("absent", None)
            snapshot["seats"][1]["is_absent"] = True
            await running.server.journal.write(SaveTable(stored.id, msgspec.json.encode(snapshot)))
            return ben.session, ida.session

    async def after(ben: str, ida: str) -> None:
        async with house.open(tmp_path, HandClock(), pause=PAUSE) as running:
            assert running.table().seating.names[:2] == ["Ben", "Emil (KI)"]
            assert (await running.resume(ida)).seat == 1
            assert (await running.resume(ben)).seat == 0

    house.run(after(*house.run(before())))


def test_a_journal_of_the_version_before_the_tables_room_is_restored(house: House, tmp_path: Path) -> None:
    """What is expected was written down when that version made the journal."""
    script = TESTS / "tables" / "journal-before-the-room-of-the-table.sql"
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        connection.executescript(script.read_text(encoding="utf-8"))

    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            table, chamber = running.table("Stube"), running.table("Kammer")
            assert table.playing and len(table.playing.moves) == 24
            # The last two were written ahead, and are made.
            assert table.playing.moves[-3:] == [(1, "pass"), (2, "play R8"), (3, "play SZ")]
            assert (table.agents.choice, table.clock.turn_limit, table.seating.host) == ("rule", 30, 0)
            ben = await running.resume("211ff239-abb9-49ae-9bf6-cc30cd149a1d")
            ida = await running.resume("49a93187-6ca4-407c-ba95-cf06ddb01c78")
            assert (ben.seat, ida.seat) == (0, 1) and table.seating.names[:2] == ["Ben", "Ida"]
            told = await ben.state()
            hand = [[12, 4], [12, 1], [11, 3], [10, 2], [8, 3], [8, 2], [6, 4], [6, 2], [6, 1], [3, 2], [2, 4], [2, 3]]
            assert told["private_state"]["hand_cards"] == [*hand, [2, 1], [0, 0]]
            assert told["request"]["action"] == "play" and told["request"]["time_limit"] == 30
            await ben.say("move", move="pass")
            assert table.playing.moves[24:] == [(0, "pass")]
            lea = await running.resume("2b73bc81-f5d0-40e6-a396-064769dee24f")
            invitation = (await lea.state())["invitation"]
            assert invitation == "VQF8xWdoYbYsrryxHFp7EQ" and chamber.last_game == "hAF8-l6FTIqg"
            come = {"table_name": "Kammer", "invitation": invitation}
            assert (await running.refused(player_name="Max", **come))["code"] == Code.REMOVED
            assert (await running.join("Mia", "Kammer", invitation=invitation)).seat == 1

    house.run(story())


def test_a_game_that_was_begun_before_a_rule_changed_goes_on(house: House, tmp_path: Path) -> None:
    """Its record leaves a wish out that must be made today; the server was killed after the moves that followed."""
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        connection.executescript((TESTS / "tables" / "journal-without-the-last-wish.sql").read_text(encoding="utf-8"))

    async def story(known: list[tuple[int, str]]) -> list[tuple[int, str]]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            playing = running.table("Alt").playing
            assert playing
            found = list(playing.moves)
            assert found[: len(known)] == known
            assert (2, "play Ma") in found and not any(text.startswith("wish") for _, text in found)
            # Nobody comes back: somebody else takes a seat, and agents the others.
            clock.turn(20)
            await running.settle("Alt")
            max_ = await running.join(f"Max {len(known)}", table="Alt")
            for _ in range(20):
                await running.settle("Alt")
                if max_.seat in playing.requests:
                    await max_.say("move", move=str(playing.safest(max_.seat)[0]))
                clock.turn(PAUSE)
            assert len(playing.moves) > len(found)
            return list(playing.moves)

    house.run(story(house.run(story([]))))


# --- sessions ---------------------------------------------------------------------------------------------------------


def test_all_sessions_of_a_table_end_with_it(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben", game="sechsundsechzig")
        other = await running.join("Uli", table="Flur")
        ida = await running.join("Ida")
        await ida.cut()
        await pass_time(running, clock, 20)
        max_ = await running.join("Max")
        await ben.cut()
        await max_.send("leave")
        await max_.closed()
        await pass_time(running, clock, 20)
        # Nobody is here, and three may come back: one who sat at last, and one whose seat was taken meanwhile.
        await pass_time(running, clock, 3600)
        await running.until(lambda: running.find("Stube") is None)
        for session in (ben.session, ida.session, max_.session):
            assert (await running.refused(session_id=session))["code"] == Code.SESSION_EXPIRED
        await other.cut()
        await running.settle("Flur")
        assert (await running.resume(other.session)).seat == 0

    tell(story)


def test_the_oldest_of_the_sessions_that_are_over_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "REMEMBERED", 3)
    known = Sessions()
    tokens = [f"token {number}" for number in range(5)]
    for token in tokens:
        known.begin(digest_of(token), "Stube")
        known.end(digest_of(token))
    codes = []
    for token in tokens:
        with pytest.raises(Refusal) as refused:
            known.find(token)
        codes.append(refused.value.code)
    assert codes == [Code.SESSION_NOT_FOUND] * 2 + [Code.SESSION_EXPIRED] * 3


def test_at_a_table_that_stopped_with_the_journal_nobody_waits(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        ben = await running.join("Ben")
        mailbox = running.mailbox()
        with mock.patch.object(running.server.journal, "write", side_effect=JournalError("The disk is full.")):
            await ben.send("set_options", turn_limit=15)
            await running.until(lambda: mailbox.closed)
        for client in (
            await running.connect(session_id=ben.session),
            await running.connect(player_name="Ida", table_name="Stube"),
        ):
            assert (await client.error())["code"] == Code.SERVER_DOWN
            # It may come again: another server will know the session.
            assert await client.closed() == 1012

    tell(story)


# --- strangers --------------------------------------------------------------------------------------------------------


class Plot:
    """A game of Tichu in which nobody has laid a card: Ben hosts, Ida is cut off, and strangers want her hand.

    :ivar hand: Ida's cards.
    :ivar strangers: All connections of the strangers.
    """

    def __init__(self, running: Running, clock: HandClock) -> None:
        self.running = running
        self.clock = clock
        self.strangers: list[Client] = []

    async def begin(self) -> None:
        """Let the game begin, and cut Ida off."""
        self.ben = await self.running.join("Ben")
        self.ida = await self.running.join("Ida")
        # Strangers name twos, threes and fours themselves, and errors repeat them; she has none.
        with dealt(next(seed for seed in range(1000) if min(hand_of(seed, 1).numbers)[0] > 4)):
            await self.ben.say("start_game")
        state = await self.ida.state()
        self.hand = cards_in(state["private_state"])
        assert len(self.hand) == 8
        await self.ida.cut()

    async def enter(self, **query: Any) -> Client:
        """Let a stranger connect, and hear all that they are told."""
        client = await self.running.connect(view=1, **query)
        self.strangers.append(client)
        with contextlib.suppress(ConnectionError):
            await client.receive()
            await client.sync()
        return client

    async def join(self, name: str) -> Client:
        """Let a stranger sit down."""
        client = await self.enter(player_name=name, table_name="Stube")
        client.seat = client.seen[0]["payload"]["context"]["player_index"]
        client.session = client.seen[0]["payload"]["context"]["session_id"]
        return client

    async def leave(self, client: Client) -> None:
        """Let a stranger give their seat up."""
        await client.send("leave")
        await client.closed()
        await self.running.settle()

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        await pass_time(self.running, self.clock, seconds)

    async def end(self) -> None:
        """Make sure that no stranger was told one of Ida's cards, and that she gets them back."""
        known = Cards()
        for client in self.strangers:
            with contextlib.suppress(ConnectionError):
                await client.sync()
            for message in client.seen:
                known |= cards_in(message)
        assert not known & self.hand
        again = await self.running.resume(self.ida.session)
        assert again.seat == 1
        assert cards_in((await again.state())["private_state"]["hand_cards"]) & self.hand == self.hand


def hand_of(seed: int, seat: int) -> Any:
    """The cards that a seat is dealt first."""
    return tichu.GAME.new(tichu.Options(), seed).view(seat).private.hand_cards  # type: ignore[union-attr]


def refusal(client: Client) -> int:
    """The code of the error by which a stranger was not let in."""
    assert client.seen[0]["type"] == "error", client.seen[0]
    code: int = client.seen[0]["payload"]["code"]
    return code


async def by_her_name(plot: Plot) -> None:
    for seconds in (0, 19.9, 0.2, 3000):
        await plot.wait(seconds)
        for name in ("Ida", "  Ida ", "ida", "lda", "IDA", "I d a", "Ιda", "Іdа", "Ｉｄａ", "𝐈𝐝𝐚", "Ida\ufe0f", "|da"):
            assert refusal(await plot.enter(player_name=name, table_name="Stube")) == Code.NAME_TAKEN, ascii(name)


async def by_other_names(plot: Plot) -> None:
    await plot.wait(20)
    for name in ("Ina", "Ida 2", "Emil", "Gast", "1", "player_index=1"):
        stranger = await plot.join(name)
        assert stranger.seat in (2, 3)
        await plot.leave(stranger)
    assert refusal(await plot.enter(player_name="Emil (KI)", table_name="Stube")) == Code.NAME_TAKEN


async def with_tokens_like_hers(plot: Plot) -> None:
    token = plot.ida.session
    digest = hashlib.sha256(token.encode()).hexdigest()
    guesses = ["0", token[:-1], token + "0", token.replace("-", ""), f"{{{token}}}", f" {token}", f"{token}\x00"]
    guesses += [digest, digest.upper(), f"urn:uuid:{token}", "null", "%", token[::-1]]
    for seconds in (0, 20):
        await plot.wait(seconds)
        for guess in guesses:
            assert refusal(await plot.enter(session_id=guess)) == Code.SESSION_NOT_FOUND
            entry = {"player_name": "Ida", "table_name": "Stube", "session_id": guess}
            assert refusal(await plot.enter(**entry)) == Code.NAME_TAKEN


async def with_a_token_of_another_table(plot: Plot) -> None:
    await plot.wait(20)
    other = await plot.enter(player_name="Ida", table_name="Flur")
    token = other.seen[0]["payload"]["context"]["session_id"]
    entry = {"player_name": "Ida", "table_name": "Stube", "session_id": token}
    assert refusal(await plot.enter(**entry)) == Code.NAME_TAKEN
    again = await plot.enter(session_id=token)
    assert again.seen[0]["payload"]["context"]["public_state"]["table_name"] == "Flur"


async def by_watching(plot: Plot) -> None:
    for seconds in (0, 20):
        await plot.wait(seconds)
        for more in ({}, {"player_name": "Ida"}, {"player_name": "Ida", "session_id": "0"}, {"player_index": 1}):
            watcher = await plot.enter(table_name="Stube", spectator=1, **more)
            await speak_for_her(watcher)


async def by_speaking_for_her(plot: Plot) -> None:
    for name in ("Mallory", "Trudy"):
        stranger = await plot.join(name)
        assert stranger.seat in (2, 3)
        await speak_for_her(stranger)
        await plot.wait(20)
        await speak_for_her(stranger)


async def speak_for_her(client: Client) -> None:
    """Send all that a client can send as if it were for seat 1."""
    hers = {"player_index": 1, "seat": 1}
    for kind in ("resync", "hint", "return", "announce", "state", "view", "ping"):
        await client.send(kind, **hers)
    await client.send("response", action="announce_grand_tichu", response_data={"announced": True, **hers}, **hers)
    await client.send("response", action="schupf", response_data={"given_schupf_cards": [[2, 1], [3, 1], [4, 1]]})
    for text in ("grand", "give S2", "play S2 B2", "tichu"):
        await client.send("move", move=text, **hers)
    await client.send("bomb", cards=[[2, 1], [2, 2], [2, 3], [2, 4]], **hers)
    await client.send("swap_players", player_index_1=1, player_index_2=max(client.seat, 2))
    await client.send("set_options", options={"rounds": 1})
    await client.send("start_game")
    await client.sync()


async def as_the_host(plot: Plot) -> None:
    plot.strangers.append(plot.ben)
    for seconds in (0, 20):
        await plot.wait(seconds)
        for kind, payload in (
            ("swap_players", {"player_index_1": 1, "player_index_2": 2}),
            ("swap_players", {"player_index_1": 0, "player_index_2": 1}),
            ("set_options", {"options": {"rounds": 1}}),
            ("set_options", {"agent": "random"}),
            ("start_game", {}),
        ):
            assert (await plot.ben.refused(kind, **payload))["code"] == Code.GAME_ALREADY_STARTED
    await plot.leave(plot.ben)
    for name in ("Ida", "Ben", "Mallory"):
        client = await plot.enter(player_name=name, table_name="Stube")
        if name == "Ida":
            assert refusal(client) == Code.NAME_TAKEN
        else:
            assert client.seen[0]["payload"]["context"]["player_index"] != 1
    assert (await client.refused("start_game"))["code"] == Code.NOT_LOBBY_HOST


async def at_the_very_moment(plot: Plot) -> None:
    await plot.wait(19.9)
    entering = [
        asyncio.create_task(plot.enter(player_name=name, table_name="Stube"))
        for name in ("Ida", "Mallory", "Trudy", "lda")
    ]
    # The seat runs out while they get in, once before and once after the table has heard of them.
    await asyncio.sleep(0)
    plot.clock.turn(0.1)
    seated = [client.seen[0]["payload"] for client in await asyncio.gather(*entering)]
    assert sorted(told["code"] for told in seated if "code" in told) == [Code.NAME_TAKEN] * 2
    assert sorted(told["context"]["player_index"] for told in seated if "code" not in told) == [2, 3]


async def by_coming_and_going(plot: Plot) -> None:
    await plot.wait(20)
    for number in range(10):
        stranger = await plot.join(f"Mallory {number}")
        assert stranger.seat == 2
        if number % 2:
            await plot.leave(stranger)
        else:
            await stranger.cut()
            await plot.running.settle()
            again = await plot.enter(session_id=stranger.session)
            assert again.seen[0]["payload"]["context"]["player_index"] == 2
            await plot.leave(again)
        # Who has left has no seat to come back to.
        assert refusal(await plot.enter(session_id=stranger.session)) == Code.SESSION_EXPIRED


async def by_an_own_seat_that_was_taken(plot: Plot) -> None:
    """Get a session for a seat, and come back when somebody else sits there: that must not give their hand."""
    await plot.wait(20)
    stranger = await plot.join("Mallory")
    assert stranger.seat == 2
    await stranger.cut()
    await plot.wait(20)
    kim = await plot.running.join("Kim")
    assert kim.seat == 3
    # Ida's seat and the stranger's are free; when she is back only the stranger's own.
    again = await plot.enter(session_id=stranger.session)
    assert again.seen[0]["payload"]["context"]["player_index"] == 2
    newer = await plot.enter(session_id=stranger.session)
    assert newer.seen[0]["payload"]["context"]["player_index"] == 2
    with contextlib.suppress(ConnectionError):
        await speak_for_her(again)
    assert await again.closed() == 4001


TRIES: list[Callable[[Plot], Awaitable[None]]] = [
    by_her_name,
    by_other_names,
    with_tokens_like_hers,
    with_a_token_of_another_table,
    by_watching,
    by_speaking_for_her,
    as_the_host,
    at_the_very_moment,
    by_coming_and_going,
    by_an_own_seat_that_was_taken,
]


@pytest.mark.parametrize("attack", TRIES, ids=lambda attack: attack.__name__)
def test_no_stranger_gets_the_hand_of_one_who_is_cut_off(tell: Tell, attack: Callable[[Plot], Awaitable[None]]) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        plot = Plot(running, clock)
        await plot.begin()
        await attack(plot)
        await plot.end()

    tell(story)


def test_who_is_told_the_hand_is_found_out(tell: Tell) -> None:
    """The tries above can fail: somebody who is given Ida's seat knows her cards."""

    async def story(running: Running, clock: HandClock) -> None:
        plot = Plot(running, clock)
        await plot.begin()
        await plot.wait(20)
        for name in ("Mallory", "Trudy", "Oscar"):
            await plot.join(name)
        with pytest.raises(AssertionError):
            await plot.end()

    tell(story)


def test_only_when_no_other_seat_is_free_a_newcomer_gets_that_of_one_who_is_cut_off(tell: Tell) -> None:
    async def story(running: Running, clock: HandClock) -> None:
        plot = Plot(running, clock)
        await plot.begin()
        await plot.wait(20)
        assert [(await plot.join(name)).seat for name in ("Kim", "Leo", "Max")] == [2, 3, 1]
        assert refusal(await plot.enter(session_id=plot.ida.session)) == Code.TABLE_FULL
        assert refusal(await plot.enter(player_name="Ida", table_name="Stube")) == Code.NAME_TAKEN

    tell(story)


@pytest.mark.parametrize("seconds", [0, 19.9, 20, 3000])
def test_no_stranger_gets_a_hand_after_a_restart(house: House, tmp_path: Path, seconds: float) -> None:
    async def before(*, is_absent: bool) -> tuple[str, str, Cards]:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            plot = Plot(running, clock)
            await plot.begin()
            if is_absent:
                await plot.wait(20)
            return plot.ben.session, plot.ida.session, plot.hand

    async def after(ben: str, ida: str, hand: Cards) -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock, pause=PAUSE) as running:
            plot = Plot(running, clock)
            plot.ida, plot.hand = Client(running, mock.Mock()), hand
            plot.ida.session = ida
            # Ben decides nothing, so that the game stands where it was.
            assert (await running.resume(ben)).seat == 0
            await plot.wait(seconds)
            assert refusal(await plot.enter(player_name="Ida", table_name="Stube")) == Code.NAME_TAKEN
            assert refusal(await plot.enter(player_name="Ben", table_name="Stube")) == Code.NAME_TAKEN
            assert {(await plot.join(name)).seat for name in ("Mallory", "Trudy")} == {2, 3}
            await plot.end()

    house.run(after(*house.run(before(is_absent=seconds in (0, 20)))))
