"""The short game from which one learns, in a real browser: tips fit what is asked, and are left at any time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import (
    DESKTOP,
    PHONE,
    SMALL_PHONE,
    TABLE,
    resize,
    serious,
    sit_down,
    small_targets,
    visitor,
    wait_for,
)
from night import later
from serving import Served
from tisch.games import find
from tisch.games.raumstation import RaumstationState
from tisch.language import Vocabulary
from tisch.ports.tour import tour_of
from tisch.record import options_of
from tours import fits

GAMES: Final = ("maumau", "okey", "raumstation", "sechsundsechzig", "tichu")
TIP: Final = ".tour-dialog"
#: What is asked now, what has happened, and the tip that is shown; null while others are awaited. The state is known
#: before the table's files have come, which show it.
NOW: Final = """() => {
    if (document.querySelector('SHOWN') === null) {
        return null;
    }
    const {snapshot, log} = State;
    const {is_running: isRunning, awaiting} = snapshot?.public_state ?? {};
    const isOver = snapshot !== null && !isRunning && log.some(({event}) => event === 'game_over');
    if (isOver || !isRunning || !awaiting.includes(snapshot.me) || document.querySelector('dialog:modal') !== null) {
        return isOver ? 'over' : null;
    }
    const tip = document.querySelector('.tour-dialog');
    tip?.getAnimations().forEach(one => one.finish());
    const about = [...document.querySelectorAll('.is-told')].map(part => part.getBoundingClientRect());
    const box = tip?.getBoundingClientRect();
    const beyond = {
        up: part => part.bottom <= box.top, down: part => part.top >= box.bottom,
        left: part => part.right <= box.left, right: part => part.left >= box.right
    };
    return {
        number: snapshot.number, legal: snapshot.choices.legal, events: log.map(({event}) => event),
        title: tip?.querySelector('h2').textContent ?? '',
        covers: about.filter(part => Math.min(part.right, box.right) > Math.max(part.left, box.left)
            && Math.min(part.bottom, box.bottom) > Math.max(part.top, box.top)).length,
        // An arrow leads to what a tip is about.
        points: about.length === 0 || about.every(part => beyond[tip.dataset.points]?.(part)),
        isWithin: tip === null || box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight,
    };
}""".replace("SHOWN", TABLE)
#: What a beginner does not do by themselves.
SELDOM: Final = ("grand", "tichu", "stop", "close", "joker", "mark", "unmark")


@contextmanager
def learning(browser: Browser, server: Served, game: str, size: tuple[int, int] = PHONE) -> Iterator[Page]:
    """Play a game alone for the first time."""
    with visitor(browser, size, is_new=True) as ben:
        ben.page.emulate_media(reduced_motion="reduce")
        ben.page.goto(server.address)
        ben.page.click(f".game-card[data-game={game}] .game-alone")
        now(ben.page)
        yield ben.page
        ben.page.evaluate("Network.send('leave')")


def now(page: Page) -> Any:
    """Wait until something is asked, or the game is over."""
    return wait_for(page, f"({NOW})()", 120)


def move(page: Page, asked: dict[str, Any]) -> None:
    """Make the first move that a beginner would make."""
    legal = asked["legal"]
    chosen = next((text for text in legal if text.split()[0] not in SELDOM), legal[0])
    page.evaluate("move => EventBus.emit('tableView:move', {move})", chosen)
    # Cards that are given away are no event before all have given theirs.
    is_made = f"State.snapshot.number > {asked['number']} || !State.snapshot.choices.legal.includes('{chosen}')"
    wait_for(page, is_made)


@pytest.mark.parametrize("game", later(GAMES, ("okey",)))
def test_each_tip_of_the_first_game_fits_what_is_asked_and_covers_nothing_that_it_is_about(
    browser: Browser, server: Served, game: str
) -> None:
    tour, vocabulary = tour_of(find(game)), find(game).vocabulary
    assert tour and isinstance(vocabulary, Vocabulary)
    tips = {tip.name: tip for tip in tour.tips}
    names = {words["title"]: name for name, words in vocabulary.folded("de")["tour"].items()}
    said: list[str] = []
    with learning(browser, server, game) as page:
        assert page.evaluate(f"Words.tour.seed === '{tour.seed}'")
        while (asked := now(page)) != "over":
            assert asked["isWithin"] and not asked["covers"] and asked["points"], asked
            if asked["title"]:
                name = names[asked["title"]]
                assert fits(tips[name], asked["legal"], asked["events"]), asked
                assert name not in said
                if not said:
                    assert serious(page) == []
                    assert [target for target in small_targets(page) if "tour" in target] == []
                said.append(name)
                page.locator(f"{TIP} .main").click()
                # The next one follows at once.
                wait_for(page, f"document.querySelector('{TIP} h2')?.textContent !== '{asked['title']}'")
            else:
                move(page, asked)
        assert len(said) >= 4, said
        # Who has won is glad, and who has lost is sad.
        felt = page.locator(".table-seat .portrait").evaluate_all(
            "all => all.map(one => [State.outcome.payoff[one.closest('.table-seat').dataset.seat], one.dataset.mood])"
        )
        assert len(felt) == find(game).seats(find(game).Options()) - 1
        assert all(mood == ("glad" if payoff > 0 else "sad") for payoff, mood in felt), felt
        # Nothing lies over the end, which leads to a whole game.
        expect(page.locator(TIP)).to_have_count(0)
        expect(page.locator(".tour-end")).to_contain_text(vocabulary.folded("de")["tour"]["end"]["text"])
        page.locator(".game-dialog .main, .station-result .main").click()
        wait_for(page, "State.isRunning")
        options = page.evaluate("State.snapshot.public_state.table_options.options")
        assert {name: options[name] for name in tour.options} == {
            name: getattr(find(game).Options(), name) for name in tour.options
        }


def test_a_tip_that_is_open_does_not_lie_over_the_end(browser: Browser, server: Served) -> None:
    game = find("raumstation")
    tour = tour_of(game)
    assert tour
    state = game.new(options_of(game, tour.options), tour.seed)
    assert isinstance(state, RaumstationState)
    trap = next(room for room in state.rooms if room.is_dangerous)
    with learning(browser, server, "raumstation") as page:
        expect(page.locator(TIP)).to_have_count(1)
        page.evaluate("move => EventBus.emit('tableView:move', {move})", f"scan {trap.y} {trap.x}")
        expect(page.locator(".station-result")).to_be_visible()
        wait_for(page, "!State.isRunning")
        expect(page.locator(TIP)).to_have_count(0)


def test_the_tips_are_left_and_come_back_by_the_rules_with_keys_alone(browser: Browser, server: Served) -> None:
    with learning(browser, server, "sechsundsechzig", DESKTOP) as page:
        expect(page.locator(TIP)).to_have_count(1)
        # A screen reader hears it; the focus stays at the table.
        assert page.evaluate("document.activeElement.closest('dialog')") is None
        page.locator(f"{TIP} .plain").focus()
        page.keyboard.press("Enter")
        expect(page.locator(TIP)).to_have_count(0)
        expect(page.locator(".toast").last).to_contain_text("unter „?“")
        move(page, now(page))
        now(page)
        expect(page.locator(TIP)).to_have_count(0)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("?")
        page.get_by_role("button", name="Tipps zeigen").press("Enter")
        expect(page.locator(TIP)).to_have_count(1)
        # Escape has read it, and the next one comes when it fits.
        page.keyboard.press("Escape")
        expect(page.locator(TIP)).to_have_count(0)


def test_a_tip_is_whole_with_large_letters_and_on_a_small_screen(browser: Browser, server: Served) -> None:
    with learning(browser, server, "maumau", SMALL_PHONE) as page:
        page.evaluate("document.documentElement.style.fontSize = '200%'; ViewManager.fit()")
        resize(page, SMALL_PHONE)
        asked = now(page)
        assert asked["title"] and asked["isWithin"]
        assert page.locator(f"{TIP} p").evaluate("part => part.scrollWidth <= part.clientWidth")


def test_whoever_knows_a_game_begins_with_a_whole_one(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        ben.page.goto(server.address)
        ben.page.click(".game-card[data-game=sechsundsechzig] .game-alone")
        wait_for(ben.page, "State.isRunning")
        assert ben.page.evaluate("State.snapshot.public_state.table_options.options.goal") == 8
        ben.page.evaluate("Network.send('leave')")


def test_the_rules_in_the_lobby_lead_to_the_short_game(browser: Browser, server: Served) -> None:
    with visitor(browser, DESKTOP) as ben:
        page = ben.page
        sit_down(page, server, "Ben", "Lernen", "sechsundsechzig")
        page.get_by_role("button", name="Die Regeln in Kürze").click()
        page.get_by_role("button", name="Kurze Lernrunde").click()
        wait_for(page, "State.isRunning")
        assert page.evaluate("State.snapshot.public_state.table_options.options.goal") == 1
        page.evaluate("Network.send('leave')")
