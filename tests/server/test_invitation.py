"""Tests of what a link tells before anybody has a name: where it leads, who invites, and nothing to strangers."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from server import HandClock, House, Running, pass_time

HOSTILE = '<b>"Eva" & \'Co</b>'


async def led(running: Running, **query: str) -> Any:
    """Ask where a link leads."""
    told = await running.get(f"/api/invitation?{urlencode(query)}")
    assert set(told) == {"table"}
    return told["table"]


def test_a_link_says_where_it_leads_and_who_invites(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            ben = await running.join(HOSTILE, "Stube", game="sechsundsechzig")
            told = {"table_name": "Stube", "game": "sechsundsechzig", "host": HOSTILE}
            assert await led(running, table_name="Stube") == {**told, "is_running": False, "free_seats": 1}
            assert await led(running, table_name=" Stube  ") == await led(running, table_name="Stube")
            assert await led(running, table_name="Stube", invitation="A" * 22) is None
            await running.join("Ida")
            await ben.say("start_game")
            assert await led(running, table_name="Stube") == {**told, "is_running": True, "free_seats": 0}

    house.run(story())


def test_only_those_who_have_its_invitation_hear_of_a_private_table(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            ben = await running.connect(player_name="Ben", table_name="Kammer", private=1, game="okey")
            first = (await ben.welcomed())["invitation"]
            told = {"table_name": "Kammer", "game": "okey", "host": "Ben", "is_running": False, "free_seats": 3}
            # The name in the link does not matter.
            for name in ("Kammer", "", "Stube"):
                assert await led(running, table_name=name, invitation=first) == told
            assert await led(running, table_name="Nirgends") is None
            for guess in ({}, {"invitation": ""}, {"invitation": first[:-1]}, {"invitation": "x" * 5000}):
                assert await led(running, table_name="Kammer", **guess) is None
            # A new invitation ends the old one.
            await ben.say("set_access", is_private=True)
            assert await led(running, table_name="Kammer", invitation=first) is None
            second = (await ben.state())["invitation"]
            assert await led(running, table_name="Kammer", invitation=second) == told

    house.run(story())


def test_a_link_to_a_table_whose_host_is_gone_names_nobody(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        clock = HandClock()
        async with house.open(tmp_path, clock) as running:
            ben = await running.join("Ben", game="okey")
            await ben.cut()
            await pass_time(running, clock, 20)
            told = await led(running, table_name="Stube")
            assert (told["host"], told["free_seats"]) == (None, 4)
            # Nobody comes back: the table is closed, and a link of the past leads nowhere.
            await pass_time(running, clock, 600)
            assert await led(running, table_name="Stube") is None

    house.run(story())


async def preview(running: Running, **query: str) -> dict[str, str]:
    """Read what messengers read of a link."""
    async with running.session.get(f"http://127.0.0.1:{running.port}/?{urlencode(query)}") as response:
        page = await response.text()
    return {name: unescape(text) for name, text in re.findall('<meta property="og:([a-z]+)" content="([^"]*)">', page)}


def test_a_preview_says_who_invites_to_which_game(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            nowhere = await preview(running, table_name="Stube")
            ben = await running.join(HOSTILE, "Stube", game="okey")
            shown = await preview(running, table_name="Stube")
            # What has quotes and tags comes back as it was: it is no part of the page.
            assert shown["description"] == f"{HOSTILE} lädt dich zu Okey ein · {HOSTILE} invites you to play Okey"
            assert {**shown, "description": ""} == {**nowhere, "description": ""} and shown["title"] == "tisch · Stube"
            # Another host, another preview.
            await running.join(r"\1 \g<0>")
            await ben.say("pass_on_host", player_index=1)
            assert (await preview(running, table_name="Stube"))["description"].startswith(r"\1 \g<0> lädt dich")

    house.run(story())


def test_a_preview_of_a_private_table_tells_strangers_nothing(house: House, tmp_path: Path) -> None:
    async def story() -> None:
        async with house.open(tmp_path, HandClock()) as running:
            before = [await preview(running, table_name="Kammer", invitation=guess) for guess in ("", "x")]
            ben = await running.connect(player_name="Ben", table_name="Kammer", private=1, game="okey")
            invitation = (await ben.welcomed())["invitation"]
            told = "Ben lädt dich zu Okey ein · Ben invites you to play Okey"
            assert (await preview(running, table_name="Kammer", invitation=invitation))["description"] == told
            # Also after somebody who is invited has looked, nobody else sees more than without the table.
            after = [await preview(running, table_name="Kammer", invitation=guess) for guess in ("", invitation[:-1])]
            assert after == before
            await ben.say("set_access", is_private=True)
            assert await preview(running, table_name="Kammer", invitation=invitation) == before[1]

    house.run(story())
