"""The tables of Mau-Mau and Sechsundsechzig in a real browser, and what all tables share: guards, results, hints."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import (
    DESKTOP,
    HOLDING,
    MINE,
    SLOWLY,
    SMALL_PHONE,
    failed,
    lost_presses,
    resize,
    serious,
    shifts,
    sit_down,
    small_targets,
    start,
    unlisted_keys,
    visitor,
    wait_for,
    watch_shifts,
    weigh,
)
from night import later
from serving import Served
from tests.web.test_plain import raw
from tisch.chance import VARIABLE
from waiting import until, wait_until

PHONE: Final = (390, 844)
#: Options by which a whole game is short.
SHORT: Final[Mapping[str, Mapping[str, Any]]] = {"maumau": {"hand": 2}, "sechsundsechzig": {"goal": 1}}
#: What may change at a table while somebody presses a button.
CHANGES: Final = {
    "maumau": "table.stock -= 1; table.penalty += 2; table.round += 1; table.counts[0] += 1",
    "sechsundsechzig": "table.hidden -= 1; table.scores[0] += 1; table.tricks[1].push('KA', 'XA')",
}
OVER: Final = "document.querySelector('.game-dialog') !== null"
LIT: Final = ".suit-choice, .hand-card.is-lit, .stock.is-lit"
#: The buttons, plates and lines of a table that are not whole in the window.
OUTSIDE: Final = """() => [...document.querySelectorAll('.table-view button, .table-view .plate, .table-view .status')]
    .filter(part => part.checkVisibility()).filter(part => {
        const {left, right, top, bottom} = part.getBoundingClientRect();
        return left < -2 || top < -2 || right > innerWidth + 2 || bottom > innerHeight + 2;
    }).map(part => part.className)"""


#: The words of each button below the hand, and the number of their lines.
LINES: Final = """() => [...document.querySelectorAll('.table-actions .table-button')].map(button => {
    const words = document.createRange();
    words.selectNodeContents(button.querySelector('.table-button-text'));
    return [button.textContent, new Set([...words.getClientRects()].map(({top}) => Math.round(top))).size];
})"""


@contextmanager
def playing(
    browser: Browser, server: Served, game: str, size: tuple[int, int] = PHONE, **options: Any
) -> Iterator[Page]:
    """Play a game alone with agents."""
    with visitor(browser, size) as ben:
        ben.page.emulate_media(reduced_motion="reduce")
        # Each test has a table of its own, the same each time.
        sit_down(ben.page, server, "Ben", f"Karten {crc32(os.environ[VARIABLE].encode())}", game)
        for name, value in options.items():
            ben.page.evaluate(
                "changed => EventBus.emit('lobbyView:options',"
                " {options: {...State.snapshot.public_state.table_options.options, ...changed}})",
                {name: value},
            )
            wait_for(ben.page, f"State.snapshot.public_state.table_options.options.{name} === {value}")
        start(ben.page)
        wait_for(ben.page, f"({MINE}) || {OVER}")
        yield ben.page
        ben.page.evaluate("Network.send('leave')")


def by_touch(page: Page) -> None:
    page.locator(LIT).first.tap(position={"x": 8, "y": 20})


def by_mouse(page: Page) -> None:
    page.locator(LIT).first.click(position={"x": 8, "y": 20})


def by_keyboard(page: Page) -> None:
    """Use the keys of the table: digits, letters, arrows and Enter."""
    lit = page.locator(LIT).first
    if page.locator(".suit-choice").count():
        page.keyboard.press("2")
    elif page.locator(".stock.is-lit").count():
        page.keyboard.press("z")
    elif page.locator(".sechsundsechzig-table").count():
        held = page.locator(".hand-card").evaluate_all("cards => cards.map(card => card.classList.contains('is-lit'))")
        page.keyboard.press(str(held.index(True) + 1))
    else:
        page.locator(".hand-card").first.focus()
        page.keyboard.press("Home")
        while page.evaluate("document.activeElement.dataset.card") != lit.get_attribute("data-card"):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("how", "size"),
    [
        (by_touch, SMALL_PHONE),
        pytest.param(by_keyboard, DESKTOP, marks=pytest.mark.slow),
        pytest.param(by_mouse, DESKTOP, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("game", SHORT)
def test_a_whole_game(
    browser: Browser, server: Served, game: str, how: Callable[[Page], None], size: tuple[int, int]
) -> None:
    with playing(browser, server, game, size, **SHORT[game]) as page:
        assert small_targets(page) == []
        assert serious(page) == []
        assert page.evaluate(OUTSIDE) == []
        assert unlisted_keys(page) == []
        assert lost_presses(page, CHANGES[game]) == []
        watch_shifts(page)
        for _ in until(lambda: page.evaluate(OVER), 300, failed(page)):
            wait_for(page, f"({MINE}) || {OVER}")
            if page.evaluate(OVER):
                break
            if how is by_touch:
                # On a king, the letter is its rank and no suit.
                assert [text for text in raw(page) if text != "K"] == []
            number = page.evaluate("State.snapshot.number")
            how(page)
            wait_for(page, f"State.snapshot.number > {number}")
        assert shifts(page) == []
        rows = page.locator(".game-dialog .result li")
        expect(rows).to_have_count(2)
        expect(page.locator(".game-dialog .best")).to_have_count(1)
        assert serious(page) == []


def test_a_card_that_does_not_fit_says_why(browser: Browser, server: Served) -> None:
    with playing(browser, server, "maumau", hand=12) as page:
        number = page.evaluate("State.snapshot.number")
        page.locator(".hand-card.is-dim").first.tap(position={"x": 8, "y": 20})
        expect(page.locator(".toast.error")).to_contain_text("passt nicht auf")
        assert page.evaluate("State.snapshot.number") == number
        # The table is as before: what fits can be laid.
        page.locator(LIT).first.tap(position={"x": 8, "y": 20})
        wait_for(page, f"State.snapshot.number > {number}")


def test_what_costs_much_is_confirmed_by_a_second_tap_or_by_holding(browser: Browser, server: Served) -> None:
    with playing(browser, server, "sechsundsechzig", DESKTOP) as page:
        while not page.evaluate("State.snapshot.choices.legal.includes('stop')"):
            number = page.evaluate("State.snapshot.number")
            page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
            wait_for(page, f"State.snapshot.number > {number} && ({MINE})")
        assert page.evaluate("State.snapshot.choices.doubtful") == ["close", "stop"]
        # What was asked waits for its answer, however late that comes.
        page.evaluate(SLOWLY)
        close = page.get_by_role("button", name="Zumachen")
        close.click()
        expect(page.locator(".toast").last).to_contain_text("Zum Bestätigen halten oder noch einmal tippen.")
        assert page.evaluate("State.snapshot.public_state.closer") is None
        page.evaluate(HOLDING)
        close.hover()
        page.mouse.down()
        wait_for(page, "State.snapshot.public_state.closer === State.snapshot.me")
        page.mouse.up()
        # Alone with agents, it is undone.
        page.keyboard.press("u")
        wait_for(page, "State.snapshot.public_state.closer === null")
        expect(page.locator("[data-tool=undo]")).to_be_hidden()
        # By keys, E stops, and Enter never does; the first press asks.
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Enter")
        expect(page.locator(".is-armed")).to_have_count(0)
        page.keyboard.press("e")
        expect(page.locator(".is-armed")).to_have_text("Stoppen")
        page.keyboard.press("e")
        expect(page.locator(".round-dialog h2")).to_contain_text("Emil gewinnt das Spiel: +3")


def test_tricks_lie_face_down_until_they_are_asked_for(browser: Browser, server: Served) -> None:
    with playing(browser, server, "sechsundsechzig", DESKTOP) as page:
        while not page.evaluate("State.snapshot.public_state.last.length === 2"):
            number = page.evaluate("State.snapshot.number")
            page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
            wait_for(page, f"State.snapshot.number > {number} && ({MINE})")
        # Screen readers get what only we see of an event, and that it is our turn.
        told = page.locator("#announcer")
        expect(told).to_contain_text("Beide ziehen eine Karte; deine ist ")
        expect(told.locator("p").last).to_have_text(page.locator(".status-text").inner_text())
        counts = page.locator(".tricks-count")
        assert all(text.isdigit() for text in counts.all_text_contents())
        page.keyboard.press("p")
        points = page.evaluate("State.snapshot.public_state.points")
        me = page.evaluate("State.snapshot.me")
        assert counts.all_text_contents() == [f"{points[1 - me]} Punkte", f"{points[me]} Punkte"]
        page.keyboard.press("l")
        expect(page.locator(".trick-dialog .result-card")).to_have_count(2)


def test_the_result_of_a_round_tells_the_hands_and_waits_for_who_is_alone(browser: Browser, server: Served) -> None:
    with playing(browser, server, "maumau", hand=2, rounds=2) as page:
        script = "if (payload.event === 'result') { window.ended ??= payload.context; }"
        page.evaluate(f"() => {{ EventBus.on('network:message', ({{payload}}) => {{ {script} }}); }}")
        while not page.locator(".round-dialog").count():
            wait_for(page, f"({MINE}) || document.querySelector('.round-dialog')")
            if page.locator(".round-dialog").count():
                break
            number = page.evaluate("State.snapshot.number")
            page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
            wait_for(page, f"State.snapshot.number > {number}")
        ended = page.evaluate("ended")
        rows = page.locator(".round-dialog .result li")
        expect(rows.locator(".result-points")).to_have_text([f"{points} Punkte" for points in sorted(ended["points"])])
        assert rows.locator(".result-card").count() == sum(map(len, ended["hands"]))
        # Behind it lies the next round, perhaps with cards to draw.
        for penalty in (0, 4):
            page.evaluate(
                "penalty => { State.snapshot.public_state.penalty = penalty; ViewManager.show(ViewManager.current); }",
                penalty,
            )
            expect(page.locator(".penalty")).to_be_visible(visible=penalty > 0)
            assert serious(page) == []
        page.locator(".round-dialog .main").tap()
        expect(page.locator(".round-dialog")).to_have_count(0)


@pytest.mark.parametrize("game", later(("maumau", "tichu"), ("tichu",)))
def test_of_two_things_that_a_player_says_the_newer_one_is_shown(browser: Browser, server: Served, game: str) -> None:
    with playing(browser, server, game) as page:
        # No bubble fades while this looks.
        page.evaluate(SLOWLY)
        bubble = page.locator(".table-seat[data-place=bottom] .bubble")
        phrases = page.evaluate("Setup.known.phrases")
        for phrase in (phrases[0], phrases[2], phrases[1]):
            page.evaluate("phrase => EventBus.emit('tableView:chat', {phrase})", phrase)
            expect(bubble).to_have_text(page.evaluate("phrase => Texts.get(`chat.${phrase}`)", phrase))
        wait_for(page, "State.log.filter(({event}) => event === 'chat').length === 3")
        expect(bubble).to_have_text(page.evaluate("phrase => Texts.get(`chat.${phrase}`)", phrases[1]))


@pytest.mark.parametrize("players", later((3, 4, 5), (3,)))
def test_the_seats_follow_each_other_round_the_table(browser: Browser, server: Served, players: int) -> None:
    with playing(browser, server, "maumau", players=players) as page:
        for size in (PHONE, DESKTOP):
            resize(page, size)
            seats = page.locator(".table-seat").evaluate_all(
                """all => all.map(one => {
                    const {left, right, top, bottom} = one.querySelector('.plate').getBoundingClientRect();
                    return [Number(one.dataset.seat), left + right - innerWidth, innerHeight - top - bottom];
                })"""
            )
            # The visitor's seat is below; from there the others sit in the order of play, counter-clockwise.
            turns = {seat: (math.atan2(up, right) + math.pi / 2) % (2 * math.pi) for seat, right, up in seats if seat}
            assert sorted(turns, key=turns.__getitem__) == list(range(1, players)), size


def test_the_rules_are_shown_at_the_table_with_pictures_and_keys(browser: Browser, server: Served) -> None:
    with playing(browser, server, "sechsundsechzig", SMALL_PHONE) as page:
        page.locator("[data-tool=rules]").tap()
        rules = page.locator(".rules-text")
        assert rules.locator(".rules-picture .card-picture").count() > 10
        keys = rules.locator("kbd").all_text_contents()
        assert [key for key in ("1–6", "T", "H", "J", "Z", "Enter", "S") if key not in keys] == []
        assert serious(page) == []


@pytest.mark.parametrize("game", later(SHORT, ("maumau",)))
def test_the_words_of_buttons_and_rules_fit(browser: Browser, server: Served, game: str) -> None:
    with playing(browser, server, game) as page:
        # A large screen has larger letters already.
        resize(page, (3840, 2160))
        buttons = page.locator(".table-button:visible, .score-line")
        assert buttons.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth)")
        resize(page, (844, 390))
        assert [button for button, lines in page.evaluate(LINES) if lines > 2] == []
        resize(page, PHONE)
        page.evaluate("document.documentElement.style.fontSize = '200%'; ViewManager.fit()")
        page.locator("[data-tool=rules]").tap()
        expect(page.get_by_role("button", name="Schließen")).to_be_in_viewport(ratio=0.95)


@pytest.mark.parametrize("game", later(SHORT, ("sechsundsechzig",)))
def test_a_table_is_light_and_fetches_nothing_in_play(browser: Browser, server: Served, game: str) -> None:
    with visitor(browser) as ben:
        page = ben.page
        page.goto(server.address)
        page.wait_for_selector("#login-view")
        page.evaluate("Files.load('table')")
        sizes = weigh(ben)
        page.evaluate(f"Files.load('game-{game}')")
        wait_until(lambda: page.title() and sum(sizes) > 8 * 1024)
        assert sum(sizes) < 80 * 1024
        sit_down(page, server, "Ben", f"Gewicht {game}", game)
        start(page)
        wait_for(page, MINE)
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        number = page.evaluate("State.snapshot.number")
        page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
        wait_for(page, f"State.snapshot.number > {number} && (({MINE}) || {OVER})")
        assert [url for url in requests if "/sounds/" not in url and not url.endswith("/favicon.svg")] == []
