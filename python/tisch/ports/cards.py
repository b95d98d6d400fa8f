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
_GERMAN: Final = {"diamonds": "Karo", "hearts": "Herz", "clubs": "Kreuz", "spades": "Pik"}
#: Each colour's sign and style, by its letter. Signs tell them apart where colours do not.
SIGNS: Final[Mapping[str, Span]] = {letter: _SIGNS[suit] for letter, suit in SUITS.items()}
#: What each colour is called.
COLOURS: Final[Mapping[str, Mapping[str, str]]] = {
    "de": {letter: _GERMAN[suit] for letter, suit in SUITS.items()},
    "en": SUITS,
}
#: What may be typed for each colour and for each value besides its own letter: its sign, and its English initial.
_COLOUR_LETTERS: Final = {SIGNS[letter].text: letter for letter in SUITS} | {
    suit[0]: letter for letter, suit in SUITS.items()
}
_VALUE_LETTERS: Final = {"j": "B", "q": "D"}
_ENGLISH_VALUES: Final = {"B": "J", "D": "Q"}
_CARD: Final = re.compile(r"([hkxpdcs♦♥♣♠]) ?([7-9]|10|[bdkajq])")


def card(label: str, language: str = "de") -> Line:
    """Show a card.

    :param label: Its label: the colour's letter, then the value.
    :param language: (Optional) ``de`` or ``en``: Bube and Dame, or jack and queen.
    :result: The colour's sign and the value.
    """
    sign, value = SIGNS[label[0]], label[1:]
    return (Span(sign.text + (_ENGLISH_VALUES.get(value, value) if language == "en" else value), sign.style),)


def colour(letter: str, language: str = "de") -> Line:
    """Show a colour.

    :param letter: Its letter.
    :param language: (Optional) ``de`` or ``en``.
    :result: Its sign and its name.
    """
    sign = SIGNS[letter]
    return (Span(f"{sign.text} {COLOURS[language][letter]}", sign.style),)


def letters(language: str) -> Mapping[str, str]:
    """Tell which letters stand for the colours' signs where those cannot be shown; they can be typed as well.

    :param language: ``de`` or ``en``.
    :result: The letters, by sign.
    """
    names = COLOURS[language]
    return {sign.text: letter if language == "de" else names[letter][0].upper() for letter, sign in SIGNS.items()}


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
