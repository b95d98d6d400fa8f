"""The agent that tries every move in worlds that could be the true one.

It needs nothing but the interface: it draws states that its seat cannot tell from the true one, makes each of its
moves in each of them, lets a simple agent play all seats to the end of the round, and takes the move that did best on
average. It never sees the true state, and it has no clock: how long it thinks is a number of playouts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

from tisch import driver
from tisch.agents.random import RandomAgent
from tisch.game import Agent, M, Random, Samples, Sight, State
from tisch.language import Sentence
from tisch.ports.reasons import FORCED, SILENCE, TEXTS, often

#: What gives the exact worth of a state for a seat, or ``None`` where it is not known: :meth:`tisch.game.Game.worth`.
Worth: TypeAlias = Callable[[State[Any], int], float | None]

#: How many playouts there must be for each move; if there are more moves than that allows, some are left out.
TRIALS = 8
#: What part of the playouts is spent on the question whether to speak out of turn, as it is asked so often.
OUT_OF_TURN = 1 / 8
#: By how many standard errors speaking out of turn must be better than silence.
EVIDENCE = 2.0


class SearchAgent(Agent[M]):
    """Plays the move that does best in sampled worlds.

    All moves are tried in the same worlds and with the same chance, so that only what they change is compared. In
    stages the worse half is dropped and the rest tried in more worlds (sequential halving).
    """

    sight = Sight.SAMPLES

    def __init__(
        self, playout: Callable[[], Agent[Any]] = RandomAgent, playouts: int = 128, worth: Worth | None = None
    ) -> None:
        """Set the agent up.

        :param playout: Makes the agents that play the worlds to their end; they must not search themselves.
        :param playouts: How many worlds are played to their end for a decision in turn.
        :param worth: Gives the exact worth of a state for a seat, or ``None`` where the state must be played on;
            without it all worlds are played to their end.
        :raises ValueError: A playout agent searches, or there are no playouts.
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
            # What is to come is counted out already; speaking out of turn has no part in it.
            self.reason = SILENCE
            return None
        playouts = self._playouts if must else math.ceil(self._playouts * OUT_OF_TURN)
        choices: list[M | None] = [] if must else [None]
        choices += self._candidates(view, legal, max(playouts // TRIALS, 2))
        values = self._compare(view, choices, playouts)
        best, *others = sorted(values, key=lambda choice: (-len(values[choice]), -sum(values[choice])))
        if best is not None and not must and not _is_better(values[best], values[None]):
            best = None
        self.reason = SILENCE if best is None else _reason(values[best], values[others[0]])
        return best

    def judge(self, state: State[M], seat: int, seed: int) -> float:
        """Find out what a state is worth by playing it until its worth is known, to its end if need be.

        :param state: The state, which may be played on.
        :param seat: For whom.
        :param seed: Where the players' chance comes from.
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
        """Note the exact worth of a state if there is one."""
        exact = self._worth(state, seat) if self._worth else None
        known += [] if exact is None else [exact]
        return exact is not None

    def seated(self, seats: int, seed: int) -> Sequence[Agent[Any]]:
        """Seat the players of a playout.

        :param seats: How many seats there are.
        :param seed: Where the players' chance comes from.
        :result: A playout agent for each seat, started.
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
        # The safest move, what the playout agent would do, and others by chance.
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
        # What each choice was worth in each world; those that were dropped have seen fewer worlds.
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


def _is_better(values: Sequence[float], others: Sequence[float]) -> bool:
    gains = [value - other for value, other in zip(values, others, strict=False)]
    mean = math.fsum(gains) / len(gains)
    spread = math.sqrt(math.fsum((gain - mean) ** 2 for gain in gains)) / len(gains)
    return mean > EVIDENCE * spread


def _reason(best: Sequence[float], other: Sequence[float]) -> Sentence:
    """Say how often the best choice did better than the next best, and how often worse, in the worlds of both."""
    worlds = list(zip(best, other, strict=False))
    better = sum(one > two for one, two in worlds)
    worse = sum(one < two for one, two in worlds)
    if not worse:
        name = "search even" if not better else "search always" if better == len(worlds) else "search never worse"
    else:
        # On average it has done better all the same.
        name = "search" if better >= worse else "search dear"
    return Sentence(TEXTS, name, {"better": often(better / len(worlds)), "worse": often(worse / len(worlds))})
