"""Tests of the operator's page, and of what people see of it."""

from __future__ import annotations

import re
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


def test_words_of_ones_own_are_heard_muted_and_reported(browser: Browser, operated: Served) -> None:
    with visitor(browser, SMALL_PHONE) as ben, visitor(browser, DESKTOP, locale="en-GB") as eva:
        sit_down(ben.page, operated, "Ben", "Worte", "okey")
        sit_down(eva.page, operated, "<i>Eva</i>", "Worte", "okey")
        expect(eva.page.locator("#option-free-chat")).to_have_count(0)
        ben.page.locator("#option-free-chat").tap()
        ben.page.get_by_role("button", name="Spiel beginnen").tap()
        eva.page.get_by_role("button", name="Say something").click()
        eva.page.locator("#chat-text").fill("Schau: evil.example")
        eva.page.keyboard.press("Enter")
        expect(eva.page.locator(".toast.error")).to_have_text("Links are not passed on.")
        for text in ("<img src=x>", "Du bist dran"):
            eva.page.get_by_role("button", name="Say something").click()
            eva.page.locator("#chat-text").fill(text)
            eva.page.get_by_role("button", name="Say", exact=True).click()
            expect(ben.page.locator(".toast.said").last).to_have_text(f"<i>Eva</i>: {text}")
        ben.page.get_by_role("button", name="Zuruf").tap()
        said = ben.page.locator("dialog .said-words li")
        expect(said).to_have_count(2)
        # The tiles of the table behind the dialog are as large as the screen allows.
        assert serious(ben.page) == [] and not [one for one in small_targets(ben.page) if "slot" not in one]
        ben.page.get_by_role("button", name="Melden: was <i>Eva</i> gesagt hat").last.tap()
        expect(ben.page.locator(".toast", has_text="Gemeldet.")).to_have_count(1)
        ben.page.get_by_role("button", name="Stumm: <i>Eva</i>").first.tap()
        expect(said).to_have_text([re.compile("<i>Eva</i> ist auf diesem Gerät stumm.")])
        ben.page.keyboard.press("Escape")
        eva.page.get_by_role("button", name="Say something").click()
        eva.page.locator("#chat-text").fill("Hörst du mich?")
        eva.page.keyboard.press("Enter")
        expect(eva.page.locator(".toast.said").last).to_have_text("<i>Eva</i>: Hörst du mich?")
        expect(ben.page.locator(".toast", has_text="Hörst du mich?")).to_have_count(0)
        with visitor(browser) as boss:
            log_in(boss.page, operated)
            report = boss.page.get_by_role("region", name="Gemeldet")
            expect(report).to_contain_text("gemeldet von Ben")
            expect(report.locator(".operator-said li")).to_have_text(["<img src=x>", "Du bist dran"])
            assert serious(boss.page) == [] and small_targets(boss.page) == []
            boss.page.get_by_role("button", name="Erledigt: Meldung über <i>Eva</i>").click()
            expect(report).to_have_count(0)
