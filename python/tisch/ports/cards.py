"""Displays the cards of the four ordinary suits, and parses those with labels such as ``H10`` or ``KB``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from tisch.ports.suits import SUITS
from tisch.ports.text import Line, Span

_SIGNS: Final = {
    "diamonds": Span("♦", "red"),
    "hearts": Span("♥", "red"),
    "clubs": Span("♣", "green"),
    "spades": Span("♠", "cyan"),
}
#: The sign and the style of each suit, by its letter. Signs distinguish suits without colours.
SIGNS: Final[Mapping[str, Span]] = {letter: _SIGNS[name] for letter, name in SUITS.items()}
#: Other input for each suit and value: its sign, and its English initial.
_COLOUR_LETTERS: Final = {SIGNS[letter].text: letter for letter in SUITS} | {
    name[0]: letter for letter, name in SUITS.items()
}
_VALUE_LETTERS: Final = {"j": "B", "q": "D"}
_CARD: Final = re.compile(r"([hkxpdcs♦♥♣♠]) ?([7-9]|10|[bdkajq])")


def card(label: str, suits: Mapping[str, str], word: Callable[[str], str]) -> Line:
    """Format a card.

    :param label: Its label: the suit's letter, then the rank.
    :param suits: The suit of each letter.
    :param word: Looks up a word of the section ``cards`` of the game's vocabulary.
    :result: The suit's sign and the rank.
    """
    sign = _SIGNS[suits[label[0]]]
    return (Span(sign.text + word(f"rank.{label[1:]}"), sign.style),)


def suit(letter: str, suits: Mapping[str, str], word: Callable[[str], str]) -> Line:
    """Format a suit.

    :param letter: Its letter.
    :param suits: The suit of each letter.
    :param word: Looks up a word of the section ``cards`` of the game's vocabulary.
    :result: Its sign and its name.
    """
    sign = _SIGNS[suits[letter]]
    return (Span(f"{sign.text} {word(f'suit.{suits[letter]}')}", sign.style),)


def letters(language: str) -> Mapping[str, str]:
    """Return the letters that replace the signs of suits where those cannot be shown; they are also input.

    :param language: ``de`` or ``en``.
    :result: The letters, by sign.
    """
    return {SIGNS[letter].text: letter if language == "de" else name[0].upper() for letter, name in SUITS.items()}


def read_colour(text: str) -> str | None:
    """Parse a suit in either language.

    :param text: The input.
    :result: The suit's letter; ``None`` if the input is not a suit.
    """
    word = text.casefold()
    letter = _COLOUR_LETTERS.get(word, word.upper())
    return letter if letter in SIGNS else None


def read_card(text: str) -> str | None:
    """Parse a card in either language: ``h10``, ``KB``, ``dj``.

    :param text: The input.
    :result: The card's label; ``None`` if the input is not a card.
    """
    found = _CARD.fullmatch(text.casefold())
    if not found:
        return None
    letter, value = found.groups()
    return _COLOUR_LETTERS.get(letter, letter.upper()) + _VALUE_LETTERS.get(value, value.upper())
