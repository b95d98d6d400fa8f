"""Tests of a server with a password: members, guests of a table, and everybody else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from yarl import URL

from server import House, Running
from tisch.server.http import password

SECRET = "ein Haus am See"
HTML = {"Accept": "text/html,application/xhtml+xml", "Accept-Language": "fr, de-CH;q=0.9, en;q=0.8"}


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    """The environment of the servers."""
    house = House()
    yield house
    house.close()


@asynccontextmanager
async def visitor() -> AsyncIterator[aiohttp.ClientSession]:
    """A browser of its own, which keeps cookies, also those of an address of numbers."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


def url(running: Running, path: str) -> str:
    """The address of a path."""
    return f"http://127.0.0.1:{running.port}{path}"


async def status(running: Running, session: aiohttp.ClientSession, path: str, **more: Any) -> int:
    """Request something, and do not follow."""
    async with session.get(url(running, path), allow_redirects=False, **more) as answer:
        await answer.read()
        return answer.status


async def tried(running: Running, session: aiohttp.ClientSession, given: str, then: str = "/") -> tuple[int, str, str]:
    """Fill in the form.

    :result: The status, where it leads, and the page.
    """
    form = {"password": given, "next": then}
    async with session.post(url(running, "/door"), data=form, allow_redirects=False, headers=HTML) as answer:
        return answer.status, answer.headers.get("Location", ""), await answer.text()


async def joined(running: Running, session: aiohttp.ClientSession, **query: str) -> dict[str, Any]:
    """Connect, and return the first message."""
    async with session.ws_connect(url(running, "/ws"), params=query) as socket:
        message: dict[str, Any] = await socket.receive_json()
        return message


def basic(user: str = "") -> dict[str, str]:
    """How a program sends the password."""
    return {"Authorization": aiohttp.encode_basic_auth(user, SECRET)}


LISTS = ("/api/tables", "/api/games", "/api/records")


def test_without_a_password_there_is_no_door(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path) as running, visitor() as session:
            assert await status(running, session, "/door") == 404
            assert [await status(running, session, path) for path in ("/", *LISTS)] == [200] * 4

    house.run(story())


def test_strangers_get_a_form_and_programs_an_error(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, password=SECRET) as running, visitor() as session:
            for path in ("/", "/index.html", "/replay/x?step=3", "/nothing"):
                async with session.get(url(running, path), headers=HTML) as answer:
                    page = await answer.text()
                    assert answer.status == 401
                    # Browsers would ask for a user's name and a password in a window of their own.
                    assert "basic" not in answer.headers["WWW-Authenticate"].lower()
                    assert answer.headers["Cache-Control"] == "no-store"
                assert '<html lang="de">' in page and "Wer an einen Tisch eingeladen ist" in page
                then = "/" if path == "/" else path
                assert f'name="next" value="{then}"' in page
            for path in (*LISTS, "/api/setup", "/api/games/tichu", "/api/invitation?table_name=Stube", "/api/x"):
                assert await status(running, session, path) == 401
            assert await status(running, session, "/api/tables/Stube/invite.svg") == 401
            # What only says whether the server lives, and what the page is made of, is open.
            assert [await status(running, session, path) for path in ("/healthz", "/readyz", "/metrics")] == [200] * 3
            assert await status(running, session, "/manifest.webmanifest") == 200
            refused = await joined(running, session, player_name="Ben", table_name="Stube")
            assert refused["payload"]["code"] == 209
            assert not running.names

    house.run(story())


def test_members_stay_members_after_a_restart_and_not_after_a_change(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with visitor() as session:
            async with house.open(tmp_path, password=SECRET) as running:
                code, where, page = await tried(running, session, "ein Haus am Meer")
                assert (code, where) == (403, "") and "Das ist nicht das Passwort." in page
                assert await status(running, session, "/api/tables") == 401
                assert (await tried(running, session, SECRET, "/replay/x?step=3"))[:2] == (303, "/replay/x?step=3")
                (cookie,) = session.cookie_jar
                assert cookie["httponly"] and cookie["samesite"] == "Lax" and SECRET not in cookie.value
                assert [await status(running, session, path) for path in ("/", *LISTS)] == [200] * 4
                welcome = await joined(running, session, player_name="Ben", table_name="Stube")
                assert welcome["type"] == "notification"
            for secret, code in ((SECRET, 200), ("ein anderes", 401)):
                async with house.open(tmp_path, password=secret) as running:
                    # Its port is another one.
                    session.cookie_jar.update_cookies({cookie.key: cookie.value}, URL(url(running, "/")))
                    assert await status(running, session, "/api/tables") == code

    house.run(story())


def test_programs_send_the_password_in_their_address(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, password=SECRET) as running, aiohttp.ClientSession() as session:
            assert await status(running, session, "/api/tables", headers=basic("anybody")) == 200
            address = f"http://:{SECRET.replace(' ', '%20')}@127.0.0.1:{running.port}/ws"
            async with session.ws_connect(address, params={"player_name": "Bot", "table_name": "Stube"}) as socket:
                assert (await socket.receive_json())["type"] == "notification"
            for header in ("Basic", "Basic !!!", "Basic " + "A" * 5000, "Bearer " + SECRET, "Basic 4pi6"):
                assert await status(running, session, "/api/tables", headers={"Authorization": header}) == 401

    house.run(story())


def test_guests_come_to_the_table_that_invites_them_and_nowhere_else(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, password=SECRET) as running, visitor() as member, visitor() as guest:
            await tried(running, member, SECRET)
            async with member.ws_connect(url(running, "/ws?player_name=Ben&table_name=Stube&private=1")) as socket:
                first = await socket.receive_json()
                while "invitation" not in str(first):
                    first = await socket.receive_json()
                invitation = re.findall(r"'invitation': '([^']+)'", str(first))[0]
                link = {"table_name": "Stube", "invitation": invitation}
                table = {"table_name": "Stube"}
                for wrong in ({}, table, {**link, "invitation": "guessed"}):
                    assert await status(running, guest, "/", params=wrong, headers=HTML) == 401, wrong
                    refused = await joined(running, guest, player_name="Eva", **wrong)
                    assert refused["payload"]["code"] == 209
                assert await status(running, guest, "/", params=link, headers=HTML) == 200
                for path in ("/api/setup", "/api/games/tichu", "/"):
                    assert await status(running, guest, path) == 200, path
                for path in ("/api/invitation", "/api/tables/Stube/invite.svg"):
                    assert await status(running, guest, path, params=link) == 200
                assert await status(running, guest, "/api/tables/Stube/invite.svg", params=table) == 401
                async with guest.get(url(running, "/api/invitation"), params=table) as answer:
                    assert await answer.json() == {"table": None}
                async with member.get(url(running, "/api/tables")) as answer:
                    keys = (await answer.json()).keys()
                for path in LISTS[:2]:
                    async with guest.get(url(running, path)) as answer:
                        assert list((await answer.json()).values()) == [[]]
                assert keys == {"tables"}
                assert await status(running, guest, "/api/records") == 401
                async with guest.ws_connect(url(running, "/ws"), params={**link, "player_name": "Eva"}) as seat:
                    welcome = await seat.receive_json()
                    session = welcome["payload"]["context"]["session_id"]
                # Back to the same seat, and with it to no other table.
                assert (await joined(running, guest, session_id=session))["type"] == "notification"
                elsewhere = await joined(running, guest, session_id=session, player_name="Eva", table_name="Kammer")
                assert elsewhere["payload"]["code"] == 209
                # The name in a link is only for people.
                await joined(running, guest, invitation=invitation, player_name="Uli", table_name="Kammer")
                assert running.names == ["Stube"]

    house.run(story())


def test_passwords_are_not_tried_without_end(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        now = [0.0]
        async with house.open(tmp_path, password=SECRET) as running, visitor() as session:
            door = running.server._password
            assert door is not None
            monkeypatch.setattr(door, "_clock", lambda: now[0])
            codes = [(await tried(running, session, f"wrong {number}"))[0] for number in range(password.TRIES + 1)]
            assert codes == [403] * password.TRIES + [429]
            # Nobody learns by then whether one was right, whichever way it is sent.
            assert (await tried(running, session, SECRET))[0] == 429
            assert await status(running, session, "/api/tables", headers=basic()) == 429
            now[0] = 20.0
            assert (await tried(running, session, SECRET))[0] == 303
            async with aiohttp.ClientSession() as program:
                for _ in range(3 * password.TRIES):
                    # The right one may be sent with each request.
                    assert await status(running, program, "/api/tables", headers=basic()) == 200

    house.run(story())


@pytest.mark.parametrize(
    ("then", "where"),
    [
        ("/replay/x?step=3", "/replay/x?step=3"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/door", "/"),
        ("/a\r\nSet-Cookie: x=y", "/"),
        ("", "/"),
    ],
)
def test_the_form_leads_to_no_other_server(house: House, tmp_path: Path, then: str, where: str) -> None:
    async def story() -> None:
        async with house.open(tmp_path, password=SECRET) as running, visitor() as session:
            assert (await tried(running, session, SECRET, then))[:2] == (303, where)

    house.run(story())


def test_what_is_sent_to_the_form_is_shown_as_text(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, password=SECRET) as running, visitor() as session:
            async with session.get(url(running, '/x"><script>alert(1)</script>'), headers=HTML) as answer:
                assert "<script" not in await answer.text()
            for body in (b"\xff\xfe", b"password=" + b"x" * 5000, b"next=/&password=%ff"):
                kind = {"Content-Type": "application/x-www-form-urlencoded"}
                async with session.post(url(running, "/door"), data=body, headers=kind) as answer:
                    assert answer.status in (403, 429), await answer.text()

    house.run(story())
