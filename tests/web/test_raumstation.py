"""Raumstation's table in a real browser: by finger, mouse and keys, to its end, which stands beside the map."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import (
    DESKTOP,
    HOLDING,
    LYING_PHONE,
    NOT_HOLDING,
    SEED,
    SLOWLY,
    SMALL_PHONE,
    failed,
    lost_presses,
    resize,
    serious,
    shifts,
    sit_down,
    start,
    unlisted_keys,
    unseen_choices,
    visitor,
    wait_for,
    watch_shifts,
)
from serving import Served, serving
from tests.web.test_plain import raw, set_options
from tisch.game import Random
from tisch.games import raumstation
from tisch.games.raumstation.spreading import spread
from tisch.record import Record
from waiting import until

PHONE: Final = (390, 844)
MINE: Final = "document.querySelector('.is-ours') !== null"
OVER: Final = "document.querySelector('.station-result:not([hidden])') !== null"
#: The rooms as `row column`, by a condition on what is known of them.
ROOMS: Final = "State.snapshot.public_state.rooms"
#: Without luck: half of a station is traps, and nothing but open rooms is known.
UNSAFE: Final[dict[str, Any]] = {"rooms": 50, "danger": 0.5, "revealed": 0.9, "classic": True}


@contextmanager
def playing(
    browser: Browser, server: Served, table: str, size: tuple[int, int] = PHONE, **options: Any
) -> Iterator[Page]:
    with visitor(browser, size) as ben:
        sit_down(ben.page, server, "Ben", table, "raumstation")
        set_options(ben.page, **options)
        start(ben.page)
        wait_for(ben.page, MINE)
        yield ben.page


def room(place: str) -> str:
    return f".room[data-place='{place}']"


def place_of(page: Page, verb: str) -> str:
    """The place of a legal move."""
    text: str = page.evaluate(f"State.snapshot.choices.legal.findLast(move => move.startsWith('{verb} '))")
    return text.partition(" ")[2]


def way_on(data: Path) -> str:
    """Ask the solver, without a hint: from what the server's journal holds of the only running game."""
    with closing(sqlite3.connect(data / "journal.sqlite")) as journal:
        ((options, seed),) = journal.execute("SELECT options, seed FROM running")
        moves = journal.execute("SELECT seat, text FROM move ORDER BY key").fetchall()
    steps = Record("raumstation", json.loads(options), int(seed), moves).replay()
    *_, state = steps
    agent = raumstation.GAME.agents["solver"]()
    agent.start(Random(0))
    return str(agent.act(state.view(0), state.legal(0), True))


def hold(page: Page, place: str) -> None:
    """Rest a finger on a room."""
    box = page.locator(room(place)).bounding_box()
    assert box
    session = page.context.new_cdp_session(page)
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    page.evaluate(HOLDING)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    wait_for(page, f"State.snapshot.choices.legal.includes('unmark {place}')")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)])
def test_a_tap_scans_and_a_joker_is_good_for_one_tap(browser: Browser, server: Served, size: tuple[int, int]) -> None:
    with playing(browser, server, f"Tipp {size[0]}", size, **UNSAFE) as page:
        tools = page.locator(".tools .tool")
        expect(tools.first).to_have_text("Scannen")
        expect(tools.first).to_have_attribute("aria-pressed", "true")
        before = tools.first.bounding_box()
        assert serious(page) == []
        page.get_by_role("button", name="Joker").click()
        expect(page.locator(".turn")).to_have_text("Tippe auf den Raum, den der Joker verraten soll")
        page.locator(room(place_of(page, "joker"))).click()
        wait_for(page, "State.snapshot.public_state.jokers === 1")
        expect(page.locator(".toast", has_text="JOKER: Der Raum in Zeile")).to_be_visible()
        expect(tools.first).to_have_attribute("aria-pressed", "true")
        # Marking goes on until something else is chosen.
        page.get_by_role("button", name="Markieren").click()
        for _ in range(2):
            place = place_of(page, "mark")
            page.locator(room(place)).click()
            wait_for(page, f"State.snapshot.choices.legal.includes('unmark {place}')")
        expect(page.locator(".count[data-count=flag] b")).not_to_have_text("0")
        assert tools.first.bounding_box() == before
        assert unlisted_keys(page) == []
        assert lost_presses(page, "table.rooms.at(-1).is_marked = true; table.jokers = 1") == []
        assert raw(page) == []


def test_a_long_press_and_a_right_click_mark_and_a_marked_room_needs_two_taps(browser: Browser, server: Served) -> None:
    with playing(browser, server, "Finger", **UNSAFE) as page:
        place = place_of(page, "mark")
        hold(page, place)
        page.evaluate(NOT_HOLDING)
        # What is asked waits for the second tap, however late that comes.
        page.evaluate(SLOWLY)
        # The finger that is lifted is no tap.
        expect(page.locator(room(place))).to_have_class("room marked")
        page.locator(room(place)).tap()
        expect(page.locator(".toast", has_text="Dieser Raum ist markiert. Tippe noch einmal")).to_be_visible()
        assert page.evaluate(f"State.snapshot.choices.legal.includes('unmark {place}')")
        page.locator(room(place)).tap()
        wait_for(page, f"!State.snapshot.choices.legal.includes('unmark {place}')")
    with playing(browser, server, "Maus", DESKTOP) as page:
        place = place_of(page, "mark")
        for look in ("room marked", "room closed"):
            page.locator(room(place)).click(button="right")
            expect(page.locator(room(place))).to_have_class(look)


def test_an_open_zero_spreads(browser: Browser, server: Served) -> None:
    options: dict[str, Any] = {"danger": 0.02, "revealed": 0.1, "classic": True}
    station = raumstation.GAME.new(raumstation.Options(**options), SEED)
    with playing(browser, server, "Null", **options) as page:
        zero = page.evaluate("State.snapshot.choices.spreads[0].slice(5)")
        closed = f"{ROOMS}.filter(room => !room.is_revealed).length"
        before = page.evaluate(closed)
        page.locator(room(zero)).tap()
        opened = len(spread(station, raumstation.GAME.parse(f"scan {zero}")))
        assert opened > 3
        wait_for(page, f"{closed} === {before} - {opened}")
        # Around the zero that is open now, nothing is closed.
        assert page.evaluate(f"!(State.snapshot.choices.spreads ?? []).includes('scan {zero}')")


def around(options: dict[str, Any], is_open: bool) -> tuple[str, list[str], list[str]]:
    """A safe room with a number beside which there are traps and two more closed rooms: its place, and theirs."""
    station = raumstation.GAME.new(raumstation.Options(**options), SEED)
    rooms = {room.position: room for room in station.rooms}
    for room in station.rooms:
        near = [rooms[place] for place in room.nearby]
        traps = [f"{each.y} {each.x}" for each in near if each.is_dangerous]
        others = [f"{each.y} {each.x}" for each in near if not each.is_dangerous and not each.is_revealed]
        if room.is_revealed == is_open and not room.is_dangerous and traps and len(others) > 1:
            return f"{room.y} {room.x}", traps, others
    raise AssertionError("there is no such room")


def is_open(page: Page, place: str) -> bool:
    found: bool = page.evaluate(f"{ROOMS}.find(({{x, y}}) => `${{y}} ${{x}}` === '{place}').is_revealed")
    return found


def test_a_tap_on_a_number_scans_what_is_left_round_it_once_as_many_are_marked(
    browser: Browser, server: Served
) -> None:
    options: dict[str, Any] = {"danger": 0.15, "revealed": 0.3, "classic": True}
    number, traps, others = around(options, True)
    with playing(browser, server, "Rest", **options) as page:
        page.locator(room(number)).tap()
        expect(page.locator("#announcer")).to_contain_text(f"Daneben markiert: 0 von {len(traps)}")
        for place in traps:
            page.locator(room(place)).click(button="right")
            wait_for(page, f"State.snapshot.choices.legal.includes('unmark {place}')")
        assert not any(is_open(page, place) for place in others)
        moves = "State.log.filter(({event}) => event === 'scanned').length"
        assert page.evaluate(moves) == 0
        page.locator(room(number)).tap()
        until_open = " && ".join(f"!State.snapshot.choices.legal.includes('scan {place}')" for place in others)
        wait_for(page, until_open)
        assert all(is_open(page, place) for place in others)
        assert page.evaluate(f"{MINE} && {moves}") >= len(others)
        # Nothing else is closed there, and no error was said.
        page.locator(room(number)).tap()
        assert page.locator(".toast.error").count() == 0


def test_a_double_tap_scans_one_room_and_not_what_is_round_it(browser: Browser, server: Served) -> None:
    options: dict[str, Any] = {"danger": 0.15, "revealed": 0.3, "classic": True}
    number, traps, others = around(options, False)
    with playing(browser, server, "Doppelt", DESKTOP, **options) as page:
        # However long the page takes between the news and the map, the second half belongs to the first.
        page.evaluate(SLOWLY)
        for place in traps:
            page.locator(room(place)).click(button="right")
            wait_for(page, f"State.snapshot.choices.legal.includes('unmark {place}')")
        # The second half comes as soon as the room is open.
        page.evaluate(f"""() => {{
            const cell = document.querySelector("{room(number)}");
            const watch = new MutationObserver(() => {{
                watch.disconnect();
                cell.click();
            }});
            watch.observe(cell, {{attributeFilter: ['data-look']}});
            cell.click();
        }}""")
        wait_for(page, f"document.querySelector(\"{room(number)}\").matches('.open')")
        # What is asked for later is answered later: until then, a room beside it would be open.
        page.locator(room(traps[0])).click(button="right")
        wait_for(page, f"State.snapshot.choices.legal.includes('mark {traps[0]}')")
        assert not any(is_open(page, place) for place in others)


def solve(page: Page, act: Any, data: Path) -> None:
    """Solve the station as the solver does."""
    page.locator(".room").first.focus()
    for _ in until(lambda: page.evaluate(OVER), 300, failed(page)):
        text = way_on(data)
        number = page.evaluate("State.snapshot.number")
        act(page, *text.split(" ", 1))
        wait_for(page, f"State.snapshot.number > {number}")


def by_finger(page: Page, verb: str, place: str) -> None:
    if verb == "joker":
        page.locator("[data-tool=joker]").tap()
    page.locator(room(place)).tap()


def by_keys(page: Page, verb: str, place: str) -> None:
    """Walk to a room by letters and arrows alone, as far as they lead; then make the move."""
    if verb == "joker":
        page.keyboard.press("j")
    row, column = map(int, place.split())
    for _ in range(20):
        x, y = page.evaluate("['x', 'y'].map(axis => Number(document.activeElement.dataset[axis]))")
        keys = [("d", x < column), ("ArrowLeft", x > column), ("s", y < row), ("ArrowUp", y > row)]
        steps = [key for key, leads in keys if leads]
        if not steps:
            break
        page.keyboard.press(steps[0])
        if page.evaluate("['x', 'y'].map(axis => Number(document.activeElement.dataset[axis]))") == [x, y]:
            page.keyboard.press(steps[-1])
    page.locator(room(place)).focus()
    page.keyboard.press("Enter")


def test_arrows_and_letters_lead_to_the_map_from_the_start(browser: Browser, server: Served) -> None:
    with playing(browser, server, "Anfang", DESKTOP) as page:
        for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft", "w", "a", "S", "D"):
            for begin in ("document.activeElement.blur()", "document.querySelector('[data-tool=mark]').focus()"):
                page.evaluate(begin)
                page.keyboard.press(key)
                assert page.evaluate("document.activeElement.matches('.room')"), key
        place = page.evaluate("document.activeElement.dataset.place")
        page.keyboard.press("s")
        assert page.evaluate("document.activeElement.dataset.place") != place


def test_keys_lead_to_every_room(browser: Browser, server: Served) -> None:
    with playing(browser, server, "Wege", DESKTOP, rooms=25) as page:
        focused = "document.activeElement.dataset.place"
        page.locator(".room").first.focus()
        known, waiting = {page.evaluate(focused)}, [page.evaluate(focused)]
        while waiting:
            place = waiting.pop()
            for key in ("w", "a", "s", "d"):
                page.locator(room(place)).focus()
                page.keyboard.press(key)
                there = page.evaluate(focused)
                if there not in known:
                    known.add(there)
                    waiting.append(there)
        assert len(known) == page.evaluate(f"{ROOMS}.length")


@pytest.mark.parametrize(("size", "act"), [(PHONE, by_finger), pytest.param(DESKTOP, by_keys, marks=pytest.mark.slow)])
def test_a_station_that_is_solved_enters_the_best_times_and_is_played_again(
    browser: Browser, tmp_path: Path, size: tuple[int, int], act: Any
) -> None:
    # Each game has a seed of its own here.
    with serving(tmp_path) as server, playing(browser, server, "Ende", size, rooms=20) as page:
        watch_shifts(page)
        solve(page, act, tmp_path / "data")
        assert shifts(page) == []
        result = page.locator(".station-result")
        expect(result.locator("h2")).to_have_text("Geschafft!")
        expect(result).to_contain_text("Neue Bestzeit!")
        expect(result.locator(".best-times li")).to_have_count(1)
        # The map stays to be looked at.
        expect(page.locator(".room").first).to_be_in_viewport()
        seed = page.evaluate("State.log.findLast(({event}) => event === 'game_over').context.seed")
        expect(result).to_contain_text(seed)
        assert serious(page) == []
        assert raw(page) == []
        plan = f"JSON.stringify({ROOMS}.map(room => [room.x, room.y, room.connections]))"
        station = page.evaluate(plan)
        page.get_by_role("button", name="Dieselbe Station noch einmal").click()
        wait_for(page, f"{MINE} && State.isRunning")
        expect(result).to_be_hidden()
        assert page.evaluate(plan) == station
        solve(page, act, tmp_path / "data")
        expect(result.locator("h2")).to_have_text("Geschafft!")
        expect(result.locator(".best-times li")).to_have_count(1)
        page.get_by_role("button", name="Neue Station").click()
        wait_for(page, f"{MINE} && State.isRunning")
        assert page.evaluate(plan) != station
        # With a hint, the time does not count, a reload later either.
        page.locator(".hint").click()
        page.wait_for_selector(".hint-dialog")
        page.reload()
        wait_for(page, f"{MINE} && State.isRunning")
        solve(page, act, tmp_path / "data")
        expect(result.locator("h2")).to_have_text("Geschafft!")
        expect(result).to_contain_text("Mit Tipps zählt die Zeit nicht.")
        expect(result.locator(".best-times li")).to_have_count(1)
        expect(result.locator(".record")).to_have_count(0)


def test_the_station_of_the_day_is_played_once_and_its_time_is_told(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server, visitor(browser, PHONE) as ben:
        page = ben.page
        page.goto(f"{server.address}/challenge/today/raumstation")
        page.fill("#challenge-name", "Ben")
        page.get_by_role("button", name="Spielen", exact=True).tap()
        wait_for(page, MINE)
        solve(page, by_finger, tmp_path / "data")
        result = page.locator(".station-result")
        expect(result).to_contain_text("Geschafft!")
        expect(result).to_contain_text("Gespielt: 1 · gelöst: 1 · längste Serie: 1")
        # The same station again would be no challenge.
        expect(result.get_by_role("button", name="Neue Station")).to_have_count(0)
        expect(result.get_by_role("button", name="Dieselbe Station noch einmal")).to_have_count(0)
        result.get_by_role("button", name="Nächstes Spiel").tap()
        expect(result.get_by_role("alert")).to_contain_text("Jedes Spiel dieser Herausforderung")
        result.get_by_role("button", name="Zur Lobby").tap()
        entrance = page.locator(".station-entrance")
        expect(entrance.locator(".level-times dt")).to_have_text(["Mittel"])
        expect(entrance.locator(".level-times span")).to_have_text("Gespielt: 1 · gelöst: 1 · längste Serie: 1")
        assert serious(page) == []
        page.goto(f"{server.address}/challenge/today/raumstation")
        rows = page.locator(".challenge-deal tbody tr")
        expect(rows).to_have_count(2)
        expect(rows.first).to_contain_text(re.compile(r"Ben \(du\).*gewonnen in \d+:\d\d"))
        expect(rows.last).to_contain_text("KI")


def test_a_trap_ends_the_game_beside_the_map(browser: Browser, server: Served) -> None:
    with playing(browser, server, "Falle", **UNSAFE) as page:
        solved = False
        page.get_by_role("button", name="Joker").click()
        page.locator(room(place_of(page, "joker"))).click()
        toast = page.locator(".toast", has_text="JOKER: Der Raum in Zeile")
        expect(toast).to_be_visible()
        while not page.evaluate(OVER):
            number = page.evaluate("State.snapshot.number")
            page.locator(room(place_of(page, "scan"))).tap()
            wait_for(page, f"State.snapshot.number > {number}")
            # Chance may solve a station; the hidden panel of an earlier one does not count.
            if page.get_by_role("heading", name="Geschafft!").count():
                solved = True
                page.get_by_role("button", name="Neue Station").tap()
                wait_for(page, f"{MINE} && State.isRunning")
        expect(page.locator(".station-result h2")).to_have_text("Eine Falle!")
        # What the joker said is no news any more.
        expect(toast).to_have_count(0)
        expect(page.locator(".room.hit")).to_have_count(1)
        expect(page.locator(".room.hit")).to_be_in_viewport()
        expect(page.locator(".best-times")).to_have_count(int(solved))
        page.get_by_role("button", name="Zur Lobby").tap()
        page.wait_for_selector("#lobby-view")


def test_the_lobby_offers_three_stations_by_name(browser: Browser, server: Served) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        sit_down(page, server, "Ben", "Stufen", "raumstation")
        pressed = page.locator(".presets [aria-pressed=true]")
        expect(pressed).to_have_text("Mittel")
        # It looks so, too: by day and by night as nothing else does.
        for theme in ("bright", "dark"):
            page.evaluate("theme => User.change({theme})", theme)
            looks = page.locator(".presets button").evaluate_all(
                "all => all.map(one => [one.ariaPressed, getComputedStyle(one).backgroundColor])"
            )
            assert len({ground for is_set, ground in looks if is_set == "false"}) == 1
            assert len({ground for _, ground in looks}) == 2
        assert unseen_choices(page) == []
        page.get_by_role("button", name="Schwer").tap()
        expect(pressed).to_have_text("Schwer")
        expect(page.locator("#option-jokers")).to_have_value("1")
        set_options(page, jokers=5)
        expect(pressed).to_have_count(0)
        page.get_by_role("button", name="Leicht").tap()
        expect(page.locator("#option-jokers")).to_have_value("3")
        assert serious(page) == []


def test_who_plays_alone_is_offered_nobody_else(browser: Browser, server: Served) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        others = page.locator("#option-agent, #option-turn-limit, #lobby-link")
        sit_down(page, server, "Ben", "Allein", "raumstation")
        expect(page.locator("#option-jokers")).to_be_visible()
        assert [one for one in others.all() if one.is_visible()] == []
        words = page.locator(".lobby").inner_text()
        assert "KI" not in words and "Freunde" not in words and "Bedenkzeit" not in words
        page.evaluate("Network.send('leave')")
        page.wait_for_selector("#login-view")
        # It is the number of seats that counts, not the game.
        sit_down(page, server, "Ben", "Zu zweit", "maumau")
        expect(others).to_have_count(3)
        assert all(one.is_visible() for one in others.all())


#: The rooms that do not stand where the numbers at the edges say.
ASTRAY: Final = """() => {
    const middle = part => {
        const box = part.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const labels = [...document.querySelectorAll('.map .label')];
    const has = (number, axis, at) => labels.some(label =>
        label.textContent === number && Math.abs(middle(label)[axis] - at) < 1);
    return [...document.querySelectorAll('.room')].filter(room => {
        const [x, y] = middle(room);
        return !has(room.dataset.x, 0, x) || !has(room.dataset.y, 1, y);
    }).length;
}"""


@pytest.mark.parametrize(
    ("preset", "sizes"),
    [
        pytest.param("medium", ((320, 568), LYING_PHONE), marks=pytest.mark.slow),
        ("hard", (SMALL_PHONE, DESKTOP)),
        ("easy", (PHONE,)),
    ],
)
def test_the_whole_map_is_in_view(
    browser: Browser, server: Served, preset: str, sizes: tuple[tuple[int, int], ...]
) -> None:
    with visitor(browser, sizes[0]) as ben:
        page = ben.page
        sit_down(page, server, "Ben", f"Karte {preset}", "raumstation")
        page.click(f"#preset-{preset}")
        expect(page.locator(f"#preset-{preset}")).to_have_attribute("aria-pressed", "true")
        start(page)
        wait_for(page, MINE)
        for size in sizes:
            resize(page, size)
            boxes = page.locator(".room").evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
            most = max(64, 0.105 * min(size))
            assert all(28 <= round(box["width"], 1) <= most for box in boxes)
            for box in (*boxes, *(one.bounding_box() or {} for one in page.locator(".tools .tool").all())):
                left, top = box["x"], box["y"]
                assert left >= 0 and top >= 0
                assert left + box["width"] <= size[0] + 0.5 and top + box["height"] <= size[1] + 0.5
            assert page.evaluate(ASTRAY) == 0
        if size == PHONE:
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            page.evaluate("ViewManager.fit()")
            # What is one's own is in sight, whatever is looked at.
            for part in (".map", ".counts"):
                page.locator(part).evaluate("part => part.scrollIntoView({block: 'start'})")
                for shown in (part, ".turn", "[data-tool=scan]", "[data-tool=joker]", ".hint"):
                    expect(page.locator(shown)).to_be_in_viewport(ratio=0.99)
            assert page.evaluate("document.getElementById('wrapper').scrollWidth <= innerWidth")
