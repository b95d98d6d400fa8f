"""Tests batches: against single games of the engine, and the core's against those that are stepped in Python."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from batches import arrays, compare, draw
from tisch._core import derive, simulation
from tisch.env import Batch, Episode
from tisch.game import Game
from tisch.games import find, tichu


def beside(game: Game[Any], options: Any, games: int, steps: int) -> int:
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
        ("sechsundsechzig", {"goal": 5}, 6, 400),
        ("okey", {"cheats": True}, 4, 150),
        ("raumstation", {}, 2, 60),
    ],
)
def test_a_batch_equals_single_games_of_the_engine(name: str, options: Any, games: int, steps: int) -> None:
    ended = beside(find(name), options, games, steps)
    assert ended >= games or name in ("raumstation", "okey"), ended


@pytest.mark.slow
def test_a_long_batch_of_tichu_equals_the_engine() -> None:
    assert beside(tichu.GAME, {"rounds": 2}, 64, 6000) > 500


def test_a_batch_of_several_parts_equals_single_games_of_the_engine() -> None:
    # The core writes 32 games at a time.
    beside(tichu.GAME, {"rounds": 1}, 70, 25)


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
    cases: tuple[tuple[tuple[Any, ...], dict[str, Any], str], ...] = (
        (("maumau", 0), {}, "The argument 'games' is a whole number of at least 1, not 0."),
        (("null", -3), {}, "The argument 'games' is a whole number of at least 1, not -3."),
        (("null", 2.0), {}, "The argument 'games' is a whole number of at least 1, not 2.0."),
        (("tichuu", 1), {}, "There is no game 'tichuu'; there are "),
        (("tichu", 1, -1), {}, "A seed is a number from 0 to 2^64 - 1, not -1."),
        (("okey", 1, 1 << 64), {}, f"A seed is a number from 0 to 2^64 - 1, not {1 << 64}."),
        (("okey", 1, "7"), {}, "A seed is a number from 0 to 2^64 - 1, not '7'."),
        (("tichu", 1, 0, {"round": 1}), {}, "Tichu has no option 'round'; it has "),
        (("tichu", 1, 0, 3), {}, "Options of Tichu are values by name or Options, not 3."),
        (("maumau", 1), {"threads": 0}, "The argument 'threads' is a whole number of at least 1, not 0."),
        (("maumau", 1), {"threads": True}, "The argument 'threads' is a whole number of at least 1, not True."),
        (("null", 1), {"skip_forced": 1}, "The argument 'skip_forced' is True or False, not 1."),
        (("null", 1), {"core": "no"}, "The argument 'core' is True or False, not 'no'."),
    )
    for arguments, named, sentence in cases:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            Batch(*arguments, **named)


def test_batches_without_a_seed_play_other_games() -> None:
    hands = {bytes(Batch("maumau", 1).observation) for _ in range(8)}
    assert len(hands) == 8
    batch = Batch("maumau", 3)
    assert bytes(Batch("maumau", 3, batch.seed).observation) == bytes(batch.observation)


@pytest.mark.parametrize("name", simulation.games())
def test_the_core_and_the_interface_make_the_same_arrays(name: str) -> None:
    ended = sum(compare(name, seed, 3, 60) for seed in range(5))
    assert ended > 5 or name == "okey", ended


@pytest.mark.slow
@pytest.mark.parametrize("name", simulation.games())
def test_the_core_and_the_interface_make_the_same_arrays_for_long(name: str) -> None:
    assert sum(compare(name, seed, 16, 200) for seed in range(100, 112)) > 100


@pytest.mark.parametrize("threads", [2, 3, 70])
def test_threads_do_not_change_the_arrays(threads: int) -> None:
    # The last threads have fewer games, or none.
    one, several = (Batch("maumau", 65, 3, seats={1: "random"}, threads=count) for count in (1, threads))
    choice = np.random.default_rng(1)
    for _ in range(200):
        assert arrays(one) == arrays(several)
        ids = draw(one.mask, choice)
        one.step(ids)
        several.step(ids)


@pytest.mark.parametrize("core", [True, False])
def test_skipped_questions_have_one_answer(core: bool) -> None:
    # The same game with the questions in between: left out are those with a single answer, but the first of a game.
    skipped = asked = 0
    for seed in range(6):
        every, some = (Batch("maumau", 1, seed, {"players": 3}, skip_forced=skip, core=core) for skip in (False, True))
        choice = np.random.default_rng(seed)
        for _ in range(100):
            gained = np.zeros(3)
            ids = draw(every.mask, choice)
            some.step(ids)
            while True:
                every.step(ids)
                gained += every.reward[0]
                if every.mask.sum() > 1 or every.done[0]:
                    break
                ids = every.mask.argmax(1)
                skipped += 1
            assert bytes(every.observation) == bytes(some.observation), (seed, core)
            assert bytes(every.mask) == bytes(some.mask)
            assert gained.tolist() == some.reward[0].tolist() and some.done[0] == gained.any()
            asked += 1
    assert skipped > asked / 2
