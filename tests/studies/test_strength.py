"""Tests of the measurements of agents: the page about their strength, and how long tables wait for them."""

from __future__ import annotations

import json
import math
from argparse import Namespace
from pathlib import Path

import pytest

from studies import strength, tables


def test_the_page_is_the_one_that_the_script_writes() -> None:
    data = json.loads(strength.DATA.read_text(encoding="utf-8"))
    assert strength.PAGE.read_text(encoding="utf-8") == strength.page(data)


def test_the_page_has_the_matches_that_are_planned() -> None:
    kept = json.loads(strength.DATA.read_text(encoding="utf-8"))["matches"]
    assert kept.keys() == strength.PLANS.keys()
    for name, plan in strength.PLANS.items():
        agents = [agent.partition(" (")[0] for agent in kept[name]["agents"]]
        assert (tuple(agents), kept[name]["seed"]) == (plan.agents, plan.seed)
        # Of a longer game, the plan counts the games.
        assert kept[name]["rounds"] >= plan.games


def test_a_call_is_compared_with_the_same_round_without_it() -> None:
    gains = strength.call_gains(6)
    assert {name for name, _, _ in gains} == {"small", "grand"}
    groups = strength.grouped(gains, "grand")
    assert sum(group["calls"] or 0 for group in groups) <= len(gains)
    assert all(group["low"] is None or (group["expected"] or 0.0) >= group["low"] for group in groups)


def test_times_are_those_of_decisions() -> None:
    times = strength.decision_times("rule", 2)
    assert times["decisions"] > 50 and 0 < times["mean"] <= times["p99"] < 1000


def test_tables_that_share_a_core_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    waited, spent = tables.waits(Namespace(game="tichu", tables=6, seconds=12, pause=0.5, seed=1), "rule")
    assert len(waited) > 50 and all(wait >= own - 1e-9 for wait, own in zip(waited, spent, strict=True))
    # Without pauses, each table waits for all others.
    monkeypatch.setattr(tables, "APART", 0.0)
    waited, spent = tables.waits(Namespace(game="tichu", tables=6, seconds=0.2, pause=0, seed=1), "rule")
    assert math.fsum(waited) > 2 * math.fsum(spent)


def test_a_match_leaves_what_the_page_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "JOURNALS", tmp_path)
    monkeypatch.setitem(
        strength.PLANS, "rule", strength.Plan("tichu", {"rounds": 1}, ("rule", "studies.strength:Lowest"), 20, 1)
    )
    monkeypatch.setitem(strength.PLANS, "okey", strength.Plan("okey", {}, ("rule", "random", "random", "random"), 8, 1))
    kept = {name: strength.play(name, 0) for name in ("rule", "okey")}
    points, won = kept["rule"]["points"], kept["okey"]["won"]
    assert kept["rule"]["rounds"] == 20 and points["low"] < points["mean"] < points["high"]
    page = strength.page({"matches": kept, "times": {}, "calls": None})
    assert f"| `rule` | `lowest` | 20 | {points['mean']:+.1f} |" in page
    assert "### Tichu, `tisch arena tichu --option rounds=1`" in page and "### Okey, `tisch arena okey`" in page
    assert "| `rule` | 3 × `random` | 8 |" in page
    assert f" | {won['mean']:.1%} | {won['low']:.1%} to {won['high']:.1%} | 1 |" in page and won["mean"] > 0.5
    # Matches of which only the points are known.
    del kept["rule"]["won"]
    assert f"{points['high']:+.1f} | 1 |" in strength.page({"matches": kept, "times": {}, "calls": None})
