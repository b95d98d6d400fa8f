"""Checks ``benches.batches``, whose figures are printed on request."""

from __future__ import annotations

import numpy as np

from benches import batches
from tisch.games import REGISTRY


def test_every_rival_is_measured() -> None:
    rates = batches.compare(0.05, 1)
    assert {batches.BATCH, *(f"tisch.env.aec, {game.title}" for game in REGISTRY.values())} <= rates.keys()
    # A step of the batch is a thousand decisions, and so much faster than one game after the other.
    assert rates[batches.BATCH] > 5 * rates["tisch.env.aec, Tichu"] > 1000
    assert batches.table({"a": 1234.0}).endswith("| a | 1,234/s | - |")
    assert batches.table({"a": 1234.0, batches.REFERENCE: 100.0}).splitlines()[2] == "| a | 1,234/s | 12.3 |"


def test_the_choice_is_uniform_among_the_legal_ids() -> None:
    mask = np.array([[True, False, True], [False, True, False]])
    drawn = np.array([batches.draw(mask, np.random.default_rng(seed)) for seed in range(400)])
    assert {*drawn[:, 0]} == {0, 2} and {*drawn[:, 1]} == {1}
    assert 150 < (drawn[:, 0] == 0).sum() < 250
