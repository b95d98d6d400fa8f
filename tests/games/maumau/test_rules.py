"""Tests of Mau-Mau: docs/rules/maumau.md and its decisions M1 to M14, written as moves."""

from __future__ import annotations

from typing import Any

import pytest

from tisch.game import Event, IllegalMove, Random
from tisch.games import maumau
from tisch.games.maumau import MauMauState, Options
from tisch.games.maumau.cards import LABELS, NUMBERS, cards_of
from tisch.games.maumau.possible import Possible

GAME = maumau.GAME


def table(top: str, *hands: str, stock: str = "X7 X8 X9 X10", turn: int = 0, **options: Any) -> MauMauState:
    """Set up a round in progress: the top card, the hands, and the stock in the order of drawing."""
    state = GAME.new(Options(players=len(hands), **options), 0)
    state.hands = [sum(1 << NUMBERS[label] for label in hand.split()) for hand in hands]
    state.pile = [NUMBERS[top]]
    state.stock = [NUMBERS[label] for label in reversed(stock.split())]
    state.turn = turn
    state.possible = Possible(hand.bit_count() for hand in state.hands)
    return state


def do(state: MauMauState, moves: str) -> MauMauState:
    """Make moves written as ``0 play H7, 1 take 2``."""
    for each in moves.split(", "):
        seat, text = each.split(" ", 1)
        state.play(int(seat), GAME.parse(text))
    return state


def offered(state: MauMauState) -> list[str]:
    """Return the legal moves of the seat to move, the safest first."""
    assert state.turn is not None
    return [str(move) for move in state.legal(state.turn)]


def texts(state: MauMauState) -> set[str]:
    """Return the same without an order."""
    return set(offered(state))


def refused(state: MauMauState, move: str) -> str:
    """Make a move that must be refused, and return the reason."""
    seat, text = move.split(" ", 1)
    with pytest.raises(IllegalMove) as caught:
        state.play(int(seat), GAME.parse(text))
    return str(caught.value)


def hand(state: MauMauState, seat: int) -> set[str]:
    """Return the hand of a seat."""
    return {LABELS[card] for card in cards_of(state.hands[seat])}


def test_colour_on_colour_and_value_on_value_and_a_jack_on_everything() -> None:
    state = table("H9", "H10 P9 K10 KB", "X8")
    assert texts(state) == {"play H10", "play P9", "play KB"}
    assert "does not fit on H9" in refused(state, "0 play K10")


def test_m1_who_can_lay_must_lay() -> None:
    assert refused(table("H9", "H10 X7", "X8"), "0 take 1") == "Who can lay must lay."


def test_m2_a_jack_on_a_wish_keeps_the_wish_and_a_third_one_wishes_again() -> None:
    state = table("H9", "KB PB P7 P8", "HB X8 X9", turn=0)
    do(state, "0 play KB, 0 wish P")
    assert texts(state) == {"play HB"}
    do(state, "1 play HB")
    assert state.turn == 0
    assert texts(state) == {"play PB", "play P7", "play P8"}
    do(state, "0 play PB")
    assert texts(state) == {"wish K", "wish H", "wish X", "wish P"}


def test_m2_a_card_that_is_no_jack_ends_the_wish() -> None:
    state = do(table("H9", "KB X7", "P8 H8 X9"), "0 play KB, 0 wish P, 1 play P8")
    assert state.view(None).wish == ""
    assert do(state, "0 take 1").view(None).top == "P8"


def test_m2_by_option_every_jack_wishes() -> None:
    state = do(table("H9", "KB P7", "HB X8", wish_on_wish=True), "0 play KB, 0 wish P, 1 play HB")
    assert texts(state) == {"wish K", "wish H", "wish X", "wish P"}


def test_m3_a_card_drawn_that_fits_must_be_laid() -> None:
    state = do(table("H9", "K7 P8", "X8 X7", stock="HK X10"), "0 take 1")
    assert (state.turn, texts(state)) == (0, {"play HK"})


def test_m3_otherwise_the_turn_passes() -> None:
    assert do(table("H9", "K7 P8", "X8 X7", stock="XK X10"), "0 take 1").turn == 1


def test_m3_by_option_a_card_drawn_is_not_laid() -> None:
    assert do(table("H9", "K7 P8", "X8 X7", stock="HK X10", play_drawn=False), "0 take 1").turn == 1


def test_m4_after_a_penalty_the_turn_goes_on() -> None:
    state = do(table("H9", "H7 P8", "K8 KK", stock="X10 XD HD XA"), "0 play H7")
    assert texts(state) == {"take 2"}
    do(state, "1 take 2")
    assert (state.turn, texts(state)) == (1, {"take 1"})
    do(state, "1 take 1")
    assert texts(state) == {"play HD"}


def test_m5_a_seven_must_answer_a_seven_and_the_penalty_grows() -> None:
    state = do(table("H9", "H7 P8", "K7 H8 HB", "P7 X9", "X8 XK"), "0 play H7")
    assert texts(state) == {"play K7"}
    assert refused(state, "1 take 2") == "Who holds a seven must lay it now."
    do(state, "1 play K7, 2 play P7")
    assert texts(state) == {"take 6"}
    assert state.view(None).penalty == 6


def test_m5_by_option_sevens_are_not_answered() -> None:
    assert texts(do(table("H9", "H7 P8", "K7 H8", stacking=False), "0 play H7")) == {"take 2"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_m6_six_cards_each_and_the_beginner_seven(players: int) -> None:
    view = GAME.new(Options(players=players), 3).view(None)
    assert view.counts == (7,) + (6,) * (players - 1)
    assert view.stock == 32 - 1 - 6 * players - 1


def test_m7_the_first_card_has_no_effect() -> None:
    tops = set()
    for seed in range(200):
        state = GAME.new(Options(), seed)
        view = state.view(0)
        tops.add(view.top[1:])
        assert (view.penalty, view.wish, view.wishing, view.turn) == (0, "", False, 0)
    assert {"7", "B", "A"} <= tops


def test_m8_each_round_another_begins() -> None:
    state = GAME.new(Options(players=3, rounds=4), 1)
    begun = []
    for _ in range(4):
        number = state.round
        assert state.turn is not None
        begun.append((state.turn, state.view(None).counts[state.turn]))
        while state.round == number and state.turn is not None:
            state.play(state.turn, state.legal(state.turn)[0])
    assert begun == [(0, 7), (1, 7), (2, 7), (0, 7)]


def test_m9_who_holds_only_jacks_may_finish() -> None:
    state = table("H9", "HB KB", "X8 X7")
    assert "finish" in texts(state)
    outcome = do(state, "0 finish").outcome()
    assert outcome is not None
    assert (outcome.points, outcome.tally["rounds finished early"]) == ((0, 15), (1, 0))
    assert state.view(None).counts == (0, 2)
    assert refused(table("H9", "HB KB H8", "X8"), "0 finish")


def test_m9_not_while_a_penalty_or_a_wish_is_owed() -> None:
    assert texts(do(table("H9", "HB KB", "H7 X7", turn=1), "1 play H7")) == {"take 2"}
    assert texts(do(table("H9", "HB KB PB", "X7"), "0 play HB")) == {"wish K", "wish H", "wish X", "wish P"}


@pytest.mark.parametrize("last", ["HB", "HA", "H7"])
def test_m10_the_last_card_ends_the_round_at_once(last: str) -> None:
    outcome = do(table("H9", last, "X8 X7"), f"0 play {last}").outcome()
    assert outcome is not None
    assert outcome.points == (0, 15)


def test_m11_the_pile_becomes_the_stock() -> None:
    events: list[Event] = []
    state = table("H9", "H10 P8", "K8 KK", stock="")
    state.listener = events.append
    state.pile = [NUMBERS["X7"], NUMBERS["H9"]]
    do(state, "0 play H10, 1 take 1")
    assert len(state.stock) == 1
    assert state.view(None).pile == ("H10",)
    assert hand(state, 1) < {"K8", "KK", "X7", "H9"}
    assert [event.name for event in events] == ["play", "player", "stack", "draw", "player"]


def test_m11_if_there_is_too_little_the_turn_passes() -> None:
    state = do(table("H9", "H7 P8", "K8 KK", stock=""), "0 play H7, 1 take 2")
    assert hand(state, 1) == {"K8", "KK", "H9"}
    assert state.turn == 0
    do(state, "0 take 1")
    assert (hand(state, 0), state.turn) == ({"P8"}, 1)


def test_m12_two_to_five_play() -> None:
    for players in (1, 6):
        with pytest.raises(ValueError, match=f"2 to 5 players, not {players}"):
            Options(players=players)
    with pytest.raises(ValueError, match="at least one round"):
        Options(rounds=0)
    with pytest.raises(ValueError, match="5 players cannot get 7 cards each"):
        Options(players=5, hand=7)


def test_m13_an_ace_skips_and_of_two_the_same_plays_again() -> None:
    assert do(table("H9", "HA P8", "K8", "K9"), "0 play HA").turn == 2
    assert do(table("H9", "HA P8", "K8"), "0 play HA").turn == 0


def test_m14_several_may_lose() -> None:
    outcome = do(table("H9", "H8", "X8 X7", "P8 P7"), "0 play H8").outcome()
    assert outcome is not None
    assert outcome.reason == "Most points, 15: seats 1 and 2 lose."
    assert outcome.payoff == (15.0, -7.5, -7.5)


def test_points_of_the_cards_left_are_summed_over_the_rounds() -> None:
    state = table("H9", "H8", "X7 K8 P9 H10 HB HD HK HA", rounds=2)
    do(state, "0 play H8")
    assert state.scores == (0, 7 + 8 + 9 + 10 + 20 + 10 + 10 + 11)
    assert (state.outcome(), state.view(None).round, state.turn) == (None, 2, 1)


def test_events_tell_every_step_and_hide_what_is_drawn() -> None:
    events: list[Event] = []
    GAME.new(Options(), 1, events.append)
    assert [event.name for event in events] == ["round", "deal", "player"]
    assert set(events[1].private) == {0, 1}
    state = table("H9", "H7 HB X8", "K8 K9", stock="P10 PA XA")
    events.clear()
    state.listener = events.append
    do(state, "0 play H7, 1 take 2, 1 take 1, 0 play HB, 0 wish P")
    assert events == [
        Event("play", {"seat": 0, "card": "H7"}),
        Event("player", {"seat": 1, "penalty": 2, "wish": ""}),
        Event("draw", {"seat": 1, "count": 2}, {1: {"cards": ("P10", "PA")}}),
        Event("player", {"seat": 1, "penalty": 0, "wish": ""}),
        Event("draw", {"seat": 1, "count": 1}, {1: {"cards": ("XA",)}}),
        Event("player", {"seat": 0, "penalty": 0, "wish": ""}),
        Event("play", {"seat": 0, "card": "HB"}),
        Event("player", {"seat": 0, "penalty": 0, "wish": ""}),
        Event("wish", {"seat": 0, "colour": "P"}),
        Event("player", {"seat": 1, "penalty": 0, "wish": "P"}),
    ]


def test_a_refusal_says_why() -> None:
    state = table("H9", "HB K7 XB P9", "X8 X7 P7", stock="PA XA XK")
    assert refused(state, "1 play X8") == "It is not the turn of seat 1."
    assert refused(state, "0 wish H") == "There is no wish to be made now."
    assert refused(state, "0 finish") == "Seat 0 holds other cards than Jacks."
    assert refused(state, "0 play K7") == "K7 does not fit on H9."
    assert refused(state, "0 play K8") == "Seat 0 does not hold K8."
    do(state, "0 play HB")
    assert refused(state, "0 play K7") == "A colour must be wished for first."
    do(state, "0 wish K")
    assert refused(state, "1 play X8") == "X8 does not fit on HB, for which K was wished."
    assert refused(state, "1 take 2") == "Who cannot lay draws one card."
    do(state, "1 take 1, 0 play K7")
    assert refused(state, "1 play X8") == "Who holds a seven must lay it now."
    do(state, "1 play P7")
    assert refused(state, "0 play P9") == refused(state, "0 finish") == "4 cards must be drawn first."
    assert refused(do(table("H9", "H8", "X8"), "0 play H8"), "1 play X8") == "The game is over."


def test_what_is_safest_comes_first() -> None:
    assert offered(table("H9", "HB KB", "X8 X7"))[0] == "finish"
    assert offered(table("H9", "H8 HK KB HA", "X8")) == ["play HA", "play HK", "play H8", "play KB"]
    assert offered(do(table("H9", "HB P7 P8 K8 XB", "X8"), "0 play HB")) == ["wish P", "wish K", "wish H", "wish X"]


def test_m2_a_view_tells_whether_a_jack_would_wish() -> None:
    state = do(table("H9", "KB PB P7 P8", "HB X8 X9"), "0 play KB, 0 wish P")
    assert state.view(1).jacks == 1
    assert do(state, "1 play HB").view(None).jacks == 2
    assert do(state, "0 play P7").view(None).jacks == 0


def test_m11_a_pile_of_one_card_is_no_stock_and_nobody_is_told_of_one() -> None:
    events: list[Event] = []
    state = table("H9", "P8 K7", "K8 KK", stock="")
    state.listener = events.append
    do(state, "0 take 1")
    assert [event.name for event in events] == ["draw", "player"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_card_is_lost_or_doubled(players: int) -> None:
    random = Random(players)
    for seed in range(30):
        state = GAME.new(Options(players=players, rounds=2), seed)
        while state.awaiting():
            everywhere = [card for held in state.hands for card in cards_of(held)] + state.pile + state.stock
            assert sorted(everywhere) == list(range(32))
            (seat,) = state.awaiting()
            state.play(seat, random.choice(state.legal(seat)))
