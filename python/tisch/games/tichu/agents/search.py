"""The agent that tries its moves in worlds that it cannot distinguish from the true one.

The core tries them, hundreds of times as fast as the search for every game could: plays, bombs, wishes, the dragon, the
schupf, small and Grand Tichu. The heuristic proposes the candidates, and its own choice stands unless another is better
beyond doubt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from tisch._core.tichu import Net, Search, evaluate
from tisch.game import Random, Samples, Verdict
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.agents.base import SamplingAgent
from tisch.games.tichu.agents.heuristic import HeuristicAgent
from tisch.games.tichu.moves import TICHU, Move
from tisch.games.tichu.rules import TichuState
from tisch.games.tichu.simulation import simulate
from tisch.language import Sentence
from tisch.ports.reasons import SILENCE, compared

#: The number of cards that a seat keeps when it gives three away.
KEPT: Final = 11


class SearchAgent(SamplingAgent):
    """Plays the move with the best result in many worlds, unless the heuristic's is about as good."""

    #: A network that knows how likely worlds are.
    _net: Net | None = None

    def __init__(
        self,
        *,
        playouts: int = 400,
        worlds: int = 256,
        candidates: int = 6,
        caution: float = 1.5,
        draws: int = 1,
        policy: str = "quick",
        threads: int = 1,
    ) -> None:
        """Create the agent.

        :param playouts: The most playouts for a decision; before the first trick it is a half, out of turn a quarter.
        :param worlds: The most worlds in which a move is tried.
        :param candidates: The most plays that are tried.
        :param caution: The number of standard errors by which a move must be better than the heuristic's.
        :param draws: The number of draws of which a world is the one with the others' best hands: after the schupf,
            hands are better than chance.
        :param policy: The core's policy that plays the worlds to their end.
        :param threads: The number of threads, which does not affect the decisions.
        :raises ValueError: A number is below one, the caution is negative, or there is no such policy.
        """
        self._search = Search(
            playouts=playouts,
            worlds=worlds,
            candidates=candidates,
            caution=caution,
            draws=draws,
            policy=policy,
            threads=threads,
            net=self._net,
        )
        self._worlds, self._policy, self._threads = worlds, policy, threads
        self._gifts: list[Move] = []
        self._adviser = HeuristicAgent()

    def start(self, random: Random) -> None:
        super().start(random)
        self._gifts = []

    def verdict(self, view: Samples[Move], legal: Sequence[Move], must: bool, move: Move) -> Verdict:
        """Judge a move: play it and the agent's own in further worlds, since those of the decision flatter its own.

        :param view: As for :meth:`act`.
        :param legal: As for :meth:`act`.
        :param must: As for :meth:`act`.
        :param move: The move that was made.
        :result: What the agent thinks of it.
        """
        own = self.act(view, legal, must)
        world = view(self.random)
        assert isinstance(world, TichuState)
        count, one, seed = self._worlds, view.seat % 2, self.random.bits()
        ours, theirs = evaluate(
            simulate(world), view.seat, [own, move], count, self._policy, seed, threads=self._threads
        )
        before = sum(world.scores[one]) - sum(world.scores[1 - one])
        lost = (ours[0] - theirs[0]) / count
        if own == move or lost <= 0:
            return Verdict(str(move), before + theirs[0] / count, 0.0, 0.0)
        error = math.sqrt((theirs[2] / count - lost * lost) / max(count - 1, 1))
        return Verdict(None if own is None else str(own), before + ours[0] / count, lost, error)

    def decide(self, view: Samples[Move], legal: Sequence[Move], must: bool) -> Move | None:
        if self._gifts and len(self._gifts) == len(legal) - KEPT and self._gifts[0] in legal:
            return self._gifts.pop(0)
        world = view(self.random)
        assert isinstance(world, TichuState)
        tried = self._search.decide(simulate(world), view.seat, self.random.bits())
        moves = tried[0][0]
        chosen = moves[0] if moves else None
        # People learn more from the heuristic's reason than from frequencies, where both choose the same.
        self._adviser.start(Random(0))
        agreed = self._adviser.act(world.view(view.seat), legal, must) == chosen
        self.reason = (agreed and self._adviser.reason) or _reason(tried)
        # Gifts are one decision; after a call, the next move is decided anew.
        self._gifts = moves[1:] if len(moves) > 1 and moves[0] != TICHU else []
        return chosen


def _reason(tried: Sequence[tuple[list[Move], list[int]]]) -> Sentence:
    """Compare the chosen moves with the next best."""
    (moves, best), *others = tried
    if not moves:
        return SILENCE
    if not others:
        return reasons.NO_OTHER
    return compared(best, max((leads for _, leads in others), key=lambda leads: (len(leads), sum(leads))))
