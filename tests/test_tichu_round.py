"""Tests of the core's round: in step with the engine, refusing what cannot be, and dealt anew as the engine does."""

from __future__ import annotations

import pytest

from tichu_steps import agents_round, random_round, run


@pytest.mark.parametrize("part", range(4))
def test_random_rounds_are_in_step_with_the_engine(part: int) -> None:
    run(random_round, range(2500 * part, 2500 * part + 2500))


def test_agents_rounds_are_in_step_with_the_engine() -> None:
    run(agents_round, range(100))
