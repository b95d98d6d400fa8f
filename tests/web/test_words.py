"""The words of games in the browser: those of the server, in both languages; none is missing, none is raw."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import DESKTOP, MINE, PHONE, SMALL_PHONE, serious, sit_down, small_targets, start, visitor, wait_for
from places import ROOT
from serving import Served
from tisch.agents import agents_of, levels_of, players_of
from tisch.game import Event, Game, Random
from tisch.games import REGISTRY
from tisch.ports.refusal import Code
from tisch.ports.speech import speech_of
from tisch.testing import walk

MAUMAU: Final = REGISTRY["maumau"]
#: The vocabularies of the games.
TEXTS: Final = ROOT / "python" / "tisch" / "games"
#: How a game of Sechsundsechzig ends for its winner, as its seed lists the states.
ENDS: Final = ("Won3t", "cWon3t", "cWon3f", "Won3f", "Won2t", "cWon2t", "Won1t", "cWon1t", "wonLast")
#: The options by which games are played, where they are not the usual ones.
CHANGED: Final[Mapping[str, tuple[Mapping[str, Any], ...]]] = {
    "okey": ({}, {"cheats": True}),
    "tichu": ({"rounds": 1},),
}


def begin(page: Page, server: Served, game: str, table: str) -> None:
    """Play a game alone with agents."""
    sit_down(page, server, "Ben", table, game)
    start(page)
    wait_for(page, MINE)


def said_by(game: Game[Any]) -> set[tuple[str, str]]:
    """The sections and keys of all that a game can say: in games by chance, and by what the seeds list."""
    keys = {("options", name) for name in game.Options.__dataclass_fields__}
    keys |= {("agents", name) for name in agents_of(game)} | {("levels", name) for name in players_of(game)}
    keys |= {("words", won) for won in ENDS if game.name == "sechsundsechzig"}
    heard: list[Event] = []
    for changed in CHANGED.get(game.name, ({},)):
        options = game.Options(**changed)
        for seed in range(4):
            state = game.new(options, seed, heard.append)
            for _, made in walk(state, Random(seed, "words")):
                keys.add(("verbs", str(made).partition(" ")[0]))
            keys |= {("fields", name) for name in speech_of(game).public(state)}
    keys |= {("events", event.name) for event in heard}
    return keys | {("cards", f"suit.{suit}") for suit in game.look.suits.values()}


@pytest.mark.parametrize("name", REGISTRY)
def test_no_language_lacks_a_word_of_a_game(browser: Browser, server: Served, name: str) -> None:
    keys = sorted(said_by(REGISTRY[name]))
    assert len(keys) > 10
    with visitor(browser) as ben:
        ben.page.goto(server.address)
        for language in ("de", "en"):
            ben.page.evaluate(f"Texts.choose('{language}'); Words.load('{name}')")
            wait_for(ben.page, f"Words.isKnown('{name}')")
            assert ben.page.evaluate("keys => keys.filter(([section, key]) => !Words.has(section, key))", keys) == []


def test_every_error_of_the_protocol_has_its_sentence_in_both_languages(browser: Browser, server: Served) -> None:
    keys = {f"error.{code.value}" for code in Code}
    with visitor(browser) as ben:
        ben.page.goto(server.address)
        texts: dict[str, dict[str, str]] = ben.page.evaluate("Texts.all")
    assert {language: keys - set(texts[language]) for language in ("de", "en")} == {"de": set(), "en": set()}


def test_a_word_that_is_missing_is_a_fault_and_nothing_raw(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", "Stumm", "maumau")
        wait_for(ben.page, "Words.isKnown('maumau')")
        assert ben.page.evaluate("Words.get('fields', 'no_such_field')") == ""
        ben.provoked.append("The game 'maumau' has no word for 'no_such_field' among its fields.")
        assert len(ben.faults) == 1


def test_the_lobby_explains_options_and_agents(browser: Browser, server: Served) -> None:
    texts = json.loads((TEXTS / "maumau" / "texts" / "de.json").read_text("utf-8"))
    levels: Any = texts["levels"]
    with visitor(browser) as ben, visitor(browser) as kim:
        sit_down(ben.page, server, "Ben", "Hilfe", "maumau")
        sit_down(kim.page, server, "Kim", "Hilfe", "maumau")
        for page in (ben.page, kim.page):
            expect(page.locator(".options")).to_contain_text(levels["strong"]["help"])
            for option in texts["options"].values():
                row = page.locator(".option", has=page.get_by_text(option["name"], exact=True))
                expect(row.locator("small")).to_have_text(option["help"])
        described = "document.getElementById(document.getElementById('option-hand').getAttribute('aria-describedby'))"
        assert ben.page.evaluate(f"{described}.textContent") == texts["options"]["hand"]["help"]
        choices = ben.page.locator("#option-agent option").all_text_contents()
        assert choices == [levels[level]["name"] for level in levels_of(MAUMAU)]
        ben.page.select_option("#option-agent", "easy")
        expect(kim.page.locator(".options")).to_contain_text(levels["easy"]["help"])
        # A program may choose an agent by its name; the page shows it, and offers it no further.
        ben.page.evaluate("EventBus.emit('lobbyView:options', {agent: 'random'})")
        expect(kim.page.locator(".options")).to_contain_text("Macht irgendeinen erlaubten Zug.")
        assert ben.page.locator("#option-agent option").count() == len(choices) + 1


@pytest.mark.parametrize("size", [SMALL_PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)])
def test_the_lobby_shows_the_rules_of_its_game(browser: Browser, server: Served, size: tuple[int, int]) -> None:
    texts = json.loads((TEXTS / "okey" / "texts" / "de.json").read_text("utf-8"))
    with visitor(browser, size) as ben:
        sit_down(ben.page, server, "Ben", f"Regeln {size[0]}", "okey")
        ben.page.get_by_role("button", name="Regeln in Kürze").click()
        expect(ben.page.locator("dialog h2")).to_have_text("Okey · Die Regeln in Kürze")
        told = ben.page.locator("dialog .rules-text")
        expect(told.locator("p")).to_have_text([texts["summary"], *(rule["text"] for rule in texts["rules"])])
        expect(told.locator("h3")).to_have_text([*(rule["heading"] for rule in texts["rules"]), "Tasten"])
        expect(told.locator("kbd")).to_have_text(list(texts["shortcuts"]))
        assert serious(ben.page) == []
        assert small_targets(ben.page) == []
        close = ben.page.get_by_role("button", name="Schließen")
        expect(close).to_be_in_viewport(ratio=1)
        close.click()
        expect(ben.page.locator("dialog")).to_have_count(0)


def test_another_language_at_the_table_brings_its_words_once(browser: Browser, server: Served) -> None:
    with visitor(browser, PHONE) as ben:
        page = ben.page
        begin(page, server, "maumau", "Sprachen")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url) if "/api/games/" in request.url else None)
        for language, word in (("en", "stock"), ("de", "Stapel"), ("en", "stock")):
            page.get_by_role("button", name=re.compile("Einstellungen|Settings")).click()
            page.check(f"dialog input[name=language][value={language}]", force=True)
            expect(page.locator(f".stock[aria-label*='{word}']")).to_have_count(1)
            expect(page.locator(f"dialog input[value={language}]")).to_be_focused()
            page.click("dialog .main")
        assert [url.rpartition("?")[2] for url in asked] == ["language=en"]


@pytest.mark.parametrize(("locale", "told"), [("de-DE", "{card} hast du nicht."), ("en-GB", "You do not have {card}.")])
def test_a_refusal_is_told_in_the_words_of_the_game(browser: Browser, server: Served, locale: str, told: str) -> None:
    with visitor(browser, PHONE, locale) as ben:
        begin(ben.page, server, "maumau", f"Nein {locale}")
        card = ben.page.evaluate(
            "Setup.look('maumau').cards.find(one => !State.snapshot.private_state.hand.includes(one))"
        )
        ben.page.evaluate("move => EventBus.emit('tableView:move', {move})", f"play {card}")
        shown = ben.page.evaluate("card => Deck.name(card)", card)
        expect(ben.page.locator(".toast.error")).to_have_text(told.format(card=shown))


def test_a_refusal_without_words_of_the_game_is_told_with_its_reason(browser: Browser, server: Served) -> None:
    with visitor(browser) as ben:
        sit_down(ben.page, server, "Ben", "Phrase", "maumau")
        ben.page.evaluate("Network.send('chat', {phrase: 'boo'})")
        expect(ben.page.locator(".toast.error")).to_have_text("Das geht gerade nicht. There is no such phrase.")
