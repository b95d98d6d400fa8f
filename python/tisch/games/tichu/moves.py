"""The moves of Tichu and their texts; which of them are legal is decided in ``rules``."""

from collections.abc import Sequence
from typing import Final

from tisch import _core
from tisch._core import Move, Moves

__all__ = ["BOMBS", "GRAND", "LEAD", "PASS", "TAKE", "TICHU", "Move", "Moves", "dragon", "wish"]

Sequence.register(Moves)

PASS = Move("pass")
GRAND = Move("grand")
TICHU = Move("tichu")
TAKE = Move("take")

#: The code of passing: no combination lies, the trick is to be led. Lower codes are combinations.
LEAD: Final = PASS.code
#: Codes below are bombs.
BOMBS: Final = _core.BOMBS


def wish(value: int) -> Move:
    """Wish for a value.

    :param value: 2 to 14.
    :result: The move.
    :raises ValueError: There is no such wish.
    """
    return Move(f"wish {value}")


def dragon(seat: int) -> Move:
    """Give the trick that the dragon has won to an opponent.

    :param seat: Who gets it.
    :result: The move.
    :raises ValueError: There is no such seat.
    """
    return Move(f"dragon {seat}")
