"""The moves of Mau-Mau: ``play H10``, ``take 2``, ``wish K`` and ``finish``."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from tisch.games.maumau.cards import COLOURS, LABELS, NUMBERS


class Move(NamedTuple):
    """A move.

    :ivar verb: ``play``, ``take``, ``wish`` or ``finish``.
    :ivar operand: The card, the number of cards drawn, or the colour of the wish.
    """

    verb: str
    operand: int

    def __str__(self) -> str:
        """Return the move's text."""
        if self.verb == "play":
            return f"play {LABELS[self.operand]}"
        if self.verb == "wish":
            return f"wish {COLOURS[self.operand]}"
        return f"take {self.operand}" if self.verb == "take" else "finish"

    @staticmethod
    def parse(text: str) -> Move:
        """Parse a move.

        :param text: Its text.
        :result: The move.
        :raises ValueError: The text is not a move.
        """
        verb, _, operand = text.partition(" ")
        if text == "finish":
            return FINISH
        if verb == "play" and operand in NUMBERS:
            return play(NUMBERS[operand])
        if verb == "wish" and len(operand) == 1 and operand in COLOURS:
            return WISHES[COLOURS.index(operand)]
        if verb == "take" and operand in _COUNTS:
            return take(int(operand))
        raise ValueError(f"'{text}' is no move of Mau-Mau.")


@cache
def play(card: int) -> Move:
    """Return the move that lays a card.

    :param card: Its number.
    :result: The move.
    """
    return Move("play", card)


@cache
def take(count: int) -> Move:
    """Return the move that draws cards.

    :param count: The number of cards.
    :result: The move.
    """
    return Move("take", count)


FINISH: Final = Move("finish", 0)
WISHES: Final = tuple(Move("wish", colour) for colour in range(4))
_COUNTS: Final = {str(count) for count in (1, 2, 4, 6, 8)}
