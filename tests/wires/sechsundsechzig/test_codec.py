"""Tests of the S-expressions of Sechsundsechzig's own protocol, and of what a world shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sechsundsechzig_programs import data_of
from tisch.games.sechsundsechzig.cards import CARDS
from tisch.ports.wire import ProtocolError
from tisch.wires.sechsundsechzig.data import LONGEST, Datum, Other, Reader, Symbol, line, write
from tisch.wires.sechsundsechzig.world import (
    EMPTY_HAND,
    ENDED,
    LOST,
    NO_CARD,
    PLAYING,
    SYMBOLS,
    WAITING,
    WON,
    World,
    read_world,
    write_cards,
    write_world,
)

S = Symbol
CARD0 = ("0", "0", 0, 0)
#: What seed and spec show of data, and how it is written.
EXAMPLES: list[tuple[Datum, str]] = [
    ((S("REGISTER"), ((S("name"), "Mudi"),)), '(REGISTER ((name "Mudi")))'),
    ((S("OKAY"),), "(OKAY)"),
    (("Kreuz", "Ass", 11, 1), '("Kreuz" "Ass" 11 1)'),
    (("Pik", "Ass", 11, 7), '("Pik" "Ass" 11 7)'),
    (("Kreuz", "9", 0, 6), '("Kreuz" "9" 0 6)'),
    (CARD0, '("0" "0" 0 0)'),
    ((S("lay"), 0, S("play")), "(lay 0 play)"),
    (S("a b"), "|a b|"),
    ((True, False, ()), "(#t #f ())"),
    (Other("#\\x"), "#\\x"),
    ("zwei\nZeilen", '"zwei\\nZeilen"'),
]


@pytest.mark.parametrize(("datum", "text"), EXAMPLES)
def test_every_example_is_written_and_read_so(datum: Datum, text: str) -> None:
    assert write(datum) == text
    assert data_of(f"{text}\n") == [datum]


def test_letters_beyond_ascii_are_sent_as_they_are() -> None:
    assert line("König") == b'"K\xc3\xb6nig"\n'


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("(OKAY)\r\n(a)\n", [(S("OKAY"),), (S("a"),)]),
        ("(a) (b)\n(c)\n", [(S("a"),), (S("c"),)]),
        ("(a\n b)\n", [(S("a"), S("b"))]),
        ("(lay ; a word\n 1)\n", [(S("lay"), 1)]),
        ("[a {b}]\n", [(S("a"), (S("b"),))]),
        ("'(lay '0 'play)\n", [(S("lay"), 0, S("play"))]),
        ("|a|b\\ c\n", [S("ab c")]),
        ("(#\\( #\\space 1/2 -3.5 +7 -2)\n", [(Other("#\\("), Other("#\\space"), Other("1/2"), Other("-3.5"), 7, -2)]),
        ('"\\u00e4\\x41\\101\\U0001F0CF\\e"\n', ["äAA🃏\x1b"]),
        ("\n\n  a\n", [S("a")]),
        ("(OKAY)", []),
    ],
)
def test_what_racket_reads_is_read(text: str, data: list[Datum]) -> None:
    assert data_of(text) == data


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (")\n", "There is a ')' that closes nothing."),
        ("(a]\n", "There is a ']' that closes nothing."),
        ("(" * 17, "More than 16 lists stand one in the other."),
        ('"\\q"\n', "In a text, '\\q' means nothing."),
        ('"\\ud800"\n', "There is no sign D800."),
        ("a" * (LONGEST + 1), f"A message is longer than {LONGEST} signs."),
        ("(" + " " * (LONGEST + 1), f"A message is longer than {LONGEST} signs."),
    ],
)
def test_what_is_no_datum_is_said(text: str, sentence: str) -> None:
    with pytest.raises(ProtocolError) as info:
        data_of(text)
    assert str(info.value) == sentence


_names = st.text(max_size=8)
_symbols = st.builds(Symbol, st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=8))
_data: st.SearchStrategy[Datum] = st.recursive(
    _names | _symbols | st.integers(-(10**17), 10**17) | st.booleans(),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=12,
)


def exact(datum: Datum) -> object:
    """A datum with its types: 1 is not true."""
    return [exact(each) for each in datum] if isinstance(datum, tuple) else (type(datum), datum)


@given(st.lists(_data, max_size=5), st.lists(st.integers(0, 300)))
def test_data_come_back_however_they_are_cut(data: list[Datum], cuts: list[int]) -> None:
    text = b"".join(map(line, data))
    assert text.count(b"\n") == len(data)
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    reader = Reader()
    heard = [datum for start, end in pairwise(places) for datum in reader.read(text[start:end])]
    assert list(map(exact, heard)) == list(map(exact, data))


@pytest.mark.parametrize(("datum", "text"), EXAMPLES)
def test_every_cut_of_every_example_is_the_same(datum: Datum, text: str) -> None:
    data = f"{text}\n".encode()
    for cut in range(len(data)):
        reader = Reader()
        assert list(reader.read(data[:cut])) == []
        assert list(reader.read(data[cut:])) == [datum]


@given(st.lists(st.binary(max_size=20) | st.text("()[]\"|\\#;' \nab1.", max_size=20).map(str.encode), max_size=20))
def test_any_bytes_are_data_or_an_error_however_they_are_cut(pieces: list[bytes]) -> None:
    def heard(pieces: list[bytes]) -> Iterator[object]:
        reader = Reader()
        try:
            for piece in pieces:
                for datum in reader.read(piece):
                    read_or_refused(datum)
                    assert data_of(f"{write(datum)}\n") == [datum]
                    yield datum
        except ProtocolError as error:
            yield str(error)

    assert list(heard(pieces)) == list(heard([b"".join(pieces)]))


def read_or_refused(datum: Datum) -> None:
    with suppress(ProtocolError):
        read_world(datum)


@pytest.mark.parametrize("start", ["(", '"', "|", "(;", '("\\\\', "(a "])
@pytest.mark.parametrize("filling", ["a", " a", "\na"])
def test_an_endless_message_is_not_kept(start: str, filling: str) -> None:
    reader = Reader()
    list(reader.read(start.encode()))
    kept = 0
    with pytest.raises(ProtocolError):  # noqa: PT012 - It may be raised by any of them.
        while kept <= 2 * LONGEST + 2:
            list(reader.read(filling.encode()))
            kept = len(reader._text) + sum(len(data) for _, data in reader._open)


def test_the_rest_of_an_endless_line_is_not_kept() -> None:
    reader = Reader()
    assert list(reader.read(b"(a)" + b"x" * 10 * LONGEST)) == []
    assert not reader._text
    assert list(reader.read(b"\n")) == [(S("a"),)]


# --- what a world shows -----------------------------------------------------------------------------------------------


def test_cards_have_their_points_and_places() -> None:
    names = ("Ass", "10", "König", "Dame", "Bube", "9")
    points = (11, 10, 4, 3, 2, 0)
    expected = tuple(
        (colour, name, points[rank], 6 * number + rank + 1)
        for number, colour in enumerate(("Kreuz", "Pik", "Herz", "Karo"))
        for rank, name in enumerate(names)
    )
    assert write_cards(CARDS) == expected
    assert write_cards((NO_CARD,)) == (CARD0,)


def test_the_world_of_the_description_that_begins() -> None:
    empty = " ".join(['("0" "0" 0 0)'] * 6)
    assert write(write_world(World("wait"))) == f'(wait ({empty}) ({empty}) () 0 () 0 () () () p0 0 0 "" ())'
    assert write(write_world(World("rejected"))) == f'(rejected ({empty}) ({empty}) () 0 () 0 () () () p0 0 0 "" ())'


def test_all_symbols_are_known() -> None:
    playing = "won forceWon play forcePlay announce forceAnnounce announceTrump forceAnnounceTrump"
    waiting = "lost forceLost wait forceWait listen forceListen listenTrump forceListenTrump"
    won = "Won3t cWon3t cWon3f Won3f Won2t cWon2t Won1t cWon1t wonLast"
    lost = "Lost3t cLost3t cLost3f Lost3f Lost2t cLost2t Lost1t cLost1t lostLast"
    for symbols, text in ((PLAYING, playing), (WAITING, waiting), (WON, won), (LOST, lost)):
        assert symbols == set(text.split())
    assert {"waitStich", "sort", "swap", "rejected"} | PLAYING | WAITING | ENDED == SYMBOLS


_hands = st.lists(st.sampled_from([*CARDS, NO_CARD]), max_size=6).map(tuple)
_two = st.lists(st.sampled_from(CARDS), max_size=2).map(tuple)
_points = st.integers(0, 200)
_worlds = st.builds(
    World,
    symbol=st.sampled_from(sorted(SYMBOLS)),
    hands=st.tuples(_hands, _hands),
    tricks=st.tuples(_hands, _hands),
    points=st.tuples(_points, _points),
    middle=_two,
    deck=_hands,
    last=_two,
    closer=st.sampled_from([None, 0, 1]),
    scores=st.tuples(_points, _points),
    trump=st.sampled_from(["", "X", "P", "H", "K"]),
    names=st.lists(_names | _symbols, max_size=2).map(tuple),
)


@given(_worlds)
def test_worlds_come_back(world: World) -> None:
    (datum,) = Reader().read(line(write_world(world)))
    assert isinstance(datum, tuple)
    assert len(datum) == 15
    assert read_world(datum) == world


def test_tricks_may_be_lists_as_the_description_says() -> None:
    world = World("play", tricks=(("XA", "X9", "PA", "P9"), ()))
    datum = write_world(world)
    nested = (write_cards(("XA", "X9")), write_cards(("PA", "P9")))
    assert read_world((*datum[:3], nested, *datum[4:])) == world


def test_other_than_15_elements_are_not_heeded() -> None:
    datum = write_world(World("rejected", hands=(EMPTY_HAND, EMPTY_HAND)))
    for other in (datum[:14], (*datum, S("p0")), "rejected", S("play"), 7, ()):
        assert read_world(other) is None


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, S("jubel")), (1, 7), (1, (("Rot", "Ass", 11, 1),)), (2, (CARD0,) * 7), (4, "66"), (4, True), (4, -1),
        (7, (CARD0,) * 3), (8, (CARD0,) * 13), (10, S("p3")), (11, 10**12), (13, "Rot"), (13, 0), (14, ("a", "b", "c")),
    ],
)  # fmt: skip
def test_what_no_world_shows_is_an_error(place: int, value: Datum) -> None:
    datum = write_world(World("wait", names=("a", "b")))
    with pytest.raises(ProtocolError):
        read_world((*datum[:place], value, *datum[place + 1 :]))
