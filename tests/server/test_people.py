"""Tests of people with a key: what they have played is theirs, told to nobody else, and goes when they wish so."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from server import PAUSE, Client, HandClock, House, Running, play_on
from tisch.chance import Chance
from tisch.games import find
from tisch.record import Record
from tisch.server.http import codes
from tisch.server.http import people as handlers
from tisch.server.people import ledger, people
from tisch.server.people.rating import Rating, Result, after
from tisch.server.store.journal import Journal
from tisch.server.store.journal_file import JOURNAL
from tisch.table.kept import BeginGame, DropTable, EndGame, SaveTable
from tisch.table.sessions import digest_of
from tisch.transcript import Transcript


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """The environment of the servers."""
    house = House()
    yield house
    house.close()


async def ask(
    running: Running, path: str = "", key: str = "", method: str = "GET", body: Any = None, **headers: str
) -> tuple[int, Any]:
    """Ask for something of one's own.

    :param body: (Optional) The body, as an object or as it is.
    :result: The status, and the answer: an object, or a text.
    """
    sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    if key:
        headers = {"Tisch-Key": key, **headers}
    url = f"http://127.0.0.1:{running.port}/api/me{path}"
    async with running.session.request(method, url, headers=headers, data=sent) as answer:
        assert answer.headers.get("Cache-Control") == "no-store" or answer.status in (400, 404)
        text = await answer.text()
        return answer.status, json.loads(text) if answer.content_type == "application/json" else text


async def remembered(running: Running, name: str = "Ben", *clients: Client) -> str:
    """Make a key, and let the games of some seats be of its person.

    :result: The key.
    """
    status, told = await ask(running, method="POST", body={"name": name})
    assert status == 201 and told["name"] == name
    for client in clients:
        assert await ask(running, "/seat", told["key"], "POST", {"session_id": client.session}) == (200, {})
    return str(told["key"])


async def page(running: Running, key: str) -> Any:
    """Read what somebody has played."""
    status, told = await ask(running, key=key)
    assert status == 200, told
    return told


async def play(running: Running, clock: HandClock, clients: Sequence[Client], table: str = "Stube") -> dict[str, Any]:
    """Play a game to its end.

    :result: How it ended.
    """
    await clients[0].say("start_game")
    while running.table(table).is_running:
        await running.settle(table)
        playing = running.table(table).playing
        assert playing
        asked = [client for client in clients if playing.requests.get(client.seat)]
        if asked:
            await asked[0].say("move", move=str(playing.safest(asked[0].seat)[0]))
        else:
            clock.turn(PAUSE)
    await running.settle(table)
    for client in clients:
        await client.sync()
    return await clients[0].last("game_over")


def count(folder: Path, table: str) -> int:
    """Count the rows of a table of the journal's file."""
    with closing(sqlite3.connect(folder / JOURNAL)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def verdict(over: dict[str, Any], seat: int) -> str:
    """How a game of two ended for a seat."""
    return {1: "won", -1: "lost"}.get((over["payoff"][seat] > 0) - (over["payoff"][seat] < 0), "over")


def test_a_person_finds_games_partners_and_rating(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Ben", game="sechsundsechzig")
            kim = await running.join("Kim")
            key, other = await remembered(running, "Ben", ben), await remembered(running, "Kimberley", kim)
            assert key != other and len(key) == 24
            first = await play(running, clock, [ben, kim])
            second = await play(running, clock, [ben, kim])
            told, kims = await page(running, key), await page(running, other)
            assert (told["name"], kims["name"]) == ("Ben", "Kimberley")
            newest, oldest = told["games"]
            assert [newest["id"], oldest["id"]] == [second["game_id"], first["game_id"]]
            for game, over in ((newest, second), (oldest, first)):
                assert (game["game"], game["me"], game["players"]) == ("sechsundsechzig", ben.seat, ["Ben", "Kim"])
                assert game["points"] == over["points"] and game["kinds"] == ["human", "human"] and game["has_replay"]
                assert game["verdict"] == verdict(over, ben.seat)
            verdicts = [verdict(over, ben.seat) for over in (first, second)]
            tally = {"count": 2, "won": verdicts.count("won"), "lost": verdicts.count("lost")}
            # A companion has the name of the table.
            nobody = {"count": 0, "won": 0, "lost": 0}
            assert told["companions"] == [{"name": "Kim", "together": nobody, "against": tally}]
            # By the paper: both begin with 1500 and are as uncertain as can be.
            ratings = {ben.seat: Rating(), kim.seat: Rating()}
            for over in (first, second):
                before = dict(ratings)
                for seat, rating in before.items():
                    rival = before[1 - seat]
                    score = (1 + (over["payoff"][seat] > 0) - (over["payoff"][seat] < 0)) / 2
                    ratings[seat] = after(rating, [Result(rival.value, rival.deviation, score)])
            for seen, client in ((told, ben), (kims, kim)):
                (kind,) = seen["kinds"]
                rating = ratings[client.seat]
                assert (kind["rating"], kind["deviation"]) == (round(rating.value), round(rating.deviation))
            assert told["kinds"][0]["tally"] == tally and told["kinds"][0]["agents"] == {}

    house.run(story())


def test_agents_are_on_the_same_scale_and_solo_games_on_none(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Ben", game="sechsundsechzig")
            await ben.say("set_options", agent="random")
            key = await remembered(running, "Ben", ben)
            over = await play(running, clock, [ben])
            (kind,) = (await page(running, key))["kinds"]
            rated = [after(Rating(), [Result(1500, 350, float(over["payoff"][seat] > 0))]).value for seat in (0, 1)]
            assert (kind["rating"], kind["agents"]) == (round(rated[0]), {"Random": round(rated[1])})
            german = (await ask(running, "?language=de", key))[1]["kinds"][0]["agents"]
            words = find("sechsundsechzig").vocabulary
            assert words
            assert [*german] == [words.folded("de")["agents"]["random"]["name"]]
            assert (await ask(running, "?language=xx", key))[0] == 400
            assert (await page(running, key))["companions"] == []
            solo = await running.join("Ben", "Station", game="raumstation")
            assert (await ask(running, "/seat", key, "POST", {"session_id": solo.session}))[0] == 200
            await play(running, clock, [solo], "Station")
            kinds = {kind["game"]: kind for kind in (await page(running, key))["kinds"]}
            assert kinds["raumstation"]["rating"] is None and kinds["raumstation"]["tally"]["count"] == 1

    house.run(story())


def test_what_is_committed_with_the_end_of_a_game_is_there_after_a_restart(house: House, tmp_path: Path) -> None:
    async def story() -> str:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Ben", game="sechsundsechzig")
            key = await remembered(running, "Ben", ben)
            await ben.say("start_game")
        for _ in range(2):
            # The seat is theirs after a restart, too, and the game counts once.
            async with house.open(tmp_path, clock) as running:
                if running.table().is_running:
                    again = await running.resume(ben.session)
                    await play_on(running, clock, again)
                (game,) = (await page(running, key))["games"]
                assert game["id"] == running.table().last_game
        return key

    key = house.run(story())
    # Whoever reads the file has nobody's key.
    assert key.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_a_private_table_is_told_to_nobody_else(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.connect(player_name="Ben", table_name="Geheim", private=1, game="sechsundsechzig")
            await ben.welcomed()
            eva = await running.join("Eva", "Stube", game="sechsundsechzig")
            key, stranger = await remembered(running, "Ben", ben), await remembered(running, "Eva", eva)
            await play(running, clock, [eva])
            before = await page(running, stranger)
            over = await play(running, clock, [ben], "Geheim")
            assert [game["id"] for game in (await page(running, key))["games"]] == [over["game_id"]]
            # Not even the ratings of agents, who play at both tables, have changed.
            assert await page(running, stranger) == before
            _, exported = await ask(running, "/export", stranger)
            assert over["game_id"] not in str(exported) and "Ben" not in str(exported)
            assert over["game_id"] not in str(await running.get("/api/games"))

    house.run(story())


def test_everything_is_exported_and_read_by_pages(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "PAGE", 2)
    monkeypatch.setattr(people, "PORTION", 2)

    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            nobody = await remembered(running, "Eva")
            assert (await ask(running, "/export", nobody))[1]["games"] == []
            ben = await running.join("Ben", game="sechsundsechzig")
            key = await remembered(running, "Ben", ben)
            ids = [(await play(running, clock, [ben]))["game_id"] for _ in range(5)][::-1]
            first = (await page(running, key))["games"]
            second = (await ask(running, f"/games?before={first[-1]['number']}", key))[1]["games"]
            third = (await ask(running, f"/games?before={second[-1]['number']}", key))[1]["games"]
            assert [[game["id"] for game in part] for part in (first, second, third)] == [ids[:2], ids[2:4], ids[4:]]
            _, exported = await ask(running, "/export", key)
            assert [game["id"] for game in exported["games"]] == ids and exported["name"] == "Ben"
            for game in exported["games"]:
                assert game["transcript"] == (await running.get(f"/api/games/{game['id']}"))["transcript"]

    house.run(story())


def test_who_deletes_everything_leaves_only_the_results_of_others(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "PORTION", 2)

    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Benedikta", game="sechsundsechzig")
            kim = await running.join("Kim")
            key, other = await remembered(running, "Benedikta", ben), await remembered(running, "Kim", kim)
            games = [(await play(running, clock, [ben, kim]))["game_id"] for _ in range(5)]
            before = await page(running, other)
            await kim.send("leave")
            await running.settle()
            alone = (await play(running, clock, [ben]))["game_id"]
            assert await ask(running, key=key, method="DELETE") == (200, {})
            for path, method in (("", "GET"), ("", "DELETE"), ("/export", "GET"), ("/games?before=9", "GET")):
                assert (await ask(running, path, key, method))[0] == 401
            seat = {"session_id": ben.session}
            assert (await ask(running, "/seat", key, "POST", seat))[0] == 401
            # Others keep their results and ratings.
            now = await page(running, other)
            assert now["kinds"] == before["kinds"]
            assert [(one["id"], one["points"], one["verdict"]) for one in now["games"]] == [
                (one["id"], one["points"], one["verdict"]) for one in before["games"]
            ]
            assert {tuple(one["players"]) for one in now["games"]} == {("", "Kim")}
            assert [one["name"] for one in now["companions"]] == [""]
            for game_id in [*games, alone]:
                told = await running.get(f"/api/games/{game_id}")
                assert told["player_names"][0] == "deleted" and "Benedikta" not in str(told)
                steps = await running.get(f"/api/games/{game_id}/steps")
                assert steps["player_names"][0] == "deleted" and len(steps["steps"]) > 10
            # What they play from now on at the same seat is theirs no more.
            assert (await play(running, clock, [ben]))["game_id"]
        with closing(sqlite3.connect(tmp_path / JOURNAL)) as connection:
            rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in ("person", "person_seat")}
            assert [name for _, _, name, _ in rows["person"]] == ["Kim"]
            assert len(rows["person_seat"]) == 1
            assert connection.execute("SELECT count(*) FROM played").fetchone() == (5,)
            assert connection.execute("SELECT DISTINCT player FROM rating").fetchall() == [("person 2",)]

    house.run(story())


def test_a_deletion_that_a_stop_has_interrupted_goes_on(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Benedikta", game="sechsundsechzig")
            await remembered(running, "Benedikta", ben)
            game = (await play(running, clock, [ben]))["game_id"]
            # As far as a server has come that was killed between the answer of the journal and the next portion.
            await running.server.journal.write(ledger.Revoke(1))
        async with house.open(tmp_path, clock) as running:
            await running.until(lambda: not running.server.people._leaving)
            assert "Benedikta" not in str(await running.get(f"/api/games/{game}"))

    house.run(story())


def test_a_game_that_ends_while_its_person_goes_is_nobodys(tmp_path: Path) -> None:
    async def main() -> None:
        journal = Journal(tmp_path / JOURNAL)
        sittings = [ledger.Sitting("Ben", 1), ledger.Sitting("Kim", 2)]
        games = [ledger.Finish(name, "null", 1.0, [[0], [1]], [1, -1], [1, 0], sittings) for name in ("a", "b")]
        await journal.write(ledger.AddPerson(b"ben", "Ben", 0.0), ledger.AddPerson(b"kim", "Kim", 0.0), games[0])
        await journal.write(ledger.Revoke(1), games[1])
        assert await journal.read("SELECT person, played FROM result") == [(1, 1), (2, 1), (2, 2)]
        assert await journal.read("SELECT player, games FROM rating") == [("person 2", 2)]
        await journal.close()

    asyncio.run(main())


HOSTILE = [
    "",
    " ",
    "\u202eneB",
    "x" * 25,
    "a\u200b" * 30,
    "\x00",
    "\ud800",
    "B\u0301\u0301\u0301\u0301\u0301\u0301",
]


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b'{"name": 5}', b'{"name": null}', b"\xff", b"[" * 5000, b"{" * 5000, b'{"name": "\\ud800"}']
    + [json.dumps({"name": name}).encode() for name in HOSTILE],
)
def test_hostile_names_are_refused_with_a_sentence(house: House, tmp_path: Path, body: bytes) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            key = await remembered(running)
            for told in (await ask(running, method="POST", body=body), await ask(running, "", key, "PATCH", body)):
                assert told[0] == 400 and told[1].endswith("."), told
            assert (await page(running, key))["name"] == "Ben"

    house.run(story())


def test_markup_and_sql_are_names_like_others(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            for name in ("<b>Ben</b>", "'; DROP TABLE person;--"[:24], "Bén 👨‍👩‍👧", '"Ben"'):
                key = await remembered(running, name)
                assert (await page(running, key))["name"] == name
            assert await ask(running, "", key, "PATCH", {"name": "  Ben  Huber "}) == (200, {"name": "Ben Huber"})
            assert (await page(running, key))["name"] == "Ben Huber"

    house.run(story())


def test_guessed_and_foreign_keys_open_nothing(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "WRONG", 1000)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            ben = await running.join("Ben")
            key = await remembered(running, "Ben", ben)
            guesses = (key[:-1], f"{key}A", key.swapcase(), "1", "0", "A" * 24, "A" * 5000, ben.session, "ö", " ", "%")
            for guess in guesses:
                for path, method in (
                    ("", "GET"),
                    ("", "PATCH"),
                    ("", "DELETE"),
                    ("/games?before=9", "GET"),
                    ("/seat", "POST"),
                    ("/code", "POST"),
                    ("/export", "GET"),
                ):
                    status, told = await ask(running, path, guess, method, {"name": "Eva", "session_id": ben.session})
                    assert (status, told) == (401, "Nobody has this key here.")
            # It is taken from its own header alone: addresses are in logs, cookies come from other pages.
            for headers in ({"Cookie": f"key={key}"}, {"Authorization": f"Bearer {key}"}, {}):
                assert (await ask(running, f"?key={key}", **headers))[0] == 401
            for number in ("", "-1", "x", "1" * 16, "１"):
                assert (await ask(running, f"/games?before={number}", key))[0] == 400
            assert (await ask(running, "/games", key))[0] == 400
            assert (await page(running, key))["name"] == "Ben"

    house.run(story())


def test_a_seat_is_taken_only_with_its_own_token(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Ben", game="sechsundsechzig")
            eva = await remembered(running, "Eva")
            table = running.table()
            for token in ("", "x", table.id, ben.session[:-1], ben.session.upper(), "\x00", "Ben", "a" * 7000):
                status, _ = await ask(running, "/seat", eva, "POST", {"session_id": token})
                assert status == 404
            for body in (b"", b"{}", b'{"session_id": 1}', b"\xff"):
                assert (await ask(running, "/seat", eva, "POST", body))[0] == 400
            await play(running, clock, [ben])
            assert (await page(running, eva))["games"] == []
            # A seat that was left is nobody's any more.
            await ben.send("leave")
            await running.until(lambda: not running.names)
            assert (await ask(running, "/seat", eva, "POST", {"session_id": ben.session}))[0] == 404

    house.run(story())


def test_a_person_has_no_more_seats_than_are_remembered(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "SEATS", 2)
    monkeypatch.setattr(people, "SEATS", 2)

    async def story() -> None:
        async with house.open(tmp_path) as running:
            clients = [await running.join("Ben", f"Tisch {number}") for number in range(4)]
            await remembered(running, "Ben", *clients)
            kept = [digest_of(client.session) for client in clients[2:]]
            assert [*running.server.people._seats] == kept
        with closing(sqlite3.connect(tmp_path / JOURNAL)) as connection:
            assert {row[0] for row in connection.execute("SELECT session FROM person_seat")} == set(kept)

    house.run(story())


def test_floods_are_refused_with_a_sentence(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handlers, "KEYS", 3)
    monkeypatch.setattr(handlers, "WRONG", 4)
    now = 0.0
    monkeypatch.setattr(handlers, "_now", lambda: now)

    async def story() -> None:
        nonlocal now
        async with house.open(tmp_path, proxy=True) as running:
            home, away = ({"X-Forwarded-For": address} for address in ("192.0.2.1", "192.0.2.2"))
            made = [await ask(running, "", "", "POST", {"name": "Ben"}, **home) for _ in range(5)]
            assert [status for status, _ in made] == [201] * 3 + [429] * 2
            assert made[-1][1] == "Too many keys were made from your address today; try again tomorrow."
            assert (await ask(running, "", "", "POST", {"name": "Kim"}, **away))[0] == 201
            now = handlers.DAY
            status, told = await ask(running, "", "", "POST", {"name": "Ben"}, **home)
            assert status == 201
            wrong = [await ask(running, "", f"wrong{number}", **home) for number in range(6)]
            assert [status for status, _ in wrong] == [401] * 4 + [429] * 2
            assert wrong[-1][1] == "Too many wrong keys came from your address: wait a moment."
            assert (await ask(running, "", told["key"], **home))[0] == 429
            assert (await ask(running, "", told["key"], **away))[0] == 200
            now += 20
            assert (await ask(running, "", told["key"], **home))[0] == 200

    house.run(story())


def test_a_server_has_room_for_so_many_people(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST", 2)

    async def story() -> None:
        for room in (2, 0):
            async with house.open(tmp_path) as running:
                for _ in range(room):
                    key = await remembered(running)
                refused = await ask(running, method="POST", body={"name": "Eva"})
                assert refused == (503, "This server has no more room for keys.")
                if not room:
                    assert (await ask(running, key=key, method="DELETE"))[0] == 200
                    await remembered(running, "Eva")

    house.run(story())


def test_keys_that_nobody_has_used_are_forgotten(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Ben", game="sechsundsechzig")
            used, unused = await remembered(running, "Ben", ben), await remembered(running, "Eva")
            await play(running, clock, [ben])
            journal, date = running.server.journal, running.server.people._date
            await journal.write(ledger.Forget(date() - people.UNUSED))
            assert (await page(running, unused))["games"] == []
            await journal.write(ledger.Forget(date() + 1))
            assert (await ask(running, key=unused))[0] == 401
            assert len((await page(running, used))["games"]) == 1

    house.run(story())


def test_a_code_carries_the_key_and_is_kept_nowhere(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            key = await remembered(running)
            headers = {"Tisch-Key": key}
            url = f"http://127.0.0.1:{running.port}/api/me/code"
            async with running.session.post(url, headers=headers) as answer:
                assert (answer.status, answer.content_type) == (200, "image/svg+xml")
                assert answer.headers["Cache-Control"] == "no-store"
                drawn = await answer.read()
            async with running.session.get(url, headers=headers) as answer:
                assert answer.status == 405
        assert drawn == codes._code(f"http://127.0.0.1:{running.port}/mine#key={key}")
        drawer = codes.Codes()
        assert await drawer.draw("192.0.2.1", "https://a.example/", is_secret=True)
        assert not drawer._drawn

    house.run(story())


def finished(number: int, ended: float) -> list[Any]:
    """The changes of a table with one game that has ended."""
    name = f"game{number}"
    transcript = Transcript("null", {}, 1, (), (0.0,), {"players": "Ben"})
    return [
        SaveTable(name, b"{}"),
        BeginGame(name, name, Record("null", {}, 1, []), ended - 1),
        EndGame(name, str(transcript), ended, ["Ben"], [0], "over"),
        DropTable(name),
    ]


def test_old_games_are_dropped_in_small_portions(tmp_path: Path) -> None:
    """Everybody who writes meanwhile comes between two portions."""

    async def main() -> list[str]:
        journal = Journal(tmp_path / JOURNAL)
        group = people.People(journal, Chance("a"), lambda: 0.0)
        for number in range(100):
            await journal.write(*finished(number, float(number)))
        statements: list[str] = []
        journal._connection.set_trace_callback(statements.append)

        async def write() -> None:
            while True:
                await journal.write(SaveTable("other", b"{}"))

        writing = asyncio.create_task(write())
        assert await group.drop_games(70.0) == 70
        writing.cancel()
        left = [game.id for game in await journal.games(100)]
        assert left == [f"game{number}" for number in reversed(range(70, 100))]
        assert await group.drop_games(70.0) == 0
        await journal.close()
        return statements

    statements = asyncio.run(main())
    portions = [place for place, one in enumerate(statements) if "DELETE FROM finished" in one]
    assert len(portions) >= 70 / ledger.PORTION
    for one, other in pairwise(portions[:-1]):
        assert any("other" in each for each in statements[one:other])


def test_a_server_keeps_games_as_long_as_it_shall(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Ben", game="sechsundsechzig")
            key = await remembered(running, "Ben", ben)
            game = (await play(running, clock, [ben]))["game_id"]
            date = running.server.people._date()
            await running.server.journal.write(*finished(1, date - 91 * 86400))
            assert len((await running.get("/api/games"))["games"]) == 2
        # Games are in the order of their ends: what ended first goes first, wherever the clock stood.
        with closing(sqlite3.connect(tmp_path / JOURNAL)) as connection, connection:
            connection.execute("UPDATE finished SET number = 0 WHERE id = 'game1'")
        async with house.open(tmp_path, clock, keep_games="90d") as running:
            await running.until(lambda: count(tmp_path, "finished") == 1)
            assert (await page(running, key))["games"][0]["has_replay"]
            # The result of a game stays when it is dropped.
            assert await running.server.people.drop_games(date + 86400) == 1
            (kept,) = (await page(running, key))["games"]
            assert (kept["id"], kept["has_replay"]) == (game, False)
            assert (await ask(running, "/export", key))[1]["games"][0]["transcript"] is None

    house.run(story())


def test_guests_of_a_server_with_a_password_have_keys_too(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, password="ein Haus am See") as running:
            async with running.session.post(f"http://127.0.0.1:{running.port}/api/me", json={"name": "Eva"}) as answer:
                assert answer.status == 401
            guest = running.server._password
            assert guest
            cookie = f"tisch_door={guest._keys.guest}"
            status, told = await ask(running, method="POST", body={"name": "Kim"}, Cookie=cookie)
            assert status == 201
            assert (await ask(running, key=told["key"], Cookie=cookie))[0] == 200

    house.run(story())
