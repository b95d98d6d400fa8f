"""Tests of beliefs: what a network may know of hidden cards, and the search in the worlds that it finds likely."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from reference import belief as slow
from reference import net as slow_net
from tichu_tables import tried
from tisch._core.simulation import Policy
from tisch._core.tichu import BELIEF_FEATURES, Net, deals, deals_of_a_round
from tisch.game import Random
from tisch.games import tichu
from tisch.games.tichu import Cards, Options, TichuState, simulate
from tisch.games.tichu.agents import BeliefAgent
from tisch.games.tichu.agents.behavior import WEIGHTS as BEHAVIOR
from tisch.games.tichu.agents.belief import WEIGHTS
from tisch.games.tichu.cards import DECK, union
from tisch.games.tichu.logs.generate import played
from tisch.games.tichu.weights import DEALS, load

#: Two whole blocks of sums and some more in the first layer, one and some more in the second.
SIZES = (BELIEF_FEATURES, 40, 18)
#: The number of cards of a hand.
HAND = 14


def weights(seed: int) -> bytes:
    """Return random weights."""
    features, wide, narrow = SIZES
    count = (features + 1) * wide + (wide + 1) * narrow + narrow + 1
    return np.random.default_rng(seed).standard_normal(count).astype("<f4").tobytes()


def moments(seeds: int, every: int, agent: str = "heuristic") -> Iterator[tuple[TichuState, int]]:
    """Yield moments within tricks, with the seat in turn."""
    for seed in range(seeds):
        for number, (state, seat, move) in enumerate(played(Options(rounds=1), seed, agent)):
            if number % every == 0 and state.phase in {"play", "wish", "dragon"}:
                yield state, state.awaiting()[0]
            state.play(seat, move)


def rows(features: bytes, ends: list[int]) -> list[list[int]]:
    """Return the features of each candidate."""
    parts = np.split(np.frombuffer(features, "<u2"), ends)
    assert len(parts.pop()) == 0
    return [part.tolist() for part in parts]


# --- what may be known ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["random", "heuristic"])
def test_the_features_are_those_of_the_slow_twin(agent: str) -> None:
    seen = set()
    for state, seat in moments(12, 3, agent):
        found = deals(simulate(state), seat, 0, Random(1))
        common = np.frombuffer(found.common, "<u2").tolist()
        [world] = rows(found.features, found.ends)
        assert sorted(common) == sorted(slow.common(state, seat)), state.tricks
        assert sorted(world) == sorted(slow.world(state, seat)), (state.tricks, state.hands)
        assert len(set(common)) == len(common) and max(common) < min(world) and max(world) < BELIEF_FEATURES
        seen |= {*common, *world}
    assert len(seen) > 0.5 * BELIEF_FEATURES


def test_a_seat_knows_nothing_of_the_true_deal() -> None:
    """From a redeal, what the seat knows is the same; the true deal is only one of its worlds."""
    random, differ = Random(7), 0
    for state, seat in moments(8, 5):
        round = simulate(state)
        other = round.redeal(seat, random)
        found, again = deals(round, seat, 3, Random(2)), deals(other, seat, 3, Random(2))
        assert found.common == again.common and found.kind == again.kind == "deal"
        # The redeals of the same seed are the same, whichever round they are drawn from.
        worlds, others = rows(found.features, found.ends), rows(again.features, again.ends)
        assert worlds[1:] == others[1:]
        differ += worlds[0] != others[0]
    assert differ > 50


def test_a_likely_world_is_one_that_the_seat_cannot_distinguish() -> None:
    net, seen = Net(*SIZES, weights(8)), 0
    for state, seat in moments(6, 11):
        round = simulate(state)
        world = round.redeal(seat, Random(3), net=net, redeals=5)
        assert world.redeal(seat, Random(4)) == round.redeal(seat, Random(4))
        assert world.hands[seat] == state.hands[seat].mask and world.legal(seat) == round.legal(seat)
        assert sum(world.hands) == union(state.hands).mask
        # Which one it is depends on the network and on the number of redeals.
        seen += len({each.hands for each in (world, round.redeal(seat, Random(3), net=net, redeals=50), round)})
    assert seen > 60
    start = simulate(tichu.GAME.new(Options(rounds=1), 1))
    assert start.redeal(0, Random(3), net=net, redeals=5) == start.redeal(0, Random(3))
    # Without a redeal, only the true hands would be left.
    with pytest.raises(ValueError, match="At least 1 redeal is needed for a world, not 0"):
        round.redeal(seat, Random(1), net=net, redeals=0)
    for moment in (start, round):
        with pytest.raises(ValueError, match=f"a network with {BELIEF_FEATURES} features, not 5"):
            moment.redeal(0, Random(1), net=Net(5, 1, 1, bytes(4 * (5 + 1 + 1 + 1 + 1 + 1))))


def test_the_scores_are_those_of_the_slow_twin_to_the_bit() -> None:
    numbers = weights(4)
    net = Net(*SIZES, numbers)
    for state, seat in moments(2, 9):
        found = deals(simulate(state), seat, 2, Random(5))
        assert found.scores(net) == slow_net.scores(found, SIZES, numbers)


def test_a_round_of_the_core_gives_the_lessons_that_its_record_would() -> None:
    first, again = deals_of_a_round(3, 2), deals_of_a_round(3, 2)
    assert [(each.common, each.features) for each in first] == [(each.common, each.features) for each in again]
    every = [found for seed in range(40) for found in deals_of_a_round(seed, 2)]
    assert all(len(found.ends) == 3 and found.kind == "deal" for found in every)
    # A round has some seventy moves in tricks, of which one in eight is a lesson.
    assert 4 * 40 < len(every) < 14 * 40
    # The first feature is the number of cards of the right opponent: moments of the whole round are among them.
    sizes = {int(np.frombuffer(found.common, "<u2")[0]) for found in every}
    assert min(sizes) == 0 and max(sizes) == HAND


# --- the search -------------------------------------------------------------------------------------------------------


#: The parameters of a small search.
SMALL: dict[str, Any] = {"playouts": 40, "worlds": 8, "candidates": 4, "caution": 0.0}


def likely(state: TichuState, seat: int, seed: int, numbers: bytes, sizes: tuple[int, int], **how: Any) -> list[Any]:
    """Return what a small search finds in worlds that a network finds likely."""
    net = Net(BELIEF_FEATURES, *sizes, numbers)
    return tried(state, seat, seed, "belief", weights=net, **{**SMALL, **how})


def test_one_draw_leaves_nothing_to_believe() -> None:
    numbers, sizes, differ = weights(1), SIZES[1:], 0
    for state, seat in moments(4, 7):
        plain = tried(state, seat, 3, **SMALL)
        assert likely(state, seat, 3, numbers, sizes, draws=1) == plain
        believed = likely(state, seat, 3, numbers, sizes, draws=8)
        assert likely(state, seat, 3, numbers, sizes, draws=8, threads=3) == believed
        differ += believed != plain
    assert differ > 10


def test_a_search_plays_in_the_worlds_that_the_network_finds_likely() -> None:
    """Who holds the dragon decides the round: a network that is sure of one seat makes all worlds end alike."""
    hands = [Cards("SA SK"), Cards("S2"), Cards("Dr"), Cards("B2")]
    gone = str(DECK - hands[0] - hands[1] - hands[2] - hands[3]).split()
    laid = [Cards(" ".join(gone[:12])), *(Cards(" ".join(gone[first : first + 13])) for first in (12, 25, 38))]
    state = tichu.GAME.from_deal(hands, lead=0, laid=laid, seed=3)
    features, dragon = np.zeros((BELIEF_FEATURES, 1), "<f4"), 13 * 4 + 2
    for place in range(3):
        features[:] = 0
        features[3 * slow.KNOWN + slow.SET + slow.WORLD * place + dragon] = 50
        # Biases are zero, and each layer passes its sum on.
        numbers = features.tobytes() + np.array([0, 1, 0, 1, 0], "<f4").tobytes()
        for _, leads in likely(state, 0, 1, numbers, (1, 1), draws=32):
            assert len(leads) > 1 and len(set(leads)) == 1, (place, leads)
    assert len(set(tried(state, 0, 1, **SMALL)[0][1])) > 1


def test_weights_that_are_made_for_decisions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"behavior\.weights is for version 1 of the features with \d+ of them"):
        BeliefAgent(weights=BEHAVIOR)
    for net, sentence in (
        (Net(5, 1, 1, bytes(4 * 10)), f"a network with {BELIEF_FEATURES} features, not 5"),
        ("none", "The parameter 'weights' of 'belief' is a network, not 'none'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            Policy("tichu", "belief", {"weights": net})
    for name in ("belief", "behavior"):
        with pytest.raises(ValueError, match=f"The policy '{name}' needs the parameter 'weights', a network"):
            Policy("tichu", name)


def test_a_network_is_kept_by_pickle_and_so_are_the_policies_that_it_plays() -> None:
    numbers = weights(3)
    net = Net(*SIZES, numbers)
    assert pickle.loads(pickle.dumps(net)).__reduce__()[1] == (*SIZES, numbers)
    policy = Policy("tichu", "belief", {"weights": net, "playouts": 40})
    assert pickle.loads(pickle.dumps(policy)) == policy
    assert policy != Policy("tichu", "belief", {"weights": Net(*SIZES, weights(4)), "playouts": 40})


def test_the_shipped_weights_find_the_true_deal() -> None:
    """Among eight deals, a seat without a belief finds the true one in 12.5 % of cases."""
    net = load(WEIGHTS, DEALS)
    found = [each.scores(net) for seed in range(9_000, 9_100) for each in deals_of_a_round(seed, 7)]
    assert np.mean([scores.index(max(scores)) == 0 for scores in found]) > 0.5
