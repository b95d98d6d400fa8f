"""The languages in which people are spoken to, and sentences that are put into words only when somebody asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Formatter
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

LANGUAGES: Final = ("de", "en")
#: The variable that chooses one of them for tisch alone.
VARIABLE: Final = "TISCH_LANG"
#: The variables that say which language the system's messages are in; the first that is set counts.
_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")

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


def preferred(environment: Mapping[str, str]) -> str:
    """Choose the language of whoever has started a command: ``TISCH_LANG``, or else that of the system's locale.

    :param environment: The variables of the environment.
    :result: One of :data:`LANGUAGES`; where the locale is another, English.
    :raises ValueError: ``TISCH_LANG`` is none of them.
    """
    if wanted := environment.get(VARIABLE):
        try:
            require(wanted)
        except ValueError as error:
            raise ValueError(f"The variable {VARIABLE} does not fit: {error}") from error
        return wanted
    locale = next((value for name in _LOCALE if (value := environment.get(name))), "")
    spoken = re.split("[_.@-]", locale)[0].lower()
    return spoken if spoken in LANGUAGES else "en"


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
