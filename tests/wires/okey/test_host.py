"""Tests of the server's side of Okey's protocol, by programs that say lines at real tables."""

from __future__ import annotations

import re

import pytest

from okey_programs import NAMES, WINNING, Client, after, playing, seated, seen, turn, verified
from places import ROOT
from tisch.game import Random
from tisch.games import find
from tisch.games.okey import GAME, JOKER, RuleAgent, Tile
from tisch.ports.refusal import Code
from tisch.table.seating import MARKED_NAMES, Player
from tisch.wires import guest_of, host_of
from tisch.wires.okey import GUEST, HOST
from tisch.wires.okey.codec import encode, write_rack
from tisch.wires.okey.host import LONGEST, MOST_WAITING
from wire_table import House

#: A chat message in the way that lines have it.
TOM = '"Tom hat mir folgendes gesagt: \\"Nick ist mühsam\\" "'


def seeded(*texts: str) -> str:
    return encode(texts, "seed")


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
    assert fifth.say("JLOB 42") == ['+JLOB f "' + Code.TABLE_FULL.sentence("de") + ' "']
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
    view = seen(house, starter.seat)
    assert view.turn == starter.seat
    for seat, (client, lines) in enumerate(zip(clients, heard, strict=True)):
        assert lines == [
            f'STRT "{" ".join(map(str, sorted(seen(house, seat).rack)))} " {seat}',
            f'STAT "\\" \\" \\" \\" \\" \\" \\" \\" " {starter.seat}',
        ]
        assert client.seat == seat
    assert clients[0].say("REDY") == ["+REDY"], "A game that runs is not dealt anew."
    assert clients[0].say("LGAM r") == ["+LGAM r 42"]
    assert Client(house, "nick").say("JLOB 42") == ['+JLOB f "' + Code.TABLE_FULL.sentence("de") + ' "']


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
    before = seen(house, None)
    assert starter.say("DRAW m") == [f'+DRAW " " "Seat {starter.seat} has its tile already and must put one. "']
    assert starter.say("DRAW e") == [f'+DRAW " " "Seat {starter.seat} has its tile already and must put one. "']
    assert starter.say("DRAW x") == ['+DRAW " " "There are the stacks m and e. "']
    assert other.say("DRAW m") == [f'+DRAW " " "{Code.NOT_YOUR_TURN.sentence("de")} "']
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
    assert seen(house, None) == before
    assert starter.put()[0] == "+PUTT t f"


def test_who_does_not_play_is_refused() -> None:
    client = Client(House(GAME, HOST), "Istref")
    assert client.say("REDY") == ['+REDY "You are in no lobby. "']
    assert client.say("DRAW m") == ['+DRAW " " "There is no game. "']
    assert client.say("PUTT 4:RED 5:RED") == ['+PUTT f f "There is no game. "']
    assert client.say("WINC") == ['+WINC " " "There is no game. "']


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
    stacks = seen(house, None).stacks
    return " ".join(str(stack[-1]) if stack else '\\" \\"' for stack in stacks)


def test_a_cheat_out_of_turn_has_14_tiles_and_others_learn_what_they_lost() -> None:
    house, clients = playing(cheats=True)
    cheat = after(clients, turn(clients))
    before = {client.seat: sorted(client.rack) for client in clients}
    assert cheat.say("WINC") == [f'+WINC "{WINNING} "']
    for client in clients:
        lines = client.heard()
        rack = sorted(seen(house, client.seat).rack)
        if client is not cheat and rack != before[client.seat]:
            assert [line[:4] for line in lines] == ["STRT", "STAT"]
            assert sorted(client.rack) == rack
        else:
            assert lines == []
    assert cheat.say("WINC") == [f'+WINC "{WINNING} " "{Code.NOT_YOUR_TURN.sentence("de")} "']


@pytest.mark.parametrize("cheats", [False, True])
def test_a_table_that_a_person_has_opened_says_whether_there_is_cheating(cheats: bool) -> None:
    # The host's switch is for the tables that programs open.
    house = House(GAME, HOST, HOST.Options(cheats=not cheats))
    house.join("42", "Ben", {"cheats": cheats})
    clients = [Client(house, name) for name in NAMES[:3]]
    for client in clients:
        client.say("JLOB 42")
        client.say("REDY")
    client = clients[0]
    client.heard()
    rack = write_rack(client.rack, "seed")
    assert client.rack
    won = f'+WINC "0:BLACK {WINNING} "' if len(client.rack) == 15 else f'+WINC "{WINNING} "'
    refused = f'+WINC "{rack} " "Seat {client.seat} cannot cheat. "'
    assert client.say("WINC") == [won if cheats else refused]


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
        f'+DRAW " " "{Code.NOT_YOUR_TURN.sentence("de")} "',
    ]
    assert seen(house, None).turn == (starter.seat + 2) % 4


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
            view = seen(house, None)
            if random.below(40) == 0:
                clients[random.below(4)].program.cut()
            for place, client in enumerate(clients):
                if not client.program.is_open:
                    clients[place] = Client(house, NAMES[place])
                    assert clients[place].say("JLOB 42")[-1] == "+JLOB t"
                clients[place].heard()
            view = seen(house, None)
            players = [client for client in clients if client.seat == view.turn]
            if not table.is_running:
                break
            (player,) = players
            assert sorted(player.rack) == sorted(seen(house, player.seat).rack)
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


def test_browser_and_program_play_a_whole_game_at_one_table() -> None:
    house = House(GAME, HOST, agent=RuleAgent)
    house.join("42", "Ben")
    client = Client(house, "robin")
    assert client.say("JLOB 42") == ["+JLOB t"]
    house.start_table("42")
    assert [line[:4] for line in client.heard()][:2] == ["STRT", "STAT"]
    assert client.seat == 1
    table = house.tables["42"]
    agent = RuleAgent()
    agent.start(Random(1))
    for _ in range(1000):
        if not table.is_running:
            break
        seat = seen(house, None).turn
        assert seat in (0, 1), "The others are agents and have moved."
        assert table.state
        if seat == 0:
            house.move("42", 0, str(agent.act(seen(house, 0), table.state.legal(0), True)))
        elif len(client.rack) == 14:
            assert client.say("DRAW m")[0].startswith("+DRAW ")
        else:
            move = agent.act(seen(house, 1), table.state.legal(1), True)
            assert move is not None
            assert client.put(move.tile)[0].startswith("+PUTT t ")
        client.heard()
        assert not table.is_running or sorted(client.rack) == sorted(seen(house, 1).rack)
    verified(house)
    winner = seen(house, None).winner
    names = ("Ben", "robin", *(name.replace(" ", "_") for name in MARKED_NAMES[2:4]), "")
    assert client.say("LGAM f") == [f"+LGAM f 42:{names[4 if winner is None else winner]}"]


def test_nobody_has_the_name_of_another_wherever_they_sit() -> None:
    house = House(GAME, HOST)
    first = Client(house, "Ben")
    house.join("42", "Ben")
    house.join("42", "Ben_2")
    assert first.say("JLOB 42") == ["+JLOB t"]
    assert house.tables["42"].names[:3] == ["Ben", "Ben_2", "Ben_1"], "The table has each name once."
    assert first.say("LLPL") == ['+LLPL "\\"\\\\"Lobby 42 \\\\" \\" \\"Ben_1 Ben_2 Ben \\\\" \\\\" \\" "']
    other = Client(house)
    assert other.say("LOGI Ben_2") == ["+LOGI Ben_2_1"]
    assert first.say(f"NAME {'i' * 40}") == [f"+NAME {'i' * 30}"]


def test_long_names_are_cut_at_the_table_and_whole_in_the_protocol() -> None:
    house = House(GAME, HOST)
    names = ["i" * 29 + end for end in "abc"]
    for name in names:
        client = Client(house, name)
        assert client.say("JLOB 42") == ["+JLOB t"]
    assert house.tables["42"].names[:3] == ["i" * 24, "i" * 22 + "_1", "i" * 22 + "_2"]
    assert " ".join(names) in client.say("LLPL")[0]


def test_a_table_that_refuses_every_name_is_left_alone() -> None:
    house = House(GAME, HOST)
    house.join("42", "Ben")
    # They were cut off and may come back.
    names = [f"Ben_{number}" for number in range(1, 11)]
    house.tables["42"].table.seating.seats[0].absent = [Player(name, name.encode()) for name in names]
    client = Client(house, "Ben")
    assert client.say("JLOB 42") == ['+JLOB f "' + Code.NAME_TAKEN.sentence("de") + ' "']


def test_agents_take_the_empty_seats_after_a_wait() -> None:
    house = House(GAME, HOST, HOST.Options(wait=20.0), agent=RuleAgent)
    clients = [Client(house, name) for name in NAMES[:2]]
    for client in clients:
        client.say("JLOB 42")
    clients[0].say("REDY")
    for _ in range(3):
        house.advance(10)
        assert [client.say("+PING") for client in clients] == [[], []]
    assert not house.tables["42"].is_running, "One is not ready."
    clients[1].say("REDY")
    house.advance(10)
    assert [client.say("+PING") for client in clients] == [[], []]
    assert not house.tables["42"].is_running
    house.advance(10)
    assert house.tables["42"].is_running
    assert all(any(line.startswith("STRT") for line in client.heard()) for client in clients)


def test_who_leaves_holds_up_nobody_who_is_ready() -> None:
    house = House(GAME, HOST, HOST.Options(wait=5.0), agent=RuleAgent)
    clients = [Client(house, name) for name in NAMES[:2]]
    for client in clients:
        client.say("JLOB 42")
    clients[0].say("REDY")
    clients[1].program.cut()
    house.advance(5)
    assert house.tables["42"].is_running


@pytest.mark.parametrize("wait", [-1.0, 3601.0, float("nan")])
def test_a_wait_is_an_hour_at_most(wait: float) -> None:
    with pytest.raises(ValueError, match=r"The wait must be 0 to 3600 seconds, not .*\."):
        HOST.Options(wait=wait)


def test_a_finished_lobby_is_remembered_when_all_have_gone() -> None:
    house, clients = playing(cheats=True)
    starter = turn(clients)
    starter.say("WINC")
    starter.rack = [JOKER, *map(Tile.parse, WINNING.split())]
    starter.put(JOKER)
    for client in clients:
        client.program.cut()
    late = Client(house, "nick")
    assert late.say("LGAM f") == [f"+LGAM f 42:{NAMES[starter.seat]}"]
    assert late.say("LLPL") == ['+LLPL " "']
    del house.tables["42"]
    assert late.say("JLOB 42") == ["+JLOB t"]
    assert late.say("LGAM f") == ['+LGAM f " "']
    assert late.say("LGAM o") == ["+LGAM o 42:1"], "The table was opened anew."


def test_only_the_last_finished_lobbies_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tisch.wires.okey.host.REMEMBERED", 2)
    house = House(GAME, HOST, HOST.Options(cheats=True))
    for lobby in ("1", "2", "3"):
        clients = [Client(house, name) for name in NAMES]
        for client in clients:
            client.say(f"JLOB {lobby}")
        for client in clients:
            client.say("REDY")
        for client in clients:
            client.heard()
        starter = turn(clients)
        starter.say("WINC")
        starter.rack = [JOKER, *map(Tile.parse, WINNING.split())]
        starter.put(JOKER)
        for client in clients:
            client.program.cut()
    (answer,) = Client(house, "nick").say("LGAM f")
    assert re.findall(r"([0-9]+):", answer) == ["2", "3"]


def test_random_lines_never_stop_the_house() -> None:
    random = Random(1)
    house = House(GAME, HOST, HOST.Options(cheats=True, wait=1.0), agent=RuleAgent)
    clients = [Client(house, name) for name in NAMES]
    commands = ["LOGI", "NAME", "LPLA", "LLPL", "LGAM", "JLOB", "JLOB", "LOGO", "REDY", "REDY", "STRT", "XXXX", "+PING"]
    commands += ["DRAW", "DRAW", "PUTT", "CATC", "PING", "WINC"]
    words = ["m", "e", "o", "r", "f", "b", "l", "w", "1", "2", "robin", '"', '" "', "7:RED", WINNING, "\\", "ü"]
    for step in range(8000):
        house.advance(step % 20 == 0)
        place = random.below(4)
        if not clients[place].program.is_open:
            clients[place] = Client(house)
            clients[place].say(f"LOGI {NAMES[place]}")
        text = " ".join([random.choice(commands), *(random.choice(words) for _ in range(random.below(4)))])
        data = text.encode()
        if random.below(50) == 0:
            data = data[: random.below(len(data))] + bytes([random.below(256)]) + data[random.below(len(data)) :]
        client = clients[place]
        client.program.send(data + b"\r\n")
        heard = client.heard()
        assert all(re.match(r"[+]?[A-Z]{4}( |$)", line) for line in heard)
    for table in house.tables.values():
        for transcript in table.transcripts:
            transcript.verify()
    assert any(table.transcripts for table in house.tables.values())


def test_the_session_in_the_documentation_is_what_happens() -> None:
    page = (ROOT / "docs" / "protocols" / "okey.md").read_text(encoding="utf-8")
    session = page.split("```")[1].strip().splitlines()
    house = House(GAME, HOST, HOST.Options(cheats=True), seed=2)
    seats = {name: house.join("42", name, {"cheats": True}) for name in ("Carla", "Dora")}
    clients = {"A": Client(house), "B": Client(house)}
    heard: dict[str, list[str]] = {"A": [], "B": []}
    for line in session:
        who, text = line.split(" ", 1)
        if who.endswith("<"):
            assert heard[who[0]].pop(0) == text
            continue
        assert heard == {"A": [], "B": []}, f"Before '{line}' more is heard than the page tells."
        if who.endswith(">"):
            clients[who[0]].program.send(f"{text}\r\n".encode())
        else:
            house.move("42", seats[who.removesuffix(":")], text)
        heard = {name: client.heard() for name, client in clients.items()}
    assert heard == {"A": [], "B": []}
    assert len(session) > 60
    verified(house)
