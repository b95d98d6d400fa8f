"""The characters that a terminal can show, and replacements for the others.

Suits become the letters that are typed for them, umlauts two letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from tisch.look import Glyph
from tisch.ports.boards import letters_of
from tisch.ports.cards import letters
from tisch.ports.text import Line, Span

#: Replacements for characters that Unicode does not decompose, or not as people do.
OTHERS: Final[Mapping[str, str]] = dict(
    zip(
        "äöüÄÖÜß►▒–·×„“”’─│╭╮╰╯┬┴",
        ("ae", "oe", "ue", "Ae", "Oe", "Ue", "ss", ">", "#", "-", ".", "x", '"', '"', '"', "'", "-", "|", *"++++++"),
        strict=True,
    )
)


class Signs:
    """Replaces the characters that an encoding lacks."""

    def __init__(self, encoding: str, language: str, glyphs: Mapping[str, Glyph] | None = None) -> None:
        """Create the replacement.

        :param encoding: The encoding of the terminal.
        :param language: ``de`` or ``en``, for the letters of suits.
        :param glyphs: (Optional) The glyphs of the game's boards.
        """
        self._encoding = encoding
        self._others = {**OTHERS, **letters(language), **letters_of(glyphs or {})}

    def line(self, line: Line) -> Line:
        """Replace the characters of a line.

        :param line: The line.
        :result: The same line in characters that can be shown.
        """
        return tuple(Span(self.text(span.text), span.style) for span in line)

    def text(self, text: str) -> str:
        """Replace the characters of a text.

        :param text: The text.
        :result: The same text in characters that can be shown; a question mark stands for characters without a
            replacement.
        """
        return text if self._can_show(text) else "".join(map(self._sign, text))

    def _sign(self, sign: str) -> str:
        if self._can_show(sign):
            return sign
        other = self._others.get(sign) or unicodedata.normalize("NFKD", sign)
        return "".join(part if self._can_show(part) else "?" for part in other if not unicodedata.combining(part))

    def _can_show(self, text: str) -> bool:
        try:
            text.encode(self._encoding)
        except UnicodeEncodeError:
            return False
        return True
