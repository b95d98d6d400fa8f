"""What the end of a game tells: the story of all five games, and its picture, against what the engine counted."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser import PHONE, serious, sit_down, start, visitor, wait_for
from serving import Served
from tisch.game import Outcome
from tisch.games import find
from tisch.transcript import read

#: Plays whatever is legal, by a generator of its own.
PLAY: Final = """seed => {
    let state = seed;
    const random = count => (state = (state * 48271) % 2147483647) % count;
    window.playing = window.setInterval(() => {
        const {public_state: table, me, choices} = State.snapshot;
        document.querySelector('.round-dialog .main')?.click();
        if (!table.is_running || !table.awaiting.includes(me) || choices.legal.length === 0) {
            return;
        }
        const answer = Games.table(table.game)?.suggest?.(State.snapshot) ?? null;
        if (answer === null) {
            const move = choices.legal.find(one => /^(restart|draw main|win )/.test(one));
            EventBus.emit('tableView:move', {move: move ?? choices.legal[random(choices.legal.length)]});
        }
        else {
            EventBus.emit('tableView:response', answer);
        }
    }, 60);
}"""
#: The games, short.
OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "maumau": {"players": 3},
    "okey": {},
    "raumstation": {},
    "sechsundsechzig": {"goal": 2},
    "tichu": {"rounds": 1},
}
SEED: Final = 20261120
#: The step that is called the turning point.
TURN: Final = 5
END: Final = ".game-dialog, .station-result:not([hidden])"
#: The rows of the story: the heading and the numbers of each.
FACTS: Final = """() => [...document.querySelectorAll('.story-facts tbody tr')].map(row => (
    [row.querySelector('th').textContent, ...[...row.querySelectorAll('td')].map(cell => cell.textContent)]))"""


def counted(game: str, outcome: Outcome) -> dict[str, Sequence[object]]:
    """Return rows of the story as the engine counted them, by the names of their headings."""
    tally = outcome.tally
    if game == "tichu":
        called = [a + b for a, b in zip(tally["small called"], tally["grand called"], strict=True)]
        made = [a + b for a, b in zip(tally["small made"], tally["grand made"], strict=True)]
        calls = [f"{a}/{b}" if b else "–" for a, b in zip(made, called, strict=True)]
        return {"tricks": tally["tricks"], "bombs": tally["bombs"], "calls": calls}
    if game == "maumau":
        return {"won": tally["rounds won"], "drawn": tally["cards drawn"]}
    if game == "okey":
        return {"drawn": tally["drawn"], "taken": tally["taken"]}
    if game == "sechsundsechzig":
        return {row: tally["tricks" if row == "taken" else row] for row in ("won", "taken", "closed", "announced")}
    return {"jokers": tally["jokers"]}


def play_to_the_end(page: Page, game: str) -> None:
    """Play a game with the page's own moves, and wait for its story."""
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(
        "changed => EventBus.emit('lobbyView:options',"
        " {options: {...State.snapshot.public_state.table_options.options, ...changed}})",
        OPTIONS[game],
    )
    changed = " && ".join(
        f"State.snapshot.public_state.table_options.options.{name} === {value}" for name, value in OPTIONS[game].items()
    )
    wait_for(page, changed or "true")
    start(page)
    page.evaluate(PLAY, SEED)
    wait_for(page, f"document.querySelector('{END}') !== null", seconds=300)
    page.evaluate("window.clearInterval(window.playing)")
    page.wait_for_selector(".story:not([hidden])", state="attached")


def judge(route: Route, server: Served) -> None:
    """Answer as the judge would that thinks of one move alone that it lost something, and at once."""
    *_, game_id, _, step = urlsplit(route.request.url).path.split("/")
    seat, move = read(server.get(f"/api/games/{game_id}")["transcript"]).moves[TURN - 1]
    lost = {"expected": 1, "lost": 12.34, "error": 0, "mark": "blunder"}
    decision = {"number": TURN, "seat": seat, "move": move, "best": None, **lost}
    route.fulfill(json={"decision": decision if int(step) == TURN else None})


@pytest.mark.parametrize("game", OPTIONS)
def test_the_end_tells_the_game_and_makes_a_picture_of_it(browser: Browser, server: Served, game: str) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        page.route("**/analysis/*", lambda route: judge(route, server))
        sit_down(page, server, "Ben", f"Ende {game}", game)
        play_to_the_end(page, game)
        link = page.locator(f":is({END}) a[href^='/replay/']").get_attribute("href") or ""
        game_id = link.rpartition("/")[2].partition("#")[0]
        played = read(server.get(f"/api/games/{game_id}")["transcript"])
        outcome = played.verify().outcome()
        assert outcome is not None
        told = {title: values for title, *values in page.evaluate(FACTS)}
        for row, values in counted(game, outcome).items():
            title = page.evaluate("row => Words.table(`story.${row}`)", row)
            assert told[title] == [str(value) for value in values], (game, title, SEED)
        if find(game).lapses:
            turn = page.locator(".story-turn a")
            expect(turn).to_contain_text("Das kostet 12; besser: nichts tun.")
            # It leads to that moment, as the one saw it whose move it was; so does its mark on a curve.
            places = {f"/replay/{game_id}#{TURN}-{played.moves[TURN - 1][0]}"}
            assert {link.get_attribute("href") for link in page.locator(".story-turn a, .story-mark").all()} == places
            expect(page.locator(".story-mark")).to_have_count(page.locator(".story-lines").count())
        else:
            expect(page.locator(".story-turn")).to_have_count(0)
        assert serious(page) == []
        # One button goes on, and one only.
        expect(page.locator(f":is({END}) .main")).to_have_count(1)
        with page.expect_download() as download:
            page.click(".share-story")
        assert download.value.suggested_filename == f"{find(game).name}.png"
        picture = download.value.path().read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", picture[16:24])
        assert width == 1080 and 700 < height < 4000
