"""Tests of the study that measures what more playouts win in a decision."""

from __future__ import annotations

import re

import pytest

from studies import gains


@pytest.mark.parametrize(
    ("kind", "rounds"), [("gifts", 2), ("small", 6), pytest.param("lead", 2, marks=pytest.mark.slow)]
)
def test_it_tells_what_more_playouts_win_and_cost(kind: str, rounds: int, capsys: pytest.CaptureFixture[str]) -> None:
    gains.main([kind, str(rounds), "--times", "2"])
    told = capsys.readouterr().out
    assert re.match(r"[2-6] decisions, \d of them others: [+-]\d+\.\d\d ± \d+\.\d\d\npoints a decision, 95 %", told), (
        told
    )


def test_its_moments_are_decisions_of_their_kind() -> None:
    phases = [(state.phase, "tichu" in map(str, state.legal(seat))) for state, seat, _ in gains.moments("gifts", 3, 6)]
    assert phases == [("schupf", False)] * 3
    phases = [(state.phase, "tichu" in map(str, state.legal(seat))) for state, seat, _ in gains.moments("small", 2, 6)]
    assert len(phases) > 2 and {*phases} == {("play", True)}


def test_the_same_playouts_win_nothing() -> None:
    found, _ = gains.gains("gifts", 2, 1, 6)
    assert found == [0.0, 0.0]
