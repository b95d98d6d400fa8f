"""The signs that a terminal can show, and what stands for the others.

Suits become the letters that are typed for them, umlauts two letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from tisch.ports.cards import letters
from tisch.ports.text import Line, Span

#: What stands for signs that Unicode does not take apart, or otherwise than people do.
OTHERS: Final[Mapping[str, str]] = dict(
    zip("äöüÄÖÜß►▒–·×„“", ("ae", "oe", "ue", "Ae", "Oe", "Ue", "ss", ">", "#", "-", ".", "x", '"', '"'), strict=True)
)


class Signs:
    """Writes lines in the signs of an encoding."""

    def __init__(self, encoding: str, language: str) -> None:
        """Begin.

        :param encoding: How signs are encoded.
        :param language: ``de`` or ``en``: whose letters the suits have.
        """
        self._encoding = encoding
        self._others = {**OTHERS, **letters(language)}

    def line(self, line: Line) -> Line:
        """Write a line.

        :param line: The line.
        :result: The same in signs that can be shown.
        """
        return tuple(Span(self.text(span.text), span.style) for span in line)

    def text(self, text: str) -> str:
        """Write a text.

        :param text: The text.
        :result: The same in signs that can be shown; a question mark stands for a sign that nothing stands for.
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
