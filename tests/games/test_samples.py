"""Tests of the choice between moves by their values in samples."""

from __future__ import annotations

import pytest

from tisch.ports.policies import explained
from tisch.ports.reasons import FORCED, SILENCE
from tisch.ports.samples import is_better, ranked, verdict


def test_what_was_tried_most_ranks_before_what_was_dropped() -> None:
    assert ranked({"dropped": [9.0], "second": [1.0, 0.0], "first": [1.0, 1.0]}) == ["first", "second", "dropped"]


def test_a_choice_is_better_by_standard_errors_in_the_same_samples() -> None:
    # The gains are 1 and 0: a mean of a half, and a standard error of √½ / 2.
    assert is_better([1.0, 1.0], [0.0, 1.0], 1.4)
    assert not is_better([1.0, 1.0], [0.0, 1.0], 1.5)
    # Only samples of both count.
    assert not is_better([1.0, 9.0], [1.0], 0.0)


def test_a_policy_tells_why_the_usual_move_is_kept() -> None:
    # The other was better on the whole, though not beyond doubt, and seldom.
    kept = explained([(["usual"], [1.0, 1.0, 1.0, -2.0]), (["other"], [0.0, 0.0, 0.0, 2.0])], must=True)
    assert kept.tell("en") == "No other move is clearly better."
    better = explained([(["other"], [1.0, 1.0]), (["usual"], [0.0, 1.0])], must=True)
    assert "in 5 out of 10 cases" in better.tell("en")
    assert explained([(["only"], [0.0])], must=True) == FORCED
    assert explained([], must=True) == FORCED
    assert explained([], must=False) == SILENCE
    assert explained([([], [1.0]), (["bomb"], [0.0])], must=False) == SILENCE


def test_a_verdict_has_the_loss_and_its_standard_error() -> None:
    found = verdict("best", "made", [3.0, 1.0], [1.0, 1.0])
    assert (found.best, found.expected, found.lost) == ("best", 2.0, 1.0)
    assert found.error == pytest.approx(1.0)
    assert verdict("best", "made", [1.0, 1.0], [1.0, 3.0]).best == "made"
    assert verdict("best", "made", [1.0, 1.0], [1.0, 3.0]).lost == 0.0
