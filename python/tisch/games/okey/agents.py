"""The agents for Okey: one counts the tiles in groups and the unseen tiles that would help, the other looks ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from tisch._core import okey as core
from tisch.game import Agent
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS, Move, Verb
from tisch.games.okey.rules import SEATS, View
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
            self.reason = Sentence(TEXTS, "win", {"tile": _named(legal[0].tile)})
            return legal[0]
        if len(view.rack) == HELD:
            return self._draw(view.rack, view.stacks[view.seat])
        return self._put(view, view.seat, legal)

    def _draw(self, rack: Sequence[Tile], stack: Sequence[Tile]) -> Move:
        now = core.coverage(bytes(rack))
        if stack:
            then = max(covered for _, covered in core.puts(bytes((*rack, stack[-1]))))
            if then > now:
                self.reason = Sentence(TEXTS, "take", {"tile": _named(stack[-1]), "then": then, "now": now})
                return DRAW_EXCHANGE
        self.reason = Sentence(TEXTS, "draw", {"now": now})
        return DRAW_MAIN

    def _put(self, view: View, seat: int, legal: Sequence[Move]) -> Move:
        rack, seen = view.rack, _seen(view, seat)
        covered = core.puts(bytes(rack))
        most = max(count for _, count in covered)
        outs = {PUTS[tile]: core.outs(_without(rack, TILES[tile]), seen) for tile, count in covered if count == most}
        best = max((move for move in legal if move in outs), key=outs.__getitem__)
        self.reason = Sentence(TEXTS, "put", {"tile": _named(best.tile), "covered": most, "outs": outs[best]})
        return best


class SearchAgent(RuleAgent):
    """Draws like the rules of thumb, and puts the tile without which the rack wins soonest with the tiles to come.

    The core tries every put with the same samples of the unseen tiles. It never puts a joker.
    """

    def __init__(self, samples: int = 100) -> None:
        """Create the agent.

        :param samples: The number of samples for a put.
        :raises ValueError: There is none.
        """
        if samples < 1:
            raise ValueError(f"The search needs at least 1 sample for a put, not {samples}.")
        self._samples = samples

    def _put(self, view: View, seat: int, legal: Sequence[Move]) -> Move:
        # The legal moves begin with the newest tile; of equally good ones the first is put.
        tiles = [move.tile for move in legal if move.tile not in (None, JOKER)]
        puts = bytes(tile for tile in tiles if tile is not None)
        held = bytes(view.known[(seat + 1) % SEATS])
        seed = self.random.bits()
        worths = core.worths(bytes(view.rack), puts, _seen(view, seat), held, self._samples, seed)
        best = TILES[puts[worths.index(max(worths))]]
        self.reason = Sentence(TEXTS, "soonest", {"tile": _named(best)})
        return PUTS[best]


def _named(tile: Tile | None) -> Sentence:
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


AGENTS: Mapping[str, Callable[[], RuleAgent]] = {"rule": RuleAgent, "search": SearchAgent}
