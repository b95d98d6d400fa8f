"""Tests of the web client's invitations, and of the part of the host."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from browser import sit_down, visitor, wait_for
from serving import Served


def test_the_host_makes_somebody_else_the_host(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim:
        sit_down(ben.page, server, "Ben", "Wechsel", "maumau")
        sit_down(kim.page, server, "Kim", "Wechsel", "maumau")
        expect(ben.page.locator(".pass-on")).to_be_hidden()
        ben.page.tap(".seat[data-seat='1']")
        ben.page.get_by_role("button", name="Kim zum Gastgeber machen").tap()
        expect(kim.page.locator(".toast", has_text="Du bist jetzt Gastgeber.")).to_be_visible()
        expect(ben.page.locator(".toast", has_text="Kim ist jetzt Gastgeber.")).to_be_visible()
        expect(ben.page.locator("#lobby-view footer .main")).to_be_hidden()
        kim.page.tap("#lobby-view footer .main")
        kim.page.wait_for_selector(".table-view")
        # In a game, it is in the settings; nobody else has it there.
        wait_for(ben.page, "State.isRunning && Seating.menu() === null")
        kim.page.click("button[aria-label='Einstellungen']")
        kim.page.get_by_role("button", name="Ben zum Gastgeber machen").click()
        wait_for(ben.page, "State.snapshot.public_state.host_index === 0 && Seating.menu() !== null")
