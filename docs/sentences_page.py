"""Writes docs/sentences.md, all that players read in both languages: ``python docs/sentences_page.py``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tisch.games import REGISTRY
from tisch.language import LANGUAGES, SHARED, Vocabulary

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "sentences.md"
WEB = ROOT / "web" / "js"
HEAD = """\
# All sentences

Everything that players read, in German and in English, to be read in one go. `docs/sentences_page.py` writes this page
from `texts/de.json` and `texts/en.json` of the package and of each game, and from the texts of `web/js`; a test
compares both. The [glossary](glossary.md) has the words that must stay the same.

A name in braces stands for a value. Several forms after it are those for one and for more, or for none, one and more.
"""
#: Text by name.
Sentences: TypeAlias = dict[str, str]
#: The texts of a language in a script: its name, and all up to the brace that closes them.
BLOCK = re.compile(r"^( +)(de|en): \{\n(.*?)^\1\}", re.MULTILINE | re.DOTALL)
#: A text in a script: its name, and literals that are joined.
ENTRY = re.compile(r"'([^'\n]+)': ((?:'[^'\n]*'[\s+]*)+)")


def page() -> str:
    """Return the page."""
    lines = [HEAD, *section("Everywhere", *of_vocabulary(SHARED))]
    for game in REGISTRY.values():
        lines += section(game.title, *of_vocabulary(game.vocabulary)) if game.vocabulary else ()
    for name, german, english in of_pages():
        lines += section(f"In the browser: `{name}`", german, english)
    return "\n".join(lines)


def section(title: str, german: Sentences, english: Sentences) -> Iterator[str]:
    """Return the section of a vocabulary."""
    yield f"## {title}\n"
    yield "| name | Deutsch | English |\n|---|---|---|"
    for name, text in german.items():
        # Numbers and signs are the same everywhere.
        if any(letter.isalpha() for letter in text + english[name]):
            yield f"| `{name}` | {cell(text)} | {cell(english[name])} |"
    yield ""


def cell(text: str) -> str:
    """Return a text as it is read, without its colours, for a cell of a table."""
    bare = re.sub(r"</?[a-z]+>", "", text)
    return re.sub(r"([|*<`\\])", r"\\\1", re.sub(r"\s+", " ", bare).strip())


def of_vocabulary(vocabulary: Vocabulary) -> tuple[Sentences, Sentences]:
    """Return the texts of a vocabulary in German and in English."""
    german, english = (dict(flat(vocabulary.words(language))) for language in LANGUAGES)
    return german, english


def flat(told: Mapping[str, Any] | list[Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Return all texts by name, without the pictures of the rules, which are cards."""
    for name, value in told.items() if isinstance(told, Mapping) else enumerate(told, 1):
        if isinstance(value, str):
            yield f"{prefix}{name}", value
        elif name != "picture":
            yield from flat(value, f"{prefix}{name} / ")


def of_pages() -> Iterator[tuple[str, Sentences, Sentences]]:
    """Return the texts of each script in German and in English."""
    for file in sorted(WEB.rglob("*.js")):
        blocks = BLOCK.findall(file.read_text(encoding="utf-8"))
        found = {language: dict(entries(text)) for _, language, text in blocks}
        if all(found.get(language) for language in LANGUAGES) and "tests" not in file.parts:
            yield file.relative_to(WEB).as_posix(), found["de"], found["en"]


def entries(text: str) -> Iterator[tuple[str, str]]:
    """Return the texts of a language in a script by name."""
    for name, literals in ENTRY.findall(text):
        yield name, "".join(re.findall(r"'([^'\n]*)'", literals))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
