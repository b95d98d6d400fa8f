"""The moves of Okey and their texts: ``draw main``, ``draw exchange``, ``put 7:RED``, ``win 7:RED``, ``cheat``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from tisch.games.okey.tiles import TILES, Tile


class Verb(Enum):
    """The verb of a move."""

    DRAW_MAIN = "draw main"
    DRAW_EXCHANGE = "draw exchange"
    PUT = "put"
    WIN = "win"
    CHEAT = "cheat"


@dataclass(frozen=True, slots=True)
class Move:
    """A move.

    :ivar verb: The verb.
    :ivar tile: The tile that the player puts; ``None`` for other verbs.
    """

    verb: Verb
    tile: Tile | None = None

    def __str__(self) -> str:
        """Return the move's text."""
        return self.verb.value if self.tile is None else f"{self.verb.value} {self.tile}"

    @staticmethod
    def parse(text: str) -> Move:
        """Parse a move's text; a joker may have any colour.

        :param text: The text, as ``str`` of a move returns it.
        :result: The move.
        :raises ValueError: The text is not a move.
        """
        verb, _, tile = text.partition(" ")
        if verb in _BY_VERB:
            return _BY_VERB[verb][Tile.parse(tile)]
        for move in (*DRAWS, CHEAT):
            if text == move.verb.value:
                return move
        raise ValueError(f"'{text}' is no move; there are draw main, draw exchange, put TILE, win TILE and cheat.")


DRAW_MAIN: Final = Move(Verb.DRAW_MAIN)
DRAW_EXCHANGE: Final = Move(Verb.DRAW_EXCHANGE)
DRAWS: Final = (DRAW_MAIN, DRAW_EXCHANGE)
#: The move that gives the player a winning rack, if the options allow it.
CHEAT: Final = Move(Verb.CHEAT)
#: The moves that put a tile; the index is the tile's number.
PUTS: Final = tuple(Move(Verb.PUT, tile) for tile in TILES)
#: The moves that put a tile and win.
WINS: Final = tuple(Move(Verb.WIN, tile) for tile in TILES)
_BY_VERB: Final = {Verb.PUT.value: PUTS, Verb.WIN.value: WINS}
