"""The names of players and tables: which ones are readable, and which ones look alike."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from tisch import _core
from tisch.ports.refusal import LONGEST_NAME, LONGEST_NAME_POINTS, Code, Refusal, echo

#: Characters that are invisible, though Unicode lists them neither as blanks nor as ignorable.
BLANK: Final = frozenset("\U00013441\U00013442\U00016fe4\U0001d159")
#: Variation selectors, which phones send with many emoji.
SELECTORS: Final = frozenset("\ufe0e\ufe0f")
#: What joins emoji to one, as in a family, and the tones of skin; neither is drawn by itself.
JOINER: Final = "\u200d"
TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
#: The only parts of joined emoji that are no symbols by their category: arrows.
ARROWS: Final = frozenset("\u2194\u2195")
#: Two of these make a flag.
FLAGS: Final = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
#: The most marks on a character, and parts of an emoji: no alphabet and no emoji has more.
MOST_MARKS: Final = 4
MOST_PARTS: Final = 4


def read_name(text: str, whose: str) -> str:
    """Normalize a name.

    :param text: The name as it was sent.
    :param whose: Whose name it is, for the error.
    :result: The name in normal form.
    :raises Refusal: It is empty, too long, or has invisible characters.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or not is_short(name) or not _can_be_seen(name):
        reason = f"The {whose}'s name must have 1 to {LONGEST_NAME} characters that can be seen."
        raise Refusal(Code.INVALID_MESSAGE, message=echo(text), reason=reason)
    return name


def is_short(name: str) -> bool:
    """Return whether a name is not too long.

    :param name: The name.
    :result: Whether it has few enough characters, as people count them, and code points.
    """
    return len(name) <= LONGEST_NAME_POINTS and len(characters(name)) <= LONGEST_NAME


def characters(text: str) -> list[str]:
    """Cut a text into what people take for one character each: with its marks, and joined emoji as one.

    :param text: The text.
    :result: The characters.
    """
    found: list[str] = []
    for point in text:
        last = found[-1] if found else ""
        is_mark = point in SELECTORS or point in TONES or unicodedata.category(point)[0] == "M"
        if last and (is_mark or JOINER in (point, last[-1]) or (point in FLAGS and last in FLAGS)):
            found[-1] += point
        else:
            found.append(point)
    return found


def alike(one: str, other: str) -> bool:
    """Return whether people could mistake two names for each other.

    Letters of other alphabets, widths or cases make no difference, nor do blanks.

    :param one: A name.
    :param other: Another one.
    :result: Whether they could.
    """
    return not _looks(one).isdisjoint(_looks(other))


def look_of(name: str) -> str:
    """Return what stands for a name and those that only differ by letters of other alphabets, widths or cases.

    :param name: The name.
    :result: Its look.
    """
    return _shape("".join(name.casefold().split()))


@lru_cache(maxsize=1000)
def _looks(name: str) -> frozenset[str]:
    """Compute the looks of a name as written and in lower case: ``I`` looks like ``l``, but becomes ``i``."""
    return frozenset(_shape("".join(text.casefold().split())) for text in (_shape(name), name))


def _shape(text: str) -> str:
    return _core.skeleton(unicodedata.normalize("NFKC", text))


def _can_be_seen(name: str) -> bool:
    """Return whether every character is visible, and not all of them are combining marks."""
    drawn = [point for point in name if point not in SELECTORS and point != JOINER]
    is_more_than_marks = any(unicodedata.category(point)[0] in "LNPS" for point in drawn)
    return is_more_than_marks and all(map(_is_drawn, drawn)) and all(map(_is_whole, characters(name)))


def _is_drawn(point: str) -> bool:
    if point == " ":
        return True
    is_known = point.isprintable() and point not in BLANK
    return is_known and bool(_core.skeleton(point).strip())


def _is_whole(character: str) -> bool:
    """Return whether a character has few marks, and joins nothing but emoji."""
    marks = [point for point in character if unicodedata.category(point)[0] == "M" and point not in SELECTORS]
    parts = character.split(JOINER)
    return len(marks) <= MOST_MARKS and len(parts) <= MOST_PARTS and (len(parts) == 1 or all(map(_is_emoji, parts)))


def _is_emoji(part: str) -> bool:
    drawn = [point for point in part if point not in SELECTORS]
    is_symbol = bool(drawn) and (unicodedata.category(drawn[0]) == "So" or drawn[0] in ARROWS)
    return is_symbol and TONES.issuperset(drawn[1:]) and len(drawn) <= 2
