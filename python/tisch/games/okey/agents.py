"""The agent for Okey that counts the tiles in groups and the unseen tiles that would help."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from tisch._core import okey as core
from tisch.game import Agent
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS, Move, Verb
from tisch.games.okey.rules import View
from tisch.games.okey.tiles import HELD, JOKER, TILES, Tile
from tisch.language import Sentence, Vocabulary

#: The reasons by language and name, with the names of tiles: in German, in the accusative.
TEXTS: Final = Vocabulary(Path(__file__).parent / "texts").section("reasons")


class RuleAgent(Agent[Move]):
    """Keeps most tiles in groups, and among these choices most chances for an unseen tile that adds to the groups.

    It takes its neighbour's tile only if more tiles lie in groups then. This number never falls, so four such agents
    cannot exchange tiles forever.
    """

    def act(self, view: View, legal: Sequence[Move], must: bool) -> Move | None:
        if not must:
            # Out of turn the only move is to cheat.
            self.reason = None
            return None
        if view.seat is None:
            raise ValueError("A spectator has nothing to decide.")
        if legal[0].verb is Verb.WIN:
            self.reason = Sentence(TEXTS, "win", {"tile": named(legal[0].tile)})
            return legal[0]
        if len(view.rack) == HELD:
            return self._draw(view, view.seat)
        return self._put(view, view.seat, legal)

    def _draw(self, view: View, seat: int) -> Move:
        rack, stack = view.rack, view.stacks[seat]
        now = core.coverage(bytes(rack))
        if stack:
            then = max(covered for _, covered in core.puts(bytes((*rack, stack[-1]))))
            if then > now:
                self.reason = Sentence(TEXTS, "take", {"tile": named(stack[-1]), "then": then, "now": now})
                return DRAW_EXCHANGE
        self.reason = Sentence(TEXTS, "draw", {"now": now})
        return DRAW_MAIN

    def _put(self, view: View, seat: int, legal: Sequence[Move]) -> Move:
        rack, seen = view.rack, _seen(view, seat)
        covered = core.puts(bytes(rack))
        most = max(count for _, count in covered)
        outs = {PUTS[tile]: core.outs(_without(rack, TILES[tile]), seen) for tile, count in covered if count == most}
        best = max((move for move in legal if move in outs), key=outs.__getitem__)
        self.reason = Sentence(TEXTS, "put", {"tile": named(best.tile), "covered": most, "outs": outs[best]})
        return best


def named(tile: Tile | None) -> Sentence:
    """Return the name of a tile in sentences.

    :param tile: The tile, which there is.
    :result: The part of a sentence.
    """
    assert tile is not None
    return Sentence(TEXTS, "JOKER" if tile == JOKER else tile.colour.name, {"number": tile.number})


def _without(rack: Sequence[Tile], tile: Tile) -> bytes:
    rest = list(rack)
    rest.remove(tile)
    return bytes(rest)


def _seen(view: View, seat: int) -> bytes:
    """Return all tiles whose place the seat knows."""
    others = (known for rival, known in enumerate(view.known) if rival != seat)
    return bytes(chain(view.rack, *others, *view.stacks))
