"""Tests of whole games of Tichu in the core: their moments, and the policies that think."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from in_step import at_random, compare_ends, go_on
from tests.games.tichu.test_round import moments
from tichu_steps import new
from tichu_tables import GAME, called, do, table
from tisch._core.simulation import Player, Policy
from tisch._core.tichu import grand_promise
from tisch.agents.policies import policy_of, twin_of
from tisch.game import Random, Samples
from tisch.games.tichu import Options
from tisch.games.tichu.agents import BeliefAgent, SearchAgent
from tisch.games.tichu.agents.behavior import WEIGHTS as BEHAVIOR
from tisch.games.tichu.agents.belief import WEIGHTS
from tisch.games.tichu.moves import PASS
from tisch.games.tichu.weights import DECISIONS, pack, read

#: Agents that draw worlds or look far, as they are short.
THINKERS = [
    "behavior",
    "alphazero:visits=6",
    "search:playouts=16,worlds=6,draws=2",
    "belief:playouts=16,worlds=6,draws=4",
]


def test_a_game_that_is_over_is_the_same_in_the_core() -> None:
    for options in (Options(rounds=1), Options(rounds=2)):
        state = GAME.new(options, 3)
        choose = at_random(Random(3))
        while state.awaiting():
            state.play(*choose(state, [list(state.legal(seat)) for seat in range(4)]))
        compare_ends(GAME, state, state.simulation())


def test_a_call_that_is_not_told_yet_counts_in_the_end() -> None:
    state = do(GAME.new(Options(rounds=1), 3), "1 grand, 2 pass")
    go_on(GAME, state, state.simulation(), at_random(Random(1)), most=1000, where="after two decisions")
    outcome = state.outcome()
    assert outcome is not None and outcome.tally["grand called"][1] == 1


@pytest.mark.parametrize("name", ["rule", "heuristic", *THINKERS])
def test_a_policy_decides_the_same_in_all_worlds_of_a_whole_round(name: str) -> None:
    player, asked = Player(twin_of(GAME, name)), 0
    for seed in (4, 7):
        state, random = new(seed), Random(seed, "fair")
        choose = at_random(random)
        while state.awaiting():
            for seat in (*state.awaiting(), *state.speakers()):
                chance, told = random.bits(), set()
                for world in (state, state.resample(seat, random)):
                    player.start(Random(chance))
                    told.add(player.act(world.simulation(), seat, seat in state.awaiting()))
                assert len(told) == 1, (seed, seat, told)
                asked += 1
            state.play(*choose(state, [list(state.legal(seat)) for seat in range(4)]))
    assert asked > 250


def test_what_needs_no_decision_costs_no_chance() -> None:
    player = Player(Policy("tichu", "search", {"playouts": 16, "worlds": 8}))
    led, forced = table("S2 S3 SA", "S4 B5", "S6 S7", "S8 S9"), table("S2", "S4 B5", "S6 S7", "S8 S9")
    forced.callers = ()
    taken = do(table("SA S3", "S4 B5", "S6 S7", "S8 S9"), "0 play SA, 1 pass, 2 pass, 3 pass")
    silent = do(table("SA S3", "S4 B5", "S6 S7", "S8 S9"), "0 play SA")
    deals = (GAME.new(Options(), seed) for seed in range(99))
    poor = next(state for state in deals if grand_promise(state.hands[0].mask) < 300)
    player.start(Random(1))
    player.act(led.simulation(), 0, True)
    found = player.findings()
    assert len(found) > 1
    for state, seat, must, choice in (
        (forced, 0, True, "play S2"),
        (taken, 0, True, "take"),
        (silent, 3, False, None),
        (poor, 0, True, "pass"),
    ):
        player.start(Random(1))
        assert player.act(state.simulation(), seat, must) == choice
        assert player.findings() == ([(["pass"], [])] if state is poor else [])
        player.act(led.simulation(), 0, True)
        assert player.findings() == found


def test_gifts_that_are_chosen_together_have_one_reason() -> None:
    # In some of these, the heuristic would give one of the cards, but not the first.
    for seed in (7, 10, 14, 19, 20, 21):
        state, agent, told = called(seed), SearchAgent(playouts=24, worlds=6, caution=0.0), set()
        agent.start(Random(seed))
        for _ in range(3):
            gift = agent.act(Samples(state, 0), state.legal(0), True)
            assert gift is not None
            told.add(agent.explain())
            state.play(0, gift)
        assert len(told) == 1 and "" not in told


def test_a_bomb_out_of_turn_can_be_a_mistake() -> None:
    state = do(table("S2 B2 G2 R2 S9", "S5 B6", "SA S4", "S7 B8", lead=2), "2 play SA")
    agent = SearchAgent(playouts=60, worlds=40)
    agent.start(Random(1))
    found = agent.verdict(Samples(state, 0), state.legal(0), False, state.legal(0)[0])
    assert found.best is None and found.lost > 10


def test_a_policy_has_the_weights_that_its_agent_has_read(tmp_path: Path) -> None:
    path = tmp_path / "own.weights"
    shutil.copy(BEHAVIOR, path)
    own = policy_of(GAME, f"behavior:weights={path}")
    assert own is not None and own == policy_of(GAME, "behavior")
    head, numbers = read(path, DECISIONS)
    path.write_bytes(pack(head.features, head.sizes, numbers[4:] + numbers[:4], {}))
    other = policy_of(GAME, f"behavior:weights={path}")
    assert other is not None and other != own
    # Those of another agent are refused before any game.
    assert policy_of(GAME, f"behavior:weights={WEIGHTS}") is None
    with pytest.raises(ValueError, match=r"belief\.weights is for version 1 of the features with \d+ of them"):
        twin_of(GAME, f"behavior:weights={WEIGHTS}")


def test_a_network_changes_the_worlds_of_a_search() -> None:
    """With another belief, the search of the same seed tries the same moves with other results."""
    how = {"playouts": 40, "worlds": 8, "candidates": 4, "caution": 0.0, "draws": 8}
    differ = 0
    for state, _ in moments(range(2), 9):
        seat = state.awaiting()[0]
        if state.phase != "play" or len(state.legal(seat)) < 2 or state.legal(seat)[0] == PASS:
            continue
        found = []
        for agent in (SearchAgent(**how), BeliefAgent(**how)):  # type: ignore[arg-type]
            player = Player(agent.policy)
            player.start(Random(5))
            player.act(state.simulation(), seat, True)
            found.append(player.findings())
        assert {tuple(moves) for moves, _ in found[0]} == {tuple(moves) for moves, _ in found[1]}
        differ += found[0] != found[1]
    assert differ > 1
