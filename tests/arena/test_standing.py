"""Tests of the standing: by hand, and against a slow twin that knows nothing of weights."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from arena_examples import ALONE, FOUR, TEAMS, THREE, TWO, DrawGame
from tisch._core import Random
from tisch.arena.entries import entry
from tisch.arena.play import UNIT, Fault, Plan, Played
from tisch.arena.result import Result
from tisch.arena.schedule import Form, schedule
from tisch.arena.standing import Contest, Standing


def plan_of(game: DrawGame, entries: int, form: Form | None = None) -> Plan:
    """Create a match with a number of entries."""
    sides = len(game.sides(game.Options()))
    named = tuple(entry(f"agent{number}") for number in range(entries))
    return Plan(game, game.Options(), named, schedule(sides, entries, form), seed=0)


def played(number: int, payoffs: Sequence[float], rounds: int = 1, **more: Any) -> Played:
    """Create a game with these payoffs."""
    return Played(number, tuple(round(payoff * UNIT) for payoff in payoffs), rounds, 10, more.pop("tally", {}), **more)


def faulty(number: int, seat: int, kind: str = "crash") -> Played:
    """Create a game that a seat broke off."""
    return Played(number, (), 0, 5, {}, Fault(seat, kind, f"Seat {seat} failed."))


def mean(contest: Contest) -> float | None:
    """Return the points a round."""
    found = contest.points_per_round()
    return found.value if found else None


def test_two_sides_by_hand() -> None:
    standing = Standing(plan_of(TWO, 2))
    standing.add([played(0, (30, -30), rounds=2), played(1, (10, -10), rounds=1)])
    standing.add([played(2, (0, 0), rounds=2), played(3, (-5, 5), rounds=1)])
    first, second = standing.fields
    # The first entry gets 30 - 10 + 0 + 5 points in six rounds.
    assert mean(first) == pytest.approx(25 / 6)
    assert mean(second) == pytest.approx(-25 / 6)
    assert (first.wins, first.draws, first.losses) == (2, 1, 1)
    assert (second.wins, second.draws, second.losses) == (1, 1, 2)
    # Scores of the deals: 1 + 0 and ½ + 1 of 2.
    assert (first.score.numerator / first.score.denominator) == pytest.approx((0.5 + 0.75) / 2)
    assert (standing.deals, standing.games, standing.rounds, standing.moves) == (2, 4, 6, 40)


def test_one_against_three_by_hand() -> None:
    standing = Standing(plan_of(FOUR, 2))
    # The first entry rotates by a side each game and gets 3, 0, -3 and 1.
    standing.add(
        [
            played(0, (3, -1, -1, -1)),
            played(1, (2, 0, -1, -1)),
            played(2, (1, 1, -3, 1)),
            played(3, (-1, 1, -1, 1)),
        ]
    )
    assert mean(standing.fields[0]) == pytest.approx(1 / 4)
    assert mean(standing.fields[1]) == pytest.approx(-1 / 4)
    # It wins alone, is beaten by one, is beaten by all, shares the first place.
    first = standing.fields[0]
    assert (first.wins, first.draws, first.losses) == (1, 1, 2)
    # Its score against each of the others: 3 of 3, 2 of 3, 0 of 3, 2½ of 3.
    assert first.score.numerator / first.score.denominator == pytest.approx((1 + 2 / 3 + 0 + 2.5 / 3) / 4)


def test_players_on_their_own_are_compared_by_deal() -> None:
    standing = Standing(plan_of(ALONE, 2))
    standing.add([played(0, (1,)), played(1, (0,))])
    standing.add([played(2, (1,)), played(3, (1,))])
    standing.add([played(4, (0,)), played(5, (0,))])
    standing.add([played(6, (1,)), played(7, (0,))])
    first, second = standing.fields
    assert mean(first) == pytest.approx(0.5)
    assert mean(second) == pytest.approx(-0.5)
    assert (first.wins, first.draws, first.losses) == (3, 0, 1)
    assert (second.wins, second.losses) == (1, 3)
    assert first.score.numerator / first.score.denominator == pytest.approx((1 + 0.5 + 0.5 + 1) / 4)


def test_one_on_its_own_has_points_but_nobody_to_be_better_than() -> None:
    standing = Standing(plan_of(ALONE, 1))
    standing.add([played(0, (1,))])
    standing.add([played(1, (0,))])
    assert mean(standing.fields[0]) == 0.5
    assert standing.fields[0].elo() is None


@pytest.mark.parametrize(
    ("game", "entries", "form"),
    [
        (TWO, 2, None),
        (TWO, 4, None),
        (TWO, 4, "gauntlet"),
        (TEAMS, 3, None),
        (THREE, 2, None),
        (THREE, 2, "round-robin"),
        (THREE, 3, None),
        (THREE, 5, None),
        (FOUR, 3, None),
        (FOUR, 4, None),
        (FOUR, 4, "gauntlet"),
        (FOUR, 5, None),
        (ALONE, 2, None),
        (ALONE, 4, None),
    ],
)
def test_points_are_those_of_the_slow_twin(game: DrawGame, entries: int, form: Form | None) -> None:
    """Compute a side's points as its score minus the mean score of the compared sides, whatever the line-up."""
    plan = plan_of(game, entries, form)
    standing = Standing(plan)
    sides = len(game.sides(game.Options()))
    random = Random(3, game.name, entries, form or "")
    points: dict[tuple[int, int], Fraction] = {}
    rounds: dict[tuple[int, int], int] = {}
    for _ in range(20):
        deal: list[Played] = []
        alone: list[tuple[int, int, int]] = []
        for line_up in plan.line_ups():
            scores = [random.below(9) for _ in range(sides)]
            length = 1 + random.below(3)
            payoffs = [
                score - (sum(scores) - score) / (sides - 1) if sides > 1 else float(score)
                for score in map(float, scores)
            ]
            deal.append(played(standing.games + len(deal), payoffs, length))
            if sides == 1:
                alone.append((line_up[0], scores[0], length))
                continue
            for a in set(line_up):
                for b in set(line_up) - {a}:
                    mine = [score for score, who in zip(scores, line_up, strict=True) if who == a]
                    theirs = [score for score, who in zip(scores, line_up, strict=True) if who == b]
                    margin = Fraction(sum(mine), len(mine)) - Fraction(sum(theirs), len(theirs))
                    points[a, b] = points.get((a, b), Fraction()) + margin
                    rounds[a, b] = rounds.get((a, b), 0) + length
        for a, score, length in alone:
            for b, other, other_length in alone:
                if a != b:
                    points[a, b] = points.get((a, b), Fraction()) + 2 * (score - other)
                    rounds[a, b] = rounds.get((a, b), 0) + length + other_length
        standing.add(deal)
    contests = standing.pairs or standing.fields
    assert {(contest.first, *contest.others) for contest in contests} == {
        (a, b) for a, b in points if a < b or not standing.pairs
    }
    for contest in contests:
        key = (contest.first, contest.others[0])
        assert mean(contest) == pytest.approx(float(points[key] / rounds[key]), abs=1e-5)


@pytest.mark.parametrize(
    ("game", "entries", "form"),
    [(TWO, 2, None), (TWO, 4, "gauntlet"), (TEAMS, 3, None), (FOUR, 2, None), (FOUR, 5, None), (ALONE, 3, None)],
)
def test_sums_of_deals_come_to_the_same_as_the_deals(game: DrawGame, entries: int, form: Form | None) -> None:
    plan = plan_of(game, entries, form)
    sides, size = len(game.sides(game.Options())), plan.size
    random = Random(4, game.name, entries)
    single, whole, part = Standing(plan), Standing(plan), Standing(plan)
    for _ in range(5):
        results: Counter[tuple[int, ...]] = Counter()
        tallies = [[("wins", [0] * game.seats(None)), ("draws", [0] * game.seats(None))] for _ in range(size)]
        for _ in range(12):
            deal, result = [], []
            for index in range(size):
                # So few results that some come more than once.
                payoffs = [random.below(2) * UNIT for _ in range(sides)]
                rounds = 1 + random.below(2) * (index == 0)
                tally = {name: tuple(random.below(3) for _ in counts) for name, counts in tallies[index]}
                deal.append(Played(single.games + index, tuple(payoffs), rounds, 3, tally))
                result += [*payoffs, rounds]
                tallies[index] = [
                    (name, list(map(operator.add, counts, tally[name]))) for name, counts in tallies[index]
                ]
            single.add(deal)
            results[tuple(result)] += 1
        part.add_sums([(list(result), times) for result, times in results.items()], tallies, 12 * size * 3)
        whole.merge(part.take())
    assert (part.deals, part.games, part.rounds, part.moves, part.first.wins) == (0, 0, 0, 0, 0)
    assert result_of(whole) == result_of(single)


def result_of(standing: Standing) -> dict[str, Any]:
    """Return all that a standing tells."""
    return Result(standing.plan.game, standing, None, 0.0, None, 0).as_dict()


def test_a_fault_loses_the_game_and_takes_its_meeting_out_of_the_points() -> None:
    standing = Standing(plan_of(TWO, 2))
    standing.add([played(0, (4, -4)), played(1, (4, -4))])
    # In the second game of a deal the first entry plays side 1.
    standing.add([played(2, (9, -9)), faulty(3, seat=1, kind="time")])
    standing.add([faulty(4, seat=1), played(5, (2, -2), rounds=3)])
    first, second = standing.fields
    assert mean(first) == 0
    assert first.points.deals == 1
    assert standing.left_out == 2
    assert (first.wins, first.losses) == (3, 3)
    assert (second.wins, second.losses) == (3, 3)
    assert standing.totals[0].faults == {"time": 1}
    assert standing.totals[1].faults == {"crash": 1}
    assert standing.totals[0].first_fault == Fault(1, "time", "Seat 1 failed.")
    assert standing.rounds == 1 + 1 + 1 + 3


def test_a_fault_of_one_of_three_agents_is_lost_for_all_three() -> None:
    standing = Standing(plan_of(FOUR, 2))
    draw = (0.0, 0.0, 0.0, 0.0)
    standing.add([faulty(0, seat=2), *(played(number, draw) for number in (1, 2, 3))])
    first, second = standing.fields
    assert (first.wins, first.draws, first.losses) == (1, 3, 0)
    assert (second.wins, second.draws, second.losses) == (0, 3, 1)
    assert first.score.numerator / first.score.denominator == pytest.approx((1 + 0.5 * 3) / 4)
    assert mean(first) is None


def test_in_a_round_robin_a_fault_concerns_those_who_met() -> None:
    standing = Standing(plan_of(TWO, 3))
    # Meetings: 0 and 1, 0 and 2, 1 and 2. The entry 1 fails against 0.
    games = [faulty(0, seat=1), *(played(number, (5, -5)) for number in range(1, 6))]
    standing.add(games)
    by_pair = {(pair.first, pair.others[0]): pair for pair in standing.pairs}
    assert by_pair[0, 1].points.deals == 0
    assert by_pair[0, 2].points.deals == by_pair[1, 2].points.deals == 1
    assert standing.fields[0].points.denominator == standing.fields[1].points.denominator == 2
    assert (standing.left_out, by_pair[0, 1].wins, by_pair[0, 1].losses) == (1, 1, 1)


def test_the_first_fault_of_an_entry_is_kept() -> None:
    standing = Standing(plan_of(TWO, 2))
    standing.add([played(0, (1, -1)), faulty(1, seat=1, kind="time")])
    standing.add([faulty(2, seat=0), faulty(3, seat=0)])
    first, second = standing.totals
    # Both entries play both seats: the first moves to seat 1 in the second game of a deal.
    assert (first.faults, second.faults) == ({"time": 1, "crash": 1}, {"crash": 1})
    assert (first.first_fault, second.first_fault) == (faulty(1, seat=1, kind="time").fault, faulty(3, seat=0).fault)


def test_a_fault_alone_is_worse_than_a_loss() -> None:
    standing = Standing(plan_of(ALONE, 2))
    standing.add([played(0, (0,)), faulty(1, seat=0)])
    first, second = standing.fields
    assert (first.losses, second.losses) == (1, 1)
    assert first.score.numerator / first.score.denominator == 1


def test_what_the_game_counts_is_summed_for_each_entry() -> None:
    standing = Standing(plan_of(TEAMS, 2))
    tally = {"high called": (2, 1, 1, 0), "high made": (2, 0, 0, 0)}
    standing.add([played(0, (1, -1), 4, tally=tally), played(1, (1, -1), 2, tally=tally)])
    first, second = standing.totals
    assert first.tally == {"high called": 4, "high made": 2}
    assert second.tally == {"high called": 4, "high made": 2}
    assert first.seat_rounds == second.seat_rounds == 12


def test_decisions_are_summed_by_their_time() -> None:
    standing = Standing(plan_of(TWO, 2))
    standing.add([played(0, (1, -1), times={0: {50: 3}, 1: {60: 1}}), played(1, (1, -1), times={0: {50: 1, 51: 1}})])
    assert standing.totals[0].times == {50: 4, 51: 1}
    assert standing.totals[1].times == {60: 1}
