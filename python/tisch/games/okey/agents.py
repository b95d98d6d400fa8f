"""The agent that plays Okey by counting what it has and what would help it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from tisch._core import okey_coverage, okey_outs, okey_puts
from tisch.game import Agent
from tisch.games.okey.rules import DRAW_EXCHANGE, DRAW_MAIN, HELD, Move, Verb, View


class RuleAgent(Agent[Move]):
    """Wins when it can, takes what the neighbour put if more of its tiles then lie in groups, and puts the tile after
    which most tiles lie in groups; of several the one after which the most unseen tiles would help.
    """

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move:
        if view.seat is None or view.rack is None:
            raise ValueError("A spectator has nothing to decide.")
        if legal[0].verb is Verb.WIN:
            self._reason = "Everything lies in groups."
            return legal[0]
        return self._draw(view) if len(view.rack) == HELD else self._put(view, legal)

    def explain(self) -> str:
        return self._reason

    def _draw(self, view: View) -> Move:
        assert view.seat is not None and view.rack is not None
        stack = view.stacks[view.seat]
        now = okey_coverage(bytes(view.rack))
        if stack:
            rack = bytes((*view.rack, stack[-1]))
            then = max(covered for _, covered in okey_puts(rack))
            if then > now:
                self._reason = f"With {stack[-1]} {then} tiles lie in groups, not {now}."
                return DRAW_EXCHANGE
        self._reason = f"What the neighbour put helps nothing: {now} tiles lie in groups."
        return DRAW_MAIN

    def _put(self, view: View, legal: Sequence[Move]) -> Move:
        assert view.seat is not None and view.rack is not None
        covered = dict(okey_puts(bytes(view.rack)))
        most = max(covered.values())
        others = chain.from_iterable(view.known[seat] for seat in range(len(view.known)) if seat != view.seat)
        seen = bytes(chain(view.rack, others, *view.stacks))
        best, helped = legal[0], -1
        for move in legal:
            if move.tile is not None and covered[move.tile] == most:
                rack = list(view.rack)
                rack.remove(move.tile)
                outs = okey_outs(bytes(rack), seen)
                if outs > helped:
                    best, helped = move, outs
        self._reason = f"Without {best.tile} {most} tiles lie in groups, and {helped} unseen tiles would help."
        return best
