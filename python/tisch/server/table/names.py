"""The names of players and tables: which ones are readable, and which ones look alike."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from tisch import _core
from tisch.ports.refusal import LONGEST_NAME, Code, Refusal, echo

#: Characters that are invisible, though Unicode lists them neither as blanks nor as ignorable.
BLANK: Final = frozenset("\U00013441\U00013442\U00016fe4\U0001d159")
#: Variation selectors, which phones send with many emoji.
SELECTORS: Final = frozenset("\ufe0e\ufe0f")


def read_name(text: str, whose: str) -> str:
    """Normalize a name.

    :param text: The name as it was sent.
    :param whose: Whose name it is, for the error.
    :result: The name in normal form.
    :raises Refusal: It is empty, too long, or has invisible characters.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= LONGEST_NAME or not _can_be_seen(name):
        reason = f"The {whose}'s name must have 1 to {LONGEST_NAME} characters that can be seen."
        raise Refusal(Code.INVALID_MESSAGE, message=echo(text), reason=reason)
    return name


def alike(one: str, other: str) -> bool:
    """Return whether people could mistake two names for each other.

    Letters of other alphabets, widths or cases make no difference, nor do blanks.

    :param one: A name.
    :param other: Another one.
    :result: Whether they could.
    """
    return not _looks(one).isdisjoint(_looks(other))


@lru_cache(maxsize=1000)
def _looks(name: str) -> frozenset[str]:
    """Compute the looks of a name as written and in lower case: ``I`` looks like ``l``, but becomes ``i``."""
    return frozenset(_shape("".join(text.casefold().split())) for text in (_shape(name), name))


def _shape(text: str) -> str:
    return _core.skeleton(unicodedata.normalize("NFKC", text))


def _can_be_seen(name: str) -> bool:
    """Return whether every character is visible, and not all of them are combining marks."""
    drawn = [character for character in name if character not in SELECTORS]
    return all(map(_is_drawn, drawn)) and any(unicodedata.category(character)[0] in "LNPS" for character in drawn)


def _is_drawn(character: str) -> bool:
    if character == " ":
        return True
    is_known = character.isprintable() and character not in BLANK
    return is_known and bool(_core.skeleton(character).strip())
