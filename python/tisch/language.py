"""The languages in which people are spoken to, and sentences that are put into words only when somebody asks."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

LANGUAGES: Final = ("de", "en")

#: Texts by language and name; names in braces stand for values.
Texts: TypeAlias = Mapping[str, Mapping[str, str]]

_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


class Sentence(NamedTuple):
    """A sentence, or a part of one, that is in no language yet.

    :ivar texts: Where it stands.
    :ivar name: Its name there.
    :ivar values: What stands for the names in braces: numbers, words that all languages share, parts of the sentence.
    """

    texts: Texts
    name: str
    values: Mapping[str, object] = _NOTHING

    def tell(self, language: str) -> str:
        """Put it into words.

        :param language: One of :data:`LANGUAGES`.
        :result: The sentence.
        :raises ValueError: There is no such language.
        """
        require(language)
        return _Filling(language).vformat(self.texts[language][self.name], (), self.values)


def require(language: str) -> None:
    """Make sure that a language is spoken here.

    :param language: The language.
    :raises ValueError: It is not.
    """
    if language not in LANGUAGES:
        raise ValueError(f"The language '{language}' is not spoken here, only {' and '.join(LANGUAGES)}.")


class _Filling(Formatter):
    """Fills values in as a language writes them."""

    def __init__(self, language: str) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Sentence):
            return value.tell(self._language)
        text = format(value, format_spec)
        return text.replace(".", ",") if self._language == "de" and isinstance(value, float) else text
