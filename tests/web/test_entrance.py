"""The entrance of the web client: games at one tap, private tables for friends, the own games, and how it calls."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser import SMALL_PHONE, TABLE, Visitor, resize, serious, small_targets, visitor, wait_for, whole
from serving import Served, serving
from waiting import wait_until

HIDDEN = """isHidden => {
    Object.defineProperty(document, 'hidden', {value: isHidden, configurable: true});
    Object.defineProperty(document, 'visibilityState', {value: isHidden ? 'hidden' : 'visible', configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def card(page: Page, game: str, part: str) -> str:
    """The part of a game's card at the entrance."""
    page.wait_for_selector(".game-card")
    return f".game-card[data-game={game}] .game-{part}"


def invite(page: Page, server: Served, name: str, game: str) -> str:
    """Make a table for friends.

    :result: The link for them.
    """
    page.goto(server.address)
    page.fill("#login-name", name)
    page.click(card(page, game, "friends"))
    page.wait_for_selector("#lobby-view")
    return page.input_value("#lobby-link")


def test_a_game_against_the_ai_is_one_tap_away_and_remembered(browser: Browser, server: Served) -> None:
    with visitor(browser, SMALL_PHONE) as ben:
        page = ben.page
        page.goto(server.address)
        page.tap(card(page, "raumstation", "alone"))
        page.wait_for_selector(TABLE)
        # Nobody was asked for a name, and nobody else finds the table.
        assert page.evaluate("State.snapshot.public_state.player_names[0]") == "Gast"
        assert page.evaluate("State.snapshot.public_state.is_private")
        assert "raumstation" not in [table["game"] for table in server.get("/api/tables")["tables"]]
        # Rooms are scanned until the station is solved, or a trap springs.
        scan = "EventBus.emit('tableView:move', {move: choices.legal.find(move => move.startsWith('scan'))})"
        page.evaluate(f"void EventBus.on('app:state', ({{choices}}) => choices.legal.length > 0 && {scan})")
        page.evaluate("Network.send('resync')")
        wait_for(page, "MyGames.list().length === 1", 60)
        (mine,) = page.evaluate("MyGames.list()")
        assert (mine["game"], mine["others"], mine["verdict"] in ("won", "lost")) == ("raumstation", [], True)
        assert isinstance(mine["seconds"], int)
        page.evaluate("Network.send('leave')")
        page.wait_for_selector(".game-card")
        page.click(".house-tools .button:first-child")
        expect(page.locator(".mine-kinds")).to_contain_text(re.compile("Raumstation[01] von 1 gewonnen"))
        assert serious(page) == []
        assert small_targets(page) == []
        page.locator(".mine-games a").click()
        # The replay is shown at the game's own table.
        page.wait_for_selector(".replay")
        expect(page.locator(".station-table")).to_be_visible()


def follow(page: Page, link: str, name: str) -> None:
    """Follow an invitation, as somebody who types a name and nothing else."""
    page.goto(link)
    page.fill("#login-name", name)
    page.keyboard.press("Enter")


def test_a_table_for_friends_is_closed_to_strangers(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim, visitor(browser, locale="en-GB") as eva:
        # Nobody sees a table without a name on it.
        ben.page.goto(server.address)
        ben.page.click(card(ben.page, "maumau", "friends"))
        expect(ben.page.locator("#login-message")).to_have_text("Sag uns, wie du heißt.")
        expect(ben.page.locator("#login-name")).to_be_focused()
        link = invite(ben.page, server, "Ben", "maumau")
        expect(ben.page.locator("#lobby-title")).to_have_text("Tisch von Ben")
        expect(ben.page.locator("#lobby-private")).to_be_checked()
        assert "invitation=" in link
        ben.page.click("text=QR-Code")
        wait_for(ben.page, "document.querySelector('.qr img').naturalWidth > 0")
        assert serious(ben.page) == []
        # A friend types a name and nothing else; a stranger sees no table.
        follow(kim.page, link, "Kim")
        expect(kim.page.locator("#lobby-title")).to_have_text("Tisch von Ben")
        expect(kim.page.locator("#lobby-link")).to_have_value(link)
        expect(kim.page.locator("#lobby-private")).to_be_hidden()
        eva.page.goto(server.address)
        expect(eva.page.locator(".table-list li")).not_to_have_count(0)
        expect(eva.page.locator(".table-list")).not_to_contain_text("Tisch von Ben")
        # The host removes the friend, who is told and stays out.
        ben.page.click(".seat[data-seat='1']")
        ben.page.click(".remove")
        ben.page.click("dialog .danger")
        expect(kim.page.locator("#login-message")).to_have_text("Der Gastgeber hat dich von diesem Tisch entfernt.")
        expect(ben.page.locator("#lobby-link")).not_to_have_value(link)
        kim.page.goto(link)
        expect(kim.page.locator("#login-message")).to_have_text("Diese Einladung ist ungültig oder abgelaufen.")
        # Opened, everybody finds it.
        ben.page.uncheck("#lobby-private")
        expect(ben.page.locator("#lobby-link")).not_to_have_value(re.compile("invitation"))
        wait_for(ben.page, "document.querySelector('.qr img').naturalWidth > 0")
        eva.page.reload()
        eva.page.fill("#login-name", "Eva")
        row = eva.page.locator(".table-row", has_text="Tisch von Ben")
        row.get_by_role("button", name="Join").click()
        eva.page.wait_for_selector("#lobby-view")
        expect(ben.page.locator(".seat[data-seat='1'] strong")).to_have_text("Eva")
        # In a game, the host closes the table to strangers and removes people in the settings; nobody else can.
        ben.page.click("#lobby-view footer .main")
        ben.page.wait_for_selector(TABLE)
        wait_for(eva.page, "State.isRunning && Seating.menu() === null")
        ben.page.click("button[aria-label='Einstellungen']")
        ben.page.get_by_label("Nur mit Einladung").check()
        wait_for(eva.page, "State.snapshot.public_state.is_private === true")
        ben.page.get_by_role("button", name="Eva entfernen").click()
        expect(ben.page.locator("dialog h2")).to_have_text("Eva vom Tisch entfernen?")
        ben.page.click("dialog .danger")
        expect(eva.page.locator("#login-message")).to_have_text("The host has removed you from this table.")
        expect(ben.page.locator(".plate-name", has_text="Emil")).to_have_count(1)


def moves(page: Page, does: bool) -> None:
    """Let a page make the first legal move whenever it can, or stop that."""
    page.evaluate("does => { window.moves = does; }", does)
    page.evaluate(
        "window.mover ??= EventBus.on('app:state', ({choices}) => window.moves && choices.legal.length > 0"
        " && EventBus.emit('tableView:move', {move: choices.legal[0]})); undefined"
    )
    page.evaluate("Network.send('resync')")


def test_one_is_called_who_looks_elsewhere(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben, visitor(browser) as kim:
        page = ben.page
        page.add_init_script("navigator.setAppBadge = async () => { window.badges = (window.badges ?? 0) + 1; };")
        link = invite(page, server, "Ben", "maumau")
        page.evaluate(HIDDEN, True)
        follow(kim.page, link, "Kim")
        expect(page).to_have_title("● Kim setzt sich.")
        assert page.evaluate("window.badges") == 1
        page.evaluate(HIDDEN, False)
        expect(page).to_have_title("tisch")
        leave_until_called(ben, kim)


def leave_until_called(ben: Visitor, kim: Visitor) -> None:
    """Start the game, move until it is Kim's turn, and look elsewhere until it is Ben's."""
    page = ben.page
    page.click("#lobby-view footer .main")
    page.wait_for_selector(TABLE)
    moves(page, True)
    wait_for(kim.page, "State.snapshot.public_state.awaiting.includes(State.snapshot.me)")
    moves(page, False)
    page.evaluate(HIDDEN, True)
    moves(kim.page, True)
    expect(page).to_have_title("● Du bist am Zug.")
    page.evaluate(HIDDEN, False)
    expect(page).to_have_title("tisch")


def test_whoever_has_allowed_it_gets_a_notification(browser: Browser, server: Served) -> None:
    with (
        whole(browser) as notifying,
        visitor(notifying, has_worker=True) as ben,
        visitor(notifying, has_worker=True) as kim,
    ):
        page = ben.page
        follow(kim.page, invite(page, server, "Ben", "maumau"), "Kim")
        expect(page.locator(".seat strong", has_text="Kim")).to_have_count(1)
        leave_until_called(ben, kim)
        # Back again, one is asked once whether a notification may say so.
        expect(page.locator("dialog h2")).to_have_text("Soll tisch dich rufen?")
        page.click("dialog .button:not(.main)")
        page.evaluate(HIDDEN, True)
        page.evaluate(HIDDEN, False)
        expect(page.locator("dialog")).to_have_count(0)
        # The notification goes when they are back.
        shown = (
            "navigator.serviceWorker.ready.then(worker => worker.getNotifications())"
            ".then(all => all.map(({title, body}) => [title, body]))"
        )
        kim.context.grant_permissions(["notifications"])
        moves(kim.page, False)
        assert kim.page.evaluate(shown) == []
        kim.page.evaluate(HIDDEN, True)
        moves(page, True)
        wait_until(lambda: kim.page.evaluate(shown) == [["Du bist am Zug.", "Tisch von Ben"]])
        kim.page.evaluate(HIDDEN, False)
        wait_until(lambda: kim.page.evaluate(shown) == [])


def test_a_shortcut_leads_to_a_game_or_a_view(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        for path, shown in (
            ("?alone=nothing", ".game-card"),
            ("mine", "#mine-view"),
            ("?alone=okey", ".okey-table"),
        ):
            ben.page.goto(f"{server.address}/{path}")
            ben.page.wait_for_selector(shown)


def test_the_games_have_room_on_every_screen(browser: Browser, server: Served) -> None:
    outside = """[...document.querySelectorAll('.house > *, .who *, .game-card *')].filter(one => {
        const box = one.getBoundingClientRect();
        const frame = (one.closest('.game-card') ?? document.getElementById('wrapper')).getBoundingClientRect();
        return one.checkVisibility() && (box.left < frame.left - 1 || box.right > frame.right + 1
            || box.bottom > frame.bottom + 1) && one.closest('svg') === null;
    }).map(one => one.outerHTML.slice(0, 90))"""
    shared = (
        "(() => { const boxes = [...document.querySelectorAll('.house h1, .house-tools, .house p, .who, .game-card')]"
    )
    apart = """.map(one => one.getBoundingClientRect());
        return boxes.every((one, at) => boxes.slice(at + 1).every(other => one.bottom <= other.top + 1
            || other.bottom <= one.top + 1 || one.right <= other.left + 1 || other.right <= one.left + 1));
    })()"""
    # A name stands on one line, and a button is no taller than two.
    squeezed = """[...document.querySelectorAll('.game-alone strong, .game-alone .button')].filter(one =>
        one.offsetHeight > (one.matches('strong') ? 1.6 : 4) * parseFloat(getComputedStyle(one).fontSize)
    ).map(one => one.outerHTML.slice(0, 90))"""
    with visitor(browser) as ben:
        page = ben.page
        page.emulate_media(reduced_motion="reduce")
        page.goto(server.address)
        page.wait_for_selector(".game-card")
        for width, height, text in (
            (320, 640, 100),
            (1440, 900, 100),
            (390, 844, 200),
            (844, 390, 100),
            (1440, 900, 200),
            (3840, 2160, 100),
        ):
            resize(page, (width, height))
            page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")
            wait_for(page, "document.getElementById('wrapper').getBoundingClientRect().width === innerWidth")
            assert page.evaluate(outside) == [], (width, text)
            assert text > 100 or page.evaluate(squeezed) == [], width
            assert page.evaluate(shared + apart), (width, text)
            assert page.evaluate("document.getElementById('wrapper').scrollWidth <= innerWidth")
        # So does the lobby.
        resize(page, (390, 844))
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.fill("#login-name", "Maximiliane")
        page.click(card(page, "tichu", "friends"))
        page.wait_for_selector("#lobby-view .option")
        assert page.evaluate("document.getElementById('wrapper').scrollWidth <= innerWidth")
        seats = [one.bounding_box() for one in page.locator(".seat").all()]
        assert all(one and other and one["y"] + one["height"] <= other["y"] for one, other in pairwise(seats))
        page.evaluate("Network.send('leave')")
        page.wait_for_selector(".game-card")
        # A phone shows all games at once.
        resize(page, (360, 640))
        wait_for(page, "document.getElementById('wrapper').getBoundingClientRect().width === innerWidth")
        page.evaluate("document.documentElement.style.fontSize = ''")
        page.wait_for_selector(".game-card")
        last = page.locator(".game-card").last.bounding_box()
        assert last
        assert last["y"] + last["height"] <= 640


def test_a_table_of_friends_is_named_after_a_host_with_joined_emoji(browser: Browser, server: Served) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    with visitor(browser) as ben:
        # The table's name has room for 14 characters of the host's.
        invite(ben.page, server, f"Benediktine{family}XY", "maumau")
        expect(ben.page.locator("#lobby-title")).to_have_text(f"Tisch von Benediktine{family}XY")


def test_who_asks_for_too_many_hints_is_told_in_a_sentence(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, constants={"tisch.table.hints.MOST_BY_SEAT": 0}) as server, visitor(browser) as ben:
        ben.page.goto(server.address)
        ben.page.click(card(ben.page, "raumstation", "alone"))
        ben.page.wait_for_selector(TABLE)
        ben.page.keyboard.press("h")
        told = "Das waren viele Tipps auf einmal. In ein paar Sekunden gibt es wieder einen."
        expect(ben.page.locator(".toast.error", has_text=told)).to_be_visible()
