"""Tests of the client's side of Mau-Mau's own protocol, against the server's side and against others."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from maumau_programs import Client, Pair, act, cards, house, play_out, state_of, table_of
from tisch.game import Event, Random, Samples
from tisch.games.maumau import RuleAgent
from tisch.games.maumau.cards import NUMBERS
from tisch.ports.wire import ProtocolError
from tisch.wires.maumau.codec import TO_CLIENT, Message
from tisch.wires.maumau.guest import PATIENCE, MauMauGuest


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(8))
def test_host_and_guests_play_whole_games_and_see_the_same(players: int, seed: int) -> None:
    at = house(seed, players=players, rounds=2)
    pairs = [Pair(at, f"P{seat}") for seat in range(players)]
    random = Random(seed, "pairs")
    while table_of(at).is_running:
        state = state_of(at)
        for seat, pair in enumerate(pairs):
            pair.hear(1 + random.below(9))
            assert pair.guest.view == state.view(seat)
            assert list(pair.guest.legal) == list(state.legal(seat))
        (seat,) = state.awaiting()
        pairs[seat].guest.play(random.choice(pairs[seat].guest.legal))
        pairs[seat].flush()
    transcript = table_of(at).transcripts[0]
    transcript.verify()
    for seat, pair in enumerate(pairs):
        pair.hear()
        assert pair.guest.over and pair.guest.legal == ()
        # After the last card nobody counts Jacks any more.
        assert replace(pair.guest.view, jacks=0) == replace(state_of(at).view(seat), jacks=0)
        outcome = pair.guest.outcome
        assert outcome is not None and outcome.payoff == transcript.verify().outcome().payoff  # type: ignore[union-attr]
        told: list[Event] = []
        for _ in transcript.replay(told.append):
            pass
        # The protocol has no message for a seat that is skipped.
        told = [event for event in told if event.name != "skip"]
        # That the pile has become the stock is told with the next turn only.
        for place, (one, two) in enumerate(pairwise(told)):
            if (one.name, two.name) == ("stack", "draw"):
                told[place : place + 2] = [two, one]
        assert [plain(event) for event in pair.told] == [seen(event, seat) for event in told]


#: What the engine tells, but the protocol does not.
UNTOLD = {"result": ("hands", "points", "winner", "round")}


def plain(event: Event) -> tuple[str, dict[str, Any]]:
    known = {**event.public, **{key: value for own in event.private.values() for key, value in own.items()}}
    return event.name, {key: value for key, value in known.items() if key not in UNTOLD.get(event.name, ())}


def seen(event: Event, seat: int) -> tuple[str, dict[str, Any]]:
    """What a program can know of an event: all but the hands that others have left."""
    return plain(Event(event.name, event.public, {seat: event.private.get(seat, {})}))


@pytest.mark.parametrize("seed", range(4))
def test_w3_w5_w6_later_servers_are_understood(seed: int) -> None:
    """They number players from 0, tell the whole hand again, and tell the top again while nothing else lies there."""
    at = house(seed, players=2 + seed % 3)
    count = 2 + seed % 3
    clients = {seat: Client(at, f"P{seat}") for seat in range(count)}
    guests = {seat: MauMauGuest(f"P{seat}") for seat in range(count)}
    random = Random(seed, "later")
    while table_of(at).is_running:
        state = state_of(at)
        for seat, guest in guests.items():
            for message in clients[seat].take():
                guest.received(later(message, state.view(seat)))
            assert guest.view == state.view(seat) and list(guest.legal) == list(state.legal(seat))
            assert guest.first == 0
        act(at, clients, random)


def later(message: Message, view: Any) -> bytes:
    kind, value = message
    if kind in ("id", "player", "yeet"):
        return TO_CLIENT.write(kind, value - 1)
    if kind == "deal":
        return TO_CLIENT.write(kind, tuple(NUMBERS[label] for label in view.hand))
    if kind == "cards" and len(view.pile) == 1:
        return TO_CLIENT.write("stack", NUMBERS[view.top]) + TO_CLIENT.write(kind, value)
    return TO_CLIENT.write(kind, value)


def dealings() -> dict[tuple[int, int, tuple[int, ...]], set[tuple[int, int]]]:
    """All first turns: the own number, the number of who begins and all counts; and the seats these can mean."""
    found: dict[tuple[int, int, tuple[int, ...]], set[tuple[int, int]]] = {}
    for players in (2, 3, 4, 5):
        for first, own, beginner in product((0, 1), range(players), range(players)):
            counts = tuple(6 + (seat == beginner) for seat in range(players))
            found.setdefault((own + first, beginner + first, counts), set()).add((own, beginner))
    return found


def test_w3_the_first_turn_tells_from_which_number_players_are_counted() -> None:
    for (number, turn, counts), seats in dealings().items():
        (expected,) = seats
        assert seats_of(number, turn, counts, counts[expected[0]]) == expected, (number, turn, counts)


@pytest.mark.parametrize("counts", [(3, 6, 6, 7), (7, 6, 6, 7), (5, 6, 6, 8)])
def test_w3_counts_in_the_midst_of_a_round_are_not_taken_for_its_beginning(counts: tuple[int, ...]) -> None:
    """Who has one card more has not begun the round for that; where nothing can be told, numbers begin with 1."""
    assert seats_of(2, 3, counts, 6) == (1, 2)


def seats_of(number: int, turn: int, counts: tuple[int, ...], held: int) -> tuple[int, int]:
    """Which seats a guest finds out on its first turn: its own, and that of who begins."""
    guest = MauMauGuest("A")
    hand = cards("H7 H8 H9 H10 HB HD HK")[:held]
    opening: list[tuple[str, Any]] = [("id", number), ("round", (1, 1)), ("deal", hand), ("draw", 0), ("wish", None)]
    opening += [("stack", NUMBERS["K9"]), ("cards", counts), ("player", turn), ("time", 0)]
    for message in opening:
        guest.received(TO_CLIENT.write(*message))
    assert bool(guest.legal) == (guest.seat == guest.view.turn)
    return guest.seat, guest.view.turn


def test_m3_servers_that_end_the_turn_after_drawing_are_understood() -> None:
    guest = MauMauGuest("A")

    def hear(*messages: tuple[str, Any]) -> list[str]:
        return [event.name for event in guest.received(b"".join(TO_CLIENT.write(*message) for message in messages))]

    opening = [("id", 1), ("round", (1, 1)), ("deal", cards("K8 K9")), ("draw", 0), ("wish", None)]
    turn = [("stack", NUMBERS["HD"]), ("cards", (2, 1)), ("player", 1), ("time", 0)]
    assert hear(*opening, *turn) == ["round", "deal", "player"]
    guest.play(guest.legal[0])
    block: list[tuple[str, Any]] = [("draw", 0), ("wish", None), ("cards", (3, 1)), ("player", 2), ("time", 0)]
    assert hear(("draw", 1), ("deal", cards("H8")), *block) == ["draw", "player"]
    assert guest.view.hand == ("K8", "K9", "H8") and not guest.view.drew and not guest.legal
    again = [("draw", 0), ("wish", None), ("cards", (3, 2)), ("player", 1), ("time", 0)]
    assert hear(("draw", 1), *again) == ["draw", "player"]
    assert [str(move) for move in guest.legal] == ["play H8"] and guest.view.stock == 26


def test_w9_the_word_for_all_jacks_is_understood() -> None:
    guest = MauMauGuest("A")
    opening = [("id", 1), ("round", (1, 1)), ("deal", cards("KB PB")), ("draw", 0), ("wish", None)]
    block = [("stack", NUMBERS["H9"]), ("cards", (2, 6)), ("player", 1), ("time", 0)]
    guest.received(b"".join(TO_CLIENT.write(kind, value) for kind, value in opening + block))
    assert str(guest.legal[0]) == "finish"
    guest.play(guest.legal[0])
    assert bytes(guest.outgoing).endswith(b"\x45")
    (finish, result) = guest.received(TO_CLIENT.write("finish") + TO_CLIENT.write("result", (0, 52)))
    assert (finish, result.public["hands"]) == (Event("finish", {"seat": 0}), [(), None])
    assert guest.over and guest.view.hand == () and guest.view.scores == (0, 52)
    assert guest.outcome is not None and guest.outcome.reason == "Most points, 52: seat 1 loses."


def test_w12_a_guest_that_is_thrown_out_knows_it() -> None:
    at = house(5)
    pair, other = Pair(at, "A"), Pair(at, "B")
    pair.hear()
    other.hear()
    pair.program.cut()
    assert other.hear()[0] == Event("player_left", {"player_index": 0, "player_name": ""})
    assert not other.guest.over
    other.program.send(b"\xff")
    assert other.hear()[-1].name == "player_left" and other.guest.legal == ()
    other.guest.ticked(PATIENCE)
    assert other.guest.over and other.guest.fault == "The server has thrown the player out."


def test_w12_a_guest_whose_turn_is_told_again_is_not_thrown_out() -> None:
    guest = MauMauGuest("A")
    turn: list[tuple[str, Any]] = [("draw", 0), ("wish", None), ("cards", (2, 1)), ("player", 1), ("time", 0)]
    opening = [("id", 1), ("round", (1, 1)), ("deal", cards("K8 K9")), *turn[:2], ("stack", NUMBERS["KD"]), *turn[2:]]
    guest.received(b"".join(TO_CLIENT.write(kind, value) for kind, value in opening))
    legal = guest.legal
    told = guest.received(b"".join(TO_CLIENT.write(kind, value) for kind, value in [("yeet", 1), *turn]))
    assert [event.name for event in told] == ["player_left", "player"]
    guest.ticked(PATIENCE)
    assert not guest.over and guest.legal == legal != ()


def test_w10_points_that_are_told_modulo_256_are_counted_on() -> None:
    guest = MauMauGuest("A")
    told: list[tuple[str, Any]] = [("id", 1), ("round", (1, 4)), ("deal", cards("K9 K10 KB KD KK KA")), ("draw", 0)]
    told += [("wish", None), ("stack", 1), ("cards", (6, 7)), ("player", 2), ("time", 0)]
    for scores in [(250, 0), (4, 0), (4, 255), (4, 255)]:
        told += [("result", scores)]
    for message in told:
        guest.received(TO_CLIENT.write(*message))
    assert guest.scores == (260, 255)


@pytest.mark.parametrize("seed", range(5))
def test_a_guest_has_states_for_agents_that_search(seed: int) -> None:
    at = house(seed, players=3)
    pairs = [Pair(at, f"P{seat}") for seat in range(3)]
    random = Random(seed, "worlds")
    while table_of(at).is_running:
        for pair in pairs:
            pair.hear()
            samples = Samples(pair.guest.world(), pair.guest.seat)
            for _ in range(3):
                sample = samples(random)
                assert sample.view(pair.guest.seat) == pair.guest.view
                assert list(sample.legal(pair.guest.seat)) == list(pair.guest.legal)
                held = [*sample.hands, sum(1 << card for card in sample.stock), 1 << sample.pile[-1]]  # type: ignore[attr-defined]
                assert sum(hand.bit_count() for hand in held) + len(sample.pile) - 1 == 32  # type: ignore[attr-defined]
        (seat,) = state_of(at).awaiting()
        agent = RuleAgent()
        pairs[seat].guest.play(agent.act(pairs[seat].guest.view, pairs[seat].guest.legal, True))
        pairs[seat].flush()


def test_a_guest_that_comes_back_finds_its_way() -> None:
    at = house(8, players=3)
    pairs = [Pair(at, f"P{seat}") for seat in range(3)]
    random = Random(2, "back")
    turns = 0
    while table_of(at).is_running:
        turns += 1
        if turns % 4 == 0:
            pairs[1].program.cut()
            if not table_of(at).is_running:
                break
            pairs[1] = Pair(at, "P1")
        for seat, pair in enumerate(pairs):
            pair.hear()
            hidden = {"pile": (), "stock": 0, "jacks": 0, "drew": False}
            assert replace(pair.guest.view, **hidden) == replace(state_of(at).view(seat), **hidden)
        for seat in state_of(at).awaiting():
            pairs[seat].guest.play(random.choice(pairs[seat].guest.legal))
            pairs[seat].flush()
    assert turns > 8
    table_of(at).transcripts[0].verify()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ([("play", 3)], "A player acted before the first turn."),
        ([("time", 0)], "The block of a turn is not complete."),
        ([("result", (1, 2, 3))], "There are 0 players, but 3 results."),
        (
            [("draw", 0), ("wish", None), ("cards", (7,)), ("player", 1), ("time", 0)],
            "Mau-Mau has 2 to 5 players, not 1.",
        ),
        (
            [("draw", 0), ("wish", None), ("cards", (7, 6)), ("player", 9), ("time", 0)],
            "There are 2 players, but none has the number 9.",
        ),
        (
            [("draw", 0), ("wish", None), ("cards", (0, 6)), ("player", 1), ("time", 0)],
            "The server has not told which card is on top.",
        ),
        (
            [("draw", 0), ("wish", None), ("stack", 1), ("cards", (0, 66)), ("player", 1), ("time", 0)],
            "There are fewer cards than the server tells of.",
        ),
    ],
)
def test_a_server_that_cannot_be_understood_is_left(said: list[tuple[str, Any]], sentence: str) -> None:
    guest = MauMauGuest("A")
    with pytest.raises(ProtocolError) as info:
        guest.received(b"\x01" + b"".join(TO_CLIENT.write(kind, value) for kind, value in said))
    assert str(info.value) == sentence


@cache
def told_in_a_game(seed: int) -> list[list[Message]]:
    """What each program is told in a whole game."""
    at = house(seed, players=3, rounds=2)
    clients = {seat: Client(at, f"P{seat}") for seat in range(3)}
    play_out(at, clients, seed)
    return [client.take() for client in clients.values()]


@st.composite
def spoiled(draw: st.DrawFn) -> list[Message]:
    """What is told in a game, but some messages are dropped, doubled, exchanged or put in the place of others."""
    said = list(told_in_a_game(draw(st.integers(0, 9)))[draw(st.integers(0, 2))])
    for _ in range(draw(st.integers(1, 4))):
        place, other = draw(st.integers(1, len(said) - 1)), draw(st.integers(1, len(said) - 1))
        how = draw(st.sampled_from(["drop", "double", "exchange", "replace"]))
        if how == "drop":
            del said[place]
        elif how == "double":
            said.insert(place, said[place])
        elif how == "exchange":
            said[place], said[other] = said[other], said[place]
        else:
            said[place] = said[other]
    return said


def hear(guest: MauMauGuest, data: bytes) -> str:
    """Let a guest hear something, and tell what it finds wrong."""
    try:
        guest.received(data)
    except ProtocolError as error:
        return str(error)
    return ""


@given(spoiled())
@settings(max_examples=80)
def test_nothing_that_a_server_says_breaks_a_guest(said: list[Message]) -> None:
    guest = MauMauGuest("A")
    random = Random(1, "guest")
    for kind, value in said:
        wrong = hear(guest, TO_CLIENT.write(kind, value))
        if wrong:
            assert re.fullmatch(r"[A-Z].*[.]", wrong)
            return
        assert len(guest.pile) <= 32
        if kind == "time":
            state = guest.world()
            assert state.resample(guest.seat, random).view(guest.seat) == state.view(guest.seat) == guest.view
            assert guest.legal == tuple(state.legal(guest.seat))


@given(st.binary(max_size=300))
def test_no_bytes_break_a_guest(data: bytes) -> None:
    wrong = hear(MauMauGuest("A"), data)
    assert not wrong or wrong.endswith(".")
