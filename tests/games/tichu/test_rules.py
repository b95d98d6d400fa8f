"""Tests of Tichu's rules, one or more for each numbered paragraph of docs/rules/tichu.md, written as moves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tichu_tables import GAME, called, do, schupfed, table, texts
from tisch.game import Event, IllegalMove, Random
from tisch.games import tichu
from tisch.games.tichu import Cards, Options, TichuState
from tisch.games.tichu.agents.base import own
from tisch.games.tichu.cards import DECK, union
from tisch.games.tichu.rules import CALLS
from tisch.games.tichu.state import NOBODY

BOMB = tichu.CombinationType.BOMB


def refused(state: TichuState, move: str) -> str:
    """Make a move that must be refused, and return the reason."""
    seat, text = move.split(" ", 1)
    with pytest.raises(IllegalMove) as caught:
        state.play(int(seat), GAME.parse(text))
    return str(caught.value)


def top(state: TichuState) -> tuple[int, int, int]:
    """Return the combination to beat."""
    kind, length, rank = state.view(None).public.trick_combination
    return int(kind), length, rank


# --- 1 the cards ------------------------------------------------------------------------------------------------------


def test_1_1_there_are_56_cards_of_four_suits_and_four_special_ones() -> None:
    suited = {f"{suit}{value}" for suit in "SBGR" for value in "23456789ZBDKA"}
    assert {str(card) for card in DECK} == suited | {"Hu", "Ma", "Dr", "Ph"}
    assert sorted(str(card) for hand in schupfed(1).hands for card in hand) == sorted(str(card) for card in DECK)


def test_1_2_the_cards_count_a_hundred_points() -> None:
    counts = {"5": 5, "Z": 10, "K": 10}
    assert {str(card): card.points for card in DECK if card.points} == {
        **{f"{suit}{value}": points for suit in "SBGR" for value, points in counts.items()},
        "Dr": 25,
        "Ph": -25,
    }
    assert DECK.points == 100


# --- 2 combinations on the table --------------------------------------------------------------------------------------


def test_2_1_every_type_of_combination_can_be_laid() -> None:
    state = table("Ma S2 B3 S4 S5 S9 B9 G9 SZ BZ GA", "S3", "S6", "S7")
    offered = {(int(move.combination[0]), str(move.cards)) for move in state.legal(0)}
    assert {
        (1, "GA"),
        (2, "B9 S9"),
        (3, "G9 B9 S9"),
        (4, "BZ SZ B9 S9"),
        (5, "BZ SZ G9 B9 S9"),
        (6, "S5 S4 B3 S2 Ma"),
    } <= offered
    assert refused(state, "0 play S7").startswith("Seat 0 does not hold")
    with pytest.raises(ValueError, match="form no combination"):
        GAME.parse("play S2 B3")


def test_2_2_a_bomb_beats_everything_and_a_longer_one_beats_it() -> None:
    state = table("RA S2", "S4 B4 G4 R4 S3", "S5 S6 S7 S8 S9 B2", "RK G2")
    do(state, "0 play RA, 1 play S4 B4 G4 R4, 2 play S5 S6 S7 S8 S9")
    assert top(state) == (7, 5, 9)


def test_2_2_a_lower_bomb_of_the_same_length_does_not_beat() -> None:
    state = table("RA S2", "S4 B4 G4 R4 S3", "S3 B3 G3 R3 B2", "RK G2")
    do(state, "0 play RA, 1 play S4 B4 G4 R4")
    assert texts(state, 2) == ["pass", "tichu"]


def test_2_3_only_the_same_type_and_length_beats() -> None:
    state = table("S7 B7 S2", "S9 B9 GA S3", "S4", "S5")
    do(state, "0 play S7 B7")
    assert texts(state, 1) == ["pass", "play B9 S9", "tichu"]


def test_2_4_the_highest_reading_of_the_phoenix_counts() -> None:
    state = table("Ph S7 B7 S8 B8 S2", "S3", "S4", "S5")
    do(state, "0 play Ph S7 B7 S8 B8")
    assert top(state) == (5, 5, 8)


def test_2_5_the_phoenix_takes_the_rank_of_the_card_it_beats() -> None:
    state = table("SA S2", "Ph S3", "Dr S4", "RA S5")
    do(state, "0 play SA, 1 play Ph")
    assert top(state) == (1, 1, 14)
    assert "play Dr" in texts(state, 2)
    do(state, "2 pass")
    assert "play RA" not in texts(state, 3)


def test_2_5_a_phoenix_that_is_led_ranks_one() -> None:
    state = table("Ph S9", "Ma S2 S7", "S3", "S4")
    do(state, "0 play Ph")
    assert top(state) == (1, 1, 1)
    assert texts(state, 1) == ["pass", "play S2", "play S7", "tichu"]
    do(state, "1 play S2")
    assert top(state) == (1, 1, 2)


def test_2_5_the_phoenix_does_not_beat_the_dragon() -> None:
    state = table("Dr S2", "Ph S3", "S4", "S5")
    do(state, "0 play Dr")
    assert texts(state, 1) == ["pass", "tichu"]


def test_2_6_the_dog_gives_the_lead_to_the_partner_and_stays() -> None:
    state = table("Hu S2", "S3", "S4 S6", "S5")
    do(state, "0 play Hu")
    assert state.awaiting() == (2,)
    public = state.view(None).public
    assert (public.trick_combination, str(public.trick_cards), public.trick_owner_index) == ((0, 0, 0), "Hu", -1)
    assert "pass" not in texts(state, 2)
    do(state, "2 play S4, 3 play S5, 0 pass, 1 pass, 2 play S6, 0 pass, 1 pass, 2 take")
    assert state.outcome() is None
    assert [str(move) for _, move in state.view(None).public.tricks[0]][:2] == ["play Hu", "play S4"]


def test_2_6_if_the_partner_is_out_the_next_active_player_after_him_leads() -> None:
    assert do(table("Hu S2", "S3", "", "S5"), "0 play Hu").awaiting() == (3,)
    assert do(table("Hu S2", "S3", "", ""), "0 play Hu").awaiting() == (0,)


def test_2_6_the_dog_is_only_led_and_cannot_be_bombed() -> None:
    state = table("S2 S3", "Hu S4", "S9 B9 G9 R9", "S5")
    do(state, "0 play S2")
    assert "play Hu" not in texts(state, 1)
    state = table("Hu S3", "S4", "S6", "S9 B9 G9 R9 S8")
    do(state, "0 play Hu")
    assert "does not hold" not in refused(state, "3 play S9 B9 G9 R9")


# --- 3 before the first trick -----------------------------------------------------------------------------------------


def test_3_1_all_decide_on_grand_tichu_at_once_and_hidden() -> None:
    events: list[Event] = []
    state = GAME.new(Options(), 5, events.append)
    assert state.awaiting() == (0, 1, 2, 3)
    assert [len(state.view(seat).private.hand_cards) for seat in range(4)] == [8] * 4  # type: ignore[union-attr]
    before = state.view(0)
    told = len(events)
    do(state, "1 grand")
    assert state.view(0) == replace(before, public=replace(before.public, awaiting=(0, 2, 3)))
    assert len(events) == told
    private = state.view(1).private
    assert private is not None
    assert private.announced_grand
    do(state, "0 pass, 3 pass, 2 pass")
    assert state.view(0).public.announcements == (0, 2, 0, 0)
    assert [event.name for event in events[told:]] == ["player_announced"] + ["hand_cards_dealt"] * 4
    assert events[told].public == {"player_index": 1, "grand": True}
    private = state.view(1).private
    assert private is not None
    assert not private.announced_grand
    assert state.view(0).public.count_hand_cards == (14,) * 4


def test_3_1_who_has_decided_cannot_change_his_mind() -> None:
    state = do(GAME.new(Options(), 5), "1 grand")
    assert "not the turn" in refused(state, "1 pass")


def test_3_2_cards_go_to_the_right_opponent_the_partner_and_the_left_opponent() -> None:
    state = called(7)
    given = {}
    for seat in range(4):
        moves = [state.legal(seat)[place] for place in (0, 4, 8)]
        given[seat] = [move.cards for move in moves]
        for move in moves:
            state.play(seat, move)
    for seat in range(4):
        private = state.view(seat).private
        assert private is not None
        right, partner, left = ((seat + step) % 4 for step in (1, 2, 3))
        assert private.given_schupf_cards == tuple(given[seat])
        assert private.received_schupf_cards == (given[right][2], given[partner][1], given[left][0])
        assert all(card in private.hand_cards for card in private.received_schupf_cards)
        assert not any(card in private.hand_cards for card in given[seat])


def test_3_2_nobody_sees_what_is_given_before_all_have_given() -> None:
    state = called(7)
    before = state.view(0)
    do(state, f"1 {state.legal(1)[0]}")
    assert state.view(0) == before
    do(state, f"1 {state.legal(1)[0]}, 1 {state.legal(1)[1]}")
    assert state.view(0).public.awaiting == (0, 2, 3)
    assert state.view(0).public.count_hand_cards == (14, 11, 14, 14)


def test_3_2_a_card_is_given_once() -> None:
    state = called(7)
    first = state.legal(0)[0]
    state.play(0, first)
    assert "does not hold" in refused(state, f"0 {first}")


def test_3_3_small_tichu_is_called_after_the_schupf_also_out_of_turn() -> None:
    state = called(9)
    assert "may not" in refused(state, "0 tichu")
    state = schupfed(9)
    outside = (state.turn + 1) % 4
    assert outside in state.speakers()
    do(state, f"{outside} tichu")
    assert state.view(None).public.announcements[outside] == 1
    assert "tichu" not in texts(state, outside)


def test_3_3_small_tichu_is_called_until_ones_first_card() -> None:
    state = table("S2 S3", "S4 S5", "S6 S7", "S8 S9")
    do(state, "0 play S2")
    assert "tichu" not in texts(state, 0)
    do(state, "1 pass")
    assert "tichu" in texts(state, 1)
    do(state, "1 tichu")
    assert state.view(None).public.announcements == (0, 1, 0, 0)


def test_3_3_no_small_tichu_once_a_player_has_finished() -> None:
    state = do(table("S2", "S4 S5", "S6 S7", "S8 S9"), "0 play S2")
    assert "tichu" not in texts(state, 1)
    refused(state, "3 tichu")


def test_3_3_no_small_tichu_beside_a_grand_one() -> None:
    state = schupfed(9, grand=(2,))
    assert "tichu" not in texts(state, 2)
    assert 2 not in state.speakers()


def test_3_4_the_holder_of_the_mah_jong_leads_with_whatever_he_likes() -> None:
    state = schupfed(11)
    leader = state.awaiting()[0]
    private = state.view(leader).private
    assert private is not None
    assert Cards("Ma") in private.hand_cards
    assert state.view(None).public.start_player_index == leader
    assert "pass" not in texts(state, leader)
    state.play(leader, next(move for move in state.legal(leader) if Cards("Ma") not in move.cards))


# --- 4 tricks ---------------------------------------------------------------------------------------------------------


def test_4_1_who_leads_cannot_pass_and_who_follows_can() -> None:
    state = table("S2 S3", "S4 S5", "S6 S7", "S8 S9")
    refused(state, "0 pass")
    do(state, "0 play S2, 1 pass, 2 play S6")
    assert "not the turn" in refused(state, "1 pass")


def test_4_2_the_mah_jong_demands_a_wish() -> None:
    state = do(table("Ma S3", "S4", "S6", "S8"), "0 play Ma")
    assert state.awaiting() == (0,)
    assert texts(state, 0) == [f"wish {value}" for value in range(2, 15)]
    assert state.view(None).public.wish_value == -1
    do(state, "0 wish 8")
    assert state.view(None).public.wish_value == 8
    assert state.awaiting() == (1,)


def test_4_2_also_in_a_street() -> None:
    state = do(table("Ma S2 B3 S4 S5 SA", "S7", "S6", "S8"), "0 play Ma S2 B3 S4 S5")
    assert texts(state, 0)[0] == "wish 2"


@pytest.mark.parametrize("last", ["Ma", "Ma S2 B3 R4 S5"])
def test_4_2_also_with_the_last_cards(last: str) -> None:
    state = do(table(last, "S6 G5", "S4 S7", "S8 S9"), f"0 play {last}")
    assert state.awaiting() == (0,)
    assert texts(state, 0) == [f"wish {value}" for value in range(2, 15)]
    assert state.view(None).public.winner_index == 0
    do(state, "0 wish 5")
    assert state.awaiting() == (1,)
    assert state.view(None).public.wish_value == 5
    if last == "Ma":
        assert texts(state, 1) == ["play G5"]


@pytest.mark.parametrize("hands", [("Ma", "S4 S5", "", "S8 S9"), ("Ma", "", "S4 S5", "")])
def test_4_2_not_with_the_cards_that_end_the_round(hands: tuple[str, ...]) -> None:
    state = table(*hands)
    state.winner = 1 if hands[2] else 2
    do(state, "0 play Ma")
    assert not state.awaiting() and state.outcome() is not None


def test_4_2_who_owes_a_wish_with_no_cards_does_not_see_the_others_cards() -> None:
    state = do(table("Ma", "S4 S5", "S6 S7", "S8 S9"), "0 play Ma")
    assert own(state.view(0)).open_hands == ()
    do(state, "0 wish 5")
    assert [str(hand) for hand in own(state.view(0)).open_hands] == ["", "S5 S4", "S7 S6", "S9 S8"]


def test_4_2_a_record_of_before_the_wish_with_the_last_card_goes_on_without_it() -> None:
    state = do(table("Ma", "S4 S5", "S6 S7", "S8 S9"), "0 play Ma")
    wished = do(state.copy(), "0 wish 5")
    assert texts(state, 1) == []
    state.expect(1)
    assert state.awaiting() == (1,) and texts(state, 1) == ["pass", "play S4", "play S5"]
    do(state, "1 pass")
    assert state.awaiting() == (2,) and state.view(None).public.wish_value == 0
    # A record of today has the wish, and what it demands is not forgotten.
    again = do(table("Ma", "S4 S5", "S6 S7", "S8 S9"), "0 play Ma")
    again.expect(0)
    do(again, "0 wish 5")
    assert again.view(0) == wished.view(0)
    again.expect(1)
    with pytest.raises(IllegalMove):
        again.play(1, GAME.parse("pass"))


def test_4_2_a_record_never_left_out_the_wish_of_who_has_cards() -> None:
    state = do(table("Ma S3", "S4 S5", "S6 S7", "S8 S9"), "0 play Ma")
    state.expect(1)
    with pytest.raises(IllegalMove):
        state.play(1, GAME.parse("pass"))


def test_4_2_no_bomb_while_he_is_wishing_but_a_call() -> None:
    state = do(table("Ma S3", "S4 B4 G4 R4", "S6", "S8"), "0 play Ma")
    assert texts(state, 1) == ["tichu"]
    do(state, "1 tichu, 0 wish 5")
    assert "play R4 G4 B4 S4" in texts(state, 1)


def test_4_3_who_can_fulfil_the_wish_must() -> None:
    state = do(table("Ma S3", "S8 SK S2", "SA", "SD"), "0 play Ma, 0 wish 8")
    assert texts(state, 1) == ["play S8", "tichu"]
    assert "wish for 8 stands" in refused(state, "1 pass")
    do(state, "1 play S8")
    assert state.view(None).public.wish_value == 0


def test_4_3_the_wish_stands_over_tricks_until_it_is_fulfilled() -> None:
    state = do(
        table("Ma S3 S8", "SK SA", "S9 B9", "S2 S4 SD"),
        "0 play Ma, 0 wish 8, 1 play SK, 2 pass, 3 pass, 0 pass, 1 take",
    )
    assert state.view(None).public.wish_value == 8
    do(state, "1 play SA, 2 pass, 3 pass, 0 pass, 1 take, 2 play S9, 3 play SD, 0 pass, 2 pass, 3 take, 3 play S2")
    assert texts(state, 0) == ["play S8"]


def test_4_3_leading_too_and_in_any_combination() -> None:
    state = table("S8 B8 S7 SA", "S2", "S3", "S4")
    state.wish = state.wished = 8
    assert texts(state, 0) == ["play S8", "play B8", "play B8 S8", "tichu"]


def test_4_3_the_phoenix_is_no_wished_card() -> None:
    state = do(table("Ma S3", "Ph SK", "SA", "SD"), "0 play Ma, 0 wish 8")
    assert texts(state, 1) == ["pass", "play SK", "play Ph", "tichu"]


def test_4_3_who_cannot_legally_fulfil_it_is_free() -> None:
    state = table("S9 B9 S2", "S8 SK BK", "SA", "SD")
    state.wish = state.wished = 8
    do(state, "0 play B9 S9")
    assert texts(state, 1) == ["pass", "play BK SK", "tichu"]


def test_4_3_a_bomb_may_be_laid_instead_also_when_leading() -> None:
    state = do(table("Ma S3", "S8 S4 B4 G4 R4", "SA", "SD"), "0 play Ma, 0 wish 8")
    assert texts(state, 1) == ["play S8", "play R4 G4 B4 S4", "tichu"]
    do(state, "1 play S4 B4 G4 R4, 2 pass, 3 pass, 0 pass, 1 take")
    assert state.view(None).public.wish_value == 8
    state = table("S8 S4 B4 G4 R4", "S2", "SA", "SD")
    state.wish = state.wished = 8
    assert texts(state, 0) == ["play S8", "play R4 G4 B4 S4", "tichu"]


def test_4_3_a_wished_bomb_must_be_laid_and_off_turn_the_wish_binds_nobody() -> None:
    state = do(table("Ma S3", "SK S2", "SA S5", "S8 B8 G8 R8 S4"), "0 play Ma, 0 wish 8")
    do(state, "1 play SK, 2 play SA")
    assert texts(state, 3) == ["play R8 G8 B8 S8", "tichu"]
    assert do(state, "3 play R8 G8 B8 S8").view(None).public.wish_value == 0
    state = do(table("Ma S3", "SK S2", "SA S5", "S8 B9 G9 R9 S9"), "0 play Ma, 0 wish 8")
    assert texts(state, 3) == ["play R9 G9 B9 S9", "tichu"]


def test_4_4_a_bomb_out_of_turn_takes_the_turn() -> None:
    state = do(table("S9 S2", "SK S3", "SA S5", "S4 B4 G4 R4 S6"), "0 play S9")
    assert 3 in state.speakers()
    do(state, "3 play S4 B4 G4 R4")
    assert state.awaiting() == (0,)
    do(state, "0 pass, 1 pass, 2 pass")
    assert texts(state, 3) == ["take"]


def test_4_4_on_ones_own_trick_before_it_is_collected() -> None:
    state = do(table("SA S4 B4 G4 R4 S2", "SK S3", "S7 S5", "S6 B6"), "0 play SA")
    assert "play R4 G4 B4 S4" in texts(state, 0)
    do(state, "1 pass, 2 pass, 3 pass")
    assert texts(state, 0) == ["take", "play R4 G4 B4 S4"]
    do(state, "0 play S4 B4 G4 R4")
    assert state.awaiting() == (1,)


def test_4_4_not_while_somebody_has_the_lead() -> None:
    state = do(table("SA S2", "SK S3", "S7 S5", "S6 B6 G6 R6 S4"), "0 play SA, 1 pass, 2 pass, 3 pass, 0 take")
    assert texts(state, 3) == ["tichu"]
    refused(state, "3 play S6 B6 G6 R6")


def test_4_5_collecting_is_a_step_in_which_bombs_have_their_moment() -> None:
    state = do(table("SA S2", "SK S3", "S7 S5", "S6 B6 G6 R6 S4"), "0 play SA, 1 pass, 2 pass, 3 pass")
    assert (state.awaiting(), texts(state, 0), list(state.speakers())) == ((0,), ["take"], [1, 2, 3])
    do(state, "3 play S6 B6 G6 R6, 0 pass, 1 pass, 2 pass, 3 take")
    assert state.view(None).public.tricks[0][-2][1] == GAME.parse("pass")
    assert state.awaiting() == (3,)


def test_4_6_a_dragon_trick_is_given_to_an_opponent() -> None:
    state = do(table("Dr S2", "SK S3", "S7 S5", "S6 S4"), "0 play Dr, 1 pass, 2 pass, 3 pass")
    assert texts(state, 0) == ["dragon 1", "dragon 3"]
    assert state.view(None).public.phase == "dragon"
    refused(state, "0 take")
    refused(state, "0 dragon 2")
    do(state, "0 dragon 3")
    public = state.view(None).public
    assert (public.points, public.dragon_recipient, state.awaiting()) == ((0, 0, 0, 25), 3, (0,))


def test_4_6_one_may_bomb_ones_own_dragon_to_keep_the_trick() -> None:
    state = do(table("Dr S4 B4 G4 R4 S2", "SK S3", "S7 S5", "S6 B6"), "0 play Dr, 1 pass, 2 pass, 3 pass")
    do(state, "0 play S4 B4 G4 R4, 1 pass, 2 pass, 3 pass, 0 take")
    assert state.view(None).public.points == (25, 0, 0, 0)


def test_4_6_an_opponent_may_bomb_the_dragon_before_it_is_given_away() -> None:
    state = do(table("Dr S2", "SK S3", "S7 S5", "S6 B6 G6 R6 S4"), "0 play Dr, 1 pass, 2 pass, 3 pass")
    do(state, "3 play S6 B6 G6 R6")
    assert (state.view(None).public.phase, state.awaiting()) == ("play", (0,))


def test_4_6_also_by_a_player_who_has_run_out_with_it() -> None:
    state = do(table("Dr", "SK S3", "S7 S5", "S6 S4"), "0 play Dr, 1 pass, 2 pass, 3 pass, 0 dragon 1")
    assert state.view(None).public.points == (0, 25, 0, 0)
    assert state.awaiting() == (1,)


def test_4_7_who_is_out_is_skipped_and_his_trick_counts() -> None:
    state = do(table("SK", "S8 S3", "S7 S5", "S6 S4"), "0 play SK, 1 pass, 2 pass, 3 pass")
    assert texts(state, 0) == ["take"]
    do(state, "0 take")
    assert state.view(None).public.points == (10, 0, 0, 0)
    assert state.awaiting() == (1,)
    do(state, "1 play S3, 2 play S5, 3 play S6")
    assert state.awaiting() == (1,)


# --- 5 the end of a round ---------------------------------------------------------------------------------------------


def test_5_1_the_round_ends_at_once_when_three_are_out() -> None:
    state = do(
        table("SK", "S8", "S5 B5", "SA"), "0 play SK, 1 pass, 2 pass, 3 play SA, 1 pass, 2 pass, 3 take, 1 play S8"
    )
    public = state.view(None).public
    assert (public.is_round_over, public.loser_index, public.winner_index) == (True, 2, 0)
    assert public.game_score == ((0,), (20,))


def test_5_1_double_win() -> None:
    state = do(table("SK", "S8 SD", "SA", "S4 SZ"), "0 play SK, 1 pass, 2 play SA")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.payoff == (200, -200, 200, -200)
    assert outcome.points == (200, 0, 200, 0)
    assert outcome.tally["double wins"] == (1, 0, 1, 0)


def test_5_1_no_double_win_if_an_opponent_finished_in_between() -> None:
    state = do(
        table("SK", "SA", "S8 S9", "S4 SZ"),
        "0 play SK, 1 play SA, 2 pass, 3 pass, 1 take, 2 play S8, 3 play SZ, 2 pass, 3 take, 3 play S4",
    )
    public = state.view(None).public
    assert not public.is_double_victory
    assert public.loser_index == 2


def test_5_1_a_dragon_trick_that_ends_the_round_is_still_given_away() -> None:
    state = do(table("SK", "SA", "S8 S9", "Dr"), "0 play SK, 1 play SA, 2 pass, 3 play Dr")
    assert texts(state, 3) == ["dragon 0", "dragon 2"]
    assert list(state.speakers()) == []
    do(state, "3 dragon 0")
    assert state.outcome() is not None
    assert state.view(None).public.game_score == ((35,), (0,))


def test_5_1_but_not_after_a_double_win() -> None:
    state = do(table("SK", "S8 SD", "Dr", "S4 SZ"), "0 play SK, 1 pass, 2 play Dr")
    assert state.outcome() is not None
    assert state.view(None).public.game_score == ((200,), (0,))


def test_5_2_the_losers_tricks_go_to_the_first_and_his_hand_to_the_opponents() -> None:
    state = table("SK", "S8 SD", "S5 B5", "SA S2")
    state.points = [0, 15, 40, 0]
    do(
        state,
        "0 play SK, 1 pass, 2 pass, 3 play SA, 1 pass, 2 pass, 3 take, 3 play S2, 1 play S8, 2 pass, 1 take, 1 play SD",
    )
    # Seat 2 is left with two fives: 10 for team 31; its tricks of 40 go to seat 0, who finished first.
    assert state.view(None).public.points == (40, 15, 0, 20)
    assert state.view(None).public.game_score == ((40,), (35,))


@pytest.mark.parametrize("seed", range(30))
def test_5_2_a_round_sums_to_a_hundred_before_calls(seed: int) -> None:
    state = GAME.new(Options(rounds=1), seed)
    random = Random(seed)
    while state.awaiting():
        seat = state.awaiting()[0]
        legal = state.legal(seat)
        state.play(seat, CALLS[0] if CALLS[0] in legal else random.choice([m for m in legal if m.verb != "tichu"]))
    public = state.view(None).public
    assert sum(public.game_score[0]) + sum(public.game_score[1]) == (200 if public.is_double_victory else 100)


@pytest.mark.parametrize(("height", "value"), [(1, 100), (2, 200)])
def test_5_3_calls_count_for_or_against_the_caller(height: int, value: int) -> None:
    state = table("SK", "S8", "S5 B5", "SA")
    state.announced = [height, 0, height, 0]
    do(state, "0 play SK, 1 pass, 2 pass, 3 play SA, 1 pass, 2 pass, 3 take, 1 play S8")
    assert state.view(None).public.points == (value, 0, -value, 20)
    outcome = state.outcome()
    assert outcome is not None
    name = "grand" if height == 2 else "small"
    assert outcome.tally[f"{name} made"] == (1, 0, 0, 0)


# --- 6 the game -------------------------------------------------------------------------------------------------------


def finished(state: TichuState, *scores: tuple[int, int]) -> TichuState:
    """A game after these rounds, with one more that ends at once, 20 to 0 for team 31."""
    state.scores = (tuple(score[0] for score in scores), tuple(score[1] for score in scores))
    return do(state, "0 play SK, 1 pass, 2 pass, 3 play SA, 1 pass, 2 pass, 3 take, 1 play S8")


def test_6_1_the_game_is_played_to_the_goal() -> None:
    hands = ("SK", "S8", "S5 B5", "SA")
    assert finished(table(*hands, rounds=0), (500, 970)).outcome() is None
    outcome = finished(table(*hands, rounds=0), (500, 980)).outcome()
    assert outcome is not None
    assert (outcome.payoff, outcome.rounds) == ((-500, 500, -500, 500), 2)


def test_6_1_if_both_reach_the_goal_the_higher_wins_and_equal_teams_play_on() -> None:
    hands = ("SK", "S8", "S5 B5", "SA")
    outcome = finished(table(*hands, rounds=0), (1100, 1000)).outcome()
    assert outcome is not None
    assert outcome.payoff == (80, -80, 80, -80)
    state = finished(table(*hands, rounds=0), (1100, 1080))
    assert state.outcome() is None
    assert state.view(None).public.phase == "grand"


def test_6_1_a_new_round_begins_at_once_with_other_cards() -> None:
    events: list[Event] = []
    state = table("SK", "S8", "S5 B5", "SA", rounds=0)
    state.listener = events.append
    finished(state, (0, 0))
    names = [event.name for event in events]
    assert names[-6:] == ["round_over", "round_started"] + ["hand_cards_dealt"] * 4
    assert state.view(None).public.game_score == ((0, 0), (0, 20))
    assert state.awaiting() == (0, 1, 2, 3)


def test_6_2_who_has_finished_sees_the_cards_of_the_others() -> None:
    state = table("SK", "S8 S3", "S7 S5", "S6 S4")
    private = state.view(0).private
    assert private is not None
    assert private.open_hands == ()
    private = do(state, "0 play SK").view(0).private
    assert private is not None
    assert [str(hand) for hand in private.open_hands] == ["", "S8 S3", "S7 S5", "S6 S4"]


def test_bad_options_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="goal must be at least 1 point, not 0"):
        Options(goal=0)
    with pytest.raises(ValueError, match="rounds must be 0 or more"):
        Options(rounds=-1)


# --- invariants -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_hundred_thousand_random_moves_keep_the_invariants(seed: int) -> None:
    check_invariants(seed, 8_000)


@pytest.mark.slow
def test_a_million_random_moves_keep_the_invariants() -> None:
    for seed in range(100, 110):
        check_invariants(seed, 100_000)


def check_invariants(seed: int, count: int) -> None:
    """Make random moves, game after game; the cards, the points, the turns and the wish must stay consistent."""
    random = Random(seed, "invariants")
    state = GAME.new(Options(rounds=3), seed)
    for number in range(count):
        if not state.awaiting():
            state = GAME.new(Options(rounds=3), random.bits())
        look_after(state)
        speakers = state.speakers()
        seat = random.choice(speakers) if speakers and random.below(3) == 0 else random.choice(state.awaiting())
        if number % 50 == 0:
            look_after(state.resample(seat, random))
        wish, hand, was_turn = state.wish, state.hands[seat], state.turn
        move = random.choice(state.legal(seat))
        lies = state.trick_combination
        state.play(seat, move)
        if (
            wish
            and move.verb == "play"
            and seat == was_turn
            and move.combination.type != BOMB
            and state.phase == "play"
        ):
            wished = Cards.of_value(wish)
            could = [cards for cards, _ in tichu.plays(hand, lies) if cards & wished]
            assert not could or move.cards & wished, (number, move)


def look_after(state: TichuState) -> None:
    """Check the invariants of every moment."""
    aside = [card for given in state.given for card in given] if state.phase == "schupf" else []
    parts = [*state.hands, *aside, state.played, *(state.rest if state.phase == "grand" else ())]
    assert sum(map(len, parts)) == 56
    assert union(parts) == DECK
    awaited = state.awaiting()
    assert len(awaited) == 1 or state.phase in {"grand", "schupf"}
    taken = sum(state.points)
    held = [*state.hands, *aside, *(state.rest if state.phase == "grand" else ()), state.trick_cards]
    if state.phase != "over":
        assert taken + sum(part.points for part in held) == 100
    if state.phase == "play" and state.owner != NOBODY:
        for seat in range(4):
            bombs = [move for move in state.legal(seat) if move.combination.type == BOMB]
            on_top = tichu.plays(state.hands[seat], state.trick_combination)
            holds = [cards for cards, combination in on_top if combination.type == BOMB]
            assert len(bombs) == len(holds)
