"""Tests of the bytes of Mau-Mau's own protocol."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maumau_programs import cards
from tisch.games.maumau.cards import LABELS, NUMBERS
from tisch.ports.wire import ProtocolError
from tisch.wires.maumau.codec import LONGEST_LIST, LONGEST_TEXT, TO_CLIENT, TO_SERVER, Codec, Message, Reader

#: Every message of seed and spec, with its bytes: the direction, the message, and the bytes in hexadecimal.
EXAMPLES: list[tuple[Codec, str, Any, str]] = [
    (TO_CLIENT, "deal", cards("H9 K8"), "69 41 09 01 31 08 00"),
    (TO_CLIENT, "cards", (6, 7, 6), "6d 06 01 07 01 06 00"),
    (TO_CLIENT, "round", (1, 2), "72 01 02"),
    (TO_CLIENT, "time", 0, "6f 00 00 00 00 00 00 00 00"),
    (TO_CLIENT, "play", NUMBERS["PB"], "70 92 0b"),
    (TO_SERVER, "id", "EGAL", "42 0045 0047 0041 004c 0000"),
    (TO_SERVER, "id", "Der_Wendler", "42 0044 0065 0072 005f 0057 0065 006e 0064 006c 0065 0072 0000"),
    (TO_CLIENT, "id", 1, "01"),
    (TO_CLIENT, "id", 2, "02"),
    (TO_CLIENT, "round", (1, 4), "72 01 04"),
    (TO_CLIENT, "draw", 0, "6a 00"),
    (TO_CLIENT, "draw", 8, "6a 08"),
    (TO_CLIENT, "wish", None, "6b 00"),
    (TO_CLIENT, "wish", 0, "6b 31"),
    (TO_CLIENT, "wish", 1, "6b 41"),
    (TO_CLIENT, "wish", 2, "6b 15"),
    (TO_CLIENT, "wish", 3, "6b 92"),
    (TO_CLIENT, "stack", NUMBERS["XA"], "6c 15 0e"),
    (TO_CLIENT, "cards", (7, 6), "6d 07 01 06 00"),
    (TO_CLIENT, "cards", (0, 1, 0), "6d 00 01 01 01 00 00"),
    (TO_CLIENT, "player", 1, "6e 01"),
    (TO_CLIENT, "time", 30_000, "6f 00 00 00 00 00 00 75 30"),
    (TO_CLIENT, "time", -1, "6f ff ff ff ff ff ff ff ff"),
    (TO_CLIENT, "finish", None, "71"),
    (TO_CLIENT, "result", (0, 16), "73 00 01 10 00"),
    (TO_CLIENT, "yeet", 2, "74 02"),
    (TO_SERVER, "play", NUMBERS["K7"], "43 31 07"),
    (TO_SERVER, "take", 1, "44 01"),
    (TO_SERVER, "finish", None, "45"),
    (TO_SERVER, "wish", 3, "46 92"),
    (TO_SERVER, "yeet", None, "47"),
]
_COLOURS = {"K": "31", "H": "41", "X": "15", "P": "92"}
_VALUES = {"7": "07", "8": "08", "9": "09", "10": "0a", "B": "0b", "D": "0c", "K": "0d", "A": "0e"}


def read(words: Codec, data: bytes, *, greeted: bool = True) -> list[Message]:
    """All messages of some bytes."""
    reader = Reader(words)
    if words.greeting and greeted:
        assert list(reader.read(b"\x01")) == [Message("id", 1)]
    return list(reader.read(data))


@pytest.mark.parametrize(("words", "kind", "value", "text"), EXAMPLES)
def test_every_message_has_its_bytes(words: Codec, kind: str, value: Any, text: str) -> None:
    data = bytes.fromhex(text)
    assert words.write(kind, value) == data
    assert read(words, data, greeted=kind != words.greeting) == [Message(kind, value)]


@pytest.mark.parametrize("label", LABELS)
def test_every_card_is_its_colour_and_its_value(label: str) -> None:
    data = bytes.fromhex(f"70 {_COLOURS[label[0]]} {_VALUES[label[1:]]}")
    assert TO_CLIENT.write("play", NUMBERS[label]) == data
    assert read(TO_CLIENT, data) == [Message("play", NUMBERS[label])]


def test_an_empty_list_of_cards_is_understood() -> None:
    assert read(TO_CLIENT, bytes.fromhex("69 00 6a 01")) == [Message("deal", ()), Message("draw", 1)]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        *product(["EGAL", "Der_Wendler", "Жанна", "Zoë", ""], ["utf-16-be", "utf-16-le", "mark-be", "mark-le"]),
        # Of these no byte says in which order they stand without a mark: the usual one is taken.
        *product(["李雷李雷", "🃏🎴"], ["utf-16-be", "mark-be", "mark-le"]),
    ],
)
def test_w1_names_come_in_either_order_of_bytes(name: str, order: str) -> None:
    mark = "\ufeff" if order.startswith("mark") else ""
    data = b"\x42" + (mark + name).encode(order.replace("mark", "utf-16")) + bytes(2)
    assert read(TO_SERVER, data) == [Message("id", name)]


def test_w1_what_the_original_client_sends_is_no_chinese() -> None:
    assert read(TO_SERVER, b"\x42E\0G\0A\0L\0\0\0") == [Message("id", "EGAL")]
    assert read(TO_SERVER, b"\x42\0E\0G\0A\0L\0\0") == [Message("id", "EGAL")]


def _words() -> st.SearchStrategy[tuple[Codec, list[Message]]]:
    byte, card = st.integers(0, 255), st.integers(0, 31)
    bytes_, colour, nothing = st.lists(byte, min_size=1, max_size=LONGEST_LIST).map(tuple), st.integers(0, 3), st.none()
    latin = st.text(st.characters(min_codepoint=1, max_codepoint=0xFF), max_size=LONGEST_TEXT)
    dealt = st.lists(card, max_size=LONGEST_LIST).map(tuple)
    to_client: dict[str, st.SearchStrategy[Any]] = {
        **dict.fromkeys(("draw", "player", "yeet"), byte),
        **dict.fromkeys(("stack", "play"), card),
        **dict.fromkeys(("cards", "result"), bytes_),
        "deal": dealt,
        "wish": st.none() | colour,
        "time": st.integers(-(1 << 63), (1 << 63) - 1),
        "finish": nothing,
        "round": st.tuples(byte, byte),
    }
    to_server: dict[str, st.SearchStrategy[Any]] = {
        "id": latin,
        "play": card,
        "take": byte,
        "wish": colour,
        **dict.fromkeys(("finish", "yeet"), nothing),
    }

    def said(words: Codec, kinds: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[tuple[Codec, list[Message]]]:
        message = st.one_of(*(st.builds(Message, st.just(kind), value) for kind, value in kinds.items()))
        return st.tuples(st.just(words), st.lists(message, max_size=12))

    return said(TO_CLIENT, to_client) | said(TO_SERVER, to_server)


@given(_words(), st.lists(st.integers(0, 400)))
def test_messages_come_back_however_they_are_cut(said: tuple[Codec, list[Message]], cuts: list[int]) -> None:
    words, messages = said
    data = b"".join(words.write(kind, value) for kind, value in messages)
    reader = Reader(words)
    if words.greeting:
        data, messages = b"\x05" + data, [Message("id", 5), *messages]
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    heard = [message for start, end in pairwise(places) for message in reader.read(data[start:end])]
    assert heard == messages


@pytest.mark.parametrize(("words", "kind", "value", "text"), EXAMPLES)
def test_every_cut_of_every_message_is_the_same(words: Codec, kind: str, value: Any, text: str) -> None:
    data = bytes.fromhex(text)
    for cut in range(len(data)):
        reader = Reader(words)
        if words.greeting and kind != "id":
            list(reader.read(b"\0"))
        assert list(reader.read(data[:cut])) == []
        assert list(reader.read(data[cut:])) == [Message(kind, value)]


@given(st.sampled_from([TO_CLIENT, TO_SERVER]), st.lists(st.binary(max_size=40), max_size=20))
def test_any_bytes_are_messages_or_an_error_and_nothing_is_piled_up(words: Codec, pieces: list[bytes]) -> None:
    def heard(pieces: list[bytes]) -> Iterator[Message | str]:
        reader = Reader(words)
        try:
            for piece in pieces:
                yield from reader.read(piece)
        except ProtocolError as error:
            yield str(error)

    sent = b"".join(pieces)
    assert list(heard(pieces)) == list(heard([sent]))
    # However long it goes on, no message is unfinished for more bytes than the longest one has.
    reader, unfinished = Reader(words), 0
    with suppress(ProtocolError):
        for byte in sent:
            unfinished = 0 if list(reader.read(bytes((byte,)))) else unfinished + 1
            assert unfinished <= 2 * LONGEST_TEXT + 3


@pytest.mark.parametrize(
    ("words", "text", "sentence"),
    [
        (TO_SERVER, "41", "There is no message 41."),
        (TO_SERVER, "70 92 0b", "There is no message 70."),
        (TO_SERVER, "43 32 07", "There is no colour 32."),
        (TO_SERVER, "43 31 06", "There is no value 06."),
        (TO_SERVER, "43 31 0f", "There is no value 0f."),
        (TO_SERVER, "46 00", "There is no colour 00."),
        (TO_CLIENT, "6b 01", "There is no colour 01."),
        (TO_CLIENT, "69 41 09 02", "After a value of a list stands 02."),
        (TO_CLIENT, "6d" + "0501" * 32, "A list has more than 32 values."),
        (TO_CLIENT, "69" + "310701" * 32, "A list has more than 32 values."),
        (TO_SERVER, "42" + "0041" * 257, "A text is longer than 256 signs."),
    ],
)
def test_what_is_no_message_is_said(words: Codec, text: str, sentence: str) -> None:
    with pytest.raises(ProtocolError) as info:
        read(words, bytes.fromhex(text))
    assert str(info.value) == sentence


def test_an_endless_message_is_not_kept() -> None:
    reader = Reader(TO_SERVER)
    assert list(reader.read(TO_SERVER.write("id", "A" * LONGEST_TEXT)[:-2])) == []
    with pytest.raises(ProtocolError):
        list(reader.read(b"\0A"))
