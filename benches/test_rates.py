"""Checks the counts of ``benches.rates``; ``bin/bench.py`` writes its figures."""

from __future__ import annotations

import pytest

from benches import loop_tichu, random_tichu, rates


def test_a_round_of_tichu_takes_as_many_decisions_as_ever() -> None:
    assert [random_tichu.start(number)() for number in range(3)] == [130, 151, 161]


def test_the_rate_counts_decisions_with_and_without_dealing() -> None:
    figures = rates.rate(random_tichu.start, 0.2)
    assert 100 < figures["decisions"] < 200
    assert figures["stepping"] > figures["whole"] > 1000


def test_the_table_shows_the_ratios() -> None:
    fast = {"whole": 3000.0, "stepping": 4000.0, "rounds": 9000.0, "decisions": 130.0}
    slow = {"whole": 1500.0, "stepping": 5000.0, "rounds": 3000.0, "decisions": 60.0}
    text = rates.table({"tichu": fast, "dou_dizhu": slow})
    assert "| whole games, dealing included | 3,000/s | 1,500/s | 2.00 |" in text
    assert "| whole games, without Python | 9,000/s | 3,000/s | 3.00 |" in text
    assert "| from the first decision on | 4,000/s | 5,000/s | 0.80 |" in text


def test_random_rounds_inside_the_core_are_thrice_as_fast_as_openspiels_loop() -> None:
    pytest.importorskip("pyspiel")
    from benches import loop_dou_dizhu  # noqa: PLC0415 - only the benchmarks' environment has its dependencies.

    ratios = [loop_tichu.rounds(0.2) / loop_dou_dizhu.rounds(0.2) for _ in range(3)]
    assert sorted(ratios)[1] >= 3, ratios
