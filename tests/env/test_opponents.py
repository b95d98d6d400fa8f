"""Tests who plays the seats of a batch that are not asked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from batches import draw
from tisch import driver
from tisch._core import derive, simulation
from tisch.agents import build_agent, policies
from tisch.env import Batch
from tisch.env.plan import Plan
from tisch.game import Agent, Random
from tisch.games import find
from tisch.games.tichu.agents.behavior import WEIGHTS
from tisch.games.tichu.agents.belief import WEIGHTS as BELIEFS


@pytest.mark.parametrize("core", [True, False])
def test_the_seats_of_opponents_are_not_asked(core: bool) -> None:
    batch = Batch("maumau", 8, 1, {"players": 4}, seats={2: "random", 0: "rule"}, core=core)
    choice, asked = np.random.default_rng(1), set()
    for _ in range(60):
        asked |= {*batch.seat.tolist()}
        batch.step(draw(batch.mask, choice))
    assert asked == {1, 3}
    assert batch.opponents == {0: ((1.0, "rule"),), 2: ((1.0, "random"),)}


@pytest.mark.parametrize(
    ("name", "options", "core"),
    [("maumau", {"players": 3, "rounds": 2}, True), ("maumau", {"players": 3}, False), ("null", {}, False)],
)
def test_opponents_decide_like_the_agents_in_a_game_of_the_driver(name: str, options: Any, core: bool) -> None:
    # Agents answer in the batch, too: each game must end as the driver's game of the same agents does.
    game, agent, games = find(name), "random" if name == "null" else "rule", 3
    count = game.seats(game.Options(**options))
    seats = {seat: "random" if seat == 1 else agent for seat in range(1, count)}
    batch, numbers, ended = Batch(game, games, 7, options, seats=seats, core=core), [0] * games, 0

    def started(index: int) -> list[Agent[Any]]:
        agents = [build_agent(game, seats.get(seat, "random")) for seat in range(count)]
        for seat, each in enumerate(agents):
            each.start(Random(derive(7, index, numbers[index]), "agent", seat))
        return agents

    players = [started(index)[0] for index in range(games)]
    for _ in range(150):
        ids = []
        for index, player in enumerate(players):
            state = batch.state(index)
            must = not batch.mask[index, 0]
            move = player.act(state.view(0), state.legal(0), must)
            ids.append(0 if move is None else batch.encoding.head(move, 0))
        batch.step(ids)
        for index in np.flatnonzero(batch.done).tolist():
            state = game.new(batch.options, derive(7, index, numbers[index]))
            driver.play(state, started(index))
            outcome = state.outcome()
            assert outcome is not None and batch.reward[index].tolist() == pytest.approx(outcome.payoff)
            numbers[index] += 1
            players[index] = started(index)[0]
            ended += 1
    assert ended > 8


def test_a_pool_is_drawn_by_its_weights() -> None:
    # A game with an agent of a pool is the game with this agent alone; the weights say how often each is drawn.
    games, pool = 4000, [(3, "rule"), (1, "random"), (0.5, "rule")]
    batches = [Batch("maumau", games, 5, seats={1: seats}) for seats in (pool, "rule", "random")]
    ids = draw(batches[0].mask, np.random.default_rng(1))
    same = np.ones((3, games), np.bool_)
    for _ in range(3):
        for place, batch in enumerate(batches):
            batch.step(np.where(batch.mask[np.arange(games), ids], ids, batch.mask.argmax(1)))
            same[place] &= (batch.observation == batches[0].observation).all(1)
        ids = draw(batches[0].mask, np.random.default_rng(2))
    assert (same[1] | same[2]).all()
    # Of the games that tell which of both it was; four standard deviations.
    told = same[1] != same[2]
    count, share = told.sum(), (same[1] & told).sum() / told.sum()
    assert count > 1000 and abs(share - 3.5 / 4.5) < 4 * (3.5 * 1 / 4.5**2 / count) ** 0.5, share


def test_checkpoints_of_a_net_play_seats_in_the_core(tmp_path: Path) -> None:
    early, late = tmp_path / "early.weights", tmp_path / "late.weights"
    for path in (early, late):
        path.write_bytes(WEIGHTS.read_bytes())
    pool = [(1, f"behavior:weights={early}"), (3, f"behavior:weights={late},caution=2")]
    core, engine = (Batch("tichu", 6, 5, {"rounds": 1}, seats={1: pool, 3: pool}, core=core) for core in (True, False))
    choice = np.random.default_rng(5)
    for _ in range(80):
        for name in ("observation", "mask", "seat", "reward", "done"):
            assert (getattr(core, name) == getattr(engine, name)).all(), name
        ids = draw(core.mask, choice)
        core.step(ids)
        engine.step(ids)


def test_weights_that_are_none_of_the_agent_are_named(tmp_path: Path) -> None:
    path = tmp_path / "letter.weights"
    path.write_text("Dear Ben")
    for text in (f"behavior:weights={path}", f"behavior:weights={BELIEFS}"):
        with pytest.raises(ValueError, match=re.escape(text.partition("=")[2])):
            Batch("tichu", 2, 1, seats={1: text})


def test_agents_of_ones_own_play_where_games_are_stepped_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    code = """
from tisch.game import Agent

class Last(Agent):
    def __init__(self, place: int = -1) -> None:
        self.place = place

    def act(self, view, legal, must):
        return legal[self.place] if must else None
"""
    (tmp_path / "agents_for_batches.py").write_text(code, encoding="utf-8")
    named = "agents_for_batches:Last:place=0"
    refused = f"The agent '{named}' is written in Python and no policy of the core, where Mau-Mau has random, rule"
    with pytest.raises(ValueError, match=re.escape(refused)):
        Batch("maumau", 1, seats={1: named})
    batch = Batch("maumau", 1, 3, seats={1: named}, core=False)
    choice, checked = np.random.default_rng(1), 0
    for _ in range(40):
        batch.step(draw(batch.mask, choice))
        record = batch.record(0)
        state = batch.game.new(batch.options, record.seed)
        for seat, text in record.moves:
            assert seat == 0 or text == str(state.legal(1)[0])
            checked += seat
            state.play(seat, batch.game.parse(text))
    assert checked > 100


def test_an_agent_that_was_changed_is_no_policy_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "kept", lambda: {"maumau": {"rule": "0", "random": "0"}})
    with pytest.raises(ValueError, match="The agent 'rule' has other code than the one that its twin in the core was"):
        Batch("maumau", 1, seats={1: "rule"})
    Batch("maumau", 1, seats={1: "rule"}, core=False)


def test_bad_seats_are_named() -> None:
    shown = "Seat 1 is played by an agent as it is written, such as 'random', or by several with weights"
    agent = build_agent(find("maumau"), "rule")
    cases: tuple[tuple[Any, str], ...] = (
        ({2: "random"}, "Mau-Mau has the seats 0 to 1, but no seat 2."),
        ({-1: "random"}, "Mau-Mau has the seats 0 to 1, but no seat -1."),
        ({"1": "random"}, "Mau-Mau has the seats 0 to 1, but no seat '1'."),
        ({True: "random"}, "Mau-Mau has the seats 0 to 1, but no seat True."),
        ({0: "random", 1: "rule"}, "Agents play all seats: at least one must be left to be asked."),
        (["random"], "The argument 'seats' names agents by seat, as in {1: 'random'}, not ['random']."),
        ({1: "rabbit"}, "Mau-Mau has no agent 'rabbit'; there are "),
        ({1: "random:legs=4"}, "legs"),
        ({1: agent}, shown),
        ({1: type(agent)}, shown),
        ({1: []}, shown),
        ({1: [(1, agent)]}, shown),
        ({1: [("rule", 1)]}, shown),
        ({1: [(-1, "rule")]}, "The weight of 'rule' at seat 1 is a number above 0, not -1."),
        ({1: [(2, "random"), (0, "rule")]}, "The weight of 'rule' at seat 1 is a number above 0, not 0."),
        ({1: [(float("nan"), "rule")]}, "The weight of 'rule' at seat 1 is a number above 0, not nan."),
        ({1: [(float("inf"), "rule")]}, "The weight of 'rule' at seat 1 is a number above 0, not inf."),
        ({1: [("3", "rule")]}, "The weight of 'rule' at seat 1 is a number above 0, not '3'."),
    )
    for seats, sentence in cases:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            Batch("maumau", 1, 1, seats=seats)


def test_the_core_refuses_what_its_batch_cannot_take() -> None:
    game = find("maumau")
    shapes = ((1, 132), (1, 43), (1,), (1, 2), (1,), (1, 0, 2))
    kinds = (np.int8, np.uint8, np.int8, np.float32, np.uint8, np.int16)
    arrays: list[Any] = [np.zeros(shape, kind) for shape, kind in zip(shapes, kinds, strict=True)]
    policy = simulation.Policy("maumau", "rule")

    def begin(**changed: Any) -> simulation.Batch:
        given: dict[str, Any] = {
            "name": "maumau",
            "seats": {},
            "history": 0,
            "arrays": tuple(arrays),
            "threads": 1,
        } | changed
        plan = Plan(game, game.Options(), 1, {}, (), False, given["history"])
        return simulation.Batch(given["name"], plan, given["seats"], given["arrays"], given["threads"])

    begin()
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        (
            {"arrays": (*arrays[:4], np.zeros(2, np.uint8), arrays[5])},
            "The array 'done' has 2 rows, the batch 1 games.",
        ),
        (
            {"arrays": (arrays[0], arrays[1][:, :3], *arrays[2:])},
            "The array 'mask' must be writable and have 43 elements",
        ),
        ({"history": 2}, "The array 'history' must be writable and have 4 elements"),
        ({"threads": 0}, "At least 1 thread is needed, not 0."),
        ({"seats": {5: [(1.0, policy)]}}, "There are 2 seats from 0 on, but no seat 5."),
        ({"seats": {0: [(1.0, policy)], 1: [(1.0, policy)]}}, "Policies play all seats"),
        ({"seats": {1: []}}, "Seat 1 needs at least one policy, and weights above 0."),
        ({"seats": {1: [(-1.0, policy)]}}, "Seat 1 needs at least one policy, and weights above 0."),
        ({"name": "chess"}, "The core has no game 'chess', only: "),
    )
    for changed, sentence in cases:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            begin(**changed)
