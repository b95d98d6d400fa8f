"""The layout of tables: text of any size is whole and reached, a large screen is used, and nothing jumps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

import web_tables
from browser import DESKTOP, LYING_PHONE, MINE, TABLE, far_sighted, resize, sit_down, start, visitor, wait_for
from night import later
from serving import Served

PHONE: Final = (390, 844)
LARGE_SCREEN: Final = (3840, 2160)
#: The games with the options of their tables. The last one has no table of its own.
TABLES: Final = {
    "tichu": {},
    "maumau": {"players": 4},
    "sechsundsechzig": {},
    "okey": {},
    "raumstation": {},
    "plain": {},
}
#: What is drawn on cards, tiles and rooms of a map is no text, and bubbles lie over the table for some seconds.
NO_TEXT: Final = "svg, .bubble, .visually-hidden, .toasts, .room, .chip, .plain-felt .badge"
#: All texts that are seen, with their elements and their boxes.
SEEN: Final = f"""document.getElementById('wrapper').scrollTop = 100000;
const seen = [...document.querySelectorAll('.view *')]
    .filter(one => one.checkVisibility({{visibilityProperty: true, opacityProperty: true}}))
    .filter(one => !one.closest('{NO_TEXT}'))
    .flatMap(one => [...one.childNodes].filter(node => node.nodeType === 3 && node.data.trim()).map(node => {{
        const range = document.createRange();
        range.selectNodeContents(node);
        // Fonts reserve more or less room above and below their letters: only that of the narrowest counts.
        const {{left, right, top, bottom}} = range.getBoundingClientRect();
        const high = range.getClientRects()[0]?.height ?? 0;
        const spare = Math.max(0, high - 1.17 * parseFloat(getComputedStyle(one).fontSize)) / 2;
        return {{one, text: node.data.trim(), box: {{left, right, top: top + spare, bottom: bottom - spare}}}};
    }}));
const named = ({{one, text}}) => `${{one.className || one.localName}}: ${{text}}`;"""
#: The size of letters by where they stand.
SIZES: Final = f"""() => {{ {SEEN}
    return Object.fromEntries(seen.map(({{one, text}}) => [`${{one.className}} ${{one.dataset.place ?? ''}}`,
        parseFloat(getComputedStyle(one).fontSize)]));
}}"""
#: Texts that are cut, or lie where nobody can scroll.
CUT: Final = f"""() => {{ {SEEN}
    const wrapper = document.getElementById('wrapper');
    const low = document.querySelector('.view').getBoundingClientRect().top;
    const isCut = ({{one, box}}) => {{
        for (let part = one; part.id !== 'wrapper'; part = part.parentElement) {{
            const {{overflowX, overflowY}} = getComputedStyle(part);
            if (overflowY === 'auto') {{
                return false;
            }}
            const edge = part.getBoundingClientRect();
            const [isOutAcross, isOutDown] = [box.left < edge.left - 2 || box.right > edge.right + 2,
                box.top < edge.top - 3 || box.bottom > edge.bottom + 3];
            if (overflowX === 'hidden' && isOutAcross || overflowY === 'hidden' && isOutDown) {{
                return true;
            }}
        }}
        return box.left < -1 || box.right > innerWidth + 1 || box.top < low - 1
            || box.bottom > low + wrapper.scrollHeight + 1;
    }};
    return seen.filter(isCut).map(named);
}}"""
#: Texts that lie on each other.
ON_EACH_OTHER: Final = f"""() => {{ {SEEN}
    const isOn = (a, b) => a.left < b.right - 3 && b.left < a.right - 3 && a.top < b.bottom - 6 && b.top < a.bottom - 6;
    return seen.flatMap((one, at) => seen.slice(at + 1)
        .filter(other => isOn(one.box, other.box)).map(other => `${{named(one)}} × ${{named(other)}}`));
}}"""
#: Buttons that no finger reaches, wherever the table is scrolled to.
UNREACHED: Final = """() => [...document.querySelectorAll('.view button:enabled')].filter(button => {
    if (!button.checkVisibility({visibilityProperty: true}) || button.closest('.hand, .map')) {
        return false;
    }
    button.scrollIntoView({block: 'center', inline: 'center'});
    const {left, top, width, height} = button.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return !button.contains(found);
}).map(button => button.className || button.textContent)"""


#: Draws one of the moments that the unit tests know.
DRAW: Final = """name => {
    const payload = structuredClone(window.moments[name]);
    TichuTable.render({...payload, private_state: payload.private_state ?? {}, choices: payload.choices ?? {legal: []},
        me: payload.private_state?.player_index ?? -1});
    Panels.closeAll();
}"""


#: Notes what moves in a table without having been touched: how much, by the measure of browsers, and what.
SHIFTS: Final = """window.shifts = [];
new PerformanceObserver(list => {
    for (const {value, hadRecentInput, sources} of list.getEntries()) {
        const moved = sources.map(({node}) => node?.className ?? node?.nodeName);
        if (!hadRecentInput || window.countsAll) {
            shifts.push([value, moved]);
        }
    }
}).observe({type: 'layout-shift', buffered: true});"""


@pytest.fixture(scope="module", name="large")
def large_text(browser: Browser) -> Iterator[Browser]:
    """Start a browser with large letters."""
    with far_sighted(browser) as other:
        yield other


def at_table(page: Page, server: Served, name: str, game: str, *, calm: int = 0) -> None:
    """Sit at a table in one's own turn; the deal is the same each time.

    :param page: The page.
    :param server: Where.
    :param name: The name of the table.
    :param game: The game, or ``plain``.
    :param calm: (Optional) For how many milliseconds nothing is touched before the game begins.
    """
    if game == "plain":
        # As if the game had none of its own.
        own = "document.getElementById('files-game-maumau')?.remove()"
        page.add_init_script(f"document.addEventListener('readystatechange', () => {own})")
    sit_down(page, server, "Maximiliane", name, "maumau" if game == "plain" else game)
    for option, value in TABLES[game].items():
        page.evaluate(
            "changed => EventBus.emit('lobbyView:options',"
            " {options: {...State.snapshot.public_state.table_options.options, ...changed}})",
            {option: value},
        )
        wait_for(page, f"State.snapshot.public_state.table_options.options.{option} === {value}")
    page.wait_for_timeout(calm)
    page.evaluate("EventBus.emit('lobbyView:start')")
    wait_for(page, MINE)


def sizes(page: Page) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(SIZES)
    return found


@pytest.mark.parametrize("game", later(TABLES, ("sechsundsechzig",)))
def test_text_that_is_twice_as_large_is_whole_and_reached(
    browser: Browser, large: Browser, server: Served, game: str
) -> None:
    screens = (PHONE, DESKTOP)
    usual: dict[Any, dict[str, float]] = {}
    with visitor(browser, PHONE) as ben:
        at_table(ben.page, server, f"Usual {game}", game)
        for screen in screens:
            resize(ben.page, screen)
            usual[screen] = sizes(ben.page)
        ben.page.evaluate("Network.send('leave')")
    with visitor(large, PHONE) as kim:
        page = kim.page
        page.emulate_media(reduced_motion="reduce")
        at_table(page, server, f"Large {game}", game)
        for screen in screens:
            resize(page, screen)
            larger = sizes(page)
            both = usual[screen].keys() & larger.keys()
            assert len(both) >= 3
            assert {
                one: larger[one] / usual[screen][one] for one in both if larger[one] < 1.98 * usual[screen][one]
            } == {}
            assert page.evaluate(CUT) == [], screen
            assert page.evaluate(ON_EACH_OTHER) == [], screen
            assert page.evaluate(UNREACHED) == [], screen
        resize(page, LYING_PHONE)
        assert page.evaluate(CUT) == []
        assert page.evaluate(UNREACHED) == []
        page.evaluate("Network.send('leave')")


def test_no_moment_of_tichu_cuts_text_that_is_twice_as_large(large: Browser, server: Served) -> None:
    with visitor(large, PHONE) as ben:
        page = ben.page
        page.emulate_media(reduced_motion="reduce")
        at_table(page, server, "Large moments", "tichu")
        page.evaluate("Network.cut = () => {}; EventBus.emit = () => {};")
        moments = web_tables.VIEWS.read_text(encoding="utf-8").partition("const TableViews = ")[2].rpartition(";")[0]
        names = page.evaluate(f"() => Object.keys(window.moments = {moments})")
        assert len(names) > 10
        faults = []
        for screen in (PHONE, DESKTOP):
            resize(page, screen)
            page.evaluate("ViewManager.fit()")
            for name in names:
                page.evaluate(DRAW, name)
                faults += [
                    (name, screen, one) for check in (CUT, ON_EACH_OTHER, UNREACHED) for one in page.evaluate(check)
                ]
        assert not faults, "\n".join(map(str, faults))


#: How much of the screen the parts of a table reach over, across and down, and how much larger than usual its text is.
REACHED: Final = """selectors => {
    const boxes = [...document.querySelectorAll(selectors)].map(one => one.getBoundingClientRect())
        .filter(({width}) => width > 0);
    const most = side => Math.max(...boxes.map(box => box[side]));
    const least = side => Math.min(...boxes.map(box => box[side]));
    const text = getComputedStyle(document.getElementById('wrapper')).getPropertyValue('--text');
    return [(most('right') - least('left')) / innerWidth, (most('bottom') - least('top')) / innerHeight, Number(text)];
}"""
#: What of each table grows with the screen, and the least share of the screen's height and width that it takes.
GROWING: Final = {
    "tichu": (".table-seat, .hand, .table-actions, .table-header", 0.95, 0.95),
    "maumau": (".table-seat, .hand, .table-header", 0.95, 0.95),
    "sechsundsechzig": (".table-seat, .hand, .table-actions, .table-header", 0.95, 0.95),
    "okey": (".okey-felt, .okey-own", 0.9, 0.9),
    "raumstation": (".room", 0.3, 0.75),
}


@pytest.mark.parametrize("game", later(GROWING, ("tichu", "maumau")))
def test_a_table_uses_the_room_of_a_large_screen(browser: Browser, server: Served, game: str) -> None:
    parts, across, down = GROWING[game]
    with visitor(browser, LARGE_SCREEN) as ben:
        page = ben.page
        at_table(page, server, f"Room {game}", game)
        width, height, text = page.evaluate(REACHED, parts)
        assert (width >= across, height >= down, text) == (True, True, 1), (width, height)
        size = sizes(page)
        resize(page, DESKTOP)
        smaller = sizes(page)
        # As the screen, which is 2.4 times as high, and no more.
        growth = {one: size[one] / smaller[one] for one in size.keys() & smaller.keys()}
        assert {one: factor for one, factor in growth.items() if not 2.3 < factor < 2.5} == {}


@pytest.mark.parametrize("screen", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", later(TABLES, ("okey", "sechsundsechzig")))
def test_nothing_jumps_when_a_game_begins(browser: Browser, server: Served, game: str, screen: tuple[int, int]) -> None:
    with visitor(browser, screen) as ben:
        page = ben.page
        page.add_init_script(SHIFTS)
        # Browsers forgive what moves within half a second after a click.
        at_table(page, server, f"Still {game} {screen[0]}", game, calm=600)
        for _ in range(2):
            wait_for(page, f"{MINE} && State.snapshot.choices.legal.length > 0")
            page.evaluate("window.was = State.snapshot")
            page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
            wait_for(page, "State.snapshot !== was")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        moved = page.evaluate("shifts")
        # What browsers call little is a tenth; the plain table shows as much as a game has to show.
        assert max((value for value, _ in moved), default=0) < (0.05 if game == "plain" else 0.01), moved
        # What jumps is noticed.
        page.evaluate("() => { document.querySelector('.view').style.paddingTop = '150px'; }")
        wait_for(page, f"shifts.length > {len(moved)}")
        page.evaluate("Network.send('leave')")


@pytest.mark.parametrize("game", sorted({*TABLES} - {"plain"}))
def test_little_jumps_from_the_entrance_to_the_table(browser: Browser, server: Served, game: str) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        # Also what moves right after a tap, which browsers forgive, is seen.
        page.add_init_script(f"window.countsAll = true; {SHIFTS}")
        sit_down(page, server, "Ben", f"Weg {game}", game)
        # The lobby shows all that the game adds to it.
        wait_for(page, f"Games.table('{game}') !== null && Words.isKnown('{game}')")
        start(page)
        page.wait_for_selector(TABLE)
        wait_for(page, f"{MINE} && State.snapshot.choices.legal.length > 0")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        moved = page.evaluate("shifts")
        assert sum(value for value, _ in moved) < 0.1, moved
