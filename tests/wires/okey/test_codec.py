"""Tests of Okey's own protocol: its lines, the server's side at real tables, the client's side, and both together."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tisch.games.okey import JOKER, Tile, arrangement_is_valid
from tisch.ports.wire import ProtocolError
from tisch.wires.okey.codec import (
    Dialect,
    Lines,
    Message,
    decode,
    encode,
    read,
    read_layout,
    tiles_of,
    write,
    write_layout,
    write_rack,
)
from tisch.wires.okey.host import LONGEST
from tisch.wires.okey.lobby import fit, unique

# --- lines ------------------------------------------------------------------------------------------------------------

START = (
    "8:RED 12:RED 6:BLUE 2:YELLOW 5:YELLOW 6:YELLOW 7:YELLOW 10:YELLOW 12:YELLOW "
    "3:BLACK 4:BLACK 6:BLACK 7:BLACK 8:BLACK"
)
PUT = (
    '"\\" \\" 3:RED 11:RED 12:RED 13:RED 2:BLUE 3:BLACK \\" \\" \\" \\" 11:BLUE 12:BLUE \\" \\" 2:YELLOW '
    '7:YELLOW \\" \\" 1:YELLOW 1:RED \\" \\" \\" \\" \\" \\" 9:BLACK 9:RED \\" \\" \\" \\" "'
)
SAID = 'Tom hat mir folgendes gesagt: "Nick ist mühsam"'
TOM = '"Tom hat mir folgendes gesagt: \\"Nick ist mühsam\\" "'
WINNING = "0:BLACK 1:RED 2:RED 3:RED 4:RED 1:BLUE 2:BLUE 3:BLUE 4:BLUE 1:YELLOW 2:YELLOW 3:YELLOW 4:YELLOW 5:YELLOW"


def seeded(*texts: str) -> str:
    return encode(texts, "seed")


#: Every line of the seed and of the spec's table, and what it means.
EXAMPLES: list[tuple[str, str, list[str]]] = [
    ("LOGI Istref", "LOGI", ["Istref"]),
    ("+LOGI Istref_1", "LOGI", ["Istref_1"]),
    ("NAME Istref", "NAME", ["Istref"]),
    ("+NAME Istref_1", "NAME", ["Istref_1"]),
    ("LPLA", "LPLA", []),
    ('+LPLA "istref robin boran pascal "', "LPLA", [seeded("istref", "robin", "boran", "pascal")]),
    ("LLPL", "LLPL", []),
    (
        '+LLPL "\\"\\\\"Lobby 1 \\\\" \\" \\"pvonf pvonf_1 pvonf_2 \\\\" \\\\" \\" "',
        "LLPL",
        [seeded(seeded("Lobby 1"), seeded("pvonf", "pvonf_1", "pvonf_2", ""))],
    ),
    ("LGAM o", "LGAM", ["o"]),
    ('+LGAM o "23:4 12:2 3:3 "', "LGAM", ["o", seeded("23:4", "12:2", "3:3")]),
    ("+LGAM o 42:1", "LGAM", ["o", seeded("42:1")]),
    ('+LGAM r "51 23 "', "LGAM", ["r", seeded("51", "23")]),
    ('+LGAM r " "', "LGAM", ["r", seeded()]),
    ('+LGAM f "22:robin 1:nick 4: "', "LGAM", ["f", seeded("22:robin", "1:nick", "4:")]),
    ("JLOB 42", "JLOB", ["42"]),
    ("+LOGO t", "LOGO", ["t"]),
    ('+JLOB t "Created new Lobby 42 "', "JLOB", ["t", "Created new Lobby 42"]),
    ("LOGO", "LOGO", []),
    ("+LOGO", "LOGO", []),
    ("REDY", "REDY", []),
    ("+REDY", "REDY", []),
    (f'STRT "{START} " 3', "STRT", [seeded(*START.split()), "3"]),
    ("+STRT", "STRT", []),
    ('STAT "\\" \\" 4:BLACK 5:RED 3:YELLOW " 1', "STAT", [seeded("", "4:BLACK", "5:RED", "3:YELLOW"), "1"]),
    ("+STAT", "STAT", []),
    ("DRAW m", "DRAW", ["m"]),
    ("+DRAW 0:BLACK", "DRAW", ["0:BLACK"]),
    ('+DRAW " " "the reason "', "DRAW", ["", "the reason"]),
    ('+DRAW " "', "DRAW", [""]),
    (f"PUTT 4:RED {PUT}", "PUTT", ["4:RED", PUT[1:-2].replace('\\"', '"')]),
    ("+PUTT t t", "PUTT", ["t", "t"]),
    ('+PUTT f f "the reason "', "PUTT", ["f", "f", "the reason"]),
    ("PWIN istref", "PWIN", ["istref"]),
    ("+PWIN", "PWIN", []),
    ("EMPT", "EMPT", []),
    ("+EMPT", "EMPT", []),
    (f"CATC w {TOM} robin", "CATC", ["w", SAID, "robin"]),
    (f"+CATC w {TOM} robin t", "CATC", ["w", SAID, "robin", "t"]),
    (f"CATS w {TOM} boran", "CATS", ["w", SAID, "boran"]),
    ("+CATS", "CATS", []),
    ("PING", "PING", []),
    ("+PING", "PING", []),
    ("WINC", "WINC", []),
    (f'+WINC "{WINNING} "', "WINC", [seeded(*WINNING.split())]),
]


@pytest.mark.parametrize(("line", "command", "arguments"), EXAMPLES)
def test_every_line_of_the_seed_is_read_and_written(line: str, command: str, arguments: list[str]) -> None:
    message = Message(command, tuple(arguments), line.startswith("+"))
    assert read(line, "seed") == message
    assert write(message, "seed") == f"{line}\r\n".encode()


def test_the_racks_of_the_seed_are_racks() -> None:
    rack = read("STRT " + f'"{START} " 3', "seed").arguments[0]
    assert write_rack(tiles_of(read_layout(rack, "seed")), "seed") == rack
    layout = read_layout(read(f"PUTT 4:RED {PUT}", "seed").arguments[1], "seed")
    assert len(layout) == 24
    assert len(tiles_of(layout)) == 14
    assert not arrangement_is_valid(layout)
    assert f'"{write_layout(layout, "seed")}'.replace('"', "") == PUT.replace('\\"', "").replace('"', "")[:-1]
    assert write_rack([Tile.parse(text) for text in reversed(WINNING.split())], "seed") == WINNING


def test_empty_texts_are_marks_in_quotes_at_every_depth() -> None:
    assert seeded("") == '" "'
    assert seeded(seeded("")) == '"\\" \\" "'
    assert seeded(seeded(seeded(""))) == '"\\"\\\\" \\\\" \\" "'
    assert encode([""], "head") == '"%"'
    assert encode([encode([""], "head")], "head") == '"\\"%\\"%"'


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ('CATC b "Hallo \\"Leute\\", wie gehts?"', ["b", 'Hallo "Leute", wie gehts?']),
        ("DRAW   m ", ["m"]),
        ('CATC b "ein Wort', ["b", "ein Wort"]),
        ('CATC b ""', ["b", ""]),
        ('CATC b "zwei  "', ["b", "zwei "]),
        ('CATC b "a\\ "', ["b", "a\\"]),
        ('CATC b a\\"b "', ["b", "a\\b"]),
        ("CATC b 50%", ["b", "50%"]),
        ('CATC b "50%"', ["b", "50%"]),
    ],
)
def test_what_is_written_otherwise_is_read_all_the_same(line: str, arguments: list[str]) -> None:
    assert read(line, "seed").arguments == tuple(arguments)


TEXTS = st.text(st.sampled_from('a" \\%+:ü🂡'), max_size=8) | st.text(
    st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"])
)
DIALECTS: tuple[Dialect, ...] = ("seed", "head")


@given(st.lists(st.lists(st.lists(TEXTS, max_size=3), max_size=3), max_size=3), st.sampled_from(DIALECTS))
def test_lists_of_lists_of_lists_come_back(texts: list[list[list[str]]], dialect: Dialect) -> None:
    text = encode([encode([encode(inner, dialect) for inner in middle], dialect) for middle in texts], dialect)
    assert [[decode(inner, dialect) for inner in decode(middle, dialect)] for middle in decode(text, dialect)] == texts


@given(st.lists(st.lists(TEXTS), max_size=4), st.booleans(), st.sampled_from(DIALECTS), st.data())
def test_messages_come_back_however_they_are_cut(
    arguments: list[list[str]], is_answer: bool, dialect: Dialect, data: st.DataObject
) -> None:
    messages = [Message("CATC", tuple(texts), is_answer) for texts in arguments]
    sent = b"".join(write(message, dialect) for message in messages)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(sent)), max_size=8)) | {0, len(sent)})
    lines = Lines(LONGEST)
    found = [read(line, dialect) for start, end in pairwise(cuts) for line in lines.read(sent[start:end])]
    assert found == messages


@pytest.mark.parametrize(("line", "command", "arguments"), EXAMPLES)
def test_every_message_may_be_cut_anywhere(line: str, command: str, arguments: list[str]) -> None:
    for end in (b"\r\n", b"\n"):
        sent = line.encode() + end
        for cut in range(len(sent) + 1):
            lines = Lines(LONGEST)
            found = [*lines.read(sent[:cut]), *lines.read(sent[cut:])]
            assert found == [line]
        lines = Lines(LONGEST)
        assert [text for place in range(len(sent)) for text in lines.read(sent[place : place + 1])] == [line]


#: Commands, known ones and others.
COMMANDS = st.sampled_from([command for _, command, _ in EXAMPLES]) | TEXTS.map(lambda text: text.replace(" ", "_"))
#: Lines as programs write them, lists of lists among their arguments.
WRITTEN = st.builds(
    lambda command, texts, inner, is_answer, dialect: write(
        Message(command, (*texts, encode([encode(inner, dialect), *texts], dialect)), is_answer), dialect
    ),
    COMMANDS,
    st.lists(TEXTS, max_size=2),
    st.lists(TEXTS, max_size=3),
    st.booleans(),
    st.sampled_from(DIALECTS),
)
#: The same with one byte changed, or another one put in, which may be one that no line has.
SPOILED = st.builds(
    lambda line, place, byte, width: line[: place % len(line)] + byte + line[place % len(line) + width :],
    WRITTEN,
    st.integers(0, 1000),
    st.sampled_from([b'"', b" ", b"\\", b"%", b"\n", b"+", b"\0", b"\r", b"\xff"]) | st.binary(min_size=1, max_size=1),
    st.integers(0, 1),
)


def test_any_bytes_are_messages_or_a_protocol_error() -> None:
    seen: Counter[str] = Counter()

    @given(st.lists(WRITTEN, min_size=1, max_size=3), SPOILED | st.binary(max_size=40), st.data())
    def check(parts: list[bytes], last: bytes, data: st.DataObject) -> None:
        sent, dialect = b"".join((*parts, last)), data.draw(st.sampled_from(DIALECTS))
        cut = data.draw(st.integers(0, len(sent)))
        lines = Lines(200)
        try:
            for piece in (sent[:cut], sent[cut:]):
                for line in lines.read(piece):
                    seen["messages"] += 1
                    seen["lists"] += check_message(line, dialect)
                assert len(lines._rest) <= 200
        except ProtocolError:
            seen["refused"] += 1
        seen["examples"] += 1

    check()
    # Most of what is tried is read, and some is not.
    assert seen["messages"] > seen["examples"], seen
    assert seen["lists"] > seen["examples"] / 2, seen
    assert seen["refused"] > seen["examples"] / 50, seen


def check_message(line: str, dialect: Dialect) -> bool:
    """What is read is written so that it is read again; tells whether a list is among the arguments."""
    message = read(line, dialect)
    assert read(write(message, dialect).decode().removesuffix("\r\n"), dialect) == message
    assert all(len(argument) <= len(line) for argument in message.arguments)
    lists = [decode(argument, dialect) for argument in message.arguments]
    for argument, texts in zip(message.arguments, lists, strict=True):
        assert decode(encode(texts, dialect), dialect) == texts, argument
    return any(len(texts) > 1 for texts in lists)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a" * 101, "A line is longer than 100 bytes."),
        (b"a" * 101 + b"\n", "A line is longer than 100 bytes."),
        (b"CATC b \xff\n", "A line is no UTF-8."),
        (b"CATC b a\0b\n", "A line has a zero or a carriage return in it."),
        (b"CATC b a\rb\r\n", "A line has a zero or a carriage return in it."),
    ],
)
def test_what_is_no_line_is_refused(data: bytes, reason: str) -> None:
    lines = Lines(100)
    with pytest.raises(ProtocolError) as caught:
        list(lines.read(data))
    assert str(caught.value) == reason


def test_a_line_may_be_as_long_as_it_may_be() -> None:
    assert list(Lines(100).read(b"a" * 100 + b"\n")) == ["a" * 100]


def test_a_rack_has_24_slots_at_most_and_tiles_in_them() -> None:
    with pytest.raises(ValueError, match=r"A rack has 24 slots, not 25\."):
        read_layout(seeded(*[""] * 25), "seed")
    with pytest.raises(ValueError, match=r"'14:RED' is no tile"):
        read_layout("14:RED", "seed")
    assert read_layout("0:RED 0:BLUE", "seed") == (JOKER, JOKER)


@given(st.lists(st.sampled_from([*range(53)]).map(Tile), max_size=15), st.sampled_from(DIALECTS))
def test_racks_come_back(rack: list[Tile], dialect: Dialect) -> None:
    slots = read_layout(write_rack(rack, dialect), dialect)
    assert tiles_of(slots) == (sorted(rack) if dialect == "seed" else rack)
    assert len(slots) == (len(rack) if dialect == "seed" else 24)


@given(st.text())
def test_every_text_makes_a_name(text: str) -> None:
    name = fit(text)
    assert 1 <= len(name) <= 30
    assert not re.search(r'[\s"\0]', name)
    assert name.isprintable()


def test_names_are_made_unique_and_stay_short() -> None:
    assert unique("Istref", {"Istref"}) == "Istref_1"
    assert unique("Istref", {"Istref", "Istref_1"}) == "Istref_2"
    assert unique("i" * 30, {"i" * 30}) == "i" * 28 + "_1"
    assert fit('die "drei" von\tfünf') == "die__drei__von_fünf"
    assert fit("") == "player"
    assert fit("Zoe\u0308\u200b") == "Zoë_"
