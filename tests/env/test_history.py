"""Tests the last moves that a batch shows: their form, and that a seat learns nothing that it may not know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from batches import OPTIONS, draw
from tisch._core import derive
from tisch.env import Batch, Episode
from tisch.game import Game, Random, State
from tisch.games import REGISTRY, find, null, tichu


def test_moves_are_shown_with_their_ids_and_the_seat_counted_from_the_own() -> None:
    state = tichu.GAME.from_deal(["S7 B7 G7 S8", "SK S3", "S4 B4 S5", "BK B3 SA"], lead=0)
    episode = _of(tichu.GAME, state, [])
    moves = ["play B7 S7", "pass", "pass", "pass", "take"]
    for seat, text in zip((0, 1, 2, 3, 0), moves, strict=True):
        while episode.decision is not None and not episode.decision.must:
            episode.step(0)
        assert episode.decision is not None and episode.decision.seat == seat
        episode.decide(tichu.GAME.parse(text))
    path = tichu.GAME.encoding.path(tichu.GAME.parse(moves[0]), 0)
    assert len(path) == 3
    ids = tichu.GAME.encoding.ids["call"]
    lone = [[ids[3]], [ids[0]], [ids[0]], [ids[0]], [*path]]
    rows = episode.history(0, 7).tolist()
    who = [0, 3, 2, 1, 0]
    expected = [[seat, *path, *[-1] * (15 - len(path))] for seat, path in zip(who, lone, strict=True)]
    assert rows == [*expected, [-1] * 16, [-1] * 16]
    # Another seat counts from itself, and fewer rows are the newest.
    assert episode.history(3, 2).tolist() == [[1, *expected[0][1:]], [0, *expected[1][1:]]]


@pytest.mark.parametrize("core", [True, False])
def test_a_batch_shows_the_moves_of_the_round(core: bool) -> None:
    batch = Batch("maumau", 4, 2, {"players": 3, "rounds": 3}, seats={1: "rule"}, history=6, core=core)
    assert batch.history.shape == (4, 6, 2) and (batch.history == -1).all()
    choice, begun = np.random.default_rng(1), 0
    for _ in range(150):
        batch.step(draw(batch.mask, choice))
        for index in range(4):
            record, seat, game = batch.record(index), int(batch.seat[index]), batch.game
            state = game.new(batch.options, record.seed)
            rows: list[list[int]] = []
            for mover, text in record.moves:
                number = state.round_number()
                move = game.parse(text)
                state.play(mover, move)
                rows.insert(0, [(mover - seat) % 3, batch.encoding.path(move, mover)[0]])
                if state.round_number() != number:
                    rows.clear()
                    begun += 1
            assert batch.history[index].tolist() == [*rows, *[[-1, -1]] * 6][:6]
    assert begun > 100


def _of(game: Game[Any], state: State[Any], moves: list[tuple[int, Any]]) -> Episode:
    """Return a game that stands at a state, after some moves of its round."""
    episode = Episode(game, game.Options(), 0)
    episode.state = state
    episode.moves = [*moves]
    episode._begin()
    return episode


def _lockstep(game: Game[Any], options: Any, seed: int) -> tuple[int, int]:
    """Play two worlds that a seat cannot tell apart, and compare what it is shown of the moves.

    The others move by what they have in each world. As long as all views of the seat have been the same, so must be
    what it is shown.

    :result: How often moves of others were shown, and how often the worlds differed in moves.
    """
    random = Random(seed, "history", game.name)
    state = game.new(options, random.bits())
    seat = random.below(state.seats)
    one = _of(game, state, [])
    for _ in range(random.choice([0, 0, 10, 40])):
        if one.decision is not None:
            one.step(random.choice(one.decision.ids))
    if one.decision is None:
        return 0, 0
    one = _of(game, one.state, one.moves[one._before :])
    number = one.state.round_number()
    other = _of(game, one.state.resample(seat, random), one.moves)
    shown = differed = 0
    while one.decision is not None and other.decision is not None and one.decision.seat == other.decision.seat:
        common = [each for each in one.decision.ids if each in other.decision]
        if one.decision.seat == seat or (common and random.below(3)):
            action = random.choice(common)
            one.step(action)
            other.step(action)
        else:
            one.step(random.choice(one.decision.ids))
            other.step(random.choice(other.decision.ids))
        if one.state.view(seat) != other.state.view(seat) or one.state.round_number() != number:
            break
        rows = one.history(seat, 20)
        where = f"{game.name} seed {seed}, seat {seat}: {one.moves} and {other.moves}"
        assert bytes(rows) == bytes(other.history(seat, 20)), where
        shown += int((rows[:, 0] > 0).any())
        differed += one.moves != other.moves
    return shown, differed


@pytest.mark.parametrize("name", ["null", *(name for name in REGISTRY if name != "raumstation")])
def test_moves_of_worlds_that_a_seat_cannot_tell_apart_look_the_same(name: str) -> None:
    game = find(name)
    options = game.Options(**OPTIONS.get(name, {}))
    shown, differed = np.sum([_lockstep(game, options, derive(1, number)) for number in range(200)], axis=0)
    assert shown > 10
    assert differed > 10 or name not in ("null", "tichu")


def test_what_hides_something_is_not_shown() -> None:
    # Each says high or low without the other's knowing; doubling is heard.
    episode = Episode(null.GAME, null.Options(), 1)
    episode.decide(null.Move.HIGH)
    episode.decide(null.Move.DOUBLE)
    double, high = null.GAME.encoding.path(null.Move.DOUBLE, 0)[0], null.GAME.encoding.path(null.Move.HIGH, 0)[0]
    assert episode.history(0, 3).tolist() == [[0, double], [0, high], [-1, -1]]
    assert episode.history(1, 3).tolist() == [[1, double], [-1, -1], [-1, -1]]


def test_what_is_hidden_before_the_play_is_not_shown_and_calls_are_when_all_have_decided() -> None:
    game = tichu.GAME
    episode = Episode(game, tichu.Options(rounds=1), 3)
    for call in ("pass", "grand", "pass"):
        episode.decide(game.parse(call))
    ids = game.encoding.ids
    assert episode.history(3, 5)[:, 0].tolist() == [-1] * 5
    assert episode.history(1, 5)[:, :2].tolist() == [[0, ids["call"][1]], *[[-1, -1]] * 4]
    episode.decide(game.parse("pass"))
    calls = [ids["call"][0], ids["call"][0], ids["call"][1], ids["call"][0]]
    assert episode.history(3, 5)[:, :2].tolist() == [*map(list, zip((0, 3, 2, 1), calls, strict=True)), [-1, -1]]
    # Nobody learns from the moves who gives which card.
    random, giver = Random(1), -1
    while episode.decision is not None and episode.state.view(0).public.phase == "schupf":
        if not episode.decision.must:
            episode.step(0)
            continue
        giver = episode.decision.seat
        episode.step(random.choice(episode.decision.ids))
        for seat in range(4):
            rows = episode.history(seat, 20)
            given = [row for row in rows.tolist() if row[1] in ids["card"]]
            assert {row[0] for row in given} <= {0} and (len(given) > 0) == (seat <= giver)
    assert giver == 3
