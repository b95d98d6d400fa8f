"""The keys that all tables share: ? opens the rules, H asks for a hint, Enter presses what is lit, Escape closes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

import guide
from browser import DESKTOP, TABLE
from night import later
from serving import Served, serving
from tests.web.test_plain import playing

#: The games with tables of their own; another one is played at the plain table.
GAMES: Final = ("maumau", "okey", "raumstation", "sechsundsechzig", "tichu")
HINT: Final = ".hint-dialog"
RULES: Final = "dialog.rules"
#: Lights a button if none is lit, keeps every press from acting, and tells the lit one.
LIT: Final = """table => {
    const root = document.querySelector(table);
    const seen = selector => [...root.querySelectorAll(selector)].find(one => one.checkVisibility());
    const lit = seen('.main:enabled') ?? seen('button:enabled:not(.hand-card, .slot, .room)');
    lit.classList.add('main');
    window.pressed = [];
    document.addEventListener('click', event => {
        window.pressed.push(event.target.closest('button') === lit);
        event.stopPropagation();
        event.preventDefault();
    }, {capture: true});
}"""

#: The buttons with a text and a key that do not show it.
UNSHOWN: Final = """() => [...document.querySelectorAll(
    '.table-button, .station-table .tool, .okey-table .sorts .button, .ask-hint'
)].filter(one => one.checkVisibility() && one.matches('[aria-keyshortcuts]'))
    .filter(one => !getComputedStyle(one, '::after').content.startsWith(`"${one.getAttribute('aria-keyshortcuts')}"`))
    .map(one => one.textContent)"""


@contextmanager
def served(server: Served, folder: Path, game: str) -> Iterator[Served]:
    """Return a server that has a game: only games of one's own, as that of docs/adding-a-game.md, need another one."""
    if game in GAMES:
        yield server
        return
    guide.write(folder)
    with serving(folder, "--games", f"{game}:GAME") as own:
        yield own


def press(page: Page, key: str) -> None:
    """Press a key while nothing has the focus."""
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(key)


@pytest.mark.parametrize("game", later((*GAMES, "nim"), ("okey", "raumstation")))
def test_the_same_keys_do_the_same_at_every_table(browser: Browser, server: Served, tmp_path: Path, game: str) -> None:
    with served(server, tmp_path, game) as house, playing(browser, house, game, f"Tasten {game}", DESKTOP) as page:
        # What is said at a first game is closed, too.
        press(page, "Escape")
        press(page, "?")
        expect(page.locator(RULES)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(RULES)).to_have_count(0)
        press(page, "h")
        expect(page.locator(HINT)).to_be_visible()
        press(page, "Escape")
        expect(page.locator(HINT)).to_have_count(0)
        assert page.locator("[aria-keyshortcuts~='Enter' i]").count() == 0
        assert page.evaluate(UNSHOWN) == []
        page.evaluate(LIT, TABLE)
        press(page, "Enter")
        assert page.evaluate("window.pressed") == [True]
