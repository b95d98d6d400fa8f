"""Tests of the search with a network: what the network expects counts by its standard error."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tisch._core.tichu import FEATURES, Net, Round, Search, decision
from tisch.games.tichu import Options, simulate
from tisch.games.tichu.agents import AlphaZeroAgent
from tisch.games.tichu.logs.generate import played
from tisch.games.tichu.moves import TICHU, Move

QUICK: dict[str, Any] = {
    "playouts": 30,
    "worlds": 8,
    "candidates": 4,
    "caution": 0.0,
    "draws": 1,
    "policy": "quick",
    "threads": 1,
}
SIZES = (6, 3)


def net(seed: int, size: float = 1.0) -> Net:
    """Return a network with random weights of a size."""
    count = (FEATURES + 1) * SIZES[0] + (SIZES[0] + 1) * SIZES[1] + SIZES[1] + 1
    return Net(*SIZES, (size * np.random.default_rng(seed).standard_normal(count)).astype("<f4").tobytes())


def searched(every: int) -> Iterator[tuple[Round, int]]:
    """Yield moments at which a search has something to decide."""
    for seed in range(6):
        for number, (state, seat, move) in enumerate(played(Options(rounds=1), seed, "heuristic")):
            round = simulate(state)
            if number % every == 0:
                yield from ((round, asked) for asked in {seat, *state.speakers()} if round.legal(asked) != [TICHU])
            state.play(seat, move)


def expected(round: Round, seat: int, moves: list[Move], network: Net) -> float | None:
    """Return what the network expects of some moves, in points: slowly, from its scores."""
    plain, call = decision(round, seat), decision(round, seat, call=True)
    if len(moves) == 3:
        return None
    total = 0.0
    if call:
        called = moves[:1] == [TICHU]
        total += call.scores(network)[call.candidates.index(TICHU if called else None)]
        moves = moves[called:]
    if plain:
        place = plain.place(moves[0] if moves else None)
        if place is None:
            return None
        total += plain.scores(network)[place]
    return 50 * total


def test_a_network_that_is_sure_decides_alone() -> None:
    network, compared = net(3), set()
    search = Search(**QUICK, net=network, doubt=1e-9)
    for round, seat in searched(3):
        tried = search.decide(round, seat, 1)
        hopes = [expected(round, seat, moves, network) for moves, _ in tried]
        if len(tried) > 1 and None not in hopes:
            assert hopes[0] == pytest.approx(max(hope for hope in hopes if hope is not None), abs=0.01)
            compared.add(tuple(len(moves) for moves, _ in tried[:1]))
    assert {(0,), (1,)} <= compared


def test_a_network_that_is_unsure_only_settles_what_is_equal() -> None:
    plain, doubtful = Search(**QUICK), Search(**QUICK, net=net(3), doubt=1e60)
    for round, seat in searched(9):
        one, other = plain.decide(round, seat, 1), doubtful.decide(round, seat, 1)
        assert sum(one[0][1]) == sum(other[0][1])
        assert sorted(leads for _, leads in one) == sorted(leads for _, leads in other)


def test_both_count_by_their_standard_errors() -> None:
    """A network that expects no differences makes them smaller and surer."""
    nothing = net(1, size=0.0)
    settled = 0
    for round, seat in searched(5):
        tried = Search(**{**QUICK, "caution": 1.5}, net=nothing, doubt=30.0).decide(round, seat, 1)
        if len(tried) < 2 or not tried[0][1] or len(tried[0][0]) == 3:
            continue
        own = Search(**{**QUICK, "caution": 1e9}).decide(round, seat, 1)[0][0]
        means = {}
        for moves, leads in tried:
            first = next(found for candidate, found in tried if candidate == own)
            gaps = np.array([one - two for one, two in zip(leads, first, strict=False)], float)
            spread = ((gaps - gaps.mean()) ** 2).sum() + 2 * 60.0**2
            seen, before = len(gaps) / (spread / (len(gaps) + 1)), 1 / 30.0**2
            mean, error = gaps.mean() * seen / (seen + before), math.sqrt(1 / (seen + before))
            means[tuple(map(str, moves))] = 0.0 if moves == own else mean - 1.5 * error
        chosen = tuple(map(str, tried[0][0]))
        if len({len(leads) for _, leads in tried}) == 1:
            # Nobody was given up, so that the best of all was chosen.
            assert means[chosen] == pytest.approx(max(means.values()), abs=1e-9)
            settled += chosen != tuple(map(str, own))
    assert settled > 0


def test_a_bad_doubt_is_refused() -> None:
    for doubt in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="The doubt is a number of points above 0"):
            AlphaZeroAgent(doubt=doubt)
