"""The agent that tries every move in samples of the state.

It uses only the interface of games: it draws samples, makes each of its moves in each sample, lets a simple agent play
all seats to the end of the round, and chooses the move with the best mean payoff. It never sees the true state, and it
uses no clock: its effort is a number of playouts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from tisch import driver
from tisch.agents.random import RandomAgent
from tisch.game import Agent, M, Random, Samples, Sight, State, Verdict
from tisch.ports.reasons import FORCED, SILENCE, compared
from tisch.ports.samples import is_better, ranked, verdict

#: A function that returns the exact worth of a state for a seat, or ``None`` if unknown: :meth:`tisch.game.Game.worth`.
Worth: TypeAlias = Callable[[State[Any], int], float | None]

#: The minimum number of playouts per move; if there are too many moves for that, some are left out.
TRIALS = 8
#: The share of the playouts for the question whether to move out of turn, which comes up very often.
OUT_OF_TURN = 1 / 8
#: The number of standard errors by which a move out of turn must be better than silence.
EVIDENCE = 2.0


class SearchAgent(Agent[M]):
    """Plays the move with the best result in samples.

    All moves are tried in the same samples and with the same random numbers, so that only their effect is compared.
    After each stage the worse half is dropped, and the rest is tried in more samples (sequential halving).
    """

    sight = Sight.SAMPLES

    def __init__(
        self, playout: Callable[[], Agent[Any]] = RandomAgent, playouts: int = 128, worth: Worth | None = None
    ) -> None:
        """Create the agent.

        :param playout: Creates the agents that play samples to their end; they must not search themselves.
        :param playouts: The number of playouts for a decision in turn.
        :param worth: Returns the exact worth of a state for a seat, or ``None`` if the state must be played on; by
            default all samples are played to their end.
        :raises ValueError: The playout agent searches, or the number of playouts is not positive.
        """
        if playouts < 1:
            raise ValueError(f"The search needs at least 1 playout for a decision, not {playouts}.")
        player = playout()
        if player.sight is Sight.SAMPLES:
            raise ValueError(f"{type(player).__name__} cannot play the worlds to their end: it searches itself.")
        self._playout = playout
        self._playouts = playouts
        self._worth = worth
        self._players = [player]

    def act(self, view: Samples[M], legal: Sequence[M], must: bool) -> M | None:
        if must and len(legal) == 1:
            self.reason = FORCED
            return legal[0]
        if not must and self._worth and self._worth(view(self.random), view.seat) is not None:
            # The result is already determined by exact computation; moving out of turn plays no part in it.
            self.reason = SILENCE
            return None
        playouts = self._playouts if must else math.ceil(self._playouts * OUT_OF_TURN)
        choices: list[M | None] = [] if must else [None]
        choices += self._candidates(view, legal, max(playouts // TRIALS, 2))
        values = self._compare(view, choices, playouts)
        best, *others = ranked(values)
        if best is not None and not must and not is_better(values[best], values[None], EVIDENCE):
            best = None
        self.reason = SILENCE if best is None else compared(values[best], values[others[0]])
        return best

    def verdict(self, view: Samples[M], legal: Sequence[M], must: bool, move: M) -> Verdict:
        """Judge a move: play it and the agent's own in further samples.

        The samples in which the own move was chosen would flatter it.

        :param view: As for :meth:`act`.
        :param legal: As for :meth:`act`.
        :param must: As for :meth:`act`.
        :param move: The move that was made.
        :result: What the agent thinks of it.
        """
        own = self.act(view, legal, must)
        choices: list[M | None] = [own] if own == move else [own, move]
        values: dict[M | None, list[float]] = {choice: [] for choice in choices}
        for _ in range(max(self._playouts // 2, 2)):
            self._try(view, choices, values)
        return verdict(own, move, values[own], values[move])

    def judge(self, state: State[M], seat: int, seed: int) -> float:
        """Evaluate a state by playing it until its worth is known, at the latest to its end.

        :param state: The state; it is modified.
        :param seat: The seat whose payoff is wanted.
        :param seed: The seed of the players' randomness.
        :result: The seat's payoff.
        """
        known: list[float] = []
        driver.play(state, self.seated(state.seats, seed), until=self._worth and partial(self._is_known, seat, known))
        if known:
            return known[0]
        outcome = state.outcome()
        assert outcome is not None
        return outcome.payoff[seat]

    def _is_known(self, seat: int, known: list[float], state: State[M]) -> bool:
        """Record the exact worth of a state, if known, and return whether it is."""
        exact = self._worth(state, seat) if self._worth else None
        known += [] if exact is None else [exact]
        return exact is not None

    def seated(self, seats: int, seed: int) -> Sequence[Agent[Any]]:
        """Create and start the players of a playout.

        :param seats: The number of seats.
        :param seed: The seed of the players' randomness.
        :result: A started playout agent for each seat.
        """
        while len(self._players) < seats:
            self._players.append(self._playout())
        players = self._players[:seats]
        for number, player in enumerate(players):
            player.start(Random(seed, number))
        return players

    def _candidates(self, samples: Samples[M], legal: Sequence[M], most: int) -> list[M]:
        if len(legal) <= most:
            return list(legal)
        # The candidates are the safest move, the playout agent's choice, and random others.
        player = self._players[0]
        player.start(Random(self.random.bits()))
        seen = samples(self.random).view(samples.seat) if player.sight is Sight.VIEW else None
        chosen = {legal[0], player.act(seen, legal, True)}
        places = list(range(len(legal)))
        self.random.shuffle(places)
        for place in places:
            if len(chosen) >= most:
                break
            chosen.add(legal[place])
        return [move for move in legal if move in chosen]

    def _compare(self, samples: Samples[M], choices: list[M | None], playouts: int) -> dict[M | None, list[float]]:
        # Return the payoffs of each choice by sample; choices that were dropped have seen fewer samples.
        values: dict[M | None, list[float]] = {choice: [] for choice in choices}
        stages = max(math.ceil(math.log2(len(choices))), 1)
        for _ in range(stages):
            for _ in range(max(playouts // (stages * len(choices)), 1)):
                self._try(samples, choices, values)
            choices = sorted(choices, key=lambda choice: -sum(values[choice]))[: math.ceil(len(choices) / 2)]
        return values

    def _try(self, samples: Samples[M], choices: list[M | None], values: dict[M | None, list[float]]) -> None:
        world = samples(self.random)
        world.end_with_round()
        seed = self.random.bits()
        for choice in choices:
            state = world.copy()
            if choice is not None:
                state.play(samples.seat, choice)
            values[choice].append(self.judge(state, samples.seat, seed))
