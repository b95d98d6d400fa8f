"""The agent for Okey that looks ahead.

The core tries the choices with the same samples of the unseen tiles: each is worth the more, the sooner the rack can
win with the tiles to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tisch._core.simulation import Policy
from tisch.game import Random, Samples, Verdict
from tisch.games.okey.agents import TEXTS, named
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAWS, Move, Verb
from tisch.language import Sentence
from tisch.ports.policies import PolicyAgent

#: The names of the reasons for puts.
PUTTING = {Verb.WIN: "win", Verb.PUT: "soonest"}


class SearchAgent(PolicyAgent[Move]):
    """Draws and puts so that the rack can win soonest with the tiles to come, and judges what others do.

    It never puts a joker.
    """

    def __init__(self, samples: int = 100) -> None:
        """Create the agent.

        :param samples: The number of samples for a decision.
        :raises ValueError: There is none.
        """
        super().__init__(Policy("okey", "search", {"samples": samples}))

    def act(self, view: Samples[Move], legal: Sequence[Move], must: bool) -> Move | None:
        move = super().act(view, legal, must)
        if move in DRAWS and DRAW_EXCHANGE in legal:
            # What lies on top of the stack is the same in every sample.
            state: Any = view(Random(0))
            name = "sooner" if move == DRAW_EXCHANGE else "later"
            self.reason = Sentence(TEXTS, name, {"tile": named(state.stacks[view.seat][-1])})
        return move

    def told(self, move: Move | None, legal: Sequence[Move], must: bool) -> Sentence | None:
        if move is None or move.tile is None:
            return None
        return Sentence(TEXTS, PUTTING[move.verb], {"tile": named(move.tile)})

    def verdict(self, view: Samples[Move], legal: Sequence[Move], must: bool, move: Move) -> Verdict:
        """Judge a move by new samples, as :meth:`tisch.game.Judge.verdict` describes it; to cheat loses nothing."""
        choices = [each for each in legal if each.verb is not Verb.CHEAT]
        if len(choices) < 2 or move not in choices:
            return Verdict(str(move), 0.0, 0.0, 0.0)
        return super().verdict(view, legal, must, move)
