"""The moves of Tichu and their texts; ``rules`` determines which are legal."""

from collections.abc import Sequence
from typing import Final

from tisch._core import tichu as core
from tisch._core.tichu import Move, Moves

__all__ = ["BOMBS", "GRAND", "LEAD", "PASS", "TAKE", "TICHU", "Move", "Moves", "dragon", "wish"]

Sequence.register(Moves)

PASS = Move("pass")
GRAND = Move("grand")
TICHU = Move("tichu")
TAKE = Move("take")

#: The code of passing, which also means that a trick is to be led. Lower codes are combinations.
LEAD: Final = PASS.code
#: Codes below this are bombs.
BOMBS: Final = core.BOMBS


def wish(value: int) -> Move:
    """Return the move that wishes for a value.

    :param value: 2 to 14.
    :result: The move.
    :raises ValueError: The value is invalid.
    """
    return Move(f"wish {value}")


def dragon(seat: int) -> Move:
    """Return the move that gives the trick won with the dragon to an opponent.

    :param seat: The recipient.
    :result: The move.
    :raises ValueError: The seat is invalid.
    """
    return Move(f"dragon {seat}")
