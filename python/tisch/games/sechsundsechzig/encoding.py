"""Sechsundsechzig as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tisch.encoding import Actions, Encoding, Flags, Numbers, around, digits, one_hot
from tisch.games.sechsundsechzig.cards import CARDS, COLOURS, ORDER, Card
from tisch.games.sechsundsechzig.moves import ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, LAY, RESTART, STOP, SWAP, Move
from tisch.games.sechsundsechzig.rules import View

_OTHERS: Final = (SWAP, ANNOUNCE, ANNOUNCE_TRUMP, CLOSE, STOP, RESTART)
_BITS: Final = {card: 1 << number for card, number in ORDER.items()}
_SUITS: Final = {colour: 1 << number for number, colour in enumerate(COLOURS)}


class SechsundsechzigEncoding(Encoding[Move]):
    """The arrays of Sechsundsechzig. Cards are numbered ♣ ♠ ♥ ♦, each A 10 K D B 9."""

    version = 1
    flags = (
        Flags("hand", (24,), "The seat's own cards."),
        Flags("middle", (24,), "The first card of the running trick."),
        Flags("last", (24,), "The cards of the last trick."),
        Flags("tricks", (2, 24), "The cards of each seat's tricks."),
        Flags("shown", (2, 24), "The cards that are publicly known to be in each hand."),
        Flags("hands", (2, 24), "Both hands, once the game has ended."),
        Flags("open", (24,), "The open card, until it is drawn."),
        Flags("trump", (4,), "The trump suit: ♣ ♠ ♥ ♦."),
        Flags("lacks", (2, 4), "The suits that each seat is known to lack."),
        Flags("turn", (2,), "The seat to move; between two games the winner."),
        Flags("closer", (2,), "The seat that closed the deck."),
        Flags("announced", (2,), "The announcement after which a card of the pair must be laid: ordinary, trump."),
        Flags("forced", (1,), "Whether suit must be followed."),
        Flags("ended", (1,), "Whether the game has ended."),
    )
    numbers = (
        Numbers("hidden", (1,), "The number of cards face down in the deck; 0 once it is closed.", 0, 11),
        Numbers("counts", (2,), "The number of cards in each hand.", 0, 6),
        Numbers("points", (2, 2), "The hundreds and the rest of each seat's points in this game.", 0, 99),
        Numbers("scores", (2, 2), "The hundreds and the rest of each seat's game points.", 0, 127),
    )
    moves = (
        Actions("lay", 24, "Lay this card."),
        Actions("other", 6, "Swap, announce, announce trump, close, stop, restart."),
    )

    def values(self, view: View, chosen: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        seat = view.seat or 0
        flags = (
            _set(view.hand),
            _set(view.middle),
            _set(view.last),
            _pair(view.tricks, seat),
            _pair(view.shown, seat),
            _pair(view.hands, seat) if view.hands else 0,
            _BITS[view.open] if view.open else 0,
            _suits(view.trump),
            _suits(view.lacks[seat]) | _suits(view.lacks[1 - seat]) << len(COLOURS),
            one_hot(None if view.turn is None else view.turn ^ seat),
            one_hot(None if view.closer is None else view.closer ^ seat),
            one_hot(None if view.announced is None else int(view.announced == ANNOUNCE_TRUMP)),
            int(view.forced),
            int(view.end is not None),
        )
        numbers = (
            view.hidden,
            *around(view.counts, seat),
            *(digit for points in around(view.points, seat) for digit in digits(points)),
            *(digit for score in around(view.scores, seat) for digit in digits(score)),
        )
        return flags, numbers

    def phase(self, view: View) -> str:
        return "play" if view.end is None else "ended"

    def path(self, move: Move, seat: int) -> tuple[int, ...]:
        if move.verb == "lay":
            return (1 + ORDER[move.operand],)
        return (1 + len(CARDS) + _OTHERS.index(move),)

    def decode(self, path: Sequence[int], seat: int) -> Move:
        if len(path) != 1:
            raise self._no_move(path)
        name, number = self.group(path[0])
        if name == "lay":
            return LAY[CARDS[number]]
        if name == "other":
            return _OTHERS[number]
        raise self._no_move(path)


@lru_cache(1 << 12)
def _set(cards: tuple[Card, ...]) -> int:
    """Return cards as the bits of a number."""
    return sum(map(_BITS.__getitem__, cards))


def _suits(letters: str) -> int:
    """Return suits as the bits of a number."""
    return sum(map(_SUITS.__getitem__, letters))


def _pair(cards: Sequence[tuple[Card, ...]], seat: int) -> int:
    """Return both seats' cards, one after the other."""
    return _set(cards[seat]) | _set(cards[1 - seat]) << len(CARDS)
