"""Okey as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tisch.encoding import Actions, Encoding, Flags, Numbers, around, one_hot
from tisch.games.okey.moves import CHEAT, DRAWS, PUTS, WINS, Move, Verb
from tisch.games.okey.rules import SEATS, View
from tisch.games.okey.tiles import HELD, TILES, Tile

KINDS: Final = len(TILES)
#: The first id of each verb with a tile, and the id of cheating.
_FIRST: Final = {Verb.PUT: 1 + len(DRAWS), Verb.WIN: 1 + len(DRAWS) + KINDS}
CHEATING: Final = 1 + len(DRAWS) + 2 * KINDS


class OkeyEncoding(Encoding[Move]):
    """The arrays of Okey. Tiles are numbered: the joker, then red, blue, yellow, black, each from 1 to 13."""

    version = 1
    flags = (
        Flags("newest", (53,), "The newest tile of the seat's own rack."),
        Flags("tops", (4, 53), "The top of the exchange stack that each seat draws from."),
        Flags("turn", (4,), "The seat to move."),
        Flags("winner", (4,), "The winner."),
    )
    numbers = (
        Numbers("rack", (53,), "How many of each tile the seat holds.", 0, 2),
        Numbers("stacks", (4, 53), "How many of each tile lie in the exchange stack that each seat draws from.", 0, 2),
        Numbers("known", (4, 53), "How many of each tile all seats know to be on each rack.", 0, 2),
        Numbers("held", (4,), "The number of tiles on each rack.", 0, 15),
        Numbers("main", (1,), "The number of tiles in the main stack.", 0, 106),
        Numbers("drawn", (4,), "The number of draws of each seat from the main stack.", 0, 127),
        Numbers("taken", (4,), "The number of draws of each seat from its exchange stack, at most 127.", 0, 127),
    )
    moves = (
        Actions("draw", 2, "Draw from the main stack, from the exchange stack."),
        Actions("put", 53, "Put this tile."),
        Actions("win", 53, "Put this tile and win."),
        Actions("cheat", 1, "Take a winning rack, where the options allow it."),
    )

    def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], bytes]:
        seat = view.seat or 0
        flags = (
            one_hot(view.rack[-1] if view.rack else None),
            sum(1 << stack[-1] + KINDS * who for who, stack in enumerate(around(view.stacks, seat)) if stack),
            one_hot(None if view.turn is None else (view.turn - seat) % SEATS),
            one_hot(None if view.winner is None else (view.winner - seat) % SEATS),
        )
        tiles = _counts((view.rack, *around(view.stacks, seat), *around(view.known, seat)))
        taken = [min(draws, 127) for draws in around(view.taken, seat)]
        return flags, tiles + bytes((*around(view.held, seat), view.main, *around(view.drawn, seat), *taken))

    def phase(self, view: View) -> str:
        return "draw" if view.turn is None or view.held[view.turn] == HELD else "put"

    def head(self, move: Move, seat: int) -> int:
        if move.tile is not None:
            return _FIRST[move.verb] + move.tile
        return 1 + DRAWS.index(move) if move in DRAWS else CHEATING

    def path(self, move: Move, seat: int) -> tuple[int, ...]:
        return (self.head(move, seat),)

    def decode(self, path: Sequence[int], seat: int) -> Move:
        if len(path) != 1:
            raise self._no_move(path)
        name, number = self.group(path[0])
        if name == "silence":
            raise self._no_move(path)
        return {"draw": DRAWS, "put": PUTS, "win": WINS, "cheat": (CHEAT,)}[name][number]


def _counts(several: Iterable[Iterable[Tile]]) -> bytes:
    """Return how many of each tile there are, for each of several sets of tiles."""
    counts = bytearray()
    for tiles in several:
        found = bytearray(KINDS)
        for tile in tiles:
            found[tile] += 1
        counts += found
    return bytes(counts)
