"""Panels over a table that goes on, in a real browser by keys alone: they leave it focus, keys and place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

import web_tables
from browser import (
    DESKTOP,
    LYING_PHONE,
    MINE,
    SEED,
    SMALL_PHONE,
    resize,
    serious,
    sit_down,
    small_targets,
    start,
    unlisted_keys,
    visitor,
    wait_for,
)
from night import later
from serving import Served, serving
from tests.web.test_plain import set_options
from tests.web.test_raumstation import UNSAFE, room
from tests.web.test_table import resumed

PHONE: Final = (390, 844)
SIZES: Final = (PHONE, SMALL_PHONE, LYING_PHONE, DESKTOP)
GAMES: Final = ("maumau", "okey", "raumstation", "sechsundsechzig", "tichu")
#: The moments of Tichu, each of them at a table that nobody else touches.
MOMENTS: Final = ("follow", "wish", "dragon", "grand")
HINT: Final = ".hint-dialog"
#: Shows a hint for each room, tile and set of cards that may be used, with a reason of four lines, and lists those that
#: do not lie where they should: on nothing that is lit nor on the partner, whole in the window. It counts what was lit.
COVERED: Final = """() => {
    const found = [];
    let lit = 0;
    const reason = 'Dieser Zug ist in 4 von 10 Fällen besser als der nächste. '.repeat(3);
    const legal = new Map(State.snapshot.choices.legal.map(move => [move.split(' ').slice(1).join(' '), move]));
    for (const move of legal.values()) {
        EventBus.emit('app:hint', {move, reason});
        const dialog = document.querySelector('.hint-dialog');
        [...document.getAnimations().filter(one => one instanceof CSSTransition), ...dialog.getAnimations()]
            .forEach(one => one.finish());
        const panel = dialog.getBoundingClientRect();
        const isOn = box => Math.min(panel.right, box.right) > Math.max(panel.left, box.left)
            && Math.min(panel.bottom, box.bottom) > Math.max(panel.top, box.top);
        const shown = [...document.querySelectorAll('.is-hinted, .hand-card.is-selected, .slot[aria-pressed=true]')];
        lit += shown.length;
        const partner = document.querySelectorAll('.tichu-table .table-seat[data-place=top] :is(.plate, .backs)');
        found.push(...[...shown, ...partner].filter(one => isOn(one.getBoundingClientRect()))
            .map(one => `${move}: ${one.className}`));
        if (panel.left < 0 || panel.top < 0 || panel.right > innerWidth || panel.bottom > innerHeight) {
            found.push(`${move}: outside`);
        }
    }
    return [found, lit];
}"""
#: Where the parts of a table are that no hint lights.
LAID_OUT: Final = """() => [...document.querySelectorAll(
    '#screen, .table-seat, .own-row, .own-line, .hand, .table-actions button, .tools button, .rack, .map, .middle'
)].map(part => {
    const {left, top, width, height} = part.getBoundingClientRect();
    return [part.className, left, top, width, height];
})"""
FOCUS: Final = "document.activeElement.outerHTML.slice(0, 60)"


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with tables of Tichu at which nothing happens by itself, and with room for others."""
    folder: Path = tmp_path_factory.mktemp("quiet")
    positions = {name: web_tables.find(web_tables.WANTED[name]) for name in MOMENTS}
    positions |= {f"look at {name}": position for name, position in positions.items()}
    web_tables.write_folder(folder / "data", positions)
    constants = {"tisch.table.clock.HOLD": 600.0}
    with (
        serving(folder, "--connections-per-address", 200, seed=SEED, constants=constants) as served,
        web_tables.silent_players(served.address, positions),
    ):
        yield served


@contextmanager
def at_table(
    browser: Browser, server: Served, game: str, table: str = "Tipps", size: tuple[int, int] = PHONE, **options: Any
) -> Iterator[Page]:
    """Sit at a table in one's turn; in Tichu, at one of the moments."""
    if game == "tichu":
        with resumed(browser, server, table, size) as page:
            page.wait_for_selector(".table-view .table-actions button")
            yield page
        return
    with visitor(browser, size) as ben:
        page = ben.page
        page.emulate_media(reduced_motion="reduce")
        sit_down(page, server, "Ben", f"{table} {game} {size[0]}", game)
        set_options(page, **options)
        start(page)
        wait_for(page, MINE)
        if game == "okey":
            page.keyboard.press("z")
            wait_for(page, "State.snapshot.choices.legal.some(move => move.startsWith('put '))")
        yield page


def ask(page: Page) -> None:
    """Ask for a hint by its key, and wait until it is there."""
    page.keyboard.press("h")
    page.wait_for_selector(HINT)


@pytest.mark.parametrize("game", later(GAMES, ("okey", "sechsundsechzig")))
def test_a_hint_takes_neither_focus_nor_place_and_lies_on_nothing_that_it_lights(
    browser: Browser, quiet: Served, game: str
) -> None:
    # A large station leaves little room.
    options: dict[str, Any] = {"width": 11, "height": 13, "rooms": 80} if game == "raumstation" else {}
    with at_table(browser, quiet, game, "look at follow" if game == "tichu" else "Platz", **options) as page:
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        for size in SIZES:
            resize(page, size)
            focused, laid_out = page.evaluate(FOCUS), page.evaluate(LAID_OUT)
            page.keyboard.press("h")
            page.wait_for_selector(HINT)
            assert page.evaluate("document.activeElement.closest('dialog')") is None
            assert page.evaluate(FOCUS)[:25] == focused[:25]
            assert page.evaluate(LAID_OUT) == laid_out
            assert serious(page) == []
            page.keyboard.press("Escape")
            expect(page.locator(HINT)).to_have_count(0)
            covered, lit = page.evaluate(COVERED)
            assert covered == [], size
            assert lit > 0
            assert [target for target in small_targets(page) if 'value=""' in target] == []
            page.keyboard.press("Escape")


def test_a_hint_follows_a_screen_that_is_turned(browser: Browser, quiet: Served) -> None:
    with at_table(browser, quiet, "maumau", "Drehen", SMALL_PHONE) as page:
        ask(page)
        # On the upright phone, it lies lower than the other one is high.
        for size in ((640, 360), SMALL_PHONE, (640, 360)):
            resize(page, size)
            box = page.locator(HINT).bounding_box()
            assert box
            assert box["x"] >= 0 and box["y"] >= 0
            assert box["x"] + box["width"] <= size[0] and box["y"] + box["height"] <= size[1]


def test_in_tichu_one_passes_while_a_hint_is_open(browser: Browser, quiet: Served) -> None:
    with at_table(browser, quiet, "tichu", "follow", DESKTOP) as page:
        ask(page)
        selected = page.locator(".hand-card.is-selected").count()
        # Escape closes the panel first, and only then lets the cards go.
        page.keyboard.press("Escape")
        expect(page.locator(HINT)).to_have_count(0)
        expect(page.locator(".hand-card.is-selected")).to_have_count(selected)
        page.keyboard.press("Escape")
        expect(page.locator(".hand-card.is-selected")).to_have_count(0)
        ask(page)
        page.keyboard.press("c")
        expect(page.locator("dialog:modal")).to_have_count(1)
        # A dialog over it is closed before it.
        page.keyboard.press("Escape")
        expect(page.locator("dialog:modal")).to_have_count(0)
        expect(page.locator(HINT)).to_have_count(1)
        page.keyboard.press("p")
        wait_for(page, "!State.snapshot.public_state.awaiting.includes(0)")
        expect(page.locator(HINT)).to_have_count(0)


def test_in_mau_mau_a_card_is_played_while_a_hint_is_open(browser: Browser, quiet: Served) -> None:
    with at_table(browser, quiet, "maumau", "Karte", DESKTOP) as page:
        ask(page)
        lit = "document.activeElement.matches('.hand-card.is-lit')"
        for _ in range(7):
            page.keyboard.press("ArrowRight")
            if page.evaluate(lit):
                break
        card = page.evaluate("document.activeElement.dataset.card")
        assert page.evaluate(lit)
        page.keyboard.press("Enter")
        wait_for(page, f"!State.snapshot.private_state.hand.includes('{card}')")


def test_in_sechsundsechzig_a_card_is_played_while_a_hint_is_open(browser: Browser, quiet: Served) -> None:
    with at_table(browser, quiet, "sechsundsechzig", "Karte", DESKTOP) as page:
        ask(page)
        before = page.evaluate("State.log.length")
        page.keyboard.press("1")
        wait_for(page, f"State.log.slice({before}).some(({{context}}) => context.seat === 0)")
        expect(page.locator(HINT)).to_have_count(0)


def test_in_okey_the_advised_tile_is_put_away_while_the_hint_is_open(browser: Browser, quiet: Served) -> None:
    with at_table(browser, quiet, "okey", "Stein", DESKTOP) as page:
        ask(page)
        tile = page.locator(".slot[aria-pressed=true]").get_attribute("data-tile")
        page.keyboard.press("Backspace")
        wait_for(page, f"State.log.some(({{event, context}}) => event === 'put' && context.tile === '{tile}')")


def test_in_raumstation_h_j_enter_asks_the_joker_and_scans_nothing(browser: Browser, quiet: Served) -> None:
    with at_table(browser, quiet, "raumstation", "Joker", DESKTOP, **UNSAFE) as page:
        opened = "State.snapshot.public_state.rooms.filter(room => room.is_revealed).length"
        jokers, before = page.evaluate("State.snapshot.public_state.jokers"), page.evaluate(opened)
        # From the start, without a click: the first key leads to the room that is lit.
        for key in ("h", "j"):
            page.keyboard.press(key)
            page.wait_for_selector(HINT)
        lit = page.locator(".room.is-hinted").get_attribute("data-place")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.dataset.place") == lit
        page.keyboard.press("Enter")
        wait_for(page, f"State.snapshot.public_state.jokers === {jokers} - 1")
        # Once more, with the focus in the map.
        page.keyboard.press("ArrowRight")
        place = page.evaluate("document.activeElement.dataset.place")
        if page.evaluate(f"State.snapshot.choices.legal.includes('joker {place}')"):
            ask(page)
            assert page.evaluate("document.activeElement.dataset.place") == place
            page.keyboard.press("j")
            page.keyboard.press("Enter")
            wait_for(page, f"State.snapshot.public_state.jokers === {jokers} - 2")
        assert page.evaluate(opened) == before
        assert page.evaluate("State.snapshot.public_state.won") is None
        expect(page.locator(room(lit or ""))).not_to_have_class("room closed")


def test_one_who_goes_into_a_panel_comes_back_from_it(browser: Browser, quiet: Served) -> None:
    with at_table(browser, quiet, "raumstation", "Zurück", DESKTOP) as page:
        page.keyboard.press("s")
        place = page.evaluate("document.activeElement.dataset.place")
        ask(page)
        page.locator(f"{HINT} button").click()
        expect(page.locator(HINT)).to_have_count(0)
        wait_for(page, f"document.activeElement.dataset.place === '{place}'")
        # The keys of the table work there, too, and Enter closes it.
        ask(page)
        page.locator(f"{HINT} button").focus()
        page.keyboard.press("m")
        expect(page.locator("[data-tool=mark]")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Enter")
        expect(page.locator(HINT)).to_have_count(0)
        wait_for(page, f"document.activeElement.dataset.place === '{place}'")


def test_a_wish_and_the_dragon_are_answered_by_keys_without_the_focus(browser: Browser, quiet: Served) -> None:
    with at_table(browser, quiet, "tichu", "wish", DESKTOP) as page:
        expect(page.locator(".wish-choice")).to_have_count(13)
        assert page.evaluate("document.activeElement.closest('dialog')") is None
        assert unlisted_keys(page) == []
        # It must be answered.
        page.keyboard.press("Escape")
        expect(page.locator(".wish-dialog")).to_have_count(1)
        page.keyboard.press("b")
        expect(page.locator(".wish-dialog")).to_have_count(0)
        expect(page.locator(".wish-value")).to_have_text("B")
    with at_table(browser, quiet, "tichu", "dragon", DESKTOP) as page:
        names = page.evaluate("[3, 1].map(seat => State.snapshot.public_state.player_names[seat])")
        expect(page.locator(".dragon-choice strong")).to_have_text(names)
        assert page.evaluate("document.activeElement.closest('dialog')") is None
        assert unlisted_keys(page) == []
        page.keyboard.press("1")
        wait_for(page, "State.snapshot.public_state.dragon_recipient === 3")


def test_the_tips_of_a_first_game_push_nothing_and_leave_the_keys_to_the_table(browser: Browser, quiet: Served) -> None:
    tour = ".tour-dialog"
    for game in ("maumau", "raumstation"):
        with visitor(browser, PHONE, is_new=True) as ben:
            page = ben.page
            page.emulate_media(reduced_motion="reduce")
            sit_down(page, quiet, "Ben", f"Neu {game}", game)
            start(page)
            wait_for(page, MINE)
            page.wait_for_selector(tour)
            for size in SIZES:
                resize(page, size)
                laid_out = page.evaluate(LAID_OUT)
                page.evaluate("document.querySelector('.tour-dialog').hidden = true")
                assert page.evaluate(LAID_OUT) == laid_out
                page.evaluate("document.querySelector('.tour-dialog').hidden = false")
            page.locator(f"{tour} .plain").focus()
            # With the focus in it, the keys are still the table's.
            ask(page)
            page.keyboard.press("Escape")
            expect(page.locator(HINT)).to_have_count(0)
            expect(page.locator(tour)).to_have_count(1)
            page.keyboard.press("Escape")
            expect(page.locator(tour)).to_have_count(0)
