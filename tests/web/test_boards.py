"""Boards on the plain table in a real browser: whole games by taps, and by keys alone, and what is heard of them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser import (
    DESKTOP,
    MINE,
    far_sighted,
    lost_presses,
    resize,
    serious,
    sit_down,
    small_targets,
    start,
    unseen_choices,
    visitor,
    wait_for,
)
from night import later
from places import ROOT
from serving import Served, serving
from tisch.game import Random
from tisch.language import LANGUAGES

PHONE: Final = (390, 844)
LYING: Final = (844, 390)
EXAMPLES: Final = ("connect_four", "battleships")
OVER: Final = "document.querySelector('dialog .result') !== null"
#: Whether the game waits for the visitor alone: both may place their ships at the same time, and what the other places
#: counts like one's own move.
ALONE: Final = "State.snapshot.public_state.awaiting.every(seat => seat === State.snapshot.me)"
#: The least size of a target that stands among others (WCAG 2.2, 2.5.8).
LEAST: Final = 24
#: What a board shows, by its field: the words of its cells as they are read out.
HEARD: Final = """field => [...document.querySelectorAll(`[data-field="${field}"] .row`)].slice(1).map(row =>
    [...row.querySelectorAll('.cell')].map(cell => cell.getAttribute('aria-label')))"""


#: A game in which a cell alone does not tell what is put there, and in which one may pass.
WILD: Final = """
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from msgspec import Struct
from tisch.game import Chance, Event, Game, IllegalMove, Information, Outcome, State
from tisch.language import Vocabulary
from tisch.look import GameLook, Glyph, Grid, Names, Reading

CELLS, SIGNS = ("a1", "b1", "a2", "b2"), ("cross", "nought")

@dataclass(frozen=True)
class Options:
    pass

class Move(NamedTuple):
    text: str
    def __str__(self):
        return self.text

class View(Struct, frozen=True):
    board: tuple[tuple[str, ...], ...]

class Wild(State):
    def __init__(self, listener=None):
        self.seats, self.cells, self.turn, self.listener = 2, {}, 0, listener
        if listener:
            listener(Event("started"))
    def awaiting(self):
        return [self.turn % 2] if len(self.cells) < 4 else []
    def legal(self, seat):
        puts = [f"put {cell} {sign}" for cell in CELLS for sign in SIGNS if cell not in self.cells]
        return [Move(text) for text in [*puts, "pass"]] if seat in self.awaiting() else []
    def play(self, seat, move):
        if move not in self.legal(seat):
            raise IllegalMove(f"'{move}' is not possible now.")
        if move.text != "pass":
            self.cells[move.text[4:6]] = move.text[7:]
        self.turn += 1
        if self.listener:
            self.listener(Event("done", {"seat": seat}))
    def view(self, seat):
        return View(tuple(tuple(self.cells.get(c + r, "") for c in "ab") for r in "12"))
    def outcome(self):
        return None if self.awaiting() else Outcome((0, 0), (0, 0), "All is full.")
    def copy(self):
        other = Wild()
        other.cells, other.turn = {**self.cells}, self.turn
        return other
    def resample(self, seat, random):
        return self.copy()

class WildGame(Game):
    name, title, Options = "wild", "Wild", Options
    information, chance = Information.PERFECT, Chance.NONE
    vocabulary = Vocabulary(Path(__file__).parent)
    look = GameLook(
        fields={"board": Reading.GRID},
        glyphs={"cross": Glyph("✕", "red"), "nought": Glyph("○", "blue")},
        grids={"board": Grid(moves={"put": (Names.CELL, Names.NOTHING)})},
    )
    def sides(self, options):
        return ((0,), (1,))
    def new(self, options, seed, listener=None):
        return Wild(listener)
    def parse(self, text):
        return Move(text)

GAME = WildGame()
"""
WORDS: Final = {
    "verbs": {"put": "Put", "pass": "Pass"},
    "moves": {"put": "Put a {2} on {1}", "pass": "Pass"},
    "fields": {"board": "Board"},
    "events": {"started": "", "done": "{name} has moved."},
    "outcomes": {"All is full.": "All is full."},
    "words": {"cross": "cross", "nought": "nought"},
}


#: Cells and buttons that no finger reaches, wherever the table is scrolled to.
UNREACHED: Final = """() => [...document.querySelectorAll('.view button:enabled')].filter(button => {
    button.scrollIntoView({block: 'center', inline: 'center'});
    const {left, top, width, height} = button.getBoundingClientRect();
    return button.checkVisibility() && !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map(button => button.ariaLabel ?? button.textContent)"""
BOXES: Final = """all => all.map(one => one.getBoundingClientRect())
    .map(({left, top, right, bottom}) => [left, top, right, bottom])"""


@pytest.fixture(scope="module")
def boards_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server in a folder with games on boards."""
    folder = tmp_path_factory.mktemp("boards")
    (folder / "wild").mkdir()
    (folder / "wild" / "__init__.py").write_text(WILD, encoding="utf-8")
    for language in LANGUAGES:
        (folder / "wild" / f"{language}.json").write_text(json.dumps(WORDS), encoding="utf-8")
    for name in EXAMPLES:
        shutil.copytree(ROOT / "examples" / name, folder / name)
    games = " ".join(f"{name}:GAME" for name in (*EXAMPLES, "wild"))
    with serving(folder, "--games", games, "--pause", "0", seed=7) as server:
        yield server


@contextmanager
def playing(
    browser: Browser, server: Served, game: str, table: str, size: tuple[int, int], *, locale: str = "en-GB"
) -> Iterator[Page]:
    """Play a game alone with the agent of chance."""
    with visitor(browser, size, locale) as ben:
        page = ben.page
        sit_down(page, server, "Ben", table, game)
        page.evaluate("Network.send('set_options', {agent: 'random'})")
        start(page)
        wait_for(page, f"{MINE} && {ALONE} && document.querySelector('.cell.is-lit') !== null")
        yield page
        page.evaluate("Network.send('leave')")


def number(page: Page) -> int:
    found: int = page.evaluate("State.snapshot.number")
    return found


def made(page: Page, before: int) -> None:
    """Wait until a move was made and the next one can be, or the game is over."""
    mine = f"{MINE} && {ALONE} && document.querySelector('.is-lit')"
    wait_for(page, f"State.snapshot.number > {before} && ({mine} || {OVER})")


def is_fitting(page: Page, cells: str = ".cell") -> bool:
    """Are all of these cells within the window, and does nothing lie on them?"""
    script = """cells => [...document.querySelectorAll(cells)].every(cell => {
        const {left, top, right, bottom} = cell.getBoundingClientRect();
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && cell.contains(at);
    })"""
    fits: bool = page.evaluate(script, cells)
    return fits


def test_a_whole_game_is_played_by_taps(browser: Browser, boards_server: Served) -> None:
    random = Random(3, "taps")
    with playing(browser, boards_server, "connectfour", "Taps", PHONE) as page:
        assert page.locator(".cell").count() == 42
        assert (serious(page), small_targets(page, LEAST), unseen_choices(page)) == ([], [], [])
        assert is_fitting(page)
        # The first column is as good as any other.
        before = number(page)
        page.locator("[data-field=board] .cell").first.tap()
        made(page, before)
        assert page.evaluate(HEARD, "board")[-1][0] == "1a: red disc"
        assert lost_presses(page, "table.turn = 1") == []
        while wait_for(page, f"({OVER}) ? 'over' : {MINE}", 300) != "over":
            lit = page.locator(".cell.is-lit")
            before, at = number(page), random.below(lit.count())
            label = lit.nth(at).get_attribute("aria-label") or ""
            lit.nth(at).tap()
            made(page, before)
            expect(page.locator(".log")).to_contain_text(f"You drop a disc into column {label[0]}.")
        told = [cell.split(": ")[1] for row in page.evaluate(HEARD, "board") for cell in row]
        shown = page.evaluate("State.snapshot.private_state.board.flat()")
        assert told == [{"": "empty", "red": "red disc", "yellow": "yellow disc"}[word] for word in shown]
        expect(page.locator("dialog")).to_contain_text("row")


def test_a_whole_game_is_played_by_keys_alone(browser: Browser, boards_server: Served) -> None:
    with playing(browser, boards_server, "battleships", "Keys", DESKTOP, locale="de-DE") as page:
        focused = "document.activeElement.getAttribute('aria-label')"
        expect(page.locator("h1")).to_have_text("Schiffe versenken")
        while not str(page.evaluate(focused)).startswith("a1: "):
            page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.board').dataset.field") == "own"
        # From its first cell to its last, each ship in a row of its own.
        for row, last in enumerate("cbb"):
            before = number(page)
            go(page, f"a{row + 1}")
            page.keyboard.press("Enter")
            assert page.locator(".cell[aria-pressed=true]").get_attribute("aria-label") == f"a{row + 1}: Wasser"
            assert unseen_choices(page) == []
            go(page, f"{last}{row + 1}")
            page.keyboard.press(" " if row else "Enter")
            made(page, before)
            assert page.locator(".cell[aria-pressed]").count() == 0
            expect(page.locator(".log")).to_contain_text(f"Dein Schiff liegt von a{row + 1} bis {last}{row + 1}.")
        assert [row[0] for row in page.evaluate(HEARD, "own")][:3] == ["a1: Schiff", "a2: Schiff", "a3: Schiff"]
        assert serious(page) == []
        while page.evaluate("document.activeElement.closest('.board').dataset.field") == "own":
            page.keyboard.press("Tab")
        cells = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]
        for cell in cells:
            if page.evaluate(OVER):
                break
            before = number(page)
            go(page, cell)
            page.keyboard.press("Enter")
            made(page, before)
        expect(page.locator("dialog")).to_contain_text("versenkt.")


def go(page: Page, cell: str) -> None:
    """Lead the focus to a cell by arrow keys."""
    at = str(page.evaluate("document.activeElement.getAttribute('aria-label')"))[:2]
    across, down = ord(cell[0]) - ord(at[0]), int(cell[1]) - int(at[1])
    for key, steps in (("Right", across), ("Left", -across), ("Down", down), ("Up", -down)):
        for _ in range(steps):
            page.keyboard.press(f"Arrow{key}")
    assert str(page.evaluate("document.activeElement.getAttribute('aria-label')")).startswith(f"{cell}: ")


def test_keys_lead_to_the_edges_and_corners(browser: Browser, boards_server: Served) -> None:
    with playing(browser, boards_server, "battleships", "Edges", DESKTOP) as page:
        at = "document.activeElement.getAttribute('aria-label').slice(0, 2)"
        page.locator("[data-field=own] .cell").nth(8).focus()
        keys = ("End", "PageDown", "Home", "PageUp", "ArrowLeft", "ArrowUp", "Control+End", "ArrowDown", "Control+Home")
        found = []
        for key in keys:
            page.keyboard.press(key)
            found.append(page.evaluate(at))
        assert found == ["f2", "f6", "a6", "a1", "a1", "a1", "f6", "f6", "a1"]
        # The tab key leads to one cell of each board.
        assert page.locator(".cell[tabindex='0']").count() == 2


def test_a_cell_is_put_back_or_exchanged_and_a_wrong_one_does_nothing(browser: Browser, boards_server: Served) -> None:
    with playing(browser, boards_server, "battleships", "Back", PHONE) as page:

        def cell(label: str) -> Locator:
            return page.locator(f"[data-field=own] .cell[aria-label^='{label}:']")

        before = number(page)
        # No ship begins in the corner, and the other sea is nobody's place for ships.
        cell("f6").tap(force=True)
        page.locator("[data-field=other] .cell").first.tap(force=True)
        assert page.locator(".cell[aria-pressed]").count() == 0
        assert cell("f6").get_attribute("aria-disabled") == "true"
        cell("b2").tap()
        lit = page.locator(".cell.is-lit").evaluate_all("all => all.map(one => one.ariaLabel.slice(0, 2))")
        assert lit == ["d2", "b4"]
        cell("b2").tap()
        assert page.locator(".cell[aria-pressed]").count() == 0
        # Where one cell is left for the last, it is tapped nonetheless.
        cell("d6").tap()
        assert page.locator(".cell.is-lit").count() == 1 and number(page) == before
        cell("b2").tap()
        cell("c3").tap()
        expect(page.locator(".cell[aria-pressed]")).to_have_attribute("aria-label", "c3: water")
        assert number(page) == before
        cell("e3").tap()
        made(page, before)
        assert [row[2:5] for row in page.evaluate(HEARD, "own")][2] == ["c3: ship", "d3: ship", "e3: ship"]


def test_a_move_that_reveals_nothing_is_taken_back(browser: Browser, boards_server: Served) -> None:
    with playing(browser, boards_server, "battleships", "Undo", PHONE) as page:
        undo = page.get_by_role("button", name="Undo")
        expect(undo).to_be_hidden()
        before = number(page)
        page.locator(".cell.is-lit").first.tap()
        page.locator(".cell.is-lit").first.tap()
        made(page, before)
        assert sum(cell.endswith(": ship") for row in page.evaluate(HEARD, "own") for cell in row) == 3
        assert serious(page) == [] and small_targets(page, LEAST) == []
        before = number(page)
        undo.tap()
        made(page, before)
        assert {cell[4:] for row in page.evaluate(HEARD, "own") for cell in row} == {"water"}
        expect(undo).to_be_hidden()


def test_who_watches_sees_the_boards_of_all_and_taps_nothing(browser: Browser, boards_server: Served) -> None:
    with playing(browser, boards_server, "battleships", "Watched", PHONE) as page:
        watching = "{...State.snapshot, me: -1, private_state: {}, choices: {legal: []}}"
        page.evaluate(f"ViewManager.current.render({watching})")
        assert page.locator(".board").evaluate_all("all => all.map(one => one.dataset.field)") == ["first", "second"]
        expect(page.locator(".board h2")).to_have_text(["The first sea", "The second sea"])
        assert page.locator(".cell").count() == page.locator(".cell[aria-disabled=true]").count() == 72


def test_what_a_cell_leaves_open_is_chosen_by_a_button(browser: Browser, boards_server: Served) -> None:
    with playing(browser, boards_server, "wild", "Wild", PHONE) as page:
        buttons = page.locator(".actions .button:not(.ask-hint)")
        assert buttons.all_text_contents() == ["Pass"]
        before = number(page)
        page.locator(".cell").first.tap()
        assert buttons.all_text_contents() == ["Put a cross on a1", "Put a nought on a1", "Pass"]
        # Another cell is chosen instead.
        page.locator(".cell").nth(3).tap()
        assert buttons.all_text_contents() == ["Put a cross on b2", "Put a nought on b2", "Pass"]
        assert serious(page) == [] and number(page) == before
        buttons.nth(1).tap()
        made(page, before)
        assert page.evaluate(HEARD, "board")[1][1] == "b2: nought"
        assert buttons.all_text_contents() == ["Pass"]


@pytest.mark.parametrize("game", later(("connectfour", "battleships"), ("battleships",)))
def test_boards_have_room_on_every_screen_and_are_read_as_grids(
    browser: Browser, boards_server: Served, game: str
) -> None:
    with playing(browser, boards_server, game, f"Room {game}", PHONE) as page:
        sizes = []
        for size in (PHONE, (360, 640), LYING, DESKTOP, (3840, 2160)):
            resize(page, size)
            assert is_fitting(page), size
            assert small_targets(page, LEAST) == [], size
            sizes.append(page.locator(".cell").first.evaluate("one => one.getBoundingClientRect().width"))
        # The larger the screen, the larger the cells.
        assert sizes[0] > 30 and sizes[3] > 80 and sizes[4] > 200
        boards = page.get_by_role("grid")
        assert boards.count() == page.locator(".board").count()
        shape = boards.first.evaluate("""one => [one.ariaLabel, [...one.children].map(row => [
            row.role, [...row.children].map(cell => cell.role[0]).join('')])]""")
        label, rows = shape
        width = page.locator(".board").first.locator(".row").nth(1).locator(".cell").count()
        assert label == {"connectfour": "Board", "battleships": "Your sea"}[game]
        assert rows == [["row", "c" * (width + 1)], *[["row", "r" + "g" * width]] * 6]
        assert serious(page) == []


@pytest.mark.parametrize("game", ["connectfour", "battleships"])
def test_large_letters_leave_boards_whole(browser: Browser, boards_server: Served, game: str) -> None:
    with (
        far_sighted(browser) as large,
        playing(large, boards_server, game, f"Large {game}", PHONE, locale="de-DE") as page,
    ):
        for size in (PHONE, DESKTOP):
            resize(page, size)
            assert page.evaluate(UNREACHED) == [], size
            boards, rest = (
                page.locator(parts).evaluate_all(BOXES) for parts in (".board", ".plain-own, .badges, .log")
            )
            apart = [
                [
                    min(right, other[2]) <= max(left, other[0]) + 1 or min(bottom, other[3]) <= max(top, other[1]) + 1
                    for other in rest
                ]
                for left, top, right, bottom in boards
            ]
            assert apart and all(map(all, apart)), size
            assert small_targets(page, LEAST) == []
        assert page.locator(".board .label").nth(1).evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 26


def test_a_hint_lights_its_cell(browser: Browser, boards_server: Served) -> None:
    with playing(browser, boards_server, "connectfour", "Hint", PHONE) as page:
        page.locator(".ask-hint").tap()
        page.wait_for_selector(".cell.is-hinted")
        labels = page.locator(".cell.is-hinted").evaluate_all("all => all.map(one => one.ariaLabel)")
        assert len(labels) == 6 and len({label[0] for label in labels}) == 1
        expect(page.locator(".hint-dialog h2")).to_have_text(f"Drop into column {labels[0][0]}")
        # The hint is beside what it is about.
        assert is_fitting(page, ".cell.is-hinted")
        # It is old as soon as something happens, though its move is still legal.
        before = number(page)
        page.locator(".cell.is-lit:not(.is-hinted)").first.tap()
        made(page, before)
        assert page.locator(".cell.is-hinted").count() == 0


def test_a_replay_shows_the_boards_move_by_move(browser: Browser, boards_server: Served) -> None:
    with playing(browser, boards_server, "connectfour", "Again", PHONE) as page:
        while not page.evaluate(OVER):
            before = number(page)
            page.locator(".cell.is-lit").first.tap()
            made(page, before)
        address = page.locator("dialog a[href*='replay']").first.get_attribute("href")
        moves = page.evaluate("State.snapshot.private_state.board.flat().filter(word => word !== '').length")
        page.goto(f"{boards_server.address}{address}")
        page.wait_for_selector("#replay")
        discs = page.locator(".cell .sign")
        for count in range(moves + 1):
            expect(discs).to_have_count(count)
            assert page.locator(".cell.is-new").count() == min(count, 1)
            assert page.locator(".cell.is-lit, .cell[aria-disabled=false]").count() == 0
            page.locator("#replay button").nth(3).tap()
        assert serious(page) == []
        assert re.search(r"row", page.locator("#replay .told").text_content() or "") is None
