"""Takes a screenshot of each view of the web client, on a phone and on a desktop, for docs/pictures.

A real server runs on a scratch folder, and a real Chromium shows it; ``bin/make_screenshots.py`` runs this. The moments
of Tichu are prepared through the server's journal; in the other games the first moves are played.
"""

from __future__ import annotations

import argparse
import base64
import json
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page

import moving_picture
import web_tables
from browser import DESKTOP, MINE, PHONE, SEED, chromium, sit_down, start, visitor, wait_for
from places import ROOT
from serving import Served, serving

PICTURES: Final = ROOT / "docs" / "pictures"
SIZES: Final = {"phone": PHONE, "desktop": DESKTOP}
#: The picture that messengers show beside a link, and its size.
PREVIEW: Final = PICTURES.parents[1] / "web" / "images" / "preview.jpg"
PREVIEW_SIZE: Final = (1200, 630)
#: Lays the preview on the page: the name, and the games with their pictures.
PREVIEWED: Final = """games => {
    const styled = (made, style) => {
        Object.assign(made.style, style);
        return made;
    };
    const pictures = games.map(({name}) => styled(GameCards.picture(name), {width: '214px', margin: '0 5px'}));
    const line = (tag, text, style) => styled(Lib.element(tag, {text}), {margin: 0, ...style});
    const titles = games.map(({title}) => title).join(' · ');
    document.getElementById('screen').replaceChildren(styled(Lib.element('main', {},
        line('h1', 'tisch', {font: '700 150px/1 var(--font-title)'}),
        styled(Lib.element('div', {}, ...pictures), {display: 'flex'}),
        line('p', titles, {font: '34px var(--font-title)'})), {
        display: 'grid', height: '100%', position: 'relative', alignContent: 'space-evenly', justifyItems: 'center'
    }));
}"""
#: The film of the README.
MOVING: Final = PICTURES / "moving.webp"
#: How long the server may take to judge a whole game, step by step (milliseconds).
JUDGED: Final = 600_000
#: The quality of the pictures, out of 100.
QUALITY: Final = 78
MIDDLE, RIGHT = (f".table-actions [data-place={place}]" for place in ("middle", "right"))

Act = Callable[[Page], None]


def _wait(selector: str) -> Act:
    return lambda page: page.locator(selector).first.wait_for()


def _tap(*selectors: str) -> Act:
    def act(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).last.tap()

    return act


def _finish(page: Page) -> None:
    page.tap(RIGHT)
    page.tap(RIGHT)
    page.wait_for_selector(".round-dialog, .game-dialog")


def _cut(page: Page) -> None:
    page.context.set_offline(True)
    page.evaluate("Network.cut()")
    page.wait_for_selector("#banner:not([hidden])")


def _throw(page: Page) -> None:
    _tap("[data-tool=bomb]", RIGHT)(page)
    page.wait_for_selector(".trick.is-bomb")


#: The views of a table of Tichu: the moment, and the actions before the screenshot.
TICHU: Final[Mapping[str, tuple[str, Act]]] = {
    "grand-tichu": ("grand", _wait(".hand-card")),
    "schupf": ("schupf", _tap(".hand-card", ".zone[data-place=right]", ".hand-card", ".zone[data-place=top]")),
    "taking-up": ("received", _wait(".zone")),
    "own-turn": ("follow", _tap(RIGHT)),
    "wish": ("wish", _wait(".wish-dialog")),
    "dragon": ("dragon", _wait(".dragon-dialog")),
    "bomb": ("bomb", _throw),
    "round-score": ("round", _finish),
    "game-over": ("game", _finish),
    "away": ("stuck", _wait("#banner .button")),
    "reconnecting": ("waiting", _cut),
}
#: The other games, with the number of moves before the screenshot.
GAMES: Final = {"maumau": 3, "sechsundsechzig": 3, "okey": 3, "raumstation": 1}
#: Moments that are played for: the game, its options, and when the moment has come.
MOMENTS: Final[Mapping[str, tuple[str, Mapping[str, Any], str]]] = {
    "maumau-wish": ("maumau", {"players": 4}, "document.querySelector('.suit-choice')"),
    "maumau-round": ("maumau", {"players": 3, "hand": 3, "rounds": 3}, "document.querySelector('.round-dialog')"),
    "sechsundsechzig-round": ("sechsundsechzig", {}, "document.querySelector('.round-dialog')"),
    "hints": ("maumau", {"players": 3}, "document.querySelector('.tour-dialog')"),
}
#: The finished games in the picture of one's own games: the game, its title, the others, how it ended, the points, the
#: seconds that it took.
PLAYED: Final[tuple[tuple[str, str, list[str], str, list[str], int], ...]] = (
    ("tichu", "Tichu", ["Ben", "Frank", "Maximiliane"], "won", ["1035", "620", "1035", "620"], 1510),
    ("raumstation", "Raumstation", [], "won", ["1"], 133),
    ("maumau", "Mau-Mau", ["Frank", "Emil"], "lost", ["61", "18", "34"], 402),
    ("tichu", "Tichu", ["Ada", "Emil", "Frida"], "lost", ["780", "1010", "780", "1010"], 1330),
    ("sechsundsechzig", "Sechsundsechzig", ["Frank"], "won", ["7", "4"], 655),
)
MINE_PLAYED: Final = [
    {
        "id": f"game{at}",
        "game": game,
        "title": title,
        "ended": 1_790_000_000_000 - at * 86_400_000,
        "me": 0,
        "others": others,
        "verdict": verdict,
        "points": points,
        "seconds": seconds,
    }
    for at, (game, title, others, verdict, points, seconds) in enumerate(PLAYED)
]
VIEWS: Final = (
    "preview",
    "moving",
    "login",
    "my-games",
    "invited",
    "friends",
    "lobby",
    "settings",
    "rules",
    *TICHU,
    "spectating",
    "replay",
    "analysis",
    *GAMES,
    *MOMENTS,
)


def files() -> set[str]:
    """List the pictures.

    :result: The names of the files.
    """
    views = [view for view in VIEWS if view not in ("preview", "moving")]
    return {MOVING.name, *(f"{view}-{size}.webp" for view in views for size in SIZES)}


def shoot(page: Page, view: str) -> None:
    """Take the screenshots of a view.

    :param page: The page with the view.
    :param view: The view's name.
    """
    session = page.context.new_cdp_session(page)
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        # Toasts have gone, and animations have ended.
        page.wait_for_timeout(500)
        page.evaluate("document.querySelectorAll('.toast').forEach(toast => toast.remove())")
        taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
        (PICTURES / f"{view}-{name}.webp").write_bytes(base64.b64decode(taken["data"]))
    print(view, flush=True)


@contextmanager
def _opened(browser: Browser, server: Served, *, is_new: bool = False) -> Iterator[Page]:
    with visitor(browser, is_new=is_new) as one:
        one.page.emulate_media(reduced_motion="reduce")
        one.page.goto(server.address)
        yield one.page
        # Without a network, the browser itself reports errors.
        one.faults.clear()


def _shoot_tichu(browser: Browser, folder: Path, wanted: Collection[str]) -> None:
    """Take the screenshots of the table of Tichu, of a spectator, and of a replay."""
    moments = {**web_tables.WANTED, **web_tables.CLOSING}
    positions = {view: web_tables.find(moments[moment]) for view, (moment, _) in TICHU.items()}
    positions["spectating"] = positions["reconnecting"]
    web_tables.write_folder(folder / "data", positions, away=("away",))
    flags = ("--pause", 1, "--connections-per-address", 200)
    with serving(folder, *flags) as server, web_tables.silent_players(server.address, positions):
        for view, (_, act) in TICHU.items():
            if view in wanted or view == "game-over":
                session = {"sessionId": web_tables.session_of(view, 0), "tableName": view, "playerName": "Frank"}
                with _opened(browser, server) as page:
                    page.evaluate(f"localStorage.setItem('tisch.session', {json.dumps(json.dumps(session))})")
                    page.reload()
                    page.wait_for_selector(".table-view .table-actions button")
                    act(page)
                    shoot(page, view)
        if "spectating" in wanted:
            with _opened(browser, server) as page:
                page.evaluate("EventBus.emit('loginView:watch', {table_name: 'spectating'})")
                page.wait_for_selector(".table-view.is-watching")
                shoot(page, "spectating")
        if {"replay", "analysis"} & set(wanted):
            with _opened(browser, server) as page:
                page.goto(f"{server.address}/replay/game-game-over")
                page.wait_for_selector(".replay")
                slider = page.locator(".replay input[type=range]")
                slider.evaluate("slider => { slider.value = 45; slider.dispatchEvent(new Event('input')); }")
                if "replay" in wanted:
                    shoot(page, "replay")
                if "analysis" in wanted:
                    page.get_by_role("button", name="Auswerten").click()
                    page.locator(".analysis progress").wait_for(state="hidden", timeout=JUDGED)
                    page.locator(".analysis-list .blunder button").first.click()
                    shoot(page, "analysis")


def _shoot_entrance(browser: Browser, server: Served, wanted: Collection[str]) -> None:
    """Take the screenshots of everything before the table."""
    with ExitStack() as stack:
        host, *others = (stack.enter_context(_opened(browser, server)) for _ in range(4))
        sit_down(host, server, "Frank", "Stube")
        for page, name, table, game in zip(
            others, ("Ben", "Clara", "Maximiliane"), ("Stube", "Stube", "Wohnzimmer"), ("", "", "okey"), strict=True
        ):
            sit_down(page, server, name, table, game or "tichu")
        start(others[-1])
        if "lobby" in wanted:
            shoot(host, "lobby")
        if "rules" in wanted:
            wait_for(host, "Games.table('tichu') !== null")
            host.get_by_role("button", name="Die Regeln in Kürze").click()
            shoot(host, "rules")
        if {"login", "settings", "my-games", "invited", "friends"} & set(wanted):
            page = stack.enter_context(_opened(browser, server))
            page.wait_for_selector(".table-row")
            page.fill("#login-name", "Clara")
            shoot(page, "login")
            page.click(".house-tools .button:last-child")
            page.wait_for_selector("dialog.settings")
            shoot(page, "settings")
            page.keyboard.press("Escape")
            page.evaluate("games => User.remember('mygames', games)", MINE_PLAYED)
            page.click(".house-tools .button:first-child")
            page.wait_for_selector(".mine-games")
            shoot(page, "my-games")
            page.goto(f"{server.address}/?table_name=Tisch+von+Frank")
            page.wait_for_selector(".is-invited")
            shoot(page, "invited")
            page.goto(server.address)
            page.click(".game-card:first-child .game-friends")
            page.wait_for_selector("#lobby-view")
            page.click("text=QR-Code")
            page.wait_for_selector(".qr img")
            shoot(page, "friends")


def _shoot_preview(browser: Browser, server: Served) -> None:
    """Take the picture of links to the page."""
    with _opened(browser, server) as page:
        width, height = PREVIEW_SIZE
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_selector(".game-card")
        games = page.evaluate("Setup.load().then(({games}) => games.filter(({name}) => Files.has(`game-${name}`)))")
        page.evaluate(PREVIEWED, games)
        page.wait_for_timeout(500)
        page.screenshot(path=PREVIEW, type="jpeg", quality=QUALITY)


def _shoot_game(browser: Browser, server: Served, game: str) -> None:
    """Take the screenshots of a game, some moves after its start."""
    with _opened(browser, server) as page:
        sit_down(page, server, "Frank", game.title(), game)
        start(page)
        for _ in range(GAMES[game]):
            wait_for(page, "State.snapshot?.public_state.awaiting.includes(State.snapshot.me)")
            number = page.evaluate("State.snapshot.number")
            page.evaluate("EventBus.emit('tableView:move', {move: State.snapshot.choices.legal[0]})")
            wait_for(page, f"State.snapshot.number > {number}")
        wait_for(page, MINE)
        shoot(page, game)


def _shoot_moment(browser: Browser, server: Served, view: str) -> None:
    """Play a game until a moment has come, and take its screenshots."""
    game, options, has_come = MOMENTS[view]
    with _opened(browser, server, is_new=view == "hints") as page:
        sit_down(page, server, "Frank", view, game)
        page.evaluate("options => EventBus.emit('lobbyView:options', {options})", dict(options))
        for name, value in options.items():
            wait_for(page, f"State.snapshot.public_state.table_options.options.{name} === {value}")
        start(page)
        page.wait_for_selector(".hand-card")
        while not page.evaluate(f"Boolean({has_come})"):
            if page.evaluate("!State.isRunning"):
                page.evaluate("EventBus.emit('tableView:rematch')")
                wait_for(page, "State.isRunning")
            if page.evaluate(MINE):
                number = page.evaluate("State.snapshot.number")
                # In Mau-Mau, Jacks come last.
                at = -1 if game == "maumau" else 0
                page.evaluate(f"EventBus.emit('tableView:move', {{move: State.snapshot.choices.legal.at({at})}})")
                wait_for(page, f"State.snapshot.number > {number}")
            page.wait_for_timeout(50)
        shoot(page, view)


def main(wanted: Collection[str]) -> None:
    """Take screenshots.

    :param wanted: The names of the views.
    """
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        if set(wanted) & {*TICHU, "spectating", "replay", "analysis"}:
            _shoot_tichu(browser, Path(folder, "tichu"), wanted)
        if "moving" in wanted:
            MOVING.write_bytes(moving_picture.joined(moving_picture.film(browser, Path(folder))))
            print("moving", flush=True)
        if not set(wanted) - {*TICHU, "spectating", "replay", "analysis", "moving"}:
            return
        others = Path(folder, "others")
        others.mkdir()
        with serving(others, seed=SEED) as server:
            _shoot_entrance(browser, server, wanted)
            if "preview" in wanted:
                _shoot_preview(browser, server)
            for game in GAMES:
                if game in wanted:
                    _shoot_game(browser, server, game)
            for view in MOMENTS:
                if view in wanted:
                    _shoot_moment(browser, server, view)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Takes the pictures of the web client in docs/pictures.")
    parser.add_argument("views", nargs="*", metavar="VIEW", help=f"only these views, of: {', '.join(VIEWS)}")
    main(parser.parse_args().views or VIEWS)
