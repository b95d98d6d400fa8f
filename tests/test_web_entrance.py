"""The entrance of the web client: games at one tap, private tables for friends, the own games, and how it calls."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import SMALL_PHONE, TABLE, Served, serious, small_targets, visitor, wait_for

HIDDEN = """isHidden => {
    Object.defineProperty(document, 'hidden', {value: isHidden, configurable: true});
    Object.defineProperty(document, 'visibilityState', {value: isHidden ? 'hidden' : 'visible', configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def card(page: Page, game: str, part: str) -> str:
    """The part of a game's card at the entrance."""
    page.wait_for_selector(".game-card")
    return f".game-card[data-game={game}] .game-{part}"


def invite(page: Page, server: Served, name: str, game: str) -> str:
    """Make a table for friends.

    :result: The link for them.
    """
    page.goto(server.address)
    page.fill("#login-name", name)
    page.click(card(page, game, "friends"))
    page.wait_for_selector("#lobby-view")
    return page.input_value("#lobby-link")


def test_a_game_against_the_ai_is_one_tap_away_and_remembered(browser: Browser, server: Served) -> None:
    with visitor(browser, SMALL_PHONE) as ben:
        page = ben.page
        page.goto(server.address)
        page.tap(card(page, "raumstation", "alone"))
        page.wait_for_selector(TABLE)
        # Nobody was asked for a name, and nobody else finds the table.
        assert page.evaluate("State.snapshot.public_state.player_names[0]") == "Gast"
        assert page.evaluate("State.snapshot.public_state.is_private")
        assert server.get("/api/tables")["tables"] == []
        # Rooms are scanned until the station is solved, or a trap springs.
        scan = "EventBus.emit('tableView:move', {move: choices.legal.find(move => move.startsWith('scan'))})"
        page.evaluate(f"void EventBus.on('app:state', ({{choices}}) => choices.legal.length > 0 && {scan})")
        page.evaluate("Network.send('resync')")
        wait_for(page, "MyGames.list().length === 1", 60)
        (mine,) = page.evaluate("MyGames.list()")
        assert (mine["game"], mine["others"], mine["verdict"] in ("won", "lost")) == ("raumstation", [], True)
        assert isinstance(mine["seconds"], int)
        page.evaluate("Network.send('leave')")
        page.goto(server.address)
        page.click(".house-tools .button:first-child")
        dialog = page.locator("dialog.my-games")
        expect(dialog.locator(".mine-kinds")).to_contain_text(re.compile("Raumstation[01] von 1 gewonnen"))
        assert serious(page) == []
        assert small_targets(page) == []
        dialog.locator(".mine-games a").click()
        # The replay is shown at the game's own table.
        page.wait_for_selector(".replay")
        expect(page.locator(".station-table")).to_be_visible()


def test_a_table_for_friends_is_closed_to_strangers(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim, visitor(browser, locale="en-GB") as eva:
        # Nobody sees a table without a name on it.
        ben.page.goto(server.address)
        ben.page.click(card(ben.page, "maumau", "friends"))
        expect(ben.page.locator("#login-message")).to_have_text("Sag uns, wie du heißt.")
        expect(ben.page.locator("#login-name")).to_be_focused()
        link = invite(ben.page, server, "Ben", "maumau")
        expect(ben.page.locator("#lobby-title")).to_have_text("Tisch von Ben")
        expect(ben.page.locator("#lobby-private")).to_be_checked()
        assert "invitation=" in link
        ben.page.click("text=QR-Code")
        wait_for(ben.page, "document.querySelector('.qr img').naturalWidth > 0")
        assert serious(ben.page) == []
        # A friend types a name and nothing else; a stranger sees no table.
        kim.page.goto(link)
        kim.page.fill("#login-name", "Kim")
        kim.page.keyboard.press("Enter")
        expect(kim.page.locator("#lobby-title")).to_have_text("Tisch von Ben")
        expect(kim.page.locator("#lobby-link")).to_have_value(link)
        expect(kim.page.locator("#lobby-private")).to_be_hidden()
        eva.page.goto(server.address)
        expect(eva.page.locator(".table-list")).to_contain_text("No table is open to everybody right now.")
        # The host removes the friend, who is told and stays out.
        ben.page.click(".seat[data-seat='1']")
        ben.page.click(".remove")
        ben.page.click("dialog .danger")
        expect(kim.page.locator("#login-message")).to_have_text("Der Gastgeber hat dich von diesem Tisch entfernt.")
        expect(ben.page.locator("#lobby-link")).not_to_have_value(link)
        kim.page.goto(link)
        kim.page.fill("#login-name", "Kim")
        kim.page.keyboard.press("Enter")
        expect(kim.page.locator("#login-message")).to_have_text("Diese Einladung gilt nicht oder nicht mehr.")
        # Opened, everybody finds it.
        ben.page.uncheck("#lobby-private")
        expect(ben.page.locator("#lobby-link")).not_to_have_value(re.compile("invitation"))
        wait_for(ben.page, "document.querySelector('.qr img').naturalWidth > 0")
        eva.page.reload()
        expect(eva.page.locator(".table-row")).to_contain_text("Tisch von Ben")


def test_one_is_called_who_looks_elsewhere(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim:
        page = ben.page
        page.add_init_script("navigator.setAppBadge = async () => { window.badges = (window.badges ?? 0) + 1; };")
        link = invite(page, server, "Ben", "maumau")
        page.evaluate(HIDDEN, True)
        kim.page.goto(link)
        kim.page.fill("#login-name", "Kim")
        kim.page.keyboard.press("Enter")
        expect(page).to_have_title("● Kim setzt sich.")
        assert page.evaluate("window.badges") == 1
        page.evaluate(HIDDEN, False)
        expect(page).to_have_title("tisch")
        page.click("#lobby-view footer .main")
        page.wait_for_selector(TABLE)
        # Both move until it is one's turn while one looks elsewhere.
        wait_for(page, "State.snapshot.public_state.awaiting.length > 0")
        if page.evaluate("Turn.isOurs(State.snapshot)"):
            page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal.at(-1)})")
            wait_for(page, "!Turn.isOurs(State.snapshot)")
        page.evaluate(HIDDEN, True)
        kim.page.evaluate(
            "void EventBus.on('app:state', ({choices}) => choices.legal.length > 0"
            " && EventBus.emit('tableView:move', {move: choices.legal.at(-1)}))"
        )
        kim.page.evaluate("Network.send('resync')")
        expect(page).to_have_title("● Du bist am Zug.")
        # Back again, one is asked once whether a notification may say so.
        page.evaluate(HIDDEN, False)
        expect(page).to_have_title("tisch")
        expect(page.locator("dialog h2")).to_have_text("Soll tisch dich rufen?")
        page.click("dialog .button:not(.main)")
        page.evaluate(HIDDEN, True)
        page.evaluate(HIDDEN, False)
        expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("alone", ["okey", "nothing"])
def test_a_shortcut_leads_to_a_game(browser: Browser, server: Served, alone: str) -> None:
    with visitor(browser) as ben:
        ben.page.goto(f"{server.address}/?alone={alone}")
        ben.page.wait_for_selector(".okey-table" if alone == "okey" else ".game-card")
