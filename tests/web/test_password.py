"""Tests of a server with a password, in a browser: who knows it, who is invited, and a page that was kept before."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from browser import serious, small_targets, visitor, wait_for
from serving import serving

SECRET = "ein Haus am See"


def test_a_member_logs_in_and_a_guest_comes_by_link(browser: Browser, tmp_path: Path) -> None:
    variables = {"TISCH_PASSWORD": SECRET}
    with (
        serving(tmp_path, variables=variables) as server,
        visitor(browser) as ben,
        visitor(browser) as kim,
        visitor(browser) as uli,
    ):
        page = ben.page
        # The browser tells its console of each answer that refuses.
        ben.provoked += ["401", "403"]
        page.goto(server.address)
        expect(page.locator("h1")).to_have_text("tisch ist hier unter Freunden")
        expect(page.get_by_label("Passwort")).to_be_focused()
        assert serious(page) == [] and small_targets(page) == []
        page.keyboard.type("ein Haus am Meer")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text("Das ist nicht das Passwort.")
        assert serious(page) == []
        page.get_by_label("Passwort").fill(SECRET)
        page.get_by_role("button", name="Hinein").tap()
        page.wait_for_selector("#login-name")
        page.goto(f"{server.address}/?table_name=Stube")
        page.fill("#login-name", "Ben")
        page.keyboard.press("Enter")
        page.wait_for_selector("#lobby-view")
        page.check("#lobby-private")
        wait_for(page, "document.querySelector('#lobby-link').value.includes('invitation=')")
        link = page.input_value("#lobby-link")
        kim.page.goto(link)
        kim.page.fill("#login-name", "Kim")
        kim.page.keyboard.press("Enter")
        kim.page.wait_for_selector("#lobby-view")
        # After a reload the seat is still hers.
        kim.page.reload()
        kim.page.wait_for_selector("#lobby-view")
        # The entrance is without the tables of others, and another table is not for guests.
        uli.provoked += ["401"]
        uli.page.goto(link)
        uli.page.wait_for_selector("#login-name")
        uli.page.goto(server.address)
        expect(uli.page.get_by_text("Gerade ist kein Tisch für alle offen.")).to_be_visible()
        uli.page.goto(f"{server.address}/?table_name=Kammer")
        uli.page.fill("#login-name", "Uli")
        uli.page.keyboard.press("Enter")
        expect(uli.page.locator("#login-message")).to_contain_text("Dieser Server hat ein Passwort.")


def test_a_page_that_was_kept_earlier_asks_for_the_password(browser: Browser, tmp_path: Path) -> None:
    with visitor(browser, has_worker=True) as eva:
        with serving(tmp_path) as server:
            eva.page.goto(server.address)
            wait_for(eva.page, "navigator.serviceWorker.controller !== null")
            port = server.port
        eva.provoked += ["401", "Failed to load", "WebSocket"]
        with serving(tmp_path, "--port", port, variables={"TISCH_PASSWORD": SECRET}) as server:
            eva.page.goto(server.address)
            eva.page.get_by_label("Passwort").fill(SECRET)
            eva.page.keyboard.press("Enter")
            eva.page.wait_for_selector("#login-name")
