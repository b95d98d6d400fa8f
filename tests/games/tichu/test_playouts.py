"""Tests of playouts in the core: the worth of moves, the policies, threads, interruption."""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.games.tichu.test_round import moments
from tichu_tables import GAME, called, do, table, tried
from tisch import driver
from tisch._core.tichu import duel, evaluate, playouts
from tisch.game import Agent, Random
from tisch.games.tichu import Move, Options, Round, TichuState, View, simulate
from tisch.games.tichu.agents import HeuristicAgent
from tisch.games.tichu.moves import GRAND, TICHU

POLICIES = ["random", "greedy", "quick", "heuristic"]


def at_the_lead() -> tuple[Round, int, list[Move]]:
    """Return a moment in the middle of a round with many moves."""
    state = next(state for state, _ in moments(range(20), 1) if state.phase == "play" and len(state.tricks) == 3)
    seat = state.awaiting()[0]
    return simulate(state), seat, list(state.legal(seat))[:5]


# --- the worth of moves -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [*POLICIES, "exact"])
def test_where_all_is_forced_a_move_is_worth_what_the_engine_says(policy: str) -> None:
    """Each seat has one card: seat 0 wins with the dragon and chooses its recipient, or it leads a lower card."""
    state = do(table("Dr", "SK", "S5", "S3", lead=1), "1 play SK, 2 pass, 3 pass")
    state.winner = 1
    for seat, text in ((0, "play Dr"), (0, "pass")):
        moved = do(state.copy(), f"{seat} {text}")
        leads = set(played_on(moved))
        (total, squares, differences), *_ = evaluate(simulate(state), 0, [Move(text)], 50, policy, 1)
        assert differences == 0
        assert min(leads) * 50 <= total <= max(leads) * 50
        if len(leads) == 1:
            assert (total, squares) == (50 * leads.pop(), 50 * leads_squared(moved))


def played_on(state: TichuState) -> list[float]:
    """Return the leads of seats 0 and 2 over all continuations."""
    if not state.awaiting():
        outcome = state.outcome()
        assert outcome is not None
        return [outcome.payoff[0]]
    seat = state.awaiting()[0]
    found = []
    for move in state.legal(seat):
        if move != TICHU:
            other = state.copy()
            other.play(seat, move)
            found += played_on(other)
    return found


def leads_squared(state: TichuState) -> int:
    """The square of the only possible lead."""
    (lead,) = set(played_on(state))
    return int(lead * lead)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_result_is_the_same_on_any_number_of_threads_and_in_any_parts(policy: str) -> None:
    round, seat, moves = at_the_lead()
    worlds = 3000 if policy in {"random", "greedy"} else 250
    whole = evaluate(round, seat, moves, worlds, policy, 7)
    assert [evaluate(round, seat, moves, worlds, policy, 7, threads=threads) for threads in (2, 3, 7)] == [whole] * 3
    parts = [
        evaluate(round, seat, moves, 100, policy, 7),
        evaluate(round, seat, moves, range(100, worlds), policy, 7),
    ]
    assert [tuple(map(sum, zip(*sums, strict=True))) for sums in zip(*parts, strict=True)] == whole
    assert evaluate(round, seat, moves, worlds, policy, 8) != whole
    assert playouts(None, 500, policy, 3) == playouts(None, 500, policy, 3, threads=2)
    # A policy that goes on with the next deal remembers nothing of the last one.
    each = [playouts(None, range(number, number + 1), policy, 3) for number in range(50)]
    assert tuple(map(sum, zip(*each, strict=True))) == playouts(None, 50, policy, 3)
    assert duel(policy, "random", 100, 3) == duel(policy, "random", 100, 3, threads=2)


def test_candidates_are_compared_in_the_same_worlds() -> None:
    round, seat, moves = at_the_lead()
    first, again, other = evaluate(round, seat, [moves[0], moves[0], moves[1]], 400, "random", 5)
    assert first == again and first[2] == 0
    assert (first, other[:2]) == (
        evaluate(round, seat, [moves[0]], 400, "random", 5)[0],
        evaluate(round, seat, [moves[1]], 400, "random", 5)[0][:2],
    )
    # The differences are those of pairs: their mean square is no less than the square of their mean.
    assert other[2] * 400 >= (other[0] - first[0]) ** 2


def test_worlds_are_drawn_by_what_the_seat_knows() -> None:
    round, seat, moves = at_the_lead()
    assert evaluate(round.redeal(seat, Random(2)), seat, moves, 300, "greedy", 4) == evaluate(
        round, seat, moves, 300, "greedy", 4
    )


def test_silence_can_be_judged_out_of_turn() -> None:
    state = do(table("SA S2 S3", "S4 B4 G4 R4 S5", "S6 S7 B8", "S8 S9 B9"), "0 play SA")
    values = evaluate(simulate(do(state, "1 pass")), 1, [None, state.legal(1)[0]], 200, "random", 1)
    assert values[0] != values[1]


def test_silence_is_kept_by_a_policy_that_would_throw_the_bomb() -> None:
    """The owner is about to take a trick; whoever keeps silent now lets them, although greed would bomb."""
    state = do(table("SK S2 B9", "S4 B4 G4 R4 S5", "B7 S6 R9", "S8 G9 B6"), "0 play SK, 1 pass, 2 pass, 3 pass")
    round, bomb = simulate(state), Move("play R4 G4 B4 S4")
    assert round.decide(1, "greedy", Random(1)) == bomb
    silent, thrown = evaluate(round, 1, [None, bomb], 200, "greedy", 1)
    # The king alone has gone to the owner, who leads with two cards left: the bomb wins by far.
    assert thrown[0] / 200 > silent[0] / 200 + 30
    found = {tuple(moves): leads for moves, leads in tried(state, 1, 5, playouts=400, worlds=40, policy="greedy")}
    shared = min(map(len, found.values()))
    assert sum(found[str(bomb),][:shared]) > sum(found[()][:shared])


def test_what_a_seat_does_at_once_is_one_candidate() -> None:
    """Three gifts, a call with a lead, and the Mah Jong with a wish, each as if the moves had been made before."""
    giving, leading = called(3), table("Ma S2 SA", "S4 B5 SD", "S6 S7 RA", "S8 S9 RK")
    gifts = [giving.legal(0)[place] for place in (0, 5, 9)]
    wished = [Move("play Ma"), Move("wish 9")]
    said = [TICHU, Move("play SA")]
    last = table("Ma", "S4 B5 SD", "S6 S7 RA", "S8 S9 RK")
    for state, moves in ((giving, gifts), (leading, wished), (last, wished), (leading, said)):
        (whole,) = evaluate(simulate(state), 0, [moves], 200, "greedy", 1)
        after = simulate(state)
        for move in moves[:-1]:
            after.apply(0, move)
        assert evaluate(after, 0, [moves[-1]], 200, "greedy", 1) == [whole]


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda round: evaluate(round, 0, [], 10, "random", 1), "There is no candidate to be evaluated."),
        (lambda round: evaluate(round, 0, [Move("pass")], 10, "random", 1), "Seat 0 may not 'pass' now."),
        (lambda round: evaluate(round, 0, [None], 10, "random", 1), "Seat 0 may not 'pass' now."),
        (lambda round: evaluate(round, 1, [Move("play S4")], 10, "random", 1), "Seat 1 may not 'play S4' now."),
        (
            lambda round: evaluate(round, 0, [[Move("play S2"), Move("play S3")]], 10, "random", 1),
            "Seat 0 may not 'play S3' now.",
        ),
        (lambda round: evaluate(round, 5, [None], 10, "random", 1), "no seat 5"),
        (lambda round: evaluate(round, 0, [Move("play S2")], 0, "random", 1), "At least 1 world is needed, not 0."),
        (lambda round: evaluate(round, 0, [Move("play S2")], -3, "random", 1), "At least 1 world is needed, not -3."),
        (lambda round: evaluate(round, 0, [Move("play S2")], 1, "best", 1), "There is no policy 'best', only: random"),
        (lambda round: evaluate(round, 0, [Move("play S2")], 1, "random", -1), "A seed is a number from 0 to"),
        (lambda round: playouts(round, 1, "random", 1, threads=0), "At least 1 thread is needed, not 0."),
        (
            lambda round: playouts(round, range(2**64, 2**64 + 1), "random", 1),
            "Worlds have consecutive numbers from 0 to",
        ),
        (lambda round: playouts(round, range(-1, 1), "random", 1), "at least one, not range(-1, 1)."),
        (lambda round: playouts(round, range(4, 4), "random", 1), "at least one, not range(4, 4)."),
        (lambda round: evaluate(round, 0, [Move("play S2")], range(0, 9, 2), "random", 1), "not range(0, 9, 2)."),
        (lambda _: duel("random", "nobody", 1, 1), "There is no policy 'nobody'"),
        (lambda round: round.decide(0, "nobody", Random(1)), "There is no policy 'nobody'"),
    ],
)
def test_bad_questions_are_refused_with_a_sentence(ask: Callable[[Round], Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below.
        ask(simulate(table("S2 S3", "S4 B5", "S6 S7", "S8 S9")))
    assert sentence in str(caught.value)


# --- duration ---------------------------------------------------------------------------------------------------------


def test_other_threads_of_python_run_meanwhile() -> None:
    done = threading.Event()
    counted: list[int] = []

    def count() -> None:
        ticks = 0
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)
        counted.append(ticks)

    other = threading.Thread(target=count)
    other.start()
    playouts(None, 40_000, "random", 1)
    done.set()
    other.join()
    assert counted[0] > 5


# --- the policies -----------------------------------------------------------------------------------------------------


def test_chance_makes_every_legal_move_equally_often_and_calls_nothing() -> None:
    freedom, spread = 0, 0.0
    for state, random in moments(range(40), 6):
        round, seat = simulate(state), state.awaiting()[0]
        legal = [move for move in state.legal(seat) if move not in {TICHU, GRAND}]
        if len(legal) > 60:
            continue
        times = 20 * len(legal)
        chosen = Counter(round.decide(seat, "random", random) for _ in range(times))
        assert set(chosen) <= set(legal)
        spread += sum((chosen[move] - 20) ** 2 / 20 for move in legal)
        freedom += len(legal) - 1
    assert freedom > 1000
    assert abs(spread - freedom) < 4 * math.sqrt(2 * freedom), (spread, freedom)


def lead(sums: tuple[int, int], deals: int) -> tuple[float, float]:
    """Return the mean lead per round and its standard error."""
    mean = sums[0] / deals
    return mean / 2, math.sqrt((sums[1] / deals - mean * mean) / deals) / 2


def test_each_policy_is_stronger_than_the_one_before() -> None:
    for policy, other, least in (("greedy", "random", 120), ("heuristic", "greedy", 40)):
        mean, error = lead(duel(policy, other, 2000, 11), 2000)
        assert mean - 3 * error > least, (policy, mean, error)
    mean, error = lead(duel("heuristic", "exact", 300, 11), 300)
    assert mean + 3 * error > -10


class Beside(HeuristicAgent):
    """The heuristic agent, which records the choice of the core's policy."""

    def __init__(self, state: TichuState, policy: str, seen: Counter[bool]) -> None:
        super().__init__()
        self._state, self._policy, self._seen = state, policy, seen

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        move = super().act(view, legal, must)
        seat = view.private.player_index if view.private else -1
        if (len(legal) > 1 and not self._state.given[seat]) or self._state.phase != "schupf":
            self._seen[simulate(self._state).decide(seat, self._policy, Random(1)) == move] += 1
        return move


@pytest.mark.parametrize(("policy", "share"), [("exact", 1), ("heuristic", 0.985)])
def test_the_heuristic_policy_plays_as_the_agent(policy: str, share: float) -> None:
    seen: Counter[bool] = Counter()
    for seed in range(40):
        state = GAME.new(Options(rounds=1), seed)
        agents: list[Agent[Move]] = [Beside(state, policy, seen) for _ in range(4)]
        for seat, agent in enumerate(agents):
            agent.start(Random(seed, seat))
        driver.play(state, agents)
    assert seen.total() > 1500
    assert seen[True] >= share * seen.total(), seen
