"""Tests batches of games against single games of the engine, and the environments by their libraries' own checks."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

from tisch._core import derive
from tisch.encoding import SILENCE, Arrays
from tisch.env import Batch, Episode, aec, single
from tisch.game import Agent, Game, Sight
from tisch.games import REGISTRY, find, null, tichu

NAMES = ["null", *REGISTRY]
#: Options with which games are short, or unlike the default.
OPTIONS: dict[str, dict[str, Any]] = {"tichu": {"rounds": 1}, "maumau": {"players": 3}, "sechsundsechzig": {"goal": 2}}


def draw(mask: Any, random: np.random.Generator) -> Any:
    """Choose one of the legal ids of each game, uniformly."""
    games, count = mask.shape
    legal, first = np.flatnonzero(mask), count * np.arange(games)
    starts = np.searchsorted(legal, first)
    counts = np.diff(starts, append=len(legal))
    return legal[starts + (random.random(games) * counts).astype(np.intp)] - first


def compare(game: Game[Any], options: Any, games: int, steps: int) -> int:
    """Step a batch and as many single games alike; returns the number of games that ended."""
    batch, numbers, seed = Batch(game, games, 11, options), [0] * games, 11
    alone = [Episode(game, batch.options, derive(seed, index, 0)) for index in range(games)]
    random, ended = np.random.default_rng(3), 0
    for _ in range(steps):
        ids = draw(batch.mask, random)
        batch.step(ids)
        for index, episode in enumerate(alone):
            episode.step(int(ids[index]))
            over = episode.state.outcome()
            assert batch.done[index] == (over is not None)
            gained = [0.0] * episode.state.seats if over is None else [*over.payoff]
            assert batch.reward[index].tolist() == pytest.approx(gained)
            if over is not None:
                ended += 1
                numbers[index] += 1
                alone[index] = Episode(game, batch.options, derive(seed, index, numbers[index]))
            asked = alone[index]
            assert batch.seat[index] == asked.seat
            assert bytes(batch.observation[index]) == bytes(asked.observe(asked.seat)), (index, asked.state)
            assert bytes(batch.mask[index]) == bytes(asked.mask(asked.seat))
    return ended


@pytest.mark.parametrize(
    ("name", "options", "games", "steps"),
    [
        ("tichu", {"rounds": 1}, 12, 500),
        ("tichu", {"rounds": 3}, 3, 1200),
        ("tichu", {"goal": 30}, 6, 500),
        ("null", {}, 4, 60),
        ("maumau", {"players": 3}, 4, 300),
        ("sechsundsechzig", {"goal": 2}, 4, 300),
        ("okey", {"cheats": True}, 4, 150),
        ("raumstation", {}, 2, 60),
    ],
)
def test_a_batch_equals_single_games_of_the_engine(name: str, options: Any, games: int, steps: int) -> None:
    ended = compare(find(name), options, games, steps)
    assert ended >= games or name in ("raumstation", "okey"), ended


@pytest.mark.slow
def test_a_long_batch_of_tichu_equals_the_engine() -> None:
    assert compare(tichu.GAME, {"rounds": 2}, 64, 6000) > 500


def test_a_batch_of_several_parts_equals_single_games_of_the_engine() -> None:
    # The core writes 32 games at a time.
    compare(tichu.GAME, {"rounds": 1}, 70, 25)


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


def test_the_arrays_are_reused_and_cannot_be_written() -> None:
    batch = Batch("tichu", 4)
    kept = batch.observation, batch.mask, batch.seat, batch.reward, batch.done
    batch.step(draw(batch.mask, np.random.default_rng(1)))
    assert all(one is other for one, other in zip(kept, (batch.observation, batch.mask, *kept[2:]), strict=True))
    assert [array.dtype.name for array in kept] == ["int8", "bool", "int8", "float32", "bool"]
    for array in kept:
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


@pytest.mark.parametrize("name", ["tichu", "maumau"])
def test_bad_ids_change_nothing_and_are_named(name: str) -> None:
    batch = Batch(name, 3, 5)
    before = bytes(batch.observation), bytes(batch.mask)
    illegal = int(np.flatnonzero(~batch.mask[1])[-1])
    good = batch.mask.argmax(1)
    count = batch.encoding.count
    for ids, sentence in (
        ([good[0], illegal, good[2]], f"Game 1 cannot take the id {illegal} now: its mask is false there."),
        ([good[0], good[1], -1], f"Game 2 cannot take the id -1 now|the id -1: there are the ids 0 to {count - 1}"),
        ([good[0], good[1], count], f"Game 2 cannot take the id {count}"),
        (good[:2], r"each of the 3 games, not an array of int64 with the shape \(2,\)"),
        (good.astype(float), "not an array of float64 with the shape"),
        (batch.mask[:, 0], "not an array of bool"),
        (good[:, None], r"with the shape \(3, 1\)"),
    ):
        with pytest.raises(ValueError, match=sentence):
            batch.step(ids)
    assert before == (bytes(batch.observation), bytes(batch.mask))
    batch.step(good.astype(np.uint16))


def test_bad_batches_are_named() -> None:
    for games in (0, -3):
        with pytest.raises(ValueError, match=f"A batch has at least 1 game, not {games}"):
            Batch("tichu", games)
    with pytest.raises(ValueError, match="There is no game 'tichuu'"):
        Batch("tichuu", 1)
    with pytest.raises(ValueError, match=r"A seed is a number from 0 to 2\^64 - 1, not -1"):
        Batch("tichu", 1, -1)
    with pytest.raises(ValueError, match="A seed is a number"):
        Batch("okey", 1, -1)
    with pytest.raises(ValueError, match="Tichu has no option 'round'"):
        Batch("tichu", 1, 0, {"round": 1})
    with pytest.raises(ValueError, match="Options of Tichu are values by name or Options, not 3"):
        Batch("tichu", 1, 0, 3)


def test_an_array_of_another_size_is_named_by_the_core() -> None:
    encoding, elements = tichu.GAME.encoding, (843, 302, 1, 4, 1)
    kinds = (np.int8, np.uint8, np.int8, np.float32, np.uint8)
    arrays = [np.zeros((1, size), kind) for size, kind in zip(elements, kinds, strict=True)]
    assert encoding.core(1, 0, tichu.Options(), Arrays(*arrays)) is not None
    arrays[4] = np.zeros((2, 1), np.uint8)
    with pytest.raises(ValueError, match=r"The array 'done' has 2 rows, the batch 1 games\."):
        encoding.core(1, 0, tichu.Options(), Arrays(*arrays))
    arrays[4], arrays[1] = np.zeros((1, 1), np.uint8), np.zeros((1, 3), np.uint8)
    with pytest.raises(
        ValueError, match="The array 'mask' must be writable and have 302 elements for each game in the order"
    ):
        encoding.core(1, 0, tichu.Options(), Arrays(*arrays))


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
