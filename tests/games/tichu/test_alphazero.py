"""Tests of the agent ``alphazero``: its network's two heads, its tree, and the rounds from which it learns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reference import net as slow_net
from tichu_tables import table
from tisch._core.simulation import Player, Policy
from tisch._core.tichu import FEATURES, HEADS_FEATURES, Net, own_round
from tisch.game import Agent, Random, Samples
from tisch.games import tichu
from tisch.games.tichu import Options, TichuState
from tisch.games.tichu.agents import AlphaZeroAgent, BehaviorAgent
from tisch.games.tichu.agents.behavior import WEIGHTS as BEHAVIOR
from tisch.games.tichu.agents.belief import WEIGHTS as BELIEFS
from tisch.games.tichu.lessons import TichuTrees
from tisch.games.tichu.moves import Move

TREES = TichuTrees()
SIZES = (HEADS_FEATURES, 5, 3)


def weights(seed: int) -> bytes:
    """Return small random weights."""
    features, wide, narrow = SIZES
    count = (features + 1) * wide + (wide + 1) * narrow + narrow + 1
    return (np.random.default_rng(seed).standard_normal(count) / 3).astype("<f4").tobytes()


def sure(value: float, turn: int = 2) -> Net:
    """Return a network to which candidates are equal, and rounds worth hundreds of points if a seat is in turn."""
    rows = np.zeros((HEADS_FEATURES, 1), "<f4")
    rows[FEATURES + turn] = 1
    # No bias, and the last layer is the value.
    return Net(HEADS_FEATURES, 1, 1, rows.tobytes() + np.array([0, 1, 0, value, 0], "<f4").tobytes())


def found(state: TichuState, seat: int, net: Net, seed: int = 1, **how: Any) -> dict[str, float]:
    """Return the share of the visits of each option of a seat in turn."""
    player = Player(Policy("tichu", "alphazero", {"weights": net, **how}))
    player.start(Random(seed))
    twin = state.simulation()
    assert twin is not None
    chosen = player.act(twin, seat, True)
    findings = player.findings()
    assert not findings or findings[0][0] == [chosen]
    return {moves[0] if moves else "": share for moves, (share,) in findings}


def nearly_won() -> TichuState:
    """Set up a round in which the partner of seat 0, which leads with a pair, is out."""
    state = table("S2 B2", "SA SK S9 S8", "", "RA RK R9 R8")
    state.winner = 2
    return state


def decided(agent: Agent[Move], seed: int) -> list[str]:
    """Return the moves of four seats that an agent decides for."""
    state, moves = tichu.GAME.new(Options(rounds=1), seed), []
    agent.start(Random(1))
    while state.awaiting():
        seat = state.awaiting()[0]
        move = agent.act(Samples(state, seat), state.legal(seat), True)
        assert isinstance(move, Move)
        moves.append(str(move))
        state.play(seat, move)
    return moves


# --- the network ------------------------------------------------------------------------------------------------------


def test_it_begins_with_the_network_of_behavior(tmp_path: Path) -> None:
    """The second head changes no score: without a visit it plays as the agent does that it begins with."""
    path, sizes, numbers = TREES.begin(None)
    assert path == BEHAVIOR and sizes[0] == HEADS_FEATURES == FEATURES + 4
    start = tmp_path / "start.weights"
    start.write_bytes(TREES.pack(sizes, numbers, {}))
    assert TREES.begin(start) == (start, sizes, numbers)
    for seed in range(6):
        assert decided(AlphaZeroAgent(visits=0, weights=start), seed) == decided(BehaviorAgent(), seed)


def test_the_shares_of_a_round_without_visits_are_those_of_the_slow_twin() -> None:
    numbers = weights(7)
    every = [each for seed in range(12) for each in own_round(Net(*SIZES, numbers), seed, visits=0, every=1)]
    for asked, values in every:
        scores = slow_net.scores(asked, SIZES, numbers)
        if asked.kind != "worth":
            powers = np.exp(np.array(scores) - max(scores))
            # The core multiplies instead of asking for exponentials: it is within two hundredths.
            assert values == pytest.approx(powers / powers.sum(), abs=0.02)
    assert {asked.kind for asked, _ in every} >= {"grand", "schupf", "small", "play", "wish", "dragon", "worth"}


def test_networks_that_are_made_for_other_features_are_refused() -> None:
    for path in (BEHAVIOR, BELIEFS):
        with pytest.raises(ValueError, match=rf"{path.name} is for version 1 of the features with \d+ of them"):
            AlphaZeroAgent(weights=path)
    with pytest.raises(ValueError, match=f"a network with {HEADS_FEATURES} features, not 5"):
        own_round(Net(5, 1, 1, bytes(4 * 10)), 1, visits=1, every=1)
    with pytest.raises(ValueError, match="The policy 'alphazero' needs the parameter 'weights', a network"):
        Policy("tichu", "alphazero")


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"visits": -1}, "The parameter 'visits' of 'alphazero' is a whole number from 0 to 1000000, not -1"),
        ({"trees": 0}, "The parameter 'trees' of 'alphazero' is a whole number from 1 to 1024, not 0"),
        ({"exploration": -1.0}, "The parameter 'exploration' of 'alphazero' is a number from 0 on, not -1"),
        ({"mix": 1.5}, "The parameter 'mix' of 'alphazero' is a number from 0 to 1, not 1.5"),
        ({"threads": 0}, "The parameter 'threads' of 'alphazero' is a whole number from 1 on, not 0"),
        ({"style": "wild"}, r"There is no style 'wild', only: strength, team\."),
    ],
)
def test_bad_parameters_get_a_sentence(how: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        AlphaZeroAgent(**how)


# --- the tree ---------------------------------------------------------------------------------------------------------


def test_a_tree_sees_how_a_round_ends() -> None:
    """Whoever lays the pair wins with the partner that is out; one card leaves the round to the opponents."""
    state = nearly_won()
    shares = found(state, 0, sure(0), visits=200)
    assert max(shares, key=shares.__getitem__) == "play B2 S2" and sum(shares.values()) == pytest.approx(1)


@pytest.mark.parametrize(("value", "best"), [(1.0, "play Hu"), (-1.0, "play S5")])
def test_a_round_is_worth_what_the_network_says_to_the_seat_that_searches(value: float, best: str) -> None:
    """The dog leaves the lead to the partner, anything else to an opponent: that is all that the network knows."""
    state = table("Hu S5 B7 G9", "SA SK S9 S8 S6", "BA BK B9 B8", "RA RK R9 R8")
    state.callers = ()
    shares = found(state, 0, sure(value), visits=8, exploration=1.0, mix=0.0)
    assert shares[best] > 0.5 if value > 0 else shares["play Hu"] < 0.2


def test_trees_decide_alike_on_any_number_of_threads() -> None:
    net = Net(*SIZES, weights(5))
    state = table("S2 B4 G6 R7 SZ", "SA SK S9", "BA BK B9 B8", "RA RK R9 R8")
    alone = found(state, 0, net, visits=90, trees=3)
    assert found(state, 0, net, visits=90, trees=3, threads=2) == alone
    assert found(state, 0, net, visits=90, trees=3, seed=2) != alone != found(state, 0, net, visits=90)


def test_a_reason_tells_how_often_a_move_came_up() -> None:
    agent = AlphaZeroAgent(visits=40)
    agent.start(Random(1))
    state = nearly_won()
    assert str(agent.act(Samples(state, 0), state.legal(0), True)) == "play B2 S2"
    assert agent.explain().startswith("Thinking ahead, this is the best move ")


# --- its own rounds ---------------------------------------------------------------------------------------------------


def test_a_round_teaches_what_was_visited_and_how_it_ended() -> None:
    net = Net(*SIZES, weights(7))
    kinds = set()
    for seed in range(8):
        lessons = own_round(net, seed, visits=3, every=1)
        assert len(lessons) > 40
        for asked, values in lessons:
            assert len(values) == len(asked.ends) == len(asked.candidates)
            if asked.kind != "worth":
                assert sum(values) == pytest.approx(1, abs=1e-5) and min(values) >= 0
            kinds.add(asked.kind)
        # Both teams have the same end with other signs, and points are multiples of five.
        ends = {values[0] for asked, values in lessons if asked.kind == "worth"}
        assert ends == {-end for end in ends} and len({abs(end) for end in ends}) == 1
        assert all(end * 20 == pytest.approx(round(end * 20)) for end in ends)
    assert kinds >= {"grand", "schupf", "small", "play", "worth"}


def test_a_round_teaches_the_same_each_time_and_otherwise_with_visits() -> None:
    net = Net(*SIZES, weights(7))

    def told(**how: int) -> list[tuple[bytes, bytes, list[float]]]:
        return [(asked.common, asked.features, values) for asked, values in own_round(net, 3, **how)]

    assert told(visits=5, every=1) == told(visits=5, every=1) != told(visits=6, every=1)
    few, all_of_them = told(visits=0, every=7), told(visits=0, every=1)
    assert 0 < len(few) < len(all_of_them) / 3 and all(each in all_of_them for each in few)


def test_what_a_seat_knows_is_worth_the_same_whatever_is_hidden() -> None:
    """A tree asks the network only what its seat knows: a redeal has the same tree."""
    net = Net(*SIZES, weights(4))
    state = table("S2 B4 G6 R7 SZ", "SA SK S9 G2", "BA BK B9 B8", "RA RK R9 R8")
    other = table("S2 B4 G6 R7 SZ", "RA SK B9 B8", "BA BK S9 G2", "SA RK R9 R8")
    assert found(state, 0, net, visits=60) == found(other, 0, net, visits=60)
