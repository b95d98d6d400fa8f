"""Tests of challenges: the same deals for all, each once, and nothing of one is told before it is played."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from server import PAUSE, Client, HandClock, House, Running
from tisch.driver import play as drive
from tisch.game import Random
from tisch.games import find, offered
from tisch.record import options_of
from tisch.server.challenges import challenges, ledger, page
from tisch.server.http import challenges as handlers
from tisch.server.store.journal_file import JOURNAL
from tisch.table import verbs
from tisch.transcript import read


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """The environment of the servers."""
    house = House()
    yield house
    house.close()


async def ask(running: Running, path: str = "", body: Any = None, **headers: str) -> tuple[int, Any]:
    """Ask for something about challenges; with a body, one is made.

    :result: The status, and the answer: an object, or a text.
    """
    url = f"http://127.0.0.1:{running.port}/api/challenges{path}"
    sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    async with running.session.request("GET" if body is None else "POST", url, headers=headers, data=sent) as answer:
        text = await answer.text()
        return answer.status, json.loads(text) if answer.content_type == "application/json" else text


async def challenge(running: Running, game: str = "sechsundsechzig", deals: int = 2) -> str:
    """Make a challenge.

    :result: Its id.
    """
    status, told = await ask(running, body={"game": game, "deals": deals})
    assert status == 201
    return str(told["id"])


async def deals(running: Running, challenge_id: str, *clients: Client, key: str = "") -> list[dict[str, Any]]:
    """Read the table of a challenge, as those see it who have these seats, or a key."""
    headers = {"Tisch_Seats": " ".join(client.session for client in clients)} if clients else {}
    status, told = await ask(running, f"/{challenge_id}", **headers, **({"Tisch_Key": key} if key else {}))
    assert status == 200, told
    return list(told["deals"])


async def sit(running: Running, name: str, table: str, challenge_id: str, **query: Any) -> Client:
    """Open a table of a challenge."""
    return await running.join(name, table, challenge=challenge_id, **query)


async def key_of(running: Running, *clients: Client) -> str:
    """Make a key, and let it have seats."""
    url = f"http://127.0.0.1:{running.port}/api/me"
    async with running.session.post(url, json={"name": "Ben"}) as answer:
        key = str((await answer.json())["key"])
    for client in clients:
        seat = {"session_id": client.session}
        async with running.session.post(f"{url}/seat", json=seat, headers={"Tisch-Key": key}) as answer:
            assert answer.status == 200
    return key


async def follow(running: Running, clock: HandClock, table: str, *clients: Client, most: int = 1000) -> None:
    """Play a game on, people by their safest moves, up to its end or to a number of their moves."""
    while running.table(table).is_running:
        await running.settle(table)
        playing = running.table(table).playing
        assert playing
        asked = [client for client in clients if playing.requests.get(client.seat)]
        if asked and not most:
            return
        if asked:
            most -= 1
            await asked[0].say("move", move=str(playing.safest(asked[0].seat)[0]))
        else:
            clock.turn(PAUSE)
    await running.settle(table)
    for client in clients:
        await client.sync()


async def play(running: Running, clock: HandClock, table: str, *clients: Client) -> dict[str, Any]:
    """Play a deal to its end.

    :result: How it ended.
    """
    told = await clients[0].say("start_game")
    assert not [one for one in told if one["type"] == "error"], told
    await follow(running, clock, table, *clients)
    return await clients[0].last("game_over")


def count(folder: Path, table: str) -> int:
    """Count the rows of a table of the journal's file."""
    with closing(sqlite3.connect(folder / JOURNAL)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def transcript(folder: Path, game: str) -> Any:
    """Read a finished game."""
    with closing(sqlite3.connect(folder / JOURNAL)) as connection:
        return read(connection.execute("SELECT transcript FROM finished WHERE id = ?", (game,)).fetchone()[0])


async def par(running: Running, folder: Path, many: int) -> None:
    """Wait until agents have played so many deals."""
    await running.until(lambda: count(folder, "par") >= many)


@pytest.mark.parametrize("name", offered(()))
def test_a_deal_of_each_game_is_one_round_whose_results_can_be_compared(name: str) -> None:
    game = find(name)
    state = game.new(options_of(game, game.deal), 7)
    agents = [game.agents.get(game.fallback, next(iter(game.agents.values())))() for _ in range(state.seats)]
    for seat, agent in enumerate(agents):
        agent.start(Random(7, seat))
    drive(state, agents)
    outcome = state.outcome()
    assert outcome and outcome.rounds == 1
    results = [game.measure.of(payoff) for payoff in outcome.payoff]
    assert all(value in (0.0, 1.0) for value in results) if game.measure == "win" else abs(sum(results)) < 1e-9


def test_everybody_gets_the_same_deals_and_the_same_agents(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running, "maumau")
            overs = []
            for name, table in (("Ben", "Eins"), ("Kim", "Zwei")):
                one = await sit(running, name, table, made)
                overs.append([(await play(running, clock, table, one))["game_id"] for _ in range(2)])
            await par(running, tmp_path, 2)
            ((first, second), (third, fourth)) = [[transcript(tmp_path, game) for game in own] for own in overs]
            # Whoever plays alike meets alike: all moves are the same, whatever the names.
            assert first.seed == third.seed and second.seed == fourth.seed and first.seed != second.seed
            assert first.moves == third.moves and second.moves == fourth.moves
            told = await deals(running, made)
            assert [deal["count"] for deal in told] == [2, 2]

    house.run(story())


def test_nothing_of_a_deal_is_told_before_one_has_played_it(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running)
            ben = await sit(running, "Ben", "Eins", made)
            kim = await sit(running, "Kim", "Zwei", made)
            over = await play(running, clock, "Eins", ben)
            await kim.say("start_game")
            await par(running, tmp_path, 1)
            hidden = {"is_open": False, "par": None, "replay": None}
            # Neither a stranger nor somebody who is at it learns more than who plays.
            for reader, begun in ((), False), ((kim,), True):
                first, second = await deals(running, made, *reader)
                assert {**first, **hidden, "is_begun": begun, "count": 2} == first
                rows: list[dict[str, Any]] = [{"name": "Ben"}, {"name": "Kim", "is_running": True}]
                if begun:
                    rows = [{**rows[1], "is_own": True}, rows[0]]
                assert first["rows"] == rows
                assert {**second, **hidden, "count": 0, "rows": []} == second
            (first, second) = await deals(running, made, ben)
            (own, other) = first["rows"]
            assert first["is_open"] and own["is_own"] and own["replay"] == over["game_id"]
            assert own["value"] == over["payoff"][ben.seat] and own["seat"] == ben.seat and own["seconds"] >= 0
            assert other == {"name": "Kim", "is_running": True, "seat": kim.seat}
            # The agents' own game is there, by its link only.
            with_par = transcript(tmp_path, first["replay"])
            assert with_par.seed == int(over["seed"]) and list(with_par.payoff) == first["par"]
            assert (await running.get("/api/games"))["games"] == []
            assert (await running.get("/api/tables"))["tables"] == []
            assert await ask(running, f"/{made}", Tisch_Seats="x " * 500) == await ask(running, f"/{made}")
            await follow(running, clock, "Zwei", kim)
            ((first, _), (kims, _)) = await deals(running, made, ben), await deals(running, made, kim)
            strip = [[{**row, "is_own": None} for row in deal["rows"]] for deal in (first, kims)]
            assert strip[0] == strip[1] and {row["name"] for row in kims["rows"]} == {"Ben", "Kim"}

    house.run(story())


def test_a_deal_is_played_once_by_name_and_by_key(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running)
            ben = await sit(running, "Ben", "Eins", made)
            first = await play(running, clock, "Eins", ben)
            # The same name, in other letters, at another table: the next deal, and then none.
            other = await sit(running, "bеn", "Zwei", made)
            second = await play(running, clock, "Zwei", other)
            assert second["seed"] != first["seed"]
            for client in (other, ben):
                refused = await client.refused("start_game")
                assert refused["context"]["reason"] == challenges.ALL_PLAYED
            # With a key it is the person that counts, whatever the name.
            eva = await sit(running, "Eva", "Drei", made)
            key = await key_of(running, eva)
            assert (await play(running, clock, "Drei", eva))["seed"] == first["seed"]
            again = await sit(running, "Evelyn", "Vier", made)
            url = f"http://127.0.0.1:{running.port}/api/me/seat"
            seat = {"session_id": again.session}
            async with running.session.post(url, json=seat, headers={"Tisch-Key": key}) as answer:
                assert answer.status == 200
            assert (await play(running, clock, "Vier", again))["seed"] == second["seed"]
            told = await deals(running, made, key=key)
            assert [deal["is_open"] for deal in told] == [True, True]
            status, _ = await ask(running, f"/{made}", Tisch_Key="nobody's")
            assert status == 401

    house.run(story())


def test_two_tables_of_one_name_at_once_get_different_deals(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            made = await challenge(running)
            ben, twin = await sit(running, "Ben", "Eins", made), await sit(running, "Ben", "Zwei", made)
            await ben.send("start_game")
            await twin.send("start_game")
            await ben.sync()
            await twin.sync()
            seeds = {running.table(table).playing.record.seed for table in ("Eins", "Zwei")}  # type: ignore[union-attr]
            assert len(seeds) == 2

    house.run(story())


def test_those_at_one_table_get_the_first_deal_that_is_new_to_all(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running, deals=3)
            ben = await sit(running, "Ben", "Eins", made)
            await play(running, clock, "Eins", ben)
            kim = await sit(running, "Kim", "Zwei", made)
            invitation = running.table("Zwei").door.invitation
            friend = await running.join("Ben", "", invitation=invitation)
            over = await play(running, clock, "Zwei", kim, friend)
            first, second, _ = await deals(running, made, kim, friend)
            assert first["count"] == 1 and second["count"] == 2
            for row in second["rows"]:
                assert row["value"] == over["payoff"][row["seat"]] and row["replay"] == over["game_id"]
            # A deal that has begun is no place for somebody who may know it.
            await kim.say("start_game")
            refused = await running.refused(player_name="Eva", table_name="", invitation=invitation)
            assert refused["code"] == 400
            friend_again = await running.resume(friend.session)
            assert friend_again.seat == friend.seat

    house.run(story())


def test_nobody_has_at_a_challenge_what_others_have_not(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running)
            ben = await sit(running, "Ben", "Eins", made, game="tichu", private=0, invitation="")
            table = running.table("Eins")
            assert table.game.name == "sechsundsechzig" and table.door.is_private
            assert running.table("Eins").options == options_of(table.game, table.game.deal)
            for kind, payload in (
                ("set_options", {"options": {"goal": 7}}),
                ("set_options", {"agent": "easy"}),
                ("set_access", {"is_private": False}),
                ("start_game", {"seed": "7"}),
                ("start_game", {"tour": True}),
            ):
                assert (await ben.refused(kind, **payload))["context"]["reason"] == verbs.FAIR
            await ben.say("start_game")
            await follow(running, clock, "Eins", ben, most=2)
            assert (await ben.refused("hint"))["context"]["reason"] == verbs.FAIR
            assert (await ben.refused("undo"))["context"]["reason"] == verbs.FAIR
            watcher = await running.connect(spectator=1, invitation=running.table("Eins").door.invitation)
            told = await watcher.receive()
            assert told["payload"]["context"]["reason"] == "Nobody may watch a challenge."
            for unknown in ("", "x", made[:-1]):
                error = await running.refused(player_name="Eva", table_name="Zwei", challenge=unknown)
                assert error["context"]["reason"] == "There is no such challenge."

    house.run(story())


def test_a_kill_changes_neither_the_deal_nor_who_has_played_it(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running)
            ben = await sit(running, "Ben", "Eins", made)
            await ben.say("start_game")
            await follow(running, clock, "Eins", ben, most=3)
            session, seed = ben.session, running.table("Eins").playing.record.seed  # type: ignore[union-attr]
        async with house.open(tmp_path, clock) as running:
            ben = await running.resume(session)
            table = running.table("Eins")
            assert table.challenge == made and table.agents.is_fair
            assert (await ben.refused("undo"))["context"]["reason"] == verbs.FAIR
            await follow(running, clock, "Eins", ben)
            over = await ben.last("game_over")
            assert int(over["seed"]) == seed
            first, _ = await deals(running, made, ben)
            assert [row["value"] for row in first["rows"]] == [over["payoff"][ben.seat]]
            await par(running, tmp_path, 1)
        async with house.open(tmp_path, clock) as running:
            other = await sit(running, "Ben", "Zwei", made)
            assert int((await play(running, clock, "Zwei", other))["seed"]) != seed
            assert (await other.refused("start_game"))["context"]["reason"] == challenges.ALL_PLAYED
            told = (await deals(running, made, ben))[0]
            # It was the same game for the agents that play after a kill as for those that never stopped.
            twin = await sit(running, "Kim", "Drei", made)
            again = await play(running, clock, "Drei", twin)
            assert transcript(tmp_path, again["game_id"]).moves == transcript(tmp_path, over["game_id"]).moves
            assert told["par"] == (await deals(running, made, twin))[0]["par"]

    house.run(story())


def test_a_deal_that_is_broken_off_is_played_but_has_no_result(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running)
            ben = await sit(running, "Ben", "Eins", made)
            await ben.say("start_game")
            await ben.send("leave")
            await ben.closed()
            clock.turn(10_000.0)
            await running.until(lambda: count(tmp_path, "running") == 0)
            first, _ = await deals(running, made, ben)
            assert first["is_open"] and first["rows"] == [{"name": "Ben", "is_own": True, "seat": ben.seat}]
            other = await sit(running, "Ben", "Zwei", made)
            await play(running, clock, "Zwei", other)
            assert [deal["is_begun"] for deal in await deals(running, made, other)] == [False, True]

    house.run(story())


def test_the_deal_of_the_day_is_the_same_for_all_until_midnight(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            now = [1_795_176_000.0]
            running.server.challenges._date = lambda: now[0]
            status, first = await ask(running, "/today/okey")
            assert status == 200 and len(first["deals"]) == 1 and first["measure"] == "win"
            assert (await ask(running, "/today/okey"))[1]["id"] == first["id"]
            others = {(await ask(running, f"/today/{name}"))[1]["id"] for name in running.server.games}
            assert len(others) == len(running.server.games)
            assert await ask(running, f"/{first['id']}") == (200, first)
            assert (await ask(running, "/today/nothing"))[0] == 404
            now[0] += 86400.0
            _, second = await ask(running, "/today/okey")
            assert second["id"] != first["id"] and second["day"] > first["day"]
            known = running.server.challenges.find
            seeds = {known(each).seeds for each in (*others, second["id"])}  # type: ignore[union-attr]
            assert len(seeds) == len(others) + 1
        async with house.open(tmp_path, HandClock()) as running:
            running.server.challenges._date = lambda: now[0]
            assert (await ask(running, "/today/okey"))[1]["id"] == second["id"]

    house.run(story())


def test_what_is_no_challenge_is_refused_in_a_sentence(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            for body in (b"", b"[]", b"{", {"game": "okey", "deals": "8"}, {"deals": 3}, b"[" * 4000):
                assert await ask(running, body=body) == (
                    400,
                    "The request must be a JSON object with the text 'game' and the number 'deals'.",
                )
            for many in (0, -1, 17, 10**30):
                status, told = await ask(running, body={"game": "okey", "deals": many})
                assert status == 400 and told.endswith(".")
            assert await ask(running, body={"game": "chess"}) == (404, "There is no game of this name.")
            assert await ask(running, "/..%2F..") == (404, "There is no such challenge.")
            for _ in range(handlers.MADE):
                await challenge(running, deals=16)
            status, told = await ask(running, body={"game": "okey"})
            assert (status, told) == (
                429,
                "Too many challenges were made from your address; try again tomorrow.",
            )
            assert count(tmp_path, "challenge") == handlers.MADE

    house.run(story())


def test_a_server_has_room_for_so_many_challenges(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            monkeypatch.setattr(challenges, "MOST", 2)
            await ask(running, "/today/okey")
            for _ in range(2):
                await challenge(running)
            told = await ask(running, body={"game": "okey"})
            assert told == (503, "This server has no more room for challenges.")

    house.run(story())


def test_what_is_too_old_is_dropped_and_a_table_goes_on(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        monkeypatch.setattr(ledger, "PORTION", 1)
        monkeypatch.setattr(challenges, "PORTION", 1)
        monkeypatch.setattr(challenges, "PAUSE", 0.0)
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made, *unused = [await challenge(running) for _ in range(3)]
            ben = await sit(running, "Ben", "Eins", made)
            await ben.say("start_game")
            server = running.server.challenges
            now = server._date()
            await server.drop(now + challenges.UNUSED - 60)
            assert all(map(server.find, (made, *unused)))
            await server.drop(now + challenges.UNUSED + 60)
            assert server.find(made) and not any(map(server.find, unused))
            await server.drop(now + challenges.KEPT + 60)
            assert server.find(made) is None and (await ask(running, f"/{made}"))[0] == 404
            await follow(running, clock, "Eins", ben)
            assert (await ben.refused("start_game"))["context"]["reason"] == challenges.OVER
            assert [count(tmp_path, table) for table in ("challenge", "attempt", "finished")] == [0, 0, 1]

    house.run(story())


def test_whoever_deletes_everything_has_no_name_in_challenges(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running)
            eva, ben = await sit(running, "Eva", "Eins", made), await sit(running, "Ben", "Zwei", made)
            key = await key_of(running, eva)
            await play(running, clock, "Eins", eva)
            await play(running, clock, "Zwei", ben)
            url = f"http://127.0.0.1:{running.port}/api/me"
            async with running.session.get(f"{url}/export", headers={"Tisch-Key": key}) as answer:
                exported = json.loads(await answer.text())
            (attempt,) = exported["attempts"]
            assert attempt["challenge"] == made and attempt["deal"] == 1
            async with running.session.delete(url, headers={"Tisch-Key": key}) as answer:
                assert answer.status == 200
            rows = (await deals(running, made, ben))[0]["rows"]
            assert sorted(row["name"] for row in rows) == ["", "Ben"]
            rows = (await deals(running, made, eva))[0]["rows"]
            assert len(rows) == 2 and not any(row.get("is_own") for row in rows)

    house.run(story())


def test_who_came_first_is_listed_and_oneself_always(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        monkeypatch.setattr(page, "LISTED", 1)
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            made = await challenge(running, deals=1)
            clients = []
            for name in ("Ada", "Ben", "Cyd"):
                clients.append(await sit(running, name, name, made))
                await play(running, clock, name, clients[-1])
            (deal,) = await deals(running, made, clients[-1])
            assert deal["count"] == 3 and {row["name"] for row in deal["rows"]} == {"Ada", "Cyd"}

    house.run(story())
