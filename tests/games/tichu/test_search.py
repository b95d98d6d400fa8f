"""Tests of Tichu's own search: each kind of decision, its strength, what it may see, and its parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import fmean
from typing import Any

import pytest

from tests.games.tichu.test_round import moments
from tichu_tables import GAME, called, do, table, tried
from tisch._core import derive
from tisch._core.tichu import decision, evaluate
from tisch.agents import find_agent, strongest
from tisch.arena import Match
from tisch.game import Agent, Random, Samples
from tisch.games.tichu import Cards, Move, Options, TichuState, simulate
from tisch.games.tichu.agents import BeliefAgent, HeuristicAgent, SearchAgent
from tisch.games.tichu.cards import DECK
from tisch.games.tichu.moves import GRAND, PASS, TAKE, TICHU
from tisch.games.tichu.state import Missed

#: The parameters of a quick search.
WEAK: dict[str, Any] = {"playouts": 60, "worlds": 12, "candidates": 4, "caution": 1.5, "draws": 2, "policy": "quick"}


def decided(state: TichuState, seat: int, must: bool = True, seed: int = 1, **how: Any) -> Move | None:
    """Return the decision of a search."""
    agent = SearchAgent(**how)
    agent.start(Random(seed))
    return agent.act(Samples(state, seat), state.legal(seat), must)


# --- decisions that are known by enumeration --------------------------------------------------------------------------


def leads(state: TichuState, seat: int) -> set[float]:
    """Return a seat's leads over all continuations without calls."""
    outcome = state.outcome()
    if outcome is not None:
        return {outcome.payoff[seat]}
    found = set()
    for mover in (*state.speakers(), *state.awaiting()):
        for move in state.legal(mover):
            if move != TICHU:
                found |= leads(played(state, mover, move), seat)
    return found


def played(state: TichuState, seat: int, move: Move | None) -> TichuState:
    """Return the state after a move, or after silence: then the awaited seat passes."""
    other = state.copy()
    if move is None:
        other.play(other.turn, other.legal(other.turn)[0])
    else:
        other.play(seat, move)
    return other


def worth(state: TichuState, seat: int, must: bool = True) -> dict[Move | None, tuple[float, float]]:
    """Return the least and the most that each move brings, in all worlds and over all continuations."""
    random = Random(7)
    worlds = {tuple(world.hands): world for world in (state.resample(seat, random) for _ in range(150))}
    moves: list[Move | None] = [move for move in state.legal(seat) if move != TICHU]
    if not must:
        moves.append(None)
    found = {
        move: set[float]().union(*(leads(played(world, seat, move), seat) for world in worlds.values()))
        for move in moves
    }
    return {move: (min(values), max(values)) for move, values in found.items()}


def test_it_does_not_wish_for_what_cannot_double_win() -> None:
    """Seat 3 is about to finish. If seat 1 lays its ten or queen, it can be beaten; after its king, nothing is left."""
    state = table("Ma SD", "SK SZ", "", "S5 B5")
    state.winner = 2
    do(state, "0 play Ma")
    values = worth(state, 0)
    assert values[Move("wish 13")][1] < values[Move("wish 10")][1]
    assert simulate(state).decide(0, "heuristic", Random(1)) == Move("wish 13")
    assert decided(state, 0) != Move("wish 13")


def test_a_bomb_out_of_turn_wins_what_cannot_be_won_later() -> None:
    """Seat 1 wins the trick with an ace and then goes out with its last card, unless seat 0 goes out with its bomb."""
    state = do(table("S2 B2 G2 R2", "SA S4", "S5", "S7 B8", lead=1), "1 play SA")
    bomb = state.legal(0)[0]
    assert set(leads(played(state, 0, bomb), 0)) > set() and min(leads(played(state, 0, bomb), 0)) > -50
    assert decided(state, 0, must=False) == bomb
    # On the partner's trick it keeps silent.
    state = do(table("S2 B2 G2 R2 S9", "S5 B6", "SA S4", "S7 B8", lead=2), "2 play SA")
    assert decided(state, 0, must=False) is None


def test_it_calls_what_it_cannot_fail_and_nothing_that_it_cannot_make() -> None:
    sure = table("SA BA GA RA", "S4 B5", "S5 B6", "S7 B8")
    assert decided(sure, 0) == TICHU
    hopeless = table("S2 B4 G6", "SA", "S5 B6", "S7 B8")
    assert decided(hopeless, 0) != TICHU


def test_the_points_of_a_dragon_go_where_they_come_back_from() -> None:
    """Seat 2 was first and seat 1 second; seat 0 wins all that is left and goes out, so that seat 3 is the last.

    What seat 3 has won goes to seat 2 then, and what seat 1 has won stays there.
    """
    state = table("Dr S9 B9", "", "", "S4 B6")
    state.winner, state.callers = 2, ()
    # The call is lost already, so it is no reason to spare seat 3.
    state.announced[3] = 1
    do(state, "0 play Dr, 3 pass")
    values = worth(state, 0)
    # 25 points for the dragon, 100 for the call that seat 3 has lost.
    assert values == {Move("dragon 3"): (100 + 25, 100 + 25), Move("dragon 1"): (100 - 25, 100 - 25)}
    assert simulate(state).decide(0, "heuristic", Random(1)) == Move("dragon 1")
    assert decided(state, 0) == Move("dragon 3")


def gain(state: TichuState, seat: int, one: list[Move], other: list[Move]) -> tuple[float, float]:
    """Return by how much the first moves are better than the others in many new worlds, and the standard error."""
    sums = evaluate(simulate(state), seat, [other, one], 600, "heuristic", 99)
    mean = (sums[1][0] - sums[0][0]) / 600
    return mean, math.sqrt(max(sums[1][2] / 600 - mean * mean, 0) / 600)


def give(state: TichuState, agent: Agent[Any], view: Callable[[TichuState], Any]) -> list[Move]:
    """Return the three gifts of seat 0."""
    state, gifts = state.copy(), []
    agent.start(Random(1))
    for _ in range(3):
        gift = agent.act(view(state), state.legal(0), True)
        assert gift is not None
        gifts.append(gift)
        state.play(0, gift)
    return gifts


def test_gifts_that_it_prefers_are_better_in_new_worlds() -> None:
    gains = []
    for seed in range(10):
        state = called(seed)
        own = give(state, SearchAgent(playouts=400, caution=0.5), lambda state: Samples(state, 0))
        usual = give(state, HeuristicAgent(), lambda state: state.view(0))
        if own != usual:
            gains.append(gain(state, 0, own, usual)[0])
    assert len(gains) > 2 and fmean(gains) > 3, gains


@pytest.mark.parametrize(
    ("hand", "call"),
    [("Ph Dr SA BA GA SK BK SD", GRAND), ("Ma S2 B3 S4 B5 G7 S8 B9", PASS), ("Hu Ph S2 B3 G5 S6 B8 S9", PASS)],
)
def test_grand_tichu_is_called_with_the_best_cards_and_not_with_the_worst(hand: str, call: Move) -> None:
    deck = list(DECK - Cards(hand))
    Random(3).shuffle(deck)
    parts = [Cards([str(card) for card in deck[8 * place : 8 * place + 8]]) for place in range(3)]
    rest = [Cards([str(card) for card in deck[24 + 6 * place : 30 + 6 * place]]) for place in range(4)]
    state = GAME.from_deal([hand, *parts], rest=rest)
    assert decided(state, 0) == call
    mean, error = gain(state, 0, [GRAND], [PASS])
    assert (mean - 2 * error > 0) == (call == GRAND)


# --- strength ---------------------------------------------------------------------------------------------------------


def test_plays_that_it_prefers_are_better_in_new_worlds() -> None:
    """In rounds of the heuristic, each play that the search would rather make is compared with the heuristic's."""
    gains = []
    for number in range(6):
        state = GAME.new(Options(rounds=1), derive(50, number))
        usual = HeuristicAgent()
        usual.start(Random(number))
        while state.awaiting():
            seat = state.awaiting()[0]
            if state.phase == "play" and len(state.legal(seat)) > 1 and state.owner != seat:
                best = [Move(text) for text in tried(state, seat, number, **WEAK)[0][0]]
                theirs = simulate(state).decide(seat, "heuristic", Random(1))
                assert theirs
                if best[-1] != theirs:
                    gains.append(gain(state, seat, best, [theirs])[0])
            move = usual.act(state.view(seat), state.legal(seat), True)
            assert move is not None
            state.play(seat, move)
    assert len(gains) > 12 and fmean(gains) > 3, (len(gains), fmean(gains))


@pytest.mark.slow
def test_it_beats_the_heuristic() -> None:
    """Each deal is played twice, with the seats swapped."""
    result = Match("tichu", ["search", "heuristic"], options={"rounds": 1}, games=400, seed=50).run()
    lead = result.standing.counted[0].points_per_round()
    assert lead and lead.low and lead.low > 10, lead


# --- what it sees -----------------------------------------------------------------------------------------------------


def every_phase() -> list[tuple[TichuState, int]]:
    """Return a moment of each phase with several moves, and the seat that decides."""
    found: dict[str, tuple[TichuState, int]] = {}
    for state, _ in moments(range(12), 3):
        seat = state.awaiting()[0]
        if len(state.legal(seat)) > 1 and state.legal(seat)[0] != TAKE:
            found[state.phase] = (state.copy(), seat)
    return list(found.values())


def test_it_decides_the_same_on_any_number_of_threads_and_whatever_is_hidden() -> None:
    phases = every_phase()
    assert {state.phase for state, _ in phases} >= {"grand", "schupf", "play", "wish", "dragon"}
    for state, seat in phases:
        found = tried(state, seat, 5, **WEAK)
        assert [tried(state, seat, 5, **WEAK, threads=threads) for threads in (2, 5)] == [found, found]
        for number in range(3):
            other = state.resample(seat, Random(number))
            assert tried(other, seat, 5, **WEAK) == found, state.phase
        assert Move(found[0][0][0]) in state.legal(seat)


def test_others_decide_anew_what_they_have_given_already() -> None:
    """A seat does not see the gifts of others before its own, and must not take them for any three cards."""
    state = called(5)
    other = state.copy()
    for _ in range(3):
        other.play(1, other.legal(1)[-1])
    assert other.awaiting() == (0, 2, 3)
    assert tried(other, 0, 3, **WEAK) == tried(state, 0, 3, **WEAK) != tried(state, 0, 4, **WEAK)


def turned(state: TichuState, by: int) -> TichuState:
    """Return a state in which all seats have moved on."""

    def on(seat: int) -> int:
        return (seat + by) % 4 if seat >= 0 else seat

    other = state.copy()
    for name in ("hands", "rest", "laid", "given", "decided", "announced", "points"):
        values = getattr(state, name)
        setattr(other, name, values[-by:] + values[:-by])
    for name in ("awaited", "callers", "void"):
        setattr(other, name, tuple(sorted(map(on, getattr(state, name)))))
    for name in ("owner", "turn", "winner", "loser"):
        setattr(other, name, on(getattr(state, name)))
    other.missed = tuple(Missed(on(missed.seat), missed.combination, missed.played) for missed in state.missed)
    other.tricks = tuple(tuple((on(seat), move) for seat, move in trick) for trick in state.tricks)
    other.trick = [(on(seat), move) for seat, move in state.trick]
    return other


def test_no_seat_is_special() -> None:
    """Where all seats have moved on, a seat knows the same, and tries the same with the same results."""
    equal = []
    for state, _ in moments(range(8), 9):
        seat = state.awaiting()[0]
        asked, own = decision(simulate(state), seat), tried(state, seat, 7, **WEAK)
        for by in (1, 2, 3):
            other, there = turned(state, by), (seat + by) % 4
            found = decision(simulate(other), there)
            assert (found and (found.common, found.features)) == (asked and (asked.common, asked.features))
            equal.append([leads for _, leads in tried(other, there, 7, **WEAK)] == [leads for _, leads in own])
    # Of several seats with bombs, the one with the lowest number is asked first.
    assert fmean(equal) > 0.9 and len(equal) > 150, (fmean(equal), len(equal))


def test_the_usual_move_stays_in_every_world() -> None:
    """What the heuristic would do is tried in as many worlds as anything else: nothing replaces it by chance."""
    alternatives = 0
    for state, seat in every_phase():
        for seed in range(8):
            found = tried(state, seat, seed, **{**WEAK, "caution": 1000.0})
            worlds = [len(leads) for _, leads in found]
            assert worlds[0] == max(worlds)
            alternatives += len(worlds) > 1
            usual = simulate(state).decide(seat, "heuristic", Random(1))
            assert usual is None or found[0][0][0] == str(usual) or usual == TICHU
    assert alternatives > 20


def test_three_gifts_are_one_decision() -> None:
    state = called(5)
    gifts = give(state, SearchAgent(**WEAK), lambda state: Samples(state, 0))
    assert tried(state, 0, 1, **WEAK)[0][0] == list(map(str, gifts))


def test_a_verdict_is_about_new_worlds() -> None:
    state = do(table("S2 B2 G2 R2", "SA S4", "S5", "S7 B8", lead=1), "1 play SA")
    bomb = state.legal(0)[0]
    agent = SearchAgent(**WEAK)
    agent.start(Random(1))
    assert agent.verdict(Samples(state, 0), state.legal(0), False, bomb).lost == 0
    sure = table("SA BA GA RA", "S4 B5", "S5 B6", "S7 B8")
    agent.start(Random(1))
    found = agent.verdict(Samples(sure, 0), sure.legal(0), True, Move("play SA"))
    assert found.best == "tichu" and found.lost > 50 and found.expected > 100


def test_the_game_says_that_this_is_its_search() -> None:
    assert find_agent(GAME, "search") is SearchAgent
    assert strongest(GAME) == "belief:style=team" and issubclass(BeliefAgent, SearchAgent)


# --- parameters -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"playouts": 0}, "The parameter 'playouts' of 'search' is a whole number from 1 on, not 0."),
        ({"worlds": 0}, "The parameter 'worlds' of 'search' is a whole number from 1 on, not 0."),
        ({"candidates": -1}, "The parameter 'candidates' of 'search' is a whole number from 1 on, not -1."),
        ({"draws": 0}, "The parameter 'draws' of 'search' is a whole number from 1 to 65535, not 0."),
        ({"draws": 2**40}, "The parameter 'draws' of 'search' is a whole number from 1 to 65535, not 1099511627776."),
        (
            {"playouts": 2**64},
            f"A parameter of a policy is a number up to {2**63 - 1}, not {2**64}.",
        ),
        ({"threads": 0}, "The parameter 'threads' of 'search' is a whole number from 1 on, not 0."),
        ({"caution": -1.0}, "The parameter 'caution' of 'search' is a number from 0 on, not -1."),
        ({"caution": math.nan}, "The parameter 'caution' of 'search' is a number from 0 on, not NaN."),
        ({"policy": 3}, "The parameter 'policy' of 'search' is a text, not 3."),
        ({"policy": "best"}, "There is no policy 'best', only: random, greedy, quick, heuristic, exact."),
    ],
)
def test_bad_parameters_are_refused_with_a_sentence(how: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below.
        SearchAgent(**how)
    assert str(caught.value) == sentence


def test_a_round_that_is_over_has_no_worlds() -> None:
    state = do(table("S2", "S3 S4", "S5", "S6 S7"), "0 play S2, 1 pass")
    do(state, f"{state.awaiting()[0]} play S5")
    assert not state.awaiting()
    with pytest.raises(ValueError, match="nothing to decide"):
        tried(state, 1, 1, **WEAK)


def test_effort_is_a_number_of_playouts() -> None:
    state, seat = next((state, seat) for state, seat in every_phase() if state.phase == "play")
    for playouts in (1, 40, 300):
        found = tried(state, seat, 5, **{**WEAK, "playouts": playouts, "caution": 0.0})
        assert sum(len(leads) for _, leads in found) <= max(playouts, len(found))


def test_gifts_and_a_small_tichu_get_more_playouts_where_it_is_wished() -> None:
    seen = {"rare": 0, "usual": 0}
    for state, seat in every_phase():
        once, more = (tried(state, seat, 5, **{**WEAK, "playouts": 24, "once": times}) for times in (1, 3))
        spent, wanted = (sum(len(leads) for _, leads in found) for found in (once, more))
        calls = {moves[:1] == ["tichu"] for moves, _ in once}
        is_rare = state.phase == "schupf" or calls == {True, False}
        seen["rare" if is_rare else "usual"] += len(once) > 1
        assert wanted > spent if is_rare and len(once) > 1 else wanted == spent, (state.phase, once)
    assert min(seen.values()) > 0, seen
