"""Checks ``benches.batches``, whose figures are printed on request."""

from __future__ import annotations

import numpy as np

from benches import batches


def test_every_rival_is_measured() -> None:
    rates = batches.compare(0.05, 1)
    assert {"tisch.env.Batch, 1,024 games", "tisch.env.aec"} <= rates.keys()
    # A step of the batch is a thousand decisions, and so much faster than one game after the other.
    assert rates["tisch.env.Batch, 1,024 games"] > 5 * rates["tisch.env.aec"] > 1000
    assert batches.table({"a": 1234.0}).endswith("| a | 1,234/s |")


def test_the_choice_is_uniform_among_the_legal_ids() -> None:
    mask = np.array([[True, False, True], [False, True, False]])
    drawn = np.array([batches.draw(mask, np.random.default_rng(seed)) for seed in range(400)])
    assert {*drawn[:, 0]} == {0, 2} and {*drawn[:, 1]} == {1}
    assert 150 < (drawn[:, 0] == 0).sum() < 250
