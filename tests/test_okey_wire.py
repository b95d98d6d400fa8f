"""Tests of Okey's own protocol: its lines, the server's side at real tables, the client's side, and both together."""

from __future__ import annotations

import dataclasses
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire_table import House, Program

from tisch.agents.search import SearchAgent
from tisch.game import Agent, Event, Random, Samples
from tisch.games import find
from tisch.games.okey import GAME, JOKER, RuleAgent, Tile, arrange, arrangement_is_valid
from tisch.games.okey.rules import View
from tisch.games.okey.wire import GUEST, HOST
from tisch.games.okey.wire.codec import (
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
from tisch.games.okey.wire.guest import OkeyGuest, laid_out
from tisch.games.okey.wire.host import LONGEST, MOST_WAITING
from tisch.games.okey.wire.lobby import fit, unique
from tisch.wire import ProtocolError, guest_of, host_of

# --- lines ------------------------------------------------------------------------------------------------------------

START = "8:RED 12:RED 6:BLUE 2:YELLOW 5:YELLOW 6:YELLOW 7:YELLOW 10:YELLOW 12:YELLOW 3:BLACK 4:BLACK 6:BLACK 7:BLACK 8:BLACK"
PUT = (
    '"\\" \\" 3:RED 11:RED 12:RED 13:RED 2:BLUE 3:BLACK \\" \\" \\" \\" 11:BLUE 12:BLUE \\" \\" 2:YELLOW 7:YELLOW \\" \\" '
    '1:YELLOW 1:RED \\" \\" \\" \\" \\" \\" 9:BLACK 9:RED \\" \\" \\" \\" "'
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


@given(st.lists(st.lists(st.lists(TEXTS))), st.sampled_from(DIALECTS))
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
    found = [read(line, dialect) for start, end in pairwise(cuts) for line in lines.feed(sent[start:end])]
    assert found == messages


@pytest.mark.parametrize(("line", "command", "arguments"), EXAMPLES)
def test_every_message_may_be_cut_anywhere(line: str, command: str, arguments: list[str]) -> None:
    for end in (b"\r\n", b"\n"):
        sent = line.encode() + end
        for cut in range(len(sent) + 1):
            lines = Lines(LONGEST)
            found = [*lines.feed(sent[:cut]), *lines.feed(sent[cut:])]
            assert found == [line]
        lines = Lines(LONGEST)
        assert [text for place in range(len(sent)) for text in lines.feed(sent[place : place + 1])] == [line]


@given(st.lists(st.binary(max_size=40)), st.sampled_from(DIALECTS))
def test_any_bytes_are_messages_or_a_protocol_error(pieces: list[bytes], dialect: Dialect) -> None:
    lines = Lines(30)
    try:
        for piece in pieces:
            for line in lines.feed(piece):
                message = read(line, dialect)
                for argument in message.arguments:
                    assert len(argument) <= len(line)
                    decode(argument, dialect)
            assert len(lines._rest) <= 30
    except ProtocolError:
        pass


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
        list(lines.feed(data))
    assert str(caught.value) == reason


def test_a_line_may_be_as_long_as_it_may_be() -> None:
    assert list(Lines(100).feed(b"a" * 100 + b"\n")) == ["a" * 100]


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


def test_names_are_made_unique_and_stay_short() -> None:
    assert unique("Istref", {"Istref"}) == "Istref_1"
    assert unique("Istref", {"Istref", "Istref_1"}) == "Istref_2"
    assert unique("i" * 30, {"i" * 30}) == "i" * 28 + "_1"
    assert fit('die "drei" von\tfünf') == "die__drei__von_fünf"
    assert fit("") == "player"


# --- the server's side ------------------------------------------------------------------------------------------------


class Client:
    """A program that says lines and reads lines, and answers nothing by itself."""

    def __init__(self, house: House, name: str = "", dialect: Dialect = "seed") -> None:
        self.house = house
        self.dialect = dialect
        self.program: Program = house.connect()
        self.rack: list[Tile] = []
        self.seat = -1
        if name:
            assert self.ask("LOGI", name) == [f"+LOGI {name}"]

    def ask(self, command: str, *arguments: str) -> list[str]:
        """Say something and read what comes; what came before is left aside."""
        self.heard()
        self.program.send(write(Message(command, arguments), self.dialect))
        return self.heard()

    def say(self, line: str) -> list[str]:
        self.heard()
        self.program.send(f"{line}\r\n".encode())
        return self.heard()

    def heard(self) -> list[str]:
        """What has come; the rack is kept as the lines tell it."""
        data = self.program.take().decode()
        assert not data or data.endswith("\r\n")
        lines = data.split("\r\n")[:-1]
        for line in lines:
            message = read(line, self.dialect)
            if message.command == "STRT":
                self.rack = tiles_of(read_layout(message.arguments[0], self.dialect))
                self.seat = int(message.arguments[1])
            elif message.command == "DRAW" and message.arguments[0]:
                self.rack.append(Tile.parse(message.arguments[0]))
        return lines

    def put(self, tile: Tile | None = None, *, wins: bool = True) -> list[str]:
        """Put a tile, the last one if none is named, and win if that is possible and wanted."""
        tile = self.rack[-1] if tile is None else tile
        layout = laid_out(self.rack, tile, wins=wins)
        self.rack.remove(tile)
        return self.ask("PUTT", str(tile), write_layout(layout, self.dialect))


NAMES = ("Istref", "robin", "boran", "pascal")


def seated(*, lobby: str = "42", dialect: Dialect = "seed", **options: Any) -> tuple[House, list[Client]]:
    """A house in which four programs sit in a lobby."""
    house = House(GAME, HOST, HOST.Options(dialect=dialect, **options))
    clients = [Client(house, name, dialect) for name in NAMES]
    for client in clients:
        assert "+JLOB t" in client.ask("JLOB", lobby)
    for client in clients:
        client.heard()
    return house, clients


def playing(**options: Any) -> tuple[House, list[Client]]:
    """A house in which four programs play."""
    house, clients = seated(**options)
    for client in clients:
        assert client.ask("REDY")[0] == "+REDY"
    for client in clients:
        client.heard()
    return house, clients


def turn(clients: list[Client]) -> Client:
    """Who has the turn at the beginning of a game."""
    (starter,) = [client for client in clients if len(client.rack) == 15]
    return starter


def after(clients: list[Client], client: Client) -> Client:
    (following,) = [other for other in clients if other.seat == (client.seat + 1) % 4]
    return following


def verified(house: House, lobby: str = "42", games: int = 1) -> None:
    transcripts = house.tables[lobby].transcripts
    assert len(transcripts) == games
    for transcript in transcripts:
        assert transcript.verify().outcome() is not None


def test_the_game_finds_its_two_sides() -> None:
    assert host_of(find("okey")) is HOST
    assert guest_of(find("okey")) is GUEST


def test_names_are_given_once_and_may_be_changed() -> None:
    house = House(GAME, HOST)
    first, second, third = (Client(house) for _ in range(3))
    assert first.say("LOGI Istref") == ["+LOGI Istref"]
    assert second.say("LOGI Istref") == ["+LOGI Istref_1"]
    assert third.say("NAME Istref") == ["+NAME Istref_2"]
    assert third.say("NAME Istref_2") == ["+NAME Istref_2"]
    assert third.say('NAME "ein \\"Name\\" "') == ["+NAME ein__Name_"]
    assert third.say('NAME " "') == ["+NAME player"]
    assert first.say("LPLA") == ['+LPLA "Istref Istref_1 player "']
    second.program.cut()
    assert third.say("NAME Istref_1") == ["+NAME Istref_1"]
    assert first.say("LPLA") == ['+LPLA "Istref Istref_1 "']


@pytest.mark.parametrize("line", ["LPLA", "JLOB 1", "REDY", "CATC b hallo", "DRAW m", "WINC"])
def test_who_has_no_name_is_not_heard(line: str) -> None:
    client = Client(House(GAME, HOST))
    assert client.say(line) == []
    assert client.say("PING") == ["+PING"]


@pytest.mark.parametrize(
    "line",
    ["", "hallo", "XXXX", "LLOB", "HIGH", "LOGI", "JLOB", "PUTT 4:RED", "CATC b", "CATC w hallo", "+PING", "STRT"],
)
def test_what_is_unknown_or_lacks_something_gets_no_answer(line: str) -> None:
    client = Client(House(GAME, HOST), "Istref")
    assert client.say(line) == []
    assert client.program.is_open


def test_lobbies_are_listed_with_their_players_and_free_seats() -> None:
    house = House(GAME, HOST)
    clients = [Client(house, name) for name in ("pvonf", "pvonf_1", "pvonf_2")]
    assert clients[0].say("LLPL") == ['+LLPL " "']
    assert clients[0].say("LGAM o") == ['+LGAM o " "']
    for client in clients:
        assert client.say("JLOB 1") == ["+JLOB t"]
    assert clients[0].say("LLPL") == ['+LLPL "\\"\\\\"Lobby 1 \\\\" \\" \\"pvonf pvonf_1 pvonf_2 \\\\" \\\\" \\" "']
    assert clients[0].say("LGAM o") == ["+LGAM o 1:3"]
    fourth = Client(house, "nick")
    assert fourth.say("JLOB 7") == ["+JLOB t"]
    assert fourth.say("LGAM o") == ['+LGAM o "1:3 7:1 "']
    assert fourth.say("LGAM r") == ['+LGAM r " "']
    assert fourth.say("LGAM f") == ['+LGAM f " "']
    assert fourth.say("LGAM x") == ['+LGAM x " "']


def test_a_lobby_takes_four_and_nobody_twice() -> None:
    house, clients = seated()
    assert clients[0].say("JLOB 42") == ['+JLOB f "You are in lobby 42 already. "']
    assert clients[0].say("LGAM o") == ["+LGAM o 42:4"]
    fifth = Client(house, "nick")
    assert fifth.say("JLOB 42") == ['+JLOB f "The table is full. "']
    assert fifth.say("JLOB zwei") == ['+JLOB f "A lobby has a number. "']
    clients[1].program.cut()
    assert fifth.say("JLOB 042") == ["+JLOB t"]
    assert fifth.say("LLPL") == [
        '+LLPL "\\"\\\\"Lobby 42 \\\\" \\" \\"Istref nick boran pascal \\" "',
    ]


def test_a_game_begins_when_four_are_ready() -> None:
    house, clients = seated()
    for client in clients[:3]:
        assert client.say("REDY") == ["+REDY"]
    assert not house.tables["42"].is_running
    answer, *start = clients[3].say("REDY")
    assert answer == "+REDY"
    heard = [client.heard() for client in clients[:3]] + [start]
    starter = turn(clients)
    view = house.tables["42"].state.view(starter.seat)  # type: ignore[union-attr]
    assert view.turn == starter.seat
    for seat, (client, lines) in enumerate(zip(clients, heard, strict=True)):
        assert lines == [
            f'STRT "{" ".join(map(str, sorted(house.tables["42"].state.view(seat).rack)))} " {seat}',  # type: ignore[union-attr]
            f'STAT "\\" \\" \\" \\" \\" \\" \\" \\" " {starter.seat}',
        ]
        assert client.seat == seat
    assert clients[0].say("REDY") == ["+REDY"], "A game that runs is not dealt anew."
    assert clients[0].say("LGAM r") == ["+LGAM r 42"]
    assert Client(house, "nick").say("JLOB 42") == ['+JLOB f "The table is full. "']


def test_a_turn_is_told_to_all() -> None:
    _, clients = playing()
    starter = turn(clients)
    following = after(clients, starter)
    tile = starter.rack[0]
    tops = ['\\" \\"'] * 4
    tops[following.seat] = str(tile)
    state = f'STAT "{" ".join(tops)} " {following.seat}'
    assert starter.put(tile) == ["+PUTT t f", state]
    assert all(client.heard() == [state] for client in clients if client is not starter)
    tops[following.seat] = '\\" \\"'
    state = f'STAT "{" ".join(tops)} " {following.seat}'
    assert following.say("DRAW e") == [f"+DRAW {tile}", state]
    assert all(client.heard() == [state] for client in clients if client is not following)


def test_what_may_not_be_done_is_refused_and_changes_nothing() -> None:
    house, clients = playing()
    starter = turn(clients)
    other = after(clients, starter)
    before = house.tables["42"].state.view(None)  # type: ignore[union-attr]
    assert starter.say("DRAW m") == [f'+DRAW " " "Seat {starter.seat} has its tile already and must put one. "']
    assert starter.say("DRAW e") == [f'+DRAW " " "Seat {starter.seat} has its tile already and must put one. "']
    assert starter.say("DRAW x") == ['+DRAW " " "There are the stacks m and e. "']
    assert other.say("DRAW m") == [f'+DRAW " " "It is not the turn of seat {other.seat}. "']
    assert other.say(f"PUTT {other.rack[0]} {encode(map(str, other.rack[1:]), 'seed')}")[0].startswith("+PUTT f f ")
    rack = seeded(seeded(*map(str, starter.rack[1:])))
    for line, reason in {
        f"PUTT {starter.rack[0]} 1:RED": "These are not your tiles.",
        f"PUTT {starter.rack[0]} {seeded(seeded(*map(str, starter.rack)))}": "These are not your tiles.",
        f"PUTT 14:RED {rack}": "'14:RED' is no tile; tiles are written like 7:RED, jokers 0:BLACK.",
        f"PUTT {starter.rack[0]} {seeded(seeded(*['7:PINK'] * 14))}": "'7:PINK' is no tile; tiles are written like "
        "7:RED, jokers 0:BLACK.",
        f"PUTT {starter.rack[0]} {seeded(seeded(*['1:RED'] * 25))}": "A rack has 24 slots, not 25.",
    }.items():
        assert starter.say(line) == [f'+PUTT f f "{reason} "']
    assert house.tables["42"].state.view(None) == before  # type: ignore[union-attr]
    assert starter.put()[0] == "+PUTT t f"


def test_who_does_not_play_is_refused() -> None:
    client = Client(House(GAME, HOST), "Istref")
    assert client.say("REDY") == ['+REDY "You are in no lobby. "']
    assert client.say("DRAW m") == ['+DRAW " " "There is no game. "']
    assert client.say("PUTT 4:RED 5:RED") == ['+PUTT f f "There is no game. "']
    assert client.say("WINC") == ['+WINC " " "There is no cheating here. "']


def test_a_game_without_winner_ends_when_the_main_stack_is_empty() -> None:
    house, clients = playing()
    player = turn(clients)
    player.put(player.rack[-1])
    for _ in range(49):
        player = after(clients, player)
        assert player.say("DRAW m")[0].startswith("+DRAW ")
        assert player.put(wins=False)[0] == "+PUTT t f"
    last = after(clients, player)
    for client in clients:
        client.heard()
    assert last.say("DRAW m") == ['+DRAW " "', "EMPT"]
    assert all(client.heard() == ["EMPT"] for client in clients if client is not last)
    assert clients[0].say("LGAM f") == ["+LGAM f 42:"]
    assert clients[0].say("LGAM o") == ['+LGAM o " "']
    verified(house)


def test_a_cheat_wins_and_four_can_play_again() -> None:
    house, clients = playing(cheats=True)
    starter = turn(clients)
    assert starter.say("WINC") == [f'+WINC "0:BLACK {WINNING} "']
    for client in clients:
        client.heard()
    starter.rack = [JOKER, *map(Tile.parse, WINNING.split())]
    answer, state, end = starter.put(JOKER)
    assert answer == "+PUTT t t"
    assert state == f'STAT "{state_of(house)} " {(starter.seat + 1) % 4}'
    assert end == f"PWIN {NAMES[starter.seat]}"
    assert all(client.heard() == [state, end] for client in clients if client is not starter)
    assert clients[0].say("LGAM f") == [f"+LGAM f 42:{NAMES[starter.seat]}"]
    verified(house)
    assert house.tables["42"].transcripts[0].options == {"cheats": True}
    for client in clients:
        client.say("REDY")
    assert clients[0].say("LGAM f")[-1] == '+LGAM f " "'
    assert house.tables["42"].is_running


def state_of(house: House) -> str:
    stacks = house.tables["42"].state.view(None).stacks  # type: ignore[union-attr]
    return " ".join(str(stack[-1]) if stack else '\\" \\"' for stack in stacks)


def test_a_cheat_out_of_turn_has_14_tiles_and_others_learn_what_they_lost() -> None:
    house, clients = playing(cheats=True)
    cheat = after(clients, turn(clients))
    before = {client.seat: sorted(client.rack) for client in clients}
    assert cheat.say("WINC") == [f'+WINC "{WINNING} "']
    for client in clients:
        lines = client.heard()
        rack = sorted(house.tables["42"].state.view(client.seat).rack)  # type: ignore[union-attr]
        if client is not cheat and rack != before[client.seat]:
            assert [line[:4] for line in lines] == ["STRT", "STAT"]
            assert sorted(client.rack) == rack
        else:
            assert lines == []
    assert cheat.say("WINC") == [f'+WINC "{WINNING} " "Seat {cheat.seat} cannot cheat. "']


def test_without_the_switch_nobody_cheats_even_where_the_table_would_allow_it() -> None:
    house = House(GAME, HOST)
    house.join("42", "Ben", {"cheats": True})
    clients = [Client(house, name) for name in NAMES[:3]]
    for client in clients:
        client.say("JLOB 42")
        client.say("REDY")
    clients[0].heard()
    assert clients[0].rack
    assert clients[0].say("WINC") == [f'+WINC "{write_rack(clients[0].rack, "seed")} " "There is no cheating here. "']


def test_what_is_said_while_the_table_is_asked_is_heard_afterwards() -> None:
    house, clients = playing()
    starter = turn(clients)
    tile = starter.rack[-1]
    following = after(clients, starter)
    starter.put(tile)
    rack = sorted(following.rack)
    lines = ["DRAW e", f"PUTT {tile} {seeded(seeded(*map(str, rack)))}", "PING", "DRAW m"]
    following.heard()
    following.program.send("".join(f"{line}\r\n" for line in lines).encode())
    told = [line for line in following.heard() if not line.startswith("STAT")]
    assert told == [
        f"+DRAW {tile}",
        "+PUTT t f",
        "+PING",
        f'+DRAW " " "It is not the turn of seat {following.seat}. "',
    ]
    assert house.tables["42"].state.view(None).turn == (starter.seat + 2) % 4  # type: ignore[union-attr]


def test_who_says_too_much_at_once_is_closed() -> None:
    client = Client(House(GAME, HOST), "Istref")
    client.program.send(b"JLOB 1\r\n" + b"REDY\r\n" * MOST_WAITING)
    assert client.program.is_open
    other = Client(client.house, "robin")
    other.program.send(b"JLOB 1\r\n" + b"REDY\r\n" * (MOST_WAITING + 1))
    assert not other.program.is_open
    assert client.say("LPLA") == ["+LPLA Istref"]


@pytest.mark.parametrize("data", [b"CATC b \xff\r\n", b"CATC b a\0\r\n", b"x" * (LONGEST + 1)])
def test_a_violation_closes_the_connection_and_not_the_table(data: bytes) -> None:
    house, clients = playing()
    player = turn(clients)
    bad = after(clients, after(clients, player))
    bad.program.send(data)
    assert not bad.program.is_open
    assert player.put()[0] == "+PUTT t f"
    assert after(clients, player).say("DRAW m")[0].startswith("+DRAW ")
    assert house.tables["42"].is_running


def test_whole_games_by_raw_lines_in_single_bytes_and_with_cuts() -> None:
    """Four programs play by a simple rule; one is cut off now and then and comes back to its tiles."""
    for seed in range(3):
        house = House(GAME, HOST, agent=RuleAgent, seed=seed)
        clients = [Client(house, name) for name in NAMES]
        for client in clients:
            client.say("JLOB 42")
        for client in clients:
            client.say("REDY")
        random = Random(seed, "cuts")
        table = house.tables["42"]
        while table.is_running:
            view = table.state.view(None)  # type: ignore[union-attr]
            if random.below(40) == 0:
                clients[random.below(4)].program.cut()
            for place, client in enumerate(clients):
                if not client.program.is_open:
                    clients[place] = Client(house, NAMES[place])
                    assert clients[place].say("JLOB 42")[-1] == "+JLOB t"
                clients[place].heard()
            view = table.state.view(None)  # type: ignore[union-attr]
            players = [client for client in clients if client.seat == view.turn]
            if not table.is_running:
                break
            (player,) = players
            assert sorted(player.rack) == sorted(table.state.view(player.seat).rack)  # type: ignore[union-attr]
            if len(player.rack) == 14:
                player.program.send(b"DRAW m\r\n", piece=1)
                player.heard()
            if table.is_running:
                tile = random.choice(player.rack)
                assert player.put(tile)[0].startswith("+PUTT t")
        heard = [line for client in clients for line in client.heard()]
        assert all(line.startswith(("STAT", "PWIN", "EMPT", "STRT")) for line in heard)
        verified(house)


def test_who_comes_back_gets_his_tiles_before_he_is_in() -> None:
    house, clients = playing()
    lost = after(clients, after(clients, turn(clients)))
    rack, name = sorted(lost.rack), NAMES[lost.seat]
    lost.program.cut()
    again = Client(house, name)
    start, state, joined = again.say("JLOB 42")
    assert start == f'STRT "{" ".join(map(str, rack))} " {lost.seat}'
    assert state == f'STAT "\\" \\" \\" \\" \\" \\" \\" \\" " {turn(clients).seat}'
    assert joined == "+JLOB t"


def test_a_seat_of_one_who_left_is_played_by_an_agent() -> None:
    house, clients = playing()
    starter = turn(clients)
    starter.program.cut()
    following = after(clients, starter)
    lines = following.heard()
    assert len(lines) == 1
    assert re.fullmatch(rf'STAT ".*" {following.seat}', lines[0])
    assert following.say("DRAW m")[0].startswith("+DRAW ")
    assert house.tables["42"].is_running


def test_who_was_too_slow_is_told_his_tiles_anew() -> None:
    house, clients = playing()
    starter = turn(clients)
    tile = starter.rack[-1]
    house.move("42", starter.seat, f"put {tile}")
    rest = sorted(starter.rack)
    rest.remove(tile)
    state, start, again = starter.heard()
    assert state == again
    assert state.startswith("STAT ")
    assert start == f'STRT "{" ".join(map(str, rest))} " {starter.seat}'
    slow = after(clients, starter)
    slow.heard()
    house.move("42", slow.seat, "draw exchange")
    assert [line[:4] for line in slow.heard()] == ["STAT", "STRT", "STAT"]
    assert len(slow.rack) == 15
    assert slow.put()[0] == "+PUTT t f"


def test_each_side_pings_and_who_is_silent_for_15_seconds_is_closed() -> None:
    house = House(GAME, HOST)
    silent, alive, slow = (Client(house, name) for name in NAMES[:3])
    for second in range(14):
        house.advance(1)
        assert silent.heard() == ["PING"]
        assert alive.heard() == ["PING"]
        assert alive.say("+PING") == []
        if second == 7:
            assert slow.say("PING")[-1] == "+PING"
    assert silent.program.is_open
    house.advance(1)
    assert not silent.program.is_open
    assert alive.say("LPLA")[-1] == '+LPLA "robin boran "'
    house.advance(8)
    assert not slow.program.is_open
    assert alive.program.is_open


def test_who_logs_out_is_closed_and_forgotten() -> None:
    house, clients = seated()
    assert clients[0].say("LOGO") == ["+LOGO"]
    assert not clients[0].program.is_open
    assert clients[1].say("LPLA") == ['+LPLA "robin boran pascal "']
    assert clients[1].say("LGAM o") == ["+LGAM o 42:3"]
    gone = Client(house, "nick")
    gone.program.send(b"LOGO\r\nLOGI wieder\r\nJLOB 42\r\n")
    assert gone.heard() == ["+LOGO"]
    assert house.tables["42"].names.count("wieder") == 0
    for client in clients[1:]:
        client.program.cut()
    assert Client(house, "spät").say("LLPL") == ['+LLPL " "']


def test_chat_goes_to_all_to_the_lobby_or_to_one() -> None:
    house, clients = seated()
    stranger = Client(house, "nick")
    everybody = [*clients, stranger]
    assert clients[0].say('CATC b "guten Tag "') == ['+CATC b "guten Tag "']
    assert [client.heard() for client in everybody] == [[], *[['CATS b "guten Tag " Istref']] * 4]
    assert clients[0].say("CATC l hallo") == ["+CATC l hallo"]
    assert [client.heard() for client in everybody] == [[], *[["CATS l hallo Istref"]] * 3, []]
    assert stranger.say("CATC l hallo") == ['+CATC l hallo "You are in no lobby. "']
    assert clients[2].say(f"CATC w {TOM} robin") == [f"+CATC w {TOM} robin t"]
    assert [client.heard() for client in everybody] == [[], [f"CATS w {TOM} boran"], [], [], []]
    assert clients[2].say("CATC w hallo niemand") == ["+CATC w hallo niemand f"]
    assert clients[2].say("CATC w hallo boran") == ["+CATC w hallo boran t", "CATS w hallo boran"]
    assert clients[2].say("CATC x hallo") == []
    assert clients[2].say('CATC b " "') == ['+CATC b " "']
    assert clients[3].say("+CATS") == []


def test_people_in_the_browser_sit_in_lobbies_and_count_as_ready() -> None:
    house = House(GAME, HOST, agent=RuleAgent)
    assert house.join("42", "Ben") == 0
    clients = [Client(house, name) for name in ("robin", "boran")]
    for client in clients:
        assert client.say("JLOB 42") == ["+JLOB t"]
        assert client.say("REDY") == ["+REDY"]
    assert clients[0].say("LGAM o") == ["+LGAM o 42:3"]
    assert not house.tables["42"].is_running
    house.join("42", "Zoë von Ü")
    assert house.tables["42"].is_running
    for client in clients:
        assert [line[:4] for line in client.heard()] == ["STRT", "STAT"]
    assert clients[0].say("LLPL") == ['+LLPL "\\"\\\\"Lobby 42 \\\\" \\" \\"Ben robin boran Zoë_von_Ü \\" "']
