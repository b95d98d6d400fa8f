"""The web client up to the table: entrance, lobby, settings, languages; light, and open to everybody."""

from __future__ import annotations

import re
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

import _setup
from browser import (
    DESKTOP,
    HELD,
    LYING_PHONE,
    PHONE,
    SHOWN,
    SMALL_PHONE,
    name_table,
    serious,
    sit_down,
    small_targets,
    visitor,
    wait_for,
    weigh,
)
from places import ROOT
from serving import Served

WEB = ROOT / "web"
#: Where the entrance is looked at: both languages and both ends of the sizes always, the rest on demand.
PLACES = (
    pytest.param(SMALL_PHONE, "de-DE"),
    pytest.param(DESKTOP, "en-GB"),
    *(pytest.param(size, "en-GB", marks=pytest.mark.slow) for size in (SMALL_PHONE, PHONE, LYING_PHONE)),
    *(pytest.param(size, "de-DE", marks=pytest.mark.slow) for size in (PHONE, LYING_PHONE, DESKTOP)),
)


def test_what_lasts_for_the_tests_is_what_passes_in_pages() -> None:
    texts = [path.read_text("utf-8") for path in (WEB / "js").rglob("*.js")]
    constants = [value for text in texts for value in re.findall(r"const _[A-Z]+ = (\d+|\{[^}]*\});", text)]
    assert {*HELD, *SHOWN} <= {int(number) for value in constants for number in re.findall(r"\b\d+\b", value)}


def test_unit_tests_pass_in_the_browser(browser: Browser, server: Served) -> None:
    def give(route: Route) -> None:
        """Serve what the server does not: the tests, and files by the names that they have in their folder."""
        path = WEB / urlsplit(route.request.url).path.removeprefix("/")
        if path.is_file():
            route.fulfill(path=path)
        else:
            route.continue_()

    with visitor(browser) as ben:
        # What is tested are the page's own times.
        ben.page.add_init_script("window.lasting = new Set();")
        ben.page.route(re.compile(r"/(tests\.html|(js|images|sounds)/[\w/-]+\.\w+)$"), give)
        ben.page.goto(f"{server.address}/tests.html")
        wait_for(ben.page, "document.title.includes('passed')")
        failed = [line for line in ben.page.locator("#results li").all_text_contents() if not line.startswith("ok")]
        assert not failed, "\n".join(failed)
        assert ben.page.locator("#results li").count() > 25


@pytest.mark.parametrize(("size", "locale"), PLACES)
def test_nobody_is_kept_out_before_the_table(
    browser: Browser, server: Served, size: tuple[int, int], locale: str
) -> None:
    with visitor(browser, size, locale) as ben:
        page = ben.page
        page.emulate_media(reduced_motion="reduce")
        sit_down(page, server, "Ben", f"Zugang {size[0]} {locale}")
        # The margins are the same on both sides: nothing is wider than the screen has room for.
        edges = "[...document.querySelectorAll('.lobby .card, .lobby header')].map(one => one.getBoundingClientRect())"
        assert page.evaluate(f"{edges}.every(box => box.left >= 12 && box.right <= innerWidth - 12)")
        assert serious(page) == []
        assert small_targets(page) == []
        page.click("#lobby-view header .button:last-child")
        page.wait_for_selector("dialog.settings")
        assert serious(page) == []
        page.keyboard.press("Escape")
        page.click("#lobby-view header .button:first-child")
        page.click("dialog .danger")
        page.wait_for_selector("#login-view .table-list li")
        page.click(".named summary")
        assert serious(page) == []
        assert small_targets(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.getElementById('wrapper').scrollWidth <= innerWidth")


def test_the_entrance_is_light(browser: Browser, server: Served) -> None:
    with visitor(browser, DESKTOP) as ben:
        ben.page.add_init_script(
            "window.shifts = 0; new PerformanceObserver(list => list.getEntries().forEach(one => {"
            " window.shifts += one.value; })).observe({type: 'layout-shift', buffered: true});"
        )
        sizes = weigh(ben)
        ben.page.goto(server.address, wait_until="networkidle")
        expect(ben.page.locator("#login-game option")).to_have_count(5)
        ben.page.wait_for_timeout(500)
        assert len(sizes) <= 8
        assert sum(sizes) <= 50 * 1024
        # What comes from the server moves nothing that is there already.
        assert ben.page.evaluate("window.shifts") < 0.1


def test_the_entrance_keeps_its_shape_beside_many_tables(browser: Browser, server: Served) -> None:
    with ExitStack() as stack:
        for number in range(4):
            one = stack.enter_context(visitor(browser))
            sit_down(one.page, server, f"Gast {number}", f"Reihe {number}")
        page = stack.enter_context(visitor(browser, LYING_PHONE)).page
        page.goto(server.address)
        expect(page.locator(".table-row")).not_to_have_count(0)
        box = page.locator("#login-name").bounding_box()
        assert box
        assert box["height"] < 60


def test_a_joined_file_is_fetched_once(browser: Browser, server: Served) -> None:
    with visitor(browser, has_worker=True) as ben:
        sit_down(ben.page, server, "Ben", "Einmal")
        wait_for(ben.page, "navigator.serviceWorker.controller !== null")
        asked: list[str] = []
        ben.page.on("request", lambda request: asked.append(request.url))
        answered: list[tuple[str, bool]] = []
        ben.page.on("response", lambda answer: answered.append((answer.url, answer.from_service_worker)))
        ben.page.reload()
        ben.page.wait_for_selector("#lobby-view")
        assert any("/js/bundle-" in url for url in asked)
        # A file that changes its name with its content comes from what the browser has.
        sizes = ben.page.evaluate(
            "performance.getEntriesByType('resource').filter(one => one.name.includes('/bundle-'))"
            ".map(one => one.transferSize)"
        )
        assert sizes
        assert sum(sizes) == 0 or all(by_worker for url, by_worker in answered if "/bundle-" in url)


def test_one_who_is_invited_only_types_a_name(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim:
        sit_down(ben.page, server, "Ben", "Stube & mehr", "maumau")
        link = ben.page.input_value("#lobby-link")
        kim.page.goto(link)
        kim.page.wait_for_selector("#login-name")
        assert kim.page.locator("#login-table").count() == 0
        kim.page.fill("#login-name", "Kim")
        kim.page.keyboard.press("Enter")
        expect(kim.page.locator("#lobby-title")).to_have_text("Stube & mehr")
        expect(kim.page.locator(".waiting")).to_have_text("Warten auf Ben …")
        expect(ben.page.locator(".seats")).to_contain_text("Kim")
        ben.page.click("text=QR-Code")
        wait_for(ben.page, "document.querySelector('.qr img').naturalWidth > 0")


def test_the_host_swaps_seats_by_touch_and_by_keyboard(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim:
        sit_down(ben.page, server, "Ben", "Tausch", "okey")
        sit_down(kim.page, server, "Kim", "Tausch", "okey")
        expect(ben.page.locator(".seat[data-seat='1'] strong")).to_have_text("Kim")
        assert kim.page.locator("button.seat").count() == 0
        ben.page.tap(".seat[data-seat='1']")
        expect(ben.page.locator(".hint")).to_have_text("Mit wem soll Kim tauschen?")
        ben.page.tap(".seat[data-seat='2']")
        expect(ben.page.locator(".seat[data-seat='2'] strong")).to_have_text("Kim")
        ben.page.focus(".seat[data-seat='2']")
        ben.page.keyboard.press("Enter")
        expect(ben.page.locator(".seat[data-seat='2']")).to_be_focused()
        ben.page.focus(".seat[data-seat='3']")
        ben.page.keyboard.press("Space")
        expect(ben.page.locator(".seat[data-seat='3'] strong")).to_have_text("Kim")


def test_options_are_set_by_the_host_and_read_by_all(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim:
        sit_down(ben.page, server, "Ben", "Regeln", "maumau")
        sit_down(kim.page, server, "Kim", "Regeln", "maumau")
        ben.page.select_option("#option-turn-limit", "30")
        ben.page.select_option("#option-agent", "easy")
        ben.page.fill("#option-rounds", "3")
        ben.page.press("#option-rounds", "Tab")
        ben.page.uncheck("#option-stacking")
        options = kim.page.locator(".options")
        for told in ("30 s", "Leicht", "3", "nein"):
            expect(options.locator("strong", has_text=told).first).to_be_visible()
        ben.page.fill("#option-players", "4")
        ben.page.press("#option-players", "Tab")
        expect(ben.page.locator(".seat")).to_have_count(4)


def test_a_refusal_is_told_in_the_own_language(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser, locale="en-US") as other:
        sit_down(ben.page, server, "Ben", "Namen")
        other.page.goto(f"{server.address}/?table_name=Namen")
        other.page.fill("#login-name", "Ben")
        other.page.keyboard.press("Enter")
        expect(other.page.locator("#login-message")).to_have_text(
            "Somebody at this table already has this or a very similar name."
        )
        other.page.fill("#login-name", "")
        other.page.keyboard.press("Enter")
        expect(other.page.locator("#login-message")).to_have_text("Tell us your name.")
        expect(other.page.locator("#login-name")).to_be_focused()


def test_settings_hold_at_once_and_stay(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        page = ben.page
        page.goto(server.address)
        page.click(".house-tools .button:last-child")
        page.check("dialog input[name=language][value=en]", force=True)
        expect(page.locator("dialog h2")).to_have_text("Settings")
        expect(page.locator("dialog input[name=language][value=en]")).to_be_focused()
        page.check("dialog input[name=theme][value=dark]", force=True)
        page.check("dialog input[name=deck][value=colour-safe]", force=True)
        page.click("dialog .main")
        page.reload()
        expect(page.locator(".entrance .main")).to_have_text("Sit down")
        root = page.locator("html")
        expect(root).to_have_attribute("lang", "en")
        expect(root).to_have_attribute("data-theme", "dark")
        expect(root).to_have_attribute("data-deck", "colour-safe")
        assert serious(page) == []


def test_the_room_follows_the_device_unless_one_is_chosen(browser: Browser, server: Served) -> None:
    with visitor(browser, color_scheme="dark") as ben:
        ben.page.goto(server.address)
        root = ben.page.locator("html")
        expect(root).to_have_attribute("data-theme", "dark")
        ben.page.emulate_media(color_scheme="light")
        expect(root).to_have_attribute("data-theme", "bright")
        ben.page.evaluate("User.change({theme: 'dark'})")
        expect(root).to_have_attribute("data-theme", "dark")


def test_somebody_watches_a_table(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as max_:
        sit_down(ben.page, server, "Ben", "Bühne")
        max_.page.goto(server.address)
        max_.page.click("button[aria-label='Am Tisch Bühne zuschauen']")
        expect(max_.page.locator(".waiting")).to_contain_text("Du schaust zu.")
        assert max_.page.locator("#lobby-view footer .main").is_hidden()


@pytest.mark.parametrize("size", [(390, 844), pytest.param(DESKTOP, marks=pytest.mark.slow)])
def test_one_who_wants_another_game_is_offered_a_free_table(
    browser: Browser, server: Served, size: tuple[int, int]
) -> None:
    table = f"Spiel {size[0]}"
    with visitor(browser) as ben, visitor(browser, size) as kim:
        sit_down(ben.page, server, "Ben", table, "tichu")
        page = kim.page
        page.goto(server.address)
        name_table(page, "Kim", table, "okey")
        sentence = f"Am Tisch „{table}“ wird Tichu gespielt. Für Okey ist „{table} 2“ noch frei."
        expect(page.locator("#login-message")).to_have_text(sentence)
        expect(page.locator("#login-message")).to_be_in_viewport()
        expect(ben.page.locator("#lobby-view")).not_to_contain_text("Kim")
        page.click(".entrance .main")
        expect(page.locator("#lobby-title")).to_have_text(f"{table} 2")
        expect(page.locator("#lobby-view header")).to_contain_text("Okey")
        # Without saying so, nobody opens a table of the wrong game either: the list knows what is played.
        page.click("#lobby-view header .button:first-child")
        page.click("dialog .danger")
        row = page.locator(".table-row", has=page.get_by_text(table, exact=True))
        row.get_by_role("button", name="mitspielen").click()
        expect(page.locator("#lobby-title")).to_have_text(table)


def test_one_who_is_invited_needs_not_know_the_game(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim, visitor(browser) as ida:
        sit_down(ben.page, server, "Ben", "Einladung Okey", "okey")
        kim.page.goto(f"{server.address}/?table_name=Einladung+Okey")
        kim.page.fill("#login-name", "Kim")
        kim.page.keyboard.press("Enter")
        expect(kim.page.locator("#lobby-title")).to_have_text("Einladung Okey")
        # An invitation that names another game leads to the entrance, with what may be had.
        ida.page.goto(f"{server.address}/?table_name=Einladung+Okey&game=maumau")
        ida.page.fill("#login-name", "Ida")
        ida.page.keyboard.press("Enter")
        expect(ida.page.locator("#login-message")).to_contain_text("Für Mau-Mau ist „Einladung Okey 2“ noch frei.")
        expect(ida.page.locator("#login-table")).to_have_value("Einladung Okey 2")
        ida.page.click(".entrance .main")
        expect(ida.page.locator("#lobby-title")).to_have_text("Einladung Okey 2")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree in which the tools of the web client were never installed; the path of its checks of accessibility."""
    for name in ("package.json", "package-lock.json"):
        (tmp_path / "web").mkdir(exist_ok=True)
        shutil.copy(_setup.ROOT / "web" / name, tmp_path / "web")
    checks = tmp_path / "web" / "node_modules" / "axe-core" / "axe.min.js"
    shutil.copy(_setup.ROOT / "Cargo.toml", tmp_path)
    monkeypatch.setattr(_setup, "ROOT", tmp_path)
    # A copy of the tree, as for planted faults, has no environment of its own.
    scripts = Path(sys.executable).parent
    monkeypatch.setattr(_setup, "SCRIPTS", scripts)
    monkeypatch.setattr(_setup, "NPM", (str(scripts / "npm"), "--prefix", "web"))
    monkeypatch.setattr("browser.AXE", checks)
    return checks


@pytest.mark.slow
def test_a_test_installs_the_checks_that_it_needs(browser: Browser, server: Served, bare: Path) -> None:
    with visitor(browser) as ben:
        ben.page.goto(server.address)
        assert not bare.exists()
        assert serious(ben.page) == []
        assert bare.exists()


def test_without_a_network_a_test_says_what_is_missing(
    browser: Browser, server: Served, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"registry": "http://127.0.0.1:9", "cache": str(bare.parent), "fetch_retries": "0"}.items():
        monkeypatch.setenv(f"npm_config_{name}", value)
    with visitor(browser) as ben:
        ben.page.goto(server.address)
        with pytest.raises(pytest.fail.Exception, match=r"cannot be tested\. .*connect this machine to the internet"):
            serious(ben.page)
