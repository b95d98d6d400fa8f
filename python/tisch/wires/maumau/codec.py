"""The codec of Mau-Mau's own protocol.

A message is one byte for its type and then its values. It has no length field, so that it must be decoded byte by byte.
Cards and colours are the numbers of :mod:`tisch.games.maumau.cards`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from tisch.games.maumau import cards
from tisch.ports.suits import SUITS
from tisch.ports.wire import ProtocolError

#: The longest list in values, and the longest text in units of two bytes.
LONGEST_LIST, LONGEST_TEXT = 32, 256
_BYTES: Final = {"diamonds": 0x31, "hearts": 0x41, "clubs": 0x15, "spades": 0x92}
#: The bytes of the colours in their order, and the byte for no wish.
COLOURS: Final = tuple(_BYTES[SUITS[letter]] for letter in cards.COLOURS)
NO_COLOUR: Final = 0x00
#: The byte of the seven; the other values follow.
SEVEN: Final = 0x07
#: The byte after each value of a list: another value follows, or none.
MORE, LAST = 0x01, 0x00


class Message(NamedTuple):
    """A message.

    :ivar kind: Its name in the protocol.
    :ivar value: Its value: a number, a card, a colour or ``None`` for no wish, a text, a tuple of cards or numbers;
        ``None`` if it has no value.
    """

    kind: str
    value: Any = None


#: A decoder of one value: each ``yield`` waits for the next byte.
_Reading: TypeAlias = Generator[None, int, Any]


class _Shape(NamedTuple):
    """The decoder and the encoder of a value."""

    read: Callable[[], _Reading]
    write: Callable[[Any], bytes]


# --- values -----------------------------------------------------------------------------------------------------------


def _byte() -> _Reading:
    return (yield)


def _colour_of(byte: int) -> int:
    if byte not in COLOURS:
        raise ProtocolError(f"There is no colour {byte:02x}.")
    return COLOURS.index(byte)


def _read_colour() -> _Reading:
    return _colour_of((yield))


def _read_wish() -> _Reading:
    byte = yield
    return None if byte == NO_COLOUR else _colour_of(byte)


def _card_of(colour: int, value: int) -> int:
    if not SEVEN <= value < SEVEN + 8:
        raise ProtocolError(f"There is no value {value:02x}.")
    return _colour_of(colour) * 8 + value - SEVEN


def _read_card() -> _Reading:
    return _card_of((yield), (yield))


def _write_card(card: int) -> bytes:
    return bytes((COLOURS[card // 8], SEVEN + card % 8))


def _read_cards() -> _Reading:
    # W11: an empty list of cards is never sent, but unambiguous, as no colour is 00.
    colour = yield
    return () if colour == LAST else (yield from _read_list(_read_card, _card_of(colour, (yield))))


def _read_numbers() -> _Reading:
    return (yield from _read_list(_byte, (yield)))


def _read_list(read: Callable[[], _Reading], first: int) -> _Reading:
    """Decode the rest of a list by position: a value may be the same byte as ``MORE`` or ``LAST``."""
    values = [first]
    while (byte := (yield)) == MORE:
        if len(values) == LONGEST_LIST:
            raise ProtocolError(f"A list has more than {LONGEST_LIST} values.")
        values.append((yield from read()))
    if byte != LAST:
        raise ProtocolError(f"After a value of a list stands {byte:02x}.")
    return tuple(values)


def _write_list(values: tuple[int, ...], write: Callable[[int], bytes]) -> bytes:
    return bytes((MORE,)).join(map(write, values)) + bytes((LAST,))


def _read_pair() -> _Reading:
    return (yield), (yield)


def _read_long() -> _Reading:
    number = 0
    for _ in range(8):
        number = number << 8 | (yield)
    return number - (number >> 63 << 64)


def _read_text() -> _Reading:
    units = bytearray()
    while any(unit := (yield from _read_pair())):
        units += bytes(unit)
        if len(units) > 2 * LONGEST_TEXT:
            raise ProtocolError(f"A text is longer than {LONGEST_TEXT} signs.")
    return units.decode(_order(bytes(units)), errors="replace")


def _order(units: bytes) -> str:
    """Guess the byte order of a text that may lack a byte order mark (W1)."""
    if units[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return "utf-16"
    # Most high bytes of a name are zero, or else the same.
    even, odd = units[0::2], units[1::2]
    if even.count(0) != odd.count(0):
        return "utf-16-be" if even.count(0) > odd.count(0) else "utf-16-le"
    return "utf-16-be" if len(set(even)) <= len(set(odd)) else "utf-16-le"


_NUMBER: Final = _Shape(_byte, lambda number: bytes((number,)))
_PAIR: Final = _Shape(_read_pair, bytes)
_LONG: Final = _Shape(_read_long, lambda number: number.to_bytes(8, "big", signed=True))
_NUMBERS: Final = _Shape(_read_numbers, lambda numbers: _write_list(numbers, _NUMBER.write))
_COLOUR: Final = _Shape(_read_colour, lambda colour: bytes((COLOURS[colour],)))
_WISH: Final = _Shape(_read_wish, lambda colour: bytes((NO_COLOUR if colour is None else COLOURS[colour],)))
_CARD: Final = _Shape(_read_card, _write_card)
_CARDS: Final = _Shape(_read_cards, lambda cards: _write_list(cards, _write_card))
_TEXT: Final = _Shape(_read_text, lambda text: text.encode("utf-16-be", errors="replace") + bytes(2))

# --- messages ---------------------------------------------------------------------------------------------------------


class Codec(NamedTuple):
    """The messages of one direction.

    :ivar kinds: The name of each message by its first byte, and the shape of its value, if it has one.
    :ivar greeting: (Optional) The name of the very first message, which is a number without a byte for its type.
    """

    kinds: Mapping[int, tuple[str, _Shape | None]]
    greeting: str = ""

    def write(self, kind: str, value: Any = None) -> bytes:
        """Encode a message.

        :param kind: Its name.
        :param value: Its value.
        :result: Its bytes.
        """
        if kind == self.greeting:
            return _NUMBER.write(value)
        byte, shape = next((byte, shape) for byte, (name, shape) in self.kinds.items() if name == kind)
        return bytes((byte,)) + (shape.write(value) if shape else b"")

    def read(self) -> _Reading:
        """Decode a message."""
        byte = yield
        if byte not in self.kinds:
            raise ProtocolError(f"There is no message {byte:02x}.")
        kind, shape = self.kinds[byte]
        return Message(kind, (yield from shape.read()) if shape else None)

    def read_first(self) -> _Reading:
        """Decode the very first message."""
        return Message(self.greeting, (yield)) if self.greeting else (yield from self.read())


#: The messages of a client. A client that wants to leave sends yeet, as later versions of the original do.
TO_SERVER: Final = Codec(
    {
        0x42: ("id", _TEXT),
        0x43: ("play", _CARD),
        0x44: ("take", _NUMBER),
        0x45: ("finish", None),
        0x46: ("wish", _COLOUR),
        0x47: ("yeet", None),
    }
)
#: The messages of a server. Later versions of the original send finish (W9).
TO_CLIENT: Final = Codec(
    {
        0x69: ("deal", _CARDS),
        0x6A: ("draw", _NUMBER),
        0x6B: ("wish", _WISH),
        0x6C: ("stack", _CARD),
        0x6D: ("cards", _NUMBERS),
        0x6E: ("player", _NUMBER),
        0x6F: ("time", _LONG),
        0x70: ("play", _CARD),
        0x71: ("finish", None),
        0x72: ("round", _PAIR),
        0x73: ("result", _NUMBERS),
        0x74: ("yeet", _NUMBER),
    },
    greeting="id",
)


class Reader:
    """Decodes bytes, cut at any place, to messages; its memory is bounded by the longest message."""

    def __init__(self, words: Codec) -> None:
        """Start.

        :param words: The messages of this direction.
        """
        self._words = words
        self._reading = words.read_first()
        next(self._reading)

    def read(self, data: bytes) -> Iterator[Message]:
        """Decode the next bytes.

        :param data: The bytes.
        :result: The messages that are complete now.
        :raises ProtocolError: The bytes are no message; the reader cannot continue.
        """
        for byte in data:
            try:
                self._reading.send(byte)
            except StopIteration as done:
                self._reading = self._words.read()
                next(self._reading)
                yield done.value
