"""The rules of all games as a state machine: lines of one game part by copies and pickles, and none disturbs another.

The model of a line is the texts of its moves. Whatever was done to the other lines in between, its state equals a new
game in which these moves were made.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.games.test_conformance_games import CASES
from tisch.game import Game, IllegalMove, Random, State
from tisch.testing import fingerprint, played, step

#: The ways to an independent state.
WAYS: dict[str, Callable[[State[Any]], State[Any]]] = {
    "copy": lambda state: state.copy(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
}
#: The maximum number of lines: comparing them all takes time.
LINES = 4


@dataclass
class Line:
    """A game in progress, and the texts of its moves with their seats."""

    state: State[Any]
    moves: list[tuple[int, str]] = field(default_factory=list)

    def play(self, seat: int, move: Any) -> None:
        """Make a move."""
        self.state.play(seat, move)
        self.moves.append((seat, str(move)))

    def go_on(self, random: Random, moves: int) -> None:
        """Make random moves, unless the game is over."""
        for _ in range(moves):
            if self.state.awaiting():
                seat, move = step(self.state, random)
                self.moves.append((seat, str(move)))

    def offers(self) -> list[tuple[int, Any]]:
        """Return every move that any seat may make now."""
        return [(seat, move) for seat in range(self.state.seats) for move in self.state.legal(seat)]


class Machine(RuleBasedStateMachine):
    """Random lines of one game."""

    game: Game[Any]
    options: Any

    def __init__(self) -> None:
        super().__init__()
        self.seed = 0
        self.lines: list[Line] = []

    @initialize(seed=st.integers(0, 2**32), tenths=st.integers(0, 9))
    def begin(self, seed: int, tenths: int) -> None:
        """Begin somewhere in a random game, so that short machines see late moments, too."""
        self.seed = seed
        moves = played(self.game, self.options, seed)
        self.lines = [Line(self.game.new(self.options, seed))]
        for seat, move in moves[: len(moves) * tenths // 10]:
            self.lines[0].play(seat, move)

    def line(self, data: st.DataObject) -> Line:
        return self.lines[data.draw(st.integers(0, len(self.lines) - 1), "line")]

    @rule(data=st.data(), seed=st.integers(0, 2**32), moves=st.integers(1, 16))
    def play(self, data: st.DataObject, seed: int, moves: int) -> None:
        line = self.line(data)
        others = [other.state for other in self.lines if other is not line]
        before = [fingerprint(other) for other in others]
        line.go_on(Random(seed, "machine"), moves)
        assert [fingerprint(other) for other in others] == before

    @precondition(lambda self: len(self.lines) < LINES)
    @rule(data=st.data(), way=st.sampled_from(sorted(WAYS)))
    def part(self, data: st.DataObject, way: str) -> None:
        line = self.line(data)
        self.lines.append(Line(WAYS[way](line.state), [*line.moves]))

    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        line, other = self.line(data), self.line(data)
        for seat, move in other.offers():
            if move not in line.state.legal(seat):
                before = fingerprint(line.state)
                with pytest.raises(IllegalMove):
                    line.state.play(seat, move)
                assert fingerprint(line.state) == before

    def teardown(self) -> None:
        for line in self.lines:
            again = self.game.new(self.options, self.seed)
            for seat, text in line.moves:
                again.play(seat, self.game.parse(text))
            assert fingerprint(line.state) == fingerprint(again), line.moves


@pytest.mark.parametrize(("game", "options"), CASES)
def test_no_line_of_a_game_disturbs_another(game: Game[Any], options: Any) -> None:
    machine = type("Machine", (Machine,), {"game": game, "options": options})
    run_state_machine_as_test(machine, settings=settings(max_examples=15, stateful_step_count=20))
