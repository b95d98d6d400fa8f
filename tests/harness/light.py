"""Measures how light the web client is: what it loads, how soon the first card lies, and how much moves.

For each game a new visitor opens the entrance on a slow line with a slow processor, taps on a game to play alone, and
waits for the first card: ``PYTHONPATH=tests/harness:bin .venv/bin/python tests/harness/light.py``, with the names of
games, or for all. The figures are those of this machine: nothing else should run on it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, CDPSession

from browser import MINE, PHONE, chromium, visitor, wait_for, weigh
from serving import Served, serving
from tisch.games import REGISTRY

#: A slow line: bytes in a second, and the milliseconds until an answer; how much slower the processor is.
LINE: Final = 400_000 / 8
DELAY: Final = 400
SLOWER: Final = 4
#: What is played with.
CARD: Final = ".hand-card, .slot .tile, .slot svg, .room, .plain-hand button"
#: Adds up what moves without having been touched, by the measure of browsers.
SHIFTS: Final = """window.shifts = 0;
new PerformanceObserver(list => {
    for (const {value, hadRecentInput} of list.getEntries()) {
        window.shifts += hadRecentInput ? 0 : value;
    }
}).observe({type: 'layout-shift', buffered: true});"""


def slow_down(session: CDPSession) -> None:
    """Give a page a slow line and a slow processor.

    :param session: The session of the debugger.
    """
    line = {"offline": False, "latency": DELAY, "downloadThroughput": LINE, "uploadThroughput": LINE}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", line)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def measure(browser: Browser, server: Served, game: str) -> list[str]:
    """Play a game alone, as somebody who comes for the first time.

    :param browser: The browser.
    :param server: The server.
    :param game: The game.
    :result: The figures: bytes of the entrance and of all, seconds from the tap to the first card, what has moved.
    """
    with visitor(browser, PHONE) as one:
        page, sizes = one.page, weigh(one)
        page.add_init_script(SHIFTS)
        slow_down(one.context.new_cdp_session(page))
        begun = time.monotonic()
        page.goto(server.address)
        page.wait_for_selector(f".game-card[data-game={game}] .game-alone:enabled")
        seen = time.monotonic() - begun
        page.wait_for_load_state("networkidle")
        entrance = sum(sizes)
        begun = time.monotonic()
        page.click(f".game-card[data-game={game}] .game-alone")
        page.locator(CARD).first.wait_for()
        first = time.monotonic() - begun
        wait_for(page, MINE)
        page.wait_for_timeout(3000)
        moved = page.evaluate("window.shifts")
        page.evaluate("Network.send('leave')")
    return [f"{entrance / 1024:.0f}", f"{sum(sizes) / 1024:.0f}", f"{seen:.1f}", f"{first:.1f}", f"{moved:.3f}"]


def main(games: Sequence[str]) -> None:
    """Measure, and print a table.

    :param games: The games; all, if there is none.
    """
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, serving(Path(folder)) as server:
        print("game            entrance KiB  all KiB  entrance s  first card s  layout shift")
        for game in games or REGISTRY:
            entrance, everything, seen, first, moved = measure(browser, server, game)
            print(f"{game:<16}{entrance:>12}{everything:>9}{seen:>12}{first:>14}{moved:>14}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
