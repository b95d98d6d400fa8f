"""A program and a browser at one table: what the program is told in bytes is what the browser shows.

The bytes and names of the suits are those of the seeds; nothing here asks the package what they mean.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page

from browser import DESKTOP, MINE, OFFERS, TABLE, failed, visitor, wait_for
from ports import reserved_port
from serving import serving
from tisch.wires.maumau.codec import TO_CLIENT, Message, Reader
from tisch.wires.maumau.guest import MauMauGuest
from tisch.wires.sechsundsechzig import data
from tisch.wires.sechsundsechzig.guest import WorldGuest
from waiting import until, wait_until

#: Mau-Mau's bytes: ♦ 31, ♥ 41, ♣ 15, ♠ 92, and the ranks from 07 to 0E.
SIGNS: Final = {0x31: "♦", 0x41: "♥", 0x15: "♣", 0x92: "♠"}
RANKS: Final = {7: "7", 8: "8", 9: "9", 10: "10", 11: "B", 12: "D", 13: "K", 14: "A"}
#: Sechsundsechzig's names.
NAMES: Final = {"Karo": "♦", "Herz": "♥", "Kreuz": "♣", "Pik": "♠"}
LETTERS: Final = {"Ass": "A", "10": "10", "König": "K", "Dame": "D", "Bube": "B", "9": "9"}
#: How the browser calls the ranks, in German.
CALLED: Final = {"Sieben": "7", "Acht": "8", "Neun": "9", "Zehn": "10", **LETTERS}
#: How it calls those that Sechsundsechzig's names write in digits.
CALLS: Final = {"9": "Neun", "10": "Zehn"}
#: A seed by which Karo is trump in Sechsundsechzig's first deal, and Kreuz in its second.
KARO_THEN_KREUZ: Final = 0
#: How long a game may take, in seconds.
PATIENCE: Final = 300


class Program:
    """A guest on a socket, which is heard when it is asked for."""

    def __init__(self, guest: Any, port: int) -> None:
        self.guest = guest
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(0.05)
        guest.opened()
        self.flush()

    def flush(self) -> None:
        self.socket.sendall(bytes(self.guest.outgoing))
        self.guest.outgoing.clear()

    def hear(self) -> bytes:
        """Hear all that has come.

        :result: Its bytes.
        """
        said = b""
        with suppress(TimeoutError):
            while data := self.socket.recv(65536):
                said += data
                self.guest.received(data)
                self.flush()
        return said

    def move(self) -> bool:
        """Make the first legal move if it is this program's turn."""
        if not self.guest.legal:
            return False
        self.guest.play(self.guest.legal[0])
        self.flush()
        return True


@contextmanager
def seated(
    browser: Browser, folder: Path, game: str, guest: Any, *flags: str, seed: int = 1
) -> Iterator[tuple[Program, Page]]:
    """A program and a browser at the table that programs of a game are led to; the game's seed is chosen."""
    with (
        reserved_port() as port,
        serving(folder, f"--{game}", port, *flags, seed=seed) as server,
    ):
        program = Program(guest, port)
        try:
            with visitor(browser, DESKTOP) as ben:
                ben.page.emulate_media(reduced_motion="reduce")
                wait_until(lambda: server.get("/api/tables")["tables"])
                ben.page.goto(server.address)
                ben.page.fill("#login-name", "Ben")
                ben.page.click(".table-row .main")
                ben.page.wait_for_selector(TABLE)
                yield program, ben.page
        finally:
            program.socket.close()


def last_trick(page: Page) -> list[str]:
    """The last trick, as the browser shows it on request."""
    page.evaluate("document.querySelector('.tricks').click()")
    dialog = page.locator(".trick-dialog")
    cards = (dialog.locator(".result-cards").get_attribute("aria-label") or "").split(", ")
    dialog.locator("button").click()
    return cards


def top(page: Page) -> str:
    """The top card of the pile, as it is seen."""
    name = page.locator(".pile").get_attribute("aria-label") or ""
    suit, rank = name.removeprefix("Oben liegt ").split(" ")
    return NAMES[suit] + CALLED[rank]


def read_on(page: Page) -> None:
    """Close the result of a round; until then the browser shows nothing else."""
    page.evaluate("document.querySelector('.round-dialog .main')?.click()")


def tap(page: Page) -> bool:
    """Tap the first thing that may be done, if it is the browser's turn."""
    if not page.evaluate(MINE):
        return False
    number = page.evaluate("State.snapshot.number")
    page.locator(OFFERS).first.dispatch_event("click")
    wait_for(page, f"State.snapshot.number > {number}")
    return True


def laid(message: Message) -> str:
    """The card of a message as its bytes say it."""
    _, colour, rank = TO_CLIENT.write(message.kind, message.value)
    return SIGNS[colour] + RANKS[rank]


def test_the_browser_shows_the_cards_that_a_program_of_maumau_is_told(browser: Browser, tmp_path: Path) -> None:
    reader = Reader(TO_CLIENT)
    seen, tops = set[str](), list[str]()
    with seated(browser, tmp_path, "maumau", MauMauGuest("Programm"), "--maumau-rounds", "2") as (program, page):

        def is_shown() -> bool:
            """Is what the program was told last, perhaps this moment, what the browser shows?"""
            tops.extend(laid(one) for one in reader.read(program.hear()) if one.kind in ("play", "stack"))
            read_on(page)
            return program.guest.over or not tops or top(page) == tops[-1]

        for _ in until(lambda: program.guest.over, PATIENCE, failed(page)):
            wait_until(is_shown)
            seen.update([] if program.guest.over else tops[-1:])
            if not program.move():
                tap(page)
    assert {card[0] for card in seen} == set(SIGNS.values())


def test_the_browser_shows_the_cards_that_a_world_is_told(browser: Browser, tmp_path: Path) -> None:
    reader = data.Reader()
    trumps, tricks = set[str](), set[str]()
    guest = WorldGuest("Welt")
    with seated(browser, tmp_path, "sechsundsechzig", guest, seed=KARO_THEN_KREUZ) as (program, page):
        deck = page.locator(".deck")
        worlds: list[Any] = []
        seen: list[list[str]] = []

        def has_seen_enough() -> bool:
            return {"Karo", "Kreuz"} <= trumps and len({card.split()[0] for card in tricks}) == 4

        def is_shown() -> bool:
            """Is what the program was told last, perhaps this moment, what the browser shows?"""
            worlds.extend(reader.read(program.hear()))
            read_on(page)
            if not worlds or not program.guest.legal or re.search("Won|Lost", str(worlds[-1][0])):
                return True
            # Of its fifteen elements, the tenth is the last trick, and the fourteenth the trump.
            trick = [f"{colour} {CALLS.get(name, name)}" for colour, name, *_ in worlds[-1][9]]
            trumps.add(worlds[-1][13])
            tricks.update(trick)
            if worlds[-1][13] not in (deck.get_attribute("aria-label") or ""):
                return False
            if trick and trick not in seen:
                if last_trick(page) != trick:
                    return False
                seen.append(trick)
            return True

        for _ in until(has_seen_enough, PATIENCE, failed(page)):
            wait_until(is_shown)
            if not program.move():
                tap(page)
