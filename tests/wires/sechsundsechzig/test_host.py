"""Tests of the universe of Sechsundsechzig's own protocol: raw worlds at real tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from places import ROOT
from sechsundsechzig_programs import Raw, act, house, pair, play_until, state_of, table_of
from tisch.agents import RandomAgent
from tisch.game import Random
from tisch.games.sechsundsechzig import GAME, RuleAgent
from tisch.games.sechsundsechzig.cards import CARDS, ORDER
from tisch.games.sechsundsechzig.moves import LAY, RESTART, STOP
from tisch.table.seating import MARKED_NAMES
from tisch.wires import guest_of, host_of
from tisch.wires.sechsundsechzig import GUEST, HOST
from tisch.wires.sechsundsechzig.data import Symbol
from tisch.wires.sechsundsechzig.host import MASK, PATIENCE
from tisch.wires.sechsundsechzig.world import EMPTY_HAND, ENDED, LOST, PLAYING, TRICK, WAITING, WON, World
from wire_table import Program

PAGE = ROOT / "docs" / "protocols" / "sechsundsechzig.md"
CARD0 = '("0" "0" 0 0)'
HAND0 = f"({' '.join([CARD0] * 6)})"


def test_the_modules_are_found_by_the_game() -> None:
    assert host_of(GAME) is HOST
    assert guest_of(GAME) is GUEST
    assert (HOST.port, HOST.Options()) == (4567, HOST.Options(open=False, wait=0.0, goal=8, table="Sechsundsechzig"))


@pytest.mark.parametrize("options", [{"wait": -1}, {"goal": -1}, {"table": ""}, {"table": "x" * 25}])
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        HOST.Options(**options)


# --- registration -----------------------------------------------------------------------------------------------------


def test_two_worlds_register_and_the_first_begins() -> None:
    at = house()
    first = Raw(at, '"Mudi"')
    masks = " ".join(['("Kreuz" "9" 0 6)'] * 12)
    assert first.lines == ["(OKAY)", f'(wait {HAND0} {HAND0} () 0 () 0 () ({masks}) () p0 0 0 "Kreuz" ("Mudi"))']
    second = Raw(at, '"Nickel"')
    state = state_of(at)
    assert second.lines[0] == "(OKAY)"
    assert [first.symbol, second.symbol] == ["play", "wait"]
    assert first.world == World(
        symbol="play",
        hands=(state.hands[0], (MASK,) * 6),
        deck=(state.deck[0], *(MASK,) * 11),
        trump=state.trump,
        names=("Mudi", "Nickel"),
    )
    assert second.world.hands == ((MASK,) * 6, state.hands[1])
    assert state.options.goal == 8


def test_a_third_world_is_rejected_and_closed() -> None:
    at = house()
    worlds = pair(at)
    third = Raw(at, '"Zu spät"')
    assert third.lines == ["(OKAY)", f'(rejected {HAND0} {HAND0} () 0 () 0 () () () p0 0 0 "" ())']
    assert not third.program.is_open
    assert len(third.lines[1]) < 500
    act(at, worlds, state_of(at).legal(0)[0])
    assert [world.symbol for world in worlds] == ["wait", "play"]


@pytest.mark.parametrize("name", ['"Mudi"', '" Mudi "', f'"{"x" * 101}"'])
def test_the_same_name_and_endless_ones_are_rejected(name: str) -> None:
    at = house()
    first = Raw(at, '"Mudi"')
    second = Raw(at, name)
    assert second.symbol == "rejected"
    assert not second.program.is_open
    assert first.symbol == "wait"


@pytest.mark.parametrize(("said", "name"), [("Mudi", Symbol("Mudi")), ("17", 17), ('""', ""), ("|zwei Worte|", None)])
def test_names_are_told_as_they_were_said(said: str, name: Any) -> None:
    at = house()
    worlds = [Raw(at, said), Raw(at, '"Nickel"')]
    expected = Symbol("zwei Worte") if name is None else name
    assert worlds[0].world.names == worlds[1].world.names == (expected, "Nickel")


@pytest.mark.parametrize(
    "text",
    ["(REGISTER)", '(REGISTER "Mudi")', '(REGISTER ((name "Mudi") (age 3)))', '(register ((name "Mudi")))', "hallo",
     '(REGISTER ((name ("Mudi"))))', "(lay 0 play)"],
)  # fmt: skip
def test_what_is_no_registration_is_neither_answered_nor_closed(text: str) -> None:
    at = house()
    program = at.connect()
    program.send(f"{text}\n".encode())
    assert program.take() == b""
    assert program.is_open
    program.send(b'(REGISTER ((name "Mudi")))\n')
    assert program.take().startswith(b"(OKAY)\n(wait ")


def test_what_cannot_be_read_costs_the_connection_alone() -> None:
    at = house()
    worlds = pair(at)
    worlds[1].say(")")
    assert not worlds[1].program.is_open
    assert worlds[0].symbol == "wait"
    assert worlds[0].world.names == ("Mudi",)


# --- the game ---------------------------------------------------------------------------------------------------------


def check(at: Any, worlds: list[Raw]) -> None:
    """Both worlds show what the state is, and nothing that they may not know."""
    state = state_of(at)
    for seat, raw in enumerate(worlds):
        view, world = state.view(seat), raw.world
        assert world.names == ("Mudi", "Nickel")
        assert {*world.hands[seat]} == {*view.hand}
        assert world.hands[1 - seat] == (view.hands[1 - seat] if view.hands else (MASK,) * view.counts[1 - seat])
        assert world.deck == (() if view.forced else (view.open, *(MASK,) * view.hidden))
        assert (world.tricks, world.points, world.scores) == (view.tricks, view.points, view.scores)
        assert (world.middle, world.last, world.closer, world.trump) == (
            view.middle,
            view.last,
            view.closer,
            view.trump,
        )
        if view.end:
            assert raw.symbol == view.end.symbol(seat)
        else:
            assert raw.symbol in (PLAYING if view.turn == seat else WAITING)
            assert raw.symbol.startswith("force") == view.forced


@pytest.mark.parametrize("seed", range(12))
def test_whole_series_by_raw_worlds(seed: int) -> None:
    at = house(seed, goal=5)
    worlds = pair(at, piece=1 if seed == 0 else None)
    random = Random(seed, "worlds")
    symbols = set()
    while table_of(at).is_running:
        state = state_of(at)
        # Who has enough stops; others now and then, too.
        legal = list(state.legal(state.turn))
        first = legal[0] == STOP or random.below(60) == 0
        act(at, worlds, legal[0] if first else random.choice([move for move in legal if move != STOP] or legal))
        check(at, worlds)
        symbols |= {raw.symbol for raw in worlds}
    assert symbols & WON
    assert symbols & LOST
    (transcript,) = table_of(at).transcripts
    assert max(transcript.verify().view(None).scores) >= 5
    for raw in worlds:
        raw.say(f"(restart {raw.symbol})")
    assert [raw.symbol for raw in worlds] == ["play", "wait"]


def reached(wanted: Callable[[Any], bool], seeds: int = 300) -> tuple[Any, list[Raw]]:
    """Two worlds in a game in which something is so."""
    for seed in range(seeds):
        at = house(seed)
        worlds = pair(at)
        random = Random(seed, "reached")
        for _ in range(60):
            state = state_of(at)
            if wanted(state):
                return at, worlds
            legal = state.legal(state.turn)
            act(at, worlds, random.choice([move for move in legal if move.verb == "lay"] or legal))
    raise AssertionError("No game comes to this.")


def can(verb: str, *, forced: bool = False) -> Callable[[Any], bool]:
    def test(state: Any) -> bool:
        return verb in map(str, state.legal(state.turn)) and state.view(0).forced == forced

    return test


@pytest.mark.parametrize("forced", [False, True])
@pytest.mark.parametrize(
    ("verb", "said", "own", "others", "points"),
    [("announce", "announce", "announce", "listen", 20),
     ("announce trump", "announceTrump", "announceTrump", "listenTrump", 30)],
)  # fmt: skip
def test_pairs_are_announced(verb: str, said: str, own: str, others: str, points: int, *, forced: bool) -> None:
    at, worlds = reached(can(verb, forced=forced))
    state = state_of(at)
    seat, before = state.turn, state.points[state.turn]
    worlds[seat].say(f"({said} x)")
    own, others = (f"force{word[0].upper()}{word[1:]}" if forced else word for word in (own, others))
    assert [worlds[seat].symbol, worlds[1 - seat].symbol] == [own, others]
    assert worlds[0].world.points[seat] == worlds[1].world.points[seat] == before + points
    legal = state.legal(seat)
    other = [card for card in worlds[seat].world.hands[seat] if LAY[card] not in legal]
    for card in other:
        worlds[seat].say(f"(lay {worlds[seat].world.hands[seat].index(card)} play)")
        assert worlds[seat].hear() == []
    assert worlds[seat].symbol == own
    worlds[seat].say(f"(swap {own})")
    assert worlds[seat].symbol == own
    act(at, worlds, next(move for move in legal if move.verb == "lay"), seat)
    assert worlds[1 - seat].symbol == ("forcePlay" if forced else "play")


def test_the_open_trump_is_swapped_in_its_place_and_told_to_both() -> None:
    at, worlds = reached(lambda state: can("swap")(state) and not state.middle)
    state = state_of(at)
    seat, nine, opened = state.turn, state.trump + "9", state.deck[0]
    before = worlds[seat].world
    place, was = before.hands[seat].index(nine), before.symbol
    worlds[seat].say(f"(swap {was})")
    assert [raw.world.symbol for raw in worlds] == ["swap", "swap"]
    assert worlds[seat].world.hands[seat][place] == opened
    assert worlds[0].world.deck[0] == worlds[1].world.deck[0] == nine
    # The symbol is kept: the same world leads.
    worlds[seat].say("(lay 0 play)")
    assert [worlds[seat].symbol, worlds[1 - seat].symbol] == ["wait", "play"]


def test_the_deck_is_closed() -> None:
    at, worlds = reached(lambda state: state.tricks[0] and can("close")(state))
    seat = state_of(at).turn
    worlds[seat].say("(close won)")
    assert [worlds[seat].symbol, worlds[1 - seat].symbol] == ["forcePlay", "forceWait"]
    assert [(raw.world.deck, raw.world.closer) for raw in worlds] == [((), seat)] * 2


def test_who_stops_too_early_loses_three_and_the_winner_begins() -> None:
    at = house()
    worlds = pair(at)
    worlds[0].say("(stop play)")
    assert [raw.symbol for raw in worlds] == ["Lost3f", "Won3f"]
    hands = tuple(state_of(at).hands)
    assert [raw.world.hands for raw in worlds] == [hands, hands]
    worlds[0].say("(restart Lost3f)")
    assert [raw.symbol for raw in worlds] == ["wait", "play"]
    assert worlds[0].world.scores == (0, 3)
    worlds[1].say("(restart Won3f)")
    assert [len(raw.hear()) for raw in worlds] == [0, 0]
    assert worlds[1].symbol == "play"


def test_a_closed_game_that_is_played_out_counts_once() -> None:
    def closed(state: Any) -> bool:
        return state.end is not None and state.end.won.startswith("c")

    for seed in range(20):
        at = house(seed)
        worlds = pair(at)
        worlds[0].say("(close play)")
        play_until(at, worlds, Random(seed, "closed"), lambda state: state.end is not None)
        assert closed(state_of(at))
        end = state_of(at).end
        for raw in worlds:
            raw.say("(decideStich () wait)")
        for seat, raw in enumerate(worlds):
            assert raw.symbol == end.symbol(seat)
            assert raw.world.middle == ()
            assert sum(raw.world.scores) == end.points
            assert sum(map(len, raw.world.tricks)) == 12


# --- tricks -----------------------------------------------------------------------------------------------------------


def before_decision(at: Any, worlds: list[Raw]) -> tuple[str, str]:
    led = state_of(at).legal(0)[0].operand
    worlds[0].say(f"(lay {worlds[0].world.hands[0].index(led)} play)")
    followed = worlds[1].world.hands[1][0]
    worlds[1].say("(lay 0 play)")
    return led, followed


def test_both_cards_are_shown_until_one_world_asks_and_the_second_is_ignored() -> None:
    at = house()
    worlds = pair(at)
    trick = before_decision(at, worlds)
    for raw in worlds:
        assert raw.symbol == TRICK
        assert raw.world.middle == trick
        assert raw.world.tricks == ((), ())
        assert len(raw.world.deck) == 12
        assert [len(hand) for hand in raw.world.hands] == [5, 5]
    worlds[1].say('(decideStich (("Kreuz" "Ass" 11 1)) play)')
    told = [raw.hear() for raw in worlds]
    winner = state_of(at).turn
    assert [raw.symbol for raw in worlds] == ["won" if seat == winner else "lost" for seat in (0, 1)]
    assert worlds[0].world.last == trick == worlds[0].world.tricks[winner]
    assert [len(hand) for hand in worlds[0].world.hands] == [6, 6]
    counts = [len(raw.worlds) for raw in worlds]
    worlds[0].say("(decideStich () wait)")
    worlds[1].say("(decideStich () wait)")
    assert [len(raw.worlds) for raw in worlds] == counts
    assert len(told) == 2


def test_nothing_but_sorting_is_heard_before_the_decision() -> None:
    at = house()
    worlds = pair(at)
    before_decision(at, worlds)
    moves = len(table_of(at).moves)
    for text in ("lay 0 play", "stop play", "restart Won3t", "close play"):
        for raw in worlds:
            raw.say(f"({text})")
    assert len(table_of(at).moves) == moves
    worlds[0].say("(sort waitStich)")
    assert worlds[0].world.symbol == "sort"
    assert worlds[0].world.middle == worlds[1].world.middle != ()
    worlds[0].say("(decideStich () wait)")
    assert {raw.symbol for raw in worlds} == {"won", "lost"}


def test_worlds_that_never_ask_hold_up_nobody_for_long() -> None:
    at = house()
    worlds = pair(at)
    before_decision(at, worlds)
    at.advance(PATIENCE - 0.1)
    assert [raw.symbol for raw in worlds] == [TRICK, TRICK]
    at.advance(0.2)
    assert {raw.symbol for raw in worlds} == {"won", "lost"}


# --- what is not believed ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["lay 6 play", "lay -1 play", "lay #t play", 'lay "0" play', "lay", "lay 0.0 play", "announceTrump play",
     "restart play", "decideStich () play", "rejected", "jubel 3", "swap announce", "won", '"lay" -3'],
)  # fmt: skip
def test_what_cannot_be_done_is_not_answered(text: str) -> None:
    at = house(3)
    worlds = pair(at)
    shown = [raw.world for raw in worlds]
    for raw in worlds:
        raw.say(f"({text})")
    assert [raw.world for raw in worlds] == shown
    assert [len(raw.worlds) for raw in worlds] == [2, 1]
    assert table_of(at).moves == []
    assert all(raw.program.is_open for raw in worlds)


def test_a_claimed_state_is_not_believed() -> None:
    at = house()
    worlds = pair(at)
    worlds[1].say("(lay 0 play)")
    worlds[1].say("(stop forceWon)")
    worlds[1].say("(restart Won3t)")
    assert table_of(at).moves == []


def test_colour_is_followed_where_it_must_be() -> None:
    at, worlds = reached(lambda state: state.middle and not state.deck and len(state.legal(state.turn)) < 3)
    state = state_of(at)
    seat = state.turn
    wrong = [card for card in state.hands[seat] if LAY[card] not in state.legal(seat)]
    for card in wrong:
        worlds[seat].say(f"(lay {worlds[seat].world.hands[seat].index(card)} forcePlay)")
    assert state_of(at).turn == seat
    assert worlds[seat].symbol == "forcePlay"
    act(at, worlds, state.legal(seat)[0])
    assert {raw.symbol for raw in worlds} & ({"forceWon"} | WON)


def test_hands_are_sorted_and_stay_so() -> None:
    at = house(5)
    worlds = pair(at)
    before = worlds[0].world
    worlds[1].say("(sort wait)")
    hand = worlds[1].world.hands[1]
    assert worlds[1].world.symbol == "sort"
    assert list(hand) == sorted(hand, key=ORDER.__getitem__)
    (told,) = worlds[0].hear()
    assert told == replace(before, symbol="sort"), "The other world is told as well, and sees nothing new."
    act(at, worlds, state_of(at).legal(0)[0])
    worlds[1].say("(lay 2 play)")
    assert worlds[1].world.hands[1] == (*hand[:2], *hand[3:])
    assert worlds[1].world.middle[1] == hand[2]


def test_keys_pressed_too_early_and_too_often_are_heard_in_turn() -> None:
    at = house()
    worlds = pair(at)
    worlds[0].program.send(b"(sort play)\n" + b"(lay 0 play)\n" * 50)
    assert [raw.symbol for raw in worlds] == ["wait", "play"]
    assert len(table_of(at).moves) == 1
    assert state_of(at).middle == (min(worlds[0].worlds[1].hands[0], key=ORDER.__getitem__),)


def test_several_messages_in_one_piece() -> None:
    at = house()
    program = at.connect()
    program.send(b'(REGISTER ((name "Mudi")))\n(sort wait)\n(lay 0 wait)\n')
    assert program.take().count(b"\n") == 2


# --- cuts, agents and people ------------------------------------------------------------------------------------------


def test_who_remains_waits_and_the_next_takes_the_free_place() -> None:
    at = house(2)
    worlds = pair(at)
    random = Random(2, "cut")
    play_until(at, worlds, random, lambda state: len(state.tricks[0]) + len(state.tricks[1]) >= 8)
    worlds[0].program.cut()
    alone = worlds[1].world
    assert (alone.symbol, alone.names, alone.hands) == ("wait", ("Nickel",), (EMPTY_HAND, EMPTY_HAND))
    for text in ("(lay 0 play)", "(stop play)", "(sort wait)"):
        worlds[1].say(text)
    assert worlds[1].world == alone
    again = Raw(at, '"Mudi"')
    assert again.world.names == worlds[1].world.names == ("Mudi", "Nickel")
    check(at, [again, worlds[1]])
    play_until(at, [again, worlds[1]], random, lambda state: state.end is not None)
    check(at, [again, worlds[1]])


def test_a_cut_before_a_decision_and_after_the_end() -> None:
    at = house()
    worlds = pair(at)
    before_decision(at, worlds)
    worlds[1].program.cut()
    assert worlds[0].symbol == "wait"
    worlds[0].say("(decideStich () wait)")
    other = Raw(at, '"Nickel"')
    check(at, [worlds[0], other])
    worlds = [worlds[0], other]
    loser = state_of(at).turn
    act(at, worlds, STOP)
    worlds[loser].program.cut()
    # The winner starts the next game; nobody does it for them.
    worlds[loser] = Raw(at, ('"Mudi"', '"Nickel"')[loser])
    assert worlds[loser].symbol == "Lost3f"
    act(at, worlds, RESTART)
    check(at, worlds)


def test_when_all_have_gone_others_can_come() -> None:
    at = house(goal=3)
    worlds = pair(at)
    act(at, worlds, STOP)
    for raw in worlds:
        raw.program.cut()
    worlds = [Raw(at, '"Mudi"'), Raw(at, '"Nickel"')]
    assert [raw.symbol for raw in worlds] == ["play", "wait"]
    assert worlds[0].world.scores == (0, 0)


@pytest.mark.parametrize("agent", [RandomAgent, RuleAgent])
def test_an_agent_takes_the_place_that_is_free_for_too_long(agent: type[Any]) -> None:
    for seed in range(6):
        at = house(seed, agent, wait=20, goal=8)
        raw = Raw(at, '"Mudi"')
        at.advance(19.9)
        assert raw.symbol == "wait"
        at.advance(0.2)
        assert raw.symbol == "play"
        assert raw.world.names == ("Mudi", MARKED_NAMES[1])
        play_until(at, [raw], Random(seed, "alone"), lambda state: not state.awaiting())
        table_of(at).transcripts[0].verify()
        assert raw.symbol in ENDED
        raw.say("(restart Won3t)")
        assert raw.symbol == "play"


def test_an_agent_plays_on_for_who_has_left_until_another_comes() -> None:
    at = house(4, wait=5)
    worlds = pair(at)
    act(at, worlds, state_of(at).legal(0)[0])
    worlds[1].program.cut()
    assert worlds[0].symbol == "wait"
    at.advance(5.1)
    assert worlds[0].world.names == ("Mudi", MARKED_NAMES[1])
    assert worlds[0].symbol in PLAYING | WAITING
    other = Raw(at, '"Nickel"')
    check(at, [worlds[0], other])


def test_an_agent_that_has_played_leaves_the_place_to_worlds_again() -> None:
    at = house(4, wait=5, goal=3)
    first = Raw(at, '"Mudi"')
    at.advance(5.1)
    assert first.world.names == ("Mudi", MARKED_NAMES[1])
    second = Raw(at, '"Nickel"')
    assert first.world.names == second.world.names == ("Mudi", "Nickel")
    second.program.cut()
    # Whoever comes next finds the place free for as long as the first time.
    at.advance(4.9)
    assert first.symbol == "wait" and len(first.world.names) == 1
    at.advance(0.2)
    assert first.world.names == ("Mudi", MARKED_NAMES[1])
    first.program.cut()
    third = Raw(at, '"Nickel"')
    at.advance(4.9)
    assert third.symbol == "wait" and len(third.world.names) == 1
    at.advance(0.2)
    assert third.world.names == ("Nickel", MARKED_NAMES[1])


def test_a_person_in_the_browser_is_the_other_world() -> None:
    at = house(6, goal=3)
    raw = Raw(at, '"Mudi"')
    seat = at.join("Sechsundsechzig", "Ben")
    assert raw.symbol == "play"
    assert raw.world.names == ("Mudi", "Ben")
    random = Random(6, "browser")
    while table_of(at).is_running:
        state = state_of(at)
        move = random.choice(state.legal(state.turn))
        if state.turn == seat:
            at.move("Sechsundsechzig", seat, str(move))
            if raw.symbol == TRICK:
                raw.say("(decideStich () wait)")
        else:
            act(at, [raw], move)
    table_of(at).transcripts[0].verify()
    at.leave("Sechsundsechzig", seat)
    assert list(raw.world.names) == ["Mudi"]


def test_an_agent_that_leads_at_once_waits_for_the_decision() -> None:
    at = house(1, wait=1)
    raw = Raw(at, '"Mudi"')
    at.advance(2)
    for _ in range(30):
        state = state_of(at)
        legal = [move for move in state.legal(0) if move.verb == "lay"]
        if not legal:
            break
        raw.say(f"(lay {raw.world.hands[0].index(legal[0].operand)} play)")
        if raw.symbol == TRICK:
            shown = len(raw.worlds)
            assert len(raw.world.middle) == 2
            raw.say("(decideStich () wait)")
            assert len(raw.worlds) > shown


# --- the literal form -------------------------------------------------------------------------------------------------


def test_open_shows_cards_as_the_original_does() -> None:
    for seed in range(4):
        at = house(seed, open=True, goal=0)
        worlds = pair(at)
        random = Random(seed, "open")
        for _ in range(60):
            state = state_of(at)
            for raw in worlds:
                world = raw.world
                assert {*world.hands[0]} == {*state.hands[0]}
                assert {*world.hands[1]} == {*state.hands[1]}
                cards = [
                    *world.hands[0],
                    *world.hands[1],
                    *world.deck,
                    *world.middle,
                    *world.tricks[0],
                    *world.tricks[1],
                ]
                assert len(cards) == len({*cards})
                if state.closer is None:
                    assert sorted(cards) == sorted(CARDS)
                    assert world.deck[:1] == state.deck[:1]
            act(at, worlds, random.choice(state.legal(state.turn)))


def test_open_shows_the_other_hand_as_it_lies() -> None:
    at = house(3, open=True)
    worlds = pair(at)
    random = Random(3, "sorted")
    for _ in range(20):
        act(at, worlds, random.choice(state_of(at).legal(state_of(at).turn)))
        worlds[1].say("(sort x)")
        assert worlds[0].world.hands[1] == worlds[1].world.hands[1]
        assert worlds[0].world.symbol == worlds[1].world.symbol == "sort"


def test_open_shows_what_can_be_where_the_other_is_no_world() -> None:
    at = house(open=True, wait=1)
    raw = Raw(at, '"Mudi"')
    at.advance(2)
    world = raw.world
    assert sorted([*world.hands[0], *world.hands[1], *world.deck]) == sorted(CARDS)


# --- the page ---------------------------------------------------------------------------------------------------------

#: The game that the page shows.
SEED = 9


def recorded(seed: int) -> list[str]:
    """What the two worlds of the description say and hear: a registration, a trick, and an early stop."""
    at = house(seed)
    lines: list[str] = []
    names = dict(zip("MN", ('"Mudi"', '"Nickel"'), strict=True))
    programs: dict[str, Program] = {}

    def say(letter: str, text: str) -> None:
        lines.append(f"{letter}> {text}")
        programs[letter].send(f"{text}\n".encode())
        for each, program in programs.items():
            lines.extend(f"{each}< {line}" for line in program.take().decode().splitlines())

    for letter, name in names.items():
        programs[letter] = at.connect()
        say(letter, f"(REGISTER ((name {name})))")
    for letter, text in [
        ("M", "(sort play)"), ("M", "(lay 0 play)"), ("N", "(lay 9 play)"), ("N", "(lay 0 play)"),
        ("M", "(decideStich () wait)"), ("N", "(decideStich () play)"),
    ]:  # fmt: skip
        say(letter, text)
    turn = "MN"[state_of(at).turn]
    say(turn, "(close won)")
    say(turn, "(stop forcePlay)")
    say("N", "(restart Won3f)")
    return lines


def test_the_session_of_the_page_goes_as_ever() -> None:
    (session,) = re.findall(r"```session\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert session.splitlines() == recorded(SEED)
