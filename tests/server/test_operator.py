"""Tests of what the operator of a server can do, and of all others who try."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from server import Client, House, Running, kept_log
from serving import connected, run, serving
from tisch.ports.refusal import Code
from tisch.server.admin import bans
from tisch.server.admin.bans import Bans, read_network
from tisch.server.http import operator

SECRET = "ein Haus am Bärg"
#: The secret as a header has it.
QUOTED = "ein%20Haus%20am%20B%C3%A4rg"
HOME, AWAY, SIXTH = ({"X-Forwarded-For": address} for address in ("192.0.2.7", "198.51.100.7", "2001:db8:1:2:3:4:5:6"))


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """The environment of the servers."""
    house = House()
    yield house
    house.close()


async def ask(running: Running, act: Any = None, secret: str = QUOTED, **headers: str) -> tuple[int, Any]:
    """Ask as an operator.

    :param act: (Optional) What shall be done, as an object or as bytes.
    :result: The status, and the answer.
    """
    sent = act if act is None or isinstance(act, bytes) else json.dumps(act).encode()
    headers = {"Tisch-Operator": secret, **headers} if secret else headers
    url = f"http://127.0.0.1:{running.port}/api/operator"
    async with running.session.request(
        "POST" if sent is not None else "GET", url, headers=headers, data=sent
    ) as answer:
        text = await answer.text()
        return answer.status, json.loads(text) if answer.content_type == "application/json" else text


async def done(running: Running, **act: Any) -> Any:
    """Do something as an operator.

    :result: How things are then.
    """
    status, told = await ask(running, act)
    assert status == 200, told
    return told


async def seated(running: Running, name: str, table: str, **query: Any) -> Client:
    """Sit down, from an address or another."""
    client = await running.connect(player_name=name, table_name=table, **query)
    await client.welcomed()
    return client


async def turned_out(client: Client) -> int:
    """Wait until a client is turned out.

    :result: The code of the error.
    """
    error = await client.error()
    assert await client.closed() == 1008
    return int(error["code"])


def test_without_a_secret_there_is_no_operator(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running:
            for secret in ("", "x", QUOTED):
                assert (await ask(running, secret=secret))[0] == 404
                assert (await ask(running, {"do": "maintenance", "on": True}, secret=secret))[0] in (404, 405)
            assert not running.server.maintenance

    house.run(story())


def test_nobody_guesses_the_secret(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET, proxy=True) as running:
            guesses = ("", QUOTED[:-1], QUOTED + "x", QUOTED.upper(), "%FF")
            for guess in guesses:
                status, told = await ask(running, {"do": "maintenance", "on": True}, guess, **HOME)
                assert (status, told) == (401, "This is not the operator's secret.")
            assert len(guesses) == operator.TRIES
            # Not even the right one tells anything meanwhile; others are not locked out.
            refused = (429, "Too many secrets were tried: wait a moment.")
            assert await ask(running, **HOME) == refused and await ask(running, None, "x", **HOME) == refused
            assert (await ask(running, **AWAY))[0] == 200
            for headers in (
                {"Cookie": f"Tisch-Operator={QUOTED}"},
                {"Authorization": f"Bearer {SECRET.encode().hex()}"},
            ):
                assert (await ask(running, None, "", **headers, **SIXTH))[0] == 401
            assert not running.server.maintenance

    with kept_log() as log:
        house.run(story())
    assert SECRET not in str(log) and QUOTED not in str(log)


def test_the_operator_sees_who_is_where(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET, proxy=True) as running:
            assert await ask(running) == (200, {"maintenance": False, "tables": [], "bans": [], "reports": []})
            ben = await seated(running, "Ben", "Geheim", private=1, game="okey", headers=HOME)
            await seated(running, "Kim", "Stube", headers=AWAY)
            invitation = running.table("Geheim").door.invitation
            watcher = await running.connect(spectator=1, table_name="Geheim", invitation=invitation, headers=SIXTH)
            await watcher.notification("spectator_joined")
            await ben.say("start_game")
            _, told = await ask(running)
            secret, other = told["tables"]
            assert (secret["name"], secret["game"], secret["is_private"], secret["is_running"]) == (
                "Geheim",
                "okey",
                True,
                True,
            )
            assert secret["people"] == [{"seat": 0, "name": "Ben", "address": "192.0.2.7", "presence": "here"}]
            assert secret["watchers"] == ["2001:db8:1:2:3:4:5:6"] and other["watchers"] == []
            assert [one["name"] for one in other["people"]] == ["Kim"]
            # Nothing that lets anybody in is told.
            assert ben.session not in str(told) and invitation not in str(told)
            await ben.cut()
            await running.settle("Geheim")
            (cut,) = (await ask(running))[1]["tables"][0]["people"]
            assert (cut["address"], cut["presence"]) == ("", "cut")

    house.run(story())


def test_a_table_is_closed_for_good(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET) as running:
            ben, kim = await running.join("Ben"), await running.join("Kim", "Nebenan")
            watcher = await running.watch()
            await ben.say("start_game")
            table = running.table().id
            with kept_log(operator.__name__) as log:
                told = await done(running, do="close", table=table)
            assert [one["name"] for one in told["tables"]] == ["Nebenan"]
            assert [line.__dict__.get("action") for line in log if line.message == "operator"] == ["close"]
            assert [await turned_out(client) for client in (ben, watcher)] == [Code.TABLE_CLOSED] * 2
            assert (await running.refused(session_id=ben.session))["code"] == Code.SESSION_EXPIRED
            assert await ask(running, {"do": "close", "table": table}) == (400, "There is no table with this id.")
            assert [each for each in await kim.sync() if each["type"] == "error"] == []
        async with house.open(tmp_path, operator=SECRET) as running:
            assert running.names == ["Nebenan"]

    house.run(story())


def test_somebody_is_removed_and_stays_out(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET, proxy=True) as running:
            ben = await seated(running, "Ben", "Stube", headers=HOME)
            eva = await seated(running, "Eva", "Stube", headers=AWAY)
            await ben.say("start_game")
            table = running.table().id
            told = await done(running, do="remove", table=table, seat=eva.seat)
            assert [one["name"] for one in told["tables"][0]["people"]] == ["Ben"]
            assert await turned_out(eva) == Code.REMOVED
            again = await running.connect(player_name="Eva", table_name="Stube", headers=AWAY)
            assert (await again.error())["code"] == Code.REMOVED
            for seat in (eva.seat, -1, 99):
                assert await ask(running, {"do": "remove", "table": table, "seat": seat}) == (
                    400,
                    f"Nobody sits on seat {seat} of this table.",
                )
            assert (await ask(running, {"do": "remove", "table": "x", "seat": 0}))[0] == 400

    house.run(story())


def test_a_banned_range_is_cut_off_and_stays_out_after_a_restart(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET, proxy=True) as running:
            ben = await seated(running, "Ben", "Stube", headers=HOME)
            eva = await seated(running, "Eva", "Stube", headers=AWAY)
            watcher = await running.connect(table_name="Stube", spectator=1, headers=AWAY)
            await watcher.notification("spectator_joined")
            told = await done(running, do="ban", range=" 198.51.100.99/24 ")
            assert [one["range"] for one in told["bans"]] == ["198.51.100.0/24"]
            assert [await turned_out(client) for client in (eva, watcher)] == [Code.BANNED] * 2
            assert [each for each in await ben.sync() if each["type"] == "error"] == []
            session = eva.session
        async with house.open(tmp_path, operator=SECRET, proxy=True) as running:
            mapped = {"X-Forwarded-For": "::ffff:198.51.100.200"}
            for headers in (AWAY, mapped):
                for query in ({"player_name": "Eva", "table_name": "Neu"}, {"session_id": session}):
                    assert (await running.refused(headers=headers, **query))["code"] == Code.BANNED
                for path in ("/", "/mine", "/api/tables", "/api/setup", "/api/me"):
                    async with running.session.get(f"http://127.0.0.1:{running.port}{path}", headers=headers) as answer:
                        assert answer.status == 403 and "Your network is banned" in await answer.text()
                # Operators who have banned themselves can undo it.
                assert (await ask(running, **headers))[0] == 200
            assert (await running.get("/api/tables"))["tables"]
            told = await done(running, do="unban", range="198.51.100.0/24")
            assert told["bans"] == []
            assert await ask(running, {"do": "unban", "range": "198.51.100.0/24"}) == (
                400,
                "The range 198.51.100.0/24 is not banned.",
            )
            await seated(running, "Eva", "Neu", headers=AWAY)

    house.run(story())


def test_programs_of_a_banned_range_are_cut_off_too(house: House, tmp_path: Path) -> None:
    """They come over TCP, where nobody reads sentences."""

    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET) as running:
            connections = running.server.connections
            assert connections.take_guest("127.0.0.1")
            connections.give_back_guest("127.0.0.1")
            await done(running, do="ban", range="127.0.0.1")
            assert not connections.take_guest("127.0.0.1") and connections.take_guest("127.0.0.2")
            connections.give_back_guest("127.0.0.2")

    house.run(story())


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("2001:db8::1/48", "2001:db8::/48"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
        ("0.0.0.0/0", None),
        ("10.0.0.0/7", None),
        ("::/0", None),
        ("::ffff:0.0.0.0/96", None),
        ("", None),
        ("Ben", None),
        ("192.0.2.7/33", None),
        ("1" * 5000, None),
    ],
)
def test_a_range_is_read_or_refused_with_a_sentence(text: str, network: str | None) -> None:
    if network is None:
        with pytest.raises(ValueError, match=r"^.{10,120}\.$"):
            read_network(text)
    else:
        assert str(read_network(text)) == network


@pytest.mark.parametrize("address", ["", "unknown", "192.0.2", "fe80::1%eth0", "\x00", "a" * 5000])
def test_whatever_a_proxy_reports_is_no_fault(address: str) -> None:
    group = Bans(None, lambda: 0.0)  # type: ignore[arg-type]
    group.all[read_network("192.0.2.0/24")] = bans.Ban("192.0.2.0/24", 0.0)
    assert not group.has(address)
    assert group.has("192.0.2.200") and not group.has("192.0.3.0")


def test_so_many_ranges_are_banned_and_no_more(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bans, "MOST", 2)

    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET) as running:
            for number in (1, 2, 1):
                await done(running, do="ban", range=f"192.0.2.{number}")
            refused = await ask(running, {"do": "ban", "range": "192.0.2.3"})
            assert refused == (400, "No more than 2 networks can be banned.")

    house.run(story())


def test_a_word_to_all_and_the_maintenance_reach_our_own_clients_only(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET) as running:
            ben, kim = await running.join("Ben", view=1), await running.join("Kim", "Nebenan", view=1)
            # A program that knows the messages of the first days and nothing else.
            old = await running.join("Bot")
            text = "Um zehn <b>Uhr</b> ist Schluss. 👋"
            await done(running, do="say", text=text)
            for client in (ben, kim):
                assert await client.until("announcement") == {"kind": "said", "text": text}
            for on in (True, True, False):
                assert (await done(running, do="maintenance", on=on))["maintenance"] is on
                assert running.server.maintenance is on
                if on:
                    assert (await running.refused(player_name="Eva", table_name="Neu"))["code"] == 107
            told = [each["payload"]["kind"] for each in await ben.sync() if each["type"] == "announcement"]
            assert told == ["maintenance", "open"]
            assert "announcement" not in [each["type"] for each in await old.sync()]
            assert (await old.refused("start_game"))["code"] == Code.NOT_LOBBY_HOST

    house.run(story())


@pytest.mark.parametrize(
    "act",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 5000,
        {"do": "reboot"},
        {"do": "close"},
        {"do": "close", "table": 7},
        {"do": "remove", "table": "x", "seat": "0"},
        {"do": "say", "text": ""},
        {"do": "say", "text": "x" * 501},
        {"do": "say", "text": None},
        {"do": "maintenance", "on": "yes"},
        {"do": "maintenance", "on": True, "off": 1},
        {"do": "ban", "range": ["192.0.2.1"]},
        {"do": ["ban"], "range": "192.0.2.1"},
    ],
    ids=map(str, itertools.count()),
)
def test_what_is_no_act_changes_nothing(house: House, tmp_path: Path, act: Any) -> None:
    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET) as running:
            ben = await running.join("Ben", view=1)
            await ben.sync()
            before = await ask(running)
            status, told = await ask(running, act)
            assert status == 400 and told.endswith(".")
            assert await ask(running) == before
            assert await ben.sync() == []

    house.run(story())


def test_the_operator_of_a_server_with_a_password_needs_only_the_secret(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, operator=SECRET, password="ein Haus am See") as running:
            assert (await ask(running))[0] == 200
            assert (await ask(running, secret="x"))[0] == 401
            async with running.session.get(f"http://127.0.0.1:{running.port}/operator") as answer:
                assert answer.status == 200

    house.run(story())


def test_the_command_does_what_it_says(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / ".env").write_text(f"TISCH_OPERATOR={SECRET}\n", encoding="utf-8")
    # Ben reads nothing while the commands run, and so answers no ping.
    with serving(folder, constants={"tisch.server.http.app.HEARTBEAT": 600.0}) as server:

        def admin(*arguments: object, code: int = 0) -> str:
            told = run(folder, "admin", "--url", server.address, *arguments)
            assert told.returncode == code, told.stderr
            return told.stderr if code else told.stdout

        async def story() -> None:
            async with aiohttp.ClientSession() as session:
                ben = await connected(session, server, player_name="Ben", table_name="Stube", view=1)
                await ben.welcomed()
                said = await asyncio.to_thread(admin, "who")
                assert "Ben (here), seat 0 of Stube (" in said and "127.0.0.1" in said
                tables = await asyncio.to_thread(admin, "tables")
                assert "Stube: tichu, waiting, 0 watching; 0 Ben" in tables
                assert await asyncio.to_thread(admin, "say", "Gute", "Nacht") == "It is said.\n"
                assert (await ben.until("announcement"))["text"] == "Gute Nacht"
                assert await asyncio.to_thread(admin, "maintenance", "on") == "Maintenance is on.\n"
                assert await asyncio.to_thread(admin, "maintenance", "off") == "Maintenance is off.\n"
                assert "192.0.2.0/24" in await asyncio.to_thread(admin, "ban", "192.0.2.9/24")
                assert "192.0.2.0/24" in await asyncio.to_thread(admin, "bans")
                assert await asyncio.to_thread(admin, "unban", "192.0.2.0/24") == "Nobody is banned.\n"
                missing = await asyncio.to_thread(lambda: admin("close", "Keller", code=1))
                assert missing == "tisch admin: There is no table 'Keller'.\n"
                nobody = await asyncio.to_thread(lambda: admin("remove", "Stube", 3, code=1))
                assert nobody == "tisch admin: Nobody sits on seat 3 of this table.\n"
                removed = await asyncio.to_thread(admin, "remove", "Stube", 0)
                assert "nobody" in removed or removed == "There are no tables.\n"
                assert (await ben.error())["code"] == Code.REMOVED

        asyncio.run(story())
        (folder / ".env").write_text("TISCH_OPERATOR=etwas anderes\n", encoding="utf-8")
        assert admin("who", code=1) == "tisch admin: This is not the operator's secret.\n"
        (folder / ".env").unlink()
        assert "Set TISCH_OPERATOR" in admin("who", code=1)
        actions = [line["action"] for line in server.log if line["message"] == "operator"]
        assert actions == ["say", "maintenance", "maintenance", "ban", "unban", "remove"]
        assert SECRET not in str(server.log) and "Gute Nacht" not in str(server.log)
