"""Mau-Mau as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tisch.encoding import Actions, Encoding, Flags, Numbers, around, digits, one_hot
from tisch.games.maumau.cards import COLOURS, NUMBERS
from tisch.games.maumau.moves import FINISH, WISHES, Move, play, take
from tisch.games.maumau.rules import View

#: The most players; absent ones are all zeros.
PLAYERS: Final = 5
_COUNTS: Final = (1, 2, 4, 6, 8)
_BITS: Final = {label: 1 << number for label, number in NUMBERS.items()}


class MauMauEncoding(Encoding[Move]):
    """The arrays of Mau-Mau. Cards are numbered ♦ ♥ ♣ ♠, each from seven to ace."""

    version = 1
    flags = (
        Flags("hand", (32,), "The seat's own cards."),
        Flags("pile", (32,), "The cards laid since the last reshuffle."),
        Flags("top", (32,), "The top card of the pile."),
        Flags("wish", (4,), "The suit of the wish: ♦ ♥ ♣ ♠."),
        Flags("turn", (5,), "The seat to move."),
        Flags("seats", (5,), "The seats that play."),
        Flags("wishing", (1,), "Whether the seat to move must make a wish."),
        Flags("drew", (1,), "Whether the seat to move has just drawn a card."),
        Flags("jack", (1,), "Whether the number of Jacks laid in a row is odd."),
    )
    numbers = (
        Numbers("counts", (5,), "The number of cards of each seat.", 0, 32),
        Numbers("stock", (1,), "The number of cards in the stock.", 0, 32),
        Numbers("penalty", (1,), "The number of cards to be drawn for sevens.", 0, 8),
        Numbers("rounds", (2,), "The number of the round and of all rounds, at most 127.", 1, 127),
        Numbers("scores", (5, 2), "The hundreds and the rest of each seat's points; the most points lose.", 0, 127),
    )
    moves = (
        Actions("play", 32, "Lay this card."),
        Actions("wish", 4, "Wish for a suit: ♦ ♥ ♣ ♠."),
        Actions("take", 5, "Draw 1, 2, 4, 6, 8 cards."),
        Actions("finish", 1, "Lay all Jacks at once."),
    )

    def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        seats, seat = len(view.counts), view.seat or 0
        absent = PLAYERS - seats
        flags = (
            _set(view.hand),
            _set(view.pile),
            _BITS[view.top],
            one_hot(COLOURS.index(view.wish) if view.wish else None),
            one_hot(None if view.turn is None else (view.turn - seat) % seats),
            (1 << seats) - 1,
            int(view.wishing),
            int(view.drew),
            view.jacks % 2,
        )
        numbers = (
            *around(view.counts, seat),
            *(0,) * absent,
            view.stock,
            view.penalty,
            min(view.round, 127),
            min(view.rounds, 127),
            *(digit for score in around(view.scores, seat) for digit in digits(score)),
            *(0, 0) * absent,
        )
        return flags, numbers

    def phase(self, view: View) -> str:
        return "wish" if view.wishing else "play"

    def path(self, move: Move, seat: int) -> tuple[int, ...]:
        place = _COUNTS.index(move.operand) if move.verb == "take" else move.operand
        return (self.ids[move.verb].start + place,)

    def decode(self, path: Sequence[int], seat: int) -> Move:
        if len(path) != 1:
            raise self._no_move(path)
        name, number = self.group(path[0])
        if name == "play":
            return play(number)
        if name == "wish":
            return WISHES[number]
        if name == "take":
            return take(_COUNTS[number])
        if name == "finish":
            return FINISH
        raise self._no_move(path)


def _set(labels: Sequence[str]) -> int:
    """Return cards as the bits of a number."""
    return sum(map(_BITS.__getitem__, labels))
