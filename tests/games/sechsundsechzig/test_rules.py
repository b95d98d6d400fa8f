"""Tests of Sechsundsechzig's rules, one for each rule and each decision on them (S…) of its specification.

The decisions S1–S8, S11, S13 and S15 are about the wire and its real client, not about the rules.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sechsundsechzig_positions import FULL_DECK, play, table
from tisch.game import Event, IllegalMove, Random
from tisch.games.sechsundsechzig import CARDS, GAME, POINTS, Move, Options, SechsundsechzigState
from tisch.games.sechsundsechzig.cards import takes
from tisch.games.sechsundsechzig.moves import RESTART
from tisch.testing import moments


def refused(state: SechsundsechzigState, move: str, why: str) -> None:
    seat, _, text = move.partition(" ")
    assert GAME.parse(text) not in state.legal(int(seat))
    with pytest.raises(IllegalMove, match=why):
        play(state, move)


def lays(state: SechsundsechzigState, seat: int) -> str:
    return " ".join(sorted(move.operand for move in state.legal(seat) if move.verb == "lay"))


def ended(state: SechsundsechzigState) -> tuple[int, int, str, str]:
    """Return the winner, the game points, and the end as the winner and the loser see it."""
    end = state.end
    assert end is not None
    return end.winner, end.points, end.symbol(end.winner), end.symbol(1 - end.winner)


# The cards and the deal.


def test_there_are_24_cards_worth_120_points() -> None:
    assert len(set(CARDS)) == 24
    assert sum(POINTS.values()) == 120
    assert [POINTS["H" + rank] for rank in ("9", "B", "D", "K", "10", "A")] == [0, 2, 3, 4, 10, 11]


def test_each_gets_six_cards_the_open_one_is_trump_and_the_first_player_begins() -> None:
    state = GAME.new(Options(), 5)
    view = state.view(None)
    assert view.counts == (6, 6)
    assert (view.open, view.hidden) == (state.deck[0], 11)
    assert view.trump == state.deck[0][0]
    assert list(state.awaiting()) == [0]
    assert sorted((*state.hands[0], *state.hands[1], *state.deck)) == sorted(CARDS)


def test_a_deal_depends_on_seed_and_number_alone() -> None:
    first, second = GAME.new(Options(goal=4), 9), GAME.new(Options(goal=4), 9)
    play(first, "0 stop, 1 restart")
    second.play(0, GAME.parse("close"))
    play(second, "0 stop, 0 restart")
    assert (first.hands, first.deck) == (second.hands, second.deck)
    assert first.hands != GAME.new(Options(goal=4), 9).hands


# Tricks.


@pytest.mark.parametrize(
    ("led", "card", "won"),
    [
        ("HK", "HA", True),
        ("HA", "H10", False),
        ("H10", "HK", False),
        ("HD", "HB", False),
        ("HA", "K9", True),
        ("K9", "HA", False),
        ("K10", "KA", True),
        ("KA", "K10", False),
        ("H9", "PA", False),
    ],
)
def test_the_second_card_wins_if_higher_in_colour_or_trump_on_another(led: str, card: str, won: bool) -> None:
    assert takes(card, led, "K") is won
    state = play(table(f"{led} XB", f"{card} PB"), f"0 lay {led}, 1 lay {card}")
    assert state.turn == (1 if won else 0)


def test_who_wins_the_trick_gets_its_points_and_leads() -> None:
    state = play(table("H10 X9", "HA P9"), "0 lay H10, 1 lay HA")
    assert list(state.awaiting()) == [1]
    assert (state.points, state.tricks) == ([0, 21], [(), ("H10", "HA")])
    assert (state.last, state.middle) == (("H10", "HA"), ())


def test_s5_tricks_are_kept_flat_and_in_order() -> None:
    state = play(table("H10 HB X9", "HA KK P9"), "0 lay H10, 1 lay HA, 1 lay KK, 0 lay HB")
    assert state.tricks[1] == ("H10", "HA", "KK", "HB")


def test_the_winner_draws_the_upper_card() -> None:
    state = play(table("HA X9", "HB P9", "K9 PA PK PD"), "0 lay HA, 1 lay HB")
    assert state.hands == [("X9", "PA"), ("P9", "PK")]
    assert state.deck == ("K9", "PD")


def test_of_the_last_two_cards_the_loser_draws_the_open_one() -> None:
    state = play(table("HA X9", "HB P9", "K9 PA"), "0 lay HA, 1 lay HB")
    assert state.hands == [("X9", "PA"), ("P9", "K9")]
    assert state.deck == ()
    assert state.view(0).shown == ((), ("K9",))


def test_any_card_may_be_laid_while_there_is_a_deck() -> None:
    state = play(table("HA X9", "HB P9 KK", "K9 PA"), "0 lay HA")
    assert lays(state, 1) == "HB KK P9"


def test_colour_must_be_followed_when_the_deck_is_empty_or_closed() -> None:
    for state in (table("HA X9", "HB HD P9 KK"), play(table("HA X9", "HB HD P9 KK", FULL_DECK), "0 close")):
        play(state, "0 lay HA")
        assert state.view(1).forced
        assert lays(state, 1) == "HB HD"
        refused(state, "1 lay KK", "The colour of HA must be followed; KK does not")


def test_s10_without_the_colour_there_is_no_duty_to_trump_and_never_one_to_beat() -> None:
    state = play(table("HA X9", "KK P9"), "0 lay HA")
    assert lays(state, 1) == "KK P9"
    state = play(table("HB X9", "HA H9"), "0 lay HB")
    assert lays(state, 1) == "H9 HA"


def test_a_card_must_be_held() -> None:
    refused(table("HA X9", "KK P9"), "0 lay KK", "does not hold KK")


def test_a_move_of_another_game_is_refused() -> None:
    state = table("HK HD", "XK P9", FULL_DECK)
    for move in (Move("pass"), Move("announce", "HK"), Move("lay", "S7")):
        with pytest.raises(IllegalMove, match=r"no move of this game|does not hold"):
            state.play(0, move)


def test_s16_only_the_seat_whose_turn_it_is_may_do_anything() -> None:
    state = table("HA X9", "KK KD", FULL_DECK)
    for move in ("lay KK", "swap", "announce trump", "close", "stop"):
        refused(state, f"1 {move}", "it is the turn of seat 0")
    refused(state, "0 restart", "before this one has ended")


# Swapping.


def test_the_9_of_trumps_is_swapped_for_the_open_card_at_no_cost() -> None:
    state = play(table("K9 X9", "HA HB", "KA PA PK"), "0 swap")
    assert state.hands[0] == ("KA", "X9")
    assert state.deck == ("K9", "PA", "PK")
    assert state.turn == 0
    assert state.view(1).shown == (("KA",), ())


def test_the_second_player_may_swap_before_laying() -> None:
    state = play(table("HA X9", "K9 HB", "KA PA PK"), "0 lay HA, 1 swap, 1 lay KA")
    assert state.tricks[1] == ("HA", "KA")
    assert state.view(0).shown == ((), ())


def test_swapping_needs_more_than_two_cards_in_the_deck() -> None:
    refused(table("K9 X9", "HA HB", "KA PA"), "0 swap", "more than one card lies face down")
    refused(table("K9 X9", "HA HB"), "0 swap", "more than one card lies face down")
    refused(play(table("K9 X9", "HA HB", "KA PA PK PD"), "0 close"), "0 swap", "more than one card lies face down")


def test_swapping_needs_the_9_of_trumps() -> None:
    refused(table("H9 X9", "HA HB", "KA PA PK"), "0 swap", "does not hold the 9 of trumps")


# Announcing.


def test_an_ordinary_pair_counts_20_and_the_trump_pair_30_at_once() -> None:
    state = play(table("HK HD KK KD", "HA HB"), "0 announce")
    assert state.points == [20, 0]
    state = play(table("HK HD KK KD", "HA HB"), "0 announce trump")
    assert state.points == [30, 0]
    assert state.turn == 0


def test_only_a_card_of_the_pair_may_be_laid_after_announcing() -> None:
    state = play(table("HK HD KK KD X9", "HA HB"), "0 announce")
    assert lays(state, 0) == "HD HK"
    refused(state, "0 lay X9", "no card of the pair")
    refused(state, "0 lay KK", "no card of the pair")
    state = play(table("HK HD KK KD X9", "HA HB"), "0 announce trump")
    assert lays(state, 0) == "KD KK"


def test_with_two_ordinary_pairs_a_card_of_either_may_follow() -> None:
    state = play(table("HK HD PK PD X9", "HA HB", FULL_DECK), "0 announce")
    assert lays(state, 0) == "HD HK PD PK"
    assert state.view(1).shown == ((), ())
    play(state, "0 lay PD")
    assert state.view(1).shown == (("PK",), ())


def test_announcing_needs_the_pair() -> None:
    refused(table("HK PD KK KD", "HA HB"), "0 announce", "holds no pair for 'announce'")
    refused(table("HK HD KK PD", "HA HB"), "0 announce trump", "holds no pair for 'announce trump'")


def test_only_the_leader_announces() -> None:
    state = play(table("HA X9", "HK HD KK KD", FULL_DECK), "0 lay HA")
    refused(state, "1 announce", "before laying the first card")
    refused(state, "1 announce trump", "before laying the first card")


def test_after_announcing_one_lays_or_stops() -> None:
    state = play(table("HK HD KK KD K9 X9", "HA HB", "KA " + FULL_DECK), "0 announce")
    for move in ("announce", "announce trump", "swap", "close"):
        refused(state, f"0 {move}", "lay a card of the pair or stop")
    assert [str(move) for move in state.legal(0)] == ["lay HD", "lay HK", "stop"]


def test_a_pair_is_announced_once_as_its_card_is_gone() -> None:
    state = play(table("HK HD X9", "HB H9 P9"), "0 announce, 0 lay HK, 1 lay HB")
    refused(state, "0 announce", "holds no pair")


def test_announcing_is_possible_when_colour_must_be_followed() -> None:
    state = play(table("HK HD", "HA P9"), "0 announce, 0 lay HK, 1 lay HA")
    assert state.points == [20, 15]


def test_one_may_stop_right_after_announcing() -> None:
    state = play(table("HK HD X9", "HA HB X10", points=(46, 0)), "0 announce, 0 stop")
    assert ended(state) == (0, 3, "Won3t", "Lost3t")


# Closing.


def test_closing_ends_drawing_and_forces_colour() -> None:
    state = play(table("HA X9", "HB P9", "K9 PA PK PD"), "0 close")
    assert (state.deck, state.closer, state.turn) == ((), 0, 0)
    view = state.view(1)
    assert (view.open, view.hidden, view.forced, view.closer) == ("K9", 0, True, 0)
    play(state, "0 lay HA, 1 lay HB")
    assert state.hands == [("X9",), ("P9",)]


def test_only_the_leader_closes_and_only_a_deck() -> None:
    refused(play(table("HA X9", "HB P9", FULL_DECK), "0 lay HA"), "1 close", "before laying the first card")
    refused(table("HA X9", "HB P9"), "0 close", "no deck")
    refused(play(table("HA X9", "HB P9", FULL_DECK), "0 close"), "0 close", "no deck")


# Stopping.


@pytest.mark.parametrize(
    ("points", "tricks", "won", "lost"),
    [
        ((66, 33), ("", "HA HB"), "Won1t", "Lost1t"),
        ((66, 32), ("", "HA HB"), "Won2t", "Lost2t"),
        ((66, 0), ("", "X9 H9"), "Won2t", "Lost2t"),
        ((66, 0), ("", ""), "Won3t", "Lost3t"),
        ((66, 50), ("", ""), "Won3t", "Lost3t"),
    ],
    ids=["more than 32", "at most 32", "a trick of no points", "no trick", "no trick but announced"],
)
def test_stopping_with_66_gives_1_2_or_3(points: tuple[int, int], tricks: tuple[str, str], won: str, lost: str) -> None:
    state = play(table("HD X9", "HK P9", points=points, tricks=tricks), "0 stop")
    assert ended(state) == (0, int(won[3]), won, lost)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.payoff == (int(won[3]), -int(won[3]))


def test_s9_66_are_enough_and_65_are_not() -> None:
    assert ended(play(table("HD", "HK", points=(66, 40), tricks=("", "HA HB")), "0 stop"))[:2] == (0, 1)
    assert ended(play(table("HD", "HK", points=(65, 40), tricks=("", "HA HB")), "0 stop")) == (1, 3, "Won3f", "Lost3f")


def test_s17_one_stops_only_with_an_empty_middle() -> None:
    state = play(table("HD X9", "HK P9", points=(0, 70)), "0 lay HD")
    refused(state, "1 stop", "only before laying the first card")


def test_stopping_a_closed_game_is_no_different() -> None:
    state = play(table("HD X9", "HK P9", FULL_DECK, points=(70, 0)), "0 close, 0 stop")
    assert ended(state) == (0, 3, "Won3t", "Lost3t")
    state = play(table("HD X9", "HK P9", FULL_DECK, points=(0, 70)), "0 close, 0 lay HD, 1 lay HK, 1 stop")
    assert ended(state) == (1, 3, "Won3t", "Lost3t")


def test_what_is_safest_comes_first() -> None:
    state = table("KK HA HB", "HK P9 X9", points=(66, 0))
    assert [str(move) for move in state.legal(0)] == ["stop", "lay HB", "lay HA", "lay KK"]
    state = table("KK HA HB", "HK P9 X9", points=(65, 0))
    assert [str(move) for move in state.legal(0)] == ["lay HB", "lay HA", "lay KK", "stop"]


# Playing to the end.


@pytest.mark.parametrize("points", [(0, 0), (100, 0), (0, 100)])
def test_if_nobody_stops_the_last_trick_gives_1_whatever_the_points(points: tuple[int, int]) -> None:
    state = play(table("HA", "HB", points=points), "0 lay HA, 1 lay HB")
    assert ended(state) == (0, 1, "wonLast", "lostLast")
    state = play(table("HB", "HA", points=points), "0 lay HB, 1 lay HA")
    assert ended(state) == (1, 1, "wonLast", "lostLast")


@pytest.mark.parametrize(
    ("points", "tricks", "expected"),
    [
        ((60, 33), ("", "PA PB"), (0, 1, "cWon1t", "cLost1t")),
        ((60, 32), ("", "PA PB"), (0, 2, "cWon2t", "cLost2t")),
        ((60, 40), ("", ""), (0, 3, "cWon3t", "cLost3t")),
        ((52, 0), ("", ""), (1, 3, "cWon3f", "cLost3f")),
    ],
)
def test_a_closed_game_played_to_its_end_is_settled_by_the_closers_points(
    points: tuple[int, int], tricks: tuple[str, str], expected: tuple[int, int, str, str]
) -> None:
    state = play(table("HA", "HB", FULL_DECK, points=points, tricks=tricks), "0 close, 0 lay HA, 1 lay HB")
    assert ended(state) == expected


def test_who_closes_loses_3_even_if_the_other_has_nothing() -> None:
    state = play(table("HB", "HA", FULL_DECK, points=(64, 0)), "0 close, 0 lay HB, 1 lay HA")
    assert ended(state) == (1, 3, "cWon3f", "cLost3f")


def test_s14_the_last_trick_of_a_closed_game_counts_once_and_leaves_the_middle_clear() -> None:
    state = play(table("HA", "HB", FULL_DECK, points=(53, 0), goal=8), "0 close, 0 lay HA, 1 lay HB")
    assert ended(state)[2] == "cWon3t"
    assert state.points == [66, 0]
    assert state.tricks == [("HA", "HB"), ()]
    assert state.last == ("HA", "HB")
    assert state.middle == ()
    assert state.scores == [3, 0]


# The series.


def test_game_points_accumulate_and_the_winner_leads_the_next_game() -> None:
    state = play(GAME.new(Options(), 3), "0 stop")
    assert state.scores == [0, 3]
    assert list(state.awaiting()) == [1]
    play(state, "1 restart")
    assert (state.number, list(state.awaiting())) == (1, [1])
    assert (state.points, state.tricks, state.closer, state.end) == ([0, 0], [(), ()], None, None)
    play(state, "1 stop, 0 restart")
    assert (state.scores, list(state.awaiting())) == ([3, 3], [0])


def test_either_may_deal_the_next_game_and_nothing_else() -> None:
    state = play(GAME.new(Options(), 3), "0 stop")
    assert list(state.legal(0)) == list(state.legal(1)) == [RESTART]
    assert list(state.speakers()) == [0]
    refused(state, "0 stop", "The game is over")
    refused(state, "2 restart", "The game is over")


def test_the_series_ends_at_its_goal() -> None:
    state = play(GAME.new(Options(goal=4), 3), "0 stop, 1 restart, 1 stop, 0 restart, 0 stop")
    assert state.scores == [3, 6]
    assert not state.awaiting() and not state.speakers() and not state.legal(0) and not state.legal(1)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.payoff, outcome.points, outcome.rounds) == ((-3, 3), (3, 6), 3)
    assert outcome.tally["won"] == (1, 2)
    assert outcome.tally["stopped"] == (2, 1)


def test_eight_game_points_are_usual_and_a_goal_of_one_is_a_single_game() -> None:
    assert Options().goal == 8
    assert play(GAME.new(Options(goal=1), 3), "0 stop").outcome() is not None
    with pytest.raises(ValueError, match="at least 1 game point, not 0"):
        Options(goal=0)


# Hidden and public information.


def test_sorting_is_no_move_and_hands_stay_as_they_came() -> None:
    with pytest.raises(ValueError, match="'sort' is no move"):
        GAME.parse("sort")
    state = play(table("X9 HA", "HB P9", "K9 KA XA PD"), "0 lay HA, 1 lay HB")
    assert state.view(0).hand == ("X9", "KA")


def test_s12_the_others_hand_is_hidden_until_the_game_has_ended() -> None:
    state = table("HA X9", "HB P9", FULL_DECK)
    view = state.view(0)
    assert view.hand == ("HA", "X9")
    assert view.hands is None
    assert "HB" not in repr(view)
    assert state.view(None).hand == ()
    assert play(state, "0 stop").view(None).hands == (("HA", "X9"), ("HB", "P9"))


def test_events_tell_every_step_and_hide_what_is_drawn() -> None:
    events: list[Event] = []
    middles = []

    def listen(event: Event) -> None:
        events.append(event)
        middles.append(state.middle)

    state = table("HA K9 HK HD", "HB P9 PB X9", "KA PA PK PD")
    state.listener = listen
    play(state, "0 swap, 0 announce, 0 lay HK, 1 lay HB, 0 close, 0 stop")
    names = [event.name for event in events]
    assert names == ["swapped", "announced", "laid", "laid", "trick", "drawn", "closed", "stopped", "ended"]
    assert events[0].public == {"seat": 0, "taken": "KA", "open": "K9"}
    assert events[1].public == {"seat": 0, "trump": False, "points": 20}
    assert middles[3] == ("HK", "HB"), "While the second card is told, both lie in the middle."
    assert events[4].public == {"seat": 0, "cards": ("HK", "HB"), "points": 6}
    assert events[5].public == {"first": 0, "hidden": 1, "open": None}
    assert events[5].private == {0: {"card": "PA"}, 1: {"card": "PK"}}
    assert events[8].public["symbols"] == ["Lost3f", "Won3f"]


def samples(state: SechsundsechzigState, seat: int, number: int = 200) -> list[SechsundsechzigState]:
    random = Random(1, "samples")
    return [state.resample(seat, random) for _ in range(number)]


def test_a_sample_keeps_the_cards_that_have_been_shown() -> None:
    swapped = play(table("K9 X9 HA", "HB P9 PB", "KA PA PK PD"), "0 swap")
    assert all("KA" in state.hands[0] for state in samples(swapped, 1))
    queen = play(table("HK HD X9 XB", "HB P9 PB XD", FULL_DECK), "0 announce, 0 lay HK")
    assert all("HD" in state.hands[0] for state in samples(queen, 1))
    pair = play(table("KK KD X9 XB", "HB P9 PB XD", "K9 PA PK PD"), "0 announce trump")
    assert all({"KK", "KD"} <= {*state.hands[0]} for state in samples(pair, 1))


def test_a_sample_has_some_pair_for_an_ordinary_announcement() -> None:
    state = play(table("HK HD X9 XB", "HB P9 PB XD", "K9 PA PK PD H9 HA"), "0 announce")
    pairs = Counter(tuple(card in sample.hands[0] for card in ("HK", "HD", "PK", "PD")) for sample in samples(state, 1))
    assert all(pair[:2] == (True, True) or pair[2:] == (True, True) for pair in pairs)
    assert len(pairs) > 2


def test_a_sample_holds_no_colour_that_could_not_be_followed() -> None:
    state = play(table("HA H10 X9", "XB P9 PB", "K9 PA HK HD PD"), "0 close, 0 lay HA, 1 lay P9")
    assert state.view(0).lacks == ("", "H")
    assert not any(card[0] == "H" for sample in samples(state, 0) for card in sample.hands[1])
    assert any(card[0] == "H" for sample in samples(state, 0) for card in sample.aside)


def test_every_consistent_hand_is_sampled_equally_often_whatever_the_true_one_is() -> None:
    deals = [("HB P9", "K9 PA PK"), ("PA PK", "K9 P9 HB")]
    found = []
    for hand, deck in deals:
        state = table("HA X9", hand, deck)
        found.append([sample.hands[1] for sample in samples(state, 0, 6000)])
    assert found[0] == found[1]
    counts = Counter(frozenset(hand) for hand in found[0])
    assert len(counts) == 6
    assert all(880 < count < 1120 for count in counts.values())


def test_later_games_of_a_sample_are_dealt_anew() -> None:
    state = GAME.new(Options(), 3)
    again = [play(sample, "0 stop, 1 restart").hands for sample in samples(state, 0, 3)]
    assert again[0] != again[1] != again[2]


@pytest.mark.parametrize("seed", range(20))
def test_cards_and_points_are_never_lost(seed: int) -> None:
    for state in moments(GAME, Options(goal=5), seed, 1000):
        assert isinstance(state, SechsundsechzigState)
        assert sorted([
            *state.hands[0], *state.hands[1], *state.tricks[0], *state.tricks[1],
            *state.middle, *state.deck, *state.aside,
        ]) == sorted(CARDS)  # fmt: skip
        for seat in (0, 1):
            announced = state.points[seat] - sum(POINTS[card] for card in state.tricks[seat])
            assert announced >= 0 and announced % 10 == 0
            assert {*state.shown[seat]} <= {*state.hands[seat]}
            assert not any(card[0] in state.lacks[seat] for card in state.hands[seat])
        waiting, missing = len(state.hands[1 - state.turn]), len(state.middle)
        assert state.end is not None or len(state.hands[state.turn]) - waiting == missing


def test_random_games_end_in_every_way_the_seed_names() -> None:
    wanted = {"Won3t", "cWon3t", "cWon3f", "Won3f", "Won2t", "cWon2t", "Won1t", "cWon1t", "wonLast"}
    found: set[str] = set()
    for seed in range(1500):
        random = Random(seed, "ends")
        state: Any = GAME.new(Options(goal=1), seed)
        while state.awaiting():
            seat = state.turn
            moves = [move for move in state.legal(seat) if move.verb != "stop" or random.below(12) == 0]
            state.play(seat, random.choice(moves))
        found.add(state.end.won)
    assert found == wanted
