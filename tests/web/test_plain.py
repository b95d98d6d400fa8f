"""The plain table in a real browser: what it says of each game is right, and in words, from first to last."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import guide
from browser import (
    DESKTOP,
    MINE,
    OFFERS,
    SLOWLY,
    name_table,
    resize,
    serious,
    sit_down,
    small_targets,
    start,
    visitor,
    wait_for,
)
from night import later
from serving import Served, serving
from tisch.game import Random

PHONE: Final = (390, 844)
GAMES: Final = ("maumau", "sechsundsechzig")
#: Options by which a whole game is short.
SHORT: Final = {"sechsundsechzig": {"goal": 1}}
OVER: Final = "document.querySelector('.game-dialog') !== null"
#: Everything that the page says, to those who see it and to those who hear it.
SAID: Final = """() => [...document.querySelectorAll('body *')].flatMap(one => [one.ariaLabel, one.title,
    ...[...one.childNodes].filter(node => node.nodeType === 3).map(node => node.data)])
    .filter(text => text && text.trim())"""
#: What only programs should read: empty values, names with underscores, keys of texts, ends of Sechsundsechzig, cards.
RAW: Final = re.compile(
    r"\b(?:null|undefined|NaN|true|false|object Object|cheats?|announce|won\w*[tf]|Won\w+|Lost\w+)\b"
    r"|[a-z]_[a-z]|\b(?:table|map|field|verb|event|move|word|part|option|suit|rank)\.\w"
    r"|^[KHXP](?:7|8|9|10|B|D|K|A)?$|^[KHXP]{2,}$|\d:[A-Z]{3}"
)


@contextmanager
def playing(
    browser: Browser,
    server: Served,
    game: str,
    table: str,
    size: tuple[int, int] = PHONE,
    *,
    locale: str = "de-DE",
    **options: Any,
) -> Iterator[Page]:
    """Play a game alone with agents."""
    with visitor(browser, size, locale) as ben:
        sit_down(ben.page, server, "Ben", table, game)
        set_options(ben.page, **SHORT.get(game, {}) | options)
        start(ben.page)
        wait_for(ben.page, f"{MINE} || {OVER}")
        yield ben.page
        # Agents would go on thinking for a table that is only cut off.
        ben.page.evaluate("Network.send('leave')")


def set_options(page: Page, **options: Any) -> None:
    for name, value in options.items():
        page.evaluate(
            "changed => EventBus.emit('lobbyView:options',"
            " {options: {...State.snapshot.public_state.table_options.options, ...changed}})",
            {name: value},
        )
        wait_for(page, f"State.snapshot.public_state.table_options.options.{name} === {str(value).lower()}")


def move(page: Page, text: str) -> None:
    """Make a move, and wait until it is made."""
    number = page.evaluate("State.snapshot.number")
    page.evaluate("move => EventBus.emit('tableView:move', {move})", text)
    wait_for(page, f"State.snapshot.number > {number}")


def raw(page: Page) -> list[str]:
    """Find what the page says in words of programs."""
    return [text for text in page.evaluate(SAID) if RAW.search(text.strip())]


def test_what_is_raw_is_found() -> None:
    found = ("null", "1 · 3 · Won3f", "HH", "XP", "K", "X10", "cheats", "table.cheat", "7:RED", "wish_on_wish")
    assert all(RAW.search(text) for text in found)
    said = ("♣ 10", "Kreuz Bube", "Ben · 3 P. · mit 66 ausgemacht", "K", "B", "10", "Joker", "Du bist am Zug")
    assert [text for text in said if RAW.search(text)] == ["K"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_told_in_words(browser: Browser, server: Served, game: str) -> None:
    random = Random(7, game)
    with playing(browser, server, game, f"ganz {game}") as page:
        page.evaluate(SLOWLY)
        moves = 0
        while wait_for(page, f"({OVER}) ? 'over' : {MINE}", 300) != "over":
            # On a king, the letter is its rank and no suit.
            assert [text for text in raw(page) if text != "K"] == [], f"after {moves} moves"
            assert moves > 3 or small_targets(page) == []
            number = page.evaluate("State.snapshot.number")
            buttons = page.locator(OFFERS)
            button = buttons.nth(random.below(buttons.count()))
            button.dispatch_event("click")
            if page.locator(".is-armed").count():
                # What costs much is confirmed.
                page.locator(".is-armed").dispatch_event("click")
            wait_for(page, f"State.snapshot.number > {number}")
            moves += 1
        expect(page.locator("dialog h2")).to_have_text(re.compile(r"^(Gewonnen!|Verloren\.|Das Spiel ist zu Ende\.)$"))
        assert moves > 0
        assert [text for text in raw(page) if text != "K"] == []


#: How games end for the first of their players: the payoffs, the title of the result, and how many stand out in it.
ENDS: Final = (
    ([1, -1], "Gewonnen!", 1),
    ([-1, 1], "Verloren.", 1),
    ([0, 0, 0, 0], "Das Spiel ist zu Ende.", 0),
    ([2, 4, -6], "Das Spiel ist zu Ende.", 1),
    ([0], "Verloren.", 0),
    ([1], "Gewonnen!", 1),
)


def test_a_result_says_how_it_ended_for_the_one_who_looks(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", "Ergebnis", "maumau")
        ben.page.evaluate("Games.load('plain')")
        script = """payoff => {
            State.update({...State.snapshot, number: 1, private_state: {player_index: 0}, public_state: {
                ...State.snapshot.public_state, player_names: payoff.map((_, seat) => `P${seat}`)}});
            PlainTable.notify('game_over', {payoff, points: payoff, game_id: 'x'});
        }"""
        for payoff, title, best in ENDS:
            ben.page.evaluate(script, payoff)
            expect(ben.page.locator("dialog")).to_have_count(1)
            expect(ben.page.locator("dialog h2")).to_have_text(title)
            expect(ben.page.locator(".result .best")).to_have_count(best)


def test_a_stock_that_is_empty_is_still_told(browser: Browser, server: Served) -> None:
    # Two with fifteen each, one more for who begins, and the open card: none is left of thirty-two.
    with playing(browser, server, "maumau", "Leer", hand=15) as page:
        expect(page.locator(".stock .count")).to_have_text("0")
        expect(page.locator(".stock .empty")).to_be_visible()


def test_the_lobby_offers_nothing_that_is_refused(browser: Browser, server: Served) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        sit_down(page, server, "Ben", "Runden", "maumau")
        expect(page.locator("label[for=option-rounds]")).to_have_text("Runden")
        assert page.locator("#option-rounds").get_attribute("min") == "1"
        page.fill("#option-rounds", "0")
        page.press("#option-rounds", "Tab")
        # What was refused does not stand there as if it were set.
        expect(page.locator(".toast.error")).to_be_visible()
        expect(page.locator("#option-rounds")).to_have_value("1")
    with visitor(browser, PHONE) as ben:
        sit_down(ben.page, server, "Ben", "Ohne Grenze", "tichu")
        expect(ben.page.locator("label[for=option-rounds]")).to_have_text("Runden (0: ohne Grenze)")


def test_the_lobby_after_a_game_cuts_no_word(browser: Browser, server: Served) -> None:
    with playing(browser, server, "maumau", "Danach", hand=1) as page:
        while wait_for(page, f"({OVER}) ? 'over' : {MINE}") != "over":
            move(page, page.evaluate("State.snapshot.choices.legal[0]"))
        page.keyboard.press("Escape")
        page.wait_for_selector("#lobby-view")
        buttons = page.locator("#lobby-view footer .button:visible")
        expect(buttons).to_have_count(2)
        for size in (PHONE, DESKTOP):
            resize(page, size)
            assert buttons.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")
            assert small_targets(page) == []


@pytest.mark.parametrize("game", later(GAMES, ("sechsundsechzig",)))
def test_a_move_by_keyboard_keeps_the_focus(browser: Browser, server: Served, game: str) -> None:
    with playing(browser, server, game, f"Fokus {game}", DESKTOP, locale="en-GB") as page:
        assert serious(page) == []
        focused = "[document.activeElement.tagName, document.activeElement.closest('#wrapper') !== null]"
        page.locator(OFFERS).first.focus()
        for _ in range(4):
            wait_for(page, f"{MINE} || {OVER}")
            if page.evaluate(OVER):
                break
            assert page.evaluate(focused) == ["BUTTON", True]
            number = page.evaluate("State.snapshot.number")
            page.keyboard.press("Enter")
            wait_for(page, f"State.snapshot.number > {number} || {OVER}")
            # In one look: the game may end between two.
            assert page.evaluate(f"{OVER} || {focused}[1]"), "between two turns"


def test_the_plain_table_keeps_the_focus_of_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    # Only games of one's own are shown on this table, such as that of docs/adding-a-game.md.
    guide.write(tmp_path)
    with (
        serving(tmp_path, "--games", "nim:GAME") as server,
        visitor(browser, DESKTOP, "en-GB") as ben,
        visitor(browser, PHONE, "en-GB") as kim,
    ):
        sit_down(ben.page, server, "Ben", "Focus", "nim")
        set_options(ben.page, heaps=5)
        kim.page.goto(server.address)
        name_table(kim.page, "Kim", "Focus", "nim")
        expect(ben.page.locator(".seat strong", has_text="Kim")).to_have_count(1)
        start(ben.page)
        for page in (ben.page, kim.page):
            page.wait_for_selector(".plain-table")
            assert serious(page) == []
        focused = "document.activeElement"
        moving, waiting = (ben.page, kim.page) if ben.page.evaluate(MINE) else (kim.page, ben.page)
        for page in (moving, waiting):
            wait_for(page, f"{MINE} || document.querySelector('.turn') !== null")
        # The last heap goes, and with it the last moves, behind which the hint stands.
        moving.locator(OFFERS).last.focus()
        for _ in range(3):
            # What is focused makes a move, and does not ask for a hint.
            assert moving.evaluate(f"{focused}.matches({OFFERS!r})")
            moving.keyboard.press("Enter")
            wait_for(moving, f"!({MINE})")
            assert moving.evaluate(f"{focused}.matches('.turn')"), "Where nothing can be done, the line that says so."
            wait_for(waiting, MINE)
            waiting.locator(OFFERS).first.click()
            wait_for(moving, MINE)


def test_a_table_waits_until_it_knows_how_cards_are_called(browser: Browser, server: Served) -> None:
    def late(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    with playing(browser, server, "maumau", "Spät") as page:
        page.route("**/api/setup", late)
        page.reload()
        page.wait_for_selector(".hand-card")
        assert page.locator(".hand-card[aria-label*='undefined'], .hand-card[aria-label='']").count() == 0
        assert [text for text in raw(page) if text != "K"] == []
