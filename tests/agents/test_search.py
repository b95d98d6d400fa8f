"""Tests of the agent that searches samples and uses only the interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tisch import driver
from tisch._core import derive
from tisch.agents import RandomAgent, SearchAgent, agents_of
from tisch.game import Agent, Outcome, Random, Samples, State
from tisch.games import REGISTRY, null
from tisch.games.null import Move, NullState
from tisch.ports.reasons import compared


def asked(state: State[Any], seat: int = 0, must: bool = True, seed: int = 1, **how: Any) -> tuple[Any, str]:
    """Return the decision of a searching agent and its reason."""
    agent: SearchAgent[Any] = SearchAgent(**how)
    agent.start(Random(seed))
    return agent.act(Samples(state, seat), state.legal(seat), must), agent.explain()


def null_state(card: int, rival: int) -> NullState:
    return NullState(null.Options(), (card, rival))


@pytest.mark.parametrize("card", [1, 2, 3, 7, 8, 9])
def test_the_null_game_is_played_as_it_should_be(card: int) -> None:
    # Against a random opponent, high gains (card - 5) / 8 and low loses as much.
    best = Move.HIGH if card > 5 else Move.LOW
    for seed in range(5):
        assert asked(null_state(card, 5), seed=seed, playouts=400)[0] is best


def test_it_speaks_out_of_turn_where_that_pays_and_only_there() -> None:
    for card, said, speaks in ((9, Move.HIGH, True), (1, Move.LOW, True), (5, Move.HIGH, False), (1, Move.HIGH, False)):
        state = null_state(card, 4)
        state.play(0, said)
        decisions = [asked(state, must=False, seed=seed, playouts=512)[0] for seed in range(5)]
        assert decisions == [Move.DOUBLE if speaks else None] * 5, card


def test_it_beats_random_in_the_null_game() -> None:
    total = 0.0
    for number in range(150):
        for own in (0, 1):
            state = null.GAME.new(null.Options(), derive(1, number))
            agents: list[Agent[Move]] = [RandomAgent(), RandomAgent()]
            agents[own] = SearchAgent(playouts=64)
            for seat, agent in enumerate(agents):
                agent.start(Random(2, number, own, seat))
            driver.play(state, agents)
            outcome = state.outcome()
            assert outcome is not None
            total += outcome.payoff[own]
    # The best strategy gains 5/18 without doubling; a random one, nothing.
    assert total / 300 > 0.2


def test_it_decides_the_same_when_asked_again() -> None:
    for number in range(10):
        state = null.GAME.new(null.Options(), number)
        assert asked(state, seed=number) == asked(state, seed=number)
    assert len({asked(null_state(5, 1), seed=seed)[1] for seed in range(10)}) > 1


def test_it_decides_the_same_whatever_is_hidden() -> None:
    assert len({asked(null_state(6, rival)) for rival in (1, 2, 9)}) == 1
    decided = []
    for said in (Move.LOW, Move.HIGH):
        state = null_state(6, 2)
        state.play(1, said)
        decided.append(asked(state))
    assert decided[0] == decided[1]


def test_it_uses_nothing_of_the_true_state_but_samples() -> None:
    class Sealed(NullState):
        __slots__ = ("sealed",)

        def __getattribute__(self, name: str) -> Any:
            if name not in {"resample", "legal"} and getattr(Sealed, "closed", False):
                raise AssertionError(f"The agent looked at '{name}' of the true state.")
            return super().__getattribute__(name)

    class Forwarding(Samples[Move]):
        __slots__ = ()

        def __call__(self, random: Random) -> State[Move]:
            Sealed.closed = False  # type: ignore[attr-defined]
            try:
                return super().__call__(random)
            finally:
                Sealed.closed = True  # type: ignore[attr-defined]

    state = Sealed(null.Options(), (9, 3))
    agent: SearchAgent[Move] = SearchAgent()
    agent.start(Random(1))
    Sealed.closed = True  # type: ignore[attr-defined]
    try:
        assert agent.act(Forwarding(state, 0), [Move.LOW, Move.HIGH], True) is Move.HIGH
    finally:
        Sealed.closed = False  # type: ignore[attr-defined]


def test_it_explains_the_best_two_moves() -> None:
    move, reason = asked(null_state(9, 1))
    assert move is Move.HIGH
    # Whatever the other says, the holder of the nine is better off with high.
    assert reason == "In everything that was played out, the next best move does worse."


@pytest.mark.parametrize(
    ("best", "other", "reason"),
    [
        ([1, 1, 1, 1], [1, 1, 1, 1], "In everything that was played out, the next best move does just as well."),
        ([1, 1, 1, 1], [0, 0, 0, 0], "In everything that was played out, the next best move does worse."),
        (
            [1, 0, 0, 0],
            [0, 0, 0, 0],
            "This move does better than the next best in 3 out of 10 cases, and otherwise just as well.",
        ),
        (
            [2, 2, 2, 0],
            [1, 1, 1, 1],
            "Compared with the next best, this move does better in 8 out of 10 cases, and worse in 3 out of 10 cases.",
        ),
        (
            [9, 0, 0, 0],
            [1, 1, 1, 1],
            (
                "Compared with the next best, this move does worse in 8 out of 10 cases and better only in 3 out of "
                "10 cases, but then it gains more."
            ),
        ),
        # The samples in which only the best was tried say nothing.
        ([1, 1, 5, 5], [0, 0], "In everything that was played out, the next best move does worse."),
    ],
)
def test_what_the_worlds_show_is_told_in_words(best: list[float], other: list[float], reason: str) -> None:
    assert compared(best, other).tell("en") == reason


class Pick(State[int]):
    """A game for one: the chosen number is the payoff."""

    __slots__ = ("numbers", "picked", "tried")

    def __init__(self, numbers: int, tried: list[int]) -> None:
        self.seats = 1
        self.listener = None
        self.numbers = numbers
        self.picked: int | None = None
        self.tried = tried

    def awaiting(self) -> Sequence[int]:
        return [0] if self.picked is None else []

    def legal(self, seat: int) -> Sequence[int]:
        return range(self.numbers) if self.picked is None else []

    def play(self, seat: int, move: int) -> None:
        self.picked = move
        self.tried.append(move)

    def view(self, seat: int | None) -> Any:
        return self.picked

    def outcome(self) -> Outcome | None:
        return None if self.picked is None else Outcome((self.picked,), (self.picked,), "A number was picked.")

    def copy(self) -> Pick:
        return Pick(self.numbers, self.tried)

    def resample(self, seat: int, random: Random) -> Pick:
        return self.copy()


@pytest.mark.parametrize("numbers", [2, 3, 10, 16, 17, 500])
def test_it_takes_the_best_of_what_it_tries_within_its_playouts(numbers: int) -> None:
    tried: list[int] = []
    best, _ = asked(Pick(numbers, tried), playouts=128)
    assert best == max(tried)
    assert len(tried) <= 128
    assert 0 in tried, "The safest move is always tried."
    assert len(set(tried)) == min(numbers, 16)
    assert best >= numbers // 2


def test_a_single_move_needs_no_search() -> None:
    tried: list[int] = []
    assert asked(Pick(1, tried)) == (0, "No other move is possible.")
    assert not tried


def test_what_the_playout_agent_would_do_is_always_tried() -> None:
    class Liking(RandomAgent[int]):
        def act(self, view: Any, legal: Sequence[int], must: bool) -> int:
            return 123

    tried: list[int] = []
    asked(Pick(500, tried), playout=Liking)
    assert 123 in tried


def test_silence_is_cheaper_than_a_decision_in_turn() -> None:
    judged = []

    class Counting(SearchAgent[Move]):
        def judge(self, state: State[Move], seat: int, seed: int) -> float:
            judged.append(seat)
            return super().judge(state, seat, seed)

    state = null_state(9, 1)
    state.play(0, Move.HIGH)
    agent = Counting(playouts=128)
    agent.start(Random(1))
    agent.act(Samples(state, 0), state.legal(0), False)
    assert judged == [0] * 16


def test_a_playout_agent_must_not_search() -> None:
    with pytest.raises(ValueError, match="SearchAgent cannot play the worlds to their end"):
        SearchAgent(SearchAgent)
    with pytest.raises(ValueError, match="at least 1 playout for a decision, not 0"):
        SearchAgent(playouts=0)


@pytest.mark.parametrize("name", REGISTRY)
def test_it_plays_its_worlds_to_the_end_of_the_round_and_no_further(name: str) -> None:
    judged = []

    class Noting(SearchAgent[Any]):
        def judge(self, state: State[Any], seat: int, seed: int) -> float:
            value = super().judge(state, seat, seed)
            judged.append(state.outcome())
            return value

    # With its defaults, a game of Tichu never ends if all play at random.
    game = REGISTRY[name]
    state = game.new(game.Options(), 1)
    agent = Noting(playouts=16)
    agent.start(Random(1))
    (seat, *_) = state.awaiting()
    assert agent.act(Samples(state, seat), state.legal(seat), True) in state.legal(seat)
    assert len(judged) >= 8 and {outcome and outcome.rounds for outcome in judged} == {1}


@pytest.mark.parametrize("name", REGISTRY)
def test_it_plays_every_game(name: str) -> None:
    game = REGISTRY[name]
    assert "search" in agents_of(game)
    state = game.new(game.Options(), 1)
    state.end_with_round()
    agents: list[Agent[Any]] = [RandomAgent() for _ in range(state.seats)]
    agents[0] = SearchAgent(playouts=4)
    for seat, agent in enumerate(agents):
        agent.start(Random(1, seat))
    driver.play(state, agents)
    assert state.outcome() is not None
