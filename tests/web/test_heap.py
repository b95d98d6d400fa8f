"""What a page keeps of the games that were played at it: nothing."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from browser import PHONE, sit_down, start, visitor, wait_for
from serving import Served

#: Plays the safest move, once in each state, and again if the server says nothing.
PLAY: Final = """() => window.setInterval(() => {
    const {public_state: {is_running, awaiting}, me, choices: {legal}} = State.snapshot;
    const isNew = State.snapshot !== window.seen || performance.now() > window.sent + 1000;
    if (isNew && is_running && awaiting.includes(me) && legal.length > 0) {
        Object.assign(window, {seen: State.snapshot, sent: performance.now()});
        EventBus.emit('tableView:move', {move: legal[0]});
    }
}, 30)"""
END: Final = "document.querySelector('.game-dialog .share-story') !== null"
#: After how many games the page has all that it needs, and how much it may grow from then on.
BEGUN: Final = 3
GROWTH: Final = 1.05


def kept(session: CDPSession) -> dict[str, float]:
    """Measure what a page keeps, without rubbish."""
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    metrics: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
    wanted = ("JSHeapUsedSize", "Nodes", "JSEventListeners")
    return {metric["name"]: metric["value"] for metric in metrics if metric["name"] in wanted}


def play_a_game(page: Page, number: int) -> None:
    """Play a game to its end, by a rematch from the second on."""
    if number == 0:
        page.evaluate(PLAY)
        start(page)
    else:
        page.click(".game-dialog .main")
        wait_for(page, "document.querySelector('.game-dialog') === null")
    wait_for(page, END)


@pytest.mark.parametrize("games", [10, pytest.param(50, marks=pytest.mark.slow)])
def test_a_page_keeps_nothing_of_the_games_that_are_over(browser: Browser, server: Served, games: int) -> None:
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
            if number == BEGUN:
                before = kept(session)
        after = kept(session)
        assert {name: (before[name], after[name]) for name in after if after[name] > before[name] * GROWTH} == {}
