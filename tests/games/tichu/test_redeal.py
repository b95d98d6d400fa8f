"""Tests of the redeal for a seat of Tichu: consistent with its knowledge, and fair."""

from __future__ import annotations

from itertools import combinations

from reference import combinations as reference
from tichu_hands import places
from tichu_tables import GAME, do, schupfed, table, texts
from tisch.game import Random
from tisch.games.tichu import Cards, Move, Options, TichuState
from tisch.games.tichu.cards import MAH_JONG, union
from tisch.games.tichu.rules import CALLS


def held_then(state: TichuState, seat: int, played: Cards) -> frozenset[int]:
    """Return what a seat held when these cards had been played: its hand, and what it has laid since."""
    turns = [turn for trick in (*state.tricks, state.trick) for turn in trick]
    since = [move.cards - played for laid_by, move in turns if laid_by == seat]
    return frozenset(places(state.hands[seat] | union(since)))


def may_have_done(hand: frozenset[int], lies: reference.Combination, wish: int, move: Move) -> bool:
    """Return whether the wish allowed a seat with this hand the move."""
    legal = reference.plays(reference.combinations(hand), lies, wish)
    return frozenset(places(move.cards)) in {frozenset(cards) for cards, _ in legal}


def test_nobody_is_dealt_what_the_wish_would_have_made_him_lay() -> None:
    random, checked = Random(8, "wishes"), 0
    for seed in range(30):
        state = GAME.new(Options(rounds=1), seed)
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


def test_a_sample_keeps_given_cards_where_they_are_and_the_mah_jong_with_its_holder() -> None:
    for seed in range(20):
        state = schupfed(seed)
        for seat in range(4):
            sample = state.resample(seat, Random(seed, seat))
            for place, card in enumerate(state.given[seat], start=1):
                assert card in sample.hands[(seat + place) % 4]
            assert MAH_JONG in sample.hands[state.start]
            for receiver in range(4):
                assert all(card in sample.hands[receiver] for card in sample.received[receiver])
                for place in (1, 2, 3):
                    assert sample.given[receiver][place - 1] == sample.received[(receiver + place) % 4][3 - place]


def test_a_sample_gives_no_wished_card_to_who_could_not_fulfil_the_wish() -> None:
    state = table("Ma S3 RA GA", "SK S2 B2", "BA BK S5", "S8 B8 G8 S4")
    do(state, "0 play Ma, 0 wish 8, 1 pass")
    for seed in range(50):
        assert not Cards("S8 B8 G8 R8") & state.resample(0, Random(seed)).hands[1]


def test_who_owes_a_wish_with_no_cards_samples_the_others_hands_and_no_one_else_who_is_out() -> None:
    state = do(table("Ma", "S4 B5 SK", "S6 B7 SA", "S8 B9 SD"), "0 play Ma")
    assert len({tuple(state.resample(0, Random(seed)).hands) for seed in range(50)}) > 40
    do(state, "0 wish 5")
    assert {tuple(state.resample(0, Random(seed)).hands) for seed in range(50)} == {tuple(state.hands)}


def test_a_sample_gives_no_wished_card_to_who_led_another() -> None:
    state = table("Ma S2 B3 S4 S5 SD RA", "SK B2 G2 S9", "SA BK", "S8 B8 G8 G4")
    do(state, "0 play Ma S2 B3 S4 S5, 0 wish 8, 1 pass, 2 pass, 3 pass, 0 take, 0 play SD, 1 play SK")
    do(state, "2 pass, 3 pass, 0 pass, 1 take, 1 play B2 G2")
    for seed in range(50):
        assert not Cards("S8 B8 G8 R8") & state.resample(0, Random(seed)).hands[1]


def test_a_sample_gives_nothing_that_would_have_had_to_be_laid_under_the_wish() -> None:
    state = table("S7 B7 S2", "S8 SA S9", "B8 BA", "G8 R9 G4")
    state.wish = state.wished = 8
    do(state, "0 play S7 B7, 1 pass")
    pairs = 0
    for seed in range(300):
        sample = state.resample(0, Random(seed))
        assert len(sample.hands[1] & Cards("S8 B8 G8 R8")) < 2
        pairs += any(len(sample.hands[seat] & Cards("S8 B8 G8 R8")) > 1 for seat in (2, 3))
    assert pairs > 30
    do(state, "2 pass, 3 pass, 0 take, 0 play S2, 1 play S8")
    for seed in range(300):
        assert not state.resample(0, Random(seed)).hands[1] & Cards("S8 B8 G8 R8")


def test_a_sample_lets_everybody_throw_the_bombs_that_it_deals() -> None:
    state = do(table("S9 S2", "S4 B4 G4 S5", "R4 S6 S7 S8", "RK G2 G3 G5"), "0 play S9")
    assert [seat for seat in range(4) if Cards("S4 B4 G4 R4") in state.hands[seat]] == []
    holders = set()
    for seed in range(3000):
        sample = state.resample(0, Random(seed))
        for seat in (1, 2, 3):
            if Cards("S4 B4 G4 R4") in sample.hands[seat]:
                assert "play R4 G4 B4 S4" in texts(sample, seat)
                holders.add(seat)
    assert holders == {1, 2, 3}


def test_a_sample_does_not_know_who_has_called_grand_tichu() -> None:
    state = do(GAME.new(Options(), 5), "1 grand")
    called = sum(state.resample(0, Random(seed)).decided[1] == CALLS[1] for seed in range(500))
    assert 10 < called < 80  # people call it in 8 % of all rounds
    assert all(state.resample(1, Random(seed)).decided[1] == CALLS[1] for seed in range(50))


def test_a_sample_does_not_foresee_the_next_deal() -> None:
    state = table("SK", "S8", "S5 B5", "SA", rounds=0)
    do(state, "0 play SK, 1 pass, 2 pass, 3 play SA, 1 pass, 2 pass, 3 take")
    deals = {tuple(do(state.resample(1, Random(seed)), "1 play S8").hands) for seed in range(5)}
    assert len(deals) == 5


def test_a_sample_deals_every_consistent_world_equally_often() -> None:
    """The seat gave a king to the right, no longer holds the Mah Jong, and knows that the left has no eight."""
    state = table("S3 S9", "SK S8 SD", "BA S2 B8", "GA Ma S5", lead=1)
    state.given[0] = (Cards("SK"), *state.given[0][1:])
    state.start, state.wished, state.void = 3, 8, (3,)
    unseen = Cards("SK S8 SD BA S2 B8 GA Ma S5")
    worlds = {
        (right, partner, unseen - right - partner): 0
        for right in map(Cards, combinations(list(unseen), 3))
        for partner in map(Cards, combinations(list(unseen - right), 3))
        if Cards("SK") in right and Cards("Ma") in unseen - right - partner
        if not (unseen - right - partner) & Cards("S8 B8")
    }
    for seed in range(4000):
        worlds[tuple(state.resample(0, Random(seed)).hands[1:])] += 1  # type: ignore[index]
    mean = 4000 / len(worlds)
    spread = sum((times - mean) ** 2 / mean for times in worlds.values())
    freedom = len(worlds) - 1
    assert min(worlds.values()) > 0
    assert spread < freedom + 3.5 * (2 * freedom) ** 0.5, (spread, freedom)


def test_a_sample_deals_every_consistent_card_sometimes() -> None:
    state = table("S3 S9", "SK S2", "BA BK", "S8 B8")
    seen: dict[Cards, int] = {}
    for seed in range(2000):
        hand = state.resample(0, Random(seed)).hands[2]
        seen[hand] = seen.get(hand, 0) + 1
    assert len(seen) == 15  # two cards of six
    assert all(80 < times < 190 for times in seen.values())
