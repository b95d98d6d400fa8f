"""What a page keeps of the games that were played at it: nothing."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from browser import PHONE, sit_down, start, visitor, wait_for
from serving import Served

#: Plays the safest move, once in each state, and again if the server says nothing; asks again for a game that the
#: server refused, as it does when many begin one after the other.
PLAY: Final = """() => window.setInterval(() => {
    const {public_state: {is_running, awaiting}, me, choices: {legal}} = State.snapshot;
    const isNew = State.snapshot !== window.seen || performance.now() > window.sent + 1000;
    if (isNew && is_running && awaiting.includes(me) && legal.length > 0) {
        Object.assign(window, {seen: State.snapshot, sent: performance.now()});
        EventBus.emit('tableView:move', {move: legal[0]});
    }
    const isRefused = !is_running && document.querySelector('.game-dialog [role=alert]:not(:empty)') !== null;
    if (isRefused && performance.now() > window.sent + 2000) {
        window.sent = performance.now();
        document.querySelector('.game-dialog .main').click();
    }
}, 30)"""
END: Final = "document.querySelector('.game-dialog .share-story') !== null"
#: How many games are played, after how many the page has all that it needs (code, the last 200 events), and how much it
#: may grow from then on.
GAMES: Final = ((8, 3, 1.1), (50, 30, 1.05))


def kept(session: CDPSession) -> dict[str, float]:
    """Measure what a page keeps, without rubbish."""
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    metrics: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
    wanted = ("JSHeapUsedSize", "JSEventListeners")
    return {metric["name"]: metric["value"] for metric in metrics if metric["name"] in wanted}


def play_a_game(page: Page, number: int) -> None:
    """Play a game to its end, by a rematch from the second on."""
    if number == 0:
        start(page)
        page.evaluate(PLAY)
    else:
        page.click(".game-dialog .main")
        wait_for(page, "document.querySelector('.game-dialog') === null")
    wait_for(page, END)


@pytest.mark.parametrize(("games", "begun", "growth"), [GAMES[0], pytest.param(*GAMES[1], marks=pytest.mark.slow)])
def test_a_page_keeps_nothing_of_the_games_that_are_over(
    browser: Browser, server: Served, games: int, begun: int, growth: float
) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        page.emulate_media(reduced_motion="reduce")
        session = ben.context.new_cdp_session(page)
        session.send("Performance.enable")
        sit_down(page, server, "Ben", f"Halde {games}", "maumau")
        page.evaluate(
            "EventBus.emit('lobbyView:options', {options: {players: 2, rounds: 1, hand: 3, stacking: false,"
            " wish_on_wish: false, play_drawn: false}})"
        )
        wait_for(page, "State.snapshot.public_state.table_options.options.hand === 3")
        before: dict[str, float] = {}
        for number in range(games):
            play_a_game(page, number)
            if number == begun:
                before = kept(session)
        after = kept(session)
        assert {name: (before[name], after[name]) for name in after if after[name] > before[name] * growth} == {}
