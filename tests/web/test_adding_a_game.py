"""The game of docs/adding-a-game.md in a real browser: in its own words, in German and English."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from browser import lost_presses, serious, sit_down, start, visitor, wait_for
from guide import write
from night import later
from serving import Served, serving

MINE = "document.querySelector('.turn.mine') !== null"
OVER = "document.querySelector('dialog .result') !== null"

WORDS = {
    "de-DE": (
        "Haufen",
        "Wie viele Haufen es gibt",
        "Vom Haufen 3 nimm 5",
        "Du nimmst 1 vom Haufen 1.",
        "Das letzte Hölzchen ist genommen.",
        "Verloren.",
    ),
    "en-GB": (
        "Heaps",
        "How many heaps",
        "From heap 3 take 5",
        "You take 1 from heap 1.",
        "The last match is taken.",
        "You lose.",
    ),
}


@pytest.fixture(scope="module")
def nim_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("nim")
    write(folder)
    with serving(folder, "--games", "nim:GAME") as server:
        yield server


@pytest.mark.parametrize("locale", later(WORDS, ("en-GB",)))
def test_a_game_of_ones_own_is_played_in_its_words(browser: Browser, nim_server: Served, locale: str) -> None:
    field, option, verb, told, why, result = WORDS[locale]
    with visitor(browser, (390, 844), locale=locale) as ben:
        page = ben.page
        sit_down(page, nim_server, "Ben", f"Nim {locale}", "nim")
        expect(page.locator("label[for=option-heaps]")).to_have_text(field)
        expect(page.locator("main")).to_contain_text(option)
        start(page)
        wait_for(page, MINE)
        expect(page.locator("main")).to_contain_text(field)
        expect(page.locator("main")).to_contain_text(verb)
        assert serious(page) == []
        assert lost_presses(page, "table.heaps[0] += 1") == []
        while not page.evaluate(OVER):
            number = page.evaluate("State.snapshot.number")
            page.locator(".actions button").first.click()
            wait_for(page, f"State.snapshot.number > {number} && ({MINE} || {OVER})")
        expect(page.locator("dialog h2")).to_have_text(result)
        expect(page.locator("dialog")).to_contain_text(why)
        expect(page.locator(".log")).to_contain_text(told)
