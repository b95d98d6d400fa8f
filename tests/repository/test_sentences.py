"""Tests of the page of all sentences, and that these keep to one word for one thing."""

from __future__ import annotations

import re

import pytest

import sentences_page
from tisch.games import REGISTRY

PAGE = sentences_page.page()
#: The name of each sentence, the sentence in German, and in English.
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| `")]


def test_the_page_is_as_the_command_writes_it() -> None:
    again = "Run 'python docs/sentences_page.py' in the environment of the project."
    assert sentences_page.PAGE.read_text(encoding="utf-8") == PAGE, again


def test_every_row_has_a_name_and_both_languages() -> None:
    assert len(ROWS) > 1000
    assert [row for row in ROWS if len(row) != 3] == []
    assert [game.title for game in REGISTRY.values() if f"## {game.title}\n" not in PAGE] == []


def test_no_text_of_a_script_is_left_out() -> None:
    scripts = [file for file in sentences_page.WEB.rglob("*.js") if "tests" not in file.parts]
    named = sum(
        len(re.findall(r"^ +'[^'\n]+': ", block, re.MULTILINE))
        for file in scripts
        for _, _, block in sentences_page.BLOCK.findall(file.read_text(encoding="utf-8"))
    )
    assert named > 300
    assert sum(len(german) + len(english) for _, german, english in sentences_page.of_pages()) == named


@pytest.mark.parametrize(
    ("column", "wrong", "right"),
    [
        (1, r"[a-zäöü]en Sie\b|\bIhnen\b", "People are addressed as du."),
        (1, r"Pärchen", "King and queen are a Hochzeit."),
        (1, r"\bAblage\b|[Ww]eg(?:ge)?leg|\blegs?t\b.* weg\b", "A Stein is abgelegt, on a Tauschstapel."),
        (1, r"\bPartie \{", "What is dealt once is a Spiel."),
        (2, r"\b[Aa] pair\.?$|trump pair", "King and queen are a marriage."),
        (2, r"\bput (?:down|away)\b(?! a tile)|exchange pile", "A tile is discarded, on an exchange stack."),
        (2, r"^Close$", "What is closed is named where it is not a dialog."),
        (2, r"\b(?:my|your|the) own (?:hand|cards)\b|\bhelps\b\)", "It is your hand, and ? is for help."),
        (2, r"\blies open\b|\bcomes into question\b|\bwhat lies\b", "This is no English."),
    ],
)
def test_one_word_stands_for_one_thing(column: int, wrong: str, right: str) -> None:
    found = [row for row in ROWS if re.search(wrong, row[column])]
    # The button of a dialog closes it.
    assert [row for row in found if row[0] not in ("`close`", "`table / dialog.close`")] == [], right
