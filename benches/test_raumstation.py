"""Benchmarks of Raumstation's solver: the queries at the start of a game, over many stations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tisch._core.raumstation import Station
from tisch.games.raumstation import Options, Room, known, solver
from tisch.games.raumstation.setup import first_sight, generate

if TYPE_CHECKING:
    from benches.conftest import Measure

COUNT = 200
OPTIONS = Options(classic=True)


@pytest.fixture(scope="module")
def stations() -> list[tuple[Room, ...]]:
    return [generate(OPTIONS, seed) for seed in range(COUNT)]


@pytest.fixture(scope="module")
def starts(stations: list[tuple[Room, ...]]) -> list[tuple[Station, list[int], list[bool]]]:
    """Return solvers, the knowledge at the start, and the truth."""
    return [
        (solver(rooms, OPTIONS), known(first_sight(rooms, OPTIONS)), [bool(room.is_dangerous) for room in rooms])
        for rooms in stations
    ]


def test_generate(measure: Measure, stations: list[tuple[Room, ...]]) -> None:
    assert measure(COUNT, lambda: [generate(OPTIONS, seed) for seed in range(COUNT)]) == stations


def test_probabilities(measure: Measure, starts: list[tuple[Station, list[int], list[bool]]]) -> None:
    results = measure(COUNT, lambda: [station.probabilities(start) for station, start, _ in starts])
    for probabilities, (_, _, traps) in zip(results, starts, strict=True):
        assert all(
            0 < probability <= 1 if trap else probability < 1
            for probability, trap in zip(probabilities, traps, strict=True)
        )


def test_decide(measure: Measure, starts: list[tuple[Station, list[int], list[bool]]]) -> None:
    results = measure(COUNT, lambda: [station.decide(start, 2) for station, start, _ in starts])
    assert all(start[room] < 0 for (room, _), (_, start, _) in zip(results, starts, strict=True))


def test_solvable(measure: Measure, starts: list[tuple[Station, list[int], list[bool]]]) -> None:
    results = measure(COUNT, lambda: [station.solvable(start, traps, 2) for station, start, traps in starts])
    assert 0.8 < sum(results) / COUNT < 0.95
