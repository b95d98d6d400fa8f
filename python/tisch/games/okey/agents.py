"""The agent made for Okey: it counts which tiles lie in groups and which unseen ones would help."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from tisch._core import okey_coverage, okey_outs, okey_puts
from tisch.game import Agent
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS, Move, Verb
from tisch.games.okey.tiles import HELD, TILES, Tile

if TYPE_CHECKING:
    from tisch.games.okey.rules import View


class RuleAgent(Agent[Move]):
    """Keeps as many tiles in groups as it can, then as many unseen tiles as it can that would bring more into groups.

    It takes what its neighbour put only if more tiles lie in groups then. As this number never falls, four of its
    kind cannot exchange tiles for ever.
    """

    def __init__(self) -> None:
        self._reason = ""

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        if not must:
            # Out of turn one can only cheat.
            return None
        if view.seat is None:
            raise ValueError("A spectator has nothing to decide.")
        if legal[0].verb is Verb.WIN:
            self._reason = f"Without {legal[0].tile} all tiles lie in groups."
            return legal[0]
        if len(view.rack) == HELD:
            return self._draw(view.rack, view.stacks[view.seat])
        return self._put(view.rack, _seen(view, view.seat), legal)

    def explain(self) -> str:
        return self._reason

    def _draw(self, rack: Sequence[Tile], stack: Sequence[Tile]) -> Move:
        now = okey_coverage(bytes(rack))
        if stack:
            then = max(covered for _, covered in okey_puts(bytes((*rack, stack[-1]))))
            if then > now:
                self._reason = f"With {stack[-1]} {then} tiles lie in groups, without it {now}."
                return DRAW_EXCHANGE
        self._reason = f"The exchange stack has nothing that brings more than {now} tiles into groups."
        return DRAW_MAIN

    def _put(self, rack: Sequence[Tile], seen: bytes, legal: Sequence[Move]) -> Move:
        covered = okey_puts(bytes(rack))
        most = max(count for _, count in covered)
        outs = {PUTS[tile]: okey_outs(_without(rack, TILES[tile]), seen) for tile, count in covered if count == most}
        best = max((move for move in legal if move in outs), key=outs.__getitem__)
        self._reason = f"Without {best.tile} {most} tiles lie in groups, and {outs[best]} unseen tiles would help."
        return best


def _without(rack: Sequence[Tile], tile: Tile) -> bytes:
    rest = list(rack)
    rest.remove(tile)
    return bytes(rest)


def _seen(view: View, seat: int) -> bytes:
    """All tiles whose place the seat knows."""
    others = (known for rival, known in enumerate(view.known) if rival != seat)
    return bytes(chain(view.rack, *others, *view.stacks))


AGENTS: Mapping[str, Callable[[], RuleAgent]] = {"rule": RuleAgent}
