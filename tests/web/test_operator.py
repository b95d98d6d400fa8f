"""Tests of the operator's page, and of what people see of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, SMALL_PHONE, serious, sit_down, small_targets, visitor
from serving import Served, serving

SECRET = "ein Haus am Bärg"


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with an operator."""
    with serving(tmp_path_factory.mktemp("operated"), "--operator", SECRET) as server:
        yield server


def log_in(page: Page, server: Served) -> None:
    """Open the operator's page."""
    page.goto(f"{server.address}/operator")
    page.fill("#operator-secret", SECRET)
    page.keyboard.press("Enter")
    page.wait_for_selector(".operator-lists")


def test_the_operator_removes_people_and_closes_a_table(browser: Browser, operated: Served) -> None:
    with visitor(browser, SMALL_PHONE) as boss, visitor(browser) as ben, visitor(browser) as eva:
        sit_down(ben.page, operated, "<b>Ben</b>", "Stube", "okey")
        sit_down(eva.page, operated, "Eva", "Stube", "okey")
        log_in(boss.page, operated)
        tables = boss.page.locator(".operator-tables")
        expect(tables).to_contain_text("Okey · wartet · 2/4")
        expect(tables).to_contain_text("<b>Ben</b>")
        assert serious(boss.page) == [] and small_targets(boss.page) == []
        assert boss.page.evaluate("document.getElementById('wrapper').scrollWidth <= innerWidth")
        boss.page.get_by_role("button", name="Entfernen: Eva").tap()
        expect(boss.page.locator("dialog")).to_contain_text("Eine KI spielt dann weiter")
        boss.page.locator("dialog").get_by_role("button", name="Entfernen").tap()
        expect(eva.page.locator("#login-message")).to_have_text("Der Gastgeber hat dich von diesem Tisch entfernt.")
        expect(tables).not_to_contain_text("Eva")
        boss.page.get_by_role("button", name="Tisch schließen: Stube").tap()
        boss.page.locator("dialog").get_by_role("button", name="Doch nicht").tap()
        expect(tables).to_contain_text("Stube")
        boss.page.get_by_role("button", name="Tisch schließen: Stube").tap()
        boss.page.locator("dialog").get_by_role("button", name="Tisch schließen").tap()
        expect(ben.page.locator("#login-message")).to_have_text("Der Betreiber des Servers hat den Tisch geschlossen.")
        expect(boss.page.locator(".operator-lists")).to_contain_text("Gerade ist niemand da.")


def test_what_the_operator_says_is_read_at_every_table(browser: Browser, operated: Served) -> None:
    with visitor(browser, DESKTOP, locale="en-GB") as boss, visitor(browser) as ben:
        sit_down(ben.page, operated, "Ben", "Wort", "okey")
        log_in(boss.page, operated)
        boss.page.fill("#operator-text", "Um <i>zehn</i> ist Schluss.")
        boss.page.get_by_role("button", name="Say to all").click()
        expect(ben.page.locator(".toast.word")).to_have_text("Der Betreiber sagt: Um <i>zehn</i> ist Schluss.")
        expect(boss.page.locator("#operator-text")).to_have_value("")
        boss.page.check("#operator-maintenance")
        expect(ben.page.locator(".toast", has_text="neue beginnen erst danach.")).to_be_visible()
        ben.page.click("#lobby-view footer .main")
        expect(ben.page.locator(".toast.error")).to_contain_text("Der Server wird gewartet")
        boss.page.uncheck("#operator-maintenance")
        expect(ben.page.locator(".toast", has_text="Die Wartung ist vorbei")).to_be_visible()
        assert serious(boss.page) == [] and serious(ben.page) == []


def test_a_range_is_banned_and_allowed_again(browser: Browser, operated: Served) -> None:
    with visitor(browser) as boss:
        boss.provoked.append("400")
        log_in(boss.page, operated)
        boss.page.fill("#operator-range", "überall")
        boss.page.keyboard.press("Enter")
        expect(boss.page.locator(".toast.error")).to_contain_text("is no address and no range of addresses")
        expect(boss.page.locator("#operator-range")).to_have_value("überall")
        boss.page.fill("#operator-range", "192.0.2.9/24")
        boss.page.keyboard.press("Enter")
        allow = boss.page.get_by_role("button", name="Freigeben: 192.0.2.0/24")
        expect(allow).to_be_visible()
        # What is typed is not lost when the page is brought up to date.
        boss.page.fill("#operator-range", "198.51.100")
        allow.tap()
        expect(boss.page.locator(".operator-lists")).to_contain_text("Keines ist gesperrt.")
        expect(boss.page.locator("#operator-range")).to_have_value("198.51.100")


def test_nobody_else_sees_the_page(browser: Browser, operated: Served, server: Served) -> None:
    with visitor(browser) as eva:
        eva.provoked += ["401", "404"]
        for served, sentence in (
            (operated, "Das ist nicht das Geheimnis."),
            (server, "Dieser Server hat kein Geheimnis für den Betreiber: TISCH_OPERATOR ist nicht gesetzt."),
        ):
            eva.page.goto(f"{served.address}/operator")
            expect(eva.page.locator("h1")).to_have_text("Betreiber")
            eva.page.fill("#operator-secret", "x")
            eva.page.keyboard.press("Enter")
            expect(eva.page.locator("[role=alert]")).to_have_text(sentence)
            expect(eva.page.locator(".operator-tables")).to_have_count(0)
            assert serious(eva.page) == []
