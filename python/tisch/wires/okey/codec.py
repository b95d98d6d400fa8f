"""The codec of Okey's own protocol: lines, nested lists and racks.

A message is a command of four capitals and its arguments; a ``+`` before the command marks an answer. An argument that
is empty or contains a blank or a quote is quoted: its own quotes are escaped by backslashes, and a mark before the last
quote separates that from a backslash at the end of the argument. A list is encoded in the same way, so that it can be
an argument or a member of another list. The two dialects differ in the mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tisch.games.okey.tiles import ROW, ROWS, Layout, Tile
from tisch.ports.wire import ProtocolError

#: The version of the protocol: that of the seed, or that of the last programs that were written for it.
Dialect: TypeAlias = Literal["seed", "head"]
#: The mark before the last quote of an argument.
MARKS: Final[Mapping[Dialect, str]] = {"seed": " ", "head": "%"}
SLOTS: Final = ROW * ROWS
#: A quoted part of an argument, and an argument. An escaped quote does not end a part.
_QUOTED: Final = re.compile(r'"((?:\\"|[^"])*+)"?')
_ARGUMENT: Final = re.compile(r'(?:[^ "]++|"(?:\\"|[^"])*+"?)++')


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    :ivar command: The command; known ones have four capitals.
    :ivar arguments: The arguments, without quotes.
    :ivar is_answer: Is it an answer?
    """

    command: str
    arguments: tuple[str, ...] = ()
    is_answer: bool = False


class Lines:
    """Splits bytes, cut at any place, into lines."""

    def __init__(self, longest: int) -> None:
        """Start.

        :param longest: The longest line in bytes; the memory is bounded by it.
        """
        self._longest = longest
        self._rest = b""

    def read(self, data: bytes) -> Iterator[str]:
        """Decode the next bytes.

        :param data: The bytes.
        :result: The lines that are complete now, without their ends; exhaust this before the next call.
        :raises ProtocolError: A line is too long, is no UTF-8 or has a zero or a carriage return in it.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            yield self._text(line)
        if len(self._rest) > self._longest:
            self._rest = b""
            raise ProtocolError(f"A line is longer than {self._longest} bytes.")

    def _text(self, line: bytes) -> str:
        if len(line) > self._longest:
            raise ProtocolError(f"A line is longer than {self._longest} bytes.")
        try:
            text = line.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            raise ProtocolError("A line is no UTF-8.") from error
        if "\0" in text or "\r" in text:
            raise ProtocolError("A line has a zero or a carriage return in it.")
        return text


def read(line: str, dialect: Dialect) -> Message:
    """Decode a line; every line is a message, though its command may be unknown.

    :param line: The line, without its end.
    :param dialect: The dialect.
    :result: The message.
    """
    command, _, rest = line.partition(" ")
    return Message(command.removeprefix("+"), tuple(decode(rest, dialect)), command.startswith("+"))


def write(message: Message, dialect: Dialect) -> bytes:
    """Encode a message.

    :param message: The message.
    :param dialect: The dialect.
    :result: The line, with its end.
    """
    command = f"+{message.command}" if message.is_answer else message.command
    return (" ".join([command, *_quoted(message.arguments, dialect)]) + "\r\n").encode()


def encode(texts: Iterable[str], dialect: Dialect) -> str:
    """Encode a list as one text.

    :param texts: The list.
    :param dialect: The dialect.
    :result: The text; :func:`decode` gives the list back.
    """
    return " ".join(_quoted(texts, dialect))


def _quoted(texts: Iterable[str], dialect: Dialect) -> Iterator[str]:
    for text in texts:
        if text and " " not in text and '"' not in text:
            yield text
        else:
            escaped = text.replace('"', '\\"')
            yield f'"{escaped}{MARKS[dialect]}"'


def decode(text: str, dialect: Dialect) -> list[str]:
    """Decode a list from one text, even if a mark or the last quote is missing.

    :param text: The text.
    :param dialect: The dialect.
    :result: The list.
    """
    return [_plain(argument, MARKS[dialect]) for argument in _ARGUMENT.findall(text)]


def _plain(argument: str, mark: str) -> str:
    """Return an argument without its quotes, and without the mark if it has quotes."""
    plain = _QUOTED.sub(lambda quoted: quoted[1].replace('\\"', '"'), argument)
    return plain.removesuffix(mark) if '"' in argument else plain


def write_rack(rack: Sequence[Tile], dialect: Dialect) -> str:
    """Encode the tiles of a rack as a list: sorted, or in the dialect ``head`` in the first of 24 slots.

    :param rack: The tiles.
    :param dialect: The dialect.
    :result: The list's text.
    """
    if dialect == "seed":
        return encode(map(str, sorted(rack)), dialect)
    return write_layout((*rack, *(None,) * (SLOTS - len(rack))), dialect)


def write_layout(layout: Iterable[Tile | None], dialect: Dialect) -> str:
    """Encode the slots of a rack as a list.

    :param layout: A tile, or nothing, for each slot.
    :param dialect: The dialect.
    :result: The list's text.
    """
    return encode(("" if tile is None else str(tile) for tile in layout), dialect)


def read_layout(text: str, dialect: Dialect) -> Layout:
    """Decode the slots of a rack.

    :param text: The list's text.
    :param dialect: The dialect.
    :result: The slots.
    :raises ValueError: There are too many slots, or one of them holds no tile.
    """
    slots = decode(text, dialect)
    if len(slots) > SLOTS:
        raise ValueError(f"A rack has {SLOTS} slots, not {len(slots)}.")
    return tuple(Tile.parse(slot) if slot else None for slot in slots)


def tiles_of(layout: Iterable[Tile | None]) -> list[Tile]:
    """Return the tiles of a rack in their order."""
    return [tile for tile in layout if tile is not None]
