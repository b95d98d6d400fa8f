"""Tests of Tichu's rules against their slow, obvious twin: whole games, compared before every move."""

from __future__ import annotations

from collections import Counter

import pytest

from reference.combinations import BOMB
from reference.tichu_rules import Referee
from tichu_hands import places
from tichu_tables import choose, deal_rich
from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu import Cards, Combination, Move, Options, TichuState


def compare(state: TichuState, referee: Referee) -> list[list[str]]:
    """Compare everything that both know; return each seat's legal moves."""
    assert list(state.awaiting()) == referee.awaited()
    legal = [[str(move) for move in state.legal(seat)] for seat in range(4)]
    assert [set(moves) for moves in legal] == [referee.legal(seat) for seat in range(4)]
    assert [len(set(moves)) for moves in legal] == list(map(len, legal))
    speakers = [seat for seat in range(4) if legal[seat] and seat not in referee.awaited()]
    assert list(state.speakers()) == speakers
    public = state.view(None).public
    assert public.trick_combination == (referee.lies or (0, 0, 0))
    assert public.trick_owner_index == (-1 if referee.owner is None else referee.owner)
    assert max(public.wish_value, 0) == referee.wish
    assert [{*places(hand)} for hand in state.hands] == referee.hands
    assert list(zip(*public.game_score, strict=True)) == referee.scores
    return legal


def play_both(seed: int, seen: Counter[str]) -> None:
    """Play a random game in both, and record its rare events."""
    random = Random(seed, "referee")
    goal, rounds = random.choice([(1000, 2), (60, 4)])
    manner = random.below(3)
    state = tichu.GAME.new(Options(goal=goal, rounds=rounds), seed)
    referee = Referee(goal, rounds)
    dealt = -1
    while state.awaiting() or not referee.is_over:
        if dealt != len(referee.scores):
            dealt = len(referee.scores)
            if random.below(3):
                deal_rich(state, random)
            referee.deal([{*places(hand)} for hand in state.hands], [{*places(hand)} for hand in state.rest])
        legal = compare(state, referee)
        speakers = state.speakers()
        seat = random.choice(speakers) if speakers and random.below(4) == 0 else random.choice(state.awaiting())
        move = Move(choose(legal[seat], manner, random))
        seen.update(happenings(state, seat, move))
        state.play(seat, move)
        referee.play(seat, str(move))
    outcome = state.outcome()
    assert outcome is not None
    lead = sum(one - other for one, other in referee.scores)
    assert outcome.payoff == (lead, -lead, lead, -lead)
    assert outcome.rounds == len(referee.scores)


def happenings(state: TichuState, seat: int, move: Move) -> list[str]:
    """Name what is rare about a move, so that a test can check that it was compared."""
    public, lead = state.view(None).public, Combination(tichu.CombinationType.PASS, 0, 0)
    in_turn = seat in public.awaiting
    last = move.verb == "play" and move.cards == state.hands[seat]
    names = {
        "bomb out of turn": move.combination[0] == BOMB and not in_turn,
        "bomb on a bomb": move.combination[0] == BOMB and public.trick_combination[0] == BOMB,
        "bomb on one's own trick": move.combination[0] == BOMB and public.trick_owner_index == seat,
        "bomb on a dragon": move.combination[0] == BOMB and public.trick_combination == (1, 1, 15),
        "bomb under a wish": move.combination[0] == BOMB and public.wish_value > 0,
        "wish binds": public.wish_value > 0 and in_turn and "pass" not in map(str, state.legal(seat)),
        "phoenix led": str(move) == "play Ph" and public.trick_combination == lead,
        "phoenix laid": str(move) == "play Ph" and public.trick_combination != lead,
        "dog": str(move) == "play Hu",
        "dog to a partner who is out": str(move) == "play Hu" and public.count_hand_cards[(seat + 2) % 4] == 0,
        "Mah Jong last": last and Cards("Ma") in move.cards,
        "dragon last": last and str(move) == "play Dr",
        "dog last": last and str(move) == "play Hu",
        "dragon given at the end of the round": move.verb == "dragon" and public.loser_index >= 0,
        "trick taken by one who is out": move.verb in {"take", "dragon"} and not state.hands[seat],
        "call out of turn": move.verb == "tichu" and not in_turn,
    }
    return [name for name, happens in names.items() if happens]


def test_random_games_are_refereed_alike() -> None:
    seen: Counter[str] = Counter()
    for seed in range(30):
        play_both(seed, seen)
    assert len(seen) >= 15, seen


@pytest.mark.slow
def test_thousands_of_random_games_are_refereed_alike() -> None:
    seen: Counter[str] = Counter()
    for seed in range(1000, 4000):
        play_both(seed, seen)
    assert len(seen) == 16, seen
