"""S-expressions as universes and worlds send them: each on a line of its own. They are read, never evaluated.

A reader takes one datum, on however many lines, and passes over the rest of its last line, as Racket's does. Quotes
before a datum are passed over as well. What no program of this game sends, vectors for example, is read as its parts.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from tisch.ports.wire import ProtocolError

#: How many signs a datum may have, and how many lists may stand one in the other.
LONGEST: Final = 16 * 1024
DEEPEST: Final = 16

_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
#: What stands next, if it is complete. Possessive, so that what is unfinished is never tried in another way.
_TOKEN: Final = re.compile(
    r"""(?P<blank>[\s'`,]++ | ;[^\n]*+\n) | (?P<opening>[(\[{]) | (?P<closing>[)\]}])
    | (?P<string>"(?:[^"\\]++ | \\.)*+")
    | (?P<atom>(?:[^\s()\[\]{}";'`,|\\]++ | \\. | \|[^|]*+\|)++) (?=[\s()\[\]{}";'`,])""",
    re.VERBOSE | re.DOTALL,
)
_REST: Final = re.compile(r"[^\n]*+\n|[^\n]++")
#: What of an atom is meant by itself: what stands after a backslash, and between bars.
_SPECIAL: Final = re.compile(r"\\(.)|\|([^|]*)\|", re.DOTALL)
_TRUTHS: Final = {"#t": True, "#true": True, "#T": True, "#f": False, "#false": False, "#F": False}
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?\.?[0-9]", re.ASCII)
#: A symbol that can be taken for nothing else.
_BARE: Final = re.compile(r"[^\s()\[\]{}\";'`,|\\#+.0-9-][^\s()\[\]{}\";'`,|\\]*")
_SHORT: Final = {
    "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    '"': '"', "'": "'", "\\": "\\", "\n": "",
}  # fmt: skip
_ESCAPED: Final = {ord(sign): f"\\{letter}" for letter, sign in _SHORT.items() if sign not in ("", "'")}
_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))", re.DOTALL
)
_SURROGATES: Final = range(0xD800, 0xE000)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol.

    :ivar name: Its name.
    """

    name: str

    def __str__(self) -> str:
        """Tell the name."""
        return self.name


@dataclass(frozen=True, slots=True)
class Other:
    """What this game has no use for: a number that is not whole, a single sign and the like.

    :ivar text: How it is written.
    """

    text: str

    def __str__(self) -> str:
        """Tell how it is written."""
        return self.text


#: What can be said. A text is a string; a truth value is a ``bool``.
Datum: TypeAlias = tuple["Datum", ...] | str | int | Symbol | Other


def line(datum: Datum) -> bytes:
    """Write a datum as a message.

    :param datum: The datum.
    :result: Its line.
    """
    return f"{write(datum)}\n".encode(errors="replace")


def write(datum: Datum) -> str:
    """Write a datum.

    :param datum: The datum.
    :result: Its text; it has no end of line in it, unless a symbol has.
    """
    match datum:
        case tuple():
            return f"({' '.join(map(write, datum))})"
        case bool():
            return "#t" if datum else "#f"
        case str():
            return f'"{"".join(map(_written, datum))}"'
        case Symbol(name):
            return _written_symbol(name)
        case _:
            return str(datum)


def _written(sign: str) -> str:
    if sign.isprintable() or ord(sign) in _ESCAPED:
        return sign.translate(_ESCAPED)
    return f"\\u{ord(sign):04X}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08X}"


def _written_symbol(name: str) -> str:
    if _BARE.fullmatch(name):
        return name
    return "".join(f"\\{sign}" for sign in name) if "|" in name else f"|{name}|"


class Reader:
    """Makes data of bytes, wherever they are cut; keeps no more than one datum that is unfinished."""

    def __init__(self) -> None:
        """Begin."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        #: The lists that are open, the outermost first, each with what closes it; in the first one are whole data.
        self._open: list[tuple[str, list[Datum]]] = [("", [])]
        self._size = 0

    def read(self, data: bytes) -> Iterator[Datum]:
        """Read on.

        :param data: The bytes that have come.
        :result: The data that are complete now: those whose line has ended.
        :raises ProtocolError: The next one is none; nothing can be read any more.
        """
        text, place = self._text + self._decoder.decode(data), 0
        while token := (_REST if self._open[0][1] else _TOKEN).match(text, place):
            place = token.end()
            self._take(token)
            if token.re is _REST and text[place - 1] == "\n":
                yield self._open[0][1].pop()
            if self._size > LONGEST:
                break
        self._text = text[place:]
        if self._size + len(self._text) > LONGEST:
            raise ProtocolError(f"A message is longer than {LONGEST} signs.")

    def _take(self, token: re.Match[str]) -> None:
        """Take what stands next, and put it where it belongs."""
        kind, text = token.lastgroup, token[0]
        closing, data = self._open[-1]
        if kind == "opening":
            if len(self._open) > DEEPEST:
                raise ProtocolError(f"More than {DEEPEST} lists stand one in the other.")
            self._open.append((_OPENING[text], []))
        elif kind == "closing":
            if text != closing:
                raise ProtocolError(f"There is a '{text}' that closes nothing.")
            self._open.pop()
            self._open[-1][1].append(tuple(data))
        elif kind == "string":
            data.append(_ESCAPE.sub(_unescaped, text[1:-1]))
        elif kind == "atom":
            data.append(_atom(text))
        # What stands before a datum does not count, nor what stands behind it.
        self._size = self._size + len(text) if len(self._open) > 1 else 0


def _atom(text: str) -> Datum:
    """Read a symbol, a number or the like; a backslash or bars take what is special from signs."""
    if text in _TRUTHS:
        return _TRUTHS[text]
    if text.startswith("#") and not text.startswith("#%"):
        return Other(text)
    if "\\" in text or "|" in text:
        return Symbol(_SPECIAL.sub(lambda match: match[1] or match[2] or "", text))
    if _WHOLE.fullmatch(text):
        return int(text)
    return Other(text) if text == "." or _NUMBER.match(text) else Symbol(text)


def _unescaped(match: re.Match[str]) -> str:
    *numbers, octal, letter = match.groups()
    if letter is not None:
        if letter not in _SHORT:
            raise ProtocolError(f"In a text, '\\{letter}' means nothing.")
        return _SHORT[letter]
    code = int(octal, 8) if octal is not None else int(next(filter(None, numbers)), 16)
    if code > 0x10FFFF or code in _SURROGATES:
        raise ProtocolError(f"There is no sign {code:X}.")
    return chr(code)
