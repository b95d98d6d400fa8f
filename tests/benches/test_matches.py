"""Tests of ``benches/matches.py``: what is compared, and the table."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import pytest

from places import ROOT
from tisch import bench
from tisch.agents import agents_of
from tisch.arena import Match
from tisch.games.maumau import GAME

sys.path.append(str(ROOT / "benches"))
matches: Any = importlib.import_module("matches")


def test_an_agent_is_measured_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Match(GAME, ["random", "random"]).plan.policies is not None
    assert Match(GAME, [agents_of(GAME)["random"]] * 2).plan.policies is None
    monkeypatch.setattr(bench, "PLAYING", 0.02)
    monkeypatch.setattr(matches, "PLAYING", 0.0)
    rates = matches.compare(GAME, "random", 1)
    assert (rates.game, rates.agent) == ("Mau-Mau", "random")
    assert min(rates[2:]) > 0


def test_the_table_has_the_ratios() -> None:
    told = matches.table([matches.Rates("Mau-Mau", "rule", 5000.4, 200_000.0, 1.968)])
    assert told.splitlines()[2] == "| Mau-Mau, `rule` | 5,000/s | 200,000/s | 40.0 | 1.97 |"
