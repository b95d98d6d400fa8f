"""The messages of Mau-Mau's own protocol and their bytes.

A message is a byte for its type and then what it tells; nothing says how long it is, so it is read byte by byte. Cards
and colours are the numbers of :mod:`tisch.games.maumau.cards`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from tisch.games.maumau import cards
from tisch.games.suits import SUITS
from tisch.ports.wire import ProtocolError

#: The longest list, in values, and the longest text, in units of two bytes.
LONGEST_LIST, LONGEST_TEXT = 32, 256
_BYTES: Final = {"diamonds": 0x31, "hearts": 0x41, "clubs": 0x15, "spades": 0x92}
#: The bytes of the colours in their order, and the one that says that no colour is wished for.
COLOURS: Final = tuple(_BYTES[SUITS[letter]] for letter in cards.COLOURS)
NO_COLOUR: Final = 0x00
#: The byte of the seven; the other values follow.
SEVEN: Final = 0x07
#: What stands after a value of a list: another one follows, or none.
MORE, LAST = 0x01, 0x00


class Message(NamedTuple):
    """A message.

    :ivar kind: Its name in the protocol.
    :ivar value: What it tells: a number, a card, a colour or ``None`` for no wish, a text, a tuple of cards or numbers;
        ``None`` if it tells nothing.
    """

    kind: str
    value: Any = None


class _Unfinished(Exception):
    """The rest of the message has not come yet."""


class _Cursor:
    """A place in what has come."""

    def __init__(self, data: bytearray) -> None:
        self.data = data
        self.place = 0

    def byte(self) -> int:
        if self.place == len(self.data):
            raise _Unfinished
        self.place += 1
        return self.data[self.place - 1]


class _Shape(NamedTuple):
    """How a value is read and written."""

    read: Callable[[_Cursor], Any]
    write: Callable[[Any], bytes]


# --- values -----------------------------------------------------------------------------------------------------------


def _colour_of(byte: int) -> int:
    if byte not in COLOURS:
        raise ProtocolError(f"There is no colour {byte:02x}.")
    return COLOURS.index(byte)


def _read_wish(cursor: _Cursor) -> int | None:
    byte = cursor.byte()
    return None if byte == NO_COLOUR else _colour_of(byte)


def _card_of(colour: int, value: int) -> int:
    if not SEVEN <= value < SEVEN + 8:
        raise ProtocolError(f"There is no value {value:02x}.")
    return _colour_of(colour) * 8 + value - SEVEN


def _read_card(cursor: _Cursor) -> int:
    return _card_of(cursor.byte(), cursor.byte())


def _write_card(card: int) -> bytes:
    return bytes((COLOURS[card // 8], SEVEN + card % 8))


def _read_cards(cursor: _Cursor) -> tuple[int, ...]:
    # W11: nobody sends an empty list of cards, but it can be told from others, as no colour is 00.
    colour = cursor.byte()
    return () if colour == LAST else _read_list(cursor, lambda: _read_card(cursor), _card_of(colour, cursor.byte()))


def _read_numbers(cursor: _Cursor) -> tuple[int, ...]:
    return _read_list(cursor, cursor.byte, cursor.byte())


def _read_list(cursor: _Cursor, read: Callable[[], int], first: int) -> tuple[int, ...]:
    """Read the rest of a list by its places: a value may look just like what stands between two."""
    values = [first]
    while (byte := cursor.byte()) == MORE:
        if len(values) == LONGEST_LIST:
            raise ProtocolError(f"A list has more than {LONGEST_LIST} values.")
        values.append(read())
    if byte != LAST:
        raise ProtocolError(f"After a value of a list stands {byte:02x}.")
    return tuple(values)


def _write_list(values: tuple[int, ...], write: Callable[[int], bytes]) -> bytes:
    return bytes((MORE,)).join(map(write, values)) + bytes((LAST,))


def _read_text(cursor: _Cursor) -> str:
    units = bytearray()
    while any(unit := (cursor.byte(), cursor.byte())):
        units += bytes(unit)
        if len(units) > 2 * LONGEST_TEXT:
            raise ProtocolError(f"A text is longer than {LONGEST_TEXT} signs.")
    return units.decode(_order(bytes(units)), errors="replace")


def _order(units: bytes) -> str:
    """Tell in which order the bytes of a text stand that need not say it (W1)."""
    if units[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return "utf-16"
    # The high bytes of a name are mostly zeros, and otherwise mostly the same.
    even, odd = units[0::2], units[1::2]
    if even.count(0) != odd.count(0):
        return "utf-16-be" if even.count(0) > odd.count(0) else "utf-16-le"
    return "utf-16-be" if len(set(even)) <= len(set(odd)) else "utf-16-le"


def _write_text(text: str) -> bytes:
    return text.encode("utf-16-be", errors="replace") + bytes(2)


def _write_byte(number: int) -> bytes:
    return bytes((number,))


_NOTHING: Final = _Shape(lambda _: None, lambda _: b"")
_NUMBER: Final = _Shape(_Cursor.byte, _write_byte)
_PAIR: Final = _Shape(lambda cursor: (cursor.byte(), cursor.byte()), bytes)
_LONG: Final = _Shape(
    lambda cursor: int.from_bytes(bytes(cursor.byte() for _ in range(8)), "big", signed=True),
    lambda number: number.to_bytes(8, "big", signed=True),
)
_NUMBERS: Final = _Shape(_read_numbers, lambda numbers: _write_list(numbers, _write_byte))
_COLOUR: Final = _Shape(lambda cursor: _colour_of(cursor.byte()), lambda colour: _write_byte(COLOURS[colour]))
_WISH: Final = _Shape(_read_wish, lambda colour: _write_byte(NO_COLOUR if colour is None else COLOURS[colour]))
_CARD: Final = _Shape(_read_card, _write_card)
_CARDS: Final = _Shape(_read_cards, lambda cards: _write_list(cards, _write_card))
_TEXT: Final = _Shape(_read_text, _write_text)

# --- messages ---------------------------------------------------------------------------------------------------------


class Words(NamedTuple):
    """All that one side says to the other.

    :ivar kinds: The name and the shape of each message by its first byte.
    :ivar greeting: (Optional) The name of the very first message, a number that has no first byte of its own.
    """

    kinds: Mapping[int, tuple[str, _Shape]]
    greeting: str = ""

    def write(self, kind: str, value: Any = None) -> bytes:
        """Write a message.

        :param kind: Its name.
        :param value: What it tells.
        :result: Its bytes.
        """
        if kind == self.greeting:
            return _write_byte(value)
        byte, shape = next((byte, shape) for byte, (name, shape) in self.kinds.items() if name == kind)
        return bytes((byte,)) + shape.write(value)


#: What a client says. A client that wants to leave says yeet, as later versions of the original do.
TO_SERVER: Final = Words(
    {
        0x42: ("id", _TEXT),
        0x43: ("play", _CARD),
        0x44: ("take", _NUMBER),
        0x45: ("finish", _NOTHING),
        0x46: ("wish", _COLOUR),
        0x47: ("yeet", _NOTHING),
    }
)
#: What the server says. Finish is of later versions of the original (W9).
TO_CLIENT: Final = Words(
    {
        0x69: ("deal", _CARDS),
        0x6A: ("draw", _NUMBER),
        0x6B: ("wish", _WISH),
        0x6C: ("stack", _CARD),
        0x6D: ("cards", _NUMBERS),
        0x6E: ("player", _NUMBER),
        0x6F: ("time", _LONG),
        0x70: ("play", _CARD),
        0x71: ("finish", _NOTHING),
        0x72: ("round", _PAIR),
        0x73: ("result", _NUMBERS),
        0x74: ("yeet", _NUMBER),
    },
    greeting="id",
)


class Reader:
    """Makes messages of bytes, wherever they are cut; keeps no more than one message that is unfinished."""

    def __init__(self, words: Words) -> None:
        """Begin.

        :param words: What is said.
        """
        self._words = words
        self._greeted = not words.greeting
        self._rest = bytearray()

    def read(self, data: bytes) -> Iterator[Message]:
        """Read on.

        :param data: The bytes that have come.
        :result: The messages that are complete now.
        :raises ProtocolError: The next one is none; nothing can be read any more.
        """
        self._rest += data
        cursor, done = _Cursor(self._rest), 0
        try:
            while True:
                message = self._message(cursor)
                done = cursor.place
                yield message
        except _Unfinished:
            pass
        finally:
            del self._rest[:done]

    def _message(self, cursor: _Cursor) -> Message:
        byte = cursor.byte()
        if not self._greeted:
            self._greeted = True
            return Message(self._words.greeting, byte)
        if byte not in self._words.kinds:
            raise ProtocolError(f"There is no message {byte:02x}.")
        kind, shape = self._words.kinds[byte]
        return Message(kind, shape.read(cursor))
