"""Tests of the page of a challenge: two people play the same deals and see each other's results, not before."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, SMALL_PHONE, serious, small_targets, visitor, wait_for
from serving import Served

#: Answers whatever the table asks, by the first move that is allowed, and reads no result of a round.
PLAYS = """void [EventBus.on('app:state', ({choices}) => choices && choices.legal.length > 0
    && EventBus.emit('tableView:move', {move: choices.legal[0]})),
    EventBus.on('result:open', () => setTimeout(Result.closeRound))]"""
WIDE = "document.getElementById('wrapper').scrollWidth <= innerWidth"


def finish(page: Page) -> None:
    """Play a game that has begun to its end."""
    wait_for(page, "State.isRunning && typeof Result !== 'undefined'", 60)
    page.evaluate(PLAYS)
    page.evaluate("Network.send('resync')")
    page.get_by_role("link", name=re.compile("Vergleich mit den anderen|Compare with the others")).wait_for()


def test_two_play_the_same_and_see_what_the_other_made_of_it(browser: Browser, server: Served) -> None:
    with visitor(browser, SMALL_PHONE) as ben, visitor(browser, DESKTOP, locale="en-GB") as eva:
        page = ben.page
        page.goto(f"{server.address}/challenge/new/sechsundsechzig")
        expect(page.locator("h1")).to_have_text("Freunde herausfordern: Sechsundsechzig")
        page.fill("#challenge-count", "17")
        page.get_by_role("button", name="Herausfordern").tap()
        expect(page.locator(".message")).to_have_text("Die Zahl der Spiele ist 1 bis 16.")
        assert serious(page) == [] and small_targets(page) == []
        page.fill("#challenge-count", "2")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text("Herausforderung: Sechsundsechzig")
        expect(page.locator("h1")).to_be_focused()
        link = page.locator("#challenge-link").input_value()
        assert re.fullmatch(rf"{server.address}/challenge/[\w-]{{24}}", link) and page.url == link
        expect(page.locator(".challenge-deal").first).to_contain_text("Noch hat es niemand begonnen.")
        page.get_by_role("button", name="Spielen", exact=True).tap()
        expect(page.locator("#challenge-name")).to_be_focused()
        page.fill("#challenge-name", "Ben <b>")
        page.get_by_role("button", name="Spielen", exact=True).tap()
        wait_for(page, "State.isRunning", 60)
        expect(page.locator('[data-tool="hint"]')).to_be_hidden()
        # A reload in the middle leads back to the seat.
        page.reload()
        finish(page)
        # Somebody else sees who has played, and nothing of the game.
        eva.page.goto(link)
        first = eva.page.locator(".challenge-deal").first
        expect(first).to_contain_text("Begun by: Ben <b>")
        expect(first.locator("table")).to_have_count(0)
        eva.page.fill("#challenge-name", "Eva")
        eva.page.get_by_role("button", name="Play", exact=True).click()
        finish(eva.page)
        assert eva.page.evaluate("State.log.at(-1) && document.body.hasAttribute('data-challenge')")
        eva.page.get_by_role("link", name="Compare with the others").click()
        rows = first.locator("tbody tr")
        expect(rows).to_have_count(3)
        expect(first).to_contain_text("Eva (you)")
        expect(rows.filter(has_text="Ben <b>")).to_contain_text(re.compile("[+−][1-3]"))
        expect(first.get_by_role("link", name="Watch the game of Ben <b>")).to_be_visible()
        expect(eva.page.locator(".challenge-about")).to_contain_text("1 of 2 games begun")
        assert serious(eva.page) == [] and eva.page.evaluate(WIDE)
        first.get_by_role("link", name="Watch the game of Ben <b>").click()
        expect(eva.page.get_by_role("region", name="Replay")).to_be_visible()
        # The table goes on with the next deal, and says when there is none.
        page.get_by_role("button", name="Nächstes Spiel").tap()
        wait_for(page, "State.isRunning && State.log.length > 0", 60)
        page.get_by_role("link", name="Vergleich mit den anderen").wait_for()
        page.get_by_role("button", name="Nächstes Spiel").tap()
        expect(page.get_by_role("alert").filter(has_text="Jedes Spiel dieser Herausforderung")).to_be_visible()
        page.goto(link)
        expect(page.locator(".challenge-about")).to_contain_text("Du hast alle Spiele begonnen.")
        expect(page.get_by_role("region", name="Stand nach deinen Spielen")).to_contain_text("Ben <b> (du)")
        assert serious(page) == [] and small_targets(page) == [] and page.evaluate(WIDE)


def test_the_game_of_the_day_is_one_tap_away(browser: Browser, server: Served) -> None:
    with visitor(browser, SMALL_PHONE) as ben:
        page = ben.page
        page.goto(server.address)
        page.locator(".todays").get_by_role("link", name="Raumstation").tap()
        expect(page.locator("h1")).to_have_text("Spiel des Tages: Raumstation")
        expect(page.locator(".challenge-deal")).to_have_count(1)
        expect(page.get_by_role("button", name="Mit Freunden")).to_have_count(0)
        assert serious(page) == [] and small_targets(page) == [] and page.evaluate(WIDE)
        ben.provoked.append("404")
        page.goto(f"{server.address}/challenge/nothing")
        expect(page.get_by_role("alert")).to_contain_text("Diese Herausforderung gibt es nicht")
