"""Tests of the web client's invitations, and of the part of the host."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from browser import serious, sit_down, small_targets, visitor, wait_for
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


def test_a_link_says_who_invites_to_which_game_before_the_name(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim, visitor(browser, locale="en-GB") as eva:
        sit_down(ben.page, server, "<b>Ben</b>", "Einladung zu Okey", "okey")
        link = ben.page.input_value("#lobby-link")
        kim.page.goto(link)
        expect(kim.page.locator(".entrance h2")).to_have_text("<b>Ben</b> lädt dich zu Okey ein.")
        expect(kim.page.locator(".invited-about")).to_have_text("Am Tisch „Einladung zu Okey“")
        expect(kim.page.locator(".invited-pictures .game-picture use")).to_have_count(1)
        assert "game-okey" in (kim.page.locator(".invited-pictures use").get_attribute("href") or "")
        expect(kim.page.locator("#login-name")).to_be_focused()
        assert serious(kim.page) == [] and small_targets(kim.page) == []
        eva.page.goto(link)
        expect(eva.page.locator(".entrance h2")).to_have_text("<b>Ben</b> invites you to play Okey.")


def test_a_full_table_offers_to_watch(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim, visitor(browser) as eva:
        sit_down(ben.page, server, "Ben", "Zu zweit", "sechsundsechzig")
        ben.page.check("#lobby-private")
        expect(ben.page.locator("#lobby-link")).to_have_value(re.compile("invitation="))
        link = ben.page.input_value("#lobby-link")
        # Eva has the page open while there is a seat, and is too late.
        eva.page.goto(link)
        eva.page.fill("#login-name", "Eva")
        kim.page.goto(link)
        kim.page.fill("#login-name", "Kim")
        kim.page.keyboard.press("Enter")
        kim.page.wait_for_selector("#lobby-view")
        eva.page.keyboard.press("Enter")
        expect(eva.page.locator("#login-message")).to_have_text("Der Tisch ist voll.")
        expect(eva.page.locator(".invited-about")).to_contain_text(
            "Alle Plätze sind besetzt, aber du kannst zuschauen."
        )
        expect(eva.page.locator("#login-name")).to_be_hidden()
        assert serious(eva.page) == []
        ben.page.click("#lobby-view footer .main")
        # Who comes later is offered that at once, without a name.
        eva.page.goto(link)
        eva.page.get_by_role("button", name="Zuschauen").tap()
        eva.page.wait_for_selector(".table-view.is-watching")
        assert eva.page.evaluate("State.snapshot.me") == -1


def test_a_wrong_invitation_says_so_before_the_name(browser: Browser, server: Served) -> None:
    with visitor(browser) as eva:
        eva.page.goto(f"{server.address}/?table_name=Stube&invitation=AAAAAAAAAAAAAAAAAAAAAA")
        expect(eva.page.locator("#login-message")).to_have_text("Diese Einladung ist ungültig oder abgelaufen.")
        expect(eva.page.locator("#login-name")).to_be_hidden()
        assert serious(eva.page) == []
        eva.page.get_by_role("button", name="Lieber an einen anderen Tisch").tap()
        expect(eva.page.locator(".game-card")).not_to_have_count(0)
        expect(eva.page.locator("#login-name")).to_be_visible()


def test_a_device_shares_the_link_and_the_game(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        ben.page.add_init_script("navigator.share = async shared => { window.shared = shared; };")
        sit_down(ben.page, server, "Ben", "Teilen", "okey")
        ben.page.get_by_role("button", name="Teilen").tap()
        wait_for(ben.page, "window.shared !== undefined")
        link = ben.page.input_value("#lobby-link")
        told = {"title": "tisch", "text": "Spiel mit mir Okey am Tisch „Teilen“!", "url": link}
        assert ben.page.evaluate("window.shared") == told
    with visitor(browser) as kim:
        kim.page.add_init_script("delete Navigator.prototype.share;")
        sit_down(kim.page, server, "Kim", "Kopieren", "okey")
        assert kim.page.get_by_role("button", name="Teilen").count() == 0
        kim.page.get_by_role("button", name="Kopieren").tap()
        expect(kim.page.locator(".toast", has_text="Der Link ist kopiert.")).to_be_visible()
