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
_CLOSING: Final = frozenset(_OPENING.values())
_QUOTES: Final = frozenset("'`,")
#: What ends a symbol or a number.
_ENDS: Final = frozenset('()[]{}";') | _QUOTES
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
        self._begin()

    def _begin(self) -> None:
        self._take = self._between
        self._lists: list[list[Datum]] = []
        self._closing: list[str] = []
        self._raw: list[str] = []
        self._plain: list[str] = []
        self._escaped = self._in_bars = self._is_symbol = False
        self._size = 0
        self._datum: Datum = ()
        self._is_complete = False

    def read(self, data: bytes) -> Iterator[Datum]:
        """Read on.

        :param data: The bytes that have come.
        :result: The data that are complete now: those whose line has ended.
        :raises ProtocolError: The next one is none; nothing can be read any more.
        """
        for sign in self._decoder.decode(data):
            self._take(sign)
            if self._is_complete:
                datum = self._datum
                self._begin()
                yield datum
            elif self._size > LONGEST:
                self._begin()
                raise ProtocolError(f"A message is longer than {LONGEST} signs.")

    def _between(self, sign: str) -> None:
        """Take a sign that stands in nothing."""
        if self._lists:
            self._size += 1
        if sign.isspace() or sign in _QUOTES:
            return
        if sign == ";":
            self._take = self._comment
        elif sign == '"':
            self._take = self._string
        elif sign in _OPENING:
            if len(self._lists) == DEEPEST:
                raise ProtocolError(f"More than {DEEPEST} lists stand one in the other.")
            self._lists.append([])
            self._closing.append(_OPENING[sign])
        elif sign in _CLOSING:
            if not self._closing or self._closing.pop() != sign:
                raise ProtocolError(f"There is a '{sign}' that closes nothing.")
            self._add(tuple(self._lists.pop()))
        else:
            self._take = self._atom
            self._atom(sign)

    def _comment(self, sign: str) -> None:
        if self._lists:
            self._size += 1
        if sign == "\n":
            self._take = self._between

    def _string(self, sign: str) -> None:
        self._size += 1
        if sign == '"' and not self._escaped:
            self._add(_ESCAPE.sub(_unescaped, "".join(self._raw)))
            return
        self._raw.append(sign)
        self._escaped = sign == "\\" and not self._escaped

    def _atom(self, sign: str) -> None:
        """Take a sign of a symbol, a number or the like; a backslash or bars take what is special from signs."""
        special = not self._escaped and not self._in_bars
        if special and (sign.isspace() or sign in _ENDS):
            self._add(self._atom_read())
            self._take(sign)
            return
        self._size += 1
        self._raw.append(sign)
        if not self._escaped and sign == "|":
            self._in_bars = not self._in_bars
            self._is_symbol = True
        elif special and sign == "\\":
            self._escaped = self._is_symbol = True
        else:
            self._escaped = False
            self._plain.append(sign)

    def _atom_read(self) -> Datum:
        raw, plain = "".join(self._raw), "".join(self._plain)
        if raw in _TRUTHS:
            return _TRUTHS[raw]
        if raw.startswith("#") and not raw.startswith("#%"):
            return Other(raw)
        if self._is_symbol:
            return Symbol(plain)
        if _WHOLE.fullmatch(raw):
            return int(raw)
        return Other(raw) if raw == "." or _NUMBER.match(raw) else Symbol(raw)

    def _add(self, datum: Datum) -> None:
        """Put a datum where it belongs."""
        self._raw.clear()
        self._plain.clear()
        self._escaped = self._in_bars = self._is_symbol = False
        if self._lists:
            self._lists[-1].append(datum)
            self._take = self._between
        else:
            self._datum = datum
            self._take = self._rest

    def _rest(self, sign: str) -> None:
        """Pass over the rest of the line."""
        self._is_complete = sign == "\n"


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
