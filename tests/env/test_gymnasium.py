"""Tests the environments of Gymnasium: one game, and many at once."""

from __future__ import annotations

import re
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from batches import OPTIONS, draw
from tisch.encoding import SILENCE
from tisch.env import Batch, aec, single, vector
from tisch.env.gymnasium import SingleEnv
from tisch.game import Agent, Sight
from tisch.games import REGISTRY, find

NAMES = ["null", *REGISTRY]


def quietly(check: Any) -> None:
    """Run a check of Gymnasium, which may not warn."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check()
    assert not caught, [str(warning.message) for warning in caught]


@pytest.mark.parametrize("name", REGISTRY)
def test_gymnasium_makes_and_checks_every_game(name: str) -> None:
    game = find(name)
    known = f"tisch/{game.title}-v{game.encoding.version}"
    quietly(lambda: check_env(gymnasium.make(known, options=OPTIONS.get(name)).unwrapped))
    env = gymnasium.make(known, opponents="random", seat=0, render_mode=None)
    env.reset(seed=1)
    assert env.render() is None
    several = gymnasium.make_vec(known, num_envs=3)
    assert several.num_envs == 3 and several.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, _ = several.reset(seed=1)
    assert several.observation_space.contains(observations)


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_plays_games_to_their_ends(name: str) -> None:
    env = single(name, options=OPTIONS.get(name))
    env.action_space.seed(2)
    observation, _ = env.reset(seed=1)
    again, _ = single(name, options=OPTIONS.get(name)).reset(seed=1)
    assert all(bytes(observation[key]) == bytes(again[key]) for key in observation)
    games = 0
    for _ in range(400):
        assert env.observation_space.contains(observation)
        # As sb3-contrib asks for it.
        assert env.get_wrapper_attr("action_masks")().tolist() == observation["action_mask"].astype(bool).tolist()
        observation, reward, over, cut, information = env.step(env.action_space.sample(observation["action_mask"]))
        assert not cut and (over or reward == 0) and information == {"illegal": False}
        assert observation["action_mask"].any()
        if over:
            games += 1
            assert reward == env.episode.payoff()[0] and np.flatnonzero(observation["action_mask"]).tolist() == [
                SILENCE
            ]
            observation, _ = env.reset()
    assert games > 1 or name in ("okey", "raumstation", "maumau")


def test_an_illegal_id_stands_for_the_least_legal_one() -> None:
    env, other = single("maumau"), single("maumau")
    observation, _ = env.reset(seed=3)
    other.reset(seed=3)
    legal = np.flatnonzero(observation["action_mask"])
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[-1])
    one, two = env.step(illegal), other.step(int(legal[0]))
    assert bytes(one[0]["observation"]) == bytes(two[0]["observation"])
    assert (one[4], two[4]) == ({"illegal": True}, {"illegal": False})
    several = vector("maumau", 3)
    observations, _ = several.reset(seed=3)
    least = observations["action_mask"].argmax(1)
    chosen = least.copy()
    chosen[1] = np.flatnonzero(observations["action_mask"][1] == 0)[-1]
    after, *_, information = several.step(chosen)
    assert information["illegal"].tolist() == [False, True, False]
    same = vector("maumau", 3)
    same.reset(seed=3)
    assert bytes(same.step(least)[0]["observation"]) == bytes(after["observation"])
    for wrong in (-1, 43):
        with pytest.raises(ValueError, match=f"There are the ids 0 to 42, but no id {wrong}"):
            env.step(wrong)
        chosen[1] = wrong
        with pytest.raises(ValueError, match=f"Game 1 cannot take the id {wrong}: there are the ids 0 to 42"):
            several.step(chosen)
    with pytest.raises(ValueError, match="A step takes a whole number for each of the 3 games"):
        several.step([0.5, 1, 2])


def test_environments_without_a_seed_play_other_games() -> None:
    seen = set()
    for _ in range(8):
        env, several, pettingzoo = single("maumau"), vector("maumau", 2), aec("maumau")
        for _ in range(2):
            pettingzoo.reset()
            seen |= {bytes(env.reset()[0]["observation"]), bytes(pettingzoo.observe("seat_0")["observation"])}
            seen |= {bytes(row) for row in several.reset()[0]["observation"]}
    assert len(seen) == 8 * 2 * 4


def test_a_vector_is_a_batch_of_which_one_seat_is_asked() -> None:
    settings: dict[str, Any] = {"history": 2, "skip_forced": True, "threads": 2}
    seats: dict[int, Any] = {0: "rule", 2: [(1, "rule"), (2, "random")]}
    options = {"players": 3}
    env = vector("maumau", 5, seats, options, **settings)
    assert env.seat == 1
    batch = Batch("maumau", 5, 9, options, seats=seats, **settings)
    observations, _ = env.reset(seed=9)
    random, ended = np.random.default_rng(1), 0
    for _ in range(150):
        assert env.observation_space.contains(observations)
        assert bytes(observations["observation"]) == bytes(batch.observation)
        assert bytes(observations["action_mask"]) == bytes(batch.mask) == bytes(env.action_masks())
        assert bytes(observations["history"]) == bytes(batch.history)
        kept = {name: bytes(array) for name, array in observations.items()}
        before = observations
        ids = draw(batch.mask, random)
        batch.step(ids)
        observations, rewards, over, cut, information = env.step(ids)
        assert {name: bytes(array) for name, array in before.items()} == kept, "An observation has changed."
        assert rewards.tolist() == batch.reward[:, 1].tolist() and not cut.any()
        assert over.tolist() == batch.done.tolist()
        assert ("final_obs" in information) == bool(over.any())
        for index in np.flatnonzero(over).tolist():
            ended += 1
            last = information["final_obs"][index]
            assert env.single_observation_space.contains(last) and last["action_mask"].any()
            assert bytes(last["observation"]) == bytes(batch.final_observation[index])
            assert bytes(last["history"]) == bytes(batch.final_history[index])
    assert ended > 10


def test_the_games_of_a_vector_go_on_with_other_seeds() -> None:
    env, same = vector("maumau", 4), vector("maumau", 4)
    first, second = (bytes(env.reset(seed=seed)[0]["observation"]) for seed in (5, None))
    assert first != second
    assert [bytes(same.reset(seed=seed)[0]["observation"]) for seed in (5, None)] == [first, second]
    assert bytes(env.reset(seed=5)[0]["observation"]) == first


def test_gymnasium_counts_the_returns_of_a_vector() -> None:
    env = RecordEpisodeStatistics(vector("maumau", 4, {1: "rule"}))
    observations, _ = env.reset(seed=1)
    random, returns, lengths = np.random.default_rng(1), 0, np.zeros(4, int)
    for _ in range(200):
        observations, rewards, over, _, information = env.step(draw(observations["action_mask"], random))
        lengths += 1
        if over.any():
            assert information["episode"]["r"][over].tolist() == rewards[over].tolist()
            assert information["episode"]["l"][over].tolist() == lengths[over].tolist()
            lengths[over] = 0
            returns += int(over.sum())
    assert returns > 20


def test_an_environment_renders_what_its_seat_may_see() -> None:
    env = vector("maumau", 2)
    env.reset(seed=4)
    shown = env.render()
    assert shown is not None and len(shown) == 2
    for index, text in enumerate(shown):
        assert text == repr(env.batch.state(index).view(0))


def test_bad_environments_are_named() -> None:
    cases: tuple[tuple[Any, str], ...] = (
        (lambda: vector("maumau", 0), "The argument 'num_envs' is a whole number of at least 1, not 0."),
        (lambda: vector("maumau", 2, {}), "One seat learns in a vector environment, but the seats [0, 1] are left"),
        (lambda: vector("maumau", 2, {0: "rule", 1: "rule"}), "Agents play all seats"),
        (lambda: vector("maumau", 2, {0: "rabbit"}), "Mau-Mau has no agent 'rabbit'"),
        (lambda: vector("maumau", 2, history=-1), "The argument 'history' is a whole number of at least 0, not -1."),
        (lambda: vector("maumau", 2, threads=0), "The argument 'threads' is a whole number of at least 1, not 0."),
        (lambda: vector("maumau", 2, starts=7), "The argument 'starts' is a list of records"),
        (lambda: vector("maumau", 2).reset(seed=1 << 64), "A seed is a number from 0 to 2^64 - 1"),
        (lambda: SingleEnv("tichu", render_mode="human"), "by the mode 'ansi', not by 'human'"),
        (lambda: vector("maumau", 2, render_mode="human"), "by the mode 'ansi', not by 'human'"),
    )
    for make, sentence in cases:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            make()


class Silent(Agent[Any]):
    """Decides by the first legal move, and never speaks out of turn."""

    sight = Sight.BLIND

    def act(self, view: Any, legal: Any, must: bool) -> Any:
        assert view is None
        return legal[0] if must else None


def test_opponents_are_chosen_for_each_seat() -> None:
    env = single("tichu", ["random", Silent(), "tisch.games.tichu.agents:RuleAgent"], seat=2, options={"rounds": 1})
    env.reset(seed=3)
    assert [type(env.opponents[seat]).__name__ for seat in (0, 1, 3)] == ["RandomAgent", "Silent", "RuleAgent"]
    assert env.episode.seat == 2 and "play" in str(env.render())
    cases: tuple[tuple[Any, str], ...] = (
        (["random"], "3 opponents sit at the table, not 1"),
        ([agent := Silent(), agent, "random"], "An agent's object plays one seat"),
        (Silent(), "An agent's object plays one seat"),
        ("nobody", "nobody"),
    )
    for opponents, sentence in cases:
        with pytest.raises(ValueError, match=sentence):
            single("tichu", opponents)
    with pytest.raises(ValueError, match="Tichu has the seats 0 to 3, but no seat 4"):
        single("tichu", seat=4)
