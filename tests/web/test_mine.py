"""Tests of the page of one's own games: the key, another device, and that all of it can go."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page, expect

import screenshots
from browser import DESKTOP, SMALL_PHONE, serious, sit_down, small_targets, start, visitor, wait_for
from night import later
from serving import Served

#: Answers whatever the table asks, by the first move that is allowed, and reads no result of a round.
PLAYS = """void [EventBus.on('app:state', ({choices}) => choices.legal.length > 0
    && EventBus.emit('tableView:move', {move: choices.legal[0]})),
    EventBus.on('result:open', () => setTimeout(Result.closeRound))]"""
WIDE = "document.getElementById('wrapper').scrollWidth <= innerWidth"


def make_key(page: Page, server: Served, name: str) -> str:
    """Make a key on the page of one's own games.

    :result: The link that carries it.
    """
    page.goto(f"{server.address}/mine")
    page.fill("#mine-name", name)
    page.get_by_role("button", name="Schlüssel erstellen").click()
    dialog = page.locator("dialog.mine-link")
    expect(dialog.locator("img")).to_be_visible()
    link = dialog.locator("input").input_value()
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Ich habe ihn aufgehoben").click()
    expect(dialog).to_have_count(0)
    return link


def finish(page: Page, server: Served, table: str) -> None:
    """Play a game of two against the AI to its end."""
    page.emulate_media(reduced_motion="reduce")
    sit_down(page, server, "Ben", table, "sechsundsechzig")
    page.evaluate("EventBus.emit('lobbyView:options', {options: {goal: 1}})")
    wait_for(page, "State.snapshot.public_state.table_options.options.goal === 1")
    start(page)
    page.evaluate(PLAYS)
    page.evaluate("Network.send('resync')")
    wait_for(page, "MyGames.list().length > 0", 60)
    page.evaluate("Network.send('leave')")
    page.wait_for_selector(".game-card")


def test_the_page_says_what_a_key_is_before_there_is_one(browser: Browser, server: Served) -> None:
    with visitor(browser, SMALL_PHONE) as ben, visitor(browser, DESKTOP, locale="en-GB") as eva:
        ben.page.goto(server.address)
        ben.page.get_by_role("link", name="Meine Spiele").tap()
        warning = ben.page.locator(".mine-warning")
        expect(warning).to_contain_text("Wer den Schlüssel verliert, bekommt ihn nie zurück, auch nicht vom Betreiber.")
        expect(ben.page.locator(".mine-list")).to_contain_text("Nur auf diesem Gerät gespeichert.")
        assert serious(ben.page) == [] and small_targets(ben.page) == []
        eva.page.goto(f"{server.address}/mine")
        expect(eva.page.locator(".mine-warning")).to_contain_text("A lost key cannot be had back")
        eva.page.evaluate("games => User.remember('mygames', games)", screenshots.MINE_PLAYED)
        eva.page.reload()
        expect(eva.page.locator(".mine-games li")).to_have_count(len(screenshots.MINE_PLAYED))
        eva.page.get_by_role("button", name="Clear the list").click()
        eva.page.locator("dialog").get_by_role("button", name="Clear the list").click()
        expect(eva.page.locator(".mine-games li")).to_have_count(0)


def test_a_key_goes_to_another_device_and_finds_the_games(browser: Browser, server: Served) -> None:
    with visitor(browser) as phone, visitor(browser, DESKTOP) as desk:
        link = make_key(phone.page, server, "Ben <b>")
        assert re.fullmatch(rf"{server.address}/mine#key=[\w-]{{24}}", link)
        finish(phone.page, server, "Schlüssel")
        phone.page.goto(f"{server.address}/mine")
        expect(phone.page.locator(".mine-kinds")).to_contain_text(re.compile("Stärke 1[0-9]{3} ± [0-9]+"))
        expect(phone.page.locator(".mine-kinds")).to_contain_text("KI: Stark")
        assert serious(phone.page) == [] and small_targets(phone.page) == [] and phone.page.evaluate(WIDE)
        # The other device asks first, and the key leaves its address.
        desk.page.goto(link)
        question = desk.page.locator("dialog")
        expect(question).to_contain_text("Der Schlüssel gehört Ben <b>.")
        assert desk.page.evaluate("location.href") == f"{server.address}/mine"
        question.get_by_role("button", name="Doch nicht").click()
        expect(desk.page.locator(".mine-warning")).to_be_visible()
        assert desk.page.evaluate("Key.value()") == ""
        desk.page.goto("about:blank")
        desk.page.goto(link)
        question.get_by_role("button", name="Ja, es ist meiner").click()
        expect(desk.page.locator(".mine-games li")).to_have_count(1)
        desk.page.locator(".mine-key summary").click()
        assert serious(desk.page) == []
        with desk.page.expect_download() as download:
            desk.page.get_by_role("button", name="Alles herunterladen").click()
        told = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        assert told["name"] == "Ben <b>" and "sechsundsechzig" in told["games"][0]["transcript"]
        desk.page.locator(".mine-games a").click()
        desk.page.wait_for_selector(".replay")


def test_a_key_is_renamed_shown_again_and_taken_from_a_device(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        page = ben.page
        link = make_key(page, server, "Ben")
        page.locator(".mine-key summary").tap()
        page.fill("#mine-name", "Benno")
        page.get_by_role("button", name="Umbenennen").tap()
        expect(page.locator(".mine-key summary")).to_contain_text("Benno")
        page.locator(".mine-key summary").tap()
        page.get_by_role("button", name="Auf ein anderes Gerät").tap()
        dialog = page.locator("dialog.mine-link")
        expect(dialog.locator("img")).to_be_visible()
        assert dialog.locator("input").input_value() == link
        assert unquote(dialog.locator("img").get_attribute("src") or "").startswith("data:image/svg+xml,<?xml")
        assert serious(page) == [] and small_targets(page) == []
        dialog.get_by_role("button", name="Schließen").tap()
        page.get_by_role("button", name="Von diesem Gerät entfernen").tap()
        expect(page.locator("dialog")).to_contain_text("Hast du ihn nirgends sonst, kommst du nie wieder")
        page.locator("dialog").get_by_role("button", name="Von diesem Gerät entfernen").tap()
        expect(page.locator(".mine-warning")).to_be_visible()
        assert page.evaluate("[Key.value(), localStorage.getItem('tisch.key')]") == ["", None]


def test_who_deletes_everything_is_gone_on_each_device(browser: Browser, server: Served) -> None:
    with visitor(browser) as phone, visitor(browser) as other:
        other.provoked += ["401", "404"]
        link = make_key(phone.page, server, "Ben")
        other.page.goto(link)
        other.page.locator("dialog").get_by_role("button", name="Ja, es ist meiner").tap()
        expect(other.page.locator(".mine-key summary")).to_contain_text("Ben")
        phone.page.locator(".mine-key summary").tap()
        phone.page.get_by_role("button", name="Alles löschen").tap()
        phone.page.locator("dialog").get_by_role("button", name="Alles löschen").tap()
        expect(phone.page.locator(".mine-warning")).to_be_visible()
        other.page.reload()
        expect(other.page.locator(".toast", has_text="Diesen Schlüssel gibt es nicht")).to_be_visible()
        expect(other.page.locator(".mine-warning")).to_be_visible()
        assert other.page.evaluate("Key.value()") == ""
        # The link is good for nothing, too.
        other.page.goto("about:blank")
        other.page.goto(link)
        expect(other.page.locator(".toast", has_text="Diesen Schlüssel gibt es nicht")).to_be_visible()


@pytest.mark.parametrize("size", later(((320, 640), (390, 844), (1440, 900)), ((390, 844),)))
def test_the_page_has_room_on_every_screen(browser: Browser, server: Served, size: tuple[int, int]) -> None:
    """With the longest names, and letters of twice the size."""
    with visitor(browser, size) as ben:
        page = ben.page
        link = make_key(page, server, "W" * 24)
        tally = {"count": 1234, "won": 617, "lost": 617}
        names = ["W" * 24, "M" * 24, "Ada (KI)", "Ben"]
        kind = {"tally": tally, "rating": 1712, "deviation": 87, "agents": {"Sehr stark": 1833, "Leicht": 1204}}
        told = {
            "name": "W" * 24,
            "since": 0,
            "kinds": [{"game": game, **kind} for game in ("tichu", "okey", "raumstation")],
            "companions": [{"name": name, "together": tally, "against": tally} for name in ("W" * 24, "")],
            "games": [
                {
                    "number": 9 - at,
                    "id": "x",
                    "game": "tichu",
                    "ended": 1_790_000_000,
                    "me": 3,
                    "points": points,
                    "players": names,
                    "kinds": ["human"] * 4,
                    "verdict": "won",
                    "has_replay": at == 0,
                }
                for at, points in enumerate([[1010, -640, 1010, -640], [0, 100, 0, 100]])
            ],
        }
        answer = json.dumps(told)
        page.route("**/api/me?*", lambda route: route.fulfill(body=answer, content_type="application/json"))
        for text in (100, 200) if size[0] > 320 else (100,):
            page.goto(f"{server.address}/mine")
            page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")
            page.wait_for_selector(".mine-games li")
            page.locator(".mine-key summary").click()
            assert page.evaluate(WIDE), text
        expect(page.locator(".mine-games")).to_contain_text("nicht mehr aufbewahrt")
        expect(page.locator(".mine-companions")).to_contain_text("gelöscht")
        assert link
