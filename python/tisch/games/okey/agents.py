"""The agents for Okey: one counts the tiles in groups and the unseen tiles that would help, the other looks ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from tisch._core import okey as core
from tisch.game import Agent, Verdict
from tisch.games.okey.moves import DRAW_EXCHANGE, DRAW_MAIN, PUTS, Move, Verb
from tisch.games.okey.rules import SEATS, View
from tisch.games.okey.tiles import HELD, JOKER, TILES, Tile
from tisch.language import Sentence, Vocabulary
from tisch.ports.samples import verdict

#: The reasons by language and name, with the names of tiles: in German, in the accusative.
TEXTS: Final = Vocabulary(Path(__file__).parent / "texts").section("reasons")


#: The number of sets of samples by which a move is judged.
PARTS: Final = 10
#: The worth of the others when the main stack is empty, and the factor for each tile that it has.
RIVALS: Final = 2.0
LATER: Final = 0.945


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
            return self._draw(view, view.seat)
        return self._put(view, view.seat, legal)

    def _draw(self, view: View, seat: int) -> Move:
        rack, stack = view.rack, view.stacks[seat]
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
    """Draws and puts so that the rack can win soonest with the tiles to come, and judges what others do.

    The core tries the choices with the same samples of the unseen tiles. It never puts a joker.
    """

    def __init__(self, samples: int = 100) -> None:
        """Create the agent.

        :param samples: The number of samples for a decision.
        :raises ValueError: There is none.
        """
        if samples < 1:
            raise ValueError(f"The search needs at least 1 sample for a decision, not {samples}.")
        self._samples = samples

    def verdict(self, view: View, legal: Sequence[Move], must: bool, move: Move) -> Verdict:
        """Judge a move by new samples, as :meth:`tisch.game.Judge.verdict` describes it; only moves in turn lose."""
        own = self.act(view, legal, must)
        choices = [each for each in legal if each.verb is not Verb.CHEAT]
        if own is None or view.seat is None or len(choices) < 2 or move not in choices:
            return Verdict(str(move), 0.0, 0.0, 0.0)
        if own.verb is Verb.WIN and move.verb is Verb.WIN:
            return Verdict(str(move), 1.0, 0.0, 0.0)
        parts = [self._payoffs(view, view.seat, (own, move)) for _ in range(PARTS)]
        return verdict(own, move, [ours for ours, _ in parts], [theirs for _, theirs in parts])

    def _payoffs(self, view: View, seat: int, moves: Sequence[Move]) -> list[float]:
        """Return the payoff that can be expected after each of some moves, of which one may win."""
        if len(view.rack) == HELD:
            worths = dict(zip((DRAW_MAIN, DRAW_EXCHANGE), self._drawing(view, seat), strict=True))
        else:
            tiles = [tile for move in moves if move.verb is Verb.PUT and (tile := move.tile) is not None]
            worths = dict(zip((PUTS[tile] for tile in tiles), self._putting(view, seat, tiles), strict=True))
        best = 1000 * self._samples
        return [payoff(worths.get(move, best) / best, view.main) for move in moves]

    def _drawing(self, view: View, seat: int) -> tuple[int, int]:
        """Return the worth of drawing an unseen tile and of taking the one that the exchange stack shows."""
        tile = view.stacks[seat][-1]
        return core.draws(bytes(view.rack), tile, _seen(view, seat), self._samples, self.random.bits())

    def _putting(self, view: View, seat: int, tiles: Sequence[Tile]) -> list[int]:
        """Return the worth of putting each of some tiles."""
        held = bytes(view.known[(seat + 1) % SEATS])
        return core.worths(bytes(view.rack), bytes(tiles), _seen(view, seat), held, self._samples, self.random.bits())

    def _draw(self, view: View, seat: int) -> Move:
        stack = view.stacks[seat]
        if not stack:
            return super()._draw(view, seat)
        main, taken = self._drawing(view, seat)
        tile = {"tile": _named(stack[-1])}
        # Where both are equal it draws, so that four such agents cannot exchange tiles forever.
        if taken > main:
            self.reason = Sentence(TEXTS, "sooner", tile)
            return DRAW_EXCHANGE
        self.reason = Sentence(TEXTS, "later", tile)
        return DRAW_MAIN

    def _put(self, view: View, seat: int, legal: Sequence[Move]) -> Move:
        # The legal moves begin with the newest tile; of equally good ones the first is put.
        tiles = [tile for move in legal if (tile := move.tile) is not None and tile != JOKER]
        worths = self._putting(view, seat, tiles)
        best = TILES[tiles[worths.index(max(worths))]]
        self.reason = Sentence(TEXTS, "soonest", {"tile": _named(best)})
        return PUTS[best]


def payoff(worth: float, left: int) -> float:
    """Return the payoff that can be expected of a worth, as games against the rules of thumb have shown it.

    :param worth: The worth, 0 to 1.
    :param left: The number of tiles in the main stack: the fewer, the sooner others win.
    :result: The payoff, from −⅓ for losing to 1 for winning.
    """
    chance = worth / (worth + RIVALS * LATER**left * (1 - worth))
    return (SEATS * chance - 1) / (SEATS - 1)


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
