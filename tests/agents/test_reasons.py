"""Tests of the reasons of agents: every agent of every game has one for each move, in all languages."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

import pytest

import tisch
from tisch.agents import SearchAgent, agents_of
from tisch.driver import look
from tisch.game import Agent, Random
from tisch.games import REGISTRY, find
from tisch.language import LANGUAGES, Sentence, Texts, require
from tisch.ports.reasons import compared, often
from vocabulary import BRACES

#: The number of moves of a game to check.
MOVES = 150
#: Words that German and English share.
SHARED = {"hand", "in", "joker", "jong", "mah", "partner", "so", "station", "tichu", "was"}
#: Faster agents that play less thoroughly but give the same reasons.
QUICK: dict[type[Agent[Any]], Callable[[], Agent[Any]]] = {
    SearchAgent: partial(SearchAgent, playouts=2),
}
AGENTS = [(game, name) for game in REGISTRY for name in agents_of(find(game))]


def modules_with_reasons() -> Iterator[ModuleType]:
    """The modules that contain reasons."""
    for found in pkgutil.walk_packages(tisch.__path__, "tisch."):
        if re.search(r"\.(agents|reasons|hints)$", found.name):
            module = importlib.import_module(found.name)
            if "TEXTS" in vars(module):
                yield module


def words(text: str) -> set[str]:
    """Return the words of a text, without numbers and placeholders, but with what these count."""
    return set(re.findall(r"[^\W\d]+", re.sub(r"\{\w+", " ", text).casefold()))


TABLES: dict[str, Texts] = {module.__name__: module.TEXTS for module in modules_with_reasons()}
#: All words of the reasons, by language.
VOCABULARY = {
    language: {word for table in TABLES.values() for text in table[language].values() for word in words(text)}
    for language in LANGUAGES
}


def moves_of(game: str, name: str, seed: int) -> Iterator[Agent[Any]]:
    """Play a game by agents of one kind, yielding the agent after each of its moves."""
    rules = find(game)
    state = rules.new(rules.Options(), seed)
    state.end_with_round()
    make = agents_of(rules)[name]
    agents = [QUICK.get(type(make()), make)() for _ in range(state.seats)]
    for seat, agent in enumerate(agents):
        agent.start(Random(seed, seat))
    for _ in range(MOVES):
        for seat in (*state.speakers(), *state.awaiting()[:1]):
            sight = look(state, agents[seat])
            move = agents[seat].act(sight(seat) if sight else None, state.legal(seat), seat in state.awaiting())
            if move is not None:
                yield agents[seat]
                state.play(seat, move)
                break


def faults(german: str, english: str) -> str:
    """Return what is wrong with a reason."""
    for language, text in (("de", german), ("en", english)):
        if not re.fullmatch(r"[A-ZÄÖÜ0-9][^\n{}]*\.", text):
            return f"No sentence: {text}"
        if strange := words(text) - VOCABULARY[language]:
            return f"Not in its language: {strange} in {text}"
        # People count cards, tiles and cases; fractions and hundreds mean something only to the agent.
        if re.search(r"\d[.,]\d|\d{3}|[+−-]\d|%", text):
            return f"No number for people: {text}"
    return ""


@pytest.mark.parametrize(("game", "name"), AGENTS)
def test_every_agent_of_every_game_has_a_reason_for_each_move(game: str, name: str) -> None:
    told = {(agent.explain("de"), agent.explain("en")) for seed in (1, 2) for agent in moves_of(game, name, seed)}
    assert told
    for german, english in told:
        assert not faults(german, english)
    for of_one_language in zip(*told, strict=True):
        assert len(set(of_one_language)) == len(told), "What one language tells apart the other does as well."


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Der Stich ist 1,5 gewonnen.", "The trick is won."),
        ("Der Stich ist gewonnen.", "The trick is 1.5 won."),
        ("Der Stich ist +1 gewonnen.", "The trick is won."),
        ("Der Stich ist 1470 gewonnen.", "The trick is won."),
        ("Der Stich ist 70 % gewonnen.", "The trick is won."),
        ("The trick is won.", "The trick is won."),
        ("Der Stich ist lay HA.", "The trick is won."),
        ("Ohne RED liegen alle Steine in Gruppen.", "Without the red 7 all tiles lie in groups."),
        ("Der Stich ist gewonnen.", "Der Stich ist gewonnen."),
        ("", "The trick is won."),
        ("Der Stich ist {value} gewonnen.", "The trick is won."),
    ],
)
def test_the_check_can_fail(german: str, english: str) -> None:
    assert not faults("Der Stich ist 7 von 10 gewonnen.", "The trick is 7 of 10 won.")
    assert faults(german, english)


def test_no_word_of_one_language_stands_among_those_of_the_other() -> None:
    assert VOCABULARY["de"] & VOCABULARY["en"] == SHARED


def test_every_game_has_a_table() -> None:
    assert len(TABLES) == 1 + len(REGISTRY)
    assert all(any(name.startswith(f"tisch.games.{game}.") for name in TABLES) for game in REGISTRY)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_each_reason_stands_in_each_language_with_the_same_values(table: Texts) -> None:
    assert set(table) == set(LANGUAGES)
    assert set(table["de"]) == set(table["en"])
    for name, german in table["de"].items():
        english = table["en"][name]
        assert set(BRACES.findall(german)) == set(BRACES.findall(english)), name


@pytest.mark.parametrize(
    ("share", "german", "english"),
    [
        (0.0, "nie", "never"),
        (0.001, "fast nie", "hardly ever"),
        (0.049, "fast nie", "hardly ever"),
        (0.05, "in 1 von 10 Fällen", "in 1 out of 10 cases"),
        (0.25, "in 3 von 10 Fällen", "in 3 out of 10 cases"),
        (0.7, "in 7 von 10 Fällen", "in 7 out of 10 cases"),
        (0.949, "in 9 von 10 Fällen", "in 9 out of 10 cases"),
        (0.95, "fast immer", "nearly always"),
        (0.999, "fast immer", "nearly always"),
        (1.0, "immer", "always"),
    ],
)
def test_how_often_something_happens_is_told_in_tenths(share: float, german: str, english: str) -> None:
    assert (often(share).tell("de"), often(share).tell("en")) == (german, english)


@pytest.mark.parametrize(
    ("better", "worse", "even", "german", "english"),
    [
        # A reason must not argue against its move: what is told with the same words is about equal.
        (3, 3, 4, "Der nächstbeste Zug ist etwa ebenso gut.", "The next best move is about as good."),
        (31, 27, 42, "Der nächstbeste Zug ist etwa ebenso gut.", "The next best move is about as good."),
        (27, 31, 42, "Der nächstbeste Zug ist etwa ebenso gut.", "The next best move is about as good."),
        (1, 1, 98, "Der nächstbeste Zug ist etwa ebenso gut.", "The next best move is about as good."),
        # A case more in ten is no reason either.
        (5, 4, 1, "Der nächstbeste Zug ist etwa ebenso gut.", "The next best move is about as good."),
        (4, 5, 1, "Der nächstbeste Zug ist etwa ebenso gut.", "The next best move is about as good."),
        (
            *(5, 3, 2),
            "Dieser Zug ist in 5 von 10 Fällen besser als der nächstbeste, in 3 von 10 Fällen schlechter.",
            "Compared with the next best, this move does better in 5 out of 10 cases, and worse in 3 out of 10 cases.",
        ),
        (
            *(1, 9, 0),
            (
                "Dieser Zug ist zwar in 9 von 10 Fällen schlechter als der nächstbeste und nur in 1 von 10 Fällen "
                "besser, bringt dann aber mehr ein."
            ),
            (
                "Compared with the next best, this move does worse in 9 out of 10 cases and better only in 1 out of "
                "10 cases, but then it gains more."
            ),
        ),
        # What is hardly ever better is no reason.
        (0, 3, 7, "Kein anderer Zug ist deutlich besser.", "No other move is clearly better."),
        (1, 20, 79, "Kein anderer Zug ist deutlich besser.", "No other move is clearly better."),
        (
            *(0, 0, 9),
            "In allen durchgespielten Verläufen ist der nächstbeste Zug ebenso gut.",
            "In everything that was played out, the next best move does just as well.",
        ),
        (
            *(3, 0, 7),
            "Dieser Zug ist in 3 von 10 Fällen besser als der nächstbeste, sonst ebenso gut.",
            "This move does better than the next best in 3 out of 10 cases, and otherwise just as well.",
        ),
    ],
)
def test_a_reason_does_not_argue_against_its_move(
    better: int, worse: int, even: int, german: str, english: str
) -> None:
    reason = compared([1.0] * better + [0.0] * (worse + even), [0.0] * better + [1.0] * worse + [0.0] * even)
    assert (reason.tell("de"), reason.tell("en")) == (german, english)


TABLE: Texts = {
    "de": {"whole": "Mit {what} sind es {price} von {most|# Punkt|# Punkten}.", "part": "der roten {number}"},
    "en": {"whole": "With {what} it is {price} of {most|# point|# points}.", "part": "the red {number}"},
}


def test_a_sentence_is_put_into_words_as_its_language_writes_them() -> None:
    part = Sentence(TABLE, "part", {"number": 7})
    sentence = Sentence(TABLE, "whole", {"what": part, "price": 1.25, "most": 1470})
    assert sentence.tell("de") == "Mit der roten 7 sind es 1,25 von 1470 Punkten."
    assert sentence.tell("en") == "With the red 7 it is 1.25 of 1470 points."


def test_another_language_is_refused() -> None:
    sentence = "The language 'fr' is not spoken here, only de and en."
    for ask in (require, Sentence(TABLE, "part", {"number": 7}).tell):
        with pytest.raises(ValueError, match="only de and en") as caught:
            ask("fr")
        assert str(caught.value) == sentence
    for game, name in AGENTS:
        with pytest.raises(ValueError, match="only de and en"):
            agents_of(find(game))[name]().explain("fr")


def test_who_has_not_decided_has_nothing_to_say() -> None:
    agents = [agents_of(find(game))[name]() for game, name in AGENTS if name != "random"]
    assert {agent.explain(language) for agent in agents for language in LANGUAGES} == {""}
