"""Tests of the server's side of Mau-Mau's own protocol, at real tables with raw programs."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maumau_programs import Client, Pair, act, house, kinds, play_out, state_of, table_of
from originals.maumau_client import MauMauOriginalClient
from places import ROOT
from tisch.game import Event, Random
from tisch.games.maumau import GAME
from tisch.games.maumau.cards import LABELS, NUMBERS
from tisch.games.maumau.moves import FINISH
from tisch.transcript import Transcript
from tisch.wires import guest_of, host_of
from tisch.wires.desk import SILENT
from tisch.wires.maumau import GUEST, HOST
from tisch.wires.maumau.codec import TO_CLIENT, TO_SERVER, Codec, Message, Reader
from tisch.wires.maumau.host import KEPT, TRIES
from wire_table import House, Place

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
    """Check that messages have the order of the protocol, and that nobody gets what they may not know (W13)."""
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
            before = state.view(None)
            events: list[Event] = []
            state.listener = events.append
            act(at, clients, random)
            state.play(*table_of(at).moves[-1])
            seen.add(" ".join(event.name for event in events))
            for own, client in clients.items():
                assert client.take() == expected(events, own, state, before)
    assert {"play player", "draw player", "wish player", "play result", "stack draw player"} <= seen


def expected(events: list[Event], own: int, state: Any, before: Any) -> list[Message]:
    """What a program must hear of one move."""
    said: list[Message] = []
    stack = False
    counts = list(before.counts)
    for event, after in zip_longest(events, events[1:]):
        told = event.public
        match event.name:
            case "play":
                said.append(Message("play", NUMBERS[told["card"]]))
                counts[told["seat"]] -= 1
                if after and after.name == "play":
                    wish = "KHXP".index(before.wish) if before.wish else None
                    turn = ("cards", tuple(counts)), ("player", told["seat"] + 1), ("time", 0)
                    said += [Message("draw", 0), Message("wish", wish), *(Message(*part) for part in turn)]
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


def test_m11_who_finds_no_card_to_draw_is_told_so() -> None:
    # Five players and the card on top have all cards: there is nothing to draw at first.
    for seed in range(20):
        at = house(seed, players=5)
        clients = {seat: Client(at, f"P{seat}") for seat in range(5)}
        if str(state_of(at).legal(0)[0]) != "take 1":
            continue
        for client in clients.values():
            client.take()
        clients[0].send("take", 1)
        for client in clients.values():
            block = [("draw", 0), ("wish", None), ("cards", (7, 6, 6, 6, 6)), ("player", 2), ("time", 0)]
            assert client.take() == [Message("draw", 0), *(Message(*part) for part in block)]
        return
    pytest.fail("In no game the first player must draw.")


def test_w7_w12_an_illegal_move_changes_nothing_and_the_third_is_the_last() -> None:
    at = house(5)
    first, second = Client(at, "A"), Client(at, "B")
    before, opening = state_of(at).view(0), first.take()
    second.take()
    foreign = next(card for card in range(32) if LABELS[card] not in before.hand)
    for kind, value in (("take", 2), ("play", foreign)):
        first.send(kind, value)
        # W12: only the player with the illegal move gets the turn again.
        assert first.take() == [message for message in opening if message.kind in BLOCK][-5:]
        assert second.take() == [] and state_of(at).view(0) == before
    first.send("wish", 1)
    assert first.take() == [Message("yeet", 1)] and not first.program.is_open
    heard = second.take()
    assert heard[0] == Message("yeet", 1)
    # An agent plays on in that seat.
    assert table_of(at).holders[0] is None and state_of(at).view(0) != before
    assert second.program.is_open


@pytest.mark.parametrize("data", ["41", "43 32 07", "43 31 0f", "44 01 ff", "46 00"])
def test_w12_who_does_not_keep_the_protocol_is_thrown_out(data: str) -> None:
    at = house(7, players=3)
    clients = [Client(at, name) for name in "ABC"]
    for client in clients:
        client.take()
    clients[2].program.send(bytes.fromhex(data))
    assert clients[2].take() == [Message("yeet", 3)] and not clients[2].program.is_open
    for client in clients[:2]:
        assert client.take()[0] == Message("yeet", 3) and client.program.is_open
    play_with_gaps(at, clients[:2])
    table_of(at).transcripts[0].verify()


def play_with_gaps(at: House, clients: list[Client]) -> None:
    """Let programs play whose seats are the first ones; agents play the others."""
    random = Random(1, "gaps")
    while table_of(at).is_running:
        act(at, dict(enumerate(clients)), random)


def test_w12_a_program_may_leave_by_its_word() -> None:
    at = house(7)
    first, second = Client(at, "A"), Client(at, "B")
    first.send("yeet")
    assert not first.program.is_open and Message("yeet", 1) in second.take()


def test_before_the_game_nobody_is_told_of_those_who_leave() -> None:
    at = house(7, players=3)
    first, second = Client(at, "A"), Client(at, "B")
    second.program.cut()
    assert first.take() == [Message("id", 1)]
    third, fourth = Client(at, "C"), Client(at, "D")
    assert table_of(at).names == ["A", "C", "D"] and third.take()[0] == Message("id", 2)
    assert fourth.program.is_open and table_of(at).is_running


def test_w15_what_is_said_out_of_turn_is_not_heard() -> None:
    at = house(5)
    early = at.connect()
    early.send(TO_SERVER.write("take", 1))
    first, second = Client(at, "A"), Client(at, "B")
    before = second.take()
    for kind, value in (("take", 1), ("play", 3), ("finish", None), ("wish", 1), ("id", "C")) * 3:
        second.send(kind, value)
    assert second.take() == [] and second.program.is_open and before
    assert state_of(at).view(1).hand == tuple(LABELS[card] for card in sorted(dict(before)["deal"]))
    first.send("id", "Z")
    assert table_of(at).names == ["A", "B"] and early.is_open


def test_w15_who_comes_when_all_are_there_gets_the_next_table() -> None:
    at = house(5)
    clients = [Client(at, name) for name in "ABCDE"]
    assert list(at.tables) == ["Mau-Mau", "Mau-Mau 2", "Mau-Mau 3"]
    assert [client.take()[0].value for client in clients] == [1, 2, 1, 2, 1]
    play_out(at, dict(enumerate(clients[:2])), 1)
    play_out(at, dict(enumerate(clients[2:4])), 1, "Mau-Mau 2")
    for name in ("Mau-Mau", "Mau-Mau 2"):
        table_of(at, name).transcripts[0].verify()


@pytest.mark.parametrize("full", [TRIES - 1, TRIES])
def test_who_finds_too_many_full_tables_is_turned_away(full: int) -> None:
    at = house(5)
    for number in range(1, full + 1):
        for name in ("Ann", "Ben"):
            at.join("Mau-Mau" if number == 1 else f"Mau-Mau {number}", name, {"players": 2})
    client = Client(at, "A")
    assert client.take() == ([Message("id", 1)] if full < TRIES else [])
    assert client.program.is_open == (full < TRIES)


def test_two_of_the_same_name_get_different_ones() -> None:
    at = house(5, players=4)
    for name in ("EGAL", "EGAL", "EGAL", "\t" + "x" * 50):
        Client(at, name)
    assert table_of(at).names == ["EGAL", "EGAL 2", "EGAL 3", "x" * 24]
    other = house(5)
    for _ in range(2):
        Client(other, "")
    assert table_of(other).names == ["?", "? 2"]


def test_who_is_cut_off_is_played_for_and_comes_back() -> None:
    at = house(8, players=3, rounds=4)
    clients = {seat: Client(at, f"P{seat}") for seat in range(3)}
    random = Random(8, "clients")
    for _ in range(5):
        act(at, clients, random)
    clients[1].program.cut()
    assert Message("yeet", 2) in clients[0].take() and table_of(at).holders[1] is None
    back = clients[1] = Client(at, "P1")
    view = state_of(at).view(1)
    said = back.take()
    assert kinds(said) == ["id", "round", "deal", *OPENING]
    values = dict(said)
    assert {LABELS[card] for card in values["deal"]} == set(view.hand)
    told = (values["id"], values["cards"], values["player"] - 1, values["stack"], values["draw"])
    assert told == (2, view.counts, view.turn, NUMBERS[view.top], view.penalty)
    play_out(at, clients, 8)
    table_of(at).transcripts[0].verify()
    # The next one of this name is somebody new.
    assert Client(at, "P1").take() == [Message("id", 1)]


def test_a_table_that_all_have_left_is_free_for_others() -> None:
    at = house(8)
    clients = [Client(at, name) for name in "AB"]
    for client in clients:
        client.program.cut()
    # The live server closes such a table.
    del at.tables["Mau-Mau"]
    assert [Client(at, name).take()[0].value for name in "CD"] == [1, 2]
    assert list(at.tables) == ["Mau-Mau"]


def test_a_table_that_all_have_left_at_once_is_free_for_others() -> None:
    at = house(8)
    numbers = [Client(at, name).program.number for name in "AB"]
    # Connections can be gone before the table has told anybody of it.
    for number in numbers:
        at.host.closed(number)
    for number in numbers:
        at.stand(number)
    at.run()
    del at.tables["Mau-Mau"]
    assert [Client(at, name).take()[0].value for name in "CD"] == [1, 2]
    assert list(at.tables) == ["Mau-Mau"]


def test_a_table_where_only_people_play_on_is_kept_for_a_while() -> None:
    at = house(8, players=2)
    at.join("Mau-Mau", "Carla", {"players": 2})
    Client(at, "A").program.cut()
    assert Client(at, "B").take() == [Message("id", 1)] and list(at.tables) == ["Mau-Mau", "Mau-Mau 2"]
    at.advance(KEPT - 1)
    back = Client(at, "A")
    assert kinds(back.take()) == ["id", "round", "deal", *OPENING]
    back.program.cut()
    # It is kept anew for who has been there again.
    at.advance(KEPT - 1)
    Client(at, "C")
    assert at.tables["Mau-Mau"].holders[1] is None
    at.advance(1)
    assert kinds(Client(at, "D").take()) == ["id", "round", "deal", *OPENING]
    assert at.tables["Mau-Mau"].names == ["Carla", "D"]


def test_who_is_given_another_seat_must_come_again() -> None:
    at = house(8, players=3)
    client = Client(at, "A")
    table = table_of(at)
    look = table.look(0)
    at.host.happened(client.program.number, dataclasses.replace(look, seat=2))
    at.run()
    assert not client.program.is_open and table.holders == [None, None, None]


def test_who_was_too_slow_for_the_table_may_still_move() -> None:
    at = house(8)
    clients = {seat: Client(at, f"P{seat}") for seat in range(2)}
    number, before = clients[0].program.number, state_of(at).view(0)
    at.host.happened(number, dataclasses.replace(table_of(at).look(0), asked=False))
    at.host.refused(number, 309, "Zeit für Aktion abgelaufen.")
    act(at, clients, Random(1))
    assert state_of(at).view(0) != before and clients[0].program.is_open


def test_w2_who_thinks_too_long_is_thrown_out() -> None:
    at = house(5, time=30.0)
    first, second = Client(at, "A"), Client(at, "B")
    assert dict(first.take())["time"] == dict(second.take())["time"] == 30_000
    at.advance(29)
    assert first.program.is_open
    at.advance(1)
    assert first.take() == [Message("yeet", 1)] and not first.program.is_open
    heard = second.take()
    assert heard[0] == Message("yeet", 1)
    # For an agent no time is told.
    times = [message.value for message in heard if message.kind == "time"]
    assert times[-1] == 30_000
    random = Random(1, "slow")
    while table_of(at).is_running:
        at.advance(29)
        act(at, {1: second}, random)
    assert not second.program.is_open and second.take()[-1].kind == "result"
    at.advance(1000)


def test_w2_w7_a_refused_move_does_not_stop_the_time_to_think() -> None:
    at = house(5, time=30.0)
    first, second = Client(at, "A"), Client(at, "B")
    at.advance(20)
    first.take()
    first.send("take", 9)
    assert kinds(first.take()) == BLOCK
    at.advance(29)
    assert first.program.is_open
    at.advance(1)
    assert first.take() == [Message("yeet", 1)] and not first.program.is_open
    assert second.program.is_open


def test_two_of_one_name_at_one_table_find_their_seats_again() -> None:
    at = house(8, players=4, rounds=4)
    clients = {seat: Client(at, name) for seat, name in enumerate(("EGAL", "EGAL", "A", "B"))}
    assert table_of(at).names[:2] == ["EGAL", "EGAL 2"]
    for seat in (1, 0, 1):
        clients[seat].program.cut()
        # The other one has been thinking for long, and keeps the seat.
        at.advance(SILENT)
        clients[seat] = Client(at, "EGAL")
        assert list(at.tables) == ["Mau-Mau"] and None not in table_of(at).holders
        assert kinds(clients[seat].take())[:3] == ["id", "round", "deal"]
    play_out(at, clients, 8)


def test_agents_take_missing_seats_after_a_wait() -> None:
    at = house(5, players=4, wait=10.0)
    only = Client(at, "A")
    at.advance(9)
    assert only.take() == [Message("id", 1)]
    at.advance(1)
    assert kinds(only.take())[:3] == ["round", "deal", "draw"]
    play_with_gaps(at, [only])
    table_of(at).transcripts[0].verify()
    patient = house(5, players=4)
    alone = Client(patient, "A")
    patient.advance(100_000)
    assert alone.take() == [Message("id", 1)]


@pytest.mark.parametrize("dialect", ["seed", "head"])
def test_w9_all_jacks_at_once(dialect: str) -> None:
    at = house(5, dialect=dialect)
    clients = {seat: Client(at, f"P{seat}") for seat in range(2)}
    state = state_of(at)
    # A hand like this is rare: it is put into the seat's hand.
    state.hands[0] = 1 << NUMBERS["KB"] | 1 << NUMBERS["PB"]
    state.offer = None
    for client in clients.values():
        client.take()
    clients[0].send("finish")
    turn = [
        Message("draw", 0),
        Message("wish", None),
        Message("cards", (6, 6)),
        Message("player", 1),
        Message("time", 0),
    ]
    plays = [Message("play", NUMBERS["KB"]), *turn, Message("play", NUMBERS["PB"])]
    for client in clients.values():
        said = client.take()
        assert said[:-1] == (plays if dialect == "seed" else [Message("finish")])
        assert said[-1].kind == "result" and said[-1].value[0] == 0


def original_game(at: House, seed: int) -> list[MauMauOriginalClient]:
    """Let two original clients play a game."""
    clients = {at.connect(): MauMauOriginalClient(name, seed) for name in ("EGAL", "Wendler")}
    for program, client in clients.items():
        program.send(client.first)
    while any(program.is_open for program in clients):
        for program, client in clients.items():
            program.send(client.hear(program.take()))
            assert all(other.illegal == 0 for other in cast(Any, at.host).programs.values()), (
                "It answers what it is told."
            )
    for program, client in clients.items():
        client.hear(program.take())
    return list(clients.values())


@pytest.mark.parametrize("dialect", ["seed", "head"])
def test_w9_the_original_client_lives_through_all_jacks_at_once(dialect: str) -> None:
    finishes = 0
    for seed in range(40):
        at = house(seed * 10, rounds=4, dialect=dialect)
        clients = original_game(at, seed)
        (transcript,) = table_of(at).transcripts
        for client in clients:
            assert client.results[-1] == transcript.verify().view(None).scores and len(client.results) == 4
        finishes += sum(jacks > 1 for jacks in all_at_once(transcript))
    # In 5 of 100 rounds somebody ends with two Jacks or more.
    assert finishes > 4


def all_at_once(transcript: Transcript) -> Iterator[int]:
    """How many Jacks were laid in each move that lays all of them."""
    for state, (seat, move) in zip(transcript.replay(), transcript.moves, strict=False):
        if move == str(FINISH):
            yield state.hands[seat].bit_count()  # type: ignore[attr-defined]


def test_w9_an_answer_to_the_turn_between_the_jacks_costs_nothing_and_a_later_one_counts() -> None:
    at = house(6, rounds=2)
    clients = [Client(at, f"P{seat}") for seat in range(2)]
    state_of(at).hands[1] = 1 << NUMBERS["KB"] | 1 << NUMBERS["PB"]
    plain = next(move for move in state_of(at).legal(0) if move.verb == "play" and 0 < move.operand % 8 < 4)
    clients[0].send("play", plain.operand)
    clients[1].send("finish")
    said = clients[1].take()
    # This player begins the next round.
    assert kinds(said)[-6:] == OPENING and dict(said)["player"] == 2
    clients[1].send("wish", 1)
    assert clients[1].take() == []
    clients[1].send("wish", 1)
    assert kinds(clients[1].take()) == BLOCK


def test_w9_a_guest_is_not_asked_between_its_jacks() -> None:
    at = house(5, rounds=2)
    pairs = [Pair(at, f"P{seat}") for seat in range(2)]
    state_of(at).hands[0] = 1 << NUMBERS["KB"] | 1 << NUMBERS["PB"] | 1 << NUMBERS["HB"]
    state_of(at).offer = None
    for pair in pairs:
        pair.hear()
    guest = pairs[0].guest
    guest.hand = state_of(at).hands[0]
    guest.play(FINISH)
    pairs[0].flush()
    for byte in pairs[0].program.take():
        guest.received(bytes([byte]))
        # The round ends with it, and the other player begins the next one.
        assert guest.legal == ()
    assert guest.round == (2, 2) and guest.turn == 1


def test_w10_more_points_than_a_byte_holds_are_told_as_255() -> None:
    at = house(5, rounds=60)
    clients = {seat: Client(at, f"P{seat}") for seat in range(2)}
    play_out(at, clients, 5)
    scores = table_of(at).transcripts[0].verify().view(None).scores
    assert max(scores) > 255
    assert clients[0].take()[-1] == Message("result", tuple(min(score, 255) for score in scores))


def test_a_person_a_program_and_an_agent_at_one_table() -> None:
    at = house(9, players=3, wait=5.0)
    program = Client(at, "P")
    person = at.join("Mau-Mau", "Ben")
    at.advance(5)
    random = Random(9, "mixed")
    while table_of(at).is_running:
        (seat,) = state_of(at).awaiting()
        if seat == person:
            at.move("Mau-Mau", person, str(random.choice(state_of(at).legal(person))))
        else:
            act(at, {0: program}, random)
    transcript = table_of(at).transcripts[0]
    transcript.verify()
    assert program.take()[-1].kind == "result"
    check_order(program.said)


def test_a_person_may_complete_the_table() -> None:
    at = house(9)
    program = Client(at, "P")
    at.join("Mau-Mau", "Ben")
    assert table_of(at).is_running and program.take()[0] == Message("id", 1)
    at.leave("Mau-Mau", 1)
    assert Message("yeet", 2) in program.take()


def test_what_is_said_ahead_waits_for_its_turn() -> None:
    for seed in range(200):
        at = house(seed)
        clients = {seat: Client(at, f"P{seat}") for seat in range(2)}
        jacks = [move for move in state_of(at).legal(0) if move.verb == "play" and move.operand % 8 == 4]
        if jacks:
            clients[1].take()
            data = TO_SERVER.write("play", jacks[0].operand) + TO_SERVER.write("wish", 2)
            clients[0].program.send(data)
            assert state_of(at).view(None).wish == "X" and state_of(at).turn == 1
            heard = [message for message in clients[1].take() if message.kind in ("play", "wish") and message.value]
            # The wish is told when it is made, and with the next turn.
            assert heard == [Message("play", jacks[0].operand), Message("wish", 2), Message("wish", 2)]
            return
    pytest.fail("No game begins with a Jack.")


def test_a_flood_ends_in_a_closed_connection() -> None:
    at = house(5)
    first, second = Client(at, "A"), Client(at, "B")
    first.program.send(TO_SERVER.write("take", 9) * 100)
    assert not first.program.is_open and second.program.is_open
    silent = at.connect()
    silent.send(b"\x42" + b"\0A" * 1000)
    assert not silent.is_open


@given(st.lists(st.tuples(st.integers(0, 2), st.binary(max_size=12)), max_size=30))
@settings(max_examples=60)
def test_no_bytes_of_programs_break_a_table(pieces: list[tuple[int, bytes]]) -> None:
    at = house(6, players=3, wait=1.0)
    programs = [at.connect() for _ in range(3)]
    for program in programs[:2]:
        program.send(TO_SERVER.write("id", "A"))
    for number, piece in pieces:
        programs[number].send(piece)
    at.advance(10)
    for table in at.tables.values():
        if table.state is not None:
            check_playable(at, table)


def check_playable(at: House, table: Place) -> None:
    """A game goes on to its end for a person who watches, whoever is still there."""
    at.watch(table)
    for holder in table.holders:
        if isinstance(holder, int):
            at._programs[holder].cut()
    at.run()
    assert not table.is_running
    table.transcripts[-1].verify()


# --- the page ---------------------------------------------------------------------------------------------------------

PAGE = ROOT / "docs" / "protocols" / "maumau.md"
#: The game of the page: which deal, and which choices.
SEED = 33


def recorded(seed: int) -> list[str]:
    """What one of two programs says and hears in a game in which both make random moves; a turn stands in one line."""
    at = house(seed)
    clients = {seat: Client(at, name) for seat, name in enumerate(("EGAL", "Der_Wendler"))}
    lines = [told(">", TO_SERVER, [Message("id", "EGAL")]), *heard_by(clients[0])]
    random = Random(seed, "page")
    while table_of(at).is_running:
        act(at, clients, random)
        seat, move = table_of(at).moves[-1]
        if seat == 0:
            said = Message(move.verb, None if move.verb == "finish" else move.operand)
            lines.append(told(">", TO_SERVER, [said]))
        lines += heard_by(clients[0])
    return lines


def heard_by(client: Client) -> list[str]:
    lines = []
    together: list[Message] = []
    messages = client.take()
    for message, after in pairwise([*messages, None]):
        assert message is not None
        together.append(message)
        begins = message.kind == "draw" and after is not None and after.kind == "wish"
        if message.kind == "time" or not (begins or len(together) > 1):
            lines.append(told("<", TO_CLIENT, together))
            together = []
    return lines


def told(direction: str, words: Codec, messages: list[Message]) -> str:
    """Messages as a line: their direction, their bytes, their names and what they tell."""
    data = b"".join(words.write(*message) for message in messages).hex(" ")
    return f"{direction} {data:<68} {', '.join(map(in_words, messages))}"


def in_words(message: Message) -> str:
    kind, value = message
    if kind in ("deal", "stack", "play"):
        value = " ".join(LABELS[card] for card in ((value,) if isinstance(value, int) else value))
    elif kind == "wish":
        value = "-" if value is None else "KHXP"[value]
    elif isinstance(value, tuple):
        value = " ".join(map(str, value))
    return kind if value is None else f"{kind} {value}"


def test_the_session_of_the_page_goes_as_ever() -> None:
    (session,) = re.findall(r"```session\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert session.splitlines() == recorded(SEED)
