"""A real browser on a real server, for the tests of the web client: both start here, nothing is replaced."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect, sync_playwright

from _setup import BROWSER as UNPACKED
from _setup import SetupError
from _setup import web_ready as install
from places import ROOT
from serving import Served
from waiting import Never, until
from web_coverage import measured

#: The folder of the browser that a package brings.
BROWSER: Final = ROOT / UNPACKED
#: The possible names of the machine's own browser.
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
#: The screen sizes of the tests.
SMALL_PHONE = (360, 640)
PHONE = (412, 915)
LYING_PHONE = (915, 412)
DESKTOP = (1440, 900)
#: As root, Chromium starts only without its sandbox; the pages are our own.
FLAGS: Final = ("--no-sandbox",)
#: The bytes of shared memory that are enough for a browser; containers often have less.
SHARED: Final = 1 << 30
#: The time limit on a busy machine, in milliseconds.
PATIENCE = 60_000
# What a test expects of a page may take as long as anything else.
expect.set_options(timeout=PATIENCE)
#: The seed of every game on the server of the fixture, so that no test depends on the luck of a deal.
SEED = 7
#: Whether it is the visitor's turn, at any table.
MINE = "document.querySelector('.turn.mine, .is-ours') !== null"
#: Any table.
TABLE = ".plain-table, .table-view, .okey-table, .station-table"
#: What a table offers in one's turn: cards, places, piles, suits and buttons.
OFFERS = (
    ".plain-hand button, .actions .button:not(.ask-hint), .hand-card.is-lit, .maumau-table .stock.is-lit,"
    " .suit-choice, .finish:not([hidden]), .table-actions .table-button:enabled"
)
#: The games whose first hints are not shown, since these would lie over the table.
TOURED = ("maumau", "okey", "raumstation", "sechsundsechzig", "tichu")
#: The accessibility checks, from the packages of the web client's own checks.
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
#: How long a finger or a key rests until that is more than a tap, and pages show hints, results and messages, in
#: milliseconds.
HELD: Final = (450, 700)
SHOWN: Final = (3500, 6000, 12000, 20000)
#: Lets all of that last for minutes: a busy machine may look later, and lift the finger later.
LASTING: Final = f"""{{
    const wait = window.setTimeout;
    window.later ??= wait.bind(window);
    window.lasting ??= new Set({[*HELD, *SHOWN]});
    window.setTimeout = (act, time, ...more) => wait(act, window.lasting.has(time) ? 300000 : time, ...more);
}}"""
#: Lets a finger or a key that is held do what it does by that, or no more.
HOLDING, NOT_HOLDING = (f"{[*HELD]}.forEach(time => lasting.{act}(time))" for act in ("delete", "add"))
#: Lets what a page measures by its own clock last a thousand times as long: bubbles, and questions that wait for a
#: second press.
SLOWLY: Final = "{ const now = performance.now.bind(performance); performance.now = () => now() / 1000; }"


def web_ready() -> None:
    """Install what the tests of the web client need; if that is impossible, the test fails with what is missing."""
    try:
        install()
    except SetupError as error:
        pytest.fail(f"The web client cannot be tested. {error}", pytrace=False)


def own_browser() -> str | None:
    """Find a Chromium that the machine has.

    :result: Its path, or None.
    """
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def left_out() -> list[str]:
    """Return the flag of Playwright that is left out where there is much shared memory.

    It has Chromium's processes share files on the disk, which takes a tenth of their time.
    """
    folder = Path("/dev/shm")  # The only place that Chromium knows.
    return ["--disable-dev-shm-usage"] if folder.is_dir() and shutil.disk_usage(folder).free > SHARED else []


def _program() -> dict[str, Any]:
    """Find the Chromium that the package of the web client brings, or where it brings none, the machine's.

    :result: How it is launched. Without one the tests are skipped, except in CI.
    """
    if not BROWSER.exists():
        web_ready()
    has_package = (BROWSER / "chromium").exists()
    path = str(BROWSER / "chromium") if has_package else own_browser()
    if path is None:
        reason = "no package brings a Chromium for this machine: install Chromium or Chrome"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    variables: dict[str, str | float | bool] = {**os.environ}
    if has_package:
        variables["LD_LIBRARY_PATH"] = str(BROWSER / "al2023" / "lib")
        variables["FONTCONFIG_FILE"] = str(BROWSER / "fonts.conf")
    return {"executable_path": path, "env": variables, "ignore_default_args": left_out()}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium.

    :result: The browser.
    """
    program = _program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=FLAGS, **program)
        yield browser
        browser.close()


@contextmanager
def far_sighted(browser: Browser) -> Iterator[Browser]:
    """Start another Chromium, whose letters are twice as large as usual by its settings.

    :param browser: The running one.
    :result: The other one.
    """
    other = browser.browser_type.launch(args=[*FLAGS, "--blink-settings=defaultFontSize=32"], **_program())
    yield other
    other.close()


@contextmanager
def whole(browser: Browser) -> Iterator[Browser]:
    """Start a Chromium that also has what belongs to its window, such as notifications.

    :param browser: The running one.
    :result: The other one.
    """
    path = own_browser()
    if path is None:
        pytest.skip("the Chromium of the package has no notifications: install Chromium or Chrome")
    other = browser.browser_type.launch(executable_path=path, args=FLAGS)
    yield other
    other.close()


@dataclass
class Visitor:
    """A visitor with a browser context of their own.

    :ivar page: Their page.
    :ivar context: Their browser context, with its storage.
    :ivar faults: The errors of the page.
    :ivar provoked: The errors that the test provokes; a part of each message.
    """

    page: Page
    context: BrowserContext
    faults: list[str] = field(default_factory=list)
    provoked: list[str] = field(default_factory=list)


@contextmanager
def visitor(
    browser: Browser,
    size: tuple[int, int] = PHONE,
    locale: str = "de-DE",
    *,
    is_new: bool = False,
    has_worker: bool = False,
    **options: Any,
) -> Iterator[Visitor]:
    """Open a browser context for a visitor.

    :param browser: The program.
    :param size: The size of the screen.
    :param locale: The locale.
    :param is_new: Whether the hints of a first game are shown.
    :param has_worker: Whether the page has its service worker, which fetches all that there is for later, and takes
        longer for that than most tests; without it, all files come from the server.
    :param options: Other options.
    :result: The visitor. At the end the page may have no errors but those that the test provoked.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=locale,
        has_touch=size != DESKTOP,
        service_workers="allow" if has_worker else "block",
        **options,
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(LASTING)
    if not is_new:
        # A browser may refuse to store anything.
        context.add_init_script(f"try {{ localStorage.setItem('tisch.toured', '{json.dumps(TOURED)}'); }} catch {{}}")
    one = Visitor(context.new_page(), context)
    watch(one.page, one.faults)
    try:
        with measured(one.page):
            yield one
    finally:
        context.close()
    faults = [fault for fault in one.faults if not any(piece in fault for piece in one.provoked)]
    assert not faults, faults


def watch(page: Page, faults: list[str]) -> None:
    """Record the errors of a page.

    :param page: The page.
    :param faults: The list of errors.
    """
    failures = _failures.setdefault(page, [])

    def fail(error: Error) -> None:
        faults.append(str(error))
        failures.append(str(error))

    page.on("pageerror", fail)
    page.on("console", lambda line: faults.append(line.text) if is_fault(line) else None)


def is_fault(line: ConsoleMessage) -> bool:
    """Tell whether a line of the console is a fault of the page: that it has no service worker is none."""
    return line.type in ("error", "warning") and line.text != "Service Worker registration blocked by Playwright"


#: The errors that pages have not caught.
_failures: WeakKeyDictionary[Page, list[str]] = WeakKeyDictionary()


def failed(page: Page) -> Never:
    """Return the states of a page in which nothing that is waited for will happen.

    :param page: The page.
    """
    return {
        "The page has failed:": lambda: _failures.get(page, []),
        "The page is closed.": page.is_closed,
    }


def weigh(one: Visitor) -> list[float]:
    """Record the weight of everything that a page loads from now on.

    :param one: The visitor; a service worker would hide what it fetches.
    :result: The bytes of each response on the wire; the list grows while the page loads.
    """
    session = one.context.new_cdp_session(one.page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return sizes


def sit_down(page: Page, server: Served, name: str, table: str, game: str = "tichu") -> None:
    """Log in and enter the lobby.

    :param page: The page.
    :param server: The server.
    :param name: The player's name.
    :param table: The name of the table.
    :param game: The game of the table.
    """
    page.goto(server.address)
    name_table(page, name, table, game)
    page.wait_for_selector("#lobby-view")


def name_table(page: Page, name: str, table: str, game: str = "") -> None:
    """Sit down at an open table by its name.

    :param page: The page with the entrance.
    :param name: The player's name.
    :param table: The name of the table.
    :param game: (Optional) The game to choose.
    """
    page.wait_for_selector("#login-game option", state="attached")
    page.fill("#login-name", name)
    if not page.is_visible("#login-table"):
        page.click(".named summary")
    page.fill("#login-table", table)
    if game:
        page.select_option("#login-game", game)
    page.click(".entrance .main")


def start(page: Page) -> None:
    """Start the game as the host.

    :param page: The page.
    """
    page.click("#lobby-view footer .main")
    page.wait_for_selector("#lobby-view", state="detached")
    page.wait_for_selector("#loading-view", state="detached")


def serious(page: Page) -> list[str]:
    """Check the accessibility of a page.

    :param page: The page.
    :result: What axe finds, but for what is of minor weight, each with its element.
    """
    if not AXE.exists():
        web_ready()
    if not page.evaluate("'axe' in window"):
        # By the debugger, not by a tag: the page allows only its own scripts.
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations)")
    return [
        f"{one['id']}: {[node['html'][:120] for node in one['nodes']][:3]}" for one in found if one["impact"] != "minor"
    ]


def small_targets(page: Page, least: float = 44) -> list[str]:
    """Find targets that are too small to tap.

    :param page: The page.
    :param least: The minimum size of a target in pixels.
    :result: The targets that are smaller in either direction.
    """
    script = """least => [...document.querySelectorAll('button, select, input, a[href]')].filter(one => {
        const target = one.type === 'radio' || one.type === 'checkbox' ? one.closest('label') ?? one : one;
        const {width, height} = target.getBoundingClientRect();
        return one.checkVisibility() && !one.disabled && (width < least - 0.5 || height < least - 0.5);
    }).map(one => one.outerHTML.slice(0, 100))"""
    found: list[str] = page.evaluate(script, least)
    return found


#: Looks at each choice that is taken as it is and as if it were not; lists those that look the same.
UNSEEN: Final = """() => {
    document.documentElement.dataset.motion = 'reduced';
    const look = part => [part, ...part.querySelectorAll('*')].map(one => {
        const {backgroundColor, color, boxShadow, outline, borderColor, translate} = getComputedStyle(one);
        return [backgroundColor, color, boxShadow, outline, borderColor, translate].join();
    }).join();
    return [...document.querySelectorAll('[aria-pressed="true"], [aria-current="step"], :checked')]
        // The cards of a hand are lifted by a class.
        .filter(part => !part.matches('.hand-card, option, [type=checkbox]')).filter(part => {
            const row = part.closest('label') ?? part;
            const name = ['aria-pressed', 'aria-current'].find(each => part.hasAttribute(each));
            const taken = look(row);
            const turn = isTaken => name === undefined ? part.checked = isTaken
                : part.setAttribute(name, isTaken ? (name === 'aria-pressed' ? 'true' : 'step') : 'false');
            turn(false);
            const free = look(row);
            turn(true);
            return taken === free;
        }).map(part => part.outerHTML.slice(0, 100));
}"""


def unseen_choices(page: Page) -> list[str]:
    """Find choices that are taken without looking so, by what the browser computes.

    :param page: The page.
    :result: The choices.
    """
    found: list[str] = page.evaluate(UNSEEN)
    return found


#: Notes where clicks arrive and stops them there; lists the buttons that can be pressed, each by its middle. However
#: long a press takes, nothing happens by holding.
LISTEN: Final = """() => {
    window.clicks = [];
    window.lifts = 0;
    window.listening = new AbortController();
    const {setTimeout} = window;
    window.setTimeout = () => 0;
    listening.signal.addEventListener('abort', () => { window.setTimeout = setTimeout; });
    window.addEventListener('pointerup', () => { lifts += 1; }, {capture: true, signal: listening.signal});
    window.addEventListener('click', event => {
        event.stopImmediatePropagation();
        event.preventDefault();
        clicks.push(event.target);
    }, {capture: true, signal: listening.signal});
    window.pressed = [...document.querySelectorAll('.view button:enabled')].map(button => {
        const {left, top, width, height} = button.getBoundingClientRect();
        return {button, x: left + width / 2, y: top + height / 2};
    }).filter(({button, x, y}) => document.elementFromPoint(x, y) === button);
    return pressed.map(({x, y}) => [x, y]);
}"""
#: Draws the table twice: after a change of what everybody knows, and as it was.
REDRAW: Final = """() => {
    const {snapshot} = State;
    const other = structuredClone(snapshot);
    (table => { CHANGE; })(other.public_state);
    for (const each of [other, snapshot]) {
        ViewManager.current.render(each);
    }
}"""


def lost_presses(page: Page, change: str) -> list[str]:
    """Press each button of a table, and draw the table anew before the press ends; the same with the focus.

    :param page: The page; no click does anything meanwhile.
    :param change: What changes meanwhile at the table, as a statement in JavaScript about ``table``.
    :result: The buttons that got no click, or lost the focus.
    """
    redraw = REDRAW.replace("CHANGE", change)
    lost: list[str] = []
    points = page.evaluate(LISTEN)
    assert points
    for number, (x, y) in enumerate(points):
        page.mouse.move(x, y)
        page.mouse.down()
        page.evaluate(redraw)
        page.mouse.up()
        # The click comes with it.
        wait_for(page, f"lifts === {number + 1}")
        lost += page.evaluate(
            """number => {
                const {button} = pressed[number];
                const clicked = clicks.splice(0);
                const isClicked = clicked.includes(button);
                button.focus();
                const hadFocus = document.activeElement === button;
                REDRAW();
                const keepsFocus = !hadFocus || document.activeElement === button;
                return isClicked && keepsFocus ? [] : [
                    `${button.className}: ${isClicked} ${keepsFocus}; ${clicked.map(one => one.className)}`];
            }""".replace("REDRAW", f"({redraw})"),
            number,
        )
    page.evaluate("listening.abort()")
    return lost


def watch_shifts(page: Page) -> None:
    """Note from now on what moves in a page without having been touched; see ``shifts``.

    :param page: The page.
    """
    page.evaluate("""() => {
        window.shifts = [];
        new PerformanceObserver(list => {
            for (const {value, startTime, hadRecentInput, sources} of list.getEntries()) {
                if (!hadRecentInput) {
                    shifts.push([value, startTime, sources.map(({node}) => node?.className ?? node?.nodeName)]);
                }
            }
        }).observe({type: 'layout-shift'});
    }""")


def shifts(page: Page) -> list[Any]:
    """List what has moved in a page, if it is too much: a tenth, by the measure of browsers.

    That is the sum of the moves that follow each other within a second, for up to five seconds.

    :param page: The page.
    :result: How much, when in milliseconds, and what; empty if it is little.
    """
    series: list[list[Any]] = []
    for move in page.evaluate("shifts"):
        if series and move[1] - series[-1][-1][1] < 1000 and move[1] - series[-1][0][1] < 5000:
            series[-1].append(move)
        else:
            series.append([move])
    return [each for each in series if sum(value for value, *_ in each) >= 0.1]


def unlisted_keys(page: Page) -> list[str]:
    """Compare the keys of a table's buttons with those that the rules of the game list.

    :param page: The page.
    :result: The keys of buttons that are not listed.
    """
    listed: list[str] = page.evaluate("Words.shortcuts.flatMap(([keys]) => keys.split(' '))")
    spans = [key.split("–") for key in listed if "–" in key]
    keys = {*listed, *(str(number) for first, last in spans for number in range(int(first), int(last) + 1))}
    script = "all => all.flatMap(one => one.getAttribute('aria-keyshortcuts').split(' '))"
    return sorted(set(page.locator("[aria-keyshortcuts]").evaluate_all(script)) - keys)


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give a page another size, and wait until it has drawn itself for that.

    :param page: The page.
    :param size: The size.
    """
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    wait_for(page, f"innerWidth === {width} && innerHeight === {height}")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def drag(page: Page, source: str, target: str, share: float = 1) -> None:
    """Drag by a finger, quickly; what it drags is held above it.

    :param page: The page.
    :param source: Whence: an element, or the first of several.
    :param target: Whither.
    :param share: How much of the way.
    """
    start, end = (page.locator(selector).first.bounding_box() for selector in (source, target))
    assert start and end
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    across = end["x"] + end["width"] / 2 - x
    down = end["y"] + end["height"] / 2 - y + start["height"]
    session = page.context.new_cdp_session(page)
    for kind, part in (("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0)):
        point = {"x": x + across * share * part, "y": y + down * share * part}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


#: Looks in the page itself, which costs a tenth of asking from here each time; after half a second it is seen here
#: whether the page has failed. A page may have replaced its timers.
LOOK: Final = """async () => {
    for (let looks = 0; looks < 25; looks += 1) {
        const found = await (EXPRESSION);
        if (found) {
            return found;
        }
        await new Promise(done => (window.later ?? setTimeout)(done, 20));
    }
    return null;
}"""


def look(page: Page, expression: str) -> Any:
    """Look for half a second whether a condition holds in a page.

    :param page: The page.
    :param expression: The condition.
    :result: What it is when it holds, or None.
    """
    try:
        return page.evaluate(LOOK.replace("EXPRESSION", expression))
    except Error as error:
        # The page that comes now may be the one for which the test waits.
        if "Execution context was destroyed" not in error.message:
            raise
    return None


def wait_for(page: Page, expression: str, seconds: float = 60) -> Any:
    """Wait for a condition in a page; the page's policy forbids the browser to evaluate expressions itself.

    :param page: The page.
    :param expression: The condition.
    :param seconds: The time limit.
    :result: What it is when it holds.
    """
    found: list[Any] = []

    def holds() -> bool:
        found.append(look(page, expression))
        return bool(found[-1])

    for _ in until(holds, seconds, failed(page)):
        pass
    return found[-1]
