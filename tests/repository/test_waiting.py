"""Tests of waiting: a state that can never become right is told at once."""

from __future__ import annotations

import pytest

from waiting import wait_until


def test_what_will_never_be_right_is_told_at_once() -> None:
    asked: list[int] = []
    with pytest.raises(AssertionError, match=r"^The server has ended\. with 3"):
        wait_until(lambda: asked.append(1), never={"The server has ended.": lambda: len(asked) > 2 and "with 3"})
    assert len(asked) < 6


def test_what_became_right_before_it_went_wrong_is_right() -> None:
    answers = iter([0, 7])
    assert wait_until(lambda: next(answers, 7), never={"It is over.": lambda: True}) == 7


def test_what_does_not_happen_is_told_with_the_limit() -> None:
    with pytest.raises(AssertionError, match=r"^It did not happen within 0\.05 seconds\."):
        wait_until(lambda: None, 0.05)
