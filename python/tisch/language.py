"""The languages for people, the words of a game, and sentences that are put into words only on request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

LANGUAGES: Final = ("de", "en")
#: The environment variable that selects a language for tisch alone.
VARIABLE: Final = "TISCH_LANG"
#: The environment variables of the system's language; the first that is set counts.
_LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")

#: Texts by language and name, with placeholders as in :data:`PLACEHOLDER`.
Texts: TypeAlias = Mapping[str, Mapping[str, str]]

#: A placeholder is ``{name}``; or ``{name|one|other}`` or ``{name|none|one|other}``, a number with what it counts, in
#: which ``#`` is the number. The browser reads the same in ``web/js/base/texts.js``.
PLACEHOLDER: Final = re.compile(r"\{(\w+)((?:\|[^{}|]*){2,3})?\}")

_BRACES: Final = re.compile(r"\{(\w+)\}")
#: The numbers that count as one, also as a loss.
_ONE: Final = ("1", "-1", "−1")
_NOTHING: Final[Mapping[str, object]] = MappingProxyType({})


class Vocabulary:
    """The words of a game: a file ``LANGUAGE.json`` for each language in one folder. A file is read on first use.

    :param folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def words(self, language: str) -> Mapping[str, Any]:
        """Return all words of a language.

        :param language: One of :data:`LANGUAGES`.
        :result: The sections of the file by name.
        :raises ValueError: The language is unknown, or its file cannot be used; the message names the file.
        """
        require(language)
        return _words(self.folder / f"{language}.json")

    def folded(self, language: str) -> dict[str, Any]:
        """Return all words of a language, and in each section besides those that all games share.

        :param language: One of :data:`LANGUAGES`.
        :result: The sections by name.
        :raises ValueError: As for :meth:`words`.
        """
        own, shared = self.words(language), SHARED.words(language)
        return {**own, **{name: {**texts, **own.get(name, {})} for name, texts in shared.items()}}

    def section(self, name: str) -> Section:
        """Return one section in all languages.

        :param name: The section, such as ``events``.
        :result: Its texts by language; a section that a file lacks is empty.
        """
        return Section(self, name)


class Section(Mapping[str, Mapping[str, str]]):
    """One section of a vocabulary in all languages; it reads a file when its language is first used."""

    def __init__(self, vocabulary: Vocabulary, name: str) -> None:
        self._vocabulary = vocabulary
        self._name = name

    def __getitem__(self, language: str) -> Mapping[str, str]:
        if language not in LANGUAGES:
            raise KeyError(language)
        texts: Mapping[str, str] = self._vocabulary.words(language).get(self._name, _NOTHING)
        return texts

    def __iter__(self) -> Iterator[str]:
        return iter(LANGUAGES)

    def __len__(self) -> int:
        return len(LANGUAGES)


#: The words that all games share.
SHARED: Final = Vocabulary(Path(__file__).parent / "texts")


@cache
def _words(path: Path) -> Mapping[str, Any]:
    try:
        return MappingProxyType(msgspec.json.decode(path.read_bytes(), type=dict[str, Any]))
    except OSError as error:
        raise ValueError(f"The words {path} cannot be read: {error.strerror}.") from error
    except msgspec.DecodeError as error:
        raise ValueError(f"The words {path} cannot be used: {str(error).removesuffix('.')}.") from error


class Sentence(NamedTuple):
    """A sentence, or a part of one, that is not yet in a language.

    :ivar texts: The texts that contain it.
    :ivar name: Its name in the texts.
    :ivar values: The values of its placeholders: numbers, words that all languages share, parts of the sentence.
    """

    texts: Texts
    name: str
    values: Mapping[str, object] = _NOTHING

    def tell(self, language: str) -> str:
        """Format the sentence in a language.

        :param language: One of :data:`LANGUAGES`.
        :result: The sentence.
        :raises ValueError: The language is unknown.
        """
        require(language)
        parts = pieces(self.texts[language][self.name], self.values)
        return "".join(_written(part, language) for part in parts)


def pieces(text: str, values: Mapping[str, object], digits: Callable[[Any], str] = str) -> Iterator[object]:
    """Fill in a text.

    :param text: The text, with placeholders as in :data:`PLACEHOLDER`.
    :param values: The values of the placeholders.
    :param digits: (Optional) Converts a value that counts something to its digits.
    :result: Parts of the text and, unconverted, values, in order.
    """
    end = 0
    for found in PLACEHOLDER.finditer(text):
        yield text[end : found.start()]
        end = found.end()
        name, forms = found.groups()
        if not forms:
            yield values[name]
            continue
        for place, part in enumerate(_form(forms, digits(values[name])).split("#")):
            if place:
                yield values[name]
            yield part
    yield text[end:]


def _form(forms: str, number: str) -> str:
    """Return the form of a placeholder that fits a number."""
    *none, one, other = forms.split("|")[1:]
    if number == "0" and none:
        return none[0]
    return one if number in _ONE else other


def _written(value: object, language: str) -> str:
    """Write a value as a language does."""
    if isinstance(value, Sentence):
        return value.tell(language)
    return str(value).replace(".", ",") if language == "de" and isinstance(value, float) else str(value)


def matched(names: Iterable[str], sentence: str) -> tuple[str, Mapping[str, str]] | None:
    """Find the text for a sentence, where texts are named by sentences with names in braces for what varies.

    :param names: The texts' names.
    :param sentence: The sentence.
    :result: The text's name, and what stands in the sentence for the names in braces; ``None`` if there is none. Of
        several the one counts whose name says the most.
    """
    for name in sorted(names, key=lambda name: -len(_BRACES.sub("", name))):
        found = re.fullmatch("(.+?)".join(map(re.escape, _BRACES.split(name)[::2])), sentence)
        if found:
            return name, dict(zip(_BRACES.findall(name), found.groups(), strict=True))
    return None


def preferred(environment: Mapping[str, str]) -> str:
    """Return the language of the user of a command: ``TISCH_LANG``, or else that of the system's locale.

    :param environment: The environment variables.
    :result: One of :data:`LANGUAGES`; English if the locale is another one.
    :raises ValueError: ``TISCH_LANG`` is an unknown language.
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
    """Check that a language is known.

    :param language: The language.
    :raises ValueError: It is unknown.
    """
    if language not in LANGUAGES:
        raise ValueError(f"The language '{language}' is not spoken here, only {' and '.join(LANGUAGES)}.")
