"""Tests where the games of a batch stand: snapshots, copies, pickles, states, positions to begin from, last moments."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from batches import arrays, draw, some_starts
from tisch.env import Batch, Episode
from tisch.game import Random
from tisch.games import find
from tisch.record import Record, options_of

#: A game that the core steps, with all settings; and one that is stepped in Python.
KINDS: dict[str, dict[str, Any]] = {
    "maumau": {
        "options": {"players": 3, "rounds": 2},
        "seats": {1: [(2, "rule"), (1, "random")]},
        "starts": some_starts(find("maumau"), find("maumau").Options(players=3, rounds=2), Random(4), 2),
        "skip_forced": True,
        "history": 4,
    },
    "null": {"history": 3},
}


def play(batch: Batch, steps: int, seed: int = 1) -> list[dict[str, bytes]]:
    """Step a batch at random; returns what it showed."""
    choice, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        batch.step(draw(batch.mask, choice))
        shown.append(arrays(batch))
    return shown


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("how", ["restore", "of", "copy", "pickle"])
def test_a_batch_goes_on_where_it_stood(name: str, how: str) -> None:
    batch = Batch(name, 5, 3, **KINDS[name])
    ended = 0
    for steps in (0, 1, 2, 30, 77):
        play(batch, steps)
        ended += int(batch.done.sum())
        before, snapshot = arrays(batch), pickle.loads(pickle.dumps(batch.snapshot()))
        if how == "restore":
            other = batch
            play(batch, 3, seed=9)
            batch.restore(snapshot)
        elif how == "of":
            other = Batch.of(snapshot)
        else:
            other = batch.copy() if how == "copy" else pickle.loads(pickle.dumps(batch))
        assert arrays(other) == before
        after = play(other, 20)
        if other is not batch:
            assert arrays(batch) == before, "The copy is not independent."
            assert play(batch, 20) == after
    # A game that has just ended is one that must be restored, too.
    assert ended > 0 or name == "maumau"


def test_a_step_that_ended_games_is_restored_with_its_rewards() -> None:
    batch = Batch("maumau", 8, 3, history=2)
    choice, seen = np.random.default_rng(1), 0
    for _ in range(300):
        batch.step(draw(batch.mask, choice))
        if batch.done.any():
            seen += 1
            copy = batch.copy()
            assert copy.reward.any() and arrays(copy) == arrays(batch)
            assert copy.snapshot() == batch.snapshot()
    assert seen > 30


def test_a_snapshot_is_small() -> None:
    batch = Batch("maumau", 100, 3)
    play(batch, 50)
    assert len(pickle.dumps(batch.snapshot())) < 100 * 400
    assert len(pickle.dumps(batch)) < 100 * 400


def test_a_snapshot_of_another_kind_is_refused_by_a_sentence_that_names_both() -> None:
    batch = Batch("maumau", 3, 5, {"players": 3}, seats={1: "rule"}, history=2)
    play(batch, 10)
    own = batch.snapshot()
    before, version = arrays(batch), batch.encoding.version
    start: tuple[int, list[Any]] = (1, [])
    others: tuple[tuple[Any, str], ...] = (
        (Batch("null", 3, 5).snapshot(), "A snapshot of the game 'null' does not fit a batch of the game 'maumau'."),
        (
            replace(own, version=7),
            f"The snapshot was made with version 7 of the arrays of 'maumau', this tisch has version {version}.",
        ),
        (replace(own, options={}), "The snapshot has the options {}, the batch {'players': 3}."),
        (replace(own, seed=6), "The snapshot has the seed 6, the batch 5."),
        (replace(own, seats={}), "The snapshot has the seats {}, the batch {1: ((1.0, 'rule'),)}."),
        (replace(own, history=3), "The snapshot has the history 3, the batch 2."),
        (replace(own, skip_forced=True), "The snapshot has the skip_forced True, the batch False."),
        (replace(own, starts=Batch("maumau", 1, 1, starts=[start])._plan.starts), "The snapshot has the starts others"),
        (replace(own, courses=own.courses[1:]), "The snapshot has 2 games, the batch 3."),
        (replace(own, courses=((0, b"\xff\0\0\0"), *own.courses[1:])), "Game 0 cannot take the id 255"),
        (replace(own, courses=(*own.courses[:2], (0, b"\0\0\0\0"))), "Game 2 cannot take the id 0 now"),
        ("snapshot", "A batch is restored from a Snapshot, not from 'snapshot'."),
    )
    for other, sentence in others:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            batch.restore(other)
        assert arrays(batch) == before
    with pytest.raises(ValueError, match="The snapshot was made with version 7 of the arrays of 'maumau'"):
        Batch.of(replace(own, version=7))


@pytest.mark.parametrize("name", KINDS)
def test_a_state_is_the_game_of_the_engine(name: str) -> None:
    batch = Batch(name, 4, 3, **KINDS[name])
    for _ in range(25):
        play(batch, 3)
        for index in range(4):
            record, state, seat = batch.record(index), batch.state(index), int(batch.seat[index])
            # No move of these games is split, so the observation is that of the state.
            assert bytes(batch.encoding.observe(state.view(seat))) == bytes(batch.observation[index])
            assert batch.options == options_of(batch.game, record.options)
            *_, replayed = Record(name, record.options, record.seed, record.moves).replay()
            assert replayed.view(seat) == state.view(seat)
    no_games: tuple[Any, ...] = (4, -1, 0.5, None)
    for each in no_games:
        with pytest.raises(IndexError, match=re.escape(f"There are 4 games from 0 on, but no game {each!r}.")):
            batch.state(each)


@pytest.mark.parametrize("core", [True, False])
def test_games_begin_from_positions(core: bool) -> None:
    game = find("maumau")
    starts = some_starts(game, game.Options(), Random(2), 3)
    records = [Record("maumau", {}, seed, [(seat, str(move)) for seat, move in moves]) for seed, moves in starts]
    batch = Batch("maumau", 40, 3, starts=[starts[0], *records[1:]], history=1, core=core)
    positions = [Episode(game, game.Options(), seed, moves) for seed, moves in starts]
    shown = [bytes(each.observe(each.seat)) for each in positions]
    begun = [shown.index(bytes(row)) for row in batch.observation]
    assert {*begun} == {0, 1, 2}
    for index, place in enumerate(begun):
        record = batch.record(index)
        assert (record.seed, record.moves) == (records[place].seed, [*records[place].moves])
        assert bytes(batch.history[index]) == bytes(positions[place].history(positions[place].seat, 1))
    # The next games draw again.
    choice, drawn = np.random.default_rng(1), set()
    for _ in range(60):
        batch.step(draw(batch.mask, choice))
        drawn |= {(begun[index], shown.index(bytes(batch.observation[index]))) for index in np.flatnonzero(batch.done)}
        begun = [
            shown.index(bytes(batch.observation[index])) if batch.done[index] else before
            for index, before in enumerate(begun)
        ]
    assert len(drawn) == 9


@pytest.mark.parametrize("core", [True, False])
def test_bad_positions_are_named(core: bool) -> None:
    state = find("maumau").new(find("maumau").Options(), 5)
    good = [(0, str(state.legal(0)[0]))]
    ended = Episode(find("maumau"), find("maumau").Options(), 5)
    while ended.decision is not None:
        ended.step(ended.decision.ids[0])
    begin = "Start 1 is no position to begin from: "
    cases: tuple[tuple[Any, str], ...] = (
        (3, "The argument 'starts' is a list of records, or of pairs of a seed and moves, not 3."),
        ("abc", "The argument 'starts' is a list of records, or of pairs of a seed and moves, not 'abc'."),
        ([(5, good), 7], begin + "it is no record, and no pair of a seed and moves, but 7."),
        ([(5, good), (5, [1])], begin + "it is no record, and no pair of a seed and moves, but (5, [1])."),
        ([(5, good), (5, [("0", "x")])], begin + "a seat is no whole number."),
        ([(5, good), (-1, good)], "A seed is a number from 0 to 2^64 - 1, not -1."),
        ([(5, good), (5, [*good, (0, "play XB")])], begin + "seat 0 may not 'play XB' as move 2."),
        ([(5, good), (5, [(9, "take 1")])], begin + "seat 9 may not 'take 1' as move 1."),
        ([(5, good), (5, ended.moves)], begin + "the game is over."),
        ([(5, good), Record("null", {}, 5, [])], begin + "it is a record of the game 'null', not of 'maumau'."),
        ([(5, good), Record("maumau", {"players": 3}, 5, [])], begin + "it is a record with Options(players=3"),
        ([(5, good), Record("maumau", {"legs": 3}, 5, [])], begin + "Mau-Mau has no option 'legs'"),
    )
    for starts, sentence in cases:
        with pytest.raises(ValueError, match=re.escape(sentence)):
            Batch("maumau", 1, 1, starts=starts, core=core)


@pytest.mark.parametrize("core", [True, False])
def test_the_last_moment_of_a_game_is_kept_until_the_next_step(core: bool) -> None:
    batch, alone, ended = Batch("maumau", 6, 4, history=3, core=core), {}, 0
    choice = np.random.default_rng(1)
    for _ in range(200):
        for index in range(6):
            alone[index] = batch.record(index), int(batch.seat[index])
        ids = draw(batch.mask, choice)
        batch.step(ids)
        for index in range(6):
            last, moves = batch.final_observation[index], batch.final_history[index]
            if not batch.done[index]:
                assert not last.any() and (moves == -1).all()
                continue
            ended += 1
            record, seat = alone[index]
            game = find("maumau")
            played = [(each, game.parse(text)) for each, text in record.moves]
            before = Episode(game, batch.options, record.seed, played)
            before.step(int(ids[index]))
            assert before.decision is None
            assert bytes(last) == bytes(before.observe(seat)) and bytes(moves) == bytes(before.history(seat, 3))
    assert ended > 20
    with pytest.raises(ValueError, match="read-only"):
        batch.final_observation[:] = 0
