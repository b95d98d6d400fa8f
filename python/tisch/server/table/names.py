"""The names of players and tables: which of them people can read, and which of them they cannot tell apart."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from tisch import _core
from tisch.ports.refusal import LONGEST_NAME, Code, Refusal, echo

#: Characters that are drawn as nothing, though Unicode lists them neither as blanks nor as ignorable.
BLANK: Final = frozenset("\U00013441\U00013442\U00016fe4\U0001d159")
#: They only choose how the character before them is drawn, and phones send them with many emoji.
SELECTORS: Final = frozenset("\ufe0e\ufe0f")


def read_name(text: str, whose: str) -> str:
    """Read a name that people see.

    :param text: What was sent.
    :param whose: Whose name it is, for the error.
    :result: The name, in one way of writing it.
    :raises Refusal: It is too long, or has characters that cannot be seen.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= LONGEST_NAME or not _can_be_seen(name):
        reason = f"The {whose}'s name must have 1 to {LONGEST_NAME} characters that can be seen."
        raise Refusal(Code.INVALID_MESSAGE, message=echo(text), reason=reason)
    return name


def alike(one: str, other: str) -> bool:
    """Tell whether people could take two names for each other.

    Letters of other alphabets, of another width or another case do not make another name, nor do blanks.

    :param one: A name.
    :param other: Another one.
    :result: Whether they could.
    """
    return not _looks(one).isdisjoint(_looks(other))


@lru_cache(maxsize=1000)
def _looks(name: str) -> frozenset[str]:
    """Compute what a name looks like as it stands and in small letters: ``I`` looks like ``l``, but becomes ``i``."""
    return frozenset(_shape("".join(text.casefold().split())) for text in (_shape(name), name))


def _shape(text: str) -> str:
    return _core.skeleton(unicodedata.normalize("NFKC", text))


def _can_be_seen(name: str) -> bool:
    """Tell whether something is drawn for each character, and not only marks on nothing."""
    drawn = [character for character in name if character not in SELECTORS]
    return all(map(_is_drawn, drawn)) and any(unicodedata.category(character)[0] in "LNPS" for character in drawn)


def _is_drawn(character: str) -> bool:
    if character == " ":
        return True
    is_known = character.isprintable() and character not in BLANK
    return is_known and bool(_core.skeleton(character).strip())
