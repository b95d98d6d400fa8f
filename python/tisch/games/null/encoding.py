"""The smallest game as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tisch.encoding import Actions, Encoding, Flags, Numbers, around, one_hot
from tisch.games.null.rules import CARDS, Move, View

_MOVES: Final = tuple(Move)


class NullEncoding(Encoding[Move]):
    """The arrays of the smallest game."""

    version = 1
    flags = (
        Flags("card", (9,), "The seat's own card."),
        Flags("rival", (9,), "The other card, once the game is over."),
        Flags("said", (2,), "Whether the seat has said low, high."),
        Flags("decided", (2,), "The seats that have said low or high."),
    )
    numbers = (Numbers("stake", (1,), "The stake, at most 127.", 1, 127),)
    moves = (Actions("say", 3, "Say low, high, double."),)

    def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        seat = view.seat or 0
        flags = (
            one_hot(None if view.card is None else view.card - CARDS.start),
            one_hot(None if view.cards is None else view.cards[1 - seat] - CARDS.start),
            one_hot(None if view.said is None else _MOVES.index(view.said)),
            sum(1 << who for who, decided in enumerate(around(view.decided, seat)) if decided),
        )
        return flags, (min(view.stake, 127),)

    def shows(self, view: View, other: int, move: Move) -> bool:
        return move is Move.DOUBLE

    def path(self, move: Move, seat: int) -> tuple[int, ...]:
        return (1 + _MOVES.index(move),)

    def decode(self, path: Sequence[int], seat: int) -> Move:
        if len(path) != 1 or self.group(path[0])[0] != "say":
            raise self._no_move(path)
        return _MOVES[path[0] - 1]
