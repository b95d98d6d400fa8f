"""How the pages look and speak to everybody: forced colours, headings, and what stands alone or comes first."""

from __future__ import annotations

import json
import re
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browser import (
    DESKTOP,
    MINE,
    PHONE,
    TABLE,
    TOURED,
    serious,
    sit_down,
    small_targets,
    start,
    unseen_choices,
    visitor,
    wait_for,
)
from night import later
from serving import Served

#: The buttons, fields, plates and panels in sight, cards and tiles aside, whose edge nothing shows.
EDGELESS: Final = """() => [...document.querySelectorAll(
    'button, a.button, select, input:not([type=range]), dialog, .plate, .toast, .banner, .rack, .tour')]
    .filter(part => part.checkVisibility() && !part.closest('.hand-card, .slot, .game-alone, .visually-hidden'))
    .filter(part => {
        const {borderTopStyle, borderTopWidth, appearance} = getComputedStyle(part);
        const scale = part.getBoundingClientRect().width / part.offsetWidth;
        return appearance !== 'auto' && !(borderTopStyle !== 'none' && parseFloat(borderTopWidth) * scale >= 0.6);
    }).map(part => `${part.tagName} ${part.className}`)"""
#: The headings of the first rank.
HEADINGS: Final = "[...document.querySelectorAll('h1')].map(one => one.textContent)"
#: The look of a button.
LOOK: Final = "one => { const {backgroundColor, color} = getComputedStyle(one); return [backgroundColor, color]; }"


def play_to(page: Page, condition: str) -> None:
    """Make the safest moves until something is so."""
    wait_for(page, f"({MINE}) || ({condition})")
    while not page.evaluate(condition):
        number = page.evaluate("State.snapshot.number")
        page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
        wait_for(page, f"State.snapshot.number > {number} && (({MINE}) || ({condition}))")


def stop_early(page: Page) -> None:
    """Lose a game of 66 by stopping too early, as soon as that can be done."""
    play_to(page, "State.snapshot.choices.legal.includes('stop')")
    page.evaluate("EventBus.emit('tableView:move', {move: 'stop'})")


@pytest.mark.parametrize("game", later(TOURED, ("maumau", "tichu")))
def test_forced_colours_show_where_everything_ends(browser: Browser, server: Served, game: str) -> None:
    with visitor(browser) as ben:
        page = ben.page
        page.emulate_media(reduced_motion="reduce", forced_colors="active")
        page.goto(server.address)
        page.wait_for_selector(".game-alone")
        assert page.evaluate(EDGELESS) == []
        sit_down(page, server, "Ben", f"Kontrast {game}", game)
        assert page.evaluate(EDGELESS) == [] and unseen_choices(page) == []
        start(page)
        page.wait_for_selector(TABLE)
        wait_for(page, MINE)
        assert page.evaluate(EDGELESS) == [] and unseen_choices(page) == []
        if game == "raumstation":
            # What a hint lights is seen, and no corridor through a closed room.
            page.evaluate("EventBus.emit('app:hint', {move: State.snapshot.choices.legal[0], reason: ''})")
            lit = page.locator(".room.is-hinted").evaluate("room => getComputedStyle(room).outlineStyle")
            ground = page.locator(".room.closed").first.evaluate("room => getComputedStyle(room).backgroundColor")
            assert lit == "solid" and ground.startswith("rgb(")
            page.keyboard.press("Escape")
        page.evaluate("SettingsDialog.open()")
        # That of the hint may still be about to go.
        expect(page.locator("dialog[open]")).to_be_visible()
        assert page.evaluate(EDGELESS) == []
        if page.locator(".hand-card.is-lit").count():
            outline = "card => getComputedStyle(card).outlineStyle"
            assert page.locator(".hand-card.is-lit").first.evaluate(outline) == "solid"
        page.evaluate("Network.send('leave')")


def test_every_page_has_one_heading_of_the_first_rank(browser: Browser, server: Served) -> None:
    with visitor(browser, DESKTOP) as ben:
        ben.provoked.append("404")
        page = ben.page
        page.goto(server.address)
        page.wait_for_selector(".game-alone")
        assert page.evaluate(HEADINGS) == ["tisch"]
        page.goto(f"{server.address}/mine")
        expect(page.locator(".mine-list h2")).to_be_visible()
        assert page.evaluate(HEADINGS) == ["Meine Spiele"]
        page.goto(f"{server.address}/nothing")
        expect(page.locator("h1")).to_have_text("Hier ist nichts.")
        page.goto(f"{server.address}/replay/nothing")
        expect(page.locator("h1")).to_have_text("Dieses Spiel gibt es nicht.")


@pytest.mark.parametrize("game", later(TOURED, ("maumau", "sechsundsechzig")))
def test_every_table_and_its_lobby_have_one_heading_of_the_first_rank(
    browser: Browser, server: Served, game: str
) -> None:
    with visitor(browser, DESKTOP) as ben:
        page = ben.page
        sit_down(page, server, "Ben", f"Rang {game}", game)
        assert page.evaluate(HEADINGS) == [f"Rang {game}"]
        title = page.evaluate("game => Setup.game(game).title", game)
        if game == "sechsundsechzig":
            page.evaluate("EventBus.emit('lobbyView:options', {options: {goal: 1}})")
            wait_for(page, "State.snapshot.public_state.table_options.options.goal === 1")
        start(page)
        wait_for(page, MINE)
        assert page.evaluate(HEADINGS) == [title]
        if game == "sechsundsechzig":
            stop_early(page)
            link = page.locator(".game-dialog a[href^='/replay/']")
            page.goto(f"{server.address}{link.get_attribute('href')}")
            page.wait_for_selector(".replay")
            assert page.evaluate(HEADINGS) == [title]


@pytest.mark.parametrize(("size", "locale"), [(PHONE, "de-DE"), (DESKTOP, "en-GB")])
def test_where_there_is_nothing_a_page_says_so(
    browser: Browser, server: Served, size: tuple[int, int], locale: str
) -> None:
    with visitor(browser, size, locale) as ben:
        ben.provoked.append("404")
        response = ben.page.goto(f"{server.address}/some/where")
        assert response and response.status == 404
        expect(ben.page.locator("h1")).to_have_text("Hier ist nichts." if "de" in locale else "There is nothing here.")
        # In the look of the others: on felt, with the button that all of them have.
        felt = ben.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert serious(ben.page) == [] and small_targets(ben.page) == []
        button = ben.page.get_by_role("link", name="Zum Eingang" if "de" in locale else "Back to the entrance")
        look = button.evaluate(LOOK)
        button.click()
        ben.page.wait_for_selector(".game-alone")
        assert ben.page.evaluate("getComputedStyle(document.body).backgroundColor") == felt
        assert ben.page.locator(".button.main").first.evaluate(LOOK) == look


def test_a_result_stands_alone_until_it_was_read(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        page = ben.page
        page.emulate_media(reduced_motion="reduce")
        sit_down(page, server, "Ben", "Ergebnis", "sechsundsechzig")
        start(page)
        script = "if (payload.event === 'dealt') { window.dealt = (window.dealt ?? 0) + 1; }"
        page.evaluate(f"() => {{ EventBus.on('network:message', ({{payload}}) => {{ {script} }}); }}")
        play_to(page, "State.snapshot.choices.legal.includes('stop')")
        points = page.evaluate("State.snapshot.public_state.points[State.snapshot.me]")
        assert points < 66
        # What ends the game for nothing does not look like what comes first.
        buttons = page.locator(".table-actions .table-button:enabled")
        stop = page.get_by_role("button", name="Stoppen")
        assert buttons.count() > 1
        assert len({tuple(buttons.nth(index).evaluate(LOOK)) for index in range(buttons.count())}) == 1
        # With 66 it does.
        before = stop.evaluate(LOOK)
        page.evaluate("State.snapshot.choices.primary = 'stop'; ViewManager.show(ViewManager.current)")
        assert stop.evaluate(LOOK) != before
        page.evaluate("window.dealt = 0")
        stop_early(page)
        dialog = page.locator(".round-dialog")
        expect(dialog).to_be_visible()
        expect(dialog.locator("h2")).to_have_text(re.compile(r" gewinnt das Spiel: \+3$"))
        expect(dialog.locator("p").first).to_have_text("Du hast ohne 66 gestoppt.")
        # The winner has dealt at once, but neither that nor anything else of the table is to be seen or heard.
        wait_for(page, "window.dealt === 1")
        backdrop = "one => getComputedStyle(one, '::backdrop').backgroundColor"
        assert re.fullmatch(r"rgb\(\d+, \d+, \d+\)", dialog.evaluate(backdrop))
        assert dialog.evaluate("one => one.matches(':modal')")
        assert page.evaluate("State.snapshot.public_state.end") is not None
        expect(page.locator("#announcer")).not_to_contain_text("Die Karten sind verteilt.")
        assert serious(page) == []
        dialog.get_by_role("button", name="Nächstes Spiel").click()
        expect(dialog).to_have_count(0)
        wait_for(page, "State.snapshot.public_state.number === 1")
        expect(page.locator("#announcer")).to_contain_text("Die Karten sind verteilt.")
        assert page.locator(".toast.error").count() == 0
        page.evaluate("Network.send('leave')")


def test_a_table_that_was_left_with_its_result_open_does_not_come_back(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        page = ben.page
        sit_down(page, server, "Ben", "Verlassen", "sechsundsechzig")
        start(page)
        stop_early(page)
        expect(page.locator(".round-dialog")).to_be_visible()
        page.evaluate("EventBus.emit('tableView:leave')")
        page.get_by_role("button", name="Verlassen", exact=True).click()
        page.wait_for_selector("#login-view")
        expect(page.locator("dialog")).to_have_count(0)
        page.wait_for_selector(".game-alone")
        assert page.evaluate("State.snapshot") is None


@pytest.mark.parametrize("game", later(("maumau", "tichu"), ("tichu",)))
def test_what_cannot_be_sent_is_told_and_can_be_done_again(browser: Browser, server: Served, game: str) -> None:
    with visitor(browser) as ben:
        page = ben.page
        page.emulate_media(reduced_motion="reduce")
        # The line breaks for good: no new connection is made until the test allows it.
        page.add_init_script("window.line = {isUp: true, Socket: window.WebSocket};")
        page.add_init_script("""window.WebSocket = new Proxy(window.WebSocket, {construct(Socket, given) {
            return new Socket(line.isUp ? given[0] : 'ws://localhost:9/');
        }});""")
        ben.provoked.append("ws://localhost:9/")
        sit_down(page, server, "Ben", f"Funkloch {game}", game)
        start(page)
        wait_for(page, MINE)
        page.evaluate("line.isUp = false; Network.cut()")
        if game == "maumau":
            page.locator(".hand-card.is-lit, .stock.is-lit").first.tap(position={"x": 8, "y": 20})
        else:
            page.get_by_role("button", name="Weiter").tap()
        sentence = "Die Verbindung ist weg, das ist nicht angekommen. Versuch es noch einmal"
        expect(page.locator(".toast.error")).to_contain_text(sentence)
        number = page.evaluate("State.snapshot.number")
        page.evaluate("line.isUp = true")
        expect(page.locator("#banner")).to_be_hidden()
        # Nothing of it was done, and the table waits for it.
        if game == "maumau":
            page.locator(".hand-card.is-lit, .stock.is-lit").first.tap(position={"x": 8, "y": 20})
        else:
            page.get_by_role("button", name="Weiter").tap()
        wait_for(page, f"State.snapshot.number > {number}")
        page.evaluate("Network.send('leave')")


def test_what_may_be_lost_on_its_way_is_told(browser: Browser, server: Served) -> None:
    lost: list[str | bytes] = []

    def between(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def to_server(text: str | bytes) -> None:
            # The first move never arrives. One that did so after the page is back would be the second of its turn.
            if lost or json.loads(text)["type"] != "move":
                server_side.send(text)
            else:
                lost.append(text)

        page_side.on_message(to_server)

    with visitor(browser) as ben:
        page = ben.page
        page.route_web_socket("**/ws*", between)
        sit_down(page, server, "Ben", "Unterwegs", "maumau")
        start(page)
        wait_for(page, MINE)
        # The line breaks after the move was given to it, and before anything comes back.
        page.evaluate("Network.send('move', {move: State.snapshot.choices.legal[0]}); Network.cut()")
        expect(page.locator(".toast.error")).to_contain_text("ist vielleicht nicht angekommen")
        expect(page.locator("#banner")).to_be_hidden()
        assert lost
        # What was heard of is not told.
        wait_for(page, MINE)
        number = page.evaluate("State.snapshot.number")
        page.evaluate("Network.send('move', {move: State.snapshot.choices.legal[0]})")
        wait_for(page, f"State.snapshot.number > {number}")
        page.evaluate("Network.cut()")
        expect(page.locator(".toast", has_text="Wieder da")).to_have_count(2)
        assert page.locator(".toast.error").count() == 1
        page.evaluate("Network.send('leave')")


@pytest.mark.parametrize(
    ("locale", "allowed"),
    [("de-DE", False), ("de-DE", True), pytest.param("en-GB", True, marks=pytest.mark.slow)],
    ids=["not allowed", "German", "English"],
)
def test_where_cheating_is_allowed_a_button_does_it(
    browser: Browser, server: Served, locale: str, *, allowed: bool
) -> None:
    with visitor(browser, PHONE, locale) as ben:
        page = ben.page
        sit_down(page, server, "Ben", f"Okey {locale} {allowed}", "okey")
        if allowed:
            page.get_by_label(re.compile(r"Schummeln erlaubt|Cheating allowed")).check()
            wait_for(page, "State.snapshot.public_state.table_options.options.cheats")
        start(page)
        wait_for(page, MINE)
        button = page.get_by_role("button", name="Schummeln" if "de" in locale else "Cheat", exact=True)
        expect(button).to_have_count(int(allowed))
        if not allowed:
            return
        assert [one for one in small_targets(page) if "cheat" in one] == [] and serious(page) == []
        button.click()
        wait_for(page, "!State.snapshot.choices.legal.includes('cheat')")
        # The seed: the player gets a rack that has all tiles to win.
        rack = page.evaluate("State.snapshot.private_state.rack")
        most = {"RED": 4, "BLUE": 4, "YELLOW": 5}
        tiles = sorted(f"{number}:{colour}" for colour in most for number in range(1, most[colour] + 1))
        assert sorted(rack)[-13:] == tiles and len(rack) in (14, 15)
        expect(button).to_have_count(0)
        page.evaluate("Network.send('leave')")
