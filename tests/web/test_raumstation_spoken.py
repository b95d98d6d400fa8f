"""Raumstation without eyes: a whole game by keys alone, from the names of the rooms and from what is announced.

The player here knows nothing else: no state of the page, no picture, no class of an element. What it knows of the
station it has walked to or heard, and what is safe it works out for itself.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, failed, sit_down, start, visitor, wait_for
from serving import Served
from waiting import until

KEYS: Final = ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft")
ROOM: Final = re.compile(r"Zeile (\d+), Spalte (\d+): (.+)")
NUMBER: Final = re.compile(r"offen, Fallen daneben: (\d)")
WAY: Final = re.compile(r"Nach [a-z ]+: (Zeile \d+, Spalte \d+): ([^.]+)\.")
SCANNED: Final = re.compile(r"Zeile (\d+), Spalte (\d+) – Fallen daneben: (\d)\.")
TOLD: Final = re.compile(r"JOKER: Der Raum in Zeile (\d+) an Spalte (\d+) ist (ein sicherer Raum\.|eine Falle!)")
#: Keeps all that is announced, as the log of a screen reader does.
LISTEN: Final = """() => {
    window.heard = [];
    EventBus.on('network:message', ({type}) => { window.isWhole = type === 'view'; });
    new MutationObserver(changes => changes.forEach(({addedNodes}) => addedNodes.forEach(node => {
        window.heard.push(node.textContent);
    }))).observe(document.getElementById('announcer'), {childList: true});
}"""

Place = tuple[int, int]


class Listener:
    """A player who hears the page and presses keys.

    :ivar steps: Where each key leads from each room.
    :ivar near: The rooms to which the corridors of a room lead.
    :ivar numbers: The numbers of the open rooms.
    :ivar traps: Each room that is known as a trap, or as safe, without being open.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.steps: dict[Place, dict[str, Place]] = {}
        self.near: dict[Place, list[Place]] = {}
        self.numbers: dict[Place, int] = {}
        self.traps: dict[Place, bool] = {}
        self.used = 0
        page.evaluate(LISTEN)

    def name(self) -> str:
        """Return the name of what has the focus."""
        text: str = self.page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent")
        return text

    def here(self) -> Place:
        found = ROOM.fullmatch(self.name())
        assert found, self.name()
        return int(found[1]), int(found[2])

    def hear(self) -> list[str]:
        """Return what was announced since the last time, and learn from it."""
        lines: list[str] = self.page.evaluate("window.heard")
        new, self.used = lines[self.used :], len(lines)
        for line in new:
            if found := SCANNED.fullmatch(line):
                self.numbers[int(found[1]), int(found[2])] = int(found[3])
            elif found := TOLD.fullmatch(line):
                self.traps[int(found[1]), int(found[2])] = found[3].startswith("eine")
        return new

    def has_heard_of(self, places: list[Place]) -> bool:
        """Return whether all rooms are known to be open."""
        self.hear()
        return all(place in self.numbers for place in places)

    def wait(self, part: str) -> None:
        """Wait until something is announced, and all that came with it: perhaps the game is over."""
        for _ in until(lambda: any(part in line for line in self.hear()), never=failed(self.page)):
            pass
        self.settle()

    def settle(self) -> None:
        """Wait until all that a move has led to is here: the view comes last."""
        wait_for(self.page, "window.isWhole")

    def look(self) -> None:
        """Learn all about the room that has the focus."""
        here, what = self.here(), self.name().partition(": ")[2]
        if found := NUMBER.fullmatch(what):
            self.numbers[here] = int(found[1])
        elif what == "sicher":
            self.traps[here] = False
        self.page.keyboard.press("n")
        told = self.hear()[-1]
        assert told.startswith(self.name()), told
        places = [ROOM.fullmatch(f"{place}: {state}") for place, state in WAY.findall(told)]
        self.near[here] = [(int(place[1]), int(place[2])) for place in places if place]

    def explore(self) -> None:
        """Walk to all rooms by the arrows."""
        self.page.keyboard.press("ArrowUp")
        while True:
            here = self.here()
            if here not in self.steps:
                self.steps[here] = {}
                self.look()
            way = self._way(lambda place: len(self.steps[place]) < len(KEYS))
            if way is None:
                return
            for key in way:
                self.page.keyboard.press(key)
            here = self.here()
            key = KEYS[len(self.steps[here])]
            self.page.keyboard.press(key)
            self.steps[here][key] = self.here()

    def _way(self, is_goal: Callable[[Place], bool]) -> list[str] | None:
        waiting: deque[tuple[Place, list[str]]] = deque([(self.here(), [])])
        seen = {self.here()}
        while waiting:
            place, keys = waiting.popleft()
            if is_goal(place):
                return keys
            for key, there in self.steps.get(place, {}).items():
                if there not in seen and there in self.steps:
                    seen.add(there)
                    waiting.append((there, [*keys, key]))
        return None

    def go(self, goal: Place) -> None:
        way = self._way(lambda place: place == goal)
        assert way is not None
        for key in way:
            self.page.keyboard.press(key)
        assert self.here() == goal

    def unknown(self) -> list[Place]:
        """Return the rooms of which nothing is known."""
        return sorted(place for place in self.steps if place not in {*self.numbers, *self.traps})

    def chances(self) -> dict[Place, float]:
        """Return how often each unknown room beside an open one holds a trap, in all arrangements alike."""
        unknown = [place for place in self.unknown() if any(place in self.near[room] for room in self.numbers)]
        needs = {
            room: number - sum(self.traps.get(place, False) for place in self.near[room])
            for room, number in self.numbers.items()
        }
        counts = dict.fromkeys(unknown, 0)
        total = 0
        for traps in self._arrangements(unknown, needs):
            total += 1
            for place in traps:
                counts[place] += 1
        return {place: count / total for place, count in counts.items()}

    def _arrangements(self, unknown: list[Place], needs: dict[Place, int]) -> Iterator[frozenset[Place]]:
        if not unknown:
            yield frozenset()
            return
        first, *rest = unknown
        for is_trap in (False, True):
            left = {room: need - is_trap * (first in self.near[room]) for room, need in needs.items()}
            open_ends = {room: sum(place in rest for place in self.near[room]) for room in left}
            if all(0 <= need <= open_ends[room] for room, need in left.items()):
                for others in self._arrangements(rest, left):
                    yield others | {first} if is_trap else others

    def mark(self, place: Place) -> None:
        self.traps[place] = True
        self.go(place)
        self.page.keyboard.press("f")
        self.wait(f"Zeile {place[0]}, Spalte {place[1]} markiert.")

    def scan(self, place: Place) -> None:
        self.go(place)
        self.page.keyboard.press("Enter")
        self.wait(f"Zeile {place[0]}, Spalte {place[1]} – ")

    def ask(self, place: Place) -> None:
        self.go(place)
        self.page.keyboard.press("j")
        self.page.keyboard.press("Enter")
        self.wait("JOKER")
        # Where the focus is, the room says so, too.
        wait_for(self.page, "!document.activeElement.ariaLabel.endsWith('unbekannt')")

    def scan_around(self) -> bool:
        """Press Enter on an open number round which all traps are known and something else is not."""
        for room, number in self.numbers.items():
            known = sum(self.traps.get(place, False) for place in self.near[room])
            left = [place for place in self.near[room] if place not in self.numbers and not self.traps.get(place)]
            if number == known and number and left:
                self.go(room)
                # A room that was opened this moment takes no second press.
                for _ in until(partial(self.has_heard_of, left)):
                    self.page.keyboard.press("Enter")
                self.settle()
                return True
        return False


def act(player: Listener) -> bool:
    """Do what is certain, or ask a joker; return whether a number was used to scan the rest round it."""
    chances = player.chances()
    for place, chance in chances.items():
        if chance == 1:
            player.mark(place)
    if player.scan_around():
        return True
    safe = [place for place, chance in chances.items() if chance == 0]
    safe += [place for place, is_trap in player.traps.items() if not is_trap and place not in player.numbers]
    if safe:
        player.scan(safe[0])
    elif unknown := player.unknown():
        player.ask(min(unknown, key=lambda place: abs(chances.get(place, 0) - 0.5)))
    return False


def test_an_easy_station_is_solved_by_ear(browser: Browser, server: Served) -> None:
    with visitor(browser, DESKTOP) as ben:
        page = ben.page
        sit_down(page, server, "Ben", "Nach Gehör", "raumstation")
        page.click("#preset-easy")
        expect(page.locator("#preset-easy")).to_have_attribute("aria-pressed", "true")
        start(page)
        wait_for(page, "document.querySelector('.is-ours') !== null")
        player = Listener(page)
        player.explore()
        assert all(place in player.steps for places in player.near.values() for place in places)
        chords = 0
        for _ in until(lambda: player.name() == "Geschafft!", 300, failed(page)):
            chords += act(player)
        assert chords
