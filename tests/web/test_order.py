"""The own order of a hand, in a real browser: carried by mouse, finger and keys, kept, and given up again."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, PHONE, visitor, wait_for
from serving import Served
from tests.web.test_cards import playing

#: The cards of the hand from left to right.
HELD: Final = "[...document.querySelectorAll('.hand-card')].map(card => card.dataset.card)"
AGAIN: Final = "[data-tool=sort-again]"


def held(page: Page) -> list[str]:
    found: list[str] = page.evaluate(HELD)
    return found


def carry(page: Page, card: str, to: str, rest: int = 0) -> None:
    """Carry a card to where another one is."""
    points = []
    for label in (card, to):
        box = page.locator(f".hand-card[data-card='{label}']").bounding_box()
        assert box
        points.append((box["x"] + 12, box["y"] + box["height"] / 3))
    page.mouse.move(*points[0])
    page.mouse.down()
    if rest:
        page.wait_for_selector(".hand.is-carried")
    page.mouse.move(*points[1], steps=8)
    page.mouse.up()


def test_a_card_is_carried_to_its_place_which_the_device_keeps(browser: Browser, server: Served) -> None:
    with playing(browser, server, "maumau", DESKTOP) as page:
        before = held(page)
        expect(page.locator(AGAIN)).to_be_hidden()
        # A tap would play it, and it would be gone.
        card = page.locator(".hand-card.is-lit").first.get_attribute("data-card") or ""
        end = -1 if card != before[-1] else 0
        carry(page, card, before[end])
        others = [one for one in before if one != card]
        wanted = [*others, card] if end else [card, *others]
        assert held(page) == wanted
        page.reload()
        page.wait_for_selector(".hand-card")
        assert held(page) == wanted
        page.click(AGAIN)
        assert held(page) == before
        expect(page.locator(AGAIN)).to_be_hidden()


def test_a_card_is_carried_by_keys_and_its_place_is_told(browser: Browser, server: Served) -> None:
    with playing(browser, server, "sechsundsechzig", DESKTOP) as page:
        before = held(page)
        page.locator(".hand-card").first.focus()
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Shift+ArrowRight")
        assert held(page) == [before[1], before[2], before[0], *before[3:]]
        assert page.evaluate("document.activeElement.dataset.card") == before[0]
        wait_for(page, "document.getElementById('announcer').textContent.includes('Platz 3 von 6')")
        # At the end it stays.
        for _ in range(6):
            page.keyboard.press("Shift+ArrowRight")
        assert held(page) == [*before[1:], before[0]]
        # Digits mean the cards as they are held, and S sorts them.
        page.keyboard.press("s")
        assert sorted(held(page)) == sorted(before) and held(page) != [*before[1:], before[0]]


def test_in_tichu_a_finger_rests_on_a_card_before_it_carries_it_and_chooses_none(
    browser: Browser, server: Served
) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        # Cards that still move have no place yet from which one is carried.
        page.emulate_media(reduced_motion="reduce")
        page.goto(server.address)
        page.click(".game-card[data-game=tichu] .game-alone")
        page.wait_for_selector(".hand-card")
        before = held(page)
        # Without a rest, cards are swept: nothing changes its place.
        carry(page, before[0], before[2])
        assert held(page) == before
        page.keyboard.press("Escape")
        expect(page.locator(".hand-card.is-selected")).to_have_count(0)
        carry(page, before[0], before[2], rest=1)
        assert held(page) == [before[1], before[2], before[0], *before[3:]]
        expect(page.locator(".hand-card.is-selected")).to_have_count(0)
        page.evaluate("Network.send('leave')")
