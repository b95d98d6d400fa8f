"""The lines of Okey's protocol: bytes to messages and back, nested lists, racks. It knows no lobby and no game.

A message is a command of four capitals and arguments; ``+`` before it makes it an answer. An argument that is empty
or has a blank or a quote in it stands in quotes, its own quotes after backslashes, with a mark before the last quote,
which keeps a backslash at the argument's end apart from that quote. A list is written in the same way, so that it can
be an argument of another. The two dialects differ in the mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tisch.games.okey.tiles import ROW, ROWS, Layout, Tile
from tisch.ports.wire import ProtocolError

#: Which version of the protocol is spoken: that of the seed, or that of the last programs that were made for it.
Dialect: TypeAlias = Literal["seed", "head"]
#: What stands before the quote that ends an argument.
MARKS: Final[Mapping[Dialect, str]] = {"seed": " ", "head": "%"}
SLOTS: Final = ROW * ROWS
#: A part of an argument that stands in quotes, and an argument. A quote after a backslash ends none.
_QUOTED: Final = re.compile(r'"((?:\\"|[^"])*+)"?')
_ARGUMENT: Final = re.compile(r'(?:[^ "]++|"(?:\\"|[^"])*+"?)++')


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    :ivar command: What it is about: four capitals, if it is one that is known.
    :ivar arguments: The arguments, without quotes.
    :ivar is_answer: Does it answer a message of the other side?
    """

    command: str
    arguments: tuple[str, ...] = ()
    is_answer: bool = False


class Lines:
    """Cuts bytes into lines, whatever pieces they come in."""

    def __init__(self, longest: int) -> None:
        """Begin with nothing.

        :param longest: How many bytes a line may have; never are more than these kept.
        """
        self._longest = longest
        self._rest = b""

    def read(self, data: bytes) -> Iterator[str]:
        """Read on.

        :param data: The bytes that have come.
        :result: The lines that are complete now, without their ends. All must be taken before more is read.
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
    """Read a line; every line is a message, if perhaps one that nobody knows.

    :param line: The line, without its end.
    :param dialect: The dialect.
    :result: The message.
    """
    command, _, rest = line.partition(" ")
    return Message(command.removeprefix("+"), tuple(decode(rest, dialect)), command.startswith("+"))


def write(message: Message, dialect: Dialect) -> bytes:
    """Write a message.

    :param message: The message.
    :param dialect: The dialect.
    :result: The line, with its end.
    """
    command = f"+{message.command}" if message.is_answer else message.command
    return (" ".join([command, *_quoted(message.arguments, dialect)]) + "\r\n").encode()


def encode(texts: Iterable[str], dialect: Dialect) -> str:
    """Write a list as one text.

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
    """Read a list from one text. What lacks the mark or the last quote is read all the same.

    :param text: The text.
    :param dialect: The dialect.
    :result: The list.
    """
    return [_plain(argument, MARKS[dialect]) for argument in _ARGUMENT.findall(text)]


def _plain(argument: str, mark: str) -> str:
    """Take the quotes off an argument, and the mark if it has quotes."""
    plain = _QUOTED.sub(lambda quoted: quoted[1].replace('\\"', '"'), argument)
    return plain.removesuffix(mark) if '"' in argument else plain


def write_rack(rack: Sequence[Tile], dialect: Dialect) -> str:
    """Write the tiles of a rack as a list: sorted, or in the other dialect 24 slots in the order of the tiles.

    :param rack: The tiles.
    :param dialect: The dialect.
    :result: The list's text.
    """
    if dialect == "seed":
        return encode(map(str, sorted(rack)), dialect)
    return write_layout((*rack, *(None,) * (SLOTS - len(rack))), dialect)


def write_layout(layout: Iterable[Tile | None], dialect: Dialect) -> str:
    """Write what lies in each slot as a list.

    :param layout: A tile, or nothing, for each slot.
    :param dialect: The dialect.
    :result: The list's text.
    """
    return encode(("" if tile is None else str(tile) for tile in layout), dialect)


def read_layout(text: str, dialect: Dialect) -> Layout:
    """Read what lies in each slot.

    :param text: The list's text.
    :param dialect: The dialect.
    :result: The slots.
    :raises ValueError: It has more slots than a rack, or what lies there is no tile.
    """
    slots = decode(text, dialect)
    if len(slots) > SLOTS:
        raise ValueError(f"A rack has {SLOTS} slots, not {len(slots)}.")
    return tuple(Tile.parse(slot) if slot else None for slot in slots)


def tiles_of(layout: Iterable[Tile | None]) -> list[Tile]:
    """Take the tiles off a rack.

    :param layout: The slots.
    :result: The tiles, in their order.
    """
    return [tile for tile in layout if tile is not None]
