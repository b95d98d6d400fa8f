"""A program and a browser at one table: what the program is told in bytes is what the browser shows.

The bytes and names of the suits are those of the seeds; nothing here asks the package what they mean.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
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
#: A seed by which Karo is trump in Sechsundsechzig's first deal, and Kreuz in its second.
KARO_THEN_KREUZ: Final = 0
#: How long a game may take, in seconds.
PATIENCE: Final = 300


class Program:
    """A guest on a socket, which is heard when it is asked for.

    :ivar said: All bytes that it was told.
    """

    def __init__(self, guest: Any, port: int) -> None:
        self.guest = guest
        self.said = b""
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(0.05)
        guest.opened()
        self.flush()

    def flush(self) -> None:
        self.socket.sendall(bytes(self.guest.outgoing))
        self.guest.outgoing.clear()

    def hear(self) -> bool:
        """Hear what has come; tells whether there was anything."""
        try:
            data = self.socket.recv(65536)
        except TimeoutError:
            return False
        self.said += data
        self.guest.received(data)
        self.flush()
        return bool(data)

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
    read, seen = 0, set[str]()
    with seated(browser, tmp_path, "maumau", MauMauGuest("Programm"), "--maumau-rounds", "2") as (program, page):
        for _ in until(lambda: program.guest.over, PATIENCE, failed(page)):
            while program.hear():
                pass
            tops = [laid(one) for one in reader.read(program.said[read:]) if one.kind in ("play", "stack")]
            read = len(program.said)
            if tops and not program.guest.over:
                seen.add(tops[-1])
                wait_until(lambda wanted=tops[-1]: top(page) == wanted)
            if not program.move():
                tap(page)
    assert {card[0] for card in seen} == set(SIGNS.values())


def test_the_browser_shows_the_cards_that_a_world_is_told(browser: Browser, tmp_path: Path) -> None:
    reader = data.Reader()
    read, trumps, tricks = 0, set[str](), set[str]()
    guest = WorldGuest("Welt")
    with seated(browser, tmp_path, "sechsundsechzig", guest, seed=KARO_THEN_KREUZ) as (program, page):
        deck = page.locator(".deck")
        worlds: list[Any] = []
        seen: list[list[str]] = []

        def has_seen_enough() -> bool:
            return {"Karo", "Kreuz"} <= trumps and len({card.split()[0] for card in tricks}) == 4

        for _ in until(has_seen_enough, PATIENCE, failed(page)):
            while program.hear():
                pass
            worlds += reader.read(program.said[read:])
            read = len(program.said)
            if not worlds:
                continue
            world = worlds[-1]
            if program.guest.legal and "Won" not in str(world[0]) and "Lost" not in str(world[0]):
                # Of its fifteen elements, the tenth is the last trick, and the fourteenth the trump.
                trick = [f"{colour} {name.replace('10', 'Zehn').replace('9', 'Neun')}" for colour, name, *_ in world[9]]
                trumps.add(world[13])
                tricks.update(trick)
                wait_until(lambda name=world[13]: name in (deck.get_attribute("aria-label") or ""))
                if trick and trick not in seen:
                    seen.append(trick)
                    wait_until(lambda wanted=trick: last_trick(page) == wanted)
            if not program.move():
                tap(page)
