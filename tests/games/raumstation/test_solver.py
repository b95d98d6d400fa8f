"""Tests of Raumstation's compiled solver against the slow twin in reference/raumstation.py."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reference import raumstation as reference
from tisch._core import Random
from tisch._core.raumstation import Station

ODDS = Fraction(2, 3)


def station(random: Random, rooms: int) -> list[list[int]]:
    """Draw randomly connected rooms, each with at most eight neighbours."""
    nearby: list[list[int]] = [[] for _ in range(rooms)]
    for _ in range(rooms + random.below(rooms + 1)):
        one, other = random.below(rooms), random.below(rooms)
        if one != other and other not in nearby[one] and max(len(nearby[one]), len(nearby[other])) < 8:
            nearby[one].append(other)
            nearby[other].append(one)
    return nearby


def knowledge(random: Random, nearby: list[list[int]]) -> list[int]:
    """Draw knowledge about these rooms: usually true, rarely impossible."""
    traps = [random.below(3) == 0 for _ in nearby]
    known = []
    for room, trap in enumerate(traps):
        told = Station.TRAP if trap else Station.SAFE
        if not trap and random.below(2):
            told = sum(traps[other] for other in nearby[room]) + (random.below(40) == 0)
        known.append(told if told >= 0 or random.below(6) == 0 else Station.UNKNOWN)
    return known


def test_probabilities_are_those_of_the_slow_twin() -> None:
    random = Random(1)
    possible = impossible = certain = 0
    for _ in range(1500):
        nearby = station(random, 1 + random.below(12))
        known = knowledge(random, nearby)
        expected = reference.probabilities(nearby, ODDS, known)
        compiled = Station(nearby, float(ODDS))
        if expected is None:
            impossible += 1
            with pytest.raises(ValueError, match="In no game that goes on"):
                compiled.probabilities(known)
            continue
        possible += 1
        found = compiled.probabilities(known)
        assert found == pytest.approx([float(probability) for probability in expected], abs=1e-12)
        for value, probability in zip(found, expected, strict=True):
            assert (value == 0) == (probability == 0) and (value == 1) == (probability == 1)
            certain += probability in (0, 1)
    assert possible > 1000 and impossible > 50 and certain > 1000


def test_draws_are_as_frequent_as_the_slow_twin_says() -> None:
    random = Random(2)
    tried = 0
    while tried < 12:
        nearby = station(random, 7)
        known = knowledge(random, nearby)
        ways = dict(reference.ways(nearby, ODDS, known))
        if not 3 <= len(ways) <= 20:
            continue
        tried += 1
        total = sum(ways.values())
        compiled = Station(nearby, float(ODDS))
        drawn = [tuple(compiled.draw(known, random.bits())) for _ in range(2000)]
        assert set(drawn) <= set(ways)
        for way, weight in ways.items():
            assert drawn.count(way) / 2000 == pytest.approx(float(weight / total), abs=0.055)


def test_decisions_win_as_often_as_the_best_play() -> None:
    random = Random(3)
    tried = exact = 0
    lost = 0.0
    while tried < 150:
        nearby = station(random, 7)
        known = knowledge(random, nearby)
        probabilities = reference.probabilities(nearby, ODDS, known)
        if probabilities is None or sum(0 < probability < 1 for probability in probabilities) not in range(3, 7):
            continue
        tried += 1
        jokers = random.below(3)
        play = reference.Play(nearby, ODDS, known)
        room, is_joker = Station(nearby, float(ODDS)).decide(known, jokers)
        shortfall = play.best(jokers) - play.after(room, is_joker, jokers)
        if any(probability == 0 and told < 0 for probability, told in zip(probabilities, known, strict=True)):
            assert probabilities[room] == 0 and known[room] < 0 and not is_joker
            assert shortfall == 0
        exact += shortfall == 0
        lost += float(shortfall)
    assert exact >= 0.97 * tried
    assert lost / tried < 0.001


def test_the_last_rooms_are_known_as_the_game_goes_on() -> None:
    alone = Station([[], [], []], 0.5)
    assert alone.probabilities([Station.TRAP, 0, Station.UNKNOWN]) == [1, 0, 0]
    assert alone.probabilities([Station.SAFE, 0, Station.UNKNOWN]) == [0, 0, 1]
    with pytest.raises(ValueError, match="In no game that goes on"):
        alone.probabilities([Station.TRAP, 0, 0])


@pytest.mark.parametrize(
    ("nearby", "odds"), [([[1], []], 1.0), ([[0]], 1.0), ([[5]], 1.0), ([[]] * 129, 1.0), ([[]], 0.0)]
)
def test_what_is_no_station_is_refused(nearby: list[list[int]], odds: float) -> None:
    with pytest.raises(ValueError, match="not described as a station's must be"):
        Station(nearby, odds)


@pytest.mark.parametrize("known", [[], [9], [-4], [0, 0]])
def test_what_is_no_knowledge_is_refused(known: list[int]) -> None:
    with pytest.raises(ValueError, match="not described as a station's must be"):
        Station([[]], 1.0).probabilities(known)
