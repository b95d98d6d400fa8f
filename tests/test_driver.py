"""Tests of the loop that plays a game between agents."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from tisch import driver
from tisch.agents import RandomAgent
from tisch.driver import AgentFault
from tisch.game import Agent, Random, Samples, Sight, State
from tisch.games import REGISTRY, find, null
from tisch.games.null import Move, NullState, View


class Scripted(Agent[Move]):
    """Returns scripted moves, and remembers the requests."""

    def __init__(self, *script: Move | None) -> None:
        self.script = list(script)
        self.asked: list[tuple[Any, list[Move], bool]] = []

    def act(self, view: Any, legal: Sequence[Move], must: bool) -> Move | None:
        self.asked.append((view, list(legal), must))
        return self.script.pop(0)


def test_speakers_are_heard_before_the_awaited_seat() -> None:
    state = null.GAME.new(null.Options(), 1)
    first, second = Scripted(Move.LOW, Move.DOUBLE), Scripted(Move.LOW)
    moves: list[tuple[int, Any]] = []
    assert driver.play(state, [first, second], moves) == 3
    assert moves == [(0, Move.LOW), (0, Move.DOUBLE), (1, Move.LOW)]
    assert [must for _, _, must in first.asked] == [True, False]
    outcome = state.outcome()
    assert outcome is not None
    assert sorted(outcome.payoff) == [-2, 2]


def test_a_seat_that_decides_later_is_not_told_what_the_other_said() -> None:
    views = []
    for said in (Move.LOW, Move.HIGH):
        second = Scripted(Move.LOW)
        driver.play(null.GAME.new(null.Options(), 1), [Scripted(said, None), second])
        views.append(second.asked[0][0])
    assert views[0] == views[1]
    assert views[0].decided == (True, False)


def test_who_searches_gets_states_and_who_is_blind_nothing() -> None:
    class Searching(Scripted):
        sight = Sight.SAMPLES

    class Blind(Scripted):
        sight = Sight.BLIND

    state = null.GAME.new(null.Options(), 3)
    card = state.cards[0]
    searching, blind = Searching(Move.LOW, None), Blind(Move.LOW)
    driver.play(state, [searching, blind])
    sample: Samples[Move] = searching.asked[0][0]
    assert sample.seat == 0
    view = sample(Random(1)).view(0)
    assert isinstance(view, View)
    assert view.card == card
    assert blind.asked[0][0] is None


def test_an_illegal_move_is_the_agents_fault_and_changes_nothing() -> None:
    state = null.GAME.new(null.Options(), 1)
    with pytest.raises(AgentFault, match="Seat 0 played 'double'") as caught:
        driver.play(state, [Scripted(Move.DOUBLE), Scripted(Move.LOW)])
    assert (caught.value.seat, caught.value.kind) == (0, "illegal")
    assert list(state.awaiting()) == [0, 1]


class Strict(NullState):
    """Looks every move up, so that an object that is no move raises another kind of error."""

    __slots__ = ()

    def play(self, seat: int, move: Move) -> None:
        known = {Move.LOW, Move.HIGH, Move.DOUBLE}
        if move in known and self.stake == 5:
            raise KeyError("a rule is wrong")
        super().play(seat, move)


def test_what_is_no_move_at_all_is_the_agents_fault() -> None:
    babbling: Any = ["low"]
    with pytest.raises(AgentFault, match=r"Seat 0 played \['low'\], which is not a move") as caught:
        driver.play(Strict(null.Options(), (1, 2)), [Scripted(babbling), Scripted(Move.LOW)])
    assert (caught.value.seat, caught.value.kind) == (0, "illegal")


def test_a_rule_that_fails_is_not_the_agents_fault() -> None:
    with pytest.raises(KeyError, match="a rule is wrong"):
        driver.play(Strict(null.Options(stake=5), (1, 2)), [Scripted(Move.LOW), Scripted(Move.LOW)])


def test_silence_in_turn_is_the_agents_fault() -> None:
    with pytest.raises(AgentFault, match="Seat 1 kept silent") as caught:
        driver.play(null.GAME.new(null.Options(), 1), [Scripted(Move.LOW, None), Scripted(None)])
    assert (caught.value.seat, caught.value.kind) == (1, "illegal")


def test_a_crash_is_the_agents_fault() -> None:
    with pytest.raises(AgentFault, match="seat 1 crashed: IndexError") as caught:
        driver.play(null.GAME.new(null.Options(), 1), [Scripted(Move.LOW, None), Scripted()])
    assert (caught.value.seat, caught.value.kind) == (1, "crash")


def test_a_fault_can_be_sent_to_another_process() -> None:
    fault = pickle.loads(pickle.dumps(AgentFault(1, "crash", "The agent of seat 1 crashed.")))
    assert (fault.seat, fault.kind, str(fault)) == (1, "crash", "The agent of seat 1 crashed.")


def test_a_game_that_does_not_end_is_stopped() -> None:
    with pytest.raises(RuntimeError, match="not ended after 1 moves"):
        driver.play(null.GAME.new(null.Options(), 1), [Scripted(Move.LOW), Scripted(Move.LOW)], limit=1)


def test_random_agents_play_the_same_game_from_the_same_seeds() -> None:
    def game() -> list[tuple[int, Any]]:
        agents: list[Agent[Any]] = [RandomAgent(), RandomAgent()]
        for seat, agent in enumerate(agents):
            agent.start(Random(9, seat))
        moves: list[tuple[int, Any]] = []
        driver.play(null.GAME.new(null.Options(), 4), agents, moves)
        return moves

    assert game() == game()


@pytest.mark.parametrize("name", [null.GAME.name, *REGISTRY])
def test_turns_one_by_one_are_the_same_game(name: str) -> None:
    game = find(name)

    def begin() -> tuple[State[Any], list[Agent[Any]]]:
        state = game.new(game.Options(), 5)
        agents: list[Agent[Any]] = [RandomAgent() for _ in range(state.seats)]
        for seat, agent in enumerate(agents):
            agent.start(Random(5, seat))
        return state, agents

    def ask(seat: int, must: bool) -> Any:
        return driver.decide(agents[seat], seat, None, state.legal(seat), must)

    state, agents = begin()
    whole: list[tuple[int, Any]] = []
    driver.play(state, agents, whole, until=lambda _: len(whole) == 400)
    state, agents = begin()
    for expected in whole:
        answer = driver.turn(state, range(state.seats), ask)
        assert answer == expected
        state.play(*answer)
    assert bool(state.awaiting()) == (len(whole) == 400)


def test_only_the_seats_that_are_asked_answer() -> None:
    state = null.GAME.new(null.Options(), 1)
    asked: list[tuple[int, bool]] = []
    driver.turn(state, [1], lambda seat, must: asked.append((seat, must)))
    assert asked == [(1, True)]
    assert driver.turn(state, [], lambda *_: Move.LOW) is None
    state.play(0, Move.LOW)
    # Who has decided may still double.
    asked.clear()
    driver.turn(state, [0], lambda seat, must: asked.append((seat, must)))
    assert asked == [(0, False)]


@pytest.mark.parametrize(
    ("answer", "must", "kind", "sentence"),
    [
        (Move.DOUBLE, True, "illegal", "The agent of seat 0 played 'double', which is not legal now."),
        (None, True, "illegal", "The agent of seat 0 kept silent though it was its turn."),
    ],
)
def test_a_decision_that_is_none_is_blamed(answer: Move | None, must: bool, kind: str, sentence: str) -> None:
    with pytest.raises(AgentFault) as caught:
        driver.decide(Scripted(answer), 0, None, [Move.LOW], must)
    assert (caught.value.seat, caught.value.kind, str(caught.value)) == (0, kind, sentence)
    assert driver.decide(Scripted(None), 0, None, [Move.LOW], False) is None
    with pytest.raises(AgentFault, match="crashed: IndexError"):
        driver.decide(Scripted(), 0, None, [Move.LOW], True)
