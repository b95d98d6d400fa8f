"""Tests of the world that plays in foreign universes: with our universe, and with others that are scripted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sechsundsechzig_programs import Guest, Raw, act, house, settle, state_of, table_of
from tisch.agents import find_agent
from tisch.game import Agent, Event, Random, Samples, Sight
from tisch.games.sechsundsechzig import GAME, RuleAgent
from tisch.games.sechsundsechzig.moves import ANNOUNCE, CLOSE, LAY, RESTART, STOP, SWAP
from tisch.ports.wire import ProtocolError
from tisch.wires.sechsundsechzig.data import Datum, Symbol, line
from tisch.wires.sechsundsechzig.guest import MOST_UNHEARD, PATIENCE, SILENCE, WorldGuest
from tisch.wires.sechsundsechzig.world import TRICK, World, write_cards, write_world


def pair(at: Any) -> list[Guest]:
    guests = [Guest(at, "Mudi"), Guest(at, "Nickel")]
    settle(guests)
    return guests


def check(at: Any, guests: list[Guest]) -> None:
    """What guests have found out is what their seats see."""
    for seat, each in enumerate(guests):
        guest = each.guest
        assert guest.seat == seat
        assert guest.names == ("Mudi", "Nickel")
        if not guest.over:
            assert guest.view == state_of(at).view(seat)
            assert list(guest.legal) == offered(state_of(at), seat)
            world = guest.world()
            assert world.view(seat) == guest.view
            assert world.resample(seat, Random(1)).view(seat) == guest.view


def offered(state: Any, seat: int) -> list[Any]:
    """What a guest may do at once: who has lost a game leaves the next one to the winner for a while."""
    return [] if state.end and state.end.winner != seat else list(state.legal(seat))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("is_open", [False, True])
def test_universe_and_worlds_play_whole_series_through_bytes_alone(seed: int, *, is_open: bool) -> None:
    at = house(seed, open=is_open, goal=8)
    guests = pair(at)
    events: list[Event] = []
    original = state_of(at).listener
    dealt = [event for each in guests for event in each.told if event.name == "dealt"]
    assert len(dealt) == 2

    def listen(event: Event) -> None:
        events.append(event)
        original(event)

    state_of(at).listener = listen
    random = Random(seed, "guests")
    while table_of(at).is_running:
        for each in guests:
            each.told.clear()
        events.clear()
        check(at, guests)
        state = state_of(at)
        legal = [move for move in state.legal(state.turn) if move != STOP or random.below(8) == 0]
        guests[state.turn].play(random.choice(legal or [STOP]))
        settle(guests)
        for seat, each in enumerate(guests):
            assert [seen(event, seat) for event in each.told] == [seen(event, seat) for event in events]
    outcome = state_of(at).outcome()
    for seat, each in enumerate(guests):
        assert each.guest.over
        assert each.guest.outcome == outcome
        assert each.guest.view == state_of(at).view(seat)
    table_of(at).transcripts[0].verify()


@pytest.mark.parametrize("goal", [1, 3, 7])
def test_a_series_ends_with_fewer_points_if_the_universe_says_so(goal: int) -> None:
    """No message tells the goal, but the points of the next series begin with 0."""
    at = house(goal, goal=goal)
    guests = pair(at)
    random = Random(goal, "guests")
    # Seven games of six tricks have far fewer moves.
    for _ in range(500):
        movers = [each for each in guests if each.guest.legal]
        if movers:
            movers[0].play(random.choice(movers[0].guest.legal))
            settle(guests)
    assert all(each.guest.over for each in guests)
    outcome = table_of(at).transcripts[0].verify().outcome()
    assert outcome and max(outcome.points) >= goal
    assert [each.guest.outcome for each in guests] == [outcome] * 2
    assert [each.guest.fault for each in guests] == ["", ""]
    assert len(table_of(at).transcripts) == 1


def seen(event: Event, seat: int) -> tuple[str, dict[str, Any]]:
    return event.name, {**event.public, **event.private.get(seat, {})}


@pytest.mark.parametrize("agents", [(RuleAgent, RuleAgent), (find_agent(GAME, "search"), RuleAgent)])
def test_agents_play_by_what_guests_know(agents: tuple[type[Agent[Any]], type[Agent[Any]]]) -> None:
    at = house(3, goal=8)
    guests = pair(at)
    players = [kind() for kind in agents]
    for seat, player in enumerate(players):
        player.start(Random(3, seat))
    while table_of(at).is_running:
        turn = state_of(at).turn
        guest, player = guests[turn].guest, players[turn]
        handed = Samples(guest.world(), turn) if player.sight is Sight.SAMPLES else guest.view
        move = player.act(handed, guest.legal, True)
        assert move in guest.legal
        guests[turn].play(move)
        settle(guests)
    assert all(each.guest.over for each in guests)
    table_of(at).transcripts[0].verify()


def test_a_guest_and_a_raw_world_that_sorts() -> None:
    at = house(2)
    guest, raw = Guest(at, "Mudi"), Raw(at, '"Nickel"')
    settle([guest])
    raw.say("(sort wait)")
    settle([guest])
    assert guest.guest.view == state_of(at).view(0)
    guest.play(guest.guest.legal[0])
    raw.say("(lay 0 play)")
    raw.say("(sort waitStich)")
    settle([guest])
    check_one(at, guest)


def check_one(at: Any, guest: Guest) -> None:
    assert guest.guest.view == state_of(at).view(guest.guest.seat)


def test_the_other_goes_and_comes_back_in_the_midst_of_a_game() -> None:
    for seed in range(8):
        at = house(seed)
        guests = pair(at)
        random = Random(seed, "cut")
        for _ in range(random.below(25)):
            turn = state_of(at).turn
            guests[turn].play(random.choice([move for move in guests[turn].guest.legal if move != STOP] or [STOP]))
            settle(guests)
        guests[0].program.cut()
        guests[1].told.clear()
        settle(guests[1:])
        assert [event.name for event in guests[1].told] == ["player_left"]
        assert (guests[1].guest.view, guests[1].guest.legal) == (None, ())
        guests[0] = Guest(at, "Mudi")
        settle(guests)
        for seat, each in enumerate(guests):
            view, real = each.guest.view, state_of(at).view(seat)
            assert (view.hand, view.points, view.tricks, view.middle) == (
                real.hand,
                real.points,
                real.tricks,
                real.middle,
            )
            assert {*each.guest.legal} == {*offered(state_of(at), seat)}
        for _ in range(40):
            turn = state_of(at).turn
            guests[turn].play(random.choice(guests[turn].guest.legal))
            settle(guests)
            if any(each.guest.over for each in guests):
                break


def test_a_second_player_of_the_same_name_is_told_so() -> None:
    at = house()
    Guest(at, "Mudi")
    second = Guest(at, "Mudi")
    second.hear()
    assert second.guest.over
    assert [(event.name, event.public["reason"]) for event in second.told] == [
        ("refused", "There is no place in this universe.")
    ]


# --- other universes --------------------------------------------------------------------------------------------------


def registered() -> WorldGuest:
    guest = WorldGuest("Mudi")
    guest.opened()
    assert bytes(guest.outgoing) == b'(REGISTER ((name "Mudi")))\n'
    guest.outgoing.clear()
    assert guest.received(b"(OKAY)\n") == []
    return guest


def show(guest: WorldGuest, world: World) -> list[str]:
    return [event.name for event in guest.received(line(write_world(world)))]


#: The beginning of a game as the original tells it, with all cards open.
DECK = ("HA", "H10", "HK", "HD", "HB", "H9", "KA", "K10", "KK", "KD", "KB", "K9")
BEGIN = World(
    "play",
    hands=(("XA", "X10", "XK", "XD", "XB", "X9"), ("PA", "P10", "PK", "PD", "PB", "P9")),
    deck=DECK,
    trump="H",
    names=("Mudi", "Nickel"),
)


def said(guest: WorldGuest) -> str:
    text = guest.outgoing.decode()
    guest.outgoing.clear()
    return text


def test_every_move_has_its_word() -> None:
    guest = registered()
    assert show(guest, World("wait", names=("Mudi",))) == []
    assert guest.view is None
    assert show(guest, BEGIN) == ["player_joined", "dealt"]
    for move, text in [
        (LAY["XK"], "(lay 2 play)\n"),
        (SWAP, "(swap play)\n"),
        (ANNOUNCE, "(announce play)\n"),
        (CLOSE, "(close play)\n"),
        (STOP, "(stop play)\n"),
        (RESTART, "(restart play)\n"),
    ]:
        guest.play(move)
        assert said(guest) == text
        assert guest.legal == ()


def test_a_trick_is_asked_to_be_decided_with_its_cards_and_the_old_symbol() -> None:
    guest = registered()
    show(guest, BEGIN)
    own, other = BEGIN.hands
    laid = World("wait", (own[1:], other), middle=("XA",), deck=DECK, trump="H", names=BEGIN.names)
    assert show(guest, laid) == ["laid"]
    trick = World(TRICK, (own[1:], other[1:]), middle=("XA", "PA"), deck=DECK, trump="H", names=BEGIN.names)
    assert show(guest, trick) == []
    assert said(guest) == '(decideStich (("Kreuz" "Ass" 11 1) ("Pik" "Ass" 11 7)) wait)\n'
    won = World(
        "won",
        ((*own[1:], "H10"), (*other[1:], "HK")),
        tricks=(("XA", "PA"), ()),
        points=(22, 0),
        deck=(DECK[0], *DECK[3:]),
        last=("XA", "PA"),
        trump="H",
        names=BEGIN.names,
    )
    assert show(guest, won) == ["laid", "trick", "drawn"]
    assert guest.view.tricks == (("XA", "PA"), ())
    assert guest.view.points == (22, 0)
    assert LAY["H10"] in guest.legal


def test_what_does_not_follow_from_the_rules_is_taken_as_it_is_told() -> None:
    # The original forgets the last trick of a closed game, and counts its game points twice.
    guest = registered()
    hands = (("XA",), ("PA",))
    closed = World("forcePlay", hands, closer=0, trump="H", names=BEGIN.names, points=(40, 10))
    show(guest, closed)
    assert guest.view.closer == 0
    end = World(
        "cLost3f", ((), ()), middle=("XA", "PA"), closer=0, scores=(0, 6), trump="H", names=BEGIN.names, points=(40, 10)
    )
    show(guest, end)
    assert guest.view.scores == (0, 6)
    assert guest.view.end.points == 3
    assert not guest.legal
    guest.ticked(PATIENCE)
    assert guest.legal == (RESTART,)


def test_what_is_not_heard_can_be_said_again_and_then_he_gives_up() -> None:
    guest = registered()
    show(guest, BEGIN)
    legal = guest.legal
    for attempt in range(1, MOST_UNHEARD + 1):
        guest.play(legal[0])
        guest.ticked(SILENCE / 2)
        assert guest.legal == ()
        guest.ticked(SILENCE / 2)
        assert guest.over == (attempt == MOST_UNHEARD)
        assert guest.legal == (() if guest.over else legal)
    assert guest.fault == "The universe ignores the player's moves."


#: The end of a game that the player has stopped too early, or the other.
LOST = World("Lost3f", BEGIN.hands, deck=DECK, scores=(0, 3), trump="H", names=BEGIN.names)
WON = World("Won3f", BEGIN.hands, deck=DECK, scores=(3, 0), trump="H", names=BEGIN.names)


def test_the_loser_begins_the_next_game_only_if_the_winner_does_not() -> None:
    guest = registered()
    show(guest, BEGIN)
    show(guest, LOST)
    for _ in range(4):
        guest.ticked(PATIENCE / 5)
        assert not guest.legal and not guest.over
        # What else is told in between changes nothing.
        show(guest, replace(LOST, symbol="sort"))
        show(guest, LOST)
    guest.ticked(PATIENCE / 5)
    assert guest.legal == (RESTART,)
    guest.play(RESTART)
    assert said(guest) == "(restart Lost3f)\n"
    guest.ticked(SILENCE)
    assert not guest.over and guest.legal == (RESTART,), "To have waited is not to be unheard."
    assert show(guest, replace(BEGIN, scores=LOST.scores)) == ["dealt"]
    guest.ticked(PATIENCE)
    assert LAY["XA"] in guest.legal


def test_an_end_that_is_told_twice_is_followed_by_one_game() -> None:
    guest = registered()
    show(guest, BEGIN)
    guest.play(STOP)
    show(guest, WON)
    assert guest.legal == (RESTART,)
    guest.play(RESTART)
    show(guest, replace(WON, scores=(6, 0)))
    assert guest.view.scores == (6, 0) and not guest.legal
    guest.ticked(SILENCE)
    assert guest.legal == (RESTART,)


def test_a_game_that_is_dealt_twice_is_no_swap() -> None:
    guest = registered()
    # Whoever has the nine of trumps could swap it.
    show(guest, replace(BEGIN, hands=(("H9", *BEGIN.hands[0][1:]), BEGIN.hands[1]), deck=(*DECK[:5], "XA", *DECK[6:])))
    assert SWAP in guest.legal
    hands = (("HK", "HD", "HB", "KA", "K10", "KK"), ("PA", "P10", "PK", "PD", "PB", "P9"))
    deck = ("H9", "HA", "H10", "KD", "KB", "K9", "XA", "X10", "XK", "XD", "XB", "X9")
    for again in (("H10", "HA", "H9", *deck[3:]), ("X9", *deck[:-1])):
        assert show(guest, replace(BEGIN, hands=hands, deck=again, trump=again[0][0])) == ["dealt"]
    assert guest.view.hand == hands[0]


def test_sorting_by_the_other_does_not_answer_a_move() -> None:
    guest = registered()
    show(guest, BEGIN)
    guest.play(LAY["XA"])
    for _ in range(3):
        guest.ticked(SILENCE / 3)
        show(guest, replace(BEGIN, symbol="sort", hands=(BEGIN.hands[0][::-1], BEGIN.hands[1])))
    assert LAY["XA"] in guest.legal
    said(guest)
    guest.play(LAY["XA"])
    assert said(guest) == "(lay 5 play)\n", "Which key lays a card depends on the order that was told last."


@pytest.mark.parametrize("length", [15, 16])
def test_who_is_rejected_says_why(length: int) -> None:
    guest = registered()
    empty = '(rejected () () () 0 () 0 () () () p0 0 0 "" ()'
    events = guest.received(f"{empty}{' p0' * (length - 15)})\n".encode())
    assert [event.public["reason"] for event in events] == ["There is no place in this universe."]
    assert guest.over and guest.outcome is None and guest.fault == "There is no place in this universe."


def test_a_series_is_to_eight_from_where_it_is_joined() -> None:
    guest = registered()
    show(guest, World("play", BEGIN.hands, deck=DECK, scores=(9, 2), trump="H", names=BEGIN.names))
    assert guest.legal
    show(guest, World("Won3t", BEGIN.hands, deck=DECK, points=(66, 0), scores=(12, 2), trump="H", names=BEGIN.names))
    assert not guest.over
    assert guest.legal == (RESTART,)
    show(guest, World("play", BEGIN.hands, deck=DECK, scores=(12, 2), trump="H", names=BEGIN.names))
    show(guest, World("Won3t", BEGIN.hands, deck=DECK, points=(66, 0), scores=(16, 2), trump="H", names=BEGIN.names))
    assert guest.over
    assert guest.outcome.points == (16, 2)


def test_what_no_world_heeds_changes_nothing() -> None:
    guest = registered()
    show(guest, BEGIN)
    view = guest.view
    unheeded: list[Datum] = [(Symbol("won"),), "won", 15, write_cards(("XA",)), ()]
    for datum in unheeded:
        assert guest.received(line(datum)) == []
    assert guest.view == view


@pytest.mark.parametrize(
    "world",
    [
        World("play", BEGIN.hands, deck=DECK, trump="H", names=("A", "B")),
        World("play", BEGIN.hands, deck=DECK, trump="H", names=("Mudi", "Mudi")),
        World("play", BEGIN.hands, deck=DECK, trump="", names=BEGIN.names),
        World("play", BEGIN.hands, deck=DECK[:7], trump="H", names=BEGIN.names),
        World("play", (BEGIN.hands[0][:5], BEGIN.hands[1]), deck=DECK, trump="H", names=BEGIN.names),
        World("play", (("XA",) * 6, BEGIN.hands[1]), deck=DECK, trump="H", names=BEGIN.names),
        World("play", ((), ()), trump="H", names=BEGIN.names),
        World("play", deck=DECK, trump="H", names=BEGIN.names),
        World("play", BEGIN.hands, middle=("HA",), deck=DECK, trump="H", names=BEGIN.names),
    ],
)
def test_worlds_that_cannot_be_are_no_messages(world: World) -> None:
    guest = registered()
    with pytest.raises(ProtocolError):
        show(guest, world)


@pytest.mark.parametrize("data", [b"(NO)\n", b'"OKAY"\n', b")\n"])
def test_who_is_not_taken_in_says_so(data: bytes) -> None:
    guest = WorldGuest("Mudi")
    guest.opened()
    with pytest.raises(ProtocolError):
        guest.received(data)


def test_nothing_that_a_universe_shows_makes_a_guest_fail_otherwise() -> None:
    """Worlds are mixed up by chance: a guest understands them or says that they cannot be."""
    at = house(7)
    raws = [Raw(at, '"Mudi"'), Raw(at, '"Nickel"')]
    random = Random(7, "mixed")
    for _ in range(150):
        state = state_of(at)
        act(at, raws, random.choice([move for move in state.legal(state.turn) if move != STOP] or [STOP]))
    parts = [write_world(world) for raw in raws for world in raw.worlds]
    failed = heard = 0
    for _ in range(600):
        guest = registered()
        for _ in range(4):
            base = list(random.choice(parts))
            if random.below(2):
                base[random.below(15)] = random.choice(parts)[random.below(15)]
            try:
                guest.received(line(tuple(base)))
                heard += 1
            except ProtocolError:
                failed += 1
                break
    assert failed > 50
    assert heard > 50
