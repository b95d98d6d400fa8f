"""The agent that tries its moves in worlds that it cannot distinguish from the true one.

The core tries them, hundreds of times as fast as the search for every game could: plays, bombs, wishes, the dragon, the
schupf, small and Grand Tichu. The heuristic proposes the candidates, and its own choice stands unless another is better
beyond doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

from tisch._core.simulation import Policy
from tisch.game import Random, Samples
from tisch.games.tichu.agents import reasons
from tisch.games.tichu.agents.heuristic import HeuristicAgent
from tisch.games.tichu.moves import TAKE, Move
from tisch.language import Sentence
from tisch.ports.policies import PolicyAgent


class SearchAgent(PolicyAgent[Move]):
    """Plays the move with the best result in many worlds, unless the heuristic's is about as good."""

    judges_silence = True

    def __init__(
        self,
        *,
        playouts: int = 400,
        worlds: int = 256,
        once: int = 1,
        candidates: int = 6,
        caution: float = 1.5,
        draws: int = 1,
        policy: str = "quick",
        threads: int = 1,
        style: str = "strength",
    ) -> None:
        """Create the agent.

        :param playouts: The most playouts for a decision; before the first trick it is a half, out of turn a quarter.
        :param worlds: The most worlds in which a move is tried.
        :param once: How many times as many playouts and worlds a decision gets that comes about once in a round: the
            gifts, and small Tichu.
        :param candidates: The most plays that are tried.
        :param caution: The number of standard errors by which a move must be better than the heuristic's.
        :param draws: The number of draws of which a world is the one with the others' best hands: after the schupf,
            hands are better than chance.
        :param policy: The core's policy that plays the worlds to their end.
        :param threads: The number of threads, which does not affect the decisions.
        :param style: As for the heuristic.
        :raises ValueError: A number is out of range, or there is no such policy or style.
        """
        self._decide_by(
            "search",
            playouts=playouts,
            worlds=worlds,
            once=once,
            candidates=candidates,
            caution=caution,
            draws=draws,
            policy=policy,
            threads=threads,
            style=style,
        )

    def _decide_by(self, name: str, **parameters: object) -> None:
        """Take the policy that decides."""
        super().__init__(Policy("tichu", name, parameters))
        self._adviser = HeuristicAgent(style=str(parameters["style"]))

    def act(self, view: Samples[Move], legal: Sequence[Move], must: bool) -> Move | None:
        move = super().act(view, legal, must)
        found = self._player.findings()
        if found and not _goes_on(move, found[0][0]):
            # People learn more from the heuristic's reason than from frequencies, where both choose the same.
            self._adviser.start(Random(0))
            agreed = self._adviser.act(view(Random(0)).view(view.seat), legal, must) == move
            self.reason = (agreed and self._adviser.reason) or self.reason
        return move

    def told(self, move: Move | None, legal: Sequence[Move], must: bool) -> Sentence | None:
        found = self._player.findings()
        if not found:
            return reasons.TRICK_WON if move == TAKE and len(legal) > 1 else None
        if _goes_on(move, found[0][0]):
            return self.reason
        return reasons.NO_OTHER if move and len(found) == 1 else None


def _goes_on(move: Move | None, together: Sequence[str]) -> bool:
    """Return whether a move is a gift that was chosen together with the first of three."""
    return move is not None and move.verb == "give" and str(move) in together[1:]
