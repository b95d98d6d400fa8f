"""Tests single games, and the environments by their libraries' own checks."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

from batches import OPTIONS, draw
from tisch.encoding import SILENCE
from tisch.env import Episode, aec, single
from tisch.game import Agent, Sight
from tisch.games import REGISTRY, null

NAMES = ["null", *REGISTRY]


def test_an_episode_follows_the_driver() -> None:
    # Who may speak is asked first, in the order of the driver; then the first awaited seat.
    episode = Episode(null.GAME, null.Options(), 1)
    assert (episode.seat, episode.mask(0).tolist()) == (0, [False, True, True, False])
    episode.step(1)
    assert (episode.seat, episode.mask(0).tolist()) == (0, [True, False, False, True])
    assert not episode.mask(1).any() and not episode.step(SILENCE)
    assert (episode.seat, episode.mask(1).tolist()) == (1, [False, True, True, False])
    assert episode.step(2) and episode.seat == -1 and episode.payoff() == (0, 0)
    with pytest.raises(ValueError, match=r"The game is over\."):
        episode.step(1)
    with pytest.raises(ValueError, match=r"The game is over\."):
        episode.decide(null.Move.LOW)
    with pytest.raises(ValueError, match=r"Seat 0 must move\."):
        Episode(null.GAME, null.Options(), 1).decide(None)


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_accepts_every_game(name: str) -> None:
    from pettingzoo.test import api_test, seed_test  # noqa: PLC0415

    options = OPTIONS.get(name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(aec(name, options), num_cycles=60)
        seed_test(lambda: aec(name, options), num_cycles=60)
    # Observations with masks are dictionaries, as in PettingZoo's own card games, whose names its checks know.
    known = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
    told = [str(warning.message) for warning in caught]
    assert not [message for message in told if not message.startswith(known)], told


def test_a_game_of_pettingzoo_ends_with_the_payoffs() -> None:
    env = aec("tichu", {"rounds": 1})
    env.reset(seed=4)
    state = env.episode.state
    random = np.random.default_rng(2)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        rewards[agent] = reward
        env.step(None if over else int(draw(observation["action_mask"][None], random)[0]))
    outcome = state.outcome()
    assert outcome is not None and [rewards[f"seat_{seat}"] for seat in range(4)] == [*outcome.payoff]
    assert "over" in str(env.render()) and env.agents == []


def test_a_bad_action_of_pettingzoo_is_named() -> None:
    env = aec("null")
    env.reset(seed=4)
    with pytest.raises(ValueError, match="Seat 0 may not choose the id 0 now"):
        env.step(0)
    with pytest.raises(ValueError, match="seat_0 must choose an id, not None: the game goes on"):
        env.step(None)


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_accepts_every_game(name: str) -> None:
    env = single(name, options=OPTIONS.get(name))
    random = np.random.default_rng(2)
    observation, _ = env.reset(seed=1)
    again, _ = single(name, options=OPTIONS.get(name)).reset(seed=1)
    assert all(bytes(observation[key]) == bytes(again[key]) for key in observation)
    games = 0
    for _ in range(400):
        assert env.observation_space.contains(observation)
        ids = np.flatnonzero(observation["action_mask"])
        observation, reward, over, cut, _ = env.step(int(random.choice(ids)))
        assert not cut and (over or reward == 0)
        if over:
            games += 1
            assert reward == env.episode.payoff()[0] and not observation["action_mask"].any()
            observation, _ = env.reset()
    assert games > 1 or name in ("okey", "raumstation", "maumau")


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
    assert env.episode.seat == 2 and "play" in env.render()
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
    with pytest.raises(ValueError, match="Seat 2 may not choose the id 301 now"):
        env.step(301)


def test_a_missing_library_is_named_with_its_extra() -> None:
    for face, library in (("aec", "pettingzoo"), ("single", "gymnasium")):
        code = f"import sys; sys.modules['{library}'] = None\nfrom tisch.env import {face}\n{face}('tichu')"
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert f"ImportError: This needs the package '{library}': pip install 'tisch[env]'." in result.stderr
