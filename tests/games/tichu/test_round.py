"""Tests of the core's round: it agrees with the engine, refuses impossible moments, and redeals like the engine."""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

import tisch._core
from night import later
from tests.games.tichu.test_redeal import held_then, may_have_done
from tichu_steps import agents_round, new, random_round, run
from tichu_tables import GAME, called, do, schupfed, table
from tisch._core.tichu import decision, playouts
from tisch.game import Random
from tisch.games.tichu import Cards, Move, Options, Round, TichuState, simulate
from tisch.games.tichu.cards import MAH_JONG


def fields(round: Round) -> dict[str, Any]:
    """Return the data of a round, by the names of the engine's state."""
    return dict(vars(round.position()))


def remade(position: dict[str, Any]) -> Round:
    """Return the round with this data."""
    return Round(SimpleNamespace(**position))


def moments(seeds: Sequence[int], every: int) -> list[tuple[TichuState, Random]]:
    """Yield moments of random rounds, each a number of moves after the last."""
    found = []
    for seed in seeds:
        random, state, count = Random(seed, "moments"), new(seed), 0
        while state.awaiting():
            if count % every == 0:
                found.append((state.copy(), random.copy()))
            seat = state.awaiting()[0]
            state.play(seat, random.choice(state.legal(seat)))
            count += 1
    return found


# --- in step with the engine ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", later(range(4), (2, 3)))
def test_random_rounds_are_in_step_with_the_engine(part: int) -> None:
    run(random_round, range(600 * part, 600 * part + 600))


@pytest.mark.parametrize("seed", [1298, 9119])
def test_rounds_are_in_step_where_one_has_all_cards_after_another_is_out(seed: int) -> None:
    # Of 10,000 random rounds, these are the only ones in which that seat could still be taken for one that may call.
    late = []

    def see(state: TichuState) -> None:
        public = state.view(None).public
        full = [seat for seat in state.awaiting() if public.count_hand_cards[seat] == 14]
        late.extend(full if state.phase == "play" and 0 in public.count_hand_cards else [])

    random_round(seed, see)
    assert late


@pytest.mark.slow
def test_thousands_of_random_rounds_are_in_step_with_the_engine() -> None:
    run(random_round, range(2400, 10_000))


def test_agents_rounds_are_in_step_with_the_engine() -> None:
    run(agents_round, range(100))


def test_an_illegal_move_is_refused_and_changes_nothing() -> None:
    round = simulate(table("S2 S3", "S4 B5", "S6 S7", "S8 S9"))
    before = round.copy()
    for seat, move in ((1, "play S4"), (0, "pass"), (0, "play S4"), (0, "take"), (0, "grand")):
        with pytest.raises(ValueError, match=f"Seat {seat} may not '{move}' now"):
            round.apply(seat, Move(move))
        assert round == before
    with pytest.raises(ValueError, match="no seat 4"):
        round.legal(4)
    with pytest.raises(ValueError, match="no seat -1"):
        round.apply(-1, Move("pass"))


def test_a_round_is_kept_by_pickle_and_found_by_name() -> None:
    for state, _ in moments(range(4), 9):
        round = simulate(state)
        assert pickle.loads(pickle.dumps(round)) == round
        assert remade(fields(round)) == round
    assert sys.modules[Round.__module__] is tisch._core.tichu
    assert Round.__module__ == tisch._core.tichu.__name__ == "tisch._core.tichu"


def gifts(labels: str) -> tuple[Cards, ...]:
    """Return single cards."""
    return tuple(map(Cards, labels.split()))


#: Nobody's cards.
NONE = (Cards(),) * 4
#: What nobody has laid, and what nobody can lay.
PAIR = Move("play S3 B3").combination
SINGLE = Move("play S3").combination
NO_COMBINATION = (9, 9, 9)

CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"hands": NONE}, "Each of the 56 cards must be at one place"),
    ({"laid": (Cards.from_mask((1 << 50) - 1), *NONE[1:])}, "Seat 0 has more than 14 cards"),
    ({"given": ((), (), (), ())}, "Each gift of seat 0 must be one card"),
    ({"given": (gifts("S7 SK RA"), *[gifts("SA BA GA")] * 3)}, "What seat 0 gave away is held by the seat that got it"),
    (
        {"phase": "grand", "rest": gifts("S2 Hu Ma Dr"), "laid": NONE, "given": [()] * 4},
        "Seat 0 gets 6 more cards after Grand Tichu",
    ),
    ({"points": (0, -501, 0, 0)}, "Seat 1 cannot have -501 points."),
    ({"trick_cards": Cards("S4")}, "The trick has cards that nobody has laid."),
    ({"given": (gifts("S2 B2 G2 R2"), (), (), ())}, "Seat 0 gives three cards away, not 4."),
    ({"trick_combination": NO_COMBINATION}, "combination"),
    ({"trick_combination": PAIR}, f"Nothing with the code {Move('play S3 B3').code} can lie"),
    ({"awaited": (0, 4)}, "There are the seats 0 to 3, but no seat 4."),
    ({"callers": (255,)}, "There are the seats 0 to 3, but no seat 255."),
    ({"wish": 15}, "A wish is a value from 2 to 14, or 0 for none, not 15."),
    ({"wished": 1}, "A wish is a value from 2 to 14, or 0 for none, not 1."),
    ({"missed": [(4, PAIR, Cards())]}, "Seat 4 cannot be one that could not fulfil the wish."),
    ({"missed": [(1, NO_COMBINATION, Cards())]}, "combination"),
    ({"void": (4,)}, "There are the seats 0 to 3, but no seat 4."),
    ({"tricks": [[(4, 100)]]}, "Seat 4 cannot be one that had a turn."),
    ({"tricks": [[(1, 227)]]}, "Nothing with the code 227 can lie"),
    ({"turn": 1}, "Seat 1 cannot be the one that is waited for."),
    ({"winner": 2}, "Seat 2 cannot be the winner."),
    ({"loser": 9}, "Seat 9 cannot be the loser."),
    ({"loser": 2}, "Seat 2 cannot be the loser."),
    ({"phase": "dragon"}, "Seat 0 cannot be the one whose turn it is."),
    ({"phase": "wish"}, "Seat 0 cannot be the one whose turn it is."),
    (
        {"wished": 4, "missed": [(1, Move("play S3").combination, Cards())]},
        "Seat 1 could have fulfilled the wish when it did not.",
    ),
    ({"announced": (3, 0, 0, 0)}, "cannot be one that calls so."),
    ({"phase": "bidding"}, "A round has no phase 'bidding'."),
    ({"phase": "over"}, "cannot be the one that is waited for."),
]


@pytest.mark.parametrize(("change", "sentence"), CHANGES)
def test_an_impossible_moment_is_refused_with_a_sentence(change: dict[str, Any], sentence: str) -> None:
    position = fields(simulate(table("S2 S3", "S4 B5", "S6 S7", "S8 S9")))
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below.
        remade({**position, **change})
    assert sentence in str(caught.value)


def test_the_core_wishes_with_the_last_card_without_seeing_the_others_hands() -> None:
    round = simulate(table("Ma", "S4 B5 SK", "S6 B7 SA", "S8 B9 SD"))
    round.apply(0, Move("play Ma"))
    assert round.awaiting() == (0,) and list(map(str, round.legal(0))) == [f"wish {value}" for value in range(2, 15)]
    assert remade(fields(round)) == round
    assert len({round.redeal(0, Random(seed)).hands for seed in range(50)}) > 40
    round.apply(0, Move("wish 5"))
    assert {round.redeal(0, Random(seed)).hands for seed in range(50)} == {round.hands}


@pytest.mark.parametrize("turn", [0, -3])
def test_nobody_has_the_turn_where_all_decide_at_once(turn: int) -> None:
    for state in (GAME.new(Options(), 1), called(1)):
        with pytest.raises(ValueError, match=rf"Seat {turn % 256} cannot be the one that is waited for\."):
            remade({**fields(simulate(state)), "turn": turn})


def test_a_card_is_not_given_away_twice() -> None:
    state = called(1)
    do(state, f"0 {state.legal(0)[0]}")
    card = state.given[0][0]
    with pytest.raises(ValueError, match=r"Seat 0 has more than 14 cards"):
        remade({**fields(simulate(state)), "given": ((card, card), (), (), ())})


def test_a_round_that_is_decided_does_not_go_on() -> None:
    for hands in (("S2", "", "S3", ""), ("S2", "", "", "")):
        state = table(*hands)
        state.winner = 1
        with pytest.raises(ValueError, match=r"Seat 4 cannot be the loser\."):
            simulate(state)


def changed(value: Any, random: Random) -> Any:
    """Change one number in a value, which may be nested; other sizes, numbers out of range and other cards."""
    if isinstance(value, list | tuple) and value and random.below(8):
        place = random.below(len(value))
        kind = list if isinstance(value, list) else tuple
        return kind(changed(each, random) if place == number else each for number, each in enumerate(value))
    if isinstance(value, Cards):
        return Cards.from_mask(value.mask ^ 1 << random.below(56))
    if isinstance(value, int):
        return random.choice([value ^ 1 << random.below(56), random.below(16), value - 1, -1, 255, 2**15, 2**64])
    return value


def test_every_moment_is_refused_or_goes_on_to_its_end() -> None:
    random, played = Random(1, "changes"), 0
    for state, _ in moments(range(30), 5):
        for _ in range(25):
            position = fields(simulate(state))
            for _ in range(1 + random.below(2)):
                name = random.choice([name for name in position if name != "phase"])
                position[name] = changed(position[name], random)
            try:
                round = remade(position)
            except (ValueError, OverflowError, TypeError):
                continue
            played += 1
            for policy in ("random", "quick"):
                playouts(round, 1, policy, random.bits())
            for seat in range(4):
                world = round.redeal(seat, random)
                decision(world, seat)
                assert list(world.legal(seat)) == list(round.legal(seat))
    assert played > 300


# --- the redeal -------------------------------------------------------------------------------------------------------


def test_a_seat_cannot_tell_a_round_dealt_anew_from_the_true_one() -> None:
    for state, random in moments(range(60), 7):
        round = simulate(state)
        for seat in range(4):
            other, old = round.redeal(seat, random), fields(round)
            told = fields(other)
            changed = {name for name in old if old[name] != told[name]}
            assert changed <= {"hands", "rest", "given", "announced"}
            assert "announced" not in changed or state.phase == "grand"
            assert told["hands"][seat] == old["hands"][seat]
            assert told["given"][seat] == old["given"][seat]
            assert list(other.legal(seat)) == list(round.legal(seat))
            # The holders of bombs are recomputed, too.
            assert remade(told) == other
            assert list(map(len, told["hands"])) == list(map(len, old["hands"]))


def test_what_is_dealt_anew_fits_what_was_given_and_who_held_the_mah_jong() -> None:
    for seed in range(30):
        state = schupfed(seed)
        for seat in range(4):
            told = fields(simulate(state).redeal(seat, Random(seed, seat)))
            for giver in range(4):
                for step, card in enumerate(told["given"][giver], start=1):
                    assert told["hands"][(giver + step) % 4] & card
            assert MAH_JONG in told["hands"][state.start]


def test_nobody_is_dealt_what_the_wish_would_have_made_him_lay() -> None:
    random, checked = Random(8, "wishes"), 0
    for seed in range(60):
        state = GAME.new(Options(rounds=1), seed)
        round, done = simulate(state), []
        while state.awaiting():
            seat = state.awaiting()[0]
            move = random.choice(state.legal(seat))
            if state.phase == "play" and state.wish and seat != state.owner and move.verb in {"play", "pass"}:
                done.append((seat, state.view(None).public.trick_combination, state.wish, move, state.played))
            state.play(seat, move)
            round.apply(seat, move)
            looker = random.below(4)
            if state.phase == "play" and state.hands[looker] and done and random.below(4) == 0:
                sample = state.copy()
                sample.hands = [Cards.from_mask(hand) for hand in round.redeal(looker, random).hands]
                for other, lies, wish, its, played in done:
                    assert may_have_done(held_then(sample, other, played), lies, wish, its), (seed, other, its)
                    checked += 1
    assert checked > 300


def test_every_consistent_world_is_dealt_equally_often() -> None:
    """The seat gave a king to the right, no longer holds the Mah Jong, and knows that the left has no eight."""
    state = table("S3 S9", "SK S8 SD", "BA S2 B8", "GA Ma S5", lead=1)
    state.given[0] = (Cards("SK"), *state.given[0][1:])
    state.start, state.wished, state.void = 3, 8, (3,)
    unseen = Cards("SK S8 SD BA S2 B8 GA Ma S5")
    worlds = {
        (right.mask, partner.mask, (unseen - right - partner).mask): 0
        for right in map(Cards, combinations(list(unseen), 3))
        for partner in map(Cards, combinations(list(unseen - right), 3))
        if Cards("SK") in right and Cards("Ma") in unseen - right - partner
        if not (unseen - right - partner) & Cards("S8 B8")
    }
    round, random = simulate(state), Random(1)
    for _ in range(40_000):
        worlds[round.redeal(0, random).hands[1:]] += 1
    mean = 40_000 / len(worlds)
    spread = sum((times - mean) ** 2 / mean for times in worlds.values())
    freedom = len(worlds) - 1
    assert spread < freedom + 3.5 * (2 * freedom) ** 0.5, (spread, freedom)


def seen_by_both(state: TichuState, seat: int, what: Callable[[dict[str, Any]], list[Any]], times: int) -> float:
    """Return the difference between the redeals of engine and core: chi squared minus its mean, in deviations."""
    round, random = simulate(state), Random(3, "both")
    ours: Counter[Any] = Counter()
    theirs: Counter[Any] = Counter()
    for _ in range(times):
        ours.update(what(fields(round.redeal(seat, random))))
        theirs.update(what(fields(simulate(state.resample(seat, random)))))
    common = [key for key in ours | theirs if ours[key] + theirs[key] >= 20]
    spread = sum((ours[key] - theirs[key]) ** 2 / (ours[key] + theirs[key]) for key in common)
    return float((spread - len(common)) / (2 * len(common)) ** 0.5)


def places(told: dict[str, Any]) -> list[Any]:
    """Return the place of each card, and the others' gifts and calls."""
    cards = [(card, seat) for seat in range(4) for card in told["hands"][seat]]
    given = [("given", giver, place, card) for giver in range(4) for place, card in enumerate(told["given"][giver])]
    rest = [("rest", card, seat) for seat in range(4) for card in told["rest"][seat]]
    return [*cards, *given, *rest, ("calls", *told["announced"])]


def test_the_core_deals_anew_as_the_engine_does() -> None:
    wished = table("S7 B7 S2 B9", "S8 SA S9 B2", "B8 BA G2 G3", "G8 R9 G4 B4")
    wished.wish = wished.wished = 8
    do(wished, "0 play S7 B7, 1 pass")
    led = table("Ma S2 B3 S4 S5 SD RA", "SK B2 G2 S9", "SA BK", "S8 B8 G8 G4")
    do(led, "0 play Ma S2 B3 S4 S5, 0 wish 8, 1 pass, 2 pass, 3 pass, 0 take, 0 play SD, 1 play SK")
    giving = called(5, grand=(1,))
    do(giving, f"1 {giving.legal(1)[0]}, 2 {giving.legal(2)[3]}")
    calling = do(GAME.new(Options(), 5), "1 grand, 2 pass")
    for state in (wished, led, giving, calling, schupfed(3)):
        for seat in (0, 2):
            assert abs(seen_by_both(state, seat, places, 1500)) < 4.5, (state.phase, seat)


# --- policies ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["random", "greedy", "heuristic", "exact"])
def test_a_policy_makes_legal_moves_and_goes_by_what_its_seat_knows(policy: str) -> None:
    spoken = 0
    for state, random in moments(range(60), 5):
        round = simulate(state)
        for seat in {*state.awaiting(), *state.speakers()}:
            chance = Random(1, seat)
            move = round.decide(seat, policy, chance.copy())
            assert move in round.legal(seat) if move else seat not in state.awaiting()
            spoken += seat not in state.awaiting() and move is not None
            if policy != "random":
                assert round.redeal(seat, random).decide(seat, policy, chance) == move
    assert policy == "random" or spoken > 0
