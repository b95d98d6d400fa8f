"""Benchmarks of the queries of Okey's rules and agent about a rack: one turn of the agent, over many racks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tisch._core import Random
from tisch._core.okey import arrange, coverage, outs, puts, winning_puts
from tisch.games.okey.tiles import DECK

if TYPE_CHECKING:
    from benches.conftest import Measure

COUNT = 200


def racks(size: int) -> list[bytes]:
    """Racks as dealt, with the usual share of jokers."""
    dealt = []
    for number in range(COUNT):
        deck = list(DECK)
        Random(number, "okey bench").shuffle(deck)
        dealt.append(bytes(deck[:size]))
    return dealt


@pytest.fixture(scope="module")
def held() -> list[bytes]:
    return racks(14)


@pytest.fixture(scope="module")
def full() -> list[bytes]:
    return racks(15)


def test_arrange(measure: Measure, held: list[bytes]) -> None:
    results = measure(COUNT, lambda: [arrange(rack) for rack in held])
    assert [sum(map(len, groups)) for groups, _ in results] == [coverage(rack) for rack in held]


def test_coverage(measure: Measure, held: list[bytes]) -> None:
    results = measure(COUNT, lambda: [coverage(rack) for rack in held])
    assert results == [14 - len(arrange(rack)[1]) for rack in held]


def test_outs(measure: Measure, held: list[bytes]) -> None:
    results = measure(COUNT, lambda: [outs(rack, rack) for rack in held])
    assert all(0 < count <= 92 for count in results)


def test_puts(measure: Measure, full: list[bytes]) -> None:
    results = measure(COUNT, lambda: [puts(rack) for rack in full])
    assert [len(puts) for puts in results] == [len(set(rack)) for rack in full]


def test_winning_puts(measure: Measure, full: list[bytes]) -> None:
    results = measure(COUNT, lambda: [winning_puts(rack) for rack in full])
    assert results == [bytes(tile for tile, covered in puts(rack) if covered == 14) for rack in full]
