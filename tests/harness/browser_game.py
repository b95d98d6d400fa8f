"""Plays a game in a real browser at a server that runs: ``python tests/harness/browser_game.py ADDRESS GAME``."""

from __future__ import annotations

import argparse

from browser import DESKTOP, MINE, OFFERS, chromium, name_table, start, visitor, wait_for

#: Whether the game is over and its result shown.
OVER = "document.querySelector('.game-dialog') !== null"


def play(address: str, game: str) -> tuple[int, str]:
    """Sit down at a table of one's own and tap what it offers first, until the game is over.

    :param address: The server's address.
    :param game: The game.
    :result: How often the visitor moved, and what the result says first.
    """
    with chromium() as browser, visitor(browser, DESKTOP) as guest:
        page = guest.page
        page.goto(address)
        name_table(page, "Gast", f"Probe {game}", game)
        page.wait_for_selector("#lobby-view")
        start(page)
        moves = 0
        while True:
            wait_for(page, f"({MINE}) || {OVER}")
            if page.evaluate(OVER):
                return moves, page.locator(".game-dialog h2").inner_text()
            number = page.evaluate("State.snapshot.number")
            page.locator(OFFERS).first.click()
            wait_for(page, f"State.snapshot.number > {number}")
            moves += 1


def main() -> int:
    """Run the command.

    :result: Its exit code.
    """
    parser = argparse.ArgumentParser(description="Plays a game in a real browser.")
    parser.add_argument("address", metavar="ADDRESS", help="the server's address")
    parser.add_argument("game", metavar="GAME", help="the game")
    options = parser.parse_args()
    moves, result = play(options.address, options.game)
    print(f"A game of {options.game} in the browser: {moves} moves, then it says: {result}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
