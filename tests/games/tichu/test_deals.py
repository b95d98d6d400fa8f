"""Tests of positions set up by hand: they agree with played ones, and impossible ones are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tichu_tables import GAME, do, texts
from tisch import driver
from tisch.agents.random import RandomAgent
from tisch.game import Event, Random
from tisch.games.tichu import Cards, Options, TichuState, simulate
from tisch.games.tichu.cards import DECK
from tisch.games.tichu.moves import GRAND, Move

#: Four hands of 14 cards: seat 0 all high, then lower and lower; the Mah Jong with seat 3.
HANDS = [Cards(list(DECK)[14 * seat : 14 * seat + 14]) for seat in range(4)]
GIFTS = [["SA", "BA", "GA"], ["R8", "SZ", "G8"], ["S5", "B5", "G5"], ["S2", "Hu", "B2"]]


def shown(state: TichuState) -> list[Any]:
    """Return the views and the legal moves of all seats."""
    return [(state.view(seat), [str(move) for move in state.legal(seat)]) for seat in range(4)]


def finished(state: TichuState) -> tuple[int, ...]:
    """Return the points after random agents have played on."""
    agents: list[RandomAgent[Move]] = [RandomAgent() for _ in range(4)]
    for seat, agent in enumerate(agents):
        agent.start(Random(7, seat))
    driver.play(state, agents)
    outcome = state.outcome()
    assert outcome is not None
    return outcome.points


def test_a_round_begins_with_any_eight_cards() -> None:
    played = GAME.new(Options(rounds=1), 5)
    eights, sixes = played.hands, played.rest
    state = GAME.from_deal(eights, rest=sixes)
    assert shown(state) == shown(played)
    assert finished(state) == finished(played)


def test_a_round_begins_with_any_deal_and_the_calls_made() -> None:
    state = GAME.from_deal(HANDS, calls=(0, 2, 0, 0))
    public = state.view(None).public
    assert (public.phase, public.announcements, state.tally["grand called"]) == ("schupf", (0, 2, 0, 0), [0, 1, 0, 0])
    assert state.hands == HANDS


def test_gifts_are_handed_over_and_the_holder_of_the_mah_jong_leads() -> None:
    state = GAME.from_deal(list(map(str, HANDS)), GIFTS, (1, 0, 0, 2))
    assert (state.phase, state.awaiting(), state.view(None).public.announcements) == ("play", (3,), (1, 0, 0, 2))
    assert Cards("Hu") in state.hands[1]
    assert [str(card) for card in state.received[0]] == ["G8", "B5", "S2"]
    assert "tichu" in texts(state, 1) and "tichu" not in texts(state, 0)
    assert len(finished(state)) == 4


def test_a_position_within_a_round_is_that_of_the_round_played() -> None:
    """At every lead, the position set up again is the same for the core, except for the evidence of earlier moves."""
    compared = 0
    for seed in range(40):
        random, state = Random(seed, "moments"), GAME.new(Options(rounds=1), seed)
        while state.awaiting():
            if state.phase == "play" and state.owner < 0 and not state.trick_cards and len(state.tricks) > 0:
                again = GAME.from_deal(
                    state.hands,
                    state.given,
                    state.announced,
                    lead=state.turn,
                    laid=state.laid,
                    wish=state.wish,
                    winner=state.winner if state.winner >= 0 else None,
                    points=state.points,
                )
                state.missed, state.void, state.wished, state.tricks = (), (), again.wished, ()
                assert simulate(again) == simulate(state)
                assert [again.view(seat).private for seat in range(4)] == [
                    state.view(seat).private for seat in range(4)
                ]
                compared += 1
            seat = state.awaiting()[0]
            state.play(seat, random.choice(state.legal(seat)))
    assert compared > 300


def test_a_puzzle_needs_no_more_than_hands_and_a_lead() -> None:
    state = GAME.from_deal(["SA S2", "SK S3", "", "BK B3"], lead=0)
    assert state.view(None).public.winner_index == 2
    assert texts(state, 0) == ["play S2", "play SA"]
    do(state, "0 play SA, 1 pass, 3 pass, 0 take, 0 play S2")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.points == (200, 0, 200, 0)  # both members of a team are out first


def test_what_is_not_told_follows_from_the_seed() -> None:
    one, again, other = [GAME.from_deal(["SA S2", "SK S3", "S4", "BK B3"], lead=0, seed=seed) for seed in (1, 1, 2)]
    assert (one.laid, one.given) == (again.laid, again.given) != (other.laid, other.given)
    for seat in range(4):
        assert len(one.hands[seat]) + len(one.laid[seat]) == 14
        assert all(
            card in one.hands[(seat + step) % 4] | one.laid[(seat + step) % 4]
            for step, card in enumerate(one.given[seat], start=1)
        )


def test_a_sample_of_a_position_is_dealt_like_any_other() -> None:
    state = GAME.from_deal(["SA S2", "SK S3", "S4 B7", "BK B3"], lead=0)
    hands = {tuple(state.resample(0, Random(seed)).hands[1:]) for seed in range(300)}
    assert len(hands) > 20


def test_who_has_laid_nothing_may_still_call() -> None:
    state = GAME.from_deal([HANDS[0], HANDS[1], "S5 B5", HANDS[3]], lead=2)
    assert "tichu" in texts(state, 0) and "tichu" not in texts(state, 2)


def test_the_bombs_of_a_position_can_be_thrown() -> None:
    state = GAME.from_deal(["S9 S2", "S5 B7", "S6 S7", "S4 B4 G4 R4 G2"], lead=0)
    do(state, "0 play S9")
    assert (state.speakers(), texts(state, 3)) == ((3,), ["play R4 G4 B4 S4"])


def test_a_listener_is_told_what_happens_from_there_on() -> None:
    events: list[Event] = []
    state = GAME.from_deal(["SA S2", "SK S3", "S4", "BK B3"], lead=0, listener=events.append)
    do(state, "0 play SA")
    assert [event.name for event in events] == ["player_played", "player_turn_changed"]


SEVEN = [str(hand) for hand in HANDS]


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        (lambda: GAME.from_deal(HANDS[:3]), "There are four seats, so there must be four hands."),
        (lambda: GAME.from_deal([*SEVEN[:3], SEVEN[2]]), "is at two places."),
        (lambda: GAME.from_deal([*SEVEN[:3], SEVEN[3][3:]]), "Seat 3 has 13 cards, but before the first trick"),
        (lambda: GAME.from_deal(HANDS, calls=(3, 0, 0, 0)), "Seat 0 can have called 0 nothing"),
        (lambda: GAME.from_deal(HANDS, calls=(1, 0, 0, 0)), "Before the schupf nobody can have called small Tichu."),
        (lambda: GAME.from_deal(HANDS, calls=(0, 0)), "there must be four calls."),
        (lambda: GAME.from_deal(HANDS, GIFTS[:3]), "there must be four sets of gifts."),
        (lambda: GAME.from_deal(HANDS, [["SA", "BA"], *GIFTS[1:]]), "Seat 0 must give three cards away"),
        (lambda: GAME.from_deal(HANDS, [["S2", "BA", "GA"], *GIFTS[1:]]), "The card S2 is given away twice."),
        (lambda: GAME.from_deal(HANDS, [["S3", "BA", "GA"], *GIFTS[1:]]), "Seat 0 cannot give S3 away"),
        (lambda: GAME.from_deal(HANDS, wish=5), "there is no 'wish' yet."),
        (lambda: GAME.from_deal(HANDS, points=[0] * 4), "there is no 'points' yet."),
        (lambda: GAME.from_deal(HANDS, rest=[""] * 4), "Seat 0 has 14 cards, but before the Grand Tichu"),
        (lambda: GAME.from_deal(HANDS, GIFTS, rest=[""] * 4), "nobody has given cards away."),
        (lambda: GAME.from_deal(["SA", "S2", "S3", ""], lead=3), "Seat 3 cannot lead, for it has no cards."),
        (lambda: GAME.from_deal(["SA", "S2", "S3", ""], lead=4), "Seat 4 cannot lead, for there are the seats 0 to 3."),
        (lambda: GAME.from_deal(["SA", "", "", ""], lead=0), "over when only one seat has cards."),
        (lambda: GAME.from_deal(["SA", "", "S2", ""], lead=0), "over when both of a team have no cards."),
        (lambda: GAME.from_deal(["SA", "S2", "", ""], lead=0), "it must be told who finished first."),
        (lambda: GAME.from_deal(["SA", "S2", "", ""], lead=0, winner=1), "Seat 1 cannot have finished first"),
        (lambda: GAME.from_deal(["SA", "S2", "S3", "S4"], lead=0, winner=1), "while all have cards."),
        (lambda: GAME.from_deal(["SA", "S2", "S3", "Ma"], lead=0, wish=5), "before the Mah Jong is laid."),
        (lambda: GAME.from_deal(["SA", "S2", "S3", "S4"], lead=0, wish=15), "not 15."),
        (lambda: GAME.from_deal(["SA", "S2", "S3", "SK"], lead=0, points=[100, 0, 0, 0]), "what was laid counts 90."),
        (
            lambda: GAME.from_deal(["SA", "S2", "S3", "SK"], lead=0, points=[0, 126, -36, 0]),
            "The tricks of seat 1 cannot count 126 points.",
        ),
        (lambda: GAME.from_deal(["SA", "S2", "S3", "SA"], lead=0), "The card SA is at two places."),
        (lambda: GAME.from_deal([DECK, "", "", ""], lead=0), "Seat 0 has 56 cards"),
        (lambda: GAME.from_deal(["SA", "S2", "S3", "S4"], lead=0, laid=["", "", "", ""]), "Nobody has "),
        (
            lambda: GAME.from_deal(["SA", "S2", "S3", "S4"], [["Ph", "S4", "S3"], *GIFTS[1:]], lead=0),
            "Seat 0 cannot have given S4 to seat 2",
        ),
        (lambda: GAME.from_deal(["SA", "S2", "S3", "S4"], lead=0, rest=[""] * 4), "no rest to be dealt"),
        (lambda: GAME.from_deal(["XX", "", "", ""], lead=0), "There is no card 'XX'."),
    ],
)
def test_an_impossible_position_is_refused_with_a_sentence(position: Callable[[], TichuState], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below.
        position()
    assert sentence in str(caught.value)


def test_a_call_made_in_a_position_is_counted() -> None:
    state = GAME.from_deal(["SA", "S2 S4", "S3 B3", "SK B4"], calls=(2, 0, 0, 0), lead=0)
    assert state.decided[0] == GRAND
    do(state, "0 play SA, 1 pass, 2 pass, 3 pass, 0 take")
    assert state.view(None).public.winner_index == 0
    assert state.tally["grand called"] == [1, 0, 0, 0]
