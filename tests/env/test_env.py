"""Tests single games, and the environments by their libraries' own checks."""

from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest

from batches import OPTIONS, draw
from tisch.encoding import SILENCE
from tisch.env import Episode, aec
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


def test_a_missing_library_is_named_with_its_extra() -> None:
    for face, library in (("aec", "pettingzoo"), ("single", "gymnasium"), ("vector", "gymnasium")):
        code = f"import sys; sys.modules['{library}'] = None\nfrom tisch.env import {face}\n{face}('tichu')"
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert f"ImportError: This needs the package '{library}': pip install 'tisch[env]'." in result.stderr
