"""The codec of S-expressions, which universes and worlds send one on a line; they are never evaluated.

The reader decodes one datum, which may span several lines, and ignores the rest of its last line, as Racket's does. It
also ignores quotes before a datum. What no program of this game sends, such as a vector, is decoded as its parts.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from tisch.ports.wire import ProtocolError

#: The longest datum in characters, and the deepest nesting of lists.
LONGEST: Final = 16 * 1024
DEEPEST: Final = 16

_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
#: The next token, if it is complete. Possessive quantifiers, so that an incomplete one costs linear time.
_TOKEN: Final = re.compile(
    r"""(?P<blank>[\s'`,]++ | ;[^\n]*+\n) | (?P<opening>[(\[{]) | (?P<closing>[)\]}])
    | (?P<string>"(?:[^"\\]++ | \\.)*+")
    | (?P<atom>(?:[^\s()\[\]{}";'`,|\\]++ | \\. | \|[^|]*+\|)++) (?=[\s()\[\]{}";'`,])""",
    re.VERBOSE | re.DOTALL,
)
_REST: Final = re.compile(r"[^\n]*+\n|[^\n]++")
#: The literal characters of an atom: one after a backslash, or those between bars.
_SPECIAL: Final = re.compile(r"\\(.)|\|([^|]*)\|", re.DOTALL)
_TRUTHS: Final = {"#t": True, "#true": True, "#T": True, "#f": False, "#false": False, "#F": False}
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?\.?[0-9]", re.ASCII)
#: A symbol that needs no bars.
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
        """Return the name."""
        return self.name


@dataclass(frozen=True, slots=True)
class Other:
    """A datum of another kind, such as a fraction or a character; the protocol does not use it.

    :ivar text: Its text.
    """

    text: str

    def __str__(self) -> str:
        """Return the text."""
        return self.text


#: An S-expression: a list, a string, a boolean, an integer, a symbol or another datum.
Datum: TypeAlias = tuple["Datum", ...] | str | int | Symbol | Other


def line(datum: Datum) -> bytes:
    """Encode a datum as a message.

    :param datum: The datum.
    :result: Its line.
    """
    return f"{write(datum)}\n".encode(errors="replace")


def write(datum: Datum) -> str:
    """Format a datum.

    :param datum: The datum.
    :result: Its text, without line ends except those of symbols.
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
    """Decodes bytes, cut at any place, to data; its memory is bounded by the longest datum."""

    def __init__(self) -> None:
        """Start."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""
        #: The open lists from the outermost on, each with its closing bracket; the first one holds a complete datum.
        self._open: list[tuple[str, list[Datum]]] = [("", [])]
        self._size = 0

    def read(self, data: bytes) -> Iterator[Datum]:
        """Decode the next bytes.

        :param data: The bytes.
        :result: The data whose line is complete now.
        :raises ProtocolError: The bytes are no datum; the reader cannot continue.
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
        """Add a token to the open lists."""
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
        # The text around a datum does not count.
        self._size = self._size + len(text) if len(self._open) > 1 else 0


def _atom(text: str) -> Datum:
    """Parse a symbol, a number or another datum."""
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
