"""Okey's table in a real browser: the rack is arranged by finger, mouse and keys, and games are played to their end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import (
    DESKTOP,
    LYING_PHONE,
    SMALL_PHONE,
    drag,
    lost_presses,
    resize,
    serious,
    shifts,
    sit_down,
    start,
    unlisted_keys,
    visitor,
    wait_for,
    watch_shifts,
)
from serving import Served
from tests.web.test_plain import raw

PHONE: Final = (390, 844)
MINE: Final = "document.querySelector('.is-ours') !== null"
OVER: Final = "document.querySelector('dialog .result') !== null"
#: The tiles of the slots, from left to right and from the first row to the last; empty texts are empty slots.
SLOTS: Final = "[...document.querySelectorAll('.okey-own .slot')].map(slot => slot.dataset.tile)"
#: A tile that is put away without a question: no joker.
PUTTABLE: Final = ".okey-own .slot:not([data-tile='']):not([data-tile^='0:'])"
RACK: Final = "[...State.snapshot.private_state.rack].sort()"
#: Three who sit at a table, draw and put back, and never win; each answers a question once.
COMPANIONS: Final = """table => {
    window.companions = ['Kim', 'Max', 'Eva'].map(name => {
        const query = new URLSearchParams({player_name: name, table_name: table, view: '1'});
        const socket = new WebSocket(`ws://${location.host}/ws?${query}`);
        let asked = 0;
        socket.addEventListener('message', ({data}) => {
            const {type, payload} = JSON.parse(data);
            if (type === 'view' && payload.request && payload.request.request_id !== asked) {
                asked = payload.request.request_id;
                const move = payload.choices.legal.find(one => /^(draw|put) /.test(one));
                socket.send(JSON.stringify({type: 'move', payload: {move}}));
            }
        });
        return socket;
    });
}"""


@contextmanager
def playing(browser: Browser, server: Served, table: str, size: tuple[int, int] = PHONE) -> Iterator[Page]:
    """Play alone with agents."""
    with visitor(browser, size) as ben:
        sit_down(ben.page, server, "Ben", table, "okey")
        start(ben.page)
        wait_for(ben.page, MINE)
        yield ben.page
        ben.page.evaluate("Network.send('leave')")


@contextmanager
def cheating(browser: Browser, server: Served, table: str, size: tuple[int, int] = PHONE) -> Iterator[Page]:
    """Play with three who never win, and hold a rack that wins after the next draw."""
    with visitor(browser, size) as ben:
        page = ben.page
        sit_down(page, server, "Ben", table, "okey")
        page.get_by_label("Schummeln erlaubt (zum Testen)").check()
        wait_for(page, "State.snapshot.public_state.table_options.options.cheats")
        page.evaluate(COMPANIONS, table)
        expect(page.locator(".seat.human")).to_have_count(4)
        start(page)
        wait_for(page, MINE)
        if page.evaluate("State.snapshot.private_state.rack.length") == 15:
            page.locator(".slot:not([data-tile=''])").first.click()
            page.get_by_role("button", name="Ablegen").click()
            wait_for(page, f"{MINE} && State.snapshot.choices.legal.includes('draw main')")
        page.evaluate("EventBus.emit('tableView:move', {move: 'cheat'})")
        wait_for(page, "!State.snapshot.choices.legal.includes('cheat')")
        yield page


def middle(page: Page, selector: str) -> tuple[float, float]:
    """The middle of an element on the screen."""
    box = page.locator(selector).bounding_box()
    assert box, selector
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def slot(number: int) -> str:
    return f".okey-own .slot[data-slot='{number}']"


def test_fourteen_tiles_are_arranged_by_finger_on_a_small_phone(browser: Browser, server: Served) -> None:
    with playing(browser, server, "Finger", SMALL_PHONE) as page:
        tiles = page.evaluate(RACK)
        page.get_by_role("button", name="Reihen").tap()
        # Sorted by nothing but the alphabet, from the last slot on: nobody but a finger does that.
        wanted = sorted(tiles, reverse=True)[:14]
        for goal, tile in enumerate(wanted):
            slots = page.evaluate(SLOTS)
            free = [number for number in range(goal, 24) if slots[number] == tile]
            if goal not in free:
                drag(page, slot(free[-1]), slot(goal))
                wait_for(page, f"{SLOTS}[{goal}] === '{tile}'")
        arranged = page.evaluate(SLOTS)
        assert arranged[:14] == wanted
        assert sorted(filter(None, arranged)) == tiles
        assert lost_presses(page, "table.main -= 1") == []
        # A tile that is flung takes nothing from the tap that follows.
        for order in ("Reihen", "Sätze") * 4:
            drag(page, ".okey-own .slot:not([data-tile=''])", ".middle", 0.8)
            page.get_by_role("button", name=order).tap()
            choice = {"Reihen": "by_runs", "Sätze": "by_equals"}[order]
            wait_for(page, f"String({SLOTS}) === String(State.snapshot.choices.{choice})")
        arranged = page.evaluate(SLOTS)
        # Screen readers hear what is to be done, and each tile that is drawn.
        page.locator(".stock").tap()
        wait_for(page, f"{MINE} && State.snapshot.choices.legal.some(move => move.startsWith('put '))")
        expect(page.locator("#announcer p").nth(-2)).to_have_text(re.compile("^Du ziehst "))
        expect(page.locator("#announcer p").last).to_have_text("Leg einen Stein ab")
        arranged = page.evaluate(SLOTS)
        # The order outlives a reload.
        page.reload()
        wait_for(page, f"{MINE} && {SLOTS}.some(tile => tile !== '')")
        assert page.evaluate(SLOTS) == arranged


def test_a_rack_is_arranged_by_two_taps_and_by_keys_alike(browser: Browser, server: Served) -> None:
    with playing(browser, server, "Tippen und Tasten", DESKTOP) as page:
        before = page.evaluate(SLOTS)
        first, empty = before.index(next(filter(None, before))), before.index("")
        page.locator(slot(first)).click()
        expect(page.locator(slot(first))).to_have_attribute("aria-pressed", "true")
        page.locator(slot(empty)).click()
        assert page.evaluate(SLOTS)[empty] == before[first]
        # Back again by the keyboard alone.
        page.locator(slot(empty)).focus()
        page.keyboard.press("Space")
        for _ in range(abs(empty - first)):
            page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        assert page.evaluate(SLOTS) == before
        page.mouse.move(*middle(page, slot(first)))
        page.mouse.down()
        page.mouse.move(*middle(page, slot(empty)), steps=4)
        page.mouse.up()
        assert page.evaluate(SLOTS)[empty] == before[first]
        for key, choice in (("r", "by_runs"), ("g", "by_equals")):
            page.keyboard.press(key)
            assert page.evaluate(SLOTS) == [tile or "" for tile in page.evaluate(f"State.snapshot.choices.{choice}")]
        expect(page.locator(".status-text")).to_have_text(re.compile(r"^(Zieh einen Stein|Leg einen Stein ab)$"))
        page.keyboard.press("h")
        expect(page.locator(".hint-dialog h2")).to_be_visible()


def look_at_groups(page: Page) -> None:
    """Look whether groups are framed as the server lists them, on a rack of nothing else."""
    page.get_by_role("button", name="Gruppen").click()
    arranged = page.evaluate("State.snapshot.private_state.arranged")
    framed = page.locator(".okey-own .slot.is-grouped")
    expect(framed).to_have_count(14)
    groups = [group.split() for group in " ".join(tile or "|" for tile in arranged).split("|") if group.strip()]
    expect(page.locator(".okey-own .slot.is-first")).to_have_count(len(groups))
    expect(framed.first).to_have_attribute("aria-label", re.compile("in einer Gruppe$"))
    # Without its first tile, a group of three is none.
    least = min(groups, key=len)
    page.locator(slot(arranged.index(least[0]))).click()
    page.locator(slot(23)).click()
    expect(framed).to_have_count(14 - 3 if len(least) == 3 else 13)


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)])
def test_a_game_is_won_and_all_racks_are_laid_open(browser: Browser, server: Served, size: tuple[int, int]) -> None:
    with cheating(browser, server, f"Gewinn {size[0]}", size) as page:
        look_at_groups(page)
        page.locator(".stock").click()
        wait_for(page, f"{MINE} && State.snapshot.choices.legal.some(move => move.startsWith('win '))")
        tile = page.evaluate("State.snapshot.choices.legal.find(move => move.startsWith('win ')).split(' ')[1]")
        source = f".okey-own .slot[data-tile='{tile}']"
        # Whoever puts that tile away without a word has not won: the first time it is only asked.
        page.locator(source).first.click()
        page.locator(".pile[data-pile=right]").click()
        expect(
            page.locator(".toast", has_text="Damit gibst du einen Joker oder den Sieg aus der Hand.")
        ).to_be_visible()
        assert not page.evaluate(OVER)
        if size == PHONE:
            page.locator(".stock").tap()
        else:
            page.keyboard.press("w")
        expect(page.locator("dialog h2")).to_have_text("Gewonnen!")
        racks = page.locator("dialog .open-rack")
        expect(racks).to_have_count(4)
        expect(racks.first.locator("figcaption")).to_have_text("Ben")
        expect(racks.first.locator(".slot")).to_have_count(24)
        expect(racks.first.locator(".tile-picture")).to_have_count(14)
        assert serious(page) == []
        assert [text for text in raw(page) if text != "K"] == []
        # In its replay there is nobody to talk to, and no table to leave.
        page.goto(f"{server.address}/replay/{page.evaluate('State.snapshot.public_state.game_id')}")
        expect(page.locator(".okey-table.is-replay .open-rack")).to_have_count(4)
        shown = page.locator(".okey-header button:visible").evaluate_all("all => all.map(one => one.ariaLabel)")
        assert shown == ["Die Regeln in Kürze", "Einstellungen"]


def play(page: Page, act: Any, most: int = 400) -> int:
    """Play until the game is over, or for some moves."""
    moves = 0
    while moves < most and wait_for(page, f"({OVER}) ? 'over' : {MINE}", 300) != "over":
        number = page.evaluate("State.snapshot.number")
        verb = page.evaluate("State.snapshot.choices.legal[0].split(' ')[0]")
        act(page, verb)
        wait_for(page, f"State.snapshot.number > {number} || {OVER}")
        moves += 1
    return moves


def cheap(page: Page) -> Any:
    """Return the last tile that can be put without a second tap: what costs much is only asked the first time."""
    asked = page.evaluate("State.snapshot.choices.doubtful ?? []")
    places = page.locator(PUTTABLE)
    tiles = places.evaluate_all("slots => slots.map(slot => slot.dataset.tile)")
    return places.nth(max(place for place, tile in enumerate(tiles) if f"put {tile}" not in asked))


def by_finger(page: Page, verb: str) -> None:
    if verb == "draw":
        page.locator(".stock").tap()
    elif verb == "win":
        page.locator(".act").tap()
    else:
        source = cheap(page)
        drag(page, slot(int(source.get_attribute("data-slot") or 0)), ".pile[data-pile=right]")


def by_keys(page: Page, verb: str) -> None:
    if verb == "put":
        cheap(page).focus()
    page.keyboard.press({"draw": "z", "put": "Delete", "win": "w"}[verb])


@pytest.mark.parametrize(("size", "act"), [(PHONE, by_finger), pytest.param(DESKTOP, by_keys, marks=pytest.mark.slow)])
def test_a_whole_game_is_played(browser: Browser, server: Served, size: tuple[int, int], act: Any) -> None:
    with playing(browser, server, f"Ganz {size[0]}", size) as page:
        assert serious(page) == []
        assert unlisted_keys(page) == []
        watch_shifts(page)
        assert play(page, act) > 0
        assert shifts(page) == []
        expect(page.locator("dialog h2")).to_have_text(re.compile(r"^(Gewonnen!|Verloren\.|Das Spiel ist zu Ende\.)$"))
        assert [text for text in raw(page) if text != "K"] == []


#: The parts of the table that lie on each other.
OVERLAPS: Final = """() => {
    const boxes = ['.stock', '.pile', '.table-seat', '.rack', '.sorts'].flatMap(part =>
        [...document.querySelectorAll(part)].map(one => [part, one.getBoundingClientRect()]));
    return boxes.flatMap(([name, one], at) => boxes.slice(at + 1).filter(([, other]) =>
        one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1).map(([other]) => `${name} ${other}`));
}"""


def test_nothing_of_the_table_is_out_of_sight(browser: Browser, server: Served) -> None:
    with playing(browser, server, "Sicht") as page:
        for size in ((320, 568), SMALL_PHONE, LYING_PHONE, DESKTOP, (3840, 2160), PHONE):
            resize(page, size)
            width, height = size
            for part in (".stock", ".pile", ".table-seat", ".okey-own .slot", ".sorts .button", ".turn", ".button"):
                boxes = page.locator(f".okey-table {part}:visible").evaluate_all(
                    "all => all.map(one => one.getBoundingClientRect().toJSON())"
                )
                for box in boxes:
                    assert min(box["left"], box["top"]) >= -0.5, (part, width)
                    assert box["right"] <= width + 0.5 and box["bottom"] <= height + 0.5, (part, width)
            assert page.evaluate(OVERLAPS) == [], width
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.evaluate("ViewManager.fit()")
        # What is one's own is in sight, whatever is looked at.
        for part in (".stock", ".pile[data-pile=bottom]"):
            page.locator(part).evaluate("part => part.scrollIntoView({block: 'center'})")
            for shown in (part, ".turn", ".okey-own .rack", ".act"):
                expect(page.locator(shown)).to_be_in_viewport(ratio=0.99)
        assert page.evaluate("document.getElementById('wrapper').scrollWidth <= innerWidth")
