"""Tests of what is different in the other dialect of Okey's protocol, on the server's side."""

from __future__ import annotations

import re

from okey_programs import NAMES, WINNING, Client, playing, seen, turn, verified
from tisch.game import Random
from tisch.games.okey import GAME, JOKER, RuleAgent, Tile
from tisch.table.seating import MARKED_NAMES
from tisch.wires.okey import HOST
from tisch.wires.okey.codec import decode, read, read_layout, tiles_of
from wire_table import House


def test_the_other_dialect_tells_who_comes_and_goes() -> None:
    house = House(GAME, HOST, HOST.Options(dialect="head"))
    first, second = Client(house, "robin", "head"), Client(house, "boran", "head")
    assert first.say("RNAM") == ['+RNAM "\\"%\\" \\"%\\" \\"%\\" \\"%\\"%"']
    assert first.say("LLOB") == ["+LLOB f"]
    assert first.say("JLOB 1") == ["+JLOB t", 'NAMS "robin \\"%\\" \\"%\\" \\"%\\"%"']
    names = 'NAMS "robin boran \\"%\\" \\"%\\"%"'
    assert second.say("JLOB 1") == ["+JLOB t", names]
    assert first.heard() == [names, "JOND boran"]
    assert second.say("NAME nick") == ["+NAME nick", names.replace("boran", "nick")]
    assert first.heard() == [names.replace("boran", "nick")]
    assert first.say("RNAM") == ["+" + names.replace("boran", "nick").replace("NAMS", "RNAM")]
    assert first.say("LLPL") == ['+LLPL "\\"1 robin nick%\\"%"']
    house.join("1", "Ben")
    assert first.heard() == ['NAMS "robin nick Ben \\"%\\"%"']
    assert first.say("LLPL") == ['+LLPL "\\"1 robin nick Ben%\\"%"']
    second.say("PING")
    assert second.say("LLOB") == ["+LLOB t"]
    assert first.heard() == ["LEFT nick", 'NAMS "robin \\"%\\" Ben \\"%\\"%"']
    assert second.say("LGAM o") == ["+LGAM o 1:2"]
    assert second.say("JLOB 1")[0] == "+JLOB t"
    second.program.cut()
    assert "LEFT nick" in first.heard()


def test_the_other_dialect_has_24_slots_and_no_state_after_a_win() -> None:
    house, clients = playing(dialect="head", cheats=True)
    starter = turn(clients)
    assert [len(client.rack) for client in clients].count(14) == 3
    assert starter.rack == list(seen(house, starter.seat).rack), "Tiles come as they were dealt."
    assert starter.say("RSTA") == [f'+RSTA "\\"%\\" \\"%\\" \\"%\\" \\"%\\"%" {starter.seat}']
    assert clients[0].say("LGAM r") == ["+LGAM r 42"]
    (answer,) = starter.say("WINC")
    deck = read(answer, "head").arguments[0]
    layout = read_layout(deck, "head")
    assert len(layout) == 24
    assert sorted(tiles_of(layout)) == sorted([JOKER, *map(Tile.parse, WINNING.split())])
    starter.rack = tiles_of(layout)
    for client in clients:
        client.heard()
    assert starter.put(JOKER) == ["+PUTT t t", f"PWIN {NAMES[starter.seat]}"]
    assert all(client.heard() == [f"PWIN {NAMES[starter.seat]}"] for client in clients if client is not starter)
    assert starter.say("HIGH") == ['+HIGH "%"'], "Who cheats has no high score."
    assert starter.say("RSTA") == []
    verified(house)


def test_the_other_dialect_lists_a_running_lobby_with_a_free_seat_as_open() -> None:
    house, clients = playing(dialect="head")
    clients[0].program.cut()
    assert clients[1].say("LGAM o") == ["+LGAM o 42:3"]
    again = Client(house, NAMES[0], "head")
    assert [line[:4] for line in again.say("JLOB 42")] == ["STRT", "STAT", "+JLO", "NAMS"]


def test_high_scores_are_the_rounds_of_the_winner() -> None:
    house = House(GAME, HOST, HOST.Options(dialect="head", wait=1.0), agent=RuleAgent, seed=3)
    client = Client(house, "robin", "head")
    scores: list[tuple[str, int]] = []
    agent = RuleAgent()
    agent.start(Random(1))
    client.say("JLOB 42")
    while len(scores) < 2:
        client.say("REDY")
        house.advance(1)
        client.heard()
        state = house.tables["42"].state
        while state and state.awaiting():
            if len(client.rack) == 14:
                client.say("DRAW m")
            else:
                move = agent.act(state.view(0), state.legal(0), True)
                assert move is not None
                client.put(move.tile)
            client.heard()
            client.say("+PING")
        view = seen(house, None)
        if view.winner is not None:
            name = "robin" if view.winner == 0 else MARKED_NAMES[view.winner].replace(" ", "_")
            scores.append((name, (sum(view.drawn) + sum(view.taken)) // 4 + 1))
    (answer,) = client.say("HIGH")
    entries = [decode(entry, "head") for entry in decode(read(answer, "head").arguments[0], "head")]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d,\d\d:\d\d", date) for _, date, _ in entries)
    found = [(name, int(rounds)) for name, _, rounds in entries]
    assert sorted(found) == sorted(scores)
    assert [rounds for _, rounds in found] == sorted(rounds for _, rounds in found)
