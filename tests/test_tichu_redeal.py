"""Tests of what a seat can conclude about hidden cards, by the slow twin, in random games of Tichu."""

from __future__ import annotations

from reference import combinations as reference
from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu import Move, Options, TichuState


def places(mask: int) -> frozenset[int]:
    """The places in the deck of cards as a mask."""
    return frozenset(place for place in range(56) if mask >> place & 1)


def held_then(state: TichuState, seat: int, played: int) -> frozenset[int]:
    """What a seat held when these cards had been played: its hand, and what it has laid since."""
    turns = [turn for trick in (*state.tricks, state.trick) for turn in trick]
    since = [move.mask & ~played for laid_by, move in turns if laid_by == seat]
    return places(state.hands[seat] | sum(since))


def may_have_done(hand: frozenset[int], lies: reference.Combination, wish: int, move: Move) -> bool:
    """Tell whether the wish allowed a seat with this hand the move."""
    legal = reference.plays(reference.combinations(hand), lies, wish)
    return places(move.mask) in {frozenset(cards) for cards, _ in legal}


def test_nobody_is_dealt_what_the_wish_would_have_made_him_lay() -> None:
    random, checked = Random(8, "wishes"), 0
    for seed in range(60):
        state = tichu.GAME.new(Options(rounds=1), seed)
        done = []
        while state.awaiting():
            seat = state.awaiting()[0]
            move = random.choice(state.legal(seat))
            if state.phase == "play" and state.wish and seat != state.owner and move.verb in {"play", "pass"}:
                done.append((seat, state.view(None).public.trick_combination, state.wish, move, state.played))
            state.play(seat, move)
            looker = random.below(4)
            if state.phase == "play" and state.hands[looker] and done and random.below(4) == 0:
                sample = state.resample(looker, random)
                for other, lies, wish, its, played in done:
                    assert may_have_done(held_then(sample, other, played), lies, wish, its), (seed, other, its)
                    checked += 1
    assert checked > 300
