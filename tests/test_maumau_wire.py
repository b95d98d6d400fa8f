"""Tests of Mau-Mau's own protocol: its bytes, the server's side at real tables, the client's side, and both together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tisch.agents import RandomAgent
from tisch.game import Agent, Event, Random
from tisch.games.maumau import GAME
from tisch.games.maumau.cards import LABELS, NUMBERS
from tisch.games.maumau.wire import GUEST, HOST
from tisch.games.maumau.wire.codec import LONGEST_LIST, LONGEST_TEXT, TO_CLIENT, TO_SERVER, Message, Reader, Words
from tisch.wire import ProtocolError, guest_of, host_of
from wire_table import House, Program, Table

# --- bytes ------------------------------------------------------------------------------------------------------------


def cards(text: str) -> tuple[int, ...]:
    return tuple(NUMBERS[label] for label in text.split())


#: Every message of seed and spec, with its bytes: the direction, the message, and the bytes in hexadecimal.
EXAMPLES: list[tuple[Words, str, Any, str]] = [
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


def read(words: Words, data: bytes, *, greeted: bool = True) -> list[Message]:
    """All messages of some bytes."""
    reader = Reader(words)
    if words.greeting and greeted:
        assert list(reader.read(b"\x01")) == [Message("id", 1)]
    return list(reader.read(data))


@pytest.mark.parametrize(("words", "kind", "value", "text"), EXAMPLES)
def test_every_message_has_its_bytes(words: Words, kind: str, value: Any, text: str) -> None:
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


#: Names of which no byte says in which order they stand: the usual one is taken.
GUESSED = ("李雷李雷", "🃏🎴")


@pytest.mark.parametrize("name", ["EGAL", "Der_Wendler", "Жанна", "Zoë", "李雷李雷", "🃏🎴", ""])
@pytest.mark.parametrize("order", ["utf-16-be", "utf-16-le", "mark-be", "mark-le"])
def test_w1_names_come_in_either_order_of_bytes(name: str, order: str) -> None:
    mark = "\ufeff" if order.startswith("mark") else ""
    data = b"\x42" + (mark + name).encode(order.replace("mark", "utf-16")) + bytes(2)
    if name in GUESSED and order == "utf-16-le":
        pytest.skip("The order of such a name can only be guessed.")
    assert read(TO_SERVER, data) == [Message("id", name)]


def test_w1_what_the_original_client_sends_is_no_chinese() -> None:
    assert read(TO_SERVER, b"\x42E\0G\0A\0L\0\0\0") == [Message("id", "EGAL")]
    assert read(TO_SERVER, b"\x42\0E\0G\0A\0L\0\0") == [Message("id", "EGAL")]


def _words() -> st.SearchStrategy[tuple[Words, list[Message]]]:
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

    def said(words: Words, kinds: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[tuple[Words, list[Message]]]:
        message = st.one_of(*(st.builds(Message, st.just(kind), value) for kind, value in kinds.items()))
        return st.tuples(st.just(words), st.lists(message, max_size=12))

    return said(TO_CLIENT, to_client) | said(TO_SERVER, to_server)


@given(_words(), st.lists(st.integers(0, 400)))
def test_messages_come_back_however_they_are_cut(said: tuple[Words, list[Message]], cuts: list[int]) -> None:
    words, messages = said
    data = b"".join(words.write(kind, value) for kind, value in messages)
    reader = Reader(words)
    if words.greeting:
        data, messages = b"\x05" + data, [Message("id", 5), *messages]
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    heard = [message for start, end in pairwise(places) for message in reader.read(data[start:end])]
    assert heard == messages


@pytest.mark.parametrize(("words", "kind", "value", "text"), EXAMPLES)
def test_every_cut_of_every_message_is_the_same(words: Words, kind: str, value: Any, text: str) -> None:
    data = bytes.fromhex(text)
    for cut in range(len(data)):
        reader = Reader(words)
        if words.greeting and kind != "id":
            list(reader.read(b"\0"))
        assert list(reader.read(data[:cut])) == []
        assert list(reader.read(data[cut:])) == [Message(kind, value)]


@given(st.sampled_from([TO_CLIENT, TO_SERVER]), st.lists(st.binary(max_size=40), max_size=20))
def test_any_bytes_are_messages_or_an_error_and_nothing_is_piled_up(words: Words, pieces: list[bytes]) -> None:
    def heard(pieces: list[bytes]) -> Iterator[Message | str]:
        reader = Reader(words)
        try:
            for piece in pieces:
                yield from reader.read(piece)
                assert len(reader._rest) <= 2 * LONGEST_TEXT + 3
        except ProtocolError as error:
            yield str(error)

    assert list(heard(pieces)) == list(heard([b"".join(pieces)]))


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
def test_what_is_no_message_is_said(words: Words, text: str, sentence: str) -> None:
    with pytest.raises(ProtocolError) as info:
        read(words, bytes.fromhex(text))
    assert str(info.value) == sentence


def test_an_endless_message_is_not_kept() -> None:
    reader = Reader(TO_SERVER)
    with pytest.raises(ProtocolError):
        for _ in range(1000):
            list(reader.read(b"\x42" + b"\0A" * 20 if not reader._rest else b"\0A" * 20))
            assert len(reader._rest) <= 2 * LONGEST_TEXT + 3


# --- the server's side ------------------------------------------------------------------------------------------------


def house(seed: int = 1, agent: type[Agent[Any]] = RandomAgent, **options: Any) -> House:
    """Tables for programs."""
    return House(GAME, HOST, HOST.Options(**options), agent=agent, seed=seed)


class Client:
    """A raw program: bytes out, bytes in, and what it has understood of them."""

    def __init__(self, at: House, name: str, *, piece: int | None = None) -> None:
        self.program: Program = at.connect()
        self.reader = Reader(TO_CLIENT)
        self.said: list[Message] = []
        self.piece = piece
        self.send("id", name)

    def send(self, kind: str, value: Any = None) -> None:
        self.program.send(TO_SERVER.write(kind, value), piece=self.piece)

    def take(self) -> list[Message]:
        """What has been said since the last time."""
        new = list(self.reader.read(self.program.take()))
        self.said += new
        return new


def table_of(at: House, name: str = "Mau-Mau") -> Table:
    return at.tables[name]


def state_of(at: House, name: str = "Mau-Mau") -> Any:
    state = at.tables[name].state
    assert state is not None
    return state


def act(at: House, clients: dict[int, Client], random: Random, name: str = "Mau-Mau") -> None:
    """Let the program make a random move whose turn it is."""
    state = state_of(at, name)
    (seat,) = state.awaiting()
    move = random.choice(state.legal(seat))
    clients[seat].send(move.verb, None if move.verb == "finish" else move.operand)


def play_out(at: House, clients: dict[int, Client], seed: int, name: str = "Mau-Mau") -> None:
    random = Random(seed, "clients")
    while table_of(at, name).is_running:
        act(at, clients, random, name)


def kinds(messages: list[Message]) -> list[str]:
    return [message.kind for message in messages]


BLOCK = ["draw", "wish", "cards", "player", "time"]
OPENING = ["draw", "wish", "stack", "cards", "player", "time"]


def test_the_modules_are_found_by_the_game() -> None:
    assert host_of(GAME) is HOST
    assert guest_of(GAME) is GUEST
    assert (HOST.port, HOST.Options()) == (53427, HOST.Options(2, 1, 0.0, 0.0, "seed", "Mau-Mau"))


def test_w3_w14_ids_are_answered_at_once_and_then_the_game_begins() -> None:
    at = house()
    first = Client(at, "EGAL")
    assert first.program.take() == b"\x01"
    second = Client(at, "Der_Wendler")
    told = second.program.take()
    assert told.startswith(bytes.fromhex("02 72 01 01 69"))
    state, table = state_of(at), table_of(at)
    assert table.names == ["EGAL", "Der_Wendler"]
    for seat, data in enumerate((b"\x01" + first.program.take(), told)):
        said = list(Reader(TO_CLIENT).read(data))
        assert kinds(said) == ["id", "round", "deal", *OPENING]
        values = dict(said)
        assert set(values["deal"]) == {NUMBERS[label] for label in state.view(seat).hand}
        assert values["cards"] == (7, 6) and values["player"] == 1 and values["time"] == 0
        assert (values["draw"], values["wish"], values["stack"]) == (0, None, NUMBERS[state.view(None).top])


def test_fragments_are_enough() -> None:
    at = house(3)
    clients = {seat: Client(at, f"P{seat}", piece=1) for seat in range(2)}
    play_out(at, clients, 3)
    table_of(at).transcripts[0].verify()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_whole_games_by_raw_programs(players: int, seed: int) -> None:
    at = house(seed + 10, players=players, rounds=3)
    clients = {seat: Client(at, f"P{seat}") for seat in range(players)}
    play_out(at, clients, seed)
    transcript = table_of(at).transcripts[0]
    scores = transcript.verify().view(None).scores
    for client in clients.values():
        assert not client.program.is_open
        said = client.take()
        assert [message.value for message in said if message.kind == "round"] == [(1, 3), (2, 3), (3, 3)]
        results = [message.value for message in said if message.kind == "result"]
        assert results[-1] == tuple(min(score, 255) for score in scores) and len(results) == 3
        assert said[-1] == Message("result", results[-1])
        check_order(said)


def check_order(said: list[Message]) -> None:
    """What is told comes in the order of the protocol, and nobody is told what he may not know (W13)."""
    text = " ".join(kinds(said))
    block = "draw wish (stack )?cards player time ?"
    action = "(play |wish |draw (deal )?|yeet )*"
    assert re.fullmatch(f"id (round deal ({block}{action})+(play )*result ?)+", text + " "), text


def test_w5_w6_w8_turns_are_told_as_they_come() -> None:
    """Every event of a game is told in the words of the protocol, by a game in which everything happens."""
    seen = set()
    for seed in range(40):
        at = house(seed, players=2)
        clients = {seat: Client(at, f"P{seat}") for seat in range(2)}
        for client in clients.values():
            client.take()
        random = Random(seed, "clients")
        while table_of(at).is_running:
            state = state_of(at).copy()
            (seat,) = state.awaiting()
            events: list[Event] = []
            state.listener = events.append
            act(at, clients, random)
            state.play(*table_of(at).moves[-1])
            seen.add(" ".join(event.name for event in events))
            for own, client in clients.items():
                assert client.take() == expected(events, own, state)
    assert {"play player", "draw player", "wish player", "play result", "stack draw player"} <= seen


def expected(events: list[Event], own: int, state: Any) -> list[Message]:
    """What a program must hear of one move."""
    said: list[Message] = []
    stack = False
    for event in events:
        told = event.public
        match event.name:
            case "play":
                said.append(Message("play", NUMBERS[told["card"]]))
            case "wish":
                said.append(Message("wish", "KHXP".index(told["colour"])))
            case "stack":
                stack = True
            case "draw":
                said.append(Message("draw", told["count"]))
                drawn = event.private[told["seat"]]["cards"]
                if own == told["seat"] and drawn:
                    said.append(Message("deal", tuple(NUMBERS[label] for label in drawn)))
            case "result":
                said.append(Message("result", told["scores"]))
            case "player":
                view = state.view(own)
                said += [Message("draw", view.penalty), Message("wish", "KHXP".index(view.wish) if view.wish else None)]
                said += [Message("stack", NUMBERS[view.top])] if stack else []
                said += [Message("cards", view.counts), Message("player", view.turn + 1), Message("time", 0)]
    return said
