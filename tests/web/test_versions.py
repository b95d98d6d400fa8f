"""Upgrades: what a browser has of one version of the web client never mixes with another one."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from broken_proxy import broken_proxy
from browser import Visitor, name_table, visitor, wait_for
from places import ROOT
from ports import reserved_port
from serving import Served, serving
from tisch.server.http.bundles import published
from tisch.server.http.pages import public_files
from waiting import wait_until

WEB: Final = ROOT / "web"
#: The constant of the server that says where the web client is.
PLACES: Final = "tisch.server.http.pages.PLACES"
#: What a page shows of each kind of file: what the joined scripts, those of one game, a style sheet, a picture that it
#: names, a sheet of symbols, the words and the page itself say of their version.
SHOWN: Final = """async () => {
    const style = getComputedStyle(document.documentElement);
    const text = async address => (await fetch(address)).text();
    const last = (text, before) => text.slice(text.lastIndexOf(before) + before.length).split('-')[0];
    const picture = style.backgroundImage.slice(5, -2);
    return {
        joined: window.joinedMark, game: window.gameMark, style: style.getPropertyValue('--mark'),
        named: last(await text(picture), 'mark '), sheet: document.querySelector('[id*="mark "]').id.split(' ')[1],
        sound: last(await text(Lib.address('/sounds/select.flac')), 'mark '), text: Texts.get('login.friends'),
        page: document.querySelector('meta[name=mark]').content,
    };
}"""
KINDS: Final = ("joined", "game", "style", "named", "sheet", "sound", "text", "page")


def version(folder: Path, mark: str) -> Path:
    """Make a version of the web client that differs from others in each kind of file.

    :param folder: Where the version is made.
    :param mark: What all these files say.
    """
    web = folder / mark
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules", "tests"))

    def change(name: str, before: str, after: str) -> None:
        text = (web / name).read_text(encoding="utf-8")
        assert text.count(before) == 1
        (web / name).write_text(text.replace(before, after), encoding="utf-8")

    def add(name: str, more: str) -> None:
        with (web / name).open("a", encoding="utf-8") as file:
            file.write(more)

    add("js/base/config.js", f"window.joinedMark = '{mark}';\n")
    add("js/games/maumau/view.js", f"window.gameMark = '{mark}';\n")
    add("css/games/maumau/table.css", f":root {{ --mark: {mark}; background: url(/images/logo.svg); }}\n")
    add("images/logo.svg", f"<!-- mark {mark}-->")
    add("sounds/select.flac", f"mark {mark}-")
    change("images/french.svg", "<defs><rect", f'<defs id="mark {mark}"/><defs><rect')
    change("js/base/texts.js", "'login.friends': 'Mit Freunden'", f"'login.friends': '{mark}'")
    more = f'<meta name="mark" content="{mark}"><template><link href="/images/logo.svg"></template>'
    change("index.html", '<meta charset="utf-8">', f'<meta charset="utf-8">{more}')
    return web


def bodies(web: Path) -> dict[str, str]:
    """Return the files that a server of a version answers with, by address and hash."""
    files = published({name: (web / name).read_bytes() for name in public_files(web)})
    return {f"/{name}": hashlib.sha256(body).hexdigest() for name, body in files.items() if name != "index.html"}


class Upgrades:
    """A server whose web client changes, and a visitor who comes back.

    :param folder: A folder for all of it.
    :param port: The server's port.
    """

    def __init__(self, folder: Path, port: int) -> None:
        self.address = f"http://localhost:{port}"
        self.versions = {mark: version(folder, mark) for mark in ("first", "second")}
        self.port = port
        self._folder = folder

    @contextmanager
    def serve(self, mark: str) -> Iterator[Served]:
        """Run the server with a version."""
        with serving(self._folder, "--port", self.port, constants={PLACES: (str(self.versions[mark]),)}) as server:
            yield server


@pytest.fixture
def upgrades(tmp_path: Path) -> Iterator[Upgrades]:
    with reserved_port() as port:
        yield Upgrades(tmp_path, port)


def play(page: Page) -> None:
    """Play a game alone."""
    page.click(".game-card[data-game=maumau] .game-alone")


def shown(page: Page) -> dict[str, Any]:
    """Return what the table of a game shows of its version."""
    page.wait_for_selector(".maumau-table")
    found: dict[str, Any] = page.evaluate(SHOWN)
    return found


def all_of(mark: str) -> dict[str, str]:
    """Return what a page shows that is of one version."""
    return dict.fromkeys(KINDS, mark)


def is_kept(page: Page, mark: str) -> bool:
    """Tell whether the service worker keeps the page of a version, and so all its files."""
    script = "async mark => (await (await caches.match('/'))?.text() ?? '').includes(`content=\"${mark}\"`)"
    found: bool = page.evaluate(script, mark)
    return found


def forget_seat(page: Page) -> None:
    """Give up the seat, as at the end of an evening."""
    page.click("[data-tool=leave]")
    page.click("dialog .danger")
    page.wait_for_selector("#login-view")


@contextmanager
def received(one: Visitor, web: Path) -> Iterator[None]:
    """Hold all files that a page receives against those of a version."""
    wanted = bodies(web)
    answers: list[Response] = []

    def note(answer: Response) -> None:
        if urlsplit(answer.url).path.startswith(("/js/", "/css/", "/images/", "/sounds/")):
            answers.append(answer)

    one.page.on("response", note)
    yield
    one.page.remove_listener("response", note)
    assert answers
    for answer in answers:
        path = urlsplit(answer.url).path
        assert hashlib.sha256(answer.body()).hexdigest() == wanted.get(path), path


@pytest.mark.parametrize("has_worker", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_who_comes_back_after_an_upgrade_finds_nothing_of_the_version_before(
    browser: Browser, upgrades: Upgrades, has_worker: bool
) -> None:
    with visitor(browser, has_worker=has_worker) as ben:
        page = ben.page
        ben.provoked.append("ERR_")
        # The last one is as after an upgrade that was taken back.
        for mark in ("first", "second", "first"):
            with upgrades.serve(mark), received(ben, upgrades.versions[mark]):
                page.goto(upgrades.address)
                play(page)
                assert shown(page) == all_of(mark)
                forget_seat(page)
                if has_worker:
                    wait_for(page, "navigator.serviceWorker.controller !== null")
                    wait_until(lambda mark=mark: is_kept(page, mark))
        if has_worker:
            # Without a network all is of the last version as well.
            page.goto(upgrades.address)
            expect(page.locator("#login-title")).to_have_text("tisch")
            page.evaluate("Games.load('maumau')")
            wait_for(page, "Games.table('maumau') !== null")
            assert page.evaluate(SHOWN) == all_of("first")


@pytest.mark.parametrize("has_worker", [True, False])
def test_a_page_that_is_open_during_an_upgrade_is_of_one_version(
    browser: Browser, upgrades: Upgrades, has_worker: bool
) -> None:
    with visitor(browser, has_worker=has_worker) as ben:
        page = ben.page
        # Files that are there no more.
        ben.provoked += ["ERR_", "404", "MIME"]
        with upgrades.serve("first"):
            page.goto(upgrades.address)
            expect(page.locator(".game-card")).to_have_count(5)
            if has_worker:
                wait_for(page, "navigator.serviceWorker.controller !== null")
        with upgrades.serve("second"):
            if has_worker:
                # Somebody else in this browser has the new version already.
                other = ben.context.new_page()
                other.goto(upgrades.address)
                wait_until(lambda: is_kept(other, "second"))
                # What a browser caches by itself may be gone at any time.
                session = ben.context.new_cdp_session(page)
                session.send("Network.clearBrowserCache")
                play(page)
                assert shown(page) == all_of("first")
            else:
                name_table(page, "Ben", "Stube", "maumau")
                # The files of the table are gone: the page is loaded anew, and leads back to the seat.
                expect(page.locator("meta[name=mark]")).to_have_attribute("content", "second")
                page.click("#lobby-view footer .main")
                assert shown(page) == all_of("second")


def test_a_version_that_came_only_in_part_is_not_kept(browser: Browser, upgrades: Upgrades) -> None:
    with visitor(browser, has_worker=True) as ben:
        page = ben.page
        ben.provoked += ["ERR_", "502", "MIME"]
        with upgrades.serve("first"):
            page.goto(upgrades.address)
            wait_for(page, "navigator.serviceWorker.controller !== null")
        files = published({name: (upgrades.versions["second"] / name).read_bytes() for name in public_files(WEB)})
        with broken_proxy(upgrades.port, files["index.html"]):
            page.goto(upgrades.address)
        page.goto(upgrades.address)
        expect(page.locator("#login-title")).to_have_text("tisch")
        assert page.evaluate("window.joinedMark") == "first"
        assert is_kept(page, "first")
        # No other version has a page.
        script = """async () => {
            const pages = (await caches.keys()).map(cacheName => caches.match('/', {cacheName}));
            return (await Promise.all(pages)).filter(Boolean).length;
        }"""
        assert page.evaluate(script) == 1
