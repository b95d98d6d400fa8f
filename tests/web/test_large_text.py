"""Text twice as large, as a browser's settings have it: it is that large everywhere, nothing is cut, all is reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

import web_tables
from browser import DESKTOP, LYING_PHONE, MINE, far_sighted, resize, sit_down, start, visitor, wait_for
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
NO_TEXT: Final = "svg, .bubble, .visually-hidden, .toasts, .room, .chip, .generic-felt .badge"
#: All texts that are seen, with their elements and their boxes.
SEEN: Final = f"""const seen = [...document.querySelectorAll('.view *')]
    .filter(one => one.checkVisibility({{visibilityProperty: true, opacityProperty: true}}))
    .filter(one => !one.closest('{NO_TEXT}'))
    .flatMap(one => [...one.childNodes].filter(node => node.nodeType === 3 && node.data.trim()).map(node => {{
        const range = document.createRange();
        range.selectNodeContents(node);
        return {{one, text: node.data.trim(), box: range.getBoundingClientRect()}};
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
    const low = wrapper.getBoundingClientRect().top - wrapper.scrollTop;
    const isCut = ({{one, box}}) => {{
        for (let part = one; part.id !== 'wrapper'; part = part.parentElement) {{
            const {{overflowX, overflowY}} = getComputedStyle(part);
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
    TableView.render({...payload, private_state: payload.private_state ?? {}, choices: payload.choices ?? {legal: []},
        me: payload.private_state?.player_index ?? -1});
    Panels.closeAll();
}"""


@pytest.fixture(scope="module", name="large")
def large_text(browser: Browser) -> Iterator[Browser]:
    """Start a browser with large letters."""
    with far_sighted(browser) as other:
        yield other


def at_table(page: Page, server: Served, name: str, game: str) -> None:
    """Sit at a table in one's own turn; the deal is the same each time."""
    if game == "plain":
        page.add_init_script(
            "addEventListener('readystatechange', () => document.getElementById('files-game-maumau')?.remove())"
        )
    sit_down(page, server, "Maximiliane", name, "maumau" if game == "plain" else game)
    for option, value in TABLES[game].items():
        page.evaluate(
            "changed => EventBus.emit('lobbyView:options',"
            " {options: {...State.snapshot.public_state.table_options.options, ...changed}})",
            {option: value},
        )
        wait_for(page, f"State.snapshot.public_state.table_options.options.{option} === {value}")
    start(page)
    wait_for(page, MINE)


def sizes(page: Page) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(SIZES)
    return found


@pytest.mark.parametrize("game", TABLES)
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
            assert len(both) >= 4
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
