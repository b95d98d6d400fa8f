"""How the cards of the four ordinary colours are shown and typed, for every game that names them ``H10`` or ``KB``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from tisch.ports.suits import SUITS
from tisch.ports.text import Line, Span

_SIGNS: Final = {
    "diamonds": Span("♦", "red"),
    "hearts": Span("♥", "red"),
    "clubs": Span("♣", "green"),
    "spades": Span("♠", "cyan"),
}
#: Each colour's sign and style, by its letter. Signs tell them apart where colours do not.
SIGNS: Final[Mapping[str, Span]] = {letter: _SIGNS[name] for letter, name in SUITS.items()}
#: What may be typed for each colour and for each value besides its own letter: its sign, and its English initial.
_COLOUR_LETTERS: Final = {SIGNS[letter].text: letter for letter in SUITS} | {
    name[0]: letter for letter, name in SUITS.items()
}
_VALUE_LETTERS: Final = {"j": "B", "q": "D"}
_CARD: Final = re.compile(r"([hkxpdcs♦♥♣♠]) ?([7-9]|10|[bdkajq])")


def card(label: str, words: Mapping[str, str]) -> Line:
    """Show a card.

    :param label: Its label: the suit's letter, then the rank.
    :param words: The section ``cards`` of the game's vocabulary.
    :result: The suit's sign and the rank.
    """
    sign = SIGNS[label[0]]
    return (Span(sign.text + words[f"rank.{label[1:]}"], sign.style),)


def suit(letter: str, words: Mapping[str, str]) -> Line:
    """Show a suit.

    :param letter: Its letter.
    :param words: The section ``cards`` of the game's vocabulary.
    :result: Its sign and its name.
    """
    sign = SIGNS[letter]
    return (Span(f"{sign.text} {words[f'suit.{SUITS[letter]}']}", sign.style),)


def letters(language: str) -> Mapping[str, str]:
    """Return the letters that stand for the suits' signs where those cannot be shown; they can be typed as well.

    :param language: ``de`` or ``en``.
    :result: The letters, by sign.
    """
    return {SIGNS[letter].text: letter if language == "de" else name[0].upper() for letter, name in SUITS.items()}


def read_colour(text: str) -> str | None:
    """Read a colour, typed in either language.

    :param text: What was typed.
    :result: The colour's letter; ``None`` if there is none.
    """
    word = text.casefold()
    letter = _COLOUR_LETTERS.get(word, word.upper())
    return letter if letter in SIGNS else None


def read_card(text: str) -> str | None:
    """Read a card, typed in either language: ``h10``, ``KB``, ``dj``.

    :param text: What was typed.
    :result: The card's label; ``None`` if it is none.
    """
    found = _CARD.fullmatch(text.casefold())
    if not found:
        return None
    letter, value = found.groups()
    return _COLOUR_LETTERS.get(letter, letter.upper()) + _VALUE_LETTERS.get(value, value.upper())
